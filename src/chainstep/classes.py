"""Finds out which of a program's classes are Values, and lays over them what observes them.

The first instance of a class shows how it is built (decorators have run by then); data descriptors
are then laid over its gradient, its number and its backward function.
"""

from __future__ import annotations

import builtins
import functools
import types
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from chainstep import behaviour
from chainstep.anatomy import (
    BACKWARD_NAMES,
    DATA_NAMES,
    DRIVER_NAMES,
    GRAD_NAMES,
    MISSING,
    Anatomy,
    accessors,
    attributes,
    class_codes,
    first_present,
    mentions,
    number_among,
    storage,
)
from chainstep.hashing import Hashes
from chainstep.overlay import BackwardOverlay, Call, DataOverlay, DataStores, GradOverlay, caller

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chainstep.tap import Tap

ARITHMETIC = ("__add__", "__mul__", "__radd__", "__rmul__", "__sub__", "__pow__")
FOREIGN_GIANTS = ("torch", "numpy", "jax", "jaxlib", "tensorflow", "keras", "sympy", "pandas")
"""Packages that define hundreds of classes with a `grad`, none of which is a scalar Value."""
TRIES = 4
"""Instances of a class without telling names that are looked at; the first may be a 0."""


def _plain_new(cls: type, *_args: Any, **_kwargs: Any) -> Any:
    """What `object.__new__` does for a class that has a constructor."""
    return object.__new__(cls)


class Classes:
    """The classes of a program, from their definition on.

    Args:
        tap: What is told of the Values; the anatomies of their classes are kept in it.

    Attributes:
        near_misses: Classes that might have been Values, and what they lack.
    """

    def __init__(self, tap: Tap) -> None:
        self._tap = tap
        self.near_misses: dict[str, str] = {}
        self._candidates: set[type] = set()
        self._adopted: set[type] = set()
        self._unnamed: dict[type, int] = {}
        self._laid: list[tuple[type, str, object]] = []
        self._hashes = Hashes()

    @contextmanager
    def watching(self, instead: Mapping[str, type] | None = None) -> Iterator[None]:
        """Notice every class that is defined inside the `with` block.

        Args:
            instead: Classes that stand in for those of the program with these names.
        """
        original = builtins.__build_class__

        @functools.wraps(original)
        def build_class(function: Any, name: str, *bases: Any, **keywords: Any) -> Any:
            cls = original(function, name, *bases, **keywords)
            ours = (instead or {}).get(name)
            if ours is not None and (cls.__module__, cls.__qualname__) == ("__main__", name):
                return ours
            if isinstance(cls, type):
                self.consider(cls)
                if self._tap.witness is not None:
                    self._tap.witness.defined(cls, function)
            return cls

        builtins.__build_class__ = build_class  # type: ignore[assignment]  # same call, any result
        try:
            yield
        finally:
            builtins.__build_class__ = original

    def consider(self, cls: type) -> None:
        """Look at a class; if it could be a Value, wait for its first instance."""
        module = getattr(cls, "__module__", "") or ""
        if module.partition(".")[0] in FOREIGN_GIANTS or issubclass(cls, (BaseException, tuple)):
            return
        own = self._is_own(cls)
        arithmetic = any(callable(getattr(cls, name, None)) for name in ARITHMETIC)
        inherits = any(base in self._candidates for base in cls.__mro__[1:])
        if not inherits and not mentions(cls, GRAD_NAMES):
            if arithmetic and own:
                self.near_misses[cls.__name__] = f"has no gradient ({', '.join(GRAD_NAMES[:3])})"
            if (arithmetic or own) and behaviour.is_like_a_value(cls):
                self._unnamed[cls] = 0
                self._wait_for_instance(cls)
            return
        if inherits or own or arithmetic:
            self._candidates.add(cls)
            self._wait_for_instance(cls)

    def _is_own(self, cls: type) -> bool:
        return any(self._tap.is_program(code.co_filename) for code in class_codes(cls)) or (
            cls.__module__ == "__main__"
        )

    def _wait_for_instance(self, cls: type) -> None:
        original: Any = cls.__new__
        plain = original is object.__new__

        @functools.wraps(original)
        def new(klass: type, *args: Any, **kwargs: Any) -> Any:
            self._adopt(klass)
            obj = object.__new__(klass) if plain else original(klass, *args, **kwargs)
            self._hashes.take(obj)
            return obj

        try:
            self._lay(cls, "__new__", new)
        except TypeError:  # a class that is not written in Python
            self._candidates.discard(cls)

    def _lay(self, cls: type, name: str, thing: object) -> None:
        """Set an attribute of a class, remembering what was there."""
        before = vars(cls).get(name, MISSING)
        type.__setattr__(cls, name, thing)  # whatever a metaclass says of it
        self._laid.append((cls, name, before))

    def lift(self) -> None:
        """Take everything off the classes again: they are as the program made them."""
        while self._laid:
            cls, name, before = self._laid.pop()
            if before is not MISSING:
                type.__setattr__(cls, name, before)
            elif name == "__new__":
                # Once set and deleted, a class refuses its constructor's arguments for ever.
                type.__setattr__(cls, name, _plain_new)
            else:
                type.__delattr__(cls, name)

    def _adopt(self, klass: type) -> None:
        """Wrap the constructor of a class whose first instance is about to be made."""
        if klass in self._adopted:
            return
        self._adopted.add(klass)
        tap = self._tap
        tap.codes.update(class_codes(klass))
        if tap.witness is not None:
            tap.witness.adopted(klass)
        original: Any = klass.__init__  # type: ignore[misc]

        @functools.wraps(original)
        def init(obj: Any, *args: Any, **kwargs: Any) -> None:
            original(obj, *args, **kwargs)
            if type(obj) is klass:
                tap.born(obj, args, kwargs, caller())

        self._lay(klass, "__init__", init)
        steady = self._hashes.steady(klass)
        if steady is not None:
            self._lay(klass, "__hash__", steady)

    def learn(self, obj: object, arguments: tuple[object, ...] = ()) -> Anatomy | None:
        """The parts of an instance's class, learnt from the instance; None: it is no Value."""
        klass = type(obj)
        present = attributes(obj)
        if klass in self._unnamed:
            found = self._by_behaviour(klass, present, arguments)
            return None if found is None else self._take(klass, present, *found)
        grad = first_present(obj, GRAD_NAMES)
        data = next((n for n in DATA_NAMES if n in present and n != grad), None)
        if data is None:
            data = next(
                (n for n in DATA_NAMES if isinstance(getattr(klass, n, None), property)), None
            )
        if data is None and grad is not None:
            data = number_among(present, arguments, grad)
        if grad is None or data is None:
            if self._is_own(klass):
                lacks = "no number" if data is None else "no gradient"
                names = ", ".join((DATA_NAMES if data is None else GRAD_NAMES)[:3])
                self.near_misses[klass.__name__] = f"has {lacks} ({names})"
            return None
        return self._take(klass, present, grad, data)

    def _by_behaviour(
        self, klass: type, present: dict[str, object], arguments: tuple[object, ...]
    ) -> tuple[str, str] | None:
        """Gradient and number of a class whose names tell nothing, where no other's do."""
        self._unnamed[klass] += 1
        named = any(cls not in self._unnamed for cls in self._tap.anatomies)
        named = named or any(self._is_own(cls) for cls in self._candidates)
        if named or self._unnamed[klass] > TRIES:
            return None
        return behaviour.parts(self._tap, klass, present, arguments)

    def _take(self, klass: type, present: dict[str, object], grad: str, data: str) -> Anatomy:
        """Lay our descriptors over the parts of a class of Values."""
        tap = self._tap
        stored = storage(klass, data, present)
        grad = storage(klass, grad, present)
        tap.accessors.update(accessors(klass, (grad, stored)))
        anatomy = Anatomy(grad, data, stored)
        anatomy.is_opened = behaviour.opens_attributes(tap, klass)
        self._lay(klass, grad, GradOverlay(klass, grad, tap))
        self._lay_over_data(klass, stored)
        tap.anatomies[klass] = anatomy
        self.near_misses.pop(klass.__name__, None)
        self._lay_over_backward(klass, present)
        for name in DRIVER_NAMES:
            self._wrap_driver(klass, name)
        return anatomy

    def _lay_over_data(self, klass: type, stored: str) -> None:
        tap = self._tap
        if tap.rewriting is None:
            return
        overlay = DataStores(klass, stored, tap, tap.rewriting)
        if tap.witness is not None or overlay.beneath is not MISSING:
            overlay = DataOverlay(klass, stored, tap, tap.rewriting)
        self._lay(klass, stored, overlay)

    def _lay_over_backward(self, klass: type, present: dict[str, object]) -> None:
        for name in BACKWARD_NAMES:
            inherited = getattr(klass, name, None)
            if isinstance(inherited, types.FunctionType) and name not in present:
                self._wrap_method(klass, name, inherited)
                return
            if name in present or mentions(klass, [name]):
                self.observe_backward(klass, name)
                return

    def observe_backward(self, klass: type, name: str) -> None:
        """Learn that instances of a class keep their backward function under this name."""
        self._lay(klass, name, BackwardOverlay(klass, name, self._tap))
        self._tap.anatomies[klass].backward = name

    def observe_backward_method(self, klass: type, name: str) -> None:
        """Learn that a class has its backward function as a method of this name."""
        self._wrap_method(klass, name, getattr(klass, name))

    def _wrap_method(self, klass: type, name: str, original: types.FunctionType) -> None:
        """A backward function that is a method: every call of it counts as a call of the node."""
        tap = self._tap
        original = getattr(original, "__chainstep_beneath__", original)

        @functools.wraps(original)
        def method(obj: Any, *args: Any, **kwargs: Any) -> Any:
            if id(obj) not in tap.creations:
                return original(obj, *args, **kwargs)
            bound = types.MethodType(original, obj)
            tap.noted(obj, args)
            return tap.observer.call(obj, bound, Call(args, kwargs, caller()))

        method.__chainstep_beneath__ = original  # type: ignore[attr-defined]
        self._lay(klass, name, method)
        anatomy = tap.anatomies[klass]
        anatomy.backward = name
        anatomy.backward_is_method = True

    def _wrap_driver(self, klass: type, name: str) -> None:
        tap, found = self._tap, getattr(klass, name, None)
        if not isinstance(found, types.FunctionType):
            return
        original: Any = getattr(found, "__chainstep_beneath__", found)
        if tap.anatomies[klass].backward == name:
            return

        @functools.wraps(original)
        def drive(obj: Any, *args: Any, **kwargs: Any) -> Any:
            if id(obj) not in tap.creations:
                return original(obj, *args, **kwargs)
            return tap.observer.drive(obj, original, Call(args, kwargs, caller()))

        drive.__chainstep_beneath__ = original  # type: ignore[attr-defined]
        self._lay(klass, name, drive)
