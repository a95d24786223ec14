"""The breakpoints: a list, and a line to write a new one in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
)

from chainstep.breakpoints import Breakpoint, NodeName
from chainstep.condition import ConditionError
from chainstep.errors import ChainstepError
from chainstep.ui.chronicle import called
from chainstep.ui.rows import Rows
from chainstep.ui.section import Page
from chainstep.ui.stops import icon
from chainstep.ui.tables import TYPE, Column, Table, fields, inset

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QFont

    from chainstep.ui.session import Session
    from chainstep.ui.tables import Index
    from chainstep.ui.theme import Look

ON = Column("", "Whether it stops: a click or Space switches it", "88")
WHERE = Column("stops at", "A node, an op, a condition")
HITS = Column("hits", "How often it has hit up to here, and in the whole pass", "8888 of 8888")
HINT = "F9 sets one at the selected node; F8 runs to the next hit."
EXAMPLES = "grad > 1 · isnan · second write · modes differ"


class List(Rows[Breakpoint]):
    """The breakpoints of a session, each with how often it hits.

    Args:
        session: Whose they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look, (ON, WHERE, HITS))
        self._session = session

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        super().set_look(look)
        self._icons = {on: icon(look.palette, look.px(14), enabled=on) for on in (True, False)}

    def take(self) -> None:
        """Another list."""
        self.beginResetModel()
        self.rows = self._session.breakpoints.items
        self.endResetModel()

    def text(self, item: Breakpoint, column: Column) -> str:
        """What a cell says."""
        if column is ON:
            return ""
        if column is WHERE:
            return f"{item}{' ◂ here' if self._is_here(item) else ''}"
        hits = self._session.breakpoints.hits
        if hits is None:
            return "…" if self._session.breakpoints.looking else ""
        past, every = hits.count(item, self._session.position)
        return f"{past} of {every}" if every else "never"

    def tip(self, item: Breakpoint, column: Column) -> str:  # noqa: ARG002  it is one for all columns
        """What the keys do."""
        return f"{item}. Space switches it, Enter goes to its next hit."

    def heard(self, item: Breakpoint, column: Column) -> str:
        """The diamond in words."""
        state = "on" if item.enabled else "off"
        if column is ON:
            return state
        return (
            f"{self.text(item, column)}, {state}"
            if column is WHERE
            else super().heard(item, column)
        )

    def _is_here(self, item: Breakpoint) -> bool:
        return item in self._session.breakpoints.here

    def font(self, item: Breakpoint, column: Column) -> QFont:
        """In bold where the session stands at a hit."""
        return self._bold if column is WHERE and self._is_here(item) else self._plain

    def ground(self, item: Breakpoint) -> str | None:
        """It stands out where the session stands at a hit."""
        return self._look.palette.now_tint if self._is_here(item) else None

    def ink(self, item: Breakpoint, column: Column) -> str | None:
        """Hits, and what is switched off, are faint."""
        faint = column is HITS or not item.enabled
        return self._look.palette.muted if faint else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A filled or hollow diamond, and what every model gives."""
        if role == Qt.ItemDataRole.DecorationRole and self.columns[index.column()] is ON:
            return self._icons[self.rows[index.row()].enabled]
        return super().data(index, role)


class BreakpointsPanel(Page):
    """The list; above it what a new one is about, and what has to hold.

    Args:
        session: Whose breakpoints they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.list = List(session, look)
        self.table = Table("Breakpoints")
        self.table.setModel(self.list)
        self.about = QComboBox()
        self.about.setAccessibleName("What the new breakpoint is about")
        self.condition = QLineEdit()
        self.condition.setPlaceholderText("grad > 1")
        self.condition.setToolTip(f"A condition, such as {EXAMPLES}")
        self.condition.setAccessibleName("Condition of the new breakpoint")
        self.add = QPushButton("Add")
        self.add.setAccessibleName("Add the breakpoint")
        self.remove = QPushButton("Remove")
        self.remove.setToolTip("Take the chosen breakpoint away  (Delete)")
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self._top = QVBoxLayout()
        self._compose()
        self._connect()
        self.set_look(look)

    def _compose(self) -> None:
        self._top.setSpacing(2)
        first, second = QHBoxLayout(), QHBoxLayout()
        for line in (first, second):
            line.setSpacing(6)
        first.addWidget(self.about, 1)
        first.addWidget(self.remove)
        second.addWidget(self.condition, 1)
        second.addWidget(self.add)
        self._top.addLayout(first)
        self._top.addLayout(second)
        self._top.addWidget(self.said)
        self.lay_out((self._top, 0), (inset(self.table), 1))

    def _connect(self) -> None:
        session = self._session
        self.condition.returnPressed.connect(self._add)
        self.condition.textEdited.connect(lambda _: self._say(""))
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(lambda: self._remove(self.table.currentIndex().row()))
        self.table.removed.connect(self._remove)
        self.table.toggled.connect(self._toggle)
        self.table.clicked.connect(self._click)
        self.table.activated.connect(self._seek)
        session.breakpoints.changed.connect(self._take)
        session.recording_changed.connect(self._take)
        session.view_changed.connect(self.list.refresh)
        session.position_changed.connect(self.list.refresh)
        session.selection_changed.connect(self._fill)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._top.setContentsMargins(look.px(14), 0, look.px(10), 0)
        self.setStyleSheet(fields(look))
        self.condition.setFont(look.mono(TYPE))
        self.list.set_look(look)
        self._take()

    def take_focus(self) -> None:
        """Give the keyboard to the line in which a condition is written."""
        self.condition.setFocus()
        self.condition.selectAll()

    def _take(self) -> None:
        row = self.table.currentIndex().row()
        self.list.take()
        self.table.set_columns(self.list.columns, self._look)
        self.table.choose_near(row)
        self.remove.setEnabled(bool(self.list.rows))
        self._fill()
        self._say("")

    def _fill(self) -> None:
        """What a new one can be about: everything, the selected node, each op of the graph."""
        session, graph = self._session, self._session.graph
        chosen = self.about.currentText()
        self.about.clear()
        self.about.addItem("every node", (None, ""))
        if graph is not None and session.selected is not None:
            node = graph.node(session.selected)
            self.about.addItem(f"node {called(node)}", (NodeName.of(node), ""))
        for op in sorted({node.op for node in graph.nodes if node.op} if graph else ()):
            self.about.addItem(f"every {op}", (None, op))
        self.about.setCurrentIndex(max(0, self.about.findText(chosen)))

    def _say(self, text: str) -> None:
        p = self._look.palette
        hint = "" if self.list.rows else HINT
        self.said.setText(text or hint)
        self.said.setVisible(bool(text or hint))
        color = p.failed if text else p.muted
        self.said.setStyleSheet(f"color: {color}; font-size: {self._look.px(12)}px;")

    # -- what is done -------------------------------------------------------------------

    def _add(self) -> None:
        node, op = self.about.currentData()
        try:
            item = Breakpoint(node, op, self.condition.text().strip())
        except ConditionError as error:
            self._refuse(error)
            return
        except ChainstepError:
            self._say("Write a condition, such as grad > 1, or choose a node or an op.")
            return
        self.condition.clear()
        self._session.breakpoints.add(item)

    def _refuse(self, error: ConditionError) -> None:
        """Say what is not understood, and mark where it begins."""
        indent = len(self.condition.text()) - len(self.condition.text().lstrip())
        self.condition.setFocus()
        self.condition.setSelection(error.column - 1 + indent, 1)
        self._say(str(error))

    def _remove(self, row: int) -> None:
        if 0 <= row < len(self.list.rows):
            self._session.breakpoints.remove(row)

    def _toggle(self, row: int) -> None:
        self._session.breakpoints.enable(row, not self.list.rows[row].enabled)

    def _click(self, index: QModelIndex) -> None:
        if self.list.columns[index.column()] is ON:
            self._toggle(index.row())

    def _seek(self, index: QModelIndex) -> None:
        """To the next hit of that one; from the last on to the first."""
        hits = self._session.breakpoints.hits
        if hits is None or not index.isValid():
            return
        every = hits.of(self.list.rows[index.row()])
        here = self._session.position
        ahead = next((position for position in every if position > here), None)
        if len(every):
            self._session.seek(every[0] if ahead is None else ahead)
