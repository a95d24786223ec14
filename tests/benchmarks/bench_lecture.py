"""Lecture mode: a step with its picture at 400 nodes, and the frames of what travels.

Prints the times; exits with 1 where a bar is missed. Measured offscreen, that is in software, at
1920 x 1080 and 200%, in milliseconds of the processor, which what else runs on the machine does
not stretch: from the new position to the painted pixels, and for each frame of the motion.

    QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_lecture.py
"""

import os
import sys
import time
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from bench_canvas import ROWS, make_session
from PySide6.QtWidgets import QApplication

from chainstep.story import Phase
from chainstep.ui.lecture import LectureView
from chainstep.ui.palette import LIGHT
from chainstep.ui.session import Place
from chainstep.ui.theme import Look

NODES = 400
STEPS = 120
STEP_MS = 16.0
FRAME_MS = 20.0
"""50 frames a second."""


def take(work: object) -> float:
    """Milliseconds of the processor that a call and the painting after it take."""
    begin = time.process_time()
    work()  # type: ignore[operator]  # a callable
    QApplication.processEvents()
    return (time.process_time() - begin) * 1000


def main() -> int:
    """Measure and judge."""
    application = QApplication(sys.argv)
    session = make_session(NODES, ROWS)
    view = LectureView(session, Look(LIGHT, 200))
    view.viewport_.animated = False
    view.resize(1920, 1080)
    view.show()
    session.go(Place(Phase.BACKWARD, 40))
    QApplication.processEvents()
    steps = [take(session.step_into) for _ in range(STEPS)]
    motion = view.viewport_.motion
    frames: list[float] = []
    view.viewport_.animated = True
    for _ in range(40):
        session.step_into()
        if motion.share is None:
            continue
        for part in range(1, 10):
            elapsed = part * 20
            frames.append(take(lambda elapsed=elapsed: motion._animation.setCurrentTime(elapsed)))
    step, frame = median(steps), median(frames)
    print(  # noqa: T201  what a benchmark is for
        f"step with its picture: median {step:.1f} ms, slowest {max(steps):.1f} ms (at most "
        f"{STEP_MS}); frame: median {frame:.1f} ms, slowest {max(frames):.1f} ms (at most "
        f"{FRAME_MS}, that is {1000 / FRAME_MS:.0f} a second)"
    )
    view.close()
    application.quit()
    return int(step > STEP_MS or frame > FRAME_MS)


if __name__ == "__main__":
    sys.exit(main())
