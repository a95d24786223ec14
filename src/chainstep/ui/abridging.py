"""Names that are shorter than what they stand for, cut where a part of them ends, never within."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATH = re.compile(r"[\w\[\].]*[\[.][\w\[\].]*")
"""A name whose end tells it from its neighbours: `n.layers[0].w[1]`."""
_PART = re.compile(r"[.\[]")
_GROUP = re.compile(r"\((?!…\))(?:[^()]|\(…\))*\)")
_CALL = re.compile(r"(\w+)\(…\)")
_SUM = re.compile(r"(?<=[\w)\]…])\s*([+-])\s*")
_PRODUCT = re.compile(r"(?<=[\w)\]…])\s*(\*\*|[*/])\s*")


def abridged(name: str) -> Iterator[str]:
    """A name, then ever shorter: without blanks, without what is in brackets, with fewer operands.

    Of a way to an object its end is kept, which tells it from others; a single word is not cut.

    >>> list(abridged("x1*w1 + x2*w2 + b"))
    ['x1*w1 + x2*w2 + b', 'x1*w1+x2*w2+b', 'x1*w1+…', 'x1*…+…', '…+…']
    >>> list(abridged("f*2**k"))
    ['f*2**k', 'f*…']
    >>> list(abridged("(a*b + b**3)*2"))
    ['(a*b + b**3)*2', '(a*b+b**3)*2', '(…)*2', '…*…']
    >>> list(abridged("relu((a + b)*(c + d))"))
    ['relu((a + b)*(c + d))', 'relu((a+b)*(c+d))', 'relu(…)', 'relu…']
    >>> list(abridged("n.layers[0].w[1]"))
    ['n.layers[0].w[1]', '…layers[0].w[1]', '…[0].w[1]', '…w[1]', '…[1]']
    """
    yield name
    shortest = len(name)
    for form in _ways(name):
        if len(form) < shortest:
            yield form
            shortest = len(form)


def _ways(name: str) -> Iterator[str]:
    if _PATH.fullmatch(name):
        for found in _PART.finditer(name, 1):
            yield f"…{name[found.start() :].removeprefix('.')}"
        return
    short = name.replace(" ", "")
    terms = _SUM.split(short)
    if len(terms) == 1 and len(_PRODUCT.split(short)) == 1 and not _GROUP.search(short):
        return
    yield short
    before = ""
    while before != short:
        before, short = short, _GROUP.sub("(…)", short)
    yield short
    if call := _CALL.fullmatch(short):
        yield f"{call[1]}…"
        return
    terms = _SUM.split(short)
    for count in range(len(terms) - 2, 0, -2):
        yield f"{''.join(terms[: count + 1])}…"
    factors = _PRODUCT.split(terms[0])
    rest = f"{terms[1]}…" if len(terms) > 1 else ""
    for count in range(len(factors) - 2, 0, -2):
        yield f"{''.join(factors[: count + 1])}…{rest}"
    if rest or len(factors) > 1:
        yield f"…{rest or factors[1] + '…'}"
