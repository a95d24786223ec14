"""Central differences of recorded graphs, against derivatives known from mathematics."""

from __future__ import annotations

import math
import random

import pytest

from chainstep.calculus import OPERATIONS, find
from chainstep.differences import Calculation, slope_of
from chainstep.graph import Graph, Node


def calculation(*rows):
    """A graph from (op, data, children) rows; the last one is the root."""
    nodes = tuple(
        Node(number, str(number), op, data, tuple(children))
        for number, (op, data, *children) in enumerate(rows)
    )
    return Calculation(Graph(nodes, nodes[-1].id), {node.id: node.data for node in nodes})


@pytest.mark.parametrize("symbol", OPERATIONS)
def test_each_operation_has_the_slopes_of_the_table(symbol):
    operation = OPERATIONS[symbol]
    data = (0.7, 1.3)[: operation.arity]
    out = operation.forward(*data)
    leaves = [("", number) for number in data]
    slopes = calculation(*leaves, (symbol, out, *range(len(data)))).slopes(range(len(data)))
    for slot, right in enumerate(operation.local(data, out)):
        assert slopes[slot].value == pytest.approx(right, rel=1e-8)
        assert not slopes[slot].kink


def test_a_node_used_twice_gets_both_paths():
    slopes = calculation(("", 3.0), ("+", 6.0, 0, 0), ("*", 36.0, 1, 1)).slopes([0, 1, 2])
    assert slopes[0].value == pytest.approx(24.0)
    assert slopes[1].value == pytest.approx(12.0)
    assert slopes[2].value == pytest.approx(1.0)


def test_the_step_fits_a_value_close_to_zero():
    slope = calculation(("", 1e-9), ("log", math.log(1e-9), 0)).slopes([0])[0]
    assert slope.value == pytest.approx(1e9, rel=1e-6)


def test_the_step_fits_a_large_value():
    slope = calculation(("", 1e8), ("sqrt", 1e4, 0)).slopes([0])[0]
    assert slope.value == pytest.approx(5e-5, rel=1e-6)


def test_far_steps_that_jump_over_a_pole_do_not_count():
    slope = calculation(("", 1e-9), ("**-1", 1e9, 0)).slopes([0])[0]
    assert slope.value == pytest.approx(-1e18, rel=1e-6)
    assert slope.error < 1e12


@pytest.mark.parametrize("op", ["ReLU", "abs"])
def test_a_kink_is_told_by_its_two_slopes(op):
    rows = calculation(("", 0.0), (op, 0.0, 0))
    slope = rows.slopes([0])[0]
    assert slope.kink
    assert (slope.low, slope.high) == pytest.approx((0.0 if op == "ReLU" else -1.0, 1.0), abs=1e-6)
    assert rows.kinks == {1}
    assert rows.kink_above(0) == 1


def test_a_value_next_to_a_kink_is_smooth():
    slope = calculation(("", 1e-5), ("ReLU", 1e-5, 0)).slopes([0])[0]
    assert slope.value == pytest.approx(1.0)
    assert not slope.kink


def test_two_kinks_that_hide_each_other_leave_a_range():
    # relu(x) - relu(-x) is x, and yet 0 at 0 by PyTorch's convention.
    rows = (("", 0.0), ("neg", -0.0, 0), ("ReLU", 0.0, 0), ("ReLU", 0.0, 1), ("-", 0.0, 2, 3))
    assert calculation(*rows).range_at_kinks()[0] == (0.0, 2.0)


def test_an_infinite_slope_has_no_difference():
    slope = calculation(("", 0.0), ("sqrt", 0.0, 0)).slopes([0])[0]
    assert math.isnan(slope.value)


def test_a_node_of_an_unknown_kind_hides_what_is_below_it():
    rows = (("", 2.0), ("softplus", 2.1, 0), ("", 3.0), ("*", 6.3, 1, 2))
    known = calculation(*rows)
    assert known.opaque == {1}
    assert known.reliable == {1, 2, 3}
    assert set(known.slopes(range(4))) == {1, 2, 3}


def test_an_op_that_does_not_give_the_recorded_number_is_opaque():
    assert calculation(("", 2.0), ("", 5.0), ("-", 3.0, 0, 1)).opaque == {2}


def test_an_operand_that_was_not_recorded_makes_the_node_opaque():
    assert calculation(("", 2.0), ("*", 6.0, 0)).opaque == {1}


def test_a_minus_with_one_operand_is_a_negation():
    assert calculation(("", 2.0), ("-", -2.0, 0)).slopes([0])[0].value == pytest.approx(-1.0)


def test_a_cycle_is_cut_where_it_closes():
    nodes = (Node(0, "a", "+", 2.0, (1, 1)), Node(1, "b", "+", 4.0, (0, 0)))
    cut = Calculation(Graph(nodes, 1), {0: 2.0, 1: 4.0})
    assert cut.opaque == {0}
    assert cut.slopes([0])[0].value == pytest.approx(2.0)


def test_targets_beyond_the_budget_are_left_out():
    rows = [("", 1.0)] + [("+", float(2**n), n - 1, n - 1) for n in range(1, 20)]
    assert len(calculation(*rows).slopes(range(20), elements=1000)) < 20


def test_a_function_known_only_by_its_values_has_a_slope():
    steps = (1e-3, 1e-4)
    slope = slope_of(2.0, steps, [((2 - h) ** 3, (2 + h) ** 3) for h in steps], 8.0)
    assert slope.value == pytest.approx(12.0, rel=1e-9)
    assert slope_of(0.0, steps, [(h, h) for h in steps], 0.0).kink


def test_random_graphs_agree_with_the_table_chained():
    generator = random.Random(2)
    for _ in range(20):
        rows = [("", generator.uniform(0.2, 2.0)) for _ in range(5)]
        while len(rows) < 60:
            operation = find(generator.choice(["+", "-", "*", "tanh", "sin", "exp", "sigmoid"]))
            children = [generator.randrange(len(rows)) for _ in range(operation.arity)]
            out = operation.forward(*(rows[child][1] for child in children))
            if abs(out) < 20:
                rows.append((operation.symbol, out, *children))
        gradients = [0.0] * len(rows)
        gradients[-1] = 1.0
        for number in reversed(range(5, len(rows))):
            op, out, *children = rows[number]
            data = tuple(rows[child][1] for child in children)
            for child, slope in zip(children, find(op).local(data, out), strict=True):
                gradients[child] += slope * gradients[number]
        for number, slope in calculation(*rows).slopes(range(len(rows))).items():
            assert slope.value == pytest.approx(gradients[number], rel=1e-7, abs=1e-9)
