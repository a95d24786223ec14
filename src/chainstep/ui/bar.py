"""Lines at the top: faults that must not be missed, and questions that can wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout, QPushButton, QSizePolicy

from chainstep.ui.fitted import Fitted
from chainstep.ui.prose import Prose
from chainstep.ui.spoken import announce

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.ui.theme import Look

    Choice = tuple[str, Callable[[], object]]

SHARE = 0.24
"""Of the height of the window that it takes at the most; more can be scrolled."""
LINES = 2
"""Lines of it that are in sight in any window."""
NARROWEST = 0.4
"""Share of the width that the words have at the least beside the buttons; else these go below."""


class Bar(Fitted):
    """A coloured line with a sentence and room for buttons; hidden at first.

    Args:
        name: Its object name.
        look: Colours and scale.
    """

    told = Signal()
    """A sentence was put on it."""

    def __init__(self, name: str, look: Look) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = Prose("Message")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(16, 6, 12, 6)
        self._row.addWidget(self.words, 1)
        self.choices = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        """The buttons."""
        self._row.addLayout(self.choices)
        self.set_look(look)
        self.hide()

    def set_text(self, text: str) -> None:
        """Show a sentence."""
        self.words.set_text(text)
        self._fit()
        self.told.emit()

    def show_up(self) -> None:
        """Be seen, and heard where somebody listens."""
        self.show()
        if self.isVisible():
            announce(self, self.words.text())

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p = look.palette
        self.paint_in(p.target_tint, p.target, p.text)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the words, or leave the window its room and let them be scrolled."""
        if self.isHidden() or self.width() <= 1:
            return
        margins, way = self._row.contentsMargins(), QBoxLayout.Direction
        room = self.width() - margins.left() - margins.right()
        self.choices.setDirection(way.LeftToRight)
        buttons = self.choices.sizeHint()
        below = room - buttons.width() < NARROWEST * room
        if below and buttons.width() > room:
            # Not even a row of their own is wide enough: one below the other, beside the words.
            self.choices.setDirection(way.TopToBottom)
            buttons, below = self.choices.sizeHint(), False
        self._row.setDirection(way.TopToBottom if below else way.LeftToRight)
        taken = self._row.spacing() + (buttons.height() if below else 0)
        width = room if below else room - buttons.width() - self._row.spacing()
        least = LINES * self.words.fontMetrics().lineSpacing()
        most = max(round(SHARE * self.window().height()) - taken, least)
        self.words.fit(width, most)

    def paint_in(self, ground: str, line: str, ink: str) -> None:
        """Take these colours."""
        name = self.objectName()
        self.setStyleSheet(
            f"#{name} {{ background: {ground}; border-bottom: 1px solid {line}; }}"
            f"#{name} QPlainTextEdit {{ color: {ink}; background: transparent; border: none; }}"
            f"#{name} QPlainTextEdit:focus {{ border: 2px solid {line}; }}"
            f"#{name} QPushButton {{ color: {ink}; background: transparent;"
            f" border: 1px solid {line}; border-radius: 4px; padding: 3px 10px; }}"
            f"#{name} QPushButton:hover, #{name} QPushButton:focus {{ border-width: 2px;"
            " padding: 2px 9px; }"
        )


class FaultBar(Bar):
    """What went wrong; a button, or the next thing said, takes it away."""

    def __init__(self, look: Look) -> None:
        super().__init__("fault", look)
        self._details = ""
        self.copy = QPushButton("Copy details")
        self.copy.setToolTip("What happened and where, with all versions, for a report.")
        self.copy.clicked.connect(self._copy)
        self.away = QPushButton("Close")
        self.away.setAccessibleName("Close this message")
        self.away.clicked.connect(self.hide)
        self.choices.addWidget(self.copy)
        self.choices.addWidget(self.away)

    def say(self, text: str, details: str = "") -> None:
        """Show a sentence.

        Args:
            text: The sentence.
            details: More, for a report; where there is any, a button copies it.
        """
        self._details = details
        self.copy.setVisible(bool(details))
        self.set_text(text)
        self.show_up()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._details)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p = look.palette
        self.paint_in(p.failed_tint, p.failed, p.failed)
        self._fit()


class OfferBar(Bar):
    """Questions that can wait, one after the other. Any answer takes its question away."""

    def __init__(self, look: Look) -> None:
        super().__init__("offer", look)
        self.buttons: list[QPushButton] = []
        self._offers: dict[str, tuple[str, Sequence[Choice]]] = {}

    def offer(self, key: str, text: str, choices: Sequence[Choice]) -> None:
        """Ask, in place of what was asked before under the same key.

        Args:
            key: What it is about.
            text: The question.
            choices: The words on each button and what it does.
        """
        self._offers[key] = (text, choices)
        self._show_first()

    def withdraw(self, key: str) -> None:
        """The question has no point any more."""
        if self._offers.pop(key, None) is not None:
            self._show_first()

    def _show_first(self) -> None:
        for button in self.buttons:
            self.choices.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        if not self._offers:
            self.hide()
            return
        key, (text, choices) = next(iter(self._offers.items()))
        for words, answer in choices:
            button = QPushButton(words)
            button.clicked.connect(lambda _=False, answer=answer: self._answered(key, answer))
            self.choices.addWidget(button)
            self.buttons.append(button)
        self.set_text(text)
        self.show_up()

    def _answered(self, key: str, answer: Callable[[], object]) -> None:
        self.withdraw(key)
        answer()
