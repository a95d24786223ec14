"""Folds the lines of a recording, whoever wrote or damaged them, into a recording.

The lines are those of `codec`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chainstep.errors import RecordingError
from chainstep.evidence import ALWAYS, Backward, Evidence, Failure, Making, Read, items
from chainstep.graph import Node
from chainstep.trace import (
    RECORDED,
    Code,
    Kind,
    Mode,
    Order,
    Outcome,
    Recording,
    Status,
    Step,
    Trace,
    TraceError,
)
from chainstep.validation import (
    DECODER,
    index,
    line_number,
    shown,
    text,
    texts,
    typed,
    unnumber,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

VERSION = 1
KINDS = {kind.value: kind for kind in Kind}


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
        self._sources: list[str] = []
        self._codes: dict[int, Code] = {}
        self._notes: list[str] = []
        self._after: list[Step] = []
        self._evidence: dict[str, tuple[Any, ...]] = {}
        self._lines = 0

    def feed(self, line: str) -> None:
        """Take the next line.

        Raises:
            RecordingError: The line is not one of a recording. It has no effect then, and what
                came before stays.
        """
        self._lines += 1
        try:
            self._fold(DECODER.decode(line))
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
            sources=tuple(self._sources),
            codes=dict(self._codes),
            after=tuple(self._after),
            evidence=Evidence(checked=bool(self._evidence.keys() - {ALWAYS}), **self._evidence),
        )

    def _whole_nodes(self) -> Iterator[Node]:
        """The nodes, without operands that a cut recording did not come to."""
        size = len(self._nodes)
        yield from self._nodes[: self._checked]
        for node in self._nodes[self._checked :]:
            kept = tuple(child for child in node.children if child < size)
            yield node if kept == node.children else replace(node, children=kept)

    def _fold(self, record: Any) -> None:
        typed(dict, record)
        if not self._begun and record.get("format") != "chainstep":
            raise RecordingError("this is not a recording made by Chainstep")
        for key in record:
            handler = self._HANDLERS.get(key)
            if handler is not None:
                handler(self, record)
                return
        raise RecordingError(f"unknown content {shown(next(iter(record), ''))}")

    def _header(self, record: dict[str, Any]) -> None:
        if self._begun:
            raise RecordingError("another recording begins inside this one")
        version = typed(int, record["version"])
        if version != VERSION:
            age = "newer" if version > VERSION else "older"
            raise RecordingError(f"version {shown(version)} is {age} than this Chainstep can read")
        self._recording = replace(
            self._recording,
            program=text(record["program"]),
            seed=typed(int, record["seed"]),
            source=text(record["source"]),
        )
        self._begun = True

    def _file(self, record: dict[str, Any]) -> None:
        path, content = text(record["file"]), text(record.get("text", ""))
        self._files.append(path)
        self._sources.append(content)

    def _add_nodes(self, record: dict[str, Any]) -> None:
        rows = typed(list, record["nodes"])
        new: list[Node] = []
        for node_id, name, op, data, children, line, constant, aliases, serial in rows:
            place = len(self._nodes) + len(new)
            if type(node_id) is not int or node_id != place:
                raise RecordingError(f"node {shown(node_id)} stands in the place of {place}")
            new.append(
                Node(
                    place,
                    text(name),
                    text(op),
                    unnumber(data),
                    tuple(index(child) for child in typed(list, children)),
                    line_number(line),
                    typed(bool, constant),
                    texts(aliases),
                    index(serial),
                )
            )
        self._nodes += new

    def _add_names(self, record: dict[str, Any]) -> None:
        renamed = [
            (self._known(node_id), text(name), texts(aliases))
            for node_id, name, aliases in typed(list, record["names"])
        ]
        for node_id, name, aliases in renamed:
            self._nodes[node_id] = replace(self._nodes[node_id], name=name, aliases=aliases)

    def _add_codes(self, record: dict[str, Any]) -> None:
        new: dict[int, Code] = {}
        for node_id, file, first, last, names in typed(list, record["codes"]):
            code = Code(
                self._listed(file),
                self._existing_line(first),
                self._existing_line(last),
                tuple((text(name), self._known(of)) for name, of in typed(list, names)),
            )
            if code.last_line < code.first_line:
                raise RecordingError(f"code that begins in line {first} ends in line {last}")
            new[self._known(node_id)] = code
        self._codes.update(new)

    def _existing_line(self, line: object) -> int:
        found = line_number(line)
        if found is None:
            raise RecordingError("expected a line number, found nothing")
        return found

    def _listed(self, file: object) -> int:
        found = index(file)
        if found >= max(len(self._files), 1):
            raise RecordingError(f"source file {shown(found)} is not listed")
        return found

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
        pass_index = index(value["pass"])
        if pass_index not in {max(self._pass, 0), self._pass + 1}:
            raise RecordingError(f"pass {shown(pass_index)} comes after pass {self._pass}")
        mode = Mode(value["mode"])
        if mode not in RECORDED:
            raise RecordingError(f"no recording has a trace of {mode.value!r}")
        trace = Trace(
            pass_index,
            mode,
            Order(value["order"]),
            self._known(value["root"]),
            self._gradients(value["initial"]),
            (),
            self._gradients(value["data"]),
            line=line_number(value["line"]),
        )
        if self._open is not None:  # the program broke off while it was being written
            self._traces.append(self._open.unfinished())
        self._open = _OpenTrace(trace)
        self._pass = pass_index

    def _touched(self, record: dict[str, Any]) -> None:
        initial = self._opened().initial
        for node_id, gradient in self._gradients(record["touched"]).items():
            initial.setdefault(node_id, gradient)

    def _steps(self, record: dict[str, Any]) -> None:
        self._complete()
        opened = self._opened()
        opened.steps += [self._step(row, opened.initial) for row in typed(list, record["steps"])]

    def _step(self, row: list[Any], initial: Mapping[int, float] | None) -> Step:
        kind, node, slot, target, *numbers, accumulates, line, file, assigns = row
        upstream, local, contribution, before, after = [
            None if value is None else unnumber(value) for value in numbers
        ]
        step = Step(
            KINDS[kind],
            None if node is None else self._known(node),
            None if slot is None else index(slot),
            None if target is None else self._known(target),
            upstream,
            local,
            contribution,
            before,
            after,
            None if accumulates is None else typed(bool, accumulates),
            line_number(line),
            self._listed(file),
            None if assigns is None else typed(bool, assigns),
        )
        if not _fits(step):
            raise RecordingError(f"a {step.kind.value} step lacks a field or has one too many")
        if initial is not None and step.target is not None and step.target not in initial:
            raise RecordingError(f"node {step.target} is written but has no initial gradient")
        if step.slot is not None and step.node is not None:
            children = self._nodes[step.node].children
            if step.slot >= len(children) or children[step.slot] != step.target:
                raise RecordingError(
                    f"node {step.target} is not in slot {shown(step.slot)} of node {step.node}"
                )
        return step

    def _end(self, record: dict[str, Any]) -> None:
        opened, value, error = self._opened(), record["end"], None
        if value is not None:
            error = TraceError(
                index(value["step"]), text(value["message"]), line_number(value["line"])
            )
            if error.step > len(opened.steps):
                raise RecordingError(f"the pass broke off at step {shown(error.step)}, not there")
        self._traces.append(opened.closed(error))
        self._open = None

    def _add_after(self, record: dict[str, Any]) -> None:
        steps = [self._step(row, None) for row in typed(list, record["after"])]
        if any(step.kind is not Kind.OUTSIDE for step in steps):
            raise RecordingError("after the last pass there are only steps from outside")
        self._after += steps

    def _add_evidence(self, record: dict[str, Any]) -> None:
        section = text(record["evidence"])
        new = items(section, record["rows"])
        for item in new:
            if isinstance(item, (Making, Backward)):
                self._known(item.node)
            if not isinstance(item, (Backward, Read, Failure)):
                self._listed(item.file)
        self._evidence[section] = (*self._evidence.get(section, ()), *new)

    def _note(self, record: dict[str, Any]) -> None:
        self._notes.append(text(record["note"]))

    def _output(self, record: dict[str, Any]) -> None:
        self._recording = replace(self._recording, output=text(record["output"]))

    def _outcome(self, record: dict[str, Any]) -> None:
        value = record["outcome"]
        outcome = Outcome(
            Status(value["status"]), text(value["message"]), line_number(value["line"])
        )
        self._recording = replace(self._recording, outcome=outcome)

    def _opened(self) -> _OpenTrace:
        if self._open is None:
            raise RecordingError("no pass has begun that this could belong to")
        return self._open

    def _known(self, node_id: object) -> int:
        if type(node_id) is not int or not 0 <= node_id < len(self._nodes):
            raise RecordingError(f"there is no node {shown(node_id)}")
        return node_id

    def _gradients(self, pairs: object) -> dict[int, float]:
        return {self._known(node_id): unnumber(value) for node_id, value in typed(list, pairs)}

    _HANDLERS: Mapping[str, Any] = {
        "format": _header,
        "file": _file,
        "nodes": _add_nodes,
        "names": _add_names,
        "codes": _add_codes,
        "trace": _begin,
        "touched": _touched,
        "steps": _steps,
        "end": _end,
        "after": _add_after,
        "evidence": _add_evidence,
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
