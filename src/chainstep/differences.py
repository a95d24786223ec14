"""Central differences of a recorded graph: the root evaluated again with one node moved.

Nothing of the program runs here. Every node that the table of operations knows, and whose
recorded number it reproduces, is computed anew for many moved nodes at once: one numpy column
for each move. A node of another kind is opaque, and what is below it has no difference here.

The step is not guessed: each node is moved by several, large to small, and of Richardson's
extrapolations over neighbouring steps the one counts whose estimated error is the smallest
(after Ridders, "Accurate computation of F'(x) and F'(x)F''(x)", 1982).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chainstep import graph as orders
from chainstep.calculus import find

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import numpy.typing as npt

    from chainstep.calculus import Operation
    from chainstep.graph import Graph, Node

    Column = npt.NDArray[np.float64]

STEPS = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
"""Steps as parts of the value, or of 1 where it is smaller."""

MORE_STEPS = (3e-3, 3e-4, 3e-5, 3e-6, 3e-7)
"""The same, between them."""

SMALL_STEPS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5)
"""Instead of those, parts of a value near 0: a logarithm bends there."""

SMALL = 1e-2
"""Below this a value is near 0."""

COLUMNS = 2 * (len(STEPS) + len(MORE_STEPS))
"""Moves of one node."""

EPSILON = float(np.finfo(np.float64).eps)

REPRODUCED = 1e-9
"""How close, relatively, the table must come to a recorded number."""

CLEAR = 1e-5
"""How much of a slope may be rounding where its two sides are compared."""

APART = 1e-3
"""How far apart, relatively, the slopes at a kink are at the least."""

BLOCK_ELEMENTS = 8_000_000
"""Numbers held at a time: 64 MB. Each block walks through the graph once."""

_VECTORISED: Mapping[str, Callable[..., Column]] = {
    "+": np.add,
    "-": np.subtract,
    "neg": np.negative,
    "*": np.multiply,
    "/": np.divide,
    "**": np.power,
    "ReLU": lambda a: np.where(a < 0, 0.0, a),
    "tanh": np.tanh,
    "exp": np.exp,
    "log": np.log,
    "sigmoid": lambda a: 1 / (1 + np.exp(-a)),
    "abs": np.abs,
    "sqrt": np.sqrt,
    "sin": np.sin,
    "cos": np.cos,
}

_KINKS: Mapping[str, tuple[float, float]] = {"ReLU": (0.0, 1.0), "abs": (-1.0, 1.0)}
"""Between which slopes an operation has every right to choose where its operand is 0."""


@dataclass(frozen=True, slots=True)
class Slope:
    """How steep the root is in one node.

    Attributes:
        value: The central difference; nan where the function has no finite one.
        error: How far off it may be.
        low: The smaller of the slopes to the left and to the right.
        high: The larger of them. They are apart only at a kink.
        kink: Whether the two slopes stay apart however small the step.
    """

    value: float
    error: float
    low: float
    high: float
    kink: bool = False


def slope_of(
    x: float, steps: Sequence[float], values: Sequence[tuple[float, float]], at: float
) -> Slope:
    """The slope of a function from its values around x.

    Args:
        x: Where.
        steps: Distances from x, from large to small.
        values: The function at x - step and at x + step, for every step.
        at: The function at x.
    """
    lower = np.array([x - step for step in steps])
    upper = np.array([x + step for step in steps])
    before, after = np.array(values, dtype=np.float64).reshape(-1, 2).T
    return _slopes(np.array([x]), lower[None], upper[None], before[None], after[None], at)[0]


class Calculation:
    """The arithmetic of one pass, ready to be done again.

    Args:
        graph: The graph of the pass.
        data: The number that each node had in the forward pass, by id.

    Attributes:
        opaque: Ids of the nodes that the table cannot recompute.
        reliable: Ids of the nodes from which every path to the root can be recomputed.
        kinks: Ids of the nodes at a kink: relu and abs of exactly 0.
    """

    def __init__(self, graph: Graph, data: Mapping[int, float]) -> None:
        self._root = graph.root
        self._data = data
        children: dict[int, tuple[int, ...]] = {
            node.id: tuple(child for child in node.children if child in graph)
            for node in graph.nodes
        }
        self._order = orders.topological(graph.root, children.__getitem__)
        self._place = {node_id: place for place, node_id in enumerate(self._order)}
        self._operations: dict[int, Operation] = {}
        self._children = children
        opaque = set()
        for node_id in self._order:
            node = graph.node(node_id)
            if not node.children:
                continue
            operation = self._operation(node)
            if operation is None:
                opaque.add(node_id)
            else:
                self._operations[node_id] = operation
        self.opaque = frozenset(opaque)
        self.reliable = self._find_reliable()
        self.kinks = frozenset(
            node_id
            for node_id, operation in self._operations.items()
            if operation.symbol in _KINKS and data[children[node_id][0]] == 0
        )

    def _operation(self, node: Node) -> Operation | None:
        """The row of the table that gives this node's number; None where none does."""
        operands = [self._data[child] for child in node.children if child in self._data]
        if len(operands) != len(node.children) or not self._comes_before(node):
            return None
        operation = table_operation(node)
        if operation is None or not reproduces(operation, operands, self._data[node.id]):
            return None
        return operation

    def _comes_before(self, node: Node) -> bool:
        """Whether all operands are sorted before a node, as they are outside cycles."""
        place = self._place
        return all(place.get(child, len(place)) < place[node.id] for child in node.children)

    def _find_reliable(self) -> frozenset[int]:
        reliable = {self._root}
        blocked: set[int] = set()
        for node_id in reversed(self._order):
            sound = node_id not in blocked and (
                not self._children[node_id] or node_id in self._operations
            )
            if node_id not in blocked:
                reliable.add(node_id)
            if not sound:
                blocked.update(self._children[node_id])
        return frozenset(reliable)

    def slopes(self, targets: Iterable[int], elements: float = math.inf) -> dict[int, Slope]:
        """The slope of the root in each reliable target, by id.

        O(nodes x targets) numbers are computed; targets for which there are not `elements` left
        are not in the answer. The first ones come first.
        """
        chosen = []
        for target in targets:
            if target not in self.reliable:
                continue
            elements -= (len(self._order) - self._place[target]) * COLUMNS
            if elements < 0:
                break
            chosen.append(target)
        chosen.sort(key=self._place.__getitem__)
        portion = max(1, BLOCK_ELEMENTS // (len(self._order) * COLUMNS))
        found: dict[int, Slope] = {}
        for start in range(0, len(chosen), portion):
            found.update(self._block(chosen[start : start + portion]))
        return found

    def _block(self, targets: Sequence[int]) -> dict[int, Slope]:
        """The slopes in some targets, by one evaluation of what depends on them."""
        lower, upper = _moves(np.array([self._data[target] for target in targets]))
        count = lower.shape[1]
        moved = np.concatenate([lower, upper], axis=1)
        width = moved.size
        own = {
            target: (row, slice(row * 2 * count, (row + 1) * 2 * count))
            for row, target in enumerate(targets)
        }
        columns: dict[int, Column] = {}
        with np.errstate(all="ignore"):
            for node_id in self._order[self._place[targets[0]] :]:
                column = self._column(node_id, columns)
                if node_id in own:
                    if column is None:
                        column = np.full(width, self._data[node_id])
                    row, places = own[node_id]
                    column[places] = moved[row]
                if column is not None:
                    columns[node_id] = column
            root = columns.get(self._root, np.full(width, self._data[self._root]))
            values = root.reshape(len(targets), 2, count)
            here = np.array([self._data[target] for target in targets])
            slopes = _slopes(here, lower, upper, values[:, 0], values[:, 1], self._data[self._root])
        return dict(zip(targets, slopes, strict=True))

    def _column(self, node_id: int, columns: Mapping[int, Column]) -> Column | None:
        """A node's numbers under all moves; None where none of them reaches it."""
        operation = self._operations.get(node_id)
        if operation is None or not any(child in columns for child in self._children[node_id]):
            return None
        operands = [columns.get(child, self._data[child]) for child in self._children[node_id]]
        return np.array(vectorised(operation)(*operands))

    def root_at(self, moves: Mapping[int, float]) -> float:
        """The root with some leaves at other numbers; opaque nodes keep theirs."""
        data = {**self._data, **moves}
        for node_id in self._order:
            operation = self._operations.get(node_id)
            if operation is not None:
                data[node_id] = operation.forward(
                    *(data[child] for child in self._children[node_id])
                )
        return data[self._root]

    def range_at_kinks(self) -> dict[int, tuple[float, float]]:
        """Between which gradients each node's may lie, as every kink may choose its slope.

        Without a kink above the two are the same: the chain rule on the table's derivatives.
        """
        ranges: dict[int, tuple[float, float]] = {self._root: (1.0, 1.0)}
        for node_id in reversed(self._order):
            operation = self._operations.get(node_id)
            if operation is None or node_id not in ranges:
                continue
            children = self._children[node_id]
            data = tuple(self._data[child] for child in children)
            for child, slope in zip(
                children, operation.local(data, self._data[node_id]), strict=True
            ):
                slopes = _KINKS[operation.symbol] if node_id in self.kinks else (slope, slope)
                products = [up * down for up in ranges[node_id] for down in slopes]
                low, high = ranges.get(child, (0.0, 0.0))
                ranges[child] = (low + min(products), high + max(products))
        return ranges

    def kink_above(self, node_id: int) -> int | None:
        """The kink nearest to a node on its way to the root; None where there is none."""
        reached = {node_id}
        for later in self._order[self._place.get(node_id, len(self._order)) :]:
            if later in reached or any(child in reached for child in self._children[later]):
                reached.add(later)
                if later in self.kinks and later != node_id:
                    return later
        return None


def table_operation(node: Node) -> Operation | None:
    """The row of the table that a node's op and its number of operands speak of."""
    operation = find(node.op)
    if operation is not None and operation.arity == len(node.children):
        return operation
    if len(node.children) == 1 and operation is not None and operation.symbol == "-":
        return find("neg")
    return None


def reproduces(operation: Operation, operands: Sequence[float], result: float) -> bool:
    """Whether an operation, done again, gives the recorded number."""
    try:
        again = operation.forward(*operands)
    except (ArithmeticError, ValueError, TypeError):
        return False
    if math.isnan(again) or math.isnan(result):
        return math.isnan(again) and math.isnan(result)
    return again == result or math.isclose(again, result, rel_tol=REPRODUCED, abs_tol=1e-300)


def vectorised(operation: Operation) -> Callable[..., Column]:
    """An operation for whole columns at a time."""
    known = _VECTORISED.get(operation.symbol)
    if known is not None:
        return known
    exponent = float(operation.symbol.removeprefix("**"))
    return lambda base: np.power(base, exponent)


def _moves(x: Column) -> tuple[Column, Column]:
    """The places below and above each x, from far to near; one row for each x."""
    size = np.abs(x)[:, None]
    whole = np.maximum(size, 1.0)
    near_zero = (size > 0) & (size < SMALL)
    more = np.where(near_zero, size * np.array(SMALL_STEPS), whole * np.array(MORE_STEPS))
    steps = -np.sort(-np.concatenate([whole * np.array(STEPS), more], axis=1), axis=1)
    with np.errstate(invalid="ignore"):
        return x[:, None] - steps, x[:, None] + steps


def _slopes(
    x: Column, lower: Column, upper: Column, before: Column, after: Column, at: float
) -> list[Slope]:
    """One slope for each row of function values before and after x."""
    with np.errstate(all="ignore"):
        step = (upper - lower) / 2
        central = (after - before) / (upper - lower)
        noise = EPSILON * np.fmax(np.maximum(np.abs(after), np.abs(before)), abs(at)) / step
        ratio = (step[:, :-1] / step[:, 1:]) ** 2
        better = (ratio * central[:, 1:] - central[:, :-1]) / (ratio - 1)
        error = np.abs(better - central[:, 1:]) + 2 * noise[:, 1:]
        left = (at - before) / (x[:, None] - lower)
        right = (after - at) / (upper - x[:, None])
    error = np.where(np.isfinite(error) & np.isfinite(better), error, np.inf)
    error = np.maximum(error, _contradicted(better, error))
    best = np.argmin(error, axis=1)
    slopes = []
    for row, column in enumerate(best):
        value, off = float(better[row, column]), float(error[row, column])
        low, high, kink = _sides(left[row], right[row], noise[row], step[row])
        slopes.append(Slope(value if math.isfinite(off) else math.nan, off, low, high, kink))
    return slopes


def _contradicted(better: Column, error: Column) -> Column:
    """How far off each estimate is, at the least, by those at smaller steps.

    Far steps may agree among themselves on the wrong side of a pole or a kink: then the near
    ones, so far as rounding leaves them any say, contradict them.
    """
    off = np.zeros_like(error)
    with np.errstate(all="ignore"):
        for near in range(1, better.shape[1]):
            sure = np.nan_to_num(error[:, near, None], nan=np.inf)
            apart = np.abs(better[:, :near] - better[:, near, None]) - sure
            off[:, :near] = np.fmax(off[:, :near], apart)
    return off


def _sides(left: Column, right: Column, noise: Column, step: Column) -> tuple[float, float, bool]:
    """The slopes to both sides, at the smallest step that rounding leaves; whether it's a kink."""
    gap = np.abs(right - left)
    size = np.maximum(np.abs(left), np.abs(right))
    clear = np.flatnonzero(np.isfinite(gap) & (noise < CLEAR * size))
    if not len(clear):
        middle = float(np.nan_to_num((left[0] + right[0]) / 2))
        return middle, middle, False
    near = clear[-1]
    low, high = sorted((float(left[near]), float(right[near])))
    before = clear[step[clear] > 2 * step[near]]
    # A smooth function's two slopes close up with the step; those of a kink stay apart.
    apart = gap[near] > APART * size[near]
    stays = len(before) > 0 and gap[near] > 0.6 * gap[before[-1]]
    return low, high, bool(apart and stays)
