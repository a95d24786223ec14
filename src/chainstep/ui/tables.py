"""What the tables of the right column have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.theme import Look

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
NOT_YET = "–"
TYPE = 12
"""Size of the type at 100%."""
ROW = 24
"""Height of a row at 100%."""
WIDEST = "-0.0001"
"""A number as wide as most."""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        title: What stands above it.
        help: What it holds, in a sentence.
        sample: A text as wide as it has to be; none for the column that takes what is left.
    """

    title: str
    help: str
    sample: str = ""

    @property
    def side(self) -> Qt.AlignmentFlag:
        """Numbers stand flush right."""
        flag = Qt.AlignmentFlag
        return (flag.AlignRight if self.sample else flag.AlignLeft) | flag.AlignVCenter

    def header(self, role: int) -> object:
        """What a model answers for its heading."""
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.title
            case Qt.ItemDataRole.ToolTipRole:
                return self.help
            case Qt.ItemDataRole.TextAlignmentRole:
                return self.side
        return None


class Table(QTableView):
    """A table of whole rows, without a grid, that is never edited.

    Args:
        name: What those hear who do not see it.
    """

    removed = Signal(int)
    """Delete was pressed on a row."""
    toggled = Signal(int)
    """Space was pressed on a row."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setMinimumSectionSize(16)
        self.setMinimumHeight(40)

    def set_columns(self, columns: Sequence[Column], look: Look) -> None:
        """Give each column its width: that of its sample; to the others what is left."""
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        header = self.horizontalHeader()
        small, mono = QFontMetrics(look.font(SMALL)), QFontMetrics(look.mono(TYPE))
        for section, column in enumerate(columns):
            if not column.sample:
                header.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)
                continue
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Fixed)
            wide = max(mono.horizontalAdvance(column.sample), small.horizontalAdvance(column.title))
            header.resizeSection(section, wide + look.px(12))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete and Space are said; Enter is not handed on to the window."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and row >= 0:
            self.removed.emit(row)
        elif event.key() == Qt.Key.Key_Space and row >= 0:
            self.toggled.emit(row)
        else:
            super().keyPressEvent(event)
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                event.accept()
