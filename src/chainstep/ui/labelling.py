"""Where the arithmetic of a write stands: on its edge, and on no card.

Plain geometry in scene units. All places come into question at once, as arrays: trying them
one by one took longer than painting the step.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from chainstep.ui.drawing import Area, at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chainstep.ui.drawing import Drawing

GAP = 2.0
"""Least distance between the label and a card."""
CLEAR = 4.0
"""Distance between the label and a level edge below or above it."""
FLAT = 0.35
"""Slope below which an edge counts as level, so that a label on it would hide it."""
REACH = 150.0
"""How far from its edge a label may be moved."""
SHARES = tuple(number / 20 for number in range(1, 20))
"""Places along a course that come into question."""


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
    numbers, lifts = _candidates(level, height)
    course = np.array([at(points, share) for share in SHARES])
    x, y = course[numbers, 0], course[numbers, 1] + lifts
    free = ~_covered(x, y, width, height, _obstacles(drawing, points, width, height))
    if view is not None:
        seen = (
            (x - width / 2 >= view.left)
            & (x + width / 2 <= view.right)
            & (y - height / 2 >= view.top)
            & (y + height / 2 <= view.bottom)
        )
        free = free & seen if (free & seen).any() else free
    # The candidates are in order: the first that is free is the best. argmax of none is 0.
    best = int(np.argmax(free))
    left, top = float(x[best]) - width / 2, float(y[best]) - height / 2
    return Area(left, top, left + width, top + height)


@cache
def _candidates(level: bool, height: float) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """(numbers of SHARES, distances below the course), the most natural first."""
    lifts = [] if level else [0.0]
    distance = height / 2 + CLEAR
    while distance < REACH:
        lifts += [-distance, distance]
        distance += CLEAR

    def cost(pair: tuple[int, float]) -> float:
        # Half a course to the side weighs as much as two heights up or down; above is better.
        number, lift = pair
        return abs(SHARES[number] - 0.5) * 4 * height + abs(lift) + (lift > 0) * CLEAR

    pairs = sorted(((n, lift) for n in range(len(SHARES)) for lift in lifts), key=cost)
    return np.array([n for n, _ in pairs], np.intp), np.array([lift for _, lift in pairs])


def _covered(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    width: float,
    height: float,
    obstacles: list[Area],
) -> NDArray[np.bool_]:
    """Which labels with these middles meet an obstacle."""
    rows = np.array(obstacles, np.float64).reshape(-1, 4, 1)
    meets = (
        (x - width / 2 < rows[:, 2])
        & (x + width / 2 > rows[:, 0])
        & (y - height / 2 < rows[:, 3])
        & (y + height / 2 > rows[:, 1])
    )
    covered: NDArray[np.bool_] = np.logical_or.reduce(meets, axis=0)
    return covered


def _obstacles(
    drawing: Drawing, points: Sequence[tuple[float, float]], width: float, height: float
) -> list[Area]:
    """Every card and badge that a label near a course could meet, with the gap to keep."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    around = Area(min(xs) - width, min(ys) - REACH, max(xs) + width, max(ys) + REACH)
    return [area.grown(GAP) for area in drawing.obstacles(around.grown(height))]
