"""The one place where program, run, recording and position meet.

Widgets get the session, read it, and call it; none of them knows another. Everything here runs
in the thread of the window, except what prepares a pass, which the thread of the run calls so
that the window never waits for a layout.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

from chainstep.options import Options
from chainstep.program import Program
from chainstep.saved import Bookmark
from chainstep.story import Grain, Mark, Phase
from chainstep.trace import Mode, Order, Outcome, Recording, Status
from chainstep.training import with_updates
from chainstep.ui.breaks import Breakpoints
from chainstep.ui.checks import Checks
from chainstep.ui.command import USUAL_KEYS
from chainstep.ui.comparing import Comparing
from chainstep.ui.course import Place
from chainstep.ui.engine_mode import EngineMode
from chainstep.ui.experiment import Experiment
from chainstep.ui.moves import Moves
from chainstep.ui.passes import Passes
from chainstep.ui.prediction import Prediction
from chainstep.ui.prepared import FORCED, prepare, stand_in
from chainstep.ui.selection import Selection
from chainstep.ui.shapes import Layouts
from chainstep.ui.walk import BEGINNING, HEADINGS, Pane, Walk, nearest
from chainstep.visible import Choices, Visible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.graph import Graph
    from chainstep.judging import Subject
    from chainstep.layout import Layout
    from chainstep.program import Example
    from chainstep.readiness import Readiness
    from chainstep.stepper import Stepper
    from chainstep.story import Moment, Story
    from chainstep.trace import Trace
    from chainstep.ui.checks import CheckHandle
    from chainstep.ui.course import Course
    from chainstep.ui.prepared import Prepared
    from chainstep.ui.quiz import Sheet

__all__ = ["Pane", "Place", "Session", "View", "prepare"]

STOPPED_WHILE_DRAWING = (
    "Stopped before the graph was laid out, so there is nothing to show. Run it again."
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


class Session(QObject):
    """Program, options, run, recording, view, position and selection.

    Signals carry nothing: read the session. A signal of a larger thing stands for the smaller
    ones too: `recording_changed` means that view, position and selection are new as well, and
    `view_changed` that the position may be.

    Args:
        runner: Makes a run of a program that has not begun yet.
        options: How programs are run at first.
        parent: Owner.
        checker: Makes a check of a recording that has not begun yet; None to check nothing.
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
    _stood: Place | None = None
    """Where it stood before somebody else became the engine."""
    _keeps_position = False

    def __init__(
        self,
        runner: Callable[[Program, Options], RunHandle],
        options: Options | None = None,
        parent: QObject | None = None,
        checker: Callable[[Subject], CheckHandle] | None = None,
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
        self._walk = Walk()
        self._wished_view = View.ACCUMULATE
        self._run: RunHandle | None = None
        self._delivered = False
        self._ticket = 0
        self._lock = threading.Lock()
        self._layouts = Layouts()
        self.choices = Choices()
        """What is drawn of a graph and how."""
        self._passes: Passes | None = None
        self._left: tuple[Place, bool, int] | None = None  # before a run that failed
        self._left_pass = 0
        self._example_is_due = False
        self._ran_text: str | None = None
        self._ran_data: tuple[tuple[int, float], ...] = ()
        self._bookmark: Bookmark | None = None
        self.tried: frozenset[int] = frozenset()
        """Ids of the nodes on show that had another number than the program gives them."""
        self.keys = dict(USUAL_KEYS)
        """The keys of commands, by id, for sentences that say what to press."""
        self.selection = Selection(self)
        """What is selected on the graph, together with the selected node."""
        self.moves = Moves(self)
        """Which cards were moved by hand."""
        self.breakpoints = Breakpoints(self)
        """Where stepping can be made to stop, and what is watched."""
        self.has_run = False
        """The recording comes from a run; one that was opened was recorded elsewhere."""
        self.checks = Checks(self, checker)
        """What is wrong with the program, and the verdict on every gradient."""
        self.prediction = Prediction(self, self._whole_trace)
        """What is asked before a step is revealed."""
        self.comparison: tuple[tuple[str, str], tuple[str, str]] | None = None
        """What stands above the two panes of a comparison; None while nothing is compared."""
        self.experiment = Experiment(self, runner)
        """The same training loop run otherwise, beside this one."""
        self.comparing = Comparing(self, runner)
        """What the pass on show can be compared with."""
        self.engine = EngineMode(self, self._whole_trace, self._perform)
        """Somebody else who runs the pass."""
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
    def _shown(self) -> Prepared | None:
        return self._walk.prepared

    @property
    def panes(self) -> tuple[Pane, ...]:
        """One per mode on show, from top to bottom; none where nothing was recorded."""
        return self._walk.panes

    @property
    def recording(self) -> Recording | None:
        """What the last finished run left, as far as it may be known; None before the first."""
        return self._shown.recording if self._shown else None

    @property
    def whole_recording(self) -> Recording | None:
        """The same with what is to come, where that is hidden: to be kept, never to be shown."""
        return self._walk.whole.recording if self._walk.whole else None

    def _whole_trace(self, mode: Mode) -> Trace | None:
        whole = self._walk.whole
        stepper = whole.steppers.get(mode) if whole is not None else None
        return None if stepper is None else stepper.trace

    @property
    def hides(self) -> bool:
        """Whether what is to come is hidden.

        The recording, its traces and everything made from them that one gets here then end at the
        position.
        """
        return self._walk.hides or self.engine.on

    @property
    def graph(self) -> Graph | None:
        """The graph of the pass on show; None where nothing was recorded."""
        return self._shown.graph if self._shown else None

    @property
    def layout(self) -> Layout | None:
        """Where the nodes and edges that are drawn lie."""
        layout = self._shown.layout if self._shown else None
        return None if layout is None else self.moves.layout(layout)

    @property
    def visible(self) -> Visible | None:
        """What of the graph is drawn."""
        shown = self._shown
        if shown is None or shown.graph is None:
            return None
        return shown.visible or Visible(shown.graph, shown.graph)

    @property
    def pass_index(self) -> int:
        """Which backward pass of the recording is on show, from 0."""
        return self._shown.pass_index if self._shown else 0

    @property
    def stale(self) -> bool:
        """The program's text is no longer the one that the graph on show was recorded from."""
        return self.recording is not None and self._ran_text != self.program.text

    @property
    def ran_program(self) -> Program:
        """The program as it was when it ran."""
        text = self.program.text if self._ran_text is None else self._ran_text
        return replace(self.program, text=text)

    @property
    def views(self) -> tuple[View, ...]:
        """The views that the recording has traces for."""
        return _views(self._shown)

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
        return self._walk.primary

    def stepper(self, mode: Mode) -> Stepper | None:
        """The gradients of one mode at this position, also where it is not on show."""
        return self._shown.steppers.get(mode) if self._shown else None

    def origins(self, mode: Mode) -> Mapping[int, int]:
        """The earlier pass that left its gradient to this one, by node id; as written alone."""
        return self._shown.origins if self._shown and mode is Mode.AS_WRITTEN else {}

    def readiness(self, mode: Mode) -> Readiness | None:
        """In which order the calls of one mode come, and which come too early."""
        return self._shown.orders.get(mode) if self._shown else None

    # -- where it stands ----------------------------------------------------------------

    @property
    def story(self) -> Story | None:
        """The pass on show from its first Value to its last step, in the longest mode on show."""
        return self._walk.course.story if self._walk.course else None

    @property
    def course(self) -> Course | None:
        """The places of that story, in order."""
        return self._walk.course

    @property
    def place(self) -> Place:
        """The phase on show, and how many of its moments are over."""
        return self._walk.place

    @property
    def position(self) -> int:
        """The position in the story: how many moments of all phases are over."""
        return self._walk.position

    @property
    def length(self) -> int:
        """Number of moments of the story."""
        return self.story.length if self.story is not None else 0

    @property
    def phase(self) -> Phase:
        """The phase on show. Where one ends and the next begins it can be either of the two."""
        return self.place.phase

    @property
    def moment(self) -> Moment | None:
        """The moment on show; None at the beginning of a phase, before its first."""
        story = self.story
        return story.moment(self.position) if story is not None and self.place.number else None

    def is_made(self, node_id: int) -> bool:
        """Whether a node exists at this position; before that its data is to stay hidden."""
        story = self.story
        return (
            self.phase is not Phase.FORWARD
            or story is None
            or (story.is_made(node_id, self.position))
        )

    @property
    def now(self) -> int | None:
        """The node that has just been made or sorted, or whose `_backward` runs."""
        pane, moment = self.primary, self.moment
        if self.phase is Phase.BACKWARD:
            return pane.stepper.running if pane is not None else None
        return moment.node if moment is not None else None

    @property
    def backward_position(self) -> int:
        """The position in the longest trace on show: 0 until its first step was made."""
        return self.place.number if self.phase is Phase.BACKWARD else 0

    @property
    def backward_length(self) -> int:
        """Number of steps of the longest trace on show; of the upper where two are compared."""
        panes = self.panes if self.comparison is None else self.panes[:1]
        return max((pane.stepper.length for pane in panes), default=0)

    def place_in(self, mode: Mode) -> Place:
        """The place in the story of one mode that matches this one."""
        return self._walk.place_in(mode)

    def position_in_story(self, number: int, mode: Mode) -> int:
        """The position in the story on show that matches one in the trace of some mode."""
        return self._walk.position_of(number, mode)

    @property
    def differing(self) -> frozenset[int]:
        """Ids of the nodes whose gradients differ at this position between what is compared."""
        divergence, whole = self._walk.divergence, self._walk.whole
        position = self._walk.step_in(whole.pair[0]) if whole is not None else 0
        return frozenset() if divergence is None else divergence.at(position)

    @property
    def compares(self) -> bool:
        """Whether differences are spoken of: those between `+=` and `=`, or what is compared."""
        return self.comparison is not None or self.view is not View.AS_WRITTEN

    @property
    def compared(self) -> tuple[Mode, Mode]:
        """The two traces that are compared: += and = where nothing else is."""
        return self._walk.whole.pair if self._walk.whole is not None else FORCED

    def heading(self, mode: Mode) -> tuple[str, str]:
        """What stands above the pane of a mode: a sign, and what it means."""
        if self.comparison is not None and mode in self.compared:
            return self.comparison[self.compared.index(mode)]
        return HEADINGS[mode]

    def compare(
        self, recording: Recording, pass_index: int, mode: Mode, other: tuple[str, str]
    ) -> str:
        """Hold the pass on show, in its upper mode, against another one of the same shape.

        Args:
            recording: Holds the other pass.
            pass_index: Which one, from 0.
            mode: The mode of it.
            other: What stands above its pane: a sign, and what it means.

        Returns:
            Why they cannot be compared, in a sentence; empty where they now are.
        """
        # Brings the table of operations, which no window needs to be painted.
        from chainstep.comparison import first_difference, moved  # noqa: PLC0415

        self.engine.leave()
        whole, graph, primary = self._walk.whole, self.graph, self.primary
        trace = recording.trace(mode, pass_index)
        if whole is None or graph is None or primary is None:
            return "There is no pass on show to be compared."
        if trace is None:
            return f"The other run recorded no such pass. {recording.outcome.message}".rstrip()
        there = recording.graph(pass_index)
        refusal = first_difference(graph, there)
        if refusal:
            return refusal
        base = primary.mode
        told = moved(with_updates(recording, trace), there, graph, whole.pass_index)
        place = self.place
        plain = whole.alone() if self.comparison is not None else whole
        self.comparison = (HEADINGS[base], other)
        self._walk.show(plain.held_against(told, base), (base, Mode.COMPARED))
        self._walk.move(place)
        self.recording_changed.emit()
        return ""

    def end_comparison(self) -> None:
        """Show the pass alone again, where something was compared with it."""
        whole, place = self._walk.whole, self.place
        if self.comparison is None or whole is None:
            return
        self.comparison = None
        plain = whole.alone()
        self._walk.show(plain, self._modes(plain))
        self._walk.move(place)
        self.recording_changed.emit()

    @property
    def first_divergence(self) -> int | None:
        """The first position at which `+=` and `=` differ; None where they never do."""
        divergence = self._walk.divergence
        starts = divergence.starts if divergence is not None else ()
        return self._walk.of_backward(starts[0]) if starts else None

    def divergence_from(self, forward: bool = True) -> int | None:
        """Where the next (or previous) difference begins, as a position; None where none does."""
        divergence = self._walk.divergence
        if divergence is None or not self.compares:
            return None
        here = self.backward_position
        found = divergence.next(here) if forward else divergence.previous(here)
        return None if found is None else self._walk.of_backward(found)

    @property
    def marks(self) -> Mapping[Mark, Sequence[int]]:
        """Positions that are marked on the timeline, ascending, by what they are marked for."""
        differences = self.compares
        return self._walk.marks(
            self.breakpoints.positions, self.checks.positions, differences=differences
        )

    def mark_from(self, forward: bool = True) -> int | None:
        """The nearest marked position after (or before) this one; None where there is none."""
        return nearest(self.marks.values(), self.position, forward)

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
        # Another program has other Values, and other names for them.
        self.options = replace(self.options, data=(), root=None)
        self._left = None
        self._forget_passes()
        self.engine.leave()
        self.comparison = None
        self._walk.show(None, ())
        self._walk.move(BEGINNING)
        self.selected = self.pointed = None
        self.breakpoints.forget()
        self.moves.forget()
        if example is not None:
            self._wished_view = View(example.view)
        self.program_changed.emit()
        self.recording_changed.emit()
        if run:
            self.run()

    def open_recording(
        self,
        program: Program,
        recording: Recording,
        bookmark: Bookmark,
        options: Options | None = None,
        example: Example | None = None,
    ) -> None:
        """Show another program with what was recorded of it before; nothing runs.

        Args:
            program: What to show.
            recording: What was recorded.
            bookmark: Where to stand in it.
            options: How it was run, and is to be run again.
            example: The bundled example that it is.
        """
        self.open(program, run=False, example=example)
        self._example_is_due = False
        self.options = options or self.options
        self._ran_text, self._ran_data = recording.source, self.options.data
        self.has_run = False
        self._wished_view = next((v for v in View if v.value == bookmark.view), self._wished_view)
        self._bookmark = bookmark
        self._lay(lambda: self._prepare(recording, bookmark.pass_index))

    @property
    def bookmark(self) -> Bookmark:
        """Where it stands, as a saved recording keeps it."""
        place = self._stood or self.place
        return Bookmark(
            self.pass_index, self.view.value, place.phase.value, place.number, self.selected
        )

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
        if self.stale and self.options.data:
            # In another text the same numbers may stand for other Values.
            self.options = replace(self.options, data=())
        self._ran_text, self._ran_data = self.program.text, self.options.data
        self.has_run = True
        ticket = self._ticket
        self._delivered = False
        self._run = self._runner(self.program, self.options)
        wished = self._wished_pass()
        self._run.start(
            lambda recording: self._deliver(ticket, lambda: self._prepare(recording, wished))
        )
        self.run_changed.emit()

    def _wished_pass(self) -> int:
        """Which pass is to be shown first; negative ones count from the end."""
        if self._keeps_position:
            self._left_pass = self._left[2] if self._left else self.pass_index
            return self._left_pass
        self._left = None
        if self._example_is_due and self.example is not None:
            return self.example.pass_index
        return 0

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
        self.checks.close(timeout_s)
        self.experiment.close(timeout_s)
        self.comparing.close(timeout_s)
        if run is not None:
            run.wait(timeout_s)
        if self._passes is not None:
            self._passes.close(timeout_s)

    def _prepare(self, recording: Recording, pass_index: int) -> Prepared:
        """A pass made ready; one beyond an end is that end. Negative ones count from the end."""
        passes = recording.passes
        index = pass_index + passes if pass_index < 0 else pass_index
        return prepare(recording, max(0, min(index, passes - 1)), self._layouts, self.choices)

    def _forget_passes(self) -> None:
        if self._passes is not None:
            self._passes.close()
            self._passes = None

    def _abandon(self) -> None:
        """Stop a run and never show what it delivers."""
        with self._lock:
            self._ticket += 1
        self._bookmark = None
        if self._run is not None:
            self._run.stop()
            self._run = None
            self.run_changed.emit()

    def _deliver(self, ticket: int, work: Callable[[], Prepared]) -> None:
        """Prepare in the thread that calls, then hand over to the window's."""
        result: Prepared | Exception
        with self._lock:
            if ticket != self._ticket:
                return
            self._delivered = True
        try:
            result = work()
        except Exception as fault:  # noqa: BLE001  raised again where the window can show it
            result = fault
        with self._lock:
            if ticket == self._ticket:
                self._prepared.emit(ticket, result)

    @Slot(int, object)
    def _show(self, ticket: int, result: Prepared | Exception) -> None:
        if ticket != self._ticket:
            return
        only_a_pass = self._only_a_pass
        self._run = None
        self.run_changed.emit()
        if isinstance(result, Exception):
            raise result
        self._adopt(result, only_a_pass)

    def _adopt(self, prepared: Prepared, only_a_pass: bool = False) -> None:
        """Put a recording, or another pass of it, on show at the place that is due."""
        if prepared.choices != self.choices:
            # They were changed while this was being laid out.
            self._lay(lambda: prepared.arranged(self._layouts, self.choices), only_a_pass)
            return
        self.engine.leave()
        place, at_end = self.place, self.at_end
        if only_a_pass and self._passes is not None:
            self._passes.keep(prepared)
        else:
            self._forget_passes()
            self._passes = Passes(prepared, self._layouts)
            self.tried = self._other_numbers(prepared.recording)
        self.comparison = None
        self._walk.show(prepared, self._modes(prepared))
        if self._bookmark is not None:
            due = self._take_bookmark(self._bookmark)
        elif only_a_pass or self._keeps_position:
            due = self._kept(place, at_end)
        else:
            due = self._opening()
        self._example_is_due = False
        if self.selected is not None and not (self.graph and self.selected in self.graph):
            self.selected = None
        self.pointed = None
        self._walk.move(due)
        if not only_a_pass and prepared.recording.outcome.status is Status.OK:
            self.moves.drop_lost()
        self.recording_changed.emit()

    def _kept(self, place: Place, at_end: bool) -> Place:
        """The place to stay at, also over a run that failed and left less to stand in."""
        course, recording = self.course, self.recording
        if course is None or recording is None or recording.outcome.status is not Status.OK:
            self._left = self._left or (place, at_end, self._left_pass)
            return course.last if course is not None and at_end else place
        (place, at_end, _), self._left = self._left or (place, at_end, 0), None
        return course.last if at_end else place

    def _take_bookmark(self, bookmark: Bookmark) -> Place:
        """Select what it says; gives the place that it says."""
        self._bookmark = None
        self._keeps_position = False
        self.selected = bookmark.selected
        if self.selected is not None and not (self.graph and self.selected in self.graph):
            self.selected = None
        phase = next((p for p in Phase if p.value == bookmark.phase), Phase.BACKWARD)
        return Place(phase, bookmark.number)

    def _other_numbers(self, recording: Recording) -> frozenset[int]:
        serials = dict(self._ran_data)
        return frozenset(node.id for node in recording.nodes if node.serial in serials)

    def _opening(self) -> Place:
        """Where a new recording is shown: an example says so itself."""
        course = self.course
        number = 0
        if self._example_is_due and self.example is not None:
            number = self.example.position
            number += self.backward_length + 1 if number < 0 else 0
        elif course is not None and Phase.BACKWARD in course.skipped:
            return course.first
        return Place(Phase.BACKWARD, number)

    # -- view ---------------------------------------------------------------------------

    def set_view(self, view: View) -> None:
        """Show other modes; the position stays, or becomes the one that matches it."""
        self.engine.leave()
        self.end_comparison()
        self._wished_view = view
        whole = self._walk.whole
        if whole is None:
            self.view_changed.emit()
            return
        place = self.place_in(self.view.modes[0])
        self._walk.show(whole, self._modes(whole))
        self._walk.move(place)
        self.view_changed.emit()

    def set_order(self, order: Order) -> None:
        """Run the `_backward` functions in another order; runs again where something ran."""
        if order is not self.order:
            self.set_options(replace(self.options, order=order))

    def set_seed(self, seed: int) -> None:
        """Seed `random` with another number; runs again where something ran."""
        if seed != self.seed:
            self.set_options(replace(self.options, seed=seed))

    def set_root(self, name: str | None) -> None:
        """Start from the Value of that name, in a program that calls no `backward()`."""
        if name != self.options.root:
            self.set_options(replace(self.options, root=name))

    def set_options(self, options: Options, runs_again: bool = True) -> None:
        """Run programs otherwise from now on; by default again, where something ran."""
        self.options = options
        if runs_again and (self.recording is not None or self.running):
            self.run(keeps_position=True)
        self.view_changed.emit()

    def set_pass(self, index: int) -> None:
        """Show another backward pass of the recording, at the same place.

        A large pass shown for the first time is made ready in a thread of its own.
        """
        self.engine.leave()
        if index != self.pass_index:
            self._turn_to(index)

    def visit(self, bookmark: Bookmark) -> None:
        """Show a place of any pass, in the view that it says, with its node selected."""
        self.engine.leave()
        self._wished_view = View(bookmark.view)
        if bookmark.pass_index != self.pass_index:
            self._turn_to(bookmark.pass_index, bookmark)
            return
        self.set_view(self._wished_view)
        self.select(bookmark.selected)
        self.go(Place(Phase(bookmark.phase), bookmark.number))

    def _turn_to(self, index: int, bookmark: Bookmark | None = None) -> None:
        """Show another pass: at the same place, or at one that is due."""
        recording, passes = self.recording, self._passes
        if recording is None or passes is None or self.running:
            return
        if not 0 <= index < recording.passes:
            return
        ready = passes.find(index)
        if ready is None and not passes.is_quick(index):
            self._abandon()
            self._bookmark = bookmark
            self._lay(lambda: passes.prepare(index))
            return
        self._bookmark = bookmark
        self._adopt(ready or passes.prepare(index), only_a_pass=True)

    def set_choices(self, choices: Choices) -> None:
        """Draw something else of the graph, or otherwise; it is laid out anew meanwhile."""
        if choices == self.choices:
            return
        self.choices = choices
        passes, shown = self._passes, self._walk.whole
        if passes is not None and shown is not None:
            passes.choices = choices
            if not self.running or self._only_a_pass:
                self._abandon()
                self._lay(lambda: shown.arranged(self._layouts, choices))
        self.view_changed.emit()

    @property
    def _only_a_pass(self) -> bool:
        """What is being laid out was recorded before."""
        return isinstance(self._run, _Laying) and self._run.only_a_pass

    def _lay(self, work: Callable[[], Prepared], only_a_pass: bool = True) -> None:
        """Make something ready to be shown in a thread of its own."""
        ticket = self._ticket
        self._delivered = True
        self._run = _Laying(lambda: self._deliver(ticket, work), only_a_pass)
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

    def _modes(self, prepared: Prepared) -> Sequence[Mode]:
        """The modes to be shown of what was recorded: the wished ones where they were."""
        views = _views(prepared)
        view = self._wished_view if self._wished_view in views or not views else views[0]
        return view.modes

    # -- position -----------------------------------------------------------------------

    def go(self, place: Place) -> None:
        """Go to a place; to the nearest one where the story has none such.

        Where somebody else is the engine there is nowhere to go.
        """
        if self.engine.on:
            return
        before, known = self.place, self._shown
        self._walk.move(place)
        if self._shown is not known:
            self.view_changed.emit()
        if self.place != before:
            self.position_changed.emit()

    def hide(self, hides: bool) -> None:
        """Hide what is to come everywhere, or show it again; the position stays."""
        self.engine.leave()
        if hides != self.hides:
            self._walk.hides = hides
            self._walk.move(self.place)
            self.view_changed.emit()

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
            self._walk.perform(stand_in(whole, trace))
        else:
            self._walk.show(whole, self._modes(whole))
            self._walk.move(self._stood or self.place)
            self._stood = None
        self.view_changed.emit()
        self.position_changed.emit()

    def _step(self, choose: Callable[[Course], Place]) -> None:
        if self.engine.on:
            self.engine.undo()
        elif self._walk.way is not None:
            self.go(choose(self._walk.way))

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

    def seek_divergence(self, forward: bool = True) -> None:
        """To where the next (or previous) node begins to differ; stays where none does."""
        position = self.divergence_from(forward)
        if position is not None:
            self.seek(position)

    def seek_mark(self, forward: bool = True) -> None:
        """To the nearest mark of the timeline after (or before) here; stays where none is."""
        position = self.mark_from(forward)
        if position is not None:
            self.seek(position)


def _views(prepared: Prepared | None) -> tuple[View, ...]:
    """The views that a pass has traces for."""
    has = prepared.steppers if prepared is not None else {}
    return tuple(view for view in View if all(mode in has for mode in view.modes))


class _Laying:
    """A run of nothing but a layout, in a thread of its own; it cannot be stopped, only left."""

    def __init__(self, work: Callable[[], None], only_a_pass: bool) -> None:
        self.only_a_pass = only_a_pass
        self._thread = threading.Thread(target=work, name="layout", daemon=True)

    def start(self, finished: Callable[[Recording], None]) -> None:  # noqa: ARG002  work delivers
        self._thread.start()

    def stop(self) -> None:
        """Nothing to stop: what it delivers is left unshown."""

    def wait(self, timeout_s: float | None = None) -> None:
        self._thread.join(timeout_s)
