"""In which column a node stands: child left of consumer, all edges together as short as can be.

That is a linear programme whose dual is a minimum-cost flow, which networkx solves; the columns
are then the potentials of the flow. See Gansner, Koutsofios, North and Vo, "A Technique for
Drawing Directed Graphs" (1993), section 2, for the aim, which is Graphviz's own.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING

from chainstep.graph import topological

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chainstep.graph import Edge, Graph

LARGEST_EXACT = 25_000
"""Nodes up to which edges are as short as can be, not only nearly."""

MOST_PASSING = 20_000
"""Places at least that edges may hold in the columns which they pass."""

EACH_PASSING = 8
"""The same for every node of a large graph."""


def directed(graph: Graph) -> tuple[list[int], list[Edge], list[Edge]]:
    """The nodes with children first, the edges that keep to that order, and those that cannot.

    A depth-first walk from the root, then from each node not met, decides: an edge to a node
    that is still being walked closes a cycle. Micrograd's own sort ignores the same edges.
    """
    starts = (graph.root, *(node.id for node in reversed(graph.nodes)))

    def children(node_id: int) -> Sequence[int]:
        if node_id == -1:
            return [start for start in starts if start in graph]
        return [child for child in graph.node(node_id).children if child in graph]

    order = topological(-1, children)[:-1]
    place = {node_id: index for index, node_id in enumerate(order)}
    forward: list[Edge] = []
    backward: list[Edge] = []
    for edge in graph.edges():
        (forward if place[edge.child] < place[edge.consumer] else backward).append(edge)
    return order, forward, backward


def columns(nodes: Sequence[int], edges: Sequence[Edge]) -> dict[int, int]:
    """The column of every node, from 0 at the left.

    Args:
        nodes: Ids of one connected part, children first.
        edges: The edges among them, without cycles.

    Cost: the simplex of networkx, 10 ms for 400 nodes, 0.5 s for 3,000, 9 s for 15,000.
    """
    if not edges:
        return dict.fromkeys(nodes, 0)
    weights = Counter((edge.child, edge.consumer) for edge in edges)
    column = (_shortest if len(nodes) <= LARGEST_EXACT else _short)(nodes, weights)
    first = min(column.values())
    return {node_id: column[node_id] - first for node_id in nodes}


def _shortest(nodes: Sequence[int], weights: Counter[tuple[int, int]]) -> dict[int, int]:
    """Least total length of the edges; what is free to move stands as far right as it can."""
    import networkx as nx  # noqa: PLC0415  200 ms that a window must not wait for

    demand = dict.fromkeys(nodes, 0)
    for (child, consumer), weight in weights.items():
        demand[child] -= weight
        demand[consumer] += weight
    network: nx.DiGraph[int] = nx.DiGraph()
    network.add_nodes_from((node_id, {"demand": demand[node_id]}) for node_id in nodes)
    network.add_edges_from((child, consumer, {"weight": -1}) for child, consumer in sorted(weights))
    _, flow = nx.network_simplex(network)

    tight = {(child, consumer) for child, consumer in weights if flow[child][consumer]}
    return _rightmost(nodes, weights, tight)


def _rightmost(
    nodes: Sequence[int], edges: Iterable[tuple[int, int]], tight: set[tuple[int, int]]
) -> dict[int, int]:
    """The rightmost columns where a tight edge has length exactly 1, any other at least 1.

    These are shortest distances in the graph of those bounds. Turns to and fro in the order of
    the nodes find them, as Yen's (1970) version of Bellman and Ford's method does; networkx's
    own takes time without end where many paths are equally long.
    """
    operands: dict[int, list[int]] = {node_id: [] for node_id in nodes}
    for child, consumer in edges:
        operands[consumer].append(child)
    column = dict.fromkeys(nodes, 0)
    has_moved = True
    while has_moved:
        has_moved = False
        for consumer in reversed(nodes):
            for child in operands[consumer]:
                if column[child] > column[consumer] - 1:
                    column[child] = column[consumer] - 1
                    has_moved = True
        for consumer in nodes:
            for child in operands[consumer]:
                if column[consumer] > column[child] + 1 and (child, consumer) in tight:
                    column[consumer] = column[child] + 1
                    has_moved = True
    return column


def _short(nodes: Sequence[int], weights: Counter[tuple[int, int]]) -> dict[int, int]:
    """As far left as can be, then every node moved to where its own edges are shortest."""
    operands: dict[int, list[int]] = {node_id: [] for node_id in nodes}
    consumers: dict[int, list[int]] = {node_id: [] for node_id in nodes}
    for child, consumer in weights.elements():
        operands[consumer].append(child)
        consumers[child].append(consumer)
    column: dict[int, int] = {}
    for node_id in nodes:
        column[node_id] = 1 + max((column[child] for child in operands[node_id]), default=-1)
    for _ in range(2):
        for node_id in chain(reversed(nodes), nodes):
            if len(consumers[node_id]) > len(operands[node_id]):
                column[node_id] = min(column[consumer] for consumer in consumers[node_id]) - 1
            elif len(consumers[node_id]) < len(operands[node_id]):
                column[node_id] = max(column[child] for child in operands[node_id]) + 1
    return column


def near_and_far(edges: Sequence[Edge], column: Mapping[int, int]) -> tuple[list[Edge], list[Edge]]:
    """The edges for which there is room in every column that they pass, and the longest others.

    A leaf that each of ten thousand steps uses would else hold fifty million places.
    """
    spans = {edge: column[edge.consumer] - column[edge.child] for edge in edges}
    left = max(MOST_PASSING, EACH_PASSING * len(column))
    far: set[Edge] = set()
    for edge in sorted(edges, key=spans.__getitem__):
        left -= spans[edge] - 1
        if left < 0:
            far.add(edge)
    return [edge for edge in edges if edge not in far], [edge for edge in edges if edge in far]


def parts(nodes: Sequence[int], edges: Iterable[Edge]) -> list[list[int]]:
    """The connected parts of a graph. They and what is in them keep the order of ``nodes``."""
    above = {node_id: node_id for node_id in nodes}

    def top(node_id: int) -> int:
        while above[node_id] != node_id:
            above[node_id] = node_id = above[above[node_id]]
        return node_id

    for edge in edges:
        one, other = top(edge.child), top(edge.consumer)
        above[max(one, other)] = min(one, other)
    found: dict[int, list[int]] = {}
    for node_id in nodes:
        found.setdefault(top(node_id), []).append(node_id)
    return list(found.values())
