"""How far down everything stands: nodes level with their operands, edges straight, no overlaps.

Column by column every place moves to where its spans pull it, as far as its neighbours allow:
least squares under an order, isotonic regression, which the pool-adjacent-violators rule solves
exactly (Barlow, Bartholomew, Bremner and Brunk, 1972). Repeated to and fro this approaches the
least total pull. Then what is nearly straight is made straight.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import numpy as np

from chainstep.straightening import straighten

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chainstep.graph import Edge
    from chainstep.ladder import Ladder, Order

    Floats = NDArray[np.float64]
    Ints = NDArray[np.intp]

CENTRE = 32.0
"""Pull between a node and the middle of the operands it is levelled with."""

PULLS = (8.0, 2.0, 1.0)
"""Pull along a span between passing places, a passing place and a node, two nodes."""

SLACK = 0.05
"""The same on a leaf used once and on its consumer, for the leaf follows and does not lead; and
between an operand that a centre holds and its consumer."""

GRAVITY = 0.05
"""Pull towards the middle of the whole drawing, which keeps it low."""

ROUNDS = 120
STILL = 0.05


@dataclass(frozen=True, slots=True)
class Spacing:
    """Least distances between the middles of neighbours in a column, in scene units."""

    cards: float
    card_and_edge: float
    edges: float

    def below_first(self, ladder: Ladder, column: Sequence[int]) -> list[float]:
        """How far below the first place of a column each must at least stand."""
        kinds = (self.edges, self.card_and_edge, self.cards)
        steps = [kinds[ladder.is_node(a) + ladder.is_node(b)] for a, b in pairwise(column)]
        return list(accumulate(steps, initial=0.0))


def isotonic(wanted: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The non-decreasing sequence nearest to ``wanted`` in weighted least squares. O(n).

    >>> isotonic([1.0, 3.0, 2.0, 4.0], [1.0, 1.0, 1.0, 1.0])
    [1.0, 2.5, 2.5, 4.0]
    """
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(wanted, weights, strict=True):
        mean, mass, count = value, weight, 1
        while pools and pools[-1][0] > mean:
            other, other_mass, other_count = pools.pop()
            mean = (other * other_mass + mean * mass) / (other_mass + mass)
            mass += other_mass
            count += other_count
        pools.append((mean, mass, count))
    return [mean for mean, _, count in pools for _ in range(count)]


def placed(ladder: Ladder, order: Order, spacing: Spacing, ports: Mapping[Edge, float]) -> Floats:
    """The middle of every place, in scene units.

    Args:
        ladder: The places.
        order: Their order in each column.
        spacing: What must lie between them.
        ports: How far below the middle of its consumer each edge ends.
    """
    least = [np.array(spacing.below_first(ladder, column)) for column in order]
    spans = _Spans(ladder, order, ports)
    level = np.zeros(len(ladder.column))
    for column, below in zip(order, least, strict=True):
        level[column] = below - below[-1] / 2
    places = [np.array(column, dtype=np.intp) for column in order]
    rounds = max(6, min(ROUNDS, 40_000_000 // (80 * len(level) + 6000 * len(order))))
    for turn in range(rounds):
        moved = 0.0
        for index in range(len(order)) if turn % 2 == 0 else reversed(range(len(order))):
            wanted, weights = spans.pull(index, level)
            fitted = np.array(isotonic((wanted - least[index]).tolist(), weights.tolist()))
            fitted += least[index]
            moved = max(moved, float(np.abs(fitted - level[places[index]]).max()))
            level[places[index]] = fitted
        if moved < STILL:
            break
    straighten(ladder, order, least, ports, spans.led, level)
    return level


@dataclass(frozen=True, slots=True)
class _Gap:
    """The spans between a column and the next."""

    tails: Ints
    heads: Ints
    tail_rows: Ints
    head_rows: Ints
    ends: Floats
    pulls: Floats
    shares: Floats
    centres: Floats


class _Spans:
    """The pull of all spans on a column."""

    def __init__(self, ladder: Ladder, order: Order, ports: Mapping[Edge, float]) -> None:
        self._gravity = [
            np.array([GRAVITY * (not _is_follower(ladder, place)) for place in column])
            for column in order
        ]
        row = np.array(ladder.positions(order), dtype=np.intp)
        self.led = led = leaders(ladder)
        raw: list[list[tuple[int, int, float, float, float]]] = [[] for _ in order]
        for edge, chain in ladder.chains.items():
            for tail, head in pairwise(chain):
                is_last = ladder.is_node(head) and not ladder.is_node(tail)
                end = ports[edge] if is_last else 0.0
                share = 0.0
                if tail in led[head]:
                    share = 1 / len(led[head]) / ladder.into[head].count(tail)
                pull = _pull(ladder, tail, head, is_led=share > 0)
                raw[ladder.column[tail]].append((tail, head, end, pull, share))
        self._gaps = [self._gap(spans, row) for spans in raw]

    @staticmethod
    def _gap(spans: list[tuple[int, int, float, float, float]], row: Ints) -> _Gap:
        table = np.array(spans, dtype=np.float64).reshape(-1, 5)
        tails, heads = table[:, 0].astype(np.intp), table[:, 1].astype(np.intp)
        ends, pulls, shares = table[:, 2:].T
        return _Gap(tails, heads, row[tails], row[heads], ends, pulls, shares, CENTRE * shares)

    def pull(self, index: int, level: Floats) -> tuple[Floats, Floats]:
        """Where the places of a column should stand, and with what force."""
        force = self._gravity[index] + 1e-9
        count = len(force)
        pulled = np.zeros(count)
        if index > 0:
            gap = self._gaps[index - 1]
            weight = gap.pulls + gap.centres
            force += np.bincount(gap.head_rows, weight, count)
            pulled += np.bincount(gap.head_rows, weight * (level[gap.tails] - gap.ends), count)
        gap = self._gaps[index]
        if len(gap.tails):
            force += np.bincount(gap.tail_rows, gap.pulls, count)
            wanted = gap.pulls * (level[gap.heads] + gap.ends)
            pulled += np.bincount(gap.tail_rows, wanted, count)
            # The operands of a node move together, so that their middle is level with it.
            middle = np.bincount(gap.head_rows, gap.shares * level[gap.tails])[gap.head_rows]
            force += np.bincount(gap.tail_rows, gap.centres, count)
            wanted = gap.centres * (level[gap.tails] + level[gap.heads] - middle)
            pulled += np.bincount(gap.tail_rows, wanted, count)
        return pulled / force, force


def _is_follower(ladder: Ladder, place: int) -> bool:
    """Whether it is a leaf used once."""
    return ladder.is_node(place) and not ladder.into[place] and len(ladder.out[place]) == 1


def _pull(ladder: Ladder, tail: int, head: int, *, is_led: bool) -> float:
    if is_led or _is_follower(ladder, tail):
        return SLACK
    return PULLS[ladder.is_node(tail) + ladder.is_node(head)]


def leaders(ladder: Ladder) -> list[list[int]]:
    """For each place the operands that it is level with, or with whose middle.

    These are the deepest ones, if nothing else uses them: two equal branches join half-way, and
    a leaf that is added to a long branch leaves it straight.
    """
    depth = [0] * len(ladder.column)
    for place in sorted(range(len(depth)), key=ladder.column.__getitem__):
        depth[place] = max((depth[tail] + 1 for tail in ladder.into[place]), default=0)
    return [_leaders(ladder, place, depth) for place in range(len(depth))]


def _leaders(ladder: Ladder, place: int, depth: Sequence[int]) -> list[int]:
    into = ladder.into[place]
    if not into or not ladder.is_node(place):
        return []
    deepest = max(depth[tail] for tail in into)
    led = sorted({tail for tail in into if depth[tail] == deepest})
    free = all(ladder.is_node(tail) and len(set(ladder.out[tail])) == 1 for tail in led)
    return led if free else []
