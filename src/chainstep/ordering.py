"""Who stands above whom in a column, so that few edges cross.

Two moves in turn. *Smoothing* lets every place drift towards the mean of its neighbours in the
whole graph; *sifting* (Rudell, 1993; Matuszewski, Schönfeld and Molitor, 1999) moves every place
to where in its column it costs least, everything else staying put. Smoothing gets shorter from
turn to turn, as in annealing. The sweeps with barycentres that are usual here (Sugiyama, Tagawa
and Toda, 1981) see two columns at a time; on two-layer networks they ended with up to twice the
crossings.
"""

from __future__ import annotations

import random
from bisect import bisect_right, insort
from collections import deque
from itertools import accumulate, pairwise, permutations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chainstep.ladder import Ladder, Order

TURNED = 0.5
"""What two operands out of written order cost, in crossings."""

BLOCK = 32
"""Places of a column that are sifted together: the costs of all their pairs are at hand."""

EFFORT = 20_000
"""Places to sift in a search, all turns together: 0.3 s."""

EACH = 100
"""How often a place is sifted at most."""

COOLING = (200, 60, 30, 15, 8, 4, 2, 1)
"""How often every place moves towards its neighbours, from turn to turn."""

SHUFFLES = 12
"""Starts besides the two that have a reason."""

STILL = 1e-6

SMALL = 4
"""Places of a column, at most, of a drawing whose least cost is found by trying all there is."""


def ordered(ladder: Ladder) -> Order:
    """The cheapest order found.

    Cost is the number of crossings, and ``TURNED`` for operands that are not in written order.
    """
    search = _Search(ladder)
    search.consider(_walked(ladder, ladder.into))
    search.aim()
    search.anneal(_met(ladder), COOLING)
    search.anneal(_walked(ladder, ladder.into), (0, *COOLING))
    for seed in range(SHUFFLES):
        if search.is_over:
            break
        chance = random.Random(seed)  # noqa: S311  the same shuffles every time, nothing secret
        shuffled = [chance.sample(tails, len(tails)) for tails in ladder.into]
        search.anneal(_walked(ladder, shuffled), COOLING[1:])
    return search.best


class _Search:
    """The cheapest order so far, and what may still be spent on a better one."""

    def __init__(self, ladder: Ladder) -> None:
        self.best: Order = []
        self._least = float("inf")
        self._aim = 0.0
        self._ladder = ladder
        self._left = max(min(EFFORT, EACH * len(ladder.column)), len(ladder.column))

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to gain or to spend."""
        return self._least <= self._aim or self._left <= 0

    def aim(self) -> None:
        """Find out what has to be paid in a small drawing: a search for less would be in vain."""
        if self._least > 0 and all(len(column) <= SMALL for column in self.best):
            self._aim = least_cost(self._ladder, self.best)

    def consider(self, order: Order) -> None:
        """Keep an order if it is the cheapest."""
        found = cost(self._ladder, order)
        if found < self._least:
            self.best, self._least = [list(column) for column in order], found

    def anneal(self, order: Order, cooling: Sequence[int]) -> None:
        """Smooth and sift in turn, until the search is over."""
        for times in cooling:
            if self.is_over:
                break
            sifter = _Sifter(self._ladder, _smooth(self._ladder, order, times), self._left)
            sifter.sift()
            self.consider(sifter.order)
            for drift in (-1, 1):
                sifter.sift(drift)
            self.consider(sifter.order)
            self._left = sifter.left
            order = sifter.order


def cost(ladder: Ladder, order: Order) -> float:
    """What an order costs, in crossings."""
    position = ladder.positions(order)
    return sum(
        [_crossings(ladder, position, each) + _turns(ladder, position, each) for each in order]
    )


def _crossings(ladder: Ladder, position: Sequence[int], column: Sequence[int]) -> int:
    """How many spans that leave a column cross."""
    total = 0
    ends: list[int] = []
    for place in column:
        own = sorted([position[head] for head in ladder.out[place]])
        total += sum([len(ends) - bisect_right(ends, end) for end in own])
        for end in own:
            insort(ends, end)
    return total


def _turns(ladder: Ladder, position: Sequence[int], column: Sequence[int]) -> float:
    """What it costs that operands arrive at a column out of written order."""
    total = 0.0
    for place in column:
        for upper, lower in pairwise(ladder.into[place]):
            if position[upper] > position[lower]:
                total += 1 if place in ladder.strict else TURNED
    return total


def least_cost(ladder: Ladder, order: Order) -> float:
    """The least cost of any order, where all columns are small: at most 1 ms for each.

    Only neighbouring columns cost anything together: the least of a column's order is what it
    costs after the best order of those before.
    """
    position = ladder.positions(order)
    paid: dict[tuple[int, ...], float] = {(): 0.0}
    for column in order:
        reached: dict[tuple[int, ...], float] = dict.fromkeys(permutations(column), float("inf"))
        for earlier, before in paid.items():
            _stand(position, earlier)
            for chosen, least in reached.items():
                _stand(position, chosen)
                price = _crossings(ladder, position, earlier) + _turns(ladder, position, chosen)
                reached[chosen] = min(least, before + price)
        paid = reached
    return min(paid.values())


def _stand(position: list[int], column: Sequence[int]) -> None:
    for index, place in enumerate(column):
        position[place] = index


def _walked(ladder: Ladder, into: Sequence[Sequence[int]]) -> Order:
    """The order in which a depth-first walk from the right meets the places."""
    order: Order = [[] for _ in range(max(ladder.column) + 1)]
    met = [False] * len(ladder.column)
    stack = [place for place, heads in enumerate(ladder.out) if not heads]
    while stack:
        place = stack.pop()
        if not met[place]:
            met[place] = True
            order[ladder.column[place]].append(place)
            stack.extend(reversed(into[place]))
    return order


def _met(ladder: Ladder) -> Order:
    """The order in which a breadth-first walk from the leaves meets the places."""
    order: Order = [[] for _ in range(max(ladder.column) + 1)]
    met = [not tails for tails in ladder.into]
    queue = deque(place for place, tails in enumerate(ladder.into) if not tails)
    while queue:
        place = queue.popleft()
        order[ladder.column[place]].append(place)
        for head in ladder.out[place]:
            if not met[head]:
                met[head] = True
                queue.append(head)
    return order


def _smooth(ladder: Ladder, order: Order, times: int) -> Order:
    """An order after every place moved some way towards the mean of its neighbours, repeatedly.

    What is left after many times is the slowest swing of the whole graph (its Fiedler vector),
    which puts together what belongs together, where sweeps see only two columns at a time.
    """
    count = len(ladder.column)
    tails = np.repeat(np.arange(count), [len(heads) for heads in ladder.out])
    heads = np.array([head for heads in ladder.out for head in heads], dtype=np.intp)
    degree = np.maximum(
        np.bincount(tails, minlength=count) + np.bincount(heads, minlength=count), 1
    )
    level = np.zeros(count)
    for column in order:
        level[column] = np.arange(len(column)) - (len(column) - 1) / 2
    for _ in range(times):
        pull = np.bincount(tails, level[heads], count) + np.bincount(heads, level[tails], count)
        level = (level + pull / degree) / 2
        level -= (level * degree).sum() / degree.sum()
        level /= max(np.sqrt((level * level * degree).sum()), STILL)
    return [sorted(column, key=level.__getitem__) for column in order]


class _Sifter:
    """An order under improvement.

    Attributes:
        order: As it is now.
        left: How many places may still be sifted.
    """

    def __init__(self, ladder: Ladder, start: Order, left: int) -> None:
        self.order = [list(column) for column in start]
        self.left = left
        self._ladder = ladder
        self._position = ladder.positions(start)
        self._changes = [0] * (len(start) + 2)
        self._quiet: dict[int, int] = {}

    def sift(self, drift: int = 0) -> None:
        """Move every place to where it costs least, until nothing moves or three times.

        Args:
            drift: First move as far up (-1) or down (1) as costs nothing, to get out of a dead
                end; 0 for not.
        """
        for turn in range(3):
            if self.left <= 0:
                break
            columns = range(len(self.order))
            saved = [
                self._sift_column(index, turn, drift)
                for index in (columns if turn % 2 == 0 else reversed(columns))
            ]
            if drift == 0 and sum(saved) < STILL:
                break
            drift = 0

    def _sift_column(self, index: int, turn: int, drift: int) -> float:
        column = self.order[index]
        surroundings = sum(self._changes[index : index + 3])
        if drift == 0 and self._quiet.get(index) == surroundings:
            return 0.0
        self.left -= len(column)
        saved = 0.0
        arranged = list(column)
        first = (BLOCK // 2) * (turn % 2) if len(column) > BLOCK else 0
        for start in range(first, len(column) - 1, BLOCK):
            block = column[start : start + BLOCK]
            excess = self._excess(block)
            if not excess:
                continue
            sifted, gain = _sifted(excess, drift)
            saved += gain
            arranged[start : start + BLOCK] = [block[i] for i in sifted]
        self._arrange(index, arranged)
        if len(column) <= BLOCK and saved < STILL:
            self._quiet[index] = sum(self._changes[index : index + 3])
        return saved

    def _arrange(self, index: int, places: list[int]) -> None:
        if self.order[index] != places:
            self.order[index] = places
            self._changes[index + 1] += 1
            for position, place in enumerate(places):
                self._position[place] = position

    def _excess(self, block: list[int]) -> list[list[float]]:
        """What each place costs more above than below each other; empty where nothing does."""
        ladder = self._ladder
        costs = np.zeros((len(block), len(block)))
        for tied in (ladder.into, ladder.out):
            costs += self._crossed([tied[place] for place in block])
        row = {place: i for i, place in enumerate(block)}
        for head in {head for place in block for head in ladder.out[place]}:
            for upper, lower in pairwise(ladder.into[head]):
                if upper != lower and upper in row and lower in row:
                    costs[row[lower], row[upper]] += 1 if head in ladder.strict else TURNED
        excess = costs - costs.T
        found: list[list[float]] = excess.tolist() if excess.any() else []
        return found

    def _crossed(self, tied: list[list[int]]) -> NDArray[np.float64]:
        """How often the spans of one place, if it stands above another, cross the other's."""
        own = [[self._position[other] for other in others] for others in tied]
        ends = sorted({end for others in own for end in others})
        place = {end: index for index, end in enumerate(ends)}
        width = len(ends)
        flat = [row * width + place[end] for row, others in enumerate(own) for end in others]
        counts = np.bincount(flat, minlength=len(tied) * width)
        at = counts.astype(np.float64).reshape(len(tied), width)
        crossed: NDArray[np.float64] = at @ (at.cumsum(axis=1) - at).T
        return crossed


def _sifted(excess: list[list[float]], drift: int) -> tuple[list[int], float]:
    """The new order of a block, as indices, and what it saves."""
    order = list(range(len(excess)))
    saved = 0.0
    for item in range(len(excess)):
        here = order.index(item)
        costs = excess[item]
        up = list(accumulate([costs[other] for other in reversed(order[:here])]))
        down = list(accumulate([-costs[other] for other in order[here + 1 :]]))
        least = min(min(up, default=0.0), min(down, default=0.0))
        if least > -STILL:
            if not drift:
                continue
            target = _drifted(up, down, here, drift)
        elif least in up:
            target = here - 1 - up.index(least)
        else:
            target = here + 1 + down.index(least)
        saved -= min(least, 0.0)
        order.pop(here)
        order.insert(target, item)
    return order, saved


def _drifted(up: list[float], down: list[float], here: int, drift: int) -> int:
    steps = up if drift < 0 else down
    free = [index + 1 for index, price in enumerate(steps) if price < STILL]
    return here + drift * max(free, default=0)
