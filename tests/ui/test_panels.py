import itertools
import math
from dataclasses import replace

import pytest
from conftest import RECORDINGS
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QApplication
from test_recorder import record

from chainstep.program import Example, Program
from chainstep.story import Phase
from chainstep.trace import Mode, Outcome, Status
from chainstep.ui.buttons import Button
from chainstep.ui.output_panel import MOST_SHOWN, shown
from chainstep.ui.session import Place, View
from chainstep.ui.spoken import pronounced
from chainstep.ui.stage import broken
from chainstep.ui.step_panel import step_text
from chainstep.ui.telling import tell
from chainstep.ui.toolbar import MORE

A, B, C, D, E = range(5)


def texts(window, column):
    model = window.parts.side.page("values").values
    titles = [c.title for c in model.columns]
    section = titles.index(column)
    return {
        model.rows[row].name: model.index(row, section).data() for row in range(model.rowCount())
    }


# -- values -------------------------------------------------------------------------------


CHANGED = """\
from chainstep import Value
w = Value(2.0)
x = Value(3.0)
y = w * x
w.data = 100.25
y.backward()
x.grad = 0.0
"""


def test_no_number_of_the_values_is_cut_at_any_step(window, session, runner, qtbot):
    runner.at_once = record(CHANGED)
    session.open(Program("changed.py", CHANGED), run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    values, table = window.parts.side.page("values").values, window.parts.side.page("values").table
    table.setFixedWidth(200)  # nothing is to spare
    metrics = QFontMetrics(window.look.mono(12))
    seen = set()
    for position in range(session.length + 1):
        session.seek(position)
        for section, column in enumerate(values.columns):
            for row in range(values.rowCount()):
                if column.is_number and not table.isColumnHidden(section):
                    text = values.index(row, section).data() or ""
                    seen.add(text)
                    assert metrics.horizontalAdvance(text) <= table.columnWidth(section) - 6, text
    assert "100.2" in seen


def test_the_values_show_both_gradients_whatever_view_is_on(window, show):
    show("forced")
    window.session.run_to_end()
    for view in (View.ACCUMULATE, View.OVERWRITE, View.BOTH):
        window.session.set_view(view)
        assert texts(window, "grad +=") == {
            "a": "21.0",
            "b": "16.0",
            "c": "6.0",
            "d": "5.0",
            "e": "1.0",
        }
        assert texts(window, "grad =") == {
            "a": "6.0",
            "b": "6.0",
            "c": "6.0",
            "d": "5.0",
            "e": "1.0",
        }
        assert texts(window, "+= less =") == {"a": "15.0", "b": "10.0", "c": "", "d": "", "e": ""}
    assert texts(window, "data") == {"a": "2.0", "b": "3.0", "c": "5.0", "d": "6.0", "e": "30.0"}
    assert texts(window, "op") == {"a": "", "b": "", "c": "+", "d": "*", "e": "*"}


def test_as_written_is_a_column_where_there_is_such_a_pass(window, show):
    show("forced")
    assert "as written" not in [c.title for c in window.parts.side.page("values").values.columns]
    show("written")
    window.session.run_to_end()
    assert texts(window, "as written")["a"] == "21.0"


def test_gradients_of_a_pass_in_another_order_wait_until_both_have_ended(
    window, session, runner, diamond, qtbot
):
    # The diamond as written, with c before d: as a set of operands may have it.
    written = RECORDINGS["written"].trace(Mode.AS_WRITTEN, 0)
    seed, e, d, c, rest = (written.steps[a:b] for a, b in itertools.pairwise((0, 1, 4, 7, 10, 12)))
    sets = replace(written, steps=(*seed, *e, *c, *d, *rest))
    forced = RECORDINGS["forced"]
    runner.at_once = replace(forced, traces=(*forced.traces, sets))
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.set_view(View.AS_WRITTEN)
    nothing = dict.fromkeys("abcde", "–")
    session.seek_backward(7)
    assert texts(window, "as written")["d"] == "5.0"
    for title in ("grad +=", "grad ="):
        assert texts(window, title) == nothing
    values = window.parts.side.page("values").values
    column = [each.title for each in values.columns].index("grad +=")
    tip = values.data(values.index(0, column), Qt.ItemDataRole.ToolTipRole)
    assert tip.startswith("The orders of the passes differ")
    session.run_to_end()
    assert texts(window, "grad +=")["a"] == "21.0"
    assert texts(window, "+= less =")["a"] == "15.0"
    session.back_over()
    assert texts(window, "grad +=") == nothing
    assert texts(window, "+= less =") == dict.fromkeys("abcde", "")


def test_gradients_of_a_pass_in_the_same_order_stand_side_by_side_all_the_way(window, show):
    show("written")
    window.session.set_view(View.AS_WRITTEN)
    window.session.seek_backward(7)
    assert texts(window, "grad +=") == texts(window, "as written")
    assert texts(window, "grad +=")["a"] == "15.0"


def test_not_yet_a_computed_zero_and_a_tiny_gradient_never_look_the_same(
    window, session, runner, recordings, diamond, qtbot
):
    recording = recordings["forced"]
    traces = []
    for trace in recording.traces:
        steps = list(trace.steps)
        steps[2] = replace(steps[2], after=0.0)  # c gets a computed 0.0
        steps[3] = replace(steps[3], after=3e-7)  # d gets something tiny
        traces.append(replace(trace, steps=tuple(steps)))
    runner.at_once = replace(recording, traces=tuple(traces))
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.seek_backward(4)
    gradients = texts(window, "grad +=")
    assert (gradients["a"], gradients["c"], gradients["d"]) == ("–", "0.0", "3e-7")


def test_a_difference_and_the_running_node_are_marked_at_the_name(window, show):
    show("forced")
    window.session.seek_backward(9)
    assert texts(window, "name") == {"a": "a ≠", "b": "b", "c": "c ▸", "d": "d", "e": "e"}


def test_a_click_on_a_row_selects_the_node_and_a_selection_selects_the_row(window, show, qtbot):
    show("forced")
    table = window.parts.side.page("values").table
    spot = table.visualRect(window.parts.side.page("values").values.index(3, 0)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert window.session.selected == D
    window.session.select(B)
    assert table.currentIndex().row() == 1
    window.session.select(None)
    assert not table.selectionModel().hasSelection()


def order(window):
    return [node.name for node in window.parts.side.page("values").values.rows]


def test_a_click_on_a_title_sorts_and_a_step_never_does(window, show, qtbot):
    show("forced")
    window.session.run_to_end()
    titles = [c.title for c in window.parts.side.page("values").values.columns]
    table = window.parts.side.page("values").table
    table.sortByColumn(titles.index("grad +="), Qt.SortOrder.DescendingOrder)
    assert order(window) == ["a", "b", "c", "d", "e"]
    table.sortByColumn(titles.index("grad +="), Qt.SortOrder.AscendingOrder)
    assert order(window) == ["e", "d", "c", "b", "a"]
    window.session.restart()
    assert order(window) == ["e", "d", "c", "b", "a"]
    table.sortByColumn(titles.index("name"), Qt.SortOrder.DescendingOrder)
    assert order(window) == ["e", "d", "c", "b", "a"]
    table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert order(window) == ["a", "b", "c", "d", "e"]


def test_what_holds_no_number_and_nan_are_sorted_last(window, show, recordings):
    show("forced")
    model = window.parts.side.page("values").values
    window.session.seek_backward(4)
    model.rows[4] = replace(model.rows[4], data=math.nan)
    titles = [c.title for c in model.columns]
    for direction in Qt.SortOrder:
        model.sort(titles.index("grad +="), direction)
        assert {node.name for node in model.rows[3:]} == {"a", "b"}
        model.sort(titles.index("data"), direction)
        assert model.rows[-1].name == "e"


def test_the_selection_stays_with_its_node_while_rows_are_sorted(window, show):
    show("forced")
    window.session.select(A)
    window.parts.side.page("values").table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert window.parts.side.page("values").table.currentIndex().row() == 4
    assert window.session.selected == A


def test_the_hint_names_what_differs_and_leads_to_the_next_difference(window, show, qtbot):
    show("forced")
    hint = window.parts.side.page("values")._hint
    assert hint.text() == "the first difference → N"
    qtbot.mouseClick(hint, Qt.MouseButton.LeftButton)
    assert (window.session.backward_position, hint.text()) == (9, "a differs → N")
    qtbot.mouseClick(hint, Qt.MouseButton.LeftButton)
    assert (window.session.backward_position, hint.text()) == (10, "a, b differ")
    assert not hint.isEnabled()


def test_what_is_not_made_yet_keeps_its_data_hidden(window, show):
    show("forced")
    window.session.go(Place(Phase.FORWARD, 3))
    assert texts(window, "data") == {"a": "2.0", "b": "3.0", "c": "5.0", "d": "–", "e": "–"}
    assert texts(window, "name")["c"] == "c ▸"
    model = window.parts.side.page("values").values
    assert model.index(4, 2).data(Qt.ItemDataRole.ToolTipRole) == "It is not made yet."


def test_every_cell_answers_every_role(window, show):
    show("written")
    model = window.parts.side.page("values").values
    for position in (0, 9, 12):
        window.session.seek_backward(position)
        for row in range(model.rowCount()):
            for column in range(model.columnCount()):
                for role in Qt.ItemDataRole:
                    model.index(row, column).data(role)
    assert model.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole) == "name of a: a ≠ ▸"


# -- this step ----------------------------------------------------------------------------


def test_the_step_panel_says_what_explain_says(window, show):
    show("forced")
    window.session.seek_backward(9)
    told = tell(window.session)
    panel = window.parts.side.step
    assert panel._title.text() == told.title
    assert panel._numbers.text() == told.numbers == "21.0 = 15.0 + 1.0 × 6.0"
    assert panel.accessibleDescription() == pronounced(step_text(window.session))


def test_the_words_of_a_step_can_be_copied(window, show):
    show("forced")
    window.session.seek_backward(9)
    window.parts.actions["copy_step"].trigger()
    text = QGuiApplication.clipboard().text()
    assert "21.0 = 15.0 + 1.0 × 6.0" in text.splitlines()


def test_without_a_recording_the_step_panel_says_what_to_do(window, session):
    session.open(Program("p.py", "x = 1\n"), run=False)
    assert "F5" in window.parts.side.step._words.text()


# -- strip --------------------------------------------------------------------------------


def strip(window):
    return window.parts.stage.strip.accessibleName()


def test_the_strip_says_what_is_weightiest(window, session, show, runner, recordings, qtbot):
    assert "Choose an example" in strip(window)
    session.set_text("x = 1\n")
    assert "has not been run" in strip(window)
    session.run()
    assert "Shift+F5 stops it" in strip(window)
    session.close()
    show("half")
    assert strip(window) == "The program failed in line 7. ZeroDivisionError."
    window.parts.editor.insertPlainText("#")
    assert strip(window).startswith("The program changed")


def test_the_strip_tells_what_an_example_shows(window, session, runner, recordings, qtbot):
    example = Example("diamond", "The diamond", "Two paths.", "both", 0, "x")
    runner.at_once = recordings["forced"]
    with qtbot.waitSignals([session.recording_changed] * 2):
        session.open(example.program, run=True, example=example)
    assert strip(window) == "The diamond. Two paths."


def test_the_strip_passes_on_what_the_run_notes(
    window, session, runner, recordings, diamond, qtbot
):
    runner.at_once = replace(recordings["forced"], notes=("micrograd is not installed.",))
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert strip(window) == "micrograd is not installed."


def test_the_strip_does_not_shrink_while_a_program_is_open(window, show, session, runner):
    show("half")
    high = window.parts.stage.strip.sizeHint().height()
    long = "A very long sentence about what went wrong. " * 20
    runner.at_once = replace(session.recording, outcome=Outcome(Status.EXCEPTION, long, 7))
    session.run()
    window.session._delivery._show(
        window.session._delivery._ticket,
        __import__("chainstep.ui.session", fromlist=["prepare"]).prepare(runner.at_once),
    )
    higher = window.parts.stage.strip.sizeHint().height()
    assert higher > high
    window.parts.editor.insertPlainText("#")
    assert window.parts.stage.strip.sizeHint().height() == higher


def test_broken_lines_hold_all_words_or_end_in_an_ellipsis(window):
    metrics = window.fontMetrics()
    text = "one two three four five six seven eight nine ten"
    lines = broken(text, metrics, metrics.horizontalAdvance("one two three"), 9)
    assert " ".join(lines) == text
    assert broken(text, metrics, metrics.horizontalAdvance("one two three"), 2)[-1].endswith("…")
    assert broken("", metrics, 100, 2) == []
    assert broken("unbreakable", metrics, 1, 2)


# -- output -------------------------------------------------------------------------------


def test_the_output_is_shown_and_replaced_by_the_next_run(window, show):
    show("printed")
    assert window.parts.output.text.toPlainText() == "loss 0.5\n"
    show("forced")
    assert window.parts.output.text.toPlainText() == ""
    assert window.parts.output.text.placeholderText() == "The program printed nothing."


def test_of_a_flood_of_output_the_beginning_and_the_end_are_shown():
    text = shown("a" * MOST_SHOWN + "z" * MOST_SHOWN)
    assert text.startswith("aaa")
    assert text.endswith("zzz")
    assert len(text) < MOST_SHOWN + 100
    assert "100,000 characters are left out here" in text
    assert shown("short") == "short"


# -- toolbar and status -------------------------------------------------------------------


def test_stop_takes_the_place_of_run_while_a_run_is_on(window, session, diamond, qtbot):
    session.open(diamond, run=False)
    buttons = window.parts.toolbar.buttons
    place = buttons["run"].geometry()
    session.run()
    qtbot.waitUntil(lambda: buttons["stop"].isVisible() and not buttons["run"].isVisible())
    qtbot.waitUntil(lambda: buttons["stop"].geometry() == place)


WIDTHS = (820, 1024, 1280, 1920)


def row_of(toolbar):
    """What is in sight of the row, from left to right, as areas of the toolbar."""
    toolbar.layout().activate()
    toolbar.segments.layout().activate()
    shown = [button for button in toolbar.findChildren(Button) if button.isVisible()]
    areas = [each.rect().translated(each.mapTo(toolbar, QPoint(0, 0))) for each in shown]
    return sorted(zip(areas, shown, strict=True), key=lambda pair: pair[0].left())


def reached(toolbar):
    """All that the row and its menu at the end can do."""
    found = {button._action for _, button in row_of(toolbar) if button.menu is None}
    menus = [button.menu for _, button in row_of(toolbar) if button.menu is not None]
    while menus:
        for action in menus.pop().actions():
            if action.menu() is not None:
                menus.append(action.menu())
            else:
                found.add(action)
    return found


@pytest.mark.parametrize("name", ["forced", "written"])
def test_no_button_is_cut_or_covered_at_any_width_and_size_of_type(window, show, name, settings):
    show(name)
    actions, toolbar = window.parts.actions, window.parts.toolbar
    ids = ("run", "step_over", "step_into", "step_out", "back_over", "restart", "end", "play")
    wanted = {actions[id_] for id_ in (*ids, "view_both", "speed_1", "order_breadth-first")}
    for scale, width in itertools.product((80, 100, 125, 150, 200, 250, 300), WIDTHS):
        settings.scale = scale
        window._apply_look()
        window.resize(width, 700)
        QApplication.processEvents()
        row = row_of(toolbar)
        assert toolbar.width() == width
        assert toolbar.rect().contains(row[0][0])
        assert toolbar.rect().contains(row[-1][0])
        for (left, one), (right, other) in itertools.pairwise(row):
            assert left.right() < right.left(), (one.text(), other.text())
        for area, button in row:
            assert area.width() >= button.sizeHint().width()
            assert button._parts()
            assert button.accessibleName()
        assert wanted <= reached(toolbar), (scale, width)


def test_a_menu_takes_what_has_no_room_and_gives_it_back(window, show):
    show("forced")
    toolbar = window.parts.toolbar
    assert toolbar.more.isHidden()
    for _ in range(10):
        window.parts.actions["larger"].trigger()
    window.resize(820, 700)
    QApplication.processEvents()
    assert toolbar.more.isVisible()
    assert toolbar.more.accessibleName() == "More tools"
    assert not toolbar.segments.isVisible()
    assert toolbar.buttons["step_over"].isVisible()
    view = window.parts.actions["view_overwrite"]
    assert view in toolbar.more.menu.actions()
    view.trigger()
    assert window.session.view is View.OVERWRITE
    window.parts.actions["normal"].trigger()
    QApplication.processEvents()
    assert toolbar.more.isHidden()
    assert toolbar.segments.buttons[1].isVisible()
    assert not toolbar.more.menu.actions()


def test_a_button_for_a_menu_keeps_its_name_through_a_run(window, show):
    show("forced")
    assert window.parts.examples.accessibleName() == "Examples"
    assert window.parts.toolbar.more.toolTip() == MORE


def test_as_written_is_offered_where_there_is_one(window, show):
    show("forced")
    written = window.parts.toolbar.segments.buttons[3]
    assert written.isHidden()
    show("written")
    assert not written.isHidden()


def test_buttons_do_what_their_actions_do(window, show, qtbot):
    show("forced")
    qtbot.mouseClick(window.parts.toolbar.buttons["step_over"], Qt.MouseButton.LeftButton)
    assert window.session.backward_position == 1
    qtbot.mouseClick(window.parts.toolbar.segments.buttons[2], Qt.MouseButton.LeftButton)
    assert window.session.view is View.BOTH
    qtbot.mouseClick(window.parts.toolbar.segments.buttons[2], Qt.MouseButton.LeftButton)
    assert window.parts.toolbar.segments.buttons[2].isChecked()


def test_the_pass_chooser_appears_only_with_several_passes(window, show, qtbot):
    show("forced")
    assert window.parts.passes.isHidden()
    show("passes")
    assert not window.parts.passes.isHidden()
    with qtbot.waitSignal(window.session.recording_changed):
        window.parts.actions["next_pass"].trigger()
    assert window.parts.passes._label.text() == "pass 2 of 3"
    window.parts.passes._fill()
    choices = window.parts.passes._label.menu.actions()
    assert [action.text() for action in choices] == [
        "Pass 1  ·  iteration 1, loss 30.0",
        "Pass 2  ·  iteration 2, loss 30.0",
        "Pass 3  ·  iteration 3, loss 30.0",
    ]
    with qtbot.waitSignal(window.session.recording_changed):
        choices[2].trigger()
    assert window.session.pass_index == 2


def test_the_status_line_says_the_step_the_seed_and_the_next_keys(window, show):
    show("forced")
    assert window.parts.status.step.text() == "Step 0 of 12"
    step, keys = window.parts.status.step, window.parts.status.keys
    assert keys.text == (
        "F10 next _backward · F11 next write · [ the phase before · N next difference"
    )
    window.session.step_into()
    assert keys.text == "F10 next _backward · F11 next write · PgUp back · N next difference"
    window.session.run_to_end()
    assert keys.text == "PgUp back · Home to the start"
    window.session.restart()
    assert (step.text(), keys.text) == ("Value 0 of 5", "F10 next Value · N next difference")
    window.session.next_phase()
    assert step.text() == "Sort 0 of 12"
    window.session.next_phase()
    window.session.back_over()
    assert (step.text(), keys.text) == (
        "Sort 12 of 12",
        "F10 next phase · PgUp back · N next difference",
    )


def test_another_seed_in_the_status_line_runs_again(window, show, runner, qtbot):
    show("forced")
    with qtbot.waitSignal(window.session.recording_changed):
        window.parts.status.seed.setValue(42)
    assert runner.last.options.seed == 42


def test_a_tip_takes_the_place_of_the_keys_while_it_lasts(window, show):
    show("forced")
    keys = window.parts.status.keys.text
    window.statusBar().showMessage("Make one write.")
    assert window.parts.status.keys.text == "Make one write."
    window.statusBar().clearMessage()
    assert window.parts.status.keys.text == keys


# -- player -------------------------------------------------------------------------------


def test_playing_makes_write_after_write_and_rests_at_the_end(window, show, qtbot):
    show("forced")
    player = window.parts.player
    player._timer.setInterval(0)
    player.play()
    player._timer.setInterval(0)
    qtbot.waitUntil(lambda: window.session.backward_position == 12)
    assert not player.playing
    assert window.parts.toolbar.buttons["play"].text() == "Play"


def test_playing_from_the_end_begins_anew(window, show):
    show("forced")
    window.session.run_to_end()
    window.parts.player.play()
    assert window.session.backward_position == 0
    assert window.parts.player.playing


def test_a_step_by_hand_pauses(window, show):
    show("forced")
    window.parts.player.play()
    window.parts.actions["step_over"].trigger()
    assert not window.parts.player.playing


def test_the_speed_is_remembered(window, settings):
    window.parts.actions["speed_4"].trigger()
    assert window.parts.player.per_second == settings.speed == 4.0
    assert window.parts.player._timer.interval() == 250


def test_both_panes_have_each_their_mode(window, show):
    show("forced")
    window.session.set_view(View.BOTH)
    assert [canvas.isVisible() for canvas in window.parts.stage.canvases] == [True, True]
    assert [pane.mode for pane in window.session.panes] == [Mode.ACCUMULATE, Mode.OVERWRITE]
    window.session.set_view(View.OVERWRITE)
    assert [canvas.isHidden() for canvas in window.parts.stage.canvases] == [False, True]


def test_every_row_that_a_move_changes_is_said_to_have_changed(window, show, session):
    """Whatever reads the table sees what it would see after reading all of it anew."""
    show("written")
    model = window.parts.side.page("values").values
    cells = [(r, c) for r in range(model.rowCount()) for c in range(model.columnCount())]

    def read(row, column):
        index = model.index(row, column)
        return index.data(), index.data(Qt.ItemDataRole.BackgroundRole)

    seen = {cell: read(*cell) for cell in cells}

    def changed(first, last):
        for row in range(first.row(), last.row() + 1):
            for column in range(first.column(), last.column() + 1):
                seen[row, column] = read(row, column)

    model.dataChanged.connect(changed)
    for position in (1, 2, 3, 9, 8, 12, 4, 5, 10, 0, 11):
        session.seek_backward(position)
        assert seen == {cell: read(*cell) for cell in cells}
    session.set_view(View.OVERWRITE)
    assert seen == {cell: read(*cell) for cell in cells}


def test_the_code_that_runs_and_what_its_names_are_is_not_cut_where_there_is_room(window, show):
    show("forced")
    window.resize(1920, 1080)
    code = window.parts.side.code
    for position in range(window.session.backward_length):
        window.session.seek_backward(position)
        QApplication.processEvents()
        bars = [code.view.verticalScrollBar(), code._below.verticalScrollBar()]
        assert [bar.maximum() for bar in bars] == [0, 0], position
