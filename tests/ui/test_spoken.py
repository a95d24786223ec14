"""What a screen reader gets: names, the graph in words, and an order that makes sense."""

from __future__ import annotations

import pytest
from panes import Panes
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTabBar,
    QWidget,
)
from scenes import diamond

from chainstep.lesson import lessons
from chainstep.ui import bar, lecture, lesson_bar, question_bar, spoken
from chainstep.ui.session import View

FOCUSABLE = (QAbstractButton, QAbstractScrollArea, QAbstractSpinBox, QComboBox, QLineEdit, QTabBar)


@pytest.fixture
def heard(monkeypatch):
    """As if somebody listened; what is announced."""
    said: list[str] = []
    monkeypatch.setattr(spoken, "is_heard", lambda: True)
    monkeypatch.setattr(spoken, "announce", lambda _, text: said.append(text))
    return said


def test_the_graph_tells_every_node_with_its_numbers_and_which_is_selected(qtbot, heard):
    panes = Panes(qtbot, diamond(), View.ACCUMULATE, (900, 600))
    panes.seek(panes.session.backward_length)
    panes.session.select(0)
    told = panes.canvas.viewport().accessibleDescription()
    node = panes.session.graph.node(0)
    assert f"Selected: {node.name}, leaf" in told
    for each in panes.session.graph.nodes:
        assert f"{each.name}, " in told
        assert f"data = {each.data!r}" in told
    assert told.count("(final)") >= len(panes.session.graph.nodes)


def test_a_step_and_a_selection_are_announced_at_once(qtbot, heard):
    panes = Panes(qtbot, diamond(), View.ACCUMULATE, (900, 600))
    panes.seek(2)
    told = panes.canvas._voice.told_step(panes.session.primary)
    assert heard == [told] == [panes.canvas.accessibleDescription()]
    panes.session.select(1)
    assert heard[1].startswith(f"{panes.session.graph.node(1).name}, leaf")
    assert heard[1:] == [panes.canvas.accessibleDescription()]


def test_readers_read_a_new_description_where_the_keyboard_is_and_hear_it_only_once(
    qtbot, monkeypatch
):
    panes = Panes(qtbot, diamond(), View.BOTH, (900, 600))
    monkeypatch.setattr(spoken, "is_heard", lambda: True)
    events: list[tuple[QAccessible.Event, object]] = []
    monkeypatch.setattr(
        QAccessible,
        "updateAccessibility",
        lambda event: events.append((event.type(), event.object())),
    )
    canvas, before = panes.canvas, panes.canvas.accessibleDescription()
    monkeypatch.setattr(canvas, "hasFocus", lambda: True)
    panes.seek(2)
    assert events == []
    assert canvas.accessibleDescription() != before
    # The numbers of all nodes change, too: they are to be found, not to be listened to.
    assert "data = " not in canvas.accessibleDescription()
    assert "data = " in canvas.viewport().accessibleDescription()
    monkeypatch.setattr(canvas, "hasFocus", lambda: False)
    panes.seek(3)
    assert events == [(QAccessible.Event.Announcement, canvas)]


def test_an_announcement_reaches_qt_where_somebody_listens(qtbot, monkeypatch):
    widget = QWidget()
    qtbot.addWidget(widget)
    events: list[QAccessible.Event] = []
    monkeypatch.setattr(spoken, "is_heard", lambda: True)
    monkeypatch.setattr(
        QAccessible, "updateAccessibility", lambda event: events.append(event.type())
    )
    spoken.announce(widget, "a gets 6.0")
    assert QAccessible.Event.Announcement in events


@pytest.fixture
def told(monkeypatch):
    """What is announced beside the steps, each with the kind of widget that says it."""
    said: list[tuple[str, str]] = []
    for module in (question_bar, lesson_bar, lecture, bar):
        monkeypatch.setattr(
            module, "announce", lambda widget, text: said.append((type(widget).__name__, text))
        )
    return said


def test_questions_and_what_becomes_of_them_are_announced_once_each(window, session, show, told):
    show("forced")
    session.prediction.set_policy("every")
    session.seek_backward(8)
    told.clear()
    session.step_into()
    session.answer("six")
    session.answer("6")
    assert [widget for widget, _ in told] == ["QuestionBar"] * 3
    asked, unread, judged = (text for _, text in told)
    assert asked.startswith("Question: c gives a a contribution, the second.")
    assert "'six' is no number" in unread
    assert judged.startswith("Wrong. Not 6.0: the gradient of a is 21.0.")
    session.prediction.set_policy("off")
    told.clear()
    session.engine.begin()
    session.answer("a")
    assert "which node runs its _backward next?" in told[0][1]
    assert "a is a leaf" in told[1][1]


def test_a_lesson_and_its_answer_are_announced(window, session, runner, recordings, told):
    runner.at_once = recordings["forced"]
    lesson = next(each for each in lessons() if each.name == "diamond")
    window.parts.teaching.open(lesson)
    (said,) = {text for widget, text in told if widget == "LessonBar"}
    assert lesson.title in said
    assert lesson.question.split("`")[0] in said
    told.clear()
    window.parts.teaching.toggle_answer()
    assert ["Answer" in text for _, text in told] == [True]


def test_in_a_lecture_all_is_said_once_by_what_is_projected(window, session, show, told, heard):
    show("forced")
    window.parts.actions["lecture"].trigger()
    view = window.parts.lecturing.view
    told.clear()
    session.step_into()
    assert [widget for widget, _ in told] == ["LectureView"]
    assert told[0][1].startswith("Seed: the gradient of e. partial e by partial e = 1.0")
    assert view.accessibleDescription() == told[0][1]
    assert heard == []
    told.clear()
    session.prediction.set_policy("every")
    session.seek_backward(8)
    session.step_into()
    session.answer("21")
    said = [text for _, text in told]
    assert said[-2].startswith("c gives a a contribution, the second.")
    assert said[-1].startswith("✓ Right: the gradient of a is 21.0")
    assert {widget for widget, _ in told} == {"LectureView"}
    assert len(said) == len(set(said))


def test_a_message_is_announced(window, show, told):
    show("forced")
    window.parts.bar.say("mine.py cannot be read.")
    assert told == [("FaultBar", "mine.py cannot be read.")]


def test_a_button_for_a_menu_says_what_the_menu_is_for(window, show):
    show("forced")
    button = window.parts.examples
    for said in (button.toolTip(), button.statusTip(), button.accessibleDescription()):
        assert said == "Programs that come with Chainstep"


def test_every_widget_that_takes_the_keyboard_has_a_name(window, show):
    show("forced")
    for name in ("values", "history", "ledger", "watches", "breakpoints", "order"):
        window.parts.side.page(name)
    nameless = []
    for widget in window.findChildren(QWidget):
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and isinstance(widget, FOCUSABLE)
        inside = isinstance(widget.parent(), QAbstractSpinBox | QComboBox)
        if (
            not takes
            or inside
            or widget.window() is not window
            or widget.objectName().startswith("qt_")
        ):
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        name = interface.text(QAccessible.Text.Name) if interface is not None else ""
        if not (name or widget.accessibleName()):
            nameless.append(f"{type(widget).__name__} in {type(widget.parent()).__name__}")
    assert nameless == []


def test_tab_goes_from_the_tools_to_the_program_the_graph_and_then_to_the_panels(window, show):
    show("forced")
    parts = window.parts
    places = {"tools": parts.toolbar, "graph": parts.stage, "panels": parts.side}
    met: list[str] = []
    widget = start = parts.toolbar.buttons["run"]
    while not met or widget is not start:
        takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
        for name, place in places.items():
            is_there = place is widget or place.isAncestorOf(widget)
            if takes and is_there and met[-1:] != [name]:
                met.append(name)
        widget = widget.nextInFocusChain()
    assert met == ["tools", "graph", "panels"]


def test_signs_of_mathematics_are_words_where_a_formula_is_read_aloud(window, show):
    show("forced")
    window.session.seek_backward(6)
    window.session.select(0)
    panel = window.parts.side.step
    assert panel._symbols.text().startswith("∂")
    said = [panel.accessibleDescription()]
    for widget in panel.findChildren(QWidget):
        interface = QAccessible.queryAccessibleInterface(widget)
        said += [interface.text(QAccessible.Text.Name), widget.accessibleName()]
    assert (
        "partial e by partial a += partial d by partial a times partial e by partial d" in said[0]
    )
    assert not [text for text in said for sign in "∂·×" if sign in text]


def test_the_notice_above_the_graph_is_told_once(window, show):
    show("half")
    strip = window.parts.stage.strip
    assert strip.accessibleName() == "The program failed in line 7. ZeroDivisionError."
    interface = QAccessible.queryAccessibleInterface(strip)
    assert interface.text(QAccessible.Text.Description).strip() == ""
