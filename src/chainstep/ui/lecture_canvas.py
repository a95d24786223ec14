"""A pane of the graph in a lecture: as large as the last row needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt

from chainstep.layout import CARD_HEIGHT, CARD_WIDTH, GAP_X
from chainstep.ui.annotation import has_label, label
from chainstep.ui.canvas import Canvas
from chainstep.ui.cards import BESIDE_BADGE, GAP, RIGHT
from chainstep.ui.drawing import BADGE, Area, Drawing
from chainstep.ui.ground import card_area
from chainstep.ui.moment import GRAD
from chainstep.ui.painting import RING
from chainstep.ui.scroller import between
from chainstep.ui.viewport import Hold, Viewport, fitting

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from chainstep.ui.palette import Palette
    from chainstep.ui.session import Session

LEAST_TYPE = 14.0
"""Pixels, at 100%, that the smallest type on a card is high at the least."""
MOST_MEASURED = 4000
"""Numbers that are measured, of a pass; where it has more, the smallest type is reckoned with."""
FAR_MARGIN = 5
"""Pixels left free around a graph, at 100%, that is whole only in the type for afar."""
CLOSE = 1.6
"""How much larger than the least scale an edge is shown at the most, when it is zoomed to."""


class LectureCanvas(Canvas):
    """A pane of the graph without scroll bars, headings and hints.

    All of the graph is shown where its figures can be read from the last row; else it is as large
    as they need, and moves along with the step.

    Args:
        session: What to show.
        viewport: Scale and place, shared with the other pane.
        pane_index: Which of the session's panes, from 0.
        palette: The colours.
    """

    large_type = True

    def __init__(
        self, session: Session, viewport: Viewport, pane_index: int, palette: Palette
    ) -> None:
        self.is_close = False
        super().__init__(session, viewport, pane_index, palette)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(off)
        self.setVerticalScrollBarPolicy(off)

    def set_close(self, is_close: bool) -> None:
        """Zoom to the edge of the step, or show as much as can be read."""
        self.is_close = is_close
        self._begin()

    @property
    def least_scale(self) -> float:
        """The scale at which all type on cards is high enough, and a card fits the pane."""
        view, room = self._view, self.maximumViewportSize()
        wanted = LEAST_TYPE * view.unit / self._smallest_type()
        around = view.margin * view.unit
        high = (room.height() - around) / (CARD_HEIGHT + RING)
        wide = (room.width() - around) / (CARD_WIDTH + 2 * BADGE)
        return max(min(wanted, high, wide), 0.1)

    def _smallest_type(self) -> float:
        """Size of the smallest type that any number of the pass is set in, in scene units."""
        kind, pane = self._ink.usual, self._pane
        sizes = [kind.label.font.pixelSize()]
        if pane is None or self._drawing is None:
            return float(sizes[0])
        numbers = {step.after for step in pane.trace.steps if step.after is not None}
        numbers.update(node.data for node in self._drawing.graph.nodes)
        if len(numbers) > MOST_MEASURED:
            return float(kind.numbers[-1].font.pixelSize())
        room = CARD_WIDTH - BESIDE_BADGE - RIGHT - kind.label.width(GRAD) - GAP
        sizes += [kind.figure(number, room, bold=True)[0].font.pixelSize() for number in numbers]
        return float(min(sizes))

    def _close_scale(self) -> float:
        """One for all edges, so that nothing jumps: two columns and two rows find room."""
        room = self.maximumViewportSize()
        wide = room.width() / (2 * CARD_WIDTH + 1.4 * GAP_X)
        high = room.height() / (2.6 * CARD_HEIGHT)
        least = self.least_scale
        return max(least, min(wide, high, CLOSE * least))

    def _begin(self) -> None:
        """All of the drawing where it can be read; else its root, and then follow the step."""
        drawing = self._drawing
        if drawing is None:
            return
        scale, centre = self._fitting(drawing.bounds)
        if self.is_close:
            scale = max(scale, self._close_scale())
        elif scale < self.least_scale:
            scale, centre = self._fitting_from_afar(drawing)
        # In the type for afar the figures are as high as they are to be at a smaller scale.
        figures = LEAST_TYPE * self._view.unit / self._ink.far.numbers[-1].font.pixelSize()
        if scale < min(self.least_scale, figures) or self.is_close:
            scale = max(scale, self.least_scale)
            centre = self._at_root(drawing, scale)
        self._view.show(scale, centre, Hold.AUTOMATIC)
        if self._follows:
            self._follow(glides=False)

    def _fitting_from_afar(self, drawing: Drawing) -> tuple[float, tuple[float, float]]:
        """(scale, centre) at which all is in the pane, and set in the type for afar."""
        view, room = self._view, self.maximumViewportSize()
        scale, centre = fitting(
            drawing.bounds, room.width(), room.height(), view.unit, 0, FAR_MARGIN
        )
        return min(scale, 0.999 * self._ink.far_below), centre

    def _at_root(self, drawing: Drawing, scale: float) -> tuple[float, float]:
        """The centre at which the root is where the graph ends, and no room is lost."""
        bounds, room = drawing.bounds, self.maximumViewportSize()
        margin = self._view.margin * self._view.unit / scale
        root = card_area(drawing, drawing.graph.root)
        half_x, half_y = room.width() / 2 / scale, room.height() / 2 / scale
        x, y = root.right + margin - half_x, root.bottom + margin - half_y
        if drawing.downward:
            low, high = bounds.left - margin + half_x, bounds.right + margin - half_x
            return between(root.middle[0], low, high), y
        low, high = bounds.top - margin + half_y, bounds.bottom + margin - half_y
        return x, between(root.middle[1], low, high)

    def _follow(self, *, glides: bool = True) -> None:
        """Bring the step into view; when it is zoomed to, into the middle."""
        drawing, moment = self._drawing, self._moment
        if drawing is None or moment is None:
            return
        areas = [card_area(drawing, n) for n in moment.active() if n in drawing.graph]
        if not self.is_close or not areas:
            # The arithmetic finds its place between the cards: there is always room in sight.
            self._reveal(areas, glides=glides)
            return
        if has_label(drawing, moment):
            areas.append(label(drawing, moment, self._kind, None)[0])
        whole = areas[0]
        for area in areas[1:]:
            whole = whole.united(area)
        if self._has_room_for(whole):
            self._view.follow(whole.middle, glides=glides)
        else:
            self._reveal(areas, glides=glides)

    def _has_room_for(self, area: Area) -> bool:
        view, size = self._view, self.viewport().size()
        margin = view.margin * view.unit
        return (
            area.width * view.scale <= size.width() - margin
            and area.height * view.scale <= size.height() - margin
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape is the lecture's, also where a click has brought the keys here."""
        if event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        """No hint appears over what is projected."""
        if event.type() is QEvent.Type.ToolTip:
            event.ignore()
            return True
        return super().viewportEvent(event)
