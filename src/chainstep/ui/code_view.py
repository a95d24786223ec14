"""A few lines of source, with their numbers, colours, and the line that is running lit."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from chainstep.ui.excerpt import Excerpt
from chainstep.ui.highlight import Line, lex
from chainstep.ui.theme import RING

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

TYPE = 12
"""Size of the type at 100%."""

colours_of = lru_cache(256)(lex)


class _Numbers(QWidget):
    """The margin with line numbers."""

    def __init__(self, view: CodeView) -> None:
        super().__init__(view)
        self._view = view
        self.setAccessibleName("Line numbers")

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """Numbers of the lines in sight."""
        self._view.paint_margin(self)


class CodeView(QPlainTextEdit):
    """Shows an excerpt. Where the mouse is on a variable, its node is pointed at.

    Args:
        session: Whose nodes the variables are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._excerpt = Excerpt()
        self._links: list[tuple[int, int, int, int]] = []
        self._points = False
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("Code that runs")
        self.document().setDocumentMargin(0)
        self.viewport().setMouseTracking(True)
        self._margin = _Numbers(self)
        self.updateRequest.connect(self._scroll_margin)
        session.pointer_changed.connect(self._color)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.setFont(look.mono(TYPE))
        self.document().setDefaultFont(look.mono(TYPE))
        self.setStyleSheet(f"QPlainTextEdit {{ font-size: {look.px(TYPE)}px; }}")
        self._place_margin()
        self._color()

    def show_excerpt(self, shown: Excerpt) -> None:
        """Show other lines; where they are the same, only what is lit changes."""
        is_new = shown.rows != self._excerpt.rows
        if is_new:
            self.setPlainText(shown.text)
        self._excerpt = shown
        self._links = shown.links()
        self._place_margin()
        self._color()
        self.setMaximumHeight(self._height())
        self.updateGeometry()
        self._bring_into_sight(centres=is_new)
        lit = next((row.text.strip() for row in shown.rows if row.number == shown.lit), "")
        self.setAccessibleDescription(f"Line {shown.lit}: {lit}" if lit else "")

    def sizeHint(self) -> QSize:
        """All lines."""
        return QSize(200, self._height())

    def minimumSizeHint(self) -> QSize:
        """Three lines, if there are as many."""
        return QSize(60, min(3 * self._spacing() + self._look.px(4) + 2 * RING, self._height()))

    def _height(self) -> int:
        """Height of all lines, and of the bar below them where one is wider than the view."""
        wide = self.horizontalScrollBar().maximum() > 0
        bar = self.horizontalScrollBar().sizeHint().height() if wide else 0
        return len(self._excerpt.rows) * self._spacing() + self._look.px(4) + 2 * RING + bar

    def _spacing(self) -> int:
        return QFontMetrics(self._look.mono(TYPE)).lineSpacing()

    # -- colours ------------------------------------------------------------------------

    def _color(self) -> None:
        """Lex, light the line that runs, and mark the variables of the node pointed at."""
        p, shown = self._look.palette, self._excerpt
        selections = []
        for number, row in enumerate(shown.rows):
            if row.number == shown.lit:
                tint = p.failed_tint if shown.failed else p.now_tint
                selection = self._selection(number, 0, 0)
                selection.format.setBackground(QColor(tint))
                selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
                selections.append(selection)
        lines: list[Line] = colours_of(shown.text) if shown.rows else []
        for number, line in enumerate(lines):
            for start, length, kind in line.spans:
                selection = self._selection(number, start, start + length)
                selection.format.setForeground(QColor(getattr(p, kind)))
                selections.append(selection)
        for number, start, end, node_id in self._links:
            if node_id == self._session.pointed:
                selection = self._selection(number, start, end)
                selection.format.setBackground(QColor(p.target_tint))
                selection.format.setForeground(QColor(p.target))
                selection.format.setFontUnderline(True)
                selections.append(selection)
        self.setExtraSelections(selections)
        self._margin.update()

    def _selection(self, row: int, start: int, end: int) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        cursor = QTextCursor(self.document().findBlockByNumber(row))
        base = cursor.position()
        cursor.setPosition(base + start)
        cursor.setPosition(base + end, QTextCursor.MoveMode.KeepAnchor)
        selection.cursor = cursor
        return selection

    def _bring_into_sight(self, *, centres: bool) -> None:
        """Show the line that runs, in the middle or wherever it is already in sight."""
        rows = self._excerpt.rows
        at = next((n for n, row in enumerate(rows) if row.number == self._excerpt.lit), 0)
        first = self.verticalScrollBar().value()
        in_sight = max(1, self.viewport().height() // self._spacing())
        if centres or not first <= at < first + in_sight:
            self.verticalScrollBar().setValue(max(0, at - in_sight // 2))

    # -- variables ----------------------------------------------------------------------

    def node_at(self, x: int, y: int) -> int | None:
        """The node whose variable stands at a point of the viewport; None where none does."""
        block = self.firstVisibleBlock()
        offset = self.contentOffset()
        metrics = QFontMetrics(self._look.mono(TYPE))
        while block.isValid():
            box = self.blockBoundingGeometry(block).translated(offset)
            if box.top() <= y < box.bottom():
                column = (x - offset.x()) / metrics.horizontalAdvance("0")
                return self._link_at(block.blockNumber(), column)
            block = block.next()
        return None

    def _link_at(self, row: int, column: float) -> int | None:
        for number, start, end, node_id in self._links:
            if number == row and start <= column < end:
                return node_id
        return None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at the node whose variable the mouse is on."""
        super().mouseMoveEvent(event)
        node_id = self.node_at(event.position().toPoint().x(), event.position().toPoint().y())
        if node_id is not None or self._points:
            self._session.point_at(node_id)
        self._points = node_id is not None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click on a variable selects its node."""
        super().mouseReleaseEvent(event)
        node_id = self.node_at(event.position().toPoint().x(), event.position().toPoint().y())
        if node_id is not None and not self.textCursor().hasSelection():
            self._session.select(node_id)

    def viewportEvent(self, event: QEvent) -> bool:
        """The mouse has gone: nothing is pointed at any more."""
        if event.type() is QEvent.Type.Leave and self._points:
            self._points = False
            self._session.point_at(None)
        return super().viewportEvent(event)

    # -- margin -------------------------------------------------------------------------

    def _margin_width(self) -> int:
        rows = self._excerpt.rows
        digits = max(2, len(str(rows[-1].number))) if rows else 2
        metrics = QFontMetrics(self._look.mono(TYPE))
        return metrics.horizontalAdvance("9" * digits) + self._look.px(24)

    def paint_margin(self, margin: QWidget) -> None:
        """Paint the numbers of the lines in sight."""
        look, p, shown = self._look, self._look.palette, self._excerpt
        with QPainter(margin) as painter:
            painter.fillRect(margin.rect(), QColor(p.window))
            painter.setFont(look.mono(TYPE))
            block, offset = self.firstVisibleBlock(), self.contentOffset()
            while block.isValid() and block.blockNumber() < len(shown.rows):
                box = self.blockBoundingGeometry(block).translated(offset)
                if box.top() > margin.height():
                    break
                number = shown.rows[block.blockNumber()].number
                color = p.muted
                if number == shown.lit:
                    color, tint = (p.failed, p.failed_tint) if shown.failed else (p.now, p.now_tint)
                    line = QRectF(0, box.top(), margin.width(), box.height())
                    painter.fillRect(line, QColor(tint))
                    painter.fillRect(QRectF(0, box.top(), look.px(3), box.height()), QColor(color))
                painter.setPen(QColor(color))
                place = QRectF(0, box.top(), margin.width() - look.px(10), box.height())
                side = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(place, side, str(number))
                block = block.next()

    def _scroll_margin(self, area: QRect, dy: int) -> None:
        if dy:
            self._margin.scroll(0, dy)
        else:
            self._margin.update(0, area.y(), self._margin.width(), area.height())

    def _place_margin(self) -> None:
        width = self._margin_width()
        if self.viewportMargins().left() != width:
            self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self._margin.setGeometry(inside.left(), inside.top(), width, inside.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The margin goes along."""
        super().resizeEvent(event)
        self._place_margin()
        self._bring_into_sight(centres=True)
        self.setMaximumHeight(self._height())
