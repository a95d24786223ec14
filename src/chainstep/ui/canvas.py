"""One pane of the graph: a scroll area that paints itself.

It shows what the session holds, at the scale and place that the viewport says, and knows no other
widget. The picture of edges and cards is kept; a step repaints the cards that changed, and
what is marked is painted over it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QRegion

from chainstep.ui.arrow import is_drawn
from chainstep.ui.extent import arrow_areas, caption_areas, ring_areas
from chainstep.ui.flow import Flow
from chainstep.ui.following import Following
from chainstep.ui.ground import Ground, card_area, edge_areas
from chainstep.ui.ink import Ink
from chainstep.ui.marking import paint_band, paint_carried
from chainstep.ui.motion import paint_traveller, traveller
from chainstep.ui.painting import HEADED, paint_footer, paint_heading, paint_marks, standing
from chainstep.ui.scenes import Scenes
from chainstep.ui.spoken import Voice
from chainstep.ui.stops import paint_stops
from chainstep.ui.telling import facts, void
from chainstep.ui.viewport import Viewport

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QPaintEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from chainstep.ui.drawing import Area, Drawing
    from chainstep.ui.palette import Palette
    from chainstep.ui.session import Pane, Session
    from chainstep.ui.sight import Sight

__all__ = ["Canvas", "Viewport"]

BESIDE_HEADING = 110.0
"""Pixels at the upper right, at 100%, where buttons lie over a pane."""
FEW = 100
"""Cards with rings up to which just these are painted anew."""


class Canvas(Following):
    """A pane of the graph.

    Args:
        session: What to show.
        viewport: Scale and place, shared with the other pane.
        pane_index: Which of the session's panes, from 0.
        palette: The colours.
        parent: Owner.
    """

    tells_steps = True
    """Whether it lets those who hear the window hear each step."""
    moved = Signal()
    """What is shown lies elsewhere in the pane by now, or has another size."""

    def __init__(
        self,
        session: Session,
        viewport: Viewport,
        pane_index: int,
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(session, viewport, pane_index, palette, parent)
        self._ground = Ground()
        self._voice = Voice(self, session)
        self._scenes = Scenes(session)
        self._stops: dict[int, bool] = {}
        self._number = 0
        self._marks = QRegion()
        self._marks_are_due = False
        self._active: tuple[int, ...] = ()
        self._travelling = QRect()
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        viewport.motion.advanced.connect(self._move_along)
        session.recording_changed.connect(self._take)
        session.run_changed.connect(self._run_changed)
        session.view_changed.connect(self._take)
        session.position_changed.connect(self._step)
        session.selection_changed.connect(self._select)
        session.pointer_changed.connect(self._point)
        session.breakpoints.changed.connect(self._mark_stops)
        session.checks.changed.connect(self._judged)
        session.selection.changed.connect(self._selected)
        session.moves.changed.connect(self._rearranged)
        viewport.carried_changed.connect(self.viewport().update)
        self._take_all()

    # -- what the window calls ----------------------------------------------------------

    def set_palette(self, palette: Palette) -> None:
        """Paint in other colours."""
        self._ink = Ink(palette, large=self.large_type, unit=self._view.unit)
        self._repaint_all()

    # -- what the session says ----------------------------------------------------------

    @property
    def _pane(self) -> Pane | None:
        panes = self._session.panes
        return panes[self._index] if self._index < len(panes) else None

    def _is_unseen(self) -> bool:
        """Whether nobody sees the pane: it takes what happens meanwhile when it is shown."""
        return self._due.later(self._catch_up)

    def _catch_up(self) -> None:
        """Show what there is now, after something happened that nobody saw."""
        self._take_all()
        if self._leads and self._follows:
            self._follow(glides=False)

    def _take(self) -> None:
        """Another recording, or another trace of it."""
        if not self._is_unseen():
            self._take_all()

    def _take_all(self) -> None:
        session = self._session
        before = self._drawing
        self._place()
        self._ground.flow = self._flow()
        if self._drawing is not None and self._leads and self._is_new(before):
            self._begin()
        self._stops = session.breakpoints.marks()
        self._remember()
        self._repaint_all()
        self._update_bars()
        self._describe()

    def _place(self) -> None:
        """Take what the session holds now, and where it stands."""
        session, pane = self._session, self._pane
        visible, layout = session.visible, session.layout
        if visible is None or layout is None or pane is None:
            self._drawing = self._moment = None
        else:
            self._drawing = self._view.drawing(visible.graph, layout)
            self._moment = self._scenes.sight(pane, self._drawing)

    def _flow(self) -> Flow | None:
        """The neighbourhood that is lit, where one is."""
        own = self._card_of(self._session.selected)
        if self._drawing is None or own is None or not self._session.selection.shows_flow:
            return None
        return Flow.of(self._drawing.graph, own)

    def _rearranged(self) -> None:
        """Cards stand elsewhere: nothing else has changed."""
        if self._is_unseen():
            return
        self._place()
        self._ground.flow = self._flow()
        self._repaint_all()
        self._update_bars()

    def _selected(self) -> None:
        """Other nodes are selected, or their neighbourhood is lit or no longer."""
        if self._is_unseen():
            return
        flow = self._flow()
        if flow != self._ground.flow:
            self._ground.flow = flow
            self._mark_again()
            self._repaint_all()
            self._describe()
        else:
            self._mark_again()

    def _is_new(self, before: Drawing | None) -> bool:
        """Whether the drawing looks other than the one before: then it is fitted anew."""
        now = self._drawing
        assert now is not None
        if before is not None and before.layout is now.layout:
            return False
        # Another pass of the same shape stands where the one before did, though its ids differ.
        places = [*now.layout.boxes.values()]
        return before is None or [*before.layout.boxes.values()] != places

    def _run_changed(self) -> None:
        if self._drawing is None:
            self.viewport().update()

    def _step(self) -> None:
        """Another position: find the cards that changed, and repaint only those."""
        moment = self._moment
        if self._is_unseen() or moment is None:
            return
        self._place()
        drawing, now = self._drawing, self._moment
        if drawing is None or now is None:
            return
        one_on = now.phase is moment.phase and now.number == self._number + 1
        # First, so that what is to be painted is found where it will be.
        if self._leads and self._follows:
            self._follow()
        # Between two phases every card changes. Where what is to come is hidden, only the later
        # moment knows what lies between.
        later = max(now, moment, key=lambda each: each.number)
        number = self._number if later is now else now.number
        changed = later.changed(number) if now.phase is moment.phase else None
        if changed is None:
            self._remember()
            self._repaint_all()
        else:
            nodes = {*changed, *self._active, *now.active(), *(moment.differing ^ now.differing)}
            edges = edge_areas(drawing, changed) if now.hidden() is not None else []
            # Those that stand out cover their places: these are painted when they no longer do.
            big = standing(drawing, now, self._ink, self._view.scale, self._clear_area())
            nodes -= {node_id for node_id, each in big.items() if each.home is None}
            self._repaint_nodes((n for n in nodes if n in drawing.graph), edges)
        self._set_out(drawing, now, one_on)
        self._describe()
        if self._leads and self.tells_steps:
            self._voice.announce_step(self._pane)

    def _judged(self) -> None:
        """Gradients are known to be wrong, or no longer: nothing moves and nothing is told anew."""
        moment = self._moment
        if self._is_unseen() or moment is None:
            return
        self._place()
        if self._drawing is not None and self._moment is not None:
            graph, others = self._drawing.graph, moment.wrong ^ self._moment.wrong
            self._repaint_nodes(node_id for node_id in others if node_id in graph)

    def _set_out(self, drawing: Drawing, moment: Sight, one_on: bool) -> None:
        """Let the contribution of a step forward travel; whatever was on its way has arrived."""
        if not self._leads:
            return
        motion = self._view.motion
        motion.stop()
        if one_on and self._view.animated and is_drawn(drawing, moment):
            motion.start()

    def _move_along(self) -> None:
        """Paint what travels where it is now, and not where it was."""
        share, drawing, moment = self._view.motion.share, self._drawing, self._moment
        before, self._travelling = self._travelling, QRect()
        if share is not None and drawing is not None and moment is not None:
            found = traveller(drawing, moment, self._kind, share, self._clear_area())
            if found is not None:
                self._travelling = self.rectangle(found[0].grown(3))
        self.viewport().update(QRegion(before) + QRegion(self._travelling))

    def _select(self) -> None:
        selected = self._session.selected
        if self._is_unseen() or not self._mark_again() or not self._leads:
            return
        if selected is not None:
            self.show_node(selected)
        self._describe(chosen=True)
        if self._moment is not None:
            self._voice.announce_selected(self._moment)

    def _mark_stops(self) -> None:
        self._stops = self._session.breakpoints.marks()
        self.viewport().update()

    def _point(self) -> None:
        if not self._is_unseen():
            self._mark_again()

    def _mark_again(self) -> bool:
        """Mark other cards at the same position; gives whether there are any."""
        drawing, pane = self._drawing, self._pane
        if drawing is None or pane is None:
            return False
        self._moment = self._scenes.sight(pane, drawing)
        self._repaint_nodes(())
        return True

    def _describe(self, *, chosen: bool = False) -> None:
        """Say what is on show to those who hear the window instead of seeing it.

        Args:
            chosen: Whether the news is the node that is selected.
        """
        self._voice.describe(self._pane, self._moment, self._facts(), chosen=chosen)

    def _facts(self) -> list[str]:
        """What is to be known of the drawing, as lines."""
        return [] if self._moment is None else facts(self._moment.visible, self._ground.flow)

    def _remember(self) -> None:
        """Keep what is on show, to know at the next step what of it changed."""
        if self._moment is not None:
            self._number = self._moment.number
            self._active = self._moment.active()

    # -- painting -----------------------------------------------------------------------

    def _repaint_all(self) -> None:
        self._ground.invalidate()
        self._marks_are_due = True
        self.viewport().update()

    def _repaint_nodes(self, nodes: Iterable[int], edges: Sequence[Area] = ()) -> None:
        """Repaint these cards, these edges, what was marked and what is marked now."""
        drawing = self._drawing
        assert drawing is not None
        changed = list(nodes)
        self._ground.mark(changed)
        self._ground.mark_areas(edges)
        self._remember()
        if self._marks_are_due:
            # All is painted anyway. Where the marks are is not found out: the next step takes them
            # to be anywhere.
            self._marks, self._marks_are_due = QRegion(self.viewport().rect()), False
            return
        before, self._marks = self._marks, self._marked()
        region = before + self._marks
        for node_id in changed:
            region += self.rectangle(card_area(drawing, node_id))
        for area in edges:
            region += self.rectangle(area)
        self.viewport().update(region)

    def _marked(self) -> QRegion:
        """What :func:`paint_marks` paints on."""
        drawing, moment = self._drawing, self._moment
        region = QRegion()
        if drawing is None or moment is None:
            return region
        for area in self._mark_areas(drawing, moment):
            region += self.rectangle(area)
        return region & self.viewport().rect()

    def _mark_areas(self, drawing: Drawing, moment: Sight) -> list[Area]:
        marked = {moment.selected, moment.pointed, *self._selected_cards}
        if len(marked) > FEW:
            return [self.visible_area()]
        kind, scale, clear = self._kind, self._view.scale, self._clear_area()
        return [
            *ring_areas(drawing, (node_id for node_id in marked if node_id is not None)),
            *arrow_areas(drawing, moment, kind, scale, self.visible_area(), clear),
            *caption_areas(drawing, moment, kind, scale, clear),
        ]

    def _clear_area(self) -> Area:
        """What of the scene is in view and not under the heading, where a glide has ended."""
        view = self._view
        area = self.area_around(view.goal)
        headed = HEADED * view.unit / view.scale if view.heading else 0.0
        return area._replace(top=area.top + headed)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Copy the kept picture, paint over it what is marked."""
        with QPainter(self.viewport()) as painter:
            painter.setClipRegion(event.region())
            if self._drawing is None or self._moment is None:
                self._paint_message(painter)
            else:
                self._paint(painter, self._drawing, self._moment)
        if self._marks_are_due:
            self._marks, self._marks_are_due = self._marked(), False

    def _paint(self, painter: QPainter, drawing: Drawing, moment: Sight) -> None:
        projection, scale = self._projection, self._view.scale
        visible = self.visible_area()
        self._ground.refresh(drawing, moment, self._ink, projection, self._size, scale)
        # In device pixels, the picture's own: it is copied and not scaled.
        painter.scale(1 / self.devicePixelRatioF(), 1 / self.devicePixelRatioF())
        painter.drawPixmap(0, 0, self._ground.pixmap)
        painter.save()
        stamps = self._ground.stamps
        stamps.apply(painter, projection, self._ink)
        self._paint_rim(painter, drawing, moment)
        clear, others = self._clear_area(), {*self._selected_cards} - {moment.selected}
        paint_marks(painter, drawing, moment, self._ink, visible, scale, clear, others, stamps)
        share = self._view.motion.share
        if share is not None:
            paint_traveller(painter, drawing, moment, self._ink, self._kind, share, clear)
        if self._stops:
            paint_stops(painter, drawing, self._ink.palette, self._stops, visible, scale)
        if self._view.carried is not None:
            paint_carried(painter, drawing, moment, self._ink, self._view.carried, scale)
        if self._band is not None:
            paint_band(painter, self._ink, self._band, scale)
        painter.restore()
        painter.resetTransform()
        pane = self._pane
        if pane is not None and self._view.heading:
            painter.scale(self._view.unit, self._view.unit)
            room = self.viewport().rect()
            wide, high = room.width() / self._view.unit, room.height() / self._view.unit
            heading = self._session.heading(pane.mode)
            paint_heading(painter, self._ink, heading, wide - BESIDE_HEADING)
            paint_footer(painter, self._ink, self._facts(), wide, high)
            painter.resetTransform()
        if self._shows_focus and self.hasFocus():
            painter.setPen(self._ink.frame)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.viewport().rect().adjusted(1, 1, -1, -1))

    def _paint_rim(self, painter: QPainter, drawing: Drawing, moment: Sight) -> None:
        """What lies across the edge of the pane: it is shown as far as it is in view."""

    def _paint_message(self, painter: QPainter) -> None:
        """Say in the middle of the empty pane what is to be done or waited for."""
        rectangle = self.viewport().rect()
        painter.fillRect(rectangle, self._ink.canvas)
        painter.setPen(self._ink.muted)
        painter.setFont(self._ink.label.font)
        unit = self._view.unit
        painter.scale(unit, unit)
        room = QRectF(0, 0, rectangle.width() / unit, rectangle.height() / unit)
        room.adjust(40, 40, -40, -40)
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        painter.drawText(room, int(flags), void(self._session))

    # -- place --------------------------------------------------------------------------

    def _moved(self) -> None:
        # Where the marks are then is known once they have been painted there.
        self._marks_are_due = True
        super()._moved()
        self.moved.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what happened meanwhile."""
        super().showEvent(event)
        self._due.settle()
