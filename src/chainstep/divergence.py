"""Where the same pass gives different gradients with `+=` and with `=`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from copy import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.trace import Step, Trace


class Divergence:
    """The nodes whose gradients differ between two traces, at any position of both.

    Both traces are walked once when it is made; after that a position costs the changes that
    lie between it and the one asked for before.

    Args:
        one: A trace.
        other: The same pass in another mode. The shorter one stays at its end.
        match: The position in `other` that stands beside one in `one`; the same by default.
    """

    def __init__(self, one: Trace, other: Trace, match: Callable[[int], int] | None = None) -> None:
        self._positions: list[int] = []
        self._changes: list[tuple[int, bool]] = []
        self.starts: Sequence[int] = ()
        """Positions, ascending, at which some node begins to differ."""
        self._now: set[int] = set()
        self._at = 0
        self._walk(one, other, match)

    def _walk(self, one: Trace, other: Trace, match: Callable[[int], int] | None) -> None:
        left, right = dict(one.initial), dict(other.initial)
        for node_id in left.keys() | right.keys():
            self._compare(0, node_id, left, right)
        length = len(one.steps) if match else max(len(one.steps), len(other.steps))
        reached = 0
        for number in range(length):
            end = number + 1 if match is None else match(number + 1)
            new = (*one.steps[number : number + 1],), other.steps[reached:end]
            reached = max(reached, end)
            for steps, gradients in zip(new, (left, right), strict=True):
                for step in steps:
                    _apply(step, gradients)
            for step in (*new[0], *new[1]):
                if step.target is not None:
                    self._compare(number + 1, step.target, left, right)
        changes = zip(self._positions, self._changes, strict=True)
        self.starts = sorted({position for position, (_, differs) in changes if differs})
        self._at = length

    def until(self, position: int) -> Divergence:
        """What may be known of it at a position. O(changes so far): no trace is walked again."""
        told, end = copy(self), bisect_right(self._positions, position)
        vars(told).update(
            _now={*self.at(position)},
            _at=position,
            _positions=self._positions[:end],
            _changes=self._changes[:end],
            starts=self.starts[: bisect_right(self.starts, position)],
        )
        return told

    def _compare(
        self, position: int, node_id: int, left: dict[int, float], right: dict[int, float]
    ) -> None:
        a, b = left.get(node_id, 0.0), right.get(node_id, 0.0)
        differs = a != b and not (a != a and b != b)  # noqa: PLR0124  nan on both sides agrees
        if differs is (node_id in self._now):
            return
        self._positions.append(position)
        self._changes.append((node_id, differs))
        self._set(node_id, differs)

    def _set(self, node_id: int, differs: bool) -> None:
        if differs:
            self._now.add(node_id)
        else:
            self._now.discard(node_id)

    def at(self, position: int) -> frozenset[int]:
        """Ids of the nodes that differ there."""
        here = bisect_right(self._positions, self._at)
        there = bisect_right(self._positions, position)
        for number in range(here, there):
            self._set(*self._changes[number])
        for number in range(here - 1, there - 1, -1):
            node_id, differs = self._changes[number]
            self._set(node_id, not differs)
        self._at = position
        return frozenset(self._now)

    def next(self, position: int) -> int | None:
        """The nearest position after this one at which some node begins to differ."""
        at = bisect_right(self.starts, position)
        return self.starts[at] if at < len(self.starts) else None

    def previous(self, position: int) -> int | None:
        """The nearest position before this one at which some node begins to differ."""
        at = bisect_left(self.starts, position)
        return self.starts[at - 1] if at else None


def _apply(step: Step, gradients: dict[int, float]) -> None:
    if step.target is not None and step.after is not None:
        gradients[step.target] = step.after
