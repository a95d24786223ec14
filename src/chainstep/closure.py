"""Where a backward function stands in its source, and what its variables are bound to."""

from __future__ import annotations

import contextlib
import dis
import functools
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def code_of(function: Callable[..., object]) -> types.CodeType | None:
    """The code that a call of something runs first; None where it is not written in Python."""
    if isinstance(function, functools.partial):
        return code_of(function.func)
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if code is None:
        code = getattr(vars(type(function)).get("__call__"), "__code__", None)
    return code if isinstance(code, types.CodeType) else None


@functools.lru_cache(maxsize=4096)
def last_line(code: types.CodeType) -> int:
    """The last line of a piece of code and of all that is written inside it."""
    last = max((line for *_, line in code.co_lines() if line), default=code.co_firstlineno)
    inner = (last_line(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return max(last, code.co_firstlineno, *inner)


def variables(function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    """What is bound in a function before it is called: its closure, defaults, first arguments.

    For an object that can be called it is the object's attributes, as `self.name`.
    """
    if isinstance(function, functools.partial):
        code = code_of(function.func)
        names = code.co_varnames if code else ()
        yield from zip(names, function.args, strict=False)
        yield from function.keywords.items()
        yield from variables(function.func)
        return
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if not isinstance(code, types.CodeType):
        for name, held in (getattr(function, "__dict__", None) or {}).items():
            yield f"self.{name}", held
        return
    owner = getattr(function, "__self__", None)
    if owner is not None and code.co_argcount:
        yield code.co_varnames[0], owner
    function = getattr(function, "__func__", function)
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=False):
        with contextlib.suppress(ValueError):  # a variable that was never set
            yield name, cell.cell_contents
    defaults = function.__defaults__ or ()
    first = code.co_argcount - len(defaults)
    yield from zip(code.co_varnames[first : code.co_argcount], defaults, strict=False)
    yield from (function.__kwdefaults__ or {}).items()


def globals_used(function: Callable[..., object]) -> Iterator[tuple[str, object]]:
    """The global variables that a function reads, as they are now."""
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    space = getattr(function, "__globals__", None)
    if isinstance(code, types.CodeType) and isinstance(space, dict):
        for name in _global_names(code):
            if name in space:
                yield name, space[name]


@functools.lru_cache(maxsize=4096)
def _global_names(code: types.CodeType) -> tuple[str, ...]:
    found = [i.argval for i in dis.get_instructions(code) if i.opname in _READS_GLOBAL]
    return tuple(dict.fromkeys(found))


_READS_GLOBAL = frozenset({"LOAD_GLOBAL", "LOAD_NAME"})


def wants_upstream(function: Callable[..., Any]) -> bool:
    """Whether a backward function has one required argument: the upstream gradient."""
    bound = getattr(function, "__self__", None) is not None
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    if code is None:
        return False
    defaults = len(getattr(function, "__defaults__", None) or ())
    required: int = code.co_argcount - defaults - bound
    return required == 1
