"""The sign of a mode at its pane in a lecture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chainstep.ui.caption import TITLE

if TYPE_CHECKING:
    from chainstep.ui.theme import Look


class Sign(QWidget):
    """The sign of a mode beside its pane, upright where it is short; or above its pane."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self.sign = ""
        self.is_above = False
        self.set_above(False)

    def show_heading(self, heading: tuple[str, str], look: Look) -> None:
        """Take a sign and its meaning, and colours and scale."""
        self._look = look
        self.sign, meaning = heading
        self.setAccessibleName(f"{self.sign} {meaning}")
        self.updateGeometry()
        self.update()

    def set_above(self, is_above: bool) -> None:
        """Stand above the pane, or beside it."""
        self.is_above = is_above
        policy, whole = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored
        self.setSizePolicy(*((whole, policy) if is_above else (policy, whole)))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        """As wide as two signs, and as high as a line."""
        metrics = QFontMetrics(self._look.mono(TITLE, bold=True))
        around = self._look.px(14)
        return QSize(metrics.horizontalAdvance("+=") + around, metrics.height() + around // 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The sign at the top; beside the pane a longer one from bottom to top."""
        p, look = self._look.palette, self._look
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(p.canvas))
            painter.setPen(QColor(p.text))
            painter.setFont(look.mono(TITLE, bold=True))
            if self.is_above or len(self.sign) <= 2:
                box = QRectF(look.px(8), look.px(8), self.width() - look.px(8), self.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignTop, self.sign)
            else:
                painter.rotate(-90)
                box = QRectF(-self.height(), 0, self.height() - look.px(8), self.width())
                flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(box, flags, self.sign)
