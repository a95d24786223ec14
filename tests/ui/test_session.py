import gc
import random
import threading
from dataclasses import replace

import pytest

from chainstep.program import Example, Program
from chainstep.story import Phase
from chainstep.trace import Mode, Order, Outcome, Recording, Status, Trace
from chainstep.ui.passes import Passes
from chainstep.ui.session import Place, View, prepare
from chainstep.ui.shapes import Layouts
from chainstep.visible import Choices

A, B, C, D, E = range(5)
NET_S = 30.0
"""What is waited for comes at once, or late on a busy machine."""
START = 17
"""Where the diamond's backward phase begins: after five Values and twelve moments of the sort."""


def gradients(session, mode):
    return list(session.stepper(mode).gradients)


def folded(trace, position):
    result = [trace.initial.get(n, 0.0) for n in range(5)]
    for step in trace.steps[:position]:
        if step.target is not None:
            result[step.target] = step.after
    return result


# -- programs and runs --------------------------------------------------------------------


def test_a_new_session_has_an_empty_program_and_nothing_to_step_through(session):
    assert session.program.text == ""
    assert session.recording is None
    assert (session.panes, session.backward_position, session.backward_length) == ((), 0, 0)
    for move in (session.step_over, session.step_into, session.step_out, session.back_over):
        move()
    assert session.backward_position == 0


def test_opening_a_program_runs_it_only_when_asked(session, runner, diamond):
    session.open(diamond, run=False)
    assert runner.runs == []
    session.open(diamond, run=True)
    assert runner.last.program == diamond
    assert session.running


def test_a_recording_is_shown_at_its_start_with_its_layout_ready(session, show, recordings):
    shown = show("forced")
    assert session.recording is shown
    assert not session.running
    assert (session.backward_position, session.backward_length) == (0, 12)
    assert set(session.layout.boxes) == {A, B, C, D, E}
    assert [pane.mode for pane in session.panes] == [Mode.ACCUMULATE]


def test_a_step_asked_for_during_the_first_run_is_made_when_there_is_one_to_make(
    session, runner, diamond, recordings, qtbot
):
    session.open(diamond, run=True)
    session.run_to_end()
    session.step_into()
    session.step_into()
    assert session.keeps_step
    with qtbot.waitSignal(session.recording_changed):
        runner.last.deliver(recordings["forced"])
    # The last one alone: nobody counts keys while nothing moves.
    assert session.place == Place(Phase.BACKWARD, 1)
    assert not session.keeps_step
    with qtbot.waitSignal(session.recording_changed):
        session.run()
        runner.last.deliver(recordings["forced"])
    assert session.place == Place(Phase.BACKWARD, 0)


@pytest.mark.parametrize("how", ["open", "run", "failed"])
def test_a_step_is_not_kept_for_another_run(session, runner, diamond, recordings, qtbot, how):
    session.open(diamond, run=True)
    session.step_into()
    if how == "open":
        session.open(diamond, run=True)
    elif how == "run":
        session.run()
    else:
        with qtbot.waitSignal(session.recording_changed):
            runner.last.deliver(recordings["failed"])
        session.run()
    with qtbot.waitSignal(session.recording_changed):
        runner.last.deliver(recordings["forced"])
    assert session.place == Place(Phase.BACKWARD, 0)


def test_running_again_stops_the_first_run_and_never_shows_it(
    session, runner, diamond, recordings, qtbot
):
    session.open(diamond, run=True)
    first = runner.last
    session.run()
    second = runner.last
    assert first.stopped
    assert not second.stopped
    first.deliver(recordings["failed"])
    with qtbot.waitSignal(session.recording_changed):
        second.deliver(recordings["forced"])
    assert session.recording is recordings["forced"]


def test_a_stopped_run_shows_what_it_recorded(session, runner, diamond, recordings, qtbot):
    session.open(diamond, run=True)
    session.stop()
    assert runner.last.stopped
    assert session.running
    stopped = replace(recordings["forced"], outcome=Outcome(Status.STOPPED, "Stopped."))
    with qtbot.waitSignal(session.recording_changed):
        runner.last.deliver(stopped)
    assert session.recording is stopped
    assert session.backward_length == 12


def test_stopping_while_the_graph_is_laid_out_leaves_it_undrawn(
    session, runner, diamond, recordings, qtbot
):
    session.open(diamond, run=True)
    runner.last.deliver(recordings["forced"])  # delivered, and not yet shown
    assert session.laying_out
    session.stop()
    assert not session.running
    assert session.recording.outcome.status is Status.STOPPED
    assert session.panes == ()


def test_the_old_recording_stays_on_show_while_the_program_runs_again(session, show, runner):
    show("forced")
    runner.at_once = None
    session.step_over()
    session.run()
    assert session.running
    session.step_over()
    assert session.backward_position == 4


def test_opening_another_program_puts_the_recording_away(session, show):
    show("forced")
    session.select(A)
    session.open(Program("other.py", "x = 1\n"), run=False)
    assert session.recording is None
    assert session.panes == ()
    assert session.selected is None


def test_edited_text_makes_the_graph_stale_until_it_runs(session, show, runner, recordings, qtbot):
    show("forced")
    assert not session.stale
    session.set_text("a = 1\n")
    assert session.stale
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert not session.stale
    assert runner.last.program.text == "a = 1\n"


def test_a_fault_while_preparing_ends_the_run_and_is_raised_where_it_can_be_shown(
    session, runner, diamond, qtbot, monkeypatch
):
    def broken(*_):
        raise RuntimeError("no layout")

    monkeypatch.setattr("chainstep.ui.session.prepare", broken)
    session.open(diamond, run=True)
    with qtbot.captureExceptions() as caught, qtbot.waitSignal(session.run_changed):
        runner.last.deliver(Recording("diamond.py"))
    assert not session.running
    assert [str(fault) for _, fault, _ in caught] == ["no layout"]


def test_closing_stops_the_run_and_waits_for_it(session, runner, diamond):
    session.open(diamond, run=True)
    session.close()
    assert runner.last.stopped
    assert runner.last.waited
    assert not session.running


def test_an_example_opens_in_its_view_and_at_its_position_once(session, runner, recordings, qtbot):
    example = Example("diamond", "The diamond", "Look.", "both", 8, "text")
    runner.at_once = recordings["forced"]
    with qtbot.waitSignals([session.recording_changed] * 2):
        session.open(example.program, run=True, example=example)
    assert session.view is View.BOTH
    assert session.backward_position == 8
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert session.backward_position == 0


def test_a_negative_position_of_an_example_counts_from_the_end(session, runner, recordings, qtbot):
    example = Example("diamond", "The diamond", "Look.", "accumulate", -1, "text")
    runner.at_once = recordings["forced"]
    with qtbot.waitSignals([session.recording_changed] * 2):
        session.open(example.program, run=True, example=example)
    assert session.backward_position == 12


# -- steps --------------------------------------------------------------------------------


def test_step_over_stops_at_the_seed_and_after_each_backward(session, show):
    show("forced")
    stops = []
    while session.backward_position < session.backward_length:
        session.step_over()
        stops.append(session.backward_position)
    assert stops == [1, 4, 7, 10, 11, 12]
    back = []
    while session.backward_position > 0:
        session.back_over()
        back.append(session.backward_position)
    assert back == [11, 10, 7, 4, 1, 0]


def test_step_into_and_back_move_by_one_write(session, show):
    show("forced")
    session.step_into()
    session.step_into()
    session.step_into()
    assert gradients(session, Mode.ACCUMULATE) == [0.0, 0.0, 6.0, 0.0, 1.0]
    session.back_into()
    assert session.backward_position == 2


def test_step_out_goes_to_the_end_of_the_backward_that_runs(session, show):
    show("forced")
    session.seek_backward(9)
    session.step_out()
    assert session.backward_position == 10


def test_the_ends_are_the_right_gradients_of_both_modes(session, show):
    show("forced")
    session.run_to_end()
    assert gradients(session, Mode.ACCUMULATE) == [21.0, 16.0, 6.0, 5.0, 1.0]
    assert gradients(session, Mode.OVERWRITE) == [6.0, 6.0, 6.0, 5.0, 1.0]
    session.restart()
    assert gradients(session, Mode.ACCUMULATE) == [0.0] * 5


@pytest.mark.parametrize(("asked", "given"), [(-5, 0), (7, 7), (99, 12)])
def test_seeking_beyond_an_end_goes_to_that_end(session, show, asked, given):
    show("forced")
    session.seek_backward(asked)
    assert session.backward_position == given


def test_seeking_to_where_one_is_says_nothing(session, show, qtbot):
    show("forced")
    with qtbot.assertNotEmitted(session.position_changed):
        session.seek_backward(0)


# -- differences --------------------------------------------------------------------------


def test_differences_begin_at_the_second_writes_into_a_and_b(session, show):
    show("forced")
    assert session.first_divergence == START + 9
    session.seek_divergence()
    assert (session.backward_position, session.differing) == (9, {A})
    session.seek_divergence()
    assert (session.backward_position, session.differing) == (10, {A, B})
    session.seek_divergence()
    assert session.backward_position == 10
    session.seek_divergence(forward=False)
    assert session.backward_position == 9


# -- views and passes ---------------------------------------------------------------------


def test_both_shows_accumulate_above_overwrite_in_step(session, show):
    show("forced")
    session.seek_backward(9)
    session.set_view(View.BOTH)
    assert [pane.mode for pane in session.panes] == [Mode.ACCUMULATE, Mode.OVERWRITE]
    session.step_into()
    assert [pane.stepper.position for pane in session.panes] == [10, 10]
    assert session.primary is session.panes[0]


def test_a_view_that_was_not_recorded_gives_way_to_one_that_was(session, show, runner, qtbot):
    show("forced")
    session.set_view(View.AS_WRITTEN)
    assert session.view is View.ACCUMULATE
    show("written")
    assert session.view is View.AS_WRITTEN


def test_a_view_can_be_chosen_before_anything_is_recorded(session, show):
    session.set_view(View.OVERWRITE)
    show("forced")
    assert [pane.mode for pane in session.panes] == [Mode.OVERWRITE]


def test_as_written_keeps_the_place_within_the_call_though_it_has_other_steps(
    session, runner, recordings, diamond, qtbot
):
    written = recordings["written"]
    zeroing = tuple(
        replace(written.traces[0].steps[0], kind=k, node=None, target=n, after=0.0)
        for n in range(3)
        for k in [type(written.traces[0].steps[0].kind).OUTSIDE]
    )
    as_written = written.trace(Mode.AS_WRITTEN)
    longer = Trace(
        **{
            name: getattr(as_written, name)
            for name in ("pass_index", "mode", "order", "root", "initial", "data")
        },
        steps=zeroing + as_written.steps,
    )
    others = tuple(t for t in written.traces if t is not as_written)
    runner.at_once = replace(written, traces=(*others, longer))
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.seek_backward(9)  # c has made its first write
    session.set_view(View.AS_WRITTEN)
    assert session.backward_position == 12
    assert session.primary.stepper.current.node == C
    assert gradients(session, Mode.ACCUMULATE)[A] == 21.0
    session.set_view(View.ACCUMULATE)
    assert session.backward_position == 9


def test_another_order_runs_again_and_keeps_the_end(session, show, runner, qtbot):
    show("forced")
    session.run_to_end()
    with qtbot.waitSignal(session.recording_changed):
        session.set_order(Order.BREADTH_FIRST)
    assert runner.last.options.order is Order.BREADTH_FIRST
    assert session.backward_position == session.backward_length


def test_another_seed_runs_again_and_keeps_the_position(session, show, runner, qtbot):
    show("forced")
    session.seek_backward(5)
    with qtbot.waitSignal(session.recording_changed):
        session.set_seed(7)
    assert runner.last.options.seed == 7
    assert session.backward_position == 5


def test_order_and_seed_run_nothing_before_the_first_run(session, runner, diamond):
    session.open(diamond, run=False)
    session.set_order(Order.RECURSIVE)
    session.set_seed(3)
    assert runner.runs == []
    assert (session.order, session.seed) == (Order.RECURSIVE, 3)


def test_another_pass_is_laid_out_and_shown_at_the_same_position(session, show, qtbot):
    show("passes")
    session.seek_backward(6)
    with qtbot.waitSignal(session.recording_changed):
        session.set_pass(2)
    assert (session.pass_index, session.backward_position) == (2, 6)
    assert session.primary.trace.pass_index == 2
    session.set_pass(0)  # known already: at once
    assert session.pass_index == 0


def test_passes_beside_the_one_on_show_are_laid_out_ahead_also_when_one_goes_on(recordings):
    began, let, made = threading.Semaphore(0), threading.Semaphore(0), []

    class Gated(Layouts):
        def of(self, graph, *, downward=False):
            began.release()
            assert let.acquire(timeout=NET_S)
            made.append(graph)
            return super().of(graph, downward=downward)

    first, last = (prepare(recordings["passes"], index, Layouts(), Choices()) for index in (0, 2))
    passes = Passes(first, Gated())
    assert began.acquire(timeout=NET_S)  # the second one is being laid out
    passes.keep(last)
    let.release(9)
    passes.rest(NET_S)
    # Neither the first nor the last: what lies between, for the one and for the other.
    assert [graph.root for graph in made] == [E, E]
    passes.close()


def test_python_searches_no_garbage_in_what_is_on_show_until_it_is_given_up(
    session, show, monkeypatch
):
    did = []
    monkeypatch.setattr(gc, "freeze", lambda: did.append("freeze"))
    monkeypatch.setattr(gc, "unfreeze", lambda: did.append("unfreeze"))
    show("passes")
    assert did == ["freeze"]
    session.close()
    assert did == ["freeze", "unfreeze"]


@pytest.mark.parametrize("index", [-1, 3, 0])
def test_a_pass_that_is_not_there_or_is_on_show_changes_nothing(session, show, index):
    show("passes")
    session.set_pass(index)
    assert session.pass_index == 0
    assert not session.running


def test_selecting_a_node_that_the_graph_lacks_selects_none(session, show, qtbot):
    show("forced")
    with qtbot.waitSignal(session.selection_changed):
        session.select(D)
    session.select(99)
    assert session.selected is None


# -- any sequence -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_both_panes_agree_and_gradients_are_the_fold(
    session, show, seed, recordings
):
    rng = random.Random(seed)
    show(rng.choice(["forced", "written"]))
    moves = [
        *(session.step_over, session.step_into, session.step_out, session.back_over),
        *(session.back_into, session.run_to_end, session.restart),
        *(session.seek_divergence, lambda: session.seek_divergence(forward=False)),
        lambda: session.seek_backward(rng.randrange(-3, 16)),
        lambda: session.set_view(rng.choice(list(View))),
        lambda: session.select(rng.randrange(6)),
    ]
    for _ in range(300):
        rng.choice(moves)()
        assert 0 <= session.backward_position <= session.backward_length
        assert session.view in session.views
        for pane in session.panes:
            assert pane.stepper.position == session.backward_position
        for mode in Mode:
            stepper = session.stepper(mode)
            if stepper is not None:
                assert list(stepper.gradients) == folded(stepper.trace, stepper.position)
        one, other = gradients(session, Mode.ACCUMULATE), gradients(session, Mode.OVERWRITE)
        assert session.differing == {n for n in range(5) if one[n] != other[n]}


# -- phases -------------------------------------------------------------------------------


def test_a_new_recording_is_shown_where_backward_begins(session, show):
    show("forced")
    assert session.place == Place(Phase.BACKWARD, 0)
    assert (session.position, session.length) == (START, START + 12)
    assert session.moment is None


def test_the_keys_lead_through_all_three_phases_and_back(session, show):
    show("forced")
    session.restart()
    over, into = [session.place], []
    while not session.at_end:
        session.step_over()
        over.append(session.place)
    session.restart()
    while not session.at_end:
        into.append(session.place)
        session.step_into()
    into.append(session.place)
    assert [place.phase for place in over[:7]] == [Phase.FORWARD] * 6 + [Phase.SORT]
    assert len(into) == 6 + 13 + 13
    for moves, move in ((over, session.back_over), (into, session.back_into)):
        session.run_to_end()
        for place in moves[-2::-1]:
            move()
            assert session.place == place


def test_before_the_backward_phase_all_gradients_are_as_they_were(session, show):
    show("forced")
    session.run_to_end()
    session.previous_phase()
    session.previous_phase()
    assert session.phase is Phase.SORT
    assert gradients(session, Mode.ACCUMULATE) == gradients(session, Mode.OVERWRITE) == [0.0] * 5
    assert session.differing == frozenset()
    assert session.backward_position == 0


def test_where_two_phases_meet_one_stands_in_either(session, show, qtbot):
    show("forced")
    with qtbot.waitSignal(session.position_changed):
        session.back_into()
    assert session.place == Place(Phase.SORT, 12)
    assert (session.position, session.moment.node) == (START, E)
    with qtbot.waitSignal(session.position_changed):
        session.step_into()
    assert (session.place, session.position) == (Place(Phase.BACKWARD, 0), START)


def test_a_place_before_backward_is_kept_in_other_views_and_passes(session, show):
    show("passes")
    session.go(Place(Phase.SORT, 5))
    for view in View:
        session.set_view(view)
        assert session.place == Place(Phase.SORT, 5)
    session.set_view(View.ACCUMULATE)
    session.go(Place(Phase.FORWARD, 3))
    session.set_pass(1)
    # All five Values exist already there: only the first pass makes them.
    assert session.place == Place(Phase.SORT, 0)


def test_a_node_is_made_at_its_place_and_not_before(session, show):
    show("forced")
    session.go(Place(Phase.FORWARD, 3))
    assert [session.is_made(node) for node in (A, B, C, D, E)] == [True, True, True, False, False]
    assert session.now == C
    session.go(Place(Phase.SORT, 0))
    assert session.is_made(E)
    assert session.now is None


def test_a_phase_that_is_skipped_is_jumped_over_and_the_last_one_cannot_be(session, show, qtbot):
    show("forced")
    with qtbot.waitSignal(session.view_changed):
        session.skip(Phase.SORT, skips=True)
    session.back_into()
    assert session.place == Place(Phase.FORWARD, 5)
    session.step_into()
    assert session.place == Place(Phase.BACKWARD, 0)
    session.skip(Phase.FORWARD, skips=True)
    assert session.at_start
    session.skip(Phase.BACKWARD, skips=True)
    assert session.skipped == {Phase.FORWARD, Phase.SORT}
    session.skip(Phase.SORT, skips=False)
    assert not session.at_start


def test_where_backward_is_skipped_a_new_recording_is_shown_from_its_first_step(session, show):
    session.skip(Phase.BACKWARD, skips=True)
    show("forced")
    assert session.place == Place(Phase.FORWARD, 0)
    session.run_to_end()
    assert session.place == Place(Phase.SORT, 12)


def test_an_order_without_a_sort_leads_from_the_sort_to_where_backward_begins(
    session, show, runner, recordings, qtbot
):
    show("forced")
    session.go(Place(Phase.SORT, 5))
    recording = recordings["forced"]
    traces = tuple(replace(trace, order=Order.RECURSIVE) for trace in recording.traces)
    runner.at_once = replace(recording, traces=traces)
    with qtbot.waitSignal(session.recording_changed):
        session.set_order(Order.RECURSIVE)
    assert session.place == Place(Phase.BACKWARD, 0)


def test_an_example_can_open_on_a_later_pass(session, runner, recordings, qtbot):
    example = Example("twice", "Twice", "Look.", "as-written", 3, "text", 1)
    runner.at_once = recordings["passes"]
    with qtbot.waitSignals([session.recording_changed] * 2):
        session.open(example.program, run=True, example=example)
    assert (session.pass_index, session.backward_position) == (1, 3)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert (session.pass_index, session.backward_position) == (0, 0)


@pytest.mark.parametrize(("asked", "given"), [(-1, 2), (-9, 0), (7, 2)])
def test_a_pass_beyond_an_end_is_that_end(session, runner, recordings, qtbot, asked, given):
    example = Example("twice", "Twice", "Look.", "accumulate", 0, "text", asked)
    runner.at_once = recordings["passes"]
    with qtbot.waitSignals([session.recording_changed] * 2):
        session.open(example.program, run=True, example=example)
    assert session.pass_index == given


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_every_pane_stands_where_the_session_does(session, show, seed, recordings):
    rng = random.Random(seed)
    show(rng.choice(["forced", "written", "passes"]))
    moves = [
        *(session.step_over, session.step_into, session.step_out, session.back_over),
        *(session.back_into, session.run_to_end, session.restart),
        *(session.next_phase, session.previous_phase, session.seek_mark),
        lambda: session.seek_mark(forward=False),
        lambda: session.seek(rng.randrange(-3, 35)),
        lambda: session.set_view(rng.choice(list(View))),
        lambda: session.skip(rng.choice(list(Phase)), rng.random() < 0.5),
        lambda: session.set_pass(rng.randrange(3)),
    ]
    for _ in range(400):
        rng.choice(moves)()
        course, place = session.course, session.place
        assert course.within(place) == place
        assert session.position == course.position(place)
        assert session.skipped != set(Phase)
        for pane in session.panes:
            phase, number = session.place_in(pane.mode)
            assert phase is place.phase
            assert pane.stepper.position == (number if phase is Phase.BACKWARD else 0)
        for mode in Mode:
            stepper = session.stepper(mode)
            if stepper is not None:
                assert list(stepper.gradients) == folded(stepper.trace, stepper.position)
