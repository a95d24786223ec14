"""Lessons: one idea each, as a plain file that a teacher can write.

A lesson is Markdown. Above are lines of `key: value` between two lines of three dashes; below
stand the idea, and under headings the question, its answer, the take-away, notes for the
lecturer, and the program where it is not one of the bundled examples. `WRITING.md` in
`resources/lessons` tells it all to those who write one.
"""

from __future__ import annotations

import importlib.resources
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from chainstep.errors import LessonError
from chainstep.program import EXAMPLE_PREFIX, LESSON_SUFFIX, Program, examples, load
from chainstep.spot import Spot, find_spot, read_spot
from chainstep.story import Story
from chainstep.trace import Mode, Order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from importlib.abc import Traversable

    from chainstep.story import Phase
    from chainstep.trace import Recording

VIEWS: Mapping[str, Mode] = {
    "accumulate": Mode.ACCUMULATE,
    "overwrite": Mode.OVERWRITE,
    "both": Mode.ACCUMULATE,
    "as-written": Mode.AS_WRITTEN,
}
"""The views that a lesson can open in, each with the mode whose steps it counts."""
ORDERS = tuple(order.value for order in Order if order is not Order.AS_WRITTEN)
KEYS = ("title", "program", "view", "order", "pass", "at", "until", "select", "minutes")
SECTIONS = ("question", "answer", "take-away", "notes", "program")
NEEDED = ("question", "answer", "take-away")
LONGEST_TITLE = 60
MOST_MINUTES = 60
_FENCE = "---"
_FIELD = re.compile(r"([a-z-]+)\s*:\s*(.*)")
_HEADING = re.compile(r"##\s+(.+)")
_CODE = re.compile(r"```(?:python)?\n(.*?)^```\s*", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Lesson:
    """One idea, and where to look at it.

    Attributes:
        name: That of its file without the ending.
        title: A few words.
        program: What it runs.
        idea: What it is about, in Markdown; it gives nothing away.
        question: To be thought about before a step is made.
        answer: The answer, with its reason.
        takeaway: The sentence that should stay.
        view: One of :data:`VIEWS`.
        order: In which order `_backward` runs.
        pass_index: The backward pass that it opens on, from 0.
        at: Where it opens.
        until: Where the answer has been seen on the graph.
        select: Name of the node that is selected; empty for none.
        minutes: How long it takes.
        notes: For the lecturer alone; empty where there are none.
        file: What messages call the file.
        lines: Line of each key and section in the file, from 1.
    """

    name: str
    title: str
    program: Program
    idea: str
    question: str
    answer: str
    takeaway: str
    view: str
    order: Order
    pass_index: int
    at: Spot
    until: Spot
    select: str
    minutes: int
    notes: str
    file: str
    lines: Mapping[str, int] = field(repr=False, compare=False)

    @property
    def mode(self) -> Mode:
        """The mode whose steps its position counts."""
        return VIEWS[self.view]

    def fault(self, key: str, message: str) -> LessonError:
        """An error about one of its keys."""
        return _fault(self.file, self.lines.get(key, 1), message)


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a lesson opens in a recording of its program, and how far it leads.

    Attributes:
        place: Where it opens: the phase, and how many of its moments are over.
        until: The same of where its answer has been seen.
        selected: Id of the node that is selected; None for none.
    """

    place: tuple[Phase, int]
    until: tuple[Phase, int]
    selected: int | None


def opening(lesson: Lesson, recording: Recording) -> Opening:
    """Find in a recording what a lesson speaks of.

    Raises:
        LessonError: The recording has no such pass, view, place or node.
    """
    if not 0 <= lesson.pass_index < recording.passes:
        message = f"there is no pass {lesson.pass_index + 1}: the program made {recording.passes}."
        raise lesson.fault("pass", message)
    trace = recording.trace(lesson.mode, lesson.pass_index)
    if trace is None:
        raise lesson.fault(
            "view",
            f"the view {lesson.view} was not recorded: the program calls no backward() itself.",
        )
    story = Story(recording, trace)
    at, until = (_place(lesson, story, key) for key in ("at", "until"))
    selected = story.find(lesson.select) if lesson.select else None
    if lesson.select and selected is None:
        raise lesson.fault("select", f"there is no node {lesson.select} in this pass.")
    return Opening(at, until, selected)


def _place(lesson: Lesson, story: Story, key: str) -> tuple[Phase, int]:
    """Where a spot of a lesson is in a story."""
    try:
        return find_spot(story, lesson.at if key == "at" else lesson.until)
    except ValueError as error:
        raise lesson.fault(key, str(error)) from None


@cache
def lessons() -> tuple[Lesson, ...]:
    """The bundled lessons, in the order in which they are to be taught."""
    folder = importlib.resources.files("chainstep.resources") / "lessons"
    return tuple(_bundled(folder, name) for name in _order(folder))


def _order(folder: Traversable) -> Sequence[str]:
    return (folder / "order.txt").read_text("utf-8").split()


def _bundled(folder: Traversable, name: str) -> Lesson:
    return parse((folder / f"{name}{LESSON_SUFFIX}").read_text("utf-8"), f"{name}{LESSON_SUFFIX}")


def read_lesson(spec: str) -> Lesson:
    """The lesson in a file.

    Raises:
        ProgramError: The file cannot be read.
        LessonError: Something in it makes no sense.
    """
    program = load(spec)
    return parse(program.text, program.name)


def parse(text: str, file: str) -> Lesson:
    """The lesson that a text describes.

    Args:
        text: The whole file.
        file: What messages call it.

    Raises:
        LessonError: Something is missing or makes no sense; the message names file and line.
    """
    reader = _Reader(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), file)
    reader.read()
    return reader.lesson()


def _fault(file: str, line: int, message: str) -> LessonError:
    return LessonError(f"{file}, line {line}: {message}")


class _Reader:
    """Reads one file from top to bottom."""

    def __init__(self, lines: list[str], file: str) -> None:
        self._lines = lines
        self._file = file
        self._fields: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self._at: dict[str, int] = {}

    def fault(self, line: int, message: str) -> LessonError:
        return _fault(self._file, line, message)

    # -- the parts of the file ----------------------------------------------------------

    def read(self) -> None:
        """Find every key and every section."""
        if self._lines[0].strip() != _FENCE:
            raise self.fault(1, f"the first line has to be {_FENCE}, with the keys below it.")
        end = next((n for n, line in enumerate(self._lines[1:], 1) if line.strip() == _FENCE), None)
        if end is None:
            raise self.fault(1, f"the keys have no end: put a line {_FENCE} below them.")
        for number, line in enumerate(self._lines[1:end], 2):
            if line.strip() and not line.lstrip().startswith("#"):
                self._read_field(number, line)
        self._read_sections(end + 1)

    def _read_field(self, number: int, line: str) -> None:
        found = _FIELD.fullmatch(line.strip())
        if found is None:
            raise self.fault(number, f"expected key: value, and found {line.strip()!r}.")
        key, value = found[1], found[2].strip()
        if key not in KEYS:
            raise self.fault(number, f"there is no key {key!r}; expected {_either(KEYS)}.")
        if key in self._fields:
            raise self.fault(number, f"{key} is there twice; the first is in line {self._at[key]}.")
        if not value:
            raise self.fault(number, f"{key} is empty: give it a value, or leave the line out.")
        self._fields[key], self._at[key] = value, number

    def _read_sections(self, start: int) -> None:
        name, begun, opened = "idea", start, 0
        self._at[name] = start + 1
        for number in range(start, len(self._lines)):
            line = self._lines[number]
            if line.startswith("```"):
                opened = 0 if opened else number + 1
            heading = _HEADING.fullmatch(line.strip())
            if opened or heading is None:
                continue
            self._keep(name, begun, number)
            name, begun = heading[1].strip().lower(), number + 1
            if name not in SECTIONS:
                wanted = _either(SECTIONS)
                raise self.fault(number + 1, f"there is no section {name!r}; expected {wanted}.")
            if name in self._parts:
                raise self.fault(number + 1, f"the section {name} is there twice.")
            self._at.setdefault(name, number + 1)
        if opened:
            raise self.fault(opened, "the code that begins here has no end: put ``` below it.")
        self._keep(name, begun, len(self._lines))

    def _keep(self, name: str, begun: int, end: int) -> None:
        self._parts[name] = "\n".join(self._lines[begun:end]).strip()

    # -- what they mean -----------------------------------------------------------------

    def lesson(self) -> Lesson:
        """The lesson that they make."""
        if not self._parts["idea"]:
            raise self.fault(
                self._at["idea"], "the idea is missing: say below the keys what it is."
            )
        for name in NEEDED:
            if not self._parts.get(name):
                line = self._at.get(name, len(self._lines))
                raise self.fault(line, f"the section ## {name.capitalize()} is missing or empty.")
        title = self._needed("title")
        if len(title) > LONGEST_TITLE:
            raise self.fault(self._at["title"], f"the title is longer than {LONGEST_TITLE} signs.")
        name = self._file.replace("\\", "/").rpartition("/")[2].removesuffix(LESSON_SUFFIX)
        return Lesson(
            name=name,
            title=title,
            program=self._program(name),
            idea=self._parts["idea"],
            question=self._parts["question"],
            answer=self._parts["answer"],
            takeaway=self._parts["take-away"],
            view=self._one_of("view", tuple(VIEWS)),
            order=Order(self._one_of("order", ORDERS)),
            pass_index=self._count("pass", "1", 1000) - 1,
            at=self._spot("at", "start of backward"),
            until=self._spot("until", "end of backward"),
            select=self._fields.get("select", ""),
            minutes=self._count("minutes", "3", MOST_MINUTES),
            notes=self._parts.get("notes", ""),
            file=self._file,
            lines=self._at,
        )

    def _needed(self, key: str) -> str:
        if key not in self._fields:
            raise self.fault(1, f"the key {key} is missing: add a line {key}: ... at the top.")
        return self._fields[key]

    def _one_of(self, key: str, choices: tuple[str, ...]) -> str:
        value = self._fields.get(key, choices[0])
        if value not in choices:
            raise self.fault(self._at[key], f"{key} is {value!r}; expected {_either(choices)}.")
        return value

    def _count(self, key: str, default: str, most: int) -> int:
        value = self._fields.get(key, default)
        if not (value.isascii() and value.isdigit() and 1 <= int(value) <= most):
            message = f"{key} is {value!r}; expected a whole number from 1 to {most}."
            raise self.fault(self._at[key], message)
        return int(value)

    def _spot(self, key: str, default: str) -> Spot:
        try:
            return read_spot(self._fields.get(key, default))
        except ValueError as error:
            raise self.fault(self._at[key], f"{key} is {error}") from None

    def _program(self, name: str) -> Program:
        wanted, written = self._fields.get("program"), self._parts.get("program")
        if written is not None:
            line = self._at["program"]
            if wanted is not None:
                raise self.fault(
                    line, "the program is there twice: keep the key or the section, not both."
                )
            code = _CODE.fullmatch(written + "\n")
            if code is None:
                raise self.fault(
                    line, "expected the program between a line ```python and a line ```."
                )
            return Program(f"{name}.py", code[1])
        if wanted is None:
            raise self.fault(
                1, "the program is missing: add program: example:NAME, or a section ## Program."
            )
        known = {f"{EXAMPLE_PREFIX}{example.name}": example for example in examples()}
        if wanted not in known:
            expected = _either(tuple(known))
            raise self.fault(self._at["program"], f"there is no {wanted}; expected {expected}.")
        return known[wanted].program


def _either(words: Sequence[str]) -> str:
    """`a, b or c`."""
    return f"{', '.join(words[:-1])} or {words[-1]}"
