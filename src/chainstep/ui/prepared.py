"""One backward pass made ready to be shown, in whatever thread has the time for it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.divergence import Divergence
from chainstep.stepper import Stepper
from chainstep.story import Story
from chainstep.trace import Kind, Mode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Graph
    from chainstep.layout import Layout
    from chainstep.readiness import Readiness
    from chainstep.trace import Recording


@dataclass(frozen=True)
class Prepared:
    """One backward pass, ready to be shown. `graph` is None where nothing was recorded."""

    recording: Recording
    pass_index: int
    graph: Graph | None
    layout: Layout | None
    steppers: Mapping[Mode, Stepper]
    stories: Mapping[Mode, Story]
    orders: Mapping[Mode, Readiness]
    origins: Mapping[int, int]
    calls: Mapping[Mode, Sequence[int]]
    divergence: Divergence | None

    def matching(self, position: int, mode: Mode, goal: Mode) -> int:
        """A position in the trace of one mode, as one in the trace of another.

        The two forced modes share positions. What the program did itself may hold other steps:
        there it is the same place within the call of the same number.
        """
        if goal not in self.calls or (mode is Mode.AS_WRITTEN) is (goal is Mode.AS_WRITTEN):
            return position
        here, there = self.calls[mode], self.calls[goal]
        end = self.steppers[goal].length
        if position >= self.steppers[mode].length:
            return end
        number = bisect_left(here, position)
        if number > len(there):
            return end
        offset = position - (here[number - 1] if number else 0)
        latest = there[number] if number < len(there) else end
        return min((there[number - 1] if number else 0) + offset, latest)


def prepare(recording: Recording, pass_index: int = 0, like: Prepared | None = None) -> Prepared:
    """Lay out one pass and index its traces. Slow where the graph is large: for other threads.

    Args:
        recording: Holds the pass.
        pass_index: Which one, from 0.
        like: Another pass, whose layout is taken where the two graphs have one shape.
    """
    traces = {
        mode: trace for mode in Mode if (trace := recording.trace(mode, pass_index)) is not None
    }
    if not traces:
        return Prepared(recording, pass_index, None, None, {}, {}, {}, {}, {}, None)
    # These bring the table of operations and more, and not at start.
    from chainstep.carried import origins  # noqa: PLC0415
    from chainstep.history import history  # noqa: PLC0415
    from chainstep.readiness import Readiness  # noqa: PLC0415

    for trace in traces.values():
        history(trace)  # walked here once, so that the first words about a step come at once
    graph = recording.graph(pass_index)
    both = traces.get(Mode.ACCUMULATE), traces.get(Mode.OVERWRITE)
    steppers = {mode: Stepper(trace, len(recording.nodes)) for mode, trace in traces.items()}
    return Prepared(
        recording,
        pass_index,
        graph,
        _laid_out(graph, like),
        steppers,
        {mode: Story(recording, trace) for mode, trace in traces.items()},
        {mode: Readiness(recording, trace) for mode, trace in traces.items()},
        origins(recording, pass_index),
        {
            mode: [n for n, step in enumerate(trace.steps) if step.kind is Kind.CALL]
            for mode, trace in traces.items()
        },
        None if both[0] is None or both[1] is None else Divergence(both[0], both[1]),
    )


def _laid_out(graph: Graph, like: Prepared | None) -> Layout:
    """The layout of a graph; that of another pass where the graph only has other ids."""
    from chainstep.layout import layered  # noqa: PLC0415  brings networkx, 200 ms: not at start

    if like is not None and like.graph is not None and like.layout is not None:
        taken = _taken(graph, like.graph, like.layout)
        if taken is not None:
            return taken
    return layered(graph)


def _taken(graph: Graph, other: Graph, layout: Layout) -> Layout | None:
    """A layout for a graph of the same shape as another one; None where it has another shape.

    Of one shape they are where the nodes, in order of creation, have the same ops and operands:
    what the iterations of a training loop build. O(nodes + edges).
    """
    from chainstep.graph import Edge  # noqa: PLC0415
    from chainstep.layout import Layout  # noqa: PLC0415

    if len(graph) != len(other):
        return None
    ids = {old.id: new.id for old, new in zip(other.nodes, graph.nodes, strict=True)}
    if ids[other.root] != graph.root:
        return None
    for old, new in zip(other.nodes, graph.nodes, strict=True):
        if old.op != new.op or len(old.children) != len(new.children):
            return None
        for one, another in zip(old.children, new.children, strict=True):
            if ids.get(one, one) != another or (one in ids) is not (another in graph):
                return None
    return Layout(
        {ids[node_id]: box for node_id, box in layout.boxes.items()},
        {Edge(ids[e.child], ids[e.consumer], e.slot): r for e, r in layout.routes.items()},
        layout.width,
        layout.height,
    )
