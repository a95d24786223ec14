"""Choosing keys: a table of all commands, a field that takes a key, and what stands in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui.command import pretty
from chainstep.ui.keymap import Clash, Keymap, Keys, normal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.ui.command import Command
    from chainstep.ui.theme import Look

COMMAND, ANYWHERE, ON_GRAPH = range(3)
TITLES = ("Command", "Anywhere", "On the graph and timeline")
CHOOSE = "Choose a cell, then press the key in the field below."


class ShortcutEditor(QWidget):
    """Changes a keymap, key by key.

    Args:
        commands: The commands by id, with the keys they have by default.
        keymap: What is changed.
        look: Colours and scale.
    """

    changed = Signal()
    """A command has other keys."""

    def __init__(self, commands: Mapping[str, Command], keymap: Keymap, look: Look) -> None:
        super().__init__()
        self._commands = commands
        self._ids = list(commands)
        self._keymap = keymap
        self._look = look
        self._clash: Clash | None = None
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search commands and keys")
        self.search.setAccessibleName("Search commands and keys")
        self.search.setClearButtonEnabled(True)
        self.table = self._make_table()
        self.field = QKeySequenceEdit()
        self.field.setMaximumSequenceLength(1)
        self.field.setClearButtonEnabled(True)
        self.field.setAccessibleName("New key")
        self.said = QLabel(CHOOSE)
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said.setFixedHeight(2 * QFontMetrics(look.font()).lineSpacing() + 4)
        self.assign = QPushButton("Set")
        self.add = QPushButton("Add")
        self.remove = QPushButton("Remove")
        self.default = QPushButton("Default")
        self.reset = QPushButton("All defaults")
        self._arrange()
        self.search.textChanged.connect(self._filter)
        self.table.currentCellChanged.connect(self._choose)
        self.field.keySequenceChanged.connect(self._weigh)
        self.assign.clicked.connect(lambda: self._take(keeps=False))
        self.add.clicked.connect(lambda: self._take(keeps=True))
        self.remove.clicked.connect(self._remove)
        self.default.clicked.connect(self._restore)
        self.reset.clicked.connect(self._restore_all)
        self._fill()
        self._weigh()

    def _make_table(self) -> QTableWidget:
        table = QTableWidget(len(self._ids), len(TITLES))
        table.setAccessibleName("Keys of commands")
        table.setHorizontalHeaderLabels(TITLES)
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setTabKeyNavigation(False)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(COMMAND, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(ANYWHERE, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(ON_GRAPH, QHeaderView.ResizeMode.ResizeToContents)
        return table

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.assign, self.add, self.remove, self.default):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.reset.setAutoDefault(False)
        buttons.addWidget(self.reset)
        below = QGridLayout()
        label = QLabel("New &key")
        label.setBuddy(self.field)
        below.addWidget(label, 0, 0)
        below.addWidget(self.field, 0, 1)
        below.addLayout(buttons, 0, 2)
        below.addWidget(self.said, 1, 0, 1, 3)
        below.setColumnStretch(2, 1)
        column = QVBoxLayout(self)
        column.addWidget(self.search)
        column.addWidget(self.table, 1)
        column.addLayout(below)

    # -- the table ----------------------------------------------------------------------

    def _fill(self) -> None:
        for row, command_id in enumerate(self._ids):
            command = self._commands[command_id]
            keys, default = self._keymap.keys(command_id), self._keymap.default(command_id)
            name = f"{command.menu.replace('/', ', ')}: {command.name}"
            self._set(row, COMMAND, name, False)
            self._set(row, ANYWHERE, _words(keys.window), keys.window != default.window)
            self._set(row, ON_GRAPH, _words(keys.graph), keys.graph != default.graph)

    def _set(self, row: int, column: int, text: str, is_chosen: bool) -> None:
        item = self.table.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            self.table.setItem(row, column, item)
        item.setText(text)
        item.setFont(self._look.font(bold=is_chosen))
        item.setToolTip("Not the default" if is_chosen else self._commands[self._ids[row]].told)

    def _filter(self, typed: str) -> None:
        words = typed.casefold().split()
        for row in range(self.table.rowCount()):
            cells = [self.table.item(row, column) for column in range(len(TITLES))]
            text = " ".join(cell.text() for cell in cells if cell is not None).casefold()
            self.table.setRowHidden(row, not all(word in text for word in words))

    # -- one command --------------------------------------------------------------------

    @property
    def _cell(self) -> tuple[str, bool] | None:
        """The command that is chosen, and whether its keys on the graph are meant."""
        row = self.table.currentRow()
        if row < 0:
            return None
        command_id = self._ids[row]
        column = self.table.currentColumn()
        if column == COMMAND:
            return command_id, not self._commands[command_id].keys
        return command_id, column == ON_GRAPH

    def _choose(self) -> None:
        self.field.clear()
        self._weigh()

    def _key(self) -> str:
        return normal(self.field.keySequence().toString())

    def _weigh(self) -> None:
        """Say whether the key can be had, and by which button."""
        cell, key = self._cell, self._key()
        self._clash = self._keymap.clash(cell[0], key, cell[1]) if cell and key else None
        free = self._clash is None or bool(self._clash.holder)
        for button in (self.assign, self.add):
            button.setEnabled(cell is not None and bool(key) and free)
        has = bool(cell and self._keymap.keys(cell[0]).on(cell[1]))
        self.remove.setEnabled(has)
        self.default.setEnabled(bool(cell and cell[0] in self._keymap.chosen))
        self.reset.setEnabled(bool(self._keymap.chosen))
        self._say(cell, key)

    def _say(self, cell: tuple[str, bool] | None, key: str) -> None:
        warns = self._clash is not None
        if cell is None:
            text = CHOOSE
        elif self._clash is not None:
            text = self._clash.reason
            if self._clash.holder and self._clash.holder != cell[0]:
                text += " Set or Add takes it from there."
        else:
            name = self._commands[cell[0]].name
            where = "where the graph has the focus" if cell[1] else "anywhere"
            said = f"{pretty(key)} is free for {name}" if key else f"A key for {name}"
            text = f"{said}, {where}."
        p = self._look.palette
        self.said.setText(text)
        self.said.setAccessibleName(text)
        color = QColor(p.failed if warns else p.muted).name()
        self.said.setStyleSheet(f"color: {color};")

    def _take(self, *, keeps: bool) -> None:
        cell, key = self._cell, self._key()
        if cell is None or not key:
            return
        command_id, graph = cell
        if self._clash is not None:
            if not self._clash.holder:
                return
            self._keymap.take_away(key, self._clash.holder)
        keys = self._keymap.keys(command_id)
        others = keys.on(graph) if keeps else ()
        self._keymap.set_keys(command_id, keys.with_keys(graph, (*others, key)))
        self._done()

    def _remove(self) -> None:
        cell = self._cell
        if cell is not None:
            keys = self._keymap.keys(cell[0]).with_keys(cell[1], ())
            self._keymap.set_keys(cell[0], keys)
            self._done()

    def _restore(self) -> None:
        """Give one command its default keys; who has them by now loses them."""
        cell = self._cell
        if cell is None:
            return
        default = self._keymap.default(cell[0])
        self._keymap.set_keys(cell[0], Keys())
        for graph in (False, True):
            for key in default.on(graph):
                clash = self._keymap.clash(cell[0], key, graph)
                if clash is not None and clash.holder:
                    self._keymap.take_away(key, clash.holder)
        self._keymap.set_keys(cell[0], default)
        self._done()

    def _restore_all(self) -> None:
        self._keymap.reset()
        self._done()

    def _done(self) -> None:
        self.field.clear()
        self._fill()
        self._weigh()
        self.changed.emit()


def _words(keys: tuple[str, ...]) -> str:
    return ", ".join(pretty(key) for key in keys) or "–"
