"""The kept picture of a pane: edges and cards as they were last painted.

A step paints only the cards that changed into it; moving the pane shifts it and paints the strip
that came into view. Only another scale, size, palette or drawing paints it all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QPainter, QPixmap

from chainstep.graph import Edge
from chainstep.ui.drawing import Area, course_area
from chainstep.ui.focus import RING
from chainstep.ui.painting import paint_ground
from chainstep.ui.stamps import Stamps

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.layout import Layout
    from chainstep.ui.drawing import Drawing
    from chainstep.ui.flow import Flow
    from chainstep.ui.ink import Ink
    from chainstep.ui.projection import Projection
    from chainstep.ui.sight import Shown

MANY = 0.9
"""Share of the picture above which its parts are not painted one by one."""


class Ground:
    """The picture, and what of it is out of date."""

    def __init__(self) -> None:
        self.pixmap = QPixmap()
        self.stamps = Stamps()
        self._projection: Projection | None = None
        self._layout: Layout | None = None
        self._ink: Ink | None = None
        self._stale: set[int] = set()
        self._areas: list[Area] = []
        self.flow: Flow | None = None
        """The neighbourhood that is lit; who changes it has to invalidate."""

    def invalidate(self) -> None:
        """Everything has changed."""
        self._projection = None

    def mark(self, nodes: Iterable[int]) -> None:
        """The cards of these nodes have changed."""
        self._stale.update(nodes)

    def mark_areas(self, areas: Iterable[Area]) -> None:
        """What lies in these regions has changed."""
        self._areas.extend(areas)

    def refresh(
        self,
        drawing: Drawing,
        moment: Shown,
        ink: Ink,
        projection: Projection,
        size: QSize,
        scale: float,
    ) -> None:
        """Bring the picture up to date, painting as little as need be.

        Args:
            drawing: The graph and where it stands.
            moment: What to show of it.
            ink: Colours and fonts.
            projection: Where in the picture it lies.
            size: The picture's, in device pixels.
            scale: Pixels of the window, not of the device, per scene unit: the level of detail.
        """
        parts = self._out_of_date(drawing, ink, projection, size)
        self._projection, self._layout, self._ink = projection, drawing.layout, ink
        self._stale.clear()
        self._areas.clear()
        if not parts:
            return
        # A painter that outlives its picture takes the process down, so an error must end it too.
        with QPainter(self.pixmap) as painter:
            for part in parts:
                painter.resetTransform()
                painter.setClipRect(part)
                painter.fillRect(part, ink.canvas)
                self.stamps.apply(painter, projection, ink)
                area = projection.area(part)
                paint_ground(painter, drawing, moment, ink, area, scale, self.flow, self.stamps)

    def _out_of_date(
        self, drawing: Drawing, ink: Ink, projection: Projection, size: QSize
    ) -> list[QRect]:
        """What has to be painted; the rest is shifted into its place."""
        whole = QRect(QPoint(0, 0), size)
        before = self._projection
        if (
            before is None
            or before.scale != projection.scale
            or self.pixmap.size() != size
            or self._layout is not drawing.layout
            or self._ink is not ink
        ):
            if self.pixmap.size() != size:
                self.pixmap = QPixmap(size)
            return [whole]
        parts = self._shift(projection.x - before.x, projection.y - before.y, whole)
        parts += [projection.pixels(card_area(drawing, n)) & whole for n in self._stale]
        parts += [projection.pixels(area) & whole for area in self._areas]
        parts = _apart([part for part in parts if not part.isEmpty()])
        many = sum(r.width() * r.height() for r in parts) > MANY * size.width() * size.height()
        return [whole] if many else parts

    def _shift(self, dx: int, dy: int, whole: QRect) -> list[QRect]:
        """Move the picture; gives the strips that this uncovers."""
        if not dx and not dy:
            return []
        if abs(dx) >= whole.width() or abs(dy) >= whole.height():
            return [whole]
        self.pixmap.scroll(dx, dy, whole)
        wide, high = whole.width(), whole.height()
        return [
            QRect(0 if dx > 0 else wide + dx, 0, abs(dx), high),
            QRect(0, 0 if dy > 0 else high + dy, wide, abs(dy)),
        ]


def _apart(parts: list[QRect]) -> list[QRect]:
    """The same without what lies in an earlier one altogether."""
    found: list[QRect] = []
    for part in parts:
        if not any(other.contains(part) for other in found):
            found.append(part)
    return found


def edge_areas(drawing: Drawing, consumers: Iterable[int]) -> list[Area]:
    """All that the edges to the operands of some nodes cover."""
    areas = []
    for consumer in consumers:
        children = drawing.graph.node(consumer).children if consumer in drawing.graph else ()
        for slot, child in enumerate(children):
            points = drawing.route(Edge(child, consumer, slot))
            if points is not None:
                areas.append(course_area(points).grown(2))
    return areas


def card_area(drawing: Drawing, node_id: int) -> Area:
    """All that a card covers, with its badge and the widest border."""
    badge = drawing.badge(node_id)
    card = drawing.card(node_id)
    return (card if badge is None else card.united(badge)).grown(RING / 2)
