"""Where each gradient of a trace was written, and which of those writes it still holds."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chainstep.trace import Kind

if TYPE_CHECKING:
    from chainstep.trace import Trace


@dataclass(slots=True)
class Writes:
    """The writes to one gradient: their step numbers, ascending, and what each one left.

    `since[i]` is the first write whose contribution is still in the sum after write `i`.
    `resets` are the steps that set the gradient from elsewhere: the seed, and outside writes.
    """

    numbers: list[int] = field(default_factory=list)
    since: list[int] = field(default_factory=list)
    resets: list[int] = field(default_factory=list)

    def add(self, number: int, accumulates: bool) -> None:
        """Take the next write, which keeps what it found or replaces it."""
        keeps = accumulates and bool(self.kept(number))
        self.since.append(self.since[-1] if keeps else len(self.numbers))
        self.numbers.append(number)

    def before(self, number: int) -> int:
        """How many of the writes come before a step."""
        return bisect_left(self.numbers, number)

    def kept(self, number: int) -> range:
        """Which writes (indices of `numbers`) the gradient holds before a step. O(log writes)."""
        count = self.before(number)
        resets = bisect_left(self.resets, number)
        if count == 0 or (resets and self.resets[resets - 1] > self.numbers[count - 1]):
            return range(0)
        return range(self.since[count - 1], count)


def history(trace: Trace) -> dict[int, Writes]:
    """The writes of a trace by target, made once and kept with it as a cached property is."""
    kept: dict[int, Writes] | None = vars(trace).get("_history")
    if kept is None:
        kept = vars(trace)["_history"] = {}
        for number, step in enumerate(trace.steps):
            if step.target is None:
                continue
            writes = kept.setdefault(step.target, Writes())
            if step.kind is Kind.WRITE:
                writes.add(number, accumulates=step.accumulates is not False)
            else:
                writes.resets.append(number)
    return kept
