"""What is on show, in words: the same for a panel, a picture and those who hear the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.story import Grain, Phase
from chainstep.trace import Mode
from chainstep.ui.course import Course

if TYPE_CHECKING:
    from chainstep.explain import Explanation
    from chainstep.rendition import Told
    from chainstep.ui.course import Place
    from chainstep.ui.flow import Flow
    from chainstep.ui.session import Pane, Session
    from chainstep.visible import Visible

OTHER = {Mode.ACCUMULATE: Mode.OVERWRITE, Mode.OVERWRITE: Mode.ACCUMULATE}


def leading(title: str) -> str:
    """A title as what a formula follows: with a colon, with a full stop where it has a colon."""
    return f"{title}{'.' if ':' in title else ':'}"


def tell(session: Session, pane: Pane | None = None) -> Explanation | None:
    """What is to be said about the place of the session; None where there is no pass.

    Args:
        session: Where it stands.
        pane: Whose place to speak of; the upper one by default.
    """
    pane = pane or session.primary
    if pane is None:
        return None
    # Brings the table of operations, which no window needs to be painted.
    from chainstep.narration import begin, narrate  # noqa: PLC0415

    other = OTHER.get(pane.mode)
    stepper = session.stepper(other) if other else None
    beside = stepper.trace if stepper is not None else None
    phase, number = session.place_in(pane.mode)
    if number == 0:
        return begin(pane.story, phase, beside)
    return narrate(pane.story, pane.story.bounds(phase)[0] + number, beside)


def tell_all(session: Session) -> Told | None:
    """The step with its gate, and the chain rule of the node that is selected."""
    told, pane, graph = tell(session), session.primary, session.graph
    if told is None or pane is None or graph is None:
        return None
    # See above.
    from chainstep.chainrule import chain_rule  # noqa: PLC0415
    from chainstep.formula import called  # noqa: PLC0415
    from chainstep.gates import Remark, remark  # noqa: PLC0415
    from chainstep.rendition import Told  # noqa: PLC0415

    said = Remark()
    position = session.place_in(pane.mode).number if session.phase is Phase.BACKWARD else 0
    if position:
        said = remark(pane.story.recording, graph, pane.trace, position)
    if session.selected is None:
        return Told(told, said)
    nodes = pane.story.recording.nodes
    rule = chain_rule(graph, nodes, pane.trace, position, session.selected)
    return Told(told, said, rule, called(nodes[session.selected]))


def ahead(session: Session) -> Explanation | None:
    """What the next moment will be, hidden or not; None where no step leads on."""
    story = session.whole_story
    if story is None:
        return None
    place = Course(story, session.skipped).next(session.place, Grain.INTO)
    if place == session.place:
        return None
    from chainstep.narration import begin, narrate  # noqa: PLC0415  see above

    if place.number == 0:
        return begin(story, place.phase)
    return narrate(story, story.bounds(place.phase)[0] + place.number)


def void(session: Session) -> str:
    """What stands where there is no graph: what is to be done or waited for."""
    if session.running:
        return f"{session.program.name} is running."
    if session.recording is None:
        return f"Run the program ({session.keys['run']}) to see its graph."
    return session.recording.outcome.message or "The program made no graph."


def facts(visible: Visible, flow: Flow | None) -> list[str]:
    """What is to be known of a drawing, as lines: what is lit, and what has no card."""
    lines = [] if flow is None else [flow.words(visible.graph)]
    parts = []
    if visible.constants:
        plural = "constant" if visible.constants == 1 else "constants"
        parts.append(f"{visible.constants} {plural} hidden")
    if visible.folded:
        plural = "node" if visible.folded == 1 else "nodes"
        parts.append(f"{visible.folded} helper {plural} folded")
    return [*lines, " · ".join(parts)] if parts else lines


def kind_of(phase: Phase) -> str:
    """What the places of a phase are called."""
    return {Phase.FORWARD: "Value", Phase.SORT: "Sort", Phase.BACKWARD: "Step"}[phase]


def where(course: Course | None, place: Place) -> str:
    """A place in a few words: `Step 3 of 12`."""
    if course is None:
        return "No steps"
    return f"{kind_of(place.phase)} {place.number} of {course.size(place.phase)}"
