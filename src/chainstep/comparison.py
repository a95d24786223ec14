"""Two passes over graphs of one shape: whether they are, and one told in the nodes of the other.

Nodes stand for one another by their place in the order of creation, as in `divergence` by their id.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chainstep.formula import called

if TYPE_CHECKING:
    from chainstep.graph import Graph, Node
    from chainstep.trace import Step, Trace


def first_difference(one: Graph, other: Graph) -> str:
    """Where two graphs are not of the same shape, in a sentence; empty where they are.

    Operands decide, not what is made of them: `a + b` and `a * b` have the same shape.
    """
    places = [{node.id: place for place, node in enumerate(each.nodes)} for each in (one, other)]
    for a, b in zip(one.nodes, other.nodes, strict=False):
        here, there = (
            [at.get(c) for c in n.children] for at, n in zip(places, (a, b), strict=True)
        )
        if here != there:
            return (
                f"The graphs have not the same shape. They first differ at {_named(a)}, in whose "
                f"place the other has {_named(b)} with other operands."
            )
    if len(one.nodes) != len(other.nodes):
        longer = max(one, other, key=lambda graph: len(graph.nodes))
        extra = longer.nodes[min(len(one.nodes), len(other.nodes))]
        which = "this one" if longer is one else "the other"
        return (
            f"The graphs have not the same shape: {len(one.nodes)} nodes and {len(other.nodes)}. "
            f"The first that only {which} has is {_named(extra)}."
        )
    if places[0][one.root] != places[1][other.root]:
        return "The graphs have the same shape, but the passes start from different roots."
    return ""


def _named(node: Node) -> str:
    line = f" (line {node.line})" if node.line is not None else ""
    return f"{called(node)}{line}"


def moved(trace: Trace, there: Graph, here: Graph, pass_index: int) -> Trace:
    """A trace told in the nodes of another graph of the same shape.

    Its mode and order stay its own. What it says of nodes outside its graph is left out.

    Args:
        trace: What happened.
        there: Its graph.
        here: The graph of the pass that it is to stand beside.
        pass_index: The number of that pass.
    """
    ids = {a.id: b.id for a, b in zip(there.nodes, here.nodes, strict=True)}
    data = {}
    for a, b in zip(there.nodes, here.nodes, strict=True):
        held = trace.data.get(a.id, a.data)
        if held != b.data:
            data[b.id] = held
    return replace(
        trace,
        pass_index=pass_index,
        root=ids[trace.root],
        initial={ids[node]: value for node, value in trace.initial.items() if node in ids},
        steps=tuple(_moved(step, ids) for step in trace.steps if _within(step, ids)),
        data=data,
    )


def _within(step: Step, ids: dict[int, int]) -> bool:
    return all(node is None or node in ids for node in (step.node, step.target))


def _moved(step: Step, ids: dict[int, int]) -> Step:
    node = None if step.node is None else ids[step.node]
    target = None if step.target is None else ids[step.target]
    return replace(step, node=node, target=target)
