"""The lesson that is on: its idea and question, the answer when asked for, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui.buttons import Button
from chainstep.ui.fitted import Fitted
from chainstep.ui.fonts import set_markdown
from chainstep.ui.spoken import announce
from chainstep.ui.theme import LARGE, PLAIN

if TYPE_CHECKING:
    from chainstep.lesson import Lesson
    from chainstep.ui.actions import Actions
    from chainstep.ui.teaching import Teaching
    from chainstep.ui.theme import Look


SHARE = 0.16
"""Of the height of the window that its words take at the most; what is longer can be scrolled."""
LEAST = 2.4
"""Lines of them that are in sight in any window."""


class Words(QScrollArea):
    """The words of a lesson, to be scrolled where they are longer than there is room.

    Args:
        title: Stands above them, as far as it is part of them.
    """

    def __init__(self, title: QLabel | None = None) -> None:
        super().__init__()
        self.idea, self.question = label("lesson_idea"), label("lesson_question")
        self.answer, self.takeaway = label("lesson_answer"), label("lesson_takeaway")
        self.labels = [self.idea, self.question, self.answer, self.takeaway]
        self.labels[:0] = [] if title is None else [title]
        self._inside = QWidget()
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3)
        for each in self.labels:
            self._column.addWidget(each)
        if title is not None:
            # Clear of the frame that says where the keyboard is.
            self._column.setContentsMargins(6, 4, 6, 4)
            self._column.addStretch(1)
        self.setWidget(self._inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Lesson, its words")

    def take(self, lesson: Lesson, *, answered: bool, only_question: bool = False) -> None:
        """Say what there is to be said of a lesson now."""
        set_markdown(self.idea, lesson.idea)
        set_markdown(self.question, f"**Question.** {lesson.question}")
        set_markdown(self.answer, f"**Answer.** {lesson.answer}" if answered else "")
        set_markdown(self.takeaway, f"Take away: {lesson.takeaway}" if answered else "")
        self.idea.setHidden(only_question)
        for each in (self.answer, self.takeaway):
            each.setVisible(answered and not only_question)

    def show_from(self, start: QLabel) -> None:
        """Scroll to where one of them begins."""
        # Words that have just been said have no place yet.
        self._inside.adjustSize()
        self.verticalScrollBar().setValue(start.y())

    def text(self) -> str:
        """All of them, a line each, as far as they say anything."""
        return "\n".join(each.text() for each in self.labels if each.text())

    def needed(self, width: int) -> int:
        """How high all of them are at a width, in pixels."""
        shown = [each.heightForWidth(width) for each in self.labels if not each.isHidden()]
        return sum(shown) + self._column.spacing() * (len(shown) - 1)


def label(name: str) -> QLabel:
    """An empty text of a lesson."""
    made = QLabel()
    made.setObjectName(name)
    made.setTextFormat(Qt.TextFormat.MarkdownText)
    made.setWordWrap(True)
    return made


def lesson_buttons(actions: Actions, look: Look) -> list[Button]:
    """What can be done with the lesson that is on: its answer, the way on, and out of it."""
    texts = {
        "show_answer": "Show answer",
        "previous_lesson": "Previous",
        "next_lesson": "Next",
        "leave_lesson": "Leave",
    }
    buttons = [Button(actions[id_], look, text) for id_, text in texts.items()]
    for button in buttons:
        button.small = True
    return buttons


def name_answer(button: Button, *, answered: bool) -> None:
    """Say on the first of them what it does now."""
    text = "Hide answer" if answered else "Show answer"
    button.set_face(text, button.key, button.icon_name)


def lesson_sheet(look: Look, *, is_strip: bool = False) -> str:
    """How a lesson looks."""
    p, px = look.palette, look.px
    return (
        f"#lesson {{ background: {p.target_tint}; border-bottom: 1px solid {p.rule}; }}"
        "#lesson QScrollArea, #lesson QScrollArea > QWidget > QWidget"
        " { background: transparent; border: none; }"
        f"#lesson QScrollArea:focus {{ border: 2px solid {p.focus}; }}"
        f"#lesson QLabel {{ color: {p.text}; font-size: {px(PLAIN)}px; }}"
        f"#lesson #lesson_title {{ font-size: {px(LARGE)}px; font-weight: 600; }}"
        f"#lesson #lesson_question {{ font-size: {px(PLAIN if is_strip else LARGE)}px; }}"
        f"#lesson #lesson_takeaway {{ font-weight: 600; }}"
    )


def tell(widget: QWidget, words: str) -> None:
    """Let screen readers have what a widget says, and hear it where it says something new."""
    if widget.isVisible() and words != widget.accessibleDescription():
        announce(widget, words.replace("\n", " "))
    widget.setAccessibleDescription(words)


def heading(teaching: Teaching, lesson: Lesson) -> str:
    """Which lesson it is, and whether its answer has been seen."""
    seen = "  ✓ seen" if lesson.name in teaching.done else ""
    return f"{teaching.place}: {lesson.title}{seen}"


class LessonBar(Fitted):
    """Hidden while no lesson is on.

    Args:
        teaching: What it speaks of.
        actions: Where the buttons get what they do.
        look: Colours and scale.
    """

    def __init__(self, teaching: Teaching, actions: Actions, look: Look) -> None:
        super().__init__()
        self._teaching = teaching
        self._look = look
        self._is_strip = self._gives_way = False
        self.setObjectName("lesson")
        self.setAccessibleName("Lesson")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.title = label("lesson_title")
        self.words = Words()
        self.buttons = lesson_buttons(actions, look)
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(self.title, 1)
        for button in self.buttons:
            top.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 5, 12, 7)
        column.setSpacing(3)
        column.addLayout(top)
        column.addWidget(self.words)
        teaching.changed.connect(self._take)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.setStyleSheet(lesson_sheet(look, is_strip=self._is_strip))
        for button in self.buttons:
            button.set_look(look)
        self._take()

    def set_room(self, *, is_strip: bool, gives_way: bool) -> None:
        """Say no more than the question, or nothing, where all of it stands in a column."""
        if (is_strip, gives_way) != (self._is_strip, self._gives_way):
            self._is_strip, self._gives_way = is_strip, gives_way
            self.set_look(self._look)

    def text(self) -> str:
        """What it says now, and what can be scrolled to."""
        return "\n".join(filter(None, (self.title.text(), self.words.text())))

    def _take(self) -> None:
        teaching, lesson = self._teaching, self._teaching.current
        self.setVisible(lesson is not None and not self._gives_way)
        if lesson is None:
            return
        set_markdown(self.title, heading(teaching, lesson))
        for widget in (self.title, *self.buttons):
            widget.setHidden(self._is_strip)
        answered = teaching.answered
        self.words.take(lesson, answered=answered, only_question=self._is_strip)
        name_answer(self.buttons[0], answered=answered)
        tell(self, self.text())
        self._fit()

    def _fit(self) -> None:
        """Leave the graph its room: be as high as the words, or let them be scrolled."""
        column = self.layout()
        assert column is not None
        margins = column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        if width <= 1 or self._teaching.current is None:
            return
        needed = self.words.needed(width)
        least = LEAST * self.words.question.fontMetrics().lineSpacing()
        most = round(max(SHARE * self.window().height(), least))
        self.words.setFixedHeight(min(needed, most))
        # Keys get there where there is something to be scrolled.
        scrolls = needed > most
        policy = Qt.FocusPolicy
        self.words.setFocusPolicy(policy.StrongFocus if scrolls else policy.NoFocus)
