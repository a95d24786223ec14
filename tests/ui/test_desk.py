"""Dialogs and choices: commands by typing, preferences, keys, interpreter, root, expression."""

import os
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QDialog,
    QLabel,
    QPushButton,
    QWidget,
)

from chainstep import __version__, app
from chainstep.figures import DIGITS, precision, short
from chainstep.options import Limits
from chainstep.settings import Theme
from chainstep.trace import Mode
from chainstep.ui.about import versions
from chainstep.ui.chooser import Choice, ranked
from chainstep.ui.command import USUAL_KEYS, spoken_key
from chainstep.ui.interpreter import Interpreter, check, found
from chainstep.ui.keymap import Keymap, Keys, types
from chainstep.ui.shortcut_editor import ANYWHERE, ON_GRAPH

DIALOGS = ("palette", "preferences", "about", "new_expression", "interpreter", "root")


@pytest.fixture(autouse=True)
def _usual_digits():
    yield
    precision.set(DIGITS)


@pytest.fixture
def ready(window, show):
    """A window with the diamond in it."""
    show("forced")
    return window


def dialog(window, command=None):
    """The dialog that a command opens."""
    if command is not None:
        window.parts.actions[command].trigger()
    opened = next(d for d in window.findChildren(QDialog) if d.isVisible())
    # Keys go to the window that is active.
    opened.activateWindow()
    while QApplication.activeWindow() is not opened:
        QApplication.processEvents()
    return opened


# -- every dialog -------------------------------------------------------------------------


@pytest.fixture
def named(window, show, runner, recordings, qtbot):
    """The diamond with names that a root can be chosen from."""
    recording = recordings["forced"]
    nodes = tuple(replace(node, aliases=(node.name,)) for node in recording.nodes)
    show("forced")
    runner.at_once = replace(recording, nodes=nodes)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    return window


@pytest.mark.parametrize("command", DIALOGS)
@pytest.mark.parametrize("percent", [100, 150])
def test_nothing_in_a_dialog_is_cut_off_or_without_a_name(named, settings, command, percent):
    settings.scale = percent
    named._apply_look()
    opened = dialog(named, command)
    for tab in range(opened.tabs.count()) if hasattr(opened, "tabs") else (0,):
        if hasattr(opened, "tabs"):
            opened.tabs.setCurrentIndex(tab)
        QApplication.processEvents()
        for part in opened.findChildren(QWidget):
            if not part.isVisible() or part.objectName().startswith("qt_"):
                continue
            area = part.rect().translated(part.mapTo(opened, QPoint(0, 0)))
            if isinstance(part, (QAbstractButton, QLabel)) and part.text():
                assert opened.rect().contains(area), part
                needed = part.heightForWidth(part.width())
                needed = needed if needed > 0 else part.minimumSizeHint().height()
                assert part.height() >= needed - 1, (part, part.text())
                if isinstance(part, QPushButton):
                    assert part.width() >= part.minimumSizeHint().width(), part.text()
            if part.focusPolicy() & Qt.FocusPolicy.TabFocus:
                name = QAccessible.queryAccessibleInterface(part).text(QAccessible.Text.Name)
                assert name, part
    opened.reject()


@pytest.mark.parametrize("command", DIALOGS)
def test_escape_closes_a_dialog(named, command, qtbot):
    opened = dialog(named, command)
    qtbot.keyClick(opened, Qt.Key.Key_Escape)
    assert not opened.isVisible()


# -- commands by typing -------------------------------------------------------------------


def test_every_command_is_in_the_list_with_its_menu_keys_and_reason(window):
    opened = dialog(window, "palette")
    shown = {choice.value: choice for choice in opened.model.shown}
    assert len(opened.model.shown) == len(shown)
    assert set(shown) == set(window.parts.actions.commands)
    assert shown["run"].refusal == window.parts.actions.commands["run"].refusal() != ""
    assert (shown["step_over"].where, shown["step_over"].aside) == ("Step", "F10, PgDn")
    assert shown["theme_dark"].where == "View, Theme"


def test_a_command_is_found_by_typing_and_done_by_enter(window, qtbot, settings):
    opened = dialog(window, "palette")
    qtbot.keyClicks(opened.field, "theme dark")
    assert opened.current.value == "theme_dark"
    qtbot.keyClick(opened.field, Qt.Key.Key_Return)
    assert not opened.isVisible()
    assert settings.theme is Theme.DARK


def test_arrows_move_in_the_list_while_typing(window, qtbot):
    opened = dialog(window, "palette")
    first = opened.current
    qtbot.keyClick(opened.field, Qt.Key.Key_Down)
    assert opened.current == opened.model.shown[1]
    qtbot.keyClick(opened.field, Qt.Key.Key_Up)
    assert opened.current == first


def test_what_cannot_be_done_says_why_and_is_not_done(window, qtbot, runner):
    opened = dialog(window, "palette")
    qtbot.keyClicks(opened.field, "run run")
    assert opened.current.value == "run"
    assert opened.said.text() == "The program is empty: type one, open a file or choose an example."
    qtbot.keyClick(opened.field, Qt.Key.Key_Return)
    assert opened.isVisible()
    assert runner.runs == []


def test_what_nobody_has_says_so(window, qtbot):
    opened = dialog(window, "palette")
    qtbot.keyClicks(opened.field, "frobnicate")
    assert opened.current is None
    assert "Nothing matches" in opened.said.text()
    qtbot.keyClick(opened.field, Qt.Key.Key_Return)
    assert opened.isVisible()


def test_a_click_does_a_command(window, qtbot, settings):
    opened = dialog(window, "palette")
    qtbot.keyClicks(opened.field, "theme light")
    opened.list.clicked.emit(opened.list.currentIndex())
    assert settings.theme is Theme.LIGHT


def test_a_command_acts_on_the_text_that_had_the_focus(window, qtbot):
    with qtbot.waitActive(window):
        window.activateWindow()
    window.parts.editor.setFocus()
    window.parts.editor.insertPlainText("x")
    opened = dialog(window, "palette")
    qtbot.keyClicks(opened.field, "select all")
    qtbot.keyClick(opened.field, Qt.Key.Key_Return)
    assert window.parts.editor.textCursor().selectedText() == "x"


def test_names_that_begin_with_what_is_typed_come_first():
    some = [
        Choice("help", "Zoom", help="It fits."),
        Choice("inside", "Benefit"),
        Choice("word", "Best fit"),
        Choice("start", "Fit"),
        Choice("none", "Zoom"),
    ]
    assert [choice.value for choice in ranked(some, "FIT")] == ["start", "word", "inside", "help"]
    assert ranked(some, "") == some
    assert [choice.value for choice in ranked(some, "fit best")] == ["word"]


# -- preferences --------------------------------------------------------------------------


def test_theme_size_and_digits_change_the_window_at_once(ready, settings):
    opened = dialog(ready, "preferences")
    before = ready.grab().toImage()
    opened.theme.setCurrentIndex(opened.theme.findData(Theme.DARK))
    assert ready.look.palette.dark
    opened.size_.setCurrentIndex(opened.size_.findData(125))
    assert ready.look.percent == 125
    opened.digits.setValue(8)
    assert (settings.theme, settings.scale, settings.digits) == (Theme.DARK, 125, 8)
    assert short(2 / 3) == "0.66666667"
    assert "3.1415927" in opened.sample.text()
    assert ready.grab().toImage() != before


def test_digits_are_there_in_the_next_window(qtbot, settings, session):
    settings.digits = 7
    window = app.make_window(settings)
    qtbot.addWidget(window)
    assert short(2 / 3) == "0.6666667"
    window.session.close()


def test_limits_count_from_the_next_run(ready, settings, runner):
    runs = len(runner.runs)
    opened = dialog(ready, "preferences")
    opened.limits["time_s"].setValue(2.5)
    opened.limits["nodes"].setValue(500)
    assert settings.limits == Limits(time_s=2.5, nodes=500)
    assert len(runner.runs) == runs, "a limit alone runs nothing"
    ready.session.run()
    assert runner.last.options.limits == Limits(time_s=2.5, nodes=500)
    opened.usual.click()
    assert settings.limits == Limits()
    assert opened.limits["nodes"].value() == Limits().nodes


def test_limits_and_interpreter_are_there_in_the_next_window(qtbot, settings):
    settings.limits = Limits(time_s=3.0)
    settings.python = "/usr/bin/python3"
    window = app.make_window(settings)
    qtbot.addWidget(window)
    assert window.session.options.limits == Limits(time_s=3.0)
    assert window.session.options.python == "/usr/bin/python3"
    window.session.close()


def test_the_size_of_every_panel_can_be_reset(window, settings):
    usual = window.parts.splitters["middle"].sizes()
    window.parts.splitters["middle"].setSizes([600, 300, 320])
    assert window.parts.splitters["middle"].sizes() != usual
    settings.keep_bytes("middle", window.parts.splitters["middle"].saveState())
    window.parts.actions["reset_layout"].trigger()
    window.arrange()
    assert window.parts.splitters["middle"].sizes()[0] < 400
    assert settings.bytes_of("middle") is None


# -- keys ---------------------------------------------------------------------------------


@pytest.fixture
def keys(window):
    """The table of keys, open."""
    opened = dialog(window, "preferences")
    opened.tabs.setCurrentWidget(opened.keys)
    return opened.keys


def choose(keys, command_id, column):
    keys.table.setCurrentCell(keys._ids.index(command_id), column)


def press(keys, key):
    keys.field.setKeySequence(QKeySequence(key))


def test_a_command_gets_another_key_at_once_and_in_the_next_window(
    window, keys, settings, qtbot, session
):
    choose(keys, "about", ANYWHERE)
    press(keys, "Ctrl+Alt+A")
    assert "is free for About Chainstep" in keys.said.text()
    keys.assign.click()
    action = window.parts.actions["about"]
    assert action.shortcuts() == [QKeySequence("Ctrl+Alt+A")]
    assert "Ctrl+Alt+A" in action.toolTip()
    assert settings.keys == {"about": (("Ctrl+Alt+A",), ())}
    other = app.make_window(settings)
    qtbot.addWidget(other)
    assert other.parts.actions["about"].shortcuts() == [QKeySequence("Ctrl+Alt+A")]
    other.session.close()


def test_a_key_on_the_graph_works_there_and_the_old_one_no_more(ready, keys, qtbot):
    choose(keys, "step_into", ON_GRAPH)
    press(keys, "G")
    keys.assign.click()
    dialog(ready).reject()
    with qtbot.waitActive(ready):
        ready.activateWindow()
    canvas = ready.parts.stage.canvases[0]
    canvas.setFocus()
    ready.session.seek_backward(4)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert ready.session.backward_position == 4
    qtbot.keyClick(canvas, Qt.Key.Key_G)
    assert ready.session.backward_position == 5


def test_a_key_that_another_command_has_says_whose_it_is_and_can_be_taken(window, keys):
    choose(keys, "about", ANYWHERE)
    press(keys, "F5")
    assert keys.said.text() == "F5 belongs to Run. Set or Add takes it from there."
    keys.assign.click()
    assert window.parts.actions["about"].shortcuts() == [QKeySequence("F5")]
    assert window.parts.actions["run"].shortcuts() == []


def test_keys_are_added_removed_and_given_back(window, keys, settings):
    choose(keys, "run", ANYWHERE)
    press(keys, "Ctrl+R")
    keys.add.click()
    shown = [key.toString() for key in window.parts.actions["run"].shortcuts()]
    assert shown == ["F5", "Ctrl+R"]
    keys.remove.click()
    assert window.parts.actions["run"].shortcuts() == []
    keys.default.click()
    assert window.parts.actions["run"].shortcuts() == [QKeySequence("F5")]
    assert settings.keys == {}
    assert not keys.default.isEnabled()


def test_a_default_key_comes_back_from_who_has_it_by_then(window, keys):
    choose(keys, "about", ANYWHERE)
    press(keys, "F5")
    keys.assign.click()
    choose(keys, "run", ANYWHERE)
    keys.default.click()
    assert window.parts.actions["run"].shortcuts() == [QKeySequence("F5")]
    assert window.parts.actions["about"].shortcuts() == []


def test_all_keys_can_be_given_back(window, keys, settings):
    for command, key in (("about", "F5"), ("keys", "Ctrl+Alt+K")):
        choose(keys, command, ANYWHERE)
        press(keys, key)
        keys.assign.click()
    keys.reset.click()
    assert settings.keys == {}
    for command in window.parts.actions.defaults.values():
        assert window.parts.actions.commands[command.id].keys == command.keys


@pytest.mark.parametrize(
    ("key", "column", "said"),
    [
        ("A", ANYWHERE, "A alone is needed for typing"),
        ("Shift+Home", ANYWHERE, "Shift+Home alone is needed for typing"),
        ("Esc", ON_GRAPH, "Esc is fixed"),
        ("Alt+Left", ON_GRAPH, "Alt+Left is fixed"),
        ("Alt+F", ANYWHERE, "Alt+F opens the File menu"),
    ],
)
def test_a_key_that_no_command_can_have_is_refused(keys, key, column, said):
    choose(keys, "about", column)
    press(keys, key)
    assert keys.said.text().startswith(said)
    assert not keys.assign.isEnabled()
    assert not keys.add.isEnabled()


def test_the_table_of_keys_is_searched_by_name_and_by_key(keys):
    keys.search.setText("pgup")
    shown = [
        keys._ids[row] for row in range(keys.table.rowCount()) if not keys.table.isRowHidden(row)
    ]
    assert "back_over" in shown
    assert "run" not in shown


def test_the_keys_that_commands_come_with_are_all_allowed(window):
    commands = window.parts.actions.defaults
    keymap = Keymap(commands, {})
    for command_id, command in commands.items():
        for graph, keys in ((False, command.keys), (True, command.canvas_keys)):
            for key in keys:
                clash = keymap.clash(command_id, key, graph)
                assert clash is not None
                assert clash.holder == command_id, (command_id, key, clash.reason)


def test_keys_of_commands_that_are_no_more_are_forgotten(window):
    keymap = Keymap(window.parts.actions.defaults, {"gone": Keys(("F5",))})
    assert keymap.chosen == {}


def test_keys_that_write_or_move_are_known():
    assert all(types(key) for key in ("A", "Shift+A", "Home", "Space", "+", "Num+5", "Del", "PgUp"))
    assert not any(types(key) for key in ("F1", "Shift+F5", "Ctrl+A", "Alt+Z", "Ctrl+Shift+Home"))


def test_buttons_show_the_keys_that_were_chosen(window, keys):
    choose(keys, "run", ANYWHERE)
    press(keys, "Ctrl+R")
    keys.assign.click()
    assert window.parts.toolbar.buttons["run"].key == "Ctrl+R"
    keys.default.click()
    assert window.parts.toolbar.buttons["run"].key == "F5"


def test_sentences_speak_of_the_keys_that_were_chosen(window, keys, show):
    window.session.set_text("x = 1")
    assert "F5 runs it." in window.parts.stage.strip.accessibleName()
    assert window.parts.status.keys.text == "F5 run"
    choose(keys, "run", ANYWHERE)
    press(keys, "Ctrl+R")
    keys.assign.click()
    assert "Ctrl+R runs it." in window.parts.stage.strip.accessibleName()
    assert window.parts.status.keys.text == "Ctrl+R run"
    assert "press Ctrl+R to run" in window.parts.actions["step_over"].statusTip()
    keys.remove.click()
    assert window.parts.status.keys.text == "“Run” run"


def test_sentences_about_lessons_and_lectures_speak_of_chosen_keys_too(window, settings):
    settings.keys = {"lessons": (("Ctrl+9",), ()), "lecture": (("Ctrl+8",), ())}
    window.parts.desk.take_keys()
    assert "Ctrl+9 shows all" in window.parts.gallery.words.text()
    assert window.parts.teaching.why_not() == "No lesson is on: Ctrl+9 shows them."
    assert "Ctrl+8 begins it" in window.parts.actions["lecture_notes"].statusTip()


def test_sentences_speak_of_the_keys_that_commands_come_with(window):
    commands = window.parts.actions.defaults
    for command_id, key in USUAL_KEYS.items():
        assert spoken_key(commands[command_id]) == key


# -- interpreter --------------------------------------------------------------------------


def test_interpreters_are_found_on_the_path_and_beside_the_program(tmp_path):
    for name in ("bin/python3.12", "bin/python3.9", "bin/python3", "bin/pythonw", "bin/other"):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.touch(mode=0o755)
    (tmp_path / "bin" / "python3.11").touch(mode=0o644)
    for name in ("project/.venv/bin", "active/bin"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "python").touch(mode=0o755)
    environ = {
        "PATH": os.pathsep.join([str(tmp_path / "bin"), str(tmp_path / "none"), ""]),
        "VIRTUAL_ENV": str(tmp_path / "active"),
    }
    paths = [each.path for each in found(environ, tmp_path / "project")]
    assert paths[0] == ""
    assert [path.removeprefix(f"{tmp_path}/") for path in paths[1:]] == [
        *("project/.venv/bin/python", "active/bin/python", "bin/python3", "bin/python3.12"),
    ]


def test_an_interpreter_is_tried_out_before_it_is_used(window, settings, qtbot, show, runner):
    show("forced")
    opened = dialog(window, "interpreter")
    opened.path.setText(sys.executable)
    with qtbot.waitSignal(opened.chosen):
        opened.use.click()
        assert "Trying it out" in opened.said.text()
    assert settings.python == sys.executable
    assert window.session.options.python == sys.executable
    assert runner.last.options.python == sys.executable, "it runs again"
    assert sys.executable in window.parts.status.keys.text


def test_an_interpreter_that_cannot_be_used_says_why_and_changes_nothing(
    window, settings, qtbot, tmp_path
):
    opened = dialog(window, "interpreter")
    opened.path.setText(str(tmp_path / "none"))
    with qtbot.waitSignal(opened._checked):
        opened.use.click()
    qtbot.waitUntil(opened.use.isEnabled)
    assert "There is no program" in opened.said.text()
    assert opened.isVisible()
    assert settings.python is None


def test_our_own_interpreter_can_be_chosen_again(qtbot, window):
    opened = Interpreter("/usr/bin/python3", None, window.look, window, lambda _path: "")
    opened.list.setCurrentRow(0)
    assert opened.path.text() == ""
    with qtbot.waitSignal(opened.chosen) as chosen:
        opened.use.click()
    assert chosen.args == [""]


def test_a_python_that_is_none_is_found_out():
    assert check("") == ""
    assert "is not a Python" in check("true") or "There is no program" in check("true")


# -- root ---------------------------------------------------------------------------------


def test_another_root_is_chosen_by_its_name(named, runner, qtbot):
    opened = dialog(named, "root")
    assert [choice.text for choice in opened.model.shown] == ["As the program says", "e", "d", "c"]
    qtbot.keyClicks(opened.field, "d")
    qtbot.keyClick(opened.field, Qt.Key.Key_Return)
    assert runner.last.options.root == "d"
    qtbot.waitUntil(lambda: not named.session.running)
    opened = dialog(named, "root")
    assert opened.current.value == "d"
    opened.list.setCurrentIndex(opened.model.index(0))
    opened.choose()
    assert runner.last.options.root is None


def test_no_root_is_chosen_where_the_program_says_itself_where_it_starts(window, show):
    show("written")
    assert window.session.stepper(Mode.AS_WRITTEN) is not None
    assert not window.parts.actions["root"].isEnabled()
    assert "calls backward() itself" in window.parts.actions["root"].statusTip()


# -- expression ---------------------------------------------------------------------------


def test_an_expression_makes_a_program_and_runs_it(window, runner, qtbot):
    opened = dialog(window, "new_expression")
    opened.field.setText("(x*w + b).tanh()")
    assert list(opened.fields) == ["x", "w", "b"]
    opened.fields["w"].setText("−0.5")
    assert "w = Value(-0.5)" in opened.preview.toPlainText()
    opened.make.click()
    assert window.session.program.text == opened.program().text
    assert runner.last.program == window.session.program
    assert not window.isWindowModified()


def test_what_is_no_expression_says_why_and_makes_nothing(window):
    opened = dialog(window, "new_expression")
    opened.field.setText("a +")
    assert not opened.make.isEnabled()
    assert opened.preview.toPlainText() == ""
    assert "column" in opened.said.text()
    opened.field.setText("a + b")
    assert opened.make.isEnabled()
    opened.fields["a"].setText("two")
    assert not opened.make.isEnabled()
    assert opened.said.text() == "a: that is no number."


def test_numbers_that_were_given_stay_while_the_expression_changes(window):
    opened = dialog(window, "new_expression")
    opened.field.setText("p * q")
    opened.fields["p"].setText("42")
    opened.field.setText("p * q + r")
    assert opened.fields["p"].text() == "42.0"


# -- about, faults ------------------------------------------------------------------------


def test_about_tells_every_version_and_copies_it(window):
    opened = dialog(window, "about")
    opened.copy.click()
    text = QGuiApplication.clipboard().text()
    assert text == versions() == opened.versions.text()
    for name in (f"Chainstep {__version__}", "Python 3", "Qt 6", "PySide6", "networkx", "numpy"):
        assert name in text


def test_a_fault_of_ours_can_be_copied_with_all_it_takes(window, capsys):
    faults = app.Faults()
    faults.happened.connect(window.show_fault)
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0  # noqa: B018
    faults._caught(*caught._excinfo)
    window.parts.bar.copy.click()
    copied = QGuiApplication.clipboard().text()
    assert "Traceback" in copied
    assert "ZeroDivisionError" in copied
    assert f"Chainstep {__version__}" in copied
    window.parts.bar.say("Something else.")
    assert window.parts.bar.copy.isHidden()
    assert "Traceback" in capsys.readouterr().err
