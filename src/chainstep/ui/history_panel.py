"""All steps as a table: found by node and kind, and a click or Enter goes there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QLineEdit

from chainstep.figures import full, short
from chainstep.trace import Kind, Mode
from chainstep.ui.chronicle import Chronicle, Sorts, matching
from chainstep.ui.rows import Rows
from chainstep.ui.section import Page
from chainstep.ui.tables import NOT_YET, WIDEST, Column, Table, fields, inset

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QFont

    from chainstep.trace import Step, Trace
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

STEP = Column("step", "Number of the step; V: a Value is made, S: sort", "S8888")
WHAT = Column("what", "What happens")
ADDS = Column("adds", "What a write hands over", WIDEST)
MOST_MEASURED = 200
"""Rows that the widths of the columns are taken from."""
GRADIENTS = {
    Mode.ACCUMULATE: Column("grad +=", "Gradient after the step where every path counts", WIDEST),
    Mode.OVERWRITE: Column("grad =", "Gradient after the step where the last path wins", WIDEST),
    Mode.COMPARED: Column("other", "Gradient in what it is compared with", WIDEST),
    Mode.AS_WRITTEN: Column("grad", "Gradient after the step by the program itself", WIDEST),
}


class History(Rows[int]):
    """The steps of a session's story, by number in its chronicle.

    What is not shown yet keeps its numbers to itself.

    Args:
        session: Whose story it is.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look)
        self._session = session
        self._kind = Sorts.ALL
        self._wanted = ""
        self._current: int | None = None
        self._position = 0
        self.chronicle: Chronicle | None = None
        self._traces: tuple[Trace, ...] = ()
        self.reset()

    def filter(self, kind: Sorts, wanted: str) -> None:
        """Show only these moments."""
        if (kind, wanted) != (self._kind, self._wanted):
            self._kind, self._wanted = kind, wanted
            self.reset()

    def reset(self) -> None:
        """Another story, or another choice from it."""
        self.beginResetModel()
        session, recording = self._session, self._session.recording
        story = session.story
        self._traces = tuple(pane.trace for pane in session.panes)
        grads = [GRADIENTS[pane.mode] for pane in session.panes] or [GRADIENTS[Mode.ACCUMULATE]]
        self.columns = (STEP, WHAT, ADDS, *grads)
        self.chronicle = None
        if story is not None and recording is not None:
            self.chronicle = Chronicle(story, self._kind, matching(recording, self._wanted))
        self.rows = range(len(self.chronicle or ()))
        self._position = session.position
        self._current = self.current_row()
        self.endResetModel()

    def current_row(self) -> int | None:
        """The row of the session's position, or of the last one shown before it."""
        return self.chronicle.row_of(self._session.position) if self.chronicle else None

    def follow(self) -> None:
        """Take another position: the rows between the two show or hide their numbers."""
        before, self._current = self._current, self.current_row()
        self._position = self._session.position
        rows = [row for row in (before, self._current) if row is not None]
        if rows and self.rows:
            first = 0 if None in (before, self._current) else min(rows)
            last = self.index(max(rows), len(self.columns) - 1)
            self.dataChanged.emit(self.index(first, 0), last)

    def samples(self) -> dict[Column, list[str]]:
        """What the cells of numbers say in the first rows, when they are shown."""
        few = self.rows[:MOST_MEASURED]
        return {
            column: [short(n) for row in few if (n := self.number(row, column)) is not None]
            for column in self.columns[2:]
        }

    # -- texts --------------------------------------------------------------------------

    def is_ahead(self, row: int) -> bool:
        """Whether a row is still to come."""
        assert self.chronicle is not None
        return self.chronicle.positions[row] > self._position

    def text(self, row: int, column: Column) -> str:
        """What a cell says."""
        assert self.chronicle is not None
        if column is STEP:
            return self.chronicle.number(row)
        if column is WHAT:
            return self.chronicle.what(row)
        number = self.number(row, column)
        if number is None:
            return ""
        return NOT_YET if self.is_ahead(row) else short(number)

    def number(self, row: int, column: Column) -> float | None:
        """The number of a cell; None where it has none."""
        assert self.chronicle is not None
        step = self.chronicle.step(row)
        if step is None:
            return None
        if step.moves:
            assert step.after is not None
            assert step.before is not None
            return step.after - step.before if column is ADDS else None
        if column is ADDS:
            return step.contribution if step.kind is Kind.WRITE else None
        other = self._beside(row, step, column)
        return None if other is None else other.after

    def _beside(self, row: int, step: Step, column: Column) -> Step | None:
        """The step of a row in the mode of a column."""
        assert self.chronicle is not None
        number = self.columns.index(column) - self.columns.index(ADDS) - 1
        if number >= len(self._traces) or self._traces[number] is self.chronicle.story.trace:
            return step
        steps = self._traces[number].steps
        at = self.chronicle.story.backward_position(self.chronicle.positions[row]) - 1
        same = at < len(steps) and (steps[at].kind, steps[at].target) == (step.kind, step.target)
        return steps[at] if same else None

    def tip(self, row: int, column: Column) -> str:
        """Every digit, or what happens."""
        number = self.number(row, column) if column not in (STEP, WHAT) else None
        if number is not None and not self.is_ahead(row):
            return full(number)
        return f"{self.text(row, WHAT)}. A click goes there."

    def font(self, row: int, column: Column) -> QFont:
        """What happens now in bold."""
        return self._bold if self._is_now(row) and column is WHAT else self._plain

    def ground(self, row: int) -> str | None:
        """The row of the moment stands out."""
        return self._look.palette.now_tint if self._is_now(row) else None

    def ink(self, row: int, column: Column) -> str | None:
        """Numbers of steps, and what is to come, are faint."""
        faint = column is STEP or self.is_ahead(row)
        return self._look.palette.muted if faint else None

    def _is_now(self, row: int) -> bool:
        """Whether a row is the moment on show."""
        assert self.chronicle is not None
        return self.chronicle.positions[row] == self._position


class HistoryPanel(Page):
    """The table, and above it what to show of it.

    Args:
        session: Whose steps they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.history = History(session, look)
        self.table = Table("All steps")
        self.table.setModel(self.history)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setFocusProxy(self.table)
        self.node = QLineEdit()
        self.node.setPlaceholderText("Any node")
        self.node.setClearButtonEnabled(True)
        self.node.setAccessibleName("Steps of this node")
        self.node.setToolTip("Show only the steps of the nodes with this name")
        self.kind = QComboBox()
        self.kind.setAccessibleName("Steps of this kind")
        for kind in Sorts:
            self.kind.addItem(kind.value, kind)
        self.count = QLabel()
        self.count.setObjectName("muted")
        self._top = QHBoxLayout()
        self._top.setSpacing(6)
        self._top.addWidget(self.node, 2)
        self._top.addWidget(self.kind, 1)
        self._top.addWidget(self.count)
        self.lay_out((self._top, 0), (inset(self.table), 0))
        self.node.textChanged.connect(self._filter)
        self.kind.currentIndexChanged.connect(self._filter)
        self.table.clicked.connect(self._seek)
        self.table.activated.connect(self._seek)
        for signal in (session.recording_changed, session.view_changed, session.horizon_changed):
            signal.connect(lambda: self.in_time(self._reset, self._reset))
        session.position_changed.connect(lambda: self.in_time(self._follow, self._reset))
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._top.setContentsMargins(look.px(14), 0, look.px(10), 0)
        self.history.set_look(look)
        p = look.palette
        self.setStyleSheet(fields(look))
        self.table.setStyleSheet(f"QTableView {{ selection-background-color: {p.now_tint}; }}")
        self._reset()

    def _filter(self) -> None:
        self.history.filter(self.kind.currentData(), self.node.text())
        self._show()

    def _reset(self) -> None:
        self.history.reset()
        self._show()

    def _show(self) -> None:
        self.table.set_columns(self.history.columns, self._look, self.history.samples())
        rows, length = len(self.history.rows), self._session.length
        self.count.setText(f"{rows} of {length}" if rows != length else f"{length}")
        self.count.setAccessibleName(f"{rows} of {length} steps are shown")
        self._take_row()

    def _follow(self) -> None:
        self.history.follow()
        self._take_row()

    def _take_row(self) -> None:
        """The current row is where the session stands."""
        row = self.history.current_row()
        self.table.choose(row)
        if row is None:
            self.table.scrollToTop()
        else:
            self.table.scrollTo(self.history.index(row, 0))

    def _seek(self, index: QModelIndex) -> None:
        if self.history.chronicle is not None and index.isValid():
            self._session.seek(self.history.chronicle.positions[index.row()])
