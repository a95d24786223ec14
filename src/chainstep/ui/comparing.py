"""What the pass on show can be compared with: its other modes, passes, orders, and other runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.errors import ProgramError
from chainstep.program import Program
from chainstep.substitution import value_class
from chainstep.trace import Mode, Order
from chainstep.ui.beside import Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.options import Options
    from chainstep.trace import Recording
    from chainstep.ui.delivery import RunHandle
    from chainstep.ui.session import Session

MODES = {
    Mode.ACCUMULATE: ("+=", "the same pass, accumulating"),
    Mode.OVERWRITE: ("=", "the same pass, overwriting"),
    Mode.AS_WRITTEN: ("as written", "what the program's own backward() did"),
}
MOST_PASSES = 200
"""Passes that are offered: of a long training those around the one on show."""


@dataclass(frozen=True)
class Offer:
    """One thing to compare with.

    Attributes:
        key: What stands for it.
        heading: What stands above its pane: a sign, and what it means.
        start: Begins the comparison; gives why it cannot be.
    """

    key: str
    heading: tuple[str, str]
    start: Callable[[], str]


class Comparing(QObject):
    """Finds what to compare with, runs the program for it where that has to be, and compares.

    Args:
        session: Whose pass it is.
        runner: Makes a run of a program that has not begun yet.
    """

    changed = Signal()
    """A run for a comparison has begun or ended."""
    refused = Signal(str)
    """Why two passes cannot be compared, in a sentence."""

    def __init__(self, session: Session, runner: Callable[[Program, Options], RunHandle]) -> None:
        super().__init__(session)
        self._session = session
        self._beside = Beside(runner, self)
        self._now: Recording | None = None
        self.previous: Recording | None = None
        """What the run before this one left of the same program."""
        session.recording_changed.connect(self._follow)

    @property
    def running(self) -> bool:
        """Whether the program runs for a comparison."""
        return self._beside.running

    def _follow(self) -> None:
        """Keep the run before, as long as it is the same program that is run again."""
        whole = self._session.whole_recording
        if whole is self._now:
            return
        before, self._now = self._now, whole
        if self.running:
            self._beside.stop()
            self.changed.emit()
        if whole is None or before is None or before.program != whole.program:
            self.previous = None
        else:
            self.previous = before

    def why_not(self) -> str:
        """Why nothing can be compared now; empty where something can."""
        session = self._session
        if session.hides:
            return "What is to come is hidden: switch that off first."
        return "" if session.panes else "Nothing is recorded that could be compared."

    # -- what there is ------------------------------------------------------------------

    def offers(self) -> Iterator[Offer]:
        """Everything that the pass on show can be compared with."""
        session, recording = self._session, self._session.whole_recording
        primary = session.primary
        if recording is None or primary is None:
            return
        index, base = session.pass_index, primary.mode
        for mode, heading in MODES.items():
            if mode is not base and recording.trace(mode, index) is not None:
                yield self._offer(f"mode:{mode.value}", heading, recording, index, mode)
        if self.previous is not None:
            heading = ("before", "the run before this one")
            yield self._offer("previous", heading, self.previous, index, base)
        experiment = session.experiment
        if experiment.recording is not None:
            heading = ("beside", experiment.words)
            yield self._offer("experiment", heading, experiment.recording, index, base)
        yield from self._ours(recording, base)
        yield from self._orders(base)
        first = max(0, min(index - MOST_PASSES // 2, recording.passes - MOST_PASSES))
        for other in range(first, min(recording.passes, first + MOST_PASSES)):
            if other != index:
                heading = (f"pass {other + 1}", "another pass of this run")
                yield self._offer(f"pass:{other + 1}", heading, recording, other, base)

    def _offer(
        self, key: str, heading: tuple[str, str], recording: Recording, index: int, mode: Mode
    ) -> Offer:
        session = self._session
        return Offer(key, heading, lambda: session.compare(recording, index, mode, heading))

    def _orders(self, base: Mode) -> Iterator[Offer]:
        """The other orders, each of which needs a run; the program's own needs none of them."""
        for order in Order:
            if order in (Order.AS_WRITTEN, self._session.order) or base is Mode.AS_WRITTEN:
                continue
            heading = (order.value, "the same pass in another order")
            options = replace(self._session.options, order=order)
            start = partial(self._run, options, base, heading)
            yield Offer(f"order:{order.value}", heading, start)

    def _ours(self, recording: Recording, base: Mode) -> Iterator[Offer]:
        """The same program with our Value, where it has a class of its own."""
        if "class " not in recording.source:
            return
        heading = ("ours", "the same program with Chainstep's Value")

        def start() -> str:
            try:
                name = value_class(recording.source)
            except ProgramError as refusal:
                return str(refusal)
            return self._run(replace(self._session.options, ours=name), base, heading)

        yield Offer("ours", heading, start)

    def _run(self, options: Options, mode: Mode, heading: tuple[str, str]) -> str:
        """Run the program otherwise, then compare with that; gives why it cannot be."""
        session, recording = self._session, self._session.whole_recording
        if recording is None:
            return "Nothing is recorded that could be compared."
        index = session.pass_index

        def take(found: Recording) -> None:
            self.changed.emit()
            self._say(session.compare(found, index, mode, heading))

        program = Program(recording.program, recording.source, session.program.path)
        self._beside.start(program, options, take)
        self.changed.emit()
        return ""

    def choose(self, key: str) -> None:
        """Compare with one of the offers."""
        for offer in self.offers():
            if offer.key == key:
                self._say(offer.start())
                return

    def _say(self, refusal: str) -> None:
        if refusal:
            self.refused.emit(refusal)

    def close(self, timeout_s: float) -> None:
        """Stop what runs."""
        self._beside.close(timeout_s)
