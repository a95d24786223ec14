"""The recording as JSON lines: how it leaves the child process, and how it is read back.

Each line is one object with one key that says what it carries; a recording is the fold of its
lines. A process that dies half-way has therefore left a recording that opens up to that point.

=========  ==========================================================================
key        value
=========  ==========================================================================
format     ``"chainstep"``; first line, with ``version``, ``program``, ``seed``, ``source``
file       path of a source file; the first is the program, the next get 1, 2, ...
nodes      new nodes, each ``[id, name, op, data, children, line, constant, aliases]``
names      later names of known nodes, each ``[id, name, aliases]``
trace      a pass begins: ``pass``, ``mode``, ``order``, ``root``, ``initial``, ``data``
touched    ``[id, gradient]`` pairs that join ``initial`` of the open trace
steps      rows in the order of the fields of Step
end        the open trace is over; null, or ``step``, ``message``, ``line`` of its error
note       a sentence for the user
output     what the program printed
outcome    ``status``, ``message``, ``line``
=========  ==========================================================================

Non-finite numbers are the strings ``"nan"``, ``"inf"``, ``"-inf"``, so that every JSON reader can
read the file.
"""

from __future__ import annotations

import json
import math
import threading
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

from chainstep.errors import RecordingError
from chainstep.graph import Node
from chainstep.trace import Kind, Mode, Order, Outcome, Recording, Status, Step, Trace, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

VERSION = 1
ROWS_PER_LINE = 500
"""Steps in one line: long lines parse faster, short ones keep other threads running."""

KINDS = {kind.value: kind for kind in Kind}


def number(value: float | None) -> float | str | None:
    """A float as JSON can carry it."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def unnumber(value: object) -> float:
    """The float that :func:`number` wrote. Raises RecordingError for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        raise RecordingError(f"expected a number, found {type(value).__name__}")
    if isinstance(value, str) and value not in {"nan", "inf", "-inf"}:
        raise RecordingError(f"expected a number, found the text {value[:20]!r}")
    try:
        return float(value)
    except OverflowError:
        raise RecordingError("a whole number is too large for a float") from None


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

    def file(self, path: str) -> None:
        """A source file that steps will speak of; its index is the number of those before it."""
        self._line("file", path)

    def nodes(self, nodes: Iterable[Node]) -> None:
        """Nodes not written before, in order of creation."""
        rows = [
            [n.id, n.name, n.op, number(n.data), n.children, n.line, n.constant, n.aliases]
            for n in nodes
        ]
        for start in range(0, len(rows), ROWS_PER_LINE):
            self._line("nodes", rows[start : start + ROWS_PER_LINE])

    def names(self, names: Iterable[tuple[int, str, tuple[str, ...]]]) -> None:
        """Names and aliases that known nodes have by now."""
        rows = list(names)
        for start in range(0, len(rows), ROWS_PER_LINE):
            self._line("names", rows[start : start + ROWS_PER_LINE])

    def begin(self, trace: Trace) -> None:
        """Open a trace: everything of it but its steps."""
        value = {
            "pass": trace.pass_index,
            "mode": trace.mode.value,
            "order": trace.order.value,
            "root": trace.root,
            "initial": [[key, number(value)] for key, value in trace.initial.items()],
            "data": [[key, number(value)] for key, value in trace.data.items()],
        }
        self._line("trace", value)

    def touched(self, node_id: int, gradient: float) -> None:
        """A node that the open trace writes although it was not in `initial`."""
        self._line("touched", [[node_id, number(gradient)]])

    def step(self, step: Step) -> None:
        """The next step of the open trace."""
        row: list[object] = [
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
        ]
        with self._lock:
            self._rows.append(row)
            if len(self._rows) >= ROWS_PER_LINE:
                self._drain()

    def end(self, error: TraceError | None = None) -> None:
        """Close the open trace."""
        value = error and {"step": error.step, "message": error.message, "line": error.line}
        self._line("end", value)

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


def write(recording: Recording, writer: Writer) -> None:
    """Write a whole recording."""
    writer.header(recording.program, recording.seed, recording.source)
    for path in recording.files:
        writer.file(path)
    for note in recording.notes:
        writer.note(note)
    writer.nodes(recording.nodes)
    for trace in recording.traces:
        writer.begin(trace)
        for step in trace.steps:
            writer.step(step)
        writer.end(trace.error)
    writer.output(recording.output)
    writer.outcome(recording.outcome)
    writer.flush()


class _OpenTrace:
    """A trace whose end has not been read yet."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.initial = dict(trace.initial)
        self.steps: list[Step] = []

    def closed(self, error: TraceError | None) -> Trace:
        return replace(self.trace, initial=self.initial, steps=tuple(self.steps), error=error)


class Reader:
    """Folds lines into a recording.

    Every index is checked against what came before, so that a recording that opens can be shown:
    nothing behind this border needs to doubt it.
    """

    def __init__(self) -> None:
        self._recording = Recording(
            "", outcome=Outcome(Status.CRASHED, "The recording has no end.")
        )
        self._nodes: list[Node] = []
        self._traces: list[Trace] = []
        self._open: _OpenTrace | None = None
        self._checked = 0
        self._files: list[str] = []
        self._notes: list[str] = []
        self._lines = 0

    def feed(self, line: str) -> None:
        """Take the next line.

        Raises:
            RecordingError: The line is not one of a recording; what came before stays.
        """
        self._lines += 1
        try:
            self._fold(json.loads(line))
        except RecordingError as error:
            raise RecordingError(f"Line {self._lines} of the recording: {error}.") from None
        except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"[:120]
            raise RecordingError(
                f"Line {self._lines} of the recording is damaged ({what})."
            ) from None

    def recording(self) -> Recording:
        """What has been read so far; an open trace is included as far as it goes."""
        traces = list(self._traces)
        if self._open is not None:
            unfinished = TraceError(len(self._open.steps), "The pass did not come to its end.")
            traces.append(self._open.closed(unfinished))
        return replace(
            self._recording,
            nodes=tuple(self._whole_nodes()),
            traces=tuple(traces),
            files=tuple(self._files),
            notes=tuple(self._notes),
        )

    def _whole_nodes(self) -> Iterator[Node]:
        """The nodes, without operands that a cut recording did not come to."""
        size = len(self._nodes)
        yield from self._nodes[: self._checked]
        for node in self._nodes[self._checked :]:
            kept = tuple(child for child in node.children if 0 <= child < size)
            yield node if kept == node.children else replace(node, children=kept)

    def _fold(self, record: Any) -> None:
        if not isinstance(record, dict):
            raise RecordingError("expected an object")
        if self._lines == 1 and record.get("format") != "chainstep":
            raise RecordingError("this is not a recording made by Chainstep")
        for key in record:
            handler = self._HANDLERS.get(key)
            if handler is not None:
                handler(self, record)
                return
        raise RecordingError(f"unknown content {next(iter(record), '')!r}"[:60])

    def _header(self, record: dict[str, Any]) -> None:
        if record["version"] != VERSION:
            version = str(record["version"])[:20]
            raise RecordingError(f"version {version} is newer than this Chainstep can read")
        self._recording = replace(
            self._recording,
            program=str(record["program"]),
            seed=int(record["seed"]),
            source=str(record["source"]),
        )

    def _file(self, record: dict[str, Any]) -> None:
        self._files.append(str(record["file"]))

    def _add_nodes(self, record: dict[str, Any]) -> None:
        for node_id, name, op, data, children, line, constant, aliases in record["nodes"]:
            if node_id != len(self._nodes):
                raise RecordingError(f"node {str(node_id)[:20]} out of order")
            self._nodes.append(
                Node(
                    len(self._nodes),
                    str(name),
                    str(op),
                    unnumber(data),
                    tuple(int(child) for child in children),
                    _line_number(line),
                    bool(constant),
                    tuple(str(alias) for alias in aliases),
                )
            )

    def _add_names(self, record: dict[str, Any]) -> None:
        for node_id, name, aliases in record["names"]:
            known = self._known(node_id)
            texts = tuple(str(alias) for alias in aliases)
            self._nodes[known] = replace(self._nodes[known], name=str(name), aliases=texts)

    def _begin(self, record: dict[str, Any]) -> None:
        # Only now: in a cycle, which a faulty class can make, a child comes after its consumer.
        for node in self._nodes[self._checked :]:
            for child in node.children:
                self._known(child)
        self._checked = len(self._nodes)
        value = record["trace"]
        self._open = _OpenTrace(
            Trace(
                int(value["pass"]),
                Mode(value["mode"]),
                Order(value["order"]),
                self._known(value["root"]),
                self._gradients(value["initial"]),
                (),
                self._gradients(value["data"]),
            )
        )

    def _touched(self, record: dict[str, Any]) -> None:
        self._opened().initial.update(self._gradients(record["touched"]))

    def _steps(self, record: dict[str, Any]) -> None:
        opened = self._opened()
        for row in record["steps"]:
            kind, node, slot, target, *numbers, accumulates, line, file = row
            upstream, local, contribution, before, after = (
                None if value is None else unnumber(value) for value in numbers
            )
            step = Step(
                KINDS[kind],
                None if node is None else self._known(node),
                None if slot is None else int(slot),
                None if target is None else self._known(target),
                upstream,
                local,
                contribution,
                before,
                after,
                None if accumulates is None else bool(accumulates),
                _line_number(line),
                int(file),
            )
            self._check(step, opened)
            opened.steps.append(step)

    def _check(self, step: Step, opened: _OpenTrace) -> None:
        changes = step.kind is not Kind.CALL
        if changes and (step.target is None or step.before is None or step.after is None):
            raise RecordingError(f"a {step.kind.value} step without target, before and after")
        if step.kind is not Kind.OUTSIDE and step.node is None:
            raise RecordingError(f"a {step.kind.value} step without a node")
        if step.target is not None and step.target not in opened.initial:
            raise RecordingError(f"node {step.target} is written but has no initial gradient")
        if not 0 <= step.file < max(len(self._files), 1):
            raise RecordingError(f"source file {step.file} is not listed")

    def _end(self, record: dict[str, Any]) -> None:
        value = record["end"]
        error = value and TraceError(
            int(value["step"]), str(value["message"]), _line_number(value["line"])
        )
        self._traces.append(self._opened().closed(error))
        self._open = None

    def _note(self, record: dict[str, Any]) -> None:
        self._notes.append(str(record["note"]))

    def _output(self, record: dict[str, Any]) -> None:
        self._recording = replace(self._recording, output=str(record["output"]))

    def _outcome(self, record: dict[str, Any]) -> None:
        value = record["outcome"]
        outcome = Outcome(
            Status(value["status"]), str(value["message"]), _line_number(value["line"])
        )
        self._recording = replace(self._recording, outcome=outcome)

    def _opened(self) -> _OpenTrace:
        if self._open is None:
            raise RecordingError("steps outside a trace")
        return self._open

    def _known(self, node_id: object) -> int:
        if type(node_id) is not int or not 0 <= node_id < len(self._nodes):
            raise RecordingError(f"there is no node {str(node_id)[:20]}")
        return node_id

    def _gradients(self, pairs: list[Any]) -> dict[int, float]:
        return {self._known(node_id): unnumber(value) for node_id, value in pairs}

    _HANDLERS: Mapping[str, Any] = {
        "format": _header,
        "file": _file,
        "nodes": _add_nodes,
        "names": _add_names,
        "trace": _begin,
        "touched": _touched,
        "steps": _steps,
        "end": _end,
        "note": _note,
        "output": _output,
        "outcome": _outcome,
    }


def _line_number(value: object) -> int | None:
    if value is None or (type(value) is int and value > 0):
        return value
    raise RecordingError(f"{str(value)[:20]} is not a line number")
