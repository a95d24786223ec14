"""One card: a name and a pill, data, grad, and the op as a badge on its left edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt

from chainstep.figures import short
from chainstep.ui.drawing import BADGE, symbol
from chainstep.ui.ink import forms, shortened
from chainstep.ui.moment import GRAD, Tone

if TYPE_CHECKING:
    from PySide6.QtGui import QBrush, QPainter, QPen

    from chainstep.graph import Node
    from chainstep.ui.drawing import Area
    from chainstep.ui.ink import Face, Ink, Look, Type
    from chainstep.ui.moment import Card

ROUND = 10.0
MARGIN = 14.0
"""From the card's left edge to its text, where no badge is in the way."""
BESIDE_BADGE = 24.0
"""The same, where one is."""
RIGHT = 11.0
"""From the numbers' right ends to the card's right edge."""
BADGE_GAP = 5.0
"""From a badge to what stands beside it."""
PILL_PADDING = 8.0
PILL_RIGHT = 10.0
PILL_SHARE = 0.6
"""How much of a card's width a pill may take from far away."""
GAP = 6.0
Struck: TypeAlias = "tuple[Face, str]"
DIFFERS = "≠"
WHAT_IF = "what if"
"""What stands before data that was tried out."""
RESTING = (Tone.MADE, Tone.LISTED, Tone.UNTOUCHED, Tone.PARTIAL, Tone.FINAL, Tone.WRONG)
"""Tones of cards that the moment is not about."""
SIGNS = {"now": "▸", "final": "✓", "wrong": "✗", "visit": "↓", "been here": "↺"}
"""What stands on a pill whose word would leave the name of its card no room."""
BRIEF = {"been here": "again"}
"""Words for pills that are too narrow for others."""
CONSTANT = ("constant", "const", "c")
"""What stands in the place of a constant's name: the first that fits."""


def paint_card(
    painter: QPainter, ink: Ink, kind: Type, card: Card, area: Area, badge: Area | None
) -> None:
    """Draw a card in its place, in one of the ink's two types."""
    look = ink.looks[card.tone]
    quiet = card.node.constant
    resting = card.tone in RESTING
    paint_frame(
        painter,
        ink,
        look,
        ink.quiet if quiet and resting else look.fill,
        area,
        dashed=card.tone is Tone.UNTOUCHED,
    )
    beside = badge is not None and badge.top > area.top
    left = area.left + (BESIDE_BADGE if beside else MARGIN)
    right = area.right - RIGHT
    _head(painter, ink, kind, card, left, area)
    data_line, grad_line = area.top + kind.lines[1], area.top + kind.lines[2]
    word = WHAT_IF if card.tried else "data"
    pen = ink.tried if card.tried else ink.muted
    # A badge that is wider than usual reaches into the row in the middle.
    start = left if badge is None or not beside else max(left, badge.right + BADGE_GAP)
    room = right - start
    if kind.has_room(word, len(short(card.data)) * kind.numbers[-1].letter + GAP, room):
        _label(painter, kind.label, word, start, data_line, pen)
        room -= kind.label.width(word if card.tried else "grad") + GAP
    face, text = kind.figure(card.data, room, bold=card.tried)
    _right(painter, face, text, right, data_line, ink.muted if quiet else ink.text)
    _gradient(painter, ink, kind, card, left, right, grad_line)
    if badge is not None:
        paint_badge(painter, ink, kind, look, card.node, badge)


def paint_blank(
    painter: QPainter, ink: Ink, kind: Type, card: Card, area: Area, badge: Area | None
) -> None:
    """Draw a card without a word: its frame, and its badge where one is given."""
    look = ink.looks[card.tone]
    quiet = card.node.constant and card.tone in RESTING
    dashed = card.tone is Tone.UNTOUCHED
    paint_frame(painter, ink, look, ink.quiet if quiet else look.fill, area, dashed=dashed)
    if badge is not None:
        paint_badge(painter, ink, kind, look, card.node, badge)


def paint_ghost(painter: QPainter, ink: Ink, area: Area) -> None:
    """Where a card will be: an outline and nothing else."""
    painter.translate(area.left, area.top)
    painter.fillPath(ink.dots(area.width, area.height, ROUND), ink.looks[Tone.MADE].solid)
    painter.translate(-area.left, -area.top)


def paint_frame(
    painter: QPainter, ink: Ink, look: Look, fill: QBrush, area: Area, *, dashed: bool
) -> None:
    """A card's ground and border."""
    painter.setPen(Qt.PenStyle.NoPen if dashed else look.border)
    painter.setBrush(fill)
    painter.drawRoundedRect(QRectF(area.left, area.top, area.width, area.height), ROUND, ROUND)
    if dashed:
        painter.translate(area.left, area.top)
        painter.fillPath(ink.dashes(area.width, area.height, ROUND), look.solid)
        painter.translate(-area.left, -area.top)


def _label(painter: QPainter, face: Face, text: str, left: float, base: float, pen: QPen) -> None:
    painter.setPen(pen)
    painter.setFont(face.font)
    painter.drawText(QPointF(left, base), text)


def _head(painter: QPainter, ink: Ink, kind: Type, card: Card, left: float, area: Area) -> None:
    """The name, the sign that the modes differ here, and the pill."""
    end = area.right - PILL_RIGHT
    mark = kind.titles[0].width(DIFFERS) + GAP if card.differs else 0.0
    if card.word:
        word = pill_beside(kind, card, end - left - mark - GAP, area.width)
        end = _pill(painter, ink, kind, card.tone, word, area) - GAP
    base = area.top + kind.lines[0]
    if card.node.constant:
        room = end - left - mark
        text = next((t for t in CONSTANT if kind.label.width(t) <= room), "")
        face = kind.label
        painter.setPen(ink.muted)
    else:
        face, text = kind.name(card.node.name, end - left - mark)
        painter.setPen(ink.text)
    painter.setFont(face.font)
    painter.drawText(QPointF(left, base), text)
    if card.differs:
        painter.setPen(ink.text)
        painter.setFont(kind.titles[0].font)
        painter.drawText(QPointF(left + face.width(text) + GAP, base), DIFFERS)


def pill_beside(kind: Type, card: Card, room: float, width: float) -> str:
    """What stands on a card's pill: as much of its word as leaves its name whole.

    Args:
        kind: The type of the card.
        card: What it says.
        room: For the name and the pill together.
        width: Of the card.
    """
    constant = kind.label.width(CONSTANT[0])
    named = constant if card.node.constant else kind.titles[-1].width(card.node.name)
    word = pill_word(kind, card.word, width)
    first = card.word.split(" · ", maxsplit=1)[0]
    ways = (word, _brief(first), SIGNS.get(first, word))
    shortest = min(ways, key=kind.pill.width)
    rest = room - named - 2 * PILL_PADDING
    return next((way for way in ways if kind.pill.width(way) <= rest), shortest)


def _pill(painter: QPainter, ink: Ink, kind: Type, tone: Tone, word: str, area: Area) -> float:
    """The state in a word, at the upper right. Gives its left end."""
    look = ink.looks[tone]
    wide = kind.pill.width(word) + 2 * PILL_PADDING
    left = area.right - PILL_RIGHT - wide
    # Its middle is that of the name's capital letters.
    half = kind.pill_height / 2
    middle = area.top + kind.lines[0] - kind.titles[0].metrics.capHeight() / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.pill)
    painter.drawRoundedRect(QRectF(left, middle - half, wide, 2 * half), half, half)
    painter.setPen(look.word)
    painter.setFont(kind.pill.font)
    base = middle + kind.pill.metrics.capHeight() / 2
    painter.drawText(QPointF(left + PILL_PADDING, base), word)
    return left


def pill_word(kind: Type, word: str, width: float) -> str:
    """A word for a pill; shorter where it would leave the name of its card no room."""
    if not kind.is_terse:
        return word
    room = PILL_SHARE * width - 2 * PILL_PADDING
    first = word.split(" · ", maxsplit=1)[0]
    ways = (word, first, _brief(first))
    found = next((way for way in ways if kind.pill.width(way) <= room), None)
    return shortened(kind.pill, ways[-1], room) if found is None else found


def _brief(word: str) -> str:
    """The same with fewer letters: `1/2` for `1 of 2`."""
    shorter = word.removeprefix("from ").removeprefix("no. ").replace(" of ", "/")
    return BRIEF.get(word, shorter)


def _gradient(
    painter: QPainter, ink: Ink, kind: Type, card: Card, left: float, right: float, base: float
) -> None:
    """The gradient, in words where there is none, with what `=` lost struck out before it."""
    wide = kind.label.width(card.absent)
    if card.gradient is not None:
        wide = len(short(card.gradient)) * kind.numbers[-1].letter
    labels = (card.label, f"{GRAD} +", GRAD) if card.label.startswith(f"{GRAD} ") else (card.label,)
    fits = (each for each in labels if kind.has_room(each, wide + GAP, right - left))
    label = next(fits, "")
    room = right - left - (kind.label.width(label) + GAP if label else 0.0)
    pen = ink.text
    struck: Struck | None = None
    word = kind.label
    if card.gradient is None:
        text, pen = card.absent, ink.muted
        if word.width(text) > room:
            word = ink.usual.label
        face = word
    else:
        face, text = kind.figure(card.gradient, room, bold=True)
        if card.lost is not None:
            struck = _fitting(kind, card.lost, room - face.width(text) - GAP)
            if struck is None and card.lost_now:
                # Both numbers matter more now than the word before them.
                label = ""
                face, text, struck = _pair(kind, card.gradient, card.lost, right - left)
    if label:
        _label(painter, word, label, left, base, ink.muted)
    start = _right(painter, face, text, right, base, pen)
    if struck is not None:
        _strike(painter, *struck, start - GAP, base, ink.lost if card.lost_now else ink.muted)


def _fitting(kind: Type, lost: float, room: float, least: int = 2) -> Struck | None:
    """A lost gradient as it finds room, with so many digits at the least; None if it does not."""
    for text in forms(lost, least):
        for face in kind.struck:
            if len(text) * face.letter <= room:
                return face, text
    return None


def _pair(kind: Type, gradient: float, lost: float, room: float) -> tuple[Face, str, Struck | None]:
    """A gradient and what was lost for it, both with as many digits as possible."""
    for least in (3, 2, 1):
        for text in forms(gradient, least):
            for face in kind.gradients:
                struck = _fitting(kind, lost, room - len(text) * face.letter - GAP, least)
                if struck is not None:
                    return face, text, struck
    return *kind.figure(gradient, room, bold=True), None


def _strike(painter: QPainter, face: Face, text: str, right: float, base: float, pen: QPen) -> None:
    """Struck-out text that ends at `right`."""
    start = _right(painter, face, text, right, base, pen)
    middle = base - face.metrics.capHeight() / 2
    painter.drawLine(QLineF(start - 2, middle, right + 2, middle))


def _right(painter: QPainter, face: Face, text: str, right: float, base: float, pen: QPen) -> float:
    """Text that ends at `right`. Gives where it begins."""
    start = right - face.width(text)
    painter.setPen(pen)
    painter.setFont(face.font)
    painter.drawText(QPointF(start, base), text)
    return start


def paint_badge(
    painter: QPainter, ink: Ink, kind: Type, look: Look, node: Node, badge: Area
) -> None:
    """The op: one sign in a circle, more in a pill."""
    painter.setPen(look.border)
    painter.setBrush(ink.card)
    painter.drawRoundedRect(QRectF(badge.left, badge.top, badge.width, badge.height), BADGE, BADGE)
    text = symbol(node.op)
    face = kind.sign if len(text) == 1 else kind.op
    rise = 0.35 * face.font.pixelSize() if len(text) == 1 else face.metrics.xHeight() / 2
    x, y = badge.middle
    painter.setPen(ink.text)
    painter.setFont(face.font)
    painter.drawText(QPointF(x - face.width(text) / 2, y + rise), text)
