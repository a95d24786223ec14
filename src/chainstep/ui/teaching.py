"""The lesson that is on: opened at its step, left when another program comes, and what was seen.

What comes after a position is hidden until the lesson's answer is on show: a question that the
window answers beside it is none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.lesson import Lesson, lessons, opening
from chainstep.ui.course import Place
from chainstep.ui.session import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.lesson import Fault
    from chainstep.settings import Settings
    from chainstep.trace import Order
    from chainstep.ui.files import Files
    from chainstep.ui.session import Session

ASKED = "It would tell the answer to the question that waits: answer or reveal that first."
PERFORMED = "It would tell what is still to be found out while you are the engine: Esc leaves."
UNSAVED = "Changes of the program are not saved: leave the lecture with Esc and save them first."


class Teaching(QObject):
    """Opens lessons.

    Args:
        session: Where they are opened.
        files: What opens their programs.
        settings: Where it is kept which were seen to their end.
    """

    changed = Signal()
    """Another lesson is on, or none; or its answer is shown, or no longer."""

    gallery_wanted = Signal()
    """All lessons are to be shown, or put away."""

    def __init__(self, session: Session, files: Files, settings: Settings) -> None:
        super().__init__(files)
        self._session = session
        self._files = files
        self._settings = settings
        self.lessons = lessons()
        self.current: Lesson | None = None
        """The lesson that is on; its `notes` are for the lecturer alone."""
        self.answered = False
        """Whether its answer is shown."""
        self.opens: Place | None = None
        """Where it opened; None before its program has been recorded."""
        self.until: Place | None = None
        """Where its answer has been seen, in the pass `pass_index` of its program."""
        self._due = self._hides_later = False
        self._order: Order | None = None
        session.opened.connect(self._leave_with_program)
        session.recording_changed.connect(self._arrive)
        session.prediction.changed.connect(self._fold)
        session.engine.changed.connect(self._fold)

    @property
    def done(self) -> frozenset[str]:
        """Names of the lessons whose answer has been seen."""
        return self._settings.lessons_done

    @property
    def pass_index(self) -> int:
        """The pass of its program that the lesson is about."""
        return 0 if self.current is None else self.current.pass_index

    # -- what the commands call ---------------------------------------------------------

    def open(self, lesson: Lesson) -> None:
        """Open a lesson, once the open program may go. It is ours, so it runs at once."""
        self._files.leave(lambda: self._begin(lesson))

    def _begin(self, lesson: Lesson) -> None:
        session = self._session
        if self._order is None:
            self._order = session.order
        self.current, self.answered, self._due = lesson, False, True
        self.opens = self.until = None
        self._files.show(lesson.program, run=False)
        session.hide(True, by=self)
        session.set_options(replace(session.options, order=lesson.order), runs_again=False)
        session.set_view(View(lesson.view))
        self.changed.emit()
        self._tell(lesson, lesson.faults)
        if lesson.program.text:
            session.run()

    def _tell(self, lesson: Lesson, faults: Sequence[Fault]) -> None:
        """Say what is wrong in a lesson's file; the rest of it is on show."""
        if faults:
            self._files.failed.emit("\n".join(lesson.told(faults)))

    def step(self, by: int) -> None:
        """Open the next lesson, or the one before."""
        self.open(self.lessons[self._place() + by])

    def why_no_step(self, by: int) -> str:
        """Why there is no next lesson, or none before; empty where there is."""
        if self.current is None:
            return self.why_not()
        if self.current not in self.lessons:
            return "This lesson is a file of its own: none comes before or after it."
        if 0 <= self._place() + by < len(self.lessons):
            return ""
        return f"This is the {'last' if by > 0 else 'first'} lesson."

    def why_asks(self) -> str:
        """Why another lesson cannot be opened without a question first; empty where it can."""
        return UNSAVED if self._files.modified else ""

    def _place(self) -> int:
        assert self.current is not None
        return self.lessons.index(self.current)

    def toggle_answer(self) -> None:
        """Show the answer, or hide it again."""
        if self.current is None:
            return
        self.answered = not self.answered
        if self.answered:
            self._settings.lessons_done = self.done | {self.current.name}
        self._session.hide(not self.answered, by=self)
        self.changed.emit()

    def why_no_answer(self) -> str:
        """Why the answer cannot be shown or hidden now; empty where it can.

        It may tell what somebody is asked at the moment.
        """
        engine = self._session.engine
        if self.current is None:
            return self.why_not()
        if engine.on and not engine.finished:
            return PERFORMED
        return ASKED if self._session.prediction.question is not None else ""

    def _fold(self) -> None:
        """The answer is part of what is to come: hide it, and that, once something is asked."""
        if self.answered and self.why_no_answer():
            self.answered, self._hides_later = False, True
            self.changed.emit()
        # Hiding would end the pass that somebody runs, and that hides by itself.
        if self._hides_later and not self._session.engine.on:
            self._hides_later = False
            self._session.hide(self.current is not None, by=self)

    def leave(self) -> None:
        """End the lesson; its program stays."""
        self.current, self.answered, self._due = None, False, False
        self._session.hide(False, by=self)
        self.opens = self.until = None
        if self._order is not None:
            order, self._order = self._order, None
            options = replace(self._session.options, order=order)
            self._session.set_options(options, runs_again=False)
        self.changed.emit()

    def why_not(self) -> str:
        """Why nothing can be done with a lesson; empty where one is on."""
        key = self._session.keys["lessons"]
        return "" if self.current is not None else f"No lesson is on: {key} shows them."

    @property
    def place(self) -> str:
        """`Lesson 3 of 17`; without numbers for a lesson that is a file of its own."""
        if self.current not in self.lessons:
            return "Lesson"
        return f"Lesson {self._place() + 1} of {len(self.lessons)}"

    # -- what the session tells ---------------------------------------------------------

    def _leave_with_program(self) -> None:
        """Another program is open: the lesson is over."""
        session, lesson = self._session, self.current
        # An example may be the very program of the lesson.
        if lesson is not None and (session.example or session.program != lesson.program):
            self.leave()

    def _arrive(self) -> None:
        """Its program has been recorded: go to the place that it speaks of."""
        session, lesson = self._session, self.current
        recording = session.whole_recording
        if not self._due or lesson is None or recording is None:
            return
        self._due = False
        found = opening(lesson, recording)
        if found is None:
            return
        if found.faults:
            self._tell(lesson, (*lesson.faults, *found.faults))
        session.set_pass(found.pass_index)
        self.opens, self.until = Place(*found.place), Place(*found.until)
        session.go(self.opens)
        self.opens = session.place
        session.select(found.selected)
