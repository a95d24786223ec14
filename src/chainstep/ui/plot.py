"""One gradient over a pass, as a line of steps: what it was, and where more will come."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
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
MOST_DOTS = 60
"""Changes up to which each has a dot."""
MOST_CORNERS = 1000
"""Changes up to which each is drawn by itself."""
MOST_TICKS = 400
"""Changes still to come that are marked."""


class Curve:
    """A gradient over a pass.

    Args:
        sign: Which one: `+=`, `=`, `as written`.
        points: (position, gradient from there on), ascending, beginning at 0.
        dashed: Whether its line is dashed, to tell it from another.
    """

    def __init__(
        self, sign: str, points: Sequence[tuple[int, float]], *, dashed: bool = False
    ) -> None:
        self.sign = sign
        self.points = points
        self.dashed = dashed
        self.positions = np.array([at for at, _ in points], np.int64)
        self.values = np.array([value for _, value in points], np.float64)
        drawn = np.where(np.isfinite(self.values), self.values, 0.0)
        self._lows, self._highs = np.minimum.accumulate(drawn), np.maximum.accumulate(drawn)

    def count(self, position: int) -> int:
        """How many points come up to a position."""
        return int(np.searchsorted(self.positions, position, side="right"))

    def bounds(self, position: int) -> tuple[float, float]:
        """The least and the largest finite gradient up to a position; zero is always among it."""
        last = self.count(position) - 1
        if last < 0:
            return 0.0, 0.0
        return min(0.0, float(self._lows[last])), max(0.0, float(self._highs[last]))

    def last(self, position: int) -> float:
        """The gradient at a position."""
        return float(self.values[max(0, self.count(position) - 1)])

    def told(self, name: str, position: int) -> str:
        """The line of a node in words, up to a position."""
        count = self.count(position)
        first = max(0, count - MOST_TOLD)
        words = [f"{short(value)} from step {at}" for at, value in self.points[first:count] if at]
        if not first and count:
            words.insert(0, f"{short(self.points[0][1])} at the start")
        ahead = len(self.points) - count
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
        self._extent = (0.0, 0.0)
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
        bounds = [curve.bounds(position) for curve in self._curves] or [(0.0, 0.0)]
        self._extent = min(low for low, _ in bounds), max(high for _, high in bounds)
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

    def _range(self) -> tuple[float, float]:
        low, high = self._extent
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
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            box = self._box()
            self._axes(painter, box)
            for curve in reversed(self._curves):
                self._line(painter, box, curve)
            x = self._x(box, self._position)
            painter.setPen(QPen(QColor(p.now), 1.4))
            painter.drawLine(QLineF(x, box.top() - 5, x, box.bottom() + 5))

    def _axes(self, painter: QPainter, box: QRectF) -> None:
        """Zero, the numbers on the left, a tick for each change that is still to come."""
        look, p = self._look, self._look.palette
        painter.setFont(look.mono(SMALL))
        low, high = self._range()
        lone = self._extent[0] == self._extent[1]
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
        first = self._curves[0]
        for at in first.positions[first.count(self._position) :][:MOST_TICKS].tolist():
            x = self._x(box, at)
            painter.drawLine(QLineF(x, box.bottom() + 2, x, box.bottom() + look.px(6)))

    def _line(self, painter: QPainter, box: QRectF, curve: Curve) -> None:
        """The steps up to the cursor, with a dot where each begins."""
        look, p = self._look, self._look.palette
        colour = QColor(p.muted if curve.dashed else p.target)
        pen = QPen(colour, 2.0)
        pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
        if curve.dashed:
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(self._corners(box, curve)))
        self._sign(painter, box, curve, colour)
        count = curve.count(self._position)
        if count > MOST_DOTS:
            return
        painter.setBrush(colour)
        for at, value in curve.points[1:count]:
            centre = QPointF(self._x(box, at), self._y(box, value))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.drawEllipse(centre, look.px(3), look.px(3))
            if not math.isfinite(value):
                painter.setPen(colour)
                painter.drawText(centre + QPointF(5, 10), short(value))

    def _corners(self, box: QRectF, curve: Curve) -> list[QPointF]:
        """The corners of the steps up to the cursor; of those within one pixel the extremes."""
        count = curve.count(self._position)
        places, values = curve.positions[:count], curve.values[:count]
        if count > MOST_CORNERS:
            columns = (places * (box.width() / max(1, self._length))).astype(np.int64)
            starts = np.flatnonzero(np.diff(columns, prepend=-1))
            finite = np.where(np.isfinite(values), values, 0.0)
            lows, highs = np.minimum.reduceat(finite, starts), np.maximum.reduceat(finite, starts)
            ends = np.append(starts[1:], count) - 1
            places = np.repeat(places[starts], 3)
            values = np.stack([lows, highs, finite[ends]], axis=1).ravel()
        corners: list[QPointF] = []
        ends_at = [*places[1:].tolist(), self._position]
        for at, end, value in zip(places.tolist(), ends_at, values.tolist(), strict=True):
            y = self._y(box, value)
            corners += [QPointF(self._x(box, at), y), QPointF(self._x(box, end), y)]
        return corners

    def _sign(self, painter: QPainter, box: QRectF, curve: Curve, colour: QColor) -> None:
        """Where two curves have parted, which one this is, beside its end."""
        ends = {each.last(self._position) for each in self._curves}
        if len(ends) < 2:
            return
        painter.setFont(self._look.mono(SMALL, bold=True))
        painter.setPen(colour)
        metrics = QFontMetricsF(painter.font())
        x = self._x(box, self._position) + self._look.px(5)
        y = self._y(box, curve.last(self._position))
        painter.drawText(QPointF(x, y + metrics.capHeight() / 2), curve.sign)

    # -- mouse --------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Say which position was clicked on."""
        if self._curves and event.button() == Qt.MouseButton.LeftButton:
            box = self._box()
            share = (event.position().x() - box.left()) / box.width()
            self.sought.emit(round(max(0.0, min(1.0, share)) * self._length))
        event.accept()
