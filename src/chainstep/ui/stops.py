"""The diamond that says "stop here": on cards, and in the list of breakpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.ui.drawing import Area, Drawing
    from chainstep.ui.palette import Palette

SIZE = 16.0
"""Width on a card, in scene units."""
LEAST = 7.0
"""Width on a card in pixels, however small the scale."""


def paint_diamond(
    painter: QPainter, palette: Palette, middle: QPointF, half: float, *, enabled: bool
) -> None:
    """A diamond: filled where the breakpoint hits, hollow where it does not for now."""
    color = QColor(palette.target)
    painter.setPen(QPen(QColor(palette.card), half * 0.5))
    painter.setBrush(QColor(palette.card))
    corners = ((0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0))
    shape = QPolygonF([middle + QPointF(x, y) for x, y in corners])
    painter.drawPolygon(shape)
    painter.setPen(QPen(color, half * 0.3))
    painter.setBrush(color if enabled else Qt.BrushStyle.NoBrush)
    painter.drawPolygon(shape)


def paint_stops(
    painter: QPainter,
    drawing: Drawing,
    palette: Palette,
    stops: Mapping[int, bool],
    area: Area,
    scale: float,
) -> None:
    """Mark the cards in a region that a breakpoint is about, at their upper left corner.

    Args:
        painter: Set to scene units.
        drawing: Where the cards stand.
        palette: The colours.
        stops: The nodes, and whether the breakpoint hits.
        area: The region in scene units.
        scale: Pixels per scene unit.
    """
    if not stops:
        return
    half = max(SIZE, LEAST / scale) / 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for node_id in drawing.nodes_in(area.grown(2 * half)):
        if node_id in stops:
            card = drawing.card(node_id)
            corner = QPointF(card.left + 3, card.top + 3)
            paint_diamond(painter, palette, corner, half, enabled=stops[node_id])


def icon(palette: Palette, size: int, *, enabled: bool) -> QIcon:
    """The diamond as an icon so many pixels wide."""
    pixmap = QPixmap(2 * size, 2 * size)
    pixmap.setDevicePixelRatio(2.0)
    pixmap.fill(Qt.GlobalColor.transparent)
    with QPainter(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0, 0, size, size)
        paint_diamond(painter, palette, box.center(), 0.4 * size, enabled=enabled)
    return QIcon(pixmap)
