"""A window in which somebody types, in a process of its own, to be killed while at it.

As a script it types numbers until it is killed, and tells each on standard output.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer

if TYPE_CHECKING:
    from pathlib import Path

END = ";"
"""Ends a number."""
EVERY_MS = 15
"""From one typed number to the next: faster than anybody types."""


@dataclass(frozen=True)
class Killed:
    """What a killed typist had typed, and what was left of it.

    Attributes:
        typed: When each number was typed, in seconds of one clock.
        kept: The last whole number in the text that was left behind; -1 for none.
    """

    typed: list[float]
    kept: int

    @property
    def lost(self) -> int:
        """How many numbers, up to the kill, were lost."""
        return len(self.typed) - (self.kept + 1)

    @property
    def lost_s(self) -> float:
        """Seconds of typing, up to the kill, that were lost."""
        return self.typed[-1] - self.typed[self.kept + 1] if self.lost > 0 else 0.0


def kill_while_typing(folder: Path, after_s: float) -> Killed:
    """Let somebody type for so long, kill the window with SIGKILL, and see what is left.

    So long is as many numbers as are typed then by who has a machine for himself.
    """
    from chainstep.ui.recovery import FOLDER, orphans

    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
    }
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        typed: list[float] = []
        while len(typed) <= after_s * 1000 / EVERY_MS:
            line = process.stdout.readline()
            assert line, "the window ended by itself"
            typed.append(float(line))
        process.kill()
        typed += [float(line) for line in process.stdout if line.endswith("\n")]
    left = orphans(folder / "data" / "chainstep" / FOLDER)
    assert len(left) <= 1
    # A text may have been kept in the middle of a number: what counts is before the last sign.
    whole = left[0].unsaved.text.split(END)[:-1] if left else []
    kept = int(whole[-1].split()[-1]) if whole else -1
    for orphan in left:
        orphan.remove()
    return Killed(typed, kept)


def kill_often(folder: Path, times: int, seed: int = 0) -> list[Killed]:
    """Kill windows at random moments, one after the other."""
    rng = random.Random(seed)
    return [
        kill_while_typing(folder / str(number), rng.uniform(0.1, 5.0)) for number in range(times)
    ]


def _type() -> None:
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from chainstep.ui.editor import Editor
    from chainstep.ui.main_window import MainWindow

    number = 0

    def word() -> None:
        nonlocal number
        window = next(w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow))
        editor = window.findChild(Editor)
        if editor is None or not editor.text():
            return
        editor.moveCursor(editor.textCursor().MoveOperation.End)
        QTest.keyClicks(editor, f"{number}{END}")
        os.write(1, f"{time.monotonic()}\n".encode())
        number += 1

    timer = QTimer(QCoreApplication.instance())
    timer.timeout.connect(word)
    timer.start(EVERY_MS)


if __name__ == "__main__":
    from PySide6.QtWidgets import QApplication

    from chainstep import app

    QApplication(sys.argv[:1])
    QTimer.singleShot(0, _type)
    sys.exit(app.run())
