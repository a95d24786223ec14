"""Where a lesson stands: above everything, or where the window is low in a column of its own.

Then a strip with its question stays above the other columns, so that the question and the graph are
in sight together; unless something else is asked there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.ui.folding import GRAPH, LESSON

if TYPE_CHECKING:
    from chainstep.lesson import Lesson
    from chainstep.ui.folding import Folding
    from chainstep.ui.lesson_bar import LessonBar
    from chainstep.ui.lesson_page import LessonPage
    from chainstep.ui.question_bar import QuestionBar
    from chainstep.ui.session import Session
    from chainstep.ui.teaching import Teaching


class LessonRoom(QObject):
    """Gives a lesson its place, and brings it into sight when it has something new to say.

    Args:
        session: What is stepped through.
        teaching: The lesson that is on, if any.
        folding: The columns.
        bar: The lesson above them.
        page: The lesson as one of them.
        questions: What else is asked.
    """

    left = Signal()
    """The keyboard was on the page, and the graph is to be in front again."""

    def __init__(
        self,
        session: Session,
        teaching: Teaching,
        folding: Folding,
        bar: LessonBar,
        page: LessonPage,
        questions: QuestionBar,
    ) -> None:
        super().__init__(folding)
        self._session, self._teaching, self._folding = session, teaching, folding
        self._bar, self._page, self._questions = bar, page, questions
        self._told: tuple[Lesson | None, bool] = (None, False)
        teaching.changed.connect(self._say)
        for signal in (session.position_changed, session.prediction.changed):
            signal.connect(self._look_on)
        for signal in (folding.changed, session.prediction.changed, session.engine.changed):
            signal.connect(self._share)

    def _say(self) -> None:
        """Another lesson is on, or its answer is shown: that is to be read first."""
        before, self._told = self._told, (self._teaching.current, self._teaching.answered)
        self._share()
        lesson, answered = self._told
        if lesson is not None and (lesson is not before[0] or answered > before[1]):
            if self._folding.is_low:
                self._folding.bring(LESSON)
                self._page.words.setFocus()
            self._page.show_from(answer=answered)

    def _look_on(self) -> None:
        """Whoever steps on, or is asked what comes next, looks at the graph."""
        session = self._session
        moved = self._teaching.opens not in (None, session.place)
        if self._folding.in_front != LESSON:
            return
        if moved or session.prediction.question is not None:
            had_focus = self._page.words.hasFocus()
            self._folding.bring(GRAPH)
            if had_focus:
                self.left.emit()

    def _share(self) -> None:
        is_on, is_low = self._teaching.current is not None, self._folding.is_low
        is_asked = self._session.sheet() is not None
        self._folding.offer(LESSON, wanted=is_on and is_low)
        in_front = self._folding.in_front == LESSON
        self._bar.set_room(is_strip=is_low, gives_way=is_low and (is_asked or in_front))
        self._questions.set_beside_lesson(is_on and not is_low)
