"""The program's text: line numbers, colours, the lines that the step is about, errors in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPlainTextDocumentLayout,
    QPlainTextEdit,
    QTextEdit,
    QWidget,
)

from chainstep.finding import Severity
from chainstep.ui.form import too_long
from chainstep.ui.highlight import Highlighter
from chainstep.ui.notices import failure
from chainstep.ui.theme import PLAIN

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData

    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

INDENT = "    "
SEPARATORS = "\u2028\u2029\ufdd0\ufdd1"
"""Signs that Qt's documents take for the end of a line or of a frame."""
STAND_INS = range(0xFDD2, 0xFDF0)
"""Signs that never stand for a letter: in the editor they stand for those above."""


class _Lines(QPlainTextDocumentLayout):
    """Lines of text, with room below one of them for a message."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.below = -1
        self.room = 0

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The line, and the room below it where that is wanted."""
        box = super().blockBoundingRect(block)
        if block.blockNumber() == self.below:
            box.setHeight(box.height() + self.room)
        return box


class _Numbers(QWidget):
    """The margin with line numbers, and bars beside the lines that the step is about."""

    def __init__(self, editor: Editor) -> None:
        super().__init__(editor)
        self._editor = editor
        self.setAccessibleName("Line numbers")

    def sizeHint(self) -> QSize:
        """Room for the digits."""
        return QSize(self._editor.margin_width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Numbers of the lines in sight."""
        self._editor.paint_margin(self, event)


class Editor(QPlainTextEdit):
    """Edits the program of a session.

    Args:
        session: Whose program it is.
        look: Colours and scale.
    """

    left = Signal()
    """Escape was pressed: the focus is to go elsewhere."""
    refused = Signal(str)
    """Something was not pasted; the sentence says why."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._bars: dict[int, str] = {}
        self._signs: dict[int, Severity] = {}
        self._own: dict[int, str] = {}
        document = QTextDocument(self)
        self._lines = _Lines(document)
        document.setDocumentLayout(self._lines)
        # The margin of line numbers is enough, and a lit line has no gap in it.
        document.setDocumentMargin(0)
        self.setDocument(document)
        self._highlighter = Highlighter(document, look.palette)
        self._margin = _Numbers(self)
        self._message = QLabel(self.viewport())
        self._message.setWordWrap(True)
        self._message.setTextFormat(Qt.TextFormat.PlainText)
        self._message.setFrameShape(QFrame.Shape.NoFrame)
        self._message.setObjectName("error_in_line")
        self._message.hide()
        self.setAccessibleName("Program")
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.updateRequest.connect(self._scroll_margin)
        self.textChanged.connect(self._give_text)
        session.opened.connect(self._begin)
        session.program_changed.connect(self._take_text)
        session.program_changed.connect(self._light)
        session.recording_changed.connect(self._take_recording)
        session.view_changed.connect(self._take_recording)
        session.horizon_changed.connect(self._take_recording)
        session.position_changed.connect(self._light)
        session.run_changed.connect(self._show_error)
        session.checks.changed.connect(self._light)
        self.set_look(look)
        self._begin()

    # -- text ---------------------------------------------------------------------------

    def text(self) -> str:
        """The text as typed: `toPlainText` would turn no-break spaces into spaces."""
        text = self.document().toRawText().replace("\u2029", "\n")
        return text.translate(self._own)

    def _give_text(self) -> None:
        self._session.set_text(self.text())

    def _begin(self) -> None:
        """Show another program; nothing of the one before can be brought back."""
        self._show(self._session.program.text)

    def _take_text(self) -> None:
        """Show the same program with what others changed in it: that can be undone."""
        text = self._session.program.text
        if text != self.text():
            place = self.textCursor().position(), self.verticalScrollBar().value()
            if self._own or any(sign in text for sign in SEPARATORS):
                self._show(text)  # what stands in for what may be another sign now
            else:
                cursor = self.textCursor()
                cursor.select(QTextCursor.SelectionType.Document)
                cursor.insertText(text)
            self._go_back(*place)
        if self._session.stale:
            self._show_error()

    def _show(self, text: str) -> None:
        """Show a text; signs that are no letters for Qt have others in their place."""
        free = (chr(code) for code in STAND_INS if chr(code) not in text)
        self._own = {}
        stand_ins = {}
        for sign in SEPARATORS:
            if sign in text:
                other = next(free)
                stand_ins[ord(sign)], self._own[ord(other)] = other, sign
        self.setPlainText(text.translate(stand_ins))

    def _go_back(self, position: int, scrolled: int) -> None:
        """Stand where one stood before the text was read again."""
        cursor = self.textCursor()
        cursor.setPosition(min(position, len(self.text())))
        self.setTextCursor(cursor)
        self.verticalScrollBar().setValue(scrolled)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        font = look.mono(PLAIN)
        self.setFont(font)
        self.document().setDefaultFont(font)
        self.setTabStopDistance(4 * QFontMetrics(font).horizontalAdvance(" "))
        p = look.palette
        # The style sheet of the window sets the size of all text, and a font alone yields to it.
        self.setStyleSheet(f"QPlainTextEdit {{ font-size: {look.px(PLAIN)}px; }}")
        self._message.setStyleSheet(
            f"background: {p.failed_tint}; color: {p.failed}; border-radius: 4px;"
            f"padding: {look.px(4)}px {look.px(6)}px; font-size: {look.px(12)}px;"
        )
        self._message.setFont(look.font(12))
        self._highlighter.set_palette(p)
        self.setViewportMargins(self.margin_width(), look.px(4), 0, 0)
        self._show_error()
        self._bars = {}  # what is lit already has other colours now
        self._light()

    # -- what the step is about ---------------------------------------------------------

    def _take_recording(self) -> None:
        self._show_error()
        self._light()

    def _lit(self) -> dict[int, str]:
        """Lines, from 1, and what they are: `now`, `target`, or `failed` for a finding."""
        lit = self._lit_by_step()
        chosen = self._session.checks.chosen
        line = None if chosen is None or chosen.file else chosen.line
        if line is not None and line in self._signs:
            lit[line] = "failed"
        return lit

    def _lit_by_step(self) -> dict[int, str]:
        """Lines that the step is about."""
        pane, recording = self._session.primary, self._session.recording
        if pane is None or recording is None or self._session.stale:
            return {}
        moment, step = self._session.moment, pane.stepper.current
        lit: dict[int, str] = {}
        if step is None:
            # Before the backward phase it is the line that made the node.
            node = moment.node if moment is not None else None
            line = recording.nodes[node].line if node is not None else None
            return {} if line is None else {line: "now"}
        for node_id, what in ((step.target, "target"), (step.node, "now")):
            line = recording.nodes[node_id].line if node_id is not None else None
            if line is not None:
                lit[line] = what
        if step.line is not None and step.file == 0 and recording.files:
            lit[step.line] = "now"
        return lit

    def _light(self) -> None:
        signs, shown = self._session.checks.lines(), self._signs
        self._signs = signs
        bars = self._lit()
        if bars == self._bars and signs == shown:
            return
        self._bars = bars
        selections = []
        for line, what in bars.items():
            block = self.document().findBlockByNumber(line - 1)
            if not block.isValid():
                continue
            selection = QTextEdit.ExtraSelection()
            tint = getattr(self._look.palette, f"{what}_tint")
            selection.format.setBackground(QColor(tint))
            selection.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            selection.cursor = QTextCursor(block)
            selections.append(selection)
        self.setExtraSelections(selections)
        self._margin.update()
        # A finding that was just gone to is what one wants to see, else the step.
        for wanted in ("failed", "now"):
            place = next((line for line, what in bars.items() if what == wanted), None)
            if place is not None and not self.hasFocus():
                self._bring_into_sight(place)
                return

    def _bring_into_sight(self, line: int) -> None:
        block = self.document().findBlockByNumber(line - 1)
        box = self.blockBoundingGeometry(block).translated(self.contentOffset())
        if block.isValid() and not (box.top() >= 0 and box.bottom() <= self.viewport().height()):
            height = max(1, round(self.blockBoundingRect(block).height()))
            lines_in_sight = self.viewport().height() // height
            self.verticalScrollBar().setValue(max(0, line - 1 - lines_in_sight // 2))

    # -- errors -------------------------------------------------------------------------

    def _show_error(self) -> None:
        failed = None if self._session.stale else failure(self._session)
        line = failed.line if failed else None
        if failed is None or line is None or line > self.document().blockCount():
            if self._lines.below >= 0:
                self._make_room(-1, 0)
            self._message.hide()
            return
        self._message.setText(failed.text or failed.title)
        self._message.setAccessibleName(f"Error in line {line}: {failed.text}")
        width = self.viewport().width() - self._look.px(12)
        height = self._message.heightForWidth(max(width, 80))
        self._message.resize(width, height)
        self._make_room(line - 1, height + self._look.px(6))
        self._message.show()
        if not self.hasFocus():
            self._bring_into_sight(line)
        self._place_message()

    def _make_room(self, below: int, room: int) -> None:
        self._lines.below, self._lines.room = below, room
        self._lines.documentSizeChanged.emit(self._lines.documentSize())
        self.viewport().update()
        self._margin.update()

    def _place_message(self) -> None:
        if self._lines.below < 0:
            return
        block = self.document().findBlockByNumber(self._lines.below)
        box = self.blockBoundingGeometry(block).translated(self.contentOffset())
        top = box.bottom() - self._lines.room + self._look.px(2)
        self._message.move(self._look.px(4), round(top))

    # -- margin -------------------------------------------------------------------------

    def margin_width(self) -> int:
        """Pixels that the line numbers take."""
        digits = max(2, len(str(self.document().blockCount())))
        metrics = QFontMetrics(self._look.mono(12))
        return metrics.horizontalAdvance("9" * digits) + self._look.px(26)

    def paint_margin(self, margin: QWidget, event: QPaintEvent) -> None:
        """Paint the numbers of the lines in sight."""
        look, p = self._look, self._look.palette
        with QPainter(margin) as painter:
            painter.fillRect(event.rect(), QColor(p.window))
            painter.setFont(look.mono(12))
            block = self.firstVisibleBlock()
            offset = self.contentOffset()
            top_of_text = self.viewport().y()
            spacing = QFontMetrics(self.font()).lineSpacing()
            while block.isValid():
                box = self.blockBoundingGeometry(block).translated(offset)
                top = round(box.top()) + top_of_text
                if top > event.rect().bottom():
                    break
                line = block.blockNumber() + 1
                # The room for a message, and the document's own margin, are no part of a line.
                height = min(round(box.height()), spacing)
                what = self._bars.get(line)
                if what is not None:
                    painter.fillRect(
                        0, top, margin.width(), height, QColor(getattr(p, f"{what}_tint"))
                    )
                    painter.fillRect(0, top, look.px(3), height, QColor(getattr(p, what)))
                if line in self._signs:
                    self._paint_sign(painter, QRect(0, top, look.px(14), height), self._signs[line])
                color = p.failed if block.blockNumber() == self._lines.below else p.muted
                painter.setPen(QColor(getattr(p, what) if what else color))
                painter.drawText(
                    QRect(0, top, margin.width() - look.px(12), height),
                    Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                    str(line),
                )
                block = block.next()

    def _paint_sign(self, painter: QPainter, box: QRect, severity: Severity) -> None:
        """Mark a line that a finding is about: `!` for a fault, `i` for a note."""
        p, fault = self._look.palette, severity is Severity.FAULT
        painter.save()
        painter.setFont(self._look.mono(12, bold=True))
        painter.setPen(QColor(p.failed if fault else p.muted))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "!" if fault else "i")
        painter.restore()

    def _scroll_margin(self, area: QRect, dy: int) -> None:
        if dy:
            self._margin.scroll(0, dy)
        else:
            self._margin.update(0, area.y(), self._margin.width(), area.height())
        if self.viewportMargins().left() != self.margin_width():
            self.setViewportMargins(self.margin_width(), self._look.px(4), 0, 0)
            self._place_margin()
        self._place_message()

    def _place_margin(self) -> None:
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.topLeft(), QPoint(
            inside.left() + self.margin_width() - 1, inside.bottom()
        )))  # fmt: skip

    # -- Qt -----------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The margin and the message go along."""
        super().resizeEvent(event)
        self._place_margin()
        self._show_error()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Tab indents by four spaces, Return keeps the indent, Escape leaves."""
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key == Qt.Key.Key_Tab and not self.textCursor().hasSelection():
            column = self.textCursor().positionInBlock()
            self.insertPlainText(INDENT[: 4 - column % 4])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._break_line()
        else:
            super().keyPressEvent(event)

    def _break_line(self) -> None:
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        indent = before[: len(before) - len(before.lstrip(" "))]
        if before.rstrip().endswith(":"):
            indent += INDENT
        self.insertPlainText(f"\n{indent}")
        self.ensureCursorVisible()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text, but no files: a file dropped here is opened by the window."""
        return not source.hasUrls() and super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Plain text only, and not more than the window can show."""
        pasted = source.text()
        refusal = too_long(f"{self.text()}\n{pasted}")
        if refusal:
            self.refused.emit(f"Not pasted: the text would have {refusal}.")
        else:
            self.insertPlainText(pasted)
