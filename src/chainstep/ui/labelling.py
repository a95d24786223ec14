"""Where the arithmetic of a write stands: on its edge, and on no card.

Plain geometry in scene units.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from chainstep.ui.drawing import Area, at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.drawing import Drawing

GAP = 2.0
"""Least distance between the label and a card."""
CLEAR = 4.0
"""Distance between the label and a level edge below or above it."""
FLAT = 0.35
"""Slope below which an edge counts as level, so that a label on it would hide it."""
REACH = 150.0
"""How far from its edge a label may be moved."""


def place(
    drawing: Drawing,
    points: Sequence[tuple[float, float]],
    width: float,
    height: float,
    view: Area | None = None,
) -> Area:
    """The place of a label of that size: near the middle of a course, free of cards.

    A level course keeps its label above it, a steep one carries it. A place in `view` is taken
    before one outside. Where nothing is free the middle of the course is taken all the same.
    """
    start, end = at(points, 0.45), at(points, 0.55)
    level = abs(end[1] - start[1]) <= FLAT * abs(end[0] - start[0])
    best: Area | None = None
    obstacles = _obstacles(drawing, points, width, height)
    for share, lift in _candidates(level, height):
        x, y = at(points, share)
        area = Area(x - width / 2, y - height / 2, x + width / 2, y + height / 2).moved(0, lift)
        if any(area.meets(obstacle) for obstacle in obstacles):
            continue
        if view is None or view.holds(area):
            return area
        best = best or area
    if best is not None:
        return best
    x, y = at(points, 0.5)
    return Area(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


@cache
def _candidates(level: bool, height: float) -> tuple[tuple[float, float], ...]:
    """(share of the course, distance below it), the most natural first."""
    beside = height / 2 + CLEAR
    lifts = [0.0] if not level else []
    distance = beside
    while distance < REACH:
        lifts += [-distance, distance]
        distance += CLEAR
    shares = [0.5, *(0.5 + sign * step / 20 for step in range(1, 10) for sign in (-1, 1))]
    pairs = [(share, lift) for share in shares for lift in lifts]
    # Half a course to the side weighs as much as a label's height up or down, and above is better.
    return tuple(
        sorted(pairs, key=lambda p: abs(p[0] - 0.5) * 4 * height + abs(p[1]) + (p[1] > 0) * CLEAR)
    )


def _obstacles(
    drawing: Drawing, points: Sequence[tuple[float, float]], width: float, height: float
) -> list[Area]:
    """Every card and badge that a label near a course could meet, with the gap to keep."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    around = Area(min(xs) - width, min(ys) - REACH, max(xs) + width, max(ys) + REACH)
    return [area.grown(GAP) for area in drawing.obstacles(around.grown(height))]
