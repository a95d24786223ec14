"""Whether lessons are written as they should be: each is read, its program run, its place found."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chainstep.lesson import Fault, opening, read_lesson
from chainstep.options import Options
from chainstep.runner import run
from chainstep.trace import Status

if TYPE_CHECKING:
    from chainstep.lesson import Lesson
    from chainstep.trace import Outcome

_LINE = re.compile(r"\bline (\d+)")


def faults_of(lesson: Lesson) -> list[str]:
    """All that is wrong with a lesson, in the order of the lines of its file."""
    faults = list(lesson.faults)
    if lesson.program.text:
        recording = run(lesson.program, Options(order=lesson.order))
        outcome = recording.outcome
        found = opening(lesson, recording)
        if outcome.status is not Status.OK:
            faults.append(_failure(lesson, outcome))
        elif found is None:
            faults.append(lesson.fault("program", "the program makes no graph: it needs a Value."))
        else:
            faults += found.faults
    return lesson.told(faults)


def _failure(lesson: Lesson, outcome: Outcome) -> Fault:
    """That the program fails, in the lines of the lesson's file where it stands in that."""
    above, said = lesson.above, outcome.message
    if above is not None:
        said = _LINE.sub(lambda found: f"line {int(found[1]) + above}", said)
    words = f"the program ends with {outcome.status.value}: {said}"
    if above is None or outcome.line is None:
        return lesson.fault("program", words)
    return Fault(outcome.line + above, words)


def vet(path: str) -> list[str]:
    """All that is wrong with the lesson in a file.

    Raises:
        ProgramError: The file cannot be read.
    """
    return faults_of(read_lesson(path))
