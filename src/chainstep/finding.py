"""What `check` says of a program: one finding per fault, and the table of all kinds.

Plain data: findings are made by `diagnose`, shown by the command line and the window, and each
kind has a page of its own in the documentation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Severity(Enum):
    """Whether something is wrong, or only worth knowing."""

    FAULT = "fault"
    NOTE = "note"


class FindingKind(NamedTuple):
    """One row of the table of kinds.

    Attributes:
        code: Stable for ever; its first digit is the family.
        title: What is wrong, in a few words.
        severity: Whether it is a fault.
    """

    code: str
    title: str
    severity: Severity = Severity.FAULT


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a program, or worth knowing about it.

    Attributes:
        code: `CS101`; stable, as is `kind`.
        kind: Key of :data:`KINDS`.
        severity: Whether it is a fault.
        message: What happened: the nodes by their names, what the code did, what was right.
        line: Line of source that carries it, from 1; None where no line does.
        pass_index: Backward pass that shows it, from 0; None where none does.
        step: Number of the step that shows it, from 0, in the as-written trace of that pass, or
            in the accumulate trace where the program made no pass of its own.
        node: Id of the node that it is about; None where it is about no single one.
        remedy: What to do about it.
        file: Index into `Recording.files` of the source that `line` counts in.
    """

    code: str
    kind: str
    severity: Severity
    message: str
    line: int | None = None
    pass_index: int | None = None
    step: int | None = None
    node: int | None = None
    remedy: str = ""
    file: int = 0


_NOTE = Severity.NOTE

KINDS: Mapping[str, FindingKind] = MappingProxyType(
    {
        # What a node hands to its operands.
        "overwrite-grad": FindingKind("CS101", "A gradient is overwritten, not added to"),
        "backward-not-attached": FindingKind("CS102", "A _backward is written but never stored"),
        "backward-called-early": FindingKind("CS103", "A _backward is called instead of stored"),
        "backward-in-grad": FindingKind("CS104", "A _backward is stored as a gradient"),
        "op-without-backward": FindingKind("CS105", "An operation hands nothing back"),
        "upstream-ignored": FindingKind("CS106", "A _backward leaves out the upstream gradient"),
        "wrong-local-derivative": FindingKind("CS107", "A local derivative is wrong"),
        "closure-late-binding": FindingKind("CS108", "Closures of a loop share their variable"),
        # Where a pass begins and in which order it runs.
        "seed-missing": FindingKind("CS201", "The root's gradient is never set to 1"),
        "seed-everywhere": FindingKind("CS202", "Every gradient starts at 1"),
        "order-not-reversed": FindingKind("CS203", "The topological order is not reversed"),
        "order-recursive": FindingKind("CS204", "A node passes on before it is complete"),
        "topo-appends-self": FindingKind("CS205", "The sort appends the wrong node"),
        "recursion-limit": FindingKind("CS206", "A recursive sort meets a deep graph"),
        # How the graph is built.
        "child-missing": FindingKind("CS301", "An operand is not recorded as a child"),
        "merged-by-value": FindingKind("CS302", "Different nodes are taken for one"),
        "detached-graph": FindingKind("CS303", "The graph is cut where .data was used"),
        "nested-value": FindingKind("CS304", "A Value is wrapped in a Value"),
        "in-place-mutation": FindingKind("CS305", "An operator changes its operand"),
        "cyclic-graph": FindingKind("CS306", "The graph has a cycle"),
        "wrong-forward": FindingKind("CS307", "The forward value is wrong"),
        "missing-operator": FindingKind("CS308", "The class lacks an operator"),
        "infinite-recursion": FindingKind("CS309", "An operator calls itself for ever"),
        "bad-data-type": FindingKind("CS310", "The data of a Value are no real number"),
        # Passes, zeroing and updates.
        "backward-never-called": FindingKind("CS401", "Gradients are read, but none was computed"),
        "backward-twice": FindingKind("CS402", "The same graph is run backward twice"),
        "stale-interior-grad": FindingKind("CS403", "An inner node keeps an old gradient"),
        "missing-zero-grad": FindingKind("CS404", "Gradients are never set back to 0"),
        "zero-misplaced": FindingKind("CS405", "Gradients are set to 0 at the wrong place"),
        "wrong-update-sign": FindingKind("CS406", "The update climbs the loss"),
        "update-has-no-effect": FindingKind("CS407", "The update changes no parameter"),
        "data-changed": FindingKind("CS408", "Data changed between forward and backward"),
        "manual-gradient-wrong": FindingKind("CS409", "A gradient set by hand is wrong"),
        # Numbers.
        "dead-unit": FindingKind("CS501", "A relu is off: nothing flows through it", _NOTE),
        "saturated-unit": FindingKind("CS502", "A unit is saturated: almost nothing flows", _NOTE),
        "nan-source": FindingKind("CS503", "A value becomes inf or nan here"),
        "numeric-error-forward": FindingKind("CS504", "The forward computation raises"),
        "numeric-error-backward": FindingKind("CS505", "A _backward raises"),
        # The run itself.
        "syntax-error": FindingKind("CS601", "Python cannot read the program"),
        "exception-midway": FindingKind("CS602", "The program stops with an exception"),
        "no-value": FindingKind("CS603", "The program makes no Value"),
        "infinite-loop": FindingKind("CS604", "The program does not end"),
        "memory": FindingKind("CS605", "The program takes too much memory"),
        "output-flood": FindingKind("CS606", "The program prints too much"),
        "exit-code": FindingKind("CS607", "The program ends itself with an exit code"),
        "hard-exit": FindingKind("CS608", "The program ends itself at once"),
        "needs-input": FindingKind("CS609", "The program waits for input"),
        "rule-failed": FindingKind("CS610", "A check of Chainstep's own failed", _NOTE),
    }
)
"""Every kind of finding. Codes are never given to another kind; new kinds take new ones."""


def finding(
    kind: str,
    message: str,
    remedy: str,
    line: int | None = None,
    *,
    pass_index: int | None = None,
    step: int | None = None,
    node: int | None = None,
    file: int = 0,
) -> Finding:
    """A finding of a kind in the table, with that kind's code and severity.

    >>> finding("seed-missing", "The root y keeps its 0.", "Set y.grad = 1 first.", 7).code
    'CS201'
    """
    row = KINDS[kind]
    return Finding(
        row.code, kind, row.severity, message, line, pass_index, step, node, remedy, file
    )
