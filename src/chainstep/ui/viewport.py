"""What the panes share: the drawing, the scale at which it is seen, and the point in the middle."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QVariantAnimation, Signal

from chainstep.ui.drawing import BADGE, Drawing
from chainstep.ui.motion import Motion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.graph import Graph
    from chainstep.layout import Layout
    from chainstep.ui.drawing import Area

FIT_LARGEST = 2.0
"""Scale at which fitting a small drawing stops, where all is at 100%."""
HEADING = 44
"""Pixels at the top that a heading covers, at 100%: nothing is fitted or brought into view there.
"""
MARGIN = 20
"""Pixels left free around what is fitted. Half of them are around what is brought into view, so
that nothing moves where everything is fitted."""
TIGHT_HEADING, TIGHT_MARGIN = 37, 8
"""The same where a new graph could not be shown whole otherwise: just below the heading's plate."""
LEGIBLE = 0.55
"""Scale below which a new graph is not shown whole: its type would be below 11 pixels."""
READABLE, COMFORTABLE = 0.75, 1.4
"""Scales between which it is then shown."""
LOW = 180
"""Height of a pane, at 100%, in which little room is left free."""
LOWEST_ROWS = 1.1
"""Cards above one another that have room in it at the least, unless they could not be read."""
SMALLEST, LARGEST = 0.02, 4.0
"""Limits of the scale, in pixels per scene unit, where all is at 100%."""
GLIDE_MS = 180


class Hold(Enum):
    """What becomes of scale and position when a pane changes its size."""

    FREE = "free"
    """They stay as the user chose them."""
    FITTED = "fitted"
    """The user asked for the whole drawing, and goes on seeing it whole."""
    AUTOMATIC = "automatic"
    """The user chose nothing yet: they are chosen anew."""


class Carried(NamedTuple):
    """Cards that are being moved by hand: which, and how far so far, in scene units."""

    nodes: frozenset[int]
    shift: tuple[float, float]


class Viewport(QObject):
    """Scale and position of the panes. Every change is made here and shown by all of them.

    Attributes:
        motion: What travels along an edge.
        animated: Whether a glide takes time; without, it arrives at once.
        heading: Pixels at the top that a heading covers, at 100%; 0 where there is none.
        margin: Pixels left free around what is fitted, at 100%.
        hold: What becomes of them when a pane changes its size.
    """

    scale_changed = Signal()
    centre_changed = Signal()
    carried_changed = Signal()
    """Other cards are being moved, or they have been moved further."""
    unit_changed = Signal()
    """Everything in the window has another size."""

    def __init__(
        self, parent: QObject | None = None, heading: int = HEADING, margin: int = MARGIN
    ) -> None:
        super().__init__(parent)
        self.animated = True
        self.heading = heading
        self.margin = margin
        self.motion = Motion(self)
        self.carried: Carried | None = None
        self._unit = 1.0
        self.hold = Hold.AUTOMATIC
        self._scale = 1.0
        self._centre = (0.0, 0.0)
        self._drawing: Drawing | None = None
        self._glide = QVariantAnimation(self)
        self._glide.setDuration(GLIDE_MS)
        self._glide.setEasingCurve(QEasingCurve.Type.OutCubic)
        self._glide.valueChanged.connect(self._glided)

    @property
    def scale(self) -> float:
        """Pixels per scene unit."""
        return self._scale

    @property
    def unit(self) -> float:
        """Pixels per scene unit at actual size: 2 where everything in the window is at 200%."""
        return self._unit

    def set_unit(self, unit: float) -> None:
        """Let everything have another size; a scale that the user chose grows along."""
        ratio = unit / self._unit
        if ratio == 1:
            return
        self._unit = unit
        if self.hold is Hold.FREE:
            self.show(self._scale * ratio, self._centre)
        self.unit_changed.emit()

    @property
    def centre(self) -> tuple[float, float]:
        """The point of the scene in the middle of each pane."""
        return self._centre

    @property
    def goal(self) -> tuple[float, float]:
        """Where a glide that is under way will end; the centre otherwise."""
        if self._glide.state() is QVariantAnimation.State.Running:
            end = self._glide.endValue()
            return end.x(), end.y()
        return self._centre

    def drawing(self, graph: Graph, layout: Layout) -> Drawing:
        """The drawing of a graph in its layout; made once for all panes."""
        drawn = self._drawing
        # Graphs of one shape may share a layout, and yet hold other numbers.
        if drawn is None or drawn.layout is not layout:
            drawn = self._drawing = Drawing(graph, layout)
        elif drawn.graph is not graph:
            drawn = self._drawing = drawn.of(graph)
        return drawn

    def show(self, scale: float, centre: tuple[float, float], hold: Hold = Hold.FREE) -> None:
        """Set both at once."""
        self._glide.stop()
        self.hold = hold
        self._set(self._bounded(scale), centre)

    def carry(self, nodes: Iterable[int], shift: tuple[float, float]) -> None:
        """Show these cards so far from where they stand; nothing is moved yet."""
        self.carried = Carried(frozenset(nodes), shift)
        self.carried_changed.emit()

    def drop(self) -> None:
        """Carry nothing any more."""
        self.carried = None
        self.carried_changed.emit()

    def zoom(self, factor: float, anchor: tuple[float, float]) -> None:
        """Change the scale, keeping a point of the scene where it is on the screen."""
        scale = self._bounded(self._scale * factor)
        share = self._scale / scale
        centre = tuple(a + (c - a) * share for a, c in zip(anchor, self._centre, strict=True))
        self.show(scale, (centre[0], centre[1]))

    def move(self, centre: tuple[float, float]) -> None:
        """Bring another point into the middle, as the user wants it."""
        self.show(self._scale, centre)

    def follow(self, centre: tuple[float, float], *, glides: bool = True) -> None:
        """Bring another point into the middle because something happens there.

        Args:
            centre: The point.
            glides: Whether in a short movement that the eye can follow; else at once.
        """
        hold = Hold.FREE if self.hold is Hold.FITTED else self.hold
        if not (glides and self.animated and self.motion.enabled):
            self.show(self._scale, centre, hold)
            return
        self._glide.stop()
        self.hold = hold
        self._glide.setStartValue(QPointF(*self._centre))
        self._glide.setEndValue(QPointF(*centre))
        self._glide.start()

    def _bounded(self, scale: float) -> float:
        return min(max(scale, SMALLEST), LARGEST * self._unit)

    def _glided(self, value: QPointF) -> None:
        self._set(self._scale, (value.x(), value.y()))

    def _set(self, scale: float, centre: tuple[float, float]) -> None:
        scaled, moved = scale != self._scale, centre != self._centre
        self._scale, self._centre = scale, centre
        if scaled:
            self.scale_changed.emit()
        if moved:
            self.centre_changed.emit()


def fitting(
    area: Area,
    width: float,
    height: float,
    unit: float = 1.0,
    heading: float = HEADING,
    margin: float = MARGIN,
) -> tuple[float, tuple[float, float]]:
    """(scale, centre) at which a region fills a pane of that size, under its heading.

    Args:
        area: The region.
        width: Of the pane, in pixels.
        height: The same.
        unit: Pixels per scene unit at actual size.
        heading: Pixels at the top that a heading covers, at 100%.
        margin: Pixels left free on every other side, at 100%.
    """
    top, around = max(heading, margin) * unit, margin * unit
    wide, high = max(width - 2 * around, 1.0), max(height - top - around, 1.0)
    scale = min(wide / max(area.width, 1.0), high / max(area.height, 1.0), FIT_LARGEST * unit)
    x, y = area.middle
    return scale, (x, y - (top - around) / 2 / scale)


def opening(
    drawing: Drawing, width: float, height: float, unit: float = 1.0
) -> tuple[float, tuple[float, float]]:
    """(scale, centre) at which a new drawing is shown: whole, where it can be read so.

    Else it begins at its root, with as many whole columns (or rows) before that as can be read
    with ease; one before it may be smaller.
    """
    bounds = drawing.bounds
    for around in ((HEADING, MARGIN), (TIGHT_HEADING, TIGHT_MARGIN)):
        scale, centre = fitting(bounds, width, height, unit, *around)
        if scale >= LEGIBLE * unit:
            return scale, centre
    root = drawing.card(drawing.graph.root)
    is_low = height < LOW * unit
    heading, margin = (
        each * unit for each in ((TIGHT_HEADING, TIGHT_MARGIN) if is_low else (HEADING, MARGIN))
    )
    wide, high = max(width - 2 * margin, 1.0), max(height - heading - margin, 1.0)
    along, room = (1, high) if drawing.downward else (0, wide)
    end = root[along + 2]
    starts = sorted({drawing.card(node_id)[along] for node_id in drawing.layout.boxes})
    extents = [end - start + 2 * BADGE for start in starts if start <= root[along]]
    columns = [each for each in extents[:-1] if room / each >= READABLE * unit]
    # A card without any of those that it gets from or gives to says little.
    columns += [each for each in extents[-2:-1] if room / each >= LEGIBLE * unit]
    extent = next(iter(columns), extents[-1])
    # In a low pane a card is not to be larger than the pane.
    most = min(1.0 if drawing.downward else COMFORTABLE, high / (LOWEST_ROWS * root.height * unit))
    least = max(LEGIBLE, min(READABLE, high / (root.height * unit)))
    scale = max(min(room / extent, most * unit), least * unit)
    half_x, half_y = width / 2 / scale, height / 2 / scale
    if drawing.downward:
        left, right = bounds.left - margin / scale + half_x, bounds.right + margin / scale - half_x
        x = bounds.middle[0] if left > right else min(max(root.middle[0], left), right)
        return scale, (x, root.bottom + margin / scale - half_y)
    top, bottom = bounds.top - heading / scale + half_y, bounds.bottom + margin / scale - half_y
    y = bounds.middle[1] if top > bottom else min(max(root.middle[1], top), bottom)
    return scale, (root.right + margin / scale - half_x, y)
