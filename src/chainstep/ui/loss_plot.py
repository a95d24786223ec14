"""The loss of every iteration, in one run or two, as lines that can be walked along."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from chainstep.figures import short
from chainstep.ui.theme import SMALL, focus_pen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.theme import Look

HEIGHT, LOWEST = 96, 60
MOST_DOTS = 60
"""Iterations up to which each has a dot."""
TALLEST = 3.0
"""Times the range of the first run up to which the second is drawn; above it leaves the plot."""
MOST_TOLD = 6
"""Losses that the words name, the first and the last ones."""


class LossPlot(QWidget):
    """Draws the losses; Left and Right walk along them, Enter and a click go to an iteration.

    Args:
        look: Colours and scale.
    """

    sought = Signal(int)
    """The number of an iteration that was chosen, from 0."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._runs: list[tuple[str, Sequence[float]]] = []
        self._current = 0
        self.reached = 0
        """The iteration that the keyboard is on."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Loss of every iteration")

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.updateGeometry()
        self.update()

    def show_runs(self, runs: Sequence[tuple[str, Sequence[float]]], current: int) -> None:
        """Show these losses, each run with what it is called, and where one stands."""
        self._runs = [(name, losses) for name, losses in runs if losses]
        self._current = self.reached = current
        self._say()
        self.update()

    @property
    def count(self) -> int:
        """How many iterations there are, in the run that has most."""
        return max((len(losses) for _, losses in self._runs), default=0)

    def _say(self) -> None:
        lines = [f"Loss, {name}: {_listed(losses)}." for name, losses in self._runs]
        if self._runs:
            here = ", ".join(
                f"{short(losses[self.reached])} {name}"
                for name, losses in self._runs
                if self.reached < len(losses)
            )
            lines.insert(0, f"Iteration {self.reached + 1} of {self.count}: {here}.")
        self.setAccessibleDescription(" ".join(lines))
        self.setToolTip("\n".join(lines))

    def sizeHint(self) -> QSize:
        """A band."""
        return QSize(200, self._look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """A low band."""
        return QSize(80, self._look.px(LOWEST))

    # -- geometry -----------------------------------------------------------------------

    def range(self) -> tuple[float, float]:
        """The losses at the lower and at the upper edge."""
        finite = [[x for x in losses if math.isfinite(x)] for _, losses in self._runs]
        first = finite[0] if finite else []
        low, high = min(0.0, *first, 0.0), max(0.0, *first, 0.0)
        most = max(high - low, 1e-300) * (TALLEST - 1)
        for other in finite[1:]:
            low = max(low - most, min(low, *other, low))
            high = min(high + most, max(high, *other, high))
        return (low, high) if high > low else (low, low + 1.0)

    def _box(self) -> QRectF:
        look, metrics = self._look, QFontMetricsF(self._look.mono(SMALL))
        wide = max(metrics.horizontalAdvance(short(value)) for value in self.range())
        left, top = look.px(14) + wide + look.px(8), look.px(20)
        return QRectF(left, top, max(1.0, self.width() - left - look.px(16)),
                      max(1.0, self.height() - top - look.px(10)))  # fmt: skip

    def _point(self, box: QRectF, number: int, loss: float) -> QPointF:
        low, high = self.range()
        x = box.left() + box.width() * number / max(1, self.count - 1)
        if math.isnan(loss):
            return QPointF(x, box.bottom())
        share = (max(low, min(loss, high)) - low) / (high - low)
        return QPointF(x, box.bottom() - box.height() * share)

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The lines with their names, where one stands, and where the keyboard is."""
        if not self._runs:
            return
        p, look = self._look.palette, self._look
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = self._box()
            self._axes(painter, box)
            for place in reversed(range(len(self._runs))):
                self._line(painter, box, place)
            self._legend(painter, box)
            painter.setPen(QPen(QColor(p.now), 1.4))
            x = self._point(box, self._current, 0.0).x()
            painter.drawLine(QLineF(x, box.top() - 4, x, box.bottom() + 4))
            if self.hasFocus():
                x = self._point(box, self.reached, 0.0).x()
                painter.setPen(focus_pen(p.focus))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                wide = look.px(5)
                painter.drawRect(QRectF(x - wide, box.top() - 5, 2 * wide, box.height() + 10))

    def _axes(self, painter: QPainter, box: QRectF) -> None:
        look, p = self._look, self._look.palette
        painter.setFont(look.mono(SMALL))
        half = QFontMetricsF(painter.font()).height() / 2
        for value in self.range():
            y = self._point(box, 0, value).y()
            painter.setPen(QColor(p.muted))
            place = QRectF(0, y - half, box.left() - look.px(8), 2 * half)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight, short(value))
            painter.setPen(QPen(QColor(p.rule), 1))
            painter.drawLine(QLineF(box.left(), y, box.right(), y))

    def _colour(self, place: int) -> QColor:
        return QColor(self._look.palette.partial if place else self._look.palette.target)

    def _pen(self, place: int) -> QPen:
        """The first run is a whole line, the second a dashed one."""
        pen = QPen(QColor(self._look.palette.text) if place else self._colour(0), 2.0)
        if place:
            pen.setDashPattern([3, 2])
        return pen

    def _line(self, painter: QPainter, box: QRectF, place: int) -> None:
        """One run: round dots on the whole line, squares on the dashed one."""
        losses, size = self._runs[place][1], self._look.px(3)
        points = [self._point(box, number, loss) for number, loss in enumerate(losses)]
        painter.setPen(self._pen(place))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        if len(points) > MOST_DOTS:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._pen(place).color())
        for point in points:
            if place:
                painter.drawRect(QRectF(point.x() - size, point.y() - size, 2 * size, 2 * size))
            else:
                painter.drawEllipse(point, size, size)

    def _legend(self, painter: QPainter, box: QRectF) -> None:
        """Above the lines what each is called, with a piece of it."""
        look, p = self._look, self._look.palette
        painter.setFont(look.font(SMALL))
        metrics, x, y = QFontMetricsF(painter.font()), box.left(), look.px(9)
        for place, (name, losses) in enumerate(self._runs):
            last = losses[min(self.reached, len(losses) - 1)]
            painter.setPen(self._pen(place))
            painter.drawLine(QLineF(x, y, x + look.px(20), y))
            x += look.px(25)
            painter.setPen(QColor(p.text))
            words = f"{name} {short(last)}"
            painter.drawText(QPointF(x, y + metrics.capHeight() / 2), words)
            x += metrics.horizontalAdvance(words) + look.px(14)

    # -- keys and mouse -----------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left, Right, Home and End walk; Enter goes there."""
        last = self.count - 1
        moves = {
            Qt.Key.Key_Left: self.reached - 1,
            Qt.Key.Key_Right: self.reached + 1,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if event.key() in moves and last >= 0:
            self.reached = max(0, min(moves[Qt.Key(event.key())], last))
            self._say()
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and last >= 0:
            self.sought.emit(self.reached)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the nearest iteration."""
        if self._runs and event.button() == Qt.MouseButton.LeftButton:
            box = self._box()
            share = (event.position().x() - box.left()) / box.width()
            self.sought.emit(round(max(0.0, min(1.0, share)) * max(0, self.count - 1)))
        event.accept()


def _listed(losses: Sequence[float]) -> str:
    """`20.0, 5.0, … 0.1, 0.09`."""
    words = [short(loss) for loss in losses]
    if len(words) <= 2 * MOST_TOLD:
        return ", ".join(words)
    return f"{', '.join(words[:MOST_TOLD])} … {', '.join(words[-MOST_TOLD:])}"
