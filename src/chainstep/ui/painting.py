"""The one painting of a graph, for the screen and for pictures.

:func:`paint` draws everything. A screen that keeps what does not change draws in two parts:
:func:`paint_ground`, the edges and cards, and over it :func:`paint_marks`, which is the current
write and the selection. The painter comes with its transformation set to scene units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPolygonF

from chainstep.ui.annotation import captions, paint_caption
from chainstep.ui.arrow import is_drawn
from chainstep.ui.cards import paint_badge, paint_card, paint_ghost, paint_pointer
from chainstep.ui.drawing import Area, course_area, in_pieces, symbol, without_start
from chainstep.ui.focus import RING, course_between, enlarged, ring
from chainstep.ui.ink import shortened
from chainstep.ui.labelling import HEAD
from chainstep.ui.moment import Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chainstep.graph import Edge
    from chainstep.ui.drawing import Drawing
    from chainstep.ui.flow import Flow
    from chainstep.ui.focus import Enlarged
    from chainstep.ui.ink import Ink, Type
    from chainstep.ui.sight import Shown
    from chainstep.ui.stamps import Stamps

LARGE_TYPE, LARGER_TYPE, LARGEST_TYPE = 1.0, 0.84, 0.68
"""Scales below which cards are set in a larger type, that nothing on them is below 11 pixels: the
last type serves down to 0.55."""
NAMES_ONLY = 0.35
"""Scale below which a card shows nothing but its name and its state."""
BLOCKS_ONLY = 0.12
"""Scale below which a card is a block and an edge a straight hair."""
HEADED = 36.0
"""Pixels from the top of a pane to below its heading, at 100%."""
LABEL_REACH = 70.0
"""How far a label may stand out of the drawing."""


def paint(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    area: Area | None = None,
    scale: float = 1.0,
    stamps: Stamps | None = None,
) -> None:
    """Draw what lies in a region: edges, cards, the current write and the selection.

    Args:
        painter: Set to scene units; its hints are changed.
        drawing: The graph and where it stands.
        moment: What to show of it.
        ink: Colours and fonts.
        area: The region in scene units; everything by default.
        scale: Pixels per scene unit: how much detail can be seen.
        stamps: Copy what cards have in common, where the painter has been given to them; None
            where all of it is to be drawn.
    """
    area = drawing.bounds.grown(LABEL_REACH) if area is None else area
    paint_ground(painter, drawing, moment, ink, area, scale, stamps=stamps)
    paint_marks(painter, drawing, moment, ink, area, scale, stamps=stamps)


def paint_ground(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    area: Area,
    scale: float,
    flow: Flow | None = None,
    stamps: Stamps | None = None,
) -> None:
    """Draw the edges and cards in a region; with a flow, all that is not part of it is dimmed.

    Cards that stand out are left to :func:`paint_marks`, which covers their places.
    """
    apart = standing(drawing, moment, ink, scale)
    nodes = [n for n in drawing.nodes_seen_in(area.grown(2 * RING)) if n not in apart]
    if flow is None:
        _ground(painter, drawing, moment, ink, area, scale, nodes, stamps)
        return
    others = [n for n in nodes if n not in flow]
    _ground(painter, drawing, moment, ink, area, scale, others, stamps)
    painter.fillRect(rectangle(area), ink.veil)
    through = ~flow.edges(drawing)
    hidden = moment.hidden()
    set_hints(painter)
    pen = at_least(ink.stream, 1.6, scale)
    shown = drawing.curves_in(area, through if hidden is None else through | hidden)
    _edges(painter, shown, pen)
    _cards(painter, drawing, moment, ink, scale, [n for n in nodes if n in flow], stamps)


def _ground(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    area: Area,
    scale: float,
    nodes: Sequence[int],
    stamps: Stamps | None,
) -> None:
    if scale < BLOCKS_ONLY:
        _hairs(painter, drawing, moment, ink, area)
    else:
        set_hints(painter)
        hidden, far = moment.hidden(), drawing.far
        if far.any():
            # Hundreds of them may cross a place, and Qt needs ten times as long for thicker ones.
            others = ~far if hidden is None else ~far | hidden
            _edges(painter, in_pieces(drawing.curves_in(area, others)), ink.hint)
            hidden = far if hidden is None else far | hidden
        _edges(painter, drawing.curves_in(area, hidden), at_least(ink.edge, 0.8, scale))
    _cards(painter, drawing, moment, ink, scale, nodes, stamps)


def _cards(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    scale: float,
    nodes: Sequence[int],
    stamps: Stamps | None,
) -> None:
    """Some cards, with as much on them as can be seen."""
    if scale < BLOCKS_ONLY:
        _blocks(painter, drawing, moment, ink, nodes)
        return
    if scale < NAMES_ONLY:
        for node_id in nodes:
            _named(painter, drawing, moment, ink, node_id, scale)
        return
    kind = kind_for(ink, scale)
    for node_id in nodes:
        if not moment.is_made(node_id):
            paint_ghost(painter, ink, drawing.card(node_id), stamps)
            continue
        card, badge = moment.card(drawing.graph.node(node_id)), drawing.badge(node_id)
        paint_card(painter, ink, kind, card, drawing.card(node_id), badge, stamps)


def set_hints(painter: QPainter) -> None:
    """Smooth lines, text and pictures."""
    painter.setRenderHints(
        QPainter.RenderHint.Antialiasing
        | QPainter.RenderHint.TextAntialiasing
        | QPainter.RenderHint.SmoothPixmapTransform
    )


def kind_for(ink: Ink, scale: float) -> Type:
    """The type in which cards are set at a scale."""
    if scale < ink.far_below:
        return ink.far(scale)
    if scale >= LARGE_TYPE:
        return ink.usual
    if scale >= LARGER_TYPE:
        return ink.large
    return ink.larger if scale >= LARGEST_TYPE else ink.largest


def standing(
    drawing: Drawing, moment: Shown, ink: Ink, scale: float, view: Area | None = None
) -> Mapping[int, Enlarged]:
    """The cards that stand out at a scale, by node id: they are painted over all others.

    With a view also one that has no room in it, at its rim.
    """
    return enlarged(drawing, moment, kind_for(ink, scale), view) if scale >= NAMES_ONLY else {}


# -- edges ------------------------------------------------------------------------------------


def _edges(painter: QPainter, curves: NDArray[np.float64], pen: QPen) -> None:
    """Edges at rest: each run of their segments that is in view as one path, without seams.

    Not all of them as one: for that Qt needs five times as long.
    """
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    path = QPainterPath()
    end: tuple[float, float] | None = None
    for x0, y0, x1, y1, x2, y2, x3, y3 in curves.tolist():
        if end != (x0, y0):
            painter.drawPath(path)
            path = QPainterPath(QPointF(x0, y0))
        if y0 == y1 == y2 == y3:
            path.lineTo(x3, y3)
        else:
            path.cubicTo(x1, y1, x2, y2, x3, y3)
        end = (x3, y3)
    painter.drawPath(path)


def _hairs(painter: QPainter, drawing: Drawing, moment: Shown, ink: Ink, area: Area) -> None:
    """Every edge from afar: a straight hairline between its ends."""
    chords = drawing.chords
    seen = (
        (chords[:, [0, 2]].min(1) < area.right)
        & (chords[:, [0, 2]].max(1) > area.left)
        & (chords[:, [1, 3]].min(1) < area.bottom)
        & (chords[:, [1, 3]].max(1) > area.top)
    )
    hidden = moment.hidden()
    if hidden is not None:
        seen &= ~hidden
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.setPen(ink.hint)
    painter.drawLines([QLineF(*chord) for chord in chords[seen].tolist()])


def course(points: Sequence[tuple[float, float]]) -> QPainterPath:
    """An edge's course as a path."""
    path = QPainterPath(QPointF(*points[0]))
    for first in range(1, len(points), 3):
        path.cubicTo(*(QPointF(*point) for point in points[first : first + 3]))
    return path


# -- cards from afar --------------------------------------------------------------------------


def _named(
    painter: QPainter, drawing: Drawing, moment: Shown, ink: Ink, node_id: int, scale: float
) -> None:
    """A card whose figures could not be read: its colour, its border and its name, else its op."""
    node, tone = drawing.graph.node(node_id), moment.tone(node_id)
    area, look = drawing.card(node_id), ink.looks[tone]
    if tone is Tone.GHOST:
        paint_ghost(painter, ink, area)
        return
    strong = tone in (Tone.NOW, Tone.TARGET, Tone.FAILED)
    border = ink.dashed if tone is Tone.UNTOUCHED else look.border
    painter.setPen(at_least(border, 0.6 * border.widthF(), scale))
    painter.setBrush(look.pill if strong else ink.quiet if node.constant else look.fill)
    painter.drawRoundedRect(rectangle(area), 10, 10)
    painter.setPen(look.word if strong else ink.muted if node.constant else ink.text)
    painter.setFont(ink.poster.font)
    text = shortened(ink.poster, node.name or symbol(node.op), area.width - 16)
    x = area.left + (area.width - ink.poster.width(text)) / 2
    painter.drawText(QPointF(x, area.middle[1] + 12), text)


def _blocks(
    painter: QPainter, drawing: Drawing, moment: Shown, ink: Ink, nodes: Iterable[int]
) -> None:
    """Cards as blocks: outlined until something came, grey, then filled when final."""
    found: dict[Tone, list[QRectF]] = {}
    for node_id in nodes:
        found.setdefault(moment.tone(node_id), []).append(rectangle(drawing.card(node_id)))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    for tone, rectangles in found.items():
        look = ink.looks[tone]
        hollow = tone in (Tone.UNTOUCHED, Tone.GHOST)
        painter.setPen(ink.hint if hollow else Qt.PenStyle.NoPen)
        painter.setBrush(look.fill if hollow else look.solid)
        painter.drawRects(rectangles)


# -- what is marked ---------------------------------------------------------------------------


def paint_marks(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    area: Area,
    scale: float,
    clear: Area | None = None,
    together: Iterable[int] = (),
    stamps: Stamps | None = None,
) -> None:
    """Draw the edges of the moment, the arithmetic of a write, and the rings of what is selected.

    `clear` is the part of the region that no heading covers: there the arithmetic is written.
    `together` are the nodes that are selected with another.
    """
    set_hints(painter)
    big = standing(drawing, moment, ink, scale, clear or area)
    marked = strokes(drawing, moment, area, big)
    for stroke in marked:
        _stroke(painter, ink, stroke, scale)
    for consumer in dict.fromkeys(stroke.edge.consumer for stroke in marked):
        _badge_again(painter, drawing, moment, ink, consumer, scale, big, stamps)
    kind = kind_for(ink, scale)
    for active, each in big.items():
        card = moment.card(drawing.graph.node(active))
        paint_card(painter, ink, kind.focus or kind, card, each.area, each.badge)
        if each.towards is not None:
            paint_pointer(painter, ink.looks[card.tone], each.covers, each.towards)
    wanted = frozenset(together)
    seen = drawing.nodes_in(area.grown(2 * RING)) if wanted else []
    rings = [(node_id, ink.focus) for node_id in seen if node_id in wanted]
    for node_id, pen in (*rings, (moment.pointed, ink.pointer), (moment.selected, ink.focus)):
        if node_id is not None and node_id in drawing.graph:
            _ring(painter, drawing, moment, ink, node_id, pen, scale, big, stamps)
    if scale >= NAMES_ONLY:
        # Last, so that no ring runs through it.
        for words in captions(drawing, moment, kind, clear or area):
            paint_caption(painter, ink, words)


class Stroke(NamedTuple):
    """One edge that is marked.

    Attributes:
        edge: Which.
        points: Its course, from where it is drawn to where its head is, if it has one.
        is_now: Whether it belongs to the moment itself; else it led there.
    """

    edge: Edge
    points: Sequence[tuple[float, float]]
    is_now: bool


def strokes(
    drawing: Drawing, moment: Shown, area: Area, big: Mapping[int, Enlarged]
) -> list[Stroke]:
    """The edges that are marked, the weightiest last: the way, what flows in, the arrow.

    Of a long way only what may be seen in a region is given, and of the arrow what lies between
    its cards, some of which stand out.
    """
    arrow = moment.arrow
    found = [
        Stroke(edge, points, is_now=False)
        for edge in moment.path
        if (points := drawing.route(edge)) is not None and course_area(points).meets(area)
    ]
    found += [
        Stroke(edge, points, is_now=True)
        for edge in moment.flows
        if (points := drawing.route(edge)) is not None
    ]
    if arrow is not None and is_drawn(drawing, moment):
        found.append(Stroke(arrow, course_between(drawing, moment, big)[::-1], is_now=True))
    return found


def _stroke(painter: QPainter, ink: Ink, stroke: Stroke, scale: float) -> None:
    """One marked edge: thick with a head at its end, or thinner without one."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if not stroke.is_now:
        painter.strokePath(course(stroke.points), at_least(ink.way, 1.5, scale))
        return
    size = max(HEAD, 11 / scale)
    path = course(without_start(stroke.points[::-1], size - 2))
    painter.strokePath(path, at_least(ink.halo, 5, scale))
    known = stroke.edge.slot >= 0
    painter.strokePath(path, at_least(ink.now if known else ink.stray, 2.5, scale))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.now_fill)
    painter.drawPolygon(_head(stroke.points[-2], stroke.points[-1], size))


def _head(before: tuple[float, float], tip: tuple[float, float], size: float) -> QPolygonF:
    """An arrow's head at the end of a course, along the axis on which it comes there."""
    (x0, y0), (x, y) = before, tip
    if abs(y0 - y) > abs(x0 - x):
        back = y + (size if y0 > y else -size)
        corners = [(x, y), (x - size / 2, back), (x + size / 2, back)]
    else:
        back = x + (size if x0 > x else -size)
        corners = [(x, y), (back, y - size / 2), (back, y + size / 2)]
    return QPolygonF([QPointF(*corner) for corner in corners])


def _badge_again(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    node_id: int,
    scale: float,
    big: Mapping[int, Enlarged],
    stamps: Stamps | None,
) -> None:
    """The badge that the thick edge would otherwise run into."""
    kind, badge = kind_for(ink, scale), drawing.badge(node_id)
    if node_id in big:
        kind, badge = kind.focus or kind, big[node_id].badge
    elif badge is not None and stamps is not None:
        badge = badge.moved(*stamps.shift(drawing.card(node_id)))
    if badge is not None and scale >= NAMES_ONLY:
        op = drawing.graph.node(node_id).op
        paint_badge(painter, ink, kind, ink.looks[moment.tone(node_id)], op, badge)


def _ring(
    painter: QPainter,
    drawing: Drawing,
    moment: Shown,
    ink: Ink,
    node_id: int,
    pen: QPen,
    scale: float,
    big: Mapping[int, Enlarged],
    stamps: Stamps | None,
) -> None:
    """A ring around a card, under its badge."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(at_least(pen, pen.widthF(), scale))
    painter.drawRoundedRect(rectangle(ring(drawing, node_id, big)), 14, 14)
    _badge_again(painter, drawing, moment, ink, node_id, scale, big, stamps)


def at_least(pen: QPen, pixels: float, scale: float) -> QPen:
    """A pen that is so many pixels wide, however small the scale."""
    if pen.widthF() * scale >= pixels:
        return pen
    wider = QPen(pen)
    wider.setWidthF(pixels / scale)
    return wider


def rectangle(area: Area) -> QRectF:
    """The same as a QRectF."""
    return QRectF(area.left, area.top, area.width, area.height)


def paint_footer(
    painter: QPainter, ink: Ink, lines: Sequence[str], width: float, bottom: float
) -> None:
    """Draw what is to be known of a pane at its lower left, in pixels, each line cut to fit."""
    set_hints(painter)
    for number, line in enumerate(reversed(lines)):
        text = shortened(ink.label, line, width - 32)
        top = bottom - 30 - 24 * number
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.plate)
        painter.drawRoundedRect(QRectF(8, top, ink.label.width(text) + 16, 22), 6, 6)
        painter.setPen(ink.text)
        painter.setFont(ink.label.font)
        painter.drawText(QPointF(16, top + 15.5), text)


def paint_heading(
    painter: QPainter, ink: Ink, heading: tuple[str, str], room: float = float("inf")
) -> None:
    """Draw a pane's sign and its meaning at the upper left, in pixels; the sign alone if narrow."""
    sign, meaning = heading
    set_hints(painter)
    if ink.heading.width(sign) + 9 + ink.label.width(meaning) + 32 > room:
        meaning = ""
    wide = ink.heading.width(sign) + 9 + ink.label.width(meaning)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink.plate)
    painter.drawRoundedRect(QRectF(8, 8, wide + 16, 26), 6, 6)
    painter.setPen(ink.text)
    painter.setFont(ink.heading.font)
    painter.drawText(QPointF(16, 26), sign)
    painter.setPen(ink.muted)
    painter.setFont(ink.label.font)
    painter.drawText(QPointF(16 + ink.heading.width(sign) + 9, 25.5), meaning)
