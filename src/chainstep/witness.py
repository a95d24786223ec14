"""Gathers evidence while the program runs: who made which Value, and who read what.

Only where `Options.check` asks for it. Holds no Value: serials stand for them.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from chainstep.anatomy import DRIVER_NAMES, is_operation, number
from chainstep.evidence import Odd, Read

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from chainstep.overlay import Creation
    from chainstep.tap import Tap

RECENT_READS = 24
"""Reads of data that are remembered: a leaf that is made next may have been made from them."""

MOST_ITEMS = 20_000
"""Reads that are kept: a long training shows its faults early."""

NEAR_FRAMES = 3
"""How far above a function that makes a Value the operator is looked for that called it."""

SHAPES_PER_FUNCTION = 4
SAMPLES_PER_SHAPE = 4
CALLS_LOOKED_AT = 60
"""Of an operation: calls whose operands have other signs than those before are kept."""

NO_OPERATIONS = frozenset({"__init__", "__new__", "__post_init__", *DRIVER_NAMES})
"""Functions in which Values may be made and that are no operations."""

PLAIN = (bool, int, float, str, type(None))


class Argument:
    """One argument of an operation as it was called.

    Attributes:
        kind: "value" for one Value; what holds them for several; else the type of a plain thing.
        data: Numbers of the Values in it.
        plain: The thing itself, if it holds no Value.
        gather: Makes what holds the Values from a list of them.
    """

    __slots__ = ("data", "gather", "kind", "plain")

    def __init__(
        self,
        kind: str,
        data: tuple[float, ...] = (),
        plain: object = None,
        gather: Callable[[list[object]], object] = list,
    ) -> None:
        self.kind = kind
        self.data = data
        self.plain = plain
        self.gather = gather


class Operation:
    """A function that made Values, with the arguments of some of its calls."""

    def __init__(self, code: types.CodeType, owner: type | None, space: dict[str, Any]) -> None:
        self.code = code
        self.name = code.co_name
        self.function: Callable[..., Any] | None = None
        self.owner = owner
        self.space = space
        self.calls: dict[tuple[str, ...], list[list[Argument]]] = {}
        self.seen = 0


class Witness:
    """Hears from the tap, and keeps what it hears.

    Attributes:
        muted: Whether nothing that happens now is the program's own doing.
        operations: What can be tried again at the end, by code.
        inside: Code of which nobody asks what it reads.
        class_lines: Where classes begin, by module and qualified name.
        grad_lines: Where constructors store the first gradient, by class.
    """

    def __init__(self, tap: Tap, position: Callable[..., tuple[int, int, bool]]) -> None:
        self.muted = False
        self.operations: dict[types.CodeType, Operation] = {}
        self.class_lines: dict[tuple[str, str], int] = {}
        self.grad_lines: dict[type, tuple[str, int]] = {}
        self.makers: dict[types.CodeType, None] = {}
        self.class_members: dict[type, list[tuple[str, types.CodeType]]] = {}
        self.reads: list[Read] = []
        self.odd: list[tuple[str, Odd]] = []
        self._tap = tap
        self._position = position
        self.inside: set[types.CodeType] = set()
        self._is_outside: dict[types.CodeType, bool] = {}
        self._looks: deque[tuple[int, int, bool]] = deque(maxlen=RECENT_READS)

    # -- classes ---------------------------------------------------------------------------

    def defined(self, cls: type, body: object) -> None:
        """A class has been defined by the code of its body."""
        code = getattr(body, "__code__", None)
        if code is not None:
            self.class_lines[cls.__module__, cls.__qualname__] = code.co_firstlineno

    def adopted(self, cls: type) -> None:
        """A class is about to make its first instance: nothing is laid over it yet."""
        members = []
        for owner in cls.__mro__[:-1]:
            for member in list(vars(owner).values()):
                found = member.fget if isinstance(member, property) else member
                found = getattr(found, "__func__", found)
                code = getattr(found, "__code__", None)
                if code is not None:
                    members.append((owner.__name__, code))
        self.class_members[cls] = members

    def first_gradient(self, cls: type, frame: types.FrameType) -> None:
        """The constructor of a class stores a gradient."""
        if cls not in self.grad_lines:
            self.grad_lines[cls] = (frame.f_code.co_filename, frame.f_lineno)

    # -- Values ----------------------------------------------------------------------------

    def born(self, obj: object, created: Creation, frame: types.FrameType) -> None:
        """A Value has been made by the call in `frame`."""
        code = frame.f_code
        created.site = (code.co_filename, frame.f_lineno)
        if self.muted:
            return
        self.makers[code] = None
        raw = self._tap.raw_data(obj)
        if number(raw) is None:
            self._note_odd(created, "data", raw, frame)
        if self._outside(code):
            created.reads = tuple(self._looks)
        self._note_operation(created, frame)

    def _outside(self, code: types.CodeType) -> bool:
        """Whether code is the program's own and belongs to no Value class."""
        found = self._is_outside.get(code)
        if found is None:
            tap = self._tap
            found = tap.is_program(code.co_filename) and not tap.in_class(code)
            self._is_outside[code] = found
            if not found and code not in tap.accessors:
                self.inside.add(code)
        return found

    def _note_operation(self, created: Creation, frame: types.FrameType) -> None:
        """Remember how the operation that makes a Value was called: innermost and outermost."""
        tap = self._tap
        inner: types.FrameType | None = frame
        chain = []
        while inner is not None and tap.in_class(inner.f_code):
            chain.append(inner)
            inner = inner.f_back
        if not chain:
            self._note_function(created, frame)
            return
        for candidate in chain:
            if self._sample(candidate, self._owner(candidate)):
                break
        if len(chain) > 1:
            self._sample(chain[-1], self._owner(chain[-1]))

    def _note_function(self, created: Creation, frame: types.FrameType) -> None:
        """Remember an operation that is written outside the class, or the operator it serves."""
        name = frame.f_code.co_name
        known = is_operation(name)
        if name == "<module>":
            return
        if created.operands or known:
            self._sample(frame, None)
            return
        above = frame.f_back
        for _ in range(NEAR_FRAMES):
            if above is None:
                return
            if self._tap.in_class(above.f_code):
                self._sample(above, self._owner(above))
                return
            above = above.f_back

    def _owner(self, frame: types.FrameType) -> type | None:
        code = frame.f_code
        first = frame.f_locals.get(code.co_varnames[0]) if code.co_argcount else None
        if isinstance(first, type):
            return first
        return type(first) if self._tap.is_value(first) else None

    def _sample(self, frame: types.FrameType, owner: type | None) -> bool:
        """Keep the arguments of a call; False where it cannot be made again from outside."""
        code = frame.f_code
        known = self.operations.get(code)
        if known is not None:
            known.seen += 1
            if known.seen > CALLS_LOOKED_AT:
                return True
        arguments = self._arguments(frame)
        if arguments is None or code.co_name in NO_OPERATIONS:
            return known is not None
        if known is None:
            known = self.operations[code] = Operation(code, owner, frame.f_globals)
        shape = tuple(argument.kind for argument in arguments)
        if shape not in known.calls and len(known.calls) >= SHAPES_PER_FUNCTION:
            return True
        calls = known.calls.setdefault(shape, [])
        signs = [_signs(call) for call in calls]
        if len(calls) < SAMPLES_PER_SHAPE and (len(calls) < 2 or _signs(arguments) not in signs):
            calls.append(arguments)
        return True

    def _arguments(self, frame: types.FrameType) -> list[Argument] | None:
        code, local = frame.f_code, frame.f_locals
        count = code.co_argcount + code.co_kwonlyargcount
        if code.co_kwonlyargcount or code.co_flags & 0x08:  # keyword arguments: not tried
            return None
        names = list(code.co_varnames[:count])
        things = [local.get(name) for name in names]
        if code.co_flags & 0x04:
            things += local.get(code.co_varnames[count], ())
        found = []
        for thing in things:
            argument = self._argument(thing)
            if argument is None:
                return None
            found.append(argument)
        return found if any(argument.data for argument in found) else None

    def _argument(self, thing: object) -> Argument | None:
        tap = self._tap
        if tap.is_value(thing):
            return Argument("value", (tap.data(thing),))
        if isinstance(thing, type) and thing in tap.anatomies:
            return Argument("class", plain=thing)
        if isinstance(thing, PLAIN):
            return Argument(type(thing).__name__, plain=thing)
        if isinstance(thing, (list, tuple)) and 0 < len(thing) <= 8:
            if all(tap.is_value(item) for item in thing):
                data = tuple(tap.data(item) for item in thing)
                gather = list if isinstance(thing, list) else tuple
                return Argument(f"{gather.__name__} of {len(thing)}", data, gather=gather)
            if all(isinstance(item, PLAIN) for item in thing):
                return Argument("plain", plain=thing)
        plain = number(thing)
        return None if plain is None else Argument("float", plain=plain)

    # -- reads -------------------------------------------------------------------------------

    def looked(self, obj: object, frame: types.FrameType) -> None:
        """Somebody reads the data of a Value."""
        code = frame.f_code
        if not self.muted and self._outside(code):
            created = self._tap.creation(obj)
            is_result = bool(created.operands or self._tap.children(obj))
            entry = (created.serial, frame.f_lineno, is_result)
            if not self._looks or self._looks[-1] != entry:
                self._looks.append(entry)

    def stored(self, obj: object, value: object, frame: types.FrameType) -> None:
        """Somebody stores a gradient."""
        if value is not None and number(value) is None and not self.muted:
            self._note_odd(self._tap.creation(obj), "grad", value, frame)

    def _note_odd(
        self, created: Creation, field: str, thing: object, frame: types.FrameType
    ) -> None:
        if len(self.odd) < MOST_ITEMS:
            kind, is_value = type(thing).__name__, self._tap.is_value(thing)
            odd = Odd(created.serial, field, kind, is_value, created.line, 0, frame.f_lineno)
            self.odd.append((frame.f_code.co_filename, odd))

    def read(self, obj: object, frame: types.FrameType) -> None:
        """Somebody reads a gradient."""
        if self.muted or not self._outside(frame.f_code) or len(self.reads) >= MOST_ITEMS:
            return
        pass_index, step, in_call = self._position(frame, updates=False)
        if not in_call:  # else it is the operation's own reading, if it is written in no class
            serial = self._tap.creation(obj).serial
            self.reads.append(Read(pass_index, step, serial, frame.f_lineno))


def _signs(call: list[Argument]) -> list[bool]:
    return [x > 0 for argument in call for x in argument.data]
