"""Runs a program in a process of its own, under limits, and gives its recording.

Whatever the program does, there is a recording: what was recorded up to its end, and an outcome
that says how it ended. Nothing that it started outlives the run.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from chainstep import ending
from chainstep.codec import Reader
from chainstep.errors import ChainstepError, EnvironmentFault
from chainstep.failure import UNFINISHED
from chainstep.process import Process
from chainstep.source import Source
from chainstep.trace import Outcome, Recording, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.options import Options
    from chainstep.program import Program

TICK_S = 0.025
"""From one look at the child to the next: what a memory bomb has until it is noticed."""

STARTING_S = 20.0
"""How long an interpreter may take to get to the program."""

GRACE_S = 0.4
"""What a program has to end by itself, once asked, so that its graph can still be recorded."""

OLDEST = (3, 10)


def run(program: Program, options: Options) -> Recording:
    """Run a program to its end or its limits, and wait for it.

    Raises:
        EnvironmentFault: The interpreter asked for is not there, is too old, or is none.
        ProgramError: The program's folder has gone.
    """
    return _Watch(program, options, threading.Event()).recording()


class Run:
    """A run of a program in a thread of its own. Begins once.

    Its owner stops it before the application ends: the thread does not end with it.
    """

    def __init__(self, program: Program, options: Options) -> None:
        self._program = program
        self._options = options
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, finished: Callable[[Recording], None]) -> None:
        """Begin. `finished` is called once, on the thread of the run."""
        assert self._thread is None
        self._thread = threading.Thread(target=self._work, args=(finished,), name="chainstep-run")
        self._thread.start()

    def stop(self) -> None:
        """Ask for an early end; what was recorded so far is still delivered."""
        self._stopped.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until `finished` has returned, or so long; tells whether it has."""
        if self._thread is None:
            return False
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _work(self, finished: Callable[[Recording], None]) -> None:
        try:
            recording = _Watch(self._program, self._options, self._stopped).recording()
        except ChainstepError as fault:
            recording = self._crashed(str(fault))
        except Exception as fault:  # noqa: BLE001  whoever waits must hear that it is over
            recording = self._crashed(
                f"A fault in Chainstep itself: {type(fault).__name__}: {fault}. The program was "
                "ended; run it again, and report this if it happens again."
            )
        finished(recording)

    def _crashed(self, message: str) -> Recording:
        empty = _empty(self._program, self._options)
        return replace(empty, outcome=Outcome(Status.CRASHED, message))


class _Watch:
    """One run, from the first look at the child to the recording."""

    def __init__(self, program: Program, options: Options, stopped: threading.Event) -> None:
        self._program = program
        self._options = options
        self._stopped = stopped

    def recording(self) -> Recording:
        python = interpreter(self._options.python)
        with contextlib.closing(Process(self._program, self._options, python)) as process:
            verdict = self._wait(process)
            dump = self._end(process, verdict)
            status = process.kill()
            recorded = process.recording()
            outcome = self._outcome(process, recorded.outcome, verdict, (dump, status))
            empty = _empty(self._program, self._options)
            return replace(
                recorded,
                program=empty.program,
                source=empty.source,
                seed=empty.seed,
                output=process.output,
                outcome=outcome,
                files=recorded.files or (process.filename,),
            )

    def _wait(self, process: Process) -> Status | None:
        """Look at the child until it ends by itself (None) or has to be ended (why)."""
        limits = self._options.limits
        deadline = time.monotonic() + STARTING_S
        began = False
        while True:
            ended = process.ended_within(TICK_S)
            if process.over:
                return Status.OUTPUT
            if ended:
                return None
            if self._stopped.is_set():
                return Status.STOPPED
            if not began and process.began:
                began = True
                deadline = time.monotonic() + limits.time_s
            if time.monotonic() > deadline:
                return Status.TIMEOUT
            if process.memory_bytes() > limits.memory_mib << 20:
                return Status.MEMORY

    def _end(self, process: Process, verdict: Status | None) -> str:
        """Ask where the program is, then let it end by itself; gives what `faulthandler` said."""
        if verdict is None:
            return process.said_last()
        if not process.began:
            return ""
        growing = verdict is Status.MEMORY  # it would only take more
        dump = process.ask_where(hurried=growing)
        if not growing:
            process.interrupt(GRACE_S, 2 * TICK_S)
        return dump

    def _outcome(
        self, process: Process, told: Outcome, verdict: Status | None, end: tuple[str, int]
    ) -> Outcome:
        """How it ended: what stopped it, else what it told, else what its exit status says."""
        dump, status = end
        limits = self._options.limits
        source = Source(process.filename, self._program.text)
        where = ending.whereabouts(dump, source)
        silent = told in (UNTOLD, UNFINISHED)
        if verdict is Status.TIMEOUT and not process.began:
            return ending.not_begun(STARTING_S)
        if where.line is None and told.status is Status.CRASHED:
            where = ending.Whereabouts(told.line)  # it announced what it was about to do
        ended = not silent and told.status not in (Status.CRASHED, Status.STOPPED)
        if verdict is Status.TIMEOUT and ended:
            return ending.lingering(limits, where, source)
        if verdict is not None:
            return ending.limit_reached(verdict, limits, where, source)
        if process.over:
            return ending.limit_reached(Status.OUTPUT, limits, where, source)
        if status < 0 and (silent or ended):
            return ending.crashed(-status, where, source, ended)
        return ending.vanished(status, process.began, process.output) if silent else told


UNTOLD = Reader().recording().outcome
"""The outcome of a recording that says nothing of its end."""


def _empty(program: Program, options: Options) -> Recording:
    return Recording(program.name, program.text, options.seed)


def interpreter(python: str | None) -> str:
    """The path of the Python to run programs with: the one asked for, or the one that runs this.

    Raises:
        EnvironmentFault: It is not there, does not run, is none, or is too old.
    """
    advice = "Name a Python 3.10 or newer: with --python, or in the menu Run, Interpreter."
    if python is None:
        if not sys.executable:
            raise EnvironmentFault(f"This Python does not know its own path. {advice}")
        return sys.executable
    found = shutil.which(Path(python).expanduser())
    if found is None:
        raise EnvironmentFault(f"There is no program {python} that could be run. {advice}")
    path = os.path.abspath(found)  # noqa: PTH100  a virtual environment is known by its link
    question = 'import sys; print("Python %d.%d" % sys.version_info[:2])'
    try:
        answer = subprocess.run(  # noqa: S603  the user names the interpreter
            [path, "-E", "-S", "-c", question],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=STARTING_S,
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EnvironmentFault(f"{python} does not run as a Python: {error}. {advice}") from error
    version = re.fullmatch(rb"Python (\d+)\.(\d+)\s*", answer)
    if version is None:
        raise EnvironmentFault(f"{python} is not a Python. {advice}")
    if (int(version[1]), int(version[2])) < OLDEST:
        said = answer.decode().strip()
        raise EnvironmentFault(f"{python} is {said}, which is too old. {advice}")
    return path
