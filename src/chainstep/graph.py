"""The recorded graph: plain nodes, the edges between them, and the orders to walk them in.

Nothing here knows how a node came to be or what a gradient is. The orders work on any
``children`` function, so that the child process can sort live Values and a test can sort
integers with the same code. All are iterative: a chain of 100,000 nodes is an ordinary graph.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    import networkx as nx

    K = TypeVar("K", bound=Hashable)
else:
    K = TypeVar("K")


class Edge(NamedTuple):
    """One use of a node: ``child`` is the operand in ``slot`` of ``consumer``."""

    child: int
    consumer: int
    slot: int


@dataclass(frozen=True, slots=True)
class Node:
    """One Value of the program, as it was when it was made.

    Attributes:
        id: Index in the recording, in order of creation.
        name: Label, else variable, else expression; a constant shows its value. Not unique.
        op: What made it (``+``, ``tanh``, ``**2``); empty for a leaf.
        data: The forward value.
        children: Ids of the operands in written order; ``a + a`` gives ``(a, a)``.
        line: Line of the program that made it, from 1; None where no line of it did.
        constant: A bare number that an operator wrapped (the ``2`` of ``2 * a``).
        aliases: Every name by which the program knows it (``w``, ``n.w[0]``).
        serial: Its number in the order of creation among all Values that the program made, also
            those that are not in the recording. The same seed gives the same numbers.
    """

    id: int
    name: str
    op: str
    data: float
    children: tuple[int, ...] = ()
    line: int | None = None
    constant: bool = False
    aliases: tuple[str, ...] = ()
    serial: int = 0


@dataclass(frozen=True)
class Graph:
    """The nodes that one backward pass reaches, in order of creation, under one root.

    Ids are those of the whole recording, so they may have gaps.
    """

    nodes: tuple[Node, ...]
    root: int
    _by_id: dict[int, Node] = field(init=False, repr=False, compare=False)
    _consumers: dict[int, list[Edge]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_id = {node.id: node for node in self.nodes}
        consumers: dict[int, list[Edge]] = {node.id: [] for node in self.nodes}
        for node in self.nodes:
            for slot, child in enumerate(node.children):
                if child in consumers:
                    consumers[child].append(Edge(child, node.id, slot))
        object.__setattr__(self, "_by_id", by_id)
        object.__setattr__(self, "_consumers", consumers)

    @classmethod
    def reached(cls, nodes: Sequence[Node], root: int, extra: Iterable[int] = ()) -> Graph:
        """The part of ``nodes`` (``nodes[i].id == i``) below ``root``, and the ``extra`` ids."""
        found = set(depth_first(root, lambda i: nodes[i].children))
        found.update(extra)
        return cls(tuple(nodes[i] for i in sorted(found)), root)

    def holding(self, nodes: tuple[Node, ...]) -> Graph:
        """The same graph of nodes that hold other numbers: its edges are not found anew.

        Args:
            nodes: As many as there are, with the same ids and operands, in the same order.
        """
        told = copy(self)
        vars(told).update(nodes=nodes, _by_id=dict(zip(self._by_id, nodes, strict=True)))
        return told

    def __len__(self) -> int:
        return len(self.nodes)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._by_id

    def node(self, node_id: int) -> Node:
        """The node with that id. Raises KeyError where the graph does not hold it."""
        return self._by_id[node_id]

    def consumers(self, node_id: int) -> Sequence[Edge]:
        """The edges on which a node is used, by creation of the consumer, then by slot."""
        return self._consumers[node_id]

    def edges(self) -> Iterator[Edge]:
        """Every edge, by consumer and slot. Operands outside the graph are left out."""
        for node in self.nodes:
            for slot, child in enumerate(node.children):
                if child in self._by_id:
                    yield Edge(child, node.id, slot)

    def to_networkx(self) -> nx.MultiDiGraph[int]:
        """A MultiDiGraph child -> consumer; key of an edge = slot, attribute ``node`` = Node."""
        import networkx as nx  # noqa: PLC0415  200 ms, and the child process never needs it

        graph: nx.MultiDiGraph[int] = nx.MultiDiGraph()
        graph.add_nodes_from((node.id, {"node": node}) for node in self.nodes)
        graph.add_edges_from((edge.child, edge.consumer, edge.slot) for edge in self.edges())
        return graph


def topological(root: K, children: Callable[[K], Sequence[K]]) -> list[K]:
    """Children before consumers, as micrograd's ``build_topo`` appends them.

    Operands are visited in written order. A cycle does not stop it: a node already entered is
    not entered again, exactly as in the recursive form. O(nodes + edges).

    >>> topological("e", {"e": "cd", "d": "ab", "c": "ab", "b": "", "a": ""}.get)
    ['a', 'b', 'c', 'd', 'e']
    """
    topo: list[K] = []
    visited = {root}
    stack = [(root, iter(children(root)))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if child not in visited:
                visited.add(child)
                stack.append((child, iter(children(child))))
                break
        else:
            topo.append(node)
            stack.pop()
    return topo


def depth_first(root: K, children: Callable[[K], Sequence[K]]) -> Iterator[K]:
    """The reversed topological list: the order of micrograd's ``backward()``.

    >>> list(depth_first("e", {"e": "cd", "d": "ab", "c": "ab", "b": "", "a": ""}.get))
    ['e', 'd', 'c', 'b', 'a']
    """
    return reversed(topological(root, children))


def uses(root: K, children: Callable[[K], Sequence[K]]) -> dict[K, int]:
    """How many operand slots hold each node that a root reaches. O(nodes + edges)."""
    found: dict[K, int] = {}
    for node in topological(root, children):
        found.setdefault(node, 0)
        for child in children(node):
            found[child] = found.get(child, 0) + 1
    return found


def breadth_first(root: K, children: Callable[[K], Sequence[K]]) -> Iterator[K]:
    """Kahn's order: a node runs as soon as all its consumers have run, first come first served.

    Nodes on a cycle never become ready and are left out.

    >>> list(breadth_first("e", {"e": "cd", "d": "ab", "c": "ab", "b": "", "a": ""}.get))
    ['e', 'c', 'd', 'a', 'b']
    """
    waiting = uses(root, children)
    ready = deque([root] if waiting[root] == 0 else [])
    while ready:
        node = ready.popleft()
        yield node
        for child in children(node):
            waiting[child] -= 1
            if waiting[child] == 0:
                ready.append(child)


def recursive(root: K, children: Callable[[K], Sequence[K]]) -> Iterator[K]:
    """The classic mistake: run a node, then at once each operand in turn, with no sorting.

    A node with several consumers comes once per path, so this can be exponentially long and,
    on a cycle, endless: take only as many as you can use.

    >>> list(recursive("e", {"e": "cd", "d": "ab", "c": "ab", "b": "", "a": ""}.get))
    ['e', 'c', 'a', 'b', 'd', 'a', 'b']
    """
    stack = [iter((root,))]
    while stack:
        for node in stack[-1]:
            yield node
            stack.append(iter(children(node)))
            break
        else:
            stack.pop()
