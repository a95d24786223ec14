"""The commands that are about findings: checking, going from one to the next, reading about it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.debugging import Panels
    from chainstep.ui.desk import Desk
    from chainstep.ui.player import Player
    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session

MENU = "Run/Findings"


def check_commands(
    session: Session, player: Player, desk: Desk, panels: Panels, refusals: Refusals
) -> Iterator[Command]:
    """What is in the submenu of findings.

    Args:
        session: What is checked.
        player: It is paused before a jump.
        desk: What opens pages.
        panels: The right column, where what is to be mended is read.
        refusals: Why something cannot be done.
    """
    checks = session.checks

    def visit(forward: bool) -> None:
        checks.step(forward)
        panels.bring("findings")

    yield Command(
        "check", "&Check now", MENU, checks.check,
        "Look for faults in the program, and judge every gradient, whatever its size.",
        ("Ctrl+F5",), refusal=checks.why_not,
    )  # fmt: skip
    for forward, id_, text, key in (
        (True, "next_finding", "&Next finding", "F7"),
        (False, "previous_finding", "&Previous finding", "Shift+F7"),
    ):
        yield Command(
            id_, text, MENU, player.pausing(partial(visit, forward)),
            "To where it shows: pass, step and line, in the view in which it does.", (key,),
            refusal=refusals.no_finding, line=forward,
        )  # fmt: skip
    yield Command(
        "first_wrong_write", "&First wrong write", MENU,
        player.pausing(checks.visit_first_wrong_write),
        "To the write after which a gradient is wrong for the first time, on its edge.",
        ("Ctrl+F7",), refusal=refusals.no_wrong_write,
    )  # fmt: skip
    yield Command(
        "finding_page", "&What it means", MENU, desk.show_finding,
        "The page on the finding that was gone to last, else on the first.", ("Alt+F7",),
        refusal=refusals.no_finding, line=True,
    )  # fmt: skip
    yield Command(
        "copy_findings", "Copy &all as text", MENU, desk.copy_findings,
        "Copy all findings and verdicts, as the command line has them.",
        refusal=refusals.no_report,
    )  # fmt: skip


def verdict_commands(panels: Panels) -> Iterator[Command]:
    """What is in the submenu of panels, in the menu of views."""
    yield Command(
        "verdicts", "V&erdicts", "View/Panels", panels.toggle_verdicts,
        "Every gradient at the end of the pass, beside what it should be.", ("Ctrl+Shift+V",),
        checked=lambda: panels.shows_verdicts, line=True,
    )  # fmt: skip
    yield Command(
        "sort_by_disagreement", "Sort verdicts by &disagreement", "View/Panels",
        panels.sort_by_disagreement, "The gradient that is most wrong first.", ("Ctrl+Shift+D",),
    )  # fmt: skip


def manual_commands(desk: Desk) -> Iterator[Command]:
    """What is in the menu of help."""
    yield Command(
        "findings_help", "&Findings", "Help", desk.show_manual,
        "Every kind of fault that can be found: what it means, an example, how to mend it.",
    )  # fmt: skip
