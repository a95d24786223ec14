"""Lecture mode: what is projected, its keys, and that everything is as before afterwards."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QFontMetricsF, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QLabel, QToolTip, QWidget

from chainstep.api import record
from chainstep.lesson import lessons
from chainstep.program import examples
from chainstep.settings import Theme
from chainstep.trace import Outcome, Status
from chainstep.ui.caption import Words, broken, height_for, set_in
from chainstep.ui.lecture import LectureView
from chainstep.ui.lecturing import REFUSAL, STILL, WAITS
from chainstep.ui.palette import CONTRAST, DARK, LIGHT
from chainstep.ui.session import Session, View, prepare
from chainstep.ui.teaching import UNSAVED
from chainstep.ui.telling import leading
from chainstep.ui.theme import Look

Key = Qt.Key
SIZES = ((1280, 720), (1920, 1080), (3840, 2160))
LESSONS = {lesson.name: lesson for lesson in lessons()}


def begin(window) -> LectureView:
    window.parts.actions["lecture"].trigger()
    view = window.parts.lecturing.view
    assert view is not None
    return view


def press(view, *keys) -> None:
    for key in keys:
        QTest.keyClick(view, key)


@pytest.fixture
def lecture(window, show) -> LectureView:
    show("forced")
    return begin(window)


def shape(window):
    """All that has to be as before."""
    parts = window.parts
    sizes = {name: splitter.sizes() for name, splitter in parts.splitters.items()}
    viewport = parts.stage._viewport
    return (
        *(sizes, window.windowState(), window.menuBar().isVisible(), window.look),
        *(window.session.view, viewport.scale, viewport.centre, window.settings.theme),
        *(window.settings.scale, window.centralWidget().currentIndex(), window.acceptDrops()),
        (parts.side.is_open("step"), parts.side.is_open("code"), parts.side.tabs.page),
    )


def test_escape_leaves_and_everything_but_the_step_is_as_before(window, show):
    show("forced")
    window.session.set_view(View.BOTH)
    QApplication.processEvents()
    before, focus = shape(window), window.focusWidget()
    view = begin(window)
    assert not window.menuBar().isVisible()
    for name in ("view_overwrite", "larger", "theme_dark", "zoom_in", "lecture_values"):
        window.parts.actions[name].trigger()
    press(view, Key.Key_PageDown)
    press(view, Key.Key_Escape)
    QApplication.processEvents()
    assert not window.parts.lecturing.is_on
    assert shape(window) == before
    assert window.focusWidget() is focus
    assert window.session.place.number == 1


def test_a_desktop_that_answers_late_does_not_keep_the_window_on_the_whole_screen(window, show):
    show("forced")
    before = window.windowState(), window.geometry()
    begin(window)
    window.parts.lecturing.leave()
    # What was asked for at the beginning, told after the end.
    window.setWindowState(Qt.WindowState.WindowFullScreen)
    begin(window)
    window.parts.lecturing.leave()
    QApplication.processEvents()
    assert (window.windowState(), window.geometry()) == before


@pytest.mark.parametrize("goes", [False, True])
def test_where_the_keys_were_is_gone_afterwards_they_are_at_what_is_there(window, show, goes):
    show("forced")
    session = window.session
    session.prediction.set_policy("every")
    session.seek_backward(8)
    session.step_into()
    QApplication.processEvents()
    assert window.focusWidget() is window.parts.questions.field
    view = begin(window)
    session.answer("21")
    if goes:
        session.prediction.set_policy("off")
    press(view, Key.Key_Escape)
    QApplication.processEvents()
    questions, stage = window.parts.questions, window.parts.stage
    assert window.focusWidget() is (stage.canvases[0] if goes else questions.next)


def test_what_is_projected_has_colours_and_a_size_of_its_own_that_are_kept(window, lecture):
    assert lecture._look == Look(LIGHT, 200)
    window.parts.actions["theme_dark"].trigger()
    window.parts.actions["smaller"].trigger()
    assert lecture._look == Look(DARK, 175)
    assert window.theme is Theme.DARK
    press(lecture, Key.Key_Escape)
    assert window.theme is Theme.SYSTEM
    assert begin(window)._look == Look(DARK, 175)
    window.parts.actions["normal"].trigger()
    assert window.parts.lecturing.look.percent == 200


def test_one_key_goes_through_light_dark_and_high_contrast(window, lecture):
    found = []
    for _ in range(3):
        press(lecture, Key.Key_K)
        found.append(lecture._look.palette)
    assert found == [DARK, CONTRAST, LIGHT]


@pytest.mark.parametrize("key", [Key.Key_PageDown, Key.Key_Space, Key.Key_Right, Key.Key_Return])
def test_the_keys_of_a_clicker_make_one_write_at_a_time(window, lecture, key):
    for number in (1, 2, 3):
        press(lecture, key)
        assert window.session.place.number == number


@pytest.mark.parametrize("key", [Key.Key_PageUp, Key.Key_Left, Key.Key_Backspace])
def test_and_take_one_back(window, lecture, key):
    window.session.seek_backward(5)
    press(lecture, key)
    assert window.session.place.number == 4


def test_up_and_down_go_by_a_whole_backward_and_home_and_end_to_the_ends(window, lecture):
    window.session.seek_backward(1)
    press(lecture, Key.Key_Down)
    assert window.session.place.number == 4
    press(lecture, Key.Key_Up)
    assert window.session.place.number == 1
    press(lecture, Key.Key_End)
    assert window.session.at_end
    press(lecture, Key.Key_Home)
    assert window.session.at_start


def test_a_number_and_enter_go_to_that_step(window, lecture):
    press(lecture, Key.Key_1, Key.Key_0)
    assert lecture.plate.text() == "Step 10 of 12: Enter goes there"
    press(lecture, Key.Key_Enter)
    assert window.session.place.number == 10
    assert lecture.plate.isHidden()


def test_a_number_beyond_the_end_says_so_and_escape_first_takes_the_number_back(window, lecture):
    press(lecture, Key.Key_9, Key.Key_9)
    assert lecture.plate.text() == "Step 12 is the last"
    press(lecture, Key.Key_Return)
    assert lecture.plate.text() == "There are only 12 here: step 12 is the last."
    assert window.session.place.number == 0
    press(lecture, Key.Key_4, Key.Key_Backspace)
    assert lecture.plate.isHidden()
    press(lecture, Key.Key_4, Key.Key_Escape)
    assert lecture.typed == ""
    assert window.parts.lecturing.is_on


def test_a_number_where_nothing_is_recorded_says_that_there_are_no_steps(window, session):
    view = begin(window)
    assert session.course is None
    for keys in ((Key.Key_3,), (Key.Key_Return,)):
        press(view, *keys)
        assert view.plate.text() == "There are no steps to go to."
    assert view.typed == ""


def test_a_run_that_fails_in_a_lecture_says_so_and_the_graph_stays(window, lecture, recordings):
    failed = replace(
        recordings["forced"],
        outcome=Outcome(Status.EXCEPTION, "NameError: name 'x' is not defined.", 10),
    )
    window.session._adopt(prepare(failed))
    assert lecture.plate.isVisible()
    assert lecture.plate.text() == (
        "The program failed in line 10. Esc leaves the lecture and shows why."
    )


@pytest.mark.parametrize("key", [Key.Key_B, Key.Key_Period])
def test_a_key_makes_the_screen_black_and_any_key_brings_it_back_without_a_step(
    window, lecture, key
):
    press(lecture, key)
    assert lecture.curtain.isVisible()
    assert lecture.curtain.geometry() == lecture.rect()
    assert lecture.curtain.grab().toImage().pixelColor(50, 50).name() == "#000000"
    press(lecture, Key.Key_PageDown)
    assert not lecture.curtain.isVisible()
    assert window.session.place.number == 0


def test_the_light_falls_on_what_runs_and_then_follows_the_pointer(window, lecture):
    lecture.viewport_.animated = False
    window.session.seek_backward(2)
    press(lecture, Key.Key_S)
    canvas = lecture.canvases[0]
    card = canvas.card_rectangle(4)
    assert lecture.spotlight.isVisible()
    assert lecture.spotlight.at == QPointF(canvas.viewport().mapTo(lecture, card.center()))
    QTest.mouseMove(canvas.viewport(), QPoint(200, 150))
    QApplication.processEvents()
    assert lecture.spotlight.at == QPointF(canvas.viewport().mapTo(lecture, QPoint(200, 150)))
    press(lecture, Key.Key_S)
    assert not lecture.spotlight.isVisible()


def test_zooming_to_the_edge_brings_its_two_cards_into_the_middle_and_back(window, lecture):
    lecture.viewport_.animated = False
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1920, 1080)
    QApplication.processEvents()
    window.session.seek_backward(3)
    before = lecture.viewport_.scale
    press(lecture, Key.Key_Z)
    canvas = lecture.canvases[0]
    assert lecture.viewport_.scale > before
    for number in (3, 4, 6, 9):
        window.session.seek_backward(number)
        for node in (window.session.moment.node, canvas._moment.active()[-1]):
            assert canvas.visible_area().holds(canvas._drawing.card(node))
    press(lecture, Key.Key_Z)
    assert lecture.viewport_.scale == before


def test_an_edge_too_long_for_the_scale_of_the_others_is_shown_whole_all_the_same(window, lecture):
    lecture.viewport_.animated = False
    window.setWindowState(Qt.WindowState.WindowNoState)
    window.resize(1280, 720)
    window.session.set_view(View.BOTH)
    QApplication.processEvents()
    press(lecture, Key.Key_Z)
    canvas = lecture.canvases[0]
    scales = set()
    for number in (3, 4, 6, 7, 9, 10):
        window.session.seek_backward(number)
        scales.add(round(lecture.viewport_.scale, 4))
        for node in (window.session.moment.node, canvas._moment.active()[-1]):
            assert canvas.visible_area().holds(canvas._drawing.card(node)), (number, node)
    assert len(scales) > 1


def test_one_pane_has_all_the_room_after_there_were_two(window, lecture):
    height = lecture.canvases[0].height()
    window.session.set_view(View.BOTH)
    QApplication.processEvents()
    assert lecture.canvases[0].height() < height
    window.session.set_view(View.ACCUMULATE)
    QApplication.processEvents()
    assert lecture.canvases[0].height() == height


def test_tables_and_code_are_there_only_when_asked_for_and_leave_the_keys_alone(window, lecture):
    assert not lecture.panels
    press(lecture, Key.Key_V, Key.Key_E)
    assert lecture.panels["values"].isVisible()
    assert lecture.panels["code"].isVisible()
    press(lecture, Key.Key_PageDown)
    assert window.session.place.number == 1
    press(lecture, Key.Key_V)
    assert not lecture.panels["values"].isVisible()


@pytest.mark.parametrize(
    ("percent", "view"),
    [
        *((100, View.BOTH), (200, View.ACCUMULATE), (200, View.BOTH)),
        (300, View.ACCUMULATE),
    ],
)
def test_the_table_has_the_gradients_on_show_and_the_row_of_the_step_in_sight(
    session, show, qtbot, percent, view
):
    show("written")
    session.set_view(view)
    lecture = LectureView(session, Look(LIGHT, percent))
    qtbot.addWidget(lecture)
    lecture.resize(1280, 720)
    lecture.show()
    lecture.toggle_panel("values")
    panel = lecture.panels["values"]
    QApplication.processEvents()
    table, titles = panel.table, [column.title for column in panel.values.columns]
    shown = [title for at, title in enumerate(titles) if not table.isColumnHidden(at)]
    wanted = ["name", "grad +=", "grad ="][: 3 if view is View.BOTH else 2]
    assert shown == wanted if percent == 300 else {*wanted, "data"} <= {*shown}
    assert table.horizontalScrollBar().maximum() == 0
    for button in (panel.switch, panel._hint):
        assert button.isHidden() or button.width() >= button.sizeHint().width()
    for number in range(1, session.backward_length + 1):
        session.seek_backward(number)
        step = session.primary.stepper.current
        row = panel.values.row_of(step.node if step.target is None else step.target)
        place = table.visualRect(panel.values.index(row, 0))
        assert table.viewport().rect().contains(place.center())


def test_no_command_puts_a_dialog_over_what_is_projected(window, lecture, monkeypatch):
    monkeypatch.setattr(QFileDialog, "open", lambda *_: pytest.fail("a dialog"))
    refused = set()
    actions = window.parts.actions
    for id_, command in actions.commands.items():
        if id_ in ("quit", "lecture", "lecture_notes"):
            continue
        if actions.gate(command):
            refused.add(id_)
            assert not actions[id_].isEnabled()
            assert actions[id_].statusTip() in (REFUSAL, UNSAVED)
        actions[id_].trigger()
        QApplication.processEvents()
        dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog)]
        assert not [w for w in dialogs if w.isVisible()], id_
    assert {"preferences", "open", "save_as", "about", "keys", "palette", "reset_layout"} <= refused
    assert window.parts.lecturing.is_on


def test_pages_that_were_open_before_are_away_for_as_long_as_the_lecture(window, show):
    show("forced")
    for name in ("rules", "keys", "findings_help"):
        window.parts.actions[name].trigger()
    pages = [each for each in window.findChildren(QDialog) if each.isVisible()]
    assert len(pages) == 3
    view = begin(window)
    assert not any(page.isVisible() for page in pages)
    press(view, Key.Key_Escape)
    assert all(page.isVisible() for page in pages)
    for page in pages:
        page.close()


def test_no_hint_and_no_menu_appears_over_what_is_projected(window, lecture):
    window.session.prediction.set_policy("every")
    press(lecture, Key.Key_V, Key.Key_E, Key.Key_PageDown)
    QApplication.processEvents()
    for widget in (lecture, *lecture.findChildren(QWidget)):
        if widget.isVisible():
            middle = widget.rect().center()
            place = widget.mapToGlobal(middle)
            QApplication.sendEvent(widget, QHelpEvent(QEvent.Type.ToolTip, middle, place))
            mouse = QContextMenuEvent.Reason.Mouse
            QApplication.sendEvent(widget, QContextMenuEvent(mouse, middle, place))
            assert not QToolTip.isVisible(), widget
            assert QApplication.activePopupWidget() is None, widget
    tops = {w for w in QApplication.topLevelWidgets() if w.isVisible()}
    assert tops == {window}


def test_questions_about_files_wait_behind_the_same_line(window, tmp_path, qtbot):
    path = tmp_path / "student.py"
    path.write_text("x = 1\n")
    window.parts.files.open_path(path)
    window.parts.editor.insertPlainText("mine ")
    view = begin(window)
    path.write_text("theirs\n")
    qtbot.waitUntil(view.plate.isVisible)
    assert view.plate.text() == WAITS
    path.unlink()
    window.parts.files._compare()
    assert not window.parts.offers.isVisible()
    tops = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    assert tops == [window]
    press(view, Key.Key_Escape)
    assert window.parts.offers.isVisible()


def test_motion_can_be_switched_off_and_on_by_a_key_where_the_desktop_allows_it(
    window, lecture, monkeypatch
):
    viewport = lecture.viewport_
    assert viewport.motion.enabled
    press(lecture, Key.Key_J)
    assert not viewport.motion.enabled
    assert not window.settings.moves
    centre = (viewport.centre[0] + 50, viewport.centre[1])
    viewport.follow(centre)
    # Nothing glides either.
    assert viewport.centre == centre
    press(lecture, Key.Key_J)
    assert viewport.motion.enabled
    monkeypatch.setattr("chainstep.ui.motion.system_moves", lambda: False)
    window.parts.actions.refresh()
    assert window.parts.actions["lecture_motion"].statusTip() == STILL
    press(lecture, Key.Key_J)
    assert window.settings.moves


def test_the_light_leaves_the_sentence_as_it_is(window, lecture):
    press(lecture, Key.Key_S)
    window.session.prediction.set_policy("every")
    press(lecture, Key.Key_PageDown)
    QApplication.processEvents()
    for widget in (lecture.caption, lecture.answers):
        assert widget.isVisible()
        assert not lecture.spotlight.geometry().intersects(widget.geometry())


def test_messages_wait_behind_a_calm_line_and_are_there_afterwards(window, lecture):
    window.show_fault("Something of ours went wrong.")
    assert lecture.plate.text() == WAITS
    assert not window.parts.bar.isVisible()
    press(lecture, Key.Key_Escape)
    assert window.parts.bar.isVisible()
    assert window.parts.bar.words.text() == "Something of ours went wrong."


def test_outside_of_a_lecture_its_commands_say_where_they_belong(window, show):
    show("forced")
    assert window.parts.actions["lecture_spotlight"].statusTip().endswith("F12 begins it.")
    assert not window.parts.actions["lecture_notes"].isEnabled()


def test_the_lecturer_sees_notes_the_next_step_and_the_time(window, lecture, monkeypatch):
    example = next(e for e in examples() if e.name == "diamond")
    window.session.example = replace(example, text=window.session.program.text)
    window.parts.actions["lecture_notes"].trigger()
    notes = window.parts.lecturing.notes
    assert notes is not None
    window.session.seek_backward(8)
    assert notes.step.text() == "diamond.py: Step 8 of 12"
    assert notes.now.text().startswith("c runs _backward")
    assert notes.next.text() == "c gives a 6.0:  21.0 = 15.0 + 1.0 × 6.0"
    assert "a gets 15.0 by way of d" in notes.notes.text()
    assert ":" in notes.clock.text()
    monkeypatch.setattr("chainstep.ui.lecturer.time.monotonic", lambda: notes._began + 3725.9)
    notes._tick()
    assert notes.elapsed.text() == "1:02:05"
    window.session.run_to_end()
    assert notes.next.text() == "That was the last step."


def test_the_lecturer_sees_the_notes_of_the_lesson_and_nobody_else_does(
    window, runner, recordings, qtbot
):
    runner.at_once = recordings["forced"]
    lesson = LESSONS["diamond"]
    window.parts.teaching.open(lesson)
    view = begin(window)
    window.parts.actions["lecture_notes"].trigger()
    notes = window.parts.lecturing.notes.notes
    # While the program runs there is no step yet, and none was the last.
    assert window.parts.lecturing.notes._ahead() == ""
    qtbot.waitUntil(lambda: window.session.recording is not None)
    assert notes.text().startswith("Lesson 5 of 17: ")
    assert lesson.title in notes.text()
    assert notes.textFormat() is Qt.TextFormat.MarkdownText
    assert "coincidence of the last path" in notes.text()
    assert all("coincidence" not in label.text() for label in view.findChildren(QLabel))
    assert all("coincidence" not in piece.text for piece in view.caption.pieces)
    window.parts.teaching.leave()
    assert notes.text() == "This program has no notes."
    assert notes.textFormat() is Qt.TextFormat.PlainText


def test_a_lesson_without_notes_says_so_to_the_lecturer(window, lecture):
    window.parts.actions["lecture_notes"].trigger()
    teaching = window.parts.teaching
    teaching.current = replace(LESSONS["square"], notes="")
    teaching.changed.emit()
    notes = window.parts.lecturing.notes.notes
    assert "This lesson has no notes." in notes.text()


def test_keys_on_the_lecturers_window_mean_what_they_mean_on_the_projected_one(window, lecture):
    window.parts.actions["lecture_notes"].trigger()
    notes = window.parts.lecturing.notes
    press(notes, Key.Key_PageDown, Key.Key_PageDown)
    assert window.session.place.number == 2
    press(notes, Key.Key_V)
    assert lecture.shows("values")
    # With their modifiers they are other keys.
    QTest.keyClick(notes, Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
    assert window.session.place.number == 2
    QTest.keyClick(notes, Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    assert window.session.prediction.policy == "every"
    press(notes, Key.Key_Escape)
    assert not window.parts.lecturing.is_on
    assert window.parts.lecturing.notes is None


def test_the_lecturers_window_names_the_keys_that_commands_have_now(window, lecture, settings):
    window.parts.actions["lecture_notes"].trigger()
    keys = window.parts.lecturing.notes.keys
    told = keys.text().replace("\N{NO-BREAK SPACE}", " ").split(" · ")
    assert {"PgDn Space next", "→ ← a write", "Q answer", "X swap screens", "Esc ends"} <= {*told}
    settings.keys = {
        "lecture_spotlight": ((), ("L", "Ctrl+9")),
        "back_into": (("Ctrl+F11",), ("H",)),
        "lecture_motion": ((), ()),
        "step_into": (("F11",), ("Up",)),  # which is a whole _backward in a lecture
    }
    window.parts.desk.take_keys()
    told = keys.text().replace("\N{NO-BREAK SPACE}", " ").split(" · ")
    assert {"L spotlight", "F11 H a write"} <= {*told}
    assert not any("motion" in each for each in told)


def test_closing_the_window_in_a_lecture_leaves_it_first(window, lecture):
    window.close()
    assert not window.parts.lecturing.is_on


# -- what is readable ---------------------------------------------------------------------------


def recorded(text, name):
    """The recording of an example, made here."""
    names: dict[str, object] = {}
    exec(compile(text, name, "exec"), names)
    values = [v for v in names.values() if hasattr(v, "data") and hasattr(v, "grad")]
    values = [v for v in values if not isinstance(v, type)]
    return record(values[-1], mode="both")


@pytest.fixture(scope="module")
def diamond_pass():
    return recorded(next(e for e in examples() if e.name == "diamond").program.text, "diamond")


def adopted(recording, view) -> Session:
    session = Session(lambda *_: pytest.fail("nothing runs here"))
    session._wished_view = view
    session._adopt(prepare(recording))
    return session


def places(session):
    """Some places of the backward phase: all of a short one."""
    length = session.backward_length
    return range(0, length + 1, max(1, length // 12))


@pytest.mark.parametrize("view", [View.ACCUMULATE, View.BOTH])
def test_the_diamond_is_seen_whole_in_a_small_lecture(qtbot, diamond_pass, view):
    session = adopted(diamond_pass, view)
    shown = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(shown)
    shown.viewport_.animated = False
    shown.resize(1280, 720)
    shown.show()
    for place in places(session):
        session.seek_backward(place)
        for canvas in shown.canvases:
            area = canvas.visible_area()
            assert all(area.holds(canvas._drawing.card(n.id)) for n in session.graph.nodes)
    session.close()


@pytest.mark.parametrize(("place", "whole"), [(11, "16.0"), (12, "21.0")])
def test_the_caption_of_a_leaf_that_differs_speaks_of_both_modes(qtbot, diamond_pass, place, whole):
    session = adopted(diamond_pass, View.BOTH)
    shown = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(shown)
    shown.resize(1280, 720)
    shown.show()
    session.seek_backward(place)
    said = " ".join(piece.text for piece in shown.caption.pieces)
    assert f"With = its gradient is 6.0 and not {whole}." in said
    session.close()


@pytest.mark.parametrize("percent", [100, 150, 300])
def test_a_caption_never_loses_a_word_of_its_sentence_or_formula(percent):
    look = Look(LIGHT, percent)
    words = Words(
        "((…) + relu(b + a)) gives (a*b + b**3 + (a*b + b**3)*2) 0.2614",
        "∂(a*b + b**3 + (a*b + b**3)*2)/∂(a*b + b**3) = 1.0,  ∂(a*b + b**3)/∂(b**3) = 1.0",
        ("One sentence.", "Another sentence that says a little more than the first one does."),
    )
    for width, height in SIZES:
        high = height_for(look, height)
        pieces = set_in(words, look, width, high)
        shown = "".join(p.text for p in pieces if p.color != "muted").replace(" ", "")
        assert shown.replace(":", "") == (words.title + words.formula).replace(" ", "")
        assert all(p.base + QFontMetricsF(p.font).descent() <= high + 1 for p in pieces)


def test_a_word_longer_than_a_line_is_cut_into_lines_that_fit():
    metrics = QFontMetricsF(Look(LIGHT).mono(20))
    lines = broken("a " + "b" * 40, metrics, metrics.horizontalAdvance("b" * 15))
    assert lines == ["a", "b" * 15, "b" * 15, "b" * 10]


def test_a_word_without_end_is_cut_by_measuring_little_of_it():
    metrics = QFontMetricsF(Look(LIGHT).mono(20))
    measured = []

    class Counted:
        def horizontalAdvance(self, text):  # noqa: N802  Qt's name
            measured.append(len(text))
            return metrics.horizontalAdvance(text)

    lines = broken("b" * 3000, Counted(), metrics.horizontalAdvance("b" * 15))
    assert lines == ["b" * 15] * 200
    assert sum(measured) < 3000 * 700


def test_without_a_graph_the_sentence_still_stands_at_the_bottom(qtbot):
    session = Session(lambda *_: pytest.fail("nothing runs here"))
    view = LectureView(session, Look(LIGHT, 200))
    qtbot.addWidget(view)
    view.resize(1280, 720)
    view.show()
    QApplication.processEvents()
    assert view.caption.geometry().bottom() == view.rect().bottom()
    view.close()
    session.close()


def test_a_title_that_has_a_colon_ends_before_its_formula():
    assert leading("c gives a 6.0") == "c gives a 6.0:"
    assert leading("b runs _backward: nothing to do") == "b runs _backward: nothing to do."
