"""Closures that an engine keeps in a list of its own, and not on its Values."""

from __future__ import annotations

import gc
import types
from typing import TYPE_CHECKING, Any

from chainstep import closure

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.tap import Tap


class Tape:
    """Finds them by what they are about.

    Attributes:
        makers: Code that has made Values of classes without a place for a backward function.
        functions: The closure that belongs to each such Value, by its `id()`.
        is_used: Whether any was ever found.
    """

    def __init__(self, tap: Tap) -> None:
        self.makers: set[types.CodeType] = set()
        self.functions: dict[int, Callable[..., Any]] = {}
        self.is_used = False
        self._tap = tap

    def read(self) -> None:
        """Find the closures that there are by now. O(objects in the process), where it may pay.

        Each belongs to the newest Value among its variables, which it was written for.
        """
        self.functions.clear()
        tap = self._tap
        without = {cls for cls, anatomy in tap.anatomies.items() if anatomy.backward is None}
        if not without:
            return
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
