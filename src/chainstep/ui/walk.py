"""One pass on show: its panes, the place where one stands, and the same place in every trace."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.story import Phase
from chainstep.trace import Mode
from chainstep.ui.course import Course, Place
from chainstep.ui.prepared import until

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chainstep.divergence import Divergence
    from chainstep.stepper import Stepper
    from chainstep.story import Mark, Story
    from chainstep.trace import Trace
    from chainstep.ui.prepared import Prepared

BEGINNING = Place(Phase.BACKWARD, 0)
"""Where a new recording is shown: everything is made and sorted, and nothing has run."""


HEADINGS = {
    Mode.ACCUMULATE: ("+=", "accumulates: every path counts"),
    Mode.OVERWRITE: ("=", "overwrites: the last path wins"),
    Mode.AS_WRITTEN: ("as written", "what the program's own backward() did"),
    Mode.COMPARED: ("other", "what it is compared with"),
}
"""A pane's sign and what it means."""


@dataclass(frozen=True)
class Pane:
    """One pass on show in one mode: its trace, the position in that, and its story."""

    mode: Mode
    trace: Trace
    stepper: Stepper
    story: Story


class Walk:
    """The panes of a pass and where they stand. Nothing is on show at first.

    Attributes:
        whole: The pass; None before the first.
        prepared: What may be known of it: the same, unless what is to come is hidden.
        panes: One per mode on show, from top to bottom; none where nothing was recorded.
        course: The places of the longest story on show; None without panes.
        way: The same places, and how one gets from one to another, hidden or not.
        place: Where one stands in it.
        skipped: Phases that stepping jumps over.
        hides: Whether what is to come is hidden.
    """

    def __init__(self) -> None:
        self.whole: Prepared | None = None
        self.prepared: Prepared | None = None
        self.panes: tuple[Pane, ...] = ()
        self.course: Course | None = None
        self.way: Course | None = None
        self.place = BEGINNING
        self.skipped: frozenset[Phase] = frozenset()
        self.hides = False
        self._modes: Sequence[Mode] = ()
        self._courses: dict[Mode, Course] = {}
        self._marks: tuple[object, Mapping[Mark, Sequence[int]]] | None = None

    def show(self, prepared: Prepared | None, modes: Sequence[Mode]) -> None:
        """Put a pass on show in some modes; the place stays as it is until :meth:`move`."""
        self.whole, self._modes = prepared, modes
        stories = prepared.stories if prepared is not None else {}
        self._courses = {mode: Course(story) for mode, story in stories.items()}
        self._open(prepared)
        self.skip(self.skipped)

    def _open(self, prepared: Prepared | None) -> None:
        """Let this be what may be known."""
        self.prepared = prepared
        self.panes = tuple(
            Pane(mode, prepared.steppers[mode].trace, prepared.steppers[mode], story)
            for mode in self._modes
            if prepared is not None and (story := prepared.stories.get(mode)) is not None
        )

    def skip(self, phases: frozenset[Phase]) -> None:
        """Jump over these phases from now on."""
        self.skipped = phases
        stories = self.whole.stories if self.whole is not None else {}
        shown = [stories[mode] for mode in self._modes if mode in stories]
        story = self._longest(shown)
        self.way = None if story is None else Course(story, phases)
        self._chart()

    def _longest(self, stories: Sequence[Story]) -> Story | None:
        """The story that is walked along; where something is compared, the first."""
        if Mode.COMPARED in self._modes:
            return next(iter(stories), None)
        return max(stories, key=_length, default=None)

    def _chart(self) -> None:
        """Find the places of what may be known."""
        story = self._longest([pane.story for pane in self.panes])
        self.course = None if story is None else Course(story, self.skipped)

    def move(self, place: Place) -> None:
        """Stand somewhere, in every trace of the pass, on show or not."""
        self.place = BEGINNING if self.way is None else self.way.within(place)
        whole = self.whole
        if whole is None:
            return
        for mode, stepper in whole.steppers.items():
            stepper.seek(self.step_in(mode))
        known = whole
        if self.hides and self.panes:
            known = until(whole, {mode: self.place_in(mode) for mode in whole.steppers})
        if known is not self.prepared:
            self._open(known)
            self._chart()

    def perform(self, prepared: Prepared) -> None:
        """Put a pass on show that somebody else runs, at its end, until :meth:`show`."""
        self._modes = tuple(prepared.steppers)
        self._open(prepared)
        self._chart()
        self.place = Place(Phase.BACKWARD, max(s.position for s in prepared.steppers.values()))

    @property
    def primary(self) -> Pane | None:
        """The pane that words and order speak of: the upper one."""
        return self.panes[0] if self.panes else None

    @property
    def position(self) -> int:
        """The position in the longest story on show."""
        return 0 if self.course is None else self.course.position(self.place)

    def place_in(self, mode: Mode) -> Place:
        """The place in the story of any mode that matches this one."""
        prepared, primary = self.whole, self.primary
        if prepared is None or primary is None or mode not in self._courses:
            return self.place
        phase, number = self.place
        if phase is Phase.BACKWARD:
            number = prepared.matching(number, primary.mode, mode)
        return self._courses[mode].within(Place(phase, number))

    def step_in(self, mode: Mode) -> int:
        """The position in the trace of any mode."""
        place = self.place_in(mode)
        return place.number if place.phase is Phase.BACKWARD else 0

    # -- differences --------------------------------------------------------------------

    @property
    def divergence(self) -> Divergence | None:
        """Where the forced modes differ; None where they were not both recorded."""
        return self.prepared.divergence if self.prepared is not None else None

    def marks(
        self, breakpoints: Sequence[int], findings: Sequence[int], *, differences: bool
    ) -> Mapping[Mark, Sequence[int]]:
        """Positions of the story that are marked; made anew only where they may be others."""
        if self.course is None:
            return {}
        divergence = self.divergence if differences else None
        made_for = (self.course.story, divergence, breakpoints, findings)
        if self._marks is None or self._marks[0] != made_for:
            self._marks = made_for, self.course.story.marks(divergence, breakpoints, findings)
        return self._marks[1]

    def position_of(self, number: int, mode: Mode) -> int:
        """The position in the story on show that matches one in the trace of some mode."""
        return self.of_backward(self.beside(number, mode))

    def beside(self, number: int, mode: Mode) -> int:
        """The position in the trace of the upper pane that matches one in that of some mode."""
        prepared, primary = self.prepared, self.primary
        if prepared is None or primary is None or mode not in prepared.steppers:
            return 0
        return prepared.matching(number, mode, primary.mode)

    def of_backward(self, number: int) -> int:
        """The position in the story of one in the trace."""
        return 0 if self.course is None else self.course.story.position_of_backward(number)


def nearest(marked: Iterable[Sequence[int]], here: int, forward: bool) -> int | None:
    """The nearest of some positions after (or before) one; each sequence is ascending."""
    if forward:
        ahead = (each[at] for each in marked if (at := bisect_right(each, here)) < len(each))
        return min(ahead, default=None)
    return max((each[at - 1] for each in marked if (at := bisect_left(each, here))), default=None)


def _length(story: Story) -> int:
    return story.length
