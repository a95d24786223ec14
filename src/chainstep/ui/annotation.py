"""What is written beside the cards: the arithmetic of a write, or what goes on within a card."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPen

from chainstep.figures import DIGITS, precision
from chainstep.ui.arrow import is_drawn
from chainstep.ui.drawing import Area
from chainstep.ui.focus import course_between, enlarged, ring
from chainstep.ui.ink import shortened
from chainstep.ui.labelling import Form, lead, place

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from PySide6.QtGui import QPainter

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.focus import Enlarged
    from chainstep.ui.ink import Face, Ink, Type
    from chainstep.ui.sight import Shown

ROUND = 12.0
PADDING = 5.0
AIR, LITTLE_AIR = 8.0, 4.0
"""What a label is higher than its lines; and where cards are set for afar."""
LEAD, DOT = 3.0, 5.0
"""Width of the line from arithmetic to its edge, and size of the dot in which that ends."""
BENEATH = 5.0
"""From a card to words about what goes on within it."""
EXTRA_LINE = 14.0
"""How far away a label is put before its arithmetic is broken into one more line."""
CURT = 300.0
"""How far away a label is put before nothing but its result is written."""
TINY = 120.0
"""The same before small type is taken where the usual one is only just large enough to read."""


def has_label(drawing: Drawing, moment: Shown) -> bool:
    """Whether there is arithmetic to be written at an arrow."""
    return is_drawn(drawing, moment) and bool(moment.arithmetic())


class Caption(NamedTuple):
    """Words on an orange ground.

    Attributes:
        area: Where they stand.
        face: In which font.
        lines: On which lines.
        lead: The line that joins them to their edge; None where they stand on it or close to it.
    """

    area: Area
    face: Face
    lines: tuple[str, ...]
    lead: tuple[tuple[float, float], tuple[float, float]] | None = None

    @property
    def covers(self) -> Area:
        """All that is painted of it."""
        if self.lead is None:
            return self.area
        (x0, y0), (x1, y1) = self.lead
        line = Area(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
        return self.area.united(line.grown(DOT))


def captions(drawing: Drawing, moment: Shown, kind: Type, view: Area | None) -> list[Caption]:
    """What is written of a moment beside the cards: the arithmetic, or what goes on within one."""
    found = []
    if has_label(drawing, moment):
        found.append(label(drawing, moment, kind, view))
    aside = moment.aside
    if aside is not None and aside[0] in drawing.graph:
        found.append(_beneath(drawing, moment, aside, kind, view))
    return found


def _beneath(
    drawing: Drawing, moment: Shown, aside: tuple[int, str], kind: Type, view: Area | None
) -> Caption:
    """Words about what goes on within a card, just below it."""
    node_id, text = aside
    big = enlarged(drawing, moment, kind, view)
    card = big[node_id].area if node_id in big else drawing.card(node_id)
    face = kind.arithmetic[-1]
    lines = _broken(face, text, 2 * card.width)
    y = card.bottom + BENEATH
    course = tuple((card.left + card.width * n / 3, y) for n in range(4))
    width = max(face.width(line) for line in lines) + 2 * PADDING
    form = Form(width, _height(kind, face, len(lines)), 0.0)
    besides = [each.covers for each in big.values()]
    area = place(drawing, [course], [form], view, besides, _rings(drawing, moment, big))[1]
    return Caption(area, face, lines)


def _broken(face: Face, text: str, room: float) -> tuple[str, ...]:
    """Words on as many lines as they need; what is longer than a line is cut."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if face.width(longer) > room and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return tuple(shortened(face, line, room) for line in lines)


def label(drawing: Drawing, moment: Shown, kind: Type, view: Area | None) -> Caption:
    """(place, font, lines) of the arithmetic of the current write.

    On one line with all digits where there is room; smaller, on more lines or with fewer digits
    where the cards leave less. The last few are kept: one step asks for the same several times.
    """
    key = (drawing, moment.arrow, moment.arithmetic(), precision.get(), view, moment.selected)
    kept: Iterable[tuple[object, Caption]] = kind.captions
    for known, written in kept:
        if known == key:
            return written
    caption = _set(drawing, moment, kind, view)
    kind.captions.append((key, caption))
    return caption


def _set(drawing: Drawing, moment: Shown, kind: Type, view: Area | None) -> Caption:
    """The same, found anew."""
    usual, small = kind.arithmetic
    written: list[tuple[Face, tuple[str, ...]]] = []
    forms: list[Form] = []
    most = precision.get()
    tiny = TINY if kind.is_terse else 0.0
    ways = [(usual, most, 0.0)] + [
        (small, digits, tiny + cost)
        for digits, cost in ((most, 12), (DIGITS, 25), (3, 30), (2, 50))
        if digits != DIGITS or most > DIGITS
    ]
    for face, digits, penalty in ways:
        parts = moment.arithmetic(digits)
        layouts: list[tuple[str, ...]] = [(" ".join(parts),)]
        if len(parts) == 3:
            layouts += [(f"{parts[0]} {parts[1]}", parts[2]), parts]
        for lines in layouts:
            width = max(face.width(line) for line in lines) + 2 * PADDING
            written.append((face, lines))
            more = len(lines) - 1
            forms.append(Form(width, _height(kind, face, len(lines)), penalty + EXTRA_LINE * more))
    if kind.focus is not None:
        # In a low pane of a lecture only the result may find room in sight; below stands all of it.
        result = moment.arithmetic()[-1].lstrip("=≈ ")
        written.append((usual, (result,)))
        forms.append(Form(usual.width(result) + 2 * PADDING, _height(kind, usual, 1), CURT))
    big = enlarged(drawing, moment, kind, view)
    besides = [each.covers for each in big.values()]
    courses = [course_between(drawing, moment, big), *_twins(drawing, moment)]
    number, area = place(drawing, courses, forms, view, besides, _rings(drawing, moment, big))
    return Caption(area, *written[number], lead(drawing, courses[0], area, besides))


def _rings(drawing: Drawing, moment: Shown, big: Mapping[int, Enlarged]) -> list[Area]:
    """The ring around the selected card. One where the mouse rests moves no words."""
    node_id = moment.selected
    if node_id is None or node_id not in drawing.graph:
        return []
    return [ring(drawing, node_id, big)]


def _twins(drawing: Drawing, moment: Shown) -> list[Sequence[tuple[float, float]]]:
    """The courses of the other edges between the ends of the arrow: those of `a + a`."""
    arrow = moment.arrow
    assert arrow is not None
    children = drawing.graph.node(arrow.consumer).children
    others = (
        drawing.route(arrow._replace(slot=slot))
        for slot, child in enumerate(children)
        if child == arrow.child and slot != arrow.slot
    )
    return [points for points in others if points is not None]


def line_height(face: Face) -> float:
    """From one line of a label to the next."""
    return round(1.22 * face.font.pixelSize())


def _height(kind: Type, face: Face, lines: int) -> float:
    """Height of a label: in a lecture one of one line finds room between two rows of cards."""
    return line_height(face) * lines + (AIR if kind.focus is None else LITTLE_AIR)


def paint_caption(painter: QPainter, ink: Ink, caption: Caption) -> None:
    """Draw words on the colour of what is now."""
    area, face, lines, joined = caption
    if joined is not None:
        start, end = (QPointF(*point) for point in joined)
        painter.setPen(QPen(ink.now_fill, LEAD))
        painter.drawLine(start, end)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.now_fill)
    if joined is not None:
        painter.drawEllipse(end, DOT, DOT)
    painter.drawRoundedRect(QRectF(area.left, area.top, area.width, area.height), ROUND, ROUND)
    painter.setPen(ink.on_now)
    painter.setFont(face.font)
    first = (area.height - line_height(face) * (len(lines) - 1)) / 2
    base = area.top + first + face.metrics.capHeight() / 2
    for line in lines:
        x = area.left + (area.width - face.width(line)) / 2
        painter.drawText(QPointF(x, base), line)
        base += line_height(face)
