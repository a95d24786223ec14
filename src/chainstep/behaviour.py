"""Recognises the parts of a Value by what the program does with them, where names say nothing.

A number that the constructor was given is the data. One that starts at 0, and that code outside
the constructor stores and reads, is the gradient. What a node holds that can be called, or a
method that stores the gradients of what it was made from, is its backward function.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import sys
import types
from typing import TYPE_CHECKING, Any, NamedTuple

from chainstep.anatomy import (
    DRIVER_NAMES,
    attributes,
    class_codes,
    codes,
    number,
    number_among,
    values_in,
)
from chainstep.closure import arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chainstep.tap import Tap

CONSTRUCTORS = frozenset({"__init__", "__post_init__", "__new__"})
SORTS = frozenset({"append", "appendleft", "extend", "insert", "pop", "popleft", "sorted"})
"""What code does that drives a whole pass, and not what one node's backward does."""


class Uses(NamedTuple):
    """The attributes that a piece of code uses.

    Attributes:
        stored: Those that it sets.
        read: Those that it reads; not where `+=` reads what it sets.
        named: All names that it speaks of.
    """

    stored: frozenset[str]
    read: frozenset[str]
    named: frozenset[str]


@functools.lru_cache(maxsize=4096)
def uses(code: types.CodeType) -> Uses:
    """What one piece of code does with attributes; not what is written inside it does."""
    stored, read = set(), set()
    before = ""
    for instruction in dis.get_instructions(code):
        if instruction.opname == "STORE_ATTR":
            stored.add(instruction.argval)
        elif instruction.opname in _READS and before not in _REPEATS:
            read.add(instruction.argval)
        before = instruction.opname
    return Uses(frozenset(stored), frozenset(read), frozenset(code.co_names))


_READS = frozenset({"LOAD_ATTR", "LOAD_METHOD"})
_REPEATS = frozenset({"COPY", "DUP_TOP"})


def program_codes(tap: Tap, cls: type) -> set[types.CodeType]:
    """The code of a class, of the functions beside it, and of what runs now."""
    found = set(class_codes(cls))
    module = sys.modules.get(cls.__module__)
    spaces = [tap.tape.namespace]
    if module is not None and not cls.__module__.startswith("chainstep."):
        spaces.append(vars(module))
    for space in spaces:
        for member in list(space.values()):
            if isinstance(member, types.FunctionType):
                found.update(codes(member))
    stack: list[types.CodeType] = []
    frame: types.FrameType | None = sys._getframe()  # noqa: SLF001  the only way there is
    while frame is not None:
        if tap.is_program(frame.f_code.co_filename):
            stack.append(frame.f_code)
        frame = frame.f_back
    while stack:
        code = stack.pop()
        if code not in found:
            found.add(code)
            stack += [part for part in code.co_consts if isinstance(part, types.CodeType)]
    return found


def opens_attributes(tap: Tap, cls: type) -> bool:
    """Whether code of the program uses the `__dict__` of objects, as in `vars(x)["grad"]`."""
    known = program_codes(tap, cls)
    return any(not uses(code).named.isdisjoint({"__dict__", "vars"}) for code in known)


def is_like_a_value(cls: type) -> bool:
    """Whether a class can be looked at without any risk: plain objects, made by a constructor."""
    made: object = cls.__new__
    return (
        made is object.__new__
        and isinstance(getattr(cls, "__init__", None), types.FunctionType)
        and not hasattr(cls, "__next__")
        and not hasattr(cls, "__enter__")
    )


def parts(
    tap: Tap, cls: type, present: dict[str, Any], given: Sequence[object]
) -> tuple[str, str] | None:
    """The names of gradient and data among the attributes of a fresh instance; None: no Value."""
    outside = [c for c in program_codes(tap, cls) if c.co_name not in CONSTRUCTORS]
    used = [uses(code) for code in outside]
    read = {name for each in used for name in each.read}
    weights = {
        name: sum(1 + (name in each.read) for each in used if name in each.stored)
        for name, value in present.items()
        if name in read and type(value) is not bool and number(value) == 0
    }
    for grad in sorted((name for name in weights if weights[name]), key=lambda n: -weights[n]):
        data = number_among(present, given, grad)
        if data is not None and any(_computes(cls, data, code) for code in outside):
            return grad, data
    return None


def _computes(cls: type, data: str, code: types.CodeType) -> bool:
    """Whether code makes an instance of a class, and reads the number of another."""
    parts = [c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name[0] == "<"]
    read = {name for part in (code, *parts) for name in uses(part).read}
    named = {name for part in (code, *parts) for name in uses(part).named}
    return data in read and not named.isdisjoint({cls.__name__, "__class__", "type"})


# -- backward ------------------------------------------------------------------------------


def learn_backward(tap: Tap, below: Sequence[object]) -> None:
    """Find how nodes hand their gradient on, for classes of which no name says it."""
    inner: dict[type, list[object]] = {}
    leaves: dict[type, object] = {}
    for obj in below:
        if tap.anatomies[type(obj)].backward is None:
            if tap.children(obj):
                inner.setdefault(type(obj), []).append(obj)
            else:
                leaves.setdefault(type(obj), obj)
    for cls, objects in inner.items():
        anatomy = tap.anatomies[cls]
        if not _learn_attribute(tap, objects, leaves.get(cls)) and not anatomy.has_been_searched:
            anatomy.has_been_searched = True
            _learn_method(tap, objects[0])


def _learn_attribute(tap: Tap, inner: list[object], leaf: object) -> bool:
    """Find what nodes hold that can be called."""
    cls = type(inner[0])
    for obj in inner:
        for name, held in attributes(obj).items():
            if callable(held) and hasattr(held, "__code__"):
                tap.classes.observe_backward(cls, name)
                return True
            if _is_several(held):
                tap.anatomies[cls].several = name
                return True
    present = attributes(inner[0])
    for name, held in attributes(leaf).items() if leaf is not None else ():
        # A closure that was stored on an operand: the node itself has nothing there.
        if isinstance(held, types.FunctionType) and name in present:
            tap.classes.observe_backward(cls, name)
            return True
    return False


def _is_several(held: object) -> bool:
    return (
        isinstance(held, (list, tuple))
        and len(held) > 0
        and all(isinstance(item, types.FunctionType) and arguments(item) == () for item in held)
    )


def _learn_method(tap: Tap, obj: object) -> None:
    """A method that hands the gradient of one node to its operands, or gives their slopes.

    Where there are several of a kind, each is the rule of one operation, and a table or the
    driver chooses among them: then none of them stands for all nodes.
    """
    cls = type(obj)
    anatomy = tap.anatomies[cls]
    held = {n for n, thing in attributes(obj).items() if values_in(thing, tap.is_value)}
    known = program_codes(tap, cls)
    writing, giving = [], []
    for name, method in _methods(cls):
        code = method.__code__
        if code.co_argcount not in {1, 2} or not held & uses(code).read:
            continue
        callers = [each for each in known if each is not code and name in uses(each).read]
        whole = [uses(part) for part in codes(method)]
        if not callers or name in uses(code).read or any(SORTS & used.named for used in whole):
            continue
        drives = any(anatomy.grad in uses(each).stored for each in callers)
        if anatomy.grad in uses(code).stored and arguments(types.MethodType(method, obj)) == ():
            writing.append(name)
        elif drives and not any(used.stored for used in whole) and _gives_slopes(tap, obj, method):
            giving.append(name)
    if len(writing) == 1:
        tap.classes.observe_backward_method(cls, writing[0])
    elif len(giving) == 1 and not writing:
        anatomy.slopes = giving[0]


def _methods(cls: type) -> Iterator[tuple[str, types.FunctionType]]:
    """The methods of a class that are written in Python, but for operators and drivers."""
    seen: set[str] = set()
    for owner in cls.__mro__[:-1]:
        for name, member in list(vars(owner).items()):
            plain = getattr(member, "__chainstep_beneath__", member)
            known = name in seen or name.startswith("__") or name in DRIVER_NAMES
            if isinstance(plain, types.FunctionType) and not known:
                seen.add(name)
                yield name, plain


def _gives_slopes(tap: Tap, obj: object, method: types.FunctionType) -> bool:
    """Whether a method that changes nothing gives one number for each operand."""
    with tap.unwitnessed(), contextlib.suppress(Exception):
        given = method(obj, *([1.0] if method.__code__.co_argcount == 2 else []))
        return isinstance(given, (tuple, list)) and _fits(given, len(tap.children(obj)))
    return False


def _fits(given: Iterable[object], slots: int) -> bool:
    items = [
        part[1] if isinstance(part, (tuple, list)) and len(part) == 2 else part for part in given
    ]
    return len(items) == slots and all(number(item) is not None for item in items)
