"""From the scene to the pixels of a device."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from chainstep.ui.drawing import Area

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QPainter

OFF_TIE = 1 / 64
"""Shift of everything, in pixels. Text is set on whole pixels: what lies just between two would be
rounded to one or the other by the last bit of a sum, and parts of a card would not meet."""


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
        painter.translate(self.x + OFF_TIE, self.y + OFF_TIE)
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
