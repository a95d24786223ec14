import math
import random

import pytest

from chainstep.divergence import Divergence
from chainstep.trace import Kind, Mode, Order, Step, Trace


def a_trace(writes, initial=None):
    """A trace of writes (target, after) whose `before` is what was there."""
    gradients = dict(initial or {})
    first = dict(gradients)
    steps = []
    for target, after in writes:
        before = gradients.get(target, 0.0)
        steps.append(Step(Kind.WRITE, node=9, target=target, before=before, after=after))
        gradients[target] = after
    return Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, 9, first, tuple(steps), {})


def folded(trace, position):
    gradients = dict(trace.initial)
    for step in trace.steps[:position]:
        gradients[step.target] = step.after
    return gradients


def brute_force(one, other, position):
    left, right = folded(one, position), folded(other, position)
    return {
        n
        for n in left.keys() | right.keys()
        if left.get(n, 0.0) != right.get(n, 0.0)
        and not (math.isnan(left.get(n, 0.0)) and math.isnan(right.get(n, 0.0)))
    }


def test_a_node_differs_from_the_write_on_that_differs():
    one = a_trace([(0, 1.0), (0, 2.0), (1, 5.0)])
    other = a_trace([(0, 1.0), (0, 1.0), (1, 5.0)])
    divergence = Divergence(one, other)
    assert [divergence.at(p) for p in range(4)] == [set(), set(), {0}, {0}]
    assert list(divergence.starts) == [2]


def test_nan_on_both_sides_is_no_difference():
    divergence = Divergence(a_trace([(0, math.nan)]), a_trace([(0, math.nan)]))
    assert divergence.at(1) == set()


def test_nodes_that_differ_from_the_start_begin_to_differ_at_position_0():
    divergence = Divergence(a_trace([], {3: 1.0}), a_trace([], {3: 0.0}))
    assert list(divergence.starts) == [0]
    assert divergence.at(0) == {3}


def test_the_next_and_the_previous_difference_leave_out_where_one_stands():
    one = a_trace([(0, 1.0), (1, 1.0), (2, 2.0)])
    other = a_trace([(0, 2.0), (1, 1.0), (2, 1.0)])
    divergence = Divergence(one, other)
    assert divergence.next(0) == 1
    assert divergence.next(1) == 3
    assert divergence.next(3) is None
    assert divergence.previous(3) == 1
    assert divergence.previous(1) is None


@pytest.mark.parametrize("seed", range(20))
def test_any_walk_over_the_positions_gives_what_comparing_everything_gives(seed):
    rng = random.Random(seed)
    values = (0.0, 1.0, 2.0, math.nan, math.inf)
    lengths = rng.randrange(30), rng.randrange(30)
    one, other = (
        a_trace([(rng.randrange(4), rng.choice(values)) for _ in range(length)])
        for length in lengths
    )
    divergence = Divergence(one, other)
    for _ in range(60):
        position = rng.randrange(max(lengths) + 1)
        assert divergence.at(position) == brute_force(one, other, position)
