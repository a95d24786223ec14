"""Presses the keys of every command for real, in a window on an X server, and says what they did.

To be run on a virtual X server, with `xdotool`. Writes JSON: for each press where the focus was,
the key, whose it is, and the commands that were carried out.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "xcb"

from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

from chainstep.options import Options
from chainstep.program import load
from chainstep.runner import run
from chainstep.settings import Settings
from chainstep.ui import composition
from chainstep.ui.main_window import MainWindow
from chainstep.ui.session import Session

SYMBOLS = {
    "PgUp": "Prior",
    "PgDown": "Next",
    "Del": "Delete",
    "Backspace": "BackSpace",
    "Esc": "Escape",
    "Ins": "Insert",
    "Space": "space",
    "Return": "Return",
    "Enter": "KP_Enter",
    "+": "plus",
    "-": "minus",
    "=": "equal",
    "[": "bracketleft",
    "]": "bracketright",
    ".": "period",
    ",": "comma",
    "/": "slash",
    "?": "question",
    ";": "semicolon",
    "'": "apostrophe",
    "`": "grave",
    "\\": "backslash",
    "#": "numbersign",
}
"""What X calls keys that Qt calls otherwise."""
WAIT_S = 30.0
TEXT = {"undo", "redo", "cut", "copy", "paste", "select_all"}
"""Text that has the focus takes these keys itself, for the same."""

carried_out = []


def harmless(table):
    """The commands, each of which can always be carried out and then only says so."""
    for command in table:
        yield replace(command, handler=lambda id_=command.id: carried_out.append(id_), refusal=str)


class Delivered:
    """A run that has ended before it began."""

    def __init__(self, recording):
        self._recording = recording

    def start(self, finished):
        """Hand it over."""
        finished(self._recording)

    def stop(self):
        """There is nothing to stop."""

    def wait(self, timeout_s=None):
        """There is nothing to wait for."""


def until(condition):
    """Let the window work until something is so, or too much time has passed."""
    end = time.monotonic() + WAIT_S
    while not condition() and time.monotonic() < end:
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, 20)


def symbol(key):
    """What xdotool calls a key: `Ctrl+Shift+PgDown` is `ctrl+shift+Next`."""
    head, _, last = key.rpartition("+") if key[-1] != "+" else (key[:-1], "", "+")
    modifiers = [part.lower() for part in head.split("+") if part]
    last = SYMBOLS.get(last, last.lower() if len(last) == 1 else last)
    return "+".join([*modifiers, last])


def press(key):
    """Press a key, and give the commands that it carried out."""
    carried_out.clear()
    subprocess.run(["xdotool", "key", "--delay", "0", symbol(key)], check=True)
    until(lambda: carried_out)
    return list(carried_out)


def main():
    """Open the window, press every key where it has to work."""
    application = QApplication(sys.argv)  # kept: without it there are no widgets
    made = composition.commands
    composition.commands = lambda *parts: harmless(made(*parts))
    program = load("example:diamond")
    recording = run(program, Options())
    with tempfile.TemporaryDirectory() as folder:
        store = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(Settings(store))
        window.fill(Session(lambda *_: Delivered(recording)), ())
        window.resize(1280, 720)
        window.show()
        window.session.open(program, run=True)
        until(lambda: window.session.panes)
        subprocess.run(["xdotool", "windowfocus", str(int(window.winId()))], check=True)
        until(window.isActiveWindow)
        places = {"editor": window.parts.editor, "graph": window.parts.stage.canvases[0]}
        told = []
        for where, widget in places.items():
            widget.setFocus()
            until(widget.hasFocus)
            for command in window.parts.actions.commands.values():
                if where == "editor" and command.id in TEXT:
                    continue
                keys = command.keys if where == "editor" else command.keys + command.canvas_keys
                for key in keys:
                    told.append({"where": where, "key": key, "of": command.id, "did": press(key)})
                    widget.setFocus()
        json.dump(told, sys.stdout)
        window.close()
    del application


main()
