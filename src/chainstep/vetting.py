"""Whether lessons are written as they should be: each is read, its program run, its place found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.errors import LessonError
from chainstep.lesson import opening, read_lesson
from chainstep.options import Options
from chainstep.runner import run
from chainstep.trace import Status

if TYPE_CHECKING:
    from chainstep.lesson import Lesson
    from chainstep.trace import Recording


def fault_of(lesson: Lesson) -> str | None:
    """What is wrong with a lesson that could be read; None where nothing is."""
    try:
        recording = run(lesson.program, Options(order=lesson.order))
        _hold_run_against(lesson, recording)
        opening(lesson, recording)
    except LessonError as error:
        return str(error)
    return None


def _hold_run_against(lesson: Lesson, recording: Recording) -> None:
    outcome = recording.outcome
    if outcome.status is not Status.OK:
        message = f"the program ends with {outcome.status.value}: {outcome.message}"
        raise lesson.fault("program", message)
    if not recording.traces:
        raise lesson.fault("program", "the program makes no graph: it needs a Value.")


def vet(path: str) -> str | None:
    """What is wrong with the lesson in a file; None where nothing is.

    Raises:
        ProgramError: The file cannot be read.
    """
    try:
        return fault_of(read_lesson(path))
    except LessonError as error:
        return str(error)
