"""Formulas as trees, so that they can be set as mathematics: fractions, powers, applied functions.

The formulas of this package are written on one line, as `∂e/∂a += ∂c/∂a · ∂e/∂c`. That line is
what a terminal shows and a screen reader says; here it is read, and can be written as LaTeX. A
line of another form is kept as words: a label may hold any sign.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Mark:
    """A name, a number, a word or a sign of its own: what is not divided further.

    Attributes:
        text: As it stands on the line.
        is_sign: Whether it is a sign between two others, with a space on either side.
    """

    text: str
    is_sign: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """Parts side by side."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Fraction:
    """One above a line, the other below it."""

    above: Tree
    below: Tree


@dataclass(frozen=True, slots=True)
class Power:
    """A base with its exponent."""

    base: Tree
    exponent: Tree


@dataclass(frozen=True, slots=True)
class Bracketed:
    """Something in round brackets."""

    inside: Tree


Tree: TypeAlias = Mark | Row | Fraction | Power | Bracketed

RELATIONS = frozenset({"=", "≈", "+=", "→", ">", ","})
WORDS = frozenset({"if", "else"})
SUMS = frozenset({"+", "-"})
PRODUCTS = frozenset({"·", "×", "*"})
MOST_SIGNS = 2000
"""Of a longer line nobody reads the fractions."""
DEEPEST = 20
"""Brackets inside one another."""
FIRST_STAND_IN, MOST_NAMES = 0xE000, 256
"""Signs of nobody's own, which stand for names while a line is read."""
_INNERMOST = re.compile(r"\(([^()]*)\)")
_RELATION = re.compile(r"[=≈→>]")
"""What no formula has inside brackets."""
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d[\d.]*(?:e-?\d+)?)|(?P<name>[^\W\d][\w.]*(?:\[[\w\s:,\"']*\][\w.]*)*…?|[…\ue000-\ue0ff])"
    r"|(?P<sign>\*\*|\+=|[=≈→>,+\-·×*/()∂]))"
)
_SPECIAL = re.compile(r"[\\{}$&#^_%~]")
_LATEX = {
    "·": r"\cdot",
    "×": r"\times",
    "*": r"\cdot",
    "→": r"\to",
    "≈": r"\approx",
    "+=": r"\mathrel{+}=",
}
FIRST_GREEK = 0x3B1
_IS_NAME = re.compile(r"[\w.\[\]…]+")
_GREEK = {
    chr(FIRST_GREEK + place): name
    for place, name in enumerate(
        (
            *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"),
            *("kappa", "lambda", "mu", "nu", "xi", "", "pi", "rho", "varsigma", "sigma"),
            *("tau", "upsilon", "phi", "chi", "psi", "omega"),
        )
    )
    if name  # an omicron is an o
}
_ALONE = {"−": "-", "…": r"\dots", "inf": r"\infty", "?": "?"}
_ESCAPES = {"\\": r"\textbackslash{}", "^": r"\^{}", "~": r"\~{}"}


@lru_cache(maxsize=256)
def read(line: str) -> Tree:
    """The tree of a formula on one line; a single mark where it has no such form.

    >>> read("∂c/∂a")
    Fraction(above=Mark(text='∂c', is_sign=False), below=Mark(text='∂a', is_sign=False))
    """
    tree = _parsed(line, {})
    if tree is not None:
        return tree
    # The name of a node may be anything; in a formula such a one stands in brackets.
    names: dict[str, str] = {}
    tree = _parsed(_INNERMOST.sub(lambda found: _stand_in(found, names), line), names)
    return Mark(line) if tree is None else tree


def _stand_in(found: re.Match[str], names: dict[str, str]) -> str:
    """Brackets as they are, or with a sign for what is in them where that is no formula."""
    inside = found[1]
    is_formula = not _RELATION.search(inside) and _parsed(inside, {}) is not None
    if is_formula or len(names) == MOST_NAMES:
        return found[0]
    sign = chr(FIRST_STAND_IN + len(names))
    names[sign] = inside
    return f"({sign})"


def _parsed(line: str, names: Mapping[str, str]) -> Tree | None:
    """The tree of a line; None where it has another form.

    Args:
        line: The line.
        names: The signs that stand for names.
    """
    tokens = _tokens(line)
    if tokens is None:
        return None
    try:
        return _Parser(tokens, names).line()
    except _OtherFormError:
        return None


class _OtherFormError(Exception):
    """The line is not of the form that the formulas here have."""


def _tokens(line: str) -> list[tuple[str, str]] | None:
    """The signs of a line with what each is; None where one of them is unknown."""
    if len(line) > MOST_SIGNS:
        return None
    tokens, at = [], 0
    text = line.rstrip()
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            return None
        kind = found.lastgroup
        assert kind is not None
        tokens.append((kind, found[kind]))
        at = found.end()
    return tokens


class _Parser:
    """Reads tokens by the usual precedence: relation, sum, product and fraction, sign, power."""

    def __init__(self, tokens: list[tuple[str, str]], names: Mapping[str, str]) -> None:
        self._tokens = tokens
        self._names = names
        self._at = 0
        self._depth = 0

    @property
    def _next(self) -> tuple[str, str]:
        return self._tokens[self._at] if self._at < len(self._tokens) else ("end", "")

    def _take(self) -> str:
        text = self._next[1]
        self._at += 1
        return text

    def line(self) -> Tree:
        """All of it."""
        parts = [self._sum()]
        while self._next[0] != "end":
            kind, text = self._next
            if text not in RELATIONS | WORDS or kind == "number":
                raise _OtherFormError
            parts += [Mark(self._take(), is_sign=True), self._sum()]
        return _row(parts)

    def _sum(self) -> Tree:
        parts = [self._product()]
        while self._next[0] == "sign" and self._next[1] in SUMS:
            parts += [Mark(self._take(), is_sign=True), self._product()]
        return _row(parts)

    def _product(self) -> Tree:
        parts = [self._signed()]
        while self._next[0] == "sign" and self._next[1] in PRODUCTS | {"/"}:
            if self._take() == "/":
                parts[-1] = Fraction(_bare(parts[-1]), _bare(self._signed()))
            else:
                parts += [Mark("·" if self._tokens[self._at - 1][1] != "×" else "×", is_sign=True)]
                parts.append(self._signed())
        return _row(parts)

    def _signed(self) -> Tree:
        if self._next == ("sign", "-"):
            self._take()
            return _row([Mark("−"), self._power()])
        return self._power()

    def _power(self) -> Tree:
        base = self._atom()
        if self._next == ("sign", "**"):
            self._take()
            return Power(base, _bare(self._signed()))
        return base

    def _atom(self) -> Tree:
        kind, text = self._next
        if kind == "number":
            return Mark(self._take())
        if kind == "name":
            self._take()
            if self._next == ("sign", "("):
                return _row([Mark(text), self._brackets()])
            return Mark(self._names.get(text, text))
        if text == "(":
            return self._brackets()
        if text == "∂":
            self._take()
            inside = self._atom()
            # One word with its sign: nothing is divided between the two.
            return (
                Mark(f"∂{inside.text}") if isinstance(inside, Mark) else _row([Mark("∂"), inside])
            )
        raise _OtherFormError

    def _brackets(self) -> Tree:
        self._take()
        self._depth += 1
        if self._depth > DEEPEST:
            raise _OtherFormError
        parts = [self._sum()]
        while self._next == ("sign", ","):
            parts += [Mark(self._take(), is_sign=True), self._sum()]
        if self._next != ("sign", ")"):
            raise _OtherFormError
        self._take()
        self._depth -= 1
        return Bracketed(_row(parts))


def _row(parts: Sequence[Tree]) -> Tree:
    """Parts side by side; a part that is a row is laid open, a single one stands alone."""
    flat: list[Tree] = []
    for part in parts:
        flat += part.parts if isinstance(part, Row) else (part,)
    return flat[0] if len(flat) == 1 else Row(tuple(flat))


def _bare(tree: Tree) -> Tree:
    """Without brackets that a fraction line or a raised place makes needless."""
    return tree.inside if isinstance(tree, Bracketed) else tree


# -- as LaTeX -------------------------------------------------------------------------------


def latex(line: str) -> str:
    r"""A formula as LaTeX, without the signs that begin and end mathematics.

    >>> latex("∂c/∂a = 1 / b**2")
    '\\frac{\\partial c}{\\partial a} = \\frac{1}{b^{2}}'
    """
    return _latex(read(line))


def _latex(tree: Tree) -> str:
    if isinstance(tree, Fraction):
        return rf"\frac{{{_latex(tree.above)}}}{{{_latex(tree.below)}}}"
    if isinstance(tree, Power):
        return f"{_latex(tree.base)}^{{{_latex(tree.exponent)}}}"
    if isinstance(tree, Bracketed):
        return rf"\left({_latex(tree.inside)}\right)"
    if isinstance(tree, Row):
        return _joined(tree.parts)
    return _mark(tree)


def _joined(parts: Sequence[Tree]) -> str:
    written = ""
    for part in parts:
        is_sign = isinstance(part, Mark) and part.is_sign
        applied = isinstance(part, Bracketed)  # log(a): the name keeps hold of its bracket
        between = " " if is_sign or (written.endswith("}") and not applied) else ""
        written += f"{between if written else ''}{_latex(part)}{' ' if is_sign else ''}"
    return written.replace("  ", " ").strip()


def _mark(mark: Mark) -> str:
    text = mark.text
    if mark.is_sign:
        return rf"\text{{ {text} }}" if text in WORDS else _LATEX.get(text, text)
    if text.startswith("∂") and " " not in text:
        return rf"\partial {_word(text[1:])}" if len(text) > 1 else r"\partial"
    return _word(text)


def _word(text: str) -> str:
    if text in _ALONE:
        return _ALONE[text]
    if re.fullmatch(r"[A-Za-z]|-?[\d.]+", text):
        return text
    power = re.fullmatch(r"([\d.]+)e(-?\d+)", text)
    if power:
        return rf"{power[1]} \cdot 10^{{{int(power[2])}}}"
    if text in _GREEK:
        return rf"\{_GREEK[text]}"
    # In mathematics blanks count for nothing, and a stroke is a prime.
    words = escaped(text).replace("…", r"\dots").replace("∂", r"$\partial$")
    return rf"\mathrm{{{words}}}" if _IS_NAME.fullmatch(text) else rf"\text{{{words}}}"


def escaped(text: str) -> str:
    r"""Words as LaTeX.

    >>> escaped("w_1 & 50%")
    'w\\_1 \\& 50\\%'
    """
    return _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], f"\\{found[0]}"), text)
