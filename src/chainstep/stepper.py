"""A position in one trace, and the gradients there.

Forward applies a step's `after`, back restores what that replaced: nothing is ever subtracted,
so nan, inf and rounding survive any number of steps both ways.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from copy import copy
from typing import TYPE_CHECKING

from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.graph import Node
    from chainstep.trace import Step, Trace

CHECKPOINT_EVERY = 4096
"""Steps between two stored states: seeking applies half of these at the most.

In a recording of more than four times as many nodes it is a quarter of the nodes, so that the
stored states never take more than 64 bytes per step.
"""


class State:
    """How much of a node's gradient has arrived: `done` of `total` writes of this trace.

    `total` is None where more of the trace is hidden: then nobody can say.

    Untouched, partial and final are told apart by counts alone, so that a gradient that was
    computed to be 0.0 never looks like one that has not come yet.
    """

    __slots__ = ("done", "total")

    def __init__(self, done: int, total: int | None) -> None:
        self.done = done
        self.total = total

    @property
    def untouched(self) -> bool:
        """Nothing has been written yet."""
        return self.done == 0

    @property
    def partial(self) -> bool:
        """Something has been written, and more will be."""
        return self.done > 0 and (self.total is None or self.done < self.total)

    @property
    def final(self) -> bool:
        """The last write has been made."""
        return 0 < self.done == self.total

    @property
    def share(self) -> str:
        """`1 of 3`, or `1 of ?` where it may not be known how many will come."""
        return f"{self.done} of ?" if self.total is None else f"{self.done} of {self.total}"


class Stepper:
    """A position in `trace`: the number of its steps that are applied, 0 to `length`.

    Args:
        trace: The pass to step through.
        size: Number of nodes in the recording; gradients are indexed by node id.

    Memory: 16 bytes per node for every `CHECKPOINT_EVERY` steps. Seeking applies half as many
    steps at the most, wherever it goes.
    """

    def __init__(self, trace: Trace, size: int) -> None:
        self.trace = trace
        self.position = 0
        self._gradients = array("d", bytes(8 * size))
        for node_id, value in trace.initial.items():
            self._gradients[node_id] = value
        self._done = array("l", bytes(array("l").itemsize * size))
        # Not the steps' own `before`: where a write has slipped past the recorder, or -0.0 was
        # taken for 0.0, that is not what going forward has left here.
        self._replaced = array("d")
        self._calls = array("l")
        self._moves: dict[int, list[tuple[int, float]]] = {}
        self._stops = [0]
        self._spacing = max(CHECKPOINT_EVERY, size // 4)
        self._checkpoints = [self._copy()]
        self._index(trace.steps)
        self._total = array("l", self._done)
        self.seek(0)

    def until(self, trace: Trace) -> Stepper:
        """What may be known of it, at its end. O(nodes + calls): the steps are not walked again.

        Args:
            trace: What may be known of its trace: the same up to some step.
        """
        end = len(trace.steps)
        gradients, done = self._copy()
        told = copy(self)
        vars(told).update(_gradients=gradients, _done=done)
        told.seek(end)
        here = array("d", gradients), array("l", done)
        stops = self._stops[: max(1, bisect_left(self._stops, end))]
        moves = {
            node: made[:known]
            for node, made in self._moves.items()
            if (known := bisect_right(made, end, key=_number))
        }
        vars(told).update(
            trace=trace,
            _total=array("l", done),
            _calls=self._calls[: bisect_left(self._calls, end)],
            _stops=[*stops, end] if end and not trace.hidden else stops,
            _moves=moves,
            _checkpoints=[
                *self._checkpoints[: max(0, end - 1) // self._spacing + 1],
                *([here] if end else ()),
            ],
        )
        return told

    def _copy(self) -> tuple[array[float], array[int]]:
        return array("d", self._gradients), array("l", self._done)

    def _index(self, steps: Sequence[Step]) -> None:
        """Walk the trace once: what each step replaced, checkpoints, calls and stops."""
        for number, step in enumerate(steps):
            if number and number % self._spacing == 0:
                self._checkpoints.append(self._copy())
            if number and begins(step, steps[number - 1]):
                self._stops.append(number)
            if step.kind is Kind.CALL:
                self._calls.append(number)
            if step.moves and step.node is not None and step.after is not None:
                self._moves.setdefault(step.node, []).append((number + 1, step.after))
            self._replaced.append(0.0 if step.target is None else self._gradients[step.target])
            self._apply(step)
        if steps:
            if not self.trace.hidden:
                self._stops.append(len(steps))
            self._checkpoints.append(self._copy())
        self.position = len(steps)

    def _apply(self, step: Step) -> None:
        if step.target is not None and step.after is not None:
            self._gradients[step.target] = step.after
            self._done[step.target] += 1

    def _revert(self, number: int) -> None:
        step = self.trace.steps[number]
        if step.target is not None and step.after is not None:
            self._gradients[step.target] = self._replaced[number]
            self._done[step.target] -= 1

    @property
    def length(self) -> int:
        """Number of steps in the trace, those that are hidden among them."""
        return self.trace.length

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
        """Id of the node whose `_backward` the last step belongs to; None for seed and outside."""
        step = self.current
        return step.node if step is not None and step.kind in (Kind.CALL, Kind.WRITE) else None

    @property
    def call(self) -> tuple[int, int]:
        """(number of calls begun so far, number of calls of the trace)."""
        return bisect_left(self._calls, self.position), len(self._calls)

    @property
    def stops(self) -> Sequence[int]:
        """Positions at which stepping over stops: the ends of seed, calls and outside runs.

        Both ends of the trace are among them. A call that goes on after one that ran inside it
        stops twice.
        """
        return self._stops

    def data(self, node: Node) -> float:
        """The number that a node holds at this position: other than at first after updates."""
        moves = self._moves.get(node.id, ())
        at = bisect_right(moves, self.position, key=_number)
        return moves[at - 1][1] if at else self.trace.data.get(node.id, node.data)

    def state(self, node_id: int) -> State:
        """How much of a node's gradient has arrived at this position."""
        total = None if self.trace.hidden else self._total[node_id]
        return State(self._done[node_id], total)

    def seek(self, position: int) -> None:
        """Go to a position; one beyond an end, or what is hidden, goes to that end."""
        position = max(0, min(position, len(self.trace.steps)))
        nearest = min((position + self._spacing // 2) // self._spacing, len(self._checkpoints) - 1)
        stored_at = min(nearest * self._spacing, len(self.trace.steps))
        if abs(self.position - position) > abs(stored_at - position):
            self._gradients[:], self._done[:] = self._checkpoints[nearest]
            self.position = stored_at
        steps = self.trace.steps
        for number in range(self.position, position):
            self._apply(steps[number])
        for number in range(self.position - 1, position - 1, -1):
            self._revert(number)
        self.position = position


def begins(step: Step, previous: Step) -> bool:
    """Whether stepping over stops between two steps that follow one another."""
    if step.kind is Kind.OUTSIDE:
        return previous.kind is not Kind.OUTSIDE or previous.moves is not step.moves
    if step.kind is Kind.WRITE:
        return previous.kind not in (Kind.CALL, Kind.WRITE) or previous.node != step.node
    return True


def _number(move: tuple[int, float]) -> int:
    """The position right after a move."""
    return move[0]
