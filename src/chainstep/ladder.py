"""The drawing as columns of places: each node holds one, and so does an edge where it passes.

An edge over several columns is cut into spans between neighbouring columns. Places are numbered:
first the nodes, then the places that edges hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chainstep.graph import Edge, Graph

Order = list[list[int]]
"""For each column its places from the top down."""

COMMUTATIVE = frozenset("+*")
"""Ops whose edges may end in another order than written, where that saves a crossing."""


@dataclass(frozen=True)
class Ladder:
    """The places of one connected part and the spans between them.

    Attributes:
        nodes: Ids of the nodes, which hold the first places.
        column: Column of each place.
        into: For each place those that its spans come from, by operand slot.
        out: For each place those that its spans go to.
        strict: Places of the nodes whose operands must arrive in written order.
        chains: The places of each edge, from the child to the consumer.
    """

    nodes: Sequence[int]
    column: list[int]
    into: list[list[int]] = field(default_factory=list)
    out: list[list[int]] = field(default_factory=list)
    strict: set[int] = field(default_factory=set)
    chains: dict[Edge, list[int]] = field(default_factory=dict)

    @classmethod
    def built(cls, graph: Graph, column: dict[int, int], edges: Iterable[Edge]) -> Ladder:
        """From the columns of one part of ``graph`` and its edges, these in order of slots."""
        nodes = list(column)
        place = {node_id: index for index, node_id in enumerate(nodes)}
        ladder = cls(nodes, list(column.values()))
        ladder.into.extend([] for _ in nodes)
        ladder.out.extend([] for _ in nodes)
        ladder.strict.update(
            place[node_id] for node_id in nodes if graph.node(node_id).op not in COMMUTATIVE
        )
        for edge in edges:
            ladder.chains[edge] = ladder._chain(place[edge.child], place[edge.consumer])
        return ladder

    def _chain(self, child: int, consumer: int) -> list[int]:
        chain = [child]
        for between in range(self.column[child] + 1, self.column[consumer]):
            chain.append(len(self.column))
            self.column.append(between)
            self.into.append([])
            self.out.append([])
        chain.append(consumer)
        for tail, head in pairwise(chain):
            self.into[head].append(tail)
            self.out[tail].append(head)
        return chain

    def is_node(self, place: int) -> bool:
        """Whether a node stands there, not a passing edge."""
        return place < len(self.nodes)

    def positions(self, order: Order) -> list[int]:
        """How far down each place stands in its column, from 0."""
        position = [0] * len(self.column)
        for column in order:
            for index, place in enumerate(column):
                position[place] = index
        return position

    def ports(self, order: Order) -> dict[Edge, int]:
        """The port on the consumer where each edge ends, from 0 at the top.

        Ports follow the slots. Only where the operands of a sum or product arrive in another
        order do the edges take ports in that order, rather than cross in front of the node.
        """
        position = self.positions(order)
        arriving: dict[int, list[tuple[int, int, Edge]]] = {}
        for edge, chain in self.chains.items():
            rank = 0 if chain[-1] in self.strict else position[chain[-2]]
            arriving.setdefault(edge.consumer, []).append((rank, edge.slot, edge))
        return {
            edge: slot
            for edges in arriving.values()
            for (_, _, edge), slot in zip(
                sorted(edges), sorted(slot for _, slot, _ in edges), strict=True
            )
        }
