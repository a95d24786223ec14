"""The commands that go through the story of a run: step by step, from mark to mark, by itself."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.settings import SPEEDS
from chainstep.story import Phase
from chainstep.ui.command import Command, is_now

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.player import Player
    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session


def step_commands(session: Session, player: Player, refusals: Refusals) -> Iterator[Command]:
    """From step to step, from mark to mark, from pass to pass."""

    def go(by: int) -> None:
        session.set_pass(session.pass_index + by)

    ahead, behind = refusals.at_end, refusals.at_start
    for id_, text, move, refusal, help_, keys, canvas_keys, line in (
        ("step_over", "Ste&p", session.step_over, ahead,
         "Make or sort one Value, or run one _backward to its end.", ("F10",), ("PgDown",), False),
        ("step_into", "Step &into", session.step_into, ahead,
         "One Value, one visit of the sort, or one write.", ("F11",), ("Right",), False),
        ("step_out", "Step &out", session.step_out, ahead,
         "To the end of the _backward or visit that runs.", ("Shift+F11",), (), False),
        ("back_over", "&Back", session.back_over, behind,
         "Undo one Value, made or sorted, or one _backward.", ("Ctrl+F10",), ("PgUp",), True),
        ("back_into", "Back in&to", session.back_into, behind,
         "Undo one Value, one visit or one write.", ("Ctrl+F11",), ("Left",), False),
        ("restart", "To the st&art", session.restart, behind,
         "Before the first Value is made.", (), ("Home",), True),
        ("end", "To the &end", session.run_to_end, ahead,
         "After the last step.", (), ("End",), False),
    ):  # fmt: skip
        yield Command(
            id_,
            text,
            "Step",
            player.pausing(move),
            help_,
            keys,
            canvas_keys,
            id_,
            refusal,
            line=line,
        )
    yield from _marks(session, player, refusals)
    for forward, id_, text, key in (
        (True, "next_difference", "&Next difference", "N"),
        (False, "previous_difference", "P&revious difference", "Shift+N"),
    ):
        yield Command(
            id_, text, "Step", player.pausing(partial(session.seek_divergence, forward)),
            f"To where the {'next' if forward else 'previous'} gradient begins to differ.",
            canvas_keys=(key,), refusal=partial(refusals.no_difference, forward), line=forward,
        )  # fmt: skip
    for by, id_, text, key in (
        (1, "next_pass", "Next backward pass", "Ctrl+Shift+PgDown"),
        (-1, "previous_pass", "Previous backward pass", "Ctrl+Shift+PgUp"),
    ):
        yield Command(
            id_, text, "Step", partial(go, by),
            f"The {'next' if by > 0 else 'previous'} backward() of the program.",
            canvas_keys=(key,), icon=id_, refusal=partial(refusals.no_pass, by), line=by > 0,
        )  # fmt: skip


PHASES = {
    Phase.FORWARD: "&Forward: Values being made",
    Phase.SORT: "&Topological sort",
    Phase.BACKWARD: "&Backward: _backward functions running",
}


def _marks(session: Session, player: Player, refusals: Refusals) -> Iterator[Command]:
    """From phase to phase and from mark to mark of the timeline, and which phases are skipped."""
    for id_, text, move, refusal, help_, keys in (
        ("next_phase", "Next p&hase", session.next_phase, refusals.at_end,
         "To where the next phase begins.", ("Ctrl+PgDown", "]")),
        ("previous_phase", "Previous pha&se", session.previous_phase, refusals.at_start,
         "To where this phase begins, or the one before.", ("Ctrl+PgUp", "[")),
    ):  # fmt: skip
        yield Command(
            id_, text, "Step", player.pausing(move), help_, canvas_keys=keys, refusal=refusal,
            line=id_ == "next_phase",
        )  # fmt: skip
    for phase, text in PHASES.items():
        yield Command(
            f"skip_{phase.value}", text, "Step/Skip when stepping",
            partial(_toggle, session, phase), "Jump over this phase when stepping.",
            checked=partial(_skips, session, phase), refusal=partial(refusals.no_skip, phase),
        )  # fmt: skip
    for forward, id_, text, key in (
        (True, "next_mark", "Next &mark", "M"),
        (False, "previous_mark", "Previous mar&k", "Shift+M"),
    ):
        yield Command(
            id_, text, "Step", player.pausing(partial(session.seek_mark, forward)),
            "To what the timeline marks: reuse, a difference, a breakpoint, an error, a finding.",
            canvas_keys=(key,), refusal=partial(refusals.no_mark, forward), line=forward,
        )  # fmt: skip


def _toggle(session: Session, phase: Phase) -> None:
    session.skip(phase, phase not in session.skipped)


def _skips(session: Session, phase: Phase) -> bool:
    return phase in session.skipped


def play_commands(player: Player, refusals: Refusals) -> Iterator[Command]:
    """Stepping by itself, and how fast."""
    yield Command(
        "play", "P&lay", "Step", player.toggle, "Step by itself, or pause.",
        canvas_keys=("Space",), icon="play", refusal=refusals.no_steps,
        checked=lambda: player.playing, line=True,
    )  # fmt: skip
    for speed in SPEEDS:
        yield Command(
            f"speed_{speed:g}", f"{speed:g}×", "Step/Speed", partial(player.set_speed, speed),
            f"{speed:g} steps per second.", checked=is_now(lambda: player.per_second, speed),
            group="speed",
        )  # fmt: skip
