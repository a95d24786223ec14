"""The whole chain rule of one node: a sum over its consumers, and how much of it is there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.explain import named
from chainstep.figures import relation, short
from chainstep.formula import Formulas, bracketed, brought
from chainstep.history import Writes, history
from chainstep.reckoning import ran_again
from chainstep.sentence import joined
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.graph import Edge, Graph, Node
    from chainstep.trace import Trace


class Arrival(Enum):
    """How far one term of the sum has come."""

    ARRIVED = "arrived"
    RUNNING = "running"
    MISSING = "missing"
    LOST = "lost"


SIGNS = {
    Arrival.ARRIVED: ("✓", "has come"),
    Arrival.RUNNING: ("▸", "comes now"),
    Arrival.MISSING: ("○", "still missing"),
    Arrival.LOST: ("✗", "came, and was replaced"),
}
"""A sign and a few words for each, so that none is told by colour alone."""


@dataclass(frozen=True, slots=True)
class Term:
    """What one use of the node brings.

    Attributes:
        edge: The use.
        arrival: How far it has come.
        symbols: `∂c/∂a · ∂e/∂c`.
        numbers: `1.0 × 6.0 = 6.0`; empty while it is missing.
        position: The position right after the write that brings it, or, before it has come, of
            the step that is to be gone to for it; None where the pass never brings it.
    """

    edge: Edge
    arrival: Arrival
    symbols: str
    numbers: str
    position: int | None


@dataclass(frozen=True, slots=True)
class ChainRule:
    """The sum for one node at one position.

    Attributes:
        node: Whose gradient it is.
        gradient: `∂e/∂a`.
        terms: One per use, in the order in which they come.
        is_root: Whether the seed is its gradient.
        waits: Whether a consumer is still to run.
        told: A sentence: what is still missing.
        goes_on: Whether more terms may come that are hidden as yet.
    """

    node: int
    gradient: str
    terms: tuple[Term, ...]
    is_root: bool
    waits: bool
    told: str
    goes_on: bool = False

    @property
    def line(self) -> str:
        """All of it on one line, in symbols."""
        parts = ["1"] if self.is_root else []
        parts += [term.symbols for term in self.terms]
        parts += ["…"] if self.goes_on else []
        return f"{self.gradient} = {' + '.join(parts) or '0'}"


def chain_rule(
    graph: Graph, nodes: Sequence[Node], trace: Trace, position: int, node: int
) -> ChainRule:
    """The sum over the consumers of a node, as far as it has come at a position of a trace."""
    formulas = Formulas(nodes, trace)
    writes = history(trace).get(node) or Writes()
    kept = {writes.numbers[n] for n in writes.kept(position)}
    by_use: dict[tuple[int | None, int | None], list[int]] = {}
    for number in writes.numbers:
        step = trace.steps[number]
        by_use.setdefault((step.node, step.slot), []).append(number)
    terms = [
        _term(formulas, trace, edge, by_use.get((edge.consumer, edge.slot), ()), kept, position)
        for edge in graph.consumers(node)
    ]
    late = len(trace.steps) + 1
    terms.sort(key=lambda term: late if term.position is None else term.position)
    is_root = node == trace.root
    if trace.hidden:
        terms = [term for term in terms if term.numbers]
        told = f"What else comes for {named(nodes[node])} is hidden as yet."
        return ChainRule(node, formulas.gradient(node), tuple(terms), is_root, True, told, True)
    waits, told = _told(nodes, terms, trace, position, node)
    return ChainRule(node, formulas.gradient(node), tuple(terms), is_root, waits, told)


def _term(
    formulas: Formulas,
    trace: Trace,
    edge: Edge,
    numbers: Sequence[int],
    kept: set[int],
    position: int,
) -> Term:
    come = [n for n in numbers if n < position]
    symbols = formulas.product(edge.consumer, edge.child)
    if not come:
        running = _running(trace, position)
        arrival = Arrival.RUNNING if numbers and running == edge.consumer else Arrival.MISSING
        return Term(edge, arrival, symbols, "", numbers[0] + 1 if numbers else None)
    last = come[-1]
    if last == position - 1:
        arrival = Arrival.RUNNING
    else:
        arrival = Arrival.ARRIVED if kept.intersection(come) else Arrival.LOST
    return Term(edge, arrival, symbols, _brought(trace, come), last + 1)


def _brought(trace: Trace, come: Sequence[int]) -> str:
    """`1.0 × 6.0 = 6.0`; what came in several writes is added up: `1.0 + 7.0 = 8.0`."""
    steps = [trace.steps[n] for n in come]
    if len(steps) > 1:
        each = [step.contribution or 0.0 for step in steps]
        written, result = [short(number) for number in each], short(sum(each))
        added = " + ".join([written[0], *map(bracketed, written[1:])])
        return f"{added} {relation(result, zip(written))} {result}"
    return brought(steps[0])


def _running(trace: Trace, position: int) -> int | None:
    """The node whose `_backward` runs at a position."""
    if not 0 < position <= len(trace.steps):
        return None
    step = trace.steps[position - 1]
    return step.node if step.kind in {Kind.CALL, Kind.WRITE} else None


def _told(
    nodes: Sequence[Node], terms: Sequence[Term], trace: Trace, position: int, node: int
) -> tuple[bool, str]:
    """(whether a consumer is waited for, a sentence on it)."""
    name = named(nodes[node])
    if node == trace.root and not terms:
        return False, f"{name} is the root: its gradient is the seed."
    if not terms:
        return False, f"Nothing in this pass uses {name}: no contribution comes."
    waits, silent = _missing(nodes, terms, trace, position)
    if waits:
        return True, f"Still missing for {name}: {joined(waits)} {_have(waits)} not run."
    if silent:
        return False, f"{joined(silent)} {_have(silent)} run and gave nothing to {name}."
    if any(term.arrival is Arrival.RUNNING and not term.numbers for term in terms):
        return True, f"The last contribution to {name} is on its way."
    is_lost = any(term.arrival is Arrival.LOST for term in terms)
    again = None if is_lost else _again(nodes, trace, position, node)
    return again or (False, _complete(name, terms))


def _again(
    nodes: Sequence[Node], trace: Trace, position: int, node: int
) -> tuple[bool, str] | None:
    """The same where each use has given, and some give more than once; None where none does."""
    writes, name = history(trace).get(node) or Writes(), named(nodes[node])
    done, total = writes.before(position), len(writes.numbers)
    if done < total:
        return True, f"More comes for {name}: {done} of {total} contributions have come."
    again = joined([named(nodes[each]) for each in ran_again(nodes, trace, node, position)])
    if not again:
        return None
    return False, f"Nothing more comes for {name}: it has got {total}, as {again} ran again."


def _missing(
    nodes: Sequence[Node], terms: Sequence[Term], trace: Trace, position: int
) -> tuple[list[str], list[str]]:
    """The names of those that have not run, and of those that have and brought nothing."""
    calls = _first_calls(trace)
    waits: list[str] = []
    silent: list[str] = []
    for term in terms:
        if term.arrival is Arrival.MISSING:
            consumer = term.edge.consumer
            over = calls.get(consumer, position) < position - 1 and term.position is None
            (silent if over else waits).append(named(nodes[consumer]))
    return list(dict.fromkeys(waits)), list(dict.fromkeys(silent))


def _complete(name: str, terms: Sequence[Term]) -> str:
    count = {1: "its one contribution has", 2: "both contributions have"}.get(
        len(terms), f"all {len(terms)} contributions have"
    )
    lost = sum(term.arrival is Arrival.LOST for term in terms)
    if lost:
        were = "was" if lost == 1 else "were"
        return f"Nothing more comes for {name}: {count} come, and {lost} {were} replaced."
    return f"Nothing is missing for {name}: {count} come."


def _have(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"


def _first_calls(trace: Trace) -> dict[int, int]:
    """The step that calls each node for the first time; made once and kept with the trace."""
    kept: dict[int, int] | None = vars(trace).get("_first_calls")
    if kept is None:
        kept = vars(trace)["_first_calls"] = {}
        for number, step in enumerate(trace.steps):
            if step.kind is Kind.CALL and step.node is not None:
                kept.setdefault(step.node, number)
    return kept
