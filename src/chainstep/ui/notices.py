"""What the window has to say about the program as a whole: one notice, the weightiest."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.finding import KINDS
from chainstep.trace import Status
from chainstep.ui.session import View

if TYPE_CHECKING:
    from chainstep.finding import Finding
    from chainstep.ui.session import Session


class Level(Enum):
    """How weighty a notice is."""

    HINT = "hint"
    FOUND = "found"
    CHANGED = "changed"
    ERROR = "error"


@dataclass(frozen=True)
class Notice:
    """A notice.

    Attributes:
        level: How weighty it is.
        title: A few words; empty where the text says all.
        text: One or two sentences.
        line: The line of the program that it is about, from 1.
    """

    level: Level
    title: str
    text: str
    line: int | None = None


HIDDEN = "What is to come is hidden, everywhere, until you step to it."
PERFORMED = "The graph shows what you have run. Step shows the next thing, Back undoes, Esc leaves."
TITLES = {
    Status.EXCEPTION: "The program failed",
    Status.NO_GRAPH: "No graph",
    Status.TIMEOUT: "The program took too long",
    Status.MEMORY: "The program took too much memory",
    Status.OUTPUT: "The program printed too much",
    Status.TOO_LARGE: "The graph is too large",
    Status.CRASHED: "The program crashed",
    Status.STOPPED: "Stopped",
}


WITHOUT = {
    View.ACCUMULATE: "The view += hides",
    View.OVERWRITE: "The view = need not show",
    View.BOTH: "These two views need not show",
}


def failure(session: Session) -> Notice | None:
    """Why the run, or the pass on show, did not go to its end; None where it did."""
    recording = session.recording
    if recording is None:
        return None
    outcome = recording.outcome
    if outcome.status is not Status.OK:
        title = TITLES[outcome.status]
        if outcome.line is not None:
            title += f" in {recording.cells.spot(outcome.line)}"
        return Notice(Level.ERROR, title, outcome.message, outcome.line)
    error = session.primary.trace.error if session.primary else None
    if error is None:
        return None
    title = f"The backward pass broke off at step {error.step + 1}"
    return Notice(Level.ERROR, title, error.message, error.line)


def fault(session: Session) -> Notice | None:
    """What is wrong with a program of the user's own, and the key that shows it.

    An example says itself what to look for.
    """
    faults = session.checks.faults
    if not faults or session.unchanged_example is not None:
        return None
    chosen = session.checks.chosen
    first = chosen if chosen is not None and chosen in faults else faults[0]
    more = len(faults) - 1
    where = ""
    if first.line is not None and first.file == 0 and session.recording is not None:
        spot = session.recording.cells.spot(first.line)
        where = f"{spot[0].upper()}{spot[1:]}: "
    others = f" (and {more} more)" if more else ""
    hides = f"{WITHOUT[session.view]} it. " if _is_hidden(session, first) else ""
    title = f"{where}{KINDS[first.kind].title}{others}"
    return Notice(Level.FOUND, title, f"{hides}{_way(session)}", first.line)


def _is_hidden(session: Session, found: Finding) -> bool:
    """Whether the view on show may look right where the program, as written, is wrong."""
    report = session.checks.report
    if report is None or View.AS_WRITTEN not in session.views or session.view is View.AS_WRITTEN:
        return False
    from chainstep.verify import adding_hides  # noqa: PLC0415  not at start

    index = found.pass_index
    return adding_hides(
        each for each in report.gradients if index is None or each.pass_index == index
    )


def _way(session: Session) -> str:
    """Where the key for findings leads from here."""
    checks, keys = session.checks, session.keys
    if checks.chosen is None:
        return f"{keys['next_finding']} goes to where it shows."
    if len(checks.findings) > 1:
        return f"{keys['next_finding']} goes to the next finding."
    return f"{keys['finding_page']} says what it means."


def notice(session: Session) -> Notice:
    """What is to be said now."""
    if session.stale and not session.running:
        return Notice(
            Level.CHANGED,
            "The program changed",
            "The graph below is that of the text before: press "
            f"{session.keys['run']} to run it again.",
        )
    failed = failure(session)
    if failed is not None:
        return failed
    recording = session.recording
    said = " ".join(recording.notes) if recording else ""
    if session.hides and session.panes:
        return _hidden(session)
    found = fault(session)
    if found is not None:
        return found
    example = session.unchanged_example
    if example is not None:
        return Notice(Level.HINT, example.title, f"{example.look_for} {said}".strip())
    return Notice(Level.HINT, "", said or _what_to_do(session))


def _hidden(session: Session) -> Notice:
    """What is said in place of hints that may tell too much."""
    if session.engine.on:
        return Notice(Level.HINT, "You are the engine", PERFORMED)
    example = session.unchanged_example
    return Notice(Level.HINT, example.title if example else "", HIDDEN)


def _what_to_do(session: Session) -> str:
    keys = session.keys
    if session.panes:
        return (
            f"{keys['step_over']} runs one _backward, {keys['step_into']} makes one write, "
            f"{keys['back_over']} goes back."
        )
    if session.running:
        return f"The program runs. {keys['stop']} stops it."
    if session.program.text.strip():
        return f"{session.program.name} has not been run: {keys['run']} runs it."
    return "Choose an example, drop a file here, or type a program."
