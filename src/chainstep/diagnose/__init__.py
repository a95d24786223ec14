"""Findings: what is wrong with a program, where, why, and how to mend it.

One module per family of kinds; each is a list of rules, and a rule is a function from a
:class:`Case` to findings. Rules speak from evidence and are silent without it.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from chainstep.diagnose import (
    building,
    closures,
    derivatives,
    hand,
    numbers,
    operations,
    order,
    running,
    training,
    updates,
)
from chainstep.diagnose.case import Case
from chainstep.diagnose.ranking import ranked
from chainstep.finding import finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from chainstep.finding import Finding
    from chainstep.trace import Recording

FAMILIES = (
    *(closures, derivatives, order, building, operations),
    *(training, updates, hand, numbers, running),
)


def diagnose(recording: Recording) -> tuple[Finding, ...]:
    """What is wrong with a program, most important first.

    Each kind is told once per line, and what follows from another finding is left out. Most rules
    need a recording made with `Options.check`. A rule that breaks ends none of the others: that
    is our own fault, and it is told as one.
    """
    case = Case(recording)
    found: list[Finding] = []
    for family in FAMILIES:
        for rule in family.RULES:
            found += _asked(rule, case)
    return ranked(found)


def _asked(rule: Callable[[Case], Iterable[Finding]], case: Case) -> list[Finding]:
    """What one rule finds; up to the point where it breaks, if it does."""
    found: list[Finding] = []
    try:
        found.extend(rule(case))
    except Exception as fault:  # noqa: BLE001  whatever it is, it is no fault of the program
        found.append(_failed(rule.__name__, fault))
    return found


def _failed(name: str, fault: Exception) -> Finding:
    """What is said of a rule that broke."""
    place = traceback.extract_tb(fault.__traceback__)[-1]
    return finding(
        "rule-failed",
        f"Chainstep's own check {name!r} failed on this program: {type(fault).__name__}: {fault} "
        f"({Path(place.filename).name}, line {place.lineno}). The other checks were made.",
        "Nothing in the program has to be changed for this. Please report it with the program.",
    )
