"""The nodes that are watched: data, and the gradients of each mode beside one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout

from chainstep.figures import full, short
from chainstep.trace import Mode
from chainstep.ui.section import Page
from chainstep.ui.tables import NOT_YET, ROOT, TYPE, WIDEST, Column, Index, Table, fields, inset

if TYPE_CHECKING:
    from chainstep.breakpoints import NodeName
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

NAME = Column("name", "Name in the program")
DATA = Column("data", "Forward value", WIDEST)
GRADIENTS = {
    Mode.ACCUMULATE: Column("grad +=", "Gradient where every path counts", WIDEST),
    Mode.OVERWRITE: Column("grad =", "Gradient where the last path wins", WIDEST),
    Mode.AS_WRITTEN: Column("as written", "Gradient by the program's own backward()", WIDEST),
}
HINT = "Shift+F9 watches the selected node."


class Watches(QAbstractTableModel):
    """The watched nodes at a session's position.

    Args:
        session: Whose nodes they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self.rows: list[tuple[NodeName, int | None]] = []
        self.columns: tuple[Column, ...] = ()
        self._modes: tuple[Mode | None, ...] = ()
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._plain, self._bold = look.mono(TYPE), look.mono(TYPE, bold=True)

    def take(self) -> None:
        """Other watches, or another recording."""
        self.beginResetModel()
        has = [mode for mode in GRADIENTS if self._session.stepper(mode) is not None]
        # Both forced modes are what is compared; as written stands in where they are missing.
        modes = [mode for mode in has if mode is not Mode.AS_WRITTEN] or has
        self._modes = (None, None, *modes)
        self.columns = (NAME, DATA, *(GRADIENTS[mode] for mode in modes))
        self.rows = self._session.breakpoints.watched()
        self.endResetModel()

    def refresh(self) -> None:
        """Another position."""
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def number(self, row: int, section: int) -> float | None:
        """The number of a cell; None where it has none, or none yet."""
        node_id, mode = self.rows[row][1], self._modes[section]
        recording = self._session.recording
        if node_id is None or recording is None:
            return None
        if mode is None:
            return recording.nodes[node_id].data
        stepper = self._session.stepper(mode)
        if stepper is None:
            return None
        gradient = stepper.gradients[node_id]
        return None if gradient == 0 and stepper.state(node_id).untouched else gradient

    def text(self, row: int, section: int) -> str:
        """What a cell says."""
        name, node_id = self.rows[row]
        if self.columns[section] is NAME:
            if node_id is None:
                return f"{name.name} (not in this pass)"
            return f"{name.name}{' ≠' if node_id in self._session.differing else ''}"
        number = self.number(row, section)
        if number is None:
            return "" if node_id is None else NOT_YET
        return short(number)

    # -- Qt -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row per watch."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Name, data, gradients."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, colours, alignment."""
        row, section = index.row(), index.column()
        column = self.columns[section]
        text = self.text(row, section)
        result: object = None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                result = text
            case Qt.ItemDataRole.ToolTipRole:
                number = self.number(row, section) if column is not NAME else None
                result = text if number is None else full(number)
            case Qt.ItemDataRole.AccessibleTextRole:
                result = f"{column.title} of {self.rows[row][0].name}: {text}"
            case Qt.ItemDataRole.TextAlignmentRole:
                result = column.side
            case Qt.ItemDataRole.FontRole:
                result = self._bold if column is NAME else self._plain
            case Qt.ItemDataRole.BackgroundRole:
                result = self._ground(self.rows[row][1])
            case Qt.ItemDataRole.ForegroundRole:
                faint = text == NOT_YET or self.rows[row][1] is None
                result = QColor(self._look.palette.muted) if faint else None
        return result

    def _ground(self, node_id: int | None) -> QColor | None:
        pane = self._session.primary
        step = pane.stepper.current if pane else None
        if step is None or node_id is None:
            return None
        if step.node == node_id:
            return QColor(self._look.palette.now_tint)
        return QColor(self._look.palette.target_tint) if step.target == node_id else None

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The titles."""
        if side is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        return self.columns[section].header(role)


class WatchPanel(Page):
    """The table, and a line to type a name in. Delete takes a watch away.

    Args:
        session: Whose watches they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.watches = Watches(session, look)
        self.table = Table("Watches")
        self.table.setModel(self.watches)
        self.table.removed.connect(self._remove)
        self.name = QLineEdit()
        self.name.setPlaceholderText("Watch a node: type its name")
        self.name.setAccessibleName("Name of a node to watch")
        self.name.returnPressed.connect(self._add)
        self.name.textEdited.connect(lambda _: self._say(""))
        self.remove = QPushButton("Remove")
        self.remove.setToolTip("Take the chosen watch off the list  (Delete)")
        self.remove.clicked.connect(lambda: self._remove(self.table.currentIndex().row()))
        self.said = QLabel()
        self.said.setObjectName("muted")
        self.said.setWordWrap(True)
        self._top = QVBoxLayout()
        self._top.setSpacing(2)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.name, 1)
        line.addWidget(self.remove)
        self._top.addLayout(line)
        self._top.addWidget(self.said)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        column.addLayout(self._top)
        column.addLayout(inset(self.table), 1)
        session.recording_changed.connect(self._take)
        session.view_changed.connect(self.watches.refresh)
        session.position_changed.connect(self.watches.refresh)
        session.breakpoints.changed.connect(self._take)
        self.table.clicked.connect(self._select)
        self.table.activated.connect(self._select)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._top.setContentsMargins(look.px(14), 0, look.px(10), 0)
        self.said.setStyleSheet(f"color: {look.palette.muted}; font-size: {look.px(12)}px;")
        self.setStyleSheet(fields(look))
        self.watches.set_look(look)
        self._take()

    def take_focus(self) -> None:
        """Give the keyboard to the table, or where it is empty to the line above."""
        (self.table if self.watches.rows else self.name).setFocus()

    def _take(self) -> None:
        row = self.table.currentIndex().row()
        self.watches.take()
        self.table.set_columns(self.watches.columns, self._look)
        count = self.watches.rowCount()
        if count and row >= 0:
            self.table.selectRow(min(row, count - 1))
        self.remove.setEnabled(count > 0)
        self._say("")

    def _say(self, text: str) -> None:
        hint = "" if self.watches.rows else HINT
        self.said.setText(text or hint)
        self.said.setVisible(bool(text or hint))

    def _add(self) -> None:
        session, name = self._session, self.name.text().strip()
        story = session.story
        found = story.find(name) if story is not None and name else None
        if story is None:
            self._say(f"Nothing is recorded yet: press {session.keys['run']} to run the program.")
        elif found is None:
            self._say(f"There is no node named {name} in this pass." if name else HINT)
        else:
            if not session.breakpoints.is_watched(found):
                session.breakpoints.toggle_watch(found)
            self.name.clear()

    def _remove(self, row: int) -> None:
        watches = self._session.breakpoints.watches
        if 0 <= row < len(watches):
            self._session.breakpoints.set(
                watches=[name for number, name in enumerate(watches) if number != row]
            )

    def _select(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.select(self.watches.rows[index.row()][1])
