"""What of a graph is drawn, on request without its constants and with helper nodes folded.

`a - b` makes three nodes in micrograd: `-1`, `b * -1` and `a + (b * -1)`; `a / b` makes `b**-1`
and `a * b**-1`. Folded, one card stands for all of them. Only what is drawn changes: every step,
every number and every id stays what it was.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from chainstep.graph import Edge, Graph

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.graph import Node

INVERSES = frozenset({"**-1", "**-1.0"})
NAMELESS = frozenset({"", "Value"})
"""Names of leaves that the program has none for."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What is drawn and how.

    Attributes:
        hides_constants: Leaves without a name of their own are left out.
        folds: `a - b` and `a / b` are one card each.
        downward: Edges run from the top down; else from left to right.
    """

    hides_constants: bool = False
    folds: bool = False
    downward: bool = False

    @property
    def unfolded(self) -> Choices:
        """The same with a card for every node."""
        return replace(self, hides_constants=False, folds=False)


PLAIN = Choices()
"""Every node has a card, and edges run from left to right."""


@dataclass(frozen=True)
class Visible:
    """The graph that is drawn, and how the recorded one is found in it.

    Attributes:
        whole: The recorded graph.
        graph: The one that is drawn. Its nodes have the ids of the recorded ones; a card that
            others are folded into has another op and other children.
        stands: The node whose card stands for each node that is not drawn.
        constants: How many constants are hidden.
    """

    whole: Graph
    graph: Graph
    stands: Mapping[int, int] = field(default_factory=dict)
    constants: int = 0
    _slots: Mapping[tuple[int, int], int] = field(default_factory=dict, repr=False)

    @property
    def folded(self) -> int:
        """How many nodes are folded into the cards of others."""
        return len(self.stands) - self.constants

    def of(self, graph: Graph) -> Visible:
        """The same of a graph whose nodes differ in nothing but what they hold. O(nodes)."""
        if graph is self.whole:
            return self
        if self.graph is self.whole:
            return Visible(graph, graph)
        nodes = tuple(
            _like(graph.node(node.id), node.op, node.children) for node in self.graph.nodes
        )
        return replace(self, whole=graph, graph=self.graph.holding(nodes))

    def card_of(self, node_id: int) -> int:
        """The node whose card stands for a node: itself where it is drawn."""
        return self.stands.get(node_id, node_id)

    def edge_of(self, edge: Edge) -> Edge | None:
        """The edge as it is drawn; None where it lies within a card."""
        if not self.stands:
            return edge
        card = self.card_of(edge.consumer)
        if edge.child in self.stands or (edge.child == card and edge.consumer != card):
            return None
        return Edge(edge.child, card, self._slots.get((edge.consumer, edge.slot), edge.slot))


def _like(node: Node, op: str, children: tuple[int, ...]) -> Node:
    """A node as it is drawn: itself where its card has its own op and operands."""
    if node.op == op and node.children == children:
        return node
    return replace(node, op=op, children=children)


def visible(graph: Graph, choices: Choices) -> Visible:
    """What is drawn of a graph. O(nodes + edges)."""
    if not (choices.hides_constants or choices.folds):
        return Visible(graph, graph)
    helpers = _helpers(graph) if choices.folds else {}
    stands = {node_id: helpers.get(card, card) for node_id, card in helpers.items()}
    constants = _constants(graph, stands) if choices.hides_constants else {}
    stands.update(constants)
    slots: dict[tuple[int, int], int] = {}
    nodes = tuple(
        _drawn(graph, node, stands, helpers, slots) for node in graph.nodes if node.id not in stands
    )
    return Visible(graph, Graph(nodes, graph.root), stands, len(constants), slots)


def _helpers(graph: Graph) -> dict[int, int]:
    """The nodes that are folded, each with the one that it is folded into."""
    found: dict[int, int] = {}
    for node in graph.nodes:
        if _is_negation(graph, node):
            found[node.children[1]] = node.id
    for node in graph.nodes:
        consumer = _only_consumer(graph, node)
        if node.aliases or node.id == graph.root or consumer is None:
            continue
        if (consumer.op == "+" and _is_negation(graph, node)) or (
            consumer.op == "*" and node.op in INVERSES and len(node.children) == 1
        ):
            found[node.id] = consumer.id
    return found


def _is_negation(graph: Graph, node: Node) -> bool:
    """Whether it is `x * -1`, the -1 being nobody else's."""
    if node.op != "*" or len(node.children) != 2 or node.children[1] not in graph:
        return False
    factor = graph.node(node.children[1])
    alone = len(graph.consumers(factor.id)) == 1
    return factor.constant and factor.data == -1.0 and not factor.children and alone


def _only_consumer(graph: Graph, node: Node) -> Node | None:
    """The only one that uses a node, where that is as its second of two operands."""
    uses = graph.consumers(node.id)
    if len(uses) != 1 or uses[0].slot != 1:
        return None
    consumer = graph.node(uses[0].consumer)
    return consumer if len(consumer.children) == 2 else None


def _constants(graph: Graph, stands: Mapping[int, int]) -> dict[int, int]:
    """The leaves that are hidden, each with the card of its first consumer."""
    found = {}
    for node in graph.nodes:
        uses = graph.consumers(node.id)
        nameless = node.constant or (not node.aliases and node.name in NAMELESS)
        if node.children or not nameless or not uses or node.id in stands:
            continue
        if node.id != graph.root:
            consumer = uses[0].consumer
            found[node.id] = stands.get(consumer, consumer)
    return found


def _drawn(
    graph: Graph,
    node: Node,
    stands: Mapping[int, int],
    helpers: Mapping[int, int],
    slots: dict[tuple[int, int], int],
) -> Node:
    """A node as it is drawn; notes in which slot each of its edges ends there."""
    op = node.op
    children: list[int] = []
    for slot, child in enumerate(node.children):
        if helpers.get(child) != node.id:
            if child not in stands:
                slots[node.id, slot] = len(children)
                children.append(child)
            continue
        helper = graph.node(child)
        if not helper.children:
            op = "-"  # the card is `-x` itself
            continue
        op = "/" if helper.op in INVERSES else "-"
        if helper.children[0] not in stands:
            slots[child, 0] = len(children)
            children.append(helper.children[0])
    return (
        node if tuple(children) == node.children else replace(node, op=op, children=tuple(children))
    )
