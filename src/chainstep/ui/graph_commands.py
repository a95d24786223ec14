"""The commands of the Graph menu: what of the graph is drawn, and how."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session

MENU = "Graph"


def choice_commands(session: Session, refusals: Refusals) -> Iterator[Command]:
    """What is drawn: constants, helper nodes, and in which direction."""
    for name, id_, text, key, help_ in (
        ("hides_constants", "hide_constants", "&Hide constants", "C",
         "Leave out leaves without a name of their own, such as the 1 in 2*x + 1."),
        ("folds", "fold_helpers", "F&old a - b and a / b", "O",
         "Show one card for a - b and for a / b, which are three nodes and two."),
    ):  # fmt: skip
        yield Command(
            id_, text, MENU, partial(_toggle, session, name), help_, canvas_keys=(key,),
            refusal=refusals.no_steps, checked=partial(_has, session, name),
            line=id_ == "hide_constants",
        )  # fmt: skip
    for downward, id_, text, help_ in (
        (False, "left_to_right", "&Left to right", "Leaves on the left, the root on the right."),
        (True, "top_down", "&Top down", "Leaves at the top, the root at the bottom."),
    ):
        yield Command(
            id_, text, MENU, partial(_turn, session, downward), help_,
            canvas_keys=("T",) if downward else ("Shift+T",), refusal=refusals.no_steps,
            checked=partial(_runs, session, downward), group="direction", line=not downward,
        )  # fmt: skip


def _toggle(session: Session, name: str) -> None:
    session.set_choices(replace(session.choices, **{name: not _has(session, name)}))


def _has(session: Session, name: str) -> bool:
    return bool(getattr(session.choices, name))


def _turn(session: Session, downward: bool) -> None:
    session.set_choices(replace(session.choices, downward=downward))


def _runs(session: Session, downward: bool) -> bool:
    return session.choices.downward is downward
