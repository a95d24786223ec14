"""What one run of a program left behind: steps, traces, and the recording that holds them.

A :class:`Recording` is the only thing that crosses from the child process to the window. It is
plain data: it needs none of the program's classes to be read.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from chainstep.cells import Cells
from chainstep.errors import RecordingError
from chainstep.evidence import Evidence
from chainstep.graph import Graph, Node


class Kind(Enum):
    """What a step is."""

    SEED = "seed"
    CALL = "call"
    WRITE = "write"
    OUTSIDE = "outside"


class Mode(Enum):
    """How a store into a gradient counts.

    COMPARED stands for none: it is the key, in the window alone, of a trace that is held against
    another, whatever its own mode is. No recording has a trace of it.
    """

    ACCUMULATE = "accumulate"
    OVERWRITE = "overwrite"
    AS_WRITTEN = "as-written"
    COMPARED = "compared"


RECORDED = (Mode.ACCUMULATE, Mode.OVERWRITE, Mode.AS_WRITTEN)
"""The modes that a recording has traces of."""


class Order(Enum):
    """In which order the `_backward` functions run."""

    DEPTH_FIRST = "depth-first"
    BREADTH_FIRST = "breadth-first"
    RECURSIVE = "recursive"
    AS_WRITTEN = "as-written"


class Status(Enum):
    """How a run of a program ended."""

    OK = "ok"
    EXCEPTION = "exception"
    NO_GRAPH = "no-graph"
    TIMEOUT = "timeout"
    MEMORY = "memory"
    OUTPUT = "output"
    TOO_LARGE = "too-large"
    CRASHED = "crashed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class Step:
    """One stop of a backward pass.

    Attributes:
        kind: SEED gives the root its 1; CALL begins one `_backward`; WRITE changes one gradient
            while it runs; OUTSIDE changes one while none runs (zeroing, an optimiser).
        node: Id of the node whose `_backward` runs; of the root for SEED; None for OUTSIDE, but
            where data change, the node whose they are.
        slot: Operand slot of `node` that a WRITE goes through; None where the target is not a
            recorded child.
        target: Id of the node whose gradient changes; None for CALL.
        upstream: Gradient of `node` when it was called (CALL and WRITE).
        local: Local derivative d node / d target through `slot`; None where unknown.
        contribution: What the code handed over: the right-hand side of the `+=` or `=`.
        before: Gradient of `target` before the step; None for CALL.
        after: Gradient of `target` after the step; None for CALL.
        accumulates: Whether the store kept what was there; None for CALL.
        line: Line of source that wrote, from 1, or, for a CALL as written, that called; None where
            no source line is known.
        file: Index into :attr:`Recording.files` of the source that `line` counts in.
        assigns: Whether the code stored without having read its target first, as `=` does;
            `accumulates` may be true all the same, where the mode is forced. None where no code
            stored.
    """

    kind: Kind
    node: int | None = None
    slot: int | None = None
    target: int | None = None
    upstream: float | None = None
    local: float | None = None
    contribution: float | None = None
    before: float | None = None
    after: float | None = None
    accumulates: bool | None = None
    line: int | None = None
    file: int = 0
    assigns: bool | None = None

    @property
    def moves(self) -> bool:
        """Whether it is a change of `node`'s data, from `before` to `after`; see `training`."""
        return self.kind is Kind.OUTSIDE and self.target is None


@dataclass(frozen=True, slots=True)
class TraceError:
    """Where and why a backward pass broke off: before step number `step` (from 0)."""

    step: int
    message: str
    line: int | None = None


@dataclass(frozen=True)
class Trace:
    """One backward pass in one mode and one order.

    Attributes:
        pass_index: Which `backward()` of the program, from 0.
        mode: How stores counted.
        order: In which order the calls came.
        root: Id of the node it started from.
        initial: Gradients before the first step, by node id, of every node that the pass reaches
            or writes.
        steps: Everything that happened, in order.
        data: Forward values that no longer were those of the nodes, by node id.
        error: Why it broke off; None where it ran to its end.
        line: Line of the program that began it; None where that is not known.
        hidden: How many more steps follow that may not be known yet; see :meth:`until`.
    """

    pass_index: int
    mode: Mode
    order: Order
    root: int
    initial: dict[int, float]
    steps: tuple[Step, ...]
    data: dict[int, float]
    error: TraceError | None = None
    line: int | None = None
    hidden: int = 0

    @property
    def length(self) -> int:
        """Number of its steps, those that are hidden among them."""
        return len(self.steps) + self.hidden

    def until(self, position: int) -> Trace:
        """What may be known of it at a position: the steps so far, and that there are more."""
        if position >= len(self.steps):
            return self
        hidden = self.length - position
        known = replace(self, steps=self.steps[:position], error=None, hidden=hidden)
        vars(known)["sequence"] = self.sequence[: bisect_left(self._calls, position)]
        return known

    @cached_property
    def sequence(self) -> tuple[int, ...]:
        """Ids in the order in which their `_backward` was called."""
        return tuple(s.node for s in self.steps if s.kind is Kind.CALL and s.node is not None)

    @cached_property
    def _calls(self) -> tuple[int, ...]:
        """The number of the step of each of them."""
        return tuple(
            number
            for number, s in enumerate(self.steps)
            if s.kind is Kind.CALL and s.node is not None
        )

    @cached_property
    def final(self) -> dict[int, float]:
        """Gradients after the last step, by node id, for the nodes of `initial`."""
        gradients = dict(self.initial)
        for step in self.steps:
            if step.target is not None and step.after is not None:
                gradients[step.target] = step.after
        return gradients


@dataclass(frozen=True, slots=True)
class Code:
    """Where the `_backward` of one node stands, and which nodes its variables are.

    Attributes:
        file: Index into :attr:`Recording.files` of the source that the lines count in.
        first_line: Line where it begins, from 1.
        last_line: Its last line.
        names: Each variable of it that is a Value, with the id of its node: `self`, `other`, `out`.
    """

    file: int
    first_line: int
    last_line: int
    names: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a run ended: a status, a sentence that says what and why, and the line if known."""

    status: Status
    message: str = ""
    line: int | None = None


@dataclass(frozen=True)
class Recording:
    """One run of one program.

    Attributes:
        program: Its name, as shown (`diamond.py`).
        source: The text that ran.
        seed: What `random` was seeded with.
        nodes: Every node, by id: `nodes[i].id == i`.
        traces: Every trace, in the order in which they were recorded.
        output: What the program printed, up to the limit.
        outcome: How it ended.
        files: Source files that steps speak of; 0 is the program itself.
        notes: Sentences about the run that a user should know (a stand-in package).
        sources: What each of `files` says, as far as it is written there; see :meth:`text`.
        codes: Where the `_backward` of each node stands, by node id.
        after: Steps from outside that came after the last pass: zeroing at the very end.
        evidence: What else was seen, where `Options.check` asked for it.
    """

    program: str
    source: str = ""
    seed: int = 0
    nodes: tuple[Node, ...] = ()
    traces: tuple[Trace, ...] = ()
    output: str = ""
    outcome: Outcome = Outcome(Status.OK)
    files: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    codes: dict[int, Code] = field(default_factory=dict)
    after: tuple[Step, ...] = ()
    evidence: Evidence = field(default_factory=Evidence)

    def text(self, file: int) -> str:
        """What a source file says; empty where it could not be read or is very long."""
        if file == 0:
            return self.source
        return self.sources[file] if file < len(self.sources) else ""

    @property
    def hides(self) -> bool:
        """Whether there is more in it that may not be known yet."""
        return any(trace.hidden for trace in self.traces)

    @cached_property
    def cells(self) -> Cells:
        """Its cells, where it is a notebook."""
        return Cells(self.program, self.source)

    @cached_property
    def passes(self) -> int:
        """How many backward passes were recorded."""
        return 1 + max((trace.pass_index for trace in self.traces), default=-1)

    def trace(self, mode: Mode, pass_index: int = 0) -> Trace | None:
        """The trace of one pass in one mode; None where that was not recorded."""
        return self._by_pass.get((pass_index, mode))

    @cached_property
    def _by_pass(self) -> dict[tuple[int, Mode], Trace]:
        return {(trace.pass_index, trace.mode): trace for trace in reversed(self.traces)}

    def graph(self, pass_index: int = 0) -> Graph:
        """The graph of one pass: what its root reaches, and what it called or wrote besides.

        O(nodes + steps).

        Raises:
            RecordingError: The recording holds no such pass.
        """
        traces = [trace for trace in self.traces if trace.pass_index == pass_index]
        if not traces:
            message = f"{self.program} has no backward pass {pass_index + 1}: it has {self.passes}."
            raise RecordingError(message)
        extra = {trace.root for trace in traces}
        for trace in traces:
            extra.update(trace.initial)
            # A pass driven by hand may run nodes that its root does not reach.
            extra.update(step.node for step in trace.steps if step.node is not None)
        return Graph.reached(self.nodes, traces[0].root, extra)
