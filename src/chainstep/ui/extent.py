"""How far it reaches what a moment draws over the cards and beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.ui.annotation import captions
from chainstep.ui.drawing import course_area
from chainstep.ui.focus import RING, enlarged
from chainstep.ui.ground import card_area
from chainstep.ui.labelling import HEAD
from chainstep.ui.painting import NAMES_ONLY, strokes
from chainstep.ui.rim import RIM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chainstep.ui.drawing import Area, Drawing
    from chainstep.ui.ink import Type
    from chainstep.ui.sight import Sight


def active_areas(drawing: Drawing, moment: Sight, kind: Type) -> list[Area]:
    """What the cards of a moment cover, the weightiest first."""
    big = enlarged(drawing, moment, kind)
    return [
        big[node_id].covers.grown(RING / 2) if node_id in big else card_area(drawing, node_id)
        for node_id in moment.active()
        if node_id in drawing.graph
    ]


def caption_areas(
    drawing: Drawing, moment: Sight, kind: Type, scale: float, view: Area | None
) -> list[Area]:
    """Where words stand beside the cards; nowhere at a scale at which none are written."""
    if scale < NAMES_ONLY:
        return []
    return [words.covers for words in captions(drawing, moment, kind, view)]


def ring_areas(drawing: Drawing, nodes: Iterable[int]) -> list[Area]:
    """What cards cover with the rings around them."""
    return [card_area(drawing, n).grown(2 * RING) for n in nodes if n in drawing.graph]


def arrow_areas(
    drawing: Drawing, moment: Sight, kind: Type, scale: float, area: Area, view: Area | None
) -> list[Area]:
    """What the arrows of a moment cover in a region, with the cards that they begin at.

    Args:
        drawing: The graph and where it stands.
        moment: What is shown of it.
        kind: The type in which cards are set.
        scale: Pixels per scene unit.
        area: The region in scene units.
        view: Where cards have to find room.
    """
    big = enlarged(drawing, moment, kind, view)
    wide = HEAD * max(1.0, 1 / scale)
    areas = []
    for stroke in strokes(drawing, moment, area.grown(HEAD), big):
        points = stroke.points
        pieces = (points[first : first + 4] for first in range(0, len(points) - 1, 3))
        covered = (course_area(piece).grown(wide) for piece in pieces)
        areas += [each for each in covered if each.meets(area)]
        areas.append(card_area(drawing, stroke.edge.consumer))
    for each in big.values():
        # What points to where it is reaches further than a ring.
        around = 2 * RING if each.home is None else RIM
        areas.append(each.covers.grown(around))
    return areas
