"""`chainstep --self-test`: whether this installation works, one line per check.

Every bundled example runs in a real child process, and what comes back is held against numbers
that were computed elsewhere and come with the examples.
"""

from __future__ import annotations

import importlib.resources
import json
import os
import subprocess
import sys
import tempfile
from math import isclose
from typing import IO, TYPE_CHECKING, Any

from chainstep.layout import layered
from chainstep.lesson import lessons
from chainstep.options import Options
from chainstep.program import examples
from chainstep.runner import run
from chainstep.trace import Mode, Status
from chainstep.vetting import faults_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chainstep.graph import Node
    from chainstep.layout import Box, Layout
    from chainstep.trace import Recording

TOLERANCE = 1e-12
"""Relative: what different processors and mathematics libraries may differ by."""
PATIENCE_S = 60
WITHOUT_QT = 3
"""Exit status of the process with the window where Qt cannot be loaded."""


def self_test(out: IO[str]) -> bool:
    """Run every check, write a line for each, and tell whether all passed."""
    passed = True
    for name, fault in _checks():
        out.write(f"ok      {name}\n" if fault is None else f"FAILED  {name}: {fault}\n")
        out.flush()
        passed = passed and fault is None
    out.write("all passed\n" if passed else "some checks failed\n")
    return passed


def _checks() -> Iterator[tuple[str, str | None]]:
    """(what was checked, what is wrong with it)."""
    index = importlib.resources.files("chainstep.resources") / "examples" / "gradients.json"
    known = json.loads(index.read_text("utf-8"))
    for example in examples():
        recording = run(example.program, Options())
        yield f"example {example.name}: runs", wrong_run(recording)
        if example.name in known:
            wrong = wrong_gradients(recording, known[example.name])
            yield f"example {example.name}: gradients", wrong
        if recording.traces:
            drawn = layered(recording.graph())
            yield f"example {example.name}: layout", wrong_layout(drawn)
    for lesson in lessons():
        yield f"lesson {lesson.name}: opens", "\n".join(faults_of(lesson)) or None
    yield _window()


def wrong_run(recording: Recording) -> str | None:
    """What is wrong with how a program ran."""
    outcome = recording.outcome
    if outcome.status is not Status.OK:
        return f"it ended with {outcome.status.value}: {outcome.message}"
    broken = [trace.error.message for trace in recording.traces if trace.error is not None]
    return f"a pass broke off: {broken[0]}" if broken else None


def wrong_gradients(recording: Recording, known: Mapping[str, Any]) -> str | None:
    """The first number of the first pass that is not what it should be."""
    forced = {mode: recording.trace(mode) for mode in (Mode.ACCUMULATE, Mode.OVERWRITE)}
    for name, numbers in known["values"].items():
        node = _named(recording, name)
        if node is None:
            return f"there is no node {name}"
        found = {"data": node.data}
        for mode, trace in forced.items():
            found[mode.value] = float("nan") if trace is None else trace.final[node.id]
        for kind, number in found.items():
            if not isclose(number, numbers[kind], rel_tol=TOLERANCE):
                return f"{kind} of {name} is {number!r}, and it should be {numbers[kind]!r}"
    return None


def _named(recording: Recording, name: str) -> Node | None:
    """The newest node of that name: the one that the name is bound to at the end."""
    called = (node for node in reversed(recording.nodes) if name in {node.name, *node.aliases})
    return next(called, None)


def wrong_layout(layout: Layout) -> str | None:
    """Two cards that overlap, or an edge that does not run from left to right."""
    boxes = sorted(layout.boxes.items(), key=lambda item: item[1].x)
    for place, (one, box) in enumerate(boxes):
        for other, beside in boxes[place + 1 :]:
            if beside.x >= box.x + box.width:
                break
            if _overlap(box, beside):
                return f"the cards of nodes {one} and {other} overlap"
    for edge, route in layout.routes.items():
        if route.points[0][0] >= route.points[-1][0]:
            return f"the edge from node {edge.child} to node {edge.consumer} runs backward"
    return None


def _overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )


def _window() -> tuple[str, str | None]:
    """An offscreen window in a process of its own, since Qt may end the process it is in."""
    # Qt complains of a locale that is not UTF-8, and goes on: that is no fault of a window.
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-c", "from chainstep.selftest import probe; probe()"]
    try:
        done = subprocess.run(  # noqa: S603  our own interpreter and code
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "window", f"it was not ready after {PATIENCE_S} s"
    said = done.stderr.strip().splitlines()
    if done.returncode == WITHOUT_QT:
        return f"window: left out, Qt cannot be loaded here ({said[-1]})", None
    if done.returncode or said:
        return "window", (said or [f"it ended with exit status {done.returncode}"])[-1]
    return "window", None


def probe() -> None:
    """Open the window on the neuron, wait for the graph, step once and paint it.

    Raises:
        SystemExit: Qt cannot be loaded, or the window does not show what it should.
    """
    try:
        from PySide6.QtCore import QEventLoop, QSettings, QTimer  # noqa: PLC0415
        from PySide6.QtWidgets import QApplication  # noqa: PLC0415
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(WITHOUT_QT)
    from chainstep import app  # noqa: PLC0415  needs Qt
    from chainstep.settings import Settings  # noqa: PLC0415

    application = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        store = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = app.make_window(Settings(store), None)
        session = window.session
        waiting = QEventLoop()

        def look() -> None:
            if session.recording is not None:
                waiting.quit()

        session.recording_changed.connect(look)
        QTimer.singleShot(PATIENCE_S * 500, waiting.quit)
        app.open_first(window, None)
        window.show()
        waiting.exec()
        session.step_over()
        application.processEvents()
        image = window.grab().toImage()
        session.close()
    if session.primary is None or session.position == 0:
        sys.exit("the neuron was not recorded, or could not be stepped")
    row = [image.pixel(x, image.height() // 2) for x in range(image.width())]
    if len(set(row)) < 3:
        sys.exit("the window stayed empty")
