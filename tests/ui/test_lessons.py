"""Lessons in the window: the row of them, the one that is on, and the way through them."""

from __future__ import annotations

import importlib.resources
import json
from dataclasses import replace

import pytest
from conftest import A
from here import run
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from visible import in_sizes

from chainstep.lesson import lessons, parse
from chainstep.options import Options
from chainstep.program import examples
from chainstep.story import Phase
from chainstep.trace import Order
from chainstep.ui.session import View

LESSONS = {lesson.name: lesson for lesson in lessons()}
FOLDER = importlib.resources.files("chainstep.resources") / "lessons"
GRAPHS = json.loads((FOLDER / "graphs.json").read_text("utf-8"))


@pytest.fixture
def opened(window, runner, recordings, qtbot):
    """Opens the lesson on the diamond, whose program gives the hand-made recording."""

    def open_lesson():
        runner.at_once = recordings["forced"]
        window.parts.teaching.open(LESSONS["diamond"])
        qtbot.waitUntil(lambda: window.session.recording is not None)
        return window.parts.teaching

    return open_lesson


def test_a_lesson_opens_its_program_in_its_view_at_its_step(window, opened):
    opened()
    session = window.session
    assert session.program.text == LESSONS["diamond"].program.text
    assert session.view is View.BOTH
    # Seven steps are over, and c has been called: the next write is a's second.
    assert (session.phase, session.place.number) == (Phase.BACKWARD, 8)
    assert session.selected == A


def test_it_opens_at_its_step_while_what_is_to_come_is_hidden(window, opened):
    window.session.hide(True)
    opened()
    assert (window.session.phase, window.session.place.number) == (Phase.BACKWARD, 8)


def test_the_bar_asks_and_answers_only_when_it_is_told_to(window, opened):
    teaching, bar = opened(), window.parts.lesson_bar
    lesson = LESSONS["diamond"]
    assert bar.isVisible()
    assert lesson.question in bar.text()
    assert lesson.answer not in bar.text()
    assert lesson.takeaway not in bar.text()
    window.parts.actions["show_answer"].trigger()
    assert lesson.answer in bar.text()
    assert lesson.takeaway in bar.text()
    assert lesson.notes not in bar.text()
    assert bar.buttons[0].text() == "Hide answer"
    assert teaching.done == {"diamond"}


@pytest.mark.parametrize("how", ["predict", "engine"])
def test_the_answer_folds_while_the_same_is_asked(window, opened, how):
    teaching, session, actions = opened(), window.session, window.parts.actions
    actions["show_answer"].trigger()
    if how == "predict":
        session.prediction.set_policy("matters")
        session.step_into()
    else:
        session.engine.begin()
        assert session.engine.on
    assert not teaching.answered
    assert LESSONS["diamond"].answer not in window.parts.lesson_bar.text()
    assert not actions["show_answer"].isEnabled()
    if how == "predict":
        session.answer("no")
        session.prediction.set_policy("off")
    else:
        session.engine.leave()
    # What comes is hidden as it is wherever the answer is folded, and shows with it again.
    assert session.hides
    actions["show_answer"].trigger()
    assert teaching.answered
    assert not session.hides


@pytest.mark.parametrize(("width", "height", "percent"), [(1920, 1080, 200), (1280, 720, 150)])
def test_a_lesson_and_a_question_leave_the_graph_half_of_the_window(
    window, opened, width, height, percent
):
    teaching, parts = opened(), window.parts
    window.resize(width, height)
    window.settings.scale = percent
    window._apply_look()
    teaching.toggle_answer()
    session = window.session
    session.prediction.set_policy("every")
    for step in (session.step_into, lambda: session.answer("yes")):
        step()
        QApplication.processEvents()
        assert parts.lesson_bar.words.height() <= 0.17 * height
        assert parts.questions.height() <= 0.23 * height
        # Two lines of each are in sight.
        line = parts.lesson_bar.words.question.fontMetrics().lineSpacing()
        assert parts.lesson_bar.words.height() >= 2 * line
        line = parts.questions.title.fontMetrics().lineSpacing()
        assert parts.questions.words.height() >= 1.9 * line


def test_the_words_of_a_lesson_can_be_scrolled_by_keys_where_they_are_too_long(window, opened):
    teaching, bar = opened(), window.parts.lesson_bar
    teaching.toggle_answer()
    assert bar.words.focusPolicy() is Qt.FocusPolicy.NoFocus
    scaled(window, (1280, 720), 175)
    assert bar.words.focusPolicy() is Qt.FocusPolicy.StrongFocus
    down = bar.words.verticalScrollBar()
    assert down.maximum() > 0
    for _ in range(40):
        QTest.keyClick(bar.words, Qt.Key.Key_Down)
    assert down.value() == down.maximum()


def scaled(window, size, percent):
    """The window in a size and with a size of type."""
    window.resize(*size)
    window.settings.scale = percent
    window._apply_look()
    QApplication.processEvents()


@pytest.mark.parametrize("percent", [200, 300])
def test_in_a_low_window_the_question_and_a_card_are_in_sight_together(window, opened, percent):
    scaled(window, (1280, 720), percent)
    opened()
    parts, px = window.parts, window.look.px
    # First of all the lesson is to be read: it has all the room below the tools.
    assert parts.lesson_page.isVisible()
    assert not parts.lesson_bar.isVisible()
    assert parts.lesson_page.height() >= px(145)
    assert LESSONS["diamond"].question in parts.lesson_page.words.question.text()
    parts.actions["column_graph"].trigger()
    QApplication.processEvents()
    strip, words = parts.lesson_bar, parts.lesson_bar.words
    assert [each for each in words.labels if each.isVisible()] == [words.question]
    assert words.height() >= words.question.heightForWidth(words.question.width())
    assert not any(each.isVisible() for each in (strip.title, *strip.buttons))
    for canvas in parts.stage.canvases:
        card = canvas.card_rectangle(window.session.now)
        assert canvas.viewport().rect().contains(card)
    assert window.size().toTuple() == (1280, 720)


def test_in_a_low_window_the_lesson_comes_when_it_says_more_and_goes_when_one_steps(window, opened):
    scaled(window, (1280, 720), 300)
    teaching, parts = opened(), window.parts
    parts.actions["column_graph"].trigger()
    parts.actions["show_answer"].trigger()
    assert parts.lesson_page.isVisible()
    assert LESSONS["diamond"].takeaway in parts.lesson_page.words.takeaway.text()
    parts.actions["step_into"].trigger()
    assert parts.stage.isVisible()
    assert not parts.lesson_page.isVisible()
    parts.actions["column_lesson"].trigger()
    assert parts.lesson_page.isVisible()
    window.session.prediction.set_policy("every")
    parts.actions["step_into"].trigger()
    QApplication.processEvents()
    # What is asked now comes before the question of the lesson.
    assert parts.stage.isVisible()
    assert parts.questions.isVisible()
    assert not parts.lesson_bar.isVisible()
    teaching.leave()
    assert "No lesson is on" in parts.actions["column_lesson"].statusTip()


def test_with_more_room_the_lesson_is_a_bar_again(window, opened):
    scaled(window, (1280, 720), 200)
    opened()
    parts = window.parts
    scaled(window, (1280, 720), 100)
    assert not parts.lesson_page.isVisible()
    assert parts.lesson_bar.isVisible()
    assert all(each.isVisible() for each in (parts.lesson_bar.title, *parts.lesson_bar.buttons))
    assert parts.stage.isVisible()
    assert not parts.actions["column_lesson"].isEnabled()


def test_what_was_seen_is_kept_and_marked(window, opened, settings):
    opened()
    window.parts.actions["show_answer"].trigger()
    assert settings.lessons_done == {"diamond"}
    assert window.parts.gallery.list.item(4).text().startswith("✓ 5")
    assert window.parts.gallery.list.item(3).text().startswith("4")


def test_one_goes_from_lesson_to_lesson_and_not_beyond_the_ends(window, opened):
    teaching = opened()
    window.parts.actions["next_lesson"].trigger()
    assert teaching.current == teaching.lessons[5]
    assert not teaching.answered
    window.parts.actions["previous_lesson"].trigger()
    assert teaching.current == LESSONS["diamond"]
    teaching.open(teaching.lessons[0])
    assert teaching.why_no_step(-1) == "This is the first lesson."
    teaching.open(teaching.lessons[-1])
    assert teaching.why_no_step(1) == "This is the last lesson."


def test_another_program_ends_the_lesson_and_gives_the_order_back(window, opened, diamond):
    teaching = opened()
    teaching.open(LESSONS["why_sort"])
    assert window.session.order is Order.RECURSIVE
    window.parts.files.show(replace(diamond, name="mine.py"), run=False)
    assert teaching.current is None
    assert not window.parts.lesson_bar.isVisible()
    assert window.session.order is Order.DEPTH_FIRST
    assert "Ctrl+L" in teaching.why_not()


def test_a_program_of_the_same_name_ends_the_lesson_too(window, opened):
    teaching = opened()
    mine = replace(LESSONS["diamond"].program, text="print('mine')\n")
    window.parts.files.show(mine, run=False)
    assert teaching.current is None


def test_the_example_that_a_lesson_runs_ends_it_too(window, opened):
    teaching = opened()
    example = next(each for each in examples() if each.program == LESSONS["diamond"].program)
    window.parts.files.open_example(example)
    assert teaching.current is None
    assert window.session.example is example


def test_typing_in_its_program_keeps_the_lesson(window, opened):
    teaching = opened()
    window.session.set_text("x = 1\n")
    assert teaching.current == LESSONS["diamond"]


def test_a_lesson_that_its_recording_does_not_fit_says_so(window, runner, recordings, qtbot):
    runner.at_once = recordings["forced"]
    text = LESSONS["diamond"]
    lesson = replace(text, at=replace(text.at, name="zebra"))
    window.parts.teaching.open(lesson)
    qtbot.waitUntil(lambda: window.session.recording is not None)
    assert "there is no node zebra" in window.parts.bar.words.text()
    assert window.session.selected == A


def test_a_lesson_without_a_program_is_on_and_says_what_is_wrong(window):
    text = (FOLDER / "diamond.md").read_text("utf-8").replace("example:diamond", "xyzzy")
    window.parts.teaching.open(parse(text, "mine.md"))
    assert "mine.md, line 3: there is no xyzzy" in window.parts.bar.words.text()
    assert LESSONS["diamond"].question in window.parts.lesson_bar.text()
    assert not window.session.running


def test_a_lesson_from_a_file_stands_alone(window, opened):
    teaching = opened()
    source = importlib.resources.files("chainstep.resources") / "lessons" / "square.md"
    teaching.open(parse(source.read_text("utf-8"), "mine.md"))
    assert teaching.place == "Lesson"
    assert "of its own" in teaching.why_no_step(1)


def test_code_in_a_question_is_as_large_as_its_words(window, opened):
    opened()
    for _ in range(4):
        window.parts.actions["larger"].trigger()
        QApplication.processEvents()
        label = window.parts.lesson_bar.words.question
        sizes = [high for text, high in in_sizes(label) if text.strip()]
        assert len(sizes) > 3  # words, code, words, code
        assert set(sizes) == {label.font().pixelSize()}


# -- the gallery ----------------------------------------------------------------------------


def test_the_page_is_hidden_until_it_is_wanted_and_escape_closes_it(window):
    gallery = window.parts.gallery
    assert not gallery.isVisible()
    window.parts.actions["lessons"].trigger()
    assert gallery.isVisible()
    assert gallery.list.count() == 17
    QTest.keyClick(gallery, Qt.Key.Key_Escape)
    assert not gallery.isVisible()


def test_asked_for_the_lessons_are_a_page_and_without_that_the_lower_half(window):
    gallery, graph = window.parts.gallery, window.parts.stage
    gallery.show()
    assert graph.isVisible()
    window.parts.actions["lessons"].trigger()
    assert gallery.isVisible()
    assert not graph.isVisible()
    window.parts.actions["lessons"].trigger()
    assert not gallery.isVisible()
    assert graph.isVisible()


def test_another_program_makes_the_page_give_way(window, session, diamond):
    window.parts.actions["lessons"].trigger()
    session.open(diamond, run=False)
    assert not window.parts.gallery.isVisible()
    assert window.parts.stage.isVisible()


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_all_lessons_are_on_the_page_at_once_whole_and_with_their_titles(window, size):
    window.resize(*size)
    window.parts.actions["lessons"].trigger()
    QApplication.processEvents()
    grid = window.parts.gallery.list
    inside = grid.viewport().rect()
    assert grid.item(0).isSelected()
    assert grid.iconSize().width() >= 0.14 * size[0]
    for number in range(grid.count()):
        item = grid.item(number)
        area = grid.visualItemRect(item)
        assert inside.contains(area), item.text()
        wide = max(map(grid.fontMetrics().horizontalAdvance, item.text().split("\n")))
        assert wide <= area.width(), item.text()
        assert item.text().count("\n") <= 1


@pytest.mark.parametrize("percent", [150, 200])
def test_in_large_type_every_lesson_is_reached_by_arrows(window, percent):
    window.parts.actions["lessons"].trigger()
    while window.look.percent < percent:
        window.parts.actions["larger"].trigger()
    QApplication.processEvents()
    grid = window.parts.gallery.list
    for number in range(grid.count()):
        assert grid.currentRow() == number
        assert grid.viewport().rect().intersects(grid.visualItemRect(grid.currentItem()))
        QTest.keyClick(grid, Qt.Key.Key_Right)


def test_enter_opens_the_lesson_and_puts_the_page_away(window, runner, recordings, qtbot):
    runner.at_once = recordings["forced"]
    window.parts.actions["lessons"].trigger()
    gallery = window.parts.gallery
    gallery.list.setCurrentRow(4)
    gallery.list.itemActivated.emit(gallery.list.item(4))
    assert window.parts.teaching.current == LESSONS["diamond"]
    assert not gallery.isVisible()
    qtbot.waitUntil(lambda: window.session.recording is not None)


def test_every_lesson_gets_a_picture_with_something_on_it(window, qtbot):
    gallery = window.parts.gallery
    window.parts.actions["lessons"].trigger()
    qtbot.waitUntil(lambda: not gallery._undrawn)
    for number in range(gallery.list.count()):
        image = gallery.list.item(number).icon().pixmap(gallery.list.iconSize()).toImage()
        colours = {
            image.pixel(x, y) for x in range(image.width()) for y in range(0, image.height(), 2)
        }
        assert len(colours) > 3, gallery.list.item(number).text()


@pytest.mark.parametrize("name", LESSONS)
def test_the_picture_is_that_of_the_graph_that_the_program_makes(name):
    lesson = LESSONS[name]
    graph = run(lesson.program, Options(order=lesson.order)).graph(lesson.pass_index)
    place = {node.id: number for number, node in enumerate(graph.nodes)}
    made = [
        [
            *(node.name, node.op, node.data),
            [place[child] for child in node.children if child in place],
            node.constant,
        ]
        for node in graph.nodes
    ]
    assert GRAPHS[name]["root"] == place[graph.root]
    kept = GRAPHS[name]["nodes"]
    assert [[*row[:2], *row[3:]] for row in kept] == [[*row[:2], *row[3:]] for row in made]
    assert [row[2] for row in kept] == pytest.approx([row[2] for row in made])
