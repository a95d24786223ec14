"""Where a backward function stands in its source, and what its variables are bound to."""

from __future__ import annotations

import contextlib
import dis
import functools
import types
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


class Several:
    """The backward functions of a node that has one for each operand, run one after the other."""

    __slots__ = ("functions",)

    def __init__(self, functions: Sequence[Callable[[], Any]]) -> None:
        self.functions = tuple(functions)

    def __call__(self) -> None:
        """Run them all."""
        for function in self.functions:
            function()


def parts_of(function: Callable[..., Any]) -> tuple[Callable[..., Any], ...]:
    """The functions that a call of something runs: itself, or several."""
    return function.functions if isinstance(function, Several) else (function,)


def code_of(function: Callable[..., object]) -> types.CodeType | None:
    """The code that a call of something runs first; None where it is not written in Python."""
    if isinstance(function, functools.partial):
        return code_of(function.func)
    if isinstance(function, Several):
        return code_of(function.functions[0])
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
    if isinstance(function, Several):
        yield from {n: of for part in function.functions for n, of in variables(part)}.items()
        return
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


def arguments(
    function: Callable[..., Any], seen: Mapping[int, tuple[str, ...]] | None = None
) -> tuple[str, ...] | None:
    """What a backward function has to be called with: "upstream" and "node", in their order.

    Args:
        function: The function.
        seen: How the program called others like it, by the number of arguments.

    Returns:
        None where it wants more than can be told.
    """
    names = _required(function)
    known = (seen or {}).get(len(names))
    if known is not None:
        return known
    code = code_of(function)
    if not names or code is None:
        return ()
    roles = tuple("node" if name in _owners(code) else "upstream" for name in names)
    return roles if len(set(roles)) == len(roles) else None


def wants_upstream(function: Callable[..., Any]) -> bool:
    """Whether a backward function is handed the upstream gradient, and not its node alone."""
    return "upstream" in (arguments(function) or ())


def _required(function: Callable[..., Any]) -> tuple[str, ...]:
    """The arguments that a call of a function has to give by position."""
    given = 0
    named: set[str] = set()
    while isinstance(function, functools.partial):
        given += len(function.args)
        named.update(function.keywords)
        function = function.func
    if isinstance(function, Several):
        return ()
    bound = getattr(function, "__self__", None) is not None
    plain: Any = getattr(function, "__func__", function)
    if not isinstance(plain, types.FunctionType):  # an object that can be called
        plain, bound = vars(type(plain)).get("__call__"), True
    code = getattr(plain, "__code__", None)
    if not isinstance(code, types.CodeType):
        return ()
    last = code.co_argcount - len(getattr(plain, "__defaults__", None) or ())
    return tuple(name for name in code.co_varnames[bound + given : last] if name not in named)


@functools.lru_cache(maxsize=4096)
def _owners(code: types.CodeType) -> frozenset[str]:
    """The variables of a piece of code whose attributes it uses: no number has any."""
    found = set()
    loaded: str | None = None
    for instruction in dis.get_instructions(code):
        if instruction.opname in _REPEATS:
            continue
        if loaded is not None and instruction.opname in _USES_ATTRIBUTE:
            found.add(loaded)
        held = instruction.argval if instruction.opname.startswith(_LOADS_LOCAL) else None
        loaded = held[-1] if isinstance(held, tuple) else held
    return frozenset(found)


_LOADS_LOCAL = ("LOAD_FAST", "LOAD_DEREF", "LOAD_CLOSURE")
_REPEATS = frozenset({"COPY", "DUP_TOP"})
_USES_ATTRIBUTE = frozenset({"LOAD_ATTR", "LOAD_METHOD", "STORE_ATTR"})
