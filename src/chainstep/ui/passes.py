"""The backward passes of one recording that are ready to be shown."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from chainstep.ui.prepared import prepare

if TYPE_CHECKING:
    from chainstep.trace import Recording
    from chainstep.ui.prepared import Prepared

KEPT_BYTES = 128 * 2**20
"""Memory that the passes on hand may take, besides the one on show."""
QUICK = 12_000
"""Nodes and steps of a pass that is made ready within some 50 ms where its shape is known."""


class Passes:
    """Passes made ready before, the one shown last at the end.

    Args:
        first: The pass that is shown first.
    """

    def __init__(self, first: Prepared) -> None:
        self.recording: Recording = first.recording
        self._ready: OrderedDict[int, Prepared] = OrderedDict()
        self.keep(first)

    def find(self, index: int) -> Prepared | None:
        """A pass that is ready; None where it has to be prepared first."""
        return self._ready.get(index)

    def prepare(self, index: int) -> Prepared:
        """Make a pass ready, with the layout of the one shown last where that fits."""
        like = next(reversed(self._ready.values()))
        return prepare(self.recording, index, like)

    def is_quick(self, index: int) -> bool:
        """Whether preparing a pass takes no longer than a press of a key may."""
        traces = [trace for trace in self.recording.traces if trace.pass_index == index]
        return sum(len(trace.initial) + len(trace.steps) for trace in traces) <= QUICK

    def keep(self, prepared: Prepared) -> None:
        """Take a pass as the one shown last, and leave the oldest where there are too many."""
        self._ready[prepared.pass_index] = prepared
        self._ready.move_to_end(prepared.pass_index)
        most = max(1, KEPT_BYTES // max(1, _bytes(prepared)))
        while len(self._ready) > most:
            self._ready.popitem(last=False)


def _bytes(prepared: Prepared) -> int:
    """About how much memory a pass takes: three states per trace, and some objects per node."""
    nodes = len(prepared.recording.nodes) * len(prepared.steppers)
    moments = sum(story.length for story in prepared.stories.values())
    return 48 * nodes + 60 * moments + 800 * len(prepared.graph or ())
