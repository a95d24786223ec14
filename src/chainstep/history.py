"""Where each gradient of a trace was written, and which of those writes it still holds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

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

    def until(self, number: int) -> Writes:
        """The same before a step, as if no other came."""
        count, resets = self.before(number), bisect_left(self.resets, number)
        return Writes(self.numbers[:count], self.since[:count], self.resets[:resets])


def history(trace: Trace) -> Mapping[int, Writes]:
    """The writes of a trace by target, made once and kept with it as a cached property is."""
    kept: Mapping[int, Writes] | None = vars(trace).get("_history")
    if kept is None:
        kept = vars(trace)["_history"] = _walked(trace)
    return kept


def _walked(trace: Trace) -> dict[int, Writes]:
    found: dict[int, Writes] = {}
    for number, step in enumerate(trace.steps):
        if step.target is None:
            continue
        writes = found.setdefault(step.target, Writes())
        if step.kind is Kind.WRITE:
            writes.add(number, accumulates=step.accumulates is not False)
        else:
            writes.resets.append(number)
    return found


def keep_start(trace: Trace, whole: Trace) -> None:
    """Let the start of a trace have its history from that of the whole: no step is walked again.

    Args:
        trace: What may be known of the whole: the same up to some step.
        whole: The whole.
    """
    if trace is not whole:
        vars(trace)["_history"] = _Start(history(whole), len(trace.steps))


class _Start(Mapping[int, Writes]):
    """A history before a step, found when it is asked for."""

    def __init__(self, whole: Mapping[int, Writes], number: int) -> None:
        self._whole = whole
        self._number = number

    def __getitem__(self, target: int) -> Writes:
        writes = self._whole[target].until(self._number)
        if not writes.numbers and not writes.resets:
            raise KeyError(target)
        return writes

    def __iter__(self) -> Iterator[int]:
        return (target for target in self._whole if target in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)
