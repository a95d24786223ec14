"""The commands of questions: when one is asked, and how one answers or does not."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.ui.player import Player
    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session

MENU = "Step/Predict before reveal"
POLICIES = (
    ("off", "&Off", "Step without being asked.", ("Ctrl+F4",)),
    ("matters", "Where it &matters", "Be asked at reuse, differences, gates, leaves.", ("F4",)),
    ("every", "At &every step", "Be asked before each step of the backward pass.", ("Shift+F4",)),
)


def quiz_commands(
    session: Session, player: Player, focus_question: Callable[[], None], refusals: Refusals
) -> Iterator[Command]:
    """What is in the Step menu.

    Args:
        session: Whose steps are asked about.
        player: It is paused before a step.
        focus_question: Goes to where a question is answered.
        refusals: Why something cannot be done.
    """
    prediction = session.prediction
    for name, text, help_, keys in POLICIES:
        yield Command(
            f"predict_{name}", text, MENU, partial(prediction.set_policy, name), help_, keys,
            checked=partial(_is_on, session, name), group="predict",
        )  # fmt: skip
    yield Command(
        "answer", "&Answer the question", MENU, focus_question,
        "Go to where the answer is typed.", canvas_keys=("Q",), refusal=refusals.no_question,
        line=True,
    )  # fmt: skip
    yield Command(
        "reveal", "&Reveal", MENU, player.pausing(session.step_into),
        "Show what happens, without an answer; stepping on does the same.",
        ("Ctrl+Return",), ("R",), refusal=refusals.no_question,
    )  # fmt: skip


def engine_commands(session: Session, player: Player, refusals: Refusals) -> Iterator[Command]:
    """What is in the Step menu for who runs the pass instead of the program."""
    engine = session.engine
    yield Command(
        "engine", "You are the en&gine", "Step", player.pausing(engine.toggle),
        "Choose each node and say what it hands on; checked against the recorded pass.",
        ("F6",), refusal=refusals.no_engine, checked=lambda: engine.on, line=True,
    )  # fmt: skip
    yield Command(
        "undo_choice", "Take back the choice", "Step", engine.undo,
        "Take back the node that you chose last, with its contributions.",
        canvas_keys=("Backspace",), refusal=refusals.no_choice,
    )  # fmt: skip


def _is_on(session: Session, name: str) -> bool:
    return session.prediction.policy == name
