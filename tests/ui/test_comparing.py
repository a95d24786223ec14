"""Any two passes over graphs of one shape stand side by side, in step.

The diamond is e = (a + b) * (a * b), so de/da = ab + (a + b) b: 21 at a=2, b=3, and 39 at a=5, b=3.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import scenes
import shiboken6
from conftest import DIAMOND, RECORDINGS
from test_recorder import record

from chainstep.comparison import first_difference, moved
from chainstep.options import Options
from chainstep.program import Program, examples
from chainstep.story import Phase
from chainstep.trace import Mode, Order
from chainstep.ui.beside import Beside
from chainstep.ui.session import Place, View
from chainstep.ui.values import DIFFERENCE, PARTED

TWICE = "from chainstep import Value\nw = Value(1.0)\n" + 2 * "y = w * 2.0\ny.backward()\n"
SORTS = """\
from chainstep import Value
a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c + d
f = c * d
y = e + f
"""
"""By hand: de/da = 25 in any right order, and 29 by recursion without one."""


@pytest.fixture
def run(qtbot, window, session, runner):
    """Runs a text, with what a real run leaves of it."""

    def running(text, name="diamond.py", **options):
        runner.at_once = record(text, **options)
        if session.program.name != name:
            session.open(Program(name, text), run=False)
        session.set_text(text)
        with qtbot.waitSignal(session.recording_changed):
            session.run()
        return session.recording

    return running


def keys(session):
    return [offer.key for offer in session.comparing.offers()]


def gradient(session, mode, name):
    node = next(node for node in session.graph.nodes if node.name == name)
    return session.stepper(mode).gradients[node.id]


# -- shapes ----------------------------------------------------------------------------------


def test_graphs_differ_in_shape_at_the_first_node_with_other_operands():
    one = record(DIAMOND).graph()
    assert first_difference(one, record(DIAMOND.replace("a * b", "a / b")).graph()) != ""
    assert first_difference(one, record(DIAMOND.replace("a + b", "b * a", 1)).graph()) != ""
    same = record(DIAMOND.replace("c = a + b", "c = a * b")).graph()
    assert first_difference(one, same) == ""
    longer = record(DIAMOND + "f = e + e\n").graph()
    assert "5 nodes and 6. The first that only the other has is f (line 8)" in first_difference(
        one, longer
    )
    assert "only this one has is f (line 8)" in first_difference(longer, one)
    swapped = record(DIAMOND.replace("c * d", "c * c")).graph()
    assert "at d (line 6), in whose place the other has e (line 7)" in first_difference(
        one, swapped
    )


def test_a_trace_is_told_in_the_nodes_of_the_other_graph():
    recording = record(TWICE)
    here, there = recording.graph(0), recording.graph(1)
    told = moved(recording.trace(Mode.ACCUMULATE, 1), there, here, 0)
    assert told.root == here.root
    assert {*told.initial} == {node.id for node in here.nodes}
    assert [told.final[node.id] for node in here.nodes] == [2, 1, 1]


# -- in the window ---------------------------------------------------------------------------


def test_two_edits_of_a_program_stand_side_by_side(run, session, window):
    run(DIAMOND)
    assert "previous" not in keys(session)
    run(DIAMOND.replace("Value(2.0)", "Value(5.0)"))
    session.comparing.choose("previous")
    assert [pane.mode for pane in session.panes] == [Mode.ACCUMULATE, Mode.COMPARED]
    assert session.heading(Mode.ACCUMULATE)[0] == "+="
    assert session.heading(Mode.COMPARED) == ("before", "the run before this one")
    session.run_to_end()
    assert gradient(session, Mode.ACCUMULATE, "a") == 39
    assert gradient(session, Mode.COMPARED, "a") == 21
    lower = session.panes[1].stepper
    assert [lower.data(node) for node in session.graph.nodes] == [2, 3, 5, 6, 30]
    assert len(window.parts.stage.canvases) == 2


def test_the_table_has_both_gradients_and_their_difference(run, session, window):
    run(DIAMOND)
    run(DIAMOND.replace("Value(2.0)", "Value(5.0)"))
    session.comparing.choose("previous")
    session.run_to_end()
    values = window.parts.side.page("values").values
    assert [column.title for column in values.columns] == [
        *("name", "op", "data", "grad +=", "other", "upper less lower")
    ]
    a = values.rows[0]
    assert (a.name, values.text(a, PARTED)) == ("a", "18.0")
    assert not window.parts.side.page("values").table.isColumnHidden(5)
    session.end_comparison()
    assert DIFFERENCE in values.columns
    assert "other" not in [column.title for column in values.columns]


def test_the_key_for_differences_goes_to_the_first_of_a_comparison(run, session):
    run(TWICE, "twice.py")
    session.set_view(View.AS_WRITTEN)
    session.compare(session.recording, 1, Mode.AS_WRITTEN, ("pass 2", "another pass"))
    # The second pass begins with w at 2.0: they differ from the very beginning.
    assert session.differing == {node.id for node in session.graph.nodes if node.name == "w"}
    session.end_comparison()
    session.set_view(View.ACCUMULATE)
    session.comparing.choose("pass:2")
    assert session.first_divergence is None
    run(DIAMOND)
    run(DIAMOND.replace("Value(2.0)", "Value(5.0)"))
    session.comparing.choose("previous")
    session.go(Place(Phase.BACKWARD, 0))
    session.seek_divergence()
    # The seeds agree; the first write, into c, is ab: 15 against 6.
    moment = session.panes[0].stepper.current
    assert session.graph.node(moment.target).name == "c"
    assert (moment.after, session.panes[1].stepper.current.after) == (15, 6)


def test_another_order_is_run_for_and_stepped_call_by_call(run, session, runner, qtbot):
    run(SORTS, "sorts.py")
    assert {"order:recursive", "order:breadth-first"} <= {*keys(session)}
    runner.at_once = record(SORTS, order=Order.RECURSIVE)
    shown = session.recording
    session.comparing.choose("order:recursive")
    qtbot.waitUntil(lambda: session.comparison is not None)
    assert runner.last.options.order is Order.RECURSIVE
    assert session.order is Order.DEPTH_FIRST
    assert session.recording is shown
    session.run_to_end()
    assert gradient(session, Mode.ACCUMULATE, "a") == 25
    assert gradient(session, Mode.COMPARED, "a") == 29
    for position in range(session.backward_length, -1, -1):
        session.seek_backward(position)
        upper, lower = (pane.stepper for pane in session.panes)
        assert upper.call[0] == lower.call[0] or position == session.backward_length


def test_the_ledger_sets_contributions_of_one_edge_beside_one_another_and_no_others(
    session, window, runner, diamond, qtbot
):
    # Ours has d before c, which bring a 15 and 6; the other has c before d.
    graph = scenes.diamond()
    runner.at_once = scenes.recording(graph)
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    other = scenes.recording(graph, order=(4, 2, 3, 1, 0))
    assert session.compare(other, 0, Mode.ACCUMULATE, ("other", "c first")) == ""
    session.select(0)
    session.run_to_end()
    page = window.parts.side.page("ledger")
    page.show()
    account = page.account
    told = [
        (account.source(line), line.entry.contribution, [e and e.after for e in line.entries])
        for line in account.rows
    ]
    assert told == [
        ("d", 15, [15, None]),
        ("c", 6, [None, 6]),
        ("c", 6, [21, None]),
        ("d", 15, [None, 21]),
    ]


def test_watches_say_nothing_of_a_pass_that_has_come_elsewhere(
    session, window, runner, diamond, qtbot
):
    # As written c runs before d, and with =, so that the 15 of d stays: ours has d before c.
    graph = scenes.diamond()
    written = scenes.trace(graph, Mode.AS_WRITTEN, order=(4, 2, 3, 1, 0))
    forced = scenes.recording(graph)
    runner.at_once = replace(forced, traces=(written, *forced.traces))
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.breakpoints.toggle_watch(0)
    watches = window.parts.side.page("watches").watches
    assert Mode.AS_WRITTEN not in {column.mode for column in watches.columns}
    session.set_view(View.AS_WRITTEN)
    own, *ours = watches.columns[2:]
    session.seek_backward(7)
    (watch,) = watches.rows
    assert watches.number(watch, own) == 6
    for column in ours:
        assert watches.text(watch, column) == ""
        assert "orders of the passes differ" in watches.tip(watch, column)
    session.run_to_end()
    assert [watches.number(watch, each) for each in (own, *ours)] == [15, 21, 6]


@pytest.mark.usefixtures("qapp")
def test_a_run_that_was_left_may_end_when_there_is_no_window_any_more(runner, diamond):
    beside = Beside(runner)
    beside.start(diamond, Options(), lambda _: pytest.fail("it was left"))
    beside.close(0)
    assert runner.last.stopped
    shiboken6.delete(beside)
    runner.last.deliver(RECORDINGS["forced"])


def test_a_student_s_engine_stands_beside_ours(run, session, runner, qtbot):
    # y = x k + x at x = 3, k = 4: dy/dx = k + 1 = 5; the student's = keeps only the k.
    own = next(each for each in examples() if each.name == "own_value").text
    run(own, "own_value.py")
    session.set_view(View.AS_WRITTEN)
    assert "ours" in keys(session)
    runner.at_once = record(own, ours="Value")
    session.comparing.choose("ours")
    qtbot.waitUntil(lambda: session.comparison is not None)
    assert runner.last.options.ours == "Value"
    session.run_to_end()
    assert gradient(session, Mode.AS_WRITTEN, "x") == 4
    assert gradient(session, Mode.COMPARED, "x") == 5
    assert session.first_divergence is not None


def test_an_engine_that_ours_cannot_stand_in_for_is_refused_before_anything_runs(
    run, session, runner
):
    own = next(each for each in examples() if each.name == "own_value").text
    run(own.replace("x = Value(3.0)", "x = Value(3.0, op='x')"), "own_value.py")
    said, runs = [], len(runner.runs)
    session.comparing.refused.connect(said.append)
    session.comparing.choose("ours")
    assert said == ["Line 48 makes a Value with op=, which our Value does not take."]
    assert len(runner.runs) == runs


def test_graphs_of_other_shapes_are_refused_and_the_view_stays(run, session, window):
    run(DIAMOND)
    run(DIAMOND + "f = e + e\n")
    said = []
    session.comparing.refused.connect(said.append)
    session.comparing.choose("previous")
    assert "only this one has is f" in said[0]
    assert session.comparison is None
    assert len(session.panes) == 1


def test_a_comparison_ends_with_another_view_pass_or_run(run, session):
    run(TWICE, "twice.py")
    for end in (
        lambda: session.set_view(View.OVERWRITE),
        lambda: session.set_pass(1),
        lambda: run(TWICE, "twice.py"),
        session.end_comparison,
    ):
        session.set_pass(0)
        session.comparing.choose("pass:2")
        assert session.comparison is not None
        end()
        assert session.comparison is None
        assert [pane.mode for pane in session.panes] == list(session.view.modes)
        assert session.stepper(Mode.COMPARED) is None


def test_what_is_drawn_anew_is_shown_by_itself(run, session, qtbot):
    run(TWICE, "twice.py")
    session.set_view(View.BOTH)
    before = session.differing, session.first_divergence
    session.set_view(View.ACCUMULATE)
    session.comparing.choose("pass:2")
    with qtbot.waitSignal(session.recording_changed):
        session.set_choices(replace(session.choices, folds=True))
    assert session.comparison is None
    session.set_view(View.BOTH)
    assert (session.differing, session.first_divergence) == before


def test_every_panel_and_action_works_while_something_is_compared(run, session, window):
    run(DIAMOND)
    run(DIAMOND.replace("Value(2.0)", "Value(5.0)"))
    session.comparing.choose("previous")
    session.select(0)
    for page in ("values", "history", "ledger", "watches", "order"):
        window.parts.side.enter(page)
        for position in range(session.backward_length + 1):
            session.seek_backward(position)
        window.grab()
    session.hide(True)
    session.seek_backward(4)
    window.grab()
    session.hide(False)
    session.seek(0)
    window.grab()
    assert session.comparison is not None


def test_the_commands_say_why_nothing_is_compared(window, show):
    actions = window.parts.actions
    assert "Nothing is recorded" in actions["compare"].statusTip()
    show("forced")
    assert actions["compare"].isEnabled()
    assert actions["end_comparison"].statusTip() == "Nothing is compared now."
