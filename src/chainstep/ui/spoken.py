"""The graph for those who hear the window instead of seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleEvent

from chainstep.ui.hints import hint

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chainstep.graph import Graph
    from chainstep.ui.sight import Sight

MOST = 60
"""Nodes up to which all of them are told with the graph: of more only the selected one is."""


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
