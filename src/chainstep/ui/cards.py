"""One card: a name and a pill, data, grad, and the op as a badge on its left edge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt

from chainstep.figures import short
from chainstep.ui.drawing import BADGE, symbol
from chainstep.ui.moment import Tone

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chainstep.graph import Node
    from chainstep.ui.drawing import Area
    from chainstep.ui.ink import Face, Ink, Look
    from chainstep.ui.moment import Card

ROUND = 10.0
MARGIN = 14.0
"""From the card's left edge to its text, where no badge is in the way."""
BESIDE_BADGE = 24.0
"""The same, where one is."""
RIGHT = 12.0
"""From the numbers' right ends to the card's right edge."""
NAME_LINE, DATA_LINE, GRAD_LINE = 24.0, 48.0, 70.0
"""Base lines of the three rows."""
PILL_TOP, PILL_HEIGHT, PILL_PADDING = 9.0, 18.0, 9.0
PILL_RIGHT = 10.0
GAP = 7.0
DIFFERS = "≠"
CONSTANT = "constant"


def paint_card(painter: QPainter, ink: Ink, card: Card, area: Area, badge: Area | None) -> None:
    """Draw a card in its place."""
    look = ink.looks[card.tone]
    quiet = card.node.constant
    resting = card.tone in (Tone.UNTOUCHED, Tone.PARTIAL, Tone.FINAL)
    painter.setPen(ink.dashed if card.tone is Tone.UNTOUCHED else look.border)
    painter.setBrush(ink.quiet if quiet and resting else look.fill)
    painter.drawRoundedRect(QRectF(area.left, area.top, area.width, area.height), ROUND, ROUND)
    left = area.left + (MARGIN if badge is None else BESIDE_BADGE)
    right = area.right - RIGHT
    _head(painter, ink, card, left, area)
    painter.setPen(ink.muted)
    painter.setFont(ink.label.font)
    painter.drawText(QPointF(left, area.top + DATA_LINE), "data")
    painter.drawText(QPointF(left, area.top + GRAD_LINE), "grad")
    room = right - left - ink.label.width("grad") - GAP
    face, text = ink.figure(card.data, room, bold=False)
    _right(painter, face, text, right, area.top + DATA_LINE, ink.muted if quiet else ink.text)
    _gradient(painter, ink, card, right, area.top + GRAD_LINE, room)
    if badge is not None:
        paint_badge(painter, ink, look, card.node, badge)


def _head(painter: QPainter, ink: Ink, card: Card, left: float, area: Area) -> None:
    """The name, the sign that the modes differ here, and the pill."""
    end = area.right - PILL_RIGHT
    if card.word:
        end = _pill(painter, ink, card, area) - GAP
    mark = ink.title.width(DIFFERS) + GAP - 2 if card.differs else 0.0
    base = area.top + NAME_LINE
    if card.node.constant:
        face, text = ink.label, CONSTANT
        painter.setPen(ink.muted)
    else:
        face, text = ink.name(card.node.name, end - left - mark)
        painter.setPen(ink.text)
    painter.setFont(face.font)
    painter.drawText(QPointF(left, base), text)
    if card.differs:
        painter.setPen(ink.text)
        painter.setFont(ink.title.font)
        painter.drawText(QPointF(left + face.width(text) + GAP - 2, base), DIFFERS)


def _pill(painter: QPainter, ink: Ink, card: Card, area: Area) -> float:
    """The state in a word, at the upper right. Gives its left end."""
    look = ink.looks[card.tone]
    wide = ink.pill.width(card.word) + 2 * PILL_PADDING
    left = area.right - PILL_RIGHT - wide
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.pill)
    half = PILL_HEIGHT / 2
    painter.drawRoundedRect(QRectF(left, area.top + PILL_TOP, wide, PILL_HEIGHT), half, half)
    painter.setPen(look.word)
    painter.setFont(ink.pill.font)
    painter.drawText(QPointF(left + PILL_PADDING, area.top + PILL_TOP + 13), card.word)
    return left


def _gradient(
    painter: QPainter, ink: Ink, card: Card, right: float, base: float, room: float
) -> None:
    """The gradient, in words where there is none, with what `=` lost struck out before it."""
    if card.gradient is None:
        _right(painter, ink.label, card.absent, right, base, ink.muted)
        return
    if card.lost is None:
        face, text = ink.figure(card.gradient, room, bold=True)
        _right(painter, face, text, right, base, ink.text)
        return
    face, text, lost = _pair(ink, card.gradient, card.lost, room)
    start = _right(painter, face, text, right, base, ink.text)
    if lost:
        pen = ink.lost if card.lost_now else ink.muted
        end = start - GAP + 1
        begin = _right(painter, ink.struck, lost, end, base, pen)
        painter.setPen(pen)
        painter.drawLine(QLineF(begin - 2, base - 4.3, end + 2, base - 4.3))


def _pair(ink: Ink, gradient: float, lost: float, room: float) -> tuple[Face, str, str]:
    """(font, gradient, what was lost), with as many digits as both find room for."""
    for face in (ink.gradient, ink.small_gradient):
        for digits in (4, 3, 2):
            text, gone = short(gradient, digits), short(lost, digits)
            if len(text) * face.letter + GAP + len(gone) * ink.struck.letter <= room:
                return face, text, gone
    face, text = ink.figure(gradient, room, bold=True)
    return face, text, ""


def _right(
    painter: QPainter, face: Face, text: str, right: float, base: float, pen: object
) -> float:
    """Text that ends at `right`. Gives where it begins."""
    start = right - face.width(text)
    painter.setPen(pen)
    painter.setFont(face.font)
    painter.drawText(QPointF(start, base), text)
    return start


def paint_badge(painter: QPainter, ink: Ink, look: Look, node: Node, badge: Area) -> None:
    """The op: one sign in a circle, more in a pill."""
    painter.setPen(look.border)
    painter.setBrush(ink.card)
    painter.drawRoundedRect(QRectF(badge.left, badge.top, badge.width, badge.height), BADGE, BADGE)
    text = symbol(node.op)
    face = ink.sign if len(text) == 1 else ink.op
    rise = 6.0 if len(text) == 1 else 4.4
    x, y = badge.middle
    painter.setPen(ink.text)
    painter.setFont(face.font)
    painter.drawText(QPointF(x - face.width(text) / 2, y + rise), text)
