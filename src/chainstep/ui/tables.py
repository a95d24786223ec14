"""What the tables of the right column have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView

from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chainstep.trace import Mode
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
        mode: The mode whose gradients it shows; None where it shows others, or something else.
        in_words: Whether it holds words although it has a sample.
    """

    title: str
    help: str
    sample: str = ""
    mode: Mode | None = None
    in_words: bool = False

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, to be set flush right."""
        return bool(self.sample) and not self.in_words

    @property
    def side(self) -> Qt.AlignmentFlag:
        """To which side its cells are set."""
        flag = Qt.AlignmentFlag
        return (flag.AlignRight if self.is_number else flag.AlignLeft) | flag.AlignVCenter


def fields(look: Look) -> str:
    """The style of the fields and buttons above a table."""
    p, px = look.palette, look.px
    return (
        f"QLineEdit, QComboBox, QPushButton {{ color: {p.text}; background: {p.card};"
        f" border: 1px solid {p.border}; border-radius: {px(5)}px; font-size: {px(12)}px;"
        f" padding: {px(3)}px {px(7)}px; min-height: {px(16)}px; }}"
        f"QComboBox::drop-down {{ border: none; width: {px(18)}px; }}"
        f"QComboBox::down-arrow {{ image: none; width: 0; height: 0; margin-right: {px(6)}px;"
        f" border-left: {px(4)}px solid {p.card}; border-right: {px(4)}px solid {p.card};"
        f" border-top: {px(5)}px solid {p.muted}; }}"
        f"QPushButton {{ font-weight: 600; }}"
        f"QPushButton:hover, QComboBox:hover {{ background: {p.quiet}; border-color: {p.muted}; }}"
        f"QLineEdit:focus, QComboBox:focus, QPushButton:focus {{ border: 2px solid {p.focus};"
        f" padding: {px(3) - 1}px {px(7) - 1}px; }}"
        f"QPushButton:disabled {{ color: {p.muted}; background: {p.window}; }}"
        f"QComboBox QAbstractItemView {{ background: {p.card}; color: {p.text};"
        f" selection-background-color: {p.target_tint}; selection-color: {p.text}; }}"
    )


def link(look: Look, color: str) -> str:
    """The style of a flat button that leads somewhere."""
    return (
        f"QPushButton {{ color: {color}; border: 2px solid transparent; background: transparent;"
        f"font-size: {look.px(12)}px; font-weight: 600; padding: 0 {look.px(6)}px; }}"
        f"QPushButton:disabled {{ color: {look.palette.muted}; font-weight: 400; }}"
        f"QPushButton:focus {{ border: 2px solid {look.palette.focus}; }}"
    )


def inset(table: QTableView) -> QHBoxLayout:
    """A table so that its first letters stand below those of the heading."""
    row = QHBoxLayout()
    row.setContentsMargins(11, 0, 7, 0)
    row.addWidget(table)
    return row


class Table(QTableView):
    """A table of whole rows, without a grid, that is never edited.

    Args:
        name: What those hear who do not see it.
    """

    removed = Signal(int)
    """Delete was pressed on a row."""
    toggled = Signal(int)
    """Space was pressed on a row."""
    resized = Signal()
    """It has more or less room."""

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

    def allow_sorting(self) -> None:
        """Let a click on a heading sort; a third one gives the order that the model begins with."""
        header = self.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setSortingEnabled(True)

    def choose(self, row: int | None) -> None:
        """Make a row the current one; None takes the choice away."""
        selection = self.selectionModel()
        if row is None:
            selection.clear()
        elif selection.currentIndex().row() != row:
            flag = QItemSelectionModel.SelectionFlag
            selection.setCurrentIndex(self.model().index(row, 0), flag.ClearAndSelect | flag.Rows)

    def choose_near(self, row: int) -> None:
        """Make a row the current one, or the last where there are fewer; none from below 0."""
        many = self.model().rowCount()
        if many and row >= 0:
            self.selectRow(min(row, many - 1))

    def set_columns(
        self,
        columns: Sequence[Column],
        look: Look,
        texts: Mapping[Column, Iterable[str]] | None = None,
    ) -> None:
        """Give each column its width: that of its texts or its sample; to others what is left.

        Args:
            columns: Those of the model, in order.
            look: Sizes of type.
            texts: What the cells of some columns say, where that is known.
        """
        self.verticalHeader().setDefaultSectionSize(look.px(ROW))
        header = self.horizontalHeader()
        small, mono = QFontMetrics(look.font(SMALL)), QFontMetrics(look.mono(TYPE))
        for section, column in enumerate(columns):
            if not column.sample:
                header.setSectionResizeMode(section, QHeaderView.ResizeMode.Stretch)
                continue
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.Fixed)
            said = (texts or {}).get(column, (column.sample,))
            wide = max((mono.horizontalAdvance(text) for text in said), default=0)
            header.resizeSection(
                section, max(wide, small.horizontalAdvance(column.title)) + look.px(12)
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say so."""
        super().resizeEvent(event)
        self.resized.emit()

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
