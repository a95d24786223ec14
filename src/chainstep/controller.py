"""One backward pass at a time, forced by us.

A forced pass calls the program's own `_backward` functions, one after the other in a chosen
order, on gradients that live in a scratch table: nothing of the program changes. How a store
counts is decided by what the code reads:

* overwrite: reads of *another* node's gradient give 0.0, so that `x.grad += c` stores `c`, just
  as `x.grad = c` would;
* accumulate: a store that did not read its target first adds to what is there.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from chainstep import calculus, slopes
from chainstep.anatomy import number
from chainstep.trace import Kind, Mode, Step

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from chainstep.anatomy import Observed
    from chainstep.overlay import Call
    from chainstep.recorder import Recorder
    from chainstep.tap import Tap

CLOSE = 1e-9
"""Relative difference up to which a contribution is taken to come from the operation table."""


class GradientRead(float):
    """A gradient as it was read: a float that remembers what was added to it.

    `x.grad += c` reads, adds and stores; the sum alone would give `c` back only up to rounding.
    """

    __slots__ = ("addend", "total")
    addend: float
    total: float

    def _note(self, addend: Any, total: Any) -> Any:
        if isinstance(total, float):
            self.addend = float(addend)
            self.total = total
        return total

    def __add__(self, other: Any) -> Any:
        return self._note(other, float.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        return self._note(other, float.__radd__(self, other))

    def __sub__(self, other: Any) -> Any:
        total = float.__sub__(self, other)
        return total if total is NotImplemented else self._note(-other, total)


def added(read: object, stored: float) -> float | None:
    """What was added to a gradient between its read and the store; None where that is unclear."""
    if isinstance(read, GradientRead) and hasattr(read, "total"):
        total = read.total
        if total == stored or (total != total and stored != stored):  # noqa: PLR0124  nan
            return read.addend
    return None


class Running:
    """The call that is being made: its node, its upstream gradient, the slots it has used."""

    __slots__ = ("children", "node", "obj", "slots", "upstream")

    def __init__(self, obj: object, node: int, children: tuple[int, ...], upstream: float) -> None:
        self.obj = obj
        self.node = node
        self.children = children
        self.upstream = upstream
        self.slots: dict[int, int] = {}

    def has_written_all(self, target: int) -> bool:
        """Whether every slot that holds the target has been written through."""
        return self.slots.get(target, 0) >= max(1, self.children.count(target))

    def slot(self, target: int) -> int | None:
        """The operand slot of the next write to `target`: each of its slots in turn."""
        places = [slot for slot, child in enumerate(self.children) if child == target]
        used = self.slots.get(target, 0)
        self.slots[target] = used + 1
        return places[min(used, len(places) - 1)] if places else None


class Pass:
    """What both kinds of pass share: emitting steps that say who wrote what through which slot."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.running: Running | None = None
        self._reads: dict[int, Any] = {}
        self._called: set[int] = set()

    def begin_call(
        self, obj: object, upstream: float, frame: types.FrameType | None = None
    ) -> Running:
        """A `_backward` begins, called by the code in a frame: one CALL step."""
        node = self.recorder.register.node(obj)
        self._called.add(id(obj))
        self.recorder.traces.touch(node.id, upstream)
        self._reads.clear()
        self.running = Running(obj, node.id, node.children, upstream)
        line, file = self.recorder.traces.place(frame)
        self.recorder.traces.emit(
            Step(Kind.CALL, node=node.id, upstream=upstream, line=line, file=file)
        )
        return self.running

    def emit_write(
        self,
        obj: object,
        values: tuple[float, float, float],
        frame: types.FrameType | None,
        *,
        accumulates: bool,
        assigns: bool | None,
    ) -> None:
        """One WRITE step; `values` are contribution, before and after."""
        running = self.running
        assert running is not None
        contribution, before, after = values
        target = self.recorder.register.node(obj).id
        self.recorder.traces.touch(target, before)
        slot = running.slot(target)
        line, file = self.recorder.traces.place(frame)
        self.recorder.traces.emit(
            Step(
                Kind.WRITE,
                running.node,
                slot,
                target,
                running.upstream,
                self.local(running, slot, contribution),
                contribution,
                before,
                after,
                accumulates,
                line,
                file,
                assigns,
            )
        )

    def local(self, running: Running, slot: int | None, contribution: float) -> float | None:
        """The local derivative behind a contribution.

        The operation table's value where it gives this very contribution; else what the code
        itself used, contribution / upstream; None where neither can be had.
        """
        if slot is not None:
            expected = self.recorder.local_derivatives(running.node)
            if expected is not None and slot < len(expected):
                product = expected[slot] * running.upstream
                if same(product, contribution):
                    return expected[slot]
        if running.upstream != 0.0 and abs(running.upstream) < float("inf"):
            return contribution / running.upstream
        return self.probed(running, slot)

    def probed(self, running: Running, slot: int | None) -> float | None:  # noqa: ARG002
        """The local derivative by a trial call; an observed pass makes none."""
        return None


class Probe:
    """Hears one trial call of a `_backward` with upstream 1: what it hands over is the slope.

    `_backward` is linear in the upstream gradient, so this gives the local derivative also where
    the real upstream gradient is 0 or not finite. Nothing is stored.
    """

    def __init__(self, running: Running, node_of: Callable[[object], int]) -> None:
        self.trial = Running(running.obj, running.node, running.children, 1.0)
        self.slopes: dict[int | None, float] = {}
        self._node_of = node_of
        self._heard = slopes.Heard()

    def run(self, tap: Tap) -> None:
        """Make the call; the probe has to be the tap's observer."""
        for child, slope in slopes.run(tap, self.trial.obj, 1.0, self._heard):
            self.slopes[self.trial.slot(self._node_of(child))] = slope

    def read(self, obj: object, grad: Observed) -> Any:  # noqa: ARG002  nothing is stored
        """1.0 for the node on trial, 0.0 for all others."""
        self._heard.asked = self._heard.asked or obj is self.trial.obj
        return 1.0 if obj is self.trial.obj else 0.0

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:  # noqa: ARG002
        """Remember what a store would have handed over."""
        slope = number(value)
        self._heard.wrote = True
        if slope is not None:
            self.slopes[self.trial.slot(self._node_of(obj))] = slope

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:  # noqa: ARG002
        """A call inside the trial is part of it."""
        return call.of(function)

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:  # noqa: ARG002
        """No backward pass is driven inside a trial."""
        return None


def same(left: float, right: float) -> bool:
    """Whether two floats agree up to rounding; nan agrees with nan."""
    if left == right or (left != left and right != right):  # noqa: PLR0124  nan
        return True
    return abs(left - right) <= CLOSE * max(abs(left), abs(right))


def table_derivatives(op: str, data: tuple[float, ...], out: float) -> tuple[float, ...] | None:
    """Local derivatives of a known operation at these values; None for an unknown one."""
    operation = calculus.find(op) if op else None
    if operation is None or operation.arity != len(data):
        return None
    return operation.local(data, out)


class ForcedPass(Pass):
    """A clean pass in a mode of our choice; all gradients live in a scratch table."""

    def __init__(self, recorder: Recorder, mode: Mode) -> None:
        super().__init__(recorder)
        self.mode = mode
        self._scratch: dict[int, float] = {}
        # The table is keyed by identity, so what it speaks of has to stay alive.
        self._held: list[object] = []
        self._slopes: dict[int, dict[int | None, float]] = {}
        self._heard = slopes.Heard()

    def seed(self, obj: object) -> None:
        """Give the root its gradient of 1: one SEED step."""
        self._put(obj, 1.0)
        root = self.recorder.register.node(obj).id
        self.recorder.traces.emit(
            Step(
                Kind.SEED,
                root,
                target=root,
                contribution=1.0,
                before=0.0,
                after=1.0,
                accumulates=False,
            )
        )

    def visit(self, obj: object) -> None:
        """Run one node's `_backward`, or what stands for it."""
        running = self.begin_call(obj, self._scratch.get(id(obj), 0.0))
        try:
            given = slopes.run(self.recorder.tap, obj, running.upstream, self._heard)
            for child, contribution in given:
                self._contribute(child, contribution, None)
        finally:
            self.running = None

    def probed(self, running: Running, slot: int | None) -> float | None:
        """The local derivative by a trial call, made once per node."""
        found = self._slopes.get(running.node)
        if found is None:
            recorder = self.recorder
            probe = Probe(running, lambda obj: recorder.register.node(obj).id)
            with recorder.observed_by(probe), contextlib.suppress(Exception):
                probe.run(recorder.tap)
            found = self._slopes[running.node] = probe.slopes
        return found.get(slot)

    def _put(self, obj: object, value: float) -> None:
        if id(obj) not in self._scratch:
            self._held.append(obj)
        self._scratch[id(obj)] = value

    def _contribute(
        self,
        obj: object,
        contribution: float,
        frame: types.FrameType | None,
        assigns: bool | None = None,
    ) -> None:
        before = self._scratch.get(id(obj), 0.0)
        accumulates = self.mode is Mode.ACCUMULATE
        after = before + contribution if accumulates else contribution
        self._put(obj, after)
        values = (contribution, before, after)
        self.emit_write(obj, values, frame, accumulates=accumulates, assigns=assigns)

    def read(self, obj: object, grad: Observed) -> Any:  # noqa: ARG002  the scratch table instead
        """The truth to the node itself; to others 0.0 where stores shall overwrite."""
        value = self._scratch.get(id(obj), 0.0)
        if self.running is not None and obj is self.running.obj:
            self._heard.asked = True
            return value
        read = GradientRead(value if self.mode is Mode.ACCUMULATE else 0.0)
        self._reads[id(obj)] = read
        return read

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:  # noqa: ARG002
        """Store into the scratch table as the mode says, and emit the step."""
        stored = number(value)
        if stored is None:
            kind = type(value).__name__
            raise TypeError(f"a gradient was set to {kind}, which is not a number")
        read = self._reads.pop(id(obj), None)
        self._heard.wrote = True
        contribution = added(read, stored)
        if self.running is None:
            self._put(obj, stored)
        elif read is None or self.mode is Mode.OVERWRITE:
            # 0.0 + -0.0 is 0.0, which `=` would not have stored.
            handed = stored if contribution is None else contribution
            self._contribute(obj, handed, frame, read is None)
        else:
            before = self._scratch.get(id(obj), 0.0)
            if contribution is None:
                contribution = stored - before
            self._put(obj, stored)
            values = (contribution, before, stored)
            self.emit_write(obj, values, frame, accumulates=True, assigns=False)

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:  # noqa: ARG002
        """A closure that calls another node's backward function: part of the running call."""
        return call.of(function)

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """A closure that calls `backward()` itself: part of the running call."""
        return call.of(function, obj)
