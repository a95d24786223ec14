"""The one place where program, run, recording and position meet.

Widgets get the session, read it, and call it; none of them knows another. Everything here runs
in the thread of the window, except :func:`prepare`, which the thread of the run calls so that
the window never waits for a layout.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

from chainstep.divergence import Divergence
from chainstep.options import Options
from chainstep.program import Program
from chainstep.stepper import Stepper
from chainstep.trace import Kind, Mode, Order, Outcome, Recording, Status, Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.graph import Graph
    from chainstep.layout import Layout
    from chainstep.program import Example

STOPPED_WHILE_DRAWING = (
    "Stopped before the graph was laid out, so there is nothing to show. Press F5 to run it again."
)


class View(Enum):
    """What the panes show."""

    ACCUMULATE = "accumulate"
    OVERWRITE = "overwrite"
    BOTH = "both"
    AS_WRITTEN = "as-written"

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes on show, from top to bottom."""
        if self is View.BOTH:
            return (Mode.ACCUMULATE, Mode.OVERWRITE)
        return (Mode(self.value),)


class RunHandle(Protocol):
    """A run that can be started once and stopped; see `chainstep.runner.Run`."""

    def start(self, finished: Callable[[Recording], None]) -> None:
        """Begin; `finished` is called once, on any thread."""

    def stop(self) -> None:
        """Ask for an early end; what was recorded so far is still delivered."""

    def wait(self, timeout_s: float | None = None) -> object:
        """Block until the run has ended, or that many seconds."""


@dataclass(frozen=True)
class Pane:
    """One pass on show in one mode: its trace, the position in that, and its story."""

    mode: Mode
    trace: Trace
    stepper: Stepper
    story: Story


class Session(QObject):
    """Program, options, run, recording, view, position and selection.

    Signals carry nothing: read the session. A signal of a larger thing stands for the smaller
    ones too: `recording_changed` means that view, position and selection are new as well, and
    `view_changed` that the position may be.

    Args:
        runner: Makes a run of a program that has not begun yet.
        options: How programs are run at first.
        parent: Owner.
    """

    program_changed = Signal()
    """Another program, or other text in it, or it has been saved."""
    run_changed = Signal()
    """A run has begun or ended."""
    recording_changed = Signal()
    """Another recording, or another pass of it."""
    view_changed = Signal()
    """Other panes, or another order or seed was chosen."""
    position_changed = Signal()
    selection_changed = Signal()
    pointer_changed = Signal()
    """Another node is pointed at, or none is any more."""

    _prepared = Signal(int, object)

    def __init__(
        self,
        runner: Callable[[Program, Options], RunHandle],
        options: Options | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self.options = options or Options()
        self.program = Program("untitled.py", "", None)
        self.example: Example | None = None
        """The bundled example that the program is, where it is one."""
        self.selected: int | None = None
        self.pointed: int | None = None
        """Id of the node that is pointed at somewhere, to be lit everywhere else."""
        self.position = 0
        self._wished_view = View.ACCUMULATE
        self._run: RunHandle | None = None
        self._delivered = False
        self._ticket = 0
        self._lock = threading.Lock()
        self._shown: Prepared | None = None
        self._passes: dict[int, Prepared] = {}
        self._keeps_position = False
        self._example_is_due = False
        self._ran_text: str | None = None
        self.panes: tuple[Pane, ...] = ()
        """One per mode on show, from top to bottom; none where nothing was recorded."""
        self._prepared.connect(self._show, Qt.ConnectionType.QueuedConnection)

    # -- what there is ------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """A run is on, or its graph is being laid out."""
        return self._run is not None

    @property
    def laying_out(self) -> bool:
        """The program has ended and its graph is being laid out."""
        return self.running and self._delivered

    @property
    def recording(self) -> Recording | None:
        """What the last finished run left; None before the first."""
        return self._shown.recording if self._shown else None

    @property
    def graph(self) -> Graph | None:
        """The graph of the pass on show; None where nothing was recorded."""
        return self._shown.graph if self._shown else None

    @property
    def layout(self) -> Layout | None:
        """Where its nodes and edges lie."""
        return self._shown.layout if self._shown else None

    @property
    def pass_index(self) -> int:
        """Which backward pass of the recording is on show, from 0."""
        return self._shown.pass_index if self._shown else 0

    @property
    def stale(self) -> bool:
        """The program's text is no longer the one that the graph on show was recorded from."""
        return self.recording is not None and self._ran_text != self.program.text

    @property
    def views(self) -> tuple[View, ...]:
        """The views that the recording has traces for."""
        if self._shown is None:
            return ()
        has = self._shown.steppers
        return tuple(view for view in View if all(mode in has for mode in view.modes))

    @property
    def view(self) -> View:
        """What the panes show; the wished one where it was recorded, else the first that was."""
        views = self.views
        return self._wished_view if not views or self._wished_view in views else views[0]

    @property
    def order(self) -> Order:
        """In which order the forced traces run, now or with the next run."""
        return self.options.order

    @property
    def seed(self) -> int:
        """What `random` is seeded with, now or with the next run."""
        return self.options.seed

    @property
    def primary(self) -> Pane | None:
        """The pane that words and order speak of: the upper one."""
        return self.panes[0] if self.panes else None

    @property
    def length(self) -> int:
        """Number of steps of the longest trace on show."""
        return max((pane.stepper.length for pane in self.panes), default=0)

    @property
    def differing(self) -> frozenset[int]:
        """Ids of the nodes whose `+=` and `=` gradients differ at this position."""
        if self._shown is None or self._shown.divergence is None:
            return frozenset()
        return self._shown.divergence.at(self._position_in(Mode.ACCUMULATE))

    @property
    def first_divergence(self) -> int | None:
        """The first position at which `+=` and `=` differ; None where they never do."""
        starts = self._starts()
        return starts[0] if starts else None

    def stepper(self, mode: Mode) -> Stepper | None:
        """The gradients of one mode at this position, also where it is not on show."""
        return self._shown.steppers.get(mode) if self._shown else None

    def divergence_from(self, forward: bool = True) -> int | None:
        """Where the next (or previous) difference begins, as a position; None where none does."""
        if self._shown is None or self._shown.divergence is None or self.view is View.AS_WRITTEN:
            return None
        divergence = self._shown.divergence
        return divergence.next(self.position) if forward else divergence.previous(self.position)

    def _starts(self) -> Sequence[int]:
        divergence = self._shown.divergence if self._shown else None
        return divergence.starts if divergence else ()

    # -- program ------------------------------------------------------------------------

    def open(self, program: Program, run: bool, example: Example | None = None) -> None:
        """Show another program; what was recorded before is put away.

        Args:
            program: What to show.
            run: Whether to run it at once: only what the user asked to run, or what is ours.
            example: The bundled example that it is; its view and position are applied when its
                recording arrives.
        """
        self._abandon()
        self.program = program
        self.example = example
        self._example_is_due = example is not None
        self._shown = None
        self._passes = {}
        self.panes = ()
        self.position = 0
        self.selected = self.pointed = None
        if example is not None:
            self._wished_view = View(example.view)
        self.program_changed.emit()
        self.recording_changed.emit()
        if run:
            self.run()

    def set_text(self, text: str) -> None:
        """Take the program's text as edited; nothing runs."""
        if text != self.program.text:
            self.program = replace(self.program, text=text)
            self.program_changed.emit()

    def rename(self, program: Program) -> None:
        """The same program under another name or path: it has been saved."""
        if program.path != self.program.path:
            self.example = None
        self.program = program
        self.program_changed.emit()

    # -- run ----------------------------------------------------------------------------

    def run(self, keeps_position: bool = False) -> None:
        """Run the program; a run that is on is stopped first.

        Args:
            keeps_position: Whether the position is kept when the recording arrives.
        """
        self._abandon()
        self._keeps_position = keeps_position
        self._ran_text = self.program.text
        ticket = self._ticket
        self._delivered = False
        self._run = self._runner(self.program, self.options)
        self._run.start(lambda recording: self._deliver(ticket, recording, 0))
        self.run_changed.emit()

    def stop(self) -> None:
        """Stop the run; what it recorded so far is shown when it has ended."""
        if self._run is None:
            return
        if not self._delivered:
            self._run.stop()
            return
        only_a_pass = isinstance(self._run, _Laying)
        self._abandon()
        if only_a_pass:
            return
        outcome = Outcome(Status.STOPPED, STOPPED_WHILE_DRAWING)
        recording = Recording(self.program.name, self._ran_text or "", outcome=outcome)
        self._adopt(prepare(recording))

    def close(self, timeout_s: float = 3.0) -> None:
        """Stop what runs and wait for its end, so that nothing outlives the window."""
        run = self._run
        self._abandon()
        if run is not None:
            run.wait(timeout_s)

    def _abandon(self) -> None:
        """Stop a run and never show what it delivers."""
        with self._lock:
            self._ticket += 1
        if self._run is not None:
            self._run.stop()
            self._run = None
            self.run_changed.emit()

    def _deliver(self, ticket: int, recording: Recording, pass_index: int) -> None:
        """Prepare in the thread that calls, then hand over to the window's."""
        result: Prepared | Exception
        with self._lock:
            if ticket != self._ticket:
                return
            self._delivered = True
        try:
            result = prepare(recording, pass_index)
        except Exception as fault:  # noqa: BLE001  raised again where the window can show it
            result = fault
        with self._lock:
            if ticket == self._ticket:
                self._prepared.emit(ticket, result)

    @Slot(int, object)
    def _show(self, ticket: int, result: Prepared | Exception) -> None:
        if ticket != self._ticket:
            return
        only_a_pass = isinstance(self._run, _Laying)
        self._run = None
        self.run_changed.emit()
        if isinstance(result, Exception):
            raise result
        self._adopt(result, only_a_pass)

    def _adopt(self, prepared: Prepared, only_a_pass: bool = False) -> None:
        """Put a recording, or another pass of it, on show at the position that is due."""
        at_end = self.position == self.length > 0
        if not only_a_pass:
            self._passes = {}
        self._passes[prepared.pass_index] = prepared
        self._shown = prepared
        self._choose_panes()
        position = 0
        if only_a_pass or self._keeps_position:
            position = self.length if at_end else self.position
        elif self._example_is_due and self.example is not None:
            from_end = self.example.position < 0
            position = self.example.position + (self.length + 1 if from_end else 0)
        self._example_is_due = False
        if self.selected is not None and not (self.graph and self.selected in self.graph):
            self.selected = None
        self.pointed = None
        self._move(position)
        self.recording_changed.emit()

    # -- view ---------------------------------------------------------------------------

    def set_view(self, view: View) -> None:
        """Show other modes; the position stays, or becomes the one that matches it."""
        self._wished_view = view
        if self._shown is None:
            self.view_changed.emit()
            return
        goal = self.view.modes[0]
        position = self._position_in(goal)
        self._choose_panes()
        self._move(position)
        self.view_changed.emit()

    def set_order(self, order: Order) -> None:
        """Run the `_backward` functions in another order; runs again where something ran."""
        if order is not self.order:
            self._set_options(replace(self.options, order=order))

    def set_seed(self, seed: int) -> None:
        """Seed `random` with another number; runs again where something ran."""
        if seed != self.seed:
            self._set_options(replace(self.options, seed=seed))

    def _set_options(self, options: Options) -> None:
        self.options = options
        if self.recording is not None or self.running:
            self.run(keeps_position=True)
        self.view_changed.emit()

    def set_pass(self, index: int) -> None:
        """Show another backward pass of the recording, at the same position.

        A pass shown for the first time is laid out in a thread of its own.
        """
        recording = self.recording
        if recording is None or self.running or index == self.pass_index:
            return
        if not 0 <= index < recording.passes:
            return
        if index in self._passes:
            self._adopt(self._passes[index], only_a_pass=True)
            return
        self._abandon()
        ticket = self._ticket
        self._delivered = True
        self._run = _Laying(lambda: self._deliver(ticket, recording, index))
        self._run.start(lambda _: None)
        self.run_changed.emit()

    def select(self, node_id: int | None) -> None:
        """Select a node of the graph, or none."""
        if node_id is not None and not (self.graph and node_id in self.graph):
            node_id = None
        if node_id != self.selected:
            self.selected = node_id
            self.selection_changed.emit()

    def point_at(self, node_id: int | None) -> None:
        """Light a node wherever it is shown, or none: the mouse or the focus is on its name."""
        if node_id is not None and not (self.graph and node_id in self.graph):
            node_id = None
        if node_id != self.pointed:
            self.pointed = node_id
            self.pointer_changed.emit()

    def _choose_panes(self) -> None:
        steppers = self._shown.steppers if self._shown else {}
        self.panes = tuple(
            Pane(mode, steppers[mode].trace, steppers[mode])
            for mode in self.view.modes
            if mode in steppers
        )

    # -- position -----------------------------------------------------------------------

    def seek(self, position: int) -> None:
        """Go to a position, 0 to `length`; one beyond an end goes to that end."""
        position = max(0, min(position, self.length))
        if position != self.position:
            self._move(position)
            self.position_changed.emit()

    def step_over(self) -> None:
        """Forward to the end of this or the next `_backward`."""
        if (leader := self._leader()) is not None:
            self.seek(leader.next_stop())

    def step_into(self) -> None:
        """Forward by one step: one write."""
        self.seek(self.position + 1)

    def step_out(self) -> None:
        """Forward to the end of the running `_backward`."""
        if (leader := self._leader()) is not None:
            self.seek(leader.end_of_call())

    def back_over(self) -> None:
        """Back to the end of the `_backward` before."""
        if (leader := self._leader()) is not None:
            self.seek(leader.previous_stop())

    def back_into(self) -> None:
        """Back by one step: one write."""
        self.seek(self.position - 1)

    def run_to_end(self) -> None:
        """To the last step."""
        self.seek(self.length)

    def restart(self) -> None:
        """To before the first step."""
        self.seek(0)

    def seek_divergence(self, forward: bool = True) -> None:
        """To where the next (or previous) node begins to differ; stays where none does."""
        position = self.divergence_from(forward)
        if position is not None:
            self.seek(position)

    def _leader(self) -> Stepper | None:
        """The longest trace on show: the one whose position is the session's."""
        steppers = [pane.stepper for pane in self.panes]
        return max(steppers, key=lambda stepper: stepper.length, default=None)

    def _move(self, position: int) -> None:
        """Bring every trace of the pass, on show or not, to what matches a position."""
        self.position = max(0, min(position, self.length))
        if self._shown is not None:
            for mode, stepper in self._shown.steppers.items():
                stepper.seek(self._position_in(mode))

    def _position_in(self, mode: Mode) -> int:
        """This position, as one in the trace of another mode.

        The two forced modes share positions. What the program did itself may hold other steps:
        there it is the same place within the call of the same number.
        """
        shown = self._shown
        primary = self.primary
        if shown is None or primary is None or mode not in shown.calls:
            return self.position
        if (mode is Mode.AS_WRITTEN) is (primary.mode is Mode.AS_WRITTEN):
            return self.position
        here, there = shown.calls[primary.mode], shown.calls[mode]
        end = shown.steppers[mode].length
        if self.position >= primary.stepper.length:
            return end
        number = bisect_left(here, self.position)
        if number > len(there):
            return end
        offset = self.position - (here[number - 1] if number else 0)
        latest = there[number] if number < len(there) else end
        return min((there[number - 1] if number else 0) + offset, latest)


class _Laying:
    """A run of nothing but a layout, in a thread of its own; it cannot be stopped, only left."""

    def __init__(self, work: Callable[[], None]) -> None:
        self._thread = threading.Thread(target=work, name="layout", daemon=True)

    def start(self, finished: Callable[[Recording], None]) -> None:  # noqa: ARG002  work delivers
        self._thread.start()

    def stop(self) -> None:
        """Nothing to stop: what it delivers is left unshown."""

    def wait(self, timeout_s: float | None = None) -> None:
        self._thread.join(timeout_s)
