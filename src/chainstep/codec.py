"""The recording as JSON lines: how it leaves the child process, and how it is read back.

Each line is one object with one key that says what it carries; a recording is the fold of its
lines. A process that dies half-way has therefore left a recording that opens up to that point.

=========  ==========================================================================
key        value
=========  ==========================================================================
format     ``"chainstep"``; first line, with ``version``, ``program``, ``seed``, ``source``
file       path of a source file; the first is the program, the next get 1, 2, ... and
           have a ``text`` where theirs could be read
nodes      new nodes, each ``[id, name, op, data, children, line, constant, aliases, serial]``
names      later names of known nodes, each ``[id, name, aliases]``
codes      where the `_backward` of nodes stands and what its variables are, each
           ``[id, file, first line, last line, [[variable, id], ...]]``
trace      a pass begins: ``pass``, ``mode``, ``order``, ``root``, ``initial``, ``data``,
           ``line``
touched    ``[id, gradient]`` pairs that join ``initial`` of the open trace
steps      rows in the order of the fields of Step
end        the open trace is over; null, or ``step``, ``message``, ``line`` of its error
after      rows of steps that came after the last pass
evidence   name of a section of `evidence`, with ``rows`` in the order of its fields
note       a sentence for the user
output     what the program printed
outcome    ``status``, ``message``, ``line``
=========  ==========================================================================

Non-finite numbers are the strings ``"nan"``, ``"inf"``, ``"-inf"``, so that every JSON reader can
read the file. What has another type than it should is refused: true is no number, 1.0 no id.
"""

from __future__ import annotations

import json
import threading
from typing import IO, TYPE_CHECKING

from chainstep.evidence import SECTIONS, row
from chainstep.reader import VERSION, Reader
from chainstep.validation import number, unnumber

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chainstep.graph import Node
    from chainstep.trace import Code, Outcome, Recording, Step, Trace, TraceError

__all__ = ["VERSION", "Reader", "Writer", "number", "unnumber", "write"]

ROWS_PER_LINE = 500
"""Steps in one line: long lines parse faster, short ones keep other threads running."""


class Writer:
    """Writes a recording line by line to a text stream; safe to flush from another thread.

    Steps are gathered and written many to a line; :meth:`flush` writes what is gathered.
    """

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._rows: list[list[object]] = []
        # Re-entrant: an exit hook of the program may flush while the same thread is writing.
        self._lock = threading.RLock()

    def _line(self, key: str, value: object, **more: object) -> None:
        with self._lock:
            self._drain()
            self._write({key: value, **more})

    def _drain(self) -> None:
        if self._rows:
            rows, self._rows = self._rows, []
            self._write({"steps": rows})

    def _write(self, record: dict[str, object]) -> None:
        # Not json.dump: only dumps uses the encoder written in C.
        self._stream.write(json.dumps(record, separators=(",", ":"), allow_nan=False) + "\n")

    def flush(self) -> None:
        """Write every step gathered so far and hand all of it to the operating system."""
        with self._lock:
            self._drain()
            self._stream.flush()

    def header(self, program: str, seed: int, source: str) -> None:
        """The first line."""
        self._line(
            "format", "chainstep", version=VERSION, program=program, seed=seed, source=source
        )

    def file(self, path: str, text: str = "") -> None:
        """A source file that steps will speak of; its index is the number of those before it.

        Args:
            path: Its name in tracebacks.
            text: What it says; that of the program itself stands in the first line.
        """
        self._line("file", path, **({"text": text} if text else {}))

    def nodes(self, nodes: Iterable[Node]) -> None:
        """Nodes not written before, in order of creation."""
        rows = [
            [
                n.id,
                n.name,
                n.op,
                number(n.data),
                n.children,
                n.line,
                n.constant,
                n.aliases,
                n.serial,
            ]
            for n in nodes
        ]
        self._portions("nodes", rows)

    def _portions(self, key: str, rows: Sequence[object]) -> None:
        for start in range(0, len(rows), ROWS_PER_LINE):
            self._line(key, rows[start : start + ROWS_PER_LINE])

    def names(self, names: Iterable[tuple[int, str, tuple[str, ...]]]) -> None:
        """Names and aliases that known nodes have by now."""
        self._portions("names", list(names))

    def codes(self, codes: Mapping[int, Code]) -> None:
        """Where the `_backward` of nodes stands, by node id."""
        rows = [
            [node_id, code.file, code.first_line, code.last_line, code.names]
            for node_id, code in codes.items()
        ]
        self._portions("codes", rows)

    def begin(self, trace: Trace) -> None:
        """Open a trace: everything of it but its steps."""
        value = {
            "pass": trace.pass_index,
            "mode": trace.mode.value,
            "order": trace.order.value,
            "root": trace.root,
            "initial": [[key, number(value)] for key, value in trace.initial.items()],
            "data": [[key, number(value)] for key, value in trace.data.items()],
            "line": trace.line,
        }
        self._line("trace", value)

    def touched(self, node_id: int, gradient: float) -> None:
        """A node that the open trace writes although it was not in `initial`."""
        self._line("touched", [[node_id, number(gradient)]])

    def step(self, step: Step) -> None:
        """The next step of the open trace."""
        with self._lock:
            self._rows.append(_row(step))
            if len(self._rows) >= ROWS_PER_LINE:
                self._drain()

    def end(self, error: TraceError | None = None) -> None:
        """Close the open trace."""
        value = error and {"step": error.step, "message": error.message, "line": error.line}
        self._line("end", value)

    def after(self, steps: Sequence[Step]) -> None:
        """What changed gradients after the last pass."""
        self._portions("after", [_row(step) for step in steps])

    def evidence(self, section: str, items: Iterable[tuple[object, ...]]) -> None:
        """Items of one section of `evidence`; see there. No item at all counts as well."""
        rows = [row(item) for item in items]
        for start in range(0, max(len(rows), 1), ROWS_PER_LINE):
            self._line("evidence", section, rows=rows[start : start + ROWS_PER_LINE])

    def note(self, sentence: str) -> None:
        """Something about the run that its user should know."""
        self._line("note", sentence)

    def output(self, text: str) -> None:
        """What the program printed."""
        self._line("output", text)

    def outcome(self, outcome: Outcome) -> None:
        """How the run ended."""
        value = {"status": outcome.status.value, "message": outcome.message, "line": outcome.line}
        self._line("outcome", value)


def _row(step: Step) -> list[object]:
    """The fields of a step, in their order."""
    return [
        step.kind.value,
        step.node,
        step.slot,
        step.target,
        number(step.upstream),
        number(step.local),
        number(step.contribution),
        number(step.before),
        number(step.after),
        step.accumulates,
        step.line,
        step.file,
        step.assigns,
    ]


def write(recording: Recording, writer: Writer) -> None:
    """Write a whole recording."""
    writer.header(recording.program, recording.seed, recording.source)
    for place, path in enumerate(recording.files):
        writer.file(path, recording.text(place) if place else "")
    for note in recording.notes:
        writer.note(note)
    writer.nodes(recording.nodes)
    writer.codes(recording.codes)
    for trace in recording.traces:
        writer.begin(trace)
        for step in trace.steps:
            writer.step(step)
        writer.end(trace.error)
    writer.after(recording.after)
    evidence = recording.evidence
    for section in SECTIONS:
        if evidence.checked or getattr(evidence, section):
            writer.evidence(section, getattr(evidence, section))
    writer.output(recording.output)
    writer.outcome(recording.outcome)
    writer.flush()
