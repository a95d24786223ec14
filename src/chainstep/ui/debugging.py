"""The commands of a debugger: breakpoints, watches, ways to a write, and the panels for them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command
from chainstep.ui.jumps import call_from, last_write, write_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from chainstep.ui.player import Player
    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session

    class Panels(Protocol):
        """The right column, as commands need it."""

        def is_open(self, name: str) -> bool:
            """Whether a panel is shown."""

        def toggle(self, name: str) -> None:
            """Open or close a panel."""

        def bring(self, name: str) -> None:
            """Show a panel; the keyboard stays where it is."""

        def enter(self, name: str) -> None:
            """Show a panel and give it the keyboard."""

        @property
        def shows_verdicts(self) -> bool:
            """Whether the verdicts stand in place of the values."""

        def toggle_verdicts(self) -> None:
            """Show the verdicts in place of the values, or the values again."""

        def sort_by_disagreement(self) -> None:
            """Show the verdicts, the worst first."""


PAGES = (
    *("values", "findings", "history", "ledger", "breakpoints", "watches", "order"),
    "training",
)
"""The panels behind tabs, in order."""

HELP = {
    "values": "Data and gradients of every node.",
    "order": "In which order _backward runs, and why each node may.",
    "history": "All steps as a table: Enter goes to one.",
    "ledger": "Every contribution to the gradient of the selected node.",
    "breakpoints": "Where stepping stops, and on what condition.",
    "watches": "Gradients of chosen nodes, in both modes.",
    "findings": "What is wrong with the program, where it shows, and how to mend it.",
    "training": "The loss of every iteration, and any two of them compared.",
}
MNEMONICS = {
    "values": "&Values",
    "order": "&Order",
    "history": "&History",
    "ledger": "&Ledger",
    "breakpoints": "&Breakpoints",
    "watches": "&Watches",
    "findings": "&Findings",
    "training": "&Training",
}


def breakpoint_commands(
    session: Session, player: Player, panels: Panels, refusals: Refusals
) -> Iterator[Command]:
    """What is in the Run menu.

    Args:
        session: What is debugged.
        player: It is paused before a jump.
        panels: The right column.
        refusals: Why something cannot be done.
    """
    breakpoints = session.breakpoints
    for forward, id_, text, key in (
        (True, "run_to_breakpoint", "Run to the next brea&kpoint", "F8"),
        (False, "back_to_breakpoint", "Back to the &previous breakpoint", "Shift+F8"),
    ):
        yield Command(
            id_, text, "Run",
            player.pausing(partial(_seek_hit, session, forward)),
            f"To where a breakpoint hits {'next' if forward else 'before this'}.", (key,),
            refusal=partial(refusals.no_hit, forward), line=forward,
        )  # fmt: skip
    yield Command(
        "run_to_node", "Run to the selected &node", "Run",
        player.pausing(partial(_seek_call, session)),
        "To where the _backward of the selected node begins.", ("Alt+F9",),
        refusal=refusals.no_call,
    )  # fmt: skip
    yield Command(
        "toggle_breakpoint", "&Breakpoint at the selected node", "Run",
        _with_selected(session, breakpoints.toggle),
        "Stop at the selected node, or no longer.", ("F9",),
        refusal=refusals.no_selection, line=True,
        checked=lambda: session.selected is not None and breakpoints.stops_at(session.selected),
    )  # fmt: skip
    yield Command(
        "new_breakpoint", "Break on a &condition…", "Run",
        partial(panels.enter, "breakpoints"),
        "Stop where a condition holds, such as grad > 1.", ("Ctrl+F9",),
    )  # fmt: skip
    yield Command(
        "remove_breakpoints", "Remove &all breakpoints", "Run",
        lambda: breakpoints.set(()), "Stop nowhere.", refusal=refusals.no_breakpoints,
    )  # fmt: skip
    yield Command(
        "watch", "&Watch the selected node", "Run",
        _with_selected(session, breakpoints.toggle_watch),
        "Put the selected node on the list of watches, or take it off.", ("Shift+F9",),
        refusal=refusals.no_selection,
        checked=lambda: session.selected is not None and breakpoints.is_watched(session.selected),
    )  # fmt: skip


def experiment_commands(session: Session) -> Iterator[Command]:
    """A training loop run otherwise, beside this run."""
    experiment = session.experiment
    yield Command(
        "switch_zeroing", "Without (or with) &zeroing", "Run/Beside this run",
        experiment.switch_zeroing,
        "Run the loop again without its zeroing, or with zeroing where it has none.",
        refusal=experiment.why_not, checked=lambda: experiment.switches_zeroing,
    )  # fmt: skip
    yield Command(
        "switch_update", "&Updates the other way", "Run/Beside this run",
        experiment.switch_update,
        "Run the loop again with every update along the gradient, not against it; or reversed.",
        refusal=experiment.why_not, checked=lambda: experiment.mirrors,
    )  # fmt: skip


def write_commands(session: Session, player: Player, refusals: Refusals) -> Iterator[Command]:
    """What is in the Step menu: ways from write to write of one gradient."""
    yield Command(
        "last_write", "Which step last &wrote this grad?", "Step",
        player.pausing(partial(_seek_step, session, last_write)),
        "To the step that gave the node of the ledger its gradient.",
        canvas_keys=("L",), refusal=refusals.no_last_write, line=True,
    )  # fmt: skip
    for forward, id_, text, key in (
        (True, "next_write", "Ne&xt write to the selected node", "W"),
        (False, "previous_write", "Pre&vious write to the selected node", "Shift+W"),
    ):
        yield Command(
            id_, text, "Step",
            player.pausing(partial(_seek_step, session, partial(write_from, forward=forward))),
            f"To the {'next' if forward else 'previous'} change of the selected node's gradient.",
            canvas_keys=(key,), refusal=partial(refusals.no_write, forward),
        )  # fmt: skip


def panel_commands(panels: Panels) -> Iterator[Command]:
    """What is in the View menu: each panel, and whether the upper ones are open."""
    for name, text, help_ in (
        ("step", "&This step", "The step in words, or no longer."),
        ("code", "&Code that runs", "The _backward that is running, or no longer."),
    ):
        yield Command(
            f"panel_{name}", text, "View/Panels", partial(panels.toggle, name),
            help_, checked=partial(panels.is_open, name),
        )  # fmt: skip
    for number, name in enumerate(PAGES, 1):
        yield Command(
            f"panel_{name}", MNEMONICS[name], "View/Panels",
            partial(panels.enter, name), HELP[name], (f"Ctrl+Shift+{number}",),
            checked=partial(panels.is_open, name), group="page", line=number == 1,
        )  # fmt: skip


def _with_selected(session: Session, act: Callable[[int], object]) -> Callable[[], None]:
    def handler() -> None:
        if session.selected is not None:
            act(session.selected)

    return handler


def _seek_hit(session: Session, forward: bool) -> None:
    position = session.breakpoints.from_here(forward)
    if position is not None:
        session.seek(position)


def _seek_call(session: Session) -> None:
    position = call_from(session)
    if position is not None:
        session.seek(position)


def _seek_step(session: Session, find: Callable[[Session], int | None]) -> None:
    position = find(session)
    if position is not None:
        session.seek_backward(position)
