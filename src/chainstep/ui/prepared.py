"""One backward pass made ready to be shown, in whatever thread has the time for it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from chainstep.divergence import Divergence
from chainstep.history import history, keep_start
from chainstep.horizon import horizon
from chainstep.stepper import Stepper
from chainstep.story import Story
from chainstep.trace import Kind, Mode
from chainstep.training import with_updates
from chainstep.ui.shapes import Layouts
from chainstep.visible import PLAIN, Choices, visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Graph
    from chainstep.layout import Layout
    from chainstep.readiness import Readiness
    from chainstep.trace import Recording, Trace
    from chainstep.ui.course import Place
    from chainstep.visible import Visible


FORCED = (Mode.ACCUMULATE, Mode.OVERWRITE)
"""The modes that are compared where nothing else is."""
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
    choices: Choices = PLAIN
    visible: Visible | None = None
    pair: tuple[Mode, Mode] = FORCED

    def held_against(self, trace: Trace, base: Mode) -> Prepared:
        """The same pass with a trace of another one beside that of a mode.

        Args:
            trace: What it is held against, told in the nodes of this pass; see `comparison`.
            base: The mode whose trace that is compared with.
        """
        mode = Mode.COMPARED
        story = Story(self.recording, trace, self.stories[base])
        with_it = replace(
            self,
            steppers={**self.steppers, mode: Stepper(trace, len(self.recording.nodes))},
            stories={**self.stories, mode: story},
            orders={**self.orders, mode: _orders(self.recording, {mode: trace})[mode]},
            calls={**self.calls, mode: _calls(trace)},
            pair=(base, mode),
        )
        return with_it.diverging()

    def diverging(self) -> Prepared:
        """The same pass, with where the two traces that are compared differ."""
        one, other = (self.steppers[mode].trace for mode in self.pair)
        return replace(
            self, divergence=Divergence(one, other, lambda at: self.matching(at, *self.pair))
        )

    def alone(self) -> Prepared:
        """The same pass without what it was held against."""
        kept: list[Mode] = [mode for mode in self.steppers if mode is not Mode.COMPARED]
        traces = {mode: self.steppers[mode].trace for mode in kept}
        return replace(
            self,
            steppers={mode: self.steppers[mode] for mode in kept},
            stories={mode: self.stories[mode] for mode in kept},
            orders={mode: self.orders[mode] for mode in kept},
            calls={mode: self.calls[mode] for mode in kept},
            divergence=_divergence(traces),
            pair=FORCED,
        )

    def arranged(self, layouts: Layouts, choices: Choices) -> Prepared:
        """The same pass drawn otherwise; takes its time where the graph is large."""
        if self.graph is None:
            return replace(self, choices=choices)
        drawn = visible(self.graph, choices)
        layout = layouts.of(drawn.graph, downward=choices.downward)
        return replace(self, choices=choices, visible=drawn, layout=layout)

    def matching(self, position: int, mode: Mode, goal: Mode) -> int:
        """A position in the trace of one mode, as one in the trace of another.

        The two forced modes share positions. What the program did itself, or what is compared, may
        hold other steps: there it is the same place within the call of the same number.
        """
        if goal not in self.calls or mode is goal or {mode, goal} <= {*FORCED}:
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


def prepare(
    recording: Recording,
    pass_index: int = 0,
    layouts: Layouts | None = None,
    choices: Choices | None = None,
) -> Prepared:
    """Lay out one pass and index its traces. Slow where the graph is large: for other threads.

    Args:
        recording: Holds the pass.
        pass_index: Which one, from 0.
        layouts: Those of other passes, of which one is taken where it fits.
        choices: What is drawn of it and how.
    """
    choices = choices or PLAIN
    traces = {
        mode: with_updates(recording, trace)
        for mode in Mode
        if (trace := recording.trace(mode, pass_index)) is not None
    }
    if not traces:
        return Prepared(recording, pass_index, None, None, {}, {}, {}, {}, {}, None, choices)
    # Brings the table of operations and more, and not at start.
    from chainstep.carried import origins  # noqa: PLC0415

    for trace in traces.values():
        if len(trace.steps) > LONG:
            history(trace)  # walked here, so that the first words about a step come at once
    graph = recording.graph(pass_index)
    calls = {mode: _calls(trace) for mode, trace in traces.items()}
    stories: dict[Mode, Story] = {}
    for mode, trace in traces.items():
        like = next(iter(stories.values()), None)
        stories[mode] = Story(recording, trace, like)
    steppers = {mode: Stepper(trace, len(recording.nodes)) for mode, trace in traces.items()}
    prepared = Prepared(
        recording,
        pass_index,
        graph,
        None,
        steppers,
        stories,
        _orders(recording, traces),
        origins(recording, pass_index),
        calls,
        _divergence(traces),
    )
    return prepared.arranged(layouts or Layouts(), choices)


def until(prepared: Prepared, places: Mapping[Mode, Place]) -> Prepared:
    """What may be known of a pass at one place: all of it where nothing is to come any more.

    The one place where that is decided for the window: whoever reads the session while it hides
    what is to come gets nothing else. O(nodes + edges + steps so far).

    Args:
        prepared: The pass.
        places: The place in the story of each of its modes.
    """
    ends = {mode: _end(prepared.stories[mode], place) for mode, place in places.items()}
    steps = {mode: prepared.stories[mode].backward_position(end) for mode, end in ends.items()}
    made = {node for mode, end in ends.items() for node in prepared.stories[mode].made[end:]}
    recording = horizon(prepared.recording, prepared.pass_index, steps, frozenset(made))
    traces = {mode: prepared.steppers[mode].trace.until(step) for mode, step in steps.items()}
    for mode, trace in traces.items():
        keep_start(trace, prepared.steppers[mode].trace)
    if recording is prepared.recording and not any(trace.hidden for trace in traces.values()):
        return prepared
    graph = prepared.graph
    assert graph is not None
    if made:
        graph = graph.holding(tuple(recording.nodes[node.id] for node in graph.nodes))
    divergence = prepared.divergence if prepared.pair == FORCED else None
    known = Prepared(
        recording,
        prepared.pass_index,
        graph,
        prepared.layout,
        {m: prepared.steppers[m].until(traces[m]) for m in traces},
        {m: prepared.stories[m].until(recording, traces[m], ends[m]) for m in traces},
        {m: prepared.orders[m].until(recording, traces[m]) for m in traces},
        prepared.origins,
        {m: calls[: bisect_left(calls, steps[m])] for m, calls in prepared.calls.items()},
        divergence and divergence.until(max(steps[mode] for mode in FORCED)),
        prepared.choices,
        prepared.visible and prepared.visible.of(graph),
        prepared.pair,
    )
    return known if known.pair == FORCED else known.diverging()


def _calls(trace: Trace) -> list[int]:
    return [number for number, step in enumerate(trace.steps) if step.kind is Kind.CALL]


def unfolded(prepared: Prepared) -> Prepared:
    """The same pass with a card for every node; takes its time where the graph is large."""
    if prepared.visible is None or not prepared.visible.stands:
        return prepared
    return prepared.arranged(Layouts(), prepared.choices.unfolded)


def stand_in(prepared: Prepared, trace: Trace) -> Prepared:
    """The pass as somebody else runs it, in place of what was recorded of it.

    Args:
        prepared: The pass.
        trace: What was run by now, in one of its modes.
    """
    index, mode = prepared.pass_index, trace.mode
    known = horizon(prepared.recording, index, dict.fromkeys(prepared.steppers, 0))
    others = (each for each in known.traces if each.pass_index != index)
    recording = replace(known, traces=(*others, trace))
    stepper = Stepper(trace, len(recording.nodes))
    stepper.seek(stepper.length)
    story = prepared.stories[mode]
    end = story.position_of_backward(0) + len(trace.steps)
    calls = [n for n, step in enumerate(trace.steps) if step.kind is Kind.CALL]
    return replace(
        prepared,
        recording=recording,
        steppers={mode: stepper},
        stories={mode: story.until(recording, trace, end)},
        orders=_orders(recording, {mode: trace}),
        origins={},
        calls={mode: calls},
        divergence=None,
    )


def _end(story: Story, place: Place) -> int:
    """The position of a place in its story."""
    return story.bounds(place.phase)[0] + place.number


def _orders(recording: Recording, traces: Mapping[Mode, Trace]) -> dict[Mode, Readiness]:
    """In which order the calls come; the two forced passes run the same at the same steps."""
    from chainstep.readiness import Readiness  # noqa: PLC0415  see above

    orders: dict[Mode, Readiness] = {}
    for mode, trace in traces.items():
        twin = next((each for each in orders if _same_calls(traces[each], trace)), None)
        orders[mode] = Readiness(recording, trace) if twin is None else orders[twin]
    return orders


def _divergence(traces: Mapping[Mode, Trace]) -> Divergence | None:
    one, other = traces.get(Mode.ACCUMULATE), traces.get(Mode.OVERWRITE)
    return None if one is None or other is None else Divergence(one, other)


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
