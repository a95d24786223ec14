"""A small bar over the graph that finds nodes by name, op or number."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit

from chainstep.ui.buttons import Button
from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from chainstep.graph import Graph, Node
    from chainstep.ui.actions import Actions
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

WIDTH = 330


def matches(graph: Graph, text: str) -> list[int]:
    """Ids of the nodes that a text finds, in order of creation.

    A node is found by a part of any of its names, whatever the case, by its op as it is written
    or drawn, and by its id as `#12`.
    """
    from chainstep.ui.drawing import symbol  # noqa: PLC0415  brings numpy: not at start

    def is_meant(node: Node) -> bool:
        if wanted in (_folded(node.op), _folded(symbol(node.op)), f"#{node.id}"):
            return True
        return any(wanted in _folded(name) for name in (node.name, *node.aliases))

    wanted = _folded(text)
    return [node.id for node in graph.nodes if is_meant(node)] if wanted else []


def _folded(text: str) -> str:
    """A text without case, and with one way of writing each letter."""
    return unicodedata.normalize("NFKC", text.strip()).casefold()


class Finder(QFrame):
    """The bar; hidden until :meth:`open`.

    Enter and Shift+Enter go from match to match, Escape closes.

    Args:
        session: Whose graph is searched.
        look: Colours and scale.
    """

    found = Signal(int)
    """That node is to be brought into the middle."""
    searched = Signal()
    """There are other matches."""
    left = Signal()
    """It was closed: the keyboard goes back to the graph."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._matches: list[int] = []
        self._at = -1
        self.setObjectName("finder")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Find a node")
        self.field, self.count = QLineEdit(), QLabel()
        self.field.setPlaceholderText("Name, op or #number")
        self.field.setAccessibleName("Find a node by name, op or #number")
        self.field.setClearButtonEnabled(True)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self.field, 1)
        self._row.addWidget(self.count)
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        session.recording_changed.connect(self._again)
        self.set_look(look)
        self.hide()

    def add_buttons(self, actions: Actions, look: Look) -> None:
        """Give it the commands for the next and the previous match."""
        for id_, text in (("find_previous", "↑"), ("find_next", "↓")):
            button = Button(actions[id_], look, text)
            button.small = True
            self._row.addWidget(button)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p = look.palette
        self.setStyleSheet(
            f"#finder {{ background: {p.card}; border: 2px solid {p.target};"
            f" border-radius: {look.px(6)}px; }}"
            f" QLabel {{ color: {p.text}; font-size: {look.px(SMALL)}px; }}"
        )
        for button in self.findChildren(Button):
            button.set_look(look)
        self.setMaximumWidth(look.px(WIDTH))

    def why_not(self) -> str:
        """Why there is no other match to go to; empty where there is."""
        if self._matches:
            return ""
        return "Nothing was found." if self.field.text() else "Nothing is being looked for."

    def open(self) -> None:
        """Show it, and let a new text be typed over the old one."""
        self.show()
        self.raise_()
        self.field.setFocus()
        self.field.selectAll()
        self._again()

    def close_bar(self) -> None:
        """Hide it and give the keyboard back."""
        self.hide()
        self.left.emit()

    def go(self, by: int) -> None:
        """Select the next match, or the previous one, round and round."""
        if self._matches:
            self._at = (self._at + by) % len(self._matches) if self._at >= 0 else min(by, 0)
            self._at %= len(self._matches)
            self._session.selection.set([self._matches[self._at]])
            self.found.emit(self._matches[self._at])
        self._tell()

    def _again(self) -> None:
        graph = self._session.graph
        self._matches = matches(graph, self.field.text()) if graph is not None else []
        selected = self._session.selected
        self._at = self._matches.index(selected) if selected in self._matches else -1
        self._tell()

    def _search(self) -> None:
        self._again()
        if self._matches and self._at < 0:
            self.go(1)

    def _tell(self) -> None:
        said = ""
        if self.field.text().strip():
            total = len(self._matches)
            said = f"{self._at + 1} of {total}" if total else "none"
        self.count.setText(said)
        self.count.setAccessibleName(f"Matches: {said}" if said else "Matches")
        self.searched.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter goes on, with Shift back; Escape closes."""
        own = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        overrides = event.type() is QEvent.Type.ShortcutOverride
        if overrides and isinstance(event, QKeyEvent) and event.key() in own:
            event.accept()  # here these are no keys of the graph
            return True
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self.go(-1 if back else 1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.close_bar()
                return True
        return super().eventFilter(watched, event)
