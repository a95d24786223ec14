"""A whole graph as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QImage, QPainter

from chainstep.ui.painting import paint
from chainstep.ui.projection import Projection
from chainstep.ui.stamps import Stamps
from chainstep.ui.viewport import fitting

if TYPE_CHECKING:
    from PySide6.QtCore import QSize

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.ink import Ink
    from chainstep.ui.sight import Shown


def image(drawing: Drawing, moment: Shown, ink: Ink, size: QSize, scale: float = 1.0) -> QImage:
    """The whole drawing, as large as it fits.

    Args:
        drawing: The graph and where it stands.
        moment: What to show of it.
        ink: Colours and fonts.
        size: Size of the picture in pixels.
        scale: Device pixels to a pixel: 2 for a picture that is sharp on fine screens.
    """
    picture = QImage(size * scale, QImage.Format.Format_RGB32)
    picture.fill(ink.canvas)
    seen, centre = fitting(drawing.bounds, size.width(), size.height())
    projection = Projection.centred(seen * scale, centre, picture.size())
    with QPainter(picture) as painter:
        stamps = Stamps()
        stamps.apply(painter, projection, ink)
        paint(painter, drawing, moment, ink, projection.area(picture.rect()), seen, stamps)
    return picture
