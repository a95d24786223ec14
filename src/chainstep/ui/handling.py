"""What hands do on a pane: select, draw a band, carry cards, ask for a menu or for a hint."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QPoint, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from chainstep.ui.drawing import Area, Direction
from chainstep.ui.hints import hint, inside
from chainstep.ui.scroller import Scroller

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.session import Session
    from chainstep.ui.sight import Sight
    from chainstep.ui.viewport import Viewport

ACROSS = {
    Qt.Key.Key_Left: Direction.OPERAND,
    Qt.Key.Key_Right: Direction.CONSUMER,
    Qt.Key.Key_Up: Direction.ABOVE,
    Qt.Key.Key_Down: Direction.BELOW,
}
"""Where the arrows lead, together with Alt; alone they step."""
DOWN = {
    Qt.Key.Key_Up: Direction.OPERAND,
    Qt.Key.Key_Down: Direction.CONSUMER,
    Qt.Key.Key_Left: Direction.ABOVE,
    Qt.Key.Key_Right: Direction.BELOW,
}
"""The same where edges run down."""
MORE = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
"""Keys with which a click or a band adds to what is selected."""
MENU_KEY = QKeyCombination(Qt.KeyboardModifier.ShiftModifier, Qt.Key.Key_F10)
"""What asks for a menu besides the key that is made for it: X11 leaves this one to us."""
NEAR = 6.0
"""Pixels beside an edge that still mean it."""


@dataclass(frozen=True, slots=True)
class Grip:
    """What the pressed mouse holds: some nodes, or a corner of a band."""

    pressed: QPointF
    start: tuple[float, float]
    nodes: tuple[int, ...]


class Handling(Scroller):
    """A pane whose nodes can be taken hold of.

    Mouse: a click selects a node, with Ctrl or Shift one more; dragging a node moves it, and all
    that are selected with it; dragging with Ctrl or Shift draws a band around nodes. Keys: Alt
    with the arrows moves the selection along the edges; Escape drops it.

    Args:
        session: What is shown.
        view: Scale and place, shared with the other pane.
        parent: Owner.
    """

    activated = Signal(int)
    """The node of that id was clicked twice."""
    menu_wanted = Signal(QPoint, str)
    """A menu is wanted at that point of the screen for a `node`, an `edge` or the `graph`."""

    def __init__(self, session: Session, view: Viewport, parent: QWidget | None = None) -> None:
        super().__init__(view, parent)
        self._session = session
        self._drawing: Drawing | None = None
        self._moment: Sight | None = None
        self._grip: Grip | None = None
        self._band: Area | None = None
        self._adds = False
        self._shows_focus = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _card_of(self, node_id: int | None) -> int | None:
        """The card that a node has or that stands for it; None where there is none."""
        drawing, moment = self._drawing, self._moment
        if node_id is None or drawing is None or moment is None:
            return None
        card = moment.visible.card_of(node_id)
        return card if card in drawing.graph else None

    @property
    def _selected_cards(self) -> tuple[int, ...]:
        """The cards of all nodes that are selected."""
        cards = map(self._card_of, self._session.selection.nodes)
        return tuple(dict.fromkeys(card for card in cards if card is not None))

    def card_rectangle(self, node_id: int) -> QRect | None:
        """Where a node's card is in the pane, in pixels; None where it has none."""
        card = self._card_of(node_id)
        if self._drawing is None or card is None:
            return None
        return self.rectangle(self._drawing.card(card))

    # -- selection ----------------------------------------------------------------------

    def _clicked(self, x: float, y: float) -> None:
        if self._drawing is None:
            return
        found, selection = self._drawing.node_at(x, y), self._session.selection
        if found is None:
            selection.set(selection.nodes if self._adds else ())
        elif self._adds:
            selection.toggle(found)
        elif not self._session.choose(found):
            selection.set([found])

    def move_selection(self, direction: Direction) -> None:
        """Select an operand or a consumer of the selected node, or its neighbour above or below.

        Without a selection the active node is selected, or the root.
        """
        drawing, moment = self._drawing, self._moment
        if drawing is None or moment is None:
            return
        selected = self._card_of(self._session.selected)
        if selected is None:
            active = [n for n in moment.active() if n in drawing.graph]
            found: int | None = active[0] if active else drawing.graph.root
        else:
            found = drawing.neighbour(selected, direction)
        if found is not None:
            self._session.selection.set([found])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move or drop the selection; every other key is the window's."""
        downward = self._drawing is not None and self._drawing.downward
        direction = (DOWN if downward else ACROSS).get(Qt.Key(event.key()))
        if event.modifiers() == Qt.KeyboardModifier.AltModifier and direction is not None:
            self.move_selection(direction)
        elif event.keyCombination() == MENU_KEY and self._drawing is not None:
            self._ask_for_selected()
        elif event.key() == Qt.Key.Key_Escape and self._grip is not None:
            self._let_go()
        elif event.key() == Qt.Key.Key_Escape and self._session.escape():
            event.accept()
        elif event.key() == Qt.Key.Key_Escape and self._session.selection.nodes:
            self._session.selection.set(())
        else:
            event.ignore()

    # -- mouse --------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a node, begin a band, or what the pane does by itself."""
        self._adds = bool(event.modifiers() & MORE)
        super().mousePressEvent(event)
        if self._drawing is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        point = self.scene_point(event.position())
        found = self._drawing.node_at(*point)
        if self._adds:
            self._grip = Grip(event.position(), point, ())
        elif found is not None:
            cards = self._selected_cards
            self._grip = Grip(event.position(), point, cards if found in cards else (found,))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry nodes, draw the band, move the graph, or light the node under the mouse."""
        grip = self._grip
        if grip is None:
            super().mouseMoveEvent(event)
            if self._drawing is not None and not event.buttons():
                self._session.point_at(self._drawing.node_at(*self.scene_point(event.position())))
            return
        far = (event.position() - grip.pressed).manhattanLength()
        if far < QApplication.startDragDistance() and not self._holds:
            return
        (x0, y0), (x, y) = grip.start, self.scene_point(event.position())
        if grip.nodes:
            self._view.carry(grip.nodes, (x - x0, y - y0))
            self.viewport().setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            self._band = Area(min(x0, x), min(y0, y), max(x0, x), max(y0, y))
            self.viewport().update()

    @property
    def _holds(self) -> bool:
        """Whether the mouse has gone so far that it was no click."""
        return self._band is not None or self._view.carried is not None

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Put down what was carried, select what is in the band; else it was a click."""
        carried, band = self._view.carried, self._band
        if not self._holds:
            self._grip = None
            super().mouseReleaseEvent(event)
            return
        self._let_go()
        if carried is not None:
            self._session.moves.move(carried.nodes, *carried.shift)
        elif band is not None and self._drawing is not None:
            self._session.selection.add(self._drawing.nodes_in(band))

    def _let_go(self) -> None:
        """Hold nothing any more, and change nothing."""
        self._grip = self._band = self._pressed = self._dragged = None
        self._view.drop()
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.viewport().update()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A node is meant, and more than its selection."""
        if self._drawing is None or event.button() is not Qt.MouseButton.LeftButton:
            return
        node_id = self._drawing.node_at(*self.scene_point(event.position()))
        if node_id is not None:
            self.activated.emit(node_id)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of what is under the mouse; from the keyboard, of what is selected."""
        drawing, selection = self._drawing, self._session.selection
        if drawing is None:
            return
        event.accept()
        if event.reason() is QContextMenuEvent.Reason.Keyboard:
            self._ask_for_selected()
            return
        x, y = self.scene_point(QPointF(event.pos()))
        found = drawing.node_at(x, y)
        edge = None if found is not None else drawing.edge_at(x, y, NEAR / self._view.scale)
        if found is not None and found not in self._selected_cards:
            selection.set([found])
        elif edge is not None:
            selection.set([edge.consumer, edge.child])
        kind = "node" if found is not None else "graph" if edge is None else "edge"
        self.menu_wanted.emit(event.globalPos(), kind)

    def _ask_for_selected(self) -> None:
        """Ask for the menu of the selected node; without one, for that of the graph."""
        selected = self._session.selected
        place = None if selected is None else self.card_rectangle(selected)
        point = self.viewport().rect().center() if place is None else place.center()
        kind = "graph" if place is None else "node"
        self.menu_wanted.emit(self.viewport().mapToGlobal(point), kind)

    # -- hints and focus ----------------------------------------------------------------

    def viewportEvent(self, event: QEvent) -> bool:
        """Say everything about the node on which the mouse rests."""
        if event.type() is QEvent.Type.Leave:
            self._session.point_at(None)
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            self._show_hint(event)
            return True
        return super().viewportEvent(event)

    def _show_hint(self, event: QHelpEvent) -> None:
        drawing, moment = self._drawing, self._moment
        node_id = None
        if drawing is not None and moment is not None:
            node_id = drawing.node_at(*self.scene_point(QPointF(event.pos())))
        if drawing is None or moment is None or node_id is None:
            QToolTip.hideText()
            event.ignore()
            return
        visible = moment.visible
        said = (hint(visible.whole, moment, node_id), inside(visible, node_id))
        place = self.rectangle(drawing.card(node_id))
        text = "\n".join(filter(None, said))
        QToolTip.showText(event.globalPos(), text, self.viewport(), place)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show a frame to who came by keyboard: the mouse shows by itself where it is."""
        reasons = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self._shows_focus = event.reason() in reasons
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take the frame away."""
        self.viewport().update()
        super().focusOutEvent(event)
