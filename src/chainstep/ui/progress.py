"""How far each phase of the story is, in a few words."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from chainstep.story import PHASES, Phase
from chainstep.trace import Kind, Mode, Order

if TYPE_CHECKING:
    from chainstep.stepper import Stepper
    from chainstep.story import Story
    from chainstep.trace import Trace
    from chainstep.ui.course import Course
    from chainstep.ui.session import Session


def phrases(session: Session) -> dict[Phase, str]:
    """How far each phase is: `1 Forward · 3 of 5 made`."""
    course, pane = session.course, session.primary
    if course is None or pane is None:
        words = ("1 Forward", "2 Topological sort", "3 Backward")
        return dict(zip(PHASES, words, strict=True))
    words = (
        f"1 Forward · {_making(session, course)}",
        f"2 {_sorting(session, course, pane.trace)}",
        f"3 Backward · {_running(session, course, pane.stepper)}",
    )
    skipped = session.skipped
    return {
        phase: f"{text} · skipped" if phase in skipped else text
        for phase, text in zip(PHASES, words, strict=True)
    }


def _making(session: Session, course: Course) -> str:
    phase, number = session.place
    made = course.size(Phase.FORWARD)
    if not made:
        return "all exist already"
    return f"{number} of {made} made" if phase is Phase.FORWARD else f"{made} made"


def _sorting(session: Session, course: Course, trace: Trace) -> str:
    story = course.story
    if story.sort is None:
        own = trace.mode is Mode.AS_WRITTEN
        return "Order · the program's own" if own else "No sort · recursion"
    name = "Breadth-first" if trace.order is Order.BREADTH_FIRST else "Topological sort"
    length = len(story.sort.listed)
    if session.phase is Phase.SORT:
        return f"{name} · {story.list_length(session.position)} of {length}"
    return f"{name} · {length}"


def _running(session: Session, course: Course, stepper: Stepper) -> str:
    trace, (phase, number) = stepper.trace, session.place
    size, calls = course.size(Phase.BACKWARD), len(trace.sequence)
    if phase is not Phase.BACKWARD:
        return f"{size} steps to come"
    if number == 0:
        return f"before the first of {size} steps"
    if number >= size:
        return f"done, {calls} calls"
    step = trace.steps[min(number, len(trace.steps)) - 1]
    if step.kind is Kind.SEED:
        return "the seed"
    if step.kind is Kind.OUTSIDE:
        return _outside(course.story, number)
    call, first, last = _call_around(stepper, number)
    words = f"call {call}" if trace.hidden else f"call {call} of {calls}"
    if step.kind is Kind.WRITE:
        words += f", write {number - first}"
        words += "" if trace.hidden else f" of {last - first}"
    return words


def _outside(story: Story, number: int) -> str:
    """What code outside every `_backward` did: zeroed, updated, or set a gradient."""
    parts, size = story.parts, len(story.trace.steps)
    if number > parts.end:
        return f"update, {number - parts.end} of {size - parts.end}"
    if number <= parts.begin and parts.zeroes:
        return f"zeroing, {number} of {parts.begin}"
    return "set from outside"


def _call_around(stepper: Stepper, position: int) -> tuple[int, int, int]:
    """The call that a step is in: its number from 1, and its first and last position."""
    stops = stepper.stops
    at = bisect_left(stops, position)
    last = stops[at] if at < len(stops) else stepper.length
    first = stops[at - 1] + 1 if at else 1
    return stepper.call[0], first, last
