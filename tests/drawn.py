"""What a drawing looks like, measured: on ours and on Graphviz's in the same way."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import numpy as np

from chainstep.graph import Graph, Node, topological

if TYPE_CHECKING:
    from chainstep.layout import Layout

SAMPLES = 16
"""Straight pieces per cubic segment."""


def graph_of(children, root=None, op="+") -> Graph:
    """A graph from `{id: ids of the operands}`; every node that has operands gets `op`."""
    nodes = [
        Node(i, f"v{i}", op if operands else "", 0.0, tuple(operands))
        for i, operands in sorted(children.items())
    ]
    return Graph(tuple(nodes), max(children, default=0) if root is None else root)


def graph_below(root) -> Graph:
    """The graph of a live Value of any class with `_prev` and `_op`, children first."""
    values = topological(root, lambda value: tuple(value._prev))
    number = {id(value): index for index, value in enumerate(values)}
    nodes = [
        Node(index, f"v{index}", value._op, value.data, tuple(number[id(v)] for v in value._prev))
        for index, value in enumerate(values)
    ]
    return Graph(tuple(nodes), len(nodes) - 1)


def polyline(points, samples=SAMPLES):
    """Points on a route of cubic segments."""
    corners = np.asarray(points, dtype=float)
    t = np.linspace(0, 1, samples + 1)[1:, None]
    pieces = [corners[:1]]
    for first in range(0, len(corners) - 1, 3):
        a, b, c, d = corners[first : first + 4]
        pieces.append(
            (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t**3 * d
        )
    return np.concatenate(pieces)


def routes_of(layout: Layout):
    return [route.points for route in layout.routes.values()]


def crossings(routes) -> int:
    """How often two routes properly cross."""
    lines = [polyline(route) for route in routes]
    owner = np.concatenate([np.full(len(line) - 1, i) for i, line in enumerate(lines)])
    pieces = np.concatenate([np.hstack([line[:-1], line[1:]]) for line in lines])
    order = np.argsort(np.minimum(pieces[:, 0], pieces[:, 2]), kind="stable")
    owner, pieces = owner[order], pieces[order]
    low = np.minimum(pieces[:, :2], pieces[:, 2:])
    high = np.maximum(pieces[:, :2], pieces[:, 2:])
    ends = np.searchsorted(low[:, 0], high[:, 0], side="right")
    count = 0
    for i, piece in enumerate(pieces):
        others = slice(i + 1, ends[i])
        near = (
            (owner[others] != owner[i])
            & (low[others, 1] <= high[i, 1])
            & (high[others, 1] >= low[i, 1])
        )
        there = pieces[others][near]
        a, b, c, d = piece[:2], piece[2:], there[:, :2], there[:, 2:]
        apart = _side(a, b, c) * _side(a, b, d), _side(c, d, a) * _side(c, d, b)
        count += int(((apart[0] < 0) & (apart[1] < 0)).sum())
    return count


def _side(a, b, c):
    """On which side of the line from a to b the point c is."""
    return (b[..., 0] - a[..., 0]) * (c[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
        c[..., 0] - a[..., 0]
    )


def overlaps(layout: Layout) -> list[tuple[int, int]]:
    """Pairs of nodes whose cards overlap."""
    ids, areas = _areas(layout)
    found = []
    for i, (left, top, right, bottom) in enumerate(areas):
        hit = (
            (areas[:, 0] < right)
            & (areas[:, 2] > left)
            & (areas[:, 1] < bottom)
            & (areas[:, 3] > top)
        )
        found += [(ids[i], ids[j]) for j in np.flatnonzero(hit) if j > i]
    return found


def pierced(layout: Layout):
    """Edges that run through a card, and the nodes of those cards."""
    ids, areas = _areas(layout)
    left, top, right, bottom = areas.T
    found = []
    for edge, route in layout.routes.items():
        x, y = polyline(route.points, 32).T[:, :, None]
        inside = (x > left + 0.01) & (x < right - 0.01) & (y > top + 0.01) & (y < bottom - 0.01)
        found += [(edge, ids[i]) for i in np.flatnonzero(inside.any(axis=0))]
    return found


def turning(layout: Layout):
    """Edges that run to the left anywhere on their way."""
    return [
        edge
        for edge, route in layout.routes.items()
        if (np.diff(polyline(route.points)[:, 0]) < -1e-9).any()
    ]


def _areas(layout: Layout):
    boxes = layout.boxes.values()
    areas = [(box.x, box.y, box.x + box.width, box.y + box.height) for box in boxes]
    return list(layout.boxes), np.array(areas).reshape(-1, 4)


def graphviz(graph: Graph, timeout=None):
    """Graphviz's drawing with cards and gaps like ours: routes, and the column of each node."""
    text = [
        "digraph { rankdir=LR; nodesep=0.583; ranksep=2.083; edge [dir=none];",
        'node [shape=box, fixedsize=true, width=1.889, height=1.139, label=""];',
        *(f"{node.id};" for node in graph.nodes),
        *(f"{edge.child} -> {edge.consumer};" for edge in graph.edges()),
        "}",
    ]
    told = subprocess.run(
        ["dot", "-Tplain"],
        input="\n".join(text),
        capture_output=True,
        text=True,
        check=True,
        timeout=timeout,
    ).stdout
    routes, left = [], {}
    for line in told.splitlines():
        kind, *words = line.split()
        if kind == "edge":
            numbers = [float(word) for word in words[3 : 3 + 2 * int(words[2])]]
            routes.append([(x, -y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)])
        elif kind == "node":
            left[int(words[0])] = float(words[1])
    column = {x: index for index, x in enumerate(sorted(set(left.values())))}
    return routes, {node: column[x] for node, x in left.items()}
