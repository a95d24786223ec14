"""A recording as the rules look at it: its passes, its functions, its events in their order."""

from __future__ import annotations

import ast
import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from chainstep import calculus
from chainstep.diagnose.syntax import Syntax, attributes
from chainstep.diagnose.truth import gradients_from
from chainstep.finding import finding
from chainstep.formula import called
from chainstep.sentence import joined
from chainstep.trace import Kind, Mode

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chainstep.evidence import Change, Function, Making, Trial
    from chainstep.finding import Finding
    from chainstep.graph import Node
    from chainstep.trace import Recording, Step

NAMED = 4
"""Nodes that are named one by one in a sentence."""
CLOSE = 1e-6
"""Relative difference up to which two gradients are the same."""

DRIVERS = frozenset(
    {"backward", "backprop", "backpropagate", "back_propagate", "backward_pass", "run_backward"}
    | {"do_backward", "compute_gradients", "compute_grads", "calc_gradients", "gradients"}
)


class Place(NamedTuple):
    """A line and the file that it counts in."""

    line: int | None
    file: int = 0


class Moment(NamedTuple):
    """When something happened: before step `step` of the as-written trace of a pass."""

    pass_index: int
    step: int


def _moment(change: Change) -> Moment:
    return Moment(change.pass_index, change.step)


def _clock(change: Change) -> int:
    return change.clock


class Pass:
    """One backward pass as the program wrote it, beside the clean one.

    Attributes:
        index: Its number.
        written: Its trace as written; None where the program made none.
        clean: The forced trace with `+=`; None where nothing could be driven.
        root: Id of its root.
    """

    def __init__(self, case: Case, index: int) -> None:
        recording = case.recording
        self.case = case
        self.index = index
        self.written = recording.trace(Mode.AS_WRITTEN, index)
        self.clean = recording.trace(Mode.ACCUMULATE, index)
        self.root = (self.written or self.clean or recording.traces[0]).root

    @cached_property
    def reached(self) -> frozenset[int]:
        """Ids of the nodes that the root reaches along recorded children."""
        nodes = self.case.nodes
        found = {self.root}
        stack = [self.root]
        while stack:
            for child in nodes[stack.pop()].children:
                if child not in found:
                    found.add(child)
                    stack.append(child)
        return frozenset(found)

    @cached_property
    def inner(self) -> tuple[int, ...]:
        """Ids of the nodes with children that the root reaches, the root among them."""
        return tuple(i for i in sorted(self.reached) if self.case.nodes[i].children)

    @cached_property
    def base(self) -> dict[int, float]:
        """What each gradient held before anything of this pass came to it.

        That is after the zeroing that stands at the beginning of a pass.
        """
        written = self.written
        if written is None:
            return {}
        base = dict(written.initial)
        touched: set[int] = set()
        for number, step in enumerate(written.steps):
            if step.target is None or step.after is None:
                continue
            if step.kind is not Kind.OUTSIDE:
                touched.add(step.target)
            elif step.target not in touched and (number < self.start or step.after == 0):
                base[step.target] = step.after
        return base

    @cached_property
    def start(self) -> int:
        """Number of the first step that is not a write from outside."""
        steps = self.written.steps if self.written is not None else ()
        return next((k for k, s in enumerate(steps) if s.kind is not Kind.OUTSIDE), len(steps))

    @cached_property
    def is_real(self) -> bool:
        """Whether the program made a pass here, rather than set gradients by hand."""
        written = self.written
        return written is not None and (self.start < len(written.steps) or written.line is not None)

    def calls(self, node_id: int) -> list[int]:
        """Numbers of the steps with which a node's `_backward` begins, as written."""
        return self._calls.get(node_id, [])

    @cached_property
    def _calls(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = defaultdict(list)
        for number, step in enumerate(self.written.steps if self.written else ()):
            if step.kind is Kind.CALL and step.node is not None:
                found[step.node].append(number)
        return found

    @cached_property
    def clean_writes(self) -> dict[int, list[Step]]:
        """The writes of the clean pass by the node that made them."""
        found: dict[int, list[Step]] = defaultdict(list)
        for step in self.clean.steps if self.clean is not None else ():
            if step.kind is Kind.WRITE and step.node is not None:
                found[step.node].append(step)
        return found

    @cached_property
    def wrong(self) -> frozenset[int]:
        """Nodes that this pass gave another gradient than the clean one; the root is no question.

        Empty where there is nothing to compare.
        """
        right: dict[int, float] | None = None
        if self.clean is None:  # an engine whose rules all stand in its `backward()`
            right = gradients_from(self.case, self.root)
        elif self.clean.error is None:
            right = self.clean.final
        if self.written is None or right is None:
            return frozenset()
        final = self.written.final
        return frozenset(
            node_id
            for node_id, gradient in right.items()
            if node_id != self.root
            and not same(final.get(node_id, 0.0) - self.base.get(node_id, 0.0), gradient)
        )


class Case:
    """Everything that rules ask of a recording, worked out once."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.evidence = recording.evidence
        self.nodes: Sequence[Node] = recording.nodes
        self._functions: dict[tuple[int, int], Function | None] = {}

    # -- passes ----------------------------------------------------------------------------

    @cached_property
    def passes(self) -> tuple[Pass, ...]:
        """Every pass, also one that the program did not make itself."""
        return tuple(Pass(self, index) for index in range(self.recording.passes))

    @cached_property
    def written(self) -> tuple[Pass, ...]:
        """The passes that the program made."""
        return tuple(each for each in self.passes if each.is_real)

    @cached_property
    def reached(self) -> frozenset[int]:
        """Nodes that the root of some pass reaches."""
        return frozenset(i for each in self.passes for i in each.reached)

    # -- nodes -----------------------------------------------------------------------------

    def name(self, node_id: int) -> str:
        """What to call a node in a sentence."""
        return called(self.nodes[node_id])

    def names(self, node_ids: Iterable[int]) -> str:
        """Several nodes in a sentence."""
        return joined(list(dict.fromkeys(self.name(i) for i in node_ids)), most=NAMED)

    @cached_property
    def by_serial(self) -> dict[int, Node]:
        """Nodes by serial; not every Value is one."""
        return {node.serial: node for node in self.nodes}

    @cached_property
    def making(self) -> dict[int, Making]:
        """Where each node was made."""
        return {making.node: making for making in self.evidence.makings}

    def made_at(self, node_id: int) -> Place:
        """Line of the program that made a node."""
        return Place(self.nodes[node_id].line)

    def maker(self, node_id: int) -> Function | None:
        """The function whose code called the constructor of a node."""
        making = self.making.get(node_id)
        return None if making is None else self.function(making.line, making.file)

    @cached_property
    def lines_of_data(self) -> frozenset[int]:
        """Lines of the program on which somebody asks for the number of a Value."""
        names = {fact.data for fact in self.evidence.classes}
        return frozenset(part.lineno for part in attributes(self.syntax.tree, names))

    @cached_property
    def consumers(self) -> dict[int, list[int]]:
        """Ids of the nodes that use each node."""
        found: dict[int, list[int]] = defaultdict(list)
        for node in self.nodes:
            for child in dict.fromkeys(node.children):
                found[child].append(node.id)
        return found

    def table(self, node: Node, data: Sequence[float] | None = None) -> tuple[float, ...] | None:
        """Local derivatives of a node by the operation table, where its number agrees with it."""
        operation = calculus.find(node.op) if node.op else None
        if data is None:
            data = [self.nodes[child].data for child in node.children]
        if operation is None or operation.arity != len(data):
            return None
        try:
            out = operation.forward(*data)
        except (ArithmeticError, ValueError):
            return None
        recorded = operation.forward(*(self.nodes[child].data for child in node.children))
        return operation.local(tuple(data), out) if same(recorded, node.data) else None

    # -- code ------------------------------------------------------------------------------

    @cached_property
    def syntax(self) -> Syntax:
        """The program's text as a tree."""
        return Syntax(self.recording.source)

    def function(self, line: int | None, file: int = 0) -> Function | None:
        """The innermost known function that a line belongs to."""
        if line is None:
            return None
        if (line, file) not in self._functions:
            found = [
                each
                for each in self.evidence.functions
                if each.file == file and each.first_line <= line <= each.last_line
            ]
            innermost = min(found, key=lambda each: each.last_line - each.first_line, default=None)
            self._functions[line, file] = innermost
        return self._functions[line, file]

    def in_inner(self, line: int | None, file: int) -> bool:
        """Whether a line belongs to a function, written inside another, that speaks of gradients.

        That is a closure for backward, by its looks.
        """
        function = self.function(line, file)
        return function is not None and any(
            first <= (line or 0) <= last for _, first, last in function.inner
        )

    def called_at(self, place: Place) -> Place:
        """For a line of an imported module, the only line of the program that calls its function.

        The place itself, where there is none, or more than one.
        """
        if place.file == 0 or place.line is None:
            return place
        scope = Syntax(self.recording.text(place.file) or "").scope(place.line)
        name = getattr(scope, "name", None)
        lines = {
            part.lineno
            for part in ast.walk(self.syntax.tree)
            if isinstance(part, ast.Call)
            and name is not None
            and getattr(part.func, "attr", getattr(part.func, "id", None)) == name
        }
        return Place(lines.pop()) if len(lines) == 1 else place

    @cached_property
    def drivers(self) -> list[Function]:
        """The `backward()` methods of the Value classes that are the program's own text."""
        return [each for each in self.evidence.functions if each.name in DRIVERS]

    def driver_place(self, each: Pass) -> Place:
        """Where the program's `backward()` is written, else where it was called."""
        line = each.written.line if each.written is not None else None
        for step in each.written.steps if each.written is not None else ():
            if step.kind is Kind.CALL and step.line is not None and step.file == 0:
                function = self.function(step.line)
                if function is None or not function.owner:
                    return Place(step.line)  # called one by one, or by a function of its own
                break
        own = [driver for driver in self.drivers if driver.file == 0]
        if own and own[0].owner:
            return Place(own[0].first_line)
        return Place(line if line is not None else (own[0].first_line if own else None))

    @cached_property
    def trials(self) -> dict[tuple[int, int], list[Trial]]:
        """Trials by file and first line of the function."""
        found: dict[tuple[int, int], list[Trial]] = defaultdict(list)
        for trial in self.evidence.trials:
            found[trial.file, trial.line].append(trial)
        return found

    def trials_of(self, function: Function | None) -> list[Trial]:
        """Trials of one function."""
        return [] if function is None else self.trials.get((function.file, function.first_line), [])

    def made_by(self, trial: Trial) -> Iterator[int]:
        """Ids of the nodes with children that a tried function made, itself."""
        for making in self.evidence.makings:
            function = self.function(making.line, making.file)
            if function is not None and (function.file, function.first_line) == (
                trial.file,
                trial.line,
            ):
                yield making.node

    # -- events ----------------------------------------------------------------------------

    @cached_property
    def changes(self) -> dict[int, list[Change]]:
        """Changes of data by serial, in order."""
        found: dict[int, list[Change]] = defaultdict(list)
        for change in self.evidence.changes:
            found[change.serial].append(change)
        return found

    def data_at(self, node: Node, clock: int) -> float:
        """The number that a node held when the Value with serial `clock` was made."""
        changes = self.changes.get(node.serial, [])
        before = bisect_right(changes, clock, key=_clock)
        return changes[before - 1].after if before else node.data

    def first_change(self, node: Node, clock: int) -> Change | None:
        """The first change of a node's data after the Value with serial `clock` was made."""
        changes = self.changes.get(node.serial, [])
        before = bisect_right(changes, clock, key=_clock)
        return changes[before] if before < len(changes) else None

    def data_in(self, node: Node, each: Pass) -> float:
        """The number that a node held when a pass began."""
        change = self.last_change(node, Moment(each.index, each.start))
        return node.data if change is None else change.after

    def last_change(self, node: Node, moment: Moment) -> Change | None:
        """The last change of a node's data up to a moment."""
        changes = self.changes.get(node.serial, [])
        before = bisect_right(changes, moment, key=_moment)
        return changes[before - 1] if before else None

    def changes_within(self, node: Node, since: Moment, until: Moment) -> list[Change]:
        """The changes of a node's data from one moment up to another, which counts too."""
        changes = self.changes.get(node.serial, [])
        low = bisect_left(changes, since, key=_moment)
        return changes[low : bisect_right(changes, until, key=_moment)]

    @cached_property
    def read_lines(self) -> frozenset[int]:
        """Lines of the program that read gradients."""
        return frozenset(read.line for read in self.evidence.reads)

    @cached_property
    def reads_after(self) -> frozenset[tuple[int, int]]:
        """Serials whose gradient was read, and in which pass that was."""
        return frozenset((read.serial, read.pass_index) for read in self.evidence.reads)

    @cached_property
    def outside(self) -> list[tuple[Moment, Step]]:
        """Every write to a gradient from outside, over all passes and after them, in order."""
        found = [
            (Moment(each.index, number), step)
            for each in self.passes
            if each.written is not None
            for number, step in enumerate(each.written.steps)
            if step.kind is Kind.OUTSIDE
        ]
        end = self.recording.passes
        return found + [(Moment(end, k), step) for k, step in enumerate(self.recording.after)]

    @cached_property
    def outside_of(self) -> dict[int, list[tuple[Moment, Step]]]:
        """The same by the node that is written."""
        found: dict[int, list[tuple[Moment, Step]]] = defaultdict(list)
        for moment, step in self.outside:
            if step.target is not None:
                found[step.target].append((moment, step))
        return found

    # -- findings --------------------------------------------------------------------------

    def find(
        self,
        kind: str,
        message: str,
        remedy: str,
        place: Place,
        *,
        at: tuple[int | None, int | None] = (None, None),
        node: int | None = None,
    ) -> Finding:
        """A finding at a place; `at` is the pass and the step that show it."""
        pass_index, step = at
        return finding(
            kind,
            message,
            remedy,
            place.line,
            pass_index=pass_index,
            step=step,
            node=node,
            file=place.file,
        )

    def where(self, place: Place) -> str:
        """` in line 3`, with the file where it is not the program itself; for a message."""
        if place.line is None:
            return ""
        if place.file == 0:
            return f" in {self.recording.cells.spot(place.line)}"
        name = self.recording.files[place.file].replace("\\", "/").rsplit("/", 1)[-1]
        return f" in line {place.line} of {name}"


def same(one: float, other: float) -> bool:
    """Whether two numbers agree up to rounding; nan agrees with nan."""
    if one == other or (math.isnan(one) and math.isnan(other)):
        return True
    return abs(one - other) <= CLOSE * max(abs(one), abs(other), 1e-3)
