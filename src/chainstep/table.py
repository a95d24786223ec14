"""A recording as text for a terminal: every step of every trace, and the gradients they end at."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import PurePath
from typing import TYPE_CHECKING

from chainstep.explain import same
from chainstep.figures import short, visible
from chainstep.formula import brought, called
from chainstep.trace import RECORDED, Kind, Mode, Status

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from chainstep.trace import Recording, Step, Trace

SIGNS = {Mode.ACCUMULATE: "+=", Mode.OVERWRITE: "=", Mode.AS_WRITTEN: "as written"}


def table(recording: Recording, modes: Collection[Mode]) -> str:
    """The text of a recording, with a newline at its end.

    Args:
        recording: What to write.
        modes: The modes whose traces are written; `+=` and `=` stand side by side.
    """
    blocks = [head(recording)]
    for pass_index in range(recording.passes):
        traces = [trace for mode in RECORDED if (trace := recording.trace(mode, pass_index))]
        traces = [trace for trace in traces if trace.mode in modes]
        if traces:
            blocks += _pass(recording, pass_index, traces)
    return "\n\n".join(blocks) + "\n"


def describe(recording: Recording) -> str:
    """How a run ended, in one sentence that names the line where one is known."""
    outcome = recording.outcome
    if outcome.status is Status.OK and not outcome.message:
        return "The program ran to its end."
    where = f"{recording.cells.spot(outcome.line)}: " if outcome.line is not None else ""
    return f"{where}{visible(outcome.message) or outcome.status.value}"


def head(recording: Recording) -> str:
    """What a recording is of, how it ended, and what the program printed."""
    nodes = _counted(len(recording.nodes), "node")
    passes = _counted(recording.passes, "backward pass")
    lines = [f"{recording.program}: {nodes}, {passes}, seed {recording.seed}", *recording.notes]
    if recording.outcome.status is not Status.OK:
        lines.append(f"It ended early. {describe(recording)}")
    if recording.output:
        lines += ["It printed:", *(f"  {visible(line)}" for line in recording.output.splitlines())]
    return "\n".join(lines)


def _counted(count: int, noun: str) -> str:
    plural = "es" if noun.endswith("s") else "s"
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{plural}"


def _pass(recording: Recording, pass_index: int, traces: Sequence[Trace]) -> Iterator[str]:
    """The blocks of one backward pass: its steps, then its gradients."""
    root = visible(called(recording.nodes[traces[0].root]))
    yield f"== backward pass {pass_index + 1} of {recording.passes}, from {root} =="
    alone, together = _paired(traces)
    for group in ([trace] for trace in alone):
        yield _steps(recording, group)
    if together:
        yield _steps(recording, together)
    yield _gradients(recording, traces)


def _paired(traces: Sequence[Trace]) -> tuple[list[Trace], list[Trace]]:
    """The traces to be shown alone, and those that can stand side by side, row by row."""
    forced = [trace for trace in traces if trace.mode is not Mode.AS_WRITTEN]
    alone = [trace for trace in traces if trace.mode is Mode.AS_WRITTEN]
    if len(forced) == 2 and not _in_step(*forced):
        return [*alone, *forced], []
    return alone, forced


def _in_step(one: Trace, other: Trace) -> bool:
    return len(one.steps) == len(other.steps) and all(
        (a.kind, a.node, a.slot, a.target) == (b.kind, b.node, b.slot, b.target)
        for a, b in zip(one.steps, other.steps, strict=True)
    )


def _steps(recording: Recording, traces: Sequence[Trace]) -> str:
    """One row per step; with two traces the columns of both, and a sign where they part."""
    titles = ["step", "node", "what", "target"]
    for trace in traces:
        titles += ["local × upstream", f"grad {SIGNS[trace.mode]}"]
    titles += ["", "line"] if len(traces) > 1 else ["line"]
    rows = [titles]
    columns = [trace.steps for trace in traces]
    for number, steps in enumerate(zip(*columns, strict=True), start=1):
        rows.append(_row(recording, number, steps))
    modes = " and ".join(SIGNS[trace.mode] for trace in traces)
    lines = [f"{modes}, {traces[0].order.value} order", *aligned(rows, right={0, len(titles) - 1})]
    for trace in traces:
        if trace.error is not None:
            line = trace.error.line
            where = f"{recording.cells.spot(line)}: " if line is not None else ""
            lines.append(f"{SIGNS[trace.mode]} broke off here: {where}{trace.error.message}")
    return "\n".join(lines)


def _row(recording: Recording, number: int, steps: Sequence[Step]) -> list[str]:
    step = steps[0]
    cells = [
        str(number),
        "" if step.node is None else called(recording.nodes[step.node]),
        step.kind.value,
        "" if step.target is None else called(recording.nodes[step.target]),
    ]
    for each in steps:
        cells += [_arithmetic(each), _change(each)]
    if len(steps) > 1:
        cells.append("" if same(steps[0].after, steps[1].after) else "≠")
    return [*cells, _place(recording, step)]


def _place(recording: Recording, step: Step) -> str:
    """`12` in the program, `cell 3:2` in a notebook, `engine.py:80` elsewhere."""
    if step.line is None:
        return ""
    if step.file and step.file < len(recording.files):
        return f"{PurePath(recording.files[step.file]).name}:{step.line}"
    found = recording.cells.place(step.line)
    return f"{step.line}" if found is None else f"cell {found[0]}:{found[1]}"


def _arithmetic(step: Step) -> str:
    """`1.0 × 6.0 = 6.0`, or the contribution alone where its factors are not known."""
    if step.contribution is None or step.kind is not Kind.WRITE:
        return ""
    return brought(step)


def _change(step: Step) -> str:
    if step.before is None or step.after is None:
        return ""
    return f"{short(step.before)} → {short(step.after)}"


def _gradients(recording: Recording, traces: Sequence[Trace]) -> str:
    """Every node's data, and the gradient that each trace ends at."""
    signs = [f"grad {SIGNS[trace.mode]}" for trace in traces]
    rows = [["node", "op", "data", *signs, ""]]
    for node_id in sorted({node_id for trace in traces for node_id in trace.final}):
        node = recording.nodes[node_id]
        finals = [trace.final.get(node_id) for trace in traces]
        differs = any(not same(finals[0], final) for final in finals[1:])
        rows.append(
            [
                called(recording.nodes[node_id]),
                node.op,
                short(node.data),
                *("" if final is None else short(final) for final in finals),
                "≠" if differs else "",
            ]
        )
    return "\n".join(aligned(rows, right=set(range(2, 3 + len(traces)))))


def aligned(rows: Sequence[Sequence[str]], right: set[int]) -> list[str]:
    """Rows of cells as lines, every column as wide as its widest cell; nothing commands them."""
    rows = [[visible(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip_longest(*rows, fillvalue="")]
    return [
        "  ".join(
            cell.rjust(width) if column in right else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
