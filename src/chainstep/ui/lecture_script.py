"""What a lecture says, in what order: a lesson from its idea to its take-away, or each step.

One key leads through all of it, so that a clicker is enough.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from chainstep.lesson import Lesson
    from chainstep.ui.session import Session
    from chainstep.ui.teaching import Teaching

_MARKUP = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*")


class Page(Enum):
    """What of a lesson is on show."""

    IDEA = "idea"
    QUESTION = "question"
    STEPS = "steps"
    ANSWER = "answer"
    TAKEAWAY = "take away"
    OVER = "over"


PAGES = tuple(Page)
AFTER = (Page.ANSWER, Page.TAKEAWAY, Page.OVER)
"""Pages on which the answer is known."""


class LectureScript(QObject):
    """Where a lecture stands.

    Args:
        session: What is stepped through.
        teaching: The lesson that is on, if any.
    """

    changed = Signal()
    """Another page is on show."""

    def __init__(self, session: Session, teaching: Teaching) -> None:
        super().__init__(teaching)
        self._session = session
        self._teaching = teaching
        self._lesson: Lesson | None = None
        self.page = Page.STEPS
        """What of the lesson is on show; the steps where none is on."""
        teaching.changed.connect(self._taught)
        session.position_changed.connect(self._moved)

    def begin(self) -> None:
        """A lecture begins: a lesson that stands where it opened begins with its idea."""
        teaching = self._teaching
        self._lesson = teaching.current
        opens = teaching.opens is None or teaching.opens == self._session.place
        fresh = self._lesson is not None and opens and not teaching.answered
        self._turn(Page.IDEA if fresh else Page.STEPS)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson that is on."""
        return self._teaching.current

    # -- the way ------------------------------------------------------------------------

    def forward(self) -> None:
        """The next page, or within the steps the next one."""
        if self._is_coming():
            return
        page = self.page
        if page is Page.OVER:
            if not self._why_no_next():
                self._teaching.step(1)
        elif page is Page.STEPS and (self._lesson is None or not self._is_seen()):
            self._session.step_into()
        else:
            after = PAGES[PAGES.index(page) + 1]
            self._turn(Page.ANSWER if after is Page.STEPS and self._is_seen() else after)

    def back(self) -> None:
        """The page before, or within the steps the one before."""
        if self._is_coming():
            return
        if self.page is Page.STEPS:
            at_start = self._lesson is not None and self._session.place == self._teaching.opens
            if at_start and not self._is_asked():
                self._turn(Page.QUESTION)
            else:
                self._session.back_into()
        elif self.page is not Page.IDEA:
            before = PAGES[PAGES.index(self.page) - 1]
            if before is Page.STEPS and self._session.place == self._teaching.opens:
                before = Page.QUESTION
            self._turn(before)

    def _is_coming(self) -> bool:
        """Whether the lesson's program still runs: whoever presses on would miss its question."""
        opens = self._teaching.opens
        return self._lesson is not None and opens is None and self._session.running

    def _is_asked(self) -> bool:
        session = self._session
        performs = session.engine.on and not session.engine.finished
        return performs or session.prediction.question is not None

    def _is_seen(self) -> bool:
        """Whether the steps have shown what the answer says."""
        session, until = self._session, self._teaching.until
        course = session.course
        if self._is_asked() or course is None:
            return False
        if session.at_end:
            return True
        return (
            until is not None
            and session.pass_index == self._teaching.pass_index
            and session.position >= course.position(until)
        )

    def _why_no_next(self) -> str:
        """Why the next lesson cannot be opened; empty where it can, without any question."""
        return self._teaching.why_no_step(1) or self._teaching.why_asks()

    # -- what happens -------------------------------------------------------------------

    def _turn(self, page: Page) -> None:
        self.page = page
        if self._lesson is not None and (page in AFTER) is not self._teaching.answered:
            self._teaching.toggle_answer()
        self.changed.emit()

    def _moved(self) -> None:
        """Whoever goes elsewhere before the first step is among the steps."""
        opens = self._teaching.opens
        if self.page in (Page.IDEA, Page.QUESTION) and opens not in (None, self._session.place):
            self._turn(Page.STEPS)

    def _taught(self) -> None:
        teaching = self._teaching
        if teaching.current is not self._lesson:
            self._lesson = teaching.current
            self._turn(Page.STEPS if self._lesson is None else Page.IDEA)
        elif self._lesson is not None and teaching.answered is not (self.page in AFTER):
            self._turn(Page.ANSWER if teaching.answered else Page.STEPS)

    # -- words --------------------------------------------------------------------------

    def words(self) -> tuple[str, str] | None:
        """(the sentence, what it means) of a page of the lesson; None among the steps."""
        lesson, place = self._lesson, self._teaching.place
        if lesson is None or self.page is Page.STEPS:
            return None
        if self.page is Page.OVER:
            return self._over(lesson)
        return {
            Page.IDEA: (f"{place}: {plain(lesson.title)}", plain(lesson.idea)),
            Page.QUESTION: (f"Question: {plain(lesson.question)}", ""),
            Page.ANSWER: (f"Answer: {plain(lesson.answer)}", ""),
            Page.TAKEAWAY: (f"Take away: {plain(lesson.takeaway)}", ""),
        }[self.page]

    def _over(self, lesson: Lesson) -> tuple[str, str]:
        teaching = self._teaching
        why_not = self._why_no_next()
        if why_not:
            return "The lesson is over.", why_not
        after = teaching.lessons[teaching.lessons.index(lesson) + 1]
        return f"Next: {plain(after.title)}", f"{teaching.place} is over."

    def coming(self) -> str:
        """What the key that leads on does, where that is no step."""
        if self._is_asked():
            return "The right answer is shown."
        if self._lesson is None:
            return ""
        page = self.page
        if page is Page.STEPS or (page is Page.QUESTION and self._is_seen()):
            return "The answer of the lesson." if self._is_seen() else ""
        if page is Page.OVER:
            return self._why_no_next() or "The next lesson opens."
        return {
            Page.IDEA: "The question.",
            Page.QUESTION: "",
            Page.ANSWER: "What to take away.",
            Page.TAKEAWAY: "The end of the lesson.",
        }[page]


def plain(text: str) -> str:
    """What a text of a lesson says, without its Markdown."""
    return " ".join(_MARKUP.sub(lambda found: found[1] or found[2], text).split())
