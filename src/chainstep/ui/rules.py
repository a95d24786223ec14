"""The rule of every operation: its slope, where that comes from, and a curve with its tangent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from chainstep.calculus import OPERATIONS, find
from chainstep.derivations import DERIVATIONS
from chainstep.figures import short
from chainstep.ui.theme import LARGE, SMALL
from chainstep.ui.typeset import Typeset

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QPaintEvent

    from chainstep.calculus import Operation
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

SIZE = (760, 520)
POINTS = 200
USUAL = (1.5, 2.0)
"""The operands where no node of the operation is on show."""


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two others: multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= rough)
    return [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]


def operands(session: Session, symbol: str) -> tuple[str, tuple[float, ...]]:
    """(name, operands' data) of the selected or running node, where it is of that operation.

    While what is to come is hidden no node is named: its slope would tell its contribution.
    """
    graph, arity = session.graph, OPERATIONS[symbol].arity
    for node_id in (session.selected, session.now):
        if graph is None or session.hides or node_id is None or node_id not in graph:
            continue
        node, row = graph.node(node_id), find(graph.node(node_id).op)
        if row is None or not session.is_made(node_id):
            continue
        data = tuple(graph.node(child).data for child in node.children if child in graph)
        if symbol == "**" and row.symbol.startswith("**") and len(row.symbol) > 2:
            data = (*data, float(row.symbol[2:]))  # the exponent stands in the op itself
        elif row.symbol != symbol:
            continue
        if len(data) == arity:
            return node.name, data
    return "", USUAL[:arity]


class Curve(QWidget):
    """An operation as a function of its first operand, with the tangent at the value it has."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._look = look
        self._row: Operation = OPERATIONS["+"]
        self._data: tuple[float, ...] = USUAL
        self.setMinimumSize(QSize(look.px(260), look.px(170)))

    def show_row(self, row: Operation, data: tuple[float, ...]) -> None:
        """Show another operation, or another value."""
        self._row, self._data = row, data
        at, slope = short(data[0]), short(self.slope)
        self.setAccessibleName(f"Curve of {row.symbol}; at a = {at} its tangent has slope {slope}")
        self.update()

    @property
    def slope(self) -> float:
        """That of the tangent."""
        return self._row.local(self._data, self._row.forward(*self._data))[0]

    def _points(self, left: float, right: float) -> list[tuple[float, float]]:
        """The curve, where it is defined and finite."""
        points = []
        for number in range(POINTS + 1):
            x = left + (right - left) * number / POINTS
            y = self._row.forward(x, *self._data[1:])
            if isinstance(y, float) and math.isfinite(y):
                points.append((x, y))
        return points

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """Axes, curve, tangent, and the point where they touch."""
        p, px = self._look.palette, self._look.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            x, y = self._data[0], self._row.forward(*self._data)
            reach = max(3.0, abs(x))
            points = self._points(x - reach, x + reach)
            if not points or not math.isfinite(x + y + self.slope):
                return
            lows = sorted(value for _, value in points)
            low, high = min(lows[len(lows) // 20], y), max(lows[-1 - len(lows) // 20], y)
            room = max(high - low, 1e-9) * 0.15
            low, high = low - room, high + room

            def place(a: float, b: float) -> QPointF:
                across = (a - x + reach) / (2 * reach) * self.width()
                return QPointF(across, (high - b) / (high - low) * self.height())

            painter.fillRect(self.rect(), QColor(p.canvas))
            self._axes(painter, place, (x - reach, x + reach), (low, high))
            curve = QPainterPath(place(*points[0]))
            for point in points[1:]:
                curve.lineTo(place(*point))
            painter.setPen(QPen(QColor(p.text), px(2)))
            painter.drawPath(curve)
            painter.setPen(QPen(QColor(p.now), px(2), Qt.PenStyle.DashLine))
            rise = self.slope * reach
            painter.drawLine(place(x - reach, y - rise), place(x + reach, y + rise))
            painter.setBrush(QColor(p.now))
            painter.drawEllipse(place(x, y), px(4), px(4))
            painter.setPen(QColor(p.text))
            words = f"a = {short(x)}: out = {short(y)}, slope {short(self.slope)}"
            box = QRectF(self.rect()).adjusted(px(8), px(6), -px(8), -px(6))
            painter.drawText(box, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, words)

    def _axes(
        self,
        painter: QPainter,
        place: Callable[[float, float], QPointF],
        across: tuple[float, float],
        upward: tuple[float, float],
    ) -> None:
        """Both axes, with round numbers along the lower and the left edge."""
        p, px = self._look.palette, self._look.px
        painter.setFont(self._look.font(SMALL))
        metrics = painter.fontMetrics()
        painter.setPen(QPen(QColor(p.rule), 1))
        painter.drawLine(place(across[0], 0.0), place(across[1], 0.0))
        painter.drawLine(place(0.0, upward[0]), place(0.0, upward[1]))
        painter.setPen(QColor(p.muted))
        base = self.height() - px(5)
        for number in ticks(*across):
            text = short(number)
            left = place(number, 0.0).x() - metrics.horizontalAdvance(text) / 2
            # The corner belongs to the other edge.
            if px(44) < left < self.width() - metrics.horizontalAdvance(text):
                painter.drawText(QPointF(left, base), text)
        for number in ticks(*upward):
            middle = place(0.0, number).y() + metrics.ascent() / 2 - metrics.descent() / 2
            if px(12) + 2 * metrics.height() < middle < base - metrics.height():
                painter.drawText(QPointF(px(8), middle), short(number))


class Rules(QDialog):
    """All operations in a list; that of the selected or running node is in front.

    Args:
        session: Whose node gives the value.
        look: Colours and scale.
        window: Above which it stands.
    """

    def __init__(self, session: Session, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Rules of the operations")
        self.index = QListWidget()
        self.index.setAccessibleName("Operations")
        self.index.setFixedWidth(look.px(120))
        for symbol in OPERATIONS:
            QListWidgetItem(symbol, self.index)
        self.gate, self.rule, self.lines = QLabel(), QLabel(), QLabel()
        self.slopes = [Typeset(look, LARGE + 3) for _ in range(2)]
        self.curve = Curve(look)
        self.where = QLabel()
        column = QVBoxLayout()
        for label in (self.gate, self.rule, self.lines, self.where):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.gate.setFont(look.font(LARGE, bold=True))
        for widget in (self.gate, *self.slopes, self.rule, self.lines, self.where):
            column.addWidget(widget)
        column.addWidget(self.curve, 1)
        row = QHBoxLayout(self)
        row.addWidget(self.index)
        row.addLayout(column, 1)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))
        self.index.currentTextChanged.connect(self._take)
        symbols = list(OPERATIONS)
        shown = next((n for n, each in enumerate(symbols) if operands(session, each)[0]), 0)
        self.index.setCurrentRow(shown)
        self.index.setFocus()
        # It stays open beside the window: what it says of a node must not be out of date, nor
        # tell what has been hidden meanwhile.
        for signal in (
            *(session.recording_changed, session.view_changed, session.horizon_changed),
            *(session.position_changed, session.selection_changed),
        ):
            signal.connect(self._refresh)

    def _refresh(self) -> None:
        self._take(self.index.currentItem().text())

    def _take(self, symbol: str) -> None:
        row = OPERATIONS[symbol]
        name, data = operands(self._session, symbol)
        self.gate.setText(f"{row.gate[0].upper()}{row.gate[1:]}.")
        self.rule.setText(row.rule)
        self.lines.setText("\n".join(DERIVATIONS[symbol]))
        for number, widget in enumerate(self.slopes):
            widget.set_text(row.formula[number] if number < row.arity else "")
            widget.setVisible(number < row.arity)
        held = f" with b = {short(data[1])}" if row.arity == 2 else ""
        here = f"the operands of {name}" if name else "an example"
        self.where.setText(f"As a function of a{held}, at {here}:")
        self.curve.show_row(row, data)
