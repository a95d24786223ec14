"""The chain rule of the selected node: a sum, and a row for each term that leads to its step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QVBoxLayout, QWidget

from chainstep.chainrule import SIGNS, Arrival
from chainstep.notation import read
from chainstep.ui.spoken import pronounced
from chainstep.ui.theme import LARGE, PLAIN, SMALL, focus_pen
from chainstep.ui.typeset import Setter, Typeset

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent, QFocusEvent, QFont, QKeyEvent, QPaintEvent

    from chainstep.chainrule import ChainRule, Term
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look
    from chainstep.ui.typeset import Box

MOST_TERMS = 12
"""Rows: of a node that is used more often the ledger tells the rest."""
SIDE = 6
MARK = 20
"""Width of the sign before a term."""
WORDS = 30
"""Height of the two lines of words beside a term."""
GAP, BETWEEN = 14, 4
"""Between a formula and what stands beside it, and between lines."""


class TermRow(QAbstractButton):
    """One term: sign, formula, numbers. Pressed, it leads to its step; pointed at, it lights up.

    Args:
        session: Where it leads.
        term: What it shows.
        name: What its consumer is called.
        look: Colours and scale.
    """

    def __init__(self, session: Session, term: Term, name: str, look: Look) -> None:
        super().__init__()
        self._session = session
        self.term = term
        self._look = look
        self._setter = Setter(look, PLAIN)
        self._formula: tuple[int, list[tuple[float, Box]]] = (0, [])
        sign, words = SIGNS[term.arrival]
        self._sign = sign
        step = f", step {term.position}" if term.position is not None and term.numbers else ""
        self._numbers = term.numbers
        self._words = f"{words}{step}"
        self.setText(f"{term.symbols}: {term.numbers or words}")
        parts = (f"Through {name}", f"{self._words}: {term.symbols}", term.numbers)
        self.setAccessibleName(", ".join(pronounced(part) for part in parts if part))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setEnabled(term.position is not None)
        self.setToolTip(
            f"Go to the step in which {name} brings it"
            if self.isEnabled()
            else f"{name} never brings it in this pass"
        )
        self.clicked.connect(self._go)

    def _go(self) -> None:
        if self.term.position is not None:
            self._session.seek_backward(self.term.position)

    # -- its parts ----------------------------------------------------------------------

    def _lines(self, width: int) -> list[tuple[float, Box]]:
        """The formula, broken where it would be wider than the row."""
        if self._formula[0] != width:
            room = width - self._look.px(2 * SIDE + MARK)
            self._formula = width, self._setter.lines(read(self.term.symbols), room)
        return self._formula[1]

    def _said(self) -> list[tuple[str, QFont, bool]]:
        """(text, its font, whether it is the numbers) of what stands beside the formula."""
        look = self._look
        lines = [(self._words, look.font(SMALL), False)]
        if self._numbers:
            lines.insert(0, (self._numbers, look.mono(PLAIN, bold=True), True))
        return lines

    def _is_below(self, width: int) -> bool:
        """Whether that stands below the formula: beside it there is no room."""
        lines, px = self._lines(width), self._look.px
        wide = max(QFontMetricsF(font).horizontalAdvance(text) for text, font, _ in self._said())
        left = px(SIDE + MARK + GAP) + max(box.width for _, box in lines)
        return len(lines) > 1 or left + wide > width - px(SIDE)

    def _heights(self, width: int) -> tuple[float, float]:
        """(how high the formula is, how high what is said is), in pixels."""
        between = self._look.px(BETWEEN) * (len(self._lines(width)) - 1)
        formula = sum(box.ascent + box.descent for _, box in self._lines(width)) + between
        return formula, self._look.px(WORDS / 2 + 1) * len(self._said())

    # -- Qt -----------------------------------------------------------------------------

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more lines."""
        return True

    def heightForWidth(self, width: int) -> int:
        """As high as its formula and its words need."""
        px = self._look.px
        formula, said = self._heights(width)
        if self._is_below(width):
            return round(formula + said + px(10 + BETWEEN))
        return max(round(formula + px(10)), px(WORDS + 8))

    def sizeHint(self) -> QSize:
        """As high as that makes it."""
        return QSize(120, self.heightForWidth(max(self.width(), 120)))

    def minimumSizeHint(self) -> QSize:
        """However narrow."""
        return QSize(60, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The sign, the formula, and beside it the numbers above the words."""
        look, p = self._look, self._look.palette
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            strong = {
                Arrival.ARRIVED: p.final,
                Arrival.RUNNING: p.now_text,
                Arrival.MISSING: p.muted,
                Arrival.LOST: p.failed,
            }[self.term.arrival]
            if self.underMouse() or self.hasFocus():
                painter.setBrush(QColor(p.quiet))
                painter.setPen(focus_pen(p.focus) if self.hasFocus() else QPen(Qt.PenStyle.NoPen))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
            (formula, said), below = self._heights(self.width()), self._is_below(self.width())
            above = (self.height() - formula - (said + look.px(BETWEEN) if below else 0)) / 2
            lines, left = self._lines(self.width()), look.px(SIDE + MARK)
            first = lines[0][1]
            painter.setPen(QColor(strong))
            painter.setFont(look.font(PLAIN, bold=True))
            box = QRectF(look.px(SIDE), above, look.px(MARK), first.ascent + first.descent)
            painter.drawText(
                box, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip, self._sign
            )
            painter.setPen(QColor(p.text if self.term.numbers else p.muted))
            y = above
            for indent, box_ in lines:
                box_.draw(painter, left + indent, y + box_.ascent)
                y += box_.ascent + box_.descent + look.px(BETWEEN)
            if below:
                self._say(painter, left, y, strong)
            else:
                top = (self.height() - said) / 2
                self._say(painter, left + first.width + look.px(GAP), top, strong)

    def _say(self, painter: QPainter, left: float, y: float, strong: str) -> None:
        """The numbers, and below them the words."""
        look = self._look
        room = self.width() - left - look.px(SIDE)
        height = look.px(WORDS / 2 + 1)
        for text, font, is_numbers in self._said():
            painter.setFont(font)
            painter.setPen(QColor(strong if is_numbers else look.palette.muted))
            metrics = QFontMetricsF(font)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, room))
            base = y + (height + metrics.ascent() - metrics.descent()) / 2
            painter.drawText(QPointF(left, base), shown)
            y += height

    def enterEvent(self, event: QEnterEvent) -> None:
        """Light its consumer wherever that is shown."""
        super().enterEvent(event)
        self._session.point_at(self.term.edge.consumer)

    def leaveEvent(self, event: QEvent) -> None:
        """Light it no more."""
        super().leaveEvent(event)
        self._session.point_at(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The same for the keyboard."""
        super().focusInEvent(event)
        self._session.point_at(self.term.edge.consumer)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """And no more."""
        super().focusOutEvent(event)
        self._session.point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter is as good as Space; arrows go from row to row."""
        key = event.key()
        if key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.click()
        elif key in {Qt.Key.Key_Down, Qt.Key.Key_Up}:
            self.focusNextPrevChild(key == Qt.Key.Key_Down)
        else:
            super().keyPressEvent(event)


class Terms(QWidget):
    """Heading, sum, rows, and what is still missing; hidden while no node is selected.

    Args:
        session: Whose selected node.
        look: Colours and scale.
        before: After which its rows come for who walks by Tab.
    """

    grown = Signal()
    """It shows another node."""

    def __init__(self, session: Session, look: Look, before: QWidget) -> None:
        super().__init__()
        self._before = before
        self._session = session
        self._look = look
        self._shown: ChainRule | None = None
        self.setAccessibleName("Chain rule of the selected node")
        self.heading = QLabel()
        self.heading.setObjectName("step_title")
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.sum = Typeset(look, LARGE)
        self.told = QLabel()
        self.told.setObjectName("muted")
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        for label in (self.heading, self.told):
            label.setWordWrap(True)
        self.rows: list[TermRow] = []
        self._rows = QVBoxLayout()
        self._rows.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(4)
        for widget in (self.heading, self.sum):
            column.addWidget(widget)
        column.addLayout(self._rows)
        column.addWidget(self.told)
        self.hide()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.sum.set_look(look)
        shown, self._shown = self._shown, None
        self.show_rule(shown, self.heading.text().removeprefix("Chain rule for "))

    def show_rule(self, rule: ChainRule | None, name: str) -> None:
        """Show a sum; None hides it."""
        if rule == self._shown:
            return
        before, self._shown = self._shown, rule
        self.setVisible(rule is not None)
        if rule is None:
            return
        self.heading.setText(f"Chain rule for {name}")
        self.sum.set_text(_shortened(rule))
        more = len(rule.terms) - MOST_TERMS
        rest = f" {more} more terms stand in the ledger." if more > 0 else ""
        self.told.setText(rule.told + rest)
        self._fill(rule)
        if before is None or before.node != rule.node:
            self.grown.emit()

    def _fill(self, rule: ChainRule) -> None:
        focused = next((n for n, row in enumerate(self.rows) if row.hasFocus()), None)
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        graph = self._session.graph
        self.rows = []
        for term in rule.terms[:MOST_TERMS]:
            name = graph.node(term.edge.consumer).name if graph is not None else ""
            row = TermRow(self._session, term, name, self._look)
            self._rows.addWidget(row)
            row.show()  # now, and not with the next event: only what is shown takes the focus
            # What is made last would come last of all in the window.
            self.setTabOrder(self.rows[-1] if self.rows else self._before, row)
            self.rows.append(row)
        if focused is not None and focused < len(self.rows):
            self.rows[focused].setFocus()


def _shortened(rule: ChainRule) -> str:
    """The sum in symbols, with an ellipsis for terms that no row is made for."""
    if len(rule.terms) <= MOST_TERMS:
        return rule.line
    first = [term.symbols for term in rule.terms[: MOST_TERMS // 3]]
    return f"{rule.gradient} = {' + '.join([*first, '…'])}"
