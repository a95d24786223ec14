"""The graph for those who hear the window instead of seeing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

from chainstep.ui.hints import hint
from chainstep.ui.telling import tell, void

if TYPE_CHECKING:
    from collections.abc import Iterable

    from PySide6.QtWidgets import QAbstractScrollArea, QWidget

    from chainstep.graph import Graph
    from chainstep.ui.session import Pane, Session
    from chainstep.ui.sight import Sight

MOST = 60
"""Nodes up to which all of them are told with the graph: of more only the selected one is."""

SIGNS = {"/∂": " by partial ", "∂": "partial ", "·": "times", "×": "times"}
"""How signs in formulas are spoken, the first ones first."""


class Voice:
    """Says a pane of the graph.

    Its description is what was said last: the step, or the node that was selected. A screen reader
    reads a description by itself that changes where the keyboard is, so it is short; all that
    there is to find stands in the viewport within, which never has the keyboard.

    Args:
        widget: The pane, whose name and description are set.
        session: What it shows.
    """

    def __init__(self, widget: QAbstractScrollArea, session: Session) -> None:
        self._widget = widget
        self._session = session

    def describe(
        self,
        pane: Pane | None,
        moment: Sight | None,
        facts: Iterable[str],
        *,
        chosen: bool = False,
    ) -> None:
        """Let a reader that asks find the step, and the nodes of a small graph.

        Args:
            pane: What is on show; None without a graph.
            moment: The same, as it is drawn.
            facts: What else is to be known of the drawing.
            chosen: Whether the news is the node that is selected, and not the step.
        """
        session, widget = self._session, self._widget
        widget.viewport().setAccessibleName("What the graph shows")
        if session.recording is None or pane is None:
            widget.setAccessibleName("Graph")
            widget.setAccessibleDescription(void(session))
            widget.viewport().setAccessibleDescription("")
            return
        sign, meaning = session.heading(pane.mode)
        widget.setAccessibleName(f"Graph, {sign} {meaning}")
        said = " ".join((self.told_step(pane), *facts))
        parts = [said]
        if is_heard() and moment is not None:
            selected = self._told_selected(moment)
            if selected:
                parts.append(f"Selected: {selected}")
            parts.append(spoken_nodes(moment.visible.graph, moment))
            said = selected if chosen and selected else said
        widget.viewport().setAccessibleDescription(" ".join(parts))
        widget.setAccessibleDescription(said)

    def announce_step(self, pane: Pane | None) -> None:
        """Say at once what the step does."""
        if is_heard():
            announce(self._widget, self.told_step(pane))

    def announce_selected(self, moment: Sight) -> None:
        """Say at once which node is selected now, where one is."""
        if is_heard() and self._told_selected(moment):
            announce(self._widget, self._told_selected(moment))

    def _told_selected(self, moment: Sight) -> str:
        """The node that is selected in a sentence; empty where none is, or it has no card."""
        selected, whole = self._session.selected, moment.visible.whole
        if selected is None or selected not in whole:
            return ""
        return spoken_node(whole, moment, selected)

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
    """Let a screen reader say something at once.

    Where the keyboard is on the widget itself, its description is to be the news: readers read one
    that changes there, and would say all of it twice.
    """
    if is_heard() and not widget.hasFocus():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def pronounced(formula: str) -> str:
    """A formula as it is read aloud: speech leaves most signs of mathematics out.

    >>> pronounced("∂e/∂a += ∂c/∂a · ∂e/∂c")
    'partial e by partial a += partial c by partial a times partial e by partial c'
    >>> pronounced("21.0 = 15.0 + 1.0 × 6.0")
    '21.0 = 15.0 + 1.0 times 6.0'
    """
    for sign, words in SIGNS.items():
        formula = formula.replace(sign, words)
    return formula
