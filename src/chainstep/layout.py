"""Where the cards of a graph stand and how its edges run.

Left to right in columns, every edge from the child's right edge to the badge of its consumer:
columns (`layering`), order within them (`ordering`), levels (`placement`), routes (`routing`).
The same graph gives the same drawing in every process: nothing here depends on hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from chainstep.ladder import Ladder
from chainstep.layering import columns, directed, near_and_far, parts
from chainstep.ordering import ordered
from chainstep.placement import Spacing, placed
from chainstep.routing import LANE, Card, Point, Routing, closing, passing, port_offset

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.graph import Edge, Graph

CARD_WIDTH = 136.0
CARD_HEIGHT = 82.0

GAP_X = 112.0
"""Between columns: short arithmetic fits on an edge, and a neuron in a small window."""

SLOPE = 0.15
"""Width of a gap at least, by how far down the steepest edge in it goes."""

WIDEST_GAP = 400.0

GAP_Y = 42.0
"""Between cards of a column."""

GAP_PASSING = 22.0
"""Between a card and an edge that passes it."""

GAP_EDGES = 16.0
"""Between edges that pass a column."""

GAP_OWN = 5.0
"""Between the edges of a node to itself."""

BADGE = 14.0
"""How far the badge of an op reaches out of its card."""

ASPECT = 1.6
"""Width to height of a drawing of many small parts."""


@dataclass(frozen=True, slots=True)
class Box:
    """A card: its upper left corner and its size, in scene units; y grows downward."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """The course of an edge.

    Attributes:
        points: The start, then three points for each cubic segment, from the child's right
            edge to the consumer's left edge.
    """

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole drawing; its upper left corner is (0, 0).

    Attributes:
        boxes: The card of every node, by node id.
        routes: The course of every edge.
        width: Extent in scene units.
        height: Extent in scene units.
    """

    boxes: dict[int, Box]
    routes: dict[Edge, Route]
    width: float
    height: float


def layered(
    graph: Graph, card_width: float = CARD_WIDTH, card_height: float = CARD_HEIGHT
) -> Layout:
    """The drawing of ``graph``: every edge that closes no cycle runs from left to right.

    Cards do not overlap, and no edge runs through a card that is not at its end. The operands of
    a node arrive at it in written order, the first on top; in a sum or a product that gives way
    where it saves a crossing.
    """
    nodes, forward, backward = directed(graph)
    found = parts(nodes, forward)
    number = {node_id: index for index, part in enumerate(found) for node_id in part}
    edges: list[list[Edge]] = [[] for _ in found]
    closings: list[list[Edge]] = [[] for _ in found]
    for edge in forward:
        edges[number[edge.child]].append(edge)
    for edge in backward:
        closings[number[edge.child]].append(edge)
    size = card_width, card_height
    return _together(
        [_part(graph, *part, size) for part in zip(found, edges, closings, strict=True)]
    )


def _part(
    graph: Graph,
    nodes: Sequence[int],
    edges: Sequence[Edge],
    closings: Sequence[Edge],
    size: tuple[float, float],
) -> Layout:
    """The drawing of one connected part."""
    width, height = size
    column = columns(nodes, edges)
    near, far = near_and_far(edges, column)
    ladder = Ladder.built(graph, column, near)
    order = ordered(ladder)

    def offset(edge: Edge, slot: int) -> float:
        return port_offset(slot, len(graph.node(edge.consumer).children), height)

    ports = {edge: offset(edge, slot) for edge, slot in ladder.ports(order).items()}
    spacing = Spacing(height + GAP_Y, height / 2 + GAP_PASSING, GAP_EDGES)
    level = placed(ladder, order, spacing, ports).tolist()
    left = _left_edges(ladder, level, width)
    cards = [
        Card(left[index], middle, width, height)
        for index, middle in zip(ladder.column, level, strict=True)
    ]
    card = dict(zip(ladder.nodes, cards, strict=False))
    routes = Routing(ladder, cards, ports).routes()
    routes.update(_above(card, {edge: offset(edge, edge.slot) for edge in (*far, *closings)}))
    boxes = {
        node_id: Box(own.left, own.middle - height / 2, width, height)
        for node_id, own in card.items()
    }
    return _at_origin(boxes, routes)


def _above(card: dict[int, Card], ports: dict[Edge, float]) -> dict[Edge, tuple[Point, ...]]:
    """The edges that close cycles or go far: a node's own just above it, else above everything.

    Those that go far share a lane with the others from their child.
    """
    routes = {}
    top = min(own.middle - own.height / 2 for own in card.values())
    lanes: dict[tuple[int, ...], float] = {}
    for edge, port in ports.items():
        own, other = card[edge.child], card[edge.consumer]
        goes_on = own.left < other.left
        if edge.child == edge.consumer:
            lane = own.middle - own.height / 2 - GAP_PASSING / 2 - GAP_OWN * edge.slot
        else:
            key = (edge.child, edge.slot) if goes_on else tuple(edge)
            lane = lanes.setdefault(key, top - LANE * (len(lanes) + 1))
        routes[edge] = (passing if goes_on else closing)(own, other, port, lane)
    return routes


def _left_edges(ladder: Ladder, level: Sequence[float], width: float) -> list[float]:
    """The left edge of every column; where edges are steep, gaps are wider."""
    drop = [0.0] * max(ladder.column)
    for tail, heads in enumerate(ladder.out):
        for head in heads:
            column = ladder.column[tail]
            drop[column] = max(drop[column], abs(level[head] - level[tail]))
    gaps = [min(max(GAP_X, SLOPE * height), WIDEST_GAP) for height in drop]
    return list(accumulate((width + gap for gap in gaps), initial=0.0))


def _at_origin(boxes: dict[int, Box], routes: dict[Edge, tuple[Point, ...]]) -> Layout:
    """The same drawing with its upper left corner, badges and edges included, at (0, 0)."""
    corners = [point for points in routes.values() for point in points]
    for box in boxes.values():
        corners += [(box.x - BADGE, box.y), (box.x + box.width, box.y + box.height)]
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
    drawn = {edge: Route(points) for edge, points in routes.items()}
    layout = Layout(boxes, drawn, right - left, bottom - top)
    return _moved(layout, -left, -top)


def _moved(layout: Layout, x: float, y: float) -> Layout:
    boxes = {
        node_id: Box(box.x + x, box.y + y, box.width, box.height)
        for node_id, box in layout.boxes.items()
    }
    routes = {
        edge: Route(tuple((px + x, py + y) for px, py in route.points))
        for edge, route in layout.routes.items()
    }
    return Layout(boxes, routes, layout.width, layout.height)


def _together(drawn: Sequence[Layout]) -> Layout:
    """Parts beside one another in rows as wide as the widest of them, the root's part first."""
    if len(drawn) == 1:
        return drawn[0]
    area = sum((part.width + GAP_Y) * (part.height + GAP_Y) for part in drawn)
    limit = max([(area * ASPECT) ** 0.5, *(part.width for part in drawn)])
    boxes: dict[int, Box] = {}
    routes: dict[Edge, Route] = {}
    x = y = row = width = 0.0
    for part in drawn:
        if x and x + part.width > limit:
            x, y, row = 0.0, y + row + GAP_Y, 0.0
        placed = _moved(part, x, y)
        boxes.update(placed.boxes)
        routes.update(placed.routes)
        width = max(width, x + part.width)
        row = max(row, part.height)
        x += part.width + GAP_Y
    return Layout(boxes, routes, width, y + row)
