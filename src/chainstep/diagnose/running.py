"""How the run itself ended (CS6xx)."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.trace import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case
    from chainstep.finding import Finding

READS_INPUT = re.compile(r"reads standard input(?: in line (\d+))?")
COMPILED = ("Python cannot read the program", "SyntaxError", "IndentationError", "TabError")

ENDINGS = {
    Status.NO_GRAPH: (
        "no-value",
        "Make a Value with data, grad and its operands, and compute something from it.",
    ),
    Status.MEMORY: ("memory", "Make the data smaller, or give more with --memory."),
    Status.OUTPUT: ("output-flood", "Print less, or give more room with --output."),
    Status.CRASHED: ("hard-exit", "Let the program run to its end instead."),
}


def ending(case: Case) -> Iterator[Finding]:
    """The outcome of the run, where it is not that the program ran to its end."""
    outcome = case.recording.outcome
    place = Place(outcome.line)
    if outcome.status in ENDINGS:
        kind, remedy = ENDINGS[outcome.status]
        yield case.find(kind, outcome.message, remedy, place)
    elif outcome.status is Status.TIMEOUT:
        loop = _endless_loop(case)
        yield case.find(
            "infinite-loop",
            outcome.message,
            "See that the condition of the loop can become false, or give more time with --time.",
            Place(loop) if loop is not None else place,
        )
    elif outcome.status is Status.EXCEPTION:
        yield _exception(case, place)


def _exception(case: Case, place: Place) -> Finding:
    outcome = case.recording.outcome
    if COMPILED[0] in outcome.message or outcome.message.startswith(COMPILED[1:]):
        return case.find("syntax-error", outcome.message, "Mend the line that is named.", place)
    if outcome.message.startswith("SystemExit"):
        return case.find(
            "exit-code",
            outcome.message,
            "End with sys.exit(0), or without it, where nothing went wrong.",
            place,
        )
    passes = len(case.written)
    came = f" {passes} backward pass{'es' if passes > 1 else ''} had been made." if passes else ""
    return case.find(
        "exception-midway",
        f"{outcome.message}{came}",
        "Mend that line; what was recorded before it is shown.",
        place,
    )


def _endless_loop(case: Case) -> int | None:
    """The line of the loop that did not end: the outermost call that stands in one, while first."""
    frames = [frame for failure in case.evidence.failures for frame in failure.frames]
    lines = [frame.line for frame in frames if frame.file == 0]
    if case.recording.outcome.line is not None:
        lines.append(case.recording.outcome.line)
    for kinds in ((ast.While,), (ast.For, ast.AsyncFor)):
        for line in lines:
            loop = case.syntax.loop(line, kinds)
            if loop is not None:
                return loop.lineno
    return None


def reads_input(case: Case) -> Iterator[Finding]:
    """The program waits for somebody to type."""
    for note in case.recording.notes:
        found = READS_INPUT.search(note)
        if found is not None:
            line = int(found[1]) if found[1] else case.recording.outcome.line
            yield case.find(
                "needs-input",
                note,
                "Write the value into the program instead of asking for it.",
                Place(line),
            )
            return


RULES = (ending, reads_input)
