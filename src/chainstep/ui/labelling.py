"""Where the arithmetic of a write stands: at its edge, and on no card.

Plain geometry in scene units. All places come into question at once, as arrays: trying them
one by one took longer than painting the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chainstep.ui.drawing import Area, along, at

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
REACH, FARTHEST = 150.0, 220.0
"""How far from its edge a label may be moved; and where it finds no place within that."""
COVERS, UNSEEN, RINGED, HIDES = 1e6, 1e4, 1e3, 2e2
"""What it costs to cover a card, to be out of view, to lie over a ring, and to hide a twin of the
edge."""
BURIES, BEHEADS, CROSSES = 480.0, 80.0, 25.0
"""What it costs to hide all of the own edge, to hide its head, and to hide any other edge."""
CARRIED = 0.35
"""Share of its edge that a label may hide: it then stands on it, and the edge is still seen."""
HEAD = 15.0
"""Length and width of an arrow's head, which is at the first point of its course."""
LED_TO = range(11, 38)
"""The samples of a course that a label is joined to: not its ends."""
ASIDE = 12.0
"""What it costs to stand beside a steep edge and not on it."""
FREE_LEAD, FREE_LEVEL_LEAD, LONGEST_LEAD = 8.0, 14.0, 130.0
"""Between what distances from its edge a label is joined to it by a line; above or below a level
edge it is clear from further away to which it belongs."""
EVERY = 2
"""Of its samples one in so many stands for a course where it is counted what is hidden of it."""
BAND = 20.0
"""Places whose costs differ by no more than this are looked at in one go."""
PIECES = 9
"""Points that stand for a piece of another edge."""
CROWD = 60
"""Pieces of other edges nearby above which it is not asked whether one is hidden: one always is."""
SHORT = 400.0
"""Extent up to which a steep course needs only half of its samples."""
CLOSE = 1500.0
"""Extent up to which what lies around a course is looked up at once."""
SAME = 1e-6
"""Distance of two courses that are one."""
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
    rings: Sequence[Area] = (),
) -> tuple[int, Area]:
    """(number of the form, its place): near the middle of a course, free of cards.

    A level course keeps its label above it; a steep one carries it where enough of the course is
    still seen, else it stands beside. A place in `view` is taken before one outside, and a worse
    form before a place far away. Only the cards along the course are looked at, however much else
    lies between its ends.

    Args:
        drawing: Where the cards stand.
        courses: The course that the label belongs to, then others that it should not hide.
        forms: The ways of writing it.
        view: What is in sight; None for everything.
        besides: What is not to be covered either.
        rings: What it lies over only where no other place is in view.
    """
    near = besides, rings
    scope = _Scope(_is_level(courses[0]))
    # Mostly there is a place in view: only what may be in view is looked at.
    found = _search(forms, _around(drawing, courses, forms, near, scope, view), view, RINGED)
    if found is None:
        scope = _Scope(is_thorough=True)
        around = _around(drawing, courses, forms, near, scope, view)
        found = _search(forms, around, view, RINGED) or _search(forms, around, view, UNSEEN)
    if found is None:
        # Where there is none, every place is: one that covers no card, then any.
        around = _around(drawing, courses, forms, near, scope, None)
        found = _search(forms, around, view, COVERS) or _search(forms, around, view, np.inf)
    assert found is not None
    return found


class _Scope(NamedTuple):
    """Which places come into question.

    Attributes:
        is_level: Only those above and below the course, clear of it over the label's whole width.
        is_thorough: Those that lie close together, and some further away.
    """

    is_level: bool = False
    is_thorough: bool = False

    @property
    def reach(self) -> float:
        """How far from its edge a label may be moved."""
        return FARTHEST if self.is_thorough else REACH


def _search(
    forms: Sequence[Form], around: _Around, view: Area | None, limit: float
) -> tuple[int, Area] | None:
    """(number of the form, its place) of the best; None if none costs below `limit`."""
    best: tuple[int, Area] | None = None
    if not len(around.tried):
        return None
    for number, form in sorted(enumerate(forms), key=lambda pair: pair[1].cost):
        if form.cost >= limit:
            break
        found = around.places(form, view).best(limit)
        if found is not None:
            limit, best = found[0], (number, found[1])
    return best


def _around(
    drawing: Drawing,
    courses: Sequence[Sequence[tuple[float, float]]],
    forms: Sequence[Form],
    near: tuple[Sequence[Area], Sequence[Area]],
    scope: _Scope,
    view: Area | None,
) -> _Around:
    """What lies around a course, as far as labels in some forms may reach that are in a view."""
    points = courses[0]
    course = _sampled(points)
    if not any(scope) and np.ptp(course, axis=0).max() < SHORT:
        course = course[::2]
    windows = _windows(course, forms, scope)
    sees = np.ones(len(windows), np.bool_)
    if view is not None:
        sees = _meets(windows, np.array([view]))[:, 0]
    regions = _regions(windows[sees])
    cards = drawing.obstacles(regions) if regions else np.empty((0, 4))
    others, rings = (np.array(each, np.float64).reshape(-1, 4) for each in near)
    twins = np.concatenate([np.empty((0, 2)), *map(_sampled, courses[1:])])
    return _Around(
        scope,
        course,
        np.flatnonzero(sees) + 1,
        np.empty((0, 2)) if scope.is_level else course[::EVERY],
        np.array([_head(points)]),
        _grown(np.concatenate([cards, others]), GAP),
        _grown(rings, GAP),
        _grown(np.hstack([twins, twins]), CLEAR),
        _grown(_strangers(drawing, points, windows), CLEAR),
        {},
    )


def _is_level(points: Sequence[tuple[float, float]]) -> bool:
    """Whether a course is level in its middle."""
    start, end = at(points, 0.45), at(points, 0.55)
    return abs(end[1] - start[1]) <= FLAT * abs(end[0] - start[0])


def _sampled(points: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """The points of a course at equal shares of its number of segments, both ends included."""
    return along(points, np.arange(SAMPLES + 1) / SAMPLES)


def _grown(rows: NDArray[np.float64], by: float) -> NDArray[np.float64]:
    """Rectangles as rows (left, top, right, bottom), larger by as much on every side."""
    larger: NDArray[np.float64] = rows + np.array([-by, -by, by, by])
    return larger


def _head(points: Sequence[tuple[float, float]]) -> Area:
    """Where the head of an arrow is that comes along a course to its first point."""
    (x, y), (to_x, to_y) = points[:2]
    if abs(to_y - y) > abs(to_x - x):
        end = y + (HEAD if to_y > y else -HEAD)
        return Area(x - HEAD / 2, min(y, end), x + HEAD / 2, max(y, end))
    end = x + (HEAD if to_x > x else -HEAD)
    return Area(min(x, end), y - HEAD / 2, max(x, end), y + HEAD / 2)


def _windows(
    course: NDArray[np.float64], forms: Sequence[Form], scope: _Scope
) -> NDArray[np.float64]:
    """What labels at each sample of a course can cover, both its ends left out."""
    widest = max(form.width for form in forms)
    half = widest / 2 if scope.is_level else widest + CLEAR
    far = scope.reach + max(form.height for form in forms) / 2
    above, below = _span(course, half)
    x = course[:, 0]
    return np.stack([x - half, above - far, x + half, below + far], axis=1)[1:-1]


def _regions(windows: NDArray[np.float64]) -> list[Area]:
    """The same as one region where all of it lies close together."""
    if not len(windows):
        return []
    whole = Area(*windows[:, :2].min(axis=0).tolist(), *windows[:, 2:].max(axis=0).tolist())
    if max(whole.width, whole.height) <= CLOSE:
        return [whole]
    return [Area(*window) for window in windows.tolist()]


def _strangers(
    drawing: Drawing, points: Sequence[tuple[float, float]], windows: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Points of the other edges in some regions, where these are few."""
    regions = _regions(windows)
    if len(regions) > 1:
        return np.empty((0, 4))
    curves = drawing.curves_in(regions[0])
    corners = np.array(points)
    own = np.stack([corners[n : n + 4].ravel() for n in range(0, len(points) - 1, 3)])
    is_own = (np.abs(curves[:, None, :] - own[None]).max(axis=2) < SAME).any(axis=1)
    curves = curves[~is_own]
    if len(curves) > CROWD:
        return np.empty((0, 4))
    t = np.linspace(0, 1, PIECES)[:, None]
    rest = 1 - t
    weights = np.stack([rest**3, 3 * t * rest**2, 3 * t * t * rest, t**3])
    spots = np.einsum("ktz,nkc->ntc", weights, curves.reshape(-1, 4, 2)).reshape(-1, 2)
    return np.hstack([spots, spots])


@dataclass(frozen=True, slots=True)
class _Around:
    """What a label is to stand at, and what it is not to cover; rectangles are rows.

    Attributes:
        scope: Which places come into question.
        course: The samples of its edge.
        tried: The numbers of those at which a label may stand.
        spots: Fewer of them, which it should not hide; none where it is kept clear of all of them.
        head: Where the arrow's head is.
        cards: Cards and badges.
        rings: The rings around some of them.
        twins: The other edges between the same two cards.
        strangers: Edges between others.
        found: The places of each form, once they have been asked for.
    """

    scope: _Scope
    course: NDArray[np.float64]
    tried: NDArray[np.intp]
    spots: NDArray[np.float64]
    head: NDArray[np.float64]
    cards: NDArray[np.float64]
    rings: NDArray[np.float64]
    twins: NDArray[np.float64]
    strangers: NDArray[np.float64]
    found: dict[Form, _Places]

    def places(self, form: Form, view: Area | None) -> _Places:
        """Every place for a label in a form."""
        if form not in self.found:
            self.found[form] = _Places(form, self, view)
        return self.found[form]

    def cost(self, labels: NDArray[np.float64]) -> NDArray[np.float64]:
        """What it costs each of some labels to cover what they do, but for cards."""
        cost = np.zeros(len(labels))
        cost += RINGED * _meets(labels, self.rings).any(axis=1)
        cost += HIDES * _meets(labels, self.twins).any(axis=1)
        cost += CROSSES * _meets(labels, _near(labels, self.strangers)).any(axis=1)
        cost += BEHEADS * _meets(labels, self.head).any(axis=1)
        if len(self.spots):
            hides = _meets(labels, np.hstack([self.spots, self.spots]))
            share = hides.sum(axis=1) / len(self.spots)
            cost += BURIES * np.maximum(share - CARRIED, 0) / (1 - CARRIED)
        return cost


def _meets(labels: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.bool_]:
    """For each label, in a row, which of the others it meets."""
    left, top, right, bottom = others.T
    meets: NDArray[np.bool_] = (
        (labels[:, 0:1] < right)
        & (labels[:, 2:3] > left)
        & (labels[:, 1:2] < bottom)
        & (labels[:, 3:4] > top)
    )
    return meets


def _near(labels: NDArray[np.float64], others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Those of the others that meet what all labels together stretch over."""
    if not len(others):
        return others
    whole = np.concatenate([labels[:, :2].min(axis=0), labels[:, 2:].max(axis=0)])
    near: NDArray[np.float64] = others[_meets(whole[None], others)[0]]
    return near


class _Places:
    """Every place for a label in one form: rows of labels that stand above one another."""

    def __init__(self, form: Form, around: _Around, view: Area | None) -> None:
        """Try the form along its course, in view or not."""
        course, tried = around.course, around.tried
        lifts, costs = _candidates(around.scope, form.height, len(course) - 1)
        costs = costs[tried - 1]
        half_x, half_y = form.width / 2, form.height / 2
        x = course[tried, 0]
        if around.scope.is_level:
            # Clear of the course over the label's whole width, not only in its middle.
            above, below = (each[tried, None] for each in _span(course, half_x))
            y = np.where(lifts < 0, above, below) + lifts
        else:
            y = course[tried, 1:] + lifts
            aside = half_x + CLEAR
            x, y = np.concatenate([x, x + aside, x - aside]), np.concatenate([y, y, y])
            costs = np.concatenate([costs, costs + ASIDE, costs + ASIDE])
        costs = costs + form.cost
        self._around = around
        left, top, right, bottom = x - half_x, y - half_y, x + half_x, y + half_y
        self._sides = left, top, right, bottom
        if view is not None:
            beside = (left < view.left) | (right > view.right)
            unseen = beside[:, None] | (top < view.top) | (bottom > view.bottom)
            costs = costs + UNSEEN * unseen
        self._costs = costs

    def best(self, limit: float) -> tuple[float, Area] | None:
        """(cost, place) of the best place; None if none costs below `limit`."""
        if self._costs.min() >= limit:
            return None
        left, top, right, bottom = self._sides
        costs = self._costs_on_cards
        best: tuple[float, Area] | None = None
        least = float(costs.min())
        # Those that are near first: what is further away than the best is not looked at.
        while least < limit:
            some = np.nonzero((costs >= least) & (costs < min(limit, least + BAND)))
            row = some[0]
            labels = np.stack([left[row], top[some], right[row], bottom[some]], axis=1)
            total = costs[some] + self._around.cost(labels)
            number = int(np.argmin(total))
            if total[number] < limit:
                limit = float(total[number])
                best = limit, Area(*labels[number].tolist())
            least = float(np.min(costs, where=costs >= least + BAND, initial=np.inf))
        return best

    @cached_property
    def _costs_on_cards(self) -> NDArray[np.float64]:
        """The same with what it costs to cover cards: more than one needs to know of most forms."""
        costs: NDArray[np.float64] = self._costs + COVERS * _covering(
            *self._sides, self._around.cards
        )
        return costs


def _covering(
    left: NDArray[np.float64],
    top: NDArray[np.float64],
    right: NDArray[np.float64],
    bottom: NDArray[np.float64],
    cards: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Which labels meet a card, where all in a row stand above one another.

    Each row is held against the cards that any of it may meet: against all of them it takes
    several times as long.
    """
    beside = (left[:, None] < cards[:, 2]) & (right[:, None] > cards[:, 0])
    beside &= top.min(axis=1, keepdims=True) < cards[:, 3]
    beside &= bottom.max(axis=1, keepdims=True) > cards[:, 1]
    rows, numbers = np.nonzero(beside)
    covers = np.zeros(top.shape, np.bool_)
    if len(rows):
        near = cards[numbers]
        meets = (top[rows] < near[:, 3:]) & (bottom[rows] > near[:, 1:2])
        # The rows come in order: what belongs to one stands together.
        first = np.flatnonzero(np.diff(rows, prepend=-1))
        covers[rows[first]] = np.logical_or.reduceat(meets, first, axis=0)
    return covers


def lead(
    drawing: Drawing,
    points: Sequence[tuple[float, float]],
    area: Area,
    besides: Sequence[Area] = (),
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The line from a label to its edge: none where it stands there, or cards are in between.

    Args:
        drawing: Where the cards stand.
        points: The course of the edge.
        area: Where the label stands.
        besides: What is not to be crossed either.
    """
    x, y = _sampled(points).T
    from_x, from_y = np.clip(x, area.left, area.right), np.clip(y, area.top, area.bottom)
    far = np.hypot(x - from_x, y - from_y)
    if far.min() <= (FREE_LEVEL_LEAD if _is_level(points) else FREE_LEAD):
        return None
    others = np.array(besides, np.float64).reshape(-1, 4)
    rows = np.concatenate([drawing.obstacles([area.grown(LONGEST_LEAD)]), others])
    left, top, right, bottom = rows.T[:, :, None]
    shares = np.linspace(0, 1, SAMPLES)
    for number in sorted(LED_TO, key=far.__getitem__):
        if far[number] > LONGEST_LEAD:
            break
        start, end = (from_x[number], from_y[number]), (x[number], y[number])
        on_x, on_y = (a + (b - a) * shares for a, b in zip(start, end, strict=True))
        if not ((left < on_x) & (on_x < right) & (top < on_y) & (on_y < bottom)).any():
            return (float(start[0]), float(start[1])), (float(end[0]), float(end[1]))
    return None


@cache
def _candidates(
    scope: _Scope, height: float, samples: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(distances below the course, what each costs at each sample)."""
    lifts = [] if scope.is_level else [0.0]
    distance = height / 2 + CLEAR
    while distance < scope.reach:
        lifts += [-distance, distance]
        # The further away, the less does it matter where exactly.
        distance += CLEAR if scope.is_thorough else max(CLEAR, distance / 8)
    first = height / 2 + CLEAR if scope.is_level else 0.0
    # Half a course to the side weighs as much as 50 up or down; above is a little better.
    costs = [
        [
            abs(number / samples - 0.5) * 100 + abs(lift) - first + (lift > 0) * CLEAR
            for lift in lifts
        ]
        for number in range(1, samples)
    ]
    return np.array(lifts), np.array(costs)


def _span(
    course: NDArray[np.float64], half: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The highest and the lowest point of a course within a distance of each of its samples."""
    x, y = course[:, 0], course[:, 1]
    near = np.abs(x[:, None] - x[None, :]) <= half
    return np.where(near, y, np.inf).min(axis=1), np.where(near, y, -np.inf).max(axis=1)
