"""The pass on show and the place where one stands in it: what every widget reads."""

from __future__ import annotations

from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.story import Phase
from chainstep.trace import Mode
from chainstep.ui.moves import Moves
from chainstep.ui.walk import Pane, Walk
from chainstep.visible import Visible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.graph import Graph
    from chainstep.layout import Layout
    from chainstep.readiness import Readiness
    from chainstep.stepper import Stepper
    from chainstep.story import Moment, Story
    from chainstep.trace import Recording, Trace
    from chainstep.ui.course import Course, Place
    from chainstep.ui.prepared import Prepared


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


class OnShow(QObject):
    """The panes of one pass, the place, and the selected node. Nothing is on show at first.

    Signals carry nothing: read the object. A signal of a larger thing stands for the smaller
    ones too: `recording_changed` means that view, position and selection are new as well, and
    `view_changed` that the position may be.

    Args:
        parent: Owner.
    """

    recording_changed = Signal()
    """Another recording, or another pass of it."""
    view_changed = Signal()
    """Other panes, or another order or seed was chosen."""
    horizon_changed = Signal()
    """While what is to come is hidden: another position, at which other things may be known.

    Everything that one gets here is made anew, as far as it may be known. It comes right before
    `position_changed`: only who keeps what it found out has to listen to it.
    """
    position_changed = Signal()
    selection_changed = Signal()
    pointer_changed = Signal()
    """Another node is pointed at, or none is any more."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._walk = Walk()
        self._wished_view = View.ACCUMULATE
        self.selected: int | None = None
        self.pointed: int | None = None
        """Id of the node that is pointed at somewhere, to be lit everywhere else."""
        self.comparison: tuple[tuple[str, str], tuple[str, str]] | None = None
        """What stands above the two panes of a comparison; None while nothing is compared."""
        self.moves = Moves(self)
        """Which cards were moved by hand."""

    # -- the pass -----------------------------------------------------------------------

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
    def whole_story(self) -> Story | None:
        """The story of the upper pane with what is to come: for whoever gives a lecture alone."""
        whole, primary = self._walk.whole, self.primary
        return None if whole is None or primary is None else whole.stories.get(primary.mode)

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
    def views(self) -> tuple[View, ...]:
        """The views that the recording has traces for."""
        return _views(self._shown)

    @property
    def view(self) -> View:
        """What the panes show; the wished one where it was recorded, else the first that was."""
        views = self.views
        return self._wished_view if not views or self._wished_view in views else views[0]

    def _modes(self, prepared: Prepared) -> Sequence[Mode]:
        """The modes to be shown of what was recorded: the wished ones where they were."""
        views = _views(prepared)
        view = self._wished_view if self._wished_view in views or not views else views[0]
        return view.modes

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

    @property
    def other_moments(self) -> frozenset[Mode]:
        """The modes whose gradients are those of another moment, and not to be held beside.

        At the same step, a pass that runs in another order has come elsewhere. Before the first
        step and after the last one all are comparable, and what has a pane is on show as it is.
        """
        pane = self.primary
        if pane is None or pane.stepper.position in {0, pane.trace.length}:
            return frozenset()
        shown = {each.mode for each in self.panes}
        others = {mode: self.stepper(mode) for mode in Mode if mode not in shown}
        return frozenset(
            mode
            for mode, stepper in others.items()
            if stepper is not None and not _in_step(pane.trace, stepper.trace)
        )

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

    def step_beside(self, number: int, mode: Mode) -> int:
        """The position in the trace of the upper pane that matches one in that of some mode."""
        return self._walk.beside(number, mode)

    # -- what is selected ---------------------------------------------------------------

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


def _in_step(one: Trace, other: Trace) -> bool:
    """Whether two passes call the same nodes in the same order, as far as both of them come."""
    ran, others = one.sequence, other.sequence
    both = min(len(ran), len(others))
    return bool(ran) is bool(others) and ran[:both] == others[:both]


def _views(prepared: Prepared | None) -> tuple[View, ...]:
    """The views that a pass has traces for."""
    return _views_of(frozenset(prepared.steppers if prepared is not None else ()))


@cache
def _views_of(modes: frozenset[Mode]) -> tuple[View, ...]:
    return tuple(view for view in View if modes.issuperset(view.modes))
