"""Questions before each step: asked, answered by typing, clicking or not at all, and counted."""

import pytest
from hidden import BACKWARD, future, opened
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chainstep.predict import Ask
from chainstep.story import Phase
from chainstep.ui.course import Place
from chainstep.ui.player import Player
from chainstep.ui.quiz import Tone, Wants
from chainstep.ui.session import View

A, B, C, D, E = range(5)


@pytest.fixture
def asking(window, session, show):
    """The diamond at its beginning, with a question before every step."""
    show("forced")
    session.prediction.set_policy("every")
    return session


def ask_at(session, step):
    """Step on, with nobody answering, until that step is asked about."""
    while session.prediction.question is None or session.prediction.question.step != step:
        session.step_into()
    return session.prediction.question


def test_a_step_asks_first_and_the_next_one_reveals(asking):
    assert asking.place == Place(Phase.BACKWARD, 0)
    asking.step_over()
    assert asking.prediction.question.ask is Ask.GRADIENT
    assert asking.place.number == 0
    asking.step_over()
    assert asking.place.number == 1
    assert asking.prediction.question is None
    assert asking.prediction.verdict.right is None
    asking.step_over()
    assert asking.prediction.question.ask is Ask.NODE
    assert asking.place.number == 1


def test_every_way_forward_stops_at_the_next_question(asking):
    for go in (asking.step_over, asking.step_into, asking.step_out, asking.run_to_end):
        asking.restart()
        asking.seek_backward(4)
        go()
        assert asking.prediction.question.step == 4
        assert asking.place.number == 4


def test_where_it_matters_runs_up_to_what_matters(asking):
    asking.prediction.set_policy("matters")
    asking.step_over()
    assert asking.place.number == 1
    asking.step_over()
    assert (asking.place.number, asking.prediction.question.step) == (2, 2)
    asking.answer("6")
    asking.run_to_end()
    assert asking.place.number == 5


def test_a_typed_answer_reveals_and_counts(window, asking):
    ask_at(asking, 8)
    QTest.keyClicks(window.parts.questions.field, "6")
    QTest.keyClick(window.parts.questions.field, Qt.Key.Key_Return)
    assert asking.place.number == 9
    sheet = asking.sheet()
    assert sheet.tone is Tone.WRONG
    assert "other path was forgotten" in sheet.lines[1]
    assert sheet.tally == "0 of 1 right"
    QTest.keyClick(window.parts.questions.next, Qt.Key.Key_Return)
    assert asking.prediction.question.step == 9
    asking.answer("16")
    assert asking.sheet().tally == "1 of 2 right"
    assert "what the gradient becomes: 1 right, 1 wrong" in window.parts.questions.tally.toolTip()


def test_what_cannot_be_read_is_said_and_the_question_stays(window, asking):
    ask_at(asking, 8)
    asking.answer("six")
    assert asking.prediction.question.step == 8
    assert "no number" in window.parts.questions.lines.text()
    assert asking.sheet().tally == ""


def test_the_last_verdict_leads_nowhere_and_names_stay_as_they_are_written(window, asking):
    ask_at(asking, 11)
    asking.step_into()
    sheet = asking.sheet()
    assert sheet.title == "a runs next."
    assert sheet.on == ""
    assert not window.parts.questions.next.isVisible()
    asking.seek_backward(8)
    ask_at(asking, 8)
    asking.step_into()
    assert asking.sheet().title == "The gradient of a is 21.0."


def test_a_click_on_a_node_is_an_answer_while_a_node_is_asked_for(window, asking):
    ask_at(asking, 4)
    canvas = window.parts.stage.canvases[0]
    canvas.resize(900, 500)
    middle = canvas.card_rectangle(D).center()
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert asking.prediction.verdict.right
    assert asking.selected is None
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert asking.selected == D


def test_a_click_selects_while_a_number_is_asked_for(asking):
    ask_at(asking, 8)
    assert not asking.choose(A)


def test_yes_and_no_are_buttons_and_keys(window, asking, qtbot):
    asking.set_view(View.BOTH)
    ask_at(asking, 8)
    bar = window.parts.questions
    assert asking.sheet().wants is Wants.CHOICE
    assert bar.yes.isVisible()
    assert not bar.field.isVisible()
    bar.no.click()
    assert asking.prediction.verdict.right
    asking.step_into()
    QTest.keyClick(bar.yes, Qt.Key.Key_Y)
    assert asking.prediction.verdict.right is False


def test_another_view_asks_what_can_be_asked_there(asking):
    ask_at(asking, 8)
    asking.set_view(View.BOTH)
    assert asking.prediction.question.ask is Ask.AGREE
    asking.set_view(View.OVERWRITE)
    assert asking.prediction.question.ask is Ask.GRADIENT
    asking.answer("6")
    assert asking.prediction.verdict.right


def test_going_elsewhere_takes_question_and_verdict_away(asking):
    ask_at(asking, 4)
    asking.seek_backward(2)
    assert asking.prediction.question is None
    ask_at(asking, 4)
    asking.answer("d")
    asking.back_into()
    assert asking.prediction.verdict is None
    assert asking.sheet().tally == "1 of 1 right"


def test_playing_pauses_at_each_question(asking):
    player = Player(asking)
    player.play()
    player._advance()
    assert asking.prediction.question is not None
    assert not player.playing


def test_answers_in_a_row_are_counted_from_the_last_wrong_one_on(asking):
    tallies = []
    for step, answer in ((2, "6"), (3, "5"), (5, "1"), (6, "2"), (8, "21")):
        ask_at(asking, step)
        asking.answer(answer)
        tallies.append(asking.sheet().tally)
    # Two of two in a row goes without saying.
    assert tallies[1] == "2 of 2 right"
    assert tallies[-1] == "4 of 5 right\n2 in a row"


def test_a_score_belongs_to_one_run_of_one_program(asking, show):
    ask_at(asking, 2)
    asking.answer("5")
    assert asking.sheet().tally == "0 of 1 right"
    show("passes")
    assert asking.sheet().tally == ""


def test_a_score_belongs_to_one_pass(session, show):
    show("passes")
    session.prediction.set_policy("every")
    ask_at(session, 2)
    session.answer("5")
    session.set_pass(1)
    assert session.sheet().tally == ""


@pytest.fixture
def bar(window, asking, qtbot):
    """The bar of questions in the window that has the keys, as both modes are on show."""
    with qtbot.waitActive(window):
        window.activateWindow()
    asking.set_view(View.BOTH)
    return window.parts.questions


def focused(bar):
    widget = QApplication.focusWidget()
    return widget if widget is not None and bar.isAncestorOf(widget) else None


def type_here(*keys):
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


def test_figures_where_yes_or_no_is_asked_say_how_to_answer(window, asking, bar):
    ask_at(asking, 8)
    assert focused(bar) is bar.yes
    type_here(Qt.Key.Key_6, Qt.Key.Key_Return)
    assert asking.prediction.question.step == 8
    assert asking.sheet().lines == ("Answer yes or no.",)
    assert not window.parts.data_editor.isVisible()
    assert focused(bar) is bar.yes
    type_here(Qt.Key.Key_N)
    assert asking.prediction.verdict.right


def test_figures_typed_at_a_reveal_start_nothing(window, asking, bar):
    ask_at(asking, 8)
    type_here(Qt.Key.Key_N)
    assert focused(bar) is bar.next
    type_here(Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_Return)
    assert asking.prediction.verdict is not None
    assert asking.prediction.question is None
    assert not window.parts.data_editor.isVisible()
    # Return alone leads on.
    type_here(Qt.Key.Key_Return)
    assert asking.prediction.question.step == 9


def test_when_the_pass_is_over_the_keys_stay_with_what_is_said(window, asking, bar):
    ask_at(asking, 11)
    QTest.keyClicks(bar.field, "a")
    type_here(Qt.Key.Key_Return)
    assert asking.at_end
    assert focused(bar) is bar.words
    type_here(Qt.Key.Key_2, Qt.Key.Key_1, Qt.Key.Key_Return)
    assert not window.parts.data_editor.isVisible()
    asking.prediction.set_policy("off")
    assert QApplication.focusWidget() in window.parts.stage.canvases


def test_there_is_a_field_only_where_something_can_be_typed(asking, bar):
    for step in range(12):
        ask_at(asking, step)
        wants = asking.sheet().wants
        assert bar.field.isVisible() is (wants in (Wants.NODE, Wants.NUMBER))
        assert bar.yes.isVisible() is (wants is Wants.CHOICE)
        asking.step_into()
        assert not bar.field.isVisible()
        assert not bar.yes.isVisible()


def test_what_a_key_leads_to_is_said_only_where_it_is_true(session, show):
    show("forced")
    session.prediction.set_policy("matters")
    key, hidden = session.keys["step_over"], "What is to come is hidden."
    # The seed asks nothing here; of what e does, the first write does.
    assert session.sheet().title == hidden
    session.step_over()
    assert session.sheet().title == f"{key} leads to the next question. {hidden}"
    session.step_over()
    assert session.prediction.question.step == 2
    session.go(Place(Phase.FORWARD, 0))
    assert session.sheet().title == f"{hidden} Questions come with the backward pass."
    session.seek_backward(10)
    assert session.sheet().title == hidden
    session.seek_backward(12)
    assert session.sheet().title == "The pass is over."


def test_the_reveal_counts_no_more_contributions_than_the_cards_do(asking):
    asking.set_view(View.ACCUMULATE)
    ask_at(asking, 2)
    asking.answer("6")
    assert "its first contribution" in asking.sheet().lines[1]
    assert "only" not in " ".join(asking.sheet().lines)


def test_the_right_answer_stands_before_what_is_right(asking, bar):
    ask_at(asking, 8)
    asking.answer("yes")
    assert asking.sheet().title == "No: += and = differ in a."
    asking.seek_backward(4)
    ask_at(asking, 4)
    asking.answer("c")
    assert asking.sheet().title == "c is right too: it is ready. This pass takes d first."


def test_off_shows_everything_again_and_keeps_the_tally(window, asking):
    ask_at(asking, 4)
    asking.answer("d")
    asking.prediction.set_policy("off")
    assert asking.sheet() is None
    assert not asking.hides
    assert not window.parts.questions.isVisible()
    asking.prediction.set_policy("matters")
    assert asking.sheet().tally == "1 of 1 right"


def test_the_commands_switch_reveal_and_refuse(window, session, show):
    actions = window.parts.actions
    show("forced")
    assert "Nothing is asked" in actions.commands["reveal"].refusal()
    actions["predict_every"].trigger()
    assert actions["predict_every"].isChecked()
    assert "Prediction hides it" in actions.commands["hide_ahead"].refusal()
    actions["step_over"].trigger()
    actions["reveal"].trigger()
    assert session.place.number == 1
    assert session.prediction.verdict.right is None
    actions["predict_off"].trigger()
    assert not session.hides


def test_a_lecturer_needs_one_key_and_the_field_lets_it_through(window, asking, qtbot):
    with qtbot.waitActive(window):
        window.activateWindow()
    ask_at(asking, 4)
    field = window.parts.questions.field
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_PageDown)
    assert asking.place.number == 5
    QTest.keyClick(field, Qt.Key.Key_PageDown)
    assert asking.prediction.question.step == 5


def test_the_bar_never_shrinks_and_says_everything_aloud(window, asking):
    bar = window.parts.questions
    heights = []
    for _ in range(16):
        asking.step_into()
        heights.append(bar.minimumHeight())
        assert asking.sheet().title in bar.accessibleDescription()
    assert heights == sorted(heights)


SMALL = [(820, 560, 300), (820, 560, 200), (1280, 720, 300), (1280, 720, 200), (1280, 720, 100)]


@pytest.mark.parametrize("page", [False, True])
def test_with_more_room_a_question_is_a_bar_again_and_so_it_is_above_a_page(window, asking, page):
    bar, parts = window.parts.questions, window.parts
    window.resize(1280, 720)
    window.settings.scale = 300
    window._apply_look()
    ask_at(asking, 8)
    QApplication.processEvents()
    assert bar.geometry().bottom() > parts.stage.height()
    if page:
        parts.actions["lessons"].trigger()
        QApplication.processEvents()
    else:
        window.settings.scale = 100
        window._apply_look()
        QApplication.processEvents()
    assert not bar.is_column
    assert bar.width() == 1280
    assert bar.height() <= 0.43 * 720


@pytest.mark.parametrize(("width", "height", "percent"), SMALL)
def test_the_bar_can_be_read_and_answered_in_any_window(window, asking, width, height, percent):
    bar, timeline = window.parts.questions, window.parts.timeline
    window.resize(width, height)
    window.settings.scale = percent
    window._apply_look()
    for view in (View.ACCUMULATE, View.BOTH):
        asking.set_view(view)
        asking.seek_backward(8)
        ask_at(asking, 8)
        QApplication.processEvents()
        answers = [w for w in (bar.field, bar.yes, bar.no, bar.next) if w.isVisible()]
        assert len(answers) == (2 if view is View.ACCUMULATE else 3)
        for widget in (*answers, bar.words):
            assert bar.rect().contains(widget.geometry())
            assert widget.height() >= widget.fontMetrics().height()
        for widget in answers:
            assert not widget.geometry().intersects(bar.words.geometry())
            assert widget is bar.field or widget.width() >= widget.sizeHint().width()
        # Two lines are in sight, the first ones to begin with, and keys bring the others.
        assert bar.words.height() >= 1.9 * bar.title.fontMetrics().height()
        down = bar.words.verticalScrollBar()
        assert down.value() == 0
        for _ in range(20):
            QTest.keyClick(answers[0], Qt.Key.Key_Down)
        assert down.value() == down.maximum()
        # What is asked leaves the graph its height, or at least most of the window.
        if bar.is_column:
            assert window.parts.stage.height() >= 0.45 * height
            assert bar.width() <= 0.41 * width
        else:
            assert bar.height() <= 0.43 * height
        assert bar.is_column is (percent >= 200)
        assert asking.place.number == 8
    asking.prediction.set_policy("off")
    # In the smallest there is room for it or for the graph.
    assert timeline.isVisible() is ((width, percent) != (820, 300))


@pytest.mark.parametrize("view", [View.ACCUMULATE, View.BOTH])
def test_while_a_question_waits_no_text_tells_what_is_to_come(
    window, session, runner, diamond, qtbot, view
):
    opened(window, session, runner, diamond, qtbot)
    session.set_view(view)
    session.prediction.set_policy("every")
    asked = set()
    for step in range(0, BACKWARD, 1 if view is View.BOTH else 5):
        session.seek_backward(step)
        session.step_over()
        question = session.prediction.question
        if question is None or (question.ask in asked and step % 3):
            continue
        asked.add(question.ask)
        found = list(future(window, session.place))
        assert not found, (question, found[:8])
    assert len(asked) == (4 if view is View.BOTH else 3)


def test_between_two_questions_the_bar_speaks_of_where_one_is_however_one_came_there(
    window, session, show
):
    show("forced")
    session.prediction.set_policy("every")
    title = window.parts.questions.title
    session.seek_backward(session.backward_length)
    assert title.text() == "The pass is over."
    session.seek_backward(0)
    assert "leads to the next question" in title.text()
    session.seek_backward(session.backward_length)
    assert title.text() == "The pass is over."
