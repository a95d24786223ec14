"""Layouts that are taken over from one graph to another of the same shape.

The iterations of a training loop build the same graph again and again, only with other nodes.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from chainstep.graph import Edge

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from chainstep.graph import Graph
    from chainstep.layout import Layout

MOST_NODES = 150_000
"""Nodes of the shapes that are kept, besides the one made last."""


def shape(graph: Graph, *, downward: bool = False) -> Hashable:
    """What decides a layout: ops and operands, the nodes numbered in order of creation."""
    numbers = {node.id: number for number, node in enumerate(graph.nodes)}
    nodes = tuple(
        (node.op, tuple(numbers.get(child, -1) for child in node.children)) for node in graph.nodes
    )
    return numbers[graph.root], downward, nodes


class Layouts:
    """Layouts by shape. Any thread may ask."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[Sequence[int], Layout]] = {}
        self._lock = threading.Lock()

    def find(self, graph: Graph, *, downward: bool = False) -> Layout | None:
        """The layout of a graph whose shape is known; None for another. O(nodes + edges)."""
        return self._fit(graph, self._known.get(shape(graph, downward=downward)))

    def of(self, graph: Graph, *, downward: bool = False) -> Layout:
        """The layout of a graph, made now where its shape is not known: that takes its time."""
        from chainstep.layout import layered  # noqa: PLC0415  brings networkx: not at start

        key = shape(graph, downward=downward)
        # Two threads that want one shape make it once.
        with self._lock:
            known = self._fit(graph, self._known.get(key))
            if known is not None:
                return known
            made = layered(graph, downward=downward)
            self._keep(key, graph, made)
            return made

    def add(self, graph: Graph, layout: Layout) -> None:
        """Take a layout that was made elsewhere, where the shape is not known."""
        key = shape(graph, downward=layout.downward)
        if key not in self._known:
            with self._lock:
                self._keep(key, graph, layout)

    def _keep(self, key: Hashable, graph: Graph, layout: Layout) -> None:
        self._known[key] = tuple(node.id for node in graph.nodes), layout
        self._forget()

    def _forget(self) -> None:
        """Leave the oldest where there are too many; never the one made last."""
        nodes = sum(len(ids) for ids, _ in self._known.values())
        while nodes > MOST_NODES and len(self._known) > 1:
            ids, _ = self._known.pop(next(iter(self._known)))
            nodes -= len(ids)

    @staticmethod
    def _fit(graph: Graph, known: tuple[Sequence[int], Layout] | None) -> Layout | None:
        """A layout with the ids of another graph."""
        if known is None:
            return None
        before, layout = known
        ids = {old: node.id for old, node in zip(before, graph.nodes, strict=True)}
        if all(old == new for old, new in ids.items()):
            return layout
        return replace(
            layout,
            boxes={ids[node_id]: box for node_id, box in layout.boxes.items()},
            routes={
                Edge(ids[e.child], ids[e.consumer], e.slot): r for e, r in layout.routes.items()
            },
        )
