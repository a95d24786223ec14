"""Hashes that are the same in every run, and with them the order of sets of nodes.

Python hashes an object by its address. A set of operands is gone through in another order
whenever the addresses are others, and with `=` the last path wins: without this, what is on show
would differ from what is checked a moment later.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class Hashes:
    """Numbers for the Values of a program, in the order in which they are made."""

    def __init__(self) -> None:
        self._count = itertools.count(1)
        self._numbers: dict[int, int] = {}

    def take(self, obj: object) -> None:
        """Number a Value that has just been made; what lay at its address before is gone."""
        self._numbers[id(obj)] = next(self._count)

    def steady(self, cls: type) -> Callable[[Any], int] | None:
        """A `__hash__` for a class: its own, with numbers in place of addresses.

        Returns:
            None where the class has none, or has one of these from a base.
        """
        original: Any = cls.__hash__
        if original is None or hasattr(original, "__chainstep_beneath__"):
            return None

        @functools.wraps(original)
        def hash_of(obj: Any) -> int:
            own: int = original(obj)
            if own in (id(obj), object.__hash__(obj)):
                return self._numbers.get(id(obj), own)
            return own

        hash_of.__chainstep_beneath__ = original  # type: ignore[attr-defined]
        return hash_of
