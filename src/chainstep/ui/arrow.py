"""The arrow of a moment: between which cards it runs, and what of its course is drawn."""

from __future__ import annotations

from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from chainstep.ui.drawing import along, at, onward

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.drawing import Area, Drawing
    from chainstep.ui.sight import Shown

    Course = Sequence[tuple[float, float]]

SQUARE = 30.0
"""Distance at the least over which a course turns to where it ends; thrice that at the most."""
FINE, FINER = 16, 8
"""Points of a segment at which something is looked for, and how often it is then halved."""


def is_drawn(drawing: Drawing, moment: Shown) -> bool:
    """Whether there is an arrow between two nodes of the drawing."""
    edge = moment.arrow
    graph = drawing.graph
    return edge is not None and edge.child in graph and edge.consumer in graph


def arrow_course(drawing: Drawing, moment: Shown) -> Course:
    """The course of the arrow, its head first; a sweep of its own where no edge leads."""
    edge = moment.arrow
    assert edge is not None
    points = drawing.route(edge)
    if points is not None:
        return points
    start, end = drawing.card(edge.child), drawing.card(edge.consumer)
    if drawing.downward:
        (x0, y0), (x1, y1) = (start.middle[0], start.bottom), (end.middle[0], end.top)
        bend = max(60.0, abs(y1 - y0) / 2)
        return ((x0, y0), (x0, y0 + bend), (x1, y1 - bend), (x1, y1))
    (x0, y0), (x1, y1) = (start.right, start.middle[1]), (end.left, end.middle[1])
    bend = max(60.0, abs(x1 - x0) / 2)
    return ((x0, y0), (x0 + bend, y0), (x1 - bend, y1), (x1, y1))


def last_within(points: Course, area: Area) -> tuple[float, float] | None:
    """Where a course that comes from its last point leaves a region; None where it does not."""
    share = _met(points, area, within=False)
    return None if share is None else at(points, share)


def up_to(points: Course, area: Area) -> Course:
    """What of a course from its last point on lies before a region; it ends square to that."""
    share = _met(points, area, within=True)
    if share is None:
        return points
    (x, y), (before_x, before_y), *rest = onward(points, share)
    length = min(max(hypot(before_x - x, before_y - y), SQUARE), 3 * SQUARE)
    _, across, down = min(
        (abs(x - area.left), -1, 0),
        (abs(x - area.right), 1, 0),
        (abs(y - area.top), 0, -1),
        (abs(y - area.bottom), 0, 1),
    )
    return ((x, y), (x + across * length, y + down * length), *rest)


def _met(points: Course, area: Area, *, within: bool) -> float | None:
    """The share at which a course that comes from its last point is first in a region, or not."""
    steps = FINE * (len(points) // 3)
    x, y = along(points, np.arange(steps + 1) / steps).T
    inside = (area.left < x) & (x < area.right) & (area.top < y) & (y < area.bottom)
    numbers = np.flatnonzero(inside == within)
    if not len(numbers):
        return None
    number = int(numbers[-1])
    met, free = number / steps, min(1.0, (number + 1) / steps)
    for _ in range(FINER):
        share = (met + free) / 2
        across, down = at(points, share)
        is_in = area.left < across < area.right and area.top < down < area.bottom
        met, free = (share, free) if is_in is within else (met, share)
    return met
