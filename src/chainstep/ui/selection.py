"""The nodes that are selected together: the one that panels speak of, and others with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.ui.session import Session


class Selection(QObject):
    """What is selected on the graph. The node selected last is the session's own.

    Args:
        session: Whose nodes they are.
    """

    changed = Signal()
    """Other nodes are selected, or another of them is the session's own."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.nodes: tuple[int, ...] = ()
        """Ids of the selected nodes, in the order in which they were selected."""
        self.shows_flow = False
        """Whether it is lit what the gradient of the session's own node flows from and to."""
        session.selection_changed.connect(self._follow)
        session.recording_changed.connect(self._follow)

    def set(self, nodes: Iterable[int]) -> None:
        """Select these nodes and no others; the last of them is the session's own."""
        graph = self._session.graph
        found = dict.fromkeys(n for n in nodes if graph is not None and n in graph)
        self._take(tuple(found))
        self._session.select(self.nodes[-1] if self.nodes else None)

    def toggle_flow(self) -> None:
        """Light the neighbourhood of the selected node, or no longer."""
        self.shows_flow = not self.shows_flow
        self.changed.emit()

    def toggle(self, node_id: int) -> None:
        """Select one node more, or leave it out."""
        rest = [each for each in self.nodes if each != node_id]
        self.set(rest if node_id in self.nodes else [*rest, node_id])

    def add(self, nodes: Iterable[int]) -> None:
        """Select these nodes too."""
        self.set([*self.nodes, *nodes])

    def all(self) -> None:
        """Select every node that is drawn; the session's own stays that."""
        visible, own = self._session.visible, self._session.selected
        if visible is not None:
            nodes = [node.id for node in visible.graph.nodes if node.id != own]
            self.set(nodes if own is None else [*nodes, own])

    def _follow(self) -> None:
        """The session selected a node: one of these, or it alone."""
        graph, own = self._session.graph, self._session.selected
        if own is None:
            self._take(())
        elif own not in self.nodes:
            self._take((own,))
        else:
            self._take(tuple(n for n in self.nodes if graph is not None and n in graph))

    def _take(self, nodes: tuple[int, ...]) -> None:
        if nodes != self.nodes:
            self.nodes = nodes
            self.changed.emit()
