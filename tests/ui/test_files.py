"""Saved recordings, and what other programs do to a file that is open."""

import os
import random
import threading
from dataclasses import replace

import pytest
from damage import damaged
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QMessageBox

from chainstep import app
from chainstep.errors import RecordingError
from chainstep.program import Program
from chainstep.saved import open_recording, save
from chainstep.story import Phase
from chainstep.ui.course import Place
from chainstep.ui.session import View

Button = QMessageBox.StandardButton


def opened(window, qtbot, path):
    """Open a saved recording and wait until it is on show, or refused."""
    window.parts.files.open_path(path)
    on_show(window, qtbot)


def on_show(window, qtbot):
    session = window.session
    qtbot.waitUntil(lambda: session.recording is not None and not session.running)


def press(window, words):
    next(b for b in window.parts.offers.buttons if b.text() == words).click()


@pytest.fixture
def saved(window, show, tmp_path, qtbot):
    """The diamond saved at step 7 of both modes, with d selected; then another program is open."""
    show("written")
    session = window.session
    session.set_view(View.BOTH)
    session.seek_backward(7)
    session.select(3)
    path = tmp_path / "kept.chainstep"
    with qtbot.waitSignal(window.parts.files.recordings.kept):
        window.parts.files.write_recording(path)
    window.parts.files.show(Program("untitled.py", ""), run=False)
    return path


# -- recordings ---------------------------------------------------------------------------


def test_a_recording_is_opened_at_the_same_step_and_nothing_runs(
    window, runner, saved, qtbot, recordings
):
    runs = len(runner.runs)
    opened(window, qtbot, saved)
    session = window.session
    assert session.recording.traces == recordings["written"].traces
    assert (session.view, session.place) == (View.BOTH, Place(Phase.BACKWARD, 7))
    assert session.selected == 3
    assert len(runner.runs) == runs
    assert not session.stale
    assert window.windowTitle() == "kept.chainstep (diamond.py)[*] — Chainstep"
    assert not window.isWindowModified()
    assert window.parts.editor.text() == recordings["written"].source


def test_a_recording_can_be_run_again_when_that_is_asked_for(window, runner, saved, qtbot):
    opened(window, qtbot, saved)
    window.parts.actions["run"].trigger()
    assert runner.last.program.text == window.session.recording.source


@pytest.mark.parametrize("phase", [Phase.FORWARD, Phase.SORT])
def test_a_place_in_any_phase_is_kept(window, show, tmp_path, qtbot, phase):
    show("forced")
    window.session._walk.move(Place(phase, 2))
    save(window.session.recording, tmp_path / "a.chainstep", window.session.bookmark)
    window.parts.files.show(Program("untitled.py", ""), run=False)
    opened(window, qtbot, tmp_path / "a.chainstep")
    assert window.session.place == Place(phase, 2)


def test_a_recording_is_saved_where_the_dialog_says(window, show, tmp_path, qtbot):
    show("forced")
    window.parts.actions["save_recording"].trigger()
    dialog = window.findChild(QFileDialog)
    with qtbot.waitSignal(window.parts.files.recordings.kept):
        dialog.fileSelected.emit(str(tmp_path / "mine.chainstep"))
    dialog.reject()
    saved = open_recording(tmp_path / "mine.chainstep")
    assert (saved.recording.traces, saved.problem) == (window.session.recording.traces, "")
    assert "mine.chainstep" in window.parts.status.keys.text
    assert window.settings.recent[0] == tmp_path / "mine.chainstep"


def test_a_recording_that_cannot_be_written_says_so(window, show, tmp_path, qtbot):
    show("forced")
    with qtbot.waitSignal(window.parts.files.failed):
        window.parts.files.write_recording(tmp_path / "no" / "such.chainstep")
    assert "such.chainstep cannot be written" in window.parts.bar.words.text()


def test_a_recording_that_is_dropped_is_opened(window, saved, qtbot):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(saved))])
    keys = Qt.KeyboardModifier.NoModifier
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(5, 5), copy, data, left, keys))
    on_show(window, qtbot)
    assert window.session.backward_position == 7


def test_a_recording_is_among_the_recent_files(window, saved, qtbot):
    window.parts.recent.aboutToShow.emit()
    action = next(a for a in window.parts.recent.actions() if saved.name in a.text())
    action.trigger()
    on_show(window, qtbot)
    assert window.session.backward_position == 7


def test_a_recording_from_the_command_line_is_shown(window, saved, qtbot, runner):
    runs = len(runner.runs)
    app.open_first(window, open_recording(saved))
    on_show(window, qtbot)
    assert window.session.backward_position == 7
    assert len(runner.runs) == runs


def test_a_run_of_its_program_takes_the_name_of_a_recording_off_the_title(window, saved, qtbot):
    opened(window, qtbot, saved)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    assert window.windowTitle() == "diamond.py[*] — Chainstep"


def test_a_cut_recording_is_shown_up_to_the_cut_and_says_so(window, saved, qtbot):
    lines = saved.read_bytes().splitlines(keepends=True)
    saved.write_bytes(b"".join(lines[:-3]))
    opened(window, qtbot, saved)
    assert window.session.panes
    said = window.parts.bar.words.text()
    assert said.startswith("kept.chainstep was opened as far as it goes. The recording is cut off")


@pytest.mark.parametrize("data", [b"", b"import os\n", b"\x00\x01", b'{"format": "other"}\n'])
def test_what_is_no_recording_is_refused_and_the_program_stays(window, tmp_path, qtbot, data):
    path = tmp_path / "x.chainstep"
    path.write_bytes(data)
    window.session.set_text("mine")
    window.parts.files._saved_text = "mine"
    with qtbot.waitSignal(window.parts.files.failed):
        window.parts.files.open_path(path)
    assert "x.chainstep" in window.parts.bar.words.text()
    assert window.parts.editor.text() == "mine"
    assert window.session.recording is None


@pytest.mark.parametrize("seed", range(25))
def test_a_damaged_recording_is_walked_through_as_far_as_it_goes(
    session, recordings, tmp_path, qtbot, seed
):
    rng = random.Random(seed)
    path = tmp_path / "x.chainstep"
    save(recordings["passes"], path)
    path.write_bytes(damaged(path.read_bytes(), rng))
    try:
        saved = open_recording(path)
    except RecordingError:
        return
    session.open_recording(Program("x.py", ""), saved.recording, saved.bookmark)
    qtbot.waitUntil(lambda: not session.running)
    assert session.recording is saved.recording
    for view in session.views:
        session.set_view(view)
        for position in range(session.length + 1):
            session.seek(position)


def test_a_recording_that_arrives_too_late_is_not_shown(window, saved, qtbot, monkeypatch):
    gate = threading.Event()

    def slow(path):
        gate.wait(5)
        return open_recording(path)

    monkeypatch.setattr("chainstep.ui.recordings.open_recording", slow)
    window.parts.files.open_path(saved)
    window.parts.files.new()
    with qtbot.waitSignal(window.parts.files.recordings.read):
        gate.set()
    assert window.session.program.name == "untitled.py"
    assert not window.session.running


def test_opening_a_recording_asks_where_the_text_is_not_saved(window, saved):
    window.parts.editor.insertPlainText("precious")
    window.parts.files.open_path(saved)
    box = next(b for b in window.findChildren(QMessageBox) if b.isVisible())
    box.button(Button.Cancel).click()
    assert window.parts.editor.text() == "precious"


def test_a_bookmark_beyond_the_recording_is_brought_inside(window, saved, qtbot):
    kept = open_recording(saved)
    beyond = replace(kept.bookmark, view="upside-down", phase="sideways", number=10**9, selected=4)
    save(kept.recording, saved, beyond)
    opened(window, qtbot, saved)
    assert window.session.backward_position == 12
    assert window.session.selected == 4


def test_saving_a_program_that_came_with_a_recording_asks_for_a_python_file(
    window, saved, qtbot, tmp_path
):
    opened(window, qtbot, saved)
    window.parts.actions["save"].trigger()
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "mine.py"))
    dialog.reject()
    assert (tmp_path / "mine.py").read_text() == window.session.program.text
    assert window.windowTitle() == "mine.py[*] — Chainstep"


# -- what others do to the file -----------------------------------------------------------


@pytest.fixture
def student(window, tmp_path):
    path = tmp_path / "student.py"
    path.write_text("x = 1\n")
    window.parts.files.open_path(path)
    return path


def replaced(path, text):
    """Write a file as careful editors do: a new one takes its place."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def written(path, text):
    path.write_text(text)


@pytest.mark.parametrize("change", [written, replaced])
def test_a_file_that_others_change_is_read_again(window, student, qtbot, change):
    change(student, "x = 2\n")
    qtbot.waitUntil(lambda: window.parts.editor.text() == "x = 2\n")
    assert not window.isWindowModified()
    assert window.parts.offers.isHidden()
    assert "Reloaded: student.py" in window.parts.status.keys.text
    change(student, "x = 3\n")
    qtbot.waitUntil(lambda: window.parts.editor.text() == "x = 3\n")


def test_reloading_keeps_the_graph_and_says_that_the_program_changed(
    window, student, qtbot, runner, recordings
):
    runner.at_once = recordings["forced"]
    window.session.run()
    on_show(window, qtbot)
    written(student, "x = 2\n")
    qtbot.waitUntil(lambda: window.session.stale)
    assert window.session.panes
    assert len(runner.runs) == 1


def test_a_file_that_is_changed_here_and_there_asks_and_reloads(window, student, qtbot):
    window.parts.editor.insertPlainText("mine ")
    written(student, "theirs\n")
    qtbot.waitUntil(window.parts.offers.isVisible)
    assert window.parts.editor.text() == "mine x = 1\n"
    press(window, "Reload")
    assert window.parts.editor.text() == "theirs\n"
    assert not window.isWindowModified()
    assert window.parts.offers.isHidden()


def test_ones_own_text_can_be_kept_and_is_then_saved_unasked(window, student, qtbot):
    window.parts.editor.insertPlainText("mine ")
    written(student, "theirs\n")
    qtbot.waitUntil(window.parts.offers.isVisible)
    press(window, "Keep mine")
    assert window.isWindowModified()
    window.parts.actions["save"].trigger()
    assert student.read_text() == "mine x = 1\n"
    assert not window.isWindowModified()


def test_a_file_that_is_changed_back_asks_no_more(window, student, qtbot):
    window.parts.editor.insertPlainText("mine ")
    written(student, "theirs\n")
    qtbot.waitUntil(window.parts.offers.isVisible)
    written(student, "x = 1\n")
    qtbot.waitUntil(window.parts.offers.isHidden)


def test_ones_own_saving_is_no_change_by_others(window, student, qtbot):
    window.parts.editor.insertPlainText("y = 2\n")
    window.parts.actions["save"].trigger()
    with qtbot.waitSignal(window.parts.files._watcher.noticed):
        os.utime(student)
    assert window.parts.offers.isHidden()
    assert window.parts.editor.text() == "y = 2\nx = 1\n"


def test_a_file_that_is_removed_leaves_its_text_unsaved_and_can_be_written_again(
    window, student, qtbot
):
    student.unlink()
    qtbot.waitUntil(window.parts.offers.isVisible)
    assert "removed or renamed" in window.parts.offers.words.text()
    assert window.isWindowModified()
    press(window, "Save it again")
    assert student.read_text() == "x = 1\n"
    assert not window.isWindowModified()


def test_a_file_that_comes_back_asks_no_more(window, student, qtbot):
    student.unlink()
    qtbot.waitUntil(window.parts.offers.isVisible)
    student.write_text("x = 1\n")
    qtbot.waitUntil(window.parts.offers.isHidden)
    assert not window.isWindowModified()


def test_a_file_that_can_no_longer_be_read_as_text_leaves_the_text(window, student, qtbot):
    student.write_bytes(b"\xff\xfe\x00x")
    qtbot.waitUntil(window.parts.bar.isVisible)
    assert "The text here is the one before." in window.parts.bar.words.text()
    assert window.parts.editor.text() == "x = 1\n"


def test_another_file_is_watched_when_another_is_opened(window, student, tmp_path, qtbot):
    other = tmp_path / "other.py"
    other.write_text("o = 1\n")
    window.parts.files.open_path(other)
    written(student, "x = 9\n")
    written(other, "o = 2\n")
    qtbot.waitUntil(lambda: window.parts.editor.text() == "o = 2\n")


def test_the_place_of_the_cursor_is_kept_when_a_file_is_read_again(window, student, qtbot):
    cursor = window.parts.editor.textCursor()
    cursor.setPosition(4)
    window.parts.editor.setTextCursor(cursor)
    written(student, "x = 1\ny = 2\n")
    qtbot.waitUntil(lambda: window.parts.editor.text() == "x = 1\ny = 2\n")
    assert window.parts.editor.textCursor().position() == 4
