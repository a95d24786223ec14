"""Where the cards of a graph stand and how its edges run.

Left to right in columns, every edge from the child's right edge to the badge of its consumer:
columns (`layering`), order within them (`ordering`), levels (`placement`), routes (`routing`).
From the top down it is the same with both axes changed, and cards as long as they are high.
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
"""Between columns: short arithmetic fits on an edge."""

GAP_NARROW = 64.0
"""The same where it is the width that makes type small: a neuron is to be read in a small window.
What has more columns would not be seen whole there in any case."""

NARROW_COLUMNS = (5, 6)

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
"""How far the badge of an op reaches out of its card on the left."""

BADGE_ABOVE = 23.0
"""The same at the top, where the card's first line leaves it less room within."""

RIM = 2.0
"""How far within a badge's reach an edge ends: on the rim, a port beside its middle."""

GAP_DOWN = 84.0
"""Between rows, where edges run down: arithmetic on two lines fits on an edge."""

GAP_BESIDE = 36.0
"""Between cards of a row."""

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
        downward: Edges run from the lower edge of the child to the upper one of its consumer.
    """

    boxes: dict[int, Box]
    routes: dict[Edge, Route]
    width: float
    height: float
    downward: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """Measures along the edges, and across them.

    Attributes:
        length: Of a card, along.
        breadth: Of a card, across.
        gap: Between columns.
        narrow: The same in a drawing of some columns.
        beside: Between cards of a column.
        badge: How far a badge reaches out of its card.
    """

    length: float
    breadth: float
    gap: float
    narrow: float
    beside: float
    badge: float


def layered(graph: Graph, *, downward: bool = False) -> Layout:
    """The drawing of ``graph``: every edge that closes no cycle runs from left to right, or down.

    Cards do not overlap, and no edge runs through a card that is not at its end. The operands of
    a node arrive at it in written order, the first on top, or on the left; in a sum or a product
    that gives way where it saves a crossing.
    """
    if downward:
        frame = Frame(CARD_HEIGHT, CARD_WIDTH, GAP_DOWN, GAP_DOWN, GAP_BESIDE, BADGE_ABOVE)
    else:
        frame = Frame(CARD_WIDTH, CARD_HEIGHT, GAP_X, GAP_NARROW, GAP_Y, BADGE)
    nodes, forward, backward = directed(graph)
    found = parts(nodes, forward)
    number = {node_id: index for index, part in enumerate(found) for node_id in part}
    edges: list[list[Edge]] = [[] for _ in found]
    closings: list[list[Edge]] = [[] for _ in found]
    for edge in forward:
        edges[number[edge.child]].append(edge)
    for edge in backward:
        closings[number[edge.child]].append(edge)
    drawn = _together(
        [_part(graph, *part, frame) for part in zip(found, edges, closings, strict=True)]
    )
    return _turned(drawn) if downward else drawn


def _part(
    graph: Graph,
    nodes: Sequence[int],
    edges: Sequence[Edge],
    closings: Sequence[Edge],
    frame: Frame,
) -> Layout:
    """The drawing of one connected part."""
    width, height = frame.length, frame.breadth
    column = columns(nodes, edges)
    near, far = near_and_far(edges, column)
    ladder = Ladder.built(graph, column, near)
    order = ordered(ladder)

    def offset(edge: Edge, slot: int) -> float:
        return port_offset(slot, len(graph.node(edge.consumer).children), height)

    ports = {edge: offset(edge, slot) for edge, slot in ladder.ports(order).items()}
    spacing = Spacing(height + frame.beside, height / 2 + GAP_PASSING, GAP_EDGES)
    level = placed(ladder, order, spacing, ports).tolist()
    left = _left_edges(ladder, level, frame)
    reach = frame.badge - RIM
    cards = [
        Card(left[index], middle, width, height)
        for index, middle in zip(ladder.column, level, strict=True)
    ]
    card = dict(zip(ladder.nodes, cards, strict=False))
    routes = Routing(ladder, cards, ports, reach).routes()
    aside = {edge: offset(edge, edge.slot) for edge in (*far, *closings)}
    routes.update(_above(card, aside, reach))
    boxes = {
        node_id: Box(own.left, own.middle - height / 2, width, height)
        for node_id, own in card.items()
    }
    return _at_origin(boxes, routes, frame.badge)


def _above(
    card: dict[int, Card], ports: dict[Edge, float], reach: float
) -> dict[Edge, tuple[Point, ...]]:
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
        routes[edge] = (passing if goes_on else closing)(own, other, port, lane, reach)
    return routes


def _left_edges(ladder: Ladder, level: Sequence[float], frame: Frame) -> list[float]:
    """The left edge of every column; where edges are steep, gaps are wider."""
    drop = [0.0] * max(ladder.column)
    for tail, heads in enumerate(ladder.out):
        for head in heads:
            column = ladder.column[tail]
            drop[column] = max(drop[column], abs(level[head] - level[tail]))
    least = frame.narrow if len(drop) + 1 in NARROW_COLUMNS else frame.gap
    gaps = [min(max(least, SLOPE * height), WIDEST_GAP) for height in drop]
    return list(accumulate((frame.length + gap for gap in gaps), initial=0.0))


def _at_origin(
    boxes: dict[int, Box], routes: dict[Edge, tuple[Point, ...]], badge: float
) -> Layout:
    """The same drawing with its upper left corner, badges and edges included, at (0, 0)."""
    corners = [point for points in routes.values() for point in points]
    for box in boxes.values():
        corners += [(box.x - badge, box.y), (box.x + box.width, box.y + box.height)]
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


def _turned(layout: Layout) -> Layout:
    """The same drawing with both axes changed."""
    boxes = {
        node_id: Box(box.y, box.x, box.height, box.width) for node_id, box in layout.boxes.items()
    }
    routes = {
        edge: Route(tuple((y, x) for x, y in route.points)) for edge, route in layout.routes.items()
    }
    return Layout(boxes, routes, layout.height, layout.width, downward=True)


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
