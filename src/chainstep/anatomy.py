"""What a foreign class calls its parts, and how to reach them beneath an observer.

A student's Value may call its number `data` or `value`, keep its operands in `_prev`, `parents`
or two attributes `left` and `right`, hold its backward function in an attribute, a method, or not
at all. Everything here asks only for roles, never for a particular class, and compares by
identity alone: a Value may define `__eq__`, `__hash__` or `__len__` in any way.
"""

from __future__ import annotations

import functools
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from chainstep import calculus
from chainstep.figures import visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GRAD_NAMES = (
    "grad", "gradient", "_grad", "_gradient", "derivative", "deriv", "adjoint", "adj",
    "grad_value", "grads_", "dgrad",
)  # fmt: skip
DATA_NAMES = (
    "data", "value", "val", "_data", "_value", "_val", "v", "x", "number", "num", "scalar",
)  # fmt: skip
CHILDREN_NAMES = (
    "_prev", "prev", "_children", "children", "_parents", "parents", "operands", "_operands",
    "inputs", "_inputs", "args", "_args", "sources", "srcs", "_src", "src", "deps", "_deps",
    "dependencies", "predecessors", "_predecessors", "ancestors", "previous", "_previous",
    "prevs", "childs", "kids", "tail", "tails",
)  # fmt: skip
BACKWARD_NAMES = (
    "_backward", "backward_fn", "_backward_fn", "grad_fn", "_grad_fn", "backprop_fn", "_backprop",
    "_bwd", "bwd", "_back", "back", "_vjp", "vjp", "pullback", "_pullback", "backward_",
    "_backwards", "backwards_fn", "_grad_function", "grad_function", "_backward_function",
    "backward_function", "_propagate", "propagate", "local_backward", "_local_backward", "_chain",
    "chain_rule",
)  # fmt: skip
LOCAL_NAMES = (
    "_local_grads", "local_grads", "_local_gradients", "local_gradients", "local_derivatives",
    "_local_derivatives", "locals_", "_locals", "slopes", "_slopes", "partials", "_partials",
    "derivs", "_derivs", "child_grads", "_child_grads", "grads", "_grads", "weights",
)  # fmt: skip
OP_NAMES = (
    "_op", "op", "operation", "_operation", "op_name", "_op_name", "operator",
)  # fmt: skip
LABEL_NAMES = (
    "label", "_label", "name", "_name",
)  # fmt: skip
DRIVER_NAMES = (
    "backward", "backprop", "backpropagate", "back_propagate", "backward_pass", "run_backward",
    "do_backward", "compute_gradients", "compute_grads", "compute_grad", "calc_gradients",
    "gradients",
)  # fmt: skip
OP_OF_METHOD = {
    "__add__": "+", "__radd__": "+", "__iadd__": "+", "add": "+", "plus": "+",
    "__mul__": "*", "__rmul__": "*", "__imul__": "*", "mul": "*", "times": "*", "multiply": "*",
    "__sub__": "-", "__rsub__": "-", "__isub__": "-", "sub": "-", "subtract": "-",
    "__truediv__": "/", "__rtruediv__": "/", "__itruediv__": "/", "div": "/", "divide": "/",
    "__pow__": "**", "__rpow__": "**", "pow": "**", "power": "**",
    "__neg__": "neg", "__abs__": "abs",
}  # fmt: skip

MISSING = object()


def is_operation(name: str) -> bool:
    """Whether a function or method of this name computes a Value from others."""
    return name in OP_OF_METHOD or calculus.find(name) is not None


def attributes(obj: object) -> dict[str, Any]:
    """Instance attributes, slots first, each in the order in which it was declared or set."""
    members = _slots(type(obj))  # type: ignore[arg-type]  # a class is hashable
    found = dict(getattr(obj, "__dict__", ()) or ())
    if not members:
        return found
    present: dict[str, Any] = {}
    for name, member in members:
        value = _slot(member, obj)
        if value is not MISSING:
            present[name] = value
    present.update(found)
    return present


def _slot(member: types.MemberDescriptorType, obj: object) -> object:
    try:
        return member.__get__(obj, type(obj))
    except AttributeError:
        return MISSING


@functools.cache
def _slots(cls: type) -> list[tuple[str, types.MemberDescriptorType]]:
    """The slots of a class and its bases. A descriptor laid over one later changes nothing."""
    return [
        (name, storage)
        for owner in cls.__mro__
        for name, member in vars(owner).items()
        for storage in [member.beneath if isinstance(member, Observed) else member]
        if isinstance(storage, types.MemberDescriptorType)
    ]


class Observed:
    """A data descriptor laid over an attribute of a class; `beneath` is what was there before.

    Reads and writes reach the same storage as without it: a slot, a property, or the instance's
    `__dict__` under the same name, so that taking it away again changes nothing.
    """

    def __init__(self, owner: type, name: str) -> None:
        self.name = name
        self.beneath: Any = MISSING
        for cls in owner.__mro__:
            if name in vars(cls):
                found = vars(cls)[name]
                self.beneath = found.beneath if isinstance(found, Observed) else found
                break
        self._is_descriptor = hasattr(type(self.beneath), "__set__")

    def load(self, obj: object) -> Any:
        """The attribute's true value. Raises AttributeError where there is none."""
        if self._is_descriptor:
            return self.beneath.__get__(obj, type(obj))
        try:
            return dict.__getitem__(obj.__dict__, self.name)
        except (KeyError, AttributeError):
            if self.beneath is MISSING:
                message = f"{type(obj).__name__!r} object has no attribute {self.name!r}"
                raise AttributeError(message, name=self.name, obj=obj) from None
        getter = getattr(type(self.beneath), "__get__", None)
        return self.beneath if getter is None else getter(self.beneath, obj, type(obj))

    def store(self, obj: object, value: object) -> None:
        """Set the attribute's true value."""
        if self._is_descriptor:
            self.beneath.__set__(obj, value)
        else:
            dict.__setitem__(obj.__dict__, self.name, value)

    def __delete__(self, obj: object) -> None:
        if self._is_descriptor:
            self.beneath.__delete__(obj)
        else:
            try:
                dict.__delitem__(obj.__dict__, self.name)
            except KeyError:
                raise AttributeError(self.name) from None


@dataclass
class Anatomy:
    """The names under which one class keeps the parts of a Value; None: it has no such part.

    Attributes:
        stored: What holds the number: another attribute than `data` if that is a property.
        several: Where a node keeps a list of backward functions, one for each operand.
        slopes: A method that gives its slopes, or contributions for an upstream gradient.
        has_been_searched: Whether a backward method has been looked for that no name tells of.
        is_opened: Whether the program uses the `__dict__` of its objects.
        calls: What the program hands to backward functions, by the number of arguments.
    """

    grad: str
    data: str
    stored: str
    backward: str | None = None
    backward_is_method: bool = False
    several: str | None = None
    slopes: str | None = None
    has_been_searched: bool = False
    is_opened: bool = False
    calls: dict[int, tuple[str, ...]] = field(default_factory=dict)


def number(value: object) -> float | None:
    """A float for anything that is a real number; None for text, complex, arrays, None."""
    if isinstance(value, (bool, int, float)):
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    if value is None or isinstance(value, (str, bytes, complex)):
        return None
    # numpy and torch scalars, fractions, decimals; an array of one element is no scalar.
    if not hasattr(type(value), "__float__") or getattr(value, "shape", ()) != ():
        return None
    try:
        return float(value)  # type: ignore[arg-type]  # has __float__, checked above
    except (TypeError, ValueError, OverflowError, RuntimeError):
        return None


def gradient(value: object) -> float:
    """A gradient as a float: 0.0 where there is none yet, nan where it is no number."""
    if value is None:
        return 0.0
    found = number(value)
    return float("nan") if found is None else found


def storage(cls: type, data: str, present: dict[str, Any]) -> str:
    """The attribute in which instances of a class keep what the property `data` gives."""
    member = vars_of(cls, data)
    if isinstance(member, property):
        used = [name for code in codes(member) for name in code.co_names if name in present]
        numbers = [name for name in used if number(present[name]) is not None]
        return (numbers or used or [data])[0]
    return data


def accessors(cls: type, names: Sequence[str]) -> Iterator[types.CodeType]:
    """The code of the properties of a class that stand before attributes of these names."""
    for owner in cls.__mro__[:-1]:
        for member in list(vars(owner).values()):
            found = list(codes(member)) if isinstance(member, property) else []
            if any(not set(names).isdisjoint(code.co_names) for code in found):
                yield from found


def number_among(present: dict[str, Any], arguments: Sequence[object], grad: str) -> str | None:
    """The attribute that holds a Value's number under a name of its own.

    It is the one that holds what the constructor got, else the only number that there is.
    """
    numbers = {
        name: value
        for name, value in present.items()
        if name != grad and type(value) is not bool and number(value) is not None
    }
    given = next((number(a) for a in arguments if number(a) is not None), None)
    same = [name for name, value in numbers.items() if number(value) == given]
    return next(iter(same or (numbers if len(numbers) == 1 else ())), None)


def vars_of(cls: type, name: str) -> Any:
    """What a class or its bases define under a name, seen through what is laid over it."""
    for owner in cls.__mro__:
        if name in vars(owner):
            found = vars(owner)[name]
            return found.beneath if isinstance(found, Observed) else found
    return MISSING


def replace_data(obj: object, anatomy: Anatomy, value: float) -> None:
    """Give a Value another number, beneath all observers and without running its class's code."""
    for owner in type(obj).__mro__:
        found = vars(owner).get(anatomy.stored)
        if isinstance(found, Observed):
            found.store(obj, value)
            return
    object.__setattr__(obj, anatomy.stored, value)


def codes(function: object) -> Iterator[types.CodeType]:
    """The code of a function, method or property and of every function written inside it."""
    if isinstance(function, (staticmethod, classmethod)):
        function = function.__func__
    if isinstance(function, property):
        for part in (function.fget, function.fset):
            yield from codes(part)
        return
    code = getattr(function, "__code__", None)
    stack = [code] if isinstance(code, types.CodeType) else []
    while stack:
        current = stack.pop()
        yield current
        stack += [const for const in current.co_consts if isinstance(const, types.CodeType)]


def class_codes(cls: type) -> Iterator[types.CodeType]:
    """The code of everything written in a class and its Python bases."""
    for owner in cls.__mro__:
        if owner is not object:
            for member in list(vars(owner).values()):
                yield from codes(member)


def mentions(cls: type, names: Sequence[str]) -> bool:
    """Whether a class declares or uses an attribute of one of these names."""
    wanted = set(names)
    for owner in cls.__mro__:
        if owner is object:
            continue
        # In a metaclass this is a descriptor of `type`, not the class's own annotations.
        annotations = vars(owner).get("__annotations__")
        declared = {*vars(owner), *(annotations if isinstance(annotations, dict) else ())}
        if declared & wanted:
            return True
    return any(not wanted.isdisjoint(code.co_names) for code in class_codes(cls))


def first_present(obj: object, names: Sequence[str]) -> str | None:
    """The first of `names` that an object has as an attribute of its own or of its class."""
    present = attributes(obj)
    for name in names:
        found = present.get(name, MISSING)
        if found is MISSING:
            found = getattr(type(obj), name, MISSING)
            if isinstance(found, types.FunctionType):
                continue
        if found is not MISSING:
            return name
    return None


def text_attribute(obj: object, names: Sequence[str]) -> str:
    """The first attribute of these names that holds a text which is not empty; else ''."""
    present = attributes(obj)
    for name in names:
        value = present.get(name)
        if isinstance(value, str) and value.strip():
            return visible(value.strip())
    return ""


def values_in(thing: object, is_value: Callable[[object], bool]) -> list[object]:
    """The Values in one attribute or argument, in order; one level of pairs is looked into."""
    if is_value(thing):
        return [thing]
    if type(thing) is dict:
        thing = [*thing.keys(), *thing.values()]
    if not isinstance(thing, (tuple, list, set, frozenset)):
        return []
    found: list[object] = []
    for item in thing:
        if is_value(item):
            found.append(item)
        elif isinstance(item, (tuple, list)):
            found += [part for part in item if is_value(part)]
    return found


def is_plain_object(thing: object) -> bool:
    """Whether something is an instance of a class written in Python, and holds attributes."""
    kind = type(thing)
    return (
        type(getattr(thing, "__dict__", None)) is dict
        and isinstance(kind, type)
        and bool(kind.__flags__ & 1 << 9)  # made at run time: neither a module nor a function
        and not isinstance(thing, (type, types.ModuleType, BaseException))
    )


def closure_values(function: object, is_value: Callable[[object], bool]) -> list[object]:
    """The Values that a backward function has in its closure, its defaults or its partial."""
    found: list[object] = []
    for cell in getattr(function, "__closure__", None) or ():
        try:
            content = cell.cell_contents
        except ValueError:
            continue
        found += values_in(content, is_value)
    for default in getattr(function, "__defaults__", None) or ():
        found += values_in(default, is_value)
    for argument in getattr(function, "args", None) or ():
        found += values_in(argument, is_value)
    return found
