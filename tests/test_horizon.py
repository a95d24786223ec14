from math import isnan

import pytest
from conftest import A, C, D, E, recording_of, trace

from chainstep.explain import explain
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
