"""A program made of one expression, such as `(a*b + c).tanh()`."""

from __future__ import annotations

import ast
import keyword
from dataclasses import dataclass
from enum import Enum
from itertools import cycle
from typing import TYPE_CHECKING, Any

from chainstep.phrase import Phrase, PhraseError
from chainstep.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


LONGEST = 500
"""Characters of an expression."""
NAME = "expression.py"
METHODS = ("abs", "cos", "exp", "log", "relu", "sigmoid", "sin", "sqrt", "tanh")
"""What a Value can do without an operand; those of our engine."""
RESULTS = ("out", "y", "result", "the_result")
"""What the result is called: the first of these that the expression does not use."""
TAKEN = frozenset({"Value"})
FIRST_VALUES = (2.0, -3.0, 10.0, -2.0, 0.5, 1.5)
"""What names stand for at first: the numbers of micrograd's lecture, then others."""
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
EXAMPLE = "(a*b + c).tanh()"


class ExpressionError(PhraseError):
    """An expression is not understood."""


class _Kind(Enum):
    VALUE = "a Value"
    NUMBER = "a number"


@dataclass(frozen=True)
class Expression:
    """An expression over Values that has been understood.

    Attributes:
        text: As the user wrote it, without blanks around it.
        names: The names in it, in the order in which they come.
        values: What each name stands for if nobody says otherwise.
    """

    text: str
    names: tuple[str, ...]
    values: Mapping[str, float]

    def program(self, values: Mapping[str, float] | None = None) -> Program:
        """The program that computes it.

        Args:
            values: What names stand for; those left out keep their first value, others do not
                matter.
        """
        chosen = {**self.values, **(values or {})}
        leaves = "".join(f"{name} = Value({_literal(chosen[name])})\n" for name in self.names)
        result = next(name for name in RESULTS if name not in self.names)
        lines = f"from chainstep import Value\n\n{leaves}{result} = {self.text}\n"
        return Program(NAME, lines)


def understand(text: str) -> Expression:
    """Read an expression such as `(a*b + c).tanh()`.

    Raises:
        ExpressionError: It is not one; the message says where and what to write instead.
    """
    reader = _Expression(text)
    reader.read()
    names = tuple(reader.names)
    values = [abs(value) if reader.wants_positive else value for value in FIRST_VALUES]
    return Expression(text.strip(), names, dict(zip(names, cycle(values), strict=False)))


def _literal(value: float) -> str:
    plain = repr(float(value))
    return plain if plain[-1].isdigit() else f'float("{plain}")'


class _Expression:
    """Reads one expression."""

    def __init__(self, text: str) -> None:
        self._phrase = Phrase(text, LONGEST, ExpressionError)
        self.names: dict[str, None] = {}
        self.wants_positive = False

    def read(self) -> None:
        tree = self._phrase.parsed(self._phrase.text, self._hint)
        kind = self._kind(tree)
        if isinstance(tree, ast.Name):
            raise self._phrase.refusal(f"Do something with {tree.id}: {EXAMPLE}", tree)
        if kind is _Kind.NUMBER:
            raise self._phrase.refusal(f"There is no name in this. Use some: {EXAMPLE}", tree)
        if all(name in self.names for name in RESULTS):
            raise self._phrase.refusal(f"Call one of these otherwise: {', '.join(RESULTS)}", tree)

    def _hint(self) -> str:
        if "^" in self._phrase.text:
            return "Write a power as **"
        return f"This is no expression. Write one such as {EXAMPLE}"

    def _kind(self, part: ast.expr) -> _Kind:
        readers: dict[type[ast.expr], Callable[[Any], _Kind]] = {
            ast.Name: self._name,
            ast.Constant: self._constant,
            ast.BinOp: self._operation,
            ast.UnaryOp: self._negative,
            ast.Call: self._call,
        }
        found = readers.get(type(part))
        if found is None:
            message = f"Only names, numbers, + - * / ** and functions are understood: {EXAMPLE}"
            raise self._phrase.refusal(message, part)
        return found(part)

    def _name(self, part: ast.Name) -> _Kind:
        name = part.id
        if name in TAKEN or name.startswith("__") or keyword.issoftkeyword(name):
            raise self._phrase.refusal(f"{name} has a meaning already. Take another name", part)
        if name in METHODS:
            raise self._phrase.refusal(f"Write {name} behind its operand: a.{name}()", part)
        self.names[name] = None
        return _Kind.VALUE

    def _constant(self, part: ast.Constant) -> _Kind:
        if isinstance(part.value, bool) or not isinstance(part.value, (int, float)):
            raise self._phrase.refusal("Only real numbers can be computed with", part)
        return _Kind.NUMBER

    def _operation(self, part: ast.BinOp) -> _Kind:
        if isinstance(part.op, ast.BitXor):
            raise self._phrase.refusal("Write a power as **", part)
        if not isinstance(part.op, OPERATORS):
            raise self._phrase.refusal("Of arithmetic only + - * / ** are understood", part)
        kinds = {self._kind(part.left), self._kind(part.right)}
        if isinstance(part.op, ast.Pow):
            self.wants_positive |= not _is_whole(part.right)
        return _Kind.VALUE if _Kind.VALUE in kinds else _Kind.NUMBER

    def _negative(self, part: ast.UnaryOp) -> _Kind:
        if not isinstance(part.op, ast.USub):
            raise self._phrase.refusal("Of signs only - is understood", part)
        return self._kind(part.operand)

    def _call(self, part: ast.Call) -> _Kind:
        if isinstance(part.func, ast.Name):
            name, subject, operands = (
                part.func.id,
                part.args[0] if part.args else None,
                part.args[1:],
            )
            if name != "abs" and name in METHODS:
                raise self._phrase.refusal(f"Write {name} behind its operand: a.{name}()", part)
        elif isinstance(part.func, ast.Attribute):
            name, subject, operands = part.func.attr, part.func.value, part.args
        else:
            name, subject, operands = "", None, part.args
        if name not in METHODS or subject is None:
            known = ", ".join(f"{method}()" for method in METHODS)
            raise self._phrase.refusal(f"There is no such function. There are: {known}", part)
        if operands or part.keywords:
            raise self._phrase.refusal(f"{name}() takes nothing but its Value: a.{name}()", part)
        if self._kind(subject) is not _Kind.VALUE:
            raise self._phrase.refusal(f"Only a Value has {name}(), and this is a number", subject)
        self.wants_positive |= name in ("log", "sqrt")
        return _Kind.VALUE


def _is_whole(exponent: ast.expr) -> bool:
    """Whether an exponent is a whole number, which a negative base can have."""
    if isinstance(exponent, ast.UnaryOp):
        exponent = exponent.operand
    return isinstance(exponent, ast.Constant) and isinstance(exponent.value, int)
