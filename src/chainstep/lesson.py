"""Lessons: one idea each, as a plain file that a teacher can write.

A lesson is Markdown. Above are lines of `key: value` between two lines of three dashes; below
stand the idea, and under headings the question, its answer, the take-away, notes for the
lecturer, and the program where it is not one of the bundled examples. `WRITING.md` in
`resources/lessons` tells it all to those who write one.
"""

from __future__ import annotations

import difflib
import importlib.resources
import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from chainstep.figures import quoted
from chainstep.markup import unpaired, unset
from chainstep.program import EXAMPLE_PREFIX, LESSON_SUFFIX, Program, examples, load
from chainstep.spot import Spot, find_spot, no_node, read_spot
from chainstep.story import Phase, Story
from chainstep.trace import Mode, Order

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from importlib.abc import Traversable

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
AT = "start of backward"
UNTIL = "end of backward"
"""Where a lesson opens, and has shown its answer, that does not say so."""
EARLIER = "that comes before the place where it opens: expected one that comes after it."
LONGEST_TITLE = 60
MOST_MINUTES = 60
MOST_TOLD = 20
"""Mistakes that are told one by one: of more only how many there are."""
_HEADINGS = tuple(f"## {name.capitalize()}" for name in SECTIONS)
_FENCE = "---"
_FIELD = re.compile(r"([A-Za-z-]+)\s*:\s*(.*)")
_HEADING = re.compile(r"##\s+(.+)")
_ANY_HEADING = re.compile(r"#{1,6}\s*(\S.*)")
_ALONE = re.compile(r"\*\*(.+)\*\*|(.+?):?")
"""A line that may be meant for a heading: bold, underlined, or with a colon behind it."""
_WHOLE = re.compile(r"\d{1,6}", re.ASCII)
_CODE = re.compile(r"```(?:python)?\n(.*?)^```\s*", re.DOTALL | re.MULTILINE)


class Fault(NamedTuple):
    """A mistake in the file of a lesson.

    Attributes:
        line: Where it is, from 1.
        words: What is wrong, and what is expected.
    """

    line: int
    words: str


@dataclass(frozen=True)
class Lesson:
    """One idea, and where to look at it. What is wrong in its file is left out or has its default.

    Attributes:
        name: That of its file without the ending.
        title: A few words.
        program: What it runs; without text where the file names none that there is.
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
        above: How many lines of the file stand above the first of its program; None where that is
            an example.
        faults: What is wrong in its file, from top to bottom.
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
    above: int | None = field(default=None, compare=False)
    faults: tuple[Fault, ...] = ()

    @property
    def mode(self) -> Mode:
        """The mode whose steps its position counts."""
        return VIEWS[self.view]

    def fault(self, key: str, words: str) -> Fault:
        """Something wrong with one of its keys."""
        return Fault(self.lines.get(key, 1), words)

    def told(self, faults: Iterable[Fault]) -> list[str]:
        """What is wrong, in the order of the lines: file, line, and what is expected."""
        every = sorted(set(faults))
        said = [f"{self.file}, line {line}: {words}" for line, words in every[:MOST_TOLD]]
        more = len(every) - MOST_TOLD
        return [*said, f"{self.file}: {more:,} more mistakes."] if more > 0 else said


@dataclass(frozen=True, slots=True)
class Opening:
    """Where a lesson opens in a recording of its program, and how far it leads.

    Attributes:
        pass_index: The backward pass.
        place: Where it opens: the phase, and how many of its moments are over.
        until: The same of where its answer has been seen.
        selected: Id of the node that is selected; None for none.
        faults: What it speaks of and the recording does not hold; the rest is as it says.
    """

    pass_index: int
    place: tuple[Phase, int]
    until: tuple[Phase, int]
    selected: int | None
    faults: tuple[Fault, ...] = ()


def opening(lesson: Lesson, recording: Recording) -> Opening | None:
    """Find in a recording what a lesson speaks of; None where it has no backward pass at all."""
    if not recording.traces:
        return None
    faults: list[Fault] = []
    index = lesson.pass_index
    if index >= recording.passes:
        words = f"there is no pass {index + 1}: the program made {recording.passes}."
        faults.append(lesson.fault("pass", words))
        index = recording.passes - 1
    trace = recording.trace(lesson.mode, index)
    if trace is None:
        words = f"the view {lesson.view} was not recorded: the program calls no backward() itself."
        faults.append(lesson.fault("view", words))
        trace = next(each for each in recording.traces if each.pass_index == index)
    story = Story(recording, trace)
    at = _place(story, lesson.at, AT, lambda words: faults.append(lesson.fault("at", words)))
    is_there = not faults
    until = _place(
        story, lesson.until, UNTIL, lambda words: faults.append(lesson.fault("until", words))
    )
    phases = list(Phase)
    if is_there and (phases.index(until[0]), until[1]) < (phases.index(at[0]), at[1]):
        faults.append(lesson.fault("until", EARLIER))
        until = find_spot(story, read_spot(UNTIL))
    selected = story.find(lesson.select) if lesson.select else None
    if lesson.select and selected is None:
        faults.append(lesson.fault("select", no_node(story, lesson.select)))
    return Opening(index, at, until, selected, tuple(faults))


def _place(
    story: Story, spot: Spot, default: str, tell: Callable[[str], None]
) -> tuple[Phase, int]:
    """Where a spot is in a story; where it has none such, that is told, and the default is."""
    try:
        return find_spot(story, spot)
    except ValueError as error:
        tell(str(error))
        return find_spot(story, read_spot(default))


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
    """
    program = load(spec)
    return parse(program.text, program.name)


def parse(text: str, file: str) -> Lesson:
    """The lesson that a text describes, as far as it does: the rest is among its `faults`.

    Args:
        text: The whole file.
        file: What messages call it.
    """
    reader = _Reader(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), file)
    reader.read()
    return reader.lesson()


class _Reader:
    """Reads one file from top to bottom, and goes on after a mistake."""

    def __init__(self, lines: list[str], file: str) -> None:
        self._lines = lines
        self._file = file
        self._fields: dict[str, str] = {}
        self._parts: dict[str, str] = {}
        self._at: dict[str, int] = {}
        self._above: int | None = None
        self._faults: list[Fault] = []

    def _fault(self, line: int, words: str) -> None:
        self._faults.append(Fault(line, words))

    # -- the parts of the file ----------------------------------------------------------

    def read(self) -> None:
        """Find every key and every section."""
        end = next((n for n, line in enumerate(self._lines[1:], 1) if line.strip() == _FENCE), None)
        if self._lines[0].strip() != _FENCE:
            self._fault(1, f"the first line has to be {_FENCE}, with the keys below it.")
        elif end is None:
            self._fault(1, f"the keys have no end: put a line {_FENCE} below them.")
        else:
            for number, line in enumerate(self._lines[1:end], 2):
                if line.strip() and not line.lstrip().startswith("#"):
                    self._read_field(number, line)
            self._read_sections(end + 1)

    def _read_field(self, number: int, line: str) -> None:
        found = _FIELD.fullmatch(line.strip())
        if found is None:
            self._fault(number, f"expected key: value, and found {quoted(line.strip())}.")
            return
        key, value = found[1], _without_quotes(found[2].strip())
        if key not in KEYS:
            self._fault(number, f"there is no key {quoted(key)}; {_expected(key.lower(), KEYS)}")
            close = _close(key.lower(), KEYS)
            if close and value and close not in self._fields:  # else it would be missed as well
                self._fields[close], self._at[close] = value, number
        elif key in self._fields:
            self._fault(number, f"{key} is there twice; the first is in line {self._at[key]}.")
        elif not value:
            self._fault(number, f"{key} is empty: give it a value, or leave the line out.")
        else:
            self._fields[key], self._at[key] = value, number

    def _read_sections(self, start: int) -> None:
        name, begun, opened = "idea", start, 0
        self._at[name] = start + 1
        for number in range(start, len(self._lines)):
            line = self._lines[number]
            if line.lstrip().startswith("```"):
                opened = 0 if opened else number + 1
            heading = _HEADING.fullmatch(line.strip())
            meant = "" if opened or heading or name == "program" else _meant(line)
            if opened or not (heading or meant):
                if not opened and name != "program":
                    self._look_at(number)
                continue
            if meant:
                words = f"{line.strip()} begins no section: write ## {meant.capitalize()}."
                self._fault(number + 1, words)
            self._keep(name, begun, number)
            title = heading[1].strip() if heading is not None else meant
            name, begun = title.lower(), number + 1
            if name not in SECTIONS:
                wanted = _expected(f"## {title}", _HEADINGS)
                self._fault(number + 1, f"there is no section {line.strip()}; {wanted}")
                name = _close(name, SECTIONS) or name  # else it would be missed as well
            elif name in self._parts:
                first = self._at[name]
                words = f"the section {line.strip()} is there twice; the first is in line {first}."
                self._fault(number + 1, words)
            self._at.setdefault(name, number + 1)
        if opened:
            self._fault(opened, "the code that begins here has no end: put ``` below it.")
        self._keep(name, begun, len(self._lines))

    def _look_at(self, number: int) -> None:
        """Tell what of a line of a text cannot be set."""
        words = unset(self._lines[number], self._lines[number - 1])
        if words:
            self._fault(number + 1, words)

    def _keep(self, name: str, begun: int, end: int) -> None:
        if name != "program":
            for line, words in unpaired(self._lines[begun:end]):
                self._fault(begun + 1 + line, words)
        self._parts.setdefault(name, "\n".join(self._lines[begun:end]).strip())

    # -- what they mean -----------------------------------------------------------------

    def lesson(self) -> Lesson:
        """The lesson that they make."""
        name = self._file.replace("\\", "/").rpartition("/")[2].removesuffix(LESSON_SUFFIX)
        if not self._at:  # without keys the rest cannot be told apart
            self._parts, title, program = {}, name, Program(f"{name}.py", "")
        else:
            self._look_for_sections()
            title, program = self._title(name), self._program(name)
        return Lesson(
            name=name,
            title=title,
            program=program,
            idea=self._parts.get("idea", ""),
            question=self._parts.get("question", ""),
            answer=self._parts.get("answer", ""),
            takeaway=self._parts.get("take-away", ""),
            view=self._one_of("view", tuple(VIEWS)),
            order=Order(self._one_of("order", ORDERS)),
            pass_index=self._count("pass", 1, 1000) - 1,
            at=self._spot("at", AT),
            until=self._spot("until", UNTIL),
            select=self._fields.get("select", ""),
            minutes=self._count("minutes", 3, MOST_MINUTES),
            notes=self._parts.get("notes", ""),
            file=self._file,
            lines=self._at,
            above=self._above,
            faults=tuple(sorted(self._faults)),
        )

    def _look_for_sections(self) -> None:
        if not self._parts.get("idea"):
            self._fault(self._at["idea"], "the idea is missing: say below the keys what it is.")
        for name in NEEDED:
            if not self._parts.get(name):
                line = self._at.get(name, len(self._lines))
                self._fault(line, f"the section ## {name.capitalize()} is missing or empty.")

    def _title(self, name: str) -> str:
        title = self._fields.get("title")
        if title is None:
            self._fault(1, "the key title is missing: add a line title: ... at the top.")
            return name
        if len(title) > LONGEST_TITLE:
            words = f"the title has {len(title)} signs; expected at most {LONGEST_TITLE}."
            self._fault(self._at["title"], words)
        if "title" in self._at:
            words = unset(title, "title")
            if words:
                self._fault(self._at["title"], words)
        return title

    def _one_of(self, key: str, choices: tuple[str, ...]) -> str:
        value = self._fields.get(key, choices[0])
        if value in choices:
            return value
        self._fault(self._at[key], f"{key} is {quoted(value)}; {_expected(value, choices)}")
        return choices[0]

    def _count(self, key: str, default: int, most: int) -> int:
        value = self._fields.get(key, str(default))
        if _WHOLE.fullmatch(value) and 1 <= int(value) <= most:
            return int(value)
        words = f"{key} is {quoted(value)}; expected a whole number from 1 to {most}."
        self._fault(self._at[key], words)
        return default

    def _spot(self, key: str, default: str) -> Spot:
        try:
            return read_spot(self._fields.get(key, default))
        except ValueError as error:
            self._fault(self._at[key], f"{key} is {error}")
            return read_spot(default)

    def _program(self, name: str) -> Program:
        wanted, written = self._fields.get("program"), self._parts.get("program")
        if written is None:
            return self._example(wanted, name)
        line = self._at["program"]
        if wanted is not None:
            words = "the program is there twice: keep the key or the section, not both."
            self._fault(line, words)
        section = next(n for n, each in enumerate(self._lines) if _is_program(each))
        code = _CODE.fullmatch(written + "\n")
        if code is None:
            words = "expected the program between a line ```python and a line ```, nothing else."
            self._fault(section + 1, words)
            return Program(f"{name}.py", "")
        if not code[1].strip():
            self._fault(section + 1, "the program is empty: it needs a Value, and a root.")
        fence = next(n for n in range(section, len(self._lines)) if "```" in self._lines[n])
        self._above = fence + 1
        return Program(f"{name}.py", code[1])

    def _example(self, wanted: str | None, name: str) -> Program:
        known = {example.name: example.program for example in examples()}
        if wanted is None:
            words = "the program is missing: add program: example:NAME, or a section ## Program."
            self._fault(1, words)
            return Program(f"{name}.py", "")
        chosen = wanted.removeprefix(EXAMPLE_PREFIX)
        if chosen != wanted and chosen in known:
            return known[chosen]
        close = _close(chosen, known)
        rest = " The rest is read as if that stood there." if close else ""
        expected = _expected(chosen, tuple(known), EXAMPLE_PREFIX)
        words = f"there is no {wanted}; {expected}{rest}"
        self._fault(self._at["program"], words)
        return known[close] if close else Program(f"{name}.py", "")


def _without_quotes(value: str) -> str:
    """A value as it is meant by who writes YAML elsewhere."""
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1].strip() if is_quoted else value


def _meant(line: str) -> str:
    """The section that a line is meant to begin which is no such heading; empty for none."""
    heading = _ANY_HEADING.fullmatch(line.strip())
    if heading is not None:
        return _close(heading[1].strip().lower(), SECTIONS)
    alone = _ALONE.fullmatch(line.strip())
    word = (alone[1] or alone[2]).strip(": ").lower() if alone is not None else ""
    return word if word in SECTIONS else ""


def _is_program(line: str) -> bool:
    heading = _HEADING.fullmatch(line.strip())
    return heading is not None and heading[1].strip().lower() == "program"


def _close(word: str, known: Iterable[str]) -> str:
    """What somebody may have meant; empty where nothing is near."""
    return next(iter(difflib.get_close_matches(word, list(known), 1)), "")


def _expected(word: str, choices: tuple[str, ...], prefix: str = "") -> str:
    """What is expected in the place of a word, and what somebody may have meant by it."""
    close = _close(word, choices)
    meant = f" Did you mean {prefix}{close}?" if close else ""
    *most, last = (f"{prefix}{choice}" for choice in choices)
    return f"expected {', '.join(most)} or {last}.{meant}"
