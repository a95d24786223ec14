"""The local derivatives that an engine without backward functions keeps beside its operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.anatomy import LOCAL_NAMES, attributes, number

if TYPE_CHECKING:
    from chainstep.tap import Tap


def kept(tap: Tap, obj: object) -> tuple[float, ...] | None:
    """The local derivatives of a Value, by operand slot; None where it has a backward function."""
    if tap.anatomies[type(obj)].backward is not None:
        return None
    children = tap.children(obj)
    present = attributes(obj)
    for name in LOCAL_NAMES:
        held = present.get(name)
        if isinstance(held, (tuple, list)) and len(held) == len(children) > 0:
            slopes = [number(item) for item in held]
            if None not in slopes:
                return tuple(slope for slope in slopes if slope is not None)
    for held in present.values():
        slopes = _paired(tap, held)
        if slopes and len(slopes) == len(children):
            return tuple(slope for slope in slopes if slope is not None)
    return None


def _paired(tap: Tap, held: object) -> list[float | None]:
    """The numbers of `((operand, slope), ...)`."""
    if not isinstance(held, (tuple, list)):
        return []
    pairs = [
        item
        for item in held
        if isinstance(item, (tuple, list)) and len(item) == 2 and tap.is_value(item[0])
    ]
    slopes = [number(slope) for _, slope in pairs]
    return [] if None in slopes else slopes
