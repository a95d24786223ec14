"""A drawing with some of its cards moved by hand: their edges follow and go round other cards."""

from __future__ import annotations

from dataclasses import replace
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from chainstep.layout import Box, Route

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chainstep.graph import Edge
    from chainstep.layout import Layout

    Point = tuple[float, float]

BEND = 60.0
"""How far a course goes on straight at the least where its end lies behind its start."""
CLEAR = 20.0
"""Between a card and a course that goes round it."""
SAMPLES = 24


def moved(layout: Layout, offsets: Mapping[int, Point]) -> Layout:
    """The same drawing with cards elsewhere. O(nodes + edges).

    Args:
        layout: Where everything stands by itself.
        offsets: How far each card is moved, by node id; nodes without a card are passed over.
    """
    boxes = dict(layout.boxes)
    for node_id, (x, y) in offsets.items():
        if node_id in boxes:
            box = boxes[node_id]
            boxes[node_id] = replace(box, x=box.x + x, y=box.y + y)
    routes = dict(layout.routes)
    cards = np.array([(b.x, b.y, b.x + b.width, b.y + b.height) for b in boxes.values()])
    for edge, route in layout.routes.items():
        if edge.child in offsets or edge.consumer in offsets:
            routes[edge] = Route(_followed(edge, route, offsets, boxes, cards, layout.downward))
    return replace(layout, boxes=boxes, routes=routes)


def _followed(
    edge: Edge,
    route: Route,
    offsets: Mapping[int, Point],
    boxes: Mapping[int, Box],
    cards: NDArray[np.float64],
    downward: bool,
) -> tuple[Point, ...]:
    """The course of an edge whose ends were moved: shifted if both by the same, else anew."""
    (x0, y0), (x1, y1) = (offsets.get(n, (0.0, 0.0)) for n in (edge.child, edge.consumer))
    if (x0, y0) == (x1, y1):
        return tuple((x + x0, y + y0) for x, y in route.points)
    ends = [boxes[edge.child], boxes[edge.consumer]]
    others = cards[~np.isin(cards[:, :2], [(b.x, b.y) for b in ends]).all(axis=1)]
    (sx, sy), (ex, ey) = route.points[0], route.points[-1]
    start, end = (sx + x0, sy + y0), (ex + x1, ey + y1)
    if downward:
        turned = others[:, [1, 0, 3, 2]]
        return tuple((x, y) for y, x in _course(start[::-1], end[::-1], turned))
    return _course(start, end, others)


def _course(start: Point, end: Point, cards: NDArray[np.float64]) -> tuple[Point, ...]:
    """From left to right: one curve, or the shortest way round the cards that stand in its way."""
    direct = _curve(start, end)
    in_way = _met(direct, cards)
    if not len(in_way):
        return tuple(direct)
    left, right = in_way[:, 0].min() - CLEAR, in_way[:, 2].max() + CLEAR
    ways = []
    for level in (in_way[:, 1].min() - CLEAR, in_way[:, 3].max() + CLEAR):
        over = [*_curve(start, (left, level))]
        over += _curve(over[-1], (right, level))[1:]
        over += _curve(over[-1], end)[1:]
        ways.append((len(_met(over, cards)), _length(over), over))
    least = min(ways, key=lambda way: way[:2])
    return tuple(direct if least[0] >= len(in_way) else least[2])


def _curve(start: Point, end: Point) -> list[Point]:
    """One segment, level at both ends."""
    (x0, y0), (x1, y1) = start, end
    bend = max((x1 - x0) / 2, 0.0) if x1 - x0 >= BEND / 2 else BEND + (x0 - x1) / 4
    return [start, (x0 + bend, y0), (x1 - bend, y1), end]


def _sampled(points: Sequence[Point]) -> NDArray[np.float64]:
    corners = np.array(points)
    t = np.linspace(0, 1, SAMPLES)[:, None]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    return np.concatenate(
        [
            sum(w * corners[first + n] for n, w in enumerate(weights))
            for first in range(0, len(corners) - 1, 3)
        ]
    )


def _met(points: Sequence[Point], cards: NDArray[np.float64]) -> NDArray[np.float64]:
    """The cards that a course runs through."""
    at = _sampled(points)
    x, y = at[:, :1], at[:, 1:]
    inside = (x > cards[:, 0]) & (x < cards[:, 2]) & (y > cards[:, 1]) & (y < cards[:, 3])
    return cards[inside.any(axis=0)]


def _length(points: Sequence[Point]) -> float:
    at = _sampled(points)
    return sum(hypot(*step) for step in np.diff(at, axis=0).tolist())
