"""The backward passes of one recording: those that are ready to be shown, and their layouts."""

from __future__ import annotations

import gc
import threading
from collections import OrderedDict, deque
from typing import TYPE_CHECKING

from chainstep.ui.prepared import prepare
from chainstep.visible import visible

if TYPE_CHECKING:
    from chainstep.graph import Graph
    from chainstep.trace import Recording
    from chainstep.ui.prepared import Prepared
    from chainstep.ui.shapes import Layouts

KEPT_BYTES = 128 * 2**20
"""Memory that the passes on hand may take, besides the one on show."""
QUICK = 8_000
"""Nodes and steps of a pass that is made ready within some 30 ms where its layout is known."""
AHEAD = 2
"""Passes before and after the one on show whose layouts are made before one asks for them."""


class Passes:
    """Passes made ready before, the one shown last at the end.

    Args:
        first: The pass that is shown first.
        layouts: Layouts made so far, by shape.

    Attributes:
        choices: What is drawn of passes from now on and how.
    """

    def __init__(self, first: Prepared, layouts: Layouts) -> None:
        self.recording: Recording = first.recording
        self.choices = first.choices
        self._layouts = layouts
        self._ready: OrderedDict[int, Prepared] = OrderedDict()
        self._wanted: deque[int] = deque()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        if first.visible is not None and first.layout is not None:
            layouts.add(first.visible.graph, first.layout)
        self.keep(first)

    def find(self, index: int) -> Prepared | None:
        """A pass that is ready; None where it has to be prepared first."""
        ready = self._ready.get(index)
        return ready if ready is not None and ready.choices == self.choices else None

    def prepare(self, index: int) -> Prepared:
        """Make a pass ready. Any thread may."""
        ready = self._ready.get(index)
        if ready is not None:
            return ready.arranged(self._layouts, self.choices)
        return prepare(self.recording, index, self._layouts, self.choices)

    def is_quick(self, index: int) -> bool:
        """Whether preparing a pass takes no longer than a press of a key may."""
        return self._is_small(index) and (
            self._layouts.find(self._drawn(index), downward=self.choices.downward) is not None
        )

    def _drawn(self, index: int) -> Graph:
        return visible(self.recording.graph(index), self.choices).graph

    def _is_small(self, index: int) -> bool:
        traces = [trace for trace in self.recording.traces if trace.pass_index == index]
        return sum(len(trace.initial) + len(trace.steps) for trace in traces) <= QUICK

    def keep(self, prepared: Prepared) -> None:
        """Take a pass as the one shown last, and leave the oldest where there are too many."""
        self._ready[prepared.pass_index] = prepared
        self._ready.move_to_end(prepared.pass_index)
        most = max(1, KEPT_BYTES // max(1, _bytes(prepared)))
        while len(self._ready) > most:
            self._ready.popitem(last=False)
        # All this is plain data in no circle: Python's collector is not to walk through it again
        # and again, which would stop the window for up to half a second each time.
        gc.freeze()
        self._look_ahead(prepared.pass_index)

    # -- ahead --------------------------------------------------------------------------

    def _look_ahead(self, index: int) -> None:
        """Lay out the passes next to one in a thread of its own, the nearest first."""
        near = (index + way * far for far in range(1, AHEAD + 1) for way in (1, -1))
        wanted = [
            each
            for each in near
            if 0 <= each < self.recording.passes
            and each not in self._ready
            and self._is_small(each)
        ]
        with self._lock:
            self._wanted = deque(wanted)
            if wanted and self._thread is None:
                self._thread = threading.Thread(target=self._lay_out, name="layouts", daemon=True)
                self._thread.start()

    def _lay_out(self) -> None:
        while True:
            with self._lock:  # one that is about to end takes nothing more
                if not self._wanted:
                    self._thread = None
                    return
                index = self._wanted.popleft()
            self._layouts.of(self._drawn(index), downward=self.choices.downward)

    def rest(self, timeout_s: float | None = None) -> None:
        """Wait until nothing is laid out ahead any more, or so many seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout_s)

    def close(self, timeout_s: float = 0.0) -> None:
        """Give up the passes, and wait so many seconds for the last layout."""
        with self._lock:
            self._wanted.clear()
        gc.unfreeze()
        self.rest(timeout_s)


def _bytes(prepared: Prepared) -> int:
    """About how much memory a pass takes: three states per trace, and some objects per node."""
    nodes = len(prepared.recording.nodes) * len(prepared.steppers)
    moments = sum(story.length for story in prepared.stories.values())
    return 48 * nodes + 60 * moments + 800 * len(prepared.graph or ())
