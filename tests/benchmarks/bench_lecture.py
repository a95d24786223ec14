"""Lecture mode: a step with its picture at 400 nodes, and the frames of what travels.

In the whole window, as F12 begins it: the desk behind the lecture is there too. Each kind of step
is measured by itself, also while what is to come is hidden. Prints the times; exits with 1 where a
bar is missed. Measured offscreen, that is in software, on a screen of 1920 x 1080 that it fills,
at 200%, in milliseconds of the processor, which what else runs on the machine does not stretch:
from the new position to the painted pixels, and for each frame of the motion.

    python tests/benchmarks/bench_lecture.py
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_canvas import ROWS, no_runner, show_pass
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from chainstep.settings import Settings
from chainstep.story import Phase
from chainstep.ui.main_window import MainWindow
from chainstep.ui.session import Place, Session

NODES = 400
STEPS = 120
ROUNDS = 3
SCREEN = (1920, 1080)
STEP_MS = 16.0
FRAME_MS = 20.0
"""50 frames a second."""


def take(work: object) -> float:
    """Milliseconds of the processor that a call and the painting after it take."""
    begin = time.thread_time()
    work()  # type: ignore[operator]  # a callable
    QApplication.processEvents()
    return (time.thread_time() - begin) * 1000


def put_on_screen(folder: str) -> None:
    """Let Qt have a screen of that size: without one it has 800 x 800, which a lecture fills."""
    screen = {"name": "projected", "x": 0, "y": 0, "width": SCREEN[0], "height": SCREEN[1]}
    screen |= {"dpr": 1, "logicalDpi": 96, "logicalBaseDpi": 96}
    file = Path(folder) / "screens.json"
    file.write_text(json.dumps({"screens": [screen]}), "utf-8")
    os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={file}"


def opened(folder: str) -> MainWindow:
    """A lecture on a pass, in a window that has nothing else to do."""
    store = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
    settings = Settings(store)
    settings.lecture_scale = 200
    window = MainWindow(settings)
    window.fill(Session(no_runner), ())
    window.show()
    show_pass(window.session, NODES, ROWS)
    window.parts.lecturing.enter()
    assert window.parts.lecturing.view is not None
    window.parts.lecturing.view.viewport_.animated = False
    QApplication.processEvents()
    assert window.size().toTuple() == SCREEN
    return window


def steps(window: MainWindow, phase: Phase, grain: str, *, hides: bool) -> list[float]:
    """Milliseconds of each of some steps from the same place on; the quietest round of each."""
    session = window.session
    rounds = []
    for _ in range(ROUNDS):
        session.hide(False)
        session.go(Place(phase, 40))
        session.hide(hides)
        QApplication.processEvents()
        rounds.append([take(getattr(session, grain)) for _ in range(STEPS)])
    return [min(each) for each in zip(*rounds, strict=True)]


def frames(window: MainWindow) -> list[float]:
    """Milliseconds of each frame of contributions that travel."""
    view = window.parts.lecturing.view
    assert view is not None
    view.viewport_.animated = True
    window.session.go(Place(Phase.BACKWARD, 40))
    motion = view.viewport_.motion
    found: list[float] = []
    for _ in range(40):
        window.session.step_into()
        if motion.share is None:
            continue
        for part in range(1, 10):
            elapsed = part * 20
            found.append(take(lambda elapsed=elapsed: motion._animation.setCurrentTime(elapsed)))
    return found


def judge(name: str, times: list[float], most: float) -> bool:
    """Print the times; gives whether the slowest is slower than it may be."""
    late = quantiles(times, n=20)[-1]
    print(  # noqa: T201  what a benchmark is for
        f"{name:34} median {median(times):5.1f} ms, 95% within {late:5.1f}, slowest "
        f"{max(times):5.1f} (at most {most:.0f})"
    )
    return max(times) > most


def main() -> int:
    """Measure and judge."""
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        put_on_screen(folder)
        application = QApplication(sys.argv)
        window = opened(folder)
        for hides in (False, True):
            for phase, grain in (
                (Phase.FORWARD, "step_into"),
                (Phase.SORT, "step_into"),
                (Phase.BACKWARD, "step_into"),
                (Phase.BACKWARD, "step_over"),
            ):
                name = f"{phase.value}, {grain}{', hiding' if hides else ''}"
                missed |= judge(name, steps(window, phase, grain, hides=hides), STEP_MS)
        window.session.hide(False)
        missed |= judge("frame of what travels", frames(window), FRAME_MS)
        window._may_close = True
        window.close()
        application.quit()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
