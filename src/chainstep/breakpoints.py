"""Breakpoints: where in a story to stop, by node, by op, by condition.

A breakpoint without a condition hits where its nodes are made, put on the sorted list, and where
their `_backward` begins. One with a condition hits there, and after each change of their
gradients, if the condition holds; where it names neither node nor op, it is about every node, and
only making it and changing its gradient count.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from typing import TYPE_CHECKING, Any

from chainstep.condition import Condition, Facts, understand
from chainstep.errors import ChainstepError
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chainstep.graph import Node
    from chainstep.story import Story
    from chainstep.trace import Step, Trace


class BreakpointError(ChainstepError):
    """A breakpoint or watch that was kept cannot be read."""


@dataclass(frozen=True, slots=True)
class NodeName:
    """A node as it can be kept from run to run, whose ids may be others.

    Attributes:
        name: Its name.
        serial: Its number in the order of creation; tells nodes of one name apart.
    """

    name: str
    serial: int | None = None

    @classmethod
    def of(cls, node: Node) -> NodeName:
        """What to keep of a node."""
        return cls(node.name, node.serial)

    def find(self, story: Story) -> int | None:
        """Its id in a pass; None where that pass has no such node."""
        return story.find(self.name, self.serial)

    def to_data(self) -> dict[str, object]:
        """As JSON can hold it."""
        return {"name": self.name, "serial": self.serial}

    @classmethod
    def from_data(cls, data: object) -> NodeName:
        """What :meth:`to_data` gave.

        Raises:
            BreakpointError: It is something else.
        """
        fields = _fields(data, {"name": str, "serial": (int, type(None))}, "the name of a node")
        return cls(**fields)


@dataclass(frozen=True)
class Breakpoint:
    """Where to stop. At least one of node, op and condition says something.

    Attributes:
        node: The node it is about; None for every node.
        op: The op it is about, as nodes have it; empty for every op.
        condition: What has to hold; empty for nothing.
        enabled: Whether it hits.

    Raises:
        ConditionError: The condition is not understood.
        BreakpointError: It says nothing.
    """

    node: NodeName | None = None
    op: str = ""
    condition: str = ""
    enabled: bool = True

    def __post_init__(self) -> None:
        if self.node is None and not self.op and not self.condition:
            raise BreakpointError("A breakpoint needs a node, an op or a condition.")
        _ = self._condition

    @cached_property
    def _condition(self) -> Condition | None:
        return understand(self.condition) if self.condition else None

    def __str__(self) -> str:
        """What it is, in a list: `c`, `every *`, `grad > 1`, `c if grad > 1`."""
        subject = self.node.name if self.node is not None else f"every {self.op}"
        if self.node is None and not self.op:
            return self.condition
        return f"{subject} if {self.condition}" if self.condition else subject

    def to_data(self) -> dict[str, object]:
        """As JSON can hold it."""
        node = None if self.node is None else self.node.to_data()
        return {
            "node": node,
            "op": self.op,
            "condition": self.condition,
            "enabled": self.enabled,
        }

    @classmethod
    def from_data(cls, data: object) -> Breakpoint:
        """What :meth:`to_data` gave.

        Raises:
            ChainstepError: It is something else.
        """
        kinds: dict[str, Any] = {
            "node": object,
            "op": str,
            "condition": str,
            "enabled": bool,
        }
        fields = _fields(data, kinds, "a breakpoint")
        node = fields.pop("node")
        return cls(None if node is None else NodeName.from_data(node), **fields)

    def hits(self, story: Story, beside: Trace | None = None) -> Sequence[int]:
        """The positions of a story at which it hits, ascending, enabled or not.

        O(moments) with a condition, O(nodes) without.

        Args:
            story: The pass.
            beside: The same pass in the other mode, for `modes differ`.
        """
        nodes = self.nodes(story)
        if self._condition is None:
            return array("i", sorted(p for node in nodes for p in _places(story, node)))
        about = None if self.node is None and not self.op else frozenset(nodes)
        return array("i", _holding(story, beside, self._condition, about))

    def nodes(self, story: Story) -> list[int]:
        """The nodes of a pass that it is about; of every node those that are made."""
        if self.node is not None:
            found = self.node.find(story)
            nodes = [] if found is None else [found]
        else:
            nodes = sorted({*story.reached, *story.made, *story.trace.sequence})
        ops = story.recording.nodes
        return [node for node in nodes if not self.op or _is_op(ops[node].op, self.op)]


def _is_op(op: str, wanted: str) -> bool:
    """Whether a node's op is the one meant: `**` means any power, and case does not count."""
    op, wanted = op.casefold(), wanted.casefold()
    return op == wanted or (wanted == "**" and op.startswith("**"))


def _places(story: Story, node: int) -> Iterator[int]:
    """Where a node is made, put on the list, and begins its `_backward`."""
    for place in (story.place_of(node), story.position_of_append(node)):
        if place is not None:
            yield place
    yield from story.calls(node)


def _holding(
    story: Story, beside: Trace | None, condition: Condition, about: frozenset[int] | None
) -> Iterator[int]:
    """The positions at which a condition holds."""
    facts = Facts(story.recording.nodes[story.trace.root])
    if not condition.needs_steps:
        yield from _before_backward(story, condition, about, facts)
    yield from _in_backward(story, beside, condition, about, facts)


def _before_backward(
    story: Story, condition: Condition, about: frozenset[int] | None, facts: Facts
) -> Iterator[int]:
    nodes = story.recording.nodes
    found = []
    for node in story.made if about is None else about:
        facts.node = nodes[node]
        if condition.holds(facts):
            found.append(story.place_of(node))
            if about is not None:
                found.append(story.position_of_append(node))
    yield from sorted(position for position in found if position is not None)


def _in_backward(
    story: Story,
    beside: Trace | None,
    condition: Condition,
    about: frozenset[int] | None,
    facts: Facts,
) -> Iterator[int]:
    nodes = story.recording.nodes
    own = _Gradients(story.trace)
    other = None if beside is None else _Gradients(beside)
    start = story.position_of_backward(0)
    for number, step in enumerate(story.trace.steps):
        subject = step.node if step.kind is Kind.CALL else step.target
        if subject is None:
            continue  # data change, and no gradient
        facts.before = own.of(subject)
        own.apply(step)
        if other is not None:
            other.advance(number + 1)
        if (about is None and step.kind is Kind.CALL) or (
            about is not None and subject not in about
        ):
            continue
        facts.node, facts.step, facts.grad = nodes[subject], step, own.of(subject)
        facts.writes = own.writes.get(subject, 0)
        facts.other = None if other is None else other.of(subject)
        if condition.holds(facts):
            yield start + number + 1


class _Gradients:
    """The gradients of a trace as its steps go by."""

    def __init__(self, trace: Trace) -> None:
        self.writes: dict[int, int] = {}
        self._trace = trace
        self._gradients = dict(trace.initial)
        self._applied = 0

    def of(self, node: int) -> float:
        return self._gradients.get(node, 0.0)

    def apply(self, step: Step) -> None:
        if step.target is not None and step.after is not None:
            self._gradients[step.target] = step.after
            if step.kind is Kind.WRITE:
                self.writes[step.target] = self.writes.get(step.target, 0) + 1

    def advance(self, position: int) -> None:
        for step in self._trace.steps[self._applied : position]:
            self.apply(step)
        self._applied = max(self._applied, position)


class Hits:
    """Where some breakpoints hit in one story.

    Each is looked for once; setting the list again costs only what is new in it.

    Args:
        story: The pass.
        beside: The same pass in the other mode, for `modes differ`.
    """

    def __init__(self, story: Story, beside: Trace | None = None) -> None:
        self._story = story
        self._beside = beside
        self._found: dict[tuple[NodeName | None, str, str], Sequence[int]] = {}
        self._breakpoints: tuple[Breakpoint, ...] = ()
        self.positions: Sequence[int] = ()
        """Every position at which an enabled one hits, ascending, each once."""

    def set(self, breakpoints: Sequence[Breakpoint]) -> None:
        """Take these breakpoints instead of those before."""
        self._breakpoints = tuple(breakpoints)
        enabled = [self.of(each) for each in self._breakpoints if each.enabled]
        self.positions = array("i", dict.fromkeys(merge(*enabled)))

    def of(self, breakpoint_: Breakpoint) -> Sequence[int]:
        """The positions at which one breakpoint hits, enabled or not, ascending."""
        key = (breakpoint_.node, breakpoint_.op, breakpoint_.condition)
        if key not in self._found:
            self._found[key] = breakpoint_.hits(self._story, self._beside)
        return self._found[key]

    def count(self, breakpoint_: Breakpoint, position: int) -> tuple[int, int]:
        """(how often it has hit up to a position, how often it hits at all)."""
        hits = self.of(breakpoint_)
        return bisect_right(hits, position), len(hits)

    def at(self, position: int) -> tuple[Breakpoint, ...]:
        """The enabled breakpoints that hit at a position."""
        found = []
        for each in self._breakpoints:
            hits = self.of(each)
            place = bisect_left(hits, position)
            if each.enabled and place < len(hits) and hits[place] == position:
                found.append(each)
        return tuple(found)

    def next(self, position: int) -> int | None:
        """The nearest hit after a position; None where none comes."""
        at = bisect_right(self.positions, position)
        return self.positions[at] if at < len(self.positions) else None

    def previous(self, position: int) -> int | None:
        """The nearest hit before a position; None where none was."""
        at = bisect_left(self.positions, position)
        return self.positions[at - 1] if at else None


def _fields(data: object, kinds: dict[str, Any], what: str) -> dict[str, Any]:
    """The fields of an object, if it has these and each is of its kind."""
    if not isinstance(data, dict) or data.keys() != kinds.keys():
        raise BreakpointError(f"This is not {what}: expected {', '.join(kinds)}.")
    for key, kind in kinds.items():
        is_bool = isinstance(data[key], bool) and kind not in (bool, object)
        if is_bool or not isinstance(data[key], kind):
            raise BreakpointError(f"This is not {what}: its {key} is of the wrong type.")
    return dict(data)
