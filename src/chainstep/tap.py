"""Observes any Value class from outside: creation, reads and writes of grad, running _backward.

The program's own source is never touched. Classes are noticed as they are defined; the first
instance of each shows how it is built (decorators have run by then); two data descriptors are
then laid over its gradient and its backward function, and hand everything to the observer of
the moment. With no pass on, the observer passes reads through and notes writes.
"""

from __future__ import annotations

import builtins
import functools
import types
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chainstep import behaviour, closure, graph, operands
from chainstep.anatomy import (
    BACKWARD_NAMES,
    DATA_NAMES,
    DRIVER_NAMES,
    GRAD_NAMES,
    MISSING,
    OP_OF_METHOD,
    Anatomy,
    Observed,
    accessors,
    attributes,
    class_codes,
    first_present,
    is_operation,
    mentions,
    number,
    number_among,
    replace_data,
    storage,
    values_in,
)
from chainstep.hashing import Hashes
from chainstep.overlay import (
    PASSED,
    Attributes,
    BackwardOverlay,
    Call,
    Creation,
    DataOverlay,
    DataStores,
    GradOverlay,
    Observer,
    Runs,
    caller,
)
from chainstep.tape import Tape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from chainstep.rewriting import Rewriting
    from chainstep.witness import Witness

ARITHMETIC = ("__add__", "__mul__", "__radd__", "__rmul__", "__sub__", "__pow__")
FOREIGN_GIANTS = ("torch", "numpy", "jax", "jaxlib", "tensorflow", "keras", "sympy", "pandas")
"""Packages that define hundreds of classes with a `grad`, none of which is a scalar Value."""


TRIES = 4
"""Instances of a class without telling names that are looked at; the first may be a 0."""

NEAR_FRAMES = 4
"""How far above the code that makes a Value the operator is looked for that it serves."""


def _plain_new(cls: type, *_args: Any, **_kwargs: Any) -> Any:
    """What `object.__new__` does for a class that has a constructor."""
    return object.__new__(cls)


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
        near_misses: Classes that might have been, and what they lack.
        witness: Gathers evidence, where it is asked for.
        rewriting: Hears of numbers that Values get later; None where nobody wants to know.
        tape: Closures that nothing but a list of the program's holds.
        accessors: Code of the properties through which gradients and numbers are reached.
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
        self.near_misses: dict[str, str] = {}
        self._candidates: set[type] = set()
        self._adopted: set[type] = set()
        self._unnamed: dict[type, int] = {}
        self.codes: set[types.CodeType] = set()
        self._laid: list[tuple[type, str, object]] = []
        self._children: dict[int, list[object]] = {}
        self.tape = Tape(self)
        self.witness: Witness | None = None
        self.rewriting: Rewriting | None = None
        self.accessors: set[types.CodeType] = set(PASSED)
        self.serial = 0
        self._hashes = Hashes()
        self._data = data or {}
        self._finds_lines = True

    # -- classes ---------------------------------------------------------------------------

    @contextmanager
    def watching(self, instead: Mapping[str, type] | None = None) -> Iterator[None]:
        """Notice every class that is defined inside the `with` block.

        Args:
            instead: Classes that stand in for those of the program with these names.
        """
        original = builtins.__build_class__

        @functools.wraps(original)
        def build_class(function: Any, name: str, *bases: Any, **keywords: Any) -> Any:
            cls = original(function, name, *bases, **keywords)
            ours = (instead or {}).get(name)
            if ours is not None and (cls.__module__, cls.__qualname__) == ("__main__", name):
                return ours
            if isinstance(cls, type):
                self.consider(cls)
                if self.witness is not None:
                    self.witness.defined(cls, function)
            return cls

        builtins.__build_class__ = build_class  # type: ignore[assignment]  # same call, any result
        try:
            yield
        finally:
            builtins.__build_class__ = original

    def consider(self, cls: type) -> None:
        """Look at a class; if it could be a Value, wait for its first instance."""
        module = getattr(cls, "__module__", "") or ""
        if module.partition(".")[0] in FOREIGN_GIANTS or issubclass(cls, (BaseException, tuple)):
            return
        own = self._is_own(cls)
        arithmetic = any(callable(getattr(cls, name, None)) for name in ARITHMETIC)
        inherits = any(base in self._candidates for base in cls.__mro__[1:])
        if not inherits and not mentions(cls, GRAD_NAMES):
            if arithmetic and own:
                self.near_misses[cls.__name__] = f"has no gradient ({', '.join(GRAD_NAMES[:3])})"
            if (arithmetic or own) and behaviour.is_like_a_value(cls):
                self._unnamed[cls] = 0
                self._wait_for_instance(cls)
            return
        if inherits or own or arithmetic:
            self._candidates.add(cls)
            self._wait_for_instance(cls)

    def _is_own(self, cls: type) -> bool:
        return any(self.is_program(code.co_filename) for code in class_codes(cls)) or (
            cls.__module__ == "__main__"
        )

    def _wait_for_instance(self, cls: type) -> None:
        original: Any = cls.__new__
        plain = original is object.__new__

        @functools.wraps(original)
        def new(klass: type, *args: Any, **kwargs: Any) -> Any:
            self._adopt(klass)
            obj = object.__new__(klass) if plain else original(klass, *args, **kwargs)
            self._hashes.take(obj)
            return obj

        try:
            self._lay(cls, "__new__", new)
        except TypeError:  # a class that is not written in Python
            self._candidates.discard(cls)

    def _lay(self, cls: type, name: str, thing: object) -> None:
        """Set an attribute of a class, remembering what was there."""
        before = vars(cls).get(name, MISSING)
        type.__setattr__(cls, name, thing)  # whatever a metaclass says of it
        self._laid.append((cls, name, before))

    def lift(self) -> None:
        """Take everything off the classes again: they are as the program made them."""
        while self._laid:
            cls, name, before = self._laid.pop()
            if before is not MISSING:
                type.__setattr__(cls, name, before)
            elif name == "__new__":
                # Once set and deleted, a class refuses its constructor's arguments for ever.
                type.__setattr__(cls, name, _plain_new)
            else:
                type.__delattr__(cls, name)

    def _adopt(self, klass: type) -> None:
        """Wrap the constructor of a class whose first instance is about to be made."""
        if klass in self._adopted:
            return
        self._adopted.add(klass)
        self.codes.update(class_codes(klass))
        if self.witness is not None:
            self.witness.adopted(klass)
        original: Any = klass.__init__  # type: ignore[misc]

        @functools.wraps(original)
        def init(obj: Any, *args: Any, **kwargs: Any) -> None:
            original(obj, *args, **kwargs)
            if type(obj) is klass:
                self._born(obj, args, kwargs, caller())

        self._lay(klass, "__init__", init)
        steady = self._hashes.steady(klass)
        if steady is not None:
            self._lay(klass, "__hash__", steady)

    def _learn(self, obj: object, arguments: tuple[object, ...] = ()) -> Anatomy | None:
        """The parts of an instance's class, learnt from the instance; None: it is no Value."""
        klass = type(obj)
        present = attributes(obj)
        if klass in self._unnamed:
            found = self._by_behaviour(klass, present, arguments)
            return None if found is None else self._take(klass, present, *found)
        grad = first_present(obj, GRAD_NAMES)
        data = next((n for n in DATA_NAMES if n in present and n != grad), None)
        if data is None:
            data = next(
                (n for n in DATA_NAMES if isinstance(getattr(klass, n, None), property)), None
            )
        if data is None and grad is not None:
            data = number_among(present, arguments, grad)
        if grad is None or data is None:
            if self._is_own(klass):
                lacks = "no number" if data is None else "no gradient"
                names = ", ".join((DATA_NAMES if data is None else GRAD_NAMES)[:3])
                self.near_misses[klass.__name__] = f"has {lacks} ({names})"
            return None
        return self._take(klass, present, grad, data)

    def _by_behaviour(
        self, klass: type, present: dict[str, object], arguments: tuple[object, ...]
    ) -> tuple[str, str] | None:
        """Gradient and number of a class whose names tell nothing, where no other's do."""
        self._unnamed[klass] += 1
        named = any(cls not in self._unnamed for cls in self.anatomies)
        named = named or any(self._is_own(cls) for cls in self._candidates)
        if named or self._unnamed[klass] > TRIES:
            return None
        return behaviour.parts(self, klass, present, arguments)

    def _take(self, klass: type, present: dict[str, object], grad: str, data: str) -> Anatomy:
        """Lay our descriptors over the parts of a class of Values."""
        stored = storage(klass, data, present)
        grad = storage(klass, grad, present)
        self.accessors.update(accessors(klass, (grad, stored)))
        anatomy = Anatomy(grad, data, stored)
        anatomy.is_opened = behaviour.opens_attributes(self, klass)
        self._lay(klass, grad, GradOverlay(klass, grad, self))
        self._lay_over_data(klass, stored)
        self.anatomies[klass] = anatomy
        self.near_misses.pop(klass.__name__, None)
        self._lay_over_backward(klass, present)
        for name in DRIVER_NAMES:
            self._wrap_driver(klass, name)
        return anatomy

    def _lay_over_data(self, klass: type, stored: str) -> None:
        if self.rewriting is None:
            return
        overlay = DataStores(klass, stored, self, self.rewriting)
        if self.witness is not None or overlay.beneath is not MISSING:
            overlay = DataOverlay(klass, stored, self, self.rewriting)
        self._lay(klass, stored, overlay)

    def _lay_over_backward(self, klass: type, present: dict[str, object]) -> None:
        for name in BACKWARD_NAMES:
            inherited = getattr(klass, name, None)
            if isinstance(inherited, types.FunctionType) and name not in present:
                self._wrap_method(klass, name, inherited)
                return
            if name in present or mentions(klass, [name]):
                self.observe_backward(klass, name)
                return

    def observe_backward(self, klass: type, name: str) -> None:
        """Learn that instances of a class keep their backward function under this name."""
        self._lay(klass, name, BackwardOverlay(klass, name, self))
        self.anatomies[klass].backward = name

    def observe_backward_method(self, klass: type, name: str) -> None:
        """Learn that a class has its backward function as a method of this name."""
        self._wrap_method(klass, name, getattr(klass, name))

    def _wrap_method(self, klass: type, name: str, original: types.FunctionType) -> None:
        """A backward function that is a method: every call of it counts as a call of the node."""
        original = getattr(original, "__chainstep_beneath__", original)

        @functools.wraps(original)
        def method(obj: Any, *args: Any, **kwargs: Any) -> Any:
            if id(obj) not in self.creations:
                return original(obj, *args, **kwargs)
            bound = types.MethodType(original, obj)
            self.noted(obj, args)
            return self.observer.call(obj, bound, Call(args, kwargs, caller()))

        method.__chainstep_beneath__ = original  # type: ignore[attr-defined]
        self._lay(klass, name, method)
        anatomy = self.anatomies[klass]
        anatomy.backward = name
        anatomy.backward_is_method = True

    def noted(self, obj: object, args: tuple[Any, ...]) -> None:
        """Remember what the program hands to the backward function of a node."""
        calls = self.anatomies[type(obj)].calls
        if args and len(args) not in calls:
            roles = tuple("node" if arg is obj else "upstream" for arg in args)
            if len(set(roles)) == len(roles):
                calls[len(args)] = roles

    def _wrap_driver(self, klass: type, name: str) -> None:
        found = getattr(klass, name, None)
        if not isinstance(found, types.FunctionType):
            return
        original: Any = getattr(found, "__chainstep_beneath__", found)
        if self.anatomies[klass].backward == name:
            return

        @functools.wraps(original)
        def drive(obj: Any, *args: Any, **kwargs: Any) -> Any:
            if id(obj) not in self.creations:
                return original(obj, *args, **kwargs)
            return self.observer.drive(obj, original, Call(args, kwargs, caller()))

        drive.__chainstep_beneath__ = original  # type: ignore[attr-defined]
        self._lay(klass, name, drive)

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

    # -- instances -------------------------------------------------------------------------

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
        return known and (self.is_value(thing) or self._learn(thing) is not None)

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

    def _born(self, obj: object, args: Any, kwargs: Any, frame: types.FrameType) -> None:
        if not self.is_value(obj) and self._learn(obj, (*args, *kwargs.values())) is None:
            return
        created = self._register(obj)
        held = getattr(obj, "__dict__", None)
        if held is not None and self.anatomies[type(obj)].is_opened:
            object.__setattr__(obj, "__dict__", Attributes(obj, held))
        if self._data:
            self._replace_data(obj, created.serial)
        created.data = self.data(obj)
        arguments = [*args, *kwargs.values()]
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
        if self.anatomies[type(obj)].backward is None:
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
