"""The drawing of one graph: where things stand, what lies in a region, what is at a point.

Plain data over numpy arrays, in scene units; y grows downward. Nothing here knows Qt, a gradient
or a colour. What lies in a region is looked up in sorted arrays, so that a repaint costs what
is in view and not what is in the graph.
"""

from __future__ import annotations

from copy import copy
from enum import Enum
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from chainstep.graph import Edge, Graph
    from chainstep.layout import Layout

BADGE = 14.0
"""Radius of an op badge: half its height, and how far it reaches into its card on the left."""
BADGE_WITHIN = 5.0
"""How far it reaches into its card at the top, which has a line of text there."""
LETTER = 9.6
"""Width of one sign of an op that does not fit into a circle: monospaced, 16 pixels high."""

BEND = 1 / 16
"""Share of a far edge's segment, at either end, that is a segment of its own: Qt takes few steps
along a hairline, however long it is."""
FAR = 4000.0
"""Extent of an edge above which it is far: several times as long as what is in view at once."""

SYMBOLS = {"*": "×", "-": "−", "neg": "−", "/": "÷", "ReLU": "relu"}
"""Ops that are not shown as the engine spells them."""


def symbol(op: str) -> str:
    """What a badge shows for an op: `×` for `*`, `**-1` as it is."""
    return SYMBOLS.get(op, op)


class Area(NamedTuple):
    """A rectangle."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """Extent to the right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """Extent downward."""
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """The centre."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2

    def grown(self, by: float) -> Area:
        """The same, larger by as much on every side."""
        return self.spread(by, by)

    def spread(self, x: float, y: float) -> Area:
        """The same, wider by `x` on both sides, and higher by `y`."""
        return Area(self.left - x, self.top - y, self.right + x, self.bottom + y)

    def moved(self, x: float, y: float) -> Area:
        """The same, elsewhere."""
        return Area(self.left + x, self.top + y, self.right + x, self.bottom + y)

    def meets(self, other: Area) -> bool:
        """Whether the two have a point in common that is not only on their rims."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def holds(self, other: Area) -> bool:
        """Whether the other lies inside altogether."""
        return (
            self.left <= other.left
            and other.right <= self.right
            and self.top <= other.top
            and other.bottom <= self.bottom
        )

    def within(self, other: Area) -> Area:
        """What both have in common, where they meet."""
        return Area(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def united(self, other: Area) -> Area:
        """The smallest that holds both."""
        return Area(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


class Direction(Enum):
    """Where a selection can move. Where edges run down, above is left and below is right."""

    OPERAND = "operand"
    CONSUMER = "consumer"
    ABOVE = "above"
    BELOW = "below"


class Index:
    """Rectangles, found by region: sorted by their left sides, with the furthest right so far.

    A look-up is two binary searches and one comparison of the slice between them.
    """

    def __init__(self, areas: NDArray[np.float64]) -> None:
        """Take an array of rows (left, top, right, bottom)."""
        order = np.argsort(areas[:, 0], kind="stable")
        self._order = order
        self._left, self._top, self._right, self._bottom = (
            np.ascontiguousarray(areas[order, column]) for column in range(4)
        )
        self._furthest = np.maximum.accumulate(self._right) if len(order) else self._right

    def within(self, area: Area) -> NDArray[np.intp]:
        """Numbers of the rectangles that meet a region, ascending."""
        end = int(np.searchsorted(self._left, area.right))
        begin = int(np.searchsorted(self._furthest, area.left, side="right"))
        if begin >= end:
            return np.empty(0, np.intp)
        some = slice(begin, end)
        hit = (
            (self._right[some] > area.left)
            & (self._top[some] < area.bottom)
            & (self._bottom[some] > area.top)
        )
        return np.sort(self._order[some][hit])


class Drawing:
    """A graph and its layout, indexed.

    Attributes:
        graph: What is drawn.
        layout: Where it stands.
        bounds: What the whole drawing covers.
        curves: One row per cubic segment of an edge: x and y of its four points.
        edges: Every edge, in the order of `first_curve`.
        first_curve: Number of each edge's first curve; one more entry than edges.
    """

    def __init__(self, graph: Graph, layout: Layout) -> None:
        self.graph = graph
        self.layout = layout
        self._ids = np.fromiter(layout.boxes, np.int64, len(layout.boxes))
        flat = [v for b in layout.boxes.values() for v in (b.x, b.y, b.x + b.width, b.y + b.height)]
        cards = self._areas = np.array(flat, np.float64).reshape(-1, 4)
        self._cards = Index(cards)
        self.downward = layout.downward
        overhang = np.array([self._overhang(node_id) for node_id in layout.boxes])
        self._longest = float(overhang.max())
        before = 1 if self.downward else 0
        least = cards[:, :2].min(axis=0)
        least[before] = (cards[:, before] - overhang).min()
        self.bounds = Area(
            float(least[0]),
            float(least[1]),
            float(cards[:, 2].max()),
            float(cards[:, 3].max()),
        )
        self.edges: tuple[Edge, ...] = tuple(layout.routes)
        self.first_curve, self.curves = _curves([r.points for r in layout.routes.values()])
        self._curve_index = Index(_bounds(self.curves))

    def of(self, graph: Graph) -> Drawing:
        """The same drawing of another graph of the same nodes, whose numbers may be others."""
        drawn = copy(self)
        drawn.graph = graph
        return drawn

    def card(self, node_id: int) -> Area:
        """The rectangle of a node's card, without its badge. Raises KeyError."""
        box = self.layout.boxes[node_id]
        return Area(box.x, box.y, box.x + box.width, box.y + box.height)

    def route(self, edge: Edge) -> Sequence[tuple[float, float]] | None:
        """The points of an edge's course, child first; None where it was not laid out."""
        route = self.layout.routes.get(edge)
        return None if route is None else route.points

    def nodes_in(self, area: Area) -> list[int]:
        """Ids of the nodes whose cards meet a region."""
        found: list[int] = self._ids[self._cards.within(area)].tolist()
        return found

    def nodes_seen_in(self, area: Area) -> list[int]:
        """Ids of the nodes whose cards meet a region, or whose badges may."""
        if self.downward:
            return self.nodes_in(area._replace(bottom=area.bottom + self._longest))
        return self.nodes_in(area._replace(right=area.right + self._longest))

    def curves_in(self, area: Area, hidden: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """The segments of edges that may be seen in a region, as rows of `curves`.

        Args:
            area: The region.
            hidden: Which of the edges are left out; none by default.
        """
        numbers = self._curve_index.within(area)
        if hidden is not None:
            numbers = numbers[~hidden[self._edge_of_curve[numbers]]]
        return self.curves[numbers]

    @cached_property
    def _edge_of_curve(self) -> NDArray[np.intp]:
        return np.repeat(np.arange(len(self.edges)), np.diff(self.first_curve))

    @cached_property
    def chords(self) -> NDArray[np.float64]:
        """One row per edge: x and y of its two ends. What is left of an edge from afar."""
        starts, ends = self.first_curve[:-1], self.first_curve[1:] - 1
        return np.hstack([self.curves[starts, :2], self.curves[ends, 6:]])

    @cached_property
    def far(self) -> NDArray[np.bool_]:
        """Which edges run so far that many of them may cross any place."""
        areas = _bounds(self.curves)
        starts = self.first_curve[:-1]
        if not len(starts):
            return np.zeros(0, np.bool_)
        least = np.minimum.reduceat(areas[:, :2], starts)
        most = np.maximum.reduceat(areas[:, 2:], starts)
        far: NDArray[np.bool_] = (most - least).max(axis=1) > FAR
        return far

    def _overhang(self, node_id: int) -> float:
        """How far a badge reaches out of its card, against the edges."""
        op = self.graph.node(node_id).op
        if not op:
            return 0.0
        return 2 * BADGE - BADGE_WITHIN if self.downward else badge_width(op) - BADGE

    def badge(self, node_id: int) -> Area | None:
        """The op badge where a node's edges come in; None for a leaf.

        On the left edge of its card a long op grows to the left, away from what the card says.
        """
        node = self.graph.node(node_id)
        if not node.children and not node.op:
            return None
        card, wide = self.card(node_id), badge_width(node.op)
        x, y = card.middle
        if self.downward:
            bottom = card.top + BADGE_WITHIN
            return Area(x - wide / 2, bottom - 2 * BADGE, x + wide / 2, bottom)
        right = card.left + BADGE
        return Area(right - wide, y - BADGE, right, y + BADGE)

    def node_at(self, x: float, y: float) -> int | None:
        """The node whose card or badge is at a point; None where there is none."""
        point = Area(x, y, x, y).grown(0.5)
        for node_id in self.nodes_in(point):
            return node_id
        for node_id in self.nodes_in(point.grown(self._longest)):
            badge = self.badge(node_id)
            if badge is not None and badge.meets(point):
                return node_id
        return None

    def edge_at(self, x: float, y: float, near: float) -> Edge | None:
        """The edge nearest to a point, if it comes as near as that; None where none does."""
        best: tuple[float, Edge] | None = None
        for number in self._curve_index.within(Area(x, y, x, y).grown(near)).tolist():
            edge = self.edges[int(self._edge_of_curve[number])]
            corners = self.curves[number].reshape(4, 2).tolist()
            points = [at(corners, share / 24) for share in range(25)]
            far = min((px - x) ** 2 + (py - y) ** 2 for px, py in points) ** 0.5
            # Between two of the points the edge may come nearer than they do.
            if best is None or far < best[0]:
                best = far, edge
        return None if best is None or best[0] > 2 * near else best[1]

    def neighbour(self, node_id: int, direction: Direction) -> int | None:
        """The next node in a direction; None where there is none.

        Of several operands or consumers the one that stands nearest, across the edges, is taken.
        """
        graph = self.graph
        here = self.card(node_id)
        across = 0 if self.downward else 1
        if direction is Direction.OPERAND:
            found = [child for child in graph.node(node_id).children if child in graph]
        elif direction is Direction.CONSUMER:
            found = [edge.consumer for edge in graph.consumers(node_id)]
        else:
            bounds = self.bounds.grown(1)
            column = Area(here.left, bounds.top, here.right, bounds.bottom)
            if self.downward:
                column = Area(bounds.left, here.top, bounds.right, here.bottom)
            sign = -1 if direction is Direction.ABOVE else 1
            beside = self.nodes_in(column)
            found = [n for n in beside if (self.card(n)[across] - here[across]) * sign > 0]
        return min(found, key=lambda n: (abs(self.card(n)[across] - here[across]), n), default=None)

    def obstacles(self, areas: Iterable[Area]) -> NDArray[np.float64]:
        """Every card, and every badge, that meets one of some regions: (left, top, right, bottom).

        O(what lies in these regions), once the first look-up has indexed all of them.
        """
        rows, index = self._obstacles
        numbers = [index.within(area) for area in areas]
        found: NDArray[np.float64] = rows[
            numbers[0] if len(numbers) == 1 else np.unique(np.concatenate(numbers))
        ]
        return found

    @cached_property
    def _obstacles(self) -> tuple[NDArray[np.float64], Index]:
        nodes = map(self.graph.node, self.layout.boxes)
        wide = np.array([badge_width(n.op) if n.children or n.op else 0.0 for n in nodes])
        has = wide > 0
        wide, (left, top, right, bottom) = wide[has], self._areas[has].T
        if self.downward:
            middle, end = (left + right) / 2, top + BADGE_WITHIN
            sides = (middle - wide / 2, end - 2 * BADGE, middle + wide / 2, end)
        else:
            middle, end = (top + bottom) / 2, left + BADGE
            sides = (end - wide, middle - BADGE, end, middle + BADGE)
        rows = np.concatenate([self._areas, np.stack(sides, axis=1)])
        return rows, Index(rows)


def badge_width(op: str) -> float:
    """Width of the badge of an op: a circle, or a pill where its name is longer than one sign."""
    text = symbol(op)
    return 2 * BADGE if len(text) < 2 else max(2 * BADGE, LETTER * len(text) + BADGE)


def _curves(
    routes: Sequence[Sequence[tuple[float, float]]],
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(number of each course's first segment, all segments as rows of eight numbers)."""
    lengths = np.array([len(points) for points in routes], np.int64)
    numbers = chain.from_iterable(chain.from_iterable(routes))
    points = np.fromiter(numbers, np.float64, 2 * int(lengths.sum())).reshape(-1, 2)
    segments = lengths // 3
    first = np.concatenate([[0], np.cumsum(segments)])
    # A segment begins at every third point of its course; courses have one point more than that.
    course = np.repeat(np.arange(len(routes)), segments)
    starts = 3 * np.arange(int(segments.sum())) + course
    return first, points[starts[:, None] + np.arange(4)].reshape(-1, 8)


def in_pieces(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """The same courses in more segments, whose bends at both ends are segments of their own."""
    pieces: NDArray[np.float64] = np.einsum("pk,nkc->npc", _PIECES, curves.reshape(-1, 4, 2))
    return pieces.reshape(-1, 8)


def _blossom(u: float, v: float, w: float) -> tuple[float, float, float, float]:
    """The shares of a segment's four points in one point of a piece of it; Ramshaw's blossom."""
    a, b, c = 1 - u, 1 - v, 1 - w
    return (
        a * b * c,
        u * b * c + a * v * c + a * b * w,
        u * v * c + u * b * w + a * v * w,
        u * v * w,
    )


_PIECES = np.array(
    [
        _blossom(*parameters)
        for start, end in pairwise((0.0, BEND, 1 - BEND, 1.0))
        for parameters in ((start,) * 3, (start, start, end), (start, end, end), (end,) * 3)
    ]
)


def _bounds(curves: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each segment can cover: the rectangle around its four points, and a line's width."""
    x, y = curves[:, 0::2], curves[:, 1::2]
    if not len(curves):
        return np.empty((0, 4))
    return np.stack([x.min(1) - 2, y.min(1) - 2, x.max(1) + 2, y.max(1) + 2], axis=1)


def course_area(points: Sequence[tuple[float, float]]) -> Area:
    """What a course can cover at the most."""
    xs, ys = zip(*points, strict=True)
    return Area(min(xs), min(ys), max(xs), max(ys))


def along(
    points: Sequence[tuple[float, float]], shares: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The points of a course at some shares (0 to 1) of its number of segments, as rows."""
    count = len(points) // 3
    numbers = np.minimum((shares * count).astype(np.intp), count - 1)
    t = (shares * count - numbers)[:, None]
    corners = np.array(points)[3 * numbers[:, None] + np.arange(4)]
    a, b, c, d = (corners[:, each] for each in range(4))
    rest = 1 - t
    found: NDArray[np.float64] = rest**3 * a + 3 * t * rest**2 * b + 3 * t * t * rest * c + t**3 * d
    return found


def at(points: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    """The point of a course at a share (0 to 1) of its number of segments."""
    count = len(points) // 3
    number = min(int(share * count), count - 1)
    t = share * count - number
    a, b, c, d = points[3 * number : 3 * number + 4]
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x = sum(w * p[0] for w, p in zip(weights, (a, b, c, d), strict=True))
    y = sum(w * p[1] for w, p in zip(weights, (a, b, c, d), strict=True))
    return x, y


def without_start(
    points: Sequence[tuple[float, float]], length: float
) -> tuple[tuple[float, float], ...]:
    """A course without what lies within `length` of its first point, along its first segment.

    The rest keeps its shape.
    """
    low, high = 0.0, 1.0
    for _ in range(12):
        share = (low + high) / 2
        x, y = at(points[:4], share)
        if (x - points[0][0]) ** 2 + (y - points[0][1]) ** 2 < length**2:
            low = share
        else:
            high = share
    return onward(points, low / (len(points) // 3))


def onward(points: Sequence[tuple[float, float]], share: float) -> tuple[tuple[float, float], ...]:
    """What of a course lies beyond a share of its number of segments, in the same shape.

    The segment there is split, de Casteljau's way.
    """
    count = len(points) // 3
    number = min(int(share * count), count - 1)
    t = share * count - number
    rows = [tuple(points[3 * number : 3 * number + 4])]
    while len(rows[-1]) > 1:
        rows.append(
            tuple(
                (p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t)
                for p, q in zip(rows[-1], rows[-1][1:], strict=False)
            )
        )
    return (*(row[-1] for row in reversed(rows)), *points[3 * number + 4 :])
