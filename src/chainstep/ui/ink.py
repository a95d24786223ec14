"""What the painting is done with: the colours, pens and fonts of one palette, and fitted text."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isfinite
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetricsF,
    QPainterPath,
    QPainterPathStroker,
    QPen,
)

from chainstep.figures import precision, short
from chainstep.ui import fonts
from chainstep.ui.abridging import abridged
from chainstep.ui.moment import Tone

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.palette import Palette

THIN, FIRM, THICK = 1.3, 2.0, 3.5
"""Widths of a card's border: not final, final, part of the current step."""

LEAST_TYPE = 14
"""Pixels, at 100%, that all type that a lecture is about is high at the least: its em."""
NEAR_TYPE, FAR_TYPE, FARTHEST_TYPE = 15, 24, 26
"""Sizes in scene units: of the smallest type of cards that are set large, of the figures of those
that are set for afar, and of all that stands on a card of the step there at the most."""
LABEL = 12
"""Size of the words on cards and beside the graph."""

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
    """A font, and the widths of what was set in it before.

    Its edges are grey and not coloured: what is set in it may be copied onto any ground.
    """

    def __init__(self, font: QFont) -> None:
        self.font = font
        font.setStyleStrategy(QFont.StyleStrategy.NoSubpixelAntialias)
        self.metrics = QFontMetricsF(font)
        self.letter = self.metrics.horizontalAdvance("0")
        # Not of Qt's own method: what a cache copies of it takes 0.1 ms to put together.
        self.width = lru_cache(8192)(self._width)

    def _width(self, text: str) -> float:
        return self.metrics.horizontalAdvance(text)


class Type:
    """The fonts of a card and where their lines stand, in scene units.

    Args:
        names: Sizes of the name: the usual one, and one for long names.
        label: Size of `data` and `grad`.
        pill: Size of the word for the state.
        numbers: Sizes of the numbers, the usual one first.
        struck: Sizes of a lost gradient, the usual one first.
        op: Size of an op that needs a pill.
        arithmetic: Sizes of the arithmetic on an edge: the usual one, and one for close columns.
        lines: Base lines of the three rows, from the card's top.
        pill_height: Height of the pill.
        sign: Size of an op of one sign.
        is_terse: Whether words give way to names, and labels to their numbers.
        yields: Whether labels alone give way.
        focus: The type of the cards that stand out from the others; None where none does.
        brings: Whether a card of the step that has no room in the pane is brought to its rim.
    """

    def __init__(
        self,
        names: tuple[int, int],
        label: int,
        pill: int,
        numbers: tuple[int, ...],
        struck: tuple[int, ...],
        op: int,
        arithmetic: tuple[int, int],
        lines: tuple[float, float, float],
        pill_height: float,
        *,
        sign: int = 17,
        is_terse: bool = False,
        yields: bool = False,
        focus: Type | None = None,
        brings: bool = False,
    ) -> None:
        self.titles = tuple(Face(fonts.interface(size, bold=True)) for size in names)
        self.label = Face(fonts.interface(label))
        self.pill = Face(fonts.interface(pill, bold=True))
        self.numbers = tuple(Face(fonts.figures(size)) for size in numbers)
        self.gradients = tuple(Face(fonts.figures(size, bold=True)) for size in numbers)
        self.struck = tuple(Face(fonts.figures(size)) for size in struck)
        self.op = Face(fonts.figures(op, bold=True))
        self.arithmetic = tuple(Face(fonts.figures(size, bold=True)) for size in arithmetic)
        self.sign = Face(fonts.interface(sign, bold=True))
        self.lines = lines
        self.pill_height = pill_height
        self.captions: deque[tuple[tuple[Any, ...], Any]] = deque(maxlen=6)
        """What was written at edges last: for what, and how."""
        self.standing: deque[tuple[tuple[Any, ...], Any]] = deque(maxlen=6)
        """The cards that stood out last: for what, and where."""
        self.is_terse = is_terse
        self.yields = yields or is_terse
        self.focus = focus
        self.brings = brings
        # The same few names come up again with every repaint.
        self.name = lru_cache(8192)(self._name)

    def _name(self, text: str, room: float) -> tuple[Face, str]:
        """A name in the larger font, else in the smaller one, else shortened to fit."""
        for form in abridged(text):
            for face in self.titles:
                if face.width(form) <= room:
                    return face, form
        return self.titles[-1], shortened(self.titles[-1], text, room)

    def has_room(self, label: str, wide: float, room: float) -> bool:
        """Whether a label stands before something that is so wide, or gives way to it."""
        return not self.yields or self.label.width(label) + wide <= room

    def figure(self, value: float, room: float, *, bold: bool = False) -> tuple[Face, str]:
        """A number, never clipped: smaller, then with fewer digits, where it is too wide."""
        faces = self.gradients if bold else self.numbers
        for text in forms(value):
            for face in faces:
                if len(text) * face.letter <= room:
                    return face, text
        return faces[-1], text


class Ink:
    """Everything that depends on the palette and on nothing else; made once, used for every card.

    Args:
        palette: The colours.
        large: Whether cards are set as large as they can be, also from near.
        unit: Pixels per scene unit at actual size.

    Attributes:
        palette: The colours it was made from.
        usual: The type of a card at 100%.
        large: The type of a card seen from further away.
        larger: The same, from further away still.
        largest: The same, from as far as cards can be read.
        far_below: Scale below which cards that are set large are set for afar.
    """

    def __init__(self, palette: Palette, *, large: bool = False, unit: float = 1.0) -> None:
        self.palette = palette
        self.canvas = QColor(palette.canvas)
        self.plate = QColor(self.canvas)
        self.plate.setAlphaF(0.85)
        self.veil = QColor(self.canvas)
        self.veil.setAlphaF(0.72)
        self.stream = _pen(palette.text, 2.6, Qt.PenCapStyle.FlatCap)
        self.text = QPen(QColor(palette.text))
        self.muted = QPen(QColor(palette.muted))
        self.lost = QPen(QColor(palette.now_text))
        self.tried = QPen(QColor(palette.target))
        self.edge = _pen(palette.edge, 1.6)
        self.hint = _pen(palette.edge, 0)
        self.halo = _pen(palette.canvas, 7, Qt.PenCapStyle.FlatCap)
        self.now = _pen(palette.now, 4, Qt.PenCapStyle.FlatCap)
        self.stray = _dashed(palette.now, 4, (2.5, 1.5))
        self.way = _pen(palette.target, 2.6, Qt.PenCapStyle.FlatCap)
        self.ghost = _dashed(palette.border, THIN, (1, 4))
        self.now_fill = QBrush(QColor(palette.now))
        self.on_now = QPen(QColor(palette.on_now))
        self.card = QBrush(QColor(palette.card))
        self.quiet = QBrush(QColor(palette.quiet))
        self.focus = _dashed(palette.focus, 1.8, (4, 3))
        self.frame = _pen(palette.focus, 2)
        self.pointer = _pen(palette.target, 3)
        self.looks = _looks(palette)
        self._dashes: dict[tuple[int, float, float, float], QPainterPath] = {}
        self.dashed = _dashed(palette.border, THIN, (3.5, 3))
        self.usual, self.large, self.larger, self.largest = _types(large=large)
        self.label = Face(fonts.interface(LABEL))
        self.far_below = LEAST_TYPE * unit / NEAR_TYPE if large else 0.0
        self.heading = Face(fonts.figures(14, bold=True))
        self.poster = Face(fonts.interface(34, bold=True))
        self._unit = unit
        self._far: dict[int, Type] = {}

    def far(self, scale: float) -> Type:
        """The type that puts the figures first, where cards are set large and seen from afar.

        What stands on the cards of the step is as high as it has to be at that scale.
        """
        needed = ceil(LEAST_TYPE * self._unit / scale - 1e-6)
        size = min(max(needed, FAR_TYPE), FARTHEST_TYPE)
        if size not in self._far:
            ratio = size / FAR_TYPE
            focus = Type(
                (size, size), size, size, (size,), (size,), size, (size, size),
                (26 * ratio, 55 * ratio, 83 * ratio), 28 * ratio, sign=size, is_terse=True,
            )  # fmt: skip
            self._far[size] = Type(
                (24, 20), 16, 16, (FAR_TYPE,), (16,), 19, (size, size),
                (26, 51, 76), 22, sign=21, is_terse=True, focus=focus, brings=True,
            )  # fmt: skip
        return self._far[size]

    def dashes(self, width: float, height: float, rounding: float) -> QPainterPath:
        """The dashed outline of a card of that size, its corner at the origin; to be filled."""
        return self._outline(self.dashed, width, height, rounding)

    def dots(self, width: float, height: float, rounding: float) -> QPainterPath:
        """The same, dotted."""
        return self._outline(self.ghost, width, height, rounding)

    def _outline(self, pen: QPen, width: float, height: float, rounding: float) -> QPainterPath:
        """An outline drawn with a pen, as a path to be filled.

        Made once: a dashed pen takes twice as long, and Qt begins its dashes elsewhere where a
        card is clipped, so that parts painted one after the other would not meet.
        """
        key = (id(pen), width, height, rounding)
        found = self._dashes.get(key)
        if found is None:
            outline = QPainterPath()
            outline.addRoundedRect(QRectF(0, 0, width, height), rounding, rounding)
            stroker = QPainterPathStroker(pen)
            found = self._dashes[key] = stroker.createStroke(outline)
        return found


def _types(*, large: bool) -> tuple[Type, Type, Type, Type]:
    """The types of cards, from near to as far as they can be read."""
    usual = Type((15, 12), LABEL, 11, (15, 13, 11), (12, 11), 14, (13, 11), (24, 48, 70), 18)
    if large:
        small = NEAR_TYPE
        usual = Type(
            (19, small), small, small, (18, 16, small), (small,), small, (16, small),
            (25, 50, 73), 22, yields=True, brings=True,
        )  # fmt: skip
    return (
        usual,
        Type((18, 14), 13, 13, (18, 16, 15, 13, 11), (14, 11), 15, (15, 13), (25, 50, 73), 21),
        Type(
            (18, 16), 16, 16, (18, 16), (16,), 16, (16, 13), (25, 50, 74), 22,
            sign=18, is_terse=True,
        ),
        Type(
            (20, 20), 20, 20, (20,), (20,), 19, (20, 13), (25, 50, 75), 25,
            sign=21, is_terse=True,
        ),
    )  # fmt: skip


def _looks(p: Palette) -> dict[Tone, Look]:
    """How cards of each tone are drawn."""
    return {
        Tone.GHOST: _look(p, p.rule, THIN, p.canvas, "partial"),
        Tone.MADE: _look(p, p.border, THIN, p.card, "partial"),
        Tone.OPEN: _look(p, p.target, FIRM, p.target_tint, "target"),
        Tone.LISTED: _look(p, p.final, FIRM, p.card, "final"),
        Tone.UNTOUCHED: _look(p, p.border, THIN, p.card, "partial"),
        Tone.PARTIAL: _look(p, p.border, THIN, p.card, "partial"),
        Tone.FINAL: _look(p, p.final, FIRM, p.card, "final"),
        Tone.WRONG: _look(p, p.failed, FIRM, p.card, "failed"),
        Tone.NOW: _look(p, p.now, THICK, p.now_tint, "now"),
        Tone.TARGET: _look(p, p.target, THICK, p.target_tint, "target"),
        Tone.FAILED: _look(p, p.failed, THICK, p.failed_tint, "failed"),
    }


def _look(palette: Palette, border: str, width: float, fill: str, meaning: str) -> Look:
    ground, word = getattr(palette, meaning), getattr(palette, f"on_{meaning}")
    return Look(
        _pen(border, width),
        QBrush(QColor(fill)),
        QBrush(QColor(ground)),
        QPen(QColor(word)),
        QBrush(QColor(border)),
    )


def forms(value: float, least: int = 1) -> Iterator[str]:
    """A number with all its digits, then ever shorter, as a power of ten where that is shorter.

    Args:
        value: The number.
        least: Significant digits of the shortest form.

    >>> list(forms(-123456.789))
    ['-123457.0', '-1.23e5', '-1.2e5', '-1e5']
    """
    text = short(value)
    yield text
    if not isfinite(value):
        return
    for digits in range(precision.get() - 1, least - 1, -1):
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        # One digit is the last resort, and 1.0 would be no shorter than 1e0.
        plain, power = short(value, max(digits, 2)), f"{mantissa}e{int(exponent)}"
        shorter = min(plain, power, key=len)
        if len(shorter) < len(text):
            text = shorter
            yield text


def shortened(face: Face, text: str, room: float) -> str:
    """A name with … for what does not fit: at its end, or at its start where the end tells more."""
    end = Qt.TextElideMode.ElideLeft if PATH.fullmatch(text) else Qt.TextElideMode.ElideRight
    return face.metrics.elidedText(text, end, room).replace("….", "…")


def _pen(colour: str, width: float, cap: Qt.PenCapStyle = Qt.PenCapStyle.RoundCap) -> QPen:
    return QPen(QColor(colour), width, Qt.PenStyle.SolidLine, cap, Qt.PenJoinStyle.MiterJoin)


def _dashed(colour: str, width: float, pattern: tuple[float, float]) -> QPen:
    pen = _pen(colour, width, Qt.PenCapStyle.FlatCap)
    pen.setDashPattern(pattern)
    return pen
