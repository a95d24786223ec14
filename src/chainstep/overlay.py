"""What is laid over the attributes of a Value class, and who hears of it.

Two data descriptors, one for the gradient and one for the backward function. Each hands what
happens to the observer of the moment.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Protocol

from chainstep.anatomy import MISSING, Observed

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Container


class Hub(Protocol):
    """What a descriptor asks of the tap: who listens now, and which Values are made."""

    observer: Observer

    @property
    def creations(self) -> Container[int]:
        """The `id()` of every Value whose constructor has returned."""


def caller() -> types.FrameType:
    """The frame of the program's code that made our hook run."""
    return sys._getframe(2)  # noqa: SLF001  the only way there is, and documented


class Observer(Protocol):
    """What hears of gradients while it is the tap's observer. `obj` is always a Value."""

    def read(self, obj: object, grad: Observed) -> Any:
        """Give what a read of the gradient shall yield."""

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:
        """Take a store of `value` by the code in `frame`, and make it, or not."""

    def call(self, obj: object, function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        """Run a `_backward` that the program calls, and give what it returns."""

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """Run the program's own `backward()` on a root."""


class Call:
    """The arguments of a call, so that they travel as one."""

    __slots__ = ("args", "kwargs")

    def __init__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.args = args
        self.kwargs = kwargs


class Creation:
    """How one Value came to be.

    Attributes:
        serial: Number in the order of creation, over all Values of the program.
        data: Its number when it was made; nan where it was none.
        operands: Serials of the Values it was made from, in written order.
        op: Symbol or name of the method or function that made it; empty at top level. It says
            something only of a Value with operands.
        line: Line of the program that made it.
        inner: Made inside the class's own code: a constant, if it has no operands.
        node: Id in the recording, once it has one.
    """

    __slots__ = ("data", "inner", "line", "node", "op", "operands", "ref", "serial")

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.data = float("nan")
        self.operands: tuple[int, ...] = ()
        self.op = ""
        self.line: int | None = None
        self.inner = False
        self.node: int | None = None
        self.ref: object = None


class GradOverlay(Observed):
    """Laid over the gradient of one class."""

    def __init__(self, owner: type, name: str, tap: Hub) -> None:
        super().__init__(owner, name)
        self._tap = tap

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        if obj is None:
            return self if self.beneath is MISSING else self.beneath
        if id(obj) not in self._tap.creations:
            return self.load(obj)
        return self._tap.observer.read(obj, self)

    def __set__(self, obj: object, value: Any) -> None:
        if id(obj) not in self._tap.creations:
            self.store(obj, value)  # it is still being made
        else:
            self._tap.observer.write(obj, self, value, caller())


class BackwardOverlay(Observed):
    """Laid over the attribute that holds the backward function of one class."""

    def __init__(self, owner: type, name: str, tap: Hub) -> None:
        super().__init__(owner, name)
        self._tap = tap

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        if obj is None:
            return self if self.beneath is MISSING else self.beneath
        function = self.load(obj)
        if not callable(function) or id(obj) not in self._tap.creations:
            return function
        return Runs(self._tap, obj, function)

    def __set__(self, obj: object, value: Any) -> None:
        # `b._backward = a._backward` hands over the function itself, not our wrapping of it.
        self.store(obj, value.function if isinstance(value, Runs) else value)


class Runs:
    """Stands for a backward function that the program took from a node; calling it is observed."""

    __slots__ = ("_tap", "function", "obj")

    def __init__(self, tap: Hub, obj: object, function: Callable[..., Any]) -> None:
        self._tap = tap
        self.obj = obj
        self.function = function

    def __call__(self, *args: Any) -> Any:
        """Run it, heard by the observer of the moment."""
        return self._tap.observer.call(self.obj, self.function, args)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def __eq__(self, other: object) -> bool:
        return self.function == (other.function if isinstance(other, Runs) else other)

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return repr(self.function)
