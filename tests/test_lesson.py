"""Lessons: what a file may say, and that the bundled ones are true."""

from __future__ import annotations

import importlib.resources
import math

import pytest

from chainstep.errors import ProgramError
from chainstep.lesson import KEYS, ORDERS, SECTIONS, VIEWS, lessons, opening, parse, read_lesson
from chainstep.options import Options
from chainstep.runner import run
from chainstep.spot import read_spot
from chainstep.story import Phase, Story
from chainstep.trace import Mode, Order, Status
from chainstep.vetting import faults_of

FOLDER = importlib.resources.files("chainstep.resources") / "lessons"
LESSONS = {lesson.name: lesson for lesson in lessons()}

GOOD = """\
---
title: Two uses
view: both
at: before write to a #2
select: a
minutes: 4
---

`a` is used twice.

## Question

What will it be?

## Answer

2.0, and with = 1.0.

## Take-away

Both count.

## Program

```python
from chainstep import Value

a = Value(2.0)
b = a + a
```
"""


# -- the file -------------------------------------------------------------------------------


def test_a_lesson_says_what_its_file_says():
    lesson = parse(GOOD, "mine/two.md")
    assert (lesson.name, lesson.title, lesson.minutes) == ("two", "Two uses", 4)
    assert (lesson.view, lesson.order, lesson.pass_index) == ("both", Order.DEPTH_FIRST, 0)
    assert lesson.idea == "`a` is used twice."
    assert lesson.question == "What will it be?"
    assert lesson.answer == "2.0, and with = 1.0."
    assert lesson.takeaway == "Both count."
    assert lesson.notes == ""
    assert lesson.program.name == "two.py"
    assert lesson.program.text.endswith("b = a + a\n")
    assert (lesson.at.what, lesson.at.name, lesson.at.number) == ("write to", "a", 2)
    assert lesson.at.before


def test_lines_may_end_as_on_any_system():
    assert parse(GOOD.replace("\n", "\r\n"), "two.md") == parse(GOOD, "two.md")


def test_a_heading_in_the_program_is_a_comment_and_no_section():
    lesson = parse(GOOD.replace("a = Value", "## Answer\na = Value"), "two.md")
    assert "## Answer" in lesson.program.text
    assert lesson.answer == "2.0, and with = 1.0."


@pytest.mark.parametrize(
    ("old", "new", "line", "expected"),
    [
        ("---\ntitle", "title", 1, "the first line has to be ---"),
        ("minutes: 4\n---", "minutes: 4", 1, "the keys have no end"),
        ("view: both", "view: all", 3, "accumulate, overwrite, both or as-written"),
        ("view: both", "veiw: both", 3, "there is no key 'veiw'; expected title, program"),
        ("view: both", "both", 3, "expected key: value"),
        ("view: both", "view:", 3, "view is empty"),
        ("view: both", "order: random", 3, "depth-first, breadth-first or recursive"),
        ("view: both", "title: Again", 3, "title is there twice; the first is in line 2"),
        ("title: Two uses\n", "", 1, "the key title is missing"),
        ("Two uses", "x" * 61, 2, "has 61 signs; expected at most 60"),
        ("#2", "#two", 4, None),
        ("before write to a #2", "the middle", 4, "expected start of PHASE"),
        ("minutes: 4", "minutes: many", 6, "a whole number from 1 to 60"),
        ("minutes: 4", "pass: 0", 6, "a whole number from 1 to 1000"),
        ("minutes: 4", f"pass: {'9' * 5000}", 6, "a whole number from 1 to 1000"),
        ("minutes: 4", f"minutes: {'9' * 5000}", 6, "999…'; expected a whole number"),
        ("`a` is used twice.", "", 8, "the idea is missing"),
        ("## Answer", "## Anwser", 15, "expected ## Question, ## Answer, ## Take-away"),
        ("## Answer", "## Question", 15, "## Question is there twice; the first is in line 11"),
        ("## Answer", "### Answer", 15, "### Answer begins no section: write ## Answer"),
        ("## Answer", "**Answer**", 15, "**Answer** begins no section: write ## Answer"),
        ("## Answer", "Answer:", 15, "Answer: begins no section: write ## Answer"),
        ("## Answer", "Answer\n------", 15, "Answer begins no section: write ## Answer"),
        ("title: Two", "Title: Two", 2, "there is no key 'Title'; expected title, program"),
        ("Both count.", "Both *count*.", 21, "*count* stays as it is: write **bold**"),
        ("Both count.", "Both **count.", 21, "** has no partner in its paragraph"),
        ("Both count.", "Both\n`count.", 22, "` has no partner in its paragraph"),
        ("b = a + a\n```", "b = a + a\n  ```", 23, "expected the program between"),
        ("## Answer", "# Anwser", 15, "# Anwser begins no section: write ## Answer"),
        ("Both count.", "# Both count", 21, "a text has no headings"),
        ("Both count.", "- both count", 21, "- both count: a list is not set"),
        ("Both count.", "1. both count", 21, "1. both count: a list is not set"),
        ("Both count.", "| both | count |", 21, "a table is not set"),
        ("Both count.", "> Both count.", 21, "a quotation is not set"),
        ("Both count.", "![Both](both.png)", 21, "a picture is not shown"),
        ("Both count.", "[Both](http://b.org) count.", 21, "a link leads nowhere here"),
        ("Both count.", "<i>Both</i> count.", 21, "<i>: HTML is not read"),
        ("Both count.", "If a<b and c>d.", 21, "<b and c>: HTML is not read"),
        ("2.0, and with = 1.0.", "", 15, "## Answer is missing or empty"),
        ("## Take-away\n\nBoth count.\n", "", 28, "## Take-away is missing or empty"),
        ("```python\n", "", 29, "the code that begins here has no end"),
        ("```python", "Here it is:\n```python", 23, "expected the program between"),
        ("b = a + a\n```", "b = a + a", 25, "the code that begins here has no end"),
        (GOOD[GOOD.index("from") : GOOD.rindex("```")], " \n", 23, "the program is empty"),
        ("view: both", "program: example:diamond", 3, "keep the key or the section"),
        (GOOD[GOOD.index("## Program") :], "", 1, "the program is missing"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_what_is_expected(old, new, line, expected):
    assert old in GOOD
    text = GOOD.replace(old, new, 1)
    if expected is None:  # a name may hold any sign: it is the recording that knows it is wrong
        assert parse(text, "two.md").at.name == "a #two"
        return
    lesson = parse(text, "two.md")
    found = [said for said in lesson.told(lesson.faults) if expected in said]
    assert [said.startswith(f"two.md, line {line}: ") for said in found] == [True]


def test_all_mistakes_are_told_at_once_in_the_order_of_their_lines():
    text = (
        GOOD.replace("view: both", "veiw: both\norder: deep-first")
        .replace("before write to a #2", "write to a #3")
        .replace("minutes: 4", "minutes: 400")
        .replace("select: a", "select: q")
        .replace("## Take-away", "## Takeaway")
        .replace("2.0, and with = 1.0.", "$2^1$, and with = 1.0.")
    )
    assert faults_of(parse(text, "two.md")) == [
        (
            f"two.md, line 3: there is no key 'veiw'; expected {', '.join(KEYS[:-1])} or minutes."
            " Did you mean view?"
        ),
        (
            "two.md, line 4: order is 'deep-first'; expected depth-first, breadth-first or "
            "recursive. Did you mean depth-first?"
        ),
        "two.md, line 5: there is no #3: write to a happens 2 times: the last is #2.",
        "two.md, line 6: there is no node q in this pass; it has a, b.",
        "two.md, line 7: minutes is '400'; expected a whole number from 1 to 60.",
        "two.md, line 18: $2^1$ stays as it is: formulas are not set, write x², ∂y/∂x or `x**2`.",
        (
            "two.md, line 20: there is no section ## Takeaway; expected ## Question, ## Answer, "
            "## Take-away, ## Notes or ## Program. Did you mean ## Take-away?"
        ),
    ]


def test_of_very_many_mistakes_the_first_are_told_and_how_many_there_are():
    lesson = parse(GOOD.replace("view: both", "view: both\n" * 90), "two.md")
    said = lesson.told(lesson.faults)
    assert said[0] == "two.md, line 4: view is there twice; the first is in line 3."
    assert said[20:] == ["two.md: 69 more mistakes."]


def test_of_a_long_text_and_of_many_names_only_the_first_are_said_again():
    many = "n = [a + a for _ in range(30)]\nb = sum(n, a)"
    text = GOOD.replace("b = a + a", many).replace("to a #2", f"to {'z' * 900}")
    (fault,) = faults_of(parse(text, "two.md"))
    assert len(fault) < 400
    assert "there is no node zzz" in fault
    assert "n[3], n[4]" in fault
    assert fault.endswith(" more.")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("## Answer", "### Answer"),
        ("## Answer", "**Answer:**"),
        ("title: Two", "Title: Two"),
        ("view: both", "veiw: both"),
    ],
)
def test_what_is_nearly_right_is_one_mistake_and_read_as_it_is_meant(old, new):
    lesson = parse(GOOD.replace(old, new), "two.md")
    assert len(lesson.faults) == 1
    meant = parse(GOOD, "two.md")
    for name in ("title", "view", "question", "answer", "takeaway", "program"):
        assert getattr(lesson, name) == getattr(meant, name)


def test_quotes_around_a_value_are_not_part_of_it():
    text = GOOD.replace("title: Two uses", 'title: "Two uses"').replace("select: a", "select: 'a'")
    assert parse(text, "two.md") == parse(GOOD, "two.md")


def test_the_lines_between_which_the_program_stands_may_be_indented():
    lesson = parse(GOOD.replace("```python", "  ```python"), "two.md")
    assert (lesson.faults, lesson.program) == ((), parse(GOOD, "two.md").program)


def test_the_rest_of_a_lesson_with_mistakes_is_as_it_says():
    text = GOOD.replace("view: both", "view: bth").replace("minutes: 4", "minutes: x")
    lesson = parse(text, "two.md")
    assert (lesson.view, lesson.minutes) == ("accumulate", 3)
    assert (lesson.at.name, lesson.question, lesson.select) == ("a", "What will it be?", "a")
    assert lesson.program == parse(GOOD, "two.md").program


PLAIN = (
    *("It costs $5 and $6.", "`$x$` is code.", "a $ b $ c", "It is\n3. Then comes b."),
    *("−3 is left.", "-3 is left.", "3 < 4 and 5 > 4", "`a<b and c>d`", "`- a`", "#2"),
    *("2 * 3 * 4", "a*b*c", "`*a*`", "The `a +\nb` is **one\nsum**.", "The notes: none."),
)


@pytest.mark.parametrize("text", PLAIN)
def test_what_can_be_set_is_not_told(text):
    assert not parse(GOOD.replace("`a` is used twice.", text), "two.md").faults


def test_a_program_that_is_no_example_is_told_with_those_there_are():
    text = GOOD[: GOOD.index("## Program")].replace("view: both", "program: example:daimond")
    lesson = parse(text, "two.md")
    (fault,) = lesson.told(lesson.faults)
    assert fault.startswith("two.md, line 3: there is no example:daimond; expected example:neuron")
    assert "Did you mean example:diamond?" in fault
    assert lesson.program == LESSONS["diamond"].program
    lesson = parse(text.replace("daimond", "xyzzy"), "two.md")
    assert "Did you mean" not in lesson.faults[0].words
    assert lesson.program.text == ""


@pytest.mark.parametrize("text", ["", "start", "write a", "step x", "before end of sort", "end of"])
def test_what_names_no_place_is_refused_with_what_would(text):
    with pytest.raises(ValueError, match="write to NAME"):
        read_spot(text)


# -- the place ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def two_uses():
    return run(parse(GOOD, "two.md").program, Options())


@pytest.mark.parametrize(
    ("at", "phase", "number"),
    [
        # a, b made; visit b, visit a, append a, a again, append b; seed, call b, two writes, call a
        ("start of forward", Phase.FORWARD, 0),
        ("making b", Phase.FORWARD, 2),
        ("before making b", Phase.FORWARD, 1),
        ("appending b", Phase.SORT, 5),
        ("start of backward", Phase.BACKWARD, 0),
        ("call of b", Phase.BACKWARD, 2),
        ("write to a", Phase.BACKWARD, 3),
        ("before write to a #2", Phase.BACKWARD, 3),
        ("write to a #2", Phase.BACKWARD, 4),
        ("before step 1", Phase.BACKWARD, 0),
        ("step 5", Phase.BACKWARD, 5),
        ("end of backward", Phase.BACKWARD, 5),
    ],
)
def test_a_place_is_found_in_the_recording(two_uses, at, phase, number):
    lesson = parse(GOOD.replace("before write to a #2", at), "two.md")
    found = opening(lesson, two_uses)
    assert (found.place, found.selected) == ((phase, number), 0)
    assert found.until == (Phase.BACKWARD, 5)


def test_where_the_answer_has_been_seen_is_found_too(two_uses):
    text = GOOD.replace("select:", "until: write to a #2\nselect:")
    assert opening(parse(text, "two.md"), two_uses).until == (Phase.BACKWARD, 4)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "write to a #2",
            "write to a #3",
            "line 4: there is no #3: write to a happens 2 times: the last is #2",
        ),
        ("write to a #2", "write to z", "line 4: there is no node z in this pass; it has a, b"),
        ("select: a", "until: step 9", "line 5: there is no step 9: the pass has 5"),
        ("select: a", "until: write to a", None),  # just where it opens
        ("select: a", "until: step 2", "line 5: that comes before the place where it opens"),
        ("select: a", "until: end of sort", "line 5: that comes before the place where it opens"),
        ("before write to a #2", "step 6", "line 4: there is no step 6: the pass has 5"),
        ("select: a", "select: z", "line 5: there is no node z"),
        ("view: both", "pass: 2", "line 3: there is no pass 2: the program made 1"),
        ("view: both", "view: as-written", "line 3: the view as-written was not recorded"),
    ],
)
def test_what_the_recording_does_not_hold_is_told_with_its_line(two_uses, old, new, expected):
    lesson = parse(GOOD.replace(old, new), "two.md")
    found = opening(lesson, two_uses)
    told = [said.startswith(f"two.md, {expected}") for said in lesson.told(found.faults)]
    assert told == ([] if expected is None else [True])


@pytest.mark.parametrize(
    ("old", "new", "place", "selected"),
    [
        ("select: a", "select: z", (Phase.BACKWARD, 3), None),
        ("write to a #2", "write to z", (Phase.BACKWARD, 0), 0),
        ("view: both", "pass: 2", (Phase.BACKWARD, 3), 0),
        ("view: both", "view: as-written", (Phase.BACKWARD, 3), 0),
    ],
)
def test_what_of_a_lesson_is_good_opens(two_uses, old, new, place, selected):
    found = opening(parse(GOOD.replace(old, new), "two.md"), two_uses)
    assert (found.pass_index, found.place, found.selected) == (0, place, selected)


def test_a_lesson_is_read_from_a_file_and_a_missing_one_is_told(tmp_path):
    path = tmp_path / "two.md"
    path.write_text(GOOD, "utf-8")
    assert read_lesson(str(path)) == parse(GOOD, "two.md")
    with pytest.raises(ProgramError, match=r"There is no file .*none.md"):
        read_lesson(str(tmp_path / "none.md"))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (GOOD.replace("Both", "Für").encode("latin-1"), "line 21 has a byte that cannot be read"),
        (b"\xe4" + GOOD.encode(), "line 1 has a byte that cannot be read"),
        (GOOD.encode("utf-16"), "is in UTF-16"),
        (b"\0" + GOOD.encode(), "it holds null bytes"),
        (None, "is a folder. Name the file in it"),
    ],
)
def test_a_file_that_is_no_text_is_told_in_words_for_lessons(tmp_path, data, words):
    path = tmp_path / "two.md"
    path.mkdir() if data is None else path.write_bytes(data)
    with pytest.raises(ProgramError) as refused:
        read_lesson(str(path))
    assert words in str(refused.value)
    assert "coding" not in str(refused.value)
    assert ".py" not in str(refused.value)


def test_where_a_program_fails_is_told_in_the_lines_of_the_file():
    text = GOOD.replace("b = a + a", "b = a + c")
    line = text.split("\n").index("b = a + c") + 1
    (fault,) = faults_of(parse(text, "two.md"))
    start = f"two.md, line {line}: the program ends with exception: NameError: name 'c'"
    assert fault.startswith(start)
    assert f"stopped in line {line} (`b = a + c`)" in fault


def test_a_lesson_that_opens_has_no_fault():
    assert faults_of(parse(GOOD, "two.md")) == []


# -- the bundled ones -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def recorded():
    recordings = {}

    def record(name):
        if name not in recordings:
            lesson = LESSONS[name]
            recordings[name] = run(lesson.program, Options(order=lesson.order))
        return recordings[name]

    return record


def test_every_file_of_a_lesson_is_in_the_order_once():
    files = {file.name for file in FOLDER.iterdir() if file.name.endswith(".md")}
    assert files == {f"{name}.md" for name in LESSONS} | {"WRITING.md"}
    assert len(LESSONS) == len(lessons()) == 17


def test_the_page_on_writing_names_every_key_section_and_place():
    page = (FOLDER / "WRITING.md").read_text("utf-8")
    for word in (*KEYS, *VIEWS, *ORDERS):
        assert f"`{word}`" in page
    for section in SECTIONS:
        assert f"## {section.capitalize()}" in page
    shown = page[page.index("```\n") + 4 :]
    assert parse(shown[: shown.index("\n```")], "diamond.md").at == LESSONS["diamond"].at


# By hand. The view that a lesson opens in -> gradients at the end of its pass, by name.
GRADIENTS = {
    # L = tanh(4): its slope 1 - tanh² is 4 / (e⁴ + e⁻⁴)²
    "forward_pass": {"e": (s := 4 / (math.exp(4) + math.exp(-4)) ** 2), "a": -3 * s, "b": 2 * s},
    "one_edge": {"u": 12.0, "x": 24.0},
    "copies_and_swaps": {"d": -2.0, "e": -2.0, "c": -2.0, "a": 6.0, "b": -4.0},
    "plus_equals": {"a": 2.0},
    "diamond": {"a": 21.0, "b": 16.0, "c": 6.0, "d": 5.0},
    "leaves": {"a": 1.0, "b": 1.0, "c": 1.0},
    "why_sort": {"a": 29.0, "b": 22.0, "c": 7.0},
    "order_decides": {"a": 5.25, "b": -3.0},
    "twice": {"a": 3.0, "b": 3.0, "c": 2.0, "d": 12.0},
    "zero_grad": {"w": 4.0},
    "neuron": {"n": 0.5, "w1": 1.0, "w2": 0.0, "x1": -1.5, "x2": 0.5, "b": 0.5},
    "tanh_apart": {"w1": 1.0, "w2": 0.0, "x1": -1.5, "x2": 0.5, "b": 0.5},
    # README of micrograd
    "pytorch": {"a": 138.8338, "b": 645.5773},
    "let_through": {
        "w": 0.0,
        "r": 1.0,
        "t": 1.0,
        "v": 2 * 4 / (math.exp(10) + math.exp(-10)) ** 2,
    },
    "square": {"x": 6.0},
    "hidden_nodes": {"a": 2.0, "b": -2.0, "-1": 6.0, "k": 2.0},
    "changed_data": {"x": 300.0, "w": 15.0, "y": 3.0},
}


def gradient(recording, trace, name):
    found = [node for node in recording.nodes if name in {node.name, *node.aliases}]
    return next(trace.final[node.id] for node in reversed(found) if node.id in trace.final)


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_runs_opens_where_it_says_and_ends_at_its_numbers(recorded, name):
    lesson, recording = LESSONS[name], recorded(name)
    assert recording.outcome.status is Status.OK
    assert all(trace.error is None for trace in recording.traces)
    found = opening(lesson, recording)
    phases = list(Phase)
    order = [(phases.index(phase), number) for phase, number in (found.place, found.until)]
    assert order == sorted(order)
    trace = recording.trace(lesson.mode, lesson.pass_index)
    for variable, right in GRADIENTS[name].items():
        found = gradient(recording, trace, variable)
        assert math.isclose(found, right, rel_tol=1e-6, abs_tol=1e-15), (variable, found)


@pytest.mark.parametrize("name", LESSONS)
def test_a_clicker_comes_from_the_question_to_the_answer_in_few_steps(recorded, name):
    lesson, recording = LESSONS[name], recorded(name)
    found = opening(lesson, recording)
    story = Story(recording, recording.trace(lesson.mode, found.pass_index))
    start, end = (story.bounds(phase)[0] + number for phase, number in (found.place, found.until))
    assert 0 <= end - start <= 34


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_short_and_asks_before_it_tells(name):
    lesson = LESSONS[name]
    assert 2 <= lesson.minutes <= 5
    assert "?" in lesson.question
    assert lesson.notes
    for text, most in ((lesson.idea, 300), (lesson.question, 300), (lesson.answer, 400)):
        assert len(text) <= most
    assert len(lesson.takeaway) <= 100


# What else the lessons say, worked out by hand: (lesson, mode, pass, name, number).
@pytest.mark.parametrize(
    ("name", "mode", "index", "variable", "number"),
    [
        ("plus_equals", Mode.OVERWRITE, 0, "a", 1.0),
        ("diamond", Mode.OVERWRITE, 0, "a", 6.0),
        ("diamond", Mode.OVERWRITE, 0, "b", 6.0),
        ("order_decides", Mode.ACCUMULATE, 0, "a", -1.75),
        ("twice", Mode.AS_WRITTEN, 0, "d", 6.0),
        ("twice", Mode.AS_WRITTEN, 0, "a", 1.0),
        ("zero_grad", Mode.AS_WRITTEN, 0, "w", 2.0),
        ("zero_grad", Mode.AS_WRITTEN, 2, "w", 6.0),
        ("tanh_apart", Mode.OVERWRITE, 0, "x1", -5.121320),
        ("square", Mode.OVERWRITE, 0, "x", 3.0),
        ("changed_data", Mode.ACCUMULATE, 0, "x", 300.0),
    ],
)
def test_a_number_beside_the_lesson_is_true(recorded, name, mode, index, variable, number):
    recording = recorded(name)
    found = gradient(recording, recording.trace(mode, index), variable)
    assert math.isclose(found, number, rel_tol=1e-6)


@pytest.mark.parametrize(
    ("name", "order", "a", "b"),
    [
        ("why_sort", Order.DEPTH_FIRST, 25.0, 19.0),
        ("order_decides", Order.BREADTH_FIRST, -7.0, -7.0),
    ],
)
def test_another_order_ends_where_the_lesson_says(name, order, a, b):
    lesson = LESSONS[name]
    recording = run(lesson.program, Options(order=order))
    trace = recording.trace(lesson.mode)
    assert (gradient(recording, trace, "a"), gradient(recording, trace, "b")) == (a, b)


def test_taking_tanh_apart_makes_ten_more_nodes_and_a_difference_makes_three(recorded):
    assert len(recorded("tanh_apart").nodes) - len(recorded("neuron").nodes) == 10
    assert len(recorded("hidden_nodes").nodes) == 3 + 3 + 1  # leaves, the minus, the product


def test_the_reused_exponential_gets_the_two_numbers_that_the_lesson_names(recorded):
    recording = recorded("tanh_apart")
    e = next(node.id for node in recording.nodes if node.name == "e")
    steps = recording.trace(Mode.ACCUMULATE).steps
    brought = sorted(step.contribution for step in steps if step.target == e)
    # o = (e - 1)/(e + 1) with e = exp(2n) = 3 + 2√2: 1/(e + 1), and -o/(e + 1)
    above = 1 / (4 + 2 * math.sqrt(2))
    assert brought == pytest.approx([-above * math.sqrt(0.5), above])
    assert [f"{number:.4f}" for number in brought] == ["-0.1036", "0.1464"]
