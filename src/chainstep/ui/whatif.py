"""What if a leaf had another number: tried out, undone and redone, apart from the text's undo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from chainstep.edits import Edits
from chainstep.figures import short
from chainstep.trace import Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.graph import Node
    from chainstep.ui.session import Session


@dataclass(frozen=True)
class Leaf:
    """A leaf that was given another number.

    Attributes:
        name: As the program knows it.
        own: The number that the program gives it.
    """

    name: str
    own: float


class WhatIf(QObject):
    """The numbers that are tried out in a session.

    Every change runs the program again. While a run is on, changes wait for its end and the last
    one counts, so that a slider can be drawn. They belong to the text they were tried with: when
    another text is run, they are given to the leaves of the same names in it.

    Args:
        session: Whose program is run.
    """

    changed = Signal()
    """Other numbers are tried out."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.edits = Edits()
        self._leaves: dict[int, Leaf] = {}
        self._applied = self.edits.data
        self._due = False
        self._lost: dict[str, float] = {}
        session.program_changed.connect(self._program_changed)
        session.run_changed.connect(self._run_changed)
        session.recording_changed.connect(self._find_again)

    # -- what there is ------------------------------------------------------------------

    @property
    def changes(self) -> list[tuple[Leaf, float]]:
        """The leaves that have another number, and which."""
        return [
            (self._leaves[serial], number)
            for serial, number in self.edits.data
            if serial in self._leaves
        ]

    def own(self, node: Node) -> float:
        """The number that the program itself gives a leaf."""
        leaf = self._leaves.get(node.serial)
        return node.data if leaf is None else leaf.own

    def words(self) -> str:
        """`w1 = -2.5 instead of -3.0`, for each; empty where there is none."""
        return ", ".join(
            f"{leaf.name} = {short(number)} instead of {short(leaf.own)}"
            for leaf, number in self.changes
        )

    def why_not(self, node_id: int | None) -> str:
        """Why the number of that node cannot be changed; empty where it can."""
        session = self._session
        if session.graph is None or not session.panes:
            return "Nothing is recorded yet: run the program first."
        if node_id is None or node_id not in session.graph:
            return "No node of this pass is selected: click a leaf."
        node = session.graph.node(node_id)
        if node.children:
            return f"{node.name} is computed from others: only the data of a leaf can be changed."
        if session.hides and not session.is_made(node_id):
            return f"{node.name} is not made yet, and what is to come is hidden."
        changed = "The program changed: run it first, so that its leaves are known."
        return changed if session.stale else ""

    # -- changes ------------------------------------------------------------------------

    def set_number(self, node: Node, number: float, *, joins: bool = False) -> None:
        """Give a leaf another number, or its own one again.

        Args:
            node: The leaf, as it is on show.
            number: The number.
            joins: Whether this goes on with the change before it, as when a slider is drawn.
        """
        self._leaves.setdefault(node.serial, Leaf(node.name, node.data))
        if repr(number) == repr(self._leaves[node.serial].own) and not joins:
            self._take(self.edits.without_number(node))
        else:
            self._take(self.edits.with_number(node, number, joins=joins))

    def undo(self) -> None:
        """Take back the last change."""
        self._take(self.edits.undo())

    def redo(self) -> None:
        """Make the change again that was taken back."""
        self._take(self.edits.redo())

    def reset(self) -> None:
        """Give every leaf its own number again."""
        self._take(self.edits.reset())

    def _take(self, edits: Edits) -> None:
        if edits == self.edits:
            return
        self.edits = edits
        self._due = True
        self._apply()
        self.changed.emit()

    def _apply(self) -> None:
        """Run with the numbers that are wanted by now, once nothing runs."""
        session = self._session
        if not self._due or session.running:
            return
        self._due = False
        self._applied = self.edits.data
        if session.options.data != self._applied:
            session.set_options(replace(session.options, data=self._applied))

    # -- what the session does ----------------------------------------------------------

    def _program_changed(self) -> None:
        if self._session.recording is None and not self._session.running:
            self._lost = {}
            self._forget()

    def _forget(self) -> None:
        """What was tried out has no meaning any more."""
        before, self.edits = self.edits, Edits()
        self._applied = self.edits.data
        self._leaves = {}
        self._due = False
        if before != self.edits:
            self.changed.emit()

    def _run_changed(self) -> None:
        session = self._session
        if session.running and session.options.data != self._applied:
            # Another text runs, and without them.
            self._lost = {leaf.name: number for leaf, number in self.changes}
            self._forget()
        elif not session.running and self._due:
            # When what the run left is on show.
            QTimer.singleShot(0, self, self._apply)

    def _find_again(self) -> None:
        """Give the numbers of a text before this one to the leaves of the same names."""
        lost, self._lost = self._lost, {}
        recording = self._session.whole_recording
        if not lost or recording is None:
            return
        found: dict[str, list[Node]] = {}
        for node in recording.nodes:
            if node.name in lost and not node.children:
                found.setdefault(node.name, []).append(node)
        if not found and recording.outcome.status is not Status.OK:
            # A run that failed may not have come to them; the next one may.
            self._lost = lost
            return
        edits = Edits()
        for name, nodes in found.items():
            if len(nodes) == 1:
                self._leaves[nodes[0].serial] = Leaf(name, nodes[0].data)
                edits = edits.with_number(nodes[0], lost[name])
        self._take(edits)

    # -- keeping them -------------------------------------------------------------------

    def restore(self, edits: Edits, leaves: Mapping[int, Leaf]) -> None:
        """Take what was tried out when the session ended; the program does not run."""
        self.edits, self._leaves = edits, dict(leaves)
        self._applied = edits.data
        self.changed.emit()

    @property
    def leaves(self) -> dict[int, Leaf]:
        """The leaves that were given other numbers, by serial."""
        return dict(self._leaves)
