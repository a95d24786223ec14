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
read the file. What has another type than it should is refused: true is no number, 1.0 no id.
"""

from __future__ import annotations

import json
import math
import threading
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any, TypeVar

from chainstep.errors import RecordingError
from chainstep.graph import Node
from chainstep.trace import Kind, Mode, Order, Outcome, Recording, Status, Step, Trace, TraceError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

VERSION = 1
ROWS_PER_LINE = 500
"""Steps in one line: long lines parse faster, short ones keep other threads running."""

LARGEST_LINE = 2**31 - 1
"""No file has more lines, and editors count them in 32 bits."""

KINDS = {kind.value: kind for kind in Kind}
NON_FINITE = {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}
WORDS = {
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    dict: "an object",
}

T = TypeVar("T")


def number(value: float | None) -> float | str | None:
    """A float as JSON can carry it."""
    if value is None or math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def unnumber(value: object) -> float:
    """The float that :func:`number` wrote. Raises RecordingError for anything else."""
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) is str and value in NON_FINITE:
        return NON_FINITE[value]
    if type(value) is int:
        try:
            return float(value)
        except OverflowError:
            raise RecordingError("a whole number is too large for a float") from None
    raise RecordingError(f"expected a number, found {_shown(value)}")


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

    def unfinished(self) -> Trace:
        return self.closed(TraceError(len(self.steps), "The pass did not come to its end."))


class Reader:
    """Folds lines into a recording.

    Every index is checked against what came before, so that a recording that opens can be shown:
    nothing behind this border needs to doubt it. Memory: in proportion to the lines.
    """

    def __init__(self) -> None:
        self._recording = Recording(
            "", outcome=Outcome(Status.CRASHED, "The recording has no end.")
        )
        self._begun = False
        self._nodes: list[Node] = []
        self._traces: list[Trace] = []
        self._open: _OpenTrace | None = None
        self._pass = -1
        self._checked = 0
        self._files: list[str] = []
        self._notes: list[str] = []
        self._lines = 0

    def feed(self, line: str) -> None:
        """Take the next line.

        Raises:
            RecordingError: The line is not one of a recording. It has no effect then, and what
                came before stays.
        """
        self._lines += 1
        try:
            self._fold(_DECODER.decode(line))
        except RecordingError as error:
            raise RecordingError(f"Line {self._lines} of the recording: {error}.") from None
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
            what = f"{type(error).__name__}: {error}"[:120]
            raise RecordingError(
                f"Line {self._lines} of the recording is damaged ({what})."
            ) from None

    def recording(self) -> Recording:
        """What has been read so far; an open trace is included as far as it goes."""
        unfinished = [] if self._open is None else [self._open.unfinished()]
        return replace(
            self._recording,
            nodes=tuple(self._whole_nodes()),
            traces=(*self._traces, *unfinished),
            files=tuple(self._files),
            notes=tuple(self._notes),
        )

    def _whole_nodes(self) -> Iterator[Node]:
        """The nodes, without operands that a cut recording did not come to."""
        size = len(self._nodes)
        yield from self._nodes[: self._checked]
        for node in self._nodes[self._checked :]:
            kept = tuple(child for child in node.children if child < size)
            yield node if kept == node.children else replace(node, children=kept)

    def _fold(self, record: Any) -> None:
        _typed(dict, record)
        if not self._begun and record.get("format") != "chainstep":
            raise RecordingError("this is not a recording made by Chainstep")
        for key in record:
            handler = self._HANDLERS.get(key)
            if handler is not None:
                handler(self, record)
                return
        raise RecordingError(f"unknown content {_shown(next(iter(record), ''))}")

    def _header(self, record: dict[str, Any]) -> None:
        if self._begun:
            raise RecordingError("another recording begins inside this one")
        version = _typed(int, record["version"])
        if version != VERSION:
            age = "newer" if version > VERSION else "older"
            raise RecordingError(f"version {_shown(version)} is {age} than this Chainstep can read")
        self._recording = replace(
            self._recording,
            program=_text(record["program"]),
            seed=_typed(int, record["seed"]),
            source=_text(record["source"]),
        )
        self._begun = True

    def _file(self, record: dict[str, Any]) -> None:
        self._files.append(_text(record["file"]))

    def _add_nodes(self, record: dict[str, Any]) -> None:
        rows = _typed(list, record["nodes"])
        new: list[Node] = []
        for node_id, name, op, data, children, line, constant, aliases in rows:
            place = len(self._nodes) + len(new)
            if type(node_id) is not int or node_id != place:
                raise RecordingError(f"node {_shown(node_id)} stands in the place of {place}")
            new.append(
                Node(
                    place,
                    _text(name),
                    _text(op),
                    unnumber(data),
                    tuple(_index(child) for child in _typed(list, children)),
                    _line_number(line),
                    _typed(bool, constant),
                    _texts(aliases),
                )
            )
        self._nodes += new

    def _add_names(self, record: dict[str, Any]) -> None:
        renamed = [
            (self._known(node_id), _text(name), _texts(aliases))
            for node_id, name, aliases in _typed(list, record["names"])
        ]
        for node_id, name, aliases in renamed:
            self._nodes[node_id] = replace(self._nodes[node_id], name=name, aliases=aliases)

    def _complete(self) -> None:
        """Check the operands of new nodes, once all are here.

        In a cycle, which a faulty class can make, a child comes after its consumer.
        """
        for node in self._nodes[self._checked :]:
            for child in node.children:
                self._known(child)
        self._checked = len(self._nodes)

    def _begin(self, record: dict[str, Any]) -> None:
        self._complete()
        value = record["trace"]
        number = _index(value["pass"])
        if number not in {max(self._pass, 0), self._pass + 1}:
            raise RecordingError(f"pass {_shown(number)} comes after pass {self._pass}")
        trace = Trace(
            number,
            Mode(value["mode"]),
            Order(value["order"]),
            self._known(value["root"]),
            self._gradients(value["initial"]),
            (),
            self._gradients(value["data"]),
        )
        if self._open is not None:  # the program broke off while it was being written
            self._traces.append(self._open.unfinished())
        self._open = _OpenTrace(trace)
        self._pass = number

    def _touched(self, record: dict[str, Any]) -> None:
        initial = self._opened().initial
        for node_id, gradient in self._gradients(record["touched"]).items():
            initial.setdefault(node_id, gradient)

    def _steps(self, record: dict[str, Any]) -> None:
        self._complete()
        opened = self._opened()
        opened.steps += [self._step(row, opened.initial) for row in _typed(list, record["steps"])]

    def _step(self, row: list[Any], initial: Mapping[int, float]) -> Step:
        kind, node, slot, target, *numbers, accumulates, line, file = row
        upstream, local, contribution, before, after = [
            None if value is None else unnumber(value) for value in numbers
        ]
        step = Step(
            KINDS[kind],
            None if node is None else self._known(node),
            None if slot is None else _index(slot),
            None if target is None else self._known(target),
            upstream,
            local,
            contribution,
            before,
            after,
            None if accumulates is None else _typed(bool, accumulates),
            _line_number(line),
            _index(file),
        )
        if not _fits(step):
            raise RecordingError(f"a {step.kind.value} step lacks a field or has one too many")
        if step.target is not None and step.target not in initial:
            raise RecordingError(f"node {step.target} is written but has no initial gradient")
        if step.slot is not None and step.node is not None:
            children = self._nodes[step.node].children
            if step.slot >= len(children) or children[step.slot] != step.target:
                raise RecordingError(
                    f"node {step.target} is not in slot {_shown(step.slot)} of node {step.node}"
                )
        if step.file >= max(len(self._files), 1):
            raise RecordingError(f"source file {_shown(step.file)} is not listed")
        return step

    def _end(self, record: dict[str, Any]) -> None:
        opened, value, error = self._opened(), record["end"], None
        if value is not None:
            error = TraceError(
                _index(value["step"]), _text(value["message"]), _line_number(value["line"])
            )
            if error.step > len(opened.steps):
                raise RecordingError(f"the pass broke off at step {_shown(error.step)}, not there")
        self._traces.append(opened.closed(error))
        self._open = None

    def _note(self, record: dict[str, Any]) -> None:
        self._notes.append(_text(record["note"]))

    def _output(self, record: dict[str, Any]) -> None:
        self._recording = replace(self._recording, output=_text(record["output"]))

    def _outcome(self, record: dict[str, Any]) -> None:
        value = record["outcome"]
        outcome = Outcome(
            Status(value["status"]), _text(value["message"]), _line_number(value["line"])
        )
        self._recording = replace(self._recording, outcome=outcome)

    def _opened(self) -> _OpenTrace:
        if self._open is None:
            raise RecordingError("no pass has begun that this could belong to")
        return self._open

    def _known(self, node_id: object) -> int:
        if type(node_id) is not int or not 0 <= node_id < len(self._nodes):
            raise RecordingError(f"there is no node {_shown(node_id)}")
        return node_id

    def _gradients(self, pairs: object) -> dict[int, float]:
        return {self._known(node_id): unnumber(value) for node_id, value in _typed(list, pairs)}

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


def _fits(step: Step) -> bool:
    """Whether a step has the fields of its kind."""
    changes = (step.target, step.before, step.after, step.accumulates)
    if step.kind is Kind.CALL:
        return step.node is not None and step.slot is None and changes == (None,) * 4
    if None in changes:
        return False
    if step.kind is Kind.WRITE:
        return step.node is not None and step.contribution is not None
    return step.slot is None and step.node == (step.target if step.kind is Kind.SEED else None)


def _shown(value: object) -> str:
    """A value of any kind and size, as a message can show it."""
    if isinstance(value, (int, float, str)):
        return repr(value)[:20]
    return "nothing" if value is None else f"a {type(value).__name__}"


def _typed(kind: type[T], value: object) -> T:
    """The value, if it is of that very type: JSON gives no others, and true is no number."""
    if type(value) is kind:
        return value
    raise RecordingError(f"expected {WORDS[kind]}, found {_shown(value)}")


def _text(value: object) -> str:
    """A text that can be written anywhere: half a surrogate pair is spelled out."""
    text = _typed(str, value)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(item) for item in _typed(list, value))


def _index(value: object) -> int:
    if type(value) is not int or value < 0:
        raise RecordingError(f"expected a number from 0, found {_shown(value)}")
    return value


def _line_number(value: object) -> int | None:
    if value is None or (type(value) is int and 0 < value <= LARGEST_LINE):
        return value
    raise RecordingError(f"{_shown(value)} is not a line number")


def _refuse_literal(name: str) -> None:
    """Python's parser would take NaN and Infinity, which are not JSON."""
    raise RecordingError(f"expected a number, found the literal {name}")


_DECODER = json.JSONDecoder(parse_constant=_refuse_literal)
