"""What is laid over the attributes of a Value class, and who hears of it.

Data descriptors, one for the gradient and one for the backward function; each hands what happens
to the observer of the moment. One for the number hands on what is stored there.
"""

from __future__ import annotations

import sys
import types
import weakref
from typing import TYPE_CHECKING, Any, Protocol

from chainstep.anatomy import MISSING, Observed

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from chainstep.rewriting import Rewriting
    from chainstep.witness import Witness


class Hub(Protocol):
    """What a descriptor asks of the tap: who listens now, and which Values are made."""

    observer: Observer
    witness: Witness | None

    @property
    def accessors(self) -> Container[types.CodeType]:
        """Code of the properties through which gradients and numbers are reached."""

    @property
    def creations(self) -> Container[int]:
        """The `id()` of every Value whose constructor has returned."""

    def noted(self, obj: object, args: tuple[Any, ...]) -> None:
        """Remember what the program hands to the backward function of a node."""


def caller(accessors: Container[types.CodeType] = ()) -> types.FrameType:
    """The frame of the program's code that made our hook run; a property's own code is passed."""
    frame = sys._getframe(2)  # noqa: SLF001  the only way there is, and documented
    while frame.f_code in accessors and frame.f_back is not None:
        frame = frame.f_back
    return frame


class Observer(Protocol):
    """What hears of gradients while it is the tap's observer. `obj` is always a Value."""

    def read(self, obj: object, grad: Observed) -> Any:
        """Give what a read of the gradient shall yield."""

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:
        """Take a store of `value` by the code in `frame`, and make it, or not."""

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """Run a `_backward` that the program calls, and give what it returns."""

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """Run the program's own `backward()` on a root."""


class Call:
    """A call that the program makes: its arguments, and the code it comes from."""

    __slots__ = ("args", "frame", "kwargs")

    def __init__(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], frame: types.FrameType
    ) -> None:
        self.args = args
        self.kwargs = kwargs
        self.frame = frame

    def of(self, function: Callable[..., Any], *first: object) -> Any:
        """Call a function with these arguments, after those that come first."""
        return function(*first, *self.args, **self.kwargs)


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
        site: File and line of the call that made it, where evidence is gathered.
        reads: Whose data the code outside the class had read shortly before, as (serial, line,
            whether it has operands).
        initial: Code of the backward function that its constructor gave it.
    """

    __slots__ = (
        *("data", "initial", "inner", "line", "node", "op", "operands", "reads", "ref"),
        *("serial", "site"),
    )

    def __init__(self, serial: int) -> None:
        self.serial = serial
        self.data = float("nan")
        self.operands: tuple[int, ...] = ()
        self.op = ""
        self.line: int | None = None
        self.inner = False
        self.node: int | None = None
        self.ref: object = None
        self.site: tuple[str, int] | None = None
        self.reads: tuple[tuple[int, int, bool], ...] = ()
        self.initial: types.CodeType | None = None


class Attributes(dict[str, Any]):
    """The `__dict__` of a Value whose program goes past its attributes, as in `vars(x)["grad"]`.

    It is the Value's own, and Python itself looks into it beneath these methods; what the program
    reads and stores with them is heard just as if it had used the attribute.
    """

    __slots__ = ("_owner",)

    def __init__(self, obj: object, held: dict[str, Any]) -> None:
        super().__init__(held)
        try:
            self._owner: Callable[[], object] = weakref.ref(obj)
        except TypeError:
            self._owner = lambda: obj

    def _overlay(self, name: str) -> tuple[object, Any]:
        obj = self._owner()
        for cls in type(obj).__mro__:
            found = vars(cls).get(name)
            if isinstance(found, Observed):
                return obj, found
        return obj, None

    def __getitem__(self, name: str) -> Any:
        obj, overlay = self._overlay(name)
        if overlay is None or name not in self:
            return super().__getitem__(name)
        return overlay.__get__(obj, type(obj))

    def __setitem__(self, name: str, value: Any) -> None:
        obj, overlay = self._overlay(name)
        if overlay is None:
            super().__setitem__(name, value)
        else:
            overlay.__set__(obj, value)

    def get(self, name: str, default: Any = None) -> Any:
        """What is stored under a name."""
        try:
            return self[name]
        except KeyError:
            return default

    def update(self, *given: Any, **named: Any) -> None:
        """Store several things."""
        for name, value in dict(*given, **named).items():
            self[name] = value

    def __ior__(self, given: Any) -> Attributes:  # type: ignore[override,misc]  # noqa: PYI034  Self is newer than Python 3.10
        self.update(given)
        return self

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return dict, (dict(self),)


PASSED = frozenset(
    method.__code__
    for method in (
        *(Attributes.__getitem__, Attributes.__setitem__),
        *(Attributes.get, Attributes.update, Attributes.__ior__),
    )
)
"""Code of ours between the program and a descriptor."""


class Overlay(Observed):
    """Laid over one attribute of a class."""

    def __init__(self, owner: type, name: str, tap: Hub) -> None:
        super().__init__(owner, name)
        self._tap = tap


class GradOverlay(Overlay):
    """Laid over the gradient of one class."""

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        if obj is None:
            # `Value.grad.__set__(x, 1.0)` reaches a slot as well.
            is_slot = isinstance(self.beneath, types.MemberDescriptorType)
            return self if is_slot or self.beneath is MISSING else self.beneath
        if id(obj) not in self._tap.creations:
            return self.load(obj)
        if self._tap.witness is not None:
            self._tap.witness.read(obj, caller(self._tap.accessors))
        return self._tap.observer.read(obj, self)

    def __set__(self, obj: object, value: Any) -> None:
        if id(obj) not in self._tap.creations:
            if self._tap.witness is not None:
                self._tap.witness.first_gradient(type(obj), caller(self._tap.accessors))
            self.store(obj, value)  # it is still being made
        else:
            frame = caller(self._tap.accessors)
            if self._tap.witness is not None:
                self._tap.witness.stored(obj, value, frame)
            self._tap.observer.write(obj, self, value, frame)


class DataStores(Overlay):
    """Laid over the number of one class that keeps it in the `__dict__` of its instances.

    It hears stores alone: without a `__get__`, reads find the number there as fast as ever.
    """

    def __init__(self, owner: type, name: str, tap: Hub, rewriting: Rewriting) -> None:
        super().__init__(owner, name, tap)
        self._rewriting = rewriting

    def __set__(self, obj: object, value: Any) -> None:
        if id(obj) not in self._tap.creations:
            self.store(obj, value)
        else:
            self._rewriting.store(obj, self, value, caller(self._tap.accessors))


class DataOverlay(DataStores):
    """Laid over the number of one class that keeps it elsewhere, or where reads are evidence."""

    def __get__(self, obj: object, owner: type | None = None) -> Any:
        if obj is None:
            return self if self.beneath is MISSING else self.beneath
        witness = self._tap.witness
        if witness is not None and id(obj) in self._tap.creations:
            # Operations and closures read all the time, and nobody asks about them.
            code = sys._getframe(1).f_code  # noqa: SLF001
            if code not in witness.inside:
                witness.looked(obj, caller(self._tap.accessors))
        return self.load(obj)


class BackwardOverlay(Overlay):
    """Laid over the attribute that holds the backward function of one class."""

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

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it, heard by the observer of the moment."""
        self._tap.noted(self.obj, args)
        return self._tap.observer.call(self.obj, self.function, Call(args, kwargs, caller()))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.function, name)

    def __eq__(self, other: object) -> bool:
        return self.function == (other.function if isinstance(other, Runs) else other)

    def __hash__(self) -> int:
        return hash(self.function)

    def __repr__(self) -> str:
        return repr(self.function)

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Callable[..., Any]]]:
        # A copy of a node shares its function, as `copy` does with every function.
        return _itself, (self.function,)


def _itself(function: Callable[..., Any]) -> Callable[..., Any]:
    return function
