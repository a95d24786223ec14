"""Which cells of a notebook run: a list to be ticked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.cells import Cell
    from chainstep.ui.theme import Look

SIZE = (560, 420)
LONGEST = 70
"""Letters of a cell's first line that are shown."""


def words(cell: Cell) -> str:
    """A cell in one line: its number, the heading above it, and how it begins."""
    lines = (line.strip().removeprefix("# ") for line in cell.text.split("\n"))
    first = next((line for line in lines if line), "(empty)")
    first = first if len(first) <= LONGEST else f"{first[: LONGEST - 1]}…"
    return f"{cell.number:>3}   {f'{cell.title}: ' if cell.title else ''}{first}"


class CellChooser(QDialog):
    """Asks which cells are to run.

    Args:
        cells: All of them.
        look: Colours and scale.
        parent: Above which it stands.
    """

    chosen = Signal(object)
    """The numbers of the cells that are to run, as a frozen set."""

    def __init__(self, cells: Sequence[Cell], look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Cells that run")
        self.list = QListWidget()
        self.list.setAccessibleName("Cells that run")
        self.list.setFont(look.mono(12))
        for cell in cells:
            item = QListWidgetItem(words(cell), self.list)
            item.setData(Qt.ItemDataRole.UserRole, cell.number)
            item.setCheckState(_state(cell.runs))
        self.list.setCurrentRow(0)
        hint = QLabel(
            "Space ticks and unticks. A cell that is off stays in the text as comments; the "
            "notebook itself is never changed."
        )
        hint.setWordWrap(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        for text, runs in (("&All", True), ("&None", False)):
            button = buttons.addButton(text, QDialogButtonBox.ButtonRole.ResetRole)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, runs=runs: self._tick(runs))
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.list)
        column.addWidget(hint)
        column.addWidget(buttons)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))

    def _items(self) -> list[QListWidgetItem]:
        return [self.list.item(row) for row in range(self.list.count())]

    def _tick(self, runs: bool) -> None:
        for item in self._items():
            item.setCheckState(_state(runs))

    def _accept(self) -> None:
        ticked = [item for item in self._items() if item.checkState() == Qt.CheckState.Checked]
        self.chosen.emit(frozenset(item.data(Qt.ItemDataRole.UserRole) for item in ticked))
        self.accept()


def _state(runs: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if runs else Qt.CheckState.Unchecked
