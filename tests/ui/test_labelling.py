"""Where the arithmetic of a write finds its place, and what that costs: counted, not timed."""

from dataclasses import replace

import numpy as np
import pytest

from chainstep.graph import Edge, Graph, Node
from chainstep.layout import Box, Layout, Route
from chainstep.ui import extent
from chainstep.ui.drawing import Area, Drawing, at
from chainstep.ui.labelling import Form, lead, place

WIDE, HIGH = 130.0, 84.0
PITCH_X, PITCH_Y = 280.0, 126.0
FORMS = [Form(150.0, 24.0, 0.0), Form(90.0, 40.0, 30.0)]


class Counted(Drawing):
    """A drawing that counts the cards and badges that it was asked for."""

    looked_at = 0

    def obstacles(self, areas):
        found = super().obstacles(areas)
        self.looked_at += len(found)
        return found


def field(columns: int, rows: int) -> Counted:
    """A field of cards, with one edge from its first card across all of it to its last."""
    last = columns * rows - 1
    nodes = tuple(
        Node(n, f"v{n}", "tanh" if n else "", 0.5, (n - 1,) if n else ()) for n in range(last)
    )
    nodes += (Node(last, "root", "+", 0.5, (last - 1, 0)),)
    boxes = {
        n: Box(n // rows * PITCH_X, n % rows * PITCH_Y, WIDE, HIGH) for n in range(columns * rows)
    }
    x, y = boxes[last].x, boxes[last].y + HIGH / 2
    points = ((WIDE, HIGH / 2), (x / 2, HIGH / 2), (x / 2, y), (x, y))
    layout = Layout(boxes, {Edge(0, last, 1): Route(points)}, x + WIDE, y + HIGH)
    return Counted(Graph(nodes, last), layout)


def label_of(drawing: Counted, view: Area | None = None) -> Area:
    points = drawing.layout.routes[drawing.edges[0]].points
    return place(drawing, [points], FORMS, view)[1]


def test_a_label_costs_what_lies_along_its_edge_and_not_what_is_in_the_graph():
    small, large = field(6, 4), field(125, 120)
    label_of(small)
    label_of(large)
    # 39 places on the course, and at each no more than what is within the label's reach.
    assert large.looked_at <= 39 * 12
    assert large.looked_at < 0.02 * 2 * len(large.graph)
    assert small.looked_at <= 2 * len(small.graph)


@pytest.mark.parametrize("size", [(6, 4), (40, 30), (125, 120)])
def test_a_label_lies_on_no_card_and_no_badge(size):
    drawing = field(*size)
    label = label_of(drawing)
    for node_id in drawing.nodes_in(label.grown(40)):
        assert not drawing.card(node_id).meets(label)
        badge = drawing.badge(node_id)
        assert badge is None or not badge.meets(label)


def test_a_label_stays_within_reach_of_its_edge_and_in_sight():
    drawing = field(40, 30)
    view = Area(5000.0, 1500.0, 6400.0, 2400.0)
    assert view.holds(label_of(drawing, view))


def pair(step_x: float, step_y: float) -> Drawing:
    """Two cards with an edge between them, the second so far from where the first stands."""
    nodes = (Node(0, "a", "", 0.5), Node(1, "b", "+", 0.5, (0,)))
    boxes = {0: Box(0.0, 0.0, WIDE, HIGH), 1: Box(step_x, step_y, WIDE, HIGH)}
    (x0, y0), (x1, y1) = (WIDE, HIGH / 2), (step_x, step_y + HIGH / 2)
    middle = (x0 + x1) / 2
    routes = {Edge(0, 1, 0): Route(((x0, y0), (middle, y0), (middle, y1), (x1, y1)))}
    return Drawing(Graph(nodes, 1), Layout(boxes, routes, step_x + WIDE, step_y + HIGH))


@pytest.mark.parametrize("step_y", [-90.0, -63.0, 63.0, 90.0])
def test_a_label_of_a_short_steep_edge_lets_it_be_seen_and_is_joined_to_it(step_y):
    drawing = pair(230.0, step_y)
    points = drawing.layout.routes[drawing.edges[0]].points
    wide, high = Form(210.0, 34.0, 0.0), Form(80.0, 90.0, 28.0)
    label = place(drawing, [points], [wide, high])[1]
    course = [at(points, share / 20) for share in range(21)]
    hides = [label.holds(Area(x, y, x, y)) for x, y in course]
    assert not any(hides[:3])
    assert sum(hides) <= 10
    joined = lead(drawing, points, label)
    if joined is None:
        near = label.grown(8)
        assert any(near.holds(Area(x, y, x, y)) for x, y in course)
        return
    (x0, y0), (x1, y1) = joined
    assert label.holds(Area(x0, y0, x0, y0))
    assert min(abs(x1 - x) + abs(y1 - y) for x, y in course) < 8
    for card in map(drawing.card, (0, 1)):
        assert not any(
            card.holds(Area(x, y, x, y))
            for x, y in ((x0 + (x1 - x0) * n / 9, y0 + (y1 - y0) * n / 9) for n in range(10))
        )


def test_a_label_on_its_edge_or_behind_a_card_is_joined_to_nothing():
    drawing = pair(230.0, 0.0)
    points = drawing.layout.routes[drawing.edges[0]].points
    above = place(drawing, [points], [Form(60.0, 24.0, 0.0)])[1]
    assert above.bottom < HIGH / 2
    assert lead(drawing, points, above) is None
    assert lead(drawing, points, above.moved(0, -60)) is not None
    assert lead(drawing, points, above.moved(0, -300)) is None
    assert lead(drawing, points, above.moved(0, -60), [Area(0.0, -9.0, 999.0, 0.0)]) is None


def test_a_label_does_not_lie_on_the_edges_of_others_where_it_need_not():
    drawing = pair(400.0, 0.0)
    points = drawing.layout.routes[drawing.edges[0]].points
    form = [Form(90.0, 24.0, 0.0)]
    assert place(drawing, [points], form)[1].bottom < HIGH / 2
    # Another edge, just above: the label goes below.
    other = tuple((x, y - 20) for x, y in points)
    routes = {**drawing.layout.routes, Edge(1, 0, 0): Route(other)}
    nodes = (replace(drawing.graph.node(0), children=(1,)), drawing.graph.node(1))
    layout = Layout(drawing.layout.boxes, routes, drawing.layout.width, drawing.layout.height)
    assert place(Drawing(Graph(nodes, 1), layout), [points], form)[1].top > HIGH / 2


@pytest.mark.parametrize("width", [420.0, 500.0])
def test_a_label_that_fits_only_between_two_rows_is_put_there(width):
    drawing = field(6, 4)
    points = drawing.layout.routes[drawing.edges[0]].points
    # Between two rows there are 42 units, of which a label keeps two free above and below.
    label = place(drawing, [points], [Form(width, 37.5, 0.0)])[1]
    assert not any(drawing.card(n).meets(label) for n in range(24))


def test_what_lies_in_a_region_is_found_once_each_with_its_badges():
    drawing = field(6, 4)
    area = Area(PITCH_X - 20, 0.0, PITCH_X + 10, 2 * PITCH_Y)
    found = drawing.obstacles([area, area])
    cards = {drawing.card(n) for n in range(24) if drawing.card(n).meets(area)}
    badges = {b for n in range(24) if (b := drawing.badge(n)) is not None and b.meets(area)}
    assert len(cards) == len(badges) == 2
    assert {Area(*row) for row in found.tolist()} == cards | badges
    assert len(found) == 4


@pytest.mark.parametrize("downward", [False, True])
def test_badges_in_the_way_are_where_they_are_drawn(downward):
    flat = field(6, 4)
    layout = Layout(flat.layout.boxes, {}, flat.layout.width, flat.layout.height, downward)
    drawing = Drawing(flat.graph, layout)
    everything = np.sort(drawing.obstacles([drawing.bounds.grown(50)]), axis=0)
    drawn = [drawing.card(n) for n in range(24)]
    drawn += [badge for n in range(24) if (badge := drawing.badge(n)) is not None]
    assert np.allclose(everything, np.sort(np.array(drawn), axis=0))


def test_at_a_scale_at_which_no_words_are_written_none_are_placed(window, show, monkeypatch):
    asked = []
    original = extent.captions
    monkeypatch.setattr(extent, "captions", lambda *each: asked.append(each) or original(*each))
    show("forced")
    shown = window.parts.stage.canvases[0]
    window.session.seek_backward(3)
    assert asked
    shown._view.zoom(0.2 / shown._view.scale, (0.0, 0.0))
    asked.clear()
    window.session.seek_backward(5)
    assert not asked
