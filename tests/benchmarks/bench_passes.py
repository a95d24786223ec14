"""Any of fifty backward passes of a small training loop, in the whole window.

Runs the loop for real. Then each pass is chosen for the first time, in every view and phase; the
time is from the choice to the painted window, in milliseconds of the processor in the window's
thread, which what else runs on the machine does not stretch. Prints the times; exits with 1 where
a bar is missed.

    QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_passes.py
"""

import os
import random
import sys
import tempfile
import time
from itertools import product
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop, QSettings
from PySide6.QtWidgets import QApplication

from chainstep.options import Limits, Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.settings import Settings
from chainstep.story import Phase
from chainstep.trace import Recording
from chainstep.ui.delivery import RunHandle
from chainstep.ui.main_window import MainWindow
from chainstep.ui.session import Place, Session, View
from chainstep.ui.shapes import Layouts

PASSES = 50
SHAPES = 20
"""Passes of the program in which each has another shape: to lay one out takes up to a second."""
ROUNDS = 2
MOST_MS = 100.0
LOOP = f"""\
from chainstep import Value
from chainstep.nn import MLP

points = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
targets = [1.0, -1.0, -1.0, 1.0]
net = MLP(3, [4, 4, 1])
for step in range({PASSES}):
    predictions = [net(point) for point in points]
    loss = sum((p - t) ** 2 for p, t in zip(predictions, targets))
    net.zero_grad()
    loss.backward()
    for p in net.parameters():
        p.data -= 0.02 * p.grad
"""
"""The lecture's network on its four points."""
GROWING = f"""\
from chainstep import Value

w = [Value(0.1 * n) for n in range(8)]
for step in range({SHAPES}):
    total = Value(0.0)
    for n in range(20 + step):
        total = total + (w[n % 8] * (0.5 + n)).tanh()
    total.backward()
    for value in w:
        value.data -= 0.01 * value.grad
        value.grad = 0.0
"""
"""Every pass has another shape, so none can take the layout of the one before."""


class Delivered:
    """A run that has ended before it began."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    def start(self, finished) -> None:
        """Hand it over."""
        finished(self._recording)

    def stop(self) -> None:
        """There is nothing to stop."""

    def wait(self, timeout_s: float | None = None) -> None:
        """There is nothing to wait for."""


def settle(until) -> None:
    """Let the window work until something is so."""
    while not until():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 50)


def opened(recording: Recording, folder: str, layouts: Layouts) -> MainWindow:
    """A window on the first pass, with the layouts that are known."""
    store = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Settings(store))

    def runner(*_: object) -> RunHandle:
        return Delivered(recording)

    session = Session(runner)
    session._layouts = layouts
    window.fill(session, ())
    window.resize(1280, 720)
    window.show()
    window.session.open(Program(recording.program, recording.source), run=True)
    settle(lambda: bool(window.session.panes))
    return window


def choose(window: MainWindow, index: int) -> float:
    """Milliseconds until a pass is painted, in a window that has nothing else to do."""
    session = window.session
    passes = session._passes
    assert passes is not None
    passes.rest()
    begin = time.thread_time()
    session.set_pass(index)
    assert session.pass_index == index  # at once: no other thread had to work for it
    QApplication.processEvents()
    return (time.thread_time() - begin) * 1000


def measure(
    recording: Recording, layouts: Layouts, view: View, phase: Phase, order: list[int]
) -> list[float]:
    """Each pass, shown for the first time."""
    with tempfile.TemporaryDirectory() as folder:
        window = opened(recording, folder, layouts)
        window.session.set_view(view)
        window.session.go(Place(phase, 7))
        QApplication.processEvents()
        times = [choose(window, index) for index in order]
        assert window.session.phase is phase
        window.close()
    return times


def recorded(text: str, passes: int) -> Recording:
    """All passes of a program."""
    recording = run(Program("loop.py", text), Options(limits=Limits(time_s=120)))
    assert recording.passes == passes, recording.outcome
    return recording


def judge(name: str, recording: Recording, order: list[int], view: View, phase: Phase) -> float:
    """The slowest pass. The quietest round counts: other programs run on the machine too."""
    # Laid out once: that is another thread's work, and the longest by far.
    layouts = Layouts()
    rounds = [measure(recording, layouts, view, phase, order) for _ in range(ROUNDS)]
    times = [min(each) for each in zip(*rounds, strict=True)]
    print(  # noqa: T201  what a benchmark is for
        f"{name}, {view.value:10} {phase.value:8}: "
        f"median {median(times):5.1f} ms, slowest {max(times):5.1f} ms",
        flush=True,
    )
    return max(times)


def main() -> int:
    """Measure and judge."""
    application = QApplication(sys.argv)
    mixed = list(range(1, PASSES))
    random.Random(0).shuffle(mixed)
    loop, growing = recorded(LOOP, PASSES), recorded(GROWING, SHAPES)
    slowest = max(
        judge("one shape, any order", loop, mixed, view, phase)
        for view, phase in product((View.ACCUMULATE, View.BOTH, View.AS_WRITTEN), Phase)
    )
    # Of another shape only the neighbours are laid out ahead.
    onward = judge(
        "other shapes, in turn", growing, list(range(1, SHAPES)), View.BOTH, Phase.BACKWARD
    )
    slowest = max(slowest, onward)
    print(f"slowest of all: {slowest:.1f} ms (at most {MOST_MS})")  # noqa: T201  as above
    application.quit()
    return int(slowest > MOST_MS)


if __name__ == "__main__":
    sys.exit(main())
