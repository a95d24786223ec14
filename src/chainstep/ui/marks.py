"""What the timeline is marked for: which marks find room, their shapes, and their words."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from chainstep.story import Mark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.ui.palette import Palette
    from chainstep.ui.session import Session

WEIGHT = (Mark.ERROR, Mark.FINDING, Mark.BREAKPOINT, Mark.DIVERGENCE, Mark.REUSE)
"""Which mark takes the room where there is not enough for all: the first."""
SIZE = 8.0
"""Width of a mark in pixels at 100%."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """One mark that found room: what it is for, its position, and where its middle is."""

    mark: Mark
    position: int
    x: float


def arrange(
    marks: Mapping[Mark, Sequence[int]], x_of: Callable[[int], float], room: float
) -> list[Glyph]:
    """The marks that find room, each `room` pixels from the next.

    One that stands where another is moves to its side. O(width log marks).
    """
    taken: list[float] = []
    found = []
    for mark in WEIGHT:
        positions = marks.get(mark, ())
        number = 0
        while number < len(positions):
            x = x_of(positions[number])
            spot = next((s for s in (x, x + room, x - room) if _is_free(taken, s, room)), None)
            if spot is not None:
                taken.insert(bisect_left(taken, spot), spot)
                found.append(Glyph(mark, positions[number], spot))
            # Of those in one place the first is enough: the keys reach the others.
            number = _first_beyond(positions, number, x + room, x_of)
    return sorted(found, key=lambda glyph: glyph.x)


def _is_free(taken: list[float], x: float, room: float) -> bool:
    at = bisect_left(taken, x)
    near = taken[max(0, at - 1) : at + 1]
    return all(abs(x - other) >= room - 0.01 for other in near)


def _first_beyond(
    positions: Sequence[int], number: int, x: float, x_of: Callable[[int], float]
) -> int:
    """The number of the first position after one that lies at x or beyond."""
    low, high = number + 1, len(positions)
    while low < high:
        middle = (low + high) // 2
        if x_of(positions[middle]) < x:
            low = middle + 1
        else:
            high = middle
    return low


def paint_glyph(painter: QPainter, palette: Palette, mark: Mark, box: QRectF) -> None:
    """A ring for reuse, ≠ for a difference, a diamond to stop at, × for an error, ! for a fault."""
    color = QColor(_color(palette, mark))
    middle, half = box.center(), box.width() / 2
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(color, half * 0.4))
    if mark is Mark.REUSE:
        painter.drawEllipse(middle, half * 0.7, half * 0.7)
    elif mark is Mark.BREAKPOINT:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        corners = ((0.0, -half), (half, 0.0), (0.0, half), (-half, 0.0))
        painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))
    elif mark is Mark.FINDING:
        x = middle.x()
        painter.drawLine(QLineF(x, box.top(), x, middle.y() + half * 0.2))
        painter.drawPoint(QPointF(x, box.bottom()))
    elif mark is Mark.DIVERGENCE:
        painter.drawLines(
            [
                QLineF(box.left(), middle.y() - half * 0.35, box.right(), middle.y() - half * 0.35),
                QLineF(box.left(), middle.y() + half * 0.35, box.right(), middle.y() + half * 0.35),
                QLineF(middle + QPointF(-half * 0.5, half), middle + QPointF(half * 0.5, -half)),
            ]
        )
    else:
        painter.drawLines(
            [
                QLineF(box.topLeft(), box.bottomRight()),
                QLineF(box.topRight(), box.bottomLeft()),
            ]
        )


def _color(palette: Palette, mark: Mark) -> str:
    return {
        Mark.REUSE: palette.muted,
        Mark.DIVERGENCE: palette.text,
        Mark.BREAKPOINT: palette.target,
        Mark.ERROR: palette.failed,
        Mark.FINDING: palette.failed,
    }[mark]


def describe(session: Session, mark: Mark, position: int) -> str:
    """What a mark says: what happens there, in a sentence."""
    # Brings the table of operations, which no window needs to be painted.
    from chainstep.explain import named  # noqa: PLC0415
    from chainstep.history import history  # noqa: PLC0415
    from chainstep.sentence import ordinal  # noqa: PLC0415

    story = session.story
    if story is None:
        return ""
    step = story.step(position)
    target = step.target if step is not None else None
    name = named(story.recording.nodes[target]) if target is not None else "a node"
    if mark is Mark.REUSE and target is not None:
        count = history(story.trace)[target].before(story.backward_position(position) - 1)
        return f"Reuse: {name} gets its {ordinal(count + 1)} contribution."
    if mark is Mark.ERROR and story.trace.error is not None:
        return f"Error: the pass broke off. {story.trace.error.message}"
    if mark is Mark.DIVERGENCE:
        return f"Difference: += and = begin to differ in {name}."
    if mark is Mark.FINDING:
        return "\n".join(f"{each.code}: {each.message}" for each in session.checks.at(position))
    return "Breakpoint: it hits here."
