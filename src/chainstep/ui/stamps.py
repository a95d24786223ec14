"""Pictures of what many cards have in common: made once at a scale, and copied from then on.

Qt takes ten times as long to draw the frame, the badge and the words of a card as to copy them. One
picture serves every card because on a screen cards begin at whole pixels.
"""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter, QTransform

from chainstep.ui.projection import OFF_TIE

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from chainstep.ui.drawing import Area
    from chainstep.ui.ink import Ink
    from chainstep.ui.projection import Projection

MOST_PIXELS = 4_000_000
"""Of all pictures that are kept, those used last: 16 MiB."""


class Stamps:
    """The pictures of one pane, at its scale and in its colours."""

    def __init__(self) -> None:
        self._projection: Projection | None = None
        self._ink: Ink | None = None
        self._flat = self._scene = QTransform()
        self._made: dict[Hashable, tuple[QImage, int, int]] = {}
        self.pixels = 0
        """Of the pictures that are kept."""

    def apply(self, painter: QPainter, projection: Projection, ink: Ink) -> None:
        """Set a painter on device pixels to scene units: from now on it is stamped with."""
        before = self._projection
        if before is None or before.scale != projection.scale or self._ink is not ink:
            self._made.clear()
            self.pixels = 0
        self._projection, self._ink = projection, ink
        self._flat = painter.worldTransform()
        projection.apply(painter)
        self._scene = painter.worldTransform()

    def shift(self, card: Area) -> tuple[float, float]:
        """How far from its place a card is drawn, to begin at a whole pixel."""
        assert self._projection is not None
        scale, x, y = self._projection.scale, card.left, card.top
        return round(x * scale) / scale - x, round(y * scale) / scale - y

    def put(
        self,
        painter: QPainter,
        key: Hashable,
        corner: tuple[float, float],
        covers: Area,
        paint: Callable[[QPainter], None],
    ) -> None:
        """Draw a picture.

        Args:
            painter: The one that was set last.
            key: What decides how the picture looks, besides scale and colours.
            corner: Where its origin comes to lie, at a whole pixel; see `shift`.
            covers: What it covers around its origin.
            paint: Paints it around its origin, where there is no picture yet.
        """
        projection = self._projection
        assert projection is not None
        found = self._made.pop(key, None)
        if found is None:
            found = self._make(painter, covers, paint)
        self._made[key] = found
        picture, left, top = found
        x, y = (round(each * projection.scale) for each in corner)
        painter.setWorldTransform(self._flat)
        painter.drawImage(x + projection.x + left, y + projection.y + top, picture)
        painter.setWorldTransform(self._scene)

    def _make(
        self, like: QPainter, covers: Area, paint: Callable[[QPainter], None]
    ) -> tuple[QImage, int, int]:
        """(the picture, where its left and its top lie from its origin, in pixels)."""
        assert self._projection is not None
        scale = self._projection.scale
        left, top = floor(covers.left * scale) - 1, floor(covers.top * scale) - 1
        wide, high = ceil(covers.right * scale) + 2 - left, ceil(covers.bottom * scale) + 2 - top
        picture = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
        picture.fill(Qt.GlobalColor.transparent)
        with QPainter(picture) as painter:
            painter.setRenderHints(like.renderHints())
            painter.translate(OFF_TIE - left, OFF_TIE - top)
            painter.scale(scale, scale)
            paint(painter)
        self.pixels += wide * high
        while self.pixels > MOST_PIXELS and self._made:
            oldest, _, _ = self._made.pop(next(iter(self._made)))
            self.pixels -= oldest.width() * oldest.height()
        return picture, left, top
