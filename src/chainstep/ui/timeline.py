"""The story of a pass on one line: made, sorted, run backward; and the order of the calls."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QVBoxLayout, QWidget

from chainstep.trace import Kind, Mode, Order
from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.trace import Trace
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

NARROWEST = 4.0
"""Pixels of a step below which the bar shows calls only, and of a call below which it is plain."""


class Track(QSlider):
    """The slider: two phases that are over, then one segment per step of the backward pass."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._session = session
        self._look = look
        self._dragging = False
        self._made_for: tuple[Trace, QRectF, int] | None = None
        self._lines: list[QLineF] = []
        self.setAccessibleName("Position in the backward pass")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.valueChanged.connect(self._session.seek_backward)
        for signal in (session.recording_changed, session.view_changed, session.position_changed):
            signal.connect(self._take)
        self._take()

    def _take(self) -> None:
        self.blockSignals(True)
        self.setRange(0, self._session.backward_length)
        self.setValue(self._session.backward_position)
        self.blockSignals(False)
        self.setAccessibleDescription(self._phases()[2])
        self.update()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """The bar, its handle, and one line of words."""
        return QSize(400, self._look.px(46))

    def minimumSizeHint(self) -> QSize:
        """As high, and as narrow as the words allow."""
        return QSize(200, self._look.px(46))

    # -- geometry -----------------------------------------------------------------------

    def _bars(self) -> tuple[QRectF, QRectF, QRectF]:
        """The bars of the three phases."""
        look = self._look
        margin, gap, top = look.px(9), look.px(8), look.px(14)
        height = look.px(8)
        whole = self.width() - 2 * margin
        past = min(look.px(150), whole * 0.19)
        second = margin + past + gap
        third = second + past + gap
        return (
            QRectF(margin, top, past, height),
            QRectF(second, top, past, height),
            QRectF(third, top, self.width() - margin - third, height),
        )

    def _x_of(self, position: int) -> float:
        bar = self._bars()[2]
        return bar.left() + bar.width() * position / max(1, self.maximum())

    def _position_at(self, x: float) -> int:
        bar = self._bars()[2]
        share = (x - bar.left()) / max(1.0, bar.width())
        return round(max(0.0, min(1.0, share)) * self.maximum())

    # -- words --------------------------------------------------------------------------

    def _phases(self) -> tuple[str, str, str]:
        """What stands below the three bars."""
        pane, graph = self._session.primary, self._session.graph
        if pane is None or graph is None:
            return "1 Forward", "2 Topological sort", "3 Backward"
        return (
            f"1 Forward · {len(graph)} made",
            f"2 {self._sorting(pane.trace)}",
            f"3 Backward · {self._where(pane.trace)}",
        )

    @staticmethod
    def _sorting(trace: Trace) -> str:
        if trace.mode is Mode.AS_WRITTEN:
            return "Order · the program's own"
        if trace.order is Order.RECURSIVE:
            return "No sort · recursion"
        if trace.order is Order.BREADTH_FIRST:
            return f"Breadth-first · {len(trace.sequence)}"
        return f"Topological sort · {len(trace.sequence)}"

    def _where(self, trace: Trace) -> str:
        session = self._session
        position, calls = session.backward_position, len(trace.sequence)
        if position == 0:
            return f"before the first of {session.backward_length} steps"
        if position >= session.backward_length:
            return f"done, {calls} calls"
        step = trace.steps[min(position, len(trace.steps)) - 1]
        if step.kind is Kind.SEED:
            return "the seed"
        if step.kind is Kind.OUTSIDE:
            return "set from outside"
        number, first, last = _call_around(session, position)
        words = f"call {number} of {calls}"
        if step.kind is Kind.WRITE:
            words += f", write {position - first} of {last - first}"
        return words

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The bars, the words below them, the handle."""
        p, look = self._look.palette, self._look
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        bars = self._bars()
        shown = self._session.primary is not None
        for bar, color in ((bars[0], p.target_tint), (bars[1], p.final_tint)):
            painter.setBrush(QColor(color if shown else p.rule))
            painter.drawRoundedRect(bar, 3, 3)
        self._paint_steps(painter, bars[2])
        painter.setFont(look.font(SMALL))
        painter.setPen(QColor(p.muted))
        metrics = QFontMetricsF(painter.font())
        for bar, words in zip(bars, self._phases(), strict=True):
            box = QRectF(
                bar.left(), bar.bottom() + look.px(6), bar.width() + look.px(4), look.px(18)
            )
            painter.drawText(
                box,
                Qt.AlignmentFlag.AlignLeft,
                metrics.elidedText(words, Qt.TextElideMode.ElideRight, box.width()),
            )
        if shown:
            self._paint_handle(painter, bars[2])
        painter.end()

    def _paint_steps(self, painter: QPainter, bar: QRectF) -> None:
        p = self._look.palette
        if self._session.primary is None:
            painter.setBrush(QColor(p.rule))
            painter.drawRoundedRect(bar, 3, 3)
            return
        at = self._x_of(self._session.backward_position)
        future = QColor(p.now)
        future.setAlphaF(0.22)
        painter.setBrush(future)
        painter.drawRoundedRect(bar, 3, 3)
        painter.setBrush(QColor(p.now))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), at - bar.left(), bar.height()), 3, 3)
        painter.setPen(QPen(QColor(p.window), 1.2))
        painter.drawLines(self._cuts(bar))
        painter.setPen(Qt.PenStyle.NoPen)

    def _cuts(self, bar: QRectF) -> list[QLineF]:
        """Lines that cut the bar: long ones between calls, short ones between their steps."""
        pane = self._session.primary
        length = self.maximum()
        if pane is None or not length:
            return []
        made_for = (pane.trace, bar, length)
        if self._made_for != made_for:
            self._made_for = made_for
            self._lines = _cut_lines(bar, pane.stepper.stops, length)
        return self._lines

    def _paint_handle(self, painter: QPainter, bar: QRectF) -> None:
        p, look = self._look.palette, self._look
        center = QPointF(self._x_of(self._session.backward_position), bar.center().y())
        radius = look.px(8)
        if self.hasFocus():
            painter.setPen(QPen(QColor(p.focus), 1, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(center, radius + 3, radius + 3)
        painter.setPen(QPen(QColor(p.now), look.px(3)))
        painter.setBrush(QColor(p.card))
        painter.drawEllipse(center, radius - 1, radius - 1)

    # -- mouse --------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to where the mouse is."""
        if event.button() == Qt.MouseButton.LeftButton and self.maximum():
            self._dragging = True
            self.setValue(self._position_at(event.position().x()))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go along with the mouse."""
        if self._dragging:
            self.setValue(self._position_at(event.position().x()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._dragging = False
        event.accept()


def _cut_lines(bar: QRectF, stops: Sequence[int], length: int) -> list[QLineF]:
    """Where a bar of so many steps is cut; where they stand too close, less or not at all."""
    whole = set(stops)
    positions: list[int] = []
    if bar.width() / length >= NARROWEST:
        positions = list(range(1, length))
    elif bar.width() / len(stops) >= NARROWEST:
        positions = [stop for stop in stops if 0 < stop < length]
    lines = []
    for position in positions:
        x = bar.left() + bar.width() * position / length
        inset = -0.5 if position in whole else bar.height() * 0.3
        lines.append(QLineF(x, bar.top() + inset, x, bar.bottom() - inset))
    return lines


def _call_around(session: Session, position: int) -> tuple[int, int, int]:
    """The call that a position is in: its number from 1, and its first and last position."""
    pane = session.primary
    assert pane is not None
    number = pane.stepper.call[0]
    stops = pane.stepper.stops
    at = bisect_left(stops, position)
    last = stops[at] if at < len(stops) else session.backward_length
    first = stops[at - 1] + 1 if at else 1
    return number, first, last


class Chips(QWidget):
    """The nodes in the order in which their `_backward` runs; a click goes to that call."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._first = 0
        self._boxes: list[tuple[QRectF, int]] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Order in which _backward runs")
        session.recording_changed.connect(self._restart)
        session.view_changed.connect(self._restart)
        session.position_changed.connect(self._take)
        self._restart()

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
        self._take()

    def _take(self) -> None:
        done, sequence = self._progress()
        names = [self._name(node_id) for node_id in sequence[:40]]
        now = f", now {self._name(sequence[done - 1])}" if 0 < done <= len(sequence) else ""
        self.setAccessibleDescription(f"{' '.join(names)}{now}")
        self.update()

    def _progress(self) -> tuple[int, Sequence[int]]:
        """Number of calls begun, and all calls."""
        pane = self._session.primary
        return (pane.stepper.call[0], pane.trace.sequence) if pane else (0, ())

    def _name(self, node_id: int) -> str:
        recording = self._session.recording
        name = recording.nodes[node_id].name if recording else ""
        return name if len(name) <= 14 else f"{name[:13]}…"

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The words, then as many chips as there is room for, with the current one in sight."""
        look, p = self._look, self._look.palette
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.font(12))
        painter.setPen(QColor(p.muted))
        done, sequence = self._progress()
        words = "_backward runs in this order:"
        left = QFontMetricsF(painter.font()).horizontalAdvance(words) + look.px(10)
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(0, 0, left, self.height()), middle, words)
        painter.setFont(look.mono(12, bold=True))
        self._boxes = []
        current = max(0, min(done - 1, len(sequence) - 1))
        self._scroll(current, sequence, left)
        finished = self._session.backward_position >= self._session.backward_length
        x = left
        for number in range(self._first, len(sequence)):
            width = self._width(sequence[number])
            if x + width > self.width() - (look.px(16) if number + 1 < len(sequence) else 0):
                painter.setPen(QColor(p.muted))
                painter.drawText(QRectF(x, 0, look.px(20), self.height()), middle, "…")
                break
            box = QRectF(x, 2, width - look.px(5), self.height() - 4)
            now = number == done - 1 and not finished
            self._paint_chip(painter, box, sequence[number], number < done, now)
            self._boxes.append((box, number))
            x += width
        painter.end()

    def _scroll(self, current: int, sequence: Sequence[int], left: float) -> None:
        """Move the first chip shown so that the current one and the next few are in sight."""
        if not sequence:
            return
        room = self.width() - left - self._look.px(60)
        if current < self._first:
            self._first = max(0, current - 2)
        used = 0.0
        at = current
        while at >= self._first and used <= room:
            used += self._width(sequence[at])
            at -= 1
        if used > room:
            self._first = min(current, at + 2)

    def _width(self, node_id: int) -> float:
        metrics = QFontMetricsF(self._look.mono(12, bold=True))
        return metrics.horizontalAdvance(self._name(node_id)) + self._look.px(38)

    def _paint_chip(
        self, painter: QPainter, box: QRectF, node_id: int, done: bool, now: bool
    ) -> None:
        p = self._look.palette
        ground, outline, ink, sign = p.card, p.partial, p.text, ""
        if now:
            ground, outline, ink, sign = p.now, p.now, p.on_now, " ▸"
        elif done:
            ground, outline, ink, sign = p.final_tint, p.final, p.final, " ✓"
        painter.setPen(QPen(QColor(outline), 1.2))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setPen(QColor(ink))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, f"{self._name(node_id)}{sign}")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the call of the chip."""
        pane = self._session.primary
        for box, number in self._boxes:
            if pane is not None and box.contains(event.position()):
                calls = [n for n, step in enumerate(pane.trace.steps) if step.kind is Kind.CALL]
                self._session.seek_backward(calls[number] + 1)
                return


class Timeline(QWidget):
    """The track, and below it the chips."""

    def __init__(self, session: Session, look: Look, beside_chips: QWidget) -> None:
        super().__init__()
        self._look = look
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.track = Track(session, look)
        self.chips = Chips(session, look)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 6)
        column.setSpacing(0)
        column.addWidget(self.track)
        row = QHBoxLayout()
        row.setContentsMargins(8, 0, 8, 0)
        row.addWidget(self.chips, 1)
        row.addWidget(beside_chips)
        column.addLayout(row)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The ground, and a line above."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._look.palette.window))
        painter.fillRect(0, 0, self.width(), 1, QColor(self._look.palette.rule))
        painter.end()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.track.set_look(look)
        self.chips.set_look(look)
