"""What a write should have brought, by the table of operations: beside what it did bring."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chainstep.graph import Node
    from chainstep.trace import Step, Trace

CLOSE = 1e-6
"""Relative difference up to which two numbers are taken for the same."""
MOST_JUDGED = 500
"""Contributions to one node that are looked at: there may be as many as there are nodes."""


@dataclass(frozen=True, slots=True)
class Due:
    """What one operand should get from one call.

    Attributes:
        slot: Through which slot.
        target: Id of the operand.
        local: The local derivative that the table gives.
        upstream: The gradient to be passed on.
    """

    slot: int
    target: int
    local: float
    upstream: float

    @property
    def contribution(self) -> float:
        """Local derivative × upstream gradient."""
        return self.local * self.upstream


def close(one: float, other: float) -> bool:
    """Whether two numbers are the same up to rounding."""
    return one == other or math.isclose(one, other, rel_tol=CLOSE, abs_tol=1e-300)


def slopes(nodes: Sequence[Node], trace: Trace, node: Node) -> tuple[float, ...] | None:
    """The local derivatives of a node, by slot; None where the table cannot judge it.

    It cannot where it has no such operation, where the node's number is another than the table
    computes, and at a kink, where more than one answer is right.
    """
    operation = calculus.find(node.op)
    if operation is None or operation.arity != len(node.children):
        return None
    data = [trace.data.get(n, nodes[n].data) for n in (*node.children, node.id)]
    operands, result = tuple(data[:-1]), data[-1]
    if operation.symbol in {"ReLU", "abs"} and operands[0] == 0:
        return None
    changed = any(n in trace.data for n in (*node.children, node.id))
    if not changed and not close(operation.forward(*operands), result):
        return None
    found = operation.local(operands, result)
    return found if all(map(math.isfinite, found)) else None


def due(nodes: Sequence[Node], trace: Trace, step: Step) -> Due | None:
    """What a write should have brought, where that is another number; None where it is right."""
    if step.kind is not Kind.WRITE or step.slot is None or step.node is None:
        return None
    found = slopes(nodes, trace, nodes[step.node])
    if found is None or step.upstream is None or step.target is None or step.contribution is None:
        return None
    right = Due(step.slot, step.target, found[step.slot], step.upstream)
    if not math.isfinite(right.contribution) or close(right.contribution, step.contribution):
        return None
    return right


def withheld(nodes: Sequence[Node], trace: Trace, number: int) -> tuple[Due, ...]:
    """What the call that is step `number` should have given and did not give at all."""
    step = trace.steps[number]
    if step.kind is not Kind.CALL or step.node is None or not step.upstream:
        return ()
    if (trace.error is not None or trace.hidden) and not _ends(trace, number):
        return ()
    node = nodes[step.node]
    found = slopes(nodes, trace, node)
    if found is None:
        return ()
    written = {(each.slot, each.target) for each in _writes_of(trace, number)}
    targets = [target for _, target in written]
    every = (
        Due(slot, child, local, step.upstream)
        for slot, (child, local) in enumerate(zip(node.children, found, strict=True))
        if (slot, child) not in written and (None, child) not in written
    )
    # A write that stands for both slots of `a + a` leaves nothing to be asked for.
    return tuple(each for each in every if each.contribution and each.target not in targets)


def silent_before(
    nodes: Sequence[Node], trace: Trace, node_id: int, number: int, got: int
) -> list[int]:
    """The nodes that have run before a step and kept from a node what was due to it.

    Args:
        nodes: Those of the recording.
        trace: The pass.
        node_id: Whose gradient it is about.
        number: The step.
        got: How many contributions it has got: as many as uses are all, and nobody is asked.
    """
    calls = [call for call in _uses(nodes, trace).get(node_id, ()) if call < number]
    if got >= len(calls):
        return []
    keeping = (
        trace.steps[call].node
        for call in calls
        if any(each.target == node_id for each in withheld(nodes, trace, call))
    )
    return [each for each in dict.fromkeys(keeping) if each is not None]


def ran_again(nodes: Sequence[Node], trace: Trace, node_id: int, number: int) -> list[int]:
    """The consumers of a node that have run more than once before a step, and gave to it again."""
    calls = _uses(nodes, trace).get(node_id, ())
    often = Counter(trace.steps[call].node for call in calls[:MOST_JUDGED] if call < number)
    return [
        giver
        for giver, count in often.items()
        if giver is not None and count > nodes[giver].children.count(node_id)
    ]


def wrong_givers(nodes: Sequence[Node], trace: Trace, numbers: Sequence[int]) -> list[int]:
    """The nodes that brought something wrong with one of some writes; of very many the first."""
    steps = (trace.steps[number] for number in numbers[:MOST_JUDGED])
    found = (step.node for step in steps if due(nodes, trace, step) is not None)
    return [each for each in dict.fromkeys(found) if each is not None]


def _uses(nodes: Sequence[Node], trace: Trace) -> Mapping[int, list[int]]:
    """The calls of the consumers of each node, once per slot; made once and kept with the trace."""
    kept: dict[int, list[int]] | None = vars(trace).get("_uses")
    if kept is None:
        kept = vars(trace)["_uses"] = {}
        for number, step in enumerate(trace.steps):
            if step.kind is Kind.CALL and step.node is not None:
                for child in nodes[step.node].children:
                    kept.setdefault(child, []).append(number)
    return kept


def _writes_of(trace: Trace, number: int) -> Iterable[Step]:
    for step in trace.steps[number + 1 :]:
        if step.kind is not Kind.WRITE:
            return
        yield step


def _ends(trace: Trace, number: int) -> bool:
    """Whether another call came after this one: it was not cut short."""
    return any(step.kind is Kind.CALL for step in trace.steps[number + 1 :])
