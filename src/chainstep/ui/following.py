"""A pane that moves along: with the step, to a node, to as much of the graph as can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.ui.due import Due
from chainstep.ui.extent import active_areas, caption_areas
from chainstep.ui.focus import RING, enlarged
from chainstep.ui.ground import card_area
from chainstep.ui.handling import Handling
from chainstep.ui.ink import Ink, Type
from chainstep.ui.painting import kind_for
from chainstep.ui.viewport import READABLE, Hold, opening

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chainstep.ui.drawing import Area
    from chainstep.ui.palette import Palette
    from chainstep.ui.session import Session
    from chainstep.ui.viewport import Viewport


class Following(Handling):
    """A pane that brings into view what its drawing and its moment are about.

    Args:
        session: What is shown.
        view: Scale and place, shared with the other pane.
        pane_index: Which of the session's panes, from 0.
        palette: The colours.
        parent: Owner.
    """

    large_type = False
    """Whether cards are set in the larger type also from near."""

    def __init__(
        self,
        session: Session,
        view: Viewport,
        pane_index: int,
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, view, parent)
        self._index = pane_index
        self._ink = Ink(palette, large=self.large_type, unit=view.unit)
        self._follows = True
        self._due = Due(self)

    @property
    def follows(self) -> bool:
        """Whether the pane moves along with the active node."""
        return self._follows

    def set_follow(self, follows: bool) -> None:
        """Move along with the active node from now on, or stay."""
        self._follows = follows
        # A lower pane that is being added has no size yet, and moves nothing by itself.
        if follows and self._leads:
            self._follow()

    def fit_selection(self) -> None:
        """Show the selected node with its operands and consumers; without one, everything."""
        self._due.settle()
        drawing, selected = self._drawing, self._card_of(self._session.selected)
        if drawing is None or selected is None:
            self.fit()
            return
        near = [*drawing.graph.node(selected).children]
        near += [edge.consumer for edge in drawing.graph.consumers(selected)]
        area = card_area(drawing, selected)
        for node_id in (*near, *self._selected_cards):
            if node_id in drawing.graph:
                area = area.united(card_area(drawing, node_id))
        self._fit(area)

    def show_node(self, node_id: int) -> None:
        """Bring a node into view, moving no further than need be."""
        self._due.settle()
        card, drawing, moment = self._card_of(node_id), self._drawing, self._moment
        if drawing is not None and moment is not None and card is not None:
            big = enlarged(drawing, moment, self._kind).get(card)
            area = card_area(drawing, card) if big is None else big.covers
            self._reveal([area.grown(RING)])

    def centre_on(self, node_id: int) -> None:
        """Bring a node into the middle, large enough to be read."""
        self._due.settle()
        card = self._card_of(node_id)
        if self._drawing is not None and card is not None:
            scale = max(self._view.scale, READABLE * self._view.unit)
            self._view.show(scale, self._drawing.card(card).middle)

    @property
    def _leads(self) -> bool:
        """The upper pane moves both."""
        return self._index == 0

    @property
    def _kind(self) -> Type:
        """The type that is used at this scale."""
        return kind_for(self._ink, self._view.scale)

    @property
    def _content(self) -> Area | None:
        return None if self._drawing is None else self._drawing.bounds

    def _arrange(self) -> None:
        if self._leads and self._view.hold is Hold.AUTOMATIC:
            self._begin()
        elif self._leads:
            super()._arrange()

    def _begin(self) -> None:
        """Show all of the drawing where that is legible; else its root, and follow the steps."""
        drawing = self._drawing
        if drawing is None:
            return
        room = self.maximumViewportSize()
        found = opening(drawing, room.width(), room.height(), self._view.unit)
        self._view.show(*found, Hold.AUTOMATIC)
        if self._follows:
            self._follow(glides=False)

    def _follow(self, *, glides: bool = True) -> None:
        """Bring the nodes of the current step into view, and its arithmetic."""
        drawing, moment = self._drawing, self._moment
        if drawing is None or moment is None:
            return
        areas = active_areas(drawing, moment, self._kind)
        areas += caption_areas(drawing, moment, self._kind, self._view.scale, None)
        self._reveal(areas, glides=glides)
