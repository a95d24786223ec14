"""Where a program that calls no `backward()` is stepped from: the choice of its root."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from chainstep import naming
from chainstep.anatomy import CHILDREN_NAMES, DATA_NAMES, GRAD_NAMES, LABEL_NAMES, text_attribute

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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


def by_hand(tap: Tap, first: object, seeded: Iterable[object], namespaces: Any) -> object:
    """The root of a pass that the program drives by hand.

    Args:
        tap: Knows what was made from what.
        first: The first node that is run, or that hands its gradient over.
        seeded: Values that got a gradient, other than 0, since the pass before.
        namespaces: The program's variables.

    Returns:
        The newest of the Values with a seed from which `first` is reached. Where none has one, and
        a pass begins at a leaf, the newest that has a name; else `first` itself.
    """
    given = [obj for obj in seeded if tap.children(obj)]
    if not given and not tap.children(first):
        found = naming.find_names(namespaces, tap.is_value)
        given = [obj for _, obj in found if tap.children(obj)]
    given.sort(key=lambda obj: -tap.creation(obj).serial)
    return next((obj for obj in given if _reaches(tap, obj, first)), first)


def _reaches(tap: Tap, obj: object, wanted: object) -> bool:
    """Whether a Value was made from another one, or is it. O(nodes)."""
    oldest = tap.creation(wanted).serial
    seen = {id(obj)}
    stack = [obj]
    while stack:
        current = stack.pop()
        if current is wanted:
            return True
        for child in tap.children(current):
            if id(child) not in seen and tap.creation(child).serial >= oldest:
                seen.add(id(child))
                stack.append(child)
    return False


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
    misses = "; ".join(f"class {name} {why}" for name, why in tap.classes.near_misses.items())
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
