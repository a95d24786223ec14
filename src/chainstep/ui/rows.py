"""The model of a table: what is the same in all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, Qt
from PySide6.QtGui import QColor, QFont

from chainstep.ui.tables import ROOT, TYPE, Column, Index

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.theme import Look

Item = TypeVar("Item")


class Rows(QAbstractTableModel, Generic[Item]):
    """What a table shows: an item a row, below columns. What the cells say is the subclass's.

    Args:
        look: Colours and scale.
        columns: Those of the table, where they are always the same.

    Attributes:
        columns: Those of the table, in order.
        rows: The items, in the order in which they stand.
    """

    sorts = False
    """Whether a click on a heading sorts."""

    def __init__(self, look: Look, columns: tuple[Column, ...] = ()) -> None:
        super().__init__()
        self.columns = columns
        self.rows: Sequence[Item] = ()
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._plain, self._bold = look.mono(TYPE), look.mono(TYPE, bold=True)

    def refresh(self) -> None:
        """All cells anew."""
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _rearrange(self, rows: Sequence[Item]) -> None:
        """Put the same items in another order; what is chosen stays so."""
        self.layoutAboutToBeChanged.emit()
        before, self.rows = self.rows, rows
        places = {id(item): row for row, item in enumerate(rows)}
        for index in self.persistentIndexList():
            row = places[id(before[index.row()])]
            self.changePersistentIndex(index, self.index(row, index.column()))
        self.layoutChanged.emit()

    # -- cells --------------------------------------------------------------------------

    def text(self, item: Item, column: Column) -> str:
        """What a cell says."""
        raise NotImplementedError

    def tip(self, item: Item, column: Column) -> str:
        """What else is to be said of a cell, where the mouse rests on it."""
        raise NotImplementedError

    def heard(self, item: Item, column: Column) -> str:
        """What a cell says to those who do not see it."""
        return f"{column.title}: {self.text(item, column)}"

    def font(self, item: Item, column: Column) -> QFont:  # noqa: ARG002  a subclass asks
        """In which type a cell is set."""
        return self._plain

    def ground(self, item: Item) -> str | None:  # noqa: ARG002  the same
        """The colour behind a row; None for that of the table."""
        return None

    def ink(self, item: Item, column: Column) -> str | None:  # noqa: ARG002  the same
        """The colour of a cell's text; None for that of the table."""
        return None

    # -- Qt -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row per item."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Those there are now."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, colours, alignment."""
        item, column = self.rows[index.row()], self.columns[index.column()]
        result: object = None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                result = self.text(item, column)
            case Qt.ItemDataRole.ToolTipRole:
                result = self.tip(item, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                result = self.heard(item, column)
            case Qt.ItemDataRole.TextAlignmentRole:
                result = column.side
            case Qt.ItemDataRole.FontRole:
                result = self.font(item, column)
            case Qt.ItemDataRole.BackgroundRole:
                result = _color(self.ground(item))
            case Qt.ItemDataRole.ForegroundRole:
                result = _color(self.ink(item, column))
        return result

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The titles."""
        if side is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.title
            case Qt.ItemDataRole.ToolTipRole:
                return f"{column.help}. A click sorts." if self.sorts else column.help
            case Qt.ItemDataRole.TextAlignmentRole:
                return column.side
        return None


def number_key(number: float | None, *, downward: bool) -> tuple[bool, float]:
    """What a row is sorted by: nan and what holds no number last."""
    if number is None or number != number:  # noqa: PLR0124  nan is not itself
        return True, 0.0
    return False, -number if downward else number


def _color(name: str | None) -> QColor | None:
    return None if name is None else QColor(name)
