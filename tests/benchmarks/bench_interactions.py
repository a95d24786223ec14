"""What the window does for one press of a key, in graphs of 5,000 and 15,000 nodes.

Records real programs: a small network on many points, and one long chain that uses the same leaves
again and again, whose edges run past everything. Then each command is triggered in the whole
window, and the longest time is printed for which the window answers nothing else: in milliseconds
of the processor in its thread, which what else runs on the machine does not stretch. Exits with 1
where one of them freezes it for longer than it may.

    QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_interactions.py [SIZE ...]
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_canvas import no_runner
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from chainstep.options import Limits, Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.settings import Settings
from chainstep.story import Phase
from chainstep.trace import Recording
from chainstep.ui.main_window import MainWindow
from chainstep.ui.session import Place, Session, prepare

SIZES = (5_000, 15_000)
MOST_MS = {5_000: 300.0, 15_000: 1000.0}
NETWORK = """\
import random
from chainstep import Value
from chainstep.nn import MLP

random.seed(1)
points = [[random.uniform(-1, 1) for _ in range(3)] for _ in range({count})]
targets = [random.choice((-1.0, 1.0)) for _ in points]
net = MLP(3, [4, 4, 1])
loss = sum((net(point) - t) ** 2 for point, t in zip(points, targets))
loss.backward()
"""
CHAIN = """\
from chainstep import Value

w = [Value(0.1 * n) for n in range(8)]
total = Value(0.0)
for n in range({count}):
    total = total + (w[n % 8] * (0.5 + n / {count})).tanh()
total.backward()
"""
PROGRAMS = {"network": (NETWORK, 91), "chain": (CHAIN, 4)}
"""Programs, and how many nodes each round of their loop makes."""
QUIET_S = 0.3
"""How long nothing happens until the window has come to rest."""


def opened(recording: Recording, folder: str) -> MainWindow:
    """A window on a recording."""
    window = MainWindow(Settings(QSettings(f"{folder}/s.ini", QSettings.Format.IniFormat)))
    window.fill(Session(no_runner), ())
    window.resize(1280, 720)
    window.show()
    window.session._adopt(prepare(recording))
    settle(window)
    return window


def settle(window: MainWindow) -> float:
    """Let the window come to rest; gives the longest time that it answered nothing, in ms."""
    longest, last = 0.0, time.perf_counter()
    while window.session.running or time.perf_counter() - last < QUIET_S:
        begin = time.thread_time()
        QApplication.processEvents()
        took = time.thread_time() - begin
        if took > 0.003:
            last = time.perf_counter()
        longest = max(longest, took)
        time.sleep(0.002)
    return longest * 1000


def commands(window: MainWindow) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is done, in order, and its name."""
    session, actions = window.session, window.parts.actions

    def to(phase: Phase) -> None:
        course = session.course
        assert course is not None
        session.go(Place(phase, course.size(phase) // 2))

    def doing(*ids: str) -> Iterator[tuple[str, Callable[[], object]]]:
        for id_ in ids:
            yield id_, actions[id_].trigger

    yield from doing("step_over", "step_into", "end", "restart", "view_both", "next_difference")
    yield from doing("next_difference", "previous_difference", "view_overwrite")
    yield from doing("view_as-written", "view_accumulate")
    for phase in Phase:
        yield f"middle of {phase.value}", lambda phase=phase: to(phase)
        yield from doing("step_into", "back_into", "step_over")
    yield "select", lambda: session.select(session.primary.trace.root if session.primary else 0)
    yield "select a leaf", lambda: session.select(7)
    yield from doing("neighbourhood", "neighbourhood", "select_all_nodes", "find")
    yield "type in the search", lambda: window.parts.finder.field.setText("a")
    yield from doing("find_next", "theme_dark", "theme_light", "larger", "normal", "fit")
    yield from doing("step_into", "zoom_in", "zoom_out", "zoom_actual")
    yield "resize", lambda: window.resize(1920, 1080)
    yield "resize back", lambda: window.resize(1280, 720)
    yield from doing("lecture", "step_into", "step_over", "lecture", "hide_ahead", "step_into")
    yield from doing("hide_ahead", "hide_constants", "hide_constants", "fold_helpers")
    yield from doing("fold_helpers", "top_down", "left_to_right")


def measure(name: str, size: int) -> bool:
    """Whether any command freezes the window of that graph for longer than it may."""
    text, each = PROGRAMS[name]
    program = Program(f"{name}.py", text.format(count=size // each))
    recording = run(program, Options(limits=Limits(time_s=120, nodes=2 * size)))
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        window = opened(recording, folder)
        for what, work in commands(window):
            begin = time.thread_time()
            work()
            QApplication.processEvents()
            took = max((time.thread_time() - begin) * 1000, settle(window))
            found[what] = max(found.get(what, 0.0), took)
        window._may_close = True
        window.close()
        window.session.close()
    most = MOST_MS[size]
    print(f"{name}, {len(recording.nodes):,} nodes (at most {most:.0f} ms)")  # noqa: T201
    for what, took in sorted(found.items(), key=lambda pair: -pair[1]):
        print(f"  {took:7.1f} ms  {what}", flush=True)  # noqa: T201  what a benchmark is for
    return max(found.values()) > most


def main() -> int:
    """Measure and judge."""
    application = QApplication(sys.argv)
    sizes = [int(size) for size in sys.argv[1:]] or SIZES
    missed = [measure(name, size) for size in sizes for name in PROGRAMS]
    application.quit()
    return int(any(missed))


if __name__ == "__main__":
    sys.exit(main())
