"""Where a lesson opens, nothing in the window answers its question: at the desk, in a lecture."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget
from test_recorder import record
from visible import NUMBER, seen

from chainstep.lesson import lessons
from chainstep.ui.canvas import Canvas
from chainstep.ui.debugging import PAGES
from chainstep.ui.terms import TermRow

LESSONS = {lesson.name: lesson for lesson in lessons()}

# By hand, from the answers: numbers that are none of what the program or the question gives, and
# words.
FACTS: dict[str, tuple[float | str, ...]] = {
    "forward_pass": ("stored", "has not run"),
    "one_edge": (24.0,),
    "copies_and_swaps": (6.0, -4.0),
    "plus_equals": (2.0, "≠"),
    "diamond": (21.0, "≠"),
    "leaves": ("does nothing", "do nothing"),
    "why_sort": (29.0, 22.0, 7.0, "early", "too soon"),
    "order_decides": (5.25, -1.75, "≠", "lost"),
    "twice": (3.0, 12.0),
    "zero_grad": (4.0, 6.0),
    "neuron": (0.5, -1.5),
    "tanh_apart": (-1.5, -0.1036),
    "pytorch": (138.8338, 645.5773, "they are the same"),
    "let_through": (1.649e-8, 8.2446e-9, "dead", "flat", "saturated"),
    "square": (6.0, "≠"),
    "hidden_nodes": (6.0, -2.0),
    "changed_data": (300.0, 6.0),
}

GIVEN = {"tanh_apart": (-1.5,), "pytorch": (138.8338, 645.5773)}
"""What the question itself gives, because it asks whether it comes again."""


def is_told(fact: float | str, text: str) -> bool:
    """Whether a text says it: a word, or a number as far as its digits go."""
    if isinstance(fact, str):
        return fact in text.lower()
    for found in NUMBER.finditer(text):
        digits, _, power = found[0].replace("−", "-").partition("e")
        half = 0.5001 * 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
        if "." in digits and float(digits) and abs(float(f"{digits}e{power or 0}") - fact) <= half:
            return True
    return False


@pytest.mark.parametrize(
    ("fact", "text", "told"),
    [
        (0.5, "n = 0.5000", True),
        (0.5, "half", False),
        (1.649e-8, "1.649e-08", True),
        (-4.0, "b gets −4.0", True),
        (6.0, "-6.0", False),
        (6.0, "call 6 of 9", False),
        ("early", "c Early", True),
    ],
)
def test_a_fact_is_found_in_a_text(fact, text, told):
    assert is_told(fact, text) is told


@cache
def recorded(text, order):
    return record(text, order=order)


@pytest.fixture
def opened(window, runner, qtbot):
    """Opens lessons, without their own texts; their programs run in this process."""

    def open_lesson(name):
        lesson = replace(LESSONS[name], title="Title", idea="Idea.", question="Question?")
        teaching = window.parts.teaching
        runner.at_once = recorded(lesson.program.text, lesson.order)
        if teaching.answered:
            teaching.toggle_answer()
        teaching.open(lesson)
        qtbot.waitUntil(lambda: teaching.opens is not None)
        return teaching

    return open_lesson


def told(window, name, widget=None):
    """The facts that the window tells, or a part of it, each with where."""
    # What other commands than the lesson's are for is said in their words, whatever is open.
    others = [
        each for each in window.findChildren(QAction) if each.objectName() != f"lesson_{name}"
    ]
    # What nobody sees keeps what it last held, until it is shown and has caught up.
    top = widget or window
    unseen = [part for kind in (TermRow, Canvas) for part in top.findChildren(kind)]
    unseen = [part for part in unseen if not part.isVisible()]
    unseen += [inside for part in unseen for inside in part.findChildren(QWidget)]
    texts = set(seen(top, (window.parts.editor, *others, *unseen)))
    return {(fact, *each) for fact in FACTS[name] for each in texts if is_told(fact, each.text)}


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_does_not_answer_its_own_question(name):
    lesson = LESSONS[name]
    texts = (lesson.title, lesson.idea, lesson.question, lesson.program.text)
    facts = {fact for fact in FACTS[name] if fact not in GIVEN.get(name, ())}
    assert facts
    assert not {fact for fact in facts for text in texts if is_told(fact, text)}


def test_every_lesson_has_facts():
    assert set(FACTS) == set(LESSONS)


def test_no_lesson_opens_beside_its_answer(window, opened):
    for page in PAGES:
        window.parts.side.page(page)
    found = {}
    for name in LESSONS:
        opened(name)
        if facts := told(window, name):
            found[name] = facts
    assert not found, "\n".join(f"{n}: {f}" for n, fs in found.items() for f in fs)


def test_what_a_lesson_asks_is_told_once_its_answer_is_shown(window, opened):
    teaching = opened("zero_grad")
    window.parts.actions["show_answer"].trigger()
    assert {fact for fact, *_ in told(window, "zero_grad")} == {4.0, 6.0}
    assert not window.session.hides
    window.parts.actions["show_answer"].trigger()
    assert window.session.hides
    teaching.leave()
    assert not window.session.hides


def test_no_lecture_begins_with_its_answer(window, opened):
    found = {}
    window.parts.actions["lecture"].trigger()
    script = window.parts.lecturing._script
    for name in LESSONS:
        opened(name)
        script.forward()
        if facts := told(window, name, window.parts.lecturing.view):
            found[name] = facts
    assert not found, "\n".join(f"{n}: {f}" for n, fs in found.items() for f in fs)
