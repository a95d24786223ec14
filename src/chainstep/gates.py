"""A step in the words of the field: gates, and what is still missing for the node it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.chainrule import chain_rule
from chainstep.explain import named
from chainstep.reckoning import due
from chainstep.trace import Kind

if TYPE_CHECKING:
    from chainstep.graph import Graph, Node
    from chainstep.trace import Recording, Step, Trace


@dataclass(frozen=True, slots=True)
class Remark:
    """What stands below the formula of a step.

    Attributes:
        gate: What kind of gate the step is: `Addition copies the gradient.`; empty for none.
        missing: What is still missing for the node that it is about; empty for none.
    """

    gate: str = ""
    missing: str = ""


def remark(recording: Recording, graph: Graph, trace: Trace, position: int) -> Remark:
    """What is to be said of the step before a position of a trace."""
    if not 0 < position <= len(trace.steps):
        return Remark()
    step = trace.steps[position - 1]
    if step.node is None or step.node not in graph:
        return Remark()
    if step.kind is Kind.CALL:
        node = recording.nodes[step.node]
        # That all has come is said already, in the words of the step.
        whole = chain_rule(graph, recording.nodes, trace, position, node.id)
        gate = _sentence(_gate(recording, trace, node))
        return Remark(gate, whole.told if whole.waits and not trace.hidden else "")
    if step.kind is not Kind.WRITE or step.target is None or step.target not in graph:
        return Remark()
    gate = _gate(recording, trace, recording.nodes[step.node])
    if gate and due(recording.nodes, trace, step) is not None:
        gate += "; this code does something else"
    if trace.hidden:
        # How many contributions there are to be is for those who predict to say.
        return Remark(_sentence(gate))
    gates = [gate, _reuse(recording, graph, step)]
    told = chain_rule(graph, recording.nodes, trace, position, step.target).told
    return Remark(_sentence("; ".join(gate for gate in gates if gate)), told)


def _gate(recording: Recording, trace: Trace, node: Node) -> str:
    """The part that a node plays for a gradient."""
    if not node.children:
        return "a leaf keeps its gradient"
    operation = calculus.in_words(node.op, len(node.children))
    if operation is None:
        return ""
    if operation.symbol == "ReLU":
        operand = node.children[0]
        is_open = trace.data.get(operand, recording.nodes[operand].data) > 0
        return f"{operation.gate.partition(':')[0]}: this one is {'open' if is_open else 'closed'}"
    return operation.gate


def _reuse(recording: Recording, graph: Graph, step: Step) -> str:
    assert step.target is not None
    uses = len(graph.consumers(step.target))
    if uses < 2:
        return ""
    often = {2: "twice"}.get(uses, f"{uses} times")
    return f"reuse sums: {named(recording.nodes[step.target])} is used {often}"


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}." if text else ""
