"""Observes any Value class from outside: creation, reads and writes of grad, running _backward.

The program's own source is never touched. What is laid over its classes hands everything to the
observer of the moment. With no pass on, the observer passes reads through and notes writes.
"""

from __future__ import annotations

import types
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chainstep import closure, graph, operands
from chainstep.anatomy import (
    GRAD_NAMES,
    OP_OF_METHOD,
    Anatomy,
    Observed,
    attributes,
    is_operation,
    mentions,
    number,
    replace_data,
    values_in,
)
from chainstep.classes import Classes
from chainstep.overlay import PASSED, Attributes, Creation, Observer, Runs
from chainstep.tape import Tape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from chainstep.rewriting import Rewriting
    from chainstep.witness import Witness

NEAR_FRAMES = 4
"""How far above the code that makes a Value the operator is looked for that it serves."""


class _Ref(weakref.ref):  # type: ignore[type-arg]  # not generic at run time in Python 3.10
    """A weak reference that knows under which key it is kept."""

    __slots__ = ("key",)
    key: int


class Tap:
    """Everything that is known of the program's Values.

    Args:
        is_program: Whether a file name is the program's own; lines are counted in it.
        observer: Hears of reads, writes and calls.
        data: Numbers that Values get as soon as they are made, by serial.

    Attributes:
        creations: How each live Value came to be, by its `id()`. Values that nobody holds any
            more leave by themselves, so that a loop that makes and drops Values costs nothing.
        observer: Hears of reads, writes and calls.
        codes: The code of all that is written in Value classes.
        anatomies: The classes that are Values, with the names of their parts.
        witness: Gathers evidence, where it is asked for.
        rewriting: Hears of numbers that Values get later; None where nobody wants to know.
        tape: Closures that nothing but a list of the program's holds.
        classes: Finds the classes that are Values.
        accessors: Code of the properties through which gradients and numbers are reached.
        remembers: Whether it is kept how Values are made. Those of which only the number is asked
            for can do without, if what a tape holds does not have to be told apart.
    """

    def __init__(
        self,
        is_program: Callable[[str], bool],
        observer: Observer,
        data: Mapping[int, float] | None = None,
    ) -> None:
        self.is_program = is_program
        self.observer = observer
        self.creations: dict[int, Creation] = {}
        self.anatomies: dict[type, Anatomy] = {}
        self.codes: set[types.CodeType] = set()
        self._children: dict[int, list[object]] = {}
        self.classes = Classes(self)
        self.tape = Tape(self)
        self.witness: Witness | None = None
        self.rewriting: Rewriting | None = None
        self.accessors: set[types.CodeType] = set(PASSED)
        self.serial = 0
        self.remembers = True
        self._data = data or {}
        self._finds_lines = True

    def noted(self, obj: object, args: tuple[Any, ...]) -> None:
        """Remember what the program hands to the backward function of a node."""
        calls = self.anatomies[type(obj)].calls
        if args and len(args) not in calls:
            roles = tuple("node" if arg is obj else "upstream" for arg in args)
            if len(set(roles)) == len(roles):
                calls[len(args)] = roles

    @contextmanager
    def unwitnessed(self, *, finds_lines: bool = True) -> Iterator[None]:
        """Let nothing that happens in a `with` block count as evidence: it is our own doing.

        Args:
            finds_lines: Whether Values made meanwhile are told the program's line: it takes long.
        """
        hearers = [each for each in (self.witness, self.rewriting) if each is not None]
        muted = [each.muted for each in hearers]
        for each in hearers:
            each.muted = True
        found, self._finds_lines = self._finds_lines, finds_lines
        try:
            yield
        finally:
            self._finds_lines = found
            for each, before in zip(hearers, muted, strict=True):
                each.muted = before

    def meet(self, root: object) -> None:
        """Learn the classes of Values that exist already: a root's and its operands'.

        They count as created now, in an order in which they can have been made.
        """
        values: dict[int, object] = {}
        stack = [root]
        while stack:
            thing = stack.pop()
            if isinstance(thing, (list, tuple, set, frozenset)):
                stack += thing
            elif id(thing) not in values and self._is_met(thing):
                values[id(thing)] = thing
                stack += attributes(thing).values()

        def operands_of(key: int) -> list[int]:
            held = attributes(values[key]).values()
            found = [part for thing in held for part in values_in(thing, self.is_value)]
            return [id(part) for part in operands.by_closure(self, values[key], found) or found]

        for key in graph.topological(id(root), operands_of) if values else ():
            self.creation(values[key])

    def _is_met(self, thing: object) -> bool:
        if isinstance(thing, (str, bytes, int, float, type, types.FunctionType)):
            return False
        known = self.is_value(thing) or mentions(type(thing), GRAD_NAMES)
        return known and (self.is_value(thing) or self.classes.learn(thing) is not None)

    def is_value(self, thing: object) -> bool:
        """Whether something is an instance of a class known to be a Value."""
        return type(thing) in self.anatomies

    def creation(self, obj: object) -> Creation:
        """How a Value came to be; one that was copied past its constructor gets a record now."""
        found = self.creations.get(id(obj))
        if found is None:
            found = self._register(obj)
            found.data = self.data(obj)
        return found

    def data(self, obj: object) -> float:
        """The number a Value holds now; nan where what it holds is no number."""
        value = number(self.raw_data(obj))
        return float("nan") if value is None else value

    def raw_data(self, obj: object) -> Any:
        """Whatever a Value holds as its data now."""
        return getattr(obj, self.anatomies[type(obj)].data, None)

    def grad(self, obj: object) -> Observed:
        """The descriptor that reaches the true gradient of a Value."""
        anatomy = self.anatomies[type(obj)]
        for cls in type(obj).__mro__:
            found = vars(cls).get(anatomy.grad)
            if isinstance(found, Observed):
                return found
        raise AssertionError("the gradient of a known class is laid over")

    def backward_function(self, obj: object) -> Callable[..., Any] | None:
        """The true backward function of a Value; None where it has none that can be called."""
        anatomy = self.anatomies[type(obj)]
        if anatomy.several is not None:
            functions = getattr(obj, anatomy.several, None)
            return closure.Several(functions) if functions else None
        if anatomy.backward is None:
            return self.tape.functions.get(id(obj))
        if anatomy.backward_is_method:
            method = getattr(type(obj), anatomy.backward)
            return types.MethodType(method.__chainstep_beneath__, obj)
        held = getattr(obj, anatomy.backward, None)
        function = held.function if isinstance(held, Runs) else held
        return function if callable(function) else None

    def in_class(self, code: types.CodeType) -> bool:
        """Whether code belongs to a Value class, also if it was attached to it later."""
        if code in self.codes:
            return True
        for klass in self.anatomies:
            if getattr(getattr(klass, code.co_name, None), "__code__", None) is code:
                self.codes.add(code)
                return True
        return False

    def _register(self, obj: object) -> Creation:
        created = Creation(self.serial)
        self.serial += 1
        key = id(obj)
        try:
            reference = _Ref(obj, self._forget)
        except TypeError:
            created.ref = obj  # __slots__ without __weakref__: it has to be held
        else:
            reference.key = key
            created.ref = reference
        self.creations[key] = created
        return created

    def _forget(self, reference: _Ref) -> None:
        created = self.creations.get(reference.key)
        if created is not None and created.ref is reference:
            del self.creations[reference.key]
            self._children.pop(reference.key, None)

    def born(self, obj: object, args: Any, kwargs: Any, frame: types.FrameType) -> None:
        """Take a Value whose constructor was called by the code in `frame` and has returned."""
        if not self.is_value(obj) and self.classes.learn(obj, (*args, *kwargs.values())) is None:
            return
        anatomy = self.anatomies[type(obj)]
        held = getattr(obj, "__dict__", None)
        if held is not None and anatomy.is_opened:
            object.__setattr__(obj, "__dict__", Attributes(obj, held))
        if self.remembers or anatomy.backward is None or self._data:
            self._remember(obj, anatomy, [*args, *kwargs.values()], frame)

    def _remember(
        self, obj: object, anatomy: Anatomy, arguments: list[object], frame: types.FrameType
    ) -> None:
        created = self._register(obj)
        if self._data:
            self._replace_data(obj, created.serial)
        created.data = self.data(obj)
        given: list[object] = []
        ordered = True
        for argument in arguments:
            found = values_in(argument, self.is_value)
            given += found
            ordered = ordered and not (found and isinstance(argument, (set, frozenset)))
        inside = self.in_class(frame.f_code)
        if inside or not ordered:
            given = operands.from_frame(self, frame, given, ordered=ordered)
        name = frame.f_code.co_name
        if not name.startswith("<"):
            created.op = OP_OF_METHOD.get(name, name.strip("_"))
        operates = is_operation(name) or bool(given and created.op)
        created.operands = tuple(self.creation(operand).serial for operand in given)
        led: types.FrameType | None = frame if inside else self._operator_above(frame)
        created.inner = inside or led is not frame
        if (created.inner or operates) and led is not None:
            led = led.f_back
        created.line = self.line_of(led) if self._finds_lines else None
        if anatomy.backward is None:
            self.tape.makers.add(frame.f_code)
        if self.witness is not None:
            function = self.backward_function(obj)
            created.initial = None if function is None else closure.code_of(function)
            self.witness.born(obj, created, frame)

    def _replace_data(self, obj: object, serial: int) -> None:
        """Give a Value the number that was asked for, and any other its own in full precision.

        Numbers of 32 bits would hide the small difference that the run is made to find.
        """
        raw = self.raw_data(obj)
        value = self._data.get(serial, number(raw))
        if value is not None and (serial in self._data or not isinstance(raw, (int, float))):
            replace_data(obj, self.anatomies[type(obj)], value)

    def _operator_above(self, frame: types.FrameType) -> types.FrameType:
        """The operator of a class for which a function or another class makes a Value."""
        above: types.FrameType | None = frame
        for _ in range(NEAR_FRAMES):
            if above is None or above.f_code.co_name == "<module>":
                break
            if self.in_class(above.f_code):
                return above
            above = above.f_back
        return frame

    def line_of(self, frame: types.FrameType | None) -> int | None:
        """The program's own line that led to a frame; operators of a Value class don't count."""
        while frame is not None:
            code = frame.f_code
            if self.is_program(code.co_filename) and not self.in_class(code):
                return frame.f_lineno
            frame = frame.f_back
        return None

    def children(self, obj: object) -> list[object]:
        """The operands of a Value in written order, as many times as it uses each."""
        found = self._children.get(id(obj))
        if found is None:
            found = self._children[id(obj)] = operands.held(self, obj)
        return found

    def look_again(self) -> None:
        """Forget what operands Values had: the program may have changed them since."""
        self._children.clear()
        self.tape.read()
