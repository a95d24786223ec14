"""Words that break anywhere: what is too long for a line is never cut at its edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QFrame, QPlainTextEdit

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

ARROWS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class Prose(QPlainTextEdit):
    """Plain words, to be selected and copied; what finds no room is scrolled by wheel or keys.

    A label breaks lines between words only: a path of a hundred letters ends at its edge.

    Args:
        name: What those hear who do not see it.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(name)

    def text(self) -> str:
        """What it says."""
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Say something else, from its beginning."""
        if text != self.toPlainText():
            self.setPlainText(text)
            self.setAccessibleName(text or self._name)

    def height_for(self, width: int) -> int:
        """How high all of it is at a width, in pixels."""
        flags = Qt.TextFlag.TextWordWrap | Qt.TextFlag.TextWrapAnywhere
        box = self.fontMetrics().boundingRect(0, 0, width, 1 << 20, flags, self.toPlainText())
        return max(self.fontMetrics().lineSpacing(), box.height()) + 2

    def fit(self, width: int, most: int) -> int:
        """Be as high as all of it needs at a width, up to so many pixels; gives that height."""
        needed = self.height_for(width)
        self.setFixedHeight(min(needed, most))
        # Keys get there where there is something to be scrolled.
        policy = Qt.FocusPolicy
        self.setFocusPolicy(policy.StrongFocus if needed > most else policy.NoFocus)
        return min(needed, most)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows scroll: there is no cursor to be moved."""
        way = ARROWS.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + way * bar.singleStep())
