"""Calls the operations of a program again, on fresh Values, and measures what they do.

The number that an operation gives is differentiated by central differences, and what its backward
hands over is observed with an upstream gradient of 1 and of 2. Nothing is judged here.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import inspect
import io
import math
import random
import sys
import time
import types
import weakref
from typing import TYPE_CHECKING, Any, TypeVar

from chainstep import graph, slopes
from chainstep.anatomy import DRIVER_NAMES, OP_NAMES, number, replace_data, text_attribute
from chainstep.closure import code_of
from chainstep.evidence import Point, Trial
from chainstep.quotient import Unmeasured, alike, central
from chainstep.witness import Operation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from chainstep.anatomy import Observed
    from chainstep.overlay import Call
    from chainstep.tap import Tap
    from chainstep.witness import Argument, Witness

T = TypeVar("T")

BUDGET_S = 1.5
"""What all trials of a run may take together, of processor time: a busy machine hides nothing."""

DEEPEST = 250
"""Calls inside one another that an operation may make."""

GENERIC = (
    (0.7, 1.3, 0.4, 1.6, 0.9, 1.1, 0.6, 1.4),
    (1.9, 0.4, 1.2, 0.8, 1.5, 0.3, 1.7, 0.5),
    (-0.6, 1.2, -1.1, 0.5, -0.9, 1.4, -0.3, 0.8),
    (-1.4, -0.8, -0.5, -1.7, -1.2, -0.7, -1.9, -0.4),
)
"""Where operations are tried besides the numbers that the program gave them."""

MOST_POINTS = 7

REFLECTED = ("__rsub__", "__rtruediv__", "__rpow__")
"""Operators that give something else when their operands change places."""


class _Scratch:
    """Observes a backward on gradients of its own; what is stored without reading is added."""

    def __init__(self, *, raw: bool) -> None:
        self.gradients: dict[int, float] = {}
        self._running: object = None
        self._heard = slopes.Heard()
        self._reads: set[int] = set()
        self._raw = raw

    def run(self, tap: Tap, obj: object) -> None:
        """Run one node's backward."""
        self._running = obj
        upstream = self.gradients.get(id(obj), 0.0)
        for child, contribution in slopes.run(tap, obj, upstream, self._heard):
            self.add(child, contribution)

    def read(self, obj: object, grad: Observed) -> Any:  # noqa: ARG002  our own gradients instead
        """What has come so far."""
        self._heard.asked = self._heard.asked or obj is self._running
        self._reads.add(id(obj))
        return self.gradients.get(id(obj), 0.0)

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:  # noqa: ARG002
        """Keep a store; one that did not read its target first is added."""
        stored = number(value)
        if stored is None:
            raise TypeError("a gradient that is no number")
        self._heard.wrote = True
        if self._raw or id(obj) in self._reads:
            self._reads.discard(id(obj))
            self.gradients[id(obj)] = stored
        else:
            self.add(obj, stored)

    def add(self, obj: object, contribution: float) -> None:
        """Take a contribution."""
        self.gradients[id(obj)] = self.gradients.get(id(obj), 0.0) + contribution

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:  # noqa: ARG002
        """Just run it."""
        return call.of(function)

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """Just run it."""
        return call.of(function, obj)


class Made:
    """What one call of an operation made: its result, its operands, all that lies between.

    Attributes:
        below: The result and all it was made from, children before consumers.
    """

    def __init__(self, tap: Tap, result: object, operands: list[object]) -> None:
        self.result = result
        self.operands = operands
        self._by_id = {id(result): result}
        self._tap = tap
        self.below: list[object] = []
        if tap.is_value(result):
            order = graph.topological(id(result), self._children)
            self.below = [self._by_id[key] for key in order]

    def _children(self, key: int) -> list[int]:
        found = self._tap.children(self._by_id[key])
        self._by_id.update((id(child), child) for child in found)
        return [id(child) for child in found]

    def holds(self, operand: object) -> bool:
        """Whether the result was made from an operand, as recorded."""
        return id(operand) in self._by_id


class Bench:
    """Where operations are tried.

    Args:
        tap: Knows the classes; its observer is set aside during a trial.
        witness: Knows how operations were called.
        file: Gives the index of a source file.
    """

    def __init__(self, tap: Tap, witness: Witness, file: Callable[[str], int]) -> None:
        self._tap = tap
        self._witness = witness
        self._file = file
        self._patterns: dict[type, object] = {}
        self._state = random.getstate()
        self._deadline = self._earliest = 0.0

    def run(self) -> Iterator[Trial]:
        """Try every operation, as long as time is left."""
        self._deadline = time.thread_time() + BUDGET_S
        self._earliest = time.monotonic() + BUDGET_S
        self._find_patterns()
        for operation in [*self._witness.operations.values(), *self._reflected()]:
            for calls in operation.calls.values():
                if self._is_late():
                    return
                with (
                    contextlib.redirect_stdout(io.StringIO()),
                    self._tap.unwitnessed(finds_lines=False),
                    _shallow(),
                ):
                    trial = self._try(operation, calls)
                yield trial
        random.setstate(self._state)

    def _is_late(self) -> bool:
        """Whether the time is over. To ask for the processor's takes longer than many a trial."""
        return time.monotonic() > self._earliest and time.thread_time() > self._deadline

    def _reflected(self) -> Iterator[Operation]:
        """Reflected operators that are another one under a second name, such as `__rsub__`."""
        for operation in list(self._witness.operations.values()):
            for name in REFLECTED if operation.owner is not None else ():
                found = getattr(operation.owner, name, None)
                is_same = getattr(found, "__code__", None) is operation.code
                calls = [
                    call
                    for sample in operation.calls.values()
                    for call in sample
                    if len(call) == 2 and call[1].kind in {"int", "float"}
                ]
                if is_same and operation.code.co_name != name and calls:
                    other = Operation(operation.code, operation.owner, operation.space)
                    other.name = name
                    other.function = found
                    other.calls["reflected",] = calls[:1]
                    yield other

    def _find_patterns(self) -> None:
        """Leaves of the program, one per class: others are made like them."""
        for created in list(self._tap.creations.values()):
            obj = created.ref() if isinstance(created.ref, weakref.ref) else created.ref
            if obj is not None and not created.operands and not self._tap.children(obj):
                self._patterns.setdefault(type(obj), obj)

    # -- one operation ---------------------------------------------------------------------

    def _try(self, operation: Operation, calls: list[list[Argument]]) -> Trial:
        code = operation.code
        function = find(operation)
        arguments = calls[0]
        told = _Told()
        if function is None:
            told.error = "its function is not in reach"
        given = [tuple(x for argument in call for x in argument.data) for call in calls]
        slots = len(given[0])
        generic = [numbers[:slots] for numbers in GENERIC if slots <= len(numbers)]
        points: list[Point] = []
        own = 0
        for data in dict.fromkeys((*given, *generic)):
            if function is None or told.is_hopeless or len(points) >= MOST_POINTS:
                break
            with contextlib.suppress(Unmeasured):
                points.append(self._measure(function, arguments, data, told))
                own += data in given
        return Trial(
            self._file(code.co_filename),
            code.co_firstlineno,
            operation.name,
            operation.owner is not None,
            told.op,
            tuple(_numbers(arguments)),
            told.uses,
            tuple(
                part
                for written in [told.code]
                if written is not None
                for part in (self._file(written.co_filename), written.co_firstlineno)
            ),
            told.returns,
            tuple(points),
            own,
            "" if points else told.error,
        )

    def _measure(
        self,
        function: Callable[..., Any],
        arguments: list[Argument],
        data: tuple[float, ...],
        told: _Told,
    ) -> Point:
        """Everything about one point.

        Raises:
            Unmeasured: The operation cannot be called there, or gives no finite number.
        """
        tap = self._tap

        def out_at(numbers: Sequence[float]) -> float:
            result = self._result(function, arguments, numbers, told)
            return tap.data(result) if tap.is_value(result) else math.nan

        made = self._made(function, arguments, data, told)
        told.hear(made, tap)
        out = out_at(data)
        if not math.isfinite(out) or not alike(out, tap.data(made.result)):
            told.error = told.error or "its result is not finite, or another each time"
            raise Unmeasured
        changed = [
            not alike(tap.data(operand), x) for operand, x in zip(made.operands, data, strict=True)
        ]
        found = [central(out_at, data, slot, out) for slot in range(len(data))]
        return Point(
            data,
            out,
            tuple(slope.value for slope in found),
            self._handed(function, arguments, data, 1.0, told),
            self._handed(function, arguments, data, 2.0, told),
            tuple(made.holds(operand) for operand in made.operands),
            tuple(changed),
            max((slope.error for slope in found if slope.value is not None), default=0.0),
        )

    # -- calling ---------------------------------------------------------------------------

    def _made(
        self,
        function: Callable[..., Any],
        arguments: list[Argument],
        data: Sequence[float],
        told: _Told,
    ) -> Made:
        """Call an operation on fresh Values, and look at all that the call made."""

        def look(result: object, operands: list[object]) -> Made:
            if self._tap.tape.is_used:
                self._tap.look_again()  # it may have appended a closure
            return Made(self._tap, result, operands)

        return self._called(function, arguments, data, told, look)

    def _result(
        self,
        function: Callable[..., Any],
        arguments: list[Argument],
        data: Sequence[float],
        told: _Told,
    ) -> object:
        """What an operation gives for fresh Values: for its number alone."""
        self._tap.remembers = False
        try:
            return self._called(function, arguments, data, told, lambda result, _: result)
        finally:
            self._tap.remembers = True

    def _called(
        self,
        function: Callable[..., Any],
        arguments: list[Argument],
        data: Sequence[float],
        told: _Told,
        look: Callable[[object, list[object]], T],
    ) -> T:
        """What is seen of the result of an operation and of the fresh operands it was given.

        Raises:
            Unmeasured: The operation fails, or time is over.
        """
        if self._is_late():
            told.is_hopeless = True
            raise Unmeasured
        numbers = iter(data)
        operands: list[object] = []
        given: list[Any] = []
        for argument in arguments:
            fresh = [self._fresh(next(numbers), told) for _ in argument.data]
            operands += fresh
            if argument.kind == "value":
                given += fresh
            else:
                given.append(argument.gather(fresh) if fresh else argument.plain)
        random.setstate(self._state)  # a random operation draws the same number each time
        outer, self._tap.observer = self._tap.observer, _Scratch(raw=True)
        try:
            return look(function(*given), operands)
        except Exception as raised:  # noqa: BLE001  the program's own code
            told.error = told.error or f"{type(raised).__name__}: {raised}"[:200]
            told.is_hopeless = told.is_hopeless or isinstance(raised, RecursionError)
            raise Unmeasured from None
        finally:
            self._tap.observer = outer

    def _fresh(self, value: float, told: _Told) -> object:
        """A leaf with this number, like one that the program made."""
        tap = self._tap
        if not self._patterns:
            told.error = "the program has no leaf that could be copied"
            raise Unmeasured
        pattern = next(iter(self._patterns.values()))
        try:
            made = type(pattern)(value)  # type: ignore[call-arg]  # most take just their number
        except Exception:  # noqa: BLE001  its constructor wants more
            made = copy.copy(pattern)
        if tap.remembers:
            tap.creation(made)
        if tap.data(made) != value:
            replace_data(made, tap.anatomies[type(pattern)], value)
        return made

    # -- what its backward hands over --------------------------------------------------------

    def _handed(
        self,
        function: Callable[..., Any],
        arguments: list[Argument],
        data: tuple[float, ...],
        upstream: float,
        told: _Told,
    ) -> tuple[float | None, ...]:
        """Gradients of the operands with this upstream gradient; () where nothing can be run."""
        made = self._made(function, arguments, data, told)
        tap = self._tap
        outer = tap.observer
        try:
            scratch = _Scratch(raw=False)
            tap.observer = scratch
            if not _run(tap, made, scratch, upstream):
                scratch = _Scratch(raw=True)
                tap.observer = scratch
                if upstream != 1.0 or not _drive(made.result):
                    return ()
        finally:
            tap.observer = outer
        return tuple(scratch.gradients.get(id(operand)) for operand in made.operands)


class _Told:
    """What the calls of one operation told so far."""

    def __init__(self) -> None:
        self.op = ""
        self.uses: tuple[int, ...] = ()
        self.code: types.CodeType | None = None
        self.returns = ""
        self.error = ""
        self.is_hopeless = False

    def hear(self, made: Made, tap: Tap) -> None:
        """Take in the result of a call."""
        result = made.result
        if any(result is operand for operand in made.operands):
            self.returns = "operand"
        else:
            self.returns = "value" if tap.is_value(result) else type(result).__name__
        self.op = self.op or text_attribute(result, OP_NAMES)
        given = None
        if self.returns == "value" and self.code is None:
            given = tap.backward_function(result) or slopes.function(tap, result)
        self.code = self.code if given is None else code_of(given)
        if not self.uses:
            sites = {tap.creation(obj).site for obj in made.below if tap.children(obj)}
            self.uses = tuple(sorted(line for site in sites if site for line in site[1:]))


def _run(tap: Tap, made: Made, scratch: _Scratch, upstream: float) -> bool:
    """Run the backward of all that a call made; False where there is none to run."""
    # An operand's own backward is not the operation's: it may have been given the wrong one.
    own = [obj for obj in reversed(made.below) if not any(obj is x for x in made.operands)]
    own = [obj for obj in own if slopes.is_driven(tap, obj)]
    scratch.gradients[id(made.result)] = upstream
    with contextlib.suppress(Exception):  # what was handed over before counts
        for obj in own:
            scratch.run(tap, obj)
    has_place = any(tap.anatomies[type(obj)].backward is not None for obj in made.below)
    return bool(own) or has_place or tap.tape.is_used


def _drive(result: object) -> bool:
    """Let the program's own `backward()` run; False where the class has none."""
    for name in DRIVER_NAMES:
        driver = getattr(result, name, None)
        if callable(driver):
            with contextlib.suppress(Exception):
                driver()
            return True
    return False


def find(operation: Operation) -> Callable[..., Any] | None:
    """The function of an operation, with all its decorators where it is an attribute."""
    code = operation.code
    if operation.function is not None:
        return operation.function
    spaces = [vars(owner) for owner in operation.owner.__mro__] if operation.owner else []
    near = [space.get(code.co_name) for space in (*spaces, operation.space)]
    attached = [member for space in spaces for member in space.values()]
    for member in (*near, *attached):
        found: Callable[..., Any] = getattr(member, "__func__", member)
        if callable(found) and getattr(inspect.unwrap(found), "__code__", None) is code:
            return found
    for referrer in gc.get_referrers(code):
        if isinstance(referrer, types.FunctionType) and referrer.__code__ is code:
            return referrer
    return None


@contextlib.contextmanager
def _shallow() -> Iterator[None]:
    """Let a call that never comes back end soon: on fresh leaves no operation goes deep."""
    frame, depth = inspect.currentframe(), 0
    while frame is not None:
        frame, depth = frame.f_back, depth + 1
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + DEEPEST)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _numbers(arguments: list[Argument]) -> Iterator[float | None]:
    """The bare numbers among the arguments; None for each operand, nan for what is neither."""
    for argument in arguments:
        if argument.data:
            yield from [None] * len(argument.data)
        else:
            plain = number(argument.plain)
            yield math.nan if plain is None else plain
