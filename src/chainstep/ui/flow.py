"""What a node's gradient flows from, up to the root, and what it flows to, down to leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chainstep.sentence import joined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from chainstep.graph import Graph
    from chainstep.ui.drawing import Drawing

NAMED = 4
"""Nodes that are named one by one."""


@dataclass(frozen=True)
class Flow:
    """The neighbourhood of one node.

    Attributes:
        node: Its id.
        sources: Ids of the nodes from which its gradient comes: its consumers, theirs, and so on.
        goals: Ids of the nodes to which it goes: its children, theirs, and so on.
    """

    node: int
    sources: frozenset[int]
    goals: frozenset[int]

    @classmethod
    def of(cls, graph: Graph, node_id: int) -> Flow:
        """The neighbourhood of a node. O(nodes + edges)."""
        up = _reached(node_id, lambda n: [edge.consumer for edge in graph.consumers(n)])
        down = _reached(node_id, lambda n: [c for c in graph.node(n).children if c in graph])
        return cls(node_id, up, down)

    def __contains__(self, node_id: int) -> bool:
        return node_id == self.node or node_id in self.sources or node_id in self.goals

    def edges(self, drawing: Drawing) -> NDArray[np.bool_]:
        """Which edges of a drawing the gradient goes through on its way to the node, and on."""
        above, below = self.sources | {self.node}, self.goals | {self.node}
        inside = (
            (e.child in above and e.consumer in above) or (e.child in below and e.consumer in below)
            for e in drawing.edges
        )
        return np.fromiter(inside, np.bool_, len(drawing.edges))

    def words(self, graph: Graph) -> str:
        """In a sentence: `Gradient of c: comes from e; goes to a and b.`."""
        comes = "it is the root, where the seed goes in"
        if self.sources:
            comes = f"comes from {_listed(graph, self.sources)}"
        goes = f"goes to {_listed(graph, self.goals)}" if self.goals else "ends here, at a leaf"
        return f"Gradient of {graph.node(self.node).name}: {comes}; {goes}."


def _reached(start: int, following: Callable[[int], Iterable[int]]) -> frozenset[int]:
    found: set[int] = set()
    stack = list(following(start))
    while stack:
        node_id = stack.pop()
        if node_id not in found:
            found.add(node_id)
            stack.extend(following(node_id))
    return frozenset(found - {start})


def _listed(graph: Graph, nodes: Iterable[int]) -> str:
    """Names, in order of creation; a number in the place of the many."""
    names = [graph.node(n).name or f"node {n}" for n in sorted(nodes)]
    return joined(names, most=NAMED if len(names) <= NAMED else NAMED - 1)
