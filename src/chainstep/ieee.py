"""Arithmetic after IEEE 754 where Python's own would raise: the answer is inf or nan instead.

`+`, `-`, `*`, `tanh` and `abs` of floats never raise in Python, so they are not here. The
results are those of the C library, and so those of PyTorch in double precision.
"""

from __future__ import annotations

import math
from math import inf, nan


def divide(a: float, b: float) -> float:
    """The quotient a / b.

    >>> divide(1.0, 0.0), divide(1.0, -0.0), divide(0.0, 0.0)
    (inf, -inf, nan)
    """
    try:
        return a / b
    except ZeroDivisionError:
        if a == 0 or math.isnan(a):
            return nan
        return math.copysign(inf, a) * math.copysign(1.0, b)


def power(a: float, b: float) -> float:
    """The power a**b, never complex: nan for a negative base under a fractional exponent.

    >>> power(0.0, -1.0), power(-8.0, 0.5), power(-1e200, 3.0)
    (inf, nan, -inf)
    """
    try:
        return math.pow(a, b)
    except OverflowError:
        return -inf if a < 0 and b % 2 == 1 else inf
    except ValueError:
        if a != 0:
            return nan
        return math.copysign(inf, a) if b % 2 == 1 else inf


def exp(x: float) -> float:
    """The exponential; inf where it is too large for a float."""
    try:
        return math.exp(x)
    except OverflowError:
        return inf


def log(x: float) -> float:
    """The natural logarithm; -inf at 0, nan below.

    >>> log(0.0), log(-1.0)
    (-inf, nan)
    """
    try:
        return math.log(x)
    except ValueError:
        return -inf if x == 0 else nan


def sqrt(x: float) -> float:
    """The square root; nan below 0."""
    try:
        return math.sqrt(x)
    except ValueError:
        return nan


def sin(x: float) -> float:
    """The sine; nan at plus and minus infinity."""
    try:
        return math.sin(x)
    except ValueError:
        return nan


def cos(x: float) -> float:
    """The cosine; nan at plus and minus infinity."""
    try:
        return math.cos(x)
    except ValueError:
        return nan


def sign(x: float) -> float:
    """1, 0 or -1; 0 for nan, as PyTorch has it."""
    return float((x > 0) - (x < 0))
