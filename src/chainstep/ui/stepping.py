"""Going from place to place in the pass on show, asked or not, or as its engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.story import Grain, Phase
from chainstep.ui.command import USUAL_KEYS
from chainstep.ui.course import Place
from chainstep.ui.engine_mode import EngineMode
from chainstep.ui.on_show import OnShow
from chainstep.ui.prediction import Prediction
from chainstep.ui.prepared import stand_in, unfolded

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtCore import QObject

    from chainstep.trace import Trace
    from chainstep.ui.course import Course
    from chainstep.ui.prepared import Prepared
    from chainstep.ui.quiz import Sheet


class Stepping(OnShow):
    """A pass on show that one can step through.

    Where what comes next is asked first, a step leads to the question; where somebody else is the
    engine, it does the next thing right for them.

    Args:
        parent: Owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stood: Place | None = None
        """Where it stood before somebody else became the engine."""
        self._unfolded: Prepared | None = None
        """The pass with a card for every node, as whoever is the engine sees it."""
        self._kept_step: Callable[[Course], Place] | None = None
        self._hiders: set[QObject | None] = set()
        """Who wants what is to come hidden; None is the user."""
        self.keys = dict(USUAL_KEYS)
        """The keys of commands, by id, for sentences that say what to press."""
        self.prediction = Prediction(self, self._whole_trace)
        """What is asked before a step is revealed."""
        self.engine = EngineMode(self, self._whole_trace, self._perform)
        """Somebody else who runs the pass."""

    # -- where to -----------------------------------------------------------------------

    def go(self, place: Place) -> None:
        """Go to a place; to the nearest one where the story has none such.

        Where somebody else is the engine there is nowhere to go.
        """
        if self.engine.on:
            return
        before, known = self.place, self._shown
        self._walk.move(place)
        if self._shown is not known:
            self.horizon_changed.emit()
        if self.place != before:
            self.position_changed.emit()

    def seek(self, position: int) -> None:
        """Go to a position of the story: what the moment before it did is on show then."""
        if self._walk.way is not None:
            self.go(self._walk.way.place(position))

    def seek_backward(self, position: int) -> None:
        """Go to a position of the trace, 0 to `backward_length`; beyond an end to that end."""
        self.go(Place(Phase.BACKWARD, position))

    def step_over(self) -> None:
        """Forward to the next Value made or put on the list, or the end of a `_backward`."""
        self._advance(lambda course: course.next(self.place, Grain.OVER))

    def step_into(self) -> None:
        """Forward by one moment: one Value, one visit, one write."""
        self._advance(lambda course: course.next(self.place, Grain.INTO))

    def step_out(self) -> None:
        """Forward to the end of the running `_backward`, of the visit, or of the phase."""
        self._advance(lambda course: course.out(self.place))

    def back_over(self) -> None:
        """Back to where stepping over stopped before."""
        self._step(lambda course: course.previous(self.place, Grain.OVER))

    def back_into(self) -> None:
        """Back by one moment."""
        self._step(lambda course: course.previous(self.place, Grain.INTO))

    def run_to_end(self) -> None:
        """To the last moment."""
        self._advance(lambda course: course.last)

    def restart(self) -> None:
        """To before the first moment."""
        self._step(lambda course: course.first)

    def next_phase(self) -> None:
        """To the beginning of the next phase, or the end of the last."""
        self._advance(lambda course: course.next_phase(self.place))

    def previous_phase(self) -> None:
        """To the beginning of this phase, or of the one before."""
        self._step(lambda course: course.previous_phase(self.place))

    def _advance(self, choose: Callable[[Course], Place]) -> None:
        """Step forward, or first be asked what will happen, or be shown what to do."""
        if self.engine.on:
            self.engine.show_next()
        elif self._walk.way is not None:
            self.go(self.prediction.before(choose(self._walk.way)))
            self.prediction.tell()

        else:
            self._kept_step = choose
            self.position_changed.emit()

    @property
    def keeps_step(self) -> bool:
        """A step forward waits until there is anything to step through."""
        return self._kept_step is not None

    def _make_up(self) -> None:
        """Make the step that was asked for when there was nothing to step through: the last one."""
        kept, self._kept_step = self._kept_step, None
        if kept is not None and self._walk.way is not None:
            self._advance(kept)

    def _step(self, choose: Callable[[Course], Place]) -> None:
        if self.engine.on:
            self.engine.undo()
        elif self._walk.way is not None:
            self.go(choose(self._walk.way))

    @property
    def ahead(self) -> Place:
        """Where stepping over leads, hidden or not; a question may stop one on the way."""
        way = self._walk.way
        return self.place if way is None else way.next(self.place, Grain.OVER)

    @property
    def at_end(self) -> bool:
        """No step leads on."""
        course = self._walk.way
        if self.engine.on:
            return self.engine.finished
        return course is not None and course.next(self.place, Grain.INTO) == self.place

    @property
    def at_start(self) -> bool:
        """No step leads back."""
        course = self._walk.way
        if self.engine.on:
            return not self.engine.can_undo
        return course is not None and course.previous(self.place, Grain.INTO) == self.place

    @property
    def skipped(self) -> frozenset[Phase]:
        """Phases that stepping jumps over."""
        return self._walk.skipped

    def skip(self, phase: Phase, skips: bool) -> None:
        """Jump over a phase when stepping, or step through it again. One phase always stays."""
        phases = self.skipped | {phase} if skips else self.skipped - {phase}
        if phases != self.skipped and phases != frozenset(Phase):
            self._walk.skip(phases)
            self.view_changed.emit()

    # -- what is hidden -----------------------------------------------------------------

    @property
    def hides(self) -> bool:
        """Whether what is to come is hidden.

        The recording, its traces and everything made from them that one gets here then end at the
        position.
        """
        return self._walk.hides or self.engine.on

    def hide(self, hides: bool, by: QObject | None = None) -> None:
        """Hide what is to come everywhere, or show it again; the position stays.

        Args:
            hides: Whether it is to be hidden.
            by: Who wants it. What more than one hides is shown once none of them does any more;
                by hand, which is None, it is shown at once.
        """
        self.engine.leave()
        if hides:
            self._hiders.add(by)
        elif by is None:
            self._hiders.clear()
        else:
            self._hiders.discard(by)
        if bool(self._hiders) != self._walk.hides:
            self._walk.hides = bool(self._hiders)
            self._walk.move(self.place)
            self.view_changed.emit()

    # -- what is asked ------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Answer what is asked."""
        asks = self.engine if self.engine.on else self.prediction
        asks.answer(text)

    def choose(self, node_id: int) -> bool:
        """Answer with a node that was clicked; whether it was an answer to anything."""
        return self.engine.choose(node_id) or self.prediction.choose(node_id)

    def sheet(self) -> Sheet | None:
        """What is asked, or to be said about the answer; None while nothing is asked at all."""
        return self.engine.sheet() or self.prediction.sheet()

    def escape(self) -> bool:
        """Leave what Escape leaves; whether there was anything."""
        if not self.engine.on:
            return False
        self.engine.leave()
        return True

    def _perform(self, trace: Trace | None) -> None:
        """Show a pass that somebody else runs; with None the recorded one again, where it stood."""
        whole = self._walk.whole
        assert whole is not None
        if trace is not None:
            self._stood = self._stood or self.place
            # What is asked may be about any node: each has to have its card.
            self._unfolded = self._unfolded or unfolded(whole)
            self._walk.perform(stand_in(self._unfolded, trace))
        else:
            self._walk.show(whole, self._modes(whole))
            self._walk.move(self._stood or self.place)
            self._stood = self._unfolded = None
        self.view_changed.emit()
        self.position_changed.emit()
