"""A light that follows the pointer and darkens the rest, and a curtain that hides everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    from chainstep.ui.theme import Look

RADIUS = 90
"""Of the light, in pixels at 100%."""
SHADE = 150
"""How dark the rest becomes, of 255."""


class Spotlight(QWidget):
    """Lies over a widget. It takes no clicks and no keys.

    Args:
        over: What it lies over; its mouse is watched.
        look: Colours and scale.
    """

    def __init__(self, over: QWidget, look: Look) -> None:
        super().__init__(over)
        self._over = over
        self._look = look
        self._at = QPointF()
        self.is_led = False
        """Whether the pointer has led it somewhere."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Spotlight")
        self.hide()

    def set_look(self, look: Look) -> None:
        """Take another scale."""
        self._look = look
        self.update()

    @property
    def at(self) -> QPointF:
        """The middle of the light."""
        return self._at

    def move_to(self, point: QPointF) -> None:
        """Light another place."""
        if point != self._at:
            self._at = point
            self.update()

    def watch(self, widget: QWidget) -> None:
        """Follow the mouse over a widget in what it lies over."""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the mouse."""
        if isinstance(event, QMouseEvent) and isinstance(watched, QWidget) and self.isVisible():
            self.is_led = True
            self.move_to(watched.mapTo(self._over, event.position()))
        return False

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Shade with a hole, and a rim that shows on any ground."""
        radius = self._look.px(RADIUS)
        shade = QPainterPath()
        shade.addRect(self.rect())
        hole = QPainterPath()
        hole.addEllipse(self._at, radius, radius)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.fillPath(shade.subtracted(hole), QColor(0, 0, 0, SHADE))
            painter.setPen(QColor(self._look.palette.now))
            painter.drawPath(hole)


class Curtain(QWidget):
    """A black screen."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName("Black screen. Any key brings the graph back.")
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click brings everything back too."""
        event.accept()
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Nothing but black."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(0, 0, 0))
