"""The lesson that is on as a column of its own, where the window is too low for a bar of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from chainstep.ui.fonts import set_markdown
from chainstep.ui.lesson_bar import (
    Words,
    heading,
    label,
    lesson_buttons,
    lesson_sheet,
    name_answer,
    tell,
)

if TYPE_CHECKING:
    from chainstep.ui.actions import Actions
    from chainstep.ui.teaching import Teaching
    from chainstep.ui.theme import Look


class LessonPage(QWidget):
    """All words of a lesson in the whole room below the tools, and its buttons.

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
        self.title = label("lesson_title")
        self.words = Words(self.title)
        self.words.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.buttons = lesson_buttons(actions, look)
        row = QHBoxLayout()
        row.setSpacing(6)
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 5, 12, 7)
        column.setSpacing(5)
        column.addWidget(self.words, 1)
        column.addLayout(row)
        teaching.changed.connect(self._take)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self.setStyleSheet(lesson_sheet(look))
        for button in self.buttons:
            button.set_look(look)
        self._take()

    def _take(self) -> None:
        teaching, lesson = self._teaching, self._teaching.current
        if lesson is None:
            return
        set_markdown(self.title, heading(teaching, lesson))
        self.words.take(lesson, answered=teaching.answered)
        name_answer(self.buttons[0], answered=teaching.answered)
        tell(self, self.words.text())

    def show_from(self, *, answer: bool) -> None:
        """Scroll to where its answer begins, or to its title."""
        self.words.show_from(self.words.answer if answer else self.title)
