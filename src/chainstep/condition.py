"""A small safe language in which a breakpoint says when it hits.

A condition speaks of one node at one moment: `grad > 1`, `abs(grad) >= 0.5 and data < 0`,
`name == "a"`, `isnan(grad)`, `second write`, `modes differ`. Python's own parser reads it, and
what it reads is translated here, part by part; nothing of it is ever run as Python.
"""

from __future__ import annotations

import ast
import difflib
import math
import operator
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from chainstep.phrase import Phrase, PhraseError
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.graph import Node
    from chainstep.trace import Step

    Reading = Callable[["Facts"], Any]

LONGEST = 200
"""Characters of a condition: nobody reads a longer one in a list."""


class ConditionError(PhraseError):
    """A condition is not understood."""


class Facts:
    """What a condition can ask about: one node at one moment.

    Attributes:
        node: The node.
        step: The step that speaks of it; None before the backward phase.
        grad: Its gradient after the moment.
        before: Its gradient before it.
        writes: How many contributions it has got by then.
        other: Its gradient in the other mode; None where there is none to compare.
    """

    __slots__ = ("before", "grad", "node", "other", "step", "writes")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.step: Step | None = None
        self.grad = 0.0
        self.before = 0.0
        self.writes = 0
        self.other: float | None = None


class _Type(Enum):
    NUMBER = "a number"
    TEXT = "a text"
    TRUTH = "true or false"


@dataclass(frozen=True)
class _Term:
    """A translated part: what it is, and how to read it off the facts."""

    type: _Type
    read: Reading


@dataclass(frozen=True)
class Condition:
    """A condition that has been understood.

    Attributes:
        text: As the user wrote it.
        needs_steps: Whether it asks for something that only the backward phase has.
        holds: Whether it holds for some facts. Never raises.
    """

    text: str
    needs_steps: bool
    holds: Callable[[Facts], bool]


def understand(text: str) -> Condition:
    """Translate a condition.

    Raises:
        ConditionError: It is not understood; the message says where and what to write instead.
    """
    return _Translator(text).condition()


def _of_step(name: str) -> Reading:
    read = operator.attrgetter(name)

    def reading(facts: Facts) -> float:
        value = None if facts.step is None else read(facts.step)
        return math.nan if value is None else value

    return reading


NAMES: dict[str, _Term] = {
    "grad": _Term(_Type.NUMBER, operator.attrgetter("grad")),
    "before": _Term(_Type.NUMBER, operator.attrgetter("before")),
    "writes": _Term(_Type.NUMBER, operator.attrgetter("writes")),
    "contribution": _Term(_Type.NUMBER, _of_step("contribution")),
    "upstream": _Term(_Type.NUMBER, _of_step("upstream")),
    "local": _Term(_Type.NUMBER, _of_step("local")),
    "data": _Term(_Type.NUMBER, operator.attrgetter("node.data")),
    "name": _Term(_Type.TEXT, operator.attrgetter("node.name")),
    "op": _Term(_Type.TEXT, operator.attrgetter("node.op")),
    "leaf": _Term(_Type.TRUTH, lambda facts: not facts.node.children),
    "constant": _Term(_Type.TRUTH, operator.attrgetter("node.constant")),
}
"""What a condition may name."""

OF_STEPS = frozenset({"grad", "before", "writes", "contribution", "upstream", "local"})

FUNCTIONS: dict[str, tuple[_Type, Callable[[float], Any]]] = {
    "abs": (_Type.NUMBER, abs),
    "isnan": (_Type.TRUTH, math.isnan),
    "isinf": (_Type.TRUTH, math.isinf),
    "isfinite": (_Type.TRUTH, math.isfinite),
}

ORDINALS = ("first", "second", "third", "fourth", "fifth")
PHRASES = re.compile(
    rf"""("[^"]*"|'[^']*')|\b(?:({"|".join(ORDINALS)})\s+write|modes\s+differ)\b"""
)

COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def _divide(a: float, b: float) -> float:
    """As floats divide: what Python refuses is inf or nan."""
    if b:
        return a / b
    return math.nan if math.isnan(a) or a == 0 else math.copysign(math.inf, a) * math.copysign(1, b)


ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divide,
}


def _joined(phrase: re.Match[str]) -> str:
    """`second write` as one name of the same length; a text in quotes as it is."""
    return phrase[0] if phrase[1] else re.sub(r"\s", "_", phrase[0])


class _Translator:
    """Translates one text."""

    def __init__(self, text: str) -> None:
        self._phrase = Phrase(text, LONGEST, ConditionError)
        self._needs_steps = False

    def condition(self) -> Condition:
        text = self._phrase.text
        tree = self._phrase.parsed(PHRASES.sub(_joined, text), self._hint)
        term = self._term(tree)
        if term.type is not _Type.TRUTH:
            raise self._phrase.refusal(
                f"This is {term.type.value}, not a condition. Compare it: grad > 1", tree
            )
        read = term.read
        return Condition(text, self._needs_steps, lambda facts: bool(read(facts)))

    def _hint(self) -> str:
        bare = re.sub(r"""("[^"]*"|'[^']*')""", "", self._phrase.text)
        if re.search(r"(?<![=<>!])=(?!=)", bare):
            return "One = is no comparison. Write =="
        for sign, word in (("&&", "and"), ("||", "or"), ("!", "not")):
            if sign in bare.replace("!=", ""):
                return f"{sign} is not understood. Write {word}"
        return "This is not understood. Write a comparison such as grad > 1"

    # -- the parts ----------------------------------------------------------------------

    def _term(self, part: ast.expr) -> _Term:
        translate: dict[type[ast.expr], Callable[[Any], _Term]] = {
            ast.Name: self._name,
            ast.Constant: self._constant,
            ast.BoolOp: self._logic,
            ast.UnaryOp: self._sign,
            ast.BinOp: self._arithmetic,
            ast.Compare: self._comparison,
            ast.Call: self._call,
        }
        found = translate.get(type(part))
        if found is None:
            raise self._phrase.refusal(
                "This is not understood. Write a comparison such as grad > 1", part
            )
        return found(part)

    def _typed(self, part: ast.expr, wanted: _Type) -> Reading:
        term = self._term(part)
        if term.type is not wanted:
            raise self._phrase.refusal(
                f"Here {wanted.value} is needed, and this is {term.type.value}", part
            )
        return term.read

    def _name(self, part: ast.Name) -> _Term:
        name = part.id
        if (ordinal := re.fullmatch(r"([a-z]+)_+write", name)) and ordinal[1] in ORDINALS:
            return self._write(ORDINALS.index(ordinal[1]) + 1)
        if re.fullmatch(r"modes_+differ", name):
            self._needs_steps = True
            return _Term(_Type.TRUTH, _differ)
        if name in FUNCTIONS and FUNCTIONS[name][0] is _Type.TRUTH:
            self._needs_steps = True
            return self._applied(name, NAMES["grad"].read)
        if name in NAMES:
            self._needs_steps |= name in OF_STEPS
            return NAMES[name]
        if name in FUNCTIONS:
            raise self._phrase.refusal(f"{name} needs a number: {name}(grad)", part)
        known = [*NAMES, *FUNCTIONS]
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"Did you mean {close[0]}?" if close else f"There are: {', '.join(known)}"
        raise self._phrase.refusal(f"{name} is not known. {hint}".rstrip("?."), part)

    def _write(self, count: int) -> _Term:
        self._needs_steps = True

        def reading(facts: Facts) -> bool:
            is_write = facts.step is not None and facts.step.kind is Kind.WRITE
            return is_write and facts.writes == count

        return _Term(_Type.TRUTH, reading)

    def _constant(self, part: ast.Constant) -> _Term:
        value = part.value
        if isinstance(value, bool):
            return _Term(_Type.TRUTH, lambda _: value)
        if isinstance(value, str):
            return _Term(_Type.TEXT, lambda _: value)
        if not isinstance(value, (int, float)):
            raise self._phrase.refusal("This is no number that a gradient could have", part)
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        return _Term(_Type.NUMBER, lambda _: number)

    def _logic(self, part: ast.BoolOp) -> _Term:
        readings = [self._typed(value, _Type.TRUTH) for value in part.values]
        if isinstance(part.op, ast.And):
            return _Term(_Type.TRUTH, lambda facts: all(read(facts) for read in readings))
        return _Term(_Type.TRUTH, lambda facts: any(read(facts) for read in readings))

    def _sign(self, part: ast.UnaryOp) -> _Term:
        if isinstance(part.op, ast.Not):
            truth = self._typed(part.operand, _Type.TRUTH)
            return _Term(_Type.TRUTH, lambda facts: not truth(facts))
        if isinstance(part.op, ast.Invert):
            raise self._phrase.refusal("~ is not understood. Write not", part)
        number = self._typed(part.operand, _Type.NUMBER)
        if isinstance(part.op, ast.UAdd):
            return _Term(_Type.NUMBER, number)
        return _Term(_Type.NUMBER, lambda facts: -number(facts))

    def _arithmetic(self, part: ast.BinOp) -> _Term:
        compute = ARITHMETIC.get(type(part.op))
        if compute is None:
            raise self._phrase.refusal("Of arithmetic only + - * / are understood", part)
        left = self._typed(part.left, _Type.NUMBER)
        right = self._typed(part.right, _Type.NUMBER)
        return _Term(_Type.NUMBER, lambda facts: compute(left(facts), right(facts)))

    def _comparison(self, part: ast.Compare) -> _Term:
        operands = [part.left, *part.comparators]
        terms = [self._term(operand) for operand in operands]
        compares = [self._compares(each, part) for each in part.ops]
        for term, operand in zip(terms[1:], operands[1:], strict=True):
            if term.type is not terms[0].type:
                raise self._phrase.refusal(
                    f"{terms[0].type.value.capitalize()} cannot be compared with this, "
                    f"which is {term.type.value}",
                    operand,
                )
        readings = [term.read for term in terms]
        if len(compares) == 1:
            (compare,), (left, right) = compares, readings
            return _Term(_Type.TRUTH, lambda facts: compare(left(facts), right(facts)))
        return _Term(
            _Type.TRUTH, lambda facts: _chain(compares, [read(facts) for read in readings])
        )

    def _compares(self, comparison: ast.cmpop, part: ast.Compare) -> Callable[[Any, Any], Any]:
        found = COMPARISONS.get(type(comparison))
        if found is None:
            raise self._phrase.refusal("Only < <= > >= == != compare", part)
        return found

    def _call(self, part: ast.Call) -> _Term:
        if not isinstance(part.func, ast.Name) or part.func.id not in FUNCTIONS:
            raise self._phrase.refusal(f"Only {', '.join(FUNCTIONS)} can be called", part)
        if len(part.args) != 1 or part.keywords:
            raise self._phrase.refusal(
                f"{part.func.id} takes one number: {part.func.id}(grad)", part
            )
        return self._applied(part.func.id, self._typed(part.args[0], _Type.NUMBER))

    def _applied(self, name: str, read: Reading) -> _Term:
        kind, function = FUNCTIONS[name]
        return _Term(kind, lambda facts: function(read(facts)))


def _differ(facts: Facts) -> bool:
    """Whether the modes differ; nan agrees with nan."""
    one, other = facts.grad, facts.other
    return other is not None and one != other and not (math.isnan(one) and math.isnan(other))


def _chain(compares: Sequence[Callable[[Any, Any], Any]], values: Sequence[Any]) -> bool:
    pairs = zip(compares, values, values[1:], strict=False)
    return all(compare(left, right) for compare, left, right in pairs)
