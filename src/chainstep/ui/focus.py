"""The cards that a moment is about, drawn larger than the others where those are small.

In a lecture a graph may be whole only in a size in which not every word can be read from the last
row. The cards of the step then stand out from their places: away from the arrow between them, so
that it and its arithmetic keep their room, and never over another card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chainstep.layout import CARD_HEIGHT, CARD_WIDTH
from chainstep.ui.drawing import BADGE, Area, symbol
from chainstep.ui.ink import FARTHEST_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.ink import Type
    from chainstep.ui.sight import Shown

WIDTH, HEIGHT = 7.5, 3.92
"""Of such a card, in sizes of its type, where its neighbours leave the room."""
CLEAR = 4.0
"""Distance that it keeps from them."""
RING = 5.0
"""Distance of the focus ring from the card it surrounds."""
CLOSE_RING = 3.0
"""The same, where a card stands out and there is less room."""


class Enlarged(NamedTuple):
    """A card that stands out: where it stands, and its badge."""

    area: Area
    badge: Area | None

    @property
    def covers(self) -> Area:
        """All that it covers."""
        return self.area if self.badge is None else self.area.united(self.badge)


def enlarged(drawing: Drawing, moment: Shown, kind: Type) -> dict[int, Enlarged]:
    """The cards that stand out at a moment, by node id; none where all are large enough.

    The last few are kept: one step asks for the same several times.
    """
    if kind.focus is None:
        return {}
    arrow = moment.arrow
    child = None if arrow is None else arrow.child
    key = (drawing, moment.active(), child)
    kept: Iterable[tuple[object, dict[int, Enlarged]]] = kind.standing
    for known, found in kept:
        if known == key:
            return found
    found = {
        node_id: _enlarged(drawing, node_id, kind.focus, is_child=node_id == child)
        for node_id in moment.active()
        if node_id in drawing.graph
    }
    kind.standing.append((key, found))
    return found


def ring(drawing: Drawing, moment: Shown, kind: Type, node_id: int) -> Area:
    """Where the ring around a card runs that is selected or pointed at."""
    big = enlarged(drawing, moment, kind).get(node_id)
    return drawing.card(node_id).grown(RING) if big is None else big.area.grown(CLOSE_RING)


def room(bounds: Area, *, downward: bool) -> Area:
    """What a drawing covers at the most, whichever of its cards stands out."""
    wider, higher = _more(FARTHEST_TYPE)
    return bounds.spread(wider / 2, higher) if downward else bounds.spread(wider, higher / 2)


def _more(size: float) -> tuple[float, float]:
    """How much wider and higher than others such a card is, in scene units."""
    return WIDTH * size - CARD_WIDTH, HEIGHT * size - CARD_HEIGHT


def _enlarged(drawing: Drawing, node_id: int, kind: Type, *, is_child: bool) -> Enlarged:
    """A card, larger: on the side where no arrow is, and across on both."""
    wider, higher = _more(kind.label.font.pixelSize())
    card, badge = drawing.card(node_id), drawing.badge(node_id)
    x = y = 0.0
    if drawing.downward:
        up, down = (higher, 0.0) if is_child else (0.0, higher)
        area = card._replace(top=card.top - up, bottom=card.bottom + down)
        left, right = _free(drawing, area, badge, wider / 2)
        y = -up
    else:
        area = card.spread(0, higher / 2)
        left, right = _free(drawing, area, badge, wider)
        left, right = (left, 0.0) if is_child else (0.0, right)
        x = -left
    area = area._replace(left=area.left - left, right=area.right + right)
    if badge is None:
        return Enlarged(area, None)
    badge = badge.moved(x, y)
    # A long op needs a longer pill; it grows into the card, where the arrow is not.
    wide = kind.op.width(symbol(drawing.graph.node(node_id).op)) + BADGE
    return Enlarged(area, badge._replace(right=max(badge.right, badge.left + wide)))


def _free(drawing: Drawing, area: Area, badge: Area | None, most: float) -> tuple[float, float]:
    """How far a card can grow to the left and to the right, until another is near."""
    reach = 0.0 if badge is None or drawing.downward else max(0.0, area.left - badge.left)
    start = area.left - reach
    rows = drawing.obstacles([area.spread(most + reach + CLEAR, 0)])
    before, after = rows[rows[:, 2] <= start, 2], rows[rows[:, 0] >= area.right, 0]
    left = start - CLEAR - float(before.max()) if len(before) else most
    right = float(after.min()) - CLEAR - area.right if len(after) else most
    return max(min(left, most), 0.0), max(min(right, most), 0.0)
