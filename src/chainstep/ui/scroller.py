"""A scroll area over the shared viewport: zooming, moving, fitting, bringing into view.

It knows where things lie but not what they are.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QInputDevice, QNativeGestureEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QScrollBar, QWidget

from chainstep.ui.projection import Projection
from chainstep.ui.viewport import MARGIN, Hold, fitting

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent, QResizeEvent, QWheelEvent

    from chainstep.ui.drawing import Area
    from chainstep.ui.viewport import Viewport

ZOOM_STEP = 1.25
NOTCH = 120
"""Angle of one notch of a wheel, in eighths of a degree, as Qt counts."""
SCROLL_STEP = 40


class Scroller(QAbstractScrollArea):
    """A pane on the scene.

    Mouse: the wheel zooms where it points; dragging with the left or middle button moves. Two
    fingers on a touchpad move; by pinching, or with Ctrl, they zoom.

    Args:
        view: Scale and place, shared with the other pane.
        parent: Owner.
    """

    def __init__(self, view: Viewport, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._setting_bars = False
        self._pressed: QPointF | None = None
        self._dragged: QPointF | None = None
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.viewport().setMouseTracking(True)
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        view.scale_changed.connect(self._moved)
        view.centre_changed.connect(self._moved)
        view.unit_changed.connect(self._arrange)
        for bar in self._bars:
            bar.valueChanged.connect(self._scrolled)

    @property
    def _content(self) -> Area | None:
        """What the whole drawing covers; None where there is none."""
        return None

    def _clicked(self, x: float, y: float) -> None:
        """A point of the scene was clicked."""

    # -- scale and place ----------------------------------------------------------------

    def fit(self) -> None:
        """Show the whole drawing, as large as it fits, and keep it so when the pane is resized."""
        if self._content is not None:
            self._fit(self._content, Hold.FITTED)

    def zoom_in(self) -> None:
        """Enlarge around the middle."""
        self._view.zoom(ZOOM_STEP, self._view.centre)

    def zoom_out(self) -> None:
        """Reduce around the middle."""
        self._view.zoom(1 / ZOOM_STEP, self._view.centre)

    def zoom_actual(self) -> None:
        """Actual size around the middle."""
        self._view.zoom(self._view.unit / self._view.scale, self._view.centre)

    def _fit(self, area: Area, hold: Hold = Hold.FREE) -> None:
        self._view.show(*self._fitting(area), hold)

    def _fitting(self, area: Area) -> tuple[float, tuple[float, float]]:
        """(scale, centre) at which a region fills the pane."""
        # As large as without scroll bars: once everything fits there are none.
        room, view = self.maximumViewportSize(), self._view
        return fitting(area, room.width(), room.height(), view.unit, view.heading, view.margin)

    def _arrange(self) -> None:
        """Choose scale and position anew where the user left them to the pane."""
        if self._view.hold is not Hold.FREE:
            self.fit()

    def _reveal(self, areas: list[Area], *, glides: bool = True) -> None:
        """Bring regions into view, moving no further than need be.

        Where not all find room together, the earlier ones go before the later.
        """
        content = self._content
        if not areas or (content is not None and self.visible_area().holds(content)):
            return
        scale, size = self._view.scale, self.viewport().size()
        half_x, half_y = size.width() / 2 / scale, size.height() / 2 / scale
        pixel = self._view.unit / scale
        margin = self._view.margin / 2 * pixel
        heading = (max(self._view.heading, self._view.margin) - self._view.margin / 2) * pixel
        wished = areas[0]
        for area in areas[1:]:
            both = wished.united(area)
            if both.width <= 2 * (half_x - margin) and both.height <= 2 * half_y - heading - margin:
                wished = both
        goal = self._view.goal
        x = between(goal[0], wished.right + margin - half_x, wished.left - margin + half_x)
        y = between(goal[1], wished.bottom + margin - half_y, wished.top - heading + half_y)
        if (x, y) != goal:
            # A movement over more than a pane is a blur: better to be there at once.
            near_x, near_y = abs(x - goal[0]) < 3 * half_x, abs(y - goal[1]) < 3 * half_y
            self._view.follow((x, y), glides=glides and near_x and near_y)

    # -- projection ---------------------------------------------------------------------

    @property
    def _size(self) -> QSize:
        """Size of the pane in device pixels, those that it covers in part included."""
        ratio, size = self.devicePixelRatioF(), self.viewport().size()
        return QSize(ceil(size.width() * ratio), ceil(size.height() * ratio))

    @property
    def _projection(self) -> Projection:
        return self._projection_at(self._view.centre)

    def _projection_at(self, centre: tuple[float, float]) -> Projection:
        return Projection.centred(self._view.scale * self.devicePixelRatioF(), centre, self._size)

    def visible_area(self) -> Area:
        """What of the scene is in view."""
        return self.area_around(self._view.centre)

    def area_around(self, centre: tuple[float, float]) -> Area:
        """What of the scene is in view where that point is in the middle."""
        return self._projection_at(centre).area(QRect(QPoint(0, 0), self._size))

    def rectangle(self, area: Area) -> QRect:
        """The pixels of the pane that a region of the scene touches."""
        ratio, pixels = self.devicePixelRatioF(), self._projection.pixels(area)
        left, top = int(pixels.left() // ratio), int(pixels.top() // ratio)
        right = -int(-(pixels.left() + pixels.width()) // ratio)
        bottom = -int(-(pixels.top() + pixels.height()) // ratio)
        return QRect(left, top, right - left, bottom - top)

    def scene_point(self, position: QPointF) -> tuple[float, float]:
        """The point of the scene under a point of the pane."""
        ratio, projection = self.devicePixelRatioF(), self._projection
        return (
            (position.x() * ratio - projection.x) / projection.scale,
            (position.y() * ratio - projection.y) / projection.scale,
        )

    # -- scroll bars --------------------------------------------------------------------

    @property
    def _bars(self) -> tuple[QScrollBar, QScrollBar]:
        return self.horizontalScrollBar(), self.verticalScrollBar()

    def _moved(self) -> None:
        """The viewport has moved or zoomed."""
        self._update_bars()
        self.viewport().update()

    def _spans(self) -> list[tuple[int, int, int]]:
        """Per bar, in pixels: where the drawing starts, its extent, the extent of the pane."""
        assert self._content is not None
        whole = self.rectangle(self._content.grown(MARGIN / self._view.scale))
        size = self.viewport().size()
        return [
            (whole.left(), whole.width(), size.width()),
            (whole.top(), whole.height(), size.height()),
        ]

    def _update_bars(self) -> None:
        """Set the bars to what is in view of the drawing; hide them where all of it fits."""
        # Showing a bar resizes the pane, which comes back here.
        nested, self._setting_bars = self._setting_bars, True
        spans = [(0, 0, 0)] * 2 if self._content is None else self._spans()
        for bar, (start, extent, page) in zip(self._bars, spans, strict=True):
            if extent <= page + 2 * MARGIN:
                bar.setRange(0, 0)
                continue
            # The value is how far the pane's edge lies beyond the drawing's.
            bar.setRange(min(0, -start), max(extent - page, -start))
            bar.setPageStep(page)
            bar.setSingleStep(SCROLL_STEP)
            bar.setValue(-start)
        self._setting_bars = nested

    def _scrolled(self) -> None:
        """A bar was moved by hand."""
        if self._setting_bars or self._content is None:
            return
        x, y = (
            (bar.value() + start) / self._view.scale if bar.maximum() > bar.minimum() else 0.0
            for bar, (start, _, _) in zip(self._bars, self._spans(), strict=True)
        )
        self._view.move((self._view.centre[0] + x, self._view.centre[1] + y))

    # -- events -------------------------------------------------------------------------

    def _drag(self, by: QPointF) -> None:
        x, y = self._view.centre
        self._view.move((x - by.x() / self._view.scale, y - by.y() / self._view.scale))

    def _pinched(self, event: QNativeGestureEvent) -> bool:
        if event.gestureType() is not Qt.NativeGestureType.ZoomNativeGesture:
            return False
        self._view.zoom(1 + event.value(), self.scene_point(event.position()))
        return True

    def viewportEvent(self, event: QEvent) -> bool:
        """Take pinching on a touchpad."""
        if isinstance(event, QNativeGestureEvent) and self._pinched(event):
            return True
        return super().viewportEvent(event)

    def resizeEvent(self, _event: QResizeEvent) -> None:
        """Arrange the drawing anew, or keep the middle in the middle."""
        self._arrange()
        self._moved()

    def scrollContentsBy(self, _dx: int, _dy: int) -> None:
        """Nothing: the bars speak to the viewport, and it to the panes."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom where the mouse points, or move by touchpad and with Shift."""
        keys = event.modifiers()
        touchpad = event.device().type() is QInputDevice.DeviceType.TouchPad
        if keys & Qt.KeyboardModifier.ShiftModifier:
            turn = event.angleDelta()
            self._drag(QPointF(turn.y() or turn.x(), 0) * SCROLL_STEP * 2 / NOTCH)
        elif touchpad and not keys & Qt.KeyboardModifier.ControlModifier:
            pixels = event.pixelDelta()
            self._drag(QPointF(event.angleDelta() if pixels.isNull() else pixels))
        else:
            turned = event.angleDelta().y() / NOTCH
            self._view.zoom(ZOOM_STEP**turned, self.scene_point(event.position()))
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin what may become a click or a movement."""
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._pressed = event.position()
            self._dragged = None
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move along with the mouse."""
        if self._pressed is None:
            return
        position = event.position()
        moved = (position - self._pressed).manhattanLength()
        if self._dragged is None and moved >= QApplication.startDragDistance():
            self._dragged = self._pressed
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        if self._dragged is not None:
            self._drag(position - self._dragged)
            self._dragged = position

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a movement; without one it was a click."""
        if self._pressed is None:
            return
        if self._dragged is None and event.button() is Qt.MouseButton.LeftButton:
            self._clicked(*self.scene_point(event.position()))
        self._pressed = self._dragged = None
        self.viewport().setCursor(Qt.CursorShape.ArrowCursor)


def between(value: float, low: float, high: float) -> float:
    """The nearest number between two bounds; their middle where they have changed places."""
    return (low + high) / 2 if low > high else min(max(value, low), high)
