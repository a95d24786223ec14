"""What stands on the bar of questions: a question or what became of it, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from chainstep.answer import ROUNDING


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


HINTS = {
    Wants.NOTHING: "",
    Wants.NODE: "Click the node, or type its name.",
    Wants.NUMBER: ROUNDING,
    Wants.CONTRIBUTION: "Type what it adds: 15 or 3 × 5; or local 3; or a 15 for another operand.",
    Wants.CHOICE: "Answer by a button, or by Y and N.",
}
"""How one answers, for who has not done so before."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the bar says.

    Attributes:
        tone: What stands before it.
        title: The question, or what is right.
        lines: What else is to be said, one thing per line.
        wants: The answer that is waited for.
        tally: Answers so far, in a few words.
        scores: The same in full.
        on: What the key that leads on does now.
    """

    tone: Tone
    title: str
    lines: tuple[str, ...] = ()
    wants: Wants = Wants.NOTHING
    tally: str = ""
    scores: tuple[str, ...] = ()
    on: str = "Next"
