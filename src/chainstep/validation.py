"""Whether a part of a recording's line is what it should be, and what to say where it is not.

JSON gives few types, and each part has one: true is no number, and 1.0 is no id.
"""

from __future__ import annotations

import json
import math
from typing import TypeVar

from chainstep.errors import RecordingError

LARGEST_LINE = 2**31 - 1
"""No file has more lines, and editors count them in 32 bits."""

NON_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
WORDS = {
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    dict: "an object",
}

T = TypeVar("T")


def number(value: float | None) -> float | str | None:
    """A float as JSON can carry it."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def unnumber(value: object) -> float:
    """The float that :func:`number` wrote. Raises RecordingError for anything else."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is str and value in NON_FINITE:
        return NON_FINITE[value]
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise RecordingError("a whole number is too large for a float") from None
    raise RecordingError(f"expected a number, found {shown(value)}")


def shown(value: object) -> str:
    """A value of any kind and size, as a message can show it."""
    if isinstance(value, (int, float, str)):
        return repr(value)[:20]
    return "nothing" if value is None else f"a {type(value).__name__}"


def typed(kind: type[T], value: object) -> T:
    """The value, if it is of that very type: JSON gives no others, and true is no number."""
    if type(value) is kind:
        return value
    raise RecordingError(f"expected {WORDS[kind]}, found {shown(value)}")


def text(value: object) -> str:
    """A text that can be written anywhere: half a surrogate pair is spelled out."""
    found = typed(str, value)
    return found if found.isascii() else found.encode("utf-8", "backslashreplace").decode("utf-8")


def texts(value: object) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(text(item) for item in typed(list, value))


def index(value: object) -> int:
    """A number that counts from 0."""
    if type(value) is not int or value < 0:
        raise RecordingError(f"expected a number from 0, found {shown(value)}")
    return value


def line_number(value: object) -> int | None:
    """A line of a file, from 1; None where none is known."""
    if value is None or (type(value) is int and 0 < value <= LARGEST_LINE):
        return value
    raise RecordingError(f"{shown(value)} is not a line number")


def refuse_literal(name: str) -> None:
    """Python's parser would take NaN and Infinity, which are not JSON."""
    raise RecordingError(f"expected a number, found the literal {name}")


DECODER = json.JSONDecoder(parse_constant=refuse_literal)
