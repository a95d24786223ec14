"""Other numbers for leaves: changed, undone, redone, marked, and given to another text."""

import math

import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from chainstep import app
from chainstep.options import Options
from chainstep.program import Program
from chainstep.ui.data_editor import TICKS, Scale
from chainstep.ui.session import View

A, B, C = 0, 1, 2

TWO = """\
from chainstep import Value

a = Value(2.0)
b = Value(3.0)
c = a * b
d = c + a
"""


@pytest.fixture
def live(qtbot, settings):
    """A window that runs programs for real."""
    window = app.make_window(settings, Options())
    window.resize(1280, 720)
    window.show()
    yield window
    window._may_close = True
    window.close()
    window.deleteLater()


def ran(window, qtbot):
    """Wait until nothing runs and nothing is left to be run."""
    what_if = window.parts.what_if
    qtbot.waitUntil(lambda: not window.session.running and not what_if._due)


def run(window, qtbot, text=TWO):
    window.parts.files.show(Program("two.py", text), run=True)
    ran(window, qtbot)


def node(window, name):
    return next(n for n in window.session.graph.nodes if n.name == name)


def data(window, name):
    return node(window, name).data


# -- running again ------------------------------------------------------------------------


def test_a_leaf_with_another_number_is_run_again_and_the_step_is_kept(live, qtbot):
    run(live, qtbot)
    live.session.seek_backward(5)
    live.parts.what_if.set_number(node(live, "b"), -4.0)
    ran(live, qtbot)
    assert (data(live, "b"), data(live, "c"), data(live, "d")) == (-4.0, -8.0, -6.0)
    assert live.session.backward_position == 5
    assert live.parts.what_if.words() == "b = -4.0 instead of 3.0"
    assert live.session.tried == {node(live, "b").id}
    assert live.session.program.text == TWO
    assert not live.isWindowModified()


def test_the_canvas_shows_the_numbers_of_the_run_that_is_on_show(live, qtbot):
    run(live, qtbot)
    live.parts.what_if.set_number(node(live, "b"), -4.0)
    ran(live, qtbot)
    # A graph of the same shape may come with the very layout of the one before.
    drawing = live.parts.stage.canvases[0]._drawing
    assert drawing.graph is live.session.graph
    assert drawing.graph.node(node(live, "c").id).data == -8.0


def test_numbers_are_taken_back_made_again_and_reset(live, qtbot):
    run(live, qtbot)
    what_if, actions = live.parts.what_if, live.parts.actions
    what_if.set_number(node(live, "b"), -4.0)
    ran(live, qtbot)
    what_if.set_number(node(live, "a"), 1.0)
    ran(live, qtbot)
    assert data(live, "d") == -3.0
    actions["undo_what_if"].trigger()
    ran(live, qtbot)
    assert (data(live, "a"), data(live, "b")) == (2.0, -4.0)
    actions["undo_what_if"].trigger()
    ran(live, qtbot)
    assert data(live, "d") == 8.0
    assert live.session.tried == frozenset()
    assert not actions["undo_what_if"].isEnabled()
    actions["redo_what_if"].trigger()
    ran(live, qtbot)
    assert data(live, "b") == -4.0
    actions["reset_what_if"].trigger()
    ran(live, qtbot)
    assert data(live, "d") == 8.0
    actions["undo_what_if"].trigger()
    ran(live, qtbot)
    assert data(live, "b") == -4.0, "a reset can be undone too"


def test_what_comes_in_quick_succession_is_run_once_nothing_runs_and_the_last_counts(live, qtbot):
    run(live, qtbot)
    b = node(live, "b")
    for number in range(40):
        live.parts.what_if.set_number(b, float(number), joins=number > 0)
    ran(live, qtbot)
    assert data(live, "b") == 39.0
    live.parts.what_if.undo()
    ran(live, qtbot)
    assert data(live, "b") == 3.0, "what a slider was drawn over is one change"


def test_a_number_with_which_the_program_fails_can_be_taken_back(live, qtbot):
    run(
        live,
        qtbot,
        "from chainstep import Value\na = Value(2.0)\nb = 1 / (a.data - 1)\nc = a * b\n",
    )
    live.parts.what_if.set_number(node(live, "a"), 1.0)
    ran(live, qtbot)
    assert not live.session.panes or live.session.recording.outcome.message
    assert live.parts.what_if_strip.isVisible()
    live.parts.actions["undo_what_if"].trigger()
    ran(live, qtbot)
    assert data(live, "c") == 2.0


def test_in_another_text_the_leaf_of_the_same_name_gets_the_number(live, qtbot):
    run(live, qtbot)
    live.parts.what_if.set_number(node(live, "b"), -4.0)
    ran(live, qtbot)
    live.session.set_text(
        TWO.replace("a = Value", "z = Value(7.0)\na = Value").replace("+ a", "+ z")
    )
    live.session.run()
    ran(live, qtbot)
    qtbot.waitUntil(lambda: live.session.tried != frozenset())
    assert (data(live, "b"), data(live, "d")) == (-4.0, -1.0)
    assert live.parts.what_if.words() == "b = -4.0 instead of 3.0"


def test_a_text_that_fails_does_not_make_one_lose_what_was_tried_out(live, qtbot):
    run(live, qtbot)
    live.parts.what_if.set_number(node(live, "b"), -4.0)
    ran(live, qtbot)
    live.session.set_text("a = (\n")
    live.session.run()
    ran(live, qtbot)
    live.session.set_text(f"# mended\n{TWO}")
    live.session.run()
    ran(live, qtbot)
    qtbot.waitUntil(lambda: live.session.tried != frozenset())
    assert data(live, "b") == -4.0


def test_a_leaf_that_another_text_has_no_more_is_forgotten(live, qtbot):
    run(live, qtbot)
    live.parts.what_if.set_number(node(live, "b"), -4.0)
    ran(live, qtbot)
    live.session.set_text(TWO.replace("b", "q"))
    live.session.run()
    ran(live, qtbot)
    assert live.parts.what_if.words() == ""
    assert data(live, "q") == 3.0
    assert live.parts.what_if_strip.isHidden()


def test_another_program_has_its_own_numbers(window, show, runner):
    show("forced")
    window.parts.what_if.set_number(node(window, "b"), -4.0)
    assert runner.last.options.data == ((B, -4.0),)
    window.parts.files.show(Program("other.py", "x"), run=False)
    assert window.session.options.data == ()
    assert window.parts.what_if.words() == ""
    assert not window.parts.actions["undo_what_if"].isEnabled()


def test_the_undo_of_the_text_and_that_of_numbers_are_apart(window, show, runner):
    show("forced")
    window.parts.what_if.set_number(node(window, "b"), -4.0)
    assert not window.parts.actions["undo"].isEnabled()
    window.parts.editor.insertPlainText("# ")
    window.parts.actions["undo"].trigger()
    assert window.parts.what_if.words() == "b = -4.0 instead of 3.0"
    texts = [window.parts.actions[i].text() for i in ("undo", "undo_what_if")]
    assert texts == ["&Undo typing", "Undo &what-if"]


# -- the strip and the card ---------------------------------------------------------------


def test_the_strip_says_what_is_tried_out(window, show):
    show("forced")
    strip = window.parts.what_if_strip
    assert strip.isHidden()
    window.parts.what_if.set_number(node(window, "b"), -4.0)
    assert strip.isVisible()
    assert strip.words.text == "What if: b = -4.0 instead of 3.0"
    assert strip.words.accessibleName() == strip.words.text


def test_a_card_says_that_its_number_is_tried_out(window, show, qtbot):
    show("forced")
    plain = window.grab().toImage()
    with qtbot.waitSignal(window.session.recording_changed):
        window.parts.what_if.set_number(node(window, "b"), 3.5)
    assert window.session.tried == {B}
    moment = window.parts.stage.canvases[0]._moment
    assert [moment.card(n).tried for n in window.session.graph.nodes] == [False, True, *[False] * 3]
    assert window.grab().toImage() != plain


# -- the editor ---------------------------------------------------------------------------


@pytest.fixture
def editor(window, show, qtbot):
    """The editor of the diamond's leaf b, open."""
    show("forced")
    with qtbot.waitActive(window):
        window.activateWindow()
    window.session.select(B)
    window.parts.actions["change_data"].trigger()
    editor = window.parts.data_editor
    assert editor.isVisible()
    return editor


def double_click(canvas, node_id):
    place = QPointF(canvas.card_rectangle(node_id).center())
    left = Qt.MouseButton.LeftButton
    event = QMouseEvent(
        QEvent.Type.MouseButtonDblClick,
        place,
        canvas.viewport().mapToGlobal(place),
        left,
        left,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(canvas.viewport(), event)


def test_a_double_click_on_a_leaf_opens_the_editor_over_its_card(window, show, qtbot):
    show("forced")
    canvas = window.parts.stage.canvases[0]
    double_click(canvas, A)
    editor = window.parts.data_editor
    assert editor.isVisible()
    assert editor.parent() is canvas.viewport()
    assert canvas.viewport().rect().contains(editor.geometry())
    assert editor.geometry().adjusted(-9, -9, 9, 9).intersects(canvas.card_rectangle(A))
    assert (editor.name.text(), editor.field.text(), editor.own.text()) == (
        "a =",
        "2.0",
        "as in the program",
    )
    assert window.session.selected == A


def test_a_double_click_on_what_is_computed_says_why_not(window, show):
    show("forced")
    double_click(window.parts.stage.canvases[0], C)
    assert window.parts.data_editor.isHidden()
    assert "only the data of a leaf" in window.parts.status.keys.text


def test_the_editor_opens_over_the_lower_pane_too(window, show):
    show("forced")
    window.session.set_view(View.BOTH)
    for canvas in window.parts.stage.canvases:
        double_click(canvas, B)
        assert window.parts.data_editor.parent() is canvas.viewport()
        assert window.parts.data_editor.isVisible()


def test_enter_takes_the_number_and_gives_the_keys_back(window, editor, qtbot, runner):
    assert editor.field.hasFocus()
    editor.field.setText("−4")
    qtbot.keyClick(editor.field, Qt.Key.Key_Return)
    assert runner.last.options.data == ((B, -4.0),)
    assert editor.isHidden()
    assert window.parts.stage.canvases[0].hasFocus()


def test_what_is_no_number_is_refused_where_it_is_typed(editor, qtbot, runner):
    runs = len(runner.runs)
    qtbot.keyClicks(editor.field, "four")
    qtbot.keyClick(editor.field, Qt.Key.Key_Return)
    assert editor.own.text() == "That is no number."
    assert editor.isVisible()
    assert len(runner.runs) == runs


def test_keys_of_the_graph_are_the_editors_while_it_is_open(window, editor, qtbot):
    position = window.session.position
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Space):
        qtbot.keyClick(editor.field, key)
    qtbot.keyClicks(editor.field, "fan0+")
    assert window.session.position == position
    assert editor.isVisible()
    assert "fan0+" in editor.field.text()


def test_the_slider_runs_again_at_once_and_escape_takes_it_back(window, editor, runner, qtbot):
    runner.at_once = None
    editor.slider.setValue(TICKS // 2)
    editor.slider.setValue(TICKS)
    assert editor.field.text() == "9.0"
    assert editor.own.text() == "instead of 3.0"
    assert window.parts.what_if.edits.data == ((B, 9.0),)
    qtbot.keyClick(editor.slider, Qt.Key.Key_Escape)
    assert editor.isHidden()
    assert window.parts.what_if.edits.data == ()
    assert window.parts.what_if.edits.redoes == "b = 9.0"


def test_the_editor_can_give_the_leaf_its_own_number(window, editor):
    assert not editor.reset.isEnabled()
    editor.slider.setValue(TICKS)
    editor.reset.click()
    assert window.parts.what_if.edits.data == ()
    assert editor.field.text() == "3.0"
    assert editor.own.text() == "as in the program"


def test_the_editor_goes_when_the_focus_goes_elsewhere(window, editor):
    window.parts.editor.setFocus()
    assert editor.isHidden()


def test_the_editor_goes_with_the_program(window, editor):
    window.parts.files.show(Program("other.py", ""), run=False)
    assert editor.isHidden()


def test_everything_in_the_editor_has_a_name(editor):
    for part in (editor.field, editor.slider, editor.reset):
        assert part.accessibleName()
    assert editor.field.accessibleName() == "Data of b"


@pytest.mark.parametrize("own", [0.0, -3.0, 6.8813735870195432, 1e-9, 1e300, 5e-324, 0.7])
def test_a_slider_gives_short_numbers_and_the_programs_own_in_the_middle(own):
    scale = Scale(own, own)
    assert scale.number(0) == own
    assert scale.tick(own) == 0
    assert scale.number(-TICKS) < 0 < scale.number(TICKS) or abs(own) > 1
    for tick in (-TICKS, -1, 1, 17, TICKS):
        assert abs(scale.tick(scale.number(tick)) - tick) <= 1
    if 1e-3 < abs(own) < 1e3:
        assert len(repr(scale.number(17))) <= 8


@pytest.mark.parametrize("own", [math.nan, math.inf, -math.inf])
def test_a_slider_for_what_is_no_finite_number_still_has_a_middle(own):
    scale = Scale(own, own)
    assert (scale.number(0), scale.tick(own)) == (0.0, 0)


def test_a_slider_reaches_what_was_typed():
    assert Scale(1.0, 50.0).number(TICKS) == 50.0
