"""The slider of the timeline: three phases side by side, with what is marked above them."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QSlider, QToolTip

from chainstep.story import PHASES, Mark, Phase
from chainstep.ui.course import Place
from chainstep.ui.due import Due
from chainstep.ui.marks import SIZE, WEIGHT, Glyph, arrange, describe, paint_glyph
from chainstep.ui.progress import phrases
from chainstep.ui.telling import where
from chainstep.ui.theme import SMALL, focus_pen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.ui.course import Course
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

NARROWEST = 4.0
"""Pixels of a step below which a bar shows calls only, and of a call below which it is plain."""
AHEAD, BEHIND = 0.2, 0.36
"""How strong a bar's colour is where nothing has happened yet, and in phases that are over."""
MARKS = {
    Mark.REUSE: "reuse",
    Mark.DIVERGENCE: "difference",
    Mark.BREAKPOINT: "breakpoint",
    Mark.ERROR: "error",
    Mark.FINDING: "finding",
}


class Track(QSlider):
    """Every place of the story from left to right; the backward phase has the most room."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._session = session
        self._look = look
        self._dragging = False
        self._due = Due(self)
        self._made_for: tuple[Course | None, int, Mapping[Mark, Sequence[int]]] | None = None
        self._lines: dict[Phase, list[QLineF]] = {}
        self.glyphs: list[Glyph] = []
        """The marks that find room, from left to right."""
        self.setAccessibleName("Position in forward, sort and backward")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self._go)
        for signal in (
            *(session.recording_changed, session.view_changed, session.position_changed),
            *(session.breakpoints.changed, session.checks.changed),
        ):
            signal.connect(self._changed)
        self._take()

    def _changed(self) -> None:
        self._due.take(self._take)

    def _take(self) -> None:
        course = self._session.course
        self.blockSignals(True)
        self.setRange(0, course.length if course is not None else 0)
        self.setValue(course.number(self._session.place) if course is not None else 0)
        self.blockSignals(False)
        self.setAccessibleDescription(self._spoken())
        self.update()

    def _go(self, number: int) -> None:
        if self._session.course is not None:
            self._session.go(self._session.course.numbered(number))

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._made_for = None
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The marks, the bars, the handle, and one line of words."""
        return QSize(400, self._look.px(48))

    def minimumSizeHint(self) -> QSize:
        """As high, and as narrow as the words allow."""
        return QSize(200, self._look.px(48))

    # -- geometry -----------------------------------------------------------------------

    def bars(self) -> dict[Phase, QRectF]:
        """The bars of the three phases; where they lie depends on the width alone."""
        look = self._look
        margin, gap, top = look.px(9), look.px(8), look.px(16)
        height = look.px(8)
        whole = self.width() - 2 * margin
        early = min(look.px(170), whole * 0.2)
        left = float(margin)
        bars = {}
        for phase in PHASES:
            right = self.width() - margin if phase is Phase.BACKWARD else left + early
            bars[phase] = QRectF(left, top, right - left, height)
            left = right + gap
        return bars

    def x_of(self, place: Place) -> float:
        """Where a place lies."""
        course, bar = self._session.course, self.bars()[place.phase]
        size = course.size(place.phase) if course is not None else 0
        return bar.left() + bar.width() * place.number / max(1, size)

    def place_at(self, x: float) -> Place:
        """The place nearest to a point."""
        course, bars = self._session.course, self.bars()
        assert course is not None

        def distance(phase: Phase) -> float:
            return max(bars[phase].left() - x, x - bars[phase].right(), 0.0)

        phase = min(course.phases, key=distance)
        share = (x - bars[phase].left()) / max(1.0, bars[phase].width())
        return course.within(Place(phase, round(share * course.size(phase))))

    def _prepare(self) -> None:
        """Make the cuts and find room for the marks, where something is other than before."""
        course = self._session.course
        marks = self._session.marks
        made_for = (course, self.width(), marks)
        if self._made_for == made_for:
            return
        self._made_for = made_for
        self._lines, self.glyphs = {}, []
        if course is None:
            return
        for phase, bar in self.bars().items():
            stops = course.stops(phase, most=int(bar.width() / NARROWEST))
            self._lines[phase] = _cut_lines(bar, stops, course.size(phase))
        self.glyphs = arrange(marks, self._xs(course), self._look.px(SIZE + 4))

    def _xs(self, course: Course) -> Callable[[int], float]:
        """Where positions of the story lie, as :meth:`x_of` says; for thousands of them."""
        story, bars = course.story, self.bars()
        ends = [story.bounds(phase)[1] for phase in PHASES]
        scales = [bars[phase].width() / max(1, course.size(phase)) for phase in PHASES]
        starts = [
            bars[phase].left() - story.bounds(phase)[0] * scale
            for phase, scale in zip(PHASES, scales, strict=True)
        ]

        def x_of(position: int) -> float:
            at = min(bisect_left(ends, position), len(ends) - 1)
            return starts[at] + scales[at] * position

        return x_of

    # -- words --------------------------------------------------------------------------

    def _spoken(self) -> str:
        words = [phrases(self._session)[self._session.phase]]
        for mark, positions in self._session.marks.items():
            if positions:
                plural = "" if len(positions) == 1 else "s"
                words.append(f"{len(positions)} {MARKS[mark]} mark{plural}")
        return ", ".join(words)

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The marks, the bars, the words below them, the handle."""
        self._prepare()
        p, look = self._look.palette, self._look
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            bars, course = self.bars(), self._session.course
            for phase, bar in bars.items():
                self._paint_bar(painter, phase, bar)
            painter.setFont(look.font(SMALL))
            metrics = QFontMetricsF(painter.font())
            for phase, words in phrases(self._session).items():
                here = course is not None and phase is self._session.phase
                painter.setPen(QColor(p.text if here else p.muted))
                bar = bars[phase]
                box = QRectF(bar.left(), bar.bottom() + look.px(6), bar.width() + look.px(4), 18)
                box.setHeight(look.px(18))
                # Its name alone where there is no room for the rest.
                name = words.split(" · ", maxsplit=1)[0]
                forms = (words, name, f"{name[0]} {name.split()[-1].capitalize()}", name[0])
                fitting = (form for form in forms if metrics.horizontalAdvance(form) <= box.width())
                text = next(fitting, forms[-1])
                painter.drawText(box, Qt.AlignmentFlag.AlignLeft, text)
            self._name_update(painter, bars[Phase.BACKWARD])
            self._paint_legend(painter, bars[Phase.BACKWARD])
            for glyph in self.glyphs:
                paint_glyph(painter, p, glyph.mark, self._box(glyph))
            if course is not None:
                self._paint_handle(painter)

    def _paint_bar(self, painter: QPainter, phase: Phase, bar: QRectF) -> None:
        p, session, course = self._look.palette, self._session, self._session.course
        painter.setPen(Qt.PenStyle.NoPen)
        if course is None or phase not in course.phases:
            painter.setBrush(QColor(p.rule))
            painter.drawRoundedRect(bar, 3, 3)
            return
        color, place = QColor(p.now), session.place
        here, there = PHASES.index(place.phase), PHASES.index(phase)
        color.setAlphaF(BEHIND if there < here else AHEAD)
        painter.setBrush(color)
        painter.drawRoundedRect(bar, 3, 3)
        if here == there:
            painter.setBrush(QColor(p.now))
            painter.drawRoundedRect(
                QRectF(bar.left(), bar.top(), self.x_of(place) - bar.left(), bar.height()), 3, 3
            )
        painter.setPen(QPen(QColor(p.window), 1.2))
        painter.drawLines(self._lines[phase])
        if phase is Phase.BACKWARD:
            self._paint_outer_parts(painter)
        if phase in session.skipped:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(QColor(p.window), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(bar)

    def outer_parts(self) -> dict[str, QRectF]:
        """Where in the backward bar zeroing lies, and where the update, if they are there."""
        course, bar = self._session.course, self.bars()[Phase.BACKWARD]
        if course is None:
            return {}
        parts, size = course.story.parts, course.size(Phase.BACKWARD)
        found = {}
        for name, first, last in (("zero", 0, parts.begin), ("update", parts.end, size)):
            if first < last:
                left, right = (bar.left() + bar.width() * at / size for at in (first, last))
                found[name] = QRectF(left, bar.top(), right - left, bar.height())
        return found

    def _paint_outer_parts(self, painter: QPainter) -> None:
        """Hatch what comes before and after the pass itself, and cut it off."""
        ground = QColor(self._look.palette.window)
        painter.setPen(Qt.PenStyle.NoPen)
        for name, box in self.outer_parts().items():
            painter.setBrush(QBrush(ground, Qt.BrushStyle.FDiagPattern))
            painter.drawRect(box)
            painter.setBrush(ground)
            edge = box.right() if name == "zero" else box.left()
            painter.drawRect(QRectF(edge - 1.5, box.top(), 3, box.height()))

    def _name_update(self, painter: QPainter, bar: QRectF) -> None:
        """Say below the bar's right end that it is the update."""
        if "update" in self.outer_parts() and bar.width() > self._look.px(420):
            here = self._session.backward_position > self._parts_end()
            painter.setPen(QColor(self._look.palette.text if here else self._look.palette.muted))
            box = QRectF(bar.left(), bar.bottom() + self._look.px(6), bar.width(), 0)
            box.setHeight(self._look.px(18))
            painter.drawText(box, Qt.AlignmentFlag.AlignRight, "update")

    def legend(self) -> list[Mark]:
        """The kinds of marks on show, the weightiest last."""
        shown = {glyph.mark for glyph in self.glyphs}
        return [mark for mark in reversed(WEIGHT) if mark in shown]

    def _paint_legend(self, painter: QPainter, bar: QRectF) -> None:
        """Say below the bar's right end what the marks mean, where there is room for it."""
        look, metrics = self._look, QFontMetricsF(painter.font())
        words = metrics.horizontalAdvance(phrases(self._session)[Phase.BACKWARD])
        right = bar.right()
        if "update" in self.outer_parts():
            right -= metrics.horizontalAdvance("update") + look.px(16)
        sign, gap = look.px(int(SIZE)), look.px(5)
        widths = [sign + gap + metrics.horizontalAdvance(MARKS[m]) + 3 * gap for m in self.legend()]
        x = right - sum(widths) + 3 * gap
        if x < bar.left() + words + 6 * gap:
            return
        top = bar.bottom() + look.px(6)
        for mark, width in zip(self.legend(), widths, strict=True):
            box = QRectF(x, top + (look.px(18) - sign) / 2 - 1, sign, sign)
            paint_glyph(painter, look.palette, mark, box)
            painter.setPen(QColor(look.palette.muted))
            spot = QRectF(x + sign + gap, top, width, look.px(18))
            painter.drawText(spot, Qt.AlignmentFlag.AlignLeft, MARKS[mark])
            x += width

    def _parts_end(self) -> int:
        return self._session.story.parts.end if self._session.story is not None else 0

    def _paint_handle(self, painter: QPainter) -> None:
        p, look, place = self._look.palette, self._look, self._session.place
        center = QPointF(self.x_of(place), self.bars()[place.phase].center().y())
        radius = look.px(8)
        if self.hasFocus():
            painter.setPen(focus_pen(p.focus))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(center, radius + 3, radius + 3)
        painter.setPen(QPen(QColor(p.now), look.px(3)))
        painter.setBrush(QColor(p.card))
        painter.drawEllipse(center, radius - 1, radius - 1)

    def _box(self, glyph: Glyph) -> QRectF:
        """Where a mark is painted."""
        size = self._look.px(SIZE)
        return QRectF(glyph.x - size / 2, self._look.px(1), size, size)

    # -- events -------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Show what happened meanwhile."""
        super().showEvent(event)
        self._due.settle()

    def glyph_at(self, point: QPointF) -> Glyph | None:
        """The mark at a point."""
        grown = self._look.px(2)
        for glyph in self.glyphs:
            if self._box(glyph).adjusted(-grown, -grown, grown, grown).contains(point):
                return glyph
        return None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the mark at the mouse, or to where the mouse is."""
        if event.button() == Qt.MouseButton.LeftButton and self._session.course is not None:
            glyph = self.glyph_at(event.position())
            if glyph is not None:
                self._session.seek(glyph.position)
            else:
                self._dragging = True
                self._session.go(self.place_at(event.position().x()))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go along with the mouse."""
        if self._dragging and self._session.course is not None:
            self._session.go(self.place_at(event.position().x()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._dragging = False
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Say what a mark is for, or what a press leads to."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.hint(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def hint(self, point: QPointF) -> str:
        """What is said about a point of it."""
        course = self._session.course
        if course is None:
            return "Forward, sort and backward of a program, once it has run"
        glyph = self.glyph_at(point)
        if glyph is not None:
            place = where(course, course.place(glyph.position))
            return f"{describe(self._session, glyph.mark, glyph.position)}\n{place} · M, ⇧M"
        return where(course, self.place_at(point.x()))


def _cut_lines(bar: QRectF, stops: Sequence[int], length: int) -> list[QLineF]:
    """Where a bar of so many steps is cut; where they stand too close, at stops alone."""
    whole = set(stops)
    positions: list[int] = []
    if length and bar.width() / length >= NARROWEST:
        positions = list(range(1, length))
    else:
        positions = [stop for stop in stops if stop < length]
    lines = []
    for position in positions:
        x = bar.left() + bar.width() * position / length
        inset = -0.5 if position in whole else bar.height() * 0.3
        lines.append(QLineF(x, bar.top() + inset, x, bar.bottom() - inset))
    return lines
