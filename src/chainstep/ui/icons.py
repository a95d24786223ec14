"""The few signs on buttons, drawn as shapes, so that they look alike with every font."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

Points = tuple[tuple[float, float], ...]

FILLED: dict[str, tuple[Points, ...]] = {
    "run": (((1, 0), (10, 5), (1, 10)),),
    "play": (((1, 0), (10, 5), (1, 10)),),
    "step_over": (((1, 0), (10, 5), (1, 10)),),
    "back_over": (((9, 0), (0, 5), (9, 10)),),
    "restart": (((0, 0), (2, 0), (2, 10), (0, 10)), ((10, 0), (2.5, 5), (10, 10))),
    "end": (((8, 0), (10, 0), (10, 10), (8, 10)), ((0, 0), (7.5, 5), (0, 10))),
    "pause": (((1, 0), (4, 0), (4, 10), (1, 10)), ((6, 0), (9, 0), (9, 10), (6, 10))),
    "stop": (((1, 1), (9, 1), (9, 9), (1, 9)),),
}
"""Polygons in a square of 10 by 10."""

LINES: dict[str, tuple[Points, ...]] = {
    "zoom_in": (((0, 5), (10, 5)), ((5, 0), (5, 10))),
    "zoom_out": (((0, 5), (10, 5)),),
    "fit": (
        ((0, 3), (0, 0), (3, 0)),
        ((7, 0), (10, 0), (10, 3)),
        ((10, 7), (10, 10), (7, 10)),
        ((3, 10), (0, 10), (0, 7)),
    ),
    "down": (((1.5, 3.5), (5, 7), (8.5, 3.5)),),
    "next_pass": (((3.5, 1), (7.5, 5), (3.5, 9)),),
    "previous_pass": (((6.5, 1), (2.5, 5), (6.5, 9)),),
    "close": (((1, 1), (9, 9)), ((9, 1), (1, 9))),
}
"""Open lines in the same square."""


def draw(painter: QPainter, name: str, box: QRectF, color: QColor) -> None:
    """Draw a sign into a square box. An unknown name draws nothing."""
    scale = box.width() / 10

    def polygon(points: Points) -> QPolygonF:
        return QPolygonF([QPointF(box.x() + x * scale, box.y() + y * scale) for x, y in points])

    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for points in FILLED.get(name, ()):
        painter.drawPolygon(polygon(points))
    pen = QPen(color, 1.6 * scale)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for points in LINES.get(name, ()):
        painter.drawPolyline(polygon(points))
    painter.restore()


def application() -> QIcon:
    """The sign of the application: a node that passes its gradient back to two others."""
    icon = QIcon()
    for size in (16, 32, 64, 128):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size / 32, size / 32)
        painter.setPen(QPen(QColor("#8792a6"), 2.5))
        painter.drawLine(QPointF(8, 24), QPointF(23, 16))
        painter.setPen(QPen(QColor("#b94b00"), 3.5))
        painter.drawLine(QPointF(8, 8), QPointF(23, 16))
        for x, y, color in ((7, 8, "#0072b2"), (7, 24, "#8792a6"), (24, 16, "#b94b00")):
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(color))
            painter.drawEllipse(QPointF(x, y), 6, 6)
        painter.end()
        icon.addPixmap(pixmap)
    return icon
