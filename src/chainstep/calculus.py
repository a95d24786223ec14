"""The table of operations: what each one computes, and how steep it is in each operand.

It speaks about any `Value` class, not only about ours: the local derivatives here are what a
student's `_backward` is held against. Where a function is not defined or overflows they are
inf or nan, and at a kink they take PyTorch's convention, so 0 for relu and abs at 0.

In formulas the operands are `a` and `b`, the result is `out`, and each of these three stands
as a word of its own, so that a reader may put other names in their place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from chainstep import ieee

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table.

    Attributes:
        symbol: How the operation is written in a node's op.
        arity: Number of operands.
        forward: The operands' data -> the result.
        local: (the operands' data, the result) -> the local derivative through each slot.
        rule: What backward does here, in one sentence of plain words.
        formula: The local derivative through each slot, as plain mathematics.
        gate: The part it plays for a gradient on its way down, in a few words.
    """

    symbol: str
    arity: int
    forward: Callable[..., float]
    local: Callable[[tuple[float, ...], float], tuple[float, ...]]
    rule: str
    formula: tuple[str, ...]
    gate: str


def _slope_of_power(a: float, n: float) -> float:
    """How steep a**n is in a; 0 for n = 0, where a**n is 1 whatever a is."""
    return 0.0 if n == 0 else n * ieee.power(a, n - 1)


def _slopes_of_power(data: tuple[float, ...], out: float) -> tuple[float, ...]:
    """How steep a**b is in a and in b; in b at a = 0 the limit 0 counts, below 0 it is nan."""
    a, b = data
    return _slope_of_power(a, b), 0.0 if a == 0 and b >= 0 else out * ieee.log(a)


_ROWS = (
    Operation(
        "+",
        2,
        lambda a, b: a + b,
        lambda _data, _out: (1.0, 1.0),
        "A sum grows exactly as fast as each of its terms, "
        "so each operand gets the upstream gradient unchanged.",
        ("∂out/∂a = 1", "∂out/∂b = 1"),
        "addition copies the gradient",
    ),
    Operation(
        "-",
        2,
        lambda a, b: a - b,
        lambda _data, _out: (1.0, -1.0),
        "A difference grows with its first operand and shrinks with its second, "
        "so the first gets the upstream gradient unchanged and the second gets it negated.",
        ("∂out/∂a = 1", "∂out/∂b = -1"),
        "subtraction copies the gradient and negates the second copy",
    ),
    Operation(
        "neg",
        1,
        lambda a: -a,
        lambda _data, _out: (-1.0,),
        "The negative falls as fast as its operand grows, "
        "so the upstream gradient is handed on with its sign changed.",
        ("∂out/∂a = -1",),
        "negation flips the sign of the gradient",
    ),
    Operation(
        "*",
        2,
        lambda a, b: a * b,
        lambda data, _out: (data[1], data[0]),
        "Each factor makes the product steeper in the other, "
        "so each operand gets the upstream gradient times the other operand.",
        ("∂out/∂a = b", "∂out/∂b = a"),
        "multiplication swaps the operands and scales the gradient by them",
    ),
    Operation(
        "/",
        2,
        ieee.divide,
        lambda data, out: (ieee.divide(1.0, data[1]), -ieee.divide(out, data[1])),
        "The first operand gets the upstream gradient divided by the second; "
        "the second gets it times the negative quotient, divided by the second again.",
        ("∂out/∂a = 1 / b", "∂out/∂b = -a / b**2"),
        "division scales the gradient, and negates it for the divisor",
    ),
    Operation(
        "**",
        2,
        ieee.power,
        _slopes_of_power,
        "The base gets the upstream gradient times the exponent times the base to one power less; "
        "the exponent gets it times the result times the logarithm of the base.",
        ("∂out/∂a = b · a**(b - 1)", "∂out/∂b = out · log(a)"),
        "a power scales the gradient by its slope",
    ),
    Operation(
        "ReLU",
        1,
        lambda a: 0.0 if a < 0 else a,
        lambda _data, out: (0.0 if out <= 0 else 1.0,),
        "Above 0 the operand passes through and so does the upstream gradient; "
        "at 0 and below nothing passes.",
        ("∂out/∂a = 1 if out > 0 else 0",),
        "relu gates the gradient: open above 0, closed below",
    ),
    Operation(
        "tanh",
        1,
        math.tanh,
        lambda _data, out: ((1 - out) * (1 + out),),
        "The upstream gradient is scaled by 1 minus the square of the result: "
        "unchanged at 0, almost nothing where tanh is flat.",
        ("∂out/∂a = 1 - out**2",),
        "tanh damps the gradient, the more the closer its result is to -1 or 1",
    ),
    Operation(
        "exp",
        1,
        ieee.exp,
        lambda _data, out: (out,),
        "The exponential is its own derivative, "
        "so the upstream gradient is scaled by the result itself.",
        ("∂out/∂a = out",),
        "exp scales the gradient by its own result",
    ),
    Operation(
        "log",
        1,
        ieee.log,
        lambda data, _out: (ieee.divide(1.0, data[0]),),
        "The logarithm is steep near 0 and flat far out, "
        "so the upstream gradient is divided by the operand.",
        ("∂out/∂a = 1 / a",),
        "log divides the gradient by its operand",
    ),
    Operation(
        "sigmoid",
        1,
        lambda a: 1 / (1 + ieee.exp(-a)),
        lambda _data, out: ((1 - out) * out,),
        "The upstream gradient is scaled by the result times 1 minus the result: "
        "a quarter at 0, almost nothing where the sigmoid is flat.",
        ("∂out/∂a = out · (1 - out)",),
        "sigmoid damps the gradient to a quarter of it at the most",
    ),
    Operation(
        "abs",
        1,
        math.fabs,
        lambda data, _out: (ieee.sign(data[0]),),
        "Above 0 the upstream gradient passes unchanged, below 0 it passes negated, "
        "and at 0 nothing passes.",
        ("∂out/∂a = sign(a)",),
        "abs passes the gradient above 0 and negates it below",
    ),
    Operation(
        "sqrt",
        1,
        ieee.sqrt,
        lambda _data, out: (ieee.divide(1.0, 2 * out),),
        "The square root is steep near 0 and flat far out, "
        "so the upstream gradient is divided by twice the result.",
        ("∂out/∂a = 1 / (2 · out)",),
        "sqrt divides the gradient by twice its result",
    ),
    Operation(
        "sin",
        1,
        ieee.sin,
        lambda data, _out: (ieee.cos(data[0]),),
        "The slope of the sine is the cosine, "
        "so the upstream gradient is scaled by the cosine of the operand.",
        ("∂out/∂a = cos(a)",),
        "sin scales the gradient by the cosine",
    ),
    Operation(
        "cos",
        1,
        ieee.cos,
        lambda data, _out: (-ieee.sin(data[0]),),
        "The slope of the cosine is minus the sine, "
        "so the upstream gradient is scaled by minus the sine of the operand.",
        ("∂out/∂a = -sin(a)",),
        "cos scales the gradient by minus the sine",
    ),
)

OPERATIONS: Mapping[str, Operation] = MappingProxyType({row.symbol: row for row in _ROWS})
"""The table, by symbol."""

_SPELLINGS = MappingProxyType(
    {row.symbol.casefold(): row.symbol for row in _ROWS}
    | {
        "add": "+",
        "sub": "-",
        "mul": "*",
        "div": "/",
        "truediv": "/",
        "pow": "**",
        "^": "**",
        "ln": "log",
    }
)
"""How programs write the symbols, in lower case."""


def find(op: str) -> Operation | None:
    """The operation that a node's op speaks of; None where the table has none.

    A power with its exponent in the op, such as `**2`, has one operand.

    >>> find("relu").symbol, find("**-1").local((2.0,), 0.5), find("softmax")
    ('ReLU', (-0.25,), None)
    """
    spelling = op.strip().casefold()
    symbol = _SPELLINGS.get(spelling)
    if symbol is not None:
        return OPERATIONS[symbol]
    for sign in ("**", "^", "pow"):
        if spelling.startswith(sign):
            return _power_of(spelling[len(sign) :])
    return None


def in_words(op: str, operands: int) -> Operation | None:
    """The operation whose rule and gate hold for a node with so many operands; None for none.

    The words about a sum hold for any number of terms. A minus with one operand is a negation, and
    a power with one has its exponent outside the graph.

    >>> in_words("-", 1).symbol, in_words("*", 3), in_words("+", 3).symbol
    ('neg', None, '+')
    """
    operation = find(op)
    if operation is None or operation.arity == operands or operation.symbol == "+":
        return operation
    if operation.symbol == "**" and operands == 1:
        return replace(operation, rule=_RULE_OF_CONSTANT_POWER)
    return OPERATIONS["neg"] if operation.symbol == "-" and operands == 1 else None


_RULE_OF_CONSTANT_POWER = (
    "The exponent is a plain number: the operand gets the upstream gradient times the exponent "
    "times itself to one power less."
)


def _power_of(exponent: str) -> Operation | None:
    """The operation a**n for the n that `exponent` spells; None where that is no number."""
    written = exponent.strip(" ()")
    try:
        n = float(written)
    except ValueError:
        return None
    below = f"{n - 1:g}"
    formula = {0.0: "0", 1.0: "1", 2.0: f"{written} · a"}.get(n, f"{written} · a**{below}")
    words = {0.0: "0", 1.0: "1", 2.0: f"{written} times the operand"}.get(
        n, f"{written} times the operand to the power {below}"
    )
    return Operation(
        f"**{written}",
        1,
        lambda a: ieee.power(a, n),
        lambda data, _out: (_slope_of_power(data[0], n),),
        "The exponent comes down as a factor and is one less above, "
        f"so the upstream gradient is scaled by {words}.",
        (f"∂out/∂a = {formula}",),
        "a power scales the gradient by its slope",
    )
