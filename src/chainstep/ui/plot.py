"""One gradient over a pass, as a line of steps: what it was, and where more will come."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from chainstep.figures import short
from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.theme import Look

HEIGHT, LOWEST = 84, 44
MOST_TOLD = 6
"""Changes that the words name, the last ones."""
MOST_TICKS = 400
"""Changes still to come that are marked."""


@dataclass(frozen=True)
class Curve:
    """A gradient over a pass.

    Attributes:
        sign: Which one: `+=`, `=`, `as written`.
        points: (position, gradient from there on), ascending, beginning at 0.
        dashed: Whether its line is dashed, to tell it from another.
    """

    sign: str
    points: tuple[tuple[int, float], ...]
    dashed: bool = False

    def until(self, position: int) -> list[tuple[int, float]]:
        """The points up to a position."""
        return [point for point in self.points if point[0] <= position]

    def told(self, name: str, position: int) -> str:
        """The line of a node in words, up to a position."""
        points = self.until(position)
        left_out = max(0, len(points) - MOST_TOLD)
        words = [f"{short(value)} from step {at}" for at, value in points[left_out:] if at]
        if not left_out and points:
            words.insert(0, f"{short(points[0][1])} at the start")
        ahead = len(self.points) - len(points)
        more = f", {ahead} more to come" if ahead else ""
        return f"Gradient of {name}, {self.sign}: {', '.join(words)}{more}."


class Plot(QWidget):
    """Draws one or two curves up to a position; a click says where to go."""

    sought = Signal(int)
    """The position of the trace that was clicked on."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._curves: tuple[Curve, ...] = ()
        self._position = 0
        self._length = 0
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Gradient over the pass")

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.updateGeometry()
        self.update()

    def show_curves(
        self, curves: Sequence[Curve], position: int, length: int, told: str = ""
    ) -> None:
        """Show these, with the cursor at a position of a trace of so many steps."""
        self._curves, self._position, self._length = tuple(curves), position, length
        self.setAccessibleDescription(told)
        self.setToolTip(told)
        self.update()

    def sizeHint(self) -> QSize:
        """A band."""
        return QSize(200, self._look.px(HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Low, however narrow."""
        return QSize(80, self._look.px(LOWEST))

    # -- geometry -----------------------------------------------------------------------

    def _values(self) -> list[float]:
        """What is drawn of all curves, as far as it is finite; zero is always among it."""
        drawn = [value for curve in self._curves for _, value in curve.until(self._position)]
        return [0.0, *(value for value in drawn if math.isfinite(value))]

    def _range(self) -> tuple[float, float]:
        values = self._values()
        low, high = min(values), max(values)
        return (low, high) if high > low else (low, low + 1.0)

    def _box(self) -> QRectF:
        """Where the lines are drawn: right of the numbers, above the ticks."""
        look = self._look
        metrics = QFontMetricsF(look.mono(SMALL))
        low, high = self._range()
        wide = max(metrics.horizontalAdvance(short(value)) for value in (low, high, 0.0))
        left = look.px(14) + wide + look.px(8)
        top, bottom = look.px(10), self.height() - look.px(12)
        # Room for the signs of two curves beside their ends.
        right = look.px(14 if len(self._curves) < 2 else 28)
        return QRectF(left, top, max(1.0, self.width() - left - right), bottom - top)

    def _x(self, box: QRectF, position: float) -> float:
        return box.left() + box.width() * position / max(1, self._length)

    def _y(self, box: QRectF, value: float) -> float:
        low, high = self._range()
        if not math.isfinite(value):
            return box.bottom() if value < 0 else box.top()
        share = value / high - low / high if high > 1 else value - low
        whole = 1 - low / high if high > 1 else high - low
        return box.bottom() - box.height() * (share / whole)

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The lines, what is to come as ticks, the cursor."""
        if not self._curves:
            return
        p = self._look.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self._box()
        self._axes(painter, box)
        for curve in reversed(self._curves):
            self._line(painter, box, curve)
        x = self._x(box, self._position)
        painter.setPen(QPen(QColor(p.now), 1.4))
        painter.drawLine(QLineF(x, box.top() - 5, x, box.bottom() + 5))
        painter.end()

    def _axes(self, painter: QPainter, box: QRectF) -> None:
        """Zero, the numbers on the left, a tick for each change that is still to come."""
        look, p = self._look, self._look.palette
        painter.setFont(look.mono(SMALL))
        low, high = self._range()
        lone = max(self._values()) == min(self._values())
        half = QFontMetricsF(painter.font()).height() / 2
        right = box.left() - look.px(8)
        for value in (0.0,) if lone else dict.fromkeys((high, low, 0.0)):
            y = self._y(box, value)
            crowded = value == 0 and 0 < abs(y - self._y(box, low if low < 0 else high)) < 2 * half
            if not crowded:
                painter.setPen(QColor(p.muted))
                place = QRectF(0, y - half, right, 2 * half)
                painter.drawText(place, Qt.AlignmentFlag.AlignRight, short(value))
        painter.setPen(QPen(QColor(p.rule), 1))
        zero = self._y(box, 0.0)
        painter.drawLine(QLineF(box.left(), zero, box.right(), zero))
        painter.setPen(QPen(QColor(p.border), 1.4))
        ahead = [at for at, _ in self._curves[0].points if at > self._position][:MOST_TICKS]
        for at in ahead:
            x = self._x(box, at)
            painter.drawLine(QLineF(x, box.bottom() + 2, x, box.bottom() + look.px(6)))

    def _line(self, painter: QPainter, box: QRectF, curve: Curve) -> None:
        """The steps up to the cursor, with a dot where each begins."""
        look, p = self._look, self._look.palette
        points = curve.until(self._position)
        corners: list[QPointF] = []
        for number, (at, value) in enumerate(points):
            end = points[number + 1][0] if number + 1 < len(points) else self._position
            y = self._y(box, value)
            corners += [QPointF(self._x(box, at), y), QPointF(self._x(box, end), y)]
        colour = QColor(p.muted if curve.dashed else p.target)
        pen = QPen(colour, 2.0)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        if curve.dashed:
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(corners))
        self._sign(painter, box, curve, colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        for at, value in points[1:]:
            centre = QPointF(self._x(box, at), self._y(box, value))
            painter.drawEllipse(centre, look.px(3), look.px(3))
            if not math.isfinite(value):
                painter.setPen(colour)
                painter.drawText(centre + QPointF(5, 10), short(value))
                painter.setPen(Qt.PenStyle.NoPen)

    def _sign(self, painter: QPainter, box: QRectF, curve: Curve, colour: QColor) -> None:
        """Where two curves have parted, which one this is, beside its end."""
        ends = {each.until(self._position)[-1][1] for each in self._curves}
        if len(ends) < 2:
            return
        painter.setFont(self._look.mono(SMALL, bold=True))
        painter.setPen(colour)
        metrics = QFontMetricsF(painter.font())
        x = self._x(box, self._position) + self._look.px(5)
        y = self._y(box, curve.until(self._position)[-1][1])
        painter.drawText(QPointF(x, y + metrics.capHeight() / 2), curve.sign)

    # -- mouse --------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Say which position was clicked on."""
        if self._curves and event.button() == Qt.MouseButton.LeftButton:
            box = self._box()
            share = (event.position().x() - box.left()) / box.width()
            self.sought.emit(round(max(0.0, min(1.0, share)) * self._length))
        event.accept()
