"""One backward pass made ready to be shown, in whatever thread has the time for it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.divergence import Divergence
from chainstep.stepper import Stepper
from chainstep.story import Story
from chainstep.trace import Kind, Mode
from chainstep.ui.shapes import Layouts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Graph
    from chainstep.layout import Layout
    from chainstep.readiness import Readiness
    from chainstep.trace import Recording, Trace


LONG = 10_000
"""Steps of a trace that take longer to walk than one should notice."""


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


def prepare(recording: Recording, pass_index: int = 0, layouts: Layouts | None = None) -> Prepared:
    """Lay out one pass and index its traces. Slow where the graph is large: for other threads.

    Args:
        recording: Holds the pass.
        pass_index: Which one, from 0.
        layouts: Those of other passes, of which one is taken where it fits.
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
        if len(trace.steps) > LONG:
            history(trace)  # walked here, so that the first words about a step come at once
    graph = recording.graph(pass_index)
    calls = {
        mode: [n for n, step in enumerate(trace.steps) if step.kind is Kind.CALL]
        for mode, trace in traces.items()
    }
    stories: dict[Mode, Story] = {}
    orders: dict[Mode, Readiness] = {}
    for mode, trace in traces.items():
        like = next(iter(stories.values()), None)
        stories[mode] = Story(recording, trace, like)
        # The two forced passes run the same calls at the same steps.
        twin = next((each for each in orders if _same_calls(traces[each], trace)), None)
        orders[mode] = Readiness(recording, trace) if twin is None else orders[twin]
    both = traces.get(Mode.ACCUMULATE), traces.get(Mode.OVERWRITE)
    steppers = {mode: Stepper(trace, len(recording.nodes)) for mode, trace in traces.items()}
    return Prepared(
        recording,
        pass_index,
        graph,
        (layouts or Layouts()).of(graph),
        steppers,
        stories,
        orders,
        origins(recording, pass_index),
        calls,
        None if both[0] is None or both[1] is None else Divergence(both[0], both[1]),
    )


def _same_calls(one: Trace, other: Trace) -> bool:
    """Whether two traces differ in numbers alone: all that an order does not look at."""
    return (
        one.root == other.root
        and len(one.steps) == len(other.steps)
        and all(
            a.kind is b.kind and a.node == b.node
            for a, b in zip(one.steps, other.steps, strict=True)
        )
    )
