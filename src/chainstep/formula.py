"""The chain rule of one step, in symbols and in numbers: plain text, on one line each."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.figures import relation, short
from chainstep.history import history
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Node
    from chainstep.trace import Step, Trace

MOST_TERMS = 4
"""Terms that one formula adds up before it leaves the rest out."""
LONGEST_NAME = 28
"""Characters of an expression that stands for a name."""
TIMES = " × "
PLAIN_NAME = re.compile(r"[\w.\[\]]+")
OPERAND = re.compile(r"\b(?:out|a|b)\b")
"""The words that stand for nodes in the formulas of the table of operations."""


class Formulas:
    """Formulas about the steps and nodes of one trace, each as (symbols, numbers)."""

    def __init__(self, nodes: Sequence[Node], trace: Trace) -> None:
        self._nodes = nodes
        self._trace = trace

    def chain_rule(self, step: Step) -> tuple[str, str]:
        """`∂e/∂a += ∂c/∂a · ∂e/∂c` and `21.0 = 15.0 + 1.0 × 6.0`."""
        assert step.target is not None
        assert step.before is not None
        assert step.after is not None
        accumulates = step.accumulates is not False
        sign = "+=" if accumulates else "="
        symbols = f"{self.gradient(step.target)} {sign} {self._product(step)}"
        before = [short(step.before)] if accumulates else []
        return symbols, _sum(step.after, [*before, *_factors(step)])

    def _product(self, step: Step) -> str:
        assert step.node is not None
        assert step.target is not None
        return self.product(step.node, step.target)

    def product(self, consumer: int, child: int) -> str:
        """`∂c/∂a · ∂e/∂c`: what a consumer brings to a node, in symbols.

        At the root that is `∂e/∂c · 1`, by the 1 that it was seeded with: `∂e/∂e` says less.
        """
        local = f"∂{self._symbol(consumer)}/∂{self._symbol(child)}"
        at_root = consumer == self._trace.root and self._seed == 1
        return f"{local} · {'1' if at_root else self.gradient(consumer)}"

    @cached_property
    def _seed(self) -> float | None:
        """What the root got to begin with; None in a pass without such a step."""
        return next((s.after for s in self._trace.steps if s.kind is Kind.SEED), None)

    def whole(self, node_id: int, number: int) -> tuple[str, str]:
        """A whole gradient: one product per path that is in it, in the order they came."""
        writes = history(self._trace).get(node_id)
        kept = writes.kept(number) if writes else range(0)
        if writes is None or not kept:
            return "", ""
        steps = [self._trace.steps[writes.numbers[n]] for n in kept[:MOST_TERMS]]
        first, last = steps[0], self._trace.steps[writes.numbers[kept[-1]]]
        assert last.after is not None
        leftover = [short(first.before)] if first.accumulates and first.before else []
        more = ["…"] if len(kept) > len(steps) else []
        symbols = [*leftover, *(self._product(step) for step in steps), *more]
        numbers = [*leftover, *(text for step in steps for text in _factors(step)), *more]
        return (
            f"{self.gradient(node_id)} = {' + '.join(symbols)}",
            _sum(last.after, numbers),
        )

    def local_derivatives(self, node: Node) -> tuple[str, str]:
        """What the table of operations says about each operand of a node."""
        operation = calculus.find(node.op)
        if operation is None or operation.arity != len(node.children):
            return "", ""
        data = [self._trace.data.get(n, self._nodes[n].data) for n in (*node.children, node.id)]
        values = operation.local(tuple(data[:-1]), data[-1])
        names = {
            **dict(zip("ab", map(self._symbol, node.children), strict=False)),
            "out": self._symbol(node.id),
        }
        rules = dict.fromkeys(_named(rule, names) for rule in operation.formula)
        pairs = dict.fromkeys(
            f"∂{names['out']}/∂{self._symbol(child)} = {short(value)}"
            for child, value in zip(node.children, values, strict=True)
        )
        return ",  ".join(rules), ",  ".join(pairs)

    def _symbol(self, node_id: int) -> str:
        """A node's name as part of a formula."""
        name = called(self._nodes[node_id])
        return name if PLAIN_NAME.fullmatch(name) else f"({name})"

    def gradient(self, node_id: int) -> str:
        """`∂e/∂a`: the gradient of a node, in symbols."""
        return f"∂{self._symbol(self._trace.root)}/∂{self._symbol(node_id)}"


def _named(rule: str, names: Mapping[str, str]) -> str:
    """A rule with the names of nodes; one that stands alone needs no brackets."""
    left, _, right = OPERAND.sub(lambda found: names[found[0]], rule).partition(" = ")
    if rule.endswith((" = a", " = b", " = out")) and right.startswith("("):
        right = right[1:-1]
    return f"{left} = {right}"


def called(node: Node) -> str:
    """What to call a node in a sentence or a cell: its name, shortened if need be."""
    name = node.name or f"node {node.id}"
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def is_meant(node: Node, text: str) -> bool:
    """Whether somebody who types a text means a node: by any of its names, also as it is shown.

    Blanks do not count, nor the brackets that an expression has in a sentence.
    """
    key = _bare(text)
    return bool(key) and key in map(_bare, (node.name, called(node), *node.aliases))


def _bare(name: str) -> str:
    bare = "".join(name.split())
    return bare[1:-1] if bare[:1] == "(" and bare[-1:] == ")" else bare


def factors_of(step: Step) -> tuple[float, float] | None:
    """The local derivative and the upstream gradient of a write, where these explain it.

    They do not where code makes something else of a gradient than a multiple of it.
    """
    local, upstream, contribution = step.local, step.upstream, step.contribution
    if local is None or upstream is None or contribution is None:
        return None
    return (local, upstream) if short(local * upstream) == short(contribution) else None


def brought(step: Step) -> str:
    """`1.0 × 6.0 = 6.0` where that is what a write brought; else the bare contribution."""
    factors = factors_of(step)
    contribution = step.contribution or 0.0
    return short(contribution) if factors is None else product(*factors, contribution)


def _factors(step: Step) -> list[str]:
    """`1.0 × 6.0` where that is what was handed over; else the bare contribution."""
    factors = factors_of(step)
    return [short(step.contribution or 0.0) if factors is None else product(*factors)]


def _sum(result: float, terms: list[str]) -> str:
    """`21.0 = 15.0 + 1.0 × 6.0`; a negative number in the middle gets brackets."""
    sign = relation(short(result), (term.split(TIMES) for term in terms))
    rest = [
        TIMES.join((bracketed(first), *others))
        for first, *others in (term.split(TIMES) for term in terms[1:])
    ]
    return f"{short(result)} {sign} {' + '.join([*terms[:1], *rest])}"


def product(local: float, upstream: float, contribution: float | None = None) -> str:
    """`1.0 × 6.0`, and where that is given, what comes out: `1.0 × 6.0 = 6.0`."""
    factors = (short(local), short(upstream))
    written = f"{factors[0]}{TIMES}{bracketed(factors[1])}"
    if contribution is None:
        return written
    result = short(contribution)
    return f"{written} {relation(result, [factors])} {result}"


def bracketed(number: str) -> str:
    """A number as it stands behind a sign: a negative one gets brackets."""
    return f"({number})" if number.startswith("-") else number
