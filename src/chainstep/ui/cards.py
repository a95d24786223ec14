"""One card: a name and a pill, data, grad, and the op as a badge on its left edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPolygonF

from chainstep.figures import short
from chainstep.ui.drawing import BADGE, Area, symbol
from chainstep.ui.ink import forms, shortened
from chainstep.ui.moment import GRAD, Tone

if TYPE_CHECKING:
    from PySide6.QtGui import QBrush, QPainter, QPen

    from chainstep.ui.ink import Face, Ink, Look, Type
    from chainstep.ui.moment import Card
    from chainstep.ui.stamps import Stamps

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
EXACT = 6
"""Digits after the point of sizes that are to be the same wherever a card stands."""
BORDER = 2.0
"""How far the widest border and the outline of a badge reach beyond them."""
POINTER, POINTER_GAP = 9.0, 3.0
"""Length, and half of the width, of what points to where a card really is; and from the card to it.
"""
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


class Form(NamedTuple):
    """All that a card shows but its name and its numbers: what many cards have in common.

    Attributes:
        kind: In which type it is set.
        tone: How it looks.
        is_quiet: Whether it is a constant's, and nothing happens to it.
        size: Its extent to the right and downward.
        badge: Where the op stands, from the card's corner; None where none is shown.
        op: The op.
        pill: How wide the pill is; 0 where there is none.
        data: What stands before the data.
        label: What stands before the gradient.
        absent: What stands in its place where none has come.
    """

    kind: Type
    tone: Tone
    is_quiet: bool
    size: tuple[float, float]
    badge: Area | None
    op: str
    pill: float = 0.0
    data: str = ""
    label: str = ""
    absent: tuple[Face, str] | None = None

    @property
    def left(self) -> float:
        """Where text begins."""
        return BESIDE_BADGE if self._is_beside else MARGIN

    @property
    def data_left(self) -> float:
        """The same of the row in the middle: a badge that is wider than usual reaches into it."""
        if self.badge is None or not self._is_beside:
            return self.left
        return max(self.left, self.badge.right + BADGE_GAP)

    @property
    def right(self) -> float:
        """Where numbers end."""
        return self.size[0] - RIGHT

    @property
    def _is_beside(self) -> bool:
        """Whether the badge is on the left edge."""
        return self.badge is not None and self.badge.top > 0

    @property
    def covers(self) -> Area:
        """All that it covers, from its corner."""
        whole = Area(0, 0, *self.size)
        return (whole if self.badge is None else whole.united(self.badge)).grown(BORDER)


class Written(NamedTuple):
    """A name or a number, its font and its pen, and where its base line begins in the card."""

    face: Face
    text: str
    x: float
    base: float
    pen: QPen
    is_struck: bool = False


def paint_card(
    painter: QPainter,
    ink: Ink,
    kind: Type,
    card: Card,
    area: Area,
    badge: Area | None,
    stamps: Stamps | None = None,
) -> None:
    """Draw a card in its place, in one of the ink's types.

    Args:
        painter: Set to scene units.
        ink: Colours and fonts.
        kind: The type.
        card: What it says.
        area: Its place.
        badge: That of its op; None where it has none.
        stamps: Have pictures of what cards have in common; None where all is to be drawn.
    """
    form = _blank(kind, card, area, badge)
    pill, words = _head(ink, kind, card, form)
    data, number = _data(ink, kind, card, form)
    label, absent, numbers = _gradient(ink, kind, card, form)
    form = form._replace(pill=pill, data=data, label=label, absent=absent)
    x, y = _put(painter, ink, form, area, stamps)
    for each in (*words, number, *numbers):
        _write(painter, each, x, y)


def _write(painter: QPainter, written: Written, left: float, top: float) -> None:
    """Write something on a card that has its corner there."""
    face, text, x, base, pen, is_struck = written
    x, base = left + x, top + base
    painter.setPen(pen)
    painter.setFont(face.font)
    painter.drawText(QPointF(x, base), text)
    if is_struck:
        middle = base - face.metrics.capHeight() / 2
        painter.drawLine(QLineF(x - 2, middle, x + face.width(text) + 2, middle))


def paint_blank(
    painter: QPainter,
    ink: Ink,
    kind: Type,
    card: Card,
    area: Area,
    badge: Area | None,
    stamps: Stamps | None = None,
) -> None:
    """Draw a card without a word: its frame, and its badge where one is given."""
    _put(painter, ink, _blank(kind, card, area, badge), area, stamps)


def paint_pointer(painter: QPainter, look: Look, area: Area, towards: tuple[int, int]) -> None:
    """A mark at the side of a card on which it really is: beyond the edge of the pane."""
    (x, y), (across, down) = area.middle, towards
    x += across * (area.width / 2 + POINTER_GAP)
    y += down * (area.height / 2 + POINTER_GAP)
    wide_x, wide_y = POINTER * abs(down), POINTER * abs(across)
    corners = [
        (x + across * POINTER, y + down * POINTER),
        (x - wide_x, y - wide_y),
        (x + wide_x, y + wide_y),
    ]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(look.solid)
    painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))


def paint_ghost(painter: QPainter, ink: Ink, area: Area, stamps: Stamps | None = None) -> None:
    """Where a card will be: an outline and nothing else."""
    size = area.width, area.height
    form = Form(ink.usual, Tone.GHOST, is_quiet=False, size=size, badge=None, op="")
    _put(painter, ink, form, area, stamps)


def _blank(kind: Type, card: Card, area: Area, badge: Area | None) -> Form:
    """What a card shows without a word."""
    size = round(area.width, EXACT), round(area.height, EXACT)
    if badge is not None:
        badge = Area(*(round(each, EXACT) for each in badge.moved(-area.left, -area.top)))
    is_quiet = card.node.constant and card.tone in RESTING
    return Form(kind, card.tone, is_quiet, size, badge, card.node.op)


def _put(
    painter: QPainter, ink: Ink, form: Form, area: Area, stamps: Stamps | None
) -> tuple[float, float]:
    """Draw what cards have in common, or a picture of it. Gives the corner of the card."""
    x, y = area.left, area.top
    if stamps is None:
        _paint_form(painter, ink, form, x, y)
        return x, y
    right, down = stamps.shift(area)
    corner = x + right, y + down
    stamps.put(painter, form, corner, form.covers, lambda own: _paint_form(own, ink, form, 0, 0))
    return corner


def _paint_form(painter: QPainter, ink: Ink, form: Form, x: float, y: float) -> None:
    """Draw it with the corner of the card at a point."""
    kind, look = form.kind, ink.looks[form.tone]
    wide, high = form.size
    if form.tone is Tone.GHOST:
        painter.translate(x, y)
        painter.fillPath(ink.dots(wide, high, ROUND), ink.looks[Tone.MADE].solid)
        painter.translate(-x, -y)
        return
    fill, dashed = ink.quiet if form.is_quiet else look.fill, form.tone is Tone.UNTOUCHED
    paint_frame(painter, ink, look, fill, Area(x, y, x + wide, y + high), dashed=dashed)
    if form.pill:
        half, middle = kind.pill_height / 2, y + _pill_middle(kind)
        left = x + wide - PILL_RIGHT - form.pill
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.pill)
        painter.drawRoundedRect(QRectF(left, middle - half, form.pill, 2 * half), half, half)
    for each in _labels(ink, form):
        _write(painter, each, x, y)
    if form.badge is not None:
        paint_badge(painter, ink, kind, look, form.op, form.badge.moved(x, y))


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


def _labels(ink: Ink, form: Form) -> list[Written]:
    """The words before the numbers, or in place of one."""
    kind, found = form.kind, []
    if form.data:
        pen = ink.tried if form.data == WHAT_IF else ink.muted
        found.append(Written(kind.label, form.data, form.data_left, kind.lines[1], pen))
    face, absent = form.absent or (kind.label, "")
    if form.label:
        found.append(Written(face, form.label, form.left, kind.lines[2], ink.muted))
    if absent:
        start = form.right - face.width(absent)
        found.append(Written(face, absent, start, kind.lines[2], ink.muted))
    return found


def _head(ink: Ink, kind: Type, card: Card, form: Form) -> tuple[float, list[Written]]:
    """(width of the pill, what is written): the name, the sign that the modes differ, the state."""
    left, end, base = form.left, form.size[0] - PILL_RIGHT, kind.lines[0]
    mark = kind.titles[0].width(DIFFERS) + GAP if card.differs else 0.0
    pill, words = 0.0, []
    if card.word:
        word = pill_beside(kind, card, end - left - mark - GAP, form.size[0])
        pill = kind.pill.width(word) + 2 * PILL_PADDING
        low = _pill_middle(kind) + kind.pill.metrics.capHeight() / 2
        pen = ink.looks[card.tone].word
        words.append(Written(kind.pill, word, end - pill + PILL_PADDING, low, pen))
        end -= pill + GAP
    if card.node.constant:
        room = end - left - mark
        text = next((t for t in CONSTANT if kind.label.width(t) <= room), "")
        face, pen = kind.label, ink.muted
    else:
        face, text = kind.name(card.node.name, end - left - mark)
        pen = ink.text
    words.append(Written(face, text, left, base, pen))
    if card.differs:
        start = left + face.width(text) + GAP
        words.append(Written(kind.titles[0], DIFFERS, start, base, ink.text))
    return pill, words


def _pill_middle(kind: Type) -> float:
    """The height of its middle: that of the name's capital letters."""
    return kind.lines[0] - kind.titles[0].metrics.capHeight() / 2


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


def _data(ink: Ink, kind: Type, card: Card, form: Form) -> tuple[str, Written]:
    """(what stands before the data, the data)."""
    word = WHAT_IF if card.tried else "data"
    room = form.right - form.data_left
    if kind.has_room(word, len(short(card.data)) * kind.numbers[-1].letter + GAP, room):
        room -= kind.label.width(word if card.tried else "grad") + GAP
    else:
        word = ""
    face, text = kind.figure(card.data, room, bold=card.tried)
    pen = ink.muted if card.node.constant else ink.text
    return word, Written(face, text, form.right - face.width(text), kind.lines[1], pen)


def _gradient(
    ink: Ink, kind: Type, card: Card, form: Form
) -> tuple[str, tuple[Face, str] | None, list[Written]]:
    """(what stands before the gradient, what stands in its place, it and what `=` lost for it)."""
    right, base, room = form.right, kind.lines[2], form.right - form.left
    wide = kind.label.width(card.absent)
    if card.gradient is not None:
        wide = len(short(card.gradient)) * kind.numbers[-1].letter
    labels = (card.label, f"{GRAD} +", GRAD) if card.label.startswith(f"{GRAD} ") else (card.label,)
    label = next((each for each in labels if kind.has_room(each, wide + GAP, room)), "")
    rest = room - (kind.label.width(label) + GAP if label else 0.0)
    if card.gradient is None:
        word = kind.label if kind.label.width(card.absent) <= rest else ink.usual.label
        return label, (word, card.absent), []
    struck: Struck | None = None
    face, text = kind.figure(card.gradient, rest, bold=True)
    if card.lost is not None:
        struck = _fitting(kind, card.lost, rest - face.width(text) - GAP)
        if struck is None and card.lost_now:
            # Both numbers matter more now than the word before them.
            label = ""
            face, text, struck = _pair(kind, card.gradient, card.lost, room)
    start = right - face.width(text)
    numbers = [Written(face, text, start, base, ink.text)]
    if struck is not None:
        pen = ink.lost if card.lost_now else ink.muted
        lost = start - GAP - struck[0].width(struck[1])
        numbers.append(Written(*struck, lost, base, pen, is_struck=True))
    return label, None, numbers


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


def paint_badge(painter: QPainter, ink: Ink, kind: Type, look: Look, op: str, badge: Area) -> None:
    """The op: one sign in a circle, more in a pill."""
    painter.setPen(look.border)
    painter.setBrush(ink.card)
    painter.drawRoundedRect(QRectF(badge.left, badge.top, badge.width, badge.height), BADGE, BADGE)
    text = symbol(op)
    face = kind.sign if len(text) == 1 else kind.op
    rise = 0.35 * face.font.pixelSize() if len(text) == 1 else face.metrics.xHeight() / 2
    x, y = badge.middle
    painter.setPen(ink.text)
    painter.setFont(face.font)
    painter.drawText(QPointF(x - face.width(text) / 2, y + rise), text)
