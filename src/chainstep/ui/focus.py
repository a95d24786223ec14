"""The cards that a moment is about, drawn larger than the others where those are small.

In a lecture a graph may be whole only in a size in which not every word can be read from the last
row. The cards of the step then stand out from their places: away from the arrow between them, so
that it and its arithmetic keep their room, and never over another card. One that has no room in the
pane is brought to its rim.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chainstep.layout import CARD_HEIGHT, CARD_WIDTH
from chainstep.ui.arrow import arrow_course, is_drawn, up_to
from chainstep.ui.drawing import BADGE, Area, symbol
from chainstep.ui.ink import FARTHEST_TYPE
from chainstep.ui.rim import brought, sides

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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
    """A card that stands out, or that is brought to the rim of the pane.

    Attributes:
        area: Where it stands.
        badge: Where its badge does.
        home: Where it really is, if it is brought in.
    """

    area: Area
    badge: Area | None
    home: Area | None = None

    @property
    def covers(self) -> Area:
        """All that it covers."""
        return self.area if self.badge is None else self.area.united(self.badge)

    @property
    def towards(self) -> tuple[int, int] | None:
        """On which side it really is, if it is brought in: (-1, 0) is to the left."""
        return None if self.home is None else sides(self.home, self.area)


def enlarged(
    drawing: Drawing, moment: Shown, kind: Type, view: Area | None = None
) -> dict[int, Enlarged]:
    """The cards that stand out at a moment, by node id; none where all are large enough.

    With a view, one at an end of the arrow that has no room in it is brought to its rim, where the
    other end is in sight. The last few are kept: one step asks for the same several times.
    """
    if kind.focus is None and (view is None or not kind.brings):
        return {}
    key = (drawing, moment.active(), moment.arrow, view)
    kept: Iterable[tuple[object, dict[int, Enlarged]]] = kind.standing
    for known, found in kept:
        if known == key:
            return found
    arrow = moment.arrow
    child = None if arrow is None else arrow.child
    found = {}
    if kind.focus is not None:
        found = {
            node_id: _enlarged(drawing, node_id, kind.focus, is_child=node_id == child)
            for node_id in moment.active()
            if node_id in drawing.graph
        }
    if view is not None and kind.brings and is_drawn(drawing, moment):
        found |= _brought(drawing, moment, kind, found, view)
    kind.standing.append((key, found))
    return found


def _brought(
    drawing: Drawing, moment: Shown, kind: Type, big: Mapping[int, Enlarged], view: Area
) -> dict[int, Enlarged]:
    """The card at an end of the arrow that has no room in view, at its rim."""
    arrow, course = moment.arrow, arrow_course(drawing, moment)
    assert arrow is not None
    for points, (node_id, other) in (
        (course, (arrow.child, arrow.consumer)),
        (course[::-1], (arrow.consumer, arrow.child)),
    ):
        here, there = (
            big.get(n) or Enlarged(drawing.card(n), drawing.badge(n)) for n in (node_id, other)
        )
        if view.holds(here.covers) or not view.holds(there.covers):
            continue
        if kind.focus is not None:
            here = _at_its_largest(drawing, node_id, kind.focus)
        area = brought(drawing, points, here.covers, there.covers, view)
        if area is not None:
            x, y = area.left - here.covers.left, area.top - here.covers.top
            badge = None if here.badge is None else here.badge.moved(x, y)
            return {node_id: Enlarged(here.area.moved(x, y), badge, here.area)}
    return {}


def course_between(
    drawing: Drawing, moment: Shown, big: Mapping[int, Enlarged]
) -> Sequence[tuple[float, float]]:
    """The course of the arrow, its head first: as far as a card that is brought in."""
    arrow, points = moment.arrow, arrow_course(drawing, moment)
    assert arrow is not None
    start, end = big.get(arrow.child), big.get(arrow.consumer)
    if start is not None and start.home is not None:
        points = up_to(points, start.covers)
    if end is not None and end.home is not None:
        points = up_to(points[::-1], end.covers)[::-1]
    return points


def ring(drawing: Drawing, node_id: int, big: Mapping[int, Enlarged]) -> Area:
    """Where the ring around a card runs that is selected or pointed at."""
    found = big.get(node_id)
    return drawing.card(node_id).grown(RING) if found is None else found.area.grown(CLOSE_RING)


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
    return Enlarged(area, _badge(drawing, node_id, kind, x, y))


def _at_its_largest(drawing: Drawing, node_id: int, kind: Type) -> Enlarged:
    """A card whose neighbours leave it all the room that it can take."""
    wider, higher = _more(kind.label.font.pixelSize())
    area = drawing.card(node_id).spread(wider / 2, higher / 2)
    x, y = (0.0, -higher / 2) if drawing.downward else (-wider / 2, 0.0)
    return Enlarged(area, _badge(drawing, node_id, kind, x, y))


def _badge(drawing: Drawing, node_id: int, kind: Type, x: float, y: float) -> Area | None:
    """The badge of a card that is larger, so far from where it usually is."""
    badge = drawing.badge(node_id)
    if badge is None:
        return None
    badge = badge.moved(x, y)
    # A long op needs a longer pill; it grows into the card, where the arrow is not.
    wide = kind.op.width(symbol(drawing.graph.node(node_id).op)) + BADGE
    return badge._replace(right=max(badge.right, badge.left + wide))


def _free(drawing: Drawing, area: Area, badge: Area | None, most: float) -> tuple[float, float]:
    """How far a card can grow to the left and to the right, until another is near."""
    reach = 0.0 if badge is None or drawing.downward else max(0.0, area.left - badge.left)
    start = area.left - reach
    rows = drawing.obstacles([area.spread(most + reach + CLEAR, 0)])
    before, after = rows[rows[:, 2] <= start, 2], rows[rows[:, 0] >= area.right, 0]
    left = start - CLEAR - float(before.max()) if len(before) else most
    right = float(after.min()) - CLEAR - area.right if len(after) else most
    return max(min(left, most), 0.0), max(min(right, most), 0.0)
