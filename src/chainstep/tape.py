"""What an engine keeps in a list of its own, and not on its Values: closures, or operands."""

from __future__ import annotations

import gc
import types
from typing import TYPE_CHECKING, Any

from chainstep import closure
from chainstep.anatomy import attributes, is_plain_object, number, values_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.tap import Tap


class Tape:
    """Finds what belongs to a Value by what it is about.

    Attributes:
        namespace: The program's globals.
        makers: Code that has made Values of classes without a place for a backward function.
        functions: The closure that belongs to each such Value, by its `id()`.
        entries: Operands of each such Value, and their slopes if they are there too.
        is_used: Whether any was ever found.
    """

    def __init__(self, tap: Tap) -> None:
        self.namespace: dict[str, Any] = {}
        self.makers: set[types.CodeType] = set()
        self.entries: dict[int, tuple[list[object], list[Any]]] = {}
        self.functions: dict[int, Callable[..., Any]] = {}
        self.is_used = False
        self._tap = tap

    def read(self) -> None:
        """Find what there is by now. O(objects in the process), where it may pay."""
        self.functions.clear()
        self.entries.clear()
        tap = self._tap
        without = {cls for cls, anatomy in tap.anatomies.items() if anatomy.backward is None}
        if without:
            self._read_closures(without)
        if without and not self.functions:
            self._read_entries()

    def _read_closures(self, without: set[type]) -> None:
        """Each closure belongs to the newest Value among its variables: it was written for that."""
        tap = self._tap
        gradients = {tap.anatomies[cls].grad for cls in without}
        inner = {
            part
            for code in (*tap.codes, *self.makers)
            for part in code.co_consts
            if isinstance(part, types.CodeType) and part.co_freevars
            if not gradients.isdisjoint(part.co_names)
        }
        for function in gc.get_referrers(*inner) if inner else ():
            if not isinstance(function, types.FunctionType) or closure.wants_upstream(function):
                continue
            held = [item for _, item in closure.variables(function) if tap.is_value(item)]
            newest = max(held, key=lambda item: tap.creation(item).serial, default=None)
            if newest is not None and type(newest) in without:
                self.functions[id(newest)] = function
                self.is_used = True

    def _read_entries(self) -> None:
        """A Wengert list: each entry tells of one Value, its operands, and perhaps their slopes."""
        for held in self._lists():
            for entry in held:
                found = self._entry(entry)
                if found is not None:
                    result, operands, slopes = found
                    self.entries[id(result)] = (operands, slopes)
                    self.is_used = True

    def _lists(self) -> Iterator[list[object]]:
        """Lists of the program, of its Value classes, and of plain objects that it keeps."""
        spaces: list[dict[str, Any]] = [self.namespace]
        spaces += [dict(vars(cls)) for cls in self._tap.anatomies]
        things = [thing for space in spaces for thing in list(space.values())]
        things += [part for t in things if is_plain_object(t) for part in attributes(t).values()]
        for thing in things:
            if type(thing) is list and thing and not self._tap.is_value(thing[0]):
                yield thing

    def _entry(self, entry: object) -> tuple[object, list[object], list[Any]] | None:
        """The Value that an entry is about, its operands and slopes; None where it is no entry."""
        if is_plain_object(entry):
            fields = list(attributes(entry).values())
        elif isinstance(entry, dict):
            fields = list(entry.values())
        elif isinstance(entry, (tuple, list)):
            fields = list(entry)
        else:
            return None
        tap = self._tap
        direct = [field for field in fields if tap.is_value(field)]
        result = max(direct, key=lambda item: tap.creation(item).serial, default=None)
        if result is None:
            return None
        operands = [item for item in direct if item is not result]
        slopes: list[Any] = []
        for field in fields:
            if isinstance(field, (tuple, list)):
                found = values_in(field, tap.is_value)
                operands += found
                slopes += [
                    part[1]
                    for part in field
                    if isinstance(part, (tuple, list)) and len(part) == 2 and tap.is_value(part[0])
                ]
                slopes += [part for part in field if number(part) is not None or callable(part)]
        serial = tap.creation(result).serial
        if any(tap.creation(operand).serial >= serial for operand in operands):
            return None
        return result, operands, slopes
