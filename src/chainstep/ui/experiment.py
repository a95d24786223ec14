"""The same training loop, run again without zeroing (or with it), or with its updates mirrored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.program import Program
from chainstep.training import direction, iterations, zeroes
from chainstep.ui.beside import Beside

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.options import Options
    from chainstep.trace import Recording
    from chainstep.ui.delivery import RunHandle
    from chainstep.ui.session import Session

WAYS = {"against": "along", "along": "against", "both": "mirrored"}
"""Which way updates go once they are turned round."""


class Experiment(QObject):
    """Two switches, and the run that is made with them. What is on show stays as it is.

    Both are off again as soon as another recording is on show: they belong to the one they were
    tried with.

    Args:
        session: Whose program is run.
        runner: Makes the run.
    """

    changed = Signal()
    """A switch was turned, or the run beside has ended."""

    def __init__(self, session: Session, runner: Callable[[Program, Options], RunHandle]) -> None:
        super().__init__(session)
        self._session = session
        self._beside = Beside(runner, self)
        self._of: Recording | None = None
        self.switches_zeroing = False
        self.mirrors = False
        self.recording: Recording | None = None
        """What the run beside left; None while there is none."""
        session.recording_changed.connect(self._follow)

    @property
    def running(self) -> bool:
        """Whether the run beside is on."""
        return self._beside.running

    @property
    def is_on(self) -> bool:
        """Whether anything is made otherwise."""
        return self.switches_zeroing or self.mirrors

    # -- words --------------------------------------------------------------------------

    @property
    def zeroing_words(self) -> str:
        """What turning the first switch does: `without zeroing`, or `with zeroing`."""
        recording = self._session.whole_recording
        return "with zeroing" if recording and not zeroes(recording) else "without zeroing"

    @property
    def update_words(self) -> str:
        """What turning the second switch does: `updates along the gradient`."""
        recording = self._session.whole_recording
        way = WAYS.get(direction(recording) if recording else "against", "along")
        return "updates mirrored" if way == "mirrored" else f"updates {way} the gradient"

    @property
    def words(self) -> str:
        """What is made otherwise."""
        said = (
            (self.switches_zeroing, self.zeroing_words),
            (self.mirrors, self.update_words),
        )
        return ", ".join(words for on, words in said if on)

    def why_not(self) -> str:
        """Why the program cannot be run otherwise; empty where it can."""
        recording = self._session.whole_recording
        if recording is None:
            return "Nothing is recorded yet: run the program first."
        if not iterations(recording):
            return "The program calls no backward(), so nothing is updated between passes."
        if not direction(recording):
            return "The program changes no data by their gradients, so there is no training loop."
        return ""

    # -- switches -----------------------------------------------------------------------

    def switch_zeroing(self) -> None:
        """Run without the program's zeroing, or with zeroing where it has none; or no longer."""
        self.switches_zeroing = not self.switches_zeroing
        self._run()

    def switch_update(self) -> None:
        """Run with every update turned round, or no longer."""
        self.mirrors = not self.mirrors
        self._run()

    def _run(self) -> None:
        self._beside.stop()
        self.recording = None
        recording = self._session.whole_recording
        self._of = recording
        if recording is not None and self.is_on:
            own = self._session.program
            program = Program(recording.program, recording.source, own.path)
            zeroing = None
            if self.switches_zeroing:
                zeroing = not zeroes(recording)
            options = replace(
                self._session.options, zeroing=zeroing, mirrored=self.mirrors, check=False
            )
            self._beside.start(program, options, self._take)
        self.changed.emit()

    def _take(self, recording: Recording) -> None:
        self.recording = recording
        self.changed.emit()

    def _follow(self) -> None:
        """Another recording: what was tried with the one before is over."""
        if self._session.whole_recording is not self._of and self.is_on:
            self.switches_zeroing = self.mirrors = False
            self._run()

    def close(self, timeout_s: float) -> None:
        """Stop what runs."""
        self._beside.close(timeout_s)
