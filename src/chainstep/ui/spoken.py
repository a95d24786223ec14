"""The graph for those who hear the window instead of seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent

from chainstep.ui.hints import hint
from chainstep.ui.telling import tell, void

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QWidget

    from chainstep.graph import Graph
    from chainstep.ui.session import Pane, Session
    from chainstep.ui.sight import Sight

MOST = 60
"""Nodes up to which all of them are told with the graph: of more only the selected one is."""


class Voice:
    """Says a pane of the graph.

    Args:
        widget: The pane, whose name and description are set.
        session: What it shows.
    """

    def __init__(self, widget: QWidget, session: Session) -> None:
        self._widget = widget
        self._session = session

    def describe(self, pane: Pane | None, moment: Sight | None, facts: Iterable[str]) -> None:
        """Let a reader that asks find the step, and the nodes of a small graph.

        Args:
            pane: What is on show; None without a graph.
            moment: The same, as it is drawn.
            facts: What else is to be known of the drawing.
        """
        session, widget = self._session, self._widget
        if session.recording is None or pane is None:
            widget.setAccessibleName("Graph")
            widget.setAccessibleDescription(void(session))
            return
        sign, meaning = session.heading(pane.mode)
        widget.setAccessibleName(f"Graph, {sign} {meaning}")
        parts = [self.told_step(pane), *facts]
        if is_heard() and moment is not None:
            selected = session.selected
            if selected is not None and selected in moment.visible.whole:
                parts.append(f"Selected: {spoken_node(moment.visible.whole, moment, selected)}")
            parts.append(spoken_nodes(moment.visible.graph, moment))
        widget.setAccessibleDescription(" ".join(parts))

    def announce_step(self, pane: Pane | None) -> None:
        """Say at once what the step does."""
        if is_heard():
            announce(self._widget, self.told_step(pane))

    def announce_selected(self, moment: Sight) -> None:
        """Say at once which node is selected now, where one is."""
        selected = self._session.selected
        if selected is not None:
            announce(self._widget, spoken_node(moment.visible.whole, moment, selected))

    def told_step(self, pane: Pane | None) -> str:
        """The step of a pane in sentences."""
        told = tell(self._session, pane) if pane is not None else None
        return "" if told is None else " ".join((f"{told.title}.", *told.sentences))


def spoken_node(graph: Graph, moment: Sight, node_id: int) -> str:
    """A node in one sentence: its name, what it is, its numbers."""
    return ", ".join(hint(graph, moment, node_id).splitlines()) + "."


def spoken_nodes(graph: Graph, moment: Sight) -> str:
    """Every node of a graph, in the order in which they were made; nothing of a large one."""
    if len(graph) > MOST:
        return f"{len(graph)} nodes: Alt with the arrows goes from one to the next."
    return " ".join(spoken_node(graph, moment, node.id) for node in graph.nodes)


def is_heard() -> bool:
    """Whether anybody listens: what nobody hears need not be put together."""
    return QAccessible.isActive()


def announce(widget: QWidget, text: str) -> None:
    """Let a screen reader say something at once, and know that the widget has other words."""
    if not is_heard():
        return
    QAccessible.updateAccessibility(QAccessibleEvent(widget, QAccessible.Event.DescriptionChanged))
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
