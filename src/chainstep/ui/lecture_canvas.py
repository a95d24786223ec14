"""A pane of the graph in a lecture: as large as the last row needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLineF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient

from chainstep.layout import CARD_HEIGHT, CARD_WIDTH, GAP_X, GAP_Y
from chainstep.ui.annotation import has_label, label
from chainstep.ui.canvas import Canvas
from chainstep.ui.cards import paint_blank
from chainstep.ui.drawing import Area
from chainstep.ui.extent import active_areas
from chainstep.ui.focus import enlarged, room
from chainstep.ui.ground import card_area
from chainstep.ui.ink import FARTHEST_TYPE, LEAST_TYPE
from chainstep.ui.painting import NAMES_ONLY, rectangle
from chainstep.ui.scroller import between
from chainstep.ui.viewport import Hold, Viewport, fitting

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QPainter

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.focus import Enlarged
    from chainstep.ui.palette import Palette
    from chainstep.ui.session import Session
    from chainstep.ui.sight import Sight

FAR_MARGIN = 2
"""Pixels left free around a graph, at 100%, that is whole only in the type for afar."""
ARITHMETIC = (270.0, 120.0)
"""Room that it needs at the most beside a card, and above one, in scene units."""
EDGE_WIDTH, ROOMY = 560.0, 1.35
"""What an edge needs with its two cards, in scene units, and how much larger than at the least a
graph is shown that is not whole."""
ROWS_HEIGHT = 3.5 * (CARD_HEIGHT + GAP_Y)
"""What rows need of which not all have room."""
COLUMNS_WIDTH = 820.0
"""What three columns need: with so much room it is shown larger still, all its words readable."""
HEADROOM = 56.0
"""What arithmetic needs above cards that stand in one row, in scene units: between them it would
hide one of the edges of `a + a`."""
WORDS = 1.0
"""How far a card may reach beyond the pane, in scene units, and still show its words."""
NEAR = 24.0
"""How far a card that is brought in stands at the most from where it is, if that is not shown."""
FADE = 5.0
"""Pixels, at 100%, over which what goes on beyond the pane fades out."""
CLOSE = 1.6
"""How much larger than the least scale an edge is shown at the most, when it is zoomed to."""
SAME = 1e-6
"""Share by which two scales differ that are the same but for rounding."""


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
    tells_steps = False  # the sentence below does

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
    def _content(self) -> Area | None:
        """The drawing, with the room that its cards need where they stand out."""
        drawing = self._drawing
        if drawing is None or self._view.scale >= self._ink.far_below:
            return super()._content
        return room(drawing.bounds, downward=drawing.downward)

    @property
    def least_scale(self) -> float:
        """The scale at which all that a step is about is high enough to be read."""
        return LEAST_TYPE * self._view.unit / FARTHEST_TYPE

    def shows_whole_in(self, width: int, height: int) -> bool:
        """Whether a pane of that size would show all of the drawing."""
        if self._drawing is None:
            return True
        return self._fitting_from_afar(self._drawing, QSize(width, height))[0] >= self.least_scale

    def _close_scale(self) -> float:
        """One for all edges, so that nothing jumps: two columns and two rows find room."""
        size = self.maximumViewportSize()
        wide = size.width() / (2 * CARD_WIDTH + 1.4 * GAP_X)
        high = size.height() / (2.6 * CARD_HEIGHT)
        return max(self.least_scale, min(wide, high, CLOSE * self._ink.far_below))

    def _roomy_scale(self, drawing: Drawing) -> float:
        """A little more than the least, where two columns and a few rows have room for it.

        Larger still where three columns and all rows have.
        """
        size, area = self.maximumViewportSize(), room(drawing.bounds, downward=drawing.downward)
        along, across = size.width(), size.height() / area.height
        if drawing.downward:
            along, across = size.height(), size.width() / area.width
        rows = across if drawing.downward else max(across, size.height() / ROWS_HEIGHT)
        roomy = min(along / EDGE_WIDTH, rows, ROOMY * self.least_scale)
        larger = min(along / COLUMNS_WIDTH, across, self._ink.far_below)
        return max(self.least_scale, roomy, larger)

    def _begin(self) -> None:
        """All of the drawing where it can be read; else its root, and then follow the step."""
        drawing = self._drawing
        if drawing is None:
            return
        scale, centre = self._fitting(_with_headroom(drawing))
        if self.is_close:
            scale = max(scale, self._close_scale())
        elif scale < self._ink.far_below:
            scale, centre = self._fitting_from_afar(drawing, self.maximumViewportSize())
        if scale < self.least_scale or self.is_close:
            scale = max(scale, self._roomy_scale(drawing))
            centre = self._at_root(drawing, scale)
        self._view.show(scale, centre, Hold.AUTOMATIC)
        if self._follows:
            self._follow(glides=False)

    def _brought(self, drawing: Drawing, moment: Sight) -> dict[int, Enlarged]:
        """The cards of the step that have no room in the pane and stand at its rim."""
        big = enlarged(drawing, moment, self._kind, self._clear_area())
        return {node_id: each for node_id, each in big.items() if each.home is not None}

    def _mark_areas(self, drawing: Drawing, moment: Sight) -> list[Area]:
        """The same, and the cards that are without words while another one stands over them."""
        covered = [
            card_area(drawing, node_id)
            for each in self._brought(drawing, moment).values()
            for node_id in drawing.nodes_seen_in(each.covers)
        ]
        return [*super()._mark_areas(drawing, moment), *covered]

    def _paint(self, painter: QPainter, drawing: Drawing, moment: Sight) -> None:
        """The same, and no half words on a card of the step that has no room in the pane."""
        super()._paint(painter, drawing, moment)
        visible, focus = self.visible_area(), self._kind.focus
        cut = [
            (node_id, big)
            for node_id, big in enlarged(drawing, moment, self._kind, self._clear_area()).items()
            if big.area.meets(visible) and not visible.holds(big.area.grown(-WORDS))
        ]
        if focus is None or not cut:
            return
        painter.scale(1 / self.devicePixelRatioF(), 1 / self.devicePixelRatioF())
        self._projection.apply(painter)
        for node_id, big in cut:
            card = moment.card(drawing.graph.node(node_id))
            badge = big.badge if big.badge is not None and visible.holds(big.badge) else None
            paint_blank(painter, self._ink, focus, card, big.area, badge)
        painter.resetTransform()

    def _paint_rim(self, painter: QPainter, drawing: Drawing, moment: Sight) -> None:
        """No half words: a card across the edge of the pane is blank, and what goes on fades."""
        visible, bounds = self.visible_area(), drawing.bounds
        if self._view.scale < NAMES_ONLY or visible.holds(bounds):
            return
        clip = painter.clipBoundingRect()
        seen = Area(clip.left(), clip.top(), clip.right(), clip.bottom())
        brought = self._brought(drawing, moment)
        active = {*moment.active()} - brought.keys()
        for node_id in drawing.nodes_seen_in(seen):
            area = drawing.card(node_id)
            covered = any(each.covers.meets(area) for each in brought.values())
            cut = covered or not visible.holds(area.grown(-WORDS))
            if node_id in brought and brought[node_id].covers.grown(NEAR).holds(
                area.within(visible)
            ):
                # Two of the same card almost over one another would be a riddle.
                continue
            if cut and node_id not in active and area.meets(visible) and moment.is_made(node_id):
                card, badge = moment.card(drawing.graph.node(node_id)), drawing.badge(node_id)
                if badge is not None and not visible.holds(badge):
                    badge = None
                stamps = self._ground.stamps
                paint_blank(painter, self._ink, self._kind, card, area, badge, stamps)
        deep = FADE * self._view.unit / self._view.scale
        left, top, right, bottom = visible
        for goes_on, strip, across in (
            (bounds.left < left, visible._replace(right=left + deep), (left, 0, left + deep, 0)),
            (bounds.top < top, visible._replace(bottom=top + deep), (0, top, 0, top + deep)),
            (
                bounds.right > right,
                visible._replace(left=right - deep),
                (right, 0, right - deep, 0),
            ),
            (
                bounds.bottom > bottom,
                visible._replace(top=bottom - deep),
                (0, bottom, 0, bottom - deep),
            ),
        ):
            if goes_on and strip.meets(seen):
                painter.fillRect(rectangle(strip), self._fade(QLineF(*across)))

    def _fade(self, line: QLineF) -> QLinearGradient:
        """From the colour of the ground to nothing, along a line."""
        gradient, colour = QLinearGradient(line.p1(), line.p2()), QColor(self._ink.canvas)
        gradient.setColorAt(0, colour)
        colour.setAlpha(0)
        gradient.setColorAt(1, colour)
        return gradient

    def _fitting_from_afar(
        self, drawing: Drawing, size: QSize
    ) -> tuple[float, tuple[float, float]]:
        """(scale, centre) at which all is in a pane of that size, and set in the type for afar."""
        view = self._view
        whole = room(_with_headroom(drawing), downward=drawing.downward)
        scale, centre = fitting(whole, size.width(), size.height(), view.unit, 0, FAR_MARGIN)
        return min(scale, 0.999 * self._ink.far_below), centre

    def _at_root(self, drawing: Drawing, scale: float) -> tuple[float, float]:
        """The centre at which the root is where the graph ends, and no room is lost."""
        bounds, size = drawing.bounds, self.maximumViewportSize()
        margin = self._view.margin * self._view.unit / scale
        root = card_area(drawing, drawing.graph.root)
        half_x, half_y = size.width() / 2 / scale, size.height() / 2 / scale
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
        areas = active_areas(drawing, moment, self._kind)
        if not self.is_close or not areas:
            self._show_step(drawing, moment, areas, glides=glides)
            return
        if has_label(drawing, moment):
            areas.append(label(drawing, moment, self._kind, None)[0])
        whole = areas[0]
        for area in areas[1:]:
            whole = whole.united(area)
        scale = min(self._close_scale(), self._fitting(whole)[0])
        if self._view.hold is Hold.AUTOMATIC and abs(scale - self._view.scale) > SAME * scale:
            # An edge that is too long for the scale of the others is shown as large as it fits.
            self._view.show(scale, whole.middle, Hold.AUTOMATIC)
        elif self._has_room_for(whole):
            self._view.follow(whole.middle, glides=glides)
        else:
            self._reveal(areas, glides=glides)

    def _show_step(
        self, drawing: Drawing, moment: Sight, areas: list[Area], *, glides: bool
    ) -> None:
        """Bring the cards of a step into view, or as much of its arrow as has room, and words."""
        written = has_label(drawing, moment)
        if len(areas) > 1 and not self._has_room_for(areas[0].united(areas[1])):
            areas = [areas[0], self._towards(*areas[:2]), *areas[1:]]
        # The arithmetic finds its place between the cards, or where the arrow begins.
        if written:
            areas.append(_beginning(areas[0], downward=drawing.downward))
        self._reveal(areas, glides=glides)
        clear = self._clear_area()
        if written and not clear.holds(label(drawing, moment, self._kind, clear).area):
            free = label(drawing, moment, self._kind, None).area
            self._reveal([areas[0], areas[0].united(free), *areas[1:]], glides=glides)

    def _towards(self, start: Area, end: Area) -> Area:
        """What has room in the pane of all that lies from one region to another."""
        view, size = self._view, self.viewport().size()
        margin = view.margin * view.unit
        wide, high = (
            (extent - margin - 1) / view.scale for extent in (size.width(), size.height())
        )
        whole, (x, y) = start.united(end), start.middle
        left, top, right, bottom = whole
        if end.middle[0] < x:
            left = max(left, start.right - wide)
        else:
            right = min(right, start.left + wide)
        if end.middle[1] < y:
            top = max(top, start.bottom - high)
        else:
            bottom = min(bottom, start.top + high)
        return Area(left, top, right, bottom)

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


def _with_headroom(drawing: Drawing) -> Area:
    """What is to be whole in a pane: a drawing of one row, with room for arithmetic above it."""
    bounds = drawing.bounds
    if drawing.downward or bounds.height > 1.5 * CARD_HEIGHT:
        return bounds
    return bounds._replace(top=bounds.top - HEADROOM)


def _beginning(consumer: Area, *, downward: bool) -> Area:
    """The room before a card in which an arrow from it begins, and arithmetic finds its place."""
    if downward:
        return consumer._replace(top=consumer.top - ARITHMETIC[1])
    return consumer._replace(left=consumer.left - ARITHMETIC[0])
