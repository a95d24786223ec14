"""Which lines of source are running, what they are bound to, and what is to be said about them.

Plain data, in words; how it is shown is :mod:`chainstep.ui.code_panel`'s business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath
from textwrap import dedent
from typing import TYPE_CHECKING

from chainstep.figures import short
from chainstep.history import history
from chainstep.story import Phase
from chainstep.trace import Kind

if TYPE_CHECKING:
    from chainstep.graph import Node
    from chainstep.stepper import Stepper
    from chainstep.trace import Code, Recording, Step
    from chainstep.ui.session import Session

AROUND = 2
"""Lines shown before and after one that no `_backward` holds."""
MOST_LINES = 400
"""Lines shown of one function."""

NOTHING_RUNS = "No _backward is running."
COMPLETE = "nothing to do; its gradient is complete."
NO_CLOSURES = "This engine keeps no _backward functions: it multiplies local gradients."


@dataclass(frozen=True, slots=True)
class Row:
    """One line of source: its number in the file, and its text without the common indent."""

    number: int
    text: str


@dataclass(frozen=True)
class Excerpt:
    """What the panel shows.

    Attributes:
        title: Whose code it is: `c._backward · engine.py`; empty where there is none.
        rows: The lines, ascending; between two that do not follow one another some are left out.
        lit: Number of the line that is running; None where none is.
        failed: Whether the pass broke off there.
        bound: Each variable that is a Value, with the id of its node.
        remark: A sentence below the lines; empty where they say it all.
    """

    title: str = ""
    rows: tuple[Row, ...] = ()
    lit: int | None = None
    failed: bool = False
    bound: tuple[tuple[str, int], ...] = ()
    remark: str = ""

    @property
    def text(self) -> str:
        """The lines as one text."""
        return "\n".join(row.text for row in self.rows)

    def links(self) -> list[tuple[int, int, int, int]]:
        """(row, first letter, end, node id) of every place where a bound variable is named."""
        found = []
        for name, node_id in self.bound:
            named = re.compile(rf"(?<![\w.]){re.escape(name)}(?!\w)")
            found += [
                (number, match.start(), match.end(), node_id)
                for number, row in enumerate(self.rows)
                for match in named.finditer(row.text)
            ]
        return sorted(found)


def excerpt(session: Session) -> Excerpt:
    """The code that the position of a session is about."""
    pane, recording = session.primary, session.recording
    if pane is None or recording is None:
        return Excerpt(remark="Each _backward is shown here while it runs.")
    if session.phase is not Phase.BACKWARD:
        return _earlier(session, recording)
    stepper = pane.stepper
    step = stepper.current
    if step is None:
        root = recording.nodes[pane.trace.root].name
        first = "" if stepper.trace.hidden else f" The first will be that of {root}."
        return Excerpt(remark=f"{NOTHING_RUNS}{first}")
    if step.kind in (Kind.SEED, Kind.OUTSIDE) or step.node is None:
        return _outside(recording, step)
    found = _running(recording, step, stepper)
    error = pane.trace.error
    if error is not None and stepper.position == stepper.length:
        return _broken(found, error.line, error.message)
    return found


def _earlier(session: Session, recording: Recording) -> Excerpt:
    """Before the backward phase nothing runs; what is made keeps its `_backward` for later."""
    moment = session.moment
    if session.phase is Phase.FORWARD:
        if moment is None or moment.node is None:
            return Excerpt(remark=f"{NOTHING_RUNS} Each Value stores one when it is made.")
        return stored(recording, moment.node)
    return Excerpt(remark=f"{NOTHING_RUNS} First the list is made that says in which order.")


def stored(recording: Recording, node_id: int) -> Excerpt:
    """The code of a node that has just been made: it is kept for later and does not run."""
    node = recording.nodes[node_id]
    code = recording.codes.get(node_id)
    if not node.children:
        return Excerpt(_title(recording, node, code), remark=f"{node.name} is a leaf: it has none.")
    if code is None:
        return Excerpt(_title(recording, node, None), remark=_slopes(recording, node))
    return Excerpt(
        _title(recording, node, code),
        _rows(recording, code.file, code.first_line, code.last_line),
        bound=_bound(node, code),
        remark="Stored, not run: it runs in the backward phase.",
    )


def _title(recording: Recording, node: Node, code: Code | None) -> str:
    name = node.name or f"node {node.id}"
    return name if code is None else f"{name} · {_file(recording, code.file)}"


def _file(recording: Recording, number: int) -> str:
    """The name of a source file, without its folders."""
    files = recording.files
    path = files[number] if number < len(files) else recording.program
    return PurePath(path.replace("\\", "/")).name


def _rows(recording: Recording, file: int, first: int, last: int) -> tuple[Row, ...]:
    """Lines of a source file, as far as they are known, without the indent they share."""
    lines = recording.text(file).split("\n")
    first, last = max(1, first), min(last, len(lines), first + MOST_LINES - 1)
    texts = dedent("\n".join(lines[first - 1 : last]).replace("\r", "")).split("\n")
    if first > last or not any(texts):
        return ()
    rows = [Row(number, text.rstrip()) for number, text in enumerate(texts, first)]
    while not rows[-1].text:
        rows.pop()
    return tuple(rows)


def _bound(node: Node, code: Code) -> tuple[tuple[str, int], ...]:
    """The variables as people think of them: the operands in order, then the node itself."""
    places = {child: slot for slot, child in reversed(list(enumerate(node.children)))}
    places[node.id] = len(node.children)
    last = len(places)

    def place(bound: tuple[str, int]) -> tuple[int, bool, str]:
        name, node_id = bound
        return places.get(node_id, last), name != "self", name

    return tuple(sorted(code.names, key=place))


def _outside(recording: Recording, step: Step) -> Excerpt:
    """The line that set a gradient, or a number, while no `_backward` ran."""
    changed = step.node if step.moves else step.target
    assert changed is not None
    name = recording.nodes[changed].name
    if step.kind is Kind.SEED:
        remark = f"The seed: the gradient of {name} with respect to itself is 1."
        if step.line is None:
            remark += " Chainstep sets it; then it calls one _backward after the other."
    elif step.moves:
        remark = f"{NOTHING_RUNS} This line changes the data of {name}."
    else:
        remark = f"{NOTHING_RUNS} This line sets the gradient of {name} from outside."
    if step.line is None:
        return Excerpt(remark=remark)
    rows = _rows(recording, step.file, step.line - AROUND, step.line + AROUND)
    return Excerpt(_file(recording, step.file), rows, step.line, remark=remark)


def _running(recording: Recording, step: Step, stepper: Stepper) -> Excerpt:
    """The `_backward` that a call begins or a write belongs to."""
    assert step.node is not None
    node, code = recording.nodes[step.node], recording.codes.get(step.node)
    title = _title(recording, node, code)
    if not node.children:
        return _leaf(recording, node, code, stepper)
    rows = () if code is None else _rows(recording, code.file, code.first_line, code.last_line)
    if code is None or not rows:
        remark = _slopes(recording, node, stepper) if code is None else _unreadable(recording, code)
        at = None if step.kind is Kind.CALL else step.line
        if at is not None:
            rows = _rows(recording, step.file, at - AROUND, at + AROUND)
        return Excerpt(title, rows, at if rows else None, remark=remark)
    if step.kind is Kind.CALL or step.line is None:
        return Excerpt(title, rows, rows[0].number, bound=_bound(node, code))
    if step.file == code.file and any(row.number == step.line for row in rows):
        return Excerpt(title, rows, step.line, bound=_bound(node, code))
    return _helped(recording, step, Excerpt(title, rows, bound=_bound(node, code)))


def _helped(recording: Recording, step: Step, found: Excerpt) -> Excerpt:
    """A write that a function makes which `_backward` has called: its line is named below."""
    assert step.line is not None
    (row, *_) = _rows(recording, step.file, step.line, step.line) or (Row(step.line, ""),)
    where = f"line {step.line} of {_file(recording, step.file)}"
    quote = f": {row.text.strip()}" if row.text.strip() else ""
    return Excerpt(
        found.title, found.rows, bound=found.bound, remark=f"It writes by way of {where}{quote}"
    )


def _leaf(recording: Recording, node: Node, code: Code | None, stepper: Stepper) -> Excerpt:
    """A leaf's `_backward` does nothing, and that is worth showing."""
    rows = () if code is None else _leafs_rows(recording, code)
    is_lambda = any("lambda: None" in row.text for row in rows)
    subject = "lambda: None" if is_lambda else f"{node.name} is a leaf"
    state, writes = stepper.state(node.id), history(stepper.trace).get(node.id)
    kept = writes.kept(stepper.position) if writes is not None else ()
    said = COMPLETE
    if len(kept) < state.done:
        lost = state.done - len(kept)
        said = f"nothing to do. {lost} of its {state.done} contributions {_were(lost)} lost."
    if state.partial or (state.untouched and state.total):
        said = f"nothing to do. Its gradient has {state.share} contributions."
    if state.total is None:
        said = f"nothing to do. Contributions: {state.share}."
    lit = rows[0].number if rows else None
    return Excerpt(_title(recording, node, code), rows, lit, remark=f"{subject}: {said}")


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _leafs_rows(recording: Recording, code: Code) -> tuple[Row, ...]:
    """The lines of a function that does nothing: a body of mere words counts as no code."""
    lines = recording.text(code.file).split("\n")[: code.last_line + AROUND]
    end = code.last_line
    if len(lines) >= end and lines[end - 1].rstrip().endswith(":"):
        while end < len(lines) and _indent(lines[end]) > _indent(lines[code.last_line - 1]):
            end += 1
    return _rows(recording, code.file, code.first_line, end)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip()) if line.strip() else 0


def _slopes(recording: Recording, node: Node, stepper: Stepper | None = None) -> str:
    """What an engine without closures keeps, in words and with its numbers where known."""
    if stepper is None:
        return NO_CLOSURES
    steps, first = stepper.trace.steps, stepper.position - 1
    while first > 0 and steps[first - 1].node == node.id:
        first -= 1
    found = []
    for step in steps[first:]:
        if step.node != node.id:
            break
        if step.target is not None and step.local is not None:
            target = recording.nodes[step.target].name
            found.append(f"∂{node.name}/∂{target} = {short(step.local)}")
    return f"{NO_CLOSURES} Here: {', '.join(found)}." if found else NO_CLOSURES


def _unreadable(recording: Recording, code: Code) -> str:
    return (
        f"The source of this _backward could not be read: it stands in line {code.first_line} of "
        f"{_file(recording, code.file)}."
    )


def _broken(found: Excerpt, line: int | None, message: str) -> Excerpt:
    """The same code, with the line at which the pass broke off."""
    lit = line if line is not None and any(row.number == line for row in found.rows) else found.lit
    return Excerpt(
        found.title, found.rows, lit, True, found.bound, f"The pass broke off here: {message}"
    )
