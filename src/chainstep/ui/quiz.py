"""What stands on the bar of questions: a question or what became of it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.answer import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Tone(Enum):
    """Whether something was right, by sign, word and colour."""

    ASKED = "?"
    RIGHT = "✓"
    WRONG = "✗"
    TOLD = "→"


class Wants(Enum):
    """How it is to be answered."""

    NOTHING = "nothing"
    NODE = "node"
    NUMBER = "number"
    CHOICE = "choice"
    CONTRIBUTION = "contribution"


MOST_CHOICES = 6
"""Nodes that are offered to choose from; of more, one is typed or clicked."""
HINTS = {
    Wants.NOTHING: "",
    Wants.NODE: "Click the node, or type its name.",
    Wants.NUMBER: ROUNDING,
    Wants.CONTRIBUTION: "Type what it adds, as 15 or 3 × 5; “local 3” is its local derivative "
    "alone, and “a 15” what another operand gets.",
    Wants.CHOICE: "Answer by a button, or by Y and N.",
}
"""How one answers, for who has not done so before."""


def offered(names: Sequence[str]) -> tuple[str, ...]:
    """Names to choose from, where that makes choosing easier."""
    return tuple(names) if len(names) <= MOST_CHOICES else ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the bar says.

    Attributes:
        tone: What stands before it.
        title: The question, or what is right.
        lines: What else is to be said, one thing per line.
        wants: The answer that is waited for.
        choices: Answers to choose from, for a show of hands; none where it is typed or clicked.
        tally: Answers so far, in a few words.
        scores: The same in full.
        on: What the key that leads on does now.
    """

    tone: Tone
    title: str
    lines: tuple[str, ...] = ()
    wants: Wants = Wants.NOTHING
    choices: tuple[str, ...] = ()
    tally: str = ""
    scores: tuple[str, ...] = ()
    on: str = "Next"
