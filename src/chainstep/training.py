"""A training loop in a recording: which passes belong to one iteration, and what each updates.

An iteration is forward, zero, backward, update. Passes between which nothing is zeroed and no
number is updated belong to one: their gradients add up before they are used.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from chainstep.trace import Kind, Mode, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.evidence import Change
    from chainstep.trace import Recording, Trace

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Iteration:
    """One round of a training loop.

    Attributes:
        number: Which one, from 0.
        passes: Its backward passes, from 0, in order.
        loss: The data of the root; of several passes the sum, whose gradient is what adds up.
        zeroed: How many gradients were set to 0 before or between its passes.
        updates: The changes of data that came after its last pass, as steps.
    """

    number: int
    passes: tuple[int, ...]
    loss: float
    zeroed: int
    updates: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A leaf in one iteration.

    Attributes:
        data: Its number when the last pass began.
        grad: Its gradient when that pass had ended.
        update: By how much it was changed then; 0 where it was left alone.
    """

    data: float
    grad: float
    update: float


@dataclass(frozen=True, slots=True)
class Parts:
    """Where in a trace what belongs to the pass itself begins and ends, as positions.

    Attributes:
        begin: Before that come only writes from outside: zeroing.
        end: After that come only changes of data: the update.
        zeroes: Whether something is set to 0 before `begin`.
    """

    begin: int
    end: int
    zeroes: bool


def _kept(recording: Recording, name: str, make: Callable[[Recording], T]) -> T:
    """What is made of a recording once, and kept with it as a cached property is."""
    kept = vars(recording)
    key = f"_training_{name}"
    if key not in kept:
        kept[key] = make(recording)
    found: T = kept[key]
    return found


def updates(recording: Recording, pass_index: int) -> tuple[Step, ...]:
    """What changed numbers between the end of a pass and that of the next, as steps.

    Each is OUTSIDE, with the changed node as its `node` and no `target`: no gradient changes.
    """
    return _updates(recording).get(pass_index, ())


def _updates(recording: Recording) -> Mapping[int, tuple[Step, ...]]:
    return _kept(recording, "updates", _find_updates)


def _find_updates(recording: Recording) -> Mapping[int, tuple[Step, ...]]:
    ids = {node.serial: node.id for node in recording.nodes}
    found: dict[int, list[Step]] = defaultdict(list)
    for change in recording.evidence.changes:
        node = ids.get(change.serial)
        if node is not None and change.pass_index:
            found[change.pass_index - 1].append(_step(change, node))
    return {index: tuple(steps) for index, steps in found.items()}


def _step(change: Change, node: int) -> Step:
    return Step(
        Kind.OUTSIDE,
        node,
        before=change.before,
        after=change.after,
        accumulates=False,
        line=change.line,
        file=change.file,
    )


def with_updates(recording: Recording, trace: Trace) -> Trace:
    """A pass as written, with the changes of data that followed it as its last steps."""
    if trace.mode is not Mode.AS_WRITTEN or trace.error is not None:
        return trace
    steps = updates(recording, trace.pass_index)
    return replace(trace, steps=(*trace.steps, *steps)) if steps else trace


def parts(trace: Trace) -> Parts:
    """Where the zeroing of a pass ends and its update begins."""
    begin, end = 0, len(trace.steps)
    while begin < end and trace.steps[begin].kind is Kind.OUTSIDE and not trace.steps[begin].moves:
        begin += 1
    while end > begin and trace.steps[end - 1].moves:
        end -= 1
    end = trace.length if trace.hidden else end
    return Parts(begin, end, any(_zeroes(step) for step in trace.steps[:begin]))


def _zeroes(step: Step) -> bool:
    return step.kind is Kind.OUTSIDE and step.target is not None and step.after == 0 != step.before


def iterations(recording: Recording) -> tuple[Iteration, ...]:
    """The iterations of a program that calls `backward()`; none of another. Made once, O(steps)."""
    return _kept(recording, "iterations", _find_iterations)


def _find_iterations(recording: Recording) -> tuple[Iteration, ...]:
    groups = enumerate(_grouped(recording))
    return tuple(_iteration(recording, number, passes) for number, passes in groups)


def _written(recording: Recording) -> Mapping[int, Trace]:
    return _kept(recording, "written", _find_written)


def _find_written(recording: Recording) -> Mapping[int, Trace]:
    return {trace.pass_index: trace for trace in recording.traces if trace.mode is Mode.AS_WRITTEN}


def _grouped(recording: Recording) -> list[list[int]]:
    groups: list[list[int]] = []
    learns = bool(_updates(recording))
    for index, trace in _written(recording).items():
        goes_on = learns and not updates(recording, index - 1) and not _zeroed(trace)
        if groups and goes_on:
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _zeroed(trace: Trace) -> int:
    return sum(_zeroes(step) for step in trace.steps)


def _iteration(recording: Recording, number: int, passes: Sequence[int]) -> Iteration:
    traces = [_written(recording)[index] for index in passes]
    losses = [trace.data.get(trace.root, recording.nodes[trace.root].data) for trace in traces]
    return Iteration(
        number,
        tuple(passes),
        math.fsum(losses) if all(map(math.isfinite, losses)) else sum(losses),
        sum(_zeroed(trace) for trace in traces),
        updates(recording, passes[-1]),
    )


def iteration_of(recording: Recording, pass_index: int) -> Iteration | None:
    """The iteration that a pass belongs to; None where there are no iterations."""
    found = (each for each in iterations(recording) if pass_index in each.passes)
    return next(found, None)


def parameters(recording: Recording, iteration: Iteration) -> Mapping[int, Parameter]:
    """The leaves that are updated anywhere in the loop, by node id, as they are in one iteration.

    Where nothing is ever updated, the leaves with a name that more than one pass reaches.
    """
    trace = _written(recording)[iteration.passes[-1]]
    moved: dict[int, float] = defaultdict(float)
    for step in iteration.updates:
        assert step.node is not None
        assert step.before is not None
        assert step.after is not None
        moved[step.node] += step.after - step.before
    return {
        node: Parameter(
            trace.data.get(node, recording.nodes[node].data),
            trace.final.get(node, 0.0),
            moved.get(node, 0.0),
        )
        for node in _learners(recording)
        if node in trace.initial
    }


def _learners(recording: Recording) -> Sequence[int]:
    return _kept(recording, "learners", _find_learners)


def _find_learners(recording: Recording) -> Sequence[int]:
    moved = {step.node for steps in _updates(recording).values() for step in steps}
    nodes = recording.nodes
    if moved:
        return [node.id for node in nodes if node.id in moved and not node.children]
    counts: dict[int, int] = defaultdict(int)
    for trace in _written(recording).values():
        for node_id in trace.initial:
            counts[node_id] += 1
    return [
        node.id for node in nodes if counts[node.id] > 1 and not node.children and not node.constant
    ]


def zeroes(recording: Recording) -> bool:
    """Whether the program ever sets a gradient back to 0."""
    return _kept(recording, "zeroes", _find_zeroes)


def _find_zeroes(recording: Recording) -> bool:
    steps = (step for trace in _written(recording).values() for step in trace.steps)
    return any(map(_zeroes, steps)) or any(map(_zeroes, recording.after))


def direction(recording: Recording) -> str:
    """`against` the gradient, as descent goes; `along` it; `both` ways; empty without updates.

    Each change is held against the gradient that its node had after the last pass before it.
    """
    return _kept(recording, "direction", _find_direction)


def _find_direction(recording: Recording) -> str:
    products = {
        each.update * each.grad
        for iteration in iterations(recording)
        for each in parameters(recording, iteration).values()
    }
    along, against = any(p > 0 for p in products), any(p < 0 for p in products)
    if along and against:
        return "both"
    return "along" if along else "against" if against else ""
