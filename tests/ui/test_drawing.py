"""What lies where: compared with looking at every card and every edge."""

import random

import numpy as np
import pytest
from scenes import diamond, network, odd, reuse

from chainstep.graph import Edge, Graph, Node
from chainstep.layout import CARD_HEIGHT, CARD_WIDTH, Box, Layout, Route, layered
from chainstep.ui.drawing import (
    BADGE,
    BEND,
    Area,
    Direction,
    Drawing,
    along,
    at,
    in_pieces,
    symbol,
    without_start,
)


@pytest.fixture(scope="module")
def large() -> Drawing:
    graph = network()
    return Drawing(graph, layered(graph))


@pytest.fixture
def drawing() -> Drawing:
    graph = diamond()
    return Drawing(graph, layered(graph))


def regions(drawing: Drawing) -> list[Area]:
    chance = random.Random(7)
    bounds = drawing.bounds.grown(200)
    found = []
    for _ in range(60):
        x, y = chance.uniform(bounds.left, bounds.right), chance.uniform(bounds.top, bounds.bottom)
        found.append(Area(x, y, x + chance.uniform(0, 900), y + chance.uniform(0, 500)))
    return found


def test_a_region_holds_just_the_cards_that_meet_it(large: Drawing) -> None:
    for area in regions(large):
        expected = {i for i in large.layout.boxes if large.card(i).meets(area)}
        assert set(large.nodes_in(area)) == expected


def test_a_region_holds_every_edge_that_passes_through_it(large: Drawing) -> None:
    for area in regions(large):
        rows = {tuple(row) for row in large.curves_in(area).tolist()}
        for edge in large.edges:
            points = large.route(edge)
            assert points is not None
            for first in range(0, len(points) - 1, 3):
                piece = points[first : first + 4]
                inside = any(area.holds(Area(*at(piece, n / 20) * 2)) for n in range(21))
                if inside:
                    assert tuple(v for point in piece for v in point) in rows


def test_an_edge_from_afar_runs_between_its_two_ends(large: Drawing) -> None:
    for edge, chord in zip(large.edges, large.chords.tolist(), strict=True):
        points = large.route(edge)
        assert points is not None
        assert chord == [*points[0], *points[-1]]


def test_the_bounds_hold_every_card_and_badge(large: Drawing) -> None:
    for node_id in large.layout.boxes:
        assert large.bounds.holds(large.card(node_id))
        badge = large.badge(node_id)
        assert badge is None or large.bounds.holds(badge)


def test_a_point_on_a_card_or_on_its_badge_belongs_to_its_node(drawing: Drawing) -> None:
    card = drawing.card(4)
    assert drawing.node_at(*card.middle) == 4
    assert drawing.node_at(card.left + 1, card.top + 1) == 4
    assert drawing.node_at(card.left - BADGE / 2, card.middle[1]) == 4


def test_a_point_beside_the_cards_belongs_to_none(drawing: Drawing) -> None:
    card = drawing.card(4)
    assert drawing.node_at(card.right + 5, card.bottom + 5) is None
    assert drawing.node_at(card.left - BADGE / 2, card.top + 2) is None
    assert drawing.node_at(drawing.bounds.left - 50, 0) is None


def test_the_badge_of_a_long_op_grows_away_from_its_card() -> None:
    graph = odd()
    drawing = Drawing(graph, layered(graph))
    for node in graph.nodes:
        badge, card = drawing.badge(node.id), drawing.card(node.id)
        if not node.op:
            assert badge is None
            continue
        assert badge is not None
        assert badge.right == card.left + BADGE
        assert badge.width >= (2 * BADGE if len(symbol(node.op)) == 1 else 7 * len(node.op))


@pytest.mark.parametrize(
    ("op", "shown"),
    [("*", "×"), ("+", "+"), ("**-1", "**-1"), ("ReLU", "relu"), ("/", "÷"), ("tanh", "tanh")],
)
def test_an_op_is_shown_as_it_is_read(op: str, shown: str) -> None:
    assert symbol(op) == shown


def test_the_two_edges_of_a_plus_a_are_two_courses() -> None:
    graph = reuse()
    drawing = Drawing(graph, layered(graph))
    first, second = drawing.route(Edge(0, 1, 0)), drawing.route(Edge(0, 1, 1))
    assert first is not None
    assert second is not None
    assert abs(at(first, 0.5)[1] - at(second, 0.5)[1]) > 4


def test_points_along_a_course_are_found_by_the_share_of_its_segments() -> None:
    # A cubic is (1/8, 3/8, 3/8, 1/8) of its four points half-way, and each segment counts alike.
    course = (
        (0.0, 0.0),
        (8.0, 0.0),
        (0.0, 16.0),
        (16.0, 8.0),
        (20.0, 8.0),
        (24.0, 8.0),
        (28.0, 8.0),
    )
    found = along(course, np.array([0.0, 0.25, 0.5, 0.75, 1.0]))
    assert found.tolist() == [[0, 0], [5, 7], [16, 8], [22, 8], [28, 8]]
    assert found[1].tolist() == [*at(course, 0.25)]


def test_a_course_without_its_start_keeps_its_shape() -> None:
    points = ((0.0, 0.0), (60.0, 0.0), (60.0, 80.0), (120.0, 80.0))
    rest = without_start(points, 15.0)
    assert rest[-1] == points[-1]
    assert 14.9 < (rest[0][0] ** 2 + rest[0][1] ** 2) ** 0.5 < 15.1
    whole = [at(points, n / 2000) for n in range(2001)]
    for n in range(21):
        x, y = at(rest, n / 20)
        assert min((x - a) ** 2 + (y - b) ** 2 for a, b in whole) < 0.01


@pytest.mark.parametrize(
    ("start", "direction", "goals"),
    [
        (4, Direction.OPERAND, {2, 3}),
        (2, Direction.CONSUMER, {4}),
        (0, Direction.CONSUMER, {2, 3}),
        (0, Direction.OPERAND, {None}),
        (4, Direction.CONSUMER, {None}),
        (4, Direction.ABOVE, {None}),
    ],
)
def test_neighbours_are_operands_consumers_and_what_stands_above_and_below(
    drawing: Drawing, start: int, direction: Direction, goals: set[int | None]
) -> None:
    assert drawing.neighbour(start, direction) in goals


def test_above_and_below_lead_to_each_other(drawing: Drawing) -> None:
    upper, lower = sorted((2, 3), key=lambda n: drawing.card(n).top)
    assert drawing.neighbour(upper, Direction.BELOW) == lower
    assert drawing.neighbour(lower, Direction.ABOVE) == upper


def test_an_edge_that_runs_past_many_panes_is_far():
    boxes = {node: Box(x, 0, CARD_WIDTH, CARD_HEIGHT) for node, x in enumerate((0, 400, 5000))}
    near, far = Edge(0, 1, 0), Edge(0, 2, 0)
    routes = {
        edge: Route(tuple((boxes[edge.consumer].x * n / 6, 40.0) for n in range(7)))
        for edge in (near, far)
    }
    nodes = (Node(0, "a", "", 1.0), Node(1, "b", "tanh", 1.0, (0,)), Node(2, "c", "+", 1.0, (0,)))
    drawing = Drawing(Graph(nodes, 2), Layout(boxes, routes, 5200, 90))
    assert drawing.far.tolist() == [False, True]


def test_a_course_in_more_segments_is_the_same_course() -> None:
    curve = [(0.0, 0.0), (90.0, 10.0), (-40.0, 700.0), (120.0, 900.0)]
    pieces = in_pieces(np.array([np.ravel(curve)])).reshape(-1, 4, 2).tolist()
    assert pieces[0][0] == [0.0, 0.0]
    assert pieces[-1][-1] == [120.0, 900.0]
    ends = (0.0, BEND, 1 - BEND, 1.0)
    for piece, start, end in zip(pieces, ends, ends[1:], strict=False):
        for share in (0.0, 0.25, 0.5, 0.9, 1.0):
            assert at(piece, share) == pytest.approx(at(curve, start + (end - start) * share))
