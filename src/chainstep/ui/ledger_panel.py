"""The account of one gradient: every contribution, the sum as it runs, and what was lost of it."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton

from chainstep.figures import full, short
from chainstep.ledger import Entry, ledger
from chainstep.trace import Kind, Mode
from chainstep.ui.chips import shortened
from chainstep.ui.chronicle import called
from chainstep.ui.jumps import last_write, subject
from chainstep.ui.plot import HEIGHT, Curve, Plot
from chainstep.ui.rows import Rows
from chainstep.ui.section import Page
from chainstep.ui.tables import NOT_YET, WIDEST, Column, Table, inset, link

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex

    from chainstep.graph import Node
    from chainstep.ui.session import Pane, Session
    from chainstep.ui.theme import Look

STEP = Column("step", "Number of the step that wrote", "88888")
FROM = Column("from", "The consumer whose _backward wrote, and through which of its slots")
ADDS = Column("adds", "What it handed over: local derivative × upstream gradient", WIDEST)
MOST_MEASURED = 200
"""Rows that the widths of the columns are taken from."""
SIGNS = {
    Mode.ACCUMULATE: "+=",
    Mode.OVERWRITE: "=",
    Mode.AS_WRITTEN: "as written",
    Mode.COMPARED: "other",
}


@dataclass(frozen=True, slots=True)
class Line:
    """One change, in each mode on show; None in a mode that has no such change."""

    position: int
    entries: tuple[Entry | None, ...]

    @property
    def entry(self) -> Entry:
        """The change in the first mode that has it."""
        return next(entry for entry in self.entries if entry is not None)


class Account(Rows[Line]):
    """The changes of one gradient, up to the position in full, beyond it without numbers.

    Args:
        session: Whose gradients they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look)
        self._session = session
        self.node: Node | None = None
        self._panes: tuple[Pane, ...] = ()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        super().set_look(look)
        self._struck = QFont(self._plain)
        self._struck.setStrikeOut(True)

    def take(self) -> None:
        """Another node, view or recording."""
        self.beginResetModel()
        self._panes = self._session.panes
        self.node = subject(self._session)
        grads = [
            Column(
                f"grad {SIGNS[pane.mode]}" if pane.mode is not Mode.AS_WRITTEN else "grad",
                "The gradient that was left, the sum so far",
                WIDEST,
            )
            for pane in self._panes
        ]
        self.columns = (STEP, FROM, ADDS, *grads)
        self.rows = ()
        if self.node is not None:
            self.rows = self._lines(self.node.id)
        self.endResetModel()

    def _lines(self, node_id: int) -> tuple[Line, ...]:
        """The changes in the order of the upper pane.

        Changes at one step stand in one row where the same edge brought them. Where the passes run
        in different orders, a step does something else in each: that is a row for each.
        """
        found: dict[tuple[int, int, Kind, int | None, int | None], list[Entry | None]] = {}
        for number, pane in enumerate(self._panes):
            for entry in _book(pane, node_id):
                at = self._session.step_beside(entry.position, pane.mode)
                # More than one of its steps may match one of the upper pane.
                for nth in count():
                    key = (at, nth, entry.kind, entry.consumer, entry.slot)
                    row = found.setdefault(key, [None] * len(self._panes))
                    if row[number] is None:
                        row[number] = entry
                        break
        lines = (Line(at, tuple(row)) for (at, *_), row in found.items())
        return tuple(sorted(lines, key=lambda line: line.position))

    @property
    def _node_id(self) -> int:
        return -1 if self.node is None else self.node.id

    def samples(self) -> dict[Column, list[str]]:
        """What the cells say at the end of the pass, when they are widest."""
        few = self.rows[:MOST_MEASURED]
        samples = {
            column: [short(n) for line in few if (n := self.number(line, column)) is not None]
            for column in self.columns[2:]
        }
        return {STEP: [str(line.position) for line in few], **samples}

    # -- texts --------------------------------------------------------------------------

    def is_ahead(self, line: Line) -> bool:
        """Whether a change is still to come."""
        return line.position > self._session.backward_position

    def lost(self, line: Line) -> Mode | None:
        """The mode on show in which the contribution is no longer in the gradient."""
        for pane, entry in zip(self._panes, line.entries, strict=True):
            if entry is None or not entry.is_lost(pane.stepper.position):
                continue
            if entry.kind is Kind.WRITE or entry.position == 0:
                return pane.mode
        return None

    def source(self, line: Line) -> str:
        """Which edge it came through: `d`, and whether it was lost."""
        entry, recording = line.entry, self._session.recording
        if entry.kind is Kind.SEED:
            return "seed"
        if entry.position == 0:
            return self._opening(line)
        if entry.consumer is None or recording is None:
            return "outside"
        consumer = recording.nodes[entry.consumer]
        words = called(consumer)
        # Where a consumer uses the node once, its name says which edge that is.
        if entry.slot is not None and consumer.children.count(self._node_id) > 1:
            words += f", slot {entry.slot}"
        mode = self.lost(line)
        if mode is None:
            return words
        # First, since a long name is cut at its end.
        return f"lost{f' with {SIGNS[mode]}' if len(self._panes) > 1 else ''} · {words}"

    def _opening(self, line: Line) -> str:
        """Whence the gradient comes that was there before the first step."""
        words = "left over from before"
        for pane, entry in zip(self._panes, line.entries, strict=True):
            origin = self._session.origins(pane.mode).get(self._node_id)
            if entry is not None and origin is not None:
                words = f"carried over from pass {origin + 1}"
        return f"lost · {words}" if self.lost(line) is not None else words

    def number(self, line: Line, column: Column) -> float | None:
        """The number of a cell; None where it has none."""
        if column is ADDS:
            return line.entry.contribution
        entry = line.entries[self.columns.index(column) - 3]
        return None if entry is None else entry.after

    def text(self, line: Line, column: Column) -> str:
        """What a cell says."""
        if column is STEP:
            return str(line.position)
        if column is FROM:
            return self.source(line)
        number = self.number(line, column)
        if number is None:
            return ""
        return NOT_YET if self.is_ahead(line) else short(number)

    def tip(self, line: Line, column: Column) -> str:
        """Every digit, and how it came about."""
        entry = line.entry
        if self.is_ahead(line):
            return "This is still to come. Enter goes there."
        if column is ADDS and entry.local is not None and entry.upstream is not None:
            product = f"{full(entry.local)} × {full(entry.upstream)}"
            return f"local {product} upstream = {full(entry.contribution or 0.0)}"
        number = self.number(line, column) if column not in (STEP, FROM) else None
        return full(number) if number is not None else "A click goes to this step."

    def heard(self, line: Line, column: Column) -> str:
        """Whether it was lost is said, and not only struck out."""
        lost = ", lost" if column is ADDS and self.lost(line) else ""
        return f"{super().heard(line, column)}{lost}"

    def ground(self, line: Line) -> str | None:
        """The row of the step stands out."""
        now = line.position == self._session.backward_position
        return self._look.palette.now_tint if now else None

    def ink(self, line: Line, column: Column) -> str | None:
        """What was lost in colour; numbers of steps, and what is to come, are faint."""
        p = self._look.palette
        if column in (ADDS, FROM) and self.lost(line) is not None:
            return p.now_text
        return p.muted if column is STEP or self.is_ahead(line) else None

    def font(self, line: Line, column: Column) -> QFont:
        """What was lost struck out, the sum in bold."""
        if column is ADDS and self.lost(line) is not None:
            return self._struck
        is_sum = column not in (STEP, FROM, ADDS)
        return self._bold if is_sum and not self.is_ahead(line) else self._plain


def _book(pane: Pane, node_id: int) -> tuple[Entry, ...]:
    """The changes of a gradient, and before them what was there before the pass."""
    book = ledger(pane.trace)
    opening = book.opening(node_id)
    if opening == 0:
        return book.entries(node_id)
    lost_at = book.opening_lost_at(node_id)
    nothing = (None,) * 5
    held = Entry(0, Kind.OUTSIDE, *nothing, 0.0, opening, accumulates=False, lost_at=lost_at)
    return held, *book.entries(node_id)


class LedgerPanel(Page):
    """The account of the selected node, and its gradient as a line.

    Args:
        session: Whose gradients they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.account = Account(session, look)
        self.table = Table("Contributions")
        self.table.setModel(self.account)
        self.setFocusProxy(self.table)
        self.title = QLabel()
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.last = QPushButton("Last write")
        self.last.setFlat(True)
        self.last.setCursor(Qt.CursorShape.PointingHandCursor)
        self.last.clicked.connect(self._seek_last)
        self.plot = Plot(look)
        self._curves: list[Curve] = []
        self._top = QHBoxLayout()
        self._top.addWidget(self.title, 1)
        self._top.addWidget(self.last)
        self.lay_out((self._top, 0), (self.plot, 1), (inset(self.table), 2))
        self.table.clicked.connect(self._seek)
        self.table.activated.connect(self._seek)
        self.plot.sought.connect(session.seek_backward)
        for signal in (
            *(session.recording_changed, session.view_changed, session.selection_changed),
            session.horizon_changed,
        ):
            signal.connect(lambda: self.in_time(self._take, self._take))
        session.position_changed.connect(lambda: self.in_time(self._follow, self._take))
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        p = look.palette
        self._top.setContentsMargins(look.px(14), 0, look.px(6), 0)
        self.title.setFont(look.font(12))
        self.title.setStyleSheet(f"color: {p.text}; font-size: {look.px(12)}px;")
        self.last.setStyleSheet(link(look, p.now_text))
        self.plot.set_look(look)
        self.plot.setMaximumHeight(look.px(HEIGHT))
        self.account.set_look(look)
        self._take()

    def _take(self) -> None:
        self.account.take()
        self.table.set_columns(self.account.columns, self._look, self.account.samples())
        node = self.account.node
        panes = self._session.panes if node is not None else ()
        self._curves = [
            Curve(SIGNS[pane.mode], ledger(pane.trace).gradients(node.id), dashed=number > 0)
            for number, pane in enumerate(panes)
            if node is not None
        ]
        self._show()

    def _follow(self) -> None:
        if subject(self._session) is not self.account.node:
            self._take()
            return
        self.account.refresh()
        self._show()

    def _show(self) -> None:
        node, session = self.account.node, self._session
        position = session.backward_position
        if node is None:
            self.title.setText("Select a node to see its account.")
            self.last.setVisible(False)
            self.plot.setVisible(False)
            return
        self.title.setText(self._words(node))
        at = last_write(session)
        self.last.setVisible(True)
        self.last.setEnabled(at is not None and at != position)
        self.last.setToolTip("Go to the step that wrote this gradient last  (L)")
        self.last.setAccessibleName(f"Go to the last write of the gradient of {node.name}")
        self.plot.setVisible(True)
        told = "\n".join(curve.told(called(node), position) for curve in self._curves)
        self.plot.show_curves(self._curves, position, session.backward_length, told)

    def _words(self, node: Node) -> str:
        """`a: 1 of 2 writes`, or that there are none."""
        pane = self._session.primary
        assert pane is not None
        lines = [line for line in self.account.rows if line.position]
        if pane.trace.hidden:
            many = len(lines)
            return f"{shortened(called(node))}: {many} write{'' if many == 1 else 's'} so far"
        if not lines:
            return f"{shortened(called(node))}: nothing writes it in this pass."
        here = self._session.backward_position
        done, many = bisect_right(lines, here, key=lambda line: line.position), len(lines)
        return f"{shortened(called(node))}: {done} of {many} write{'' if many == 1 else 's'}"

    def _seek(self, index: QModelIndex) -> None:
        if index.isValid() and index.row() < len(self.account.rows):
            self._session.seek_backward(self.account.rows[index.row()].position)

    def _seek_last(self) -> None:
        at = last_write(self._session)
        if at is not None:
            self._session.seek_backward(at)
