"""Where the cards of a graph stand and how its edges run.

Left to right in layers, every edge from the child's right edge to the badge of its consumer.
The same graph gives the same picture in every process: nothing here depends on hashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.graph import Edge

if TYPE_CHECKING:
    from chainstep.graph import Graph

CARD_WIDTH = 136.0
CARD_HEIGHT = 82.0
GAP_X = 150.0
GAP_Y = 42.0


@dataclass(frozen=True, slots=True)
class Box:
    """A card: its upper left corner and its size, in scene units; y grows downward."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """The course of an edge.

    Attributes:
        points: The start, then three points for each cubic segment, from the child's right
            edge to the consumer's left edge.
    """

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """A whole drawing; its upper left corner is (0, 0).

    Attributes:
        boxes: The card of every node, by node id.
        routes: The course of every edge.
        width: Extent in scene units.
        height: Extent in scene units.
    """

    boxes: dict[int, Box]
    routes: dict[Edge, Route]
    width: float
    height: float


def layered(
    graph: Graph, card_width: float = CARD_WIDTH, card_height: float = CARD_HEIGHT
) -> Layout:
    """The drawing of ``graph``."""
    ids = [node.id for node in graph.nodes]
    rank = dict.fromkeys(ids, 0)
    for node in reversed(graph.nodes):
        for child in node.children:
            if child in rank and child < node.id:
                rank[child] = max(rank[child], rank[node.id] + 1)
    last = max(rank.values())
    filled = [0] * (last + 1)
    boxes: dict[int, Box] = {}
    for i in ids:
        column = last - rank[i]
        boxes[i] = Box(
            14 + column * (card_width + GAP_X),
            filled[column] * (card_height + GAP_Y),
            card_width,
            card_height,
        )
        filled[column] += 1
    routes: dict[Edge, Route] = {}
    for edge in graph.edges():
        child, consumer = boxes[edge.child], boxes[edge.consumer]
        arity = len(graph.node(edge.consumer).children)
        x0, y0 = child.x + card_width, child.y + card_height / 2
        x1 = consumer.x - 12
        y1 = consumer.y + card_height / 2 + 14 * (edge.slot - (arity - 1) / 2)
        middle = (x0 + x1) / 2
        routes[edge] = Route(((x0, y0), (middle, y0), (middle, y1), (x1, y1)))
    return Layout(
        boxes,
        routes,
        max(box.x + box.width for box in boxes.values()),
        max(box.y + box.height for box in boxes.values()),
    )
