"""Makes the moment that a pane shows, and keeps what is costly to find out for it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from chainstep.story import Phase
from chainstep.ui.early import Making, Sorting, Visits
from chainstep.ui.moment import Losses, Moment
from chainstep.ui.sight import Sight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chainstep.layout import Layout
    from chainstep.sorting import Sort
    from chainstep.story import Story
    from chainstep.trace import Trace
    from chainstep.ui.drawing import Drawing
    from chainstep.ui.session import Pane, Session


class Scenes:
    """The moments of one pane.

    Args:
        session: Whose place they are.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._losses: tuple[Trace, Losses] | None = None
        self._visits: tuple[Sort, Visits] | None = None
        self._places: tuple[Sequence[int], Layout, NDArray[np.int64]] | None = None

    def sight(self, pane: Pane, drawing: Drawing) -> Sight:
        """What a pane shows now, as it is drawn."""
        visible = self._session.visible
        assert visible is not None
        return Sight(self._moment(pane, drawing), visible)

    def _moment(self, pane: Pane, drawing: Drawing) -> Moment:
        if self._losses is None or self._losses[0] is not pane.trace:
            self._losses = (pane.trace, Losses(pane.trace))
        session = self._session
        phase, over = session.place_in(pane.mode)
        moment = Moment(
            stepper=pane.stepper,
            losses=self._losses[1],
            differing=session.differing,
            wrong=session.checks.wrong(pane.mode),
            selected=session.selected,
            pointed=session.pointed,
            tried=session.tried,
            origins=session.origins(pane.mode),
        )
        if phase is Phase.FORWARD:
            places = self._edge_places(pane.story, drawing)
            return Making(**_fields(moment), story=pane.story, over=over, edge_places=places)
        if phase is Phase.SORT:
            visits = self._visits_of(pane.story)
            return Sorting(**_fields(moment), story=pane.story, over=over, visits=visits)
        return moment

    def _edge_places(self, story: Story, drawing: Drawing) -> NDArray[np.int64]:
        kept = self._places
        # What may be known of a story is another one at every step, of the same nodes.
        if kept is None or kept[0] is not story.made or kept[1] is not drawing.layout:
            places = (story.place_of(edge.consumer) or 0 for edge in drawing.edges)
            kept = story.made, drawing.layout, np.fromiter(places, np.int64, len(drawing.edges))
            self._places = kept
        return kept[2]

    def _visits_of(self, story: Story) -> Visits:
        assert story.sort is not None
        if self._visits is None or self._visits[0] is not story.sort:
            self._visits = story.sort, Visits(story.sort, story.recording.nodes)
        return self._visits[1]


def _fields(moment: Moment) -> dict[str, Any]:
    """What a moment of any phase has."""
    return {each.name: getattr(moment, each.name) for each in fields(moment)}
