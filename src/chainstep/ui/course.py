"""The places where one can stand in a story, in order, and how the keys lead from one to another.

A story counts moments, and where one phase ends the next begins: one position. To stand there is
two things, though: at the end of the sort the last append is on show, at the beginning of the
backward phase nothing has run yet. So each phase has its own places here, from its beginning to
its end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from chainstep.story import PHASES, Grain, Phase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.story import Story


class Place(NamedTuple):
    """Where one stands: in a phase, after so many of its moments."""

    phase: Phase
    number: int


class Course:
    """All places of a story.

    Args:
        story: The pass.
        skipped: Phases that stepping jumps over. One can still stand in them.
    """

    def __init__(self, story: Story, skipped: frozenset[Phase] = frozenset()) -> None:
        self.story = story
        self.skipped = skipped
        self._sizes = {phase: _size(story, phase) for phase in Phase}
        # The backward phase is there even where nothing ran: it is what the recording is about.
        self.phases = tuple(
            phase for phase in PHASES if self._sizes[phase] or phase is Phase.BACKWARD
        )
        walked = tuple(phase for phase in self.phases if phase not in skipped)
        self._walked = walked or (self.phases[-1],)

    # -- places and numbers -------------------------------------------------------------

    def size(self, phase: Phase) -> int:
        """How many moments a phase has."""
        return self._sizes[phase]

    def stops(self, phase: Phase, most: int) -> Sequence[int]:
        """Where stepping over stops in a phase, in numbers of its moments; none if too many."""
        start, end = self.story.bounds(phase)
        found: list[int] = []
        position = start
        while position < end and len(found) <= most:
            position = self.story.next(position)
            found.append(position - start)
        return found if len(found) <= most else ()

    def within(self, place: Place) -> Place:
        """The same place, or the nearest one where this story has none such."""
        if place.phase not in self.phases:
            later = PHASES[PHASES.index(place.phase) :]
            return Place(next(phase for phase in self.phases if phase in later), 0)
        return Place(place.phase, max(0, min(place.number, self.size(place.phase))))

    def position(self, place: Place) -> int:
        """The position in the story."""
        return self.story.bounds(place.phase)[0] + place.number

    def place(self, position: int) -> Place:
        """The place that shows the moment before a position of the story; at 0 the beginning."""
        position = max(0, min(position, self.story.length))
        phase = self.story.phase_at(position)
        return Place(phase, position - self.story.bounds(phase)[0])

    @property
    def length(self) -> int:
        """Number of the last place: places are numbered from 0."""
        return sum(self._sizes.values()) + len(self.phases) - 1

    def number(self, place: Place) -> int:
        """The number of a place among all."""
        return self.position(place) + self.phases.index(place.phase)

    def numbered(self, number: int) -> Place:
        """The place with a number; the nearest end where there is none."""
        number = max(0, min(number, self.length))
        for phase in self.phases:
            if number <= self._sizes[phase]:
                break
            number -= self._sizes[phase] + 1
        return Place(phase, number)

    # -- steps --------------------------------------------------------------------------

    @property
    def first(self) -> Place:
        """Where stepping begins."""
        return Place(self._walked[0], 0)

    @property
    def last(self) -> Place:
        """Where stepping ends."""
        return self.end(self._walked[-1])

    def end(self, phase: Phase) -> Place:
        """The last place of a phase."""
        return Place(phase, self._sizes[phase])

    def next(self, place: Place, grain: Grain) -> Place:
        """One step on; the same place where none leads on."""
        if place.phase in self._walked and place.number < self._sizes[place.phase]:
            return self._in(place.phase, self.story.next(self.position(place), grain))
        phase = self._after(place.phase)
        return place if phase is None else Place(phase, 0)

    def previous(self, place: Place, grain: Grain) -> Place:
        """One step back; the same place where none leads back."""
        if place.phase in self._walked and place.number > 0:
            return self._in(place.phase, self.story.previous(self.position(place), grain))
        phase = self._before(place.phase)
        return place if phase is None else self.end(phase)

    def out(self, place: Place) -> Place:
        """To the end of the running `_backward` or `build_topo`, or of the phase."""
        if place.phase in self._walked and place.number < self._sizes[place.phase]:
            return self._in(place.phase, self.story.out(self.position(place)))
        return self.next(place, Grain.OVER)

    def next_phase(self, place: Place) -> Place:
        """To the beginning of the next phase or part of it; to the end of the last one."""
        edge = next((each for each in self._edges(place) if each > place.number), None)
        if edge is not None:
            return Place(place.phase, edge)
        phase = self._after(place.phase)
        return Place(phase, 0) if phase is not None else max(place, self.last, key=self.number)

    def previous_phase(self, place: Place) -> Place:
        """To the beginning of this phase or part, or of the one before where that is here."""
        if place.phase in self._walked and place.number > 0:
            edges = (each for each in reversed(self._edges(place)) if each < place.number)
            return Place(place.phase, next(edges, 0))
        phase = self._before(place.phase)
        return place if phase is None else Place(phase, 0)

    def _edges(self, place: Place) -> Sequence[int]:
        """Where within a phase another part of it begins: zeroing, the pass itself, the update."""
        if place.phase is not Phase.BACKWARD or place.phase not in self._walked:
            return ()
        parts, size = self.story.parts, self._sizes[place.phase]
        return [edge for edge in (parts.begin, parts.end) if 0 < edge < size]

    def _in(self, phase: Phase, position: int) -> Place:
        return Place(phase, max(0, min(position - self.story.bounds(phase)[0], self.size(phase))))

    def _after(self, phase: Phase) -> Phase | None:
        here = PHASES.index(phase)
        return next((each for each in self._walked if PHASES.index(each) > here), None)

    def _before(self, phase: Phase) -> Phase | None:
        here = PHASES.index(phase)
        return next((each for each in reversed(self._walked) if PHASES.index(each) < here), None)


def _size(story: Story, phase: Phase) -> int:
    start, end = story.bounds(phase)
    return end - start
