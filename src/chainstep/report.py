"""What `check` says of one program, as the JSON object that scripts read and as text.

The words and fields of the JSON are fixed: fields may join, none may be renamed.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from chainstep.codec import number
from chainstep.document import cell_fields, outcome_fields
from chainstep.figures import short
from chainstep.finding import KINDS, Severity
from chainstep.formula import called
from chainstep.table import aligned, head
from chainstep.trace import Outcome, Status
from chainstep.verify import Verdict, by_disagreement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chainstep.finding import Finding
    from chainstep.trace import Recording
    from chainstep.verify import Gradient

FORMAT = "chainstep-check"
VERSION = 1

AGREE = "agree with their central differences"

_WORDS = {
    Verdict.DIFFERS: ("differs", "differ"),
    Verdict.KINK: ("at a kink", "at a kink"),
    Verdict.UNKNOWN: ("unknown", "unknown"),
    Verdict.AGREES: ("agrees", "agree"),
}
"""Each verdict after a count, of one and of more."""

MOST_ROWS = 60
"""Rows of one table of gradients: what differs comes first, and the rest is counted."""


@dataclass(frozen=True)
class Report:
    """The check of one program.

    Attributes:
        path: The program as the user named it.
        recording: What its run left.
        gradients: The verdict on every gradient of every pass.
        findings: What is wrong, and what is worth knowing.
        held: What kept it from being run again, in a sentence; empty where nothing did.
    """

    path: str
    recording: Recording
    gradients: tuple[Gradient, ...]
    findings: tuple[Finding, ...]
    held: str = ""

    @property
    def faults(self) -> tuple[Finding, ...]:
        """The findings that say that something is wrong."""
        return tuple(each for each in self.findings if each.severity is Severity.FAULT)

    @property
    def differing(self) -> tuple[Gradient, ...]:
        """The gradients that are wrong."""
        return tuple(each for each in self.gradients if each.verdict is Verdict.DIFFERS)

    @property
    def is_clean(self) -> bool:
        """Whether the program came to its end and nothing is wrong with it."""
        ended = self.recording.outcome.status is Status.OK
        return ended and not self.faults and not self.differing


def compared(report: Report) -> str:
    """What the gradients were held against, and with what result, in one or two sentences."""
    nodes = report.recording.nodes
    verdicts: dict[Verdict, set[int]] = {verdict: set() for verdict in Verdict}
    for each in report.gradients:
        if is_shown(report.recording, each):
            verdicts[each.verdict].add(each.node)
    differing = verdicts[Verdict.DIFFERS]
    agreeing = verdicts[Verdict.AGREES] - differing
    leaves = sum(not nodes[node_id].children for node_id in agreeing)
    inner = len(agreeing) - leaves
    counts = [f"{leaves} {'leaf' if leaves == 1 else 'leaves'}"] if leaves else []
    counts += [f"{inner} inner node{'' if inner == 1 else 's'}"] if inner else []
    agree = "agrees with its central difference" if leaves + inner == 1 else AGREE
    sentences = [f"{' and '.join(counts)} {agree}."] if counts else []
    kinks = len(verdicts[Verdict.KINK] - differing)
    unknown = len(verdicts[Verdict.UNKNOWN] - agreeing - differing)
    rest = [f"{len(differing)} differ{'s' if len(differing) == 1 else ''}"] if differing else []
    rest += [f"{kinks} stand{'s' if kinks == 1 else ''} at a kink"] if kinks else []
    rest += [f"of {unknown} it is unknown"] if unknown else []
    if rest:
        sentences.append(f"{', '.join(rest).capitalize()}.")
    return " ".join(sentences) or "There was no gradient to compare."


def document(report: Report) -> str:
    """The JSON text of a report: one line of ASCII, without a newline at its end."""
    fields = {
        "format": FORMAT,
        "version": VERSION,
        "program": report.recording.program,
        "path": report.path,
        "seed": report.recording.seed,
        "outcome": outcome_fields(report.recording),
        "notes": list(report.recording.notes),
        "files": list(report.recording.files),
        "gradients": [_gradient(report.recording, each) for each in report.gradients],
        "findings": [_finding(report.recording, each) for each in report.findings],
    }
    return json.dumps(fields, allow_nan=False)


def _gradient(recording: Recording, gradient: Gradient) -> dict[str, Any]:
    node = recording.nodes[gradient.node]
    return {
        "id": node.id,
        "name": node.name,
        "op": node.op,
        "line": node.line,
        "constant": node.constant,
        "pass": gradient.pass_index,
        "as_written": number(gradient.as_written),
        "carried": number(gradient.carried),
        "accumulate": number(gradient.accumulate),
        "finite_difference": number(gradient.expected),
        "error": number(gradient.error),
        "torch": number(gradient.torch),
        "verdict": gradient.verdict.value,
        "kink": gradient.kink,
    }


def _finding(recording: Recording, finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "kind": finding.kind,
        "severity": finding.severity.value,
        "title": KINDS[finding.kind].title,
        "message": finding.message,
        "line": finding.line,
        "file": finding.file,
        **cell_fields(recording, None if finding.file else finding.line),
        "pass": finding.pass_index,
        "step": finding.step,
        "node": finding.node,
        "remedy": finding.remedy,
    }


def text(report: Report) -> str:
    """A report to be read in a terminal, with a newline at its end."""
    recording = report.recording
    blocks = [_head(report), _findings(report)]
    for pass_index in range(recording.passes):
        chosen = [each for each in report.gradients if each.pass_index == pass_index]
        blocks.append(_table(recording, pass_index, chosen))
    return "\n\n".join(blocks) + "\n"


def _head(report: Report) -> str:
    """What a recording is of; how it ended and what Python said of that only if no finding does."""
    recording = report.recording
    if not any(each.message == recording.outcome.message for each in report.findings):
        return head(recording)
    unread = any(each.kind == "syntax-error" for each in report.findings)
    return head(
        replace(recording, outcome=Outcome(Status.OK), output="" if unread else recording.output)
    )


def _findings(report: Report) -> str:
    if not report.findings:
        if report.differing:
            return "Gradients differ from what the forward says, and no rule says why."
        return "Nothing is wrong." if report.is_clean else "No fault was found in what ran."
    return "\n".join(line for each in report.findings for line in _told(report.recording, each))


def _told(recording: Recording, finding: Finding) -> Iterator[str]:
    row = KINDS[finding.kind]
    note = " (only a note)" if finding.severity is Severity.NOTE else ""
    yield f"{place(recording, finding)}{finding.code} {finding.kind}{note}: {row.title}."
    yield f"    {finding.message}"
    if finding.remedy:
        yield f"    To mend it: {finding.remedy}"


def place(recording: Recording, finding: Finding) -> str:
    """`line 12: `, or `engine.py:80: ` in another file; empty where no line is known."""
    if finding.line is None:
        return ""
    if finding.file and finding.file < len(recording.files):
        return f"{PurePath(recording.files[finding.file]).name}:{finding.line}: "
    return f"{recording.cells.spot(finding.line)}: "


def _table(recording: Recording, pass_index: int, gradients: Sequence[Gradient]) -> str:
    """The gradients of one pass, the worst first."""
    shown = [each for each in by_disagreement(gradients) if is_shown(recording, each)]
    asked = any(each.torch is not None for each in gradients)
    titles = ["node", "op", "as written", "grad +=", "central difference"]
    rows = [[*titles, *(["PyTorch"] if asked else []), ""]]
    rows += [_row(recording, each, asked=asked) for each in shown[:MOST_ROWS]]
    counts = counted(shown) or "none"
    lines = [
        f"== gradients of pass {pass_index + 1} of {recording.passes}: {counts} ==",
        *aligned(rows, right={2, 3, 4, *([5] if asked else [])}),
    ]
    if len(shown) > MOST_ROWS:
        lines.append(f"and {len(shown) - MOST_ROWS} more; --format json has them all")
    return "\n".join(lines)


def counted(gradients: Sequence[Gradient]) -> str:
    """How many gradients have each verdict, the worst first: `1 differs, 4 agree`."""
    counts = Counter(each.verdict for each in gradients)
    return ", ".join(
        f"{counts[verdict]} {words[counts[verdict] != 1]}"
        for verdict, words in _WORDS.items()
        if counts[verdict]
    )


def is_shown(recording: Recording, gradient: Gradient) -> bool:
    """Constants are worth a row, and are counted, only where something is wrong with them."""
    return gradient.verdict is Verdict.DIFFERS or not recording.nodes[gradient.node].constant


def _row(recording: Recording, gradient: Gradient, *, asked: bool) -> list[str]:
    node = recording.nodes[gradient.node]
    numbers = [gradient.as_written, gradient.accumulate, gradient.expected]
    if asked:
        numbers.append(gradient.torch)
    verdict = gradient.verdict.value
    if gradient.kink is not None and gradient.verdict is Verdict.KINK:
        verdict = f"kink at {called(recording.nodes[gradient.kink])}"
    elif gradient.carried:
        verdict = f"{verdict}, without {short(gradient.carried)} from before"
    return [called(node), node.op, *("" if n is None else short(n) for n in numbers), verdict]
