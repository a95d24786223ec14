"""From Python: record the graph below a Value that already exists, in this process."""

from __future__ import annotations

import io
import linecache
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chainstep import codec
from chainstep.errors import RecordingError
from chainstep.options import Limits, Options
from chainstep.recorder import Recorder
from chainstep.register import LimitReached
from chainstep.trace import Mode, Order, Outcome, Status

if TYPE_CHECKING:
    import types

    from chainstep.trace import Recording

UNBOUNDED = 10**9
"""Nobody asked for a limit in a process of their own."""


def record(loss: Any, mode: str = "both", order: str = "depth-first") -> Recording:
    """Record the backward pass from a live Value, of any class that looks like one.

    The program's gradients are neither read nor changed; its classes are as before afterwards.

    Args:
        loss: The root.
        mode: `"accumulate"`, `"overwrite"` or `"both"`.
        order: `"depth-first"`, `"breadth-first"` or `"recursive"`.

    Returns:
        The recording, names taken from the caller's variables.

    Raises:
        RecordingError: `loss` has no number, gradient and operands, or an argument is unknown.

    >>> from chainstep import Value
    >>> a = Value(3.0)
    >>> b = a + a
    >>> record(b).trace(Mode.ACCUMULATE).final
    {0: 2.0, 1: 1.0}
    """
    return recorded(loss, mode, order, sys._getframe(1))  # noqa: SLF001  names its variables


def recorded(loss: Any, mode: str, order: str, frame: types.FrameType) -> Recording:
    """What :func:`record` gives, with names from the variables of `frame`."""
    modes = {"both": (Mode.ACCUMULATE, Mode.OVERWRITE)}
    modes |= {known.value: (known,) for known in (Mode.ACCUMULATE, Mode.OVERWRITE)}
    orders = {known.value: known for known in Order if known is not Order.AS_WRITTEN}
    if mode not in modes or order not in orders:
        raise RecordingError(
            f"record() knows no mode {mode!r} with order {order!r}. "
            f"Modes: {', '.join(modes)}. Orders: {', '.join(orders)}."
        )
    recording = _record(loss, orders[order], frame)
    kept = tuple(trace for trace in recording.traces if trace.mode in modes[mode])
    return replace(recording, traces=kept, outcome=Outcome(Status.OK))


def _record(loss: object, order: Order, frame: types.FrameType) -> Recording:
    path = frame.f_code.co_filename
    stream = io.StringIO()
    writer = codec.Writer(stream)
    writer.header(path, 0, "".join(linecache.getlines(path, frame.f_globals)))
    limits = Limits(nodes=UNBOUNDED, steps=UNBOUNDED)
    recorder = Recorder(writer, Options(order=order, limits=limits), path)
    namespaces = [dict(frame.f_globals)]
    if frame.f_locals is not frame.f_globals:
        namespaces.insert(0, dict(frame.f_locals))
    try:
        recorder.record_live(loss, namespaces)
    except LimitReached as limit:
        raise RecordingError(str(limit)) from None
    writer.flush()
    reader = codec.Reader()
    for line in stream.getvalue().splitlines():
        reader.feed(line)
    return reader.recording()
