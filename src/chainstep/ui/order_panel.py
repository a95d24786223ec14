"""The order in which `_backward` runs as a table: what ran, what comes, and why it may."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from chainstep.readiness import Progress
from chainstep.ui.order_strip import EARLY
from chainstep.ui.rows import Rows
from chainstep.ui.section import Page
from chainstep.ui.tables import TYPE, Column, Table, inset

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QFont

    from chainstep.readiness import Readiness, Turn
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

NUMBER = Column("no.", "Place in the order", "8888")
NODE = Column("node", "Whose _backward runs", "layers[0]…", in_words=True)
STATE = Column("state", "What ran, what runs, what comes", "ran early", in_words=True)
WHY = Column("why", "Why it is ready, or what it waits for")
COLUMNS = (NUMBER, NODE, STATE, WHY)
STATES = {
    Progress.RAN: "ran ✓",
    Progress.RUNNING: "runs ▸",
    Progress.NEXT: "next",
    Progress.TO_COME: "",
}
NOTHING = "The order is shown once a backward pass is recorded."


class Order(Rows[int]):
    """The turns of the upper pane, by number.

    Args:
        session: Whose order it is.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look, COLUMNS)
        self._session = session
        self._readiness: Readiness | None = None
        self._cursor = 0
        self.reset()

    def reset(self) -> None:
        """Another pass, or another mode of it."""
        self.beginResetModel()
        pane = self._session.primary
        self._readiness = self._session.readiness(pane.mode) if pane is not None else None
        self.rows = range(len(self._readiness or ()))
        self._cursor = self._row()
        self.endResetModel()

    def follow(self) -> None:
        """Take another position: what ran and what is ready is another."""
        before, self._cursor = self._cursor, self._row()
        if not self.rows:
            return
        # Whether a node is ready may change anywhere below the cursor; only what is in sight asks.
        first = self.index(min(before, self._cursor, self.rows[-1]), 0)
        self.dataChanged.emit(first, self.index(self.rows[-1], len(COLUMNS) - 1))

    def _row(self) -> int:
        if self._readiness is None:
            return 0
        return self._readiness.cursor(self._position)

    @property
    def _position(self) -> int:
        pane = self._session.primary
        return pane.stepper.position if pane is not None else 0

    @property
    def cursor(self) -> int | None:
        """The row of the turn that runs or comes next; at the end the last one."""
        return min(self._cursor, self.rows[-1]) if self.rows else None

    def turn(self, row: int) -> Turn:
        """One row, seen from the session's position."""
        assert self._readiness is not None
        return self._readiness.turn(row, self._position)

    def why(self, row: int) -> str:
        """The sentence of one row, with what it is about."""
        turn = self.turn(row)
        return f"{turn.number + 1}: {self._name(turn)}. {turn.why}"

    def _name(self, turn: Turn) -> str:
        recording = self._session.recording
        return recording.nodes[turn.node].name if recording is not None else ""

    def text(self, row: int, column: Column) -> str:
        """What a cell says."""
        turn = self.turn(row)
        if column is NUMBER:
            return str(turn.number + 1)
        if column is NODE:
            return self._name(turn)
        if column is WHY:
            return turn.why
        if turn.early:
            return f"{STATES[turn.progress].split(' ')[0]} {EARLY}".strip()
        return STATES[turn.progress]

    def tip(self, row: int, column: Column) -> str:  # noqa: ARG002  it is one for all columns
        """The sentence of the row."""
        return f"{self.why(row)}\nA click goes there."

    def font(self, row: int, column: Column) -> QFont:  # noqa: ARG002  the same in every row
        """Names in bold."""
        return self._bold if column is NODE else self._plain

    def ground(self, row: int) -> str | None:
        """The turn that runs stands out."""
        running = self.turn(row).progress is Progress.RUNNING
        return self._look.palette.now_tint if running else None

    def ink(self, row: int, column: Column) -> str | None:
        """What ran too early in red; numbers, and what is to come, are faint."""
        p, turn = self._look.palette, self.turn(row)
        if turn.early and column in (STATE, WHY):
            return p.failed
        faint = column is NUMBER or turn.progress is Progress.TO_COME
        return p.muted if faint and column is not NODE else None


class OrderPanel(Page):
    """The table, and below it the sentence of its current row.

    Args:
        session: Whose order it is.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self.order = Order(session, look)
        self.table = Table("Order in which _backward runs")
        self.table.setModel(self.order)
        self.setFocusProxy(self.table)
        self.why = QLabel()
        self.why.setWordWrap(True)
        self.why.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.why.setContentsMargins(14, 4, 10, 6)
        self.why.setAccessibleName("Why this one")
        self.lay_out((inset(self.table), 0), (self.why, 0))
        self.table.clicked.connect(self._seek)
        self.table.activated.connect(self._seek)
        self.table.selectionModel().currentRowChanged.connect(self._say)
        session.recording_changed.connect(self._reset)
        session.view_changed.connect(self._reset)
        session.horizon_changed.connect(self._reset)
        session.position_changed.connect(self._follow)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.order.set_look(look)
        p = look.palette
        self.table.setStyleSheet(f"QTableView {{ selection-background-color: {p.now_tint}; }}")
        self.why.setStyleSheet(f"color: {p.text}; font-size: {look.px(TYPE)}px;")
        self._reset()

    def _reset(self) -> None:
        self.order.reset()
        rows = self.order.rows
        names = [self.order.text(row, NODE) for row in rows[:200]]
        numbers = [str(max(len(rows), 1))]
        self.table.set_columns(COLUMNS, self._look, {NODE: [*names, "node"], NUMBER: numbers})
        self._take_row()

    def _follow(self) -> None:
        self.order.follow()
        self._take_row()

    def _take_row(self) -> None:
        """The current row is the turn that runs or comes next."""
        row = self.order.cursor
        moved = row != self.table.currentIndex().row()
        self.table.choose(row)
        if row is not None and moved:
            self.table.scrollTo(self.order.index(row, 0))
        self._say()

    def _say(self) -> None:
        row = self.table.selectionModel().currentIndex().row()
        self.why.setText(self.order.why(row) if row in self.order.rows else NOTHING)

    def _seek(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.seek_backward(self.order.turn(index.row()).position)
