"""What is wrong with the program on show: checked in the background, and read here alone.

Whatever shows findings or verdicts reads them through :class:`Checks`. They tell how a pass ends:
while the future is hidden, there is nothing to be read.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from chainstep.finding import Severity
from chainstep.saved import Bookmark
from chainstep.story import Phase
from chainstep.trace import Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.finding import Finding
    from chainstep.judging import Subject
    from chainstep.report import Report
    from chainstep.trace import Recording
    from chainstep.ui.session import Session
    from chainstep.verify import Gradient

MOST_NODES, MOST_STEPS = 1000, 30_000
"""Sizes of a recording up to which it is checked without being asked."""

DELAY_MS = 300
"""How long a recording is on show before it is checked: a slider being moved makes many."""


class CheckHandle(Protocol):
    """A check that can be started once and stopped; see `chainstep.inspector.Check`."""

    def start(self, finished: Callable[[Report | Exception], None]) -> None:
        """Begin; `finished` is called on any thread, once more where PyTorch is asked too."""

    def stop(self) -> None:
        """End it; nothing is delivered any more."""

    def wait(self, timeout_s: float | None = None) -> object:
        """Block until it has ended, or that many seconds."""


class Checks(QObject):
    """The check of the recording on show.

    Args:
        session: Whose recording it is.
        checker: Makes a check that has not begun yet; None where nothing can be checked.
    """

    changed = Signal()
    """A check has begun or ended, or something was chosen.

    Another recording, and that the future is hidden or shown, says the session itself.
    """
    _delivered = Signal(int, object)

    def __init__(self, session: Session, checker: Callable[[Subject], CheckHandle] | None) -> None:
        super().__init__(session)
        self._session = session
        self._checker = checker
        self.automatic = True
        """Whether small programs are checked after each run."""
        self._recording: Recording | None = None
        self._report: Report | None = None
        self._wrong_in: tuple[int, frozenset[int]] | None = None
        self._wrong: tuple[Report, tuple[int, int] | None] | None = None
        self._chosen: Finding | None = None
        self._check: CheckHandle | None = None
        self._waiting = False
        self._asks_torch = False
        self._asked_torch = False
        self._ticket = 0
        self._verdicts: Mapping[tuple[int, int], Gradient] = {}
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(partial(self.check, unasked=True))
        session.recording_changed.connect(self._take_recording)
        session.run_changed.connect(self._take_run)
        self._delivered.connect(self._take, Qt.ConnectionType.QueuedConnection)

    # -- what was found -----------------------------------------------------------------

    @property
    def hidden(self) -> bool:
        """Whether the future is hidden: then nothing that was found can be read."""
        return self._session.hides

    @property
    def checking(self) -> bool:
        """A check is on, or about to begin."""
        return self._waiting or self._timer.isActive()

    @property
    def report(self) -> Report | None:
        """What the check of the recording on show said; None before it has ended."""
        return None if self.hidden else self._report

    @property
    def findings(self) -> Sequence[Finding]:
        """What is wrong, most important first, then what is worth knowing."""
        return () if self.report is None else self.report.findings

    @property
    def faults(self) -> Sequence[Finding]:
        """Those that say that something is wrong."""
        return [each for each in self.findings if each.severity is Severity.FAULT]

    @property
    def chosen(self) -> Finding | None:
        """The finding that was gone to last."""
        return None if self.hidden else self._chosen

    def verdict(self, node_id: int) -> Gradient | None:
        """The verdict on the gradient that a node has after the pass on show."""
        if self.hidden:
            return None
        return self._verdicts.get((self._session.pass_index, node_id))

    def wrong(self, mode: Mode) -> frozenset[int]:
        """Ids of the nodes whose gradients the pass on show leaves wrong, in a mode."""
        index = self._session.pass_index
        report = self.report
        if report is None or mode is not self._mode(index):
            return frozenset()
        if self._wrong_in is None or self._wrong_in[0] != index:
            found = (each.node for each in report.differing if each.pass_index == index)
            self._wrong_in = index, frozenset(found)
        return self._wrong_in[1]

    def lines(self) -> dict[int, Severity]:
        """Lines of the program that findings are about, from 1; none where the text is another."""
        found: dict[int, Severity] = {}
        if self._session.stale:
            return found
        for each in reversed(self.findings):
            if each.line is not None and each.file == 0:
                notes = each.severity is Severity.NOTE and each.line in found
                found[each.line] = found[each.line] if notes else each.severity
        return found

    @property
    def positions(self) -> Sequence[int]:
        """Positions of the story on show at which a finding shows, ascending."""
        session = self._session
        steps = {
            each.step + 1
            for each in self.findings
            if each.step is not None and each.pass_index == session.pass_index
        }
        mode = self._mode(session.pass_index)
        return tuple(sorted({session.position_in_story(step, mode) for step in steps}))

    def at(self, position: int) -> Sequence[Finding]:
        """The findings that show at a position of the story on show."""
        session = self._session
        mode = self._mode(session.pass_index)
        return [
            each
            for each in self.findings
            if each.step is not None
            and each.pass_index == session.pass_index
            and session.position_in_story(each.step + 1, mode) == position
        ]

    @property
    def first_wrong_write(self) -> tuple[int, int] | None:
        """The pass and the step at which a gradient first goes wrong; None where none does."""
        report = self.report
        if report is None:
            return None
        if self._wrong is None or self._wrong[0] is not report:
            from chainstep.judging import first_wrong_write  # noqa: PLC0415  not at start

            self._wrong = report, first_wrong_write(report)
        return self._wrong[1]

    def text(self) -> str:
        """All of it as text, as on the command line; empty before there is any."""
        if self.report is None:
            return ""
        from chainstep.report import text  # noqa: PLC0415  not at start

        return text(self.report)

    # -- going there --------------------------------------------------------------------

    def choose(self, number: int) -> None:
        """Go to where a finding shows, in the view in which it does, and mark its line."""
        if not 0 <= number < len(self.findings):
            return
        self._chosen = found = self.findings[number]
        step = None if found.step is None else found.step + 1
        self._visit(found.pass_index, step, found.node)
        self.changed.emit()

    def step(self, forward: bool = True) -> None:
        """Go to the next (or previous) finding of the list; behind its end it begins anew."""
        count = len(self.findings)
        if count:
            here = self.findings.index(self._chosen) if self._chosen in self.findings else None
            before = (-1 if forward else 0) if here is None else here
            self.choose((before + (1 if forward else -1)) % count)

    def visit_first_wrong_write(self) -> None:
        """Go to the write after which a gradient is wrong for the first time, on its edge."""
        first, report = self.first_wrong_write, self.report
        if first is None or report is None:
            return
        from chainstep.judging import telling  # noqa: PLC0415  not at start

        trace = telling(report.recording, first[0])
        target = None if trace is None else trace.steps[first[1]].target
        self._visit(first[0], first[1] + 1, target)

    def visit_last_write(self, node_id: int) -> None:
        """Go to the last write to a node's gradient in the pass on show."""
        from chainstep.judging import telling  # noqa: PLC0415  not at start

        if self.report is None:
            return
        index = self._session.pass_index
        trace = telling(self.report.recording, index)
        steps = () if trace is None else trace.steps
        writes = [number for number, step in enumerate(steps) if step.target == node_id]
        self._visit(index, writes[-1] + 1 if writes else None, node_id)

    def _visit(self, pass_index: int | None, step: int | None, node: int | None) -> None:
        session = self._session
        if session.running or not session.panes:
            return
        index = session.pass_index if pass_index is None else pass_index
        place = session.place.phase.value, session.place.number
        if step is not None:
            place = Phase.BACKWARD.value, step
        session.visit(Bookmark(index, self._mode(index).value, *place, node))

    def _mode(self, pass_index: int) -> Mode:
        """The mode of the trace that findings count steps in; it is a view as well."""
        recording = self._session.whole_recording
        written = recording is not None and recording.trace(Mode.AS_WRITTEN, pass_index)
        return Mode.AS_WRITTEN if written else Mode.ACCUMULATE

    # -- checking -----------------------------------------------------------------------

    def why_not(self) -> str:
        """Why nothing can be checked now; empty where something can."""
        session = self._session
        if self._checker is None:
            return "There is nothing here that checks programs."
        if session.running:
            return "The program is still running."
        if session.whole_recording is None:
            return f"Nothing is recorded yet: press {session.keys['run']} to run the program."
        return "It is being checked." if self._waiting else ""

    def check(self, *, unasked: bool = False) -> None:
        """Check the recording on show, whatever its size.

        Args:
            unasked: Whether nobody asked for it: then the program is not to do anything again that
                reaches beyond its process.
        """
        session, recording = self._session, self._session.whole_recording
        self._timer.stop()
        if recording is None or self._checker is None:
            return
        from chainstep.judging import Subject  # noqa: PLC0415  not at start

        self._abandon()
        ticket = self._ticket
        self._waiting, self._asked_torch = True, self._asks_torch
        program, options = session.ran_program, session.options
        self._check = self._checker(
            Subject(program, options, recording, session.has_run, self._asks_torch, unasked)
        )
        self._check.start(lambda result: self._delivered.emit(ticket, result))
        self.changed.emit()

    def ask_torch(self, asks: bool) -> None:
        """Have PyTorch asked too from now on, where it is installed, or no longer."""
        self._asks_torch = asks
        if asks and self._report is not None and not self._asked_torch and not self.checking:
            self.check(unasked=True)

    def is_small(self) -> bool:
        """Whether the recording is checked without being asked."""
        recording = self._session.whole_recording
        if recording is None:
            return False
        steps = sum(len(trace.steps) for trace in recording.traces)
        return len(recording.nodes) <= MOST_NODES and steps <= MOST_STEPS

    def set_automatic(self, automatic: bool) -> None:
        """Check small programs after each run, or none before it is asked for."""
        self.automatic = automatic
        if automatic and self._report is None and not self.checking:
            self._begin()
        elif not automatic:
            self._timer.stop()
        self.changed.emit()

    def close(self, timeout_s: float = 3.0) -> None:
        """Stop what is checked and wait for its end."""
        check = self._check
        self._abandon()
        if check is not None:
            check.wait(timeout_s)

    def _abandon(self) -> None:
        """Stop a check and never show what it delivers."""
        self._timer.stop()
        self._ticket += 1
        self._waiting = False
        if self._check is not None:
            self._check.stop()
            self._check = None

    def _begin(self) -> None:
        if self.automatic and self._checker is not None and self.is_small():
            self._timer.start()

    def _take_run(self) -> None:
        """A run takes the place of the check of the run before."""
        session = self._session
        if session.running and not session.laying_out and self.checking:
            self._abandon()
            self.changed.emit()

    def _take_recording(self) -> None:
        """Another recording is checked anew; another pass of the same one has been."""
        recording = self._session.whole_recording
        if recording is not self._recording:
            self._abandon()
            self._recording = recording
            self._report, self._chosen, self._verdicts = None, None, {}
            self._wrong_in = None
            self._begin()

    @Slot(int, object)
    def _take(self, ticket: int, result: Report | Exception) -> None:
        if ticket != self._ticket:
            return
        self._waiting = False
        if isinstance(result, Exception):
            self.changed.emit()
            raise result
        self._report = result
        self._verdicts = {(each.pass_index, each.node): each for each in result.gradients}
        self._wrong_in = None
        self.changed.emit()
