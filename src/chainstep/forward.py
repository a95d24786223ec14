"""The numbers that the nodes of a pass had when its root was computed.

A recorded node holds the number it was made with. A leaf that an update moved since has another
one by the time of a later pass, and one changed between forward and backward has, in the pass,
a number that the forward never saw. Which of them counted is read off the consumers: the number
that the operation table turns into what they recorded.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from chainstep.differences import reproduces, table_operation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Graph, Node
    from chainstep.trace import Recording

MOST_COMBINATIONS = 200
"""Of operands' numbers that are tried for one node: two or three each is usual."""


def values(recording: Recording, pass_index: int, graph: Graph) -> dict[int, float]:
    """The number of each node of a pass in the forward that led to it, by id.

    O(edges), and O(passes) for each node whose number ever changed.
    """
    candidates = _candidates(recording, pass_index, graph)
    several = {node_id for node_id, numbers in candidates.items() if len(numbers) > 1}
    if several:
        # What one consumer rules out may decide another one: twice is enough for w * x + b.
        for node in (*graph.nodes, *graph.nodes):
            if several.intersection((node.id, *node.children)):
                _narrow(node, candidates)
    return {node_id: numbers[0] for node_id, numbers in candidates.items()}


def _candidates(recording: Recording, pass_index: int, graph: Graph) -> dict[int, Sequence[float]]:
    """The numbers a node ever had up to a pass: the latest first, the one it was made with last."""
    found: dict[int, list[float]] = {node.id: [] for node in graph.nodes}
    for trace in reversed(recording.traces):
        if trace.pass_index <= pass_index:
            for node_id, number in trace.data.items():
                if node_id in found:
                    found[node_id].append(number)
    return {
        node.id: tuple(dict.fromkeys((*found[node.id], node.data)))
        if found[node.id]
        else (node.data,)
        for node in graph.nodes
    }


def _narrow(node: Node, candidates: dict[int, Sequence[float]]) -> None:
    """Keep the numbers of a node and its operands that fit one another, if any do."""
    operation = table_operation(node)
    if operation is None or any(child not in candidates for child in node.children):
        return
    involved = tuple(dict.fromkeys((node.id, *node.children)))
    choices = itertools.product(*(candidates[node_id] for node_id in involved))
    fitting: list[Mapping[int, float]] = []
    for choice in itertools.islice(choices, MOST_COMBINATIONS):
        numbers = dict(zip(involved, choice, strict=True))
        if reproduces(operation, [numbers[child] for child in node.children], numbers[node.id]):
            fitting.append(numbers)
    if fitting:
        for node_id in involved:
            kept = {numbers[node_id] for numbers in fitting}
            candidates[node_id] = tuple(n for n in candidates[node_id] if n in kept)
