"""The kept picture of a pane: edges and cards as they were last painted.

A step paints only the cards that changed into it; moving the pane shifts it and paints the strip
that came into view. Only another scale, size, palette or drawing paints it all.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from chainstep.ui.drawing import Area
from chainstep.ui.painting import RING, paint_ground

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.ink import Ink
    from chainstep.ui.moment import Moment

MANY = 0.5
"""Share of the picture above which its parts are not painted one by one."""


@dataclass(frozen=True, slots=True)
class Projection:
    """From the scene to the device's pixels.

    The origin is a whole pixel, so that what was painted can be shifted without a blur.

    Attributes:
        scale: Device pixels per scene unit.
        x: Where the scene's origin lies.
        y: The same, downward.
    """

    scale: float
    x: int
    y: int

    @classmethod
    def centred(cls, scale: float, centre: tuple[float, float], size: QSize) -> Projection:
        """The one that brings a point of the scene into the middle of a picture."""
        return cls(
            scale,
            round(size.width() / 2 - centre[0] * scale),
            round(size.height() / 2 - centre[1] * scale),
        )

    def apply(self, painter: QPainter) -> None:
        """Set a painter on device pixels to scene units."""
        painter.translate(self.x, self.y)
        painter.scale(self.scale, self.scale)

    def pixels(self, area: Area) -> QRect:
        """Every device pixel that a region touches, and one more around."""
        left, top = floor(area.left * self.scale + self.x), floor(area.top * self.scale + self.y)
        right, bottom = (
            ceil(area.right * self.scale + self.x),
            ceil(area.bottom * self.scale + self.y),
        )
        return QRect(left - 1, top - 1, right - left + 2, bottom - top + 2)

    def area(self, pixels: QRect) -> Area:
        """The region that a rectangle of device pixels shows."""
        return Area(
            (pixels.x() - self.x) / self.scale,
            (pixels.y() - self.y) / self.scale,
            (pixels.x() + pixels.width() - self.x) / self.scale,
            (pixels.y() + pixels.height() - self.y) / self.scale,
        )


class Ground:
    """The picture, and what of it is out of date."""

    def __init__(self) -> None:
        self.pixmap = QPixmap()
        self._projection: Projection | None = None
        self._drawing: Drawing | None = None
        self._ink: Ink | None = None
        self._stale: set[int] = set()

    def invalidate(self) -> None:
        """Everything has changed."""
        self._projection = None

    def mark(self, nodes: Iterable[int]) -> None:
        """The cards of these nodes have changed."""
        self._stale.update(nodes)

    def refresh(
        self, drawing: Drawing, moment: Moment, ink: Ink, projection: Projection, size: QSize
    ) -> None:
        """Bring the picture up to date, painting as little as need be."""
        region = self._out_of_date(drawing, ink, projection, size)
        self._projection, self._drawing, self._ink = projection, drawing, ink
        self._stale.clear()
        if region.isEmpty():
            return
        painter = QPainter(self.pixmap)
        for rectangle in region:
            painter.resetTransform()
            painter.setClipRect(rectangle)
            painter.fillRect(rectangle, ink.canvas)
            projection.apply(painter)
            area = projection.area(rectangle)
            paint_ground(painter, drawing, moment, ink, area, projection.scale)
        painter.end()

    def _out_of_date(
        self, drawing: Drawing, ink: Ink, projection: Projection, size: QSize
    ) -> QRegion:
        """What has to be painted; the rest is shifted into its place."""
        whole = QRect(QPoint(0, 0), size)
        before = self._projection
        same = (
            before is not None
            and before.scale == projection.scale
            and self.pixmap.size() == size
            and self._drawing is drawing
            and self._ink is ink
        )
        if not same or before is None:
            self.pixmap = QPixmap(size)
            self.pixmap.fill(Qt.GlobalColor.transparent)
            return QRegion(whole)
        region = QRegion()
        dx, dy = projection.x - before.x, projection.y - before.y
        if dx or dy:
            region = QRegion(whole) - QRegion(whole.translated(dx, dy))
            self.pixmap.scroll(dx, dy, whole)
        for node_id in self._stale:
            region += projection.pixels(card_area(drawing, node_id)) & whole
        size_of_parts = sum(r.width() * r.height() for r in region)
        return QRegion(whole) if size_of_parts > MANY * size.width() * size.height() else region


def card_area(drawing: Drawing, node_id: int) -> Area:
    """All that a card covers, with its badge and the widest border."""
    badge = drawing.badge(node_id)
    card = drawing.card(node_id)
    return (card if badge is None else card.united(badge)).grown(RING / 2)
