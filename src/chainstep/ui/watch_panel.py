"""The nodes that are watched: data, and the gradients of each mode beside one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout

from chainstep.breakpoints import NodeName
from chainstep.figures import full, short
from chainstep.trace import Mode
from chainstep.ui.rows import Rows
from chainstep.ui.section import Page
from chainstep.ui.tables import NOT_YET, Column, Table, fields, inset
from chainstep.ui.values import DATA, GRADIENTS, NAME, OTHER_ORDER

if TYPE_CHECKING:
    from PySide6.QtCore import QModelIndex
    from PySide6.QtGui import QFont

    from chainstep.stepper import Stepper
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

HINT = "Shift+F9 watches the selected node."


Watch = tuple[NodeName, int | None]
"""What is watched, and the id of its node; None where this pass has none."""


class Watches(Rows[Watch]):
    """The watched nodes at a session's position.

    Args:
        session: Whose nodes they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look)
        self._session = session
        self._apart: frozenset[Mode] = frozenset()

    def take(self) -> None:
        """Other watches, or another recording."""
        self.beginResetModel()
        own = [each for each in GRADIENTS if each.mode is not Mode.COMPARED]
        has = [each for each in own if self._stepper(each) is not None]
        # Both forced modes are what is compared; as written stands there where it is on show, and
        # in for them where they are missing.
        shown = {pane.mode for pane in self._session.panes}
        written = [each for each in has if each.mode is Mode.AS_WRITTEN]
        forced = [each for each in has if each.mode is not Mode.AS_WRITTEN]
        first = written if not forced or Mode.AS_WRITTEN in shown else []
        self.columns = (NAME, DATA, *first, *forced)
        self._apart = self._session.other_moments
        self.rows = self._session.breakpoints.watched()
        self.endResetModel()

    def refresh(self) -> None:
        """All cells anew."""
        self._apart = self._session.other_moments
        super().refresh()

    def _stepper(self, column: Column) -> Stepper | None:
        return None if column.mode is None else self._session.stepper(column.mode)

    def number(self, watch: Watch, column: Column) -> float | None:
        """The number of a cell; None where it has none, or none yet."""
        node_id, recording = watch[1], self._session.recording
        if node_id is None or recording is None:
            return None
        if column is DATA:
            return recording.nodes[node_id].data
        stepper = self._stepper(column)
        if stepper is None or column.mode in self._apart:
            return None
        gradient = stepper.gradients[node_id]
        return None if gradient == 0 and stepper.state(node_id).untouched else gradient

    def text(self, watch: Watch, column: Column) -> str:
        """What a cell says."""
        name, node_id = watch
        if column is NAME:
            if node_id is None:
                return f"{name.name} (not in this pass)"
            is_told = self._apart.isdisjoint(self._session.compared)
            differs = is_told and node_id in self._session.differing
            return f"{name.name}{' ≠' * differs}"
        number = self.number(watch, column)
        if number is None:
            return "" if node_id is None or column.mode in self._apart else NOT_YET
        return short(number)

    def tip(self, watch: Watch, column: Column) -> str:
        """Every digit, or why there is none."""
        if column.mode in self._apart:
            return OTHER_ORDER
        number = self.number(watch, column) if column is not NAME else None
        return self.text(watch, column) if number is None else full(number)

    def heard(self, watch: Watch, column: Column) -> str:
        """Of which node it is."""
        return f"{column.title} of {watch[0].name}: {self.text(watch, column)}"

    def font(self, watch: Watch, column: Column) -> QFont:  # noqa: ARG002  the same in every row
        """Names in bold."""
        return self._bold if column is NAME else self._plain

    def ground(self, watch: Watch) -> str | None:
        """The nodes of the step stand out."""
        palette, pane = self._look.palette, self._session.primary
        step = pane.stepper.current if pane else None
        if step is None or watch[1] is None:
            return None
        if step.node == watch[1]:
            return palette.now_tint
        return palette.target_tint if step.target == watch[1] else None

    def ink(self, watch: Watch, column: Column) -> str | None:
        """What has no number yet is faint."""
        faint = watch[1] is None or self.text(watch, column) == NOT_YET
        return self._look.palette.muted if faint else None


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
        self.lay_out((self._top, 0), (inset(self.table), 1))
        session.recording_changed.connect(self._take)
        session.view_changed.connect(self._take)
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
        self.table.choose_near(row)
        self.remove.setEnabled(bool(self.watches.rows))
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
