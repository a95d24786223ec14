"""The commands of lecture mode."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.lecturing import Lecturing

MENU = "View/Lecture"


def lecture_commands(lecturing: Lecturing) -> Iterator[Command]:
    """Beginning a lecture, and what can be asked for during it."""
    yield Command(
        "lecture", "Lect&ure mode", "View", lecturing.toggle,
        "Only the graph and one large sentence, on the whole screen. Esc leaves.", ("F12",),
        icon="lecture", checked=lambda: lecturing.is_on, line=True,
    )  # fmt: skip
    for what, text, help_, keys in (
        ("curtain", "&Black screen", "Hide everything; any key brings it back.", ("B", ".")),
        ("close", "&Zoom to the edge", "Show the edge of the step as large as it fits.", ("Z",)),
        (
            "spotlight",
            "&Spotlight",
            "Darken all but what runs, and where the pointer goes.",
            ("S",),
        ),
        ("values", "Table of &values", "Show the values beside the graph.", ("V",)),
        ("code", "Cod&e that runs", "Show the running code beside the graph.", ("E",)),
    ):
        yield Command(
            f"lecture_{what}", text, MENU, partial(lecturing.ask, what), help_,
            canvas_keys=keys, checked=partial(lecturing.shows, what), refusal=lecturing.why_off,
        )  # fmt: skip
    yield Command(
        "lecture_colours", "Other c&olours", MENU, lecturing.next_colours,
        "Light, dark, high contrast.", canvas_keys=("K",), line=True,
        refusal=lecturing.why_off,
    )  # fmt: skip
    yield Command(
        "lecture_motion", "&Motion", MENU, lecturing.toggle_motion,
        "Let contributions travel along their edges.", canvas_keys=("J",),
        checked=lambda: lecturing.moves, refusal=lecturing.why_no_motion,
    )  # fmt: skip
    yield Command(
        "lecture_notes", "W&indow for the lecturer", MENU, lecturing.toggle_notes,
        "Notes, the next step and the time, for another screen.", canvas_keys=("P",),
        checked=lambda: lecturing.notes is not None, refusal=lecturing.why_off, line=True,
    )  # fmt: skip
    yield Command(
        "lecture_swap", "S&wap screens", MENU, lecturing.swap_screens,
        "Change the places of what is projected and the lecturer's window.", canvas_keys=("X",),
        refusal=lecturing.why_no_swap,
    )  # fmt: skip
