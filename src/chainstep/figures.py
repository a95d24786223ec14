"""How numbers are written: enough significant digits, and never a tiny one as zero."""

from __future__ import annotations

import math
import re
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

DIGITS = 4
"""Significant digits on cards and in tables, where nobody chose otherwise."""

precision = ContextVar("precision", default=DIGITS)
"""Significant digits that the reader chose. As in `decimal`, a matter of the surroundings: the
window sets it for its thread, and no sentence has to hand it on."""

MOST_DIGITS = 17
"""Significant digits that tell any two numbers apart."""

LOWEST_POWER = -4
"""Power of ten of the smallest numbers written without an exponent."""

BEYOND_PLAIN = 1e6
"""From here on numbers are written with an exponent."""

MOST_QUOTED = 60
"""Signs that are said again of what somebody wrote."""


CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef]")
"""Signs that command a terminal, break a line, or turn the direction of writing."""


def short(value: float, digits: int | None = None) -> str:
    """A number to `digits` significant digits, short enough for a card; to `precision` by default.

    Whole numbers keep one decimal, so that a float looks like one, and all their digits up to a
    million. Anything that is not zero shows at least one digit that is not zero. Which form a
    number takes is decided after rounding: what reads as a million is written `1e6`.

    >>> [short(x) for x in (2.0, 0.70710678, -1.4999999999999993, 3e-7, 0.0, 123456.789)]
    ['2.0', '0.7071', '-1.5', '3e-7', '0.0', '123457.0']
    """
    if not math.isfinite(value):
        return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"
    if value == 0:
        return "-0.0" if math.copysign(1.0, value) < 0 else "0.0"
    digits = digits or precision.get()
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if power >= LOWEST_POWER and abs(value) < BEYOND_PLAIN:
        text = f"{value:.{max(digits - 1 - power, 0)}f}"
        if abs(float(text)) < BEYOND_PLAIN:
            text = text.rstrip("0") if "." in text else text + "."
            return text + "0" if text.endswith(".") else text
    return f"{mantissa.rstrip('0').rstrip('.')}e{power}"


def apart(one: float, other: float) -> tuple[str, str]:
    """Two numbers as :func:`short` writes them, with more digits where these would look the same.

    >>> apart(2.0, 3.0), apart(1.0, 1.0000001)
    (('2.0', '3.0'), ('1.0', '1.0000001'))
    """
    for digits in range(precision.get(), MOST_DIGITS):
        written = short(one, digits), short(other, digits)
        if written[0] != written[1]:
            return written
    return short(one, MOST_DIGITS), short(other, MOST_DIGITS)


def relation(result: str, terms: Iterable[Iterable[str]], digits: int | None = None) -> str:
    """What stands between numbers and what comes out: `≈` where rounding them makes another of it.

    Args:
        result: What comes out, as it is written.
        terms: What is added up: the factors of each, as they are written.
        digits: With how many significant digits, as for :func:`short`.

    >>> relation("6.0", [["2.0", "3.0"]]), relation("1.0", [["3.0", "0.3333"]])
    ('=', '≈')
    """
    worked = sum(math.prod(map(_worth, term)) for term in terms)
    if not math.isfinite(worked) or worked == _worth(result):
        return "="
    return "=" if short(worked, digits) == result else "≈"


def _worth(written: str) -> float:
    """A number as it is written, also in brackets; nan for what is none."""
    try:
        return float(written.strip("()"))
    except ValueError:
        return math.nan


def full(value: float) -> str:
    """Every digit there is: the shortest text that reads back as the same float."""
    return repr(float(value))


def read(text: str) -> float | None:
    """The number that somebody typed, also with the sign of mathematics; None where it is none.

    >>> read(" −2.5 "), read("1e3"), read("two")
    (-2.5, 1000.0, None)
    """
    try:
        return float(text.strip().replace("−", "-"))
    except ValueError:
        return None


def visible(text: str) -> str:
    r"""A text in one line, with signs that are no letters spelled out.

    >>> visible("red" + chr(27) + "[31m")
    'red\\x1b[31m'
    """
    return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


def quoted(text: str) -> str:
    """What somebody wrote, on one line and in quotation marks; of a long text the beginning.

    >>> quoted("1/0"), len(quoted("9" * 5000))
    ("'1/0'", 63)
    """
    return repr(shortened(text))


def shortened(text: str) -> str:
    """A text, and of a long one the beginning."""
    return text if len(text) <= MOST_QUOTED else f"{text[:MOST_QUOTED]}…"
