"""Where a program that calls no `backward()` is stepped from: the choice of its root."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from chainstep.anatomy import CHILDREN_NAMES, DATA_NAMES, GRAD_NAMES, LABEL_NAMES, text_attribute

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chainstep.tap import Tap


def choose(
    tap: Tap, found: Sequence[tuple[str, object]], wanted: str | None, source: str
) -> object | None:
    """The Value to start from: the one asked for, the last bound, the newest unconsumed."""
    if wanted is not None:
        for path, obj in found:
            if wanted in {path, text_attribute(obj, LABEL_NAMES)}:
                return obj
        return None
    bound = dict(reversed([(path, obj) for path, obj in found]))
    last = [bound[name] for name in _assigned(source) if name in bound]
    made = [obj for obj in last if tap.children(obj)]
    if made or last:
        return (made or last)[-1]
    known = [obj for _, obj in found]
    if not known:
        return None
    consumed = {id(child) for obj in known for child in tap.children(obj)}
    free = [obj for obj in known if id(obj) not in consumed] or known
    return max(free, key=lambda obj: tap.creation(obj).serial)


def _assigned(source: str) -> list[str]:
    """Names assigned at top level, in the order of their last assignment."""
    names: dict[str, None] = {}
    stack: list[Any] = list(reversed(ast.parse(source).body)) if source else []
    while stack:
        statement = stack.pop()
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for name in _target_names(targets):
                names.pop(name, None)
                names[name] = None
        elif not isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
            for field in ("finalbody", "orelse", "handlers", "body"):
                stack += reversed(getattr(statement, field, []) or [])
    return list(names)


def why_no_value(tap: Tap) -> str:
    """A sentence that says what was looked for, and what the program's classes lack."""
    looked = (
        f"Chainstep looks for objects with a number ({', '.join(DATA_NAMES[:3])}), a gradient "
        f"({', '.join(GRAD_NAMES[:2])}) and the operands they were made from "
        f"({', '.join(CHILDREN_NAMES[:4])})."
    )
    if tap.anatomies:
        return f"The program made no Value. {looked}"
    misses = "; ".join(f"class {name} {why}" for name, why in tap.near_misses.items())
    found = f" Found: {misses}." if misses else " The program has no class of that kind."
    return f"The program made no Value. {looked}{found}"


def _target_names(targets: list[Any]) -> Iterator[str]:
    """Variables bound by an assignment; attributes and items are none."""
    for target in targets:
        if isinstance(target, ast.Name):
            yield target.id
        elif isinstance(target, (ast.Tuple, ast.List)):
            yield from _target_names(target.elts)
        elif isinstance(target, ast.Starred):
            yield from _target_names([target.value])
