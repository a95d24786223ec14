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
CLOSE = 1500.0
"""Extent up to which what lies around a course is looked up at once."""
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
    besides: Sequence[Area] = (),
) -> tuple[int, Area]:
    """(number of the form, its place): near the middle of a course, free of cards.

    A level course keeps its label above it, a steep one carries it. A place in `view` is taken
    before one outside, and a worse form before a place far away. Only the cards along the course
    are looked at, however much else lies between its ends.

    Args:
        drawing: Where the cards stand.
        courses: The course that the label belongs to, then others that it should not hide.
        forms: The ways of writing it.
        view: What is in sight; None for everything.
        besides: What is not to be covered either.
    """
    points = courses[0]
    start, end = at(points, 0.45), at(points, 0.55)
    level = abs(end[1] - start[1]) <= FLAT * abs(end[0] - start[0])
    course = _sampled(points)
    windows = _windows(course, forms)
    others = np.array(besides, np.float64).reshape(-1, 4)
    obstacles = np.concatenate([drawing.obstacles(_regions(windows)), others])
    cards = _Near(obstacles, GAP, windows)
    twins = np.concatenate([np.empty((0, 2)), *map(_sampled, courses[1:])])
    beside = _Near(np.hstack([twins, twins]), CLEAR, windows)
    best: tuple[float, int, Area] | None = None
    for number, form in sorted(enumerate(forms), key=lambda pair: pair[1].cost):
        if best is not None and best[0] <= form.cost:
            break
        cost, area = _best(form, course, level, cards, beside, view)
        if best is None or cost < best[0]:
            best = (cost, number, area)
    assert best is not None
    return best[1], best[2]


def _sampled(points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """The points of a course at equal shares of its number of segments, both ends included."""
    count = len(points) // 3
    shares = np.arange(SAMPLES + 1) / SAMPLES * count
    numbers = np.minimum(shares.astype(np.intp), count - 1)
    t = (shares - numbers)[:, None]
    corners = np.array(points)[3 * numbers[:, None] + np.arange(4)]
    a, b, c, d = (corners[:, each] for each in range(4))
    rest = 1 - t
    result: NDArray[np.float64] = (
        rest**3 * a + 3 * t * rest**2 * b + 3 * t * t * rest * c + t**3 * d
    )
    return result


def _windows(course: NDArray[np.float64], forms: Sequence[Form]) -> NDArray[np.float64]:
    """Per sample but the ends, what a label there can cover in any form at any distance."""
    half = max(form.width for form in forms) / 2
    far = REACH + max(form.height for form in forms) / 2
    above, below = _span(course, half)
    x = course[:, 0]
    return np.stack([x - half, above - far, x + half, below + far], axis=1)[1:-1]


def _regions(windows: NDArray[np.float64]) -> list[Area]:
    """The windows of a course: as one region where they lie close together."""
    whole = Area(*windows[:, :2].min(axis=0).tolist(), *windows[:, 2:].max(axis=0).tolist())
    if max(whole.width, whole.height) <= CLOSE:
        return [whole]
    return [Area(*window) for window in windows.tolist()]


class _Near:
    """What lies near a course: for each sample the obstacles that a label there could meet."""

    def __init__(
        self, obstacles: NDArray[np.float64], by: float, windows: NDArray[np.float64]
    ) -> None:
        """Take obstacles, as rows (left, top, right, bottom) to be grown on every side."""
        rows = obstacles + np.array([-by, -by, by, by])
        left, top, right, bottom = windows.T[:, :, None]
        meets = (
            (left < rows[:, 2]) & (right > rows[:, 0]) & (top < rows[:, 3]) & (bottom > rows[:, 1])
        )
        self._samples, numbers = np.nonzero(meets)
        self._rows = rows[numbers]

    @property
    def pairs(self) -> int:
        """How many obstacles are looked at, counted anew for every sample."""
        return len(self._rows)

    def covered(
        self, x: NDArray[np.float64], y: NDArray[np.float64], half_x: float, half_y: float
    ) -> NDArray[np.bool_]:
        """Which labels meet an obstacle.

        Args:
            x: Their middles, one per sample.
            y: The same, one row per sample.
            half_x: Half their width.
            half_y: Half their height.
        """
        covered = np.zeros(y.shape, np.bool_)
        middle = x[self._samples]
        beside = (middle - half_x < self._rows[:, 2]) & (middle + half_x > self._rows[:, 0])
        samples, rows = self._samples[beside], self._rows[beside]
        if not len(samples):
            return covered
        meets = (y[samples] - half_y < rows[:, 3:]) & (y[samples] + half_y > rows[:, 1:2])
        # The samples come in order: those of one stand together.
        first = np.flatnonzero(np.diff(samples, prepend=-1))
        covered[samples[first]] = np.logical_or.reduceat(meets, first, axis=0)
        return covered


def _best(
    form: Form,
    course: NDArray[np.float64],
    level: bool,
    cards: _Near,
    beside: _Near,
    view: Area | None,
) -> tuple[float, Area]:
    """(cost, place) of the best place for a label in one form."""
    lifts, costs = _candidates(level, form.height)
    half_x, half_y = form.width / 2, form.height / 2
    x, y = course[1:-1, 0], course[1:-1, 1:] + lifts
    if level:
        # Clear of the course over the label's whole width, not only in its middle.
        above, below = (side[1:-1, None] for side in _span(course, half_x))
        y = np.where(lifts < 0, above, below) + lifts
    total = costs + form.cost + COVERS * cards.covered(x, y, half_x, half_y)
    if beside.pairs:
        total = total + HIDES * beside.covered(x, y, half_x, half_y)
    if view is not None:
        seen = ((x - half_x >= view.left) & (x + half_x <= view.right))[:, None] & (
            (y - half_y >= view.top) & (y + half_y <= view.bottom)
        )
        total = total + UNSEEN * ~seen
    sample, lift = np.unravel_index(int(np.argmin(total)), total.shape)
    left, top = float(x[sample]) - half_x, float(y[sample, lift]) - half_y
    return float(total[sample, lift]), Area(left, top, left + form.width, top + form.height)


@cache
def _candidates(
    level: bool,
    height: float,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(distances below the course, what each costs at each sample)."""
    lifts = [] if level else [0.0]
    distance = height / 2 + CLEAR
    while distance < REACH:
        lifts += [-distance, distance]
        distance += CLEAR
    first = height / 2 + CLEAR if level else 0.0
    # Half a course to the side weighs as much as 50 up or down; above is a little better.
    costs = [
        [
            abs(number / SAMPLES - 0.5) * 100 + abs(lift) - first + (lift > 0) * CLEAR
            for lift in lifts
        ]
        for number in range(1, SAMPLES)
    ]
    return np.array(lifts), np.array(costs)


def _span(
    course: NDArray[np.float64], half: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The highest and the lowest point of a course within a distance of each of its samples."""
    x, y = course[:, 0], course[:, 1]
    near = np.abs(x[:, None] - x[None, :]) <= half
    return np.where(near, y, np.inf).min(axis=1), np.where(near, y, -np.inf).max(axis=1)
