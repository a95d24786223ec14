import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from typist import EVERY_MS, kill_while_typing

from chainstep.program import Program
from chainstep.ui.recovery import FOLDER, Keeper, Unsaved, orphans, words

NET_S = 30.0
"""What is written is on the disk soon; this is only a net."""
Button = QMessageBox.StandardButton


def left_behind(folder, text, name="student.py", path=None, when=1_700_000_000.0):
    """A text as a killed window leaves it: without a lock."""
    (folder / FOLDER).mkdir(exist_ok=True)
    file = folder / FOLDER / f"{name}-{when}.json"
    file.write_bytes(Unsaved(name, text, path, when).encoded())
    return file


def kept(window):
    """What is kept of this window's text by now."""
    try:
        return Unsaved.decoded(window.parts.recovery.keeper.path.read_bytes())
    except FileNotFoundError:
        return None


def is_kept(window, text):
    return lambda: kept(window) is not None and kept(window).text == text


def press(window, words):
    next(b for b in window.parts.offers.buttons if b.text() == words).click()


# -- keeping ------------------------------------------------------------------------------


@pytest.mark.parametrize("after_s", [0.4, 2.3])
def test_a_kill_while_typing_loses_two_seconds_at_the_most(tmp_path, after_s):
    killed = kill_while_typing(tmp_path, after_s)
    # Each number takes that long, and longer where the machine is busy with something else.
    assert killed.lost * EVERY_MS / 1000 <= 2.0
    assert after_s < 2.0 or killed.kept > 0


def test_text_that_is_not_saved_is_kept_and_saved_text_is_not(window, tmp_path, qtbot):
    window.parts.editor.insertPlainText("x = '\ud83d' # \u2028")
    window.parts.recovery.keep()
    qtbot.waitUntil(is_kept(window, window.session.program.text))
    assert (kept(window).name, kept(window).path) == ("untitled.py", None)
    window.parts.editor.selectAll()
    window.parts.editor.insertPlainText("x = 1\n")
    window.parts.files._write(tmp_path / "x.py", None)
    qtbot.waitUntil(lambda: kept(window) is None)


def test_typing_is_kept_without_being_asked_for(window, qtbot):
    window.parts.recovery._timer.setInterval(0)
    window.parts.editor.insertPlainText("typed")
    qtbot.waitUntil(is_kept(window, "typed"))


def test_however_much_is_typed_it_is_written_once_per_second_at_the_most(window, qtbot):
    recovery, written = window.parts.recovery, []
    recovery.keeper.keep = lambda unsaved, _then=None: written.append(unsaved)
    for _ in range(50):
        window.parts.editor.insertPlainText("x")
    assert written == []
    assert recovery._timer.isActive()
    assert recovery._timer.interval() <= 1000


def test_nothing_is_left_behind_by_a_window_that_closes(window, tmp_path, qtbot):
    window.parts.editor.insertPlainText("thrown away")
    window.parts.recovery.keep()
    qtbot.waitUntil(is_kept(window, "thrown away"))
    window._may_close = True
    window.close()
    # The window waits some seconds for that; a busy disk may take longer.
    window.parts.recovery.keeper.close(NET_S)
    assert list((tmp_path / FOLDER).iterdir()) == []


def test_a_writer_writes_only_the_newest(tmp_path):
    done = threading.Event()
    keeper = Keeper(tmp_path, print)
    for number in range(100):
        keeper.keep(Unsaved("x.py", str(number), None, 0.0))
    keeper.keep(Unsaved("x.py", "last", Path("/x.py"), 5.0), done.set)
    assert done.wait(NET_S)
    assert Unsaved.decoded(keeper.path.read_bytes()) == Unsaved("x.py", "last", Path("/x.py"), 5.0)
    keeper.close(NET_S)


def test_a_folder_that_cannot_be_written_is_complained_of_once(tmp_path, qtbot):
    (tmp_path / "file").write_text("in the way")
    said = []
    keeper = Keeper(tmp_path / "file", said.append)
    for number in range(3):
        keeper.keep(Unsaved("x.py", str(number), None, 0.0))
        qtbot.waitUntil(lambda: not keeper._due)
    keeper.close(NET_S)
    assert len(said) == 1
    assert "cannot be kept against a crash" in said[0]


# -- what was left behind -----------------------------------------------------------------


def test_what_a_living_window_keeps_is_nobody_elses(tmp_path):
    done = threading.Event()
    keeper = Keeper(tmp_path, print)
    keeper.keep(Unsaved("x.py", "mine", None, 0.0), done.set)
    assert done.wait(NET_S)
    assert orphans(tmp_path) == []
    keeper.close(NET_S)
    (orphan,) = orphans(tmp_path)
    assert orphan.unsaved.text == "mine"
    assert orphans(tmp_path) == [], "it is offered by one window at a time"
    orphan.release()
    assert len(orphans(tmp_path)) == 1


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"name": 1}', b"\xff", b"[" * 10_000, b"{}"])
def test_what_is_no_kept_text_is_passed_over(tmp_path, data):
    left_behind(tmp_path, "x")
    (tmp_path / FOLDER / "damaged.json").write_bytes(data)
    assert [orphan.unsaved.text for orphan in orphans(tmp_path / FOLDER)] == ["x"]


def test_a_text_that_was_left_behind_is_offered_and_restored_as_unsaved(window, tmp_path, qtbot):
    path = tmp_path / "student.py"
    path.write_text("x = 1\n")
    file = left_behind(tmp_path, "x = 2\ny = 3\n", path=path)
    window.parts.recovery.offer()
    assert window.parts.offers.isVisible()
    assert "student.py was not saved" in window.parts.offers.words.text()
    assert "2 lines" in window.parts.offers.words.text()
    press(window, "Restore")
    assert window.session.program == Program("student.py", "x = 2\ny = 3\n", path)
    assert window.isWindowModified()
    assert path.read_text() == "x = 1\n"
    assert window.parts.offers.isHidden()
    qtbot.waitUntil(lambda: not file.exists())
    assert kept(window).text == "x = 2\ny = 3\n", "it is this window's own by now"
    window.parts.actions["save"].trigger()
    assert path.read_text() == "x = 2\ny = 3\n"


def test_a_text_that_is_not_wanted_is_taken_away(window, tmp_path):
    file = left_behind(tmp_path, "x = 2\n")
    window.parts.recovery.offer()
    press(window, "Discard")
    assert not file.exists()
    assert window.parts.offers.isHidden()
    assert window.session.program.text == ""


def test_texts_are_offered_one_after_the_other_the_newest_first(window, tmp_path):
    left_behind(tmp_path, "old\n", "old.py", when=1.0)
    left_behind(tmp_path, "new\n", "new.py", when=2.0)
    window.parts.recovery.offer()
    assert window.parts.offers.words.text().startswith("new.py")
    press(window, "Discard")
    assert window.parts.offers.words.text().startswith("old.py")
    press(window, "Restore")
    assert window.session.program.text == "old\n"


def test_what_was_not_answered_is_offered_again_by_the_next_window(window, tmp_path):
    left_behind(tmp_path, "x\n")
    window.parts.recovery.offer()
    assert orphans(tmp_path / FOLDER) == []
    window.close()
    assert len(orphans(tmp_path / FOLDER)) == 1


def test_what_was_saved_all_the_same_is_not_offered(window, tmp_path):
    path = tmp_path / "student.py"
    path.write_text("x = 1\n")
    file = left_behind(tmp_path, "x = 1\n", path=path)
    window.parts.recovery.offer()
    assert window.parts.offers.isHidden()
    assert not file.exists()


def test_restoring_asks_where_the_open_text_is_not_saved_and_loses_neither(window, tmp_path):
    file = left_behind(tmp_path, "theirs\n")
    window.parts.editor.insertPlainText("mine")
    window.parts.recovery.offer()
    press(window, "Restore")
    box = next(b for b in window.findChildren(QMessageBox) if b.isVisible())
    box.button(Button.Cancel).click()
    assert window.session.program.text == "mine"
    assert file.exists()


def test_a_text_whose_file_has_gone_is_restored_too(window, tmp_path):
    left_behind(tmp_path, "x\n", path=tmp_path / "gone.py")
    window.parts.recovery.offer()
    press(window, "Restore")
    assert window.session.program.text == "x\n"
    assert window.parts.files.modified


def test_an_offer_says_how_much_there_is():
    assert "1 line." in words(Unsaved("a.py", "x", None, 0.0))
    assert "1 line." in words(Unsaved("a.py", "x\n", None, 0.0))
    assert "2 lines." in words(Unsaved("a.py", "x\ny", None, 0.0))
