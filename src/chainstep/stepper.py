"""A position in one trace, and the gradients there.

Forward applies a step's `after`, back applies its `before`: values are restored, never
subtracted, so nan, inf and rounding survive any number of steps both ways.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.trace import Step, Trace

CHECKPOINT_EVERY = 4096
"""Steps between two stored states: seeking applies half of these at the most."""


class State:
    """How much of a node's gradient has arrived: `done` of `total` writes of this trace.

    Untouched, partial and final are told apart by counts alone, so that a gradient that was
    computed to be 0.0 never looks like one that has not come yet.
    """

    __slots__ = ("done", "total")

    def __init__(self, done: int, total: int) -> None:
        self.done = done
        self.total = total

    @property
    def untouched(self) -> bool:
        """Nothing has been written yet."""
        return self.done == 0

    @property
    def partial(self) -> bool:
        """Something has been written, and more will be."""
        return 0 < self.done < self.total

    @property
    def final(self) -> bool:
        """The last write has been made."""
        return 0 < self.done == self.total


class Stepper:
    """A position in `trace`: the number of its steps that are applied, 0 to `length`.

    Args:
        trace: The pass to step through.
        size: Number of nodes in the recording; gradients are indexed by node id.

    Memory: one copy of the gradients per `CHECKPOINT_EVERY` steps. Seeking costs that many
    steps at the most, wherever it goes.
    """

    def __init__(self, trace: Trace, size: int) -> None:
        self.trace = trace
        self.position = 0
        self._gradients = array("d", bytes(8 * size))
        for node_id, value in trace.initial.items():
            self._gradients[node_id] = value
        self._done = array("l", bytes(array("l").itemsize * size))
        self._total = array("l", self._done)
        self._checkpoints = [(array("d", self._gradients), array("l", self._done))]
        self._stops = [0]
        self._index(trace.steps)
        self.seek(0)

    def _index(self, steps: Sequence[Step]) -> None:
        """Walk the trace once: checkpoints, totals, and the stops of the coarse grain."""
        previous: Step | None = None
        for number, step in enumerate(steps):
            if number and number % CHECKPOINT_EVERY == 0:
                checkpoint = (array("d", self._gradients), array("l", self._done))
                self._checkpoints.append(checkpoint)
            begins = step.kind in (Kind.CALL, Kind.SEED) or (
                previous is not None and step.kind is not previous.kind is not Kind.CALL
            )
            if begins and number:
                self._stops.append(number)
            self._apply(step)
            previous = step
        if steps:
            self._stops.append(len(steps))
        self._total = array("l", self._done)
        self.position = len(steps)

    def _apply(self, step: Step) -> None:
        if step.target is not None and step.after is not None:
            self._gradients[step.target] = step.after
            self._done[step.target] += 1

    def _revert(self, step: Step) -> None:
        if step.target is not None and step.before is not None:
            self._gradients[step.target] = step.before
            self._done[step.target] -= 1

    @property
    def length(self) -> int:
        """Number of steps in the trace."""
        return len(self.trace.steps)

    @property
    def current(self) -> Step | None:
        """The step applied last; None at the start."""
        return self.trace.steps[self.position - 1] if self.position else None

    @property
    def gradients(self) -> Sequence[float]:
        """Gradients at this position, by node id. A live view: copy it to keep it."""
        return self._gradients

    @property
    def running(self) -> int | None:
        """Id of the node whose `_backward` the position is in; None before, after, between."""
        step = self.current
        return step.node if step is not None and step.kind in (Kind.CALL, Kind.WRITE) else None

    @property
    def call(self) -> tuple[int, int]:
        """(number of calls begun so far, number of calls of the trace)."""
        return bisect_left(self._calls, self.position), len(self._calls)

    @property
    def _calls(self) -> Sequence[int]:
        if not hasattr(self, "_call_numbers"):
            self._call_numbers = array(
                "l", (n for n, step in enumerate(self.trace.steps) if step.kind is Kind.CALL)
            )
        return self._call_numbers

    @property
    def stops(self) -> Sequence[int]:
        """Positions at which stepping over stops: the ends of seed, calls and outside runs."""
        return self._stops

    def state(self, node_id: int) -> State:
        """How much of a node's gradient has arrived at this position."""
        return State(self._done[node_id], self._total[node_id])

    def seek(self, position: int) -> None:
        """Go to a position; one beyond an end goes to that end."""
        position = max(0, min(position, self.length))
        nearest = position // CHECKPOINT_EVERY
        if abs(self.position - position) > position - nearest * CHECKPOINT_EVERY:
            gradients, done = self._checkpoints[min(nearest, len(self._checkpoints) - 1)]
            self._gradients[:] = gradients
            self._done[:] = done
            self.position = min(nearest, len(self._checkpoints) - 1) * CHECKPOINT_EVERY
        steps = self.trace.steps
        for number in range(self.position, position):
            self._apply(steps[number])
        for number in range(self.position - 1, position - 1, -1):
            self._revert(steps[number])
        self.position = position

    def next_stop(self) -> int:
        """Where stepping over leads from here: the end of this or the next `_backward`."""
        at = bisect_right(self._stops, self.position)
        return self._stops[at] if at < len(self._stops) else self.length

    def previous_stop(self) -> int:
        """Where stepping back over leads: the end of the `_backward` before."""
        at = bisect_left(self._stops, self.position)
        return self._stops[at - 1] if at else 0

    def end_of_call(self) -> int:
        """Where stepping out leads: the end of the running `_backward`, or of the pass."""
        at = bisect_left(self._stops, self.position)
        inside = at < len(self._stops) and self._stops[at] != self.position
        return self._stops[at] if inside else self.length
