from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import MOVES, NUMBERS, ODD, bits, folded, graphs, repeatable, steps_of, traces

from chainstep import stepper as module
from chainstep.graph import Node
from chainstep.stepper import CHECKPOINT_EVERY, State, Stepper
from chainstep.trace import Kind, Mode, Order, Step, Trace

NODES = tuple(Node(place, "", "", 0.0) for place in range(4))


def trace_of(steps, size=4, initial=None):
    held = dict.fromkeys(range(size), 0.0) if initial is None else initial
    return Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, size - 1, held, tuple(steps), {})


def seed(node=3):
    return Step(Kind.SEED, node, None, node, None, None, 1.0, 0.0, 1.0, accumulates=False)


def call(node):
    return Step(Kind.CALL, node, upstream=1.0)


def write(node, target, before=0.0, after=1.0):
    return Step(Kind.WRITE, node, None, target, 1.0, 1.0, 1.0, before, after, accumulates=True)


def outside(target, before=0.0, after=0.0):
    return Step(Kind.OUTSIDE, target=target, before=before, after=after, accumulates=False)


def assert_is_at(stepper, position):
    """Everything that can be told without the stepper's own bookkeeping, bit by bit."""
    trace = stepper.trace
    gradients, done = folded(trace, position)
    total = folded(trace, None)[1]
    assert stepper.position == position
    assert bits(stepper.gradients[n] for n in gradients) == bits(gradients.values())
    for node_id in gradients:
        state = stepper.state(node_id)
        assert (state.done, state.total) == (done[node_id], total[node_id])
    assert stepper.current is (trace.steps[position - 1] if position else None)
    begun = sum(step.kind is Kind.CALL for step in trace.steps[:position])
    assert stepper.call == (begun, len(trace.sequence))


@st.composite
def walks(draw):
    """A trace, its number of nodes, and where to go in it; some of it beyond the ends."""
    nodes = draw(graphs())
    trace = draw(traces(nodes))
    goals = draw(st.lists(st.integers(-2, len(trace.steps) + 2), max_size=12))
    return trace, len(nodes), goals


@repeatable(80)
@given(walks(), st.integers(1, 9))
def test_seeking_anywhere_gives_what_the_steps_up_to_there_give(walk, spacing):
    trace, size, goals = walk
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHECKPOINT_EVERY", spacing)
        stepper = Stepper(trace, size)
        assert_is_at(stepper, 0)
        for goal in goals:
            stepper.seek(goal)
            assert_is_at(stepper, max(0, min(goal, len(trace.steps))))


@repeatable(60)
@given(walks())
def test_stepping_to_the_end_and_back_passes_the_same_bits_twice(walk):
    trace, size, _ = walk
    stepper = Stepper(trace, size)
    seen = [bits(stepper.gradients)]
    for position in range(1, stepper.length + 1):
        stepper.seek(position)
        seen.append(bits(stepper.gradients))
    for position in reversed(range(stepper.length + 1)):
        stepper.seek(position)
        assert bits(stepper.gradients) == seen[position]
    assert bits(stepper.gradients[n] for n in trace.initial) == bits(trace.initial.values())


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("before", ODD)
def test_stepping_back_restores_every_bit_of_what_was_there(before, odd):
    stepper = Stepper(trace_of([call(3), write(3, 1, before, odd)], initial={1: before}), 4)
    stepper.seek(2)
    assert bits([stepper.gradients[1]]) == bits([odd])
    stepper.seek(1)
    assert bits([stepper.gradients[1]]) == bits([before])


@pytest.mark.parametrize("recorded", [77.0, -0.0])
def test_a_write_that_slipped_past_the_recorder_does_not_change_the_way_back(recorded):
    # The second write found something else than the first had left.
    steps = [call(3), write(3, 1, 0.0, 0.5), write(3, 1, recorded, 78.0)]
    stepper = Stepper(trace_of(steps), 4)
    for position in (2, 3, 2, 1, 2, 0, 2):
        stepper.seek(position)
        assert_is_at(stepper, position)


def long_trace(length):
    """Writes all over four nodes, each of another number."""
    generator = random.Random(length)
    moves = [("C", 3, 0, 0.0)]
    moves += [
        (generator.choice("WWWWCOS"), generator.randrange(4), generator.randrange(4), number)
        for number in (generator.choice([*ODD, generator.random()]) for _ in range(length - 1))
    ]
    return trace_of(steps_of(NODES, 3, dict.fromkeys(range(4), 0.0), moves))


@pytest.mark.parametrize(
    "length", [CHECKPOINT_EVERY - 1, CHECKPOINT_EVERY, 2 * CHECKPOINT_EVERY, 10_000]
)
def test_in_a_long_trace_seeking_anywhere_equals_stepping_there(length):
    trace = long_trace(length)
    walker, seen = Stepper(trace, 4), []
    for position in range(length + 1):
        walker.seek(position)
        counts = [walker.state(n).done for n in range(4)]
        seen.append((bits(walker.gradients), counts, walker.call))
    edges = range(0, length + 1, CHECKPOINT_EVERY // 2)
    goals = [goal + by for goal in (*edges, length) for by in (-1, 0, 1)]
    random.Random(1).shuffle(goals)
    jumper = Stepper(trace, 4)
    for goal in goals:
        jumper.seek(goal)
        position = max(0, min(goal, length))
        counts = [jumper.state(n).done for n in range(4)]
        assert (bits(jumper.gradients), counts, jumper.call) == seen[position]
        assert jumper.position == position


@pytest.mark.parametrize("length", [3 * CHECKPOINT_EVERY, 3 * CHECKPOINT_EVERY + 100])
def test_no_seek_applies_more_than_half_the_steps_between_two_checkpoints(length, monkeypatch):
    stepper, applied = Stepper(long_trace(length), 4), Counter()
    for name in ("_apply", "_revert"):
        monkeypatch.setattr(stepper, name, lambda _: applied.update(["steps"]))
    for goal in random.Random(2).sample(range(length + 1), 60):
        for position in (goal, goal + 1, 0, goal - 1, length, goal):
            applied.clear()
            near = abs(max(0, min(position, length)) - stepper.position)
            stepper.seek(position)
            assert applied["steps"] <= min(CHECKPOINT_EVERY // 2, near)


def test_what_is_stored_for_many_nodes_stays_in_proportion_to_the_steps():
    nodes, length = 200_000, 60_000
    stepper = Stepper(trace_of([call(0)] * length, nodes), nodes)
    stored = sum(len(half) * half.itemsize for pair in stepper._checkpoints for half in pair)
    assert stored <= 64 * length + 2 * 16 * nodes


# -- how much has arrived ------------------------------------------------------------------


def test_a_gradient_computed_to_be_zero_is_not_untouched():
    stepper = Stepper(trace_of([call(3), write(3, 1, 0.0, 0.0)]), 4)
    assert stepper.state(1).untouched
    stepper.seek(2)
    state = stepper.state(1)
    assert (state.untouched, state.partial, state.final) == (False, False, True)
    assert stepper.gradients[1] == 0.0


def test_a_gradient_is_partial_until_its_last_write():
    steps = [seed(), call(3), write(3, 1), write(3, 0), call(2), write(2, 1)]
    stepper = Stepper(trace_of(steps), 4)
    seen = []
    for position in range(7):
        stepper.seek(position)
        state = stepper.state(1)
        seen.append("u" * state.untouched + "p" * state.partial + "f" * state.final)
    assert seen == ["u", "u", "u", "p", "p", "p", "f"]


@given(st.integers(0, 5), st.integers(0, 5))
@repeatable(36)
def test_a_gradient_is_in_one_state_only(done, more):
    state = State(done, done + more)
    assert state.untouched + state.partial + state.final == 1


def test_a_node_that_no_step_writes_stays_untouched():
    stepper = Stepper(trace_of([seed(), call(3)]), 4)
    stepper.seek(2)
    assert stepper.state(0).untouched
    assert stepper.state(3).final


# -- calls and stops -----------------------------------------------------------------------

DIAMOND = [
    seed(),  # 1
    call(3),
    write(3, 2),
    write(3, 1),  # 4
    call(2),
    write(2, 0),
    write(2, 1),  # 7
    call(1),  # 8
    call(0),  # 9
]


def test_stepping_over_stops_at_the_end_of_the_seed_and_of_each_call():
    assert list(Stepper(trace_of(DIAMOND), 4).stops) == [0, 1, 4, 7, 8, 9]


def test_writes_from_outside_are_one_stop_between_calls():
    steps = [outside(0), outside(1), *DIAMOND, outside(0), outside(1)]
    assert list(Stepper(trace_of(steps), 4).stops) == [0, 2, 3, 6, 9, 10, 11, 13]


def test_a_call_inside_another_has_its_own_stop_and_the_outer_one_goes_on_after_it():
    nested = [seed(), call(3), write(3, 2), call(2), write(2, 0), write(3, 1)]
    assert list(Stepper(trace_of(nested), 4).stops) == [0, 1, 3, 5, 6]


def test_writes_that_no_call_announced_stop_apart_from_seed_and_outside():
    steps = [seed(), write(3, 2), outside(0), write(2, 1)]
    assert list(Stepper(trace_of(steps), 4).stops) == [0, 1, 2, 3, 4]


def test_the_running_node_is_the_one_whose_call_or_write_came_last():
    stepper = Stepper(trace_of([*DIAMOND, outside(0)]), 4)
    found = []
    for position in range(11):
        stepper.seek(position)
        found.append(stepper.running)
    assert found == [None, None, 3, 3, 3, 2, 2, 2, 1, 0, None]


def test_the_call_says_how_many_have_begun_of_how_many():
    stepper = Stepper(trace_of(DIAMOND), 4)
    found = []
    for position in range(10):
        stepper.seek(position)
        found.append(stepper.call)
    assert found == [(begun, 4) for begun in (0, 0, 1, 1, 1, 2, 2, 2, 3, 4)]


@repeatable(100)
@given(graphs(), MOVES, st.lists(NUMBERS, min_size=6, max_size=6))
def test_stops_are_where_calls_seeds_and_runs_of_outside_writes_begin(nodes, moves, gradients):
    initial = dict(zip(range(len(nodes)), gradients, strict=False))
    steps = steps_of(nodes, 0, initial, moves)
    stepper = Stepper(trace_of(steps, initial=initial), len(nodes))
    stops, length = list(stepper.stops), len(steps)
    assert stops == sorted(set(stops))
    assert (stops[0], stops[-1]) == (0, length)
    # Every call, seed and run of outside writes begins at a stop; no write of a call does.
    for number, step in enumerate(steps):
        earlier = steps[number - 1] if number else None
        if step.kind in (Kind.CALL, Kind.SEED):
            assert number in stops
        elif step.kind is Kind.OUTSIDE:
            assert (number in stops) is (earlier is None or earlier.kind is not Kind.OUTSIDE)
        elif earlier is not None and earlier.node == step.node and earlier.kind is not Kind.SEED:
            assert number not in stops


def test_a_trace_without_steps_has_one_place_to_be():
    stepper = Stepper(trace_of([], initial={2: -0.0}), 4)
    for position in (-1, 0, 5):
        stepper.seek(position)
        assert_is_at(stepper, 0)
    assert (stepper.length, list(stepper.stops), stepper.running) == (0, [0], None)
