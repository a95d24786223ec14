"""The story of a pass on one line: made, sorted, run backward; and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from chainstep.ui.order_strip import OrderStrip
from chainstep.ui.track import Track

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look


class Timeline(QWidget):
    """The track, and below it the order as a row of chips."""

    def __init__(self, session: Session, look: Look, beside_chips: QWidget) -> None:
        super().__init__()
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.track = Track(session, look)
        self.chips = OrderStrip(session, look)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 6)
        column.setSpacing(0)
        column.addWidget(self.track)
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 0)
        row.addWidget(self.chips, 1)
        row.addWidget(beside_chips)
        column.addLayout(row)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The ground, and a line above."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._look.palette.window))
            painter.fillRect(0, 0, self.width(), 1, QColor(self._look.palette.rule))

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.track.set_look(look)
        self.chips.set_look(look)
