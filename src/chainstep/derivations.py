"""Where the local derivatives of the table of operations come from: two lines for each."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DERIVATIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "+": (
            "((a + h) + b) - (a + b) = h",
            "Divided by h that is 1, for a and in the same way for b.",
        ),
        "-": (
            "((a + h) - b) - (a - b) = h, and (a - (b + h)) - (a - b) = -h",
            "Divided by h: 1 for a and -1 for b.",
        ),
        "neg": ("-(a + h) - (-a) = -h", "Divided by h that is -1."),
        "*": (
            "(a + h) · b - a · b = h · b",
            "Divided by h that is b; for b in the same way it is a.",
        ),
        "/": (
            "a / b = a · b**(-1), so the slope in a is b**(-1)",
            "In b it is that of a power: a · (-1) · b**(-2).",
        ),
        "**": (
            "(a + h)**b = a**b + b · a**(b - 1) · h + …, and all further terms hold h twice",
            "Divided by h: b · a**(b - 1). In b: a**b = exp(b · log(a)), so its slope has log(a).",
        ),
        "ReLU": (
            "Above 0 out = a, with slope 1; below 0 out = 0, with slope 0.",
            "At 0 the two meet in a corner without a slope; 0 is taken by convention.",
        ),
        "tanh": (
            "out = sinh(a) / cosh(a), and each of the two is the slope of the other",
            "By the rule for quotients: (cosh(a)**2 - sinh(a)**2) / cosh(a)**2 = 1 - out**2.",
        ),
        "exp": (
            "exp(a + h) - exp(a) = exp(a) · (exp(h) - 1)",
            "(exp(h) - 1) / h goes to 1, and exp(a), the result, is left.",
        ),
        "log": (
            "a = exp(out), so a grows by exp(out) = a for each step of out",
            "Seen from the other side, out grows by 1 / a for each step of a.",
        ),
        "sigmoid": (
            "out = (1 + exp(-a))**(-1), so the slope is exp(-a) / (1 + exp(-a))**2",
            "exp(-a) / (1 + exp(-a)) is 1 - out, and out · (1 - out) is left.",
        ),
        "abs": (
            "Above 0 out = a, with slope 1; below 0 out = -a, with slope -1.",
            "At 0 the two meet in a corner without a slope; 0 is taken by convention.",
        ),
        "sqrt": (
            "out**2 = a, so a grows by 2 · out for each step of out",
            "Seen from the other side, out grows by 1 / (2 · out) for each step of a.",
        ),
        "sin": (
            "sin(a + h) = sin(a) · cos(h) + cos(a) · sin(h)",
            "cos(h) goes to 1 and sin(h) / h to 1: cos(a) is left.",
        ),
        "cos": (
            "cos(a + h) = cos(a) · cos(h) - sin(a) · sin(h)",
            "cos(h) goes to 1 and sin(h) / h to 1: -sin(a) is left.",
        ),
    }
)
