"""A place in a story, as a lesson names it: `before write to a #2`, `end of sort`."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.figures import quoted, shortened
from chainstep.sorting import Act
from chainstep.story import Phase
from chainstep.trace import Kind

if TYPE_CHECKING:
    from chainstep.story import Moment, Story

EXPECTED = (
    "start of PHASE, end of PHASE, making NAME, appending NAME, call of NAME, write to NAME or "
    "step N, each with 'before' in front where it is still to come, and #2 behind for the second"
)
MOST_NAMES = 20
"""Names of nodes that are told."""
_ENDS = re.compile(r"(start|end) of (forward|sort|backward)")
_STEP = re.compile(r"(before )?(step) (\d{1,6})()")
_MOMENT = re.compile(r"(before )?(making|appending|call of|write to) (.+?)(?: #(\d{1,4}))?")


@dataclass(frozen=True, slots=True)
class Spot:
    """A place by what happens there.

    Attributes:
        written: As it was written.
        what: `start`, `end`, `step`, `making`, `appending`, `call of` or `write to`.
        name: The phase, or the name of the node; empty for a step.
        number: The number of the step, or which of those moments it is, from 1.
        before: Whether the moment is still to come.
    """

    written: str
    what: str
    name: str
    number: int = 1
    before: bool = False


def read_spot(text: str) -> Spot:
    """The place that a text names.

    >>> read_spot("before write to a #2")
    Spot(written='before write to a #2', what='write to', name='a', number=2, before=True)

    Raises:
        ValueError: It names none; the message says what it is instead, and what was expected.
    """
    ends = _ENDS.fullmatch(text)
    if ends is not None:
        return Spot(text, ends[1], ends[2])
    step = _STEP.fullmatch(text)
    if step is not None:
        return Spot(text, "step", "", int(step[3]), step[1] is not None)
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise ValueError(f"{quoted(text)}; expected {EXPECTED}.")
    return Spot(text, found[2], found[3], int(found[4] or 1), found[1] is not None)


def find_spot(story: Story, spot: Spot) -> tuple[Phase, int]:
    """Where that is: a phase, and how many of its moments are over.

    Raises:
        ValueError: The story has no such place; the message says what it has.
    """
    if spot.what in {"start", "end"}:
        return _end(story, Phase(spot.name), at_end=spot.what == "end")
    phase = {"making": Phase.FORWARD, "appending": Phase.SORT}.get(spot.what, Phase.BACKWARD)
    first, last = story.bounds(phase)
    if spot.what == "step":
        number = spot.number
        if not 1 <= number <= last - first:
            raise ValueError(f"there is no step {number}: the pass has {last - first}.")
    else:
        node = story.find(spot.name)
        if node is None:
            raise ValueError(no_node(story, spot.name))
        found = [
            at - first
            for at in range(first + 1, last + 1)
            if _is(story, story.moment(at), spot.what, node)
        ]
        if not 1 <= spot.number <= len(found):
            raise ValueError(_no_such(spot, len(found)))
        number = found[spot.number - 1]
    return phase, number - spot.before


def _end(story: Story, phase: Phase, *, at_end: bool) -> tuple[Phase, int]:
    first, last = story.bounds(phase)
    if first == last and phase is not Phase.BACKWARD:
        raise ValueError(f"nothing happens in the phase {phase.value} of this pass.")
    return phase, last - first if at_end else 0


def _no_such(spot: Spot, times: int) -> str:
    """That something does not happen, or not so often."""
    what = f"{spot.what} {shortened(spot.name)}"
    if not times:
        return f"{what} never happens in this pass."
    last = " once" if times == 1 else f" {times} times: the last is #{times}"
    return f"there is no #{spot.number}: {what} happens{last}."


def no_node(story: Story, name: str) -> str:
    """That a pass has no node of a name, which it has, and what somebody may have meant."""
    names = _names(story)
    close = difflib.get_close_matches(name, names, 1)
    meant = f" Did you mean {close[0]}?" if close else ""
    if "#" in name:
        meant = " Behind # there has to be a number, as in #2."
    more = f" and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
    has = f"{', '.join(names[:MOST_NAMES])}{more}"
    return f"there is no node {shortened(name)} in this pass; it has {has}.{meant}"


def _names(story: Story) -> list[str]:
    nodes = story.recording.nodes
    return list(dict.fromkeys(nodes[node].name for node in sorted(story.trace.initial)))


def _is(story: Story, moment: Moment | None, what: str, node: int) -> bool:
    """Whether that is what happens at a moment."""
    if moment is None:
        return False
    if what == "making":
        return moment.node == node
    if what == "appending":
        return moment.node == node and moment.act is Act.APPEND
    assert moment.step is not None
    step = story.trace.steps[moment.step]
    if what == "call of":
        return step.kind is Kind.CALL and step.node == node
    return step.kind is Kind.WRITE and step.target == node
