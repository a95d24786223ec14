"""What hands do, painted over the graph: the band around what is selected, what is carried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from chainstep.rerouting import moved
from chainstep.ui.cards import paint_card, paint_frame
from chainstep.ui.moment import Tone
from chainstep.ui.painting import at_least, course, kind_for, rectangle, set_hints

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chainstep.ui.drawing import Area, Drawing
    from chainstep.ui.ink import Ink
    from chainstep.ui.sight import Sight
    from chainstep.ui.viewport import Carried

MANY = 200
"""Cards up to which what is carried is painted with all that stands on it."""


def paint_band(painter: QPainter, ink: Ink, band: Area, scale: float) -> None:
    """The rectangle that is drawn around what is to be selected."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(at_least(ink.focus, 1.5, scale))
    painter.drawRect(rectangle(band))


def paint_carried(
    painter: QPainter, drawing: Drawing, moment: Sight, ink: Ink, carried: Carried, scale: float
) -> None:
    """The cards that are being moved, where they would stand, and their edges."""
    set_hints(painter)
    nodes = [node_id for node_id in carried.nodes if node_id in drawing.graph]
    x, y = carried.shift
    if len(nodes) > MANY:
        for node_id in nodes:
            area = drawing.card(node_id).moved(x, y)
            paint_frame(painter, ink, ink.looks[Tone.TARGET], ink.card, area, dashed=False)
        return
    after = moved(drawing.layout, dict.fromkeys(nodes, carried.shift))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for edge, route in after.routes.items():
        if edge.child in carried.nodes or edge.consumer in carried.nodes:
            painter.strokePath(course(route.points), at_least(ink.way, 1.5, scale))
    for node_id in nodes:
        badge = drawing.badge(node_id)
        paint_card(
            painter,
            ink,
            kind_for(ink, scale),
            moment.card(drawing.graph.node(node_id)),
            drawing.card(node_id).moved(x, y),
            None if badge is None else badge.moved(x, y),
        )
