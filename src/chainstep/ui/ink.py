"""What the painting is done with: the colours, pens and fonts of one palette, and fitted text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPen

from chainstep.figures import DIGITS, short
from chainstep.ui import fonts
from chainstep.ui.moment import Tone

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from chainstep.ui.palette import Palette

THIN, FIRM, THICK = 1.3, 2.0, 3.5
"""Widths of a card's border: not final, final, part of the current step."""

PATH = re.compile(r"[\w\[\].]*[\[.][\w\[\].]*")
"""A name whose end tells it from its neighbours: `n.layers[0].w[1]`."""


@dataclass(frozen=True, slots=True)
class Look:
    """How cards of one tone are drawn."""

    border: QPen
    fill: QBrush
    pill: QBrush
    word: QPen
    solid: QBrush


class Face:
    """A font, and the widths of what was set in it before."""

    def __init__(self, font: QFont) -> None:
        self.font = font
        self.metrics = QFontMetricsF(font)
        self.letter = self.metrics.horizontalAdvance("0")
        self.width = lru_cache(8192)(self.metrics.horizontalAdvance)


class Ink:
    """Everything that depends on the palette and on nothing else; made once, used for every card.

    Attributes:
        palette: The colours it was made from.
    """

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.canvas = QColor(palette.canvas)
        self.plate = QColor(self.canvas)
        self.plate.setAlphaF(0.85)
        self.text = QPen(QColor(palette.text))
        self.muted = QPen(QColor(palette.muted))
        self.lost = QPen(QColor(palette.now_text))
        self.edge = _pen(palette.edge, 1.6)
        self.hint = _pen(palette.edge, 0)
        self.halo = _pen(palette.canvas, 9, Qt.PenCapStyle.FlatCap)
        self.now = _pen(palette.now, 4, Qt.PenCapStyle.FlatCap)
        self.stray = _dashed(palette.now, 4, (2.5, 1.5))
        self.now_fill = QBrush(QColor(palette.now))
        self.on_now = QPen(QColor(palette.on_now))
        self.card = QBrush(QColor(palette.card))
        self.quiet = QBrush(QColor(palette.quiet))
        self.focus = _dashed(palette.focus, 1.8, (4, 3))
        self.looks = {
            Tone.UNTOUCHED: self._look(palette.border, THIN, palette.card, "partial"),
            Tone.PARTIAL: self._look(palette.border, THIN, palette.card, "partial"),
            Tone.FINAL: self._look(palette.final, FIRM, palette.card, "final"),
            Tone.NOW: self._look(palette.now, THICK, palette.now_tint, "now"),
            Tone.TARGET: self._look(palette.target, THICK, palette.target_tint, "target"),
            Tone.FAILED: self._look(palette.failed, THICK, palette.failed_tint, "failed"),
        }
        self.dashed = _dashed(palette.border, THIN, (3.5, 3))
        self.title = Face(fonts.interface(15, bold=True))
        self.small_title = Face(fonts.interface(12, bold=True))
        self.label = Face(fonts.interface(12))
        self.pill = Face(fonts.interface(11, bold=True))
        self.number = Face(fonts.figures(15))
        self.gradient = Face(fonts.figures(15, bold=True))
        self.small_number = Face(fonts.figures(11))
        self.small_gradient = Face(fonts.figures(11, bold=True))
        self.struck = Face(fonts.figures(12))
        self.op = Face(fonts.figures(12, bold=True))
        self.sign = Face(fonts.interface(17, bold=True))
        self.arithmetic = Face(fonts.figures(13, bold=True))
        self.heading = Face(fonts.figures(14, bold=True))
        self.poster = Face(fonts.interface(34, bold=True))
        # The same few names and numbers come up again with every repaint.
        self.name = lru_cache(8192)(self._name)
        self.figure = lru_cache(8192)(self._figure)

    def _look(self, border: str, width: float, fill: str, meaning: str) -> Look:
        ground, word = getattr(self.palette, meaning), getattr(self.palette, f"on_{meaning}")
        return Look(
            _pen(border, width),
            QBrush(QColor(fill)),
            QBrush(QColor(ground)),
            QPen(QColor(word)),
            QBrush(QColor(border)),
        )

    def _name(self, text: str, room: float) -> tuple[Face, str]:
        """A name in the larger font, else in the smaller one, else shortened to fit."""
        for face in (self.title, self.small_title):
            if face.width(text) <= room:
                return face, text
        end = Qt.TextElideMode.ElideLeft if PATH.fullmatch(text) else Qt.TextElideMode.ElideRight
        return self.small_title, self.small_title.metrics.elidedText(text, end, room)

    def _figure(self, value: float, room: float, bold: bool) -> tuple[Face, str]:
        """A number, never clipped: with fewer digits, else smaller, where it is too wide."""
        large = self.gradient if bold else self.number
        small = self.small_gradient if bold else self.small_number
        text = ""
        for face in (large, small):
            for digits in range(DIGITS, 1, -1):
                text = short(value, digits)
                if len(text) * face.letter <= room:
                    return face, text
        return small, text


def _pen(colour: str, width: float, cap: Qt.PenCapStyle = Qt.PenCapStyle.RoundCap) -> QPen:
    return QPen(QColor(colour), width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.MiterJoin)


def _dashed(colour: str, width: float, pattern: tuple[float, float]) -> QPen:
    pen = _pen(colour, width, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(pattern)
    return pen
