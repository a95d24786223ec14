"""In which order the `_backward` functions ran, and whether each had its whole gradient by then.

A node is ready when all its consumers have run: only then has everything come that will come.
Positions here are those of a trace.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from copy import copy
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from chainstep.explain import named
from chainstep.graph import topological
from chainstep.sentence import joined, ordinal
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from chainstep.trace import Recording, Trace


class Progress(Enum):
    """How far a call is at a position."""

    RAN = "ran"
    RUNNING = "running"
    NEXT = "next"
    TO_COME = "to come"


@dataclass(frozen=True, slots=True)
class Turn:
    """One line of the order: one call of one `_backward`, seen from a position.

    Attributes:
        number: Its place in the order, from 0.
        node: Id of the node that runs.
        position: The position at which its `_backward` has just begun.
        progress: How far it is.
        early: Whether it runs before its gradient is complete.
        again: How often the node has run before; above 0 only where nothing was sorted.
        why: A sentence: why it is ready, or what it does not wait for.
    """

    number: int
    node: int
    position: int
    progress: Progress
    early: bool
    again: int
    why: str


class Readiness:
    """The order of one trace, as a list of turns.

    Built in O(nodes + edges + steps).

    Args:
        recording: Holds the nodes.
        trace: The pass.
    """

    def __init__(self, recording: Recording, trace: Trace) -> None:
        self._nodes = recording.nodes
        self._trace = trace
        self._positions = array("i")
        self._turns: dict[int, array[int]] = {}
        for position, step in enumerate(trace.steps, start=1):
            if step.kind is Kind.CALL and step.node is not None:
                self._turns.setdefault(step.node, array("i")).append(len(self._positions))
                self._positions.append(position)
        self._sequence: Sequence[int] = trace.sequence
        self._outside: frozenset[int] = frozenset()
        self._consumers = self._find_consumers()

    def until(self, recording: Recording, trace: Trace) -> Readiness:
        """What may be known of it. O(calls so far): neither graph nor trace is walked again.

        Args:
            recording: What may be known of the recording.
            trace: What may be known of the trace: the same up to some step.
        """
        told, begun = copy(self), bisect_right(self._positions, len(trace.steps))
        vars(told).pop("early", None)
        vars(told).update(
            _nodes=recording.nodes,
            _trace=trace,
            _positions=self._positions[:begun],
            _sequence=self._sequence[:begun],
        )
        if len(self._turns) == len(self._positions) and not self._outside:
            # Where each node below the root runs once, and no other, what is to come changes
            # nothing in what was too early.
            vars(told)["early"] = self.early[: bisect_left(self.early, begun)]
        return told

    @cached_property
    def early(self) -> Sequence[int]:
        """The numbers of the turns that come before their gradient is complete, ascending."""
        return array("i", filter(self._is_early, range(len(self))))

    def _find_consumers(self) -> dict[int, list[int]]:
        """Who uses each node, of those that the root reaches or that run; each once."""
        nodes = self._nodes
        below = topological(self._trace.root, lambda node: nodes[node].children)
        self._outside = frozenset(self._turns).difference(below)
        consumers: dict[int, list[int]] = {}
        for consumer in sorted({*below, *self._turns}):
            for child in dict.fromkeys(nodes[consumer].children):
                if child != consumer:
                    consumers.setdefault(child, []).append(consumer)
        return consumers

    def _turns_of(self, node_id: int) -> Sequence[int]:
        """The numbers of the turns of a node, as far as they may be known."""
        turns: Sequence[int] = self._turns.get(node_id, ())
        if self._trace.hidden:
            return turns[: bisect_left(turns, len(self._positions))]
        return turns

    def _missing(self, number: int) -> list[int]:
        """The consumers of the node of a turn that run later, or never."""
        found = []
        for consumer in self.consumers(self._sequence[number]):
            turns = self._turns_of(consumer)
            if not turns or turns[-1] > number:
                found.append(consumer)
        return found

    def _is_early(self, number: int) -> bool:
        return self._sequence[number] != self._trace.root and bool(self._missing(number))

    def __len__(self) -> int:
        return len(self._positions)

    def consumers(self, node_id: int) -> Sequence[int]:
        """The consumers of a node in this pass, in order of creation, each once."""
        found: Sequence[int] = self._consumers.get(node_id, ())
        if self._trace.hidden and self._outside:
            # That such a node runs at all is not to be known before it does.
            return [n for n in found if n not in self._outside or self._turns_of(n)]
        return found

    def frontier(self, ran: Collection[int]) -> list[int]:
        """What may seem to come next once some nodes have run: operands of theirs, else the root.

        In order of creation, so that it tells nothing of what really comes. Where the pass runs
        nodes again, those that have run are among them.
        """
        if not ran:
            return [self._trace.root]
        found = {child for node in ran for child in self._nodes[node].children}
        known = self._trace.initial
        return sorted(each for each in found if each in known and (self.early or each not in ran))

    def cursor(self, position: int) -> int:
        """The number of the turn that runs or comes next at a position; all at the end."""
        begun = bisect_right(self._positions, position)
        return begun - 1 if begun and self._is_running(begun - 1, position) else begun

    def turn(self, number: int, position: int) -> Turn:
        """One line of the order, seen from a position. O(consumers of its node)."""
        node = self._sequence[number]
        return Turn(
            number,
            node,
            self._positions[number],
            self._progress(number, position),
            self._is_early(number),
            self._times_before(number),
            self.why(number, position),
        )

    def _progress(self, number: int, position: int) -> Progress:
        begun = bisect_right(self._positions, position)
        if number < begun - 1:
            return Progress.RAN
        if number == begun - 1:
            return Progress.RUNNING if self._is_running(number, position) else Progress.RAN
        return Progress.NEXT if number == begun else Progress.TO_COME

    def _is_running(self, number: int, position: int) -> bool:
        """Whether the call that began last is still the one at work at a position."""
        step = self._trace.steps[min(position, len(self._trace.steps)) - 1]
        of_a_call = step.kind in (Kind.CALL, Kind.WRITE)
        return of_a_call and step.node == self._sequence[number]

    # -- why ----------------------------------------------------------------------------

    def why(self, number: int, position: int) -> str:
        """Why a turn is where it is: what has run before it, or what it does not wait for.

        Of a turn that is still to come it says what has run by now.
        """
        node = self._sequence[number]
        consumers = self.consumers(node)
        if node == self._trace.root:
            return self._again(number) or "The root: its gradient is the seed."
        if not consumers:
            return "No node of this pass uses it: its gradient stays as it was."
        missing = self._missing(number)
        if missing:
            return self._too_early(missing, number)
        begun = bisect_right(self._positions, position)
        if number > begun:
            return self._waiting(consumers, begun)
        return f"Ready: {self._all_ran(consumers)}. {self._again(number)}".rstrip()

    def _all_ran(self, consumers: Sequence[int]) -> str:
        names = self._names(consumers)
        if len(consumers) == 1:
            return f"its only consumer has run: {names}"
        return f"all {len(consumers)} consumers have run: {names}"

    def _too_early(self, missing: Sequence[int], number: int) -> str:
        never = [node for node in missing if not self._turns_of(node)]
        if never and self._trace.hidden:
            return f"Ran before {self._names(never)}: its gradient was not complete."
        later = [node for node in missing if self._turns_of(node)]
        if not later:
            runs = "runs" if len(never) == 1 else "run"
            return f"Its gradient is not complete: {self._names(never)} never {runs}."
        have = "has" if len(later) == 1 else "have"
        again = any(self._turns_of(node)[0] < number for node in later)
        when = f"{have} run{' for the last time' if again else ''}"
        return f"Runs before {self._names(later)} {when}: its gradient is not complete."

    def _waiting(self, consumers: Sequence[int], begun: int) -> str:
        rest = [node for node in consumers if self._turns_of(node)[-1] >= begun]
        if not rest:
            return f"Ready: {self._all_ran(consumers)}."
        done = len(consumers) - len(rest)
        ran = "1 consumer has" if len(consumers) == 1 else f"{len(consumers)} consumers have"
        return f"Waits for {self._names(rest)}: {done} of {ran} run."

    def _times_before(self, number: int) -> int:
        return bisect_left(self._turns[self._sequence[number]], number)

    def _again(self, number: int) -> str:
        times = self._times_before(number)
        if not times:
            return ""
        return f"It runs for the {ordinal(times + 1)} time and passes its gradient on again."

    def _names(self, nodes: Sequence[int]) -> str:
        return joined([named(self._nodes[node]) for node in nodes])
