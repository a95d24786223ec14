"""Writes the traces of a recording: their steps, one at a time, and the files these speak of."""

from __future__ import annotations

import contextlib
import linecache
from typing import TYPE_CHECKING

from chainstep.controller import same
from chainstep.register import LimitReached
from chainstep.trace import Mode, Order, Step, Trace, TraceError

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Mapping

    from chainstep.codec import Writer
    from chainstep.register import Register
    from chainstep.tap import Tap

LONGEST_TEXT = 1 << 20
"""Letters of a source file that the recording repeats."""


class Traces:
    """The trace that is being written, and how many more steps there may be.

    Args:
        writer: Takes the recording.
        register: Knows the nodes.
        tap: Knows their numbers.
        path: File name under which the program's source is compiled; its index is 0.
        limit: How many steps the recording may have.

    Attributes:
        step_number: How many steps the open trace has.
    """

    def __init__(self, writer: Writer, register: Register, tap: Tap, path: str, limit: int) -> None:
        self._writer = writer
        self._register = register
        self._tap = tap
        self._files = {path: 0}
        self._steps = 0
        self._limit = limit
        self._initial: set[int] = set()
        self.step_number = 0
        writer.file(path)

    # -- steps -----------------------------------------------------------------------------

    def begin(
        self,
        key: tuple[int, Mode, Order],
        root: object,
        initial: dict[int, float],
        reached: Mapping[int, object],
        line: int | None = None,
    ) -> None:
        """Open a trace.

        Args:
            key: Its pass, mode and order.
            root: Where the pass begins.
            initial: Gradients at its start, by node id.
            reached: The Values of the pass, by node id.
            line: The line of the program that began it.
        """
        changed = {}
        for node_id, obj in reached.items():
            now = self._tap.data(obj)
            if not same(now, self._register.nodes[node_id].data):
                changed[node_id] = now
        self._initial = set(initial)
        self.step_number = 0
        root_id = self._register.node(root).id
        self._writer.begin(Trace(*key, root_id, initial, (), changed, line=line))

    def touch(self, node_id: int, before: float) -> None:
        """Make sure that the open trace knows the gradient a node had at its start."""
        if node_id not in self._initial:
            self._initial.add(node_id)
            self._writer.touched(node_id, before)

    def emit(self, step: Step) -> None:
        """Write one step. Raises LimitReached where there are too many."""
        self._steps += 1
        self.step_number += 1
        self._writer.step(step)
        self.make_room()

    def make_room(self, besides: int = 0) -> None:
        """See that there may be one step more, and some besides. Raises LimitReached if not."""
        if self._steps + besides >= self._limit:
            message = (
                f"The recording has more than {self._limit:,} steps. What was recorded before "
                f"stays. Make the graph smaller or the loop shorter, or raise the limit with "
                "--steps."
            )
            raise LimitReached(message)

    @contextlib.contextmanager
    def at_most(self, steps: int) -> Iterator[None]:
        """Let a `with` block record no more than so many steps, nor more than are left."""
        limit = self._limit
        self._limit = min(limit, self._steps + steps)
        try:
            yield
        finally:
            self._limit = limit

    def error(self, raised: BaseException) -> TraceError:
        """What broke the trace off, with the innermost line of the program that was running."""
        line = None
        traceback = raised.__traceback__
        while traceback is not None:
            if self._tap.is_program(traceback.tb_frame.f_code.co_filename):
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        text = f"{type(raised).__name__}: {raised}".rstrip(": ")
        return TraceError(self.step_number, text, line)

    # -- files -----------------------------------------------------------------------------

    def place(self, frame: types.FrameType | None) -> tuple[int | None, int]:
        """Line and file index of the code in a frame."""
        if frame is None:
            return None, 0
        return frame.f_lineno, self.file(frame.f_code.co_filename)

    def file(self, name: str) -> int:
        """The index of a source file, which is listed now if it has not been so far."""
        if name not in self._files:
            self._files[name] = len(self._files)
            self._writer.file(name, _text_of(name))
        return self._files[name]


def _text_of(path: str) -> str:
    """What a source file says; empty where it cannot be read or is very long."""
    try:
        lines = linecache.getlines(path)
    except Exception:  # noqa: BLE001  a loader of the program's own may fail in any way
        return ""
    text = "".join(lines)
    return text if len(text) <= LONGEST_TEXT else ""
