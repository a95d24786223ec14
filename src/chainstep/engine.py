# ruff: noqa: SLF001  the parts of a Value have micrograd's names, underscores and all
"""The scalar that remembers how it was made, so that gradients can flow back through it.

Names and behaviour are micrograd's (https://github.com/karpathy/micrograd), and every operation
reads the same way: compute `out`, then write down, in a closure, what its `_backward` will add
to the gradients of its children. Where a float overflows or a function is not defined, the
result is inf or nan, as in PyTorch: that is what `ieee` is for.
"""

from __future__ import annotations

import math
from numbers import Complex, Real
from operator import attrgetter
from typing import TYPE_CHECKING

from chainstep import ieee
from chainstep.graph import topological

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import SupportsFloat, SupportsIndex, TypeAlias

    Number: TypeAlias = SupportsFloat | SupportsIndex


def _nothing() -> None:
    """The `_backward` of a leaf: it has no children to hand a gradient to."""


class Value:
    """One number in a graph: its value, its gradient, and the children it was made from.

    >>> a = Value(2.0)
    >>> b = Value(3.0)
    >>> e = (a + b) * (a * b)
    >>> e.backward()
    >>> a.grad, b.grad
    (21.0, 16.0)

    Attributes:
        data: The number itself.
        grad: The gradient: how fast the root of the last `backward()` grows with this number.
        label: A name for people to read.
    """

    __slots__ = ("__weakref__", "_backward", "_op", "_prev", "data", "grad", "label")

    __array_ufunc__ = None  # so that numpy leaves `numpy.float64(2) * a` to us

    def __init__(
        self, data: Number, _children: Iterable[Value] = (), _op: str = "", label: str = ""
    ) -> None:
        self.data: float = data if type(data) is float else _number(data)
        self.grad = 0.0
        self._backward: Callable[[], None] = _nothing
        self._prev = tuple(_children)
        self._op = _op
        self.label = label

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def __add__(self, other: Value | Number) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Value | Number) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, other: Value | Number) -> Value:
        if isinstance(other, Value):
            return self._power_of_value(other)
        n = _number(other)
        out = Value(ieee.power(self.data, n), (self,), f"**{_spelt(other, n)}")

        def _backward() -> None:
            # x**0 is 1 everywhere, so its slope is 0, also where 0 * x**-1 would be nan
            self.grad += 0.0 if n == 0 else n * ieee.power(self.data, n - 1) * out.grad

        out._backward = _backward
        return out

    def _power_of_value(self, other: Value) -> Value:
        out = Value(ieee.power(self.data, other.data), (self, other), "**")

        def _backward() -> None:
            a, b = self.data, other.data
            self.grad += 0.0 if b == 0 else b * ieee.power(a, b - 1) * out.grad
            # at a == 0 the limit 0 counts, not 0 * log(0); below 0 the logarithm is nan
            other.grad += (0.0 if a == 0 and b >= 0 else out.data * ieee.log(a)) * out.grad

        out._backward = _backward
        return out

    def exp(self) -> Value:
        """The exponential e**x."""
        out = Value(ieee.exp(self.data), (self,), "exp")

        def _backward() -> None:
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def log(self) -> Value:
        """The natural logarithm; -inf at 0, nan below."""
        out = Value(ieee.log(self.data), (self,), "log")

        def _backward() -> None:
            self.grad += ieee.divide(out.grad, self.data)

        out._backward = _backward
        return out

    def tanh(self) -> Value:
        """The hyperbolic tangent, which squashes any number into -1 to 1."""
        out = Value(math.tanh(self.data), (self,), "tanh")

        def _backward() -> None:
            # 1 - tanh**2, as a product: it keeps its digits where tanh is close to 1
            self.grad += (1 - out.data) * (1 + out.data) * out.grad

        out._backward = _backward
        return out

    def sigmoid(self) -> Value:
        """The logistic function 1 / (1 + e**-x), which squashes any number into 0 to 1."""
        out = Value(1 / (1 + ieee.exp(-self.data)), (self,), "sigmoid")

        def _backward() -> None:
            self.grad += (1 - out.data) * out.data * out.grad

        out._backward = _backward
        return out

    def relu(self) -> Value:
        """The number itself where it is above 0, else 0. Its slope at 0 is 0 by convention."""
        out = Value(0.0 if self.data < 0 else self.data, (self,), "ReLU")

        def _backward() -> None:
            self.grad += 0.0 if out.data <= 0 else out.grad

        out._backward = _backward
        return out

    def abs(self) -> Value:
        """The number without its sign. Its slope at 0 is 0 by convention."""
        out = Value(math.fabs(self.data), (self,), "abs")

        def _backward() -> None:
            self.grad += ieee.sign(self.data) * out.grad

        out._backward = _backward
        return out

    def sqrt(self) -> Value:
        """The square root; nan below 0."""
        out = Value(ieee.sqrt(self.data), (self,), "sqrt")

        def _backward() -> None:
            self.grad += ieee.divide(out.grad, 2 * out.data)

        out._backward = _backward
        return out

    def sin(self) -> Value:
        """The sine of an angle in radians."""
        out = Value(ieee.sin(self.data), (self,), "sin")

        def _backward() -> None:
            self.grad += ieee.cos(self.data) * out.grad

        out._backward = _backward
        return out

    def cos(self) -> Value:
        """The cosine of an angle in radians."""
        out = Value(ieee.cos(self.data), (self,), "cos")

        def _backward() -> None:
            self.grad += -ieee.sin(self.data) * out.grad

        out._backward = _backward
        return out

    def backward(self) -> None:
        """Add to every node below this one the gradient of this node with respect to it.

        Gradients are added to what is there already: set them to 0 before a second pass.
        """
        topo = topological(self, attrgetter("_prev"))  # children before consumers
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def __neg__(self) -> Value:  # -self
        return self * -1

    def __sub__(self, other: Value | Number) -> Value:  # self - other
        other = other if isinstance(other, Value) else Value(other)
        return self + (-other)

    def __truediv__(self, other: Value | Number) -> Value:  # self / other
        other = other if isinstance(other, Value) else Value(other)
        return self * other**-1

    def __abs__(self) -> Value:  # abs(self)
        return self.abs()

    # The reflected forms: a bare number stands on the left, and stays there.

    def __radd__(self, other: Number) -> Value:  # other + self
        return Value(other) + self

    def __rsub__(self, other: Number) -> Value:  # other - self
        return Value(other) - self

    def __rmul__(self, other: Number) -> Value:  # other * self
        return Value(other) * self

    def __rtruediv__(self, other: Number) -> Value:  # other / self
        return Value(other) / self

    def __rpow__(self, other: Number) -> Value:  # other ** self
        return Value(other) ** self


def _number(data: object) -> float:
    """The float that `data` is; an int too large for one is inf.

    Raises:
        TypeError: It is not a single real number.
    """
    remedy = "" if isinstance(data, (int, float)) else _remedy(data)
    if not remedy:
        try:
            return float(data)  # type: ignore[arg-type]  # what is no number ends below
        except OverflowError:
            return math.inf if data > 0 else -math.inf  # type: ignore[operator]
        except TypeError:
            remedy = "hand over a number, such as 2.0"
    kind = type(data)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
    raise TypeError(f"A Value holds one real number, and this is of type {name}: {remedy}.")


def _remedy(data: object) -> str:
    """What to do about data that are not one real number; empty where they may be one."""
    if isinstance(data, Value):
        return "it is a Value already: use it as it is, or its .data for a new leaf"
    if data is None:
        return "a function that ends without `return` gives None"
    if isinstance(data, (str, bytes, bytearray)):
        return "turn text into a number first, with float(...)"
    if isinstance(data, Complex) and not isinstance(data, Real):
        return "take its .real or .imag part"
    if hasattr(type(data), "__len__"):  # also arrays without a dimension, which float() would take
        return "make one Value for each number in it, or take one number out of it"
    return ""


def _spelt(exponent: Number, n: float) -> str:
    """The exponent `n` as in `**3` or `**0.5`: whole where it was written so, with all digits."""
    whole = hasattr(type(exponent), "__index__") and abs(n) < 1e16
    return str(int(n) if whole else n)
