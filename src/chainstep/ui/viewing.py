"""How a pass is looked at: in which modes, and held against which other pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.trace import Mode
from chainstep.training import with_updates
from chainstep.ui.on_show import View
from chainstep.ui.prepared import FORCED
from chainstep.ui.stepping import Stepping
from chainstep.ui.walk import HEADINGS

if TYPE_CHECKING:
    from chainstep.trace import Recording


class Viewing(Stepping):
    """A pass to step through, of which other modes can be shown, or another pass beside it.

    Args:
        parent: Owner.
    """

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

    # -- differences --------------------------------------------------------------------

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

    @property
    def differing(self) -> frozenset[int]:
        """Ids of the nodes whose gradients differ at this position between what is compared."""
        divergence, whole = self._walk.divergence, self._walk.whole
        position = self._walk.step_in(whole.pair[0]) if whole is not None else 0
        return frozenset() if divergence is None else divergence.at(position)

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

    def seek_divergence(self, forward: bool = True) -> None:
        """To where the next (or previous) node begins to differ; stays where none does."""
        position = self.divergence_from(forward)
        if position is not None:
            self.seek(position)
