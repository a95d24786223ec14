"""A recording as the one JSON object that scripts read: `chainstep trace --format json`.

Its words and fields are fixed: fields may join, none may be renamed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from chainstep.codec import number

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from chainstep.graph import Node
    from chainstep.trace import Mode, Recording, Step, Trace

FORMAT = "chainstep-trace"
VERSION = 1


def document(recording: Recording, modes: Collection[Mode]) -> str:
    """The JSON text of a recording, one line of ASCII: the same bytes for the same recording.

    Args:
        recording: What to write.
        modes: The modes whose traces are written.
    """
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "program": recording.program,
        "seed": recording.seed,
        "outcome": outcome_fields(recording),
        "output": recording.output,
        "notes": list(recording.notes),
        "files": list(recording.files),
        "nodes": [_node(node) for node in recording.nodes],
        "traces": [_trace(trace) for trace in recording.traces if trace.mode in modes],
    }
    return json.dumps(fields, allow_nan=False)


def outcome_fields(recording: Recording) -> dict[str, Any]:
    """How a run ended, as JSON has it."""
    outcome = recording.outcome
    return {
        "status": outcome.status.value,
        "message": outcome.message,
        "line": outcome.line,
        **cell_fields(recording, outcome.line),
    }


def cell_fields(recording: Recording, line: int | None) -> dict[str, int | None]:
    """The cell of a line and the line in it, both from 1; nothing where there are no cells."""
    if not recording.cells.all:
        return {}
    cell, inner = (recording.cells.place(line) if line else None) or (None, None)
    return {"cell": cell, "cell_line": inner}


def _node(node: Node) -> dict[str, Any]:
    return {
        "id": node.id,
        "name": node.name,
        "op": node.op,
        "data": number(node.data),
        "children": list(node.children),
        "line": node.line,
        "constant": node.constant,
        "aliases": list(node.aliases),
    }


def _trace(trace: Trace) -> dict[str, Any]:
    error = trace.error
    return {
        "pass": trace.pass_index,
        "mode": trace.mode.value,
        "order": trace.order.value,
        "root": trace.root,
        "sequence": list(trace.sequence),
        "initial": _by_id(trace.initial),
        "final": _by_id(trace.final),
        "data": _by_id(trace.data),
        "steps": [_step(step) for step in trace.steps],
        "error": error and {"step": error.step, "message": error.message, "line": error.line},
    }


def _by_id(numbers: Mapping[int, float]) -> dict[str, float | str | None]:
    return {str(node_id): number(numbers[node_id]) for node_id in sorted(numbers)}


def _step(step: Step) -> dict[str, Any]:
    return {
        "kind": step.kind.value,
        "node": step.node,
        "slot": step.slot,
        "target": step.target,
        "upstream": number(step.upstream),
        "local": number(step.local),
        "contribution": number(step.contribution),
        "before": number(step.before),
        "after": number(step.after),
        "accumulates": step.accumulates,
        "line": step.line,
        "file": step.file,
        "assigns": step.assigns,
    }
