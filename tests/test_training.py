"""Passes are grouped into iterations, with what each one zeroes, loses and updates.

The loop fits y = w x to (1, 2) and (2, 4) from w = 0, in steps of 0.1, by the squared error of each
sample. By hand: d/dw (w - 2)^2 = 2 (w - 2) and d/dw (2w - 4)^2 = 4 (2w - 4), together 10 (w - 2) =
-20, -0.0: so w goes 0, 2, 2 and the loss 4 + 16 = 20, 0, 0.
"""

from __future__ import annotations

import itertools

import pytest
from test_recorder import record

from chainstep.explain import explain
from chainstep.stepper import Stepper
from chainstep.story import Phase, Story
from chainstep.trace import Kind, Mode
from chainstep.training import (
    direction,
    iteration_of,
    iterations,
    parameters,
    parts,
    with_updates,
    zeroes,
)
from chainstep.ui.course import Course, Place

LOOP = """\
from chainstep import Value

w = Value(0.0)
for _ in range(3):
    w.grad = 0.0
    for x in (1.0, 2.0):
        loss = (w * x - 2.0 * x) ** 2
        loss.backward()
    w.data -= 0.1 * w.grad
"""


@pytest.fixture(scope="module")
def loop():
    return record(LOOP)


def w_of(recording):
    return next(node.id for node in recording.nodes if node.name == "w")


def test_passes_between_two_updates_are_one_iteration(loop):
    found = iterations(loop)
    assert [each.passes for each in found] == [(0, 1), (2, 3), (4, 5)]
    assert [each.number for each in found] == [0, 1, 2]
    assert iteration_of(loop, 3) is found[1]
    assert iteration_of(loop, 6) is None


def test_the_loss_of_an_iteration_is_that_of_its_passes_together(loop):
    assert [each.loss for each in iterations(loop)] == [20, 0, 0]


def test_zeroing_counts_where_something_was_there_to_be_zeroed(loop):
    assert [each.zeroed for each in iterations(loop)] == [0, 1, 0]
    assert zeroes(loop)


def test_a_parameter_has_its_data_its_gradient_and_its_update(loop):
    first, second, _ = iterations(loop)
    one = parameters(loop, first)[w_of(loop)]
    assert (one.data, one.grad, one.update) == (0, -20, 2)
    two = parameters(loop, second)[w_of(loop)]
    assert (two.data, two.grad, two.update) == (2, 0, 0)


def test_the_direction_is_that_of_the_updates_against_the_gradients(loop):
    assert direction(loop) == "against"
    assert direction(record(LOOP, mirrored=True)) == "along"
    assert direction(record("from chainstep import Value\n(Value(1.0) * 2.0).backward()\n")) == ""


def test_without_updates_every_pass_is_an_iteration_of_its_own():
    twice = record("from chainstep import Value\na = Value(1.0)\n" + 2 * "(a * 2.0).backward()\n")
    assert [each.passes for each in iterations(twice)] == [(0,), (1,)]
    assert list(parameters(twice, iterations(twice)[0])) == [w_of_name(twice, "a")]


def w_of_name(recording, name):
    return next(node.id for node in recording.nodes if node.name == name)


def test_a_program_that_calls_no_backward_has_no_iterations():
    assert iterations(record("from chainstep import Value\nb = Value(1.0) * 2.0\n")) == ()


# -- the update as steps ---------------------------------------------------------------------


def test_updates_are_the_last_steps_of_the_pass_as_written(loop):
    trace = with_updates(loop, loop.trace(Mode.AS_WRITTEN, 1))
    last = trace.steps[-1]
    assert (last.kind, last.node, last.target, last.line) == (Kind.OUTSIDE, w_of(loop), None, 9)
    assert (last.before, last.after, last.moves) == (0, 2, True)
    assert with_updates(loop, loop.trace(Mode.ACCUMULATE, 1)) is loop.trace(Mode.ACCUMULATE, 1)
    assert trace.final == loop.trace(Mode.AS_WRITTEN, 1).final


def test_zeroing_the_pass_and_the_update_are_told_apart(loop):
    trace = with_updates(loop, loop.trace(Mode.AS_WRITTEN, 3))
    assert (parts(trace).begin, parts(trace).end) == (0, len(trace.steps) - 1)
    trace = with_updates(loop, loop.trace(Mode.AS_WRITTEN, 2))
    assert (parts(trace).begin, parts(trace).zeroes, parts(trace).end) == (
        1,
        True,
        len(trace.steps),
    )


def test_a_node_has_its_new_data_once_it_is_updated_and_its_old_ones_going_back(loop):
    stepper = Stepper(with_updates(loop, loop.trace(Mode.AS_WRITTEN, 1)), len(loop.nodes))
    w = loop.nodes[w_of(loop)]
    stepper.seek(stepper.length)
    assert stepper.data(w) == 2
    assert stepper.gradients[w.id] == -20
    stepper.seek(stepper.length - 1)
    assert stepper.data(w) == 0


def test_an_update_is_explained_by_its_direction(loop):
    trace = with_updates(loop, loop.trace(Mode.AS_WRITTEN, 1))
    told = explain(loop, trace, len(trace.steps))
    assert told.title == "w is updated"
    assert "sets w's data from 0.0 to 2.0 at line 9" in told.sentences[0]
    assert "2.0, against w's gradient of -20.0" in told.sentences[1]
    assert told.numbers == "0.0 → 2.0"


def test_the_keys_for_phases_stop_where_zeroing_ends_and_where_the_update_begins():
    source = LOOP.replace("for x in (1.0, 2.0)", "for x in (1.0,)")
    recording = record(source)
    trace = with_updates(recording, recording.trace(Mode.AS_WRITTEN, 1))
    course = Course(Story(recording, trace))
    end = len(trace.steps)
    edges = [Place(Phase.BACKWARD, at) for at in (0, 1, end - 1, end)]
    for before, after in itertools.pairwise(edges):
        assert course.next_phase(before) == after
        assert course.previous_phase(after) == before
