"""A lesson from its idea to its take-away in a lecture, by the key of a clicker alone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from chainstep.lesson import lessons
from chainstep.ui.caption import Words, height_for, set_in
from chainstep.ui.lecture_script import Page, plain
from chainstep.ui.palette import LIGHT
from chainstep.ui.session import View
from chainstep.ui.teaching import UNSAVED
from chainstep.ui.theme import Look

Key = Qt.Key
LESSONS = {lesson.name: lesson for lesson in lessons()}
LEAST = 28
"""Pixels that all type is high at 200%, for the last row."""


def press(view, *keys) -> None:
    for key in keys:
        QTest.keyClick(view, key)


def said(view) -> str:
    return " ".join(piece.text for piece in view.caption.pieces)


@pytest.fixture
def lecture(window, runner, recordings, qtbot):
    """The lesson on the diamond, whose program gives the hand-made recording, in a lecture."""
    runner.at_once = recordings["forced"]
    window.parts.teaching.open(LESSONS["diamond"])
    qtbot.waitUntil(lambda: window.session.recording is not None)
    window.parts.actions["lecture"].trigger()
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1280, 720)
    QApplication.processEvents()
    return window.parts.lecturing.view


@pytest.fixture
def script(window, lecture):
    return window.parts.lecturing._script


def test_one_key_leads_from_the_idea_to_the_next_lesson(window, lecture, script, qtbot):
    session, teaching = window.session, window.parts.teaching
    assert said(lecture).startswith("Lesson 5 of 17: The diamond: two paths, one sum")
    assert "The chain rule adds up over all paths." in said(lecture)
    press(lecture, Key.Key_PageDown)
    assert said(lecture).startswith("Question: d has brought 15.0 to a. Now c brings 1.0 × 6.0.")
    assert not teaching.answered
    press(lecture, Key.Key_PageDown)
    assert said(lecture).startswith("c runs _backward")
    press(lecture, Key.Key_Space)
    assert session.place.number == 9
    assert "21.0 = 15.0 + 1.0 × 6.0" in said(lecture)
    # That is what the lesson asked for.
    press(lecture, Key.Key_PageDown)
    assert said(lecture).startswith("Answer: Above 15.0 + 6.0 = 21.0")
    assert teaching.answered
    assert session.place.number == 9
    press(lecture, Key.Key_PageDown)
    assert said(lecture) == "Take away: The gradient is a sum over all paths to the root."
    press(lecture, Key.Key_PageDown)
    assert said(lecture) == "Next: What leaves do Lesson 5 of 17 is over."
    press(lecture, Key.Key_PageDown)
    assert teaching.current.name == "leaves"
    assert said(lecture).startswith("Lesson 6 of 17: What leaves do")
    assert window.parts.lecturing.is_on


def test_and_another_one_leads_all_the_way_back(window, lecture, script):
    for _ in range(6):
        press(lecture, Key.Key_PageDown)
    pages = []
    while script.page is not Page.IDEA:
        pages.append((script.page, window.session.place.number))
        press(lecture, Key.Key_PageUp)
    assert pages == [
        *((Page.OVER, 9), (Page.TAKEAWAY, 9), (Page.ANSWER, 9), (Page.STEPS, 9)),
        *((Page.STEPS, 8), (Page.QUESTION, 8)),
    ]
    assert not window.parts.teaching.answered
    press(lecture, Key.Key_PageUp)
    assert script.page is Page.IDEA


@pytest.mark.parametrize("key", [Key.Key_Right, Key.Key_Down])
def test_the_arrows_step_whatever_page_is_on_show(window, lecture, script, key):
    press(lecture, key)
    assert script.page is Page.STEPS
    assert window.session.place.number > 8


def test_a_key_shows_the_answer_at_once_and_hides_it_again(window, lecture, script):
    press(lecture, Key.Key_I)
    assert said(lecture).startswith("Answer: Above")
    press(lecture, Key.Key_I)
    assert script.page is Page.STEPS
    assert not window.parts.teaching.answered


def test_the_commands_of_lessons_work_without_leaving(window, lecture, script):
    actions, teaching = window.parts.actions, window.parts.teaching
    for name in ("show_answer", "next_lesson", "previous_lesson", "leave_lesson", "lesson_square"):
        assert actions[name].isEnabled(), name
    actions["next_lesson"].trigger()
    assert teaching.current.name == "leaves"
    assert script.page is Page.IDEA
    actions["leave_lesson"].trigger()
    assert script.page is Page.STEPS
    assert window.parts.lecturing.is_on


def test_after_the_last_lesson_there_is_none(window, lecture, script):
    window.parts.teaching.open(LESSONS["changed_data"])
    script.page = Page.OVER
    script.changed.emit()
    assert said(lecture) == "The lesson is over. This is the last lesson."
    press(lecture, Key.Key_PageDown)
    assert window.parts.teaching.current.name == "changed_data"


def test_no_lesson_is_opened_that_would_ask_whether_to_save(window, lecture, script):
    teaching = window.parts.teaching
    window.session.set_text("x = 1\n")
    window.parts.actions.refresh()
    assert not window.parts.actions["next_lesson"].isEnabled()
    assert window.parts.actions["next_lesson"].statusTip() == UNSAVED
    for _ in range(12):
        press(lecture, Key.Key_PageDown)
    assert said(lecture) == f"The lesson is over. {UNSAVED}"
    assert teaching.current.name == "diamond"
    assert not [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog)]


def test_the_view_of_a_lesson_that_was_opened_meanwhile_stays(window, lecture):
    assert window.session.view is View.BOTH
    window.parts.actions["next_lesson"].trigger()
    press(lecture, Key.Key_Escape)
    assert window.session.view is View.ACCUMULATE


def test_a_lecture_begun_in_the_middle_of_a_lesson_goes_on_there(window, lecture, script):
    press(lecture, Key.Key_Escape)
    window.session.seek_backward(9)
    window.parts.actions["lecture"].trigger()
    assert script.page is Page.STEPS
    press(window.parts.lecturing.view, Key.Key_PageDown)
    assert script.page is Page.ANSWER


def test_a_question_before_a_step_is_asked_on_the_way(window, lecture, script):
    window.session.prediction.set_policy("every")
    press(lecture, Key.Key_PageDown, Key.Key_PageDown, Key.Key_PageDown)
    assert window.session.prediction.question is not None
    press(lecture, Key.Key_PageDown)
    assert said(lecture).startswith("+= and = differ in a")
    press(lecture, Key.Key_PageDown)
    assert script.page is Page.ANSWER


def test_the_lecturer_sees_the_page_what_comes_next_and_the_answer(window, lecture, script):
    window.parts.actions["lecture_notes"].trigger()
    notes = window.parts.lecturing.notes
    found = []
    for _ in range(6):
        found.append(notes.next.text())
        press(notes, Key.Key_PageDown)
    assert found == [
        "The question.",
        "c gives a 6.0:  21.0 = 15.0 + 1.0 × 6.0",
        "c gives a 6.0:  21.0 = 15.0 + 1.0 × 6.0",
        "The answer of the lesson.",
        "What to take away.",
        "The end of the lesson.",
    ]
    assert notes.next.text() == "The next lesson opens."
    assert "Above 15.0 + 6.0 = 21.0" in notes.notes.text()


def test_markup_is_left_out_and_stars_in_code_stay():
    assert plain("`e = a * b` is **made** of\n`x*x`.") == "e = a * b is made of x*x."


@pytest.mark.parametrize("percent", [100, 200, 300])
def test_an_idea_is_shown_whole_at_every_size(qapp, percent):
    look = Look(LIGHT, percent)
    high = height_for(look, 720)
    for lesson in LESSONS.values():
        idea = plain(lesson.idea)
        words = Words(f"Lesson 10 of 17: {plain(lesson.title)}", "", (idea,), is_whole=True)
        pieces = set_in(words, look, 1280, high)
        assert " ".join(piece.text for piece in pieces).endswith(idea[-40:])
        assert pieces[-1].base + QFontMetricsF(pieces[-1].font).descent() <= high


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (3840, 2160)], ids=str)
@pytest.mark.parametrize("name", LESSONS)
def test_every_page_of_every_lesson_can_be_read_from_the_last_row(qapp, name, size):
    lesson, look = LESSONS[name], Look(LIGHT, 200)
    high = height_for(look, size[1])
    for words in (
        Words(f"Lesson 10 of 17: {plain(lesson.title)}", "", (plain(lesson.idea),), is_whole=True),
        Words(f"Question: {plain(lesson.question)}"),
        Words(f"Answer: {plain(lesson.answer)}"),
        Words(f"Take away: {plain(lesson.takeaway)}"),
    ):
        pieces = set_in(words, look, size[0], high)
        shown = " ".join(piece.text for piece in pieces)
        assert shown == " ".join((words.title, *words.meaning)), (high, shown)
        for piece in pieces:
            assert piece.font.pixelSize() >= LEAST, (piece.text, piece.font.pixelSize())
            assert piece.base + QFontMetricsF(piece.font).descent() <= high


def test_pressing_on_waits_for_a_lesson_whose_program_still_runs(
    window, lecture, runner, recordings, qtbot
):
    runner.at_once = None
    window.parts.teaching.open(LESSONS["leaves"])
    press(lecture, *[Key.Key_PageDown] * 5, Key.Key_PageUp)
    assert said(lecture).startswith("Lesson 6 of 17: What leaves do")
    with qtbot.waitSignal(window.session.recording_changed):
        runner.last.deliver(recordings["forced"])
    press(lecture, Key.Key_PageDown)
    assert said(lecture).startswith("Question: ")
