"""A row of chips: what was made, what is on the sorted list, or in which order `_backward` runs."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from chainstep.sorting import Act
from chainstep.story import Phase
from chainstep.ui.due import Due

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.readiness import Readiness
    from chainstep.story import Story
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

LONGEST = 14
"""Letters of a name on a chip."""
SPOKEN = 40
"""Chips that are told to those who hear the window."""
EARLY = "early"
"""The word on a chip whose node runs before its gradient is complete."""


@dataclass(frozen=True)
class Row:
    """What the chips are.

    Attributes:
        words: What stands before them.
        nodes: Ids of their nodes, all there will ever be on show.
        done: How many of them are over, the one that is now among them.
        now: Number of the one that is now; None where none is.
    """

    words: str
    nodes: Sequence[int]
    done: int
    now: int | None


def row(session: Session) -> Row:
    """The row at the place of the session."""
    story, pane, (phase, number) = session.story, session.primary, session.place
    if story is None or pane is None:
        return Row("_backward runs in this order:", (), 0, None)
    if phase is Phase.FORWARD:
        return Row("made so far:", story.made[:number], number, number - 1 if number else None)
    if phase is Phase.SORT:
        return _sorted_row(story, session)
    begun, trace = pane.stepper.call[0], pane.trace
    at_end = number >= session.backward_length
    now = begun - 1 if begun and not at_end else None
    return Row("_backward runs in this order:", trace.sequence, begun, now)


def _sorted_row(story: Story, session: Session) -> Row:
    listed = story.listed(session.position) if session.place.number else ()
    moment = session.moment
    appends = moment is not None and moment.act is Act.APPEND
    recursive = story.sort is not None and story.sort.recursive
    words = "topo, the sorted list:" if recursive else "the sorted list:"
    return Row(words, listed, len(listed), len(listed) - 1 if appends else None)


class OrderStrip(QWidget):
    """The chips; a click on one goes to where its node is made, listed or run."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._row = row(session)
        self._first = 0
        self._due = Due(self)
        self._boxes: list[tuple[QRectF, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Order")
        session.recording_changed.connect(self._restart)
        session.view_changed.connect(self._restart)
        session.horizon_changed.connect(self._restart)
        session.position_changed.connect(self._changed)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """One row."""
        return QSize(300, self._look.px(26))

    def minimumSizeHint(self) -> QSize:
        """One row, however narrow."""
        return QSize(100, self._look.px(26))

    def _restart(self) -> None:
        self._first = 0
        self._changed()

    def _changed(self) -> None:
        self._due.take(self._take)

    def _take(self) -> None:
        before = self._row
        self._row = row(self._session)
        if before.words != self._row.words:
            self._first = 0
        names = [self._name(node_id) for node_id in self._row.nodes[:SPOKEN]]
        at = self._row.now
        now = f", now {self._name(self._row.nodes[at])}" if at is not None else ""
        self.setAccessibleDescription(f"{self._row.words} {' '.join(names)}{now}")
        self.update()

    def _name(self, node_id: int) -> str:
        recording = self._session.recording
        name = recording.nodes[node_id].name if recording else ""
        return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"

    @property
    def _readiness(self) -> Readiness | None:
        """Which nodes run too early; asked of the backward phase alone."""
        pane = self._session.primary
        if pane is None or self._session.phase is not Phase.BACKWARD:
            return None
        return self._session.readiness(pane.mode)

    # -- painting -----------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Show what happened meanwhile."""
        super().showEvent(event)
        self._due.settle()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The words, then as many chips as there is room for, with the current one in sight."""
        look, p, row = self._look, self._look.palette, self._row
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(look.font(12))
            painter.setPen(QColor(p.muted))
            left = QFontMetricsF(painter.font()).horizontalAdvance(row.words) + look.px(10)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(0, 0, left, self.height()), middle, row.words)
            painter.setFont(look.mono(12, bold=True))
            self._boxes = []
            self._scroll(left)
            x = left
            if self._first:
                painter.drawText(QRectF(x, 0, look.px(16), self.height()), middle, "…")
                x += look.px(16)
            for number in range(self._first, len(row.nodes)):
                width = self._width(number)
                if x + width > self.width() - (look.px(16) if number + 1 < len(row.nodes) else 0):
                    painter.setPen(QColor(p.muted))
                    painter.drawText(QRectF(x, 0, look.px(20), self.height()), middle, "…")
                    break
                box = QRectF(x, 2, width - look.px(5), self.height() - 4)
                self._paint_chip(painter, box, number)
                self._boxes.append((box, number))
                x += width

    def _scroll(self, left: float) -> None:
        """Move the first chip shown so that the current one and the next few are in sight."""
        if not self._row.nodes:
            self._first = 0
            return
        current = max(0, min(self._row.done - 1, len(self._row.nodes) - 1))
        room = self.width() - left - self._look.px(76)
        if current < self._first:
            self._first = max(0, current - 2)
        used = 0.0
        at = current
        while at >= self._first and used <= room:
            used += self._width(at)
            at -= 1
        if used > room:
            self._first = min(current, at + 2)

    def _text(self, number: int) -> str:
        """What a chip says: its name, that it runs too early, and how far it is."""
        name = self._name(self._row.nodes[number])
        if self._is_early(number):
            name = f"{name} {EARLY}"
        if number == self._row.now:
            return f"{name} ▸"
        backward = self._session.phase is Phase.BACKWARD
        return f"{name} ✓" if backward and number < self._row.done else name

    def _is_early(self, number: int) -> bool:
        early = self._readiness.early if self._readiness is not None else ()
        at = bisect_left(early, number)
        return at < len(early) and early[at] == number

    def _width(self, number: int) -> float:
        metrics = QFontMetricsF(self._look.mono(12, bold=True))
        name = self._name(self._row.nodes[number])
        early = metrics.horizontalAdvance(f" {EARLY}") if self._is_early(number) else 0
        return metrics.horizontalAdvance(name) + early + self._look.px(38)

    def _paint_chip(self, painter: QPainter, box: QRectF, number: int) -> None:
        p = self._look.palette
        ground, outline, ink = p.card, p.partial, p.text
        early = self._is_early(number)
        if number == self._row.now:
            ground, outline, ink = p.now, p.now, p.on_now
        elif early:
            ground, outline, ink = p.failed_tint, p.failed, p.failed
        elif number < self._row.done and self._session.phase is Phase.BACKWARD:
            ground, outline, ink = p.final_tint, p.final, p.final
        painter.setPen(QPen(QColor(outline), 1.2))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setPen(QColor(ink))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._text(number))

    # -- mouse --------------------------------------------------------------------------

    def chip_at(self, point: QPointF) -> int | None:
        """The number of the chip at a point."""
        return next((number for box, number in self._boxes if box.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to where the node of the chip is made, listed or run."""
        number, story = self.chip_at(event.position()), self._session.story
        if number is None or story is None:
            return
        node_id, readiness = self._row.nodes[number], self._readiness
        if readiness is not None:
            self._session.seek_backward(readiness.turn(number, 0).position)
            return
        is_made = self._session.phase is Phase.FORWARD
        place = story.place_of(node_id) if is_made else story.position_of_append(node_id)
        if place is not None:
            self._session.seek(place)

    def event(self, event: QEvent) -> bool:
        """Say of a chip why its node is ready, or where it stands."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.hint(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def hint(self, point: QPointF) -> str:
        """What is said about the chip at a point; of none, what the row is."""
        number = self.chip_at(point)
        if number is None:
            return ""
        recording, readiness = self._session.recording, self._readiness
        name = recording.nodes[self._row.nodes[number]].name if recording else ""
        if readiness is not None:
            why = readiness.why(number, self._session.backward_position)
            return f"{number + 1}: {name}\n{why}"
        verb = "made" if self._session.phase is Phase.FORWARD else "on the list"
        return f"{name}: number {number + 1} {verb}"
