"""The three phases of one backward pass on one timeline: forward, sort, backward.

A position in a story is a number of moments that are over: first the Values that are made, then
what the topological sort does, then the steps of the trace. Where one phase ends the next one
begins, so each boundary is one position that belongs to both.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from copy import copy
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from chainstep.arrival import first_passes, nodes_by_first_pass
from chainstep.graph import topological
from chainstep.history import history
from chainstep.sorting import sort_behind
from chainstep.stepper import begins
from chainstep.trace import Kind, Order
from chainstep.training import Parts, parts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.divergence import Divergence
    from chainstep.sorting import Act, Sort, Taken
    from chainstep.trace import Recording, Step, Trace


class Phase(Enum):
    """A part of the story."""

    FORWARD = "forward"
    SORT = "sort"
    BACKWARD = "backward"


class Grain(Enum):
    """How far one press of a key goes.

    INTO is one moment. OVER is one Value made with its constants, one node put on the list, or
    one `_backward` with its writes.
    """

    INTO = "into"
    OVER = "over"


class Mark(Enum):
    """What a place on the timeline is marked for."""

    REUSE = "reuse"
    DIVERGENCE = "divergence"
    ERROR = "error"
    BREAKPOINT = "breakpoint"
    FINDING = "finding"


@dataclass(frozen=True, slots=True)
class Moment:
    """One moment of a story, as plain data.

    Attributes:
        phase: Where it belongs.
        node: Id of the node that is made, sorted, or whose `_backward` runs; None for a write
            from outside.
        act: What the sort does; None in the other phases.
        asker: Sort: the consumer by way of which the node is met; None for the root.
        depth: Sort: how many calls of `build_topo` are around this one.
        waiting: Breadth-first sort: how many uses of the node are still to be told.
        listed: How many nodes are on the list after this moment.
        step: Backward: the number of the step in the trace; None in the other phases.
    """

    phase: Phase
    node: int | None
    act: Act | None = None
    asker: int | None = None
    depth: int = 0
    waiting: int = 0
    listed: int = 0
    step: int | None = None


class Story:
    """One pass of a recording, told from its first Value to its last step.

    Built in O(nodes + edges + steps). Everything asked of it afterwards takes O(log) at the most
    where it does not say otherwise.

    Args:
        recording: Holds the nodes.
        trace: The pass.
        like: The story of the same pass in another mode, of which is taken what is the same.

    Attributes:
        made: Ids of the nodes that are made for this pass, in order of creation. What an earlier
            pass of the program reached is not among them: it exists already.
        reached: Ids of the nodes that the root reaches, children before consumers.
        existing: How many of the nodes that the root reaches exist already.
        sort: What the topological sort does; None where none took place, or not this one.
        known: The position up to which moments may be known: the length of a whole story.
    """

    def __init__(self, recording: Recording, trace: Trace, like: Story | None = None) -> None:
        self.recording = recording
        self.trace = trace
        if like is None or (like.trace.pass_index, like.trace.root) != (
            trace.pass_index,
            trace.root,
        ):
            like = None
        self.made: Sequence[int] = like.made if like else self._find_made()
        self.reached: Sequence[int] = (
            like.reached if like else array("i", topological(trace.root, self._children))
        )
        since = first_passes(recording)
        self.existing = sum(since[node] < trace.pass_index for node in self.reached)
        self.sort: Sort | None
        self._taken: Taken | None
        if like is not None and self._sorts_as(like):
            self.sort, self._taken = like.sort, like._taken  # noqa: SLF001  another of these
        else:
            self.sort, self._taken = sort_behind(trace, self.reached, self._children)
        made = len(self.made)
        self._starts = (0, made, made + len(self.sort or ()))
        self._stops = self._find_stops()
        self.known = self.length

    def until(self, recording: Recording, trace: Trace, position: int) -> Story:
        """What may be known of it at a position; its length stays.

        Args:
            recording: What may be known of the recording.
            trace: What may be known of the trace.
            position: How many moments are over.
        """
        told = copy(self)
        for kept in ("_calls", "reuses", "parts"):
            vars(told).pop(kept, None)
        told.recording, told.trace, told.known = recording, trace, position
        start, stops = self._starts[2], self._stops
        if trace.steps == self.trace.steps[: len(trace.steps)]:
            reuses = self.reuses
            told.reuses = reuses[: bisect_right(reuses, start + len(trace.steps))]
        known = stops[: bisect_right(stops, min(position, start))]
        end = bisect_left(stops, start + len(trace.steps))
        known.extend(stops[bisect_right(stops, start) : end])
        told._stops = known  # noqa: SLF001  another of these
        return told

    def _find_made(self) -> Sequence[int]:
        nodes = self.recording.nodes
        new = nodes_by_first_pass(self.recording).get(self.trace.pass_index, ())
        return array("i", sorted(new, key=lambda node: (nodes[node].serial, node)))

    def _sorts_as(self, other: Story) -> bool:
        """Whether the calls came as in another mode, so that the sort is the same."""
        one, two = self.trace, other.trace
        own_sort = one.order is Order.AS_WRITTEN and two.order is Order.DEPTH_FIRST
        return (
            (one.order is two.order or (own_sort and other.sort is not None))
            and one.error is two.error is None
            and one.sequence == two.sequence
        )

    def _children(self, node_id: int) -> Sequence[int]:
        return self.recording.nodes[node_id].children

    def _find_stops(self) -> array[int]:
        nodes, steps = self.recording.nodes, self.trace.steps
        _, sort_start, start = self._starts
        stops = array("i", (0,))
        stops.extend(
            place for place, node in enumerate(self.made, start=1) if not nodes[node].constant
        )
        if stops[-1] != sort_start:
            stops.append(sort_start)
        if self.sort is not None:
            stops.extend(sort_start + stop for stop in self.sort.stops())
        stops.extend(
            start + number
            for number in range(1, len(steps))
            if begins(steps[number], steps[number - 1])
        )
        if stops[-1] != self.length:
            stops.append(self.length)
        return stops

    @property
    def takes_as_written(self) -> bool:
        """Whether the sort visits operands in written order, not in that of a set."""
        return self._taken is None

    def operands(self, node_id: int) -> Sequence[int]:
        """The operands of a node, in the order in which the sort takes them."""
        return self._children(node_id) if self._taken is None else self._taken[node_id]

    # -- where things are ---------------------------------------------------------------

    @property
    def length(self) -> int:
        """Number of moments; positions go from 0 to it."""
        return self._starts[2] + self.trace.length

    def bounds(self, phase: Phase) -> tuple[int, int]:
        """The positions before the first and after the last moment of a phase."""
        ends = (*self._starts[1:], self.length)
        place = PHASES.index(phase)
        return self._starts[place], ends[place]

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases in which something happens."""
        return tuple(phase for phase in Phase if self.bounds(phase)[0] < self.bounds(phase)[1])

    @cached_property
    def parts(self) -> Parts:
        """Where in the backward phase zeroing ends and the update begins, as trace positions."""
        return parts(self.trace)

    def phase_at(self, position: int) -> Phase:
        """The phase of the moment before a position; at 0, of the first moment."""
        for phase in self.phases:
            if position <= self.bounds(phase)[1]:
                return phase
        return Phase.BACKWARD

    def moment(self, position: int) -> Moment | None:
        """The moment before a position, which is what that position shows; None at 0.

        Of a position that may not be known yet it is the last one that may.
        """
        position = min(self._within(position), self.known)
        if position == 0:
            return None
        phase = self.phase_at(position)
        number = position - self.bounds(phase)[0] - 1
        if phase is Phase.FORWARD:
            return Moment(phase, self.made[number])
        if phase is Phase.SORT:
            return self._moment_of_sort(number)
        step = self.trace.steps[number]
        return Moment(phase, step.node, listed=self.list_length(position), step=number)

    def _moment_of_sort(self, number: int) -> Moment:
        assert self.sort is not None
        return Moment(
            Phase.SORT,
            self.sort.node(number),
            self.sort.act(number),
            self.sort.asker(number),
            self.sort.depth(number),
            self.sort.waiting(number),
            self.sort.length(number + 1),
        )

    def step(self, position: int) -> Step | None:
        """The step of the trace before a position; None outside the backward phase."""
        number = self.backward_position(position)
        return self.trace.steps[number - 1] if number else None

    def backward_position(self, position: int) -> int:
        """The position in the trace: 0 until the backward phase begins."""
        return max(0, self._within(position) - self._starts[2])

    def position_of_backward(self, position: int) -> int:
        """The position in the story of a position in the trace."""
        return self._starts[2] + max(0, min(position, len(self.trace.steps)))

    def _within(self, position: int) -> int:
        return max(0, min(position, self.length))

    # -- what there is at a position ----------------------------------------------------

    def is_made(self, node_id: int, position: int) -> bool:
        """Whether a node of the pass exists at a position."""
        return self._places.get(node_id, 0) <= position

    def place_of(self, node_id: int) -> int | None:
        """The position right after a node is made; None where that was before this pass."""
        return self._places.get(node_id)

    @cached_property
    def _places(self) -> Mapping[int, int]:
        return {node: place for place, node in enumerate(self.made, start=1)}

    def list_length(self, position: int) -> int:
        """How many nodes are on the sorted list at a position."""
        return (
            0 if self.sort is None else self.sort.length(self._within(position) - self._starts[1])
        )

    def listed(self, position: int) -> Sequence[int]:
        """The sorted list as it is at a position. O(its length)."""
        return () if self.sort is None else self.sort.listed[: self.list_length(position)]

    def place_on_list(self, node_id: int) -> int:
        """Where a node ends up on the sorted list, from 0; behind its end where it never does."""
        length = 0 if self.sort is None else len(self.sort.listed)
        return self._list_places.get(node_id, length)

    @cached_property
    def _list_places(self) -> Mapping[int, int]:
        listed = () if self.sort is None else self.sort.listed
        return {node: place for place, node in enumerate(listed)}

    def position_of_append(self, node_id: int) -> int | None:
        """The position right after a node joins the sorted list; None where it never does."""
        place = self._list_places.get(node_id)
        if self.sort is None or place is None:
            return None
        return self._starts[1] + self.sort.append(place) + 1

    def stack(self, position: int) -> tuple[int, ...]:
        """Nodes whose `build_topo` is running at a position, the root first. O(depth)."""
        return () if self.sort is None else self.sort.stack(position - self._starts[1])

    def find(self, name: str, serial: int | None = None) -> int | None:
        """The node of this pass that a user means by a name; None where there is none.

        Args:
            name: Its name or an alias. Of several with that name it is the newest.
            serial: Its number in the order of creation, which decides where it fits the name.
        """
        found = self._names.get(name, ())
        nodes = self.recording.nodes
        exact = (node for node in found if nodes[node].serial == serial)
        return next(exact, found[-1] if found else None)

    @cached_property
    def _names(self) -> Mapping[str, Sequence[int]]:
        names: dict[str, list[int]] = {}
        for node_id in sorted({*self.reached, *self.trace.initial}):
            node = self.recording.nodes[node_id]
            for name in {node.name, *node.aliases}:
                names.setdefault(name, []).append(node_id)
        return names

    # -- getting about ------------------------------------------------------------------

    def next(self, position: int, grain: Grain = Grain.OVER) -> int:
        """Where a step forward leads from a position; its length from there."""
        if grain is Grain.INTO:
            return self._within(position + 1)
        at = bisect_right(self._stops, position)
        return self._stops[at] if at < len(self._stops) else self.length

    def previous(self, position: int, grain: Grain = Grain.OVER) -> int:
        """Where a step back leads from a position; 0 from there."""
        if grain is Grain.INTO:
            return self._within(position - 1)
        at = bisect_left(self._stops, position)
        return self._stops[at - 1] if at else 0

    def out(self, position: int) -> int:
        """Where stepping out leads: the end of the running `_backward` or `build_topo`.

        Where neither is running it is the end of the phase; from there, of the next one.
        """
        position = self._within(position)
        phases = self.phases
        if not phases:
            return 0
        phase = next((each for each in phases if position < self.bounds(each)[1]), phases[-1])
        start, end = self.bounds(phase)
        if phase is Phase.SORT and self.sort is not None:
            return start + self.sort.out(position - start)
        if phase is Phase.BACKWARD:
            stop = self.next(position - 1)
            return stop if start < position < stop else end
        return end

    def calls(self, node_id: int) -> Sequence[int]:
        """The positions at which a node's `_backward` has just begun, ascending."""
        return self._calls.get(node_id, ())

    def next_call(self, node_id: int, position: int) -> int | None:
        """The next position at which a node's `_backward` has just begun; None where none is."""
        calls = self.calls(node_id)
        at = bisect_right(calls, position)
        return calls[at] if at < len(calls) else None

    @cached_property
    def _calls(self) -> Mapping[int, Sequence[int]]:
        calls: dict[int, list[int]] = {}
        for position, step in enumerate(self.trace.steps, start=self._starts[2] + 1):
            if step.kind is Kind.CALL and step.node is not None:
                calls.setdefault(step.node, []).append(position)
        return calls

    # -- marks --------------------------------------------------------------------------

    @cached_property
    def reuses(self) -> Sequence[int]:
        """Positions after a second or later contribution to one gradient, ascending."""
        numbers = (n for writes in history(self.trace).values() for n in writes.numbers[1:])
        return array("i", sorted(self._starts[2] + number + 1 for number in numbers))

    @property
    def errors(self) -> Sequence[int]:
        """The position at which the pass broke off, if it did."""
        error = self.trace.error
        return () if error is None else (self.position_of_backward(error.step),)

    def marks(
        self,
        divergence: Divergence | None = None,
        breakpoints: Sequence[int] = (),
        findings: Sequence[int] = (),
    ) -> dict[Mark, Sequence[int]]:
        """Positions to be marked on the timeline, ascending, by what they are marked for.

        Args:
            divergence: This trace held against the same pass in the other mode.
            breakpoints: Positions at which a breakpoint hits.
            findings: Positions at which something that is wrong shows.
        """
        starts = divergence.starts if divergence is not None else ()
        return {
            Mark.REUSE: self.reuses,
            Mark.DIVERGENCE: [self.position_of_backward(start) for start in starts],
            Mark.ERROR: self.errors,
            Mark.BREAKPOINT: breakpoints,
            Mark.FINDING: findings,
        }


PHASES = tuple(Phase)
