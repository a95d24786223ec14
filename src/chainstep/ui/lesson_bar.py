"""The lesson that is on: its idea and question, the answer when asked for, and the way on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
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
from chainstep.ui.fonts import set_markdown
from chainstep.ui.spoken import announce
from chainstep.ui.theme import LARGE, PLAIN

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from chainstep.ui.actions import Actions
    from chainstep.ui.teaching import Teaching
    from chainstep.ui.theme import Look


SHARE = 0.16
"""Of the height of the window that its words take at the most; what is longer can be scrolled."""
LEAST = 2.4
"""Lines of them that are in sight in any window."""


class LessonBar(QWidget):
    """Hidden while no lesson is on.

    Args:
        teaching: What it speaks of.
        actions: Where the buttons get what they do.
        look: Colours and scale.
    """

    def __init__(self, teaching: Teaching, actions: Actions, look: Look) -> None:
        super().__init__()
        self._teaching = teaching
        self.setObjectName("lesson")
        self.setAccessibleName("Lesson")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.title = self._label("lesson_title")
        self.idea = self._label("lesson_idea")
        self.question = self._label("lesson_question")
        self.answer = self._label("show_answer")
        self.takeaway = self._label("lesson_takeaway")
        self._inside = QWidget()
        words = QVBoxLayout(self._inside)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(3)
        for label in (self.idea, self.question, self.answer, self.takeaway):
            words.addWidget(label)
        self.words = QScrollArea()
        self.words.setWidget(self._inside)
        self.words.setWidgetResizable(True)
        self.words.setFrameShape(QFrame.Shape.NoFrame)
        self.words.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.words.setAccessibleName("Lesson, its words")
        self.buttons = [
            Button(actions["show_answer"], look, "Show answer"),
            Button(actions["previous_lesson"], look, "Previous"),
            Button(actions["next_lesson"], look, "Next"),
            Button(actions["leave_lesson"], look, "Leave"),
        ]
        top = QHBoxLayout()
        top.setSpacing(6)
        top.addWidget(self.title, 1)
        for button in self.buttons:
            button.small = True
            top.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 5, 12, 7)
        column.setSpacing(3)
        column.addLayout(top)
        column.addWidget(self.words)
        teaching.changed.connect(self._take)
        self.set_look(look)

    def _label(self, name: str) -> QLabel:
        label = QLabel()
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.MarkdownText)
        label.setWordWrap(True)
        return label

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p, px = look.palette, look.px
        self.setStyleSheet(
            f"#lesson {{ background: {p.target_tint}; border-bottom: 1px solid {p.rule}; }}"
            "#lesson QScrollArea, #lesson QScrollArea > QWidget > QWidget"
            " { background: transparent; }"
            f"#lesson QScrollArea:focus {{ border: 2px solid {p.focus}; }}"
            f"#lesson QLabel {{ color: {p.text}; font-size: {px(PLAIN)}px; }}"
            f"#lesson #lesson_title {{ font-size: {px(LARGE)}px; font-weight: 600; }}"
            f"#lesson #lesson_question {{ font-size: {px(LARGE)}px; }}"
            f"#lesson #lesson_takeaway {{ font-weight: 600; }}"
        )
        for button in self.buttons:
            button.set_look(look)
        self._take()

    def text(self) -> str:
        """What it says now."""
        labels = (self.title, self.idea, self.question, self.answer, self.takeaway)
        return "\n".join(label.text() for label in labels if label.text())

    def _take(self) -> None:
        teaching, lesson = self._teaching, self._teaching.current
        self.setVisible(lesson is not None)
        if lesson is None:
            return
        seen = "  ✓ seen" if lesson.name in teaching.done else ""
        set_markdown(self.title, f"{teaching.place}: {lesson.title}{seen}")
        set_markdown(self.idea, lesson.idea)
        set_markdown(self.question, f"**Question.** {lesson.question}")
        shown = teaching.answered
        set_markdown(self.answer, f"**Answer.** {lesson.answer}" if shown else "")
        set_markdown(self.takeaway, f"Take away: {lesson.takeaway}" if shown else "")
        for label in (self.answer, self.takeaway):
            label.setVisible(shown)
        answer = self.buttons[0]
        answer.set_face("Hide answer" if shown else "Show answer", answer.key, answer.icon_name)
        told = self.text()
        if self.isVisible() and told != self.accessibleDescription():
            announce(self, told.replace("\n", " "))
        self.setAccessibleDescription(told)
        self._fit()

    def _fit(self) -> None:
        """Leave the graph its room: be as high as the words, or let them be scrolled."""
        column, words = self.layout(), self._inside.layout()
        assert column is not None
        assert words is not None
        margins = column.contentsMargins()
        width = self.width() - margins.left() - margins.right()
        if width <= 1 or self._teaching.current is None:
            return
        labels = (self.idea, self.question, self.answer, self.takeaway)
        shown = [each.heightForWidth(width) for each in labels if not each.isHidden()]
        needed = sum(shown) + words.spacing() * (len(shown) - 1)
        least = LEAST * self.question.fontMetrics().lineSpacing()
        most = round(max(SHARE * self.window().height(), least))
        self.words.setFixedHeight(min(needed, most))
        # Keys get there where there is something to be scrolled.
        scrolls = needed > most
        policy = Qt.FocusPolicy
        self.words.setFocusPolicy(policy.StrongFocus if scrolls else policy.NoFocus)

    def showEvent(self, event: QShowEvent) -> None:
        """Mind how high the window is."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Another height of the window leaves more room, or less."""
        if event.type() is QEvent.Type.Resize and watched is self.window():
            self._fit()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Be as high as this width needs."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
