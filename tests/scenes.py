"""Small graphs and their traces, made by hand: what several tests of the window draw."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from chainstep.graph import Graph, Node, depth_first, recursive
from chainstep.trace import Kind, Mode, Order, Recording, Step, Trace, TraceError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

FORWARD: dict[str, Callable[..., float]] = {
    "+": lambda a, b: a + b,
    "*": lambda a, b: a * b,
    "tanh": math.tanh,
    "**-1": lambda a: 1 / a,
}
LOCAL: dict[str, Callable[..., tuple[float, ...]]] = {
    "+": lambda a, b: (1.0, 1.0),
    "*": lambda a, b: (b, a),
    "tanh": lambda a: (1 - math.tanh(a) ** 2,),
    "**-1": lambda a: (-1 / (a * a),),
}


class Scene:
    """A graph in the making. Every method gives the id of the node it made."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []

    def leaf(self, name: str, data: float, *, constant: bool = False) -> int:
        node_id = len(self.nodes)
        self.nodes.append(Node(node_id, name, "", data, (), node_id + 3, constant))
        return node_id

    def op(self, name: str, op: str, *children: int) -> int:
        node_id = len(self.nodes)
        data = FORWARD[op](*(self.nodes[child].data for child in children))
        self.nodes.append(Node(node_id, name, op, data, children, node_id + 3))
        return node_id

    @property
    def graph(self) -> Graph:
        return Graph(tuple(self.nodes), len(self.nodes) - 1)


def trace(
    graph: Graph,
    mode: Mode = Mode.ACCUMULATE,
    order: Iterable[int] | None = None,
    error: str | None = None,
) -> Trace:
    """The pass from the root, by the chain rule; with an error it breaks off at its end."""
    gradients = {node.id: 0.0 for node in graph.nodes}
    initial = dict(gradients)
    gradients[graph.root] = 1.0
    steps = [
        Step(Kind.SEED, graph.root, target=graph.root, before=0.0, after=1.0, accumulates=False)
    ]
    for node_id in order or depth_first(graph.root, lambda i: graph.node(i).children):
        node, upstream = graph.node(node_id), gradients[node_id]
        steps.append(Step(Kind.CALL, node_id, upstream=upstream))
        locals_ = LOCAL[node.op](*(graph.node(n).data for n in node.children)) if node.op else ()
        for slot, (child, local) in enumerate(zip(node.children, locals_, strict=True)):
            before = gradients[child]
            kept = before if mode is Mode.ACCUMULATE else 0.0
            gradients[child] = after = kept + local * upstream
            steps.append(
                Step(
                    *(Kind.WRITE, node_id, slot, child, upstream, local, local * upstream),
                    *(before, after, mode is Mode.ACCUMULATE, 42),
                )
            )
    broken = None if error is None else TraceError(len(steps), error, 7)
    kind = Order.DEPTH_FIRST if order is None else Order.RECURSIVE
    return Trace(0, mode, kind, graph.root, initial, tuple(steps), {}, broken)


def unsorted(graph: Graph) -> list[int]:
    """The order of the classic mistake."""
    return list(recursive(graph.root, lambda i: graph.node(i).children))


def recording(graph: Graph, order: Iterable[int] | None = None) -> Recording:
    """Both forced passes of a graph."""
    kept = None if order is None else list(order)
    modes = (Mode.ACCUMULATE, Mode.OVERWRITE)
    traces = tuple(trace(graph, mode, kept) for mode in modes)
    return Recording("scene.py", nodes=graph.nodes, traces=traces)


def product(first: float, second: float) -> Graph:
    """q = s * p: ids 0 to 2."""
    scene = Scene()
    s, p = scene.leaf("s", first), scene.leaf("p", second)
    scene.op("q", "*", s, p)
    return scene.graph


def wrong_product() -> Recording:
    """q = s * p at s = 1, p = -6, with += alone; the class hands p -6 for the 1 that it should."""
    whole = recording(product(1.0, -6.0))
    one = whole.traces[0]
    wrong = replace(one.steps[3], local=-6.0, contribution=-6.0, after=-6.0, line=22)
    one = replace(one, steps=(*one.steps[:3], wrong, *one.steps[4:]))
    return replace(whole, traces=(one,))


def diamond() -> Graph:
    """a, b, c = a + b, d = a * b, e = c * d: ids 0 to 4."""
    scene = Scene()
    a, b = scene.leaf("a", 2.0), scene.leaf("b", 3.0)
    c, d = scene.op("c", "+", a, b), scene.op("d", "*", a, b)
    scene.op("e", "*", c, d)
    return scene.graph


def reuse() -> Graph:
    """b = a + a."""
    scene = Scene()
    a = scene.leaf("a", 3.0)
    scene.op("b", "+", a, a)
    return scene.graph


def odd() -> Graph:
    """Long names, a constant, an op in words, and numbers that are hard to write."""
    scene = Scene()
    tiny = scene.leaf("the_learning_rate_of_the_schedule", 3e-7)
    nan = scene.leaf("net.layers[0].neurons[12].w[11]", math.nan)
    product = scene.op("(the_learning_rate_of_the_schedule * w)", "*", tiny, nan)
    two = scene.leaf("-2.0", -2.0, constant=True)
    inverse = scene.op("inverse", "**-1", two)
    huge, infinite = scene.leaf("huge", -123456.789), scene.leaf("infinite", -math.inf)
    total = scene.op("total", "+", huge, infinite)
    squashed = scene.op("squashed", "tanh", inverse)
    both = scene.op("both", "+", total, squashed)
    scene.op("loss", "+", both, product)
    return scene.graph


def network(inputs: int = 3, layers: tuple[int, ...] = (4, 4, 1), samples: int = 2) -> Graph:
    """The loss of a small network over some samples; weights are shared by all of them."""
    scene = Scene()
    sizes = [inputs, *layers]
    weights = [
        [
            [scene.leaf(f"w[{n}][{k}][{i}]", 0.1 * (n - k + i)) for i in range(sizes[n])]
            for k in range(size)
        ]
        for n, size in enumerate(layers)
    ]
    loss: int | None = None
    for sample in range(samples):
        values = [scene.leaf(f"x[{sample}][{i}]", 0.5 * (i - sample)) for i in range(inputs)]
        for layer in weights:
            outputs = []
            for neuron in layer:
                products = [scene.op("", "*", w, x) for w, x in zip(neuron, values, strict=True)]
                total = products[0]
                for product in products[1:]:
                    total = scene.op("", "+", total, product)
                outputs.append(scene.op("", "tanh", total))
            values = outputs
        square = scene.op("", "*", values[0], values[0])
        loss = square if loss is None else scene.op("loss", "+", loss, square)
    return scene.graph
