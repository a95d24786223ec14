"""Every gradient from several sides: as written, with `+=`, by differences, by PyTorch.

The difference and PyTorch know nothing of the program's backward: what it computes is held
against what its own forward says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from chainstep.differences import Calculation
from chainstep.forward import values
from chainstep.trace import Kind, Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from chainstep.differences import Slope
    from chainstep.graph import Graph, Node
    from chainstep.trace import Recording, Trace

    SecondOpinion = Callable[[Graph, Mapping[int, float]], Mapping[int, float]]

TOLERANCE = 1e-6
"""How far, relatively, a gradient may be from the difference and still agree."""

SURE = 1e-3
"""A difference that may be off by more than this part of itself proves nothing."""

MOVE = 1e-3
"""How far leaves are moved to see whether the graph holds everything."""

FEW = 6
"""Up to so many nodes of a pass, inner ones are also moved in runs of their own."""

ELEMENTS = 200e6
"""Numbers computed for differences in one recording: seconds, not minutes."""


class Verdict(Enum):
    """What the sides say of a gradient."""

    AGREES = "agrees"
    DIFFERS = "differs"
    KINK = "kink"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Gradient:
    """One node's gradient after one pass, from every side.

    Attributes:
        node: Id of the node.
        pass_index: Which pass.
        as_written: What the program's own backward left; None where it called none.
        carried: The part of it that was there before the pass; it counts for no verdict.
        accumulate: What the controller's pass with `+=` gives; None where there is none.
        expected: The central difference, times the seed that the program chose; None where no
            difference could be taken.
        error: How far off the difference may be; None without one.
        torch: What PyTorch says; None where it was not asked or does not know.
        verdict: Whether the program's gradient is right: as written, else with `+=`.
        kink: Id of the node whose kink makes the gradient a matter of choice.
        differentiable: Whether the root has a finite slope in the node, as far as it is known.
    """

    node: int
    pass_index: int
    as_written: float | None
    carried: float
    accumulate: float | None
    expected: float | None
    error: float | None
    torch: float | None
    verdict: Verdict
    kink: int | None = None
    differentiable: bool = True

    @property
    def judged(self) -> float | None:
        """What the verdict is about: this pass's part of the gradient as written, else `+=`."""
        return self.accumulate if self.as_written is None else self.as_written - self.carried

    @property
    def right(self) -> float | None:
        """What it should be; None where nobody knows."""
        return self.torch if self.expected is None else self.expected

    def is_right(self, mine: float | None) -> bool:
        """Whether a number is what the gradient should be, as far as that is known."""
        return mine is not None and self.right is not None and _agree(mine, self.right, self)

    @property
    def disagreement(self) -> float:
        """How far off the gradient is, relatively: 0 to 2, inf for a nan; 0 where it agrees."""
        right = self.right
        if self.judged is None or right is None or self.verdict is not Verdict.DIFFERS:
            return 0.0
        off = abs(self.judged - right) / max(abs(self.judged), abs(right))
        return math.inf if math.isnan(off) else off


class Reruns(Protocol):
    """Takes differences by running the program again."""

    def slopes(self, nodes: Sequence[int]) -> Mapping[tuple[int, int], Slope]:
        """Slopes of the root of each pass in each node, by (pass, node); some may be missing."""

    def roots(self, moves: Mapping[int, float]) -> Mapping[int, float]:
        """The root of each pass with some nodes at other numbers; empty where that fails."""


def verify(
    recording: Recording,
    reruns: Reruns | None = None,
    torch: SecondOpinion | None = None,
) -> tuple[Gradient, ...]:
    """Judge every gradient of every pass.

    Args:
        recording: A finished run.
        reruns: Where differences come from that the operation table cannot give.
        torch: Gradients of a graph at given numbers by PyTorch, if it is to be asked.

    Returns:
        By pass, then by node in order of creation.
    """
    passes = [_Pass(recording, index) for index in range(recording.passes)]
    for number, each in enumerate(passes):
        # Leaves first, in all passes: inner nodes of a long training may go without.
        each.take_differences(ELEMENTS / len(passes), leaves=True)
        if number == 0 or number == len(passes) - 1:
            each.take_differences(ELEMENTS / 4, leaves=False)
    for each in passes[1:-1]:
        each.take_differences(ELEMENTS / len(passes), leaves=False)
    if reruns is not None:
        for each in passes[:1]:
            each.look_beyond_the_graph(reruns)
        wanted = dict.fromkeys(node_id for each in passes for node_id in each.lacking())
        slopes = reruns.slopes(tuple(wanted)) if wanted else {}
        for (index, node_id), slope in slopes.items():
            passes[index].accept(node_id, slope)
    gradients = tuple(gradient for each in passes for gradient in each.gradients())
    return gradients if torch is None else with_opinion(recording, gradients, torch)


def adding_hides(gradients: Iterable[Gradient]) -> bool:
    """Whether some of these gradients are wrong as written, and none of them is with `+=`.

    Those of which nobody knows what they should be, and those at a kink, count for nothing.
    """
    judged = [each for each in gradients if each.verdict in {Verdict.AGREES, Verdict.DIFFERS}]
    return any(not each.is_right(each.as_written) for each in judged) and all(
        each.is_right(each.accumulate) for each in judged
    )


def with_opinion(
    recording: Recording, gradients: Iterable[Gradient], torch: SecondOpinion
) -> tuple[Gradient, ...]:
    """The same verdicts with what PyTorch says; it decides where there is no difference."""
    by_pass: dict[int, list[Gradient]] = {}
    for gradient in gradients:
        by_pass.setdefault(gradient.pass_index, []).append(gradient)
    return tuple(
        gradient
        for index, judged in by_pass.items()
        for gradient in _Pass(recording, index).with_opinion(judged, torch)
    )


def by_disagreement(gradients: Iterable[Gradient]) -> list[Gradient]:
    """The worst first, then kinks, then what is unknown; else by pass and node."""
    ranks = {Verdict.DIFFERS: 0, Verdict.KINK: 1, Verdict.UNKNOWN: 2, Verdict.AGREES: 3}
    return sorted(gradients, key=lambda each: (ranks[each.verdict], -each.disagreement))


class _Pass:
    """One backward pass on its way to the verdicts."""

    def __init__(self, recording: Recording, index: int) -> None:
        self._recording = recording
        self._index = index
        self._graph = recording.graph(index)
        self._written = recording.trace(Mode.AS_WRITTEN, index)
        self._forced = recording.trace(Mode.ACCUMULATE, index)
        self._data = values(recording, index, self._graph)
        self._calculation = Calculation(self._graph, self._data)
        self._ranges = self._calculation.range_at_kinks()
        self._slopes: dict[int, Slope] = {}
        self._lacking: set[int] = set()
        self._outside: set[int] = set()

    def take_differences(self, elements: float, *, leaves: bool) -> None:
        """Differences by the operation table, of the leaves or of the inner nodes."""
        chosen = [node for node in self._graph.nodes if bool(node.children) is not leaves]
        chosen.sort(key=lambda node: node.constant)
        slopes = self._calculation.slopes((node.id for node in chosen), elements)
        self._slopes.update({n: self._weighed(n, slope) for n, slope in slopes.items()})

    def _weighed(self, node_id: int, slope: Slope) -> Slope:
        """A difference by the table, held against the chain rule on the table's derivatives.

        No step is small enough for some functions: chaotic ones, or those that rounding or
        saturation hides. Where the two contradict each other the difference is off by as much,
        and where no operation stands at a kink the step has made up the one it shows.
        """
        low, high = self._ranges.get(node_id, (math.nan, math.nan))
        if low != high or not math.isfinite(low):
            return slope
        return replace(slope, error=max(slope.error, abs(slope.value - low)), kink=False)

    def look_beyond_the_graph(self, reruns: Reruns) -> None:
        """Ask whether the root depends on leaves in ways that the graph does not hold.

        All leaves are moved at once, and the root that the program then has is held against
        what the graph makes of the same numbers. What was cut off, by use of a bare number or
        by an operand that was not recorded, shows as a difference between the two.
        """
        leaves = [node for node in self._graph.nodes if not (node.children or node.constant)]
        if not self._calculation.opaque and not self._follows(reruns, leaves):
            for node in leaves:
                self._slopes.pop(node.id, None)
        outside = [
            node
            for node in self._recording.nodes[: self._graph.root]
            if node.name and not (node.children or node.constant or node.id in self._graph)
        ]
        if outside and not self._follows(reruns, outside):
            self._outside = {node.id for node in outside}

    def _follows(self, reruns: Reruns, leaves: Sequence[Node]) -> bool:
        """Whether the root, with some leaves moved, is what the graph says it is."""
        moves = {
            node.id: self._data.get(node.id, node.data) + MOVE * (1 + place / len(leaves))
            for place, node in enumerate(leaves)
        }
        root = reruns.roots(moves).get(self._index)
        if root is None:
            return True
        here = self._data[self._graph.root]
        said = self._calculation.root_at({k: v for k, v in moves.items() if k in self._graph})
        if not math.isfinite(root) or not math.isfinite(said):
            return True
        return abs(root - said) <= 1e-6 * max(abs(root - here), abs(said - here)) + 1e-9 * abs(here)

    def lacking(self) -> Iterable[int]:
        """Nodes whose difference only another run of the program can give.

        The leaves; and inner nodes only as long as they are few, as each takes four runs.
        """
        if self._moved_before():
            return ()
        nodes = [node for node in self._graph.nodes if node.id not in self._slopes]
        leaves = [node.id for node in nodes if not (node.children or node.constant)]
        leaves += sorted(self._outside)
        inner = [node.id for node in nodes if node.children]
        lacking = [*leaves, *inner[: max(0, FEW - len(leaves))]]
        self._lacking = set(lacking) - self._outside
        return lacking

    def _moved_before(self) -> bool:
        """Whether updates came before: then a moved node would move them too."""
        if self._index == 0:
            return False
        traces = [trace for trace in self._recording.traces if trace.pass_index == self._index]
        return any(trace.data for trace in traces)

    def accept(self, node_id: int, slope: Slope) -> None:
        """Take in a difference that another run of the program gave."""
        matters = node_id in self._outside and abs(slope.value) > max(10 * slope.error, 1e-9)
        if node_id in self._lacking or matters:
            self._slopes[node_id] = slope

    def gradients(self) -> Iterable[Gradient]:
        """The verdicts, by node."""
        carried = {} if self._written is None else _carried(self._written)
        seed = 1.0 if self._written is None else _seed(self._written)
        finals = [trace.final if trace else {} for trace in (self._written, self._forced)]
        for node_id in sorted({node.id for node in self._graph.nodes} | self._slopes.keys()):
            slope = self._slopes.get(node_id)
            known = slope is not None and not math.isnan(slope.value)
            gradient = Gradient(
                node_id,
                self._index,
                None if self._written is None else finals[0].get(node_id, 0.0),
                carried.get(node_id, 0.0),
                finals[1].get(node_id),
                slope.value * seed if slope is not None and known else None,
                slope.error * abs(seed) if slope is not None and known else None,
                None,
                Verdict.UNKNOWN,
                differentiable=slope is None or known,
            )
            yield self._judge(gradient, slope, seed)

    def with_opinion(self, judged: Iterable[Gradient], torch: SecondOpinion) -> Iterable[Gradient]:
        """Verdicts of this pass, with what PyTorch says where it can say anything."""
        opinion = torch(self._graph, self._data)
        seed = 1.0 if self._written is None else _seed(self._written)
        for gradient in judged:
            second = opinion.get(gradient.node)
            if second is None or gradient.node not in self._calculation.reliable:
                yield gradient
                continue
            asked = replace(gradient, torch=second * seed)
            decides = gradient.expected is None
            yield self._judge(asked, None, seed) if decides else asked

    def _judge(self, gradient: Gradient, slope: Slope | None, seed: float) -> Gradient:
        """The same gradient with its verdict."""
        mine = gradient.judged
        if mine is None or self._broke_off(gradient):
            return gradient
        kink = self._kink(gradient.node, slope)
        right = gradient.right
        if right is None:
            verdict = Verdict.UNKNOWN
        elif _agree(mine, right, gradient):
            verdict = Verdict.AGREES
        elif kink is not None and self._chosen(gradient.node, mine, slope, seed):
            verdict = Verdict.KINK
        elif gradient.error is not None and gradient.error > SURE * max(abs(mine), abs(right)):
            verdict = Verdict.UNKNOWN
        else:
            verdict = Verdict.DIFFERS
        return replace(gradient, verdict=verdict, kink=kink)

    def _broke_off(self, gradient: Gradient) -> bool:
        trace = self._forced if gradient.as_written is None else self._written
        return trace is not None and trace.error is not None

    def _kink(self, node_id: int, slope: Slope | None) -> int | None:
        if self._calculation.kinks and node_id in self._calculation.reliable:
            above = self._calculation.kink_above(node_id)
            if above is not None:
                return above
        return node_id if slope is not None and slope.kink else None

    def _chosen(self, node_id: int, mine: float, slope: Slope | None, seed: float) -> bool:
        """Whether a gradient at a kink lies between the slopes that meet there."""
        low, high = self._ranges.get(node_id, (math.inf, -math.inf))
        if slope is not None and slope.kink:
            low, high = min(low, slope.low), max(high, slope.high)
        low, high = sorted((low * seed, high * seed))
        room = 1e-4 * max(abs(low), abs(high))
        return low - room <= mine <= high + room


def _agree(mine: float, right: float, gradient: Gradient) -> bool:
    if math.isnan(mine) or math.isnan(right):
        return math.isnan(mine) and math.isnan(right)
    if mine == right:
        return True
    # What was carried over and taken off again has lost digits.
    lost = 1e-12 * abs(gradient.carried)
    room = TOLERANCE * max(abs(mine), abs(right)) + lost
    if gradient.error is not None and gradient.error <= SURE * max(abs(mine), abs(right)):
        room += 10 * gradient.error
    return abs(mine - right) <= max(room, min(gradient.error or 0.0, 1e-9))


def _carried(trace: Trace) -> dict[int, float]:
    """The part of each final gradient that was there before the pass, by node id."""
    carried = dict(trace.initial)
    # On a tape nothing is called: then every write belongs to the pass.
    began = not any(step.kind in (Kind.SEED, Kind.CALL) for step in trace.steps)
    for step in trace.steps:
        began = began or step.kind in (Kind.SEED, Kind.CALL)
        if step.target is None or step.after is None:
            continue
        if step.kind is Kind.OUTSIDE:
            if step.after == 0:
                carried[step.target] = 0.0
            elif not began and step.before != 0:
                carried[step.target] = step.after  # clipped or scaled, still from before
        elif not step.accumulates:
            carried[step.target] = 0.0
    return carried


def _seed(trace: Trace) -> float:
    """The number that the program set its root's gradient to; 1 where that makes no sense."""
    for step in trace.steps:
        if step.kind is Kind.SEED and step.target == trace.root and step.after is not None:
            return step.after if math.isfinite(step.after) and step.after != 0 else 1.0
    return 1.0
