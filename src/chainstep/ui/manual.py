"""Pages to be read in the window: one per kind of finding, with a list to search."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from chainstep.finding import KINDS
from chainstep.pages import text
from chainstep.ui.theme import LARGE, PLAIN

if TYPE_CHECKING:
    from chainstep.ui.theme import Look

SIZE = (860, 600)
INDEX = 270
"""Width of the list."""
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down)
KIND = Qt.ItemDataRole.UserRole


class Manual(QDialog):
    """The pages. It stands beside the window and does not get in its way.

    Args:
        look: Colours and scale.
        window: Above which it stands.
    """

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._look = look
        self.setWindowTitle("Findings")
        self._texts = {kind: text(kind) for kind in KINDS}
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search all pages")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search all pages")
        self.index = QListWidget()
        self.index.setAccessibleName("Pages")
        self.index.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.page = QTextBrowser()
        self.page.setAccessibleName("Page")
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.index)
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([look.px(INDEX), look.px(SIZE[0] - INDEX)])
        QVBoxLayout(self).addWidget(splitter)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))
        self.search.textChanged.connect(self._fill)
        self.search.installEventFilter(self)
        self.index.currentItemChanged.connect(self._show_current)
        self._fill()
        self.search.setFocus()

    @property
    def kind(self) -> str:
        """The kind of finding whose page is on show; empty where no page fits the search."""
        item = self.index.currentItem()
        return "" if item is None else str(item.data(KIND))

    def show_kind(self, kind: str) -> None:
        """Show the page of a kind, and the window."""
        self.search.clear()
        for row in range(self.index.count()):
            if self.index.item(row).data(KIND) == kind:
                self.index.setCurrentRow(row)
        self.show()
        self.raise_()
        self.activateWindow()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._show_current()

    def _fill(self) -> None:
        """List the pages that hold every word of the search; the one on show stays if it does."""
        words, shown = self.search.text().casefold().split(), self.kind
        self.index.blockSignals(True)
        self.index.clear()
        for kind, row in KINDS.items():
            whole = self._texts[kind].casefold()
            if all(word in whole for word in words):
                item = QListWidgetItem(f"{row.code}  {row.title}", self.index)
                item.setData(KIND, kind)
                item.setToolTip(row.title)
                if kind == shown:
                    self.index.setCurrentItem(item)
        if self.index.currentRow() < 0:
            self.index.setCurrentRow(0)
        self.index.blockSignals(False)
        self._show_current()

    def _show_current(self) -> None:
        if not self.kind:
            self.page.setPlainText("No page holds all of these words.")
            return
        self.page.document().setDefaultFont(self._look.font(PLAIN))
        self.page.setMarkdown(self._texts[self.kind])
        _dress(self.page, self._look)
        self.page.moveCursor(QTextCursor.MoveOperation.Start)
        self.page.setAccessibleDescription(self.page.toPlainText().partition("\n")[0])

    # -- Qt -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrows choose a page while one searches."""
        if watched is self.search and isinstance(event, QKeyEvent):
            pressed = event.type() is QEvent.Type.KeyPress
            if pressed and event.key() in MOVES:
                step = 1 if event.key() == Qt.Key.Key_Down else -1
                row = self.index.currentRow() + step
                self.index.setCurrentRow(max(0, min(row, self.index.count() - 1)))
                return True
        return super().eventFilter(watched, event)


def _dress(page: QTextBrowser, look: Look) -> None:
    """Give headings and code the type of the window: Markdown brings sizes of its own."""
    p, block = look.palette, page.document().begin()
    while block.isValid():
        cursor = QTextCursor(block)
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        form, frame = QTextCharFormat(), QTextBlockFormat()
        level = block.blockFormat().headingLevel()
        if block.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence):
            form.setFont(look.mono(PLAIN))
            frame.setBackground(QColor(p.quiet))
            frame.setLeftMargin(look.px(8))
            cursor.mergeBlockFormat(frame)
            cursor.mergeCharFormat(form)
        elif level:
            size = LARGE + 3 if level == 1 else LARGE
            form = cursor.charFormat()
            # Markdown's headings are so many times the other type, whatever their own size.
            form.clearProperty(QTextFormat.Property.FontSizeAdjustment)
            form.setFont(look.font(size, bold=True))
            frame.setTopMargin(look.px(12 if level > 1 else 4))
            frame.setBottomMargin(look.px(4))
            cursor.mergeBlockFormat(frame)
            cursor.setCharFormat(form)
        else:
            _dress_words(block, look)
        block = block.next()


def _dress_words(block: QTextBlock, look: Look) -> None:
    """Set the code among the words of a paragraph."""
    spans, fragments = [], block.begin()
    while not fragments.atEnd():
        fragment = fragments.fragment()
        if fragment.charFormat().fontFixedPitch():
            spans.append((fragment.position(), fragment.length()))
        fragments += 1
    cursor, form = QTextCursor(block), QTextCharFormat()
    form.setFont(look.mono(PLAIN))
    for start, length in spans:
        cursor.setPosition(start)
        cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(form)
