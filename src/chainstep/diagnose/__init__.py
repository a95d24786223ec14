"""Findings: what is wrong with a program, where, why, and how to mend it.

One module per family of kinds; each is a list of rules, and a rule is a function from a
:class:`Case` to findings. Rules speak from evidence and are silent without it.
"""

from __future__ import annotations

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

if TYPE_CHECKING:
    from chainstep.finding import Finding
    from chainstep.trace import Recording

FAMILIES = (
    *(closures, derivatives, order, building, operations),
    *(training, updates, hand, numbers, running),
)


def diagnose(recording: Recording) -> tuple[Finding, ...]:
    """What is wrong with a program, most important first.

    Each kind is told once per line, and what follows from another finding is left out. Most rules
    need a recording made with `Options.check`.
    """
    case = Case(recording)
    return ranked([found for family in FAMILIES for rule in family.RULES for found in rule(case)])
