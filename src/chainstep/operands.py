"""Which Values a Value was made from, in the order in which they were written.

A class may keep its operands in a tuple, a list, a set, two attributes or only in a closure; a
set has lost both their order and that `a + a` uses one of them twice. Both are won back from the
arguments of the constructor and of the operator that called it.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from chainstep.anatomy import (
    CHILDREN_NAMES,
    OP_OF_METHOD,
    attributes,
    closure_values,
    is_plain_object,
    values_in,
)

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from chainstep.tap import Tap


class _Unordered(list[object]):
    """Operands whose written order is not known. A real set would ask the Values' own hash."""


def from_frame(
    tap: Tap, frame: types.FrameType, given: list[object], *, ordered: bool
) -> list[object]:
    """Operands in written order, where the constructor got them as a set or not at all.

    The operator's own arguments, `self` and `other`, are in written order, and both are
    there also when they are the same Value.
    """
    if given and ordered:
        return given
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount]
    local = frame.f_locals
    arguments = [local[name] for name in names if tap.is_value(local.get(name))]
    if not given:
        # An operator of one argument that makes a constant has no operands to give.
        return arguments if _makes_result(tap, frame) else []
    same = {id(argument) for argument in arguments} == {id(item) for item in given}
    return arguments if same else given


def _makes_result(tap: Tap, frame: types.FrameType) -> bool:
    """Whether a Value made without operands in an operator is its result.

    Wrapping a bare number happens while an argument still is that number.
    """
    code = frame.f_code
    local = frame.f_locals
    names = code.co_varnames[: code.co_argcount]
    return (
        all(tap.is_value(local.get(name)) for name in names)
        and len(names) > 0
        and (tap.is_value(local.get(names[0])) and code.co_name in OP_OF_METHOD)
    )


def held(tap: Tap, obj: object) -> list[object]:
    """The operands of a Value in written order, as many times as it uses each."""
    kept = _kept(tap, obj)
    created = tap.creation(obj)
    if not isinstance(kept, (set, frozenset, _Unordered)):
        return kept
    found = list(kept) if isinstance(kept, _Unordered) else values_in(kept, tap.is_value)
    by_serial = {tap.creation(child).serial: child for child in found}
    if set(by_serial) == set(created.operands):
        return [by_serial[serial] for serial in created.operands]
    return by_closure(tap, obj, found) or [by_serial[serial] for serial in sorted(by_serial)]


def by_closure(tap: Tap, obj: object, found: list[object]) -> list[object]:
    """The same operands in the order of the names in the closure, `self` first; [] if unlike.

    The names of a closure are sorted, so this is the written order for `self` and `other`.
    """
    function = tap.backward_function(obj)
    names = getattr(getattr(function, "__code__", None), "co_freevars", ())
    cells = zip(names, getattr(function, "__closure__", None) or (), strict=False)
    held = []
    for _, cell in sorted(cells, key=lambda pair: pair[0] != "self"):
        with contextlib.suppress(ValueError):  # a variable that was never set
            held.append(cell.cell_contents)
    ordered = [item for item in held if item is not obj and tap.is_value(item)]
    same = {id(item) for item in ordered} == {id(item) for item in found}
    return ordered if same else []


def _kept(tap: Tap, obj: object) -> list[object] | set[object] | frozenset[object]:
    """A list where the order is known; a set where it is not."""
    present = attributes(obj)
    older = _older_than(tap, obj)
    named = [present[name] for name in CHILDREN_NAMES if name in present]
    newer: list[object] | set[object] | frozenset[object] = []
    empty = False
    for held in named:
        found = values_in(held, tap.is_value)
        kept = held if isinstance(held, (set, frozenset)) else found
        if any(older(child) for child in found):
            return kept
        # Newer ones are consumers, as a rule; if nothing else is kept, the graph has a cycle.
        newer = newer or kept
        empty = empty or (not found and isinstance(held, (tuple, list, set, frozenset)))
    if empty or newer:
        return [] if empty else newer
    found = [
        child
        for held in present.values()
        for child in values_in(held, tap.is_value)
        if older(child)
    ]
    found = found or _in_contexts(tap, present, older)
    # An engine with a tape keeps no operands at all: only its list or its closures know them.
    if not found and id(obj) in tap.tape.entries:
        return tap.tape.entries[id(obj)][0]
    known = closure_values(tap.backward_function(obj), tap.is_value) if not found else []
    return found or _Unordered(child for child in known if older(child))


def _in_contexts(
    tap: Tap, present: dict[str, object], older: Callable[[object], bool]
) -> list[object]:
    """The operands that an object beside a Value, which stands for its operation, holds."""
    for held in present.values():
        if is_plain_object(held) and not tap.is_value(held):
            for part in attributes(held).values():
                found = values_in(part, tap.is_value)
                if found and all(older(child) for child in found):
                    return found
    return []


def _older_than(tap: Tap, obj: object) -> Callable[[object], bool]:
    serial = tap.creation(obj).serial
    return lambda other: tap.creation(other).serial < serial
