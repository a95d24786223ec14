"""Where the arithmetic of a write stands: on its edge, and on no card.

Plain geometry in scene units. All places come into question at once, as arrays: trying them
one by one took longer than painting the step.
"""

from __future__ import annotations

from dataclasses import dataclass
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
COVERS, UNSEEN, HIDES = 1e6, 1e3, 2e2
"""What it costs to cover a card, to be out of view, and to hide a twin of the edge."""
SAMPLES = 40
"""Pieces into which a course is cut; a label may stand at the end of each but the last."""


@dataclass(frozen=True, slots=True)
class Form:
    """One way of writing a label.

    Attributes:
        width: Extent in scene units.
        height: The same, downward.
        cost: How much worse than the best way it is, in the distance it is worth.
    """

    width: float
    height: float
    cost: float


def place(
    drawing: Drawing,
    courses: Sequence[Sequence[tuple[float, float]]],
    forms: Sequence[Form],
    view: Area | None = None,
) -> tuple[int, Area]:
    """(number of the form, its place): near the middle of a course, free of cards.

    A level course keeps its label above it, a steep one carries it. A place in `view` is taken
    before one outside, and a worse form before a place far away.

    Args:
        drawing: Where the cards stand.
        courses: The course that the label belongs to, then others that it should not hide.
        forms: The ways of writing it.
        view: What is in sight; None for everything.
    """
    points = courses[0]
    start, end = at(points, 0.45), at(points, 0.55)
    level = abs(end[1] - start[1]) <= FLAT * abs(end[0] - start[0])
    course = _sampled(points)
    twins = np.concatenate([np.empty((0, 2)), *map(_sampled, courses[1:])])
    reach = Area(*points[0], *points[0])
    for x, y in points:
        reach = reach.united(Area(x, y, x, y))
    widest, highest = max(form.width for form in forms), max(form.height for form in forms)
    around = reach.grown(REACH).grown(max(widest, highest))
    obstacles = [area.grown(GAP) for area in drawing.obstacles(around)]
    best: tuple[float, int, Area] | None = None
    for number, form in sorted(enumerate(forms), key=lambda pair: pair[1].cost):
        if best is not None and best[0] <= form.cost:
            break
        cost, area = _best(form, course, level, obstacles, twins, view)
        if best is None or cost < best[0]:
            best = (cost, number, area)
    assert best is not None
    return best[1], best[2]


def _sampled(points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    return np.array([at(points, number / SAMPLES) for number in range(SAMPLES + 1)])


def _best(
    form: Form,
    course: NDArray[np.float64],
    level: bool,
    obstacles: list[Area],
    twins: NDArray[np.float64],
    view: Area | None,
) -> tuple[float, Area]:
    """(cost, place) of the best place for a label in one form."""
    numbers, lifts, costs = _candidates(level, form.height)
    half_x, half_y = form.width / 2, form.height / 2
    x, y = course[numbers, 0], course[numbers, 1] + lifts
    if level:
        # Clear of the course over the label's whole width, not only in its middle.
        above, below = _span(course, half_x)
        y = np.where(lifts < 0, above[numbers], below[numbers]) + lifts
    total = costs + form.cost + COVERS * _covered(x, y, half_x, half_y, obstacles)
    if len(twins):
        points = [Area(*point, *point).grown(CLEAR) for point in twins.tolist()]
        total = total + HIDES * _covered(x, y, half_x, half_y, points)
    if view is not None:
        seen = (
            (x - half_x >= view.left)
            & (x + half_x <= view.right)
            & (y - half_y >= view.top)
            & (y + half_y <= view.bottom)
        )
        total = total + UNSEEN * ~seen
    best = int(np.argmin(total))
    left, top = float(x[best]) - half_x, float(y[best]) - half_y
    return float(total[best]), Area(left, top, left + form.width, top + form.height)


@cache
def _candidates(
    level: bool,
    height: float,
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """(numbers of samples, distances below the course, what each costs)."""
    lifts = [] if level else [0.0]
    distance = height / 2 + CLEAR
    while distance < REACH:
        lifts += [-distance, distance]
        distance += CLEAR
    first = height / 2 + CLEAR if level else 0.0
    pairs = [(number, lift) for number in range(1, SAMPLES) for lift in lifts]
    # Half a course to the side weighs as much as 50 up or down; above is a little better.
    costs = [
        abs(number / SAMPLES - 0.5) * 100 + abs(lift) - first + (lift > 0) * CLEAR
        for number, lift in pairs
    ]
    numbers = np.array([number for number, _ in pairs], np.intp)
    return numbers, np.array([lift for _, lift in pairs]), np.array(costs)


def _span(
    course: NDArray[np.float64], half: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The highest and the lowest point of a course within a distance of each of its samples."""
    x, y = course[:, 0], course[:, 1]
    near = np.abs(x[:, None] - x[None, :]) <= half
    return np.where(near, y, np.inf).min(axis=1), np.where(near, y, -np.inf).max(axis=1)


def _covered(
    x: NDArray[np.float64],
    y: NDArray[np.float64],
    half_x: float,
    half_y: float,
    obstacles: list[Area],
) -> NDArray[np.bool_]:
    """Which labels with these middles meet an obstacle."""
    rows = np.array(obstacles, np.float64).reshape(-1, 4, 1)
    meets = (
        (x - half_x < rows[:, 2])
        & (x + half_x > rows[:, 0])
        & (y - half_y < rows[:, 3])
        & (y + half_y > rows[:, 1])
    )
    covered: NDArray[np.bool_] = np.logical_or.reduce(meets, axis=0)
    return covered
