"""In a lecture: questions, their choices, answers and the score; what is to come stays hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hidden import BACKWARD, RECORDING, future, opened, what_is_known
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from visible import Seen, numbers, seen

from chainstep.predict import Ask
from chainstep.story import Phase
from chainstep.ui.answer_strip import AnswerStrip
from chainstep.ui.course import Place
from chainstep.ui.palette import LIGHT
from chainstep.ui.quiz import Tone, Wants
from chainstep.ui.session import View
from chainstep.ui.theme import Look

if TYPE_CHECKING:
    from chainstep.ui.lecture import LectureView

Key = Qt.Key
A, B, C, D, E = range(5)


def press(view, *keys) -> None:
    for key in keys:
        QTest.keyClick(view, key)


@pytest.fixture
def lecture(window, show, qtbot) -> LectureView:
    show("forced")
    window.parts.actions["lecture"].trigger()
    view = window.parts.lecturing.view
    assert view is not None
    view.viewport_.animated = False
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1280, 720)
    with qtbot.waitActive(window):
        window.activateWindow()
    QApplication.processEvents()
    return view


def said(view) -> str:
    """What the caption says."""
    return " ".join(piece.text for piece in view.caption.pieces)


def offered(view) -> list[str]:
    return [button.text() for button in view.answers.choices if button.isVisible()]


def asked_at(view, step):
    """Step on by the key of a clicker until that step is asked about."""
    session = view._session
    while session.prediction.question is None or session.prediction.question.step != step:
        press(view, Key.Key_PageDown)
    return session.prediction.question


# -- predict before reveal --------------------------------------------------------------------


def test_the_question_is_the_large_sentence_and_only_a_key_reveals_it(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    asked_at(lecture, 8)
    assert said(lecture).startswith("c gives a a contribution, the second. What is the gradient")
    assert "21" not in said(lecture)
    QTest.qWait(20)
    assert session.place.number == 8
    press(lecture, Key.Key_PageDown)
    assert session.place.number == 9
    assert said(lecture).startswith("The gradient of a is 21.0: 21.0 = 15.0 + 1.0 × 6.0")


def test_a_number_is_typed_at_once_and_enter_answers(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    asked_at(lecture, 8)
    press(lecture, Key.Key_2)
    assert lecture.answers.field.text() == "2"
    assert lecture.plate.isHidden()
    press(lecture.answers.field, Key.Key_1, Key.Key_Return)
    assert session.prediction.verdict.right
    assert said(lecture).startswith("✓ Right: the gradient of a is 21.0")
    assert lecture.answers.tally.text() == "1 of 1 right"
    # The keys are the lecture's again.
    press(lecture, Key.Key_PageDown)
    assert session.prediction.question is not None


def test_a_wrong_answer_is_told_with_the_right_one_and_why(window, lecture):
    window.session.prediction.set_policy("every")
    asked_at(lecture, 8)
    press(lecture, Key.Key_6, Key.Key_Return)
    assert said(lecture).startswith("✗ Not 6.0: the gradient of a is 21.0")
    assert lecture.answers.tally.text() == "0 of 1 right"


def test_a_show_of_hands_has_numbered_choices_and_a_number_takes_one(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    assert asked_at(lecture, 4).ask is Ask.NODE
    assert offered(lecture) == ["1  c", "2  d"]
    press(lecture, Key.Key_2, Key.Key_Return)
    assert session.prediction.verdict.right
    assert offered(lecture) == []


def test_a_choice_can_be_clicked_and_so_can_the_card(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    asked_at(lecture, 4)
    lecture.answers.choices[0].click()
    assert session.prediction.verdict.right  # c is ready as well
    session.seek_backward(4)
    asked_at(lecture, 4)
    canvas = lecture.canvases[0]
    middle = canvas.card_rectangle(D).center()
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert session.prediction.verdict.answer == "d"


@pytest.mark.parametrize(("key", "right"), [(Key.Key_N, True), (Key.Key_1, False)])
def test_yes_and_no_are_keys_also_where_the_graph_has_them(window, lecture, key, right):
    session = window.session
    session.set_view(View.BOTH)
    session.prediction.set_policy("every")
    assert asked_at(lecture, 8).ask is Ask.AGREE
    assert offered(lecture) == ["1  yes", "2  no"]
    press(lecture, key)
    assert session.prediction.verdict.right is right


def test_letters_stay_commands_until_q_gives_the_keys_to_the_answer(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    asked_at(lecture, 4)
    press(lecture, Key.Key_S)
    assert lecture.spotlight.isVisible()
    press(lecture, Key.Key_Q)
    field = lecture.answers.field
    assert field.hasFocus()
    QTest.keyClicks(field, "s")
    assert lecture.spotlight.isVisible()
    press(field, Key.Key_Escape)
    assert not field.hasFocus()
    assert window.parts.lecturing.is_on
    press(lecture, Key.Key_Q)
    QTest.keyClicks(field, "d")
    press(field, Key.Key_Return)
    assert session.prediction.verdict.right


def test_a_clicker_reveals_while_somebody_types(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    asked_at(lecture, 8)
    press(lecture, Key.Key_Minus)
    assert lecture.answers.field.text() == "-"
    press(lecture.answers.field, Key.Key_PageDown)
    assert session.place.number == 9


def test_answers_can_be_typed_on_the_lecturers_window(window, lecture):
    session = window.session
    session.prediction.set_policy("every")
    asked_at(lecture, 8)
    window.parts.actions["lecture_notes"].trigger()
    notes = window.parts.lecturing.notes
    assert notes.now.text().startswith("c gives a a contribution")
    assert notes.next.text() == "The right answer is shown."
    press(notes, Key.Key_2, Key.Key_2, Key.Key_Backspace, Key.Key_1, Key.Key_Return)
    assert session.prediction.verdict.right


def test_numbers_go_to_steps_again_once_nothing_is_asked(window, lecture):
    window.session.prediction.set_policy("every")
    asked_at(lecture, 0)
    press(lecture, Key.Key_PageDown, Key.Key_7, Key.Key_Return)
    assert window.session.place.number == 7


# -- you are the engine -----------------------------------------------------------------------


@pytest.fixture
def engine(window, lecture):
    window.parts.actions["engine"].trigger()
    return window.session.engine


def test_the_room_runs_the_pass_by_keys(window, lecture, engine):
    assert said(lecture) == "You are the engine: which node runs its _backward next?"
    press(lecture, Key.Key_Q)
    field = lecture.answers.field
    QTest.keyClicks(field, "e")
    press(field, Key.Key_Return)
    assert said(lecture).startswith("e runs, whose gradient is 1.0. What does it hand to c?")
    # The field keeps the keys as long as something is to be typed.
    for text in ("6", "5"):
        QTest.keyClicks(field, text)
        press(field, Key.Key_Return)
    assert offered(lecture) == ["1  c", "2  d"]
    assert lecture.answers.tally.text() == "3 of 3 right at once"
    press(field, Key.Key_1, Key.Key_Return)
    assert window.session.now == C


def test_a_wrong_choice_is_answered_in_the_caption(window, lecture, engine):
    canvas = lecture.canvases[0]
    middle = canvas.card_rectangle(D).center()
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert "✗ d is too early: e has not run" in said(lecture)
    assert "these end wrong: a 6.0, b 6.0." in said(lecture)


def test_the_key_that_leads_on_shows_what_is_right_and_back_takes_it_back(window, lecture, engine):
    press(lecture, Key.Key_PageDown, Key.Key_PageDown)
    assert len(window.session.panes[0].trace.steps) == 3
    press(lecture, Key.Key_PageUp)
    assert len(window.session.panes[0].trace.steps) == 1
    for _ in range(9):
        press(lecture, Key.Key_PageDown)
    assert said(lecture).startswith("Every node has run: all gradients are complete. 0 of 11 right")
    assert "It went wrong here: after step 1: e was shown. after step" in said(lecture)


def test_escape_after_a_click_on_the_graph_leaves_the_lecture_and_not_the_engine(
    window, lecture, engine
):
    canvas = lecture.canvases[0]
    canvas.setFocus()
    press(canvas, Key.Key_Escape)
    assert not window.parts.lecturing.is_on
    assert engine.on


# -- nothing is told too early ----------------------------------------------------------------


def early(texts, place):
    """Those of some texts that have a number that nobody can know at a place."""
    known, ahead = what_is_known(place)
    for number, half, where in numbers(texts):
        if any(abs(number - each) <= half for each in ahead) and not any(
            abs(number - each) <= half for each in known
        ):
            yield where


def told_early(window, place):
    """Texts of both windows with a number that nobody can know."""
    yield from future(window, place)
    yield from early(seen(window.parts.lecturing.notes), place)


def test_no_text_tells_what_is_to_come_while_a_question_waits(
    window, session, runner, diamond, qtbot
):
    opened(window, session, runner, diamond, qtbot)
    session.set_view(View.BOTH)
    window.parts.actions["lecture"].trigger()
    for name in ("lecture_notes", "lecture_values", "lecture_code"):
        window.parts.actions[name].trigger()
    session.prediction.set_policy("every")
    for step in range(0, BACKWARD, 2):
        session.seek_backward(step)
        session.step_over()
        found = list(told_early(window, session.place))
        assert not found, (step, found[:8])


def test_no_wrong_choice_of_an_engine_is_answered_with_what_is_to_come(
    window, session, runner, diamond, qtbot
):
    opened(window, session, runner, diamond, qtbot)
    session.engine.begin()
    window.parts.actions["lecture"].trigger()
    window.parts.actions["lecture_notes"].trigger()
    wrong = set()
    while not session.engine.finished:
        place = Place(Phase.BACKWARD, len(session.panes[0].trace.steps))
        if session.sheet().wants is Wants.NODE:
            for node in range(len(RECORDING.nodes)):
                session.choose(node)
                sheet = session.sheet()
                if sheet.wants is not Wants.NODE:
                    session.engine.undo()
                elif sheet.tone is Tone.WRONG:
                    wrong.update(sheet.lines)
                    texts = [Seen("sheet", line) for line in (sheet.title, *sheet.lines)]
                    assert not list(early(texts, place)), (node, place, texts)
            found = list(told_early(window, place))
            assert not found, (place, found[:8])
        session.step_into()
    # There was something to be told, in numbers.
    assert any("these end wrong: a " in line and "." in line for line in wrong)


# -- to be read from the last row -------------------------------------------------------------


@pytest.mark.parametrize("percent", [100, 200, 300])
@pytest.mark.parametrize("width", [820, 1280, 3840])
def test_the_strip_shows_only_what_fits_and_in_one_height(session, show, qtbot, width, percent):
    show("forced")
    session.prediction.set_policy("every")
    strip = AnswerStrip(session, Look(LIGHT, percent))
    qtbot.addWidget(strip)
    strip.resize(width, strip.height())
    strip.show()
    heights = set()
    while not session.at_end:
        session.step_into()
        QApplication.processEvents()
        heights.add(strip.height())
        shown = [w for w in (*strip.choices, strip.field, strip.how, strip.tally) if w.isVisible()]
        for widget in shown:
            assert strip.rect().contains(widget.geometry()), (widget.geometry(), strip.rect())
            if widget is not strip.field:
                wide = QFontMetricsF(widget.font()).horizontalAdvance(widget.text())
                assert wide <= widget.width()
    assert len(heights) == 1
    assert strip.field.font().pixelSize() >= 14 * percent // 100


def test_the_strip_takes_no_room_of_the_light_or_of_the_graph_while_nothing_is_asked(
    window, lecture
):
    window.session.prediction.set_policy("every")
    QApplication.processEvents()
    assert lecture.answers.isVisible()
    assert lecture.spotlight.height() == lecture.caption.y()
    asked = lecture.canvases[0].height()
    window.session.prediction.set_policy("off")
    QApplication.processEvents()
    assert lecture.answers.isHidden()
    assert lecture.spotlight.height() == lecture.caption.y() == asked + lecture.answers.height()


@pytest.mark.parametrize(("width", "height"), [(820, 560), (1280, 720)])
def test_questions_leave_the_graph_almost_half_at_the_largest_type(window, lecture, width, height):
    window.settings.lecture_scale = 300
    window.parts.lecturing.take_look()
    window.resize(width, height)
    window.session.prediction.set_policy("every")
    asked_at(lecture, 8)
    QApplication.processEvents()
    assert lecture.answers.isVisible()
    assert lecture.caption.height() + lecture.answers.height() <= 0.56 * height
    assert lecture.canvases[0].height() >= 0.44 * height
    assert "What is the gradient of a after it" in said(lecture)
