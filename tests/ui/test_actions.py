import random
from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QWidget
from recordings import THOROUGH

from chainstep.trace import RECORDED
from chainstep.ui.actions import Actions
from chainstep.ui.command import MENUS, Command
from chainstep.ui.session import View

COMMANDS = (
    *("new", "open", "save", "save_as", "quit"),
    *("undo", "redo", "cut", "copy", "paste", "select_all"),
    *("copy_step", "copy_step_latex", "copy_step_markdown"),
    *("view_accumulate", "view_overwrite", "view_both", "view_as-written"),
    *("fit", "fit_selection", "zoom_in", "zoom_out", "zoom_actual", "follow"),
    "hide_ahead",
    *("larger", "smaller", "normal", "theme_system", "theme_light", "theme_dark"),
    "theme_high-contrast",
    *("run", "stop", "order_depth-first", "order_breadth-first", "order_recursive", "seed"),
    *("step_over", "step_into", "step_out", "back_over", "back_into", "restart", "end"),
    *("next_difference", "previous_difference", "next_pass", "previous_pass"),
    *("next_phase", "previous_phase", "next_mark", "previous_mark"),
    *("skip_forward", "skip_sort", "skip_backward"),
    *("run_to_breakpoint", "back_to_breakpoint", "run_to_node"),
    *("toggle_breakpoint", "new_breakpoint", "remove_breakpoints", "watch"),
    *("last_write", "next_write", "previous_write", "panel_step", "panel_code"),
    *("panel_values", "panel_history", "panel_ledger", "panel_breakpoints", "panel_watches"),
    *("panel_order", "panel_findings", "check", "next_finding", "previous_finding"),
    *("first_wrong_write", "finding_page", "copy_findings", "findings_help"),
    *("find", "find_next", "find_previous", "select_all_nodes", "neighbourhood"),
    *("copy_name", "copy_data", "copy_gradient", "undo_move", "reset_positions"),
    *("nudge_left", "nudge_right", "nudge_up", "nudge_down"),
    *("hide_constants", "fold_helpers", "left_to_right", "top_down"),
    *("panel_training", "switch_zeroing", "switch_update", "compare", "end_comparison"),
    *("verdicts", "sort_by_disagreement"),
    *("play", "speed_0.5", "speed_1", "speed_2", "speed_4"),
    *(
        "new_expression",
        "save_recording",
        "preferences",
        "reset_layout",
        "column_program",
        "column_graph",
        "column_panels",
        "column_lesson",
        "root",
        "interpreter",
    ),
    "cells",
    *("lecture", "lecture_curtain", "lecture_close", "lecture_spotlight", "lecture_values"),
    *("lecture_code", "lecture_colours", "lecture_motion", "lecture_notes"),
    "lecture_swap",
    *("change_data", "undo_what_if", "redo_what_if", "reset_what_if"),
    *("predict_off", "predict_matters", "predict_every", "answer", "reveal"),
    *("lessons", "show_answer", "next_lesson", "previous_lesson", "leave_lesson"),
    *("keys", "about", "palette", "rules"),
    *("engine", "undo_choice"),
)

WINDOW_KEYS = {
    "run": "F5",
    "stop": "Shift+F5",
    "step_over": "F10",
    "step_into": "F11",
    "step_out": "Shift+F11",
    "back_over": "Ctrl+F10",
    "back_into": "Ctrl+F11",
    "view_accumulate": "Ctrl+1",
    "view_overwrite": "Ctrl+2",
    "view_both": "Ctrl+3",
    "view_as-written": "Ctrl+4",
    "toggle_breakpoint": "F9",
    "run_to_breakpoint": "F8",
    "back_to_breakpoint": "Shift+F8",
    "lecture": "F12",
    "panel_values": "Ctrl+Shift+1",
    "panel_watches": "Ctrl+Shift+6",
    "panel_order": "Ctrl+Shift+7",
    "panel_findings": "Ctrl+Shift+2",
    "panel_training": "Ctrl+Shift+8",
    "check": "Ctrl+F5",
    "next_finding": "F7",
    "previous_finding": "Shift+F7",
    "first_wrong_write": "Ctrl+F7",
    "verdicts": "Ctrl+Shift+V",
    "sort_by_disagreement": "Ctrl+Shift+D",
}
CANVAS_KEYS = {
    "step_into": "Right",
    "back_into": "Left",
    "step_over": "PgDown",
    "back_over": "PgUp",
    "restart": "Home",
    "end": "End",
    "play": "Space",
    "next_difference": "N",
    "previous_difference": "Shift+N",
    "fit": "F",
    "zoom_in": "+",
    "zoom_out": "-",
    "zoom_actual": "0",
    "follow": "A",
}


def empty(window, show, runner):
    pass


def unrun(window, show, runner):
    window.session.set_text("x = 1\n")


def running(window, show, runner):
    window.session.set_text("x = 1\n")
    window.session.run()


def running_again(window, show, runner):
    show("forced")
    runner.at_once = None
    window.session.run()


def failed(window, show, runner):
    show("failed")


def half(window, show, runner):
    show("half")


def at(position, view, name="written"):
    def state(window, show, runner):
        show(name)
        window.session.set_view(view)
        window.session.seek_backward(position)

    return state


def selected(window, show, runner):
    show("forced")
    window.session.select(2)


def breaking(window, show, runner):
    show("forced")
    window.session.select(2)
    window.session.breakpoints.set(())
    window.session.breakpoints.toggle(2)
    window.session.breakpoints.toggle_watch(0)
    window.session.seek_backward(6)


def stale(window, show, runner):
    show("forced")
    window.parts.editor.insertPlainText("# ")


def playing(window, show, runner):
    show("forced")
    window.parts.player.play()


STATES = {
    "empty": empty,
    "unrun": unrun,
    "running": running,
    "running again": running_again,
    "failed": failed,
    "half": half,
    "selected": selected,
    "breaking": breaking,
    "stale": stale,
    "playing": playing,
    "passes": at(3, View.BOTH, "passes"),
}
STATES |= {
    f"{view.value} at {position}": at(position, view) for view in View for position in (0, 6, 99)
}


def snapshot(window):
    """All that a state is about."""
    session = window.session
    return (
        *(session.program, session.recording is None, session.running, session.backward_position),
        *(session.view, session.order, session.seed, session.pass_index, session.selected),
        *(session.stale, window.parts.player.playing, window.parts.files.modified),
        *(session.breakpoints.items, session.breakpoints.watches),
    )


def close_dialogs():
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog):
            widget.reject()
        if isinstance(widget, QMenu):
            widget.close()
    QApplication.clipboard().clear()


def test_the_table_holds_every_command(window):
    ids = [i for i in window.parts.actions.commands if not i.startswith(("example_", "lesson_"))]
    assert Counter(ids) == Counter(COMMANDS)
    assert {"example_neuron", "lesson_diamond"} <= set(window.parts.actions.commands)


def assert_told(window):
    """What cannot be done says why, and what can be done says what it does."""
    for command_id, command in window.parts.actions.commands.items():
        action = window.parts.actions[command_id]
        refusal = command.refusal()
        assert action.isEnabled() is (refusal == ""), command_id
        said = refusal or command.help
        assert said.endswith((".", ")")), command_id
        assert action.statusTip() == said
        assert said in action.toolTip()


@pytest.mark.parametrize("state", STATES)
def test_every_action_says_why_not_or_what_it_does_and_can_be_triggered_in_every_state(
    window, show, runner, state
):
    """All actions in one window; the state is made anew after each that changed it."""
    STATES[state](window, show, runner)
    assert_told(window)
    window.hide()
    before = None
    for command in (*COMMANDS, "example_neuron"):
        if before is None or snapshot(window) != before:
            window.parts.player.pause()
            window.session.close()
            STATES[state](window, show, runner)
            before = snapshot(window)
        window.parts.actions[command].trigger()
        close_dialogs()
    QApplication.processEvents()
    close_dialogs()


def test_every_menu_has_its_commands_and_a_mnemonic_that_no_other_has(window):
    menus = [action.menu() for action in window.menuBar().actions()]
    assert [menu.title().replace("&", "") for menu in menus] == list(MENUS)
    letters = [menu.title()[menu.title().index("&") + 1].lower() for menu in menus]
    assert len(set(letters)) == len(letters)
    for menu in menus[:5]:
        texts = [action.text() for action in menu.actions() if "&" in action.text()]
        letters = [text.replace("&&", "")[text.index("&") + 1].lower() for text in texts]
        assert len(set(letters)) == len(letters), (menu.title(), letters)


def test_a_command_that_changes_much_has_the_others_ask_once_whether_they_can_be_done(qtbot):
    asked, switched, enabled = [], [], []
    parent = QWidget()
    qtbot.addWidget(parent)

    def refusal():
        asked.append(len(switched))
        return "" if switched else "Switch it on first."

    def much():
        switched.append(True)
        for _ in range(5):
            actions.refresh()
        enabled.append(other.isEnabled())

    def much_and_the_other():
        much()
        actions["other"].trigger()

    done = []
    table = [
        Command("much", "&Much", "View", much, "Changes much."),
        Command("both", "&Both", "View", much_and_the_other, "Changes much, then does it."),
        Command("other", "&Other", "View", lambda: done.append(1), "Is done.", refusal=refusal),
    ]
    actions = Actions(table, parent)
    other = actions["other"]
    assert (other.isEnabled(), other.statusTip()) == (False, "Switch it on first.")
    asked.clear()
    actions["much"].trigger()
    assert (asked, enabled) == ([1], [False])
    assert (other.isEnabled(), other.statusTip()) == (True, "Is done.")
    switched.clear()
    actions.refresh()
    assert not other.isEnabled()
    actions["both"].trigger()
    assert done == [1]


def test_switches_show_what_is_on(window, show):
    show("written")
    window.parts.actions["view_both"].trigger()
    on = {
        i for i, c in window.parts.actions.commands.items() if window.parts.actions[i].isChecked()
    }
    assert {"view_both", "order_depth-first", "speed_1", "theme_system", "follow"} <= on
    window.parts.actions["view_both"].trigger()
    assert window.parts.actions["view_both"].isChecked()
    window.parts.actions["view_overwrite"].trigger()
    assert not window.parts.actions["view_both"].isChecked()


# -- keys ---------------------------------------------------------------------------------


def test_the_keys_are_those_of_debuggers(window):
    table = window.parts.actions.commands
    for command_id, key in WINDOW_KEYS.items():
        assert key in table[command_id].keys
    for command_id, key in CANVAS_KEYS.items():
        assert key in table[command_id].canvas_keys


def test_no_key_is_taken_twice_and_keys_kept_for_later_are_free(window):
    commands = window.parts.actions.commands.values()
    keys = [QKeySequence(k).toString() for c in commands for k in c.keys + c.canvas_keys]
    assert [key for key, count in Counter(keys).items() if count > 1] == []
    assert "Shift+F10" not in keys


def test_every_key_is_a_key(window):
    for command in window.parts.actions.commands.values():
        for key in command.keys + command.canvas_keys:
            assert not QKeySequence(key).isEmpty(), key


def active(window, qtbot):
    with qtbot.waitActive(window):
        window.activateWindow()


FUNCTION_KEYS = [
    (Qt.Key.Key_F10, Qt.KeyboardModifier.NoModifier, 0, 1),
    (Qt.Key.Key_F10, Qt.KeyboardModifier.ControlModifier, 7, 4),
    (Qt.Key.Key_F11, Qt.KeyboardModifier.NoModifier, 4, 5),
    (Qt.Key.Key_F11, Qt.KeyboardModifier.ShiftModifier, 5, 7),
    (Qt.Key.Key_F11, Qt.KeyboardModifier.ControlModifier, 5, 4),
]


def test_function_keys_step_even_while_typing(window, show, qtbot):
    show("forced")
    active(window, qtbot)
    for key, modifier, start, end in FUNCTION_KEYS:
        window.parts.editor.setFocus()
        window.session.seek_backward(start)
        qtbot.keyClick(window.parts.editor, key, modifier)
        assert window.session.backward_position == end, key


PRESENTER_KEYS = [
    (Qt.Key.Key_Right, Qt.KeyboardModifier.NoModifier, 4, 5),
    (Qt.Key.Key_Left, Qt.KeyboardModifier.NoModifier, 4, 3),
    (Qt.Key.Key_PageDown, Qt.KeyboardModifier.NoModifier, 4, 7),
    (Qt.Key.Key_PageUp, Qt.KeyboardModifier.NoModifier, 4, 1),
    (Qt.Key.Key_Home, Qt.KeyboardModifier.NoModifier, 4, 0),
    (Qt.Key.Key_End, Qt.KeyboardModifier.NoModifier, 4, 12),
    (Qt.Key.Key_N, Qt.KeyboardModifier.NoModifier, 4, 9),
    (Qt.Key.Key_N, Qt.KeyboardModifier.ShiftModifier, 12, 10),
]


@pytest.mark.parametrize("place", ["graph", "timeline"])
def test_the_graph_and_the_timeline_have_the_keys_of_a_presenter(window, show, qtbot, place):
    show("forced")
    active(window, qtbot)
    widget = window.parts.stage.canvases[0] if place == "graph" else window.parts.timeline.track
    for key, modifier, start, end in PRESENTER_KEYS:
        widget.setFocus()
        window.session.seek_backward(start)
        qtbot.keyClick(widget, key, modifier)
        assert window.session.backward_position == end, key


def test_a_step_pressed_before_the_first_recording_is_there_is_not_lost(
    window, runner, diamond, recordings, qtbot
):
    active(window, qtbot)
    session = window.session
    session.open(diamond, run=True)
    window.parts.stage.focus_graph()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Right)
    assert window.parts.status.activity.text == "running diamond.py …, then a step"
    with qtbot.waitSignal(session.recording_changed):
        runner.last.deliver(recordings["forced"])
    assert session.backward_position == 1


def test_the_editor_keeps_its_own_keys(window, show, qtbot):
    show("forced")
    active(window, qtbot)
    window.parts.editor.setFocus()
    window.session.seek_backward(4)
    for key in (Qt.Key.Key_PageDown, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End):
        qtbot.keyClick(window.parts.editor, key)
    qtbot.keyClicks(window.parts.editor, "n 0+")
    assert window.session.backward_position == 4
    assert "n 0+" in window.session.program.text


def test_space_plays_and_pauses(window, show, qtbot):
    show("forced")
    active(window, qtbot)
    canvas = window.parts.stage.canvases[0]
    canvas.setFocus()
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert window.parts.player.playing
    qtbot.keyClick(canvas, Qt.Key.Key_Space)
    assert not window.parts.player.playing


def test_a_key_that_can_do_nothing_says_why(window, show, qtbot):
    show("forced")
    active(window, qtbot)
    window.session.run_to_end()
    qtbot.keyClick(window.parts.editor, Qt.Key.Key_F10)
    assert window.parts.status.keys.text == "This is the last step: Home goes to the start."


# -- any sequence -------------------------------------------------------------------------

CALM = [c for c in COMMANDS if c not in ("quit", "about", "keys", "open", "save", "save_as")]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", range(5 if THOROUGH else 3))
def test_any_sequence_of_commands_leaves_the_window_and_the_session_of_one_mind(
    window, show, seed, qtbot
):
    rng = random.Random(seed)
    show("passes")
    session = window.session
    for _ in range(1000 if THOROUGH else 120):
        window.parts.actions[rng.choice(CALM)].trigger()
        if rng.random() < 0.2:
            QApplication.processEvents()
        close_dialogs()
        for pane in session.panes:
            assert pane.stepper.position == session.backward_position
        if session.panes:
            track, course = window.parts.timeline.track, session.course
            assert (course.numbered(track.value()), track.maximum()) == (
                session.place,
                course.length,
            )
            said = window.parts.status.step.text()
            assert said.endswith(f" {session.place.number} of {course.size(session.phase)}")
            rows = window.parts.side.page("values").values.rows
            for node in rows:
                for mode in RECORDED:
                    stepper = session.stepper(mode)
                    shown = window.parts.side.page("values").values.gradient(node, mode)
                    if stepper is None:  # somebody else is the engine
                        assert session.engine.on
                        assert shown is None
                        continue
                    assert (shown or 0.0) == stepper.gradients[node.id]
