"""A card of the step that has no room in the pane: it is brought to the rim, where its arrow goes.

An arrow may be longer than the pane. Then the card at its other end stands at the rim, whole, with
a mark that points to where it really is, and the arrow ends at it: who gets what, and how much, is
seen without moving the graph. Figures that stand off screen are shown so in Gustafson, Baudisch,
Gutwin, Irani: Wedge (2008), and in the map of many a game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.ui.arrow import last_within
from chainstep.ui.drawing import Area

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.drawing import Drawing

RIM = 15.0
"""Distance of such a card from the edge of the pane: there is the mark that points beyond it."""
BOUND = 26.0
"""How far from its corners the arrow meets it at the least."""
CLEAR = 12.0
"""Distance that it keeps from the card at the other end."""
PLACES = 9
"""At how many places along the rim it is tried."""
NEARER = 1e-3
"""What a unit of distance weighs, against a card that would be covered."""


def brought(
    drawing: Drawing,
    course: Sequence[tuple[float, float]],
    home: Area,
    other: Area,
    view: Area,
) -> Area | None:
    """Where a card stands that is brought in; None where there is no room for it.

    Args:
        drawing: Where the other cards stand: as few of them as can be are covered.
        course: That of the arrow, from this card to the other.
        home: What it covers where it really stands.
        other: What the card at the other end covers.
        view: What is in view.
    """
    inner = view.grown(-RIM)
    if home.width > inner.width or home.height > inner.height:
        return None
    x = _between(home.left, inner.left, inner.right - home.width)
    y = _between(home.top, inner.top, inner.bottom - home.height)
    found = []
    for left, top in _corners(last_within(course, inner), (x, y), home, inner):
        area = Area(left, top, left + home.width, top + home.height)
        if not area.meets(other.grown(CLEAR)):
            far = abs(left - x) + abs(top - y)
            found.append((len(drawing.nodes_in(area)) + NEARER * far, area))
    return min(found, default=(0.0, None))[1]


def _corners(
    leaves: tuple[float, float] | None, nearest: tuple[float, float], home: Area, inner: Area
) -> list[tuple[float, float]]:
    """The upper left corners that come into question: where the arrow leaves, it meets the card."""
    if leaves is None:
        return [nearest]
    x, y = leaves
    left, right, top, bottom = x - inner.left, inner.right - x, y - inner.top, inner.bottom - y
    shares = [number / (PLACES - 1) for number in range(PLACES)]
    if min(left, right) <= min(top, bottom):
        column = inner.left if left < right else inner.right - home.width
        rows = (y - BOUND - (home.height - 2 * BOUND) * share for share in shares)
        return [(column, _between(row, inner.top, inner.bottom - home.height)) for row in rows]
    row = inner.top if top < bottom else inner.bottom - home.height
    columns = (x - BOUND - (home.width - 2 * BOUND) * share for share in shares)
    return [(_between(column, inner.left, inner.right - home.width), row) for column in columns]


def _between(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def sides(home: Area, area: Area) -> tuple[int, int]:
    """Towards which side of a card that is brought in it really stands: (-1, 0) is to the left."""
    (x, y), (home_x, home_y) = area.middle, home.middle
    across, down = (home_x - x) / area.width, (home_y - y) / area.height
    if abs(across) > abs(down):
        return (1 if across > 0 else -1), 0
    return 0, (1 if down > 0 else -1)
