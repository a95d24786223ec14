"""How edges run: out of the child's right edge, through the gaps, to the consumer's badge.

Between two columns a route is one smooth curve from level to level, and past a column it is a
horizontal line through the place that was kept for it. So no route touches a foreign card, and
two routes cross only where their places are in another order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chainstep.placement import isotonic

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Edge
    from chainstep.ladder import Ladder

Point = tuple[float, float]

PORT = 14.0
"""Between two ports of a consumer, where its card has room."""

LEAVE = 10.0
"""Between two routes that leave a child, where its card has room."""

TWIN = 18.0
"""How far from the child's middle the two edges of `a + a` leave it: they form an eye."""

RIM = 12.0
"""What stays free at the upper and lower end of a card's edge."""

LANE = 22.0
"""Between the edges that run above everything."""


class Card(NamedTuple):
    """A rectangle by its left edge and its middle."""

    left: float
    middle: float
    width: float
    height: float


def port_offset(slot: int, arity: int, height: float) -> float:
    """How far below a consumer's middle the edge in ``slot`` ends."""
    step = min(PORT, (height - RIM) / arity)
    return step * (slot - (arity - 1) / 2)


class Routing:
    """The routes of one connected part.

    Attributes:
        ladder: The places.
        cards: The card of each node's place, or for a passing place what it would be.
        ports: How far below the middle of its consumer each edge ends.
        reach: How far left of a card a route ends: on the rim of the op badge.
    """

    def __init__(
        self, ladder: Ladder, cards: Sequence[Card], ports: Mapping[Edge, float], reach: float
    ) -> None:
        self.ladder = ladder
        self.reach = reach
        self.cards = cards
        self.ports = ports

    def routes(self) -> dict[Edge, tuple[Point, ...]]:
        """The points of every edge that runs from left to right."""
        leaves = self._leaves()
        return {
            edge: self._route(edge, chain, leaves[edge])
            for edge, chain in self.ladder.chains.items()
        }

    def _route(self, edge: Edge, chain: Sequence[int], leave: float) -> tuple[Point, ...]:
        first = self.cards[chain[0]]
        points = [(first.left + first.width, leave)]
        for place in chain[1:-1]:
            card = self.cards[place]
            _curve(points, (card.left - self.reach, card.middle))
            _line(points, (card.left + card.width, card.middle))
        last = self.cards[chain[-1]]
        port = self.ports[edge]
        _curve(points, (last.left - self.reach, last.middle + port))
        if abs(port) > PORT / 2:
            _line(points, (last.left, last.middle + port))
        return tuple(points)

    def _leaves(self) -> dict[Edge, float]:
        """The level at which each edge leaves its child."""
        leaving: dict[int, list[Edge]] = {}
        for edge, chain in self.ladder.chains.items():
            leaving.setdefault(chain[0], []).append(edge)
        return {
            edge: level
            for child, edges in leaving.items()
            for edge, level in self._leaving(child, edges)
        }

    def _leaving(self, child: int, edges: list[Edge]) -> list[tuple[Edge, float]]:
        """From the top down; straight to the next place where that lies level with the card."""
        card = self.cards[child]
        ends: list[tuple[float, Edge]] = []
        for edge in edges:
            place = self.ladder.chains[edge][1]
            port = self.ports[edge] if self.ladder.is_node(place) else 0.0
            ends.append((self.cards[place].middle + port - card.middle, edge))
        ends.sort()
        reach = card.height / 2 - RIM
        consumers = [edge.consumer for edge in edges]
        wanted: list[float] = []
        weights: list[float] = []
        for end, edge in ends:
            is_twin = consumers.count(edge.consumer) > 1
            is_level = abs(end) <= reach
            wanted.append(
                (TWIN if end > 0 else -TWIN) if is_twin and is_level else end if is_level else 0.0
            )
            weights.append(16.0 if is_level else 1.0)
        step = min(LEAVE, 2 * reach / len(ends))
        fitted = isotonic([want - step * i for i, want in enumerate(wanted)], weights)
        return [
            (edge, card.middle + max(-reach, min(reach, level + step * i)))
            for i, ((_, edge), level) in enumerate(zip(ends, fitted, strict=True))
        ]


def closing(
    child: Card, consumer: Card, port: float, lane: float, reach: float
) -> tuple[Point, ...]:
    """The points of an edge that closes a cycle: back along ``lane``, above what it passes."""
    return _over(child, consumer, port, lane, reach, 0.0)


def passing(
    child: Card, consumer: Card, port: float, lane: float, reach: float
) -> tuple[Point, ...]:
    """The points of an edge that goes far: along ``lane``, above all that it passes."""
    return _over(child, consumer, port, lane, reach, 2.0)


def _over(
    child: Card, consumer: Card, port: float, lane: float, reach: float, ahead: float
) -> tuple[Point, ...]:
    """Up beside the child, along a lane that begins so many turns further on, and down."""
    turn = min(24.0, child.height / 4)
    right, left = child.left + child.width, consumer.left - reach
    end = consumer.middle + port
    points = [(right, child.middle)]
    _corner(points, (right + turn, child.middle - turn), flat=True)
    _line(points, (right + turn, lane + turn))
    _corner(points, (right + ahead * turn, lane), flat=False)
    _line(points, (left - ahead * turn, lane))
    _corner(points, (left - turn, lane + turn), flat=True)
    _line(points, (left - turn, end - turn))
    _corner(points, (left, end), flat=False)
    return tuple(points)


def _line(points: list[Point], end: Point) -> None:
    (x0, y0), (x1, y1) = points[-1], end
    points += [((2 * x0 + x1) / 3, (2 * y0 + y1) / 3), ((x0 + 2 * x1) / 3, (y0 + 2 * y1) / 3), end]


def _curve(points: list[Point], end: Point) -> None:
    """Level at both ends."""
    (x0, y0), (x1, y1) = points[-1], end
    middle = (x0 + x1) / 2
    points += [(middle, y0), (middle, y1), end]


def _corner(points: list[Point], end: Point, *, flat: bool) -> None:
    """A quarter turn that begins horizontally (``flat``) or vertically."""
    (x0, y0), (x1, y1) = points[-1], end
    corner = (x1, y0) if flat else (x0, y1)
    bend = 0.5523
    points += [
        (x0 + (corner[0] - x0) * bend, y0 + (corner[1] - y0) * bend),
        (x1 + (corner[0] - x1) * bend, y1 + (corner[1] - y1) * bend),
        end,
    ]
