"""Starts the window and stays until it is closed."""

from __future__ import annotations

import sys
import threading
import traceback
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from chainstep.settings import Settings
from chainstep.ui.main_window import MainWindow

if TYPE_CHECKING:
    from types import TracebackType

    from chainstep.judging import Subject
    from chainstep.lesson import Lesson
    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.saved import Saved
    from chainstep.ui.checks import CheckHandle
    from chainstep.ui.delivery import RunHandle

FIRST = "neuron"
"""Name of the example that a newcomer sees."""
UNSEEN_MS = 500
"""After which a window is filled though it has not been painted."""


class Faults(QObject):
    """Shows what of ours went wrong, in any thread, instead of dying of it."""

    happened = Signal(str, str)
    """A sentence for the user, and all of it for a report."""

    def install(self) -> None:
        """Take the place of what Python does with an error that nobody caught."""
        sys.excepthook = self._caught
        threading.excepthook = lambda args: self._caught(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )

    def _caught(
        self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, fault, trace)
            return
        traceback.print_exception(kind, fault, trace)
        frames = traceback.extract_tb(trace)
        where = f" ({frames[-1].filename.rpartition('/')[2]}, line {frames[-1].lineno})"
        self.happened.emit(
            f"A fault in Chainstep itself: {kind.__name__}: {fault}{where if frames else ''}. "
            "Your program is still here: save it, and close the window if it behaves oddly.",
            "".join(traceback.format_exception(kind, fault, trace)),
        )


def run(program: Program | Saved | Lesson | None = None, options: Options | None = None) -> int:
    """Open the window and run Qt until it is closed; gives the exit status.

    Args:
        program: What to show and run; a saved recording, which is only shown; None for what was
            open last.
        options: How programs are run at first.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("Chainstep")
    application.setDesktopFileName("chainstep")
    application.setStyle("Fusion")
    faults = Faults()
    faults.install()
    window = MainWindow(Settings())
    faults.happened.connect(window.show_fault)
    filled = False

    def begin() -> None:
        nonlocal filled
        if not filled:
            filled = True
            allow_interrupt()
            try:
                fill(window, options)
            except BaseException:
                # A bare window can neither work nor say why it does not.
                application.exit(1)
                raise
            open_first(window, program)

    # Filled when it has been seen; a window that opens minimised is not painted for long.
    window.painted.connect(lambda: QTimer.singleShot(0, begin))
    QTimer.singleShot(UNSEEN_MS, begin)
    window.show()
    return application.exec()


def allow_interrupt() -> None:
    """Let Ctrl+C in the terminal end the process: Python gets no turn while Qt waits."""
    import signal  # noqa: PLC0415  10 ms, and nobody interrupts a window that is not there yet

    signal.signal(signal.SIGINT, signal.SIG_DFL)


def make_window(settings: Settings, options: Options | None = None) -> MainWindow:
    """A window on an empty session that runs programs for real."""
    window = MainWindow(settings)
    fill(window, options)
    return window


def fill(window: MainWindow, options: Options | None) -> None:
    """Give a bare window an empty session that runs programs for real."""
    from chainstep.options import Options  # noqa: PLC0415  the bare window needs none of it
    from chainstep.program import examples  # noqa: PLC0415
    from chainstep.ui.session import Session  # noqa: PLC0415

    settings = window.settings
    options = options or Options(python=settings.python, limits=settings.limits)
    window.fill(Session(start_run, options, checker=start_check), examples())


def start_run(program: Program, options: Options) -> RunHandle:
    """A run of a program in a process of its own."""
    # Loads what watches over processes: nothing that a window needs to be painted.
    from chainstep.runner import Run  # noqa: PLC0415

    return Run(program, options)


def start_check(subject: Subject) -> CheckHandle:
    """A check of what a run left."""
    # Loads numpy and every rule, long after the window has been painted.
    from chainstep.inspector import Check  # noqa: PLC0415

    return Check(subject)


def open_first(window: MainWindow, program: Program | Saved | Lesson | None) -> None:
    """Show what the command line named, else what was open last, else the neuron.

    A program that was named, and the neuron, run as soon as they are in sight.
    """
    from chainstep.lesson import Lesson  # noqa: PLC0415  see above
    from chainstep.program import examples  # noqa: PLC0415
    from chainstep.saved import Saved  # noqa: PLC0415

    parts = window.parts
    parts.recovery.offer()
    if program is None and parts.resumption.resume():
        return
    if isinstance(program, Lesson):
        parts.teaching.open(program)
        return
    if isinstance(program, Saved):
        parts.files.show_saved(program)
        return
    every = examples()
    if program is None:
        program = next((each for each in every if each.name == FIRST), every[0]).program
        # Below the neuron, which keeps the keyboard.
        parts.gallery.show()
    # An example that is named opens in its own view and at its own step.
    example = next((each for each in every if each.program == program), None)
    parts.files.show(program, run=False, example=example)
    QTimer.singleShot(0, window.session.run)
