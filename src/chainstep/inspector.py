"""A check in a process of its own, so that the window keeps all the time it needs for itself.

In threads of one process the judging, Python through and through, would take turns with every
paint of the window. The other process also loads PyTorch, and gives its memory back in the end.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from dataclasses import replace
from typing import TYPE_CHECKING

from chainstep.judging import Stop, assessments
from chainstep.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from chainstep.judging import Subject
    from chainstep.trace import Recording

PATIENCE = 10
"""How far a check gives way to what else wants to compute, of 19."""


class Check:
    """Judges a recording that is on show, in a process of its own. Begins once."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._lock = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def start(self, finished: Callable[[Report | Exception], None]) -> None:
        """Begin. `finished` is called on another thread, and never after a stop.

        Where PyTorch is asked it is called again, with the same report and PyTorch's gradients.
        """
        assert self._thread is None
        self._thread = threading.Thread(
            target=self._work, args=(finished,), name="chainstep-check", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End it, and whatever it runs; nothing is delivered any more."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.terminate()

    def wait(self, timeout_s: float | None = None) -> None:
        """Block until it has ended, or so long."""
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _work(self, finished: Callable[[Report | Exception], None]) -> None:
        with self._lock:
            if self._stopped:
                return
            # Without -P a file of the user's could take the place of a module of Python's.
            command = [sys.executable, "-P", "-m", "chainstep.inspector"]
            self._process = process = subprocess.Popen(  # noqa: S603  our own module
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        delivered = False
        for result in self._results(process):
            if not self._stopped:
                finished(result)
            delivered = True
        status = process.wait()
        if not delivered and not self._stopped:
            finished(RuntimeError(f"The check ended without a word, with exit status {status}."))

    def _results(self, process: subprocess.Popen[bytes]) -> Iterator[Report | Exception]:
        """What the other process tells, as it comes."""
        subject = self._subject
        assert process.stdin is not None
        assert process.stdout is not None
        # Outermost: closing a pipe writes what is left, also to a process that was ended. One that
        # ends while it tells something leaves a part of that.
        ends = (OSError, EOFError, pickle.UnpicklingError)
        with contextlib.suppress(*ends), process.stdin, process.stdout:
            pickle.dump(replace(subject, recording=_bare(subject.recording)), process.stdin)
            process.stdin.close()
            while True:
                told = pickle.load(process.stdout)  # noqa: S301  our own process
                if isinstance(told, str):
                    yield RuntimeError(told)
                else:
                    yield Report(subject.recording.program, subject.recording, *told)


def _bare(recording: Recording) -> Recording:
    """A recording without what is kept with it and its traces to be found again quickly."""
    return replace(recording, traces=tuple(replace(trace) for trace in recording.traces))


def main() -> None:
    """Judge the subject on standard input; tell what is found on standard output."""
    stop = Stop()
    # What one looks at comes first; the runs that are started from here give way as well.
    os.nice(PATIENCE)

    def give_up(_signal: int, _frame: FrameType | None) -> None:
        stop.all()
        sys.exit()

    signal.signal(signal.SIGTERM, give_up)
    subject: Subject = pickle.load(sys.stdin.buffer)  # noqa: S301  from the window
    with contextlib.suppress(BrokenPipeError):
        try:
            for report in assessments(subject, stop):
                _tell((report.gradients, report.findings, report.held))
        except Exception:  # noqa: BLE001  told where it can be shown
            _tell(traceback.format_exc())


def _tell(what: object) -> None:
    pickle.dump(what, sys.stdout.buffer)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
