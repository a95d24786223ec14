"""How soon the window is there, and whether it answers whatever a program does.

    python tests/benchmarks/bench_window.py

Prints each figure with its bar and exits 1 where one is missed. Uses the display there is;
`QT_QPA_PLATFORM=offscreen` does without.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from time import perf_counter

RUNS = 7
FIRST_PAINT = """
import os, sys, time
class Painted:
    def __call__(self):
        print(time.clock_gettime(time.CLOCK_MONOTONIC)); sys.stdout.flush(); os._exit(0)
from PySide6.QtCore import QEvent, QObject, QTimer
class Watch(QObject):
    def eventFilter(self, thing, event):
        if event.type() == QEvent.Type.Paint:
            QTimer.singleShot(0, Painted())
        return False
"""
EMPTY = (
    FIRST_PAINT
    + """
from PySide6.QtWidgets import QApplication, QMainWindow
application = QApplication([])
window = QMainWindow()
watch = Watch()
window.installEventFilter(watch)
window.resize(1280, 720)
window.show()
application.exec()
"""
)
OURS = (
    FIRST_PAINT
    + """
from chainstep import app
from PySide6.QtWidgets import QMainWindow
shown = QMainWindow.show
watch = Watch()
def show(window):
    window.installEventFilter(watch)
    shown(window)
QMainWindow.show = show
app.run()
"""
)
FIRST = "from chainstep import Value\na = Value(2.0)\nb = a * a\n"
ENDLESS = "from chainstep import Value\na = Value(2.0)\nb = a * a\nwhile True:\n    pass\n"
FLOOD = "while True: print('x' * 1000)\n"
BUSY = (
    "from chainstep import Value\ntotal = Value(0.0)\nfor i in range(700):\n"
    "    total = total + Value(float(i)) * total\ntotal.backward()\n"
)


def first_paint_s(script):
    """Seconds from the start of a process to its first painted window."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CONFIG_HOME": folder}
        began = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, check=True
        )
        return float(done.stdout.split()[0]) - began


def start_up():
    """Median seconds to the first painted window: an empty one's, and ours."""
    pairs = [(first_paint_s(EMPTY), first_paint_s(OURS)) for _ in range(RUNS + 1)][1:]
    return tuple(statistics.median(times) for times in zip(*pairs, strict=True))


def pulses():
    """Per kind of program: seconds to its end, and the longest that the window's timer waited."""
    from PySide6.QtCore import QEventLoop, QSettings, QTimer
    from PySide6.QtWidgets import QApplication

    from chainstep import app
    from chainstep.options import Limits, Options
    from chainstep.program import Program
    from chainstep.settings import Settings

    QApplication.instance() or QApplication([])
    folder = tempfile.mkdtemp()
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, folder)
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, folder)
    window = app.make_window(Settings(), Options(limits=Limits(time_s=2.0)))
    window.show()
    programs = {"first run": FIRST, "endless loop": ENDLESS, "flood": FLOOD, "large graph": BUSY}
    for name, text in programs.items():
        window.parts.files.show(Program(f"{name}.py", text), run=False)
        longest = [0.0, perf_counter()]

        def beat(longest=longest):
            now = perf_counter()
            longest[:] = max(longest[0], now - longest[1]), now

        timer = QTimer(interval=10, timeout=beat)
        waiting = QEventLoop()
        window.session.recording_changed.connect(waiting.quit)
        began = perf_counter()
        window.session.run()
        timer.start()
        waiting.exec()
        took = perf_counter() - began
        timer.stop()
        window.session.recording_changed.disconnect(waiting.quit)
        yield name, took, longest[0]
    window.session.close()


def main():
    missed = False

    def tell(what, value, bar, unit):
        nonlocal missed
        missed |= value > bar
        print(f"{what:50} {value:8.2f} {unit:3} (bar {bar})")  # noqa: T201  as below

    empty, ours = start_up()
    print(  # noqa: T201  what a benchmark is for
        f"first paint: empty window {empty * 1000:.0f} ms, ours {ours * 1000:.0f} ms"
    )
    tell("first painted window, ours / empty", ours / empty, 1.6, "x")
    for name, took, longest in pulses():
        if name == "endless loop":
            tell("endless loop with a limit of 2 s, stopped in", took, 3.0, "s")
        # The first run of all loads numpy and networkx, in the run's own thread.
        bar = 100 if name == "endless loop" else 300
        tell(f"longest wait of the window's timer, {name}", longest * 1000, bar, "ms")
    return int(missed)


if __name__ == "__main__":
    sys.stdout.flush()
    os._exit(main())
