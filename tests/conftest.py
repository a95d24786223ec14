"""What tests share: a hand-made recording, a runner that gives it, a window on it."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

import pytest

os.environ["QT_QPA_PLATFORM"] = os.environ.get("QT_QPA_PLATFORM") or "offscreen"

from chainstep.graph import Node
from chainstep.trace import RECORDED, Kind, Mode, Order, Outcome, Recording, Status, Step, Trace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.settings import Settings
    from chainstep.ui.main_window import MainWindow
    from chainstep.ui.session import Session

# Hundreds of child processes load the package: it is compiled once, whatever is usual here.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

freeze = gc.freeze
"""The real one: see `_frozen`."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: many tests wait for processes of their own."""
    return len(os.sched_getaffinity(0)) + 1


def pytest_collection() -> None:
    """What is loaded from now on is much and stays: it is not searched for garbage meanwhile."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Everything is loaded: only what tests make is searched for garbage from now on."""
    gc.collect()
    freeze()
    gc.set_threshold(50_000, 10, 20)  # a window, some 10,000 objects, is found among the young
    gc.enable()


TOLERATED = ("This plugin does not support", 'Detected locale "C"')
"""What the screenless platform says of itself, and Qt of where the machine's locale is none."""

DIAMOND = """\
from chainstep import Value

a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
"""

A, B, C, D, E = range(5)

NODES = (
    Node(A, "a", "", 2.0, line=3, serial=A),
    Node(B, "b", "", 3.0, line=4, serial=B),
    Node(C, "c", "+", 5.0, (A, B), line=5, serial=C),
    Node(D, "d", "*", 6.0, (A, B), line=6, serial=D),
    Node(E, "e", "*", 30.0, (C, D), line=7, serial=E),
)

# node, slot, target, upstream, local, contribution; then before and after with += and with =
WRITES = (
    (E, 0, C, 1.0, 6.0, 6.0, (0.0, 6.0), (0.0, 6.0)),
    (E, 1, D, 1.0, 5.0, 5.0, (0.0, 5.0), (0.0, 5.0)),
    (D, 0, A, 5.0, 3.0, 15.0, (0.0, 15.0), (0.0, 15.0)),
    (D, 1, B, 5.0, 2.0, 10.0, (0.0, 10.0), (0.0, 10.0)),
    (C, 0, A, 6.0, 1.0, 6.0, (15.0, 21.0), (15.0, 6.0)),
    (C, 1, B, 6.0, 1.0, 6.0, (10.0, 16.0), (10.0, 6.0)),
)


def trace(mode: Mode, pass_index: int = 0) -> Trace:
    """The diamond's backward pass, worked out by hand."""
    steps = [Step(Kind.SEED, node=E, target=E, before=0.0, after=1.0, accumulates=False)]
    for node, upstream in ((E, 1.0), (D, 5.0), (C, 6.0), (B, None), (A, None)):
        steps.append(Step(Kind.CALL, node=node, upstream=upstream))
        for giver, slot, target, up, local, contribution, added, replaced in WRITES:
            if giver == node:
                adds = mode is not Mode.OVERWRITE
                before, after = added if adds else replaced
                steps.append(
                    Step(
                        Kind.WRITE, node, slot, target, up, local, contribution, before, after, adds
                    )
                )
    order = Order.AS_WRITTEN if mode is Mode.AS_WRITTEN else Order.DEPTH_FIRST
    return Trace(pass_index, mode, order, E, dict.fromkeys(range(5), 0.0), tuple(steps), {})


def recording_of(
    *modes: Mode,
    passes: int = 1,
    outcome: Outcome | None = None,
    output: str = "",
) -> Recording:
    """The diamond in some modes and as many passes."""
    traces = tuple(trace(mode, index) for index in range(passes) for mode in modes)
    return Recording(
        "diamond.py",
        DIAMOND,
        nodes=NODES if traces else (),
        traces=traces,
        output=output,
        outcome=outcome or Outcome(Status.OK),
        files=("diamond.py",),
    )


FORCED = (Mode.ACCUMULATE, Mode.OVERWRITE)
RECORDINGS = {
    "forced": recording_of(*FORCED),
    "written": recording_of(*RECORDED),
    "passes": recording_of(*RECORDED, passes=3, output="three passes\n"),
    "failed": recording_of(outcome=Outcome(Status.EXCEPTION, "NameError: q is not defined.", 6)),
    "half": recording_of(*FORCED, outcome=Outcome(Status.EXCEPTION, "ZeroDivisionError.", 7)),
    "printed": recording_of(*FORCED, output="loss 0.5\n"),
}


class HandRun:
    """A run that does nothing until it is told to deliver."""

    def __init__(self, runner: HandRunner, program: Program, options: Options) -> None:
        self.program = program
        self.options = options
        self.stopped = False
        self.waited = False
        self._runner = runner
        self._finished: Callable[[Recording], None] | None = None

    def start(self, finished: Callable[[Recording], None]) -> None:
        self._finished = finished
        if self._runner.at_once is not None:
            self.deliver(self._runner.at_once)

    def stop(self) -> None:
        self.stopped = True

    def wait(self, timeout_s: float | None = None) -> bool:
        self.waited = True
        return True

    def deliver(self, recording: Recording) -> None:
        assert self._finished is not None
        self._finished(recording)


class HandRunner:
    """Makes hand-run runs and keeps them. `at_once` is delivered as soon as a run starts."""

    def __init__(self) -> None:
        self.runs: list[HandRun] = []
        self.at_once: Recording | None = None

    def __call__(self, program: Program, options: Options) -> HandRun:
        self.runs.append(HandRun(self, program, options))
        return self.runs[-1]

    @property
    def last(self) -> HandRun:
        return self.runs[-1]


@pytest.fixture(scope="session", autouse=True)
def _settings_elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whatever opens the user's own settings finds an empty folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("config")))
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_waiting_for_the_disk() -> Iterator[None]:
    """What is written is read again at once: no test ends in a power cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def _frozen() -> Iterator[None]:
    """What was frozen above stays so, and nothing else: a recording shown would freeze garbage."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("freeze", "unfreeze"):
            patch.setattr(gc, name, lambda: None)
        yield


@pytest.fixture(scope="module", autouse=True)
def _settled(_frozen: None) -> None:
    """What other files left stays: searches of a recorder would go through all of it each time."""
    gc.collect()
    freeze()


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    """What is waited for comes at once, or late on a busy machine: the limit is only a net."""
    from pytestqt.qtbot import QtBot

    with pytest.MonkeyPatch.context() as patch:
        for wait in (QtBot.waitSignal, QtBot.waitSignals, QtBot.waitUntil, QtBot.waitActive):
            patch.setitem(wait.__kwdefaults__, "timeout", 30_000)
        yield


@pytest.fixture(autouse=True)
def _no_qt_warnings(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that makes Qt complain has found a fault."""
    if not {"qtbot", "qapp", "window", "session"} & set(request.fixturenames):
        yield
        return
    log = request.getfixturevalue("qtlog")
    yield
    complaints = [
        record.message
        for record in log.records
        if record.log_type_name != "QtDebugMsg" and not record.message.startswith(TOLERATED)
    ]
    assert not complaints


@pytest.fixture
def recordings() -> dict[str, Recording]:
    return RECORDINGS


@pytest.fixture
def diamond() -> Program:
    from chainstep.program import Program

    return Program("diamond.py", DIAMOND)


@pytest.fixture
def runner() -> HandRunner:
    return HandRunner()


def delete() -> None:
    """Do now what `deleteLater` puts off until an event loop runs: a window takes megabytes."""
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def session(qapp: object, runner: HandRunner) -> Iterator[Session]:
    from chainstep.ui.session import Session

    session = Session(runner)
    yield session
    session.close()
    session.deleteLater()
    delete()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    from PySide6.QtCore import QSettings

    from chainstep.settings import Settings

    return Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def window(qtbot: object, session: Session, settings: Settings) -> Iterator[MainWindow]:
    from chainstep.program import examples
    from chainstep.ui.main_window import MainWindow

    window = MainWindow(settings)
    window.fill(session, examples())
    window.resize(1280, 720)
    window.show()
    yield window
    window._may_close = True
    window.close()
    window.deleteLater()
    delete()


@pytest.fixture
def show(qtbot: object, session: Session, runner: HandRunner, diamond: Program) -> Callable:
    """Opens the diamond, runs it, and waits until a recording is on show."""

    def shown(name: str, **changes: object) -> Recording:
        runner.at_once = RECORDINGS[name]
        session.open(diamond, run=False)
        with qtbot.waitSignal(session.recording_changed):
            session.run(**changes)
        return RECORDINGS[name]

    return shown
