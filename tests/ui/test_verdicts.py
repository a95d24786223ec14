"""The verdicts in place of the values: every gradient at the end, beside what it should be."""

from dataclasses import replace

import pytest
from conftest import RECORDINGS, A, B, C, D, E
from PySide6.QtCore import Qt

from chainstep.graph import Node
from chainstep.report import Report
from chainstep.ui.session import Session, View
from chainstep.ui.verdicts import Verdicts, reason, word
from chainstep.verify import Gradient, Verdict

NODES = RECORDINGS["written"].nodes


def gradient(node, written, right, verdict, **more):
    return Gradient(node, 0, written, 0.0, right, right, 1e-9, None, verdict, **more)


# As if c and d had stored with =: the right ones are 21 and 16, as worked out by hand.
JUDGED = (
    gradient(A, 15.0, 21.0, Verdict.DIFFERS),
    gradient(B, 6.0, 16.0, Verdict.DIFFERS),
    gradient(C, 6.0, 6.0, Verdict.AGREES),
    gradient(D, 5.0, 5.0, Verdict.AGREES),
    gradient(E, 1.0, None, Verdict.UNKNOWN),
)


class Checker:
    """Checks that deliver at once what they are told to, and keep their subjects."""

    def __init__(self):
        self.subjects = []
        self.gradients = JUDGED

    def __call__(self, subject):
        self.subjects.append(subject)
        return self

    def start(self, finished):
        recording = self.subjects[-1].recording
        finished(Report("diamond.py", recording, self.gradients, ()))

    def stop(self):
        pass

    def wait(self, timeout_s=None):
        pass


@pytest.fixture
def checker():
    return Checker()


@pytest.fixture(autouse=True)
def _with_pytorch(monkeypatch):
    monkeypatch.setattr("chainstep.ui.verdicts.is_installed", lambda: True)


@pytest.fixture
def session(qapp, runner, checker):
    session = Session(runner, checker=checker)
    session.checks._timer.setInterval(0)
    yield session
    session.close()


@pytest.fixture
def panel(window, show, session, qtbot):
    """The panel of values with the diamond judged."""
    show("written")
    qtbot.waitUntil(lambda: session.checks.report is not None)
    return window.parts.side.values


@pytest.fixture
def verdicts(panel):
    panel.show_verdicts(shows=True)
    return panel.verdicts.verdicts


def rows(verdicts):
    return [
        [verdicts.index(row, column).data() for column in range(verdicts.columnCount())]
        for row in range(verdicts.rowCount())
    ]


def test_each_gradient_stands_beside_what_it_should_be_the_worst_first(verdicts):
    assert [column.title for column in verdicts.columns] == [
        *("name", "verdict", "as written", "central", "PyTorch", "+="),
    ]
    assert rows(verdicts) == [
        ["b", "≠ differs", "6.0", "16.0", "–", "16.0"],
        ["a", "≠ differs", "15.0", "21.0", "–", "21.0"],
        ["e", "unknown", "1.0", "–", "–", "–"],
        ["c", "✓ agrees", "6.0", "6.0", "–", "6.0"],
        ["d", "✓ agrees", "5.0", "5.0", "–", "5.0"],
    ]


def test_a_program_without_a_backward_of_its_own_has_no_column_for_it(
    window, show, session, checker, qtbot
):
    show("forced")
    qtbot.waitUntil(lambda: session.checks.report is not None)
    window.parts.side.values.show_verdicts(shows=True)
    titles = [column.title for column in window.parts.side.values.verdicts.verdicts.columns]
    assert titles == ["name", "verdict", "central", "PyTorch", "+="]


def test_without_pytorch_there_is_no_column_for_it(panel, monkeypatch):
    monkeypatch.setattr("chainstep.ui.verdicts.is_installed", lambda: False)
    panel.show_verdicts(shows=True)
    assert "PyTorch" not in [column.title for column in panel.verdicts.verdicts.columns]


def test_the_words_above_count_the_verdicts(panel, verdicts):
    assert panel._count.text() == "At the end: 2 differ, 1 unknown, 2 agree"
    panel.show_verdicts(shows=False)
    assert panel._count.text() == "5 nodes"


def test_a_kink_is_named_and_no_slope_is_said():
    nodes = (Node(0, "x", "", 0.0), Node(1, "r", "ReLU", 0.0, (0,)))
    kink = gradient(0, 0.0, 0.5, Verdict.KINK, kink=1)
    assert word(kink, nodes) == "kink at r"
    assert word(replace(kink, kink=0), nodes) == "kink"
    steep = replace(gradient(0, 0.0, None, Verdict.UNKNOWN), differentiable=False)
    assert word(steep, nodes) == "not differentiable here"
    assert reason(steep) == "The root has no finite slope here."


def test_what_was_there_before_the_pass_is_said_not_to_count():
    told = reason(replace(gradient(A, 2.0, 1.0, Verdict.AGREES), carried=1.0))
    assert told.endswith("1.0 of it was there before the pass and does not count.")


def test_constants_have_a_row_only_where_they_are_wrong(panel, session):
    report = session.checks.report
    nodes = tuple(replace(node, constant=node.id in (A, C)) for node in NODES)
    session.checks._report = replace(report, recording=replace(report.recording, nodes=nodes))
    panel.show_verdicts(shows=True)
    assert [row[0] for row in rows(panel.verdicts.verdicts)] == ["b", "a", "e", "d"]


def test_a_title_sorts_and_the_command_brings_the_worst_to_the_top_again(window, verdicts, panel):
    table = panel.verdicts.table
    table.sortByColumn(2, Qt.SortOrder.DescendingOrder)
    assert [row[0] for row in rows(verdicts)] == ["a", "b", "c", "d", "e"]
    table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert [row[0] for row in rows(verdicts)] == ["a", "b", "c", "d", "e"]
    window.parts.actions["sort_by_disagreement"].trigger()
    assert [row[0] for row in rows(verdicts)] == ["b", "a", "e", "c", "d"]


def test_a_row_selects_its_node_and_enter_goes_to_the_last_write_to_it(
    window, panel, verdicts, session, qtbot
):
    panel.verdicts.table.setCurrentIndex(verdicts.index(1, 0))
    assert session.selected == A
    window.parts.side.enter("values")
    qtbot.keyClick(panel.verdicts.table, Qt.Key.Key_Return)
    # The write from c is the last that a gets: step 8, after which 9 steps are over.
    assert (session.view, session.backward_position) == (View.AS_WRITTEN, 9)
    session.select(D)
    assert panel.verdicts.table.currentIndex().row() == 4


def test_the_command_shows_the_verdicts_and_then_the_values_again(window, panel):
    action = window.parts.actions["verdicts"]
    action.trigger()
    assert panel.shows_verdicts
    assert action.isChecked()
    action.trigger()
    assert not panel.shows_verdicts


def test_pytorch_is_asked_as_long_as_the_verdicts_are_on_show(panel, session, checker, qtbot):
    assert not checker.subjects[-1].asks_torch
    asked = tuple(replace(each, torch=each.accumulate) for each in JUDGED)
    checker.gradients = asked
    panel.show_verdicts(shows=True)
    assert checker.subjects[-1].asks_torch
    qtbot.waitUntil(lambda: session.checks.report.gradients == asked)
    assert rows(panel.verdicts.verdicts)[0] == ["b", "≠ differs", "6.0", "16.0", "16.0", "16.0"]
    count = len(checker.subjects)
    panel.show_verdicts(shows=False)
    panel.show_verdicts(shows=True)
    assert len(checker.subjects) == count


def test_while_the_future_is_hidden_there_are_no_verdicts(panel, verdicts, session):
    session.hide(True)
    assert verdicts.rowCount() == 0
    assert panel._count.text() == "Hidden"
    session.hide(False)
    assert verdicts.rowCount() == 5


def test_tips_tell_every_digit_and_how_far_off_the_difference_may_be(verdicts):
    index = verdicts.index(0, [c.title for c in verdicts.columns].index("central"))
    assert index.data(Qt.ItemDataRole.ToolTipRole) == "16.0 ± 1e-09"
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "central of b: 16.0"


def test_the_model_is_empty_before_anything_was_checked(qapp, runner, window):
    assert Verdicts(window.session, window.look).rowCount() == 0


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_what_matters_is_seen_without_scrolling(window, panel, verdicts, size):
    window.resize(*size)
    window.arrange()
    panel.verdicts.take()
    for table in (panel.verdicts.table, panel.table):
        panel.show_verdicts(shows=table is panel.verdicts.table)
        assert table.horizontalScrollBar().maximum() == 0


def test_where_there_is_no_room_what_is_shown_goes_before_what_only_might_be(panel, verdicts):
    table = panel.verdicts.table
    assert verdicts.columns[-1].title == "+="
    table.setFixedWidth(260)
    assert table.isColumnHidden(5)
    table.setFixedWidth(259)
    assert table.isColumnHidden(5)
    table.setFixedWidth(700)
    assert not table.isColumnHidden(5)


def test_as_written_stands_before_the_modes_and_the_op_gives_way_to_it(window, panel, session):
    titles = [column.title for column in panel.values.columns]
    assert titles == ["name", "op", "data", "as written", "grad +=", "grad =", "+= less ="]
    panel.table.setFixedWidth(330)
    assert panel.table.isColumnHidden(1)
    assert not panel.table.isColumnHidden(3)
    panel.table.setFixedWidth(900)
    assert not panel.table.isColumnHidden(1)
