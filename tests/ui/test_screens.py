"""Two screens in a lecture: what is projected on one, the lecturer's window on the other."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QApplication, QWidget

from chainstep.ui import screens

SCREENS = [("desk", 0, 1280, 800), ("projector", 1280, 1920, 1080)]


@pytest.fixture(scope="module")
def seen(tmp_path_factory):
    """Where the windows stood at each point of a lecture with two screens."""
    folder = tmp_path_factory.mktemp("screens")
    screens = [
        {"name": name, "x": x, "y": 0, "width": width, "height": height, "dpr": 1}
        | {"logicalDpi": 96, "logicalBaseDpi": 96}
        for name, x, width, height in SCREENS
    ]
    (folder / "screens.json").write_text(json.dumps({"screens": screens}), "utf-8")
    script = Path(__file__).with_name("two_screens.py")
    done = subprocess.run(
        [sys.executable, str(script), str(folder / "settings.ini")],
        env={**os.environ, "QT_QPA_PLATFORM": f"offscreen:configfile={folder / 'screens.json'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_graph_goes_to_the_other_screen_and_the_notes_stay(seen):
    assert seen["desk"]["window"] == "desk"
    found = seen["lecture"]
    assert (found["window"], found["full"], found["notes"]) == ("projector", True, "desk")
    assert found["swaps"]


def test_a_key_swaps_them_and_the_next_lecture_begins_so(seen):
    for name in ("swapped", "again"):
        found = seen[name]
        assert (found["window"], found["full"], found["notes"]) == ("desk", True, "projector")


@pytest.mark.parametrize("name", ["left", "over"])
def test_afterwards_the_window_is_where_it_was_and_the_notes_are_gone(seen, name):
    assert seen[name]["place"] == seen["desk"]["place"]
    assert (seen[name]["window"], seen[name]["full"]) == ("desk", False)
    assert seen[name]["notes"] is None


@pytest.mark.parametrize(
    ("name", "left"), [("projector unplugged", "desk"), ("desk unplugged", "projector")]
)
def test_an_unplugged_screen_takes_no_window_with_it(seen, name, left):
    found = seen[name]
    assert (found["window"], found["full"], found["notes"]) == (left, True, left)
    assert found["inside"]
    assert found["plate"] == "The other screen is gone. P shows the window for the lecturer."
    assert not found["swaps"]


def test_plugged_in_again_each_window_goes_to_its_screen(seen):
    found = seen["plugged in"]
    assert (found["window"], found["full"], found["notes"]) == ("projector", True, "desk")


def test_notes_that_were_closed_come_again_with_a_screen_and_the_time_goes_on(seen):
    assert seen["notes closed"]["notes"] is None
    assert seen["notes again"]["notes"] == "desk"
    assert seen["notes again"]["began"]


def test_with_one_screen_there_is_nothing_to_swap_and_no_second_window(window, show):
    show("forced")
    window.parts.actions["lecture"].trigger()
    assert window.parts.lecturing.notes is None
    assert window.parts.lecturing.why_no_swap() == "There is only one screen."


def test_the_window_for_the_lecturer_lies_behind_after_that_and_a_key_brings_it_in_front(
    window, show, qtbot
):
    show("forced")
    lecturing, actions = window.parts.lecturing, window.parts.actions
    actions["lecture"].trigger()
    actions["lecture_notes"].trigger()
    lecturing._screens.changed.emit()
    actions["lecture_notes"].trigger()
    assert lecturing.notes is not None
    qtbot.waitUntil(lecturing.notes.isActiveWindow)
    actions["lecture_notes"].trigger()
    assert lecturing.notes is None


def test_screens_that_come_and_go_are_told_once_the_system_has_moved_the_windows(window, qtbot):
    screens = window.parts.lecturing._screens
    told = QSignalSpy(screens.changed)
    for signal in (QApplication.instance().screenRemoved, QApplication.instance().screenAdded):
        signal.emit(window.screen())
    assert told.count() == 0
    qtbot.waitUntil(lambda: told.count() == 1)


def test_where_windows_cannot_be_moved_they_are_shown_anew_and_fill_their_screen(
    window, qtbot, monkeypatch
):
    placing = window.parts.lecturing._screens
    monkeypatch.setattr(screens, "_is_wayland", lambda: True)
    monkeypatch.setattr(screens.Screens, "lecturers", property(lambda _: window.screen()))
    notes, done = QWidget(), []
    for name in ("hide", "showNormal", "showFullScreen"):
        does = getattr(notes, name)
        monkeypatch.setattr(notes, name, lambda name=name, does=does: (done.append(name), does()))
    qtbot.addWidget(notes)
    placing.place(notes, QSize(300, 200))
    assert done == ["showFullScreen"]
    placing.place(notes, QSize(300, 200))
    assert done[1:] == ["hide", "showNormal", "showFullScreen"]
    assert notes.isFullScreen()
