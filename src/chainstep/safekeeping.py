"""Puts back what a forced pass has changed, so that nothing of it leaks into the program.

Gradients live in a table of our own while we make a pass. But a backward function may also count
its calls, keep a log, mark nodes as done or change their numbers; the program must not see that.
"""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from chainstep.anatomy import MISSING, Observed, attributes, is_plain_object

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.tap import Tap

LONGEST = 4096
"""Items of a list, set or dictionary up to which it is kept: a data set is not written to."""

CHANGING = (list, dict, set)


class Safekeeping:
    """What Values, their closures, their classes and the program's variables hold now.

    Args:
        tap: Knows the classes and the backward functions.
        reached: The Values that a forced pass will run.
        namespace: The program's globals.
    """

    def __init__(self, tap: Tap, reached: Iterable[object], namespace: dict[str, Any]) -> None:
        self._attributes: list[tuple[object, dict[str, Any]]] = []
        self._containers: dict[int, tuple[Any, Any]] = {}
        self._cells: dict[int, tuple[types.CellType, Any]] = {}
        self._namespace = namespace
        self._globals = {n: v for n, v in namespace.items() if isinstance(v, (int, float, str))}
        self._classes = [
            (cls, {n: v for n, v in vars(cls).items() if isinstance(v, (int, float))})
            for cls in tap.anatomies
        ]
        for cls in tap.anatomies:
            self._keep_containers(vars(cls).values())
        self._keep_containers(namespace.values())
        for thing in namespace.values():
            if is_plain_object(thing) and not tap.is_value(thing):
                self._keep_attributes(thing)
        for obj in reached:
            self._keep_attributes(obj)
            self._keep_cells(tap.backward_function(obj))

    def _keep_attributes(self, obj: object) -> None:
        held = attributes(obj)
        self._attributes.append((obj, held))
        self._keep_containers(held.values())

    def _keep_containers(self, things: Iterable[Any]) -> None:
        for thing in things:
            kept = type(thing) in CHANGING and len(thing) <= LONGEST
            if kept and id(thing) not in self._containers:
                self._containers[id(thing)] = (thing, thing.copy())

    def _keep_cells(self, function: object) -> None:
        for cell in getattr(function, "__closure__", None) or ():
            if id(cell) in self._cells:
                continue
            try:
                held = cell.cell_contents
            except ValueError:  # a variable that was never set
                continue
            if isinstance(held, (int, float)):
                self._cells[id(cell)] = (cell, held)
            elif type(held) in CHANGING:
                self._keep_containers([held])

    def restore(self) -> None:
        """Put everything back that is another thing now."""
        for obj, before in self._attributes:
            _restore_attributes(obj, before)
        for cls, numbers in self._classes:
            for name, value in numbers.items():
                if vars(cls).get(name, MISSING) is not value:
                    type.__setattr__(cls, name, value)
        for cell, held in self._cells.values():
            cell.cell_contents = held
        self._namespace.update(self._globals)
        for thing, before in self._containers.values():
            if not _is_same(thing, before):
                _refill(thing, before)


def _restore_attributes(obj: object, before: dict[str, Any]) -> None:
    now = attributes(obj)
    if len(now) == len(before) and all(now.get(n, MISSING) is v for n, v in before.items()):
        return
    held = getattr(obj, "__dict__", None)
    for name in now.keys() - before.keys():
        if held is not None and name in held:
            dict.__delitem__(held, name)
    for name, value in before.items():
        if now.get(name, MISSING) is value:
            continue
        slot = _slot(type(obj), name)
        if slot is not None:
            slot.__set__(obj, value)
        elif held is not None:
            dict.__setitem__(held, name, value)


def _slot(cls: type, name: str) -> types.MemberDescriptorType | None:
    for owner in cls.__mro__:
        found = vars(owner).get(name)
        found = found.beneath if isinstance(found, Observed) else found
        if isinstance(found, types.MemberDescriptorType):
            return found
    return None


def _is_same(thing: Any, before: Any) -> bool:
    """Whether a container holds the very same things; none of them is asked whether it is equal."""
    if len(thing) != len(before):
        return False
    if isinstance(thing, dict):
        pairs = zip(thing.items(), before.items(), strict=True)
        return all(a is c and b is d for (a, b), (c, d) in pairs)
    return all(a is b for a, b in zip(thing, before, strict=True))


def _refill(thing: Any, before: Any) -> None:
    if isinstance(thing, list):
        thing[:] = before
    else:
        thing.clear()
        thing.update(before)
