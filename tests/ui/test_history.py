"""All steps as a table, the account of one gradient, and its line."""

import math
from dataclasses import replace

import pytest
from conftest import A, C, D
from effort import cost_s
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage

from chainstep.graph import Node
from chainstep.story import Phase
from chainstep.trace import Kind, Mode, Order, Recording, Step, Trace
from chainstep.ui.chronicle import Chronicle, Sorts, matching
from chainstep.ui.jumps import last_write, subject, write_from
from chainstep.ui.plot import Curve
from chainstep.ui.session import View


@pytest.fixture
def history(window, show):
    show("written")
    window.session.set_view(View.ACCUMULATE)
    window.parts.side.tabs.show_page("history")
    return window.parts.side.page("history")


@pytest.fixture
def ledger(window, show):
    show("forced")
    window.parts.side.tabs.show_page("ledger")
    return window.parts.side.page("ledger")


def focus(window, widget, qtbot):
    with qtbot.waitActive(window):
        window.activateWindow()
    widget.setFocus()


def rows(model, *titles):
    sections = [[c.title for c in model.columns].index(title) for title in titles]
    return [
        tuple(model.index(row, section).data() for section in sections)
        for row in range(model.rowCount())
    ]


# -- history ------------------------------------------------------------------------------


def test_every_moment_of_the_story_has_a_row(history, session):
    assert history.history.rowCount() == session.length
    told = rows(history.history, "step", "what")
    assert told[:2] == [("V1", "a made"), ("V2", "b made")]
    assert ("S1", "visit e") in told
    assert told[-12:-6] == [
        *(("1", "seed e"), ("2", "e runs"), ("3", "e → c"), ("4", "e → d")),
        *(("5", "d runs"), ("6", "d → a")),
    ]


def test_numbers_of_what_is_still_to_come_are_not_told(history, session):
    session.seek_backward(6)
    told = {step: rest for step, *rest in rows(history.history, "step", "adds", "grad +=")}
    assert told["6"] == ["15.0", "15.0"]
    assert told["7"] == ["–", "–"]
    assert told["5"] == ["", ""]
    session.seek_backward(7)
    told = {step: rest for step, *rest in rows(history.history, "step", "adds", "grad +=")}
    assert told["7"] == ["10.0", "10.0"]


def test_with_both_modes_on_show_both_gradients_are_told(history, session):
    session.set_view(View.BOTH)
    session.seek_backward(9)
    told = {step: rest for step, *rest in rows(history.history, "step", "grad +=", "grad =")}
    assert told["9"] == ["21.0", "6.0"]


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        *((Sorts.ALL, None), (Sorts.MADE, 5), (Sorts.CALLS, 5), (Sorts.WRITES, 6)),
        (Sorts.OTHERS, 1),
    ],
)
def test_steps_are_found_by_kind(history, session, kind, count):
    history.kind.setCurrentIndex(history.kind.findData(kind))
    assert history.history.rowCount() == (session.length if count is None else count)


def test_steps_are_found_by_node_and_kind_together(history):
    history.node.setText("a")
    history.kind.setCurrentIndex(history.kind.findData(Sorts.WRITES))
    assert rows(history.history, "step", "what") == [("6", "d → a"), ("9", "c → a")]
    history.node.setText("zz")
    assert history.history.rowCount() == 0
    history.node.clear()
    assert history.history.rowCount() == 6


def test_a_name_typed_in_full_means_that_node_and_a_part_means_all_that_have_it():
    nodes = tuple(Node(n, name, "", 0.0) for n, name in enumerate(("w", "w2", "loss", "W")))
    recording = Recording("p", nodes=nodes)
    assert matching(recording, "  ") is None
    assert matching(recording, "w") == {0}
    assert matching(recording, "w2") == {1}
    assert matching(recording, "2") == {1}
    assert matching(recording, "LOS") == {2}
    assert matching(recording, "no") == set()


def test_a_click_on_a_row_goes_there(history, session, qtbot):
    row = history.history.chronicle.row_of(session.story.position_of_backward(9))
    index = history.history.index(row, 1)
    history.table.scrollTo(index)
    spot = history.table.visualRect(index).center()
    qtbot.mouseClick(history.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert (session.phase, session.backward_position) == (Phase.BACKWARD, 9)


def test_enter_on_a_row_goes_there_and_the_current_row_follows(history, session, window, qtbot):
    session.seek_backward(3)
    table = history.table
    focus(window, table, qtbot)
    assert rows(history.history, "what")[table.currentIndex().row()] == ("e → c",)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    assert session.backward_position == 3
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert session.backward_position == 4
    session.seek_backward(12)
    assert table.currentIndex().row() == session.length - 1


def test_where_the_current_step_is_filtered_away_the_one_before_it_is_current(history, session):
    history.kind.setCurrentIndex(history.kind.findData(Sorts.CALLS))
    session.seek_backward(9)
    assert rows(history.history, "what")[history.table.currentIndex().row()] == ("c runs",)
    session.seek(0)
    assert not history.table.selectionModel().hasSelection()


def test_every_cell_of_every_view_answers_every_role(history, session):
    model = history.history
    for view in session.views:
        session.set_view(view)
        for position in (0, 5, session.length):
            session.seek(position)
            for row in range(model.rowCount()):
                for column in range(model.columnCount()):
                    for role in Qt.ItemDataRole:
                        model.index(row, column).data(role)


LONG = 100_000


@pytest.fixture(scope="module")
def long_story():
    """A chain of additions, whose pass has more than 100,000 steps."""
    from chainstep.story import Story

    count = LONG // 3 + 2
    nodes = [Node(0, "x", "", 1.0)]
    nodes += [Node(n, f"y{n}", "+", 1.0, (n - 1, 0), serial=n) for n in range(1, count)]
    steps = [Step(Kind.SEED, count - 1, None, count - 1, before=0.0, after=1.0)]
    for n in range(count - 1, 0, -1):
        steps.append(Step(Kind.CALL, n, upstream=1.0))
        for slot, target in enumerate((n - 1, 0)):
            steps.append(Step(Kind.WRITE, n, slot, target, 1.0, 1.0, 1.0, 0.0, 1.0, True))
    steps.append(Step(Kind.CALL, 0, upstream=1.0))
    trace = Trace(
        *(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, count - 1),
        dict.fromkeys(range(count), 0.0),
        tuple(steps),
        {},
    )
    recording = Recording("long.py", nodes=tuple(nodes), traces=(trace,))
    return Story(recording, trace)


def test_100_000_steps_are_found_by_node_and_kind_without_delay(long_story):
    every = Chronicle(long_story)
    assert len(every) > LONG

    def find():
        return Chronicle(long_story, Sorts.WRITES, matching(long_story.recording, "y77"))

    def read():
        for position in range(0, long_story.length, 97):
            row = every.row_of(position)
            assert row is None or every.what(row)

    found = find()
    assert [found.what(row) for row in range(len(found))] == ["y78 → y77", "y77 → y76", "y77 → x"]
    assert cost_s(lambda: Chronicle(long_story)) < 0.01
    assert cost_s(find) < 0.5
    assert cost_s(read) < 1.0


# -- ledger -------------------------------------------------------------------------------


def test_the_ledger_of_the_selected_node_names_step_edge_and_running_sum(ledger, session):
    session.select(A)
    session.run_to_end()
    assert rows(ledger.account, "step", "from", "adds", "grad +=") == [
        ("6", "d", "15.0", "15.0"),
        ("9", "c", "6.0", "21.0"),
    ]
    assert ledger.title.text() == "a: 2 of 2 writes"


def test_under_overwrite_what_was_lost_is_struck_through_and_called_lost(ledger, session):
    session.set_view(View.OVERWRITE)
    session.select(A)
    session.seek_backward(6)
    model = ledger.account
    assert rows(model, "from", "adds", "grad =") == [("d", "15.0", "15.0"), ("c", "–", "–")]
    adds = model.index(0, 2)
    assert not adds.data(Qt.ItemDataRole.FontRole).strikeOut()
    session.seek_backward(9)
    assert rows(model, "from", "adds", "grad =") == [
        ("lost · d", "15.0", "15.0"),
        ("c", "6.0", "6.0"),
    ]
    assert adds.data(Qt.ItemDataRole.FontRole).strikeOut()
    assert adds.data(Qt.ItemDataRole.AccessibleTextRole) == "adds: 15.0, lost"
    assert not model.index(1, 2).data(Qt.ItemDataRole.FontRole).strikeOut()


def test_with_both_modes_it_is_said_with_which_one_it_was_lost(ledger, session):
    session.set_view(View.BOTH)
    session.select(A)
    session.run_to_end()
    assert rows(ledger.account, "from", "grad +=", "grad =") == [
        ("lost with = · d", "15.0", "15.0"),
        ("c", "21.0", "6.0"),
    ]


def test_a_consumer_that_uses_the_node_twice_is_named_with_its_slot(
    ledger, session, runner, recordings, diamond, qtbot
):
    recording = recordings["forced"]
    nodes = (
        *recording.nodes[:2],
        replace(recording.nodes[C], children=(A, A)),
        *recording.nodes[3:],
    )
    runner.at_once = replace(recording, nodes=nodes)
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.select(A)
    session.run_to_end()
    assert rows(ledger.account, "from")[1] == ("c, slot 0",)


def test_without_a_selection_the_ledger_is_that_of_the_node_that_is_written(ledger, session):
    session.seek_backward(6)
    assert subject(session).id == A
    assert ledger.title.text().startswith("a:")
    session.seek_backward(7)
    assert ledger.title.text().startswith("b:")
    session.seek_backward(8)
    assert ledger.title.text().startswith("c:")
    session.select(D)
    session.seek_backward(9)
    assert ledger.title.text().startswith("d:")


def test_enter_in_the_ledger_goes_to_the_step(ledger, session, window, qtbot):
    session.select(A)
    focus(window, ledger.table, qtbot)
    ledger.table.selectRow(1)
    qtbot.keyClick(ledger.table, Qt.Key.Key_Return)
    assert session.backward_position == 9


def test_which_step_last_wrote_this_grad_is_one_key_and_one_press_away(
    ledger, session, window, qtbot
):
    session.select(A)
    session.seek_backward(8)
    action = window.parts.actions["last_write"]
    assert action.isEnabled()
    assert ledger.last.isEnabled()
    focus(window, window.parts.stage.canvases[0], qtbot)
    qtbot.keyClick(window.parts.stage.canvases[0], Qt.Key.Key_L)
    assert session.backward_position == 6
    assert not action.isEnabled()
    assert action.statusTip() == "This very step wrote the gradient of a."
    session.run_to_end()
    qtbot.mouseClick(ledger.last, Qt.MouseButton.LeftButton)
    assert session.backward_position == 9
    session.restart()
    assert action.statusTip() == "Nothing has written the gradient of a yet."


def test_the_next_and_previous_write_to_the_selected_node_are_reached_by_key(
    ledger, session, window, qtbot
):
    session.select(A)
    session.seek_backward(0)
    assert write_from(session, forward=False) is None
    actions = window.parts.actions
    actions["next_write"].trigger()
    assert session.backward_position == 6
    actions["next_write"].trigger()
    assert session.backward_position == 9
    assert not actions["next_write"].isEnabled()
    assert "after this step" in actions["next_write"].statusTip()
    actions["previous_write"].trigger()
    assert session.backward_position == 6
    assert last_write(session) == 6


def test_every_cell_of_the_ledger_answers_every_role(ledger, session):
    model = ledger.account
    for view in (View.ACCUMULATE, View.OVERWRITE, View.BOTH):
        session.set_view(view)
        for node in range(5):
            session.select(node)
            for position in (0, 7, 12):
                session.seek_backward(position)
                for row in range(model.rowCount()):
                    for column in range(model.columnCount()):
                        for role in Qt.ItemDataRole:
                            model.index(row, column).data(role)


def test_without_a_recording_the_ledger_says_what_to_do(window):
    window.parts.side.tabs.show_page("ledger")
    ledger = window.parts.side.page("ledger")
    assert ledger.title.text() == "Select a node to see its account."
    assert ledger.plot.isHidden()


# -- line ---------------------------------------------------------------------------------


def test_the_line_is_told_in_words_up_to_the_position(ledger, session):
    session.select(A)
    session.seek_backward(8)
    assert ledger.plot.accessibleDescription() == (
        "Gradient of a, +=: 0.0 at the start, 15.0 from step 6, 1 more to come."
    )
    session.set_view(View.BOTH)
    session.run_to_end()
    assert ledger.plot.accessibleDescription() == (
        "Gradient of a, +=: 0.0 at the start, 15.0 from step 6, 21.0 from step 9.\n"
        "Gradient of a, =: 0.0 at the start, 15.0 from step 6, 6.0 from step 9."
    )


def test_of_many_changes_the_words_name_the_last():
    curve = Curve("+=", ((0, 0.0), *((n, float(n)) for n in range(1, 30))))
    told = curve.told("w", 20)
    assert told.startswith("Gradient of w, +=: 15.0 from step 15, ")
    assert told.endswith("20.0 from step 20, 9 more to come.")


def test_the_line_does_not_show_what_is_still_to_come(ledger, session):
    session.select(A)
    session.seek_backward(6)
    before = ledger.plot._range()
    assert before == (0.0, 15.0)
    session.seek_backward(9)
    assert ledger.plot._range() == (0.0, 21.0)


CURVES = [
    *((), (0.0,), (1e308, -1e308), (math.nan,), (math.inf, 1.0), (-math.inf,)),
    *((5e-324,), (-2.0, -3.0)),
]


def test_any_gradient_can_be_drawn(ledger):
    plot = ledger.plot
    plot.resize(300, 60)
    for values in CURVES:
        points = ((0, 0.0), *enumerate(values, 1))
        plot.show_curves((Curve("+=", points), Curve("=", points, dashed=True)), len(values), 5)
        picture = plot.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
        assert not picture.isNull()
        box = plot._box()
        for value in values:
            y = plot._y(box, value)
            assert box.top() - 0.01 <= y <= box.bottom() + 0.01 or math.isnan(value)


def test_a_click_on_the_line_goes_there(ledger, session, qtbot):
    session.select(A)
    session.run_to_end()
    box = ledger.plot._box()
    spot = QPoint(round(box.left() + box.width() / 2), round(box.center().y()))
    qtbot.mouseClick(ledger.plot, Qt.MouseButton.LeftButton, pos=spot)
    assert session.backward_position == 6


def test_a_gradient_that_is_written_100_000_times_is_drawn_without_delay(ledger):
    points = [(n, math.sin(n / 900) * n) for n in range(LONG)]
    curve = Curve("+=", points)
    plot = ledger.plot
    plot.resize(300, 80)

    def draw():
        for position in range(LONG - 10, LONG):
            plot.show_curves((curve,), position, LONG)
            plot.grab()

    assert cost_s(draw) < 1.0
    values = [value for _, value in points]
    assert curve.bounds(LONG) == (min(values), max(values))
    drawn = [corner.y() for corner in plot._corners(plot._box(), curve)]
    box = plot._box()
    assert min(drawn) == pytest.approx(plot._y(box, max(values)))
    assert max(drawn) == pytest.approx(plot._y(box, min(values)))


def test_a_panel_behind_another_tab_makes_up_for_what_it_missed(ledger, session, window):
    session.select(A)
    window.parts.side.tabs.show_page("history")
    session.run_to_end()
    session.select(C)
    assert ledger.title.text().startswith("a: 0 of 2")
    window.parts.side.tabs.show_page("ledger")
    assert ledger.title.text() == "c: 1 of 1 write"
    history = window.parts.side.page("history")
    session.seek_backward(3)
    window.parts.side.tabs.show_page("history")
    row = history.table.currentIndex().row()
    assert history.history.chronicle.positions[row] == session.position
