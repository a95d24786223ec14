"""Our own signs on buttons: one family of drawings, in the colour of the words beside them."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from importlib.abc import Traversable

SHARP = 2
"""Device pixels to a pixel for which signs in menus are drawn."""
INK = "currentColor"
"""What stands in the files for the colour."""


def folder() -> Traversable:
    """Where the drawings are: `name.svg` each, in a square of 10 by 10."""
    return files("chainstep.resources") / "icons"


def names() -> frozenset[str]:
    """What signs there are."""
    return frozenset(file.name.removesuffix(".svg") for file in folder().iterdir())


@lru_cache(256)
def _drawing(name: str, color: str) -> QSvgRenderer | None:
    """A sign in a colour; None where there is none of that name."""
    file = folder() / f"{name}.svg"
    if not file.is_file():
        return None
    return QSvgRenderer(file.read_text("utf-8").replace(INK, color).encode())


def draw(painter: QPainter, name: str, box: QRectF, color: QColor) -> None:
    """Draw a sign into a square box. An unknown name draws nothing."""
    drawing = _drawing(name, color.name())
    if drawing is None:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setOpacity(color.alphaF())
    drawing.render(painter, box)
    painter.restore()


def sign(name: str, size: int, ink: str, faint: str) -> QIcon:
    """A sign for a menu.

    Args:
        name: Which.
        size: Pixels of its side.
        ink: Its colour.
        faint: The same, of what cannot be done.
    """
    icon = QIcon()
    for mode, color in ((QIcon.Mode.Normal, ink), (QIcon.Mode.Disabled, faint)):
        pixmap = QPixmap(SHARP * size, SHARP * size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            draw(painter, name, QRectF(pixmap.rect()), QColor(color))
        pixmap.setDevicePixelRatio(SHARP)
        icon.addPixmap(pixmap, mode)
    return icon


def application() -> QIcon:
    """The sign of the application: a node that passes its gradient back to two others."""
    icon = QIcon()
    for size in (16, 32, 64, 128):
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
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
        icon.addPixmap(pixmap)
    return icon
