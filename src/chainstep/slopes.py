"""How a node without a backward function of its own hands its gradient to its operands.

Its engine keeps local derivatives beside the operands, as numbers or as functions of the upstream
gradient, or an object that remembers the operation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chainstep.anatomy import BACKWARD_NAMES, LOCAL_NAMES, attributes, is_plain_object, number
from chainstep.closure import arguments, wants_upstream

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.tap import Tap

    HandOver = Callable[[float], Sequence[float]]


class Heard:
    """What an observer has heard of a backward function that runs.

    Attributes:
        wrote: Whether it has stored a gradient itself.
        asked: Whether it has read the gradient of its own node.
    """

    __slots__ = ("asked", "wrote")

    def __init__(self) -> None:
        self.wrote = False
        self.asked = False


def run(tap: Tap, obj: object, upstream: float, heard: Heard) -> list[tuple[object, float]]:
    """Run what hands a node's gradient over.

    Args:
        tap: Knows what that is.
        obj: The node.
        upstream: Its gradient.
        heard: Kept up by the observer of the moment.

    Returns:
        The operands that get something, each with its contribution, so far as the function
        gives that back and does not store it itself.
    """
    children = tap.children(obj)
    give = hand_over(tap, obj)
    if give is not None:
        return list(zip(children, give(upstream), strict=False))
    backward = tap.backward_function(obj)
    roles = () if backward is None else arguments(backward, tap.anatomies[type(obj)].calls)
    if backward is None or roles is None:
        return []
    heard.wrote = heard.asked = False
    given = backward(*(obj if role == "node" else upstream for role in roles))
    if heard.wrote:
        return []
    # Who was never told the upstream gradient gives back slopes.
    factor = 1.0 if heard.asked or "upstream" in roles else upstream
    return [(child, factor * part) for child, part in _returned(tap, children, given)]


def is_driven(tap: Tap, obj: object) -> bool:
    """Whether there is anything to run for a node."""
    return tap.backward_function(obj) is not None or hand_over(tap, obj) is not None


def _returned(tap: Tap, children: list[object], given: Any) -> list[tuple[object, float]]:
    """Operands and numbers in what a function gave back: in their order, or in pairs."""
    if isinstance(given, (int, float)) and type(given) is not bool:
        given = (given,)
    if type(given) is dict:
        given = list(given.items())
    if not isinstance(given, (tuple, list)):
        return []
    pairs = [
        part
        for part in given
        if isinstance(part, (tuple, list)) and len(part) == 2 and tap.is_value(part[0])
    ]
    if not pairs:
        pairs = list(zip(children, given, strict=False))
    numbers = [(child, number(part)) for child, part in pairs]
    return [(child, part) for child, part in numbers if part is not None]


class _Kept:
    """How a node hands over: the contributions for an upstream gradient, and the code of it."""

    __slots__ = ("function", "give")

    def __init__(self, give: HandOver, function: Callable[..., object] | None) -> None:
        self.give = give
        self.function = function


def hand_over(tap: Tap, obj: object) -> HandOver | None:
    """What gives the contributions to a Value's operands, by slot, for an upstream gradient.

    None where it has a backward function instead, or nothing of the kind.
    """
    found = _kept(tap, obj)
    return None if found is None else found.give


def function(tap: Tap, obj: object) -> Callable[..., object] | None:
    """The function that computes the contributions, or the first of several."""
    found = _kept(tap, obj)
    return None if found is None else found.function


def context(tap: Tap, obj: object) -> str:
    """The class of the object that remembers how a Value was made; empty where none does."""
    owner = getattr(function(tap, obj), "__self__", None)
    return type(owner).__name__ if owner is not None and is_plain_object(owner) else ""


def _kept(tap: Tap, obj: object) -> _Kept | None:
    anatomy = tap.anatomies[type(obj)]
    children = [] if anatomy.backward is not None else tap.children(obj)
    if not children:
        return None
    if anatomy.slopes is not None:
        return _by_method(tap, getattr(obj, anatomy.slopes), children)
    present = attributes(obj)
    named = [present[name] for name in LOCAL_NAMES if name in present]
    for held in (*named, *present.values()):
        found = _beside(tap, held, children)
        if found is not None:
            return found
    if id(obj) in tap.tape.entries:
        return _beside(tap, tap.tape.entries[id(obj)][1], children)
    for held in present.values():
        if is_plain_object(held) and not tap.is_value(held):
            found = _remembered(held)
            if found is not None:
                return found
    return None


def _by_method(tap: Tap, method: Callable[..., Any], children: list[object]) -> _Kept | None:
    """What a method gives: contributions for an upstream gradient, else slopes."""
    if wants_upstream(method):
        return _Kept(_calling(method), method)
    kept = _beside(tap, method(), children)
    return None if kept is None else _Kept(kept.give, method)


def _beside(tap: Tap, held: object, children: list[object]) -> _Kept | None:
    """Slopes or functions in a container as long as the operands, or paired with them."""
    if type(held) is dict and all(tap.is_value(key) for key in held):
        items = [held[child] for child in children] if len(held) == len(children) else []
    elif isinstance(held, (tuple, list)):
        pairs = [
            part
            for part in held
            if isinstance(part, (tuple, list)) and len(part) == 2 and tap.is_value(part[0])
        ]
        items = [part[1] for part in pairs] if pairs else list(held)
    else:
        return None
    if len(items) != len(children):
        return None
    slopes = [number(item) for item in items]
    if None not in slopes:
        known = tuple(slope for slope in slopes if slope is not None)
        return _Kept(lambda upstream: [slope * upstream for slope in known], None)
    if all(callable(item) and not tap.is_value(item) and wants_upstream(item) for item in items):
        return _Kept(lambda upstream: [_number(item(upstream)) for item in items], items[0])
    return None


def _remembered(context: Any) -> _Kept | None:
    """The backward method of an object that stands for an operation."""
    for name in ("backward", *BACKWARD_NAMES, "apply_backward"):
        method = getattr(context, name, None)
        if callable(method) and wants_upstream(method):
            return _Kept(_calling(method), method)
    return None


def _calling(method: Callable[[float], object]) -> HandOver:
    return lambda upstream: _numbers(method(upstream))


def _numbers(given: object) -> list[float]:
    return (
        [_number(part) for part in given] if isinstance(given, (tuple, list)) else [_number(given)]
    )


def _number(given: object) -> float:
    found = number(given)
    if found is None:
        raise TypeError(f"a contribution is a {type(given).__name__}, which is no number")
    return found
