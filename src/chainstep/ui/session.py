"""The one place where program, run, recording and position meet.

Widgets get the session, read it, and call it; none of them knows another. Everything here runs
in the thread of the window, except what prepares a pass, which the thread of the run calls so
that the window never waits for a layout.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from chainstep.options import Options
from chainstep.program import Program
from chainstep.saved import Bookmark
from chainstep.story import Phase
from chainstep.trace import Outcome, Recording, Status
from chainstep.ui.breaks import Breakpoints
from chainstep.ui.checks import Checks
from chainstep.ui.comparing import Comparing
from chainstep.ui.course import Place
from chainstep.ui.delivery import Delivery
from chainstep.ui.experiment import Experiment
from chainstep.ui.on_show import View
from chainstep.ui.passes import Passes
from chainstep.ui.prepared import prepare
from chainstep.ui.selection import Selection
from chainstep.ui.shapes import Layouts
from chainstep.ui.viewing import Viewing
from chainstep.ui.walk import BEGINNING, Pane, nearest
from chainstep.visible import Choices

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from PySide6.QtCore import QObject

    from chainstep.judging import Subject
    from chainstep.program import Example
    from chainstep.story import Mark
    from chainstep.trace import Order
    from chainstep.ui.checks import CheckHandle
    from chainstep.ui.delivery import RunHandle
    from chainstep.ui.prepared import Prepared

__all__ = ["Pane", "Place", "Session", "View", "prepare"]

STOPPED_WHILE_DRAWING = (
    "Stopped before the graph was laid out, so there is nothing to show. Run it again."
)


class Session(Viewing):
    """Program, options, run, recording, view, position and selection.

    It is the pass on show (`on_show`) that one steps through (`stepping`) and looks at in one way
    or another (`viewing`), together with the program that it comes from.

    Args:
        runner: Makes a run of a program that has not begun yet.
        options: How programs are run at first.
        parent: Owner.
        checker: Makes a check of a recording that has not begun yet; None to check nothing.
    """

    opened = Signal()
    """Another program is open."""
    program_changed = Signal()
    """Another program, or other text in it, or it has been saved."""
    run_changed = Signal()
    """A run has begun or ended."""

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
        self._delivery = Delivery(self._adopt, self)
        self._delivery.changed.connect(self.run_changed)
        self._layouts = Layouts()
        self.choices = Choices()
        """What is to be drawn of a graph and how; see `drawn`."""
        self._passes: Passes | None = None
        self._left: tuple[Place, bool, int] | None = None  # before a run that failed
        self._left_pass = 0
        self._keeps_position = False
        self._example_is_due = False
        self._ran_text: str | None = None
        self._ran_data: tuple[tuple[int, float], ...] = ()
        self._bookmark: Bookmark | None = None
        self.tried: frozenset[int] = frozenset()
        """Ids of the nodes on show that had another number than the program gives them."""
        self.selection = Selection(self)
        """What is selected on the graph, together with the selected node."""
        self.breakpoints = Breakpoints(self)
        """Where stepping can be made to stop, and what is watched."""
        self.has_run = False
        """The recording comes from a run; one that was opened was recorded elsewhere."""
        self.checks = Checks(self, checker)
        """What is wrong with the program, and the verdict on every gradient."""
        self.experiment = Experiment(self, runner)
        """The same training loop run otherwise, beside this one."""
        self.comparing = Comparing(self, runner)
        """What the pass on show can be compared with."""
        self.prediction.changed.connect(self._redraw)

    # -- what there is ------------------------------------------------------------------

    @property
    def running(self) -> bool:
        """A run is on, or its graph is being laid out."""
        return self._delivery.running

    @property
    def laying_out(self) -> bool:
        """The program has ended and its graph is being laid out."""
        return self._delivery.laying_out

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
    def order(self) -> Order:
        """In which order the forced traces run, now or with the next run."""
        return self.options.order

    @property
    def seed(self) -> int:
        """What `random` is seeded with, now or with the next run."""
        return self.options.seed

    # -- marks --------------------------------------------------------------------------

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

    def seek_mark(self, forward: bool = True) -> None:
        """To the nearest mark of the timeline after (or before) here; stays where none is."""
        position = self.mark_from(forward)
        if position is not None:
            self.seek(position)

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
        self.opened.emit()
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
        self._delivery.lay(lambda: self._prepare(recording, bookmark.pass_index))

    @property
    def bookmark(self) -> Bookmark:
        """Where it stands, as a saved recording keeps it."""
        place = self._stood or self.place
        return Bookmark(
            self.pass_index, self.view.value, place.phase.value, place.number, self.selected
        )

    @property
    def unchanged_example(self) -> Example | None:
        """The bundled example, as long as what is said of it is true: its text has not changed."""
        example = self.example
        return example if example is not None and example.text == self.program.text else None

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
        run = self._runner(self.program, self.options)
        wished = self._wished_pass()
        self._delivery.start(run, lambda recording: self._prepare(recording, wished))

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
        if not self.laying_out:
            self._delivery.stop()
            return
        lays = self._delivery.lays
        self._abandon()
        if lays:
            return
        outcome = Outcome(Status.STOPPED, STOPPED_WHILE_DRAWING)
        recording = Recording(self.program.name, self._ran_text or "", outcome=outcome)
        self._adopt(prepare(recording))

    def close(self, timeout_s: float = 3.0) -> None:
        """Stop what runs and wait for its end, so that nothing outlives the window."""
        run = self._delivery.abandon()
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
        return prepare(recording, max(0, min(index, passes - 1)), self._layouts, self.drawn)

    def _forget_passes(self) -> None:
        if self._passes is not None:
            self._passes.close()
            self._passes = None

    def _abandon(self) -> None:
        """Stop a run and never show what it delivers."""
        self._bookmark = self._kept_step = None
        self._delivery.abandon()

    def _adopt(self, prepared: Prepared, only_a_pass: bool = False) -> None:
        """Put a recording, or another pass of it, on show at the place that is due."""
        if prepared.choices != self.drawn:
            # They were changed while this was being laid out.
            self._delivery.lay(lambda: prepared.arranged(self._layouts, self.drawn), only_a_pass)
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
        self._make_up()

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
            self._delivery.lay(lambda: passes.prepare(index))
            return
        self._bookmark = bookmark
        self._adopt(ready or passes.prepare(index), only_a_pass=True)

    @property
    def drawn(self) -> Choices:
        """What is drawn of a graph now: while questions are asked, each node has its card."""
        return self.choices.unfolded if self.prediction.on else self.choices

    def set_choices(self, choices: Choices) -> None:
        """Draw something else of the graph, or otherwise; it is laid out anew meanwhile."""
        if choices != self.choices:
            self.choices = choices
            self._redraw()
            self.view_changed.emit()

    def _redraw(self) -> None:
        """Lay the graph out anew where something else is to be drawn of it."""
        passes, shown, drawn = self._passes, self._walk.whole, self.drawn
        if passes is None or shown is None or passes.choices == drawn:
            return
        passes.choices = drawn
        if not self.running or self._delivery.only_a_pass:
            self._abandon()
            # Laid out anew it is shown by itself: what it is compared with was laid out for it.
            plain = shown.alone()
            self._delivery.lay(lambda: plain.arranged(self._layouts, drawn))
