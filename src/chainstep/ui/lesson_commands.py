"""The commands about lessons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command
from chainstep.ui.lecture_script import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.teaching import Teaching

MENU = "Lessons"


def lesson_commands(teaching: Teaching) -> Iterator[Command]:
    """What is in the Lessons menu."""
    yield Command(
        "lessons", "&All lessons", MENU, teaching.gallery_wanted.emit,
        "A page of all lessons, each with a picture; the same key puts it away.",
        ("Ctrl+L",),
    )  # fmt: skip
    yield Command(
        "show_answer", "Show the &answer", MENU, teaching.toggle_answer,
        "The answer to the lesson's question, and what to take away.", ("Ctrl+Shift+L",),
        ("I",), refusal=teaching.why_no_answer, checked=lambda: teaching.answered, line=True,
    )  # fmt: skip
    for by, id_, text, key in (
        (1, "next_lesson", "&Next lesson", "Alt+PgDown"),
        (-1, "previous_lesson", "&Previous lesson", "Alt+PgUp"),
    ):
        yield Command(
            id_, text, MENU, partial(teaching.step, by), f"Open the {text[1:].lower()}.", (key,),
            refusal=partial(teaching.why_no_step, by),
        )  # fmt: skip
    yield Command(
        "leave_lesson", "&Leave the lesson", MENU, teaching.leave,
        "Go on with its program, without the lesson.", refusal=teaching.why_not,
    )  # fmt: skip
    for number, lesson in enumerate(teaching.lessons):
        yield Command(
            f"lesson_{lesson.name}", lesson.title.replace("&", "&&"), MENU,
            partial(teaching.open, lesson), f"{lesson.minutes} minutes. {plain(lesson.idea)}",
            checked=partial(_is_on, teaching, lesson.name), group="lesson", line=number == 0,
        )  # fmt: skip


def _is_on(teaching: Teaching, name: str) -> bool:
    return teaching.current is not None and teaching.current.name == name
