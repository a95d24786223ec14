from dataclasses import replace
from math import isnan

import pytest
from conftest import A, C, D, E, recording_of, trace
from hypothesis import given
from hypothesis import strategies as st
from recordings import bits, recordings, repeatable

from chainstep.divergence import Divergence
from chainstep.explain import explain
from chainstep.history import history, keep_start
from chainstep.horizon import horizon
from chainstep.readiness import Readiness
from chainstep.stepper import Stepper
from chainstep.story import Phase, Story
from chainstep.trace import RECORDED, Mode

BOTH = (Mode.ACCUMULATE, Mode.OVERWRITE)


def at(position, recording=None, pass_index=0):
    recording = recording or recording_of(*BOTH)
    return horizon(recording, pass_index, dict.fromkeys(Mode, position))


def test_what_is_known_at_a_position_are_the_steps_before_it():
    whole = recording_of(*BOTH)
    for position in range(len(whole.traces[0].steps)):
        known = at(position, whole)
        for one, cut in zip(whole.traces, known.traces, strict=True):
            assert cut.steps == one.steps[:position]
            assert cut.sequence == replace(cut, steps=cut.steps).sequence
            assert cut.length == one.length
            assert cut.hidden == one.length - position
        assert known.hides


def test_at_the_end_of_the_last_pass_nothing_is_hidden():
    whole = recording_of(*BOTH)
    assert at(12, whole) is whole
    assert not whole.hides


def test_earlier_passes_are_whole_and_later_ones_empty():
    whole = recording_of(*RECORDED, passes=3, output="loss 0.25\n")
    known = at(4, whole, 1)
    assert [len(each.steps) for each in known.traces] == [n for n in (12, 4, 0) for _ in RECORDED]
    assert known.passes == 3
    assert known.output == ""
    assert at(12, whole, 1).hides


def test_a_later_pass_does_not_tell_what_this_one_leaves_to_it():
    whole = recording_of(Mode.AS_WRITTEN, passes=2)
    whole.traces[1].initial[A] = 21.0
    assert at(4, whole).traces[1].initial[A] == 0.0


def test_data_of_nodes_that_are_not_made_is_not_known():
    known = horizon(recording_of(*BOTH), 0, dict.fromkeys(Mode, 0), frozenset({D, E}))
    assert [node.data for node in known.nodes[:D]] == [2.0, 3.0, 5.0]
    assert isnan(known.nodes[D].data)
    assert isnan(known.nodes[E].data)


@pytest.mark.parametrize("position", range(13))
def test_a_stepper_on_what_is_known_stands_where_the_whole_one_does(position):
    whole = Stepper(trace(Mode.ACCUMULATE), 5)
    whole.seek(position)
    known = Stepper(trace(Mode.ACCUMULATE).until(position), 5)
    known.seek(12)
    assert known.position == position
    assert list(known.gradients) == list(whole.gradients)
    assert known.length == 12
    assert known.running == whole.running
    assert known.call[0] == whole.call[0]
    last = 13 if position == 12 else max(position, 1)
    assert list(known.stops) == [stop for stop in whole.stops if stop < last]


def test_of_a_hidden_trace_no_state_is_final_and_no_total_is_told():
    known = Stepper(trace(Mode.ACCUMULATE).until(7), 5)
    known.seek(7)
    state = known.state(A)
    assert (state.done, state.total, state.share) == (1, None, "1 of ?")
    assert state.partial
    assert not state.final
    assert known.state(C).partial


def test_a_hidden_story_keeps_its_length_and_has_no_moments_ahead():
    whole = recording_of(*BOTH)
    story = Story(whole, whole.traces[0])
    start = story.bounds(Phase.BACKWARD)[0]
    known = at(4, whole)
    told = story.until(known, known.traces[0], start + 4)
    assert told.length == story.length
    assert told.moment(start + 9) == story.moment(start + 4)
    assert list(told.reuses) == []
    assert told.calls(D) == ()
    assert told.calls(E) == story.calls(E)
    assert story.calls(D)


def test_a_step_is_explained_without_what_comes_after_it():
    whole = recording_of(*BOTH)
    write_to_c = explain(at(3, whole), at(3, whole).traces[0], 3)
    assert "first contribution" in " ".join(write_to_c.sentences)
    assert "only" not in " ".join(write_to_c.sentences)
    call = explain(at(2, whole), at(2, whole).traces[0], 2)
    assert "runs _backward to pass its gradient 1.0 on to c and d" in call.sentences[0]
    assert "=" in call.symbols
    assert call.numbers == ""  # the slopes, which are all that is to be found
    assert explain(whole, whole.traces[0], 2).numbers == "∂e/∂c = 6.0,  ∂e/∂d = 5.0"
    of_d = explain(at(5, whole), at(5, whole).traces[0], 5)
    assert "1 contribution has come so far." in of_d.sentences
    start = explain(at(0, whole), at(0, whole).traces[0], 0)
    assert "no step" not in " ".join(start.sentences)
    assert "last step" not in " ".join(of_d.sentences)


def test_a_node_that_ran_too_early_is_told_from_one_whose_consumers_ran():
    whole = recording_of(*BOTH)
    readiness = Readiness(whole, whole.traces[0].until(9))
    assert [readiness.turn(n, 9).node for n in range(len(readiness))] == [E, D, C]
    assert not len(readiness.early)


# -- what is known is cut from what was walked before, and is what walking it would give --------


@repeatable(60)
@given(recordings(), st.integers(1, 7))
def test_what_may_be_known_is_what_the_steps_so_far_give_by_themselves(recording, spacing):
    for whole in recording.traces:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("chainstep.stepper.CHECKPOINT_EVERY", spacing)
            stepper = Stepper(whole, len(recording.nodes))
        readiness = Readiness(recording, whole)
        for position in range(len(whole.steps) + 1):
            stood = (5 * position + 2) % (len(whole.steps) + 1)
            stepper.seek(stood)
            known = whole.until(position)
            assert_alike(stepper.until(known), Stepper(known, len(recording.nodes)))
            assert stepper.position == stood
            told, walked = readiness.until(recording, known), Readiness(recording, known)
            assert list(told.early) == list(walked.early)
            assert turns(told, position) == turns(walked, position)


@repeatable(60)
@given(recordings())
def test_the_history_of_what_is_known_is_what_walking_it_gives(recording):
    for whole in recording.traces:
        story = Story(recording, whole)
        start = story.bounds(Phase.BACKWARD)[0]
        for position in range(len(whole.steps) + 1):
            known, walked = whole.until(position), whole.until(position)
            keep_start(known, whole)
            assert {**history(known)} == {**history(walked)}
            assert len(history(known)) == len(history(walked))
            told = story.until(recording, walked, start + position)
            ends = {n for each in history(walked).values() for n in each.numbers[1:]}
            assert list(told.reuses) == sorted(start + number + 1 for number in ends)


def assert_alike(told, walked):
    end = len(walked.trace.steps)
    assert told.position == end
    assert (told.stops, told._calls, told._moves) == (walked.stops, walked._calls, walked._moves)
    assert told._total == walked._total
    for position in (*range(end), *reversed(range(end + 1))):
        told.seek(position)
        walked.seek(position)
        assert bits(told.gradients) == bits(walked.gradients)
        assert told._done == walked._done


def turns(readiness, position):
    return [readiness.turn(number, position) for number in range(len(readiness))]


def test_differences_to_come_are_not_known_and_those_so_far_are_as_they_were():
    one, other = (trace(mode) for mode in BOTH)
    whole = Divergence(one, other)
    for position in range(13):
        told, walked = whole.until(position), Divergence(one.until(position), other.until(position))
        assert list(told.starts) == list(walked.starts)
        assert [told.at(n) for n in range(14)] == [walked.at(n) for n in range(14)]
    assert whole.starts


def test_where_a_known_story_stops_is_where_the_whole_one_does_up_to_there():
    whole = recording_of(*BOTH)
    story = Story(whole, whole.traces[0])
    start = story.bounds(Phase.BACKWARD)[0]
    for number in range(12):
        known = at(number, whole)
        told = story.until(known, known.traces[0], start + number)
        stops = [stop for stop in story._stops if stop <= start or stop < start + number]
        assert list(told._stops) == stops
