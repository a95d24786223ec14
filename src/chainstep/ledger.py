"""The account of each gradient: every change of it, and which contributions were lost again.

Positions here are those of a trace: a change is made between the position before it and its own.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from heapq import merge
from typing import TYPE_CHECKING

from chainstep.history import Writes, history
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.trace import Trace


@dataclass(frozen=True, slots=True)
class Entry:
    """One change of a gradient.

    Attributes:
        position: The position right after it: seek there to see it.
        kind: WRITE is a contribution; SEED and OUTSIDE set the gradient from elsewhere.
        consumer: Id of the node whose `_backward` wrote; of the root for SEED; None for OUTSIDE.
        slot: Operand slot of the consumer that it came through; None where that is not known.
        upstream: Gradient of the consumer when it was called.
        local: Local derivative through that slot; None where unknown.
        contribution: What was handed over; None where the gradient was set from outside.
        before: The gradient that it found.
        after: The gradient that it left: the running sum.
        accumulates: Whether it kept what it found.
        lost_at: The position at which what it brought was replaced; None where it stays.
    """

    position: int
    kind: Kind
    consumer: int | None
    slot: int | None
    upstream: float | None
    local: float | None
    contribution: float | None
    before: float
    after: float
    accumulates: bool
    lost_at: int | None = None

    def is_lost(self, position: int) -> bool:
        """Whether what it brought is no longer in the gradient at a position."""
        return self.lost_at is not None and self.lost_at <= position


class Ledger:
    """The accounts of one trace. Get it by :func:`ledger`, which makes it once."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._positions: dict[int, Sequence[int]] = {}
        self._entries: dict[int, tuple[Entry, ...]] = {}

    def entries(self, node_id: int) -> tuple[Entry, ...]:
        """Every change of a node's gradient, in order. O(changes) the first time."""
        if node_id not in self._entries:
            self._entries[node_id] = self._account(node_id)
        return self._entries[node_id]

    def _account(self, node_id: int) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        held: list[int] = []
        for position in self.writes(node_id):
            step = self._trace.steps[position - 1]
            assert step.before is not None
            assert step.after is not None
            keeps = step.kind is Kind.WRITE and step.accumulates is not False
            if not keeps:
                for place in held:
                    entries[place] = replace(entries[place], lost_at=position)
                held.clear()
            held.append(len(entries))
            entries.append(
                Entry(
                    position,
                    step.kind,
                    step.node,
                    step.slot,
                    step.upstream,
                    step.local,
                    step.contribution,
                    step.before,
                    step.after,
                    keeps,
                )
            )
        return tuple(entries)

    def opening(self, node_id: int) -> float:
        """The gradient before the first step: not 0 where an earlier pass left one."""
        return self._trace.initial.get(node_id, 0.0)

    def opening_lost_at(self, node_id: int) -> int | None:
        """The position at which the opening gradient was replaced; None where it stays."""
        entries = self.entries(node_id)
        return next((entry.position for entry in entries if not entry.accumulates), None)

    def gradients(self, node_id: int) -> list[tuple[int, float]]:
        """The gradient over the trace: (position, gradient from there on), beginning at 0."""
        changes = [(entry.position, entry.after) for entry in self.entries(node_id)]
        return [(0, self.opening(node_id)), *changes]

    # -- which write --------------------------------------------------------------------

    def writes(self, node_id: int) -> Sequence[int]:
        """The positions right after each change of a node's gradient, ascending."""
        if node_id not in self._positions:
            found = history(self._trace).get(node_id) or Writes()
            numbers = merge(found.numbers, found.resets)
            self._positions[node_id] = [number + 1 for number in numbers]
        return self._positions[node_id]

    def last_write(self, node_id: int, position: int) -> int | None:
        """Where the gradient that a node has at a position was written; None for nowhere yet."""
        return self.previous_write(node_id, position + 1)

    def next_write(self, node_id: int, position: int) -> int | None:
        """The nearest position after this one right after a change of a node's gradient."""
        writes = self.writes(node_id)
        at = bisect_right(writes, position)
        return writes[at] if at < len(writes) else None

    def previous_write(self, node_id: int, position: int) -> int | None:
        """The nearest position before this one right after a change of a node's gradient."""
        writes = self.writes(node_id)
        at = bisect_left(writes, position)
        return writes[at - 1] if at else None


def ledger(trace: Trace) -> Ledger:
    """The accounts of a trace, made once and kept with it as a cached property is.

    The first question about any node walks the trace, O(steps); after that each node costs its
    own changes once, and a question about a position O(log changes).
    """
    kept: Ledger | None = vars(trace).get("_ledger")
    if kept is None:
        kept = vars(trace)["_ledger"] = Ledger(trace)
    return kept
