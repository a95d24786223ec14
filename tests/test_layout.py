"""The drawing of a graph, measured, and held against Graphviz's where that is installed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from importlib.resources import files
from itertools import combinations, pairwise, permutations, product
from pathlib import Path

import numpy as np
import pytest
from drawn import (
    crossings,
    graph_below,
    graph_of,
    graphviz,
    overlaps,
    pierced,
    polyline,
    routes_of,
    turning,
)
from hypothesis import given
from hypothesis import strategies as st
from recordings import repeatable

from chainstep import Value, layering, nn
from chainstep.graph import Edge, Graph, Node
from chainstep.ladder import Ladder
from chainstep.layering import columns, directed
from chainstep.layout import CARD_HEIGHT, CARD_WIDTH, GAP_NARROW, layered
from chainstep.ordering import cost, least_cost, ordered
from chainstep.placement import isotonic

CASES = Path(__file__).parent / "cases"
EXAMPLES = files("chainstep.resources") / "examples"

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")


def program(text, root) -> Graph:
    namespace = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(text, namespace)
    return graph_below(namespace[root])


def case(name) -> Graph:
    root = json.loads((CASES / f"{name}.json").read_text())["root"]
    return program((CASES / f"{name}.py").read_text(), root)


def example(name) -> Graph:
    roots = {"mlp": "loss", "why_sort": "y", "backward_twice": "e", "own_value": "y"}
    return program((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"), roots[name])


def network(inputs, layers, samples) -> Graph:
    """The summed squared errors of a small network on some samples."""
    model = nn.MLP(inputs, layers)
    errors = [(model([Value(0.5) for _ in range(inputs)]) - 1.0) ** 2 for _ in range(samples)]
    return graph_below(sum(errors[1:], errors[0]))


TEACHING = {path.stem: case for path in sorted(CASES.glob("*.py"))}
TEACHING |= dict.fromkeys(["mlp", "why_sort", "backward_twice", "own_value"], example)
GRAPHS = {
    **{name: (lambda make=make, name=name: make(name)) for name, make in TEACHING.items()},
    "MLP(2,[4,4,1])": lambda: network(2, [4, 4, 1], 1),
    "MLP(3,[4,4,1]) on four samples": lambda: network(3, [4, 4, 1], 4),
}


@pytest.fixture(scope="module", params=GRAPHS)
def graph(request) -> Graph:
    return GRAPHS[request.param]()


@pytest.fixture(scope="module")
def layout(graph):
    return layered(graph)


def by_name(text, root):
    """The layout of a program and the box of each of its variables."""
    namespace = {"Value": Value}
    exec(text, namespace)
    graph = graph_below(namespace[root])
    drawn = layered(graph)
    numbers = {}
    for name, value in namespace.items():
        if isinstance(value, Value):
            (numbers[name],) = [node.id for node in graph.nodes if node.data == value.data]
    return drawn, {name: drawn.boxes[number] for name, number in numbers.items()}


def middle(box):
    return box.y + box.height / 2


# -- what holds for every drawing ----------------------------------------------------------------


def assert_is_sound(graph: Graph, layout, closing=frozenset()):
    assert set(layout.boxes) == {node.id for node in graph.nodes}
    assert set(layout.routes) == set(graph.edges())
    assert overlaps(layout) == []
    assert pierced(layout) == []
    assert set(turning(layout)) == closing
    for box in layout.boxes.values():
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= layout.width + 1e-6
        assert box.y + box.height <= layout.height + 1e-6
    for edge, route in layout.routes.items():
        child, consumer = layout.boxes[edge.child], layout.boxes[edge.consumer]
        (x0, y0), (x1, y1) = route.points[0], route.points[-1]
        assert len(route.points) % 3 == 1
        assert x0 == child.x + child.width
        assert child.y < y0 < child.y + child.height
        assert consumer.x - 14 <= x1 <= consumer.x
        assert consumer.y < y1 < consumer.y + consumer.height
        for x, y in route.points:
            assert -1e-6 <= x <= layout.width + 1e-6
            assert -1e-6 <= y <= layout.height + 1e-6


def test_no_cards_overlap_no_edge_pierces_one_and_all_run_to_the_right(graph, layout):
    assert_is_sound(graph, layout)


def test_every_edge_into_a_node_has_a_port_of_its_own(graph, layout):
    for node in graph.nodes:
        ends = [
            layout.routes[Edge(child, node.id, slot)].points[-1][1]
            for slot, child in enumerate(node.children)
        ]
        gaps = np.diff(sorted(ends))
        assert (gaps >= 8).all()


def test_operands_arrive_in_written_order_wherever_order_means_something(graph, layout):
    for node in graph.nodes:
        if node.op not in {"+", "*"}:
            ends = [
                layout.routes[Edge(child, node.id, slot)].points[-1][1]
                for slot, child in enumerate(node.children)
            ]
            assert ends == sorted(ends)


def test_a_leaf_used_once_stands_just_left_of_its_consumer(graph, layout):
    lefts = sorted({box.x for box in layout.boxes.values()})
    for node in graph.nodes:
        uses = graph.consumers(node.id)
        if not node.children and len(uses) == 1:
            own = lefts.index(layout.boxes[node.id].x)
            assert lefts.index(layout.boxes[uses[0].consumer].x) == own + 1


def test_cards_stand_in_columns_with_room_between_them(layout):
    lefts = sorted({box.x for box in layout.boxes.values()})
    assert all(right - left >= CARD_WIDTH + GAP_NARROW - 1e-6 for left, right in pairwise(lefts))


@needs_dot
def test_the_edges_are_together_as_short_as_graphvizs(graph):
    nodes, forward, _ = directed(graph)
    ours = columns(nodes, forward)
    _, theirs = graphviz(graph)
    assert sum(ours[e.consumer] - ours[e.child] for e in forward) == sum(
        theirs[e.consumer] - theirs[e.child] for e in forward
    )


@needs_dot
def test_at_most_a_fifth_more_edges_cross_than_in_graphvizs_drawing(graph, layout):
    routes, _ = graphviz(graph)
    assert crossings(routes_of(layout)) <= 1.2 * crossings(routes)


# -- how the teaching graphs look -----------------------------------------------------------------


NEURON = """
x1, x2, w1, w2 = Value(2.0), Value(0.5), Value(-3.0), Value(1.5)
b = Value(6.5)
p, q = x1 * w1, x2 * w2
s = p + q
n = s + b
o = n.tanh()
"""


def test_in_the_neuron_operands_stand_above_one_another_in_written_order():
    _, box = by_name(NEURON, "o")
    assert box["x1"].y < box["w1"].y < box["x2"].y < box["w2"].y
    assert box["p"].y < box["q"].y
    assert box["s"].y < box["b"].y


def test_in_the_neuron_products_are_centred_and_the_main_line_is_straight():
    _, box = by_name(NEURON, "o")
    assert middle(box["p"]) == pytest.approx((middle(box["x1"]) + middle(box["w1"])) / 2, abs=1)
    assert middle(box["s"]) == pytest.approx((middle(box["p"]) + middle(box["q"])) / 2, abs=1)
    assert middle(box["n"]) == pytest.approx(middle(box["s"]), abs=1e-6)
    assert middle(box["o"]) == pytest.approx(middle(box["n"]), abs=1e-6)


def test_the_neuron_can_be_read_in_a_canvas_of_800_by_560_pixels():
    drawn, _ = by_name(NEURON, "o")
    assert min(800 / (drawn.width + 48), 560 / (drawn.height + 48)) >= 0.55


def test_an_edge_that_can_be_straight_is_straight():
    drawn = layered(case("neuron"))
    levels = [{round(y, 6) for _, y in route.points} for route in drawn.routes.values()]
    assert sum(len(level) == 1 for level in levels) >= 2


def test_a_node_used_twice_by_one_consumer_has_two_edges_that_part_visibly():
    drawn = layered(case("reuse"))
    upper, lower = (polyline(route.points) for route in drawn.routes.values())
    assert (lower[:, 1] - upper[:, 1]).min() >= 10
    assert (lower[:, 1] - upper[:, 1]).max() >= 30


def test_a_node_used_twice_across_columns_has_two_edges_that_part_visibly():
    drawn = layered(graph_of({0: [], 1: [0], 2: [1], 3: [2], 4: [0, 3, 0]}))
    first, second = (polyline(drawn.routes[Edge(0, 4, slot)].points) for slot in (0, 2))
    half = len(first) // 2
    assert abs(first[half, 1] - second[half, 1]) >= 10


# -- graphs as foreign programs make them ---------------------------------------------------------


def test_a_single_node_is_drawn():
    graph = graph_of({0: []})
    layout = layered(graph)
    assert_is_sound(graph, layout)
    assert layout.height == CARD_HEIGHT


def test_a_graph_without_nodes_is_drawn_as_nothing():
    layout = layered(Graph((), 0))
    assert (layout.boxes, layout.routes, layout.width, layout.height) == ({}, {}, 0.0, 0.0)


def test_parts_that_do_not_hang_together_stand_apart_the_roots_part_first():
    graph = graph_of({0: [], 1: [0], 2: [], 3: [], 4: [2, 3], 5: [], 6: []}, root=4)
    layout = layered(graph)
    assert_is_sound(graph, layout)
    assert min(layout.boxes, key=lambda i: (layout.boxes[i].y, layout.boxes[i].x)) == 2


def test_many_loose_nodes_fill_rows_not_one_long_column():
    layout = layered(graph_of({i: [] for i in range(60)}))
    assert overlaps(layout) == []
    assert 0.8 < layout.width / layout.height < 3


@pytest.mark.parametrize(
    ("children", "closing"),
    [
        ({0: [0]}, {Edge(0, 0, 0)}),
        ({0: [], 1: [0, 1, 1]}, {Edge(1, 1, 1), Edge(1, 1, 2)}),
        ({0: [1], 1: [0]}, {Edge(1, 0, 0)}),
        ({0: [3], 1: [0], 2: [0], 3: [1, 2], 4: [3]}, {Edge(3, 0, 0)}),
    ],
)
def test_an_edge_that_closes_a_cycle_runs_back_around_the_cards(children, closing):
    graph = graph_of(children)
    assert_is_sound(graph, layered(graph), closing)


def test_a_chain_of_5000_is_one_straight_line():
    layout = layered(graph_of({i: [i - 1] if i else [] for i in range(5000)}, op="tanh"))
    assert len({box.y for box in layout.boxes.values()}) == 1
    assert len({box.x for box in layout.boxes.values()}) == 5000


def test_a_sum_of_1500_terms_is_drawn_whether_nested_or_flat():
    nested = {0: []} | {i: [i - 2, i - 1] if i % 2 == 0 else [] for i in range(1, 3001)}
    flat = {i: [] for i in range(1500)} | {1500: list(range(1500))}
    for children in (nested, flat):
        layout = layered(graph_of(children))
        assert overlaps(layout) == []
        assert turning(layout) == []
    assert layered(graph_of(nested)).height < 10 * CARD_HEIGHT


@repeatable(15)
@given(st.data())
def test_edges_that_go_too_far_run_above_everything(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(layering, "MOST_PASSING", 3)
        patch.setattr(layering, "EACH_PASSING", 0)
        graph = data.draw(graphs())
        assert_is_sound(graph, layered(graph))


def test_a_leaf_that_a_thousand_steps_use_is_joined_to_each_along_one_lane():
    nodes = [Node(0, "w", "", 1.0), Node(1, "x", "", 1.0)]
    nodes += [Node(i, "", "*", 1.0, (i - 1, 0)) for i in range(2, 1002)]
    layout = layered(Graph(tuple(nodes), 1001))
    assert all(Edge(0, i, 1) in layout.routes for i in range(2, 1002))
    tops = {min(y for _, y in layout.routes[Edge(0, i, 1)].points) for i in range(900, 1002)}
    assert tops == {0.0}
    assert min(box.y for box in layout.boxes.values()) > 0


@st.composite
def graphs(draw, *, cycles=False):
    count = draw(st.integers(1, 24))
    ops = st.sampled_from(["+", "*", "tanh", ""])
    nodes = []
    for i in range(count):
        known = st.integers(0, count - 1 if cycles else i - 1)
        operands = draw(st.lists(known, max_size=3)) if cycles or i else []
        nodes.append(Node(i, f"v{i}", draw(ops), 0.0, tuple(operands)))
    return Graph(tuple(nodes), count - 1)


@repeatable(40)
@given(graphs())
def test_any_graph_is_drawn_soundly_and_twice_alike(graph):
    layout = layered(graph)
    assert_is_sound(graph, layout)
    assert layered(graph) == layout


@repeatable(30)
@given(graphs(cycles=True))
def test_any_graph_with_cycles_is_drawn_soundly(graph):
    _, forward, backward = directed(graph)
    assert sorted([*forward, *backward]) == sorted(graph.edges())
    assert_is_sound(graph, layered(graph), set(backward))


def test_the_drawing_does_not_depend_on_the_hash_seed():
    code = (
        "import random\n"
        "from chainstep.graph import Graph, Node\n"
        "from chainstep.layout import layered\n"
        "chance = random.Random(5)\n"
        "nodes = [Node(i, str(i), '+', 0.0, tuple(chance.sample(range(i), min(i, 2))))"
        " for i in range(40)]\n"
        "print(layered(Graph(tuple(nodes), 39)))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(told) == 1


# -- the parts ------------------------------------------------------------------------------------


@repeatable(100)
@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 5)), min_size=1, max_size=12))
def test_isotonic_regression_equals_its_closed_form(pairs):
    """The greatest of the least means: Robertson, Wright and Dykstra (1988), theorem 1.4.4."""
    values, weights = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))

    def mean(first, last):
        span = slice(first, last + 1)
        return np.average(values[span], weights=weights[span])

    count = len(values)
    expected = [
        max(min(mean(first, last) for last in range(i, count)) for first in range(i + 1))
        for i in range(count)
    ]
    assert isotonic(list(values), list(weights)) == pytest.approx(expected)


@repeatable(40)
@given(graphs(), st.randoms(use_true_random=False))
def test_the_cost_of_an_order_is_the_number_of_pairs_of_spans_that_cross(graph, chance):
    nodes, forward, _ = directed(graph)
    ladder = Ladder.built(graph, layering.columns(nodes, forward), forward)
    order = [chance.sample(column, len(column)) for column in ordered(ladder)]
    position = ladder.positions(order)
    spans = [span for chain in ladder.chains.values() for span in pairwise(chain)]
    crossed = 0.0
    for (tail, head), (other, goal) in combinations(spans, 2):
        if ladder.column[tail] == ladder.column[other]:
            sides = (position[tail] - position[other]) * (position[head] - position[goal])
            crossed += sides < 0
    turned = sum(
        (1 if place in ladder.strict else 0.5)
        for place, tails in enumerate(ladder.into)
        for upper, lower in pairwise(tails)
        if position[upper] > position[lower]
    )
    assert cost(ladder, order) == crossed + turned


@pytest.mark.parametrize(
    "graph",
    [
        graph_of({0: (), 1: (), 2: (0, 1), 3: (0, 1), 4: (2, 3)}),
        graph_of({0: (), 1: (), 2: (0, 1), 3: (1, 0), 4: (2, 3)}, op="-"),
        graph_of({0: (), 1: (), 2: (), 3: (0, 2), 4: (1, 0), 5: (2, 1), 6: (3, 4), 7: (6, 5)}),
        graph_of({0: (), 1: (0, 0), 2: (0,), 3: (2, 1), 4: (1, 2), 5: (4, 3), 6: (5, 0)}, op="-"),
    ],
)
def test_a_small_drawing_costs_no_more_than_the_best_of_all_its_orders(graph):
    nodes, forward, _ = directed(graph)
    ladder = Ladder.built(graph, layering.columns(nodes, forward), forward)
    found = ordered(ladder)
    every = product(*(permutations(column) for column in found))
    least = min(cost(ladder, [list(column) for column in order]) for order in every)
    assert least_cost(ladder, found) == least
    assert cost(ladder, found) == least


@repeatable(30)
@given(graphs())
def test_columns_of_huge_graphs_are_found_without_the_simplex(graph):
    nodes, forward, _ = directed(graph)
    for part in layering.parts(nodes, forward):
        edges = [edge for edge in forward if edge.child in set(part)]
        exact = columns(part, edges)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(layering, "LARGEST_EXACT", 0)
            quick = columns(part, edges)
        assert all(quick[edge.child] < quick[edge.consumer] for edge in edges)
        length = [sum(c[e.consumer] - c[e.child] for e in edges) for c in (exact, quick)]
        assert length[0] <= length[1]
