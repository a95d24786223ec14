"""A panel of the right column: a heading that opens and closes what stands below it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QLayout, QSizePolicy, QVBoxLayout, QWidget

from chainstep.ui.due import Due
from chainstep.ui.theme import SMALL, focus_pen

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from chainstep.ui.theme import Look

HEIGHT = 26
LEFT = 14
"""From the left edge to the first letter, as in every panel."""
UNBOUNDED = 16_777_215
"""Qt's own QWIDGETSIZE_MAX, which its Python names leave out."""


class Heading(QAbstractButton):
    """The title of a panel. Pressed, it closes or opens it; on its right stand a few words.

    Args:
        title: In capitals, as it is painted.
        look: Colours and scale.
    """

    def __init__(self, title: str, look: Look) -> None:
        super().__init__()
        self.look = look
        self.aside = ""
        self.setText(title)
        self.setCheckable(True)
        self.setChecked(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._say)
        self._say()

    def set_aside(self, text: str) -> None:
        """Put other words on the right."""
        if text != self.aside:
            self.aside = text
            self.setAccessibleDescription(text)
            self.update()

    def _say(self) -> None:
        state = "open" if self.isChecked() else "closed"
        self.setAccessibleName(f"{self.text().capitalize() or 'Panels'}, {state}")
        self.setToolTip("Close this panel" if self.isChecked() else "Open this panel")

    def sizeHint(self) -> QSize:
        """One line."""
        return QSize(100, self.look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """One line, however narrow."""
        return QSize(40, self.look.px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The title, a small arrow behind it, the words on the right."""
        look, p = self.look, self.look.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = Qt.AlignmentFlag.AlignVCenter
            font = look.font(SMALL, bold=True)
            metrics = QFontMetrics(font)
            left, wide = look.px(LEFT), metrics.horizontalAdvance(self.text())
            strong = self.underMouse() or self.hasFocus()
            painter.setFont(font)
            painter.setPen(QColor(p.text if strong else p.muted))
            painter.drawText(QRectF(left, 0, wide + 2, self.height()), middle, self.text())
            at = left + wide + look.px(10) if self.text() else self.width() / 2
            self._arrow(painter, at, strong=strong)
            start = left + wide + look.px(22)
            room = self.width() - start - look.px(12)
            painter.setFont(look.font(SMALL))
            painter.setPen(QColor(p.muted))
            words = QFontMetrics(painter.font()).elidedText(
                self.aside, Qt.TextElideMode.ElideLeft, max(0, room)
            )
            side = Qt.AlignmentFlag.AlignRight | middle
            painter.drawText(QRectF(start, 0, room, self.height()), side, words)
            if self.hasFocus():
                painter.setPen(focus_pen(p.focus))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(4, 2, -4, -2), 4, 4)

    def _arrow(self, painter: QPainter, x: float, *, strong: bool) -> None:
        """Down where the panel is open, to the right where it is closed."""
        p, size, y = self.look.palette, self.look.px(7) / 2, self.height() / 2
        corners = [(-size, -size / 2), (size, -size / 2), (0.0, size / 2)]
        if not self.isChecked():
            corners = [(-size / 2, -size), (size / 2, 0.0), (-size / 2, size)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(p.text if strong else p.border))
        painter.drawPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))


class Section(QWidget):
    """A heading and what it opens.

    Args:
        title: What stands above it.
        body: What it holds.
        look: Colours and scale.
    """

    opened = Signal(bool)
    """It has been opened, or closed."""

    def __init__(self, title: str, body: QWidget, look: Look) -> None:
        super().__init__()
        self.due = Due(self)
        """What it makes up for once it is shown."""
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.heading = Heading(title, look)
        self.body = body
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addWidget(body, 1)
        self.heading.toggled.connect(self._open)

    @property
    def is_open(self) -> bool:
        """Whether its body is shown."""
        return self.heading.isChecked()

    def set_open(self, opens: bool) -> None:
        """Show its body, or only the heading."""
        self.heading.setChecked(opens)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self.heading.look = look
        self.heading.updateGeometry()
        self.heading.update()
        self._bound()

    def showEvent(self, event: QShowEvent) -> None:
        """Make up for what was missed behind a lecture."""
        super().showEvent(event)
        self.due.settle()

    def _open(self, opens: bool) -> None:
        self.body.setVisible(opens)
        self._bound()
        self.opened.emit(opens)

    def _bound(self) -> None:
        """Closed, it takes no more room than its heading, whatever there is."""
        closed = self.heading.sizeHint().height() + 4
        self.setMaximumHeight(UNBOUNDED if self.is_open else closed)


class Page(QWidget):
    """A panel behind a tab. Its focus proxy is what the keyboard is for: mostly a table."""

    def __init__(self) -> None:
        super().__init__()
        self._due = Due(self)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""

    def lay_out(self, *parts: tuple[QWidget | QLayout, int]) -> None:
        """Put parts below one another, each with its share of what room is left."""
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        for part, share in parts:
            if isinstance(part, QLayout):
                column.addLayout(part, share)
            else:
                column.addWidget(part, share)

    def in_time(self, take: Callable[[], None], whole: Callable[[], None]) -> None:
        """Take what is new now, or the whole of it once this panel is shown again."""
        if not self._due.later(whole):
            take()

    def showEvent(self, event: QShowEvent) -> None:
        """Make up for what was missed behind another tab."""
        super().showEvent(event)
        self._due.settle()

    def take_focus(self) -> None:
        """Take the keyboard."""
        self.setFocus()
