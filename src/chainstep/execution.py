# ruff: noqa: PTH119, PTH123  pathlib takes longer to load than all that is done here
"""One run of one program inside the child process: set the stage, execute, tell how it ended.

Everything told goes into the recording. The parent limits the run from outside, and needs only
two things of this side: to say where the program is, at the next step of the interpreter
(`SIGUSR1`) or at once (`SIGUSR2`), and to end early (`SIGINT`).
"""

from __future__ import annotations

import builtins
import contextlib
import faulthandler
import fcntl
import functools
import gc
import io
import json
import linecache
import os
import random
import resource
import signal
import sys
import traceback
import types
from typing import IO, TYPE_CHECKING, Any, cast

from chainstep.codec import Writer
from chainstep.drawings import Undrawn
from chainstep.failure import UNFINISHED, describe, show, uncompiled
from chainstep.guard import WATCHED, reaching
from chainstep.options import Limits, Options
from chainstep.recorder import Recorder
from chainstep.register import LimitReached
from chainstep.script import Script
from chainstep.source import Source
from chainstep.spool import Spool
from chainstep.supply import NumpySeeder, StandIn
from chainstep.trace import Order, Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.trace import Step

GC_THRESHOLDS = (50_000, 20, 20)
"""Graphs are cyclic and live long: collecting every 700 objects takes most of the building time."""

OWN_RECURSION_LIMIT = 3000
"""What our own code may use after a program that lowered or exhausted the limit."""

SPARE_S = 10
"""Processor seconds that a program may use beyond its time before the system ends it."""

LONGEST_S = 10**8

INTERRUPTIBLE = frozenset({"chainstep.engine", "chainstep.nn", "chainstep.ieee"})
"""Modules of ours that run as if they were the program's own."""


class Execution:
    """A program, executed once.

    Args:
        config: Path of the JSON file that the parent wrote; see `runner`.
    """

    def __init__(self, config: str) -> None:
        with open(config, encoding="utf-8") as file:
            told: dict[str, Any] = json.load(file)
        self._name: str = told["name"]
        self._text: str = told["text"]
        self._path: str = told["path"]
        self._folder: str = told["folder"]
        self._options = _options(told["options"])
        self._source = Source(told["filename"], self._text)
        self._writer = _PromptWriter(cast("IO[str]", Spool(told["recording"])))
        self._faults = open(told["faults"], "wb", buffering=0)  # noqa: SIM115  till the end
        self._lifeline: int = told["lifeline"]
        self._pid = os.getpid()
        self._exit = os._exit  # before the program's way to it is announced
        self._interrupted = False
        self._error: BaseException | None = None

    def run(self) -> None:
        """Execute the program and record it. Returns when its main part has ended."""
        self._watch_for_parent()
        self._report_faults()
        self._connect_streams()
        self._supply_imports()
        main = self._make_main()
        self._announce_exits()
        intact = dict(vars(builtins))
        limit = sys.getrecursionlimit()
        self._writer.header(self._name, self._options.seed, self._text)
        if self._options.guarded:
            sys.addaudithook(self._guard)
        outcome = self._execute(vars(main), intact, limit)
        self._writer.outcome(outcome)

    # -- the stage -------------------------------------------------------------------------

    def _watch_for_parent(self) -> None:
        """Die with the parent, however it dies; if all fails, by a limit on processor time."""
        fcntl.fcntl(self._lifeline, fcntl.F_SETOWN, self._pid)
        flags = fcntl.fcntl(self._lifeline, fcntl.F_GETFL)
        fcntl.fcntl(self._lifeline, fcntl.F_SETFL, flags | os.O_ASYNC | os.O_NONBLOCK)
        os.set_inheritable(self._lifeline, False)
        with contextlib.suppress(BlockingIOError):  # it lives; nothing is ever sent
            os.read(self._lifeline, 1)
            os._exit(1)  # it died before there was anybody to be told
        wall_s = int(min(self._options.limits.time_s, LONGEST_S))
        seconds = (wall_s + SPARE_S) * (os.cpu_count() or 1)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        if hard == resource.RLIM_INFINITY or seconds < hard:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, hard))

    def _report_faults(self) -> None:
        """Let a crash, and the parent's question, leave the lines that every thread is in."""
        faulthandler.enable(self._faults)
        signal.signal(signal.SIGUSR1, self._tell_where)
        faulthandler.register(signal.SIGUSR2, self._faults, all_threads=True)
        signal.signal(signal.SIGINT, self._interrupt)

    def _tell_where(self, signum: int, frame: types.FrameType | None) -> None:  # noqa: ARG002
        faulthandler.dump_traceback(self._faults, all_threads=True)

    def _interrupt(self, signum: int, frame: types.FrameType | None) -> None:  # noqa: ARG002
        """The parent asks for an early end: raise what Ctrl+C raises, but never in our own code.

        There it would tear the recording; so it waits for the program's next line.
        """
        busy = False
        while frame is not None and frame.f_code.co_filename != self._source.path:
            module = str(frame.f_globals.get("__name__", ""))
            busy = busy or (module.startswith("chainstep.") and module not in INTERRUPTIBLE)
            frame = frame.f_back
        if self._interrupted or frame is None:
            return
        self._interrupted = True
        if not busy:
            self._writer.flush()
            raise KeyboardInterrupt
        frame.f_trace = _raise_interrupt
        sys.settrace(lambda *_: None)

    def _connect_streams(self) -> None:
        """UTF-8 out whatever the environment says; in, nothing, and a note where it is read."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        nothing = io.BufferedReader(_NoInput(self._note_reading))
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(nothing, encoding="utf-8")  # type: ignore[misc]

    def _note_reading(self) -> None:
        line = self._source.line_of(sys._getframe())  # noqa: SLF001
        where = f" in {self._source.spot(line)}" if line else ""
        self._writer.note(f"The program reads standard input{where}, and Chainstep gives it none.")

    def _supply_imports(self) -> None:
        random.seed(self._options.seed)
        sys.meta_path.insert(0, NumpySeeder(self._options.seed))
        note = self._writer.note
        sys.meta_path += [StandIn(note), Undrawn(self._folder, note)]

    def _make_main(self) -> types.ModuleType:
        """The module that the program is, the way `python PROGRAM` sets it up."""
        main = types.ModuleType("__main__")
        main.__file__ = self._path
        main.__builtins__ = builtins  # type: ignore[attr-defined]
        if sys.version_info < (3, 14):
            main.__annotations__ = {}
        sys.modules["__main__"] = main
        sys.argv = [self._path]
        sys.path.insert(0, self._folder)
        # Tracebacks and inspect show the text that runs, not the file that may be older.
        lines = [f"{line}\n" for line in self._text.split("\n")]
        linecache.cache[self._source.path] = (len(self._text), None, lines, self._source.path)
        return main

    def _announce_exits(self) -> None:
        """Let what ends the process at once leave a word first."""
        for module, name in ((os, "_exit"), (os, "execv"), (os, "execve")):
            self._wrap(module, name, lambda arguments: True)  # noqa: ARG005
        for module, name in ((os, "kill"), (os, "killpg")):
            self._wrap(module, name, lambda arguments: arguments[:1] in ((self._pid,), (0,)))
        self._wrap(signal, "raise_signal", lambda arguments: True)  # noqa: ARG005

    def _wrap(
        self, module: types.ModuleType, name: str, concerns_us: Callable[[tuple[Any, ...]], bool]
    ) -> None:
        original = getattr(module, name)

        @functools.wraps(original)
        def leave(*args: Any, **kwargs: Any) -> Any:
            if os.getpid() != self._pid or not concerns_us(args):
                return original(*args, **kwargs)
            self._writer.outcome(self._leaving(f"{module.__name__}.{name}", args))
            self._writer.flush()
            try:
                return original(*args, **kwargs)
            finally:
                self._writer.outcome(UNFINISHED)  # it was a signal that does no harm

        setattr(module, name, leave)

    def _leaving(self, function: str, args: tuple[Any, ...]) -> Outcome:
        line = self._source.line_of(sys._getframe())  # noqa: SLF001
        shown = "" if "exec" in function else ", ".join(str(argument) for argument in args[-1:])
        message = (
            f"The program ended itself at once by {function}({shown}){self._source.at(line)}. "
            "What was recorded before is shown; without that call it would run to its end."
        )
        return Outcome(Status.CRASHED, message, line)

    def _guard(self, event: str, args: tuple[object, ...]) -> None:
        """End the run, with what it was about to do, before it reaches beyond its process."""
        if event not in WATCHED:
            return
        frame = sys._getframe(1)  # noqa: SLF001
        words = reaching(event, args, frame)
        if words:
            line = self._source.line_of(frame)
            where = f" in {self._source.spot(line)}" if line else ""
            self._writer.outcome(Outcome(Status.STOPPED, f"It {words}{where}.", line))
            self._writer.flush()
            self._exit(0)

    # -- the run ---------------------------------------------------------------------------

    def _execute(self, namespace: dict[str, Any], intact: dict[str, Any], limit: int) -> Outcome:
        """Run to the end and record what is left then, whatever state the program is in."""
        recorder = Recorder(self._writer, self._options, self._source.path)
        gc.set_threshold(*GC_THRESHOLDS)
        # What is there before the program lives as long as the process: no need to search it.
        gc.freeze()
        gc.enable()
        outcome = self._run_program(recorder, namespace, intact)
        sys.setrecursionlimit(max(limit, OWN_RECURSION_LIMIT))
        self._writer.outcome(outcome)  # for the case that what follows does not come to its end
        try:
            left = recorder.finish(namespace, self._error)
        except LimitReached as reached:
            left = reached.outcome
        except KeyboardInterrupt:
            left = None
        except Exception as fault:  # noqa: BLE001  ours or a closure's; the recording shall stay
            left = self._own_fault(fault)
        return left if left is not None and outcome.status is Status.OK else outcome

    def _run_program(
        self, recorder: Recorder, namespace: dict[str, Any], intact: dict[str, Any]
    ) -> Outcome:
        script = Script(self._source)
        script.announce(self._writer.note)
        try:
            if script.units:
                recorder.execute(lambda: script.run(namespace, self._writer.note), namespace)
        except LimitReached as reached:
            return reached.outcome
        except BaseException as error:  # noqa: BLE001  whatever ends a program is its outcome
            vars(builtins).update(intact)  # what describes it needs them too
            self._error = error
            outcome = describe(error, self._source)
            if not (self._interrupted and isinstance(error, KeyboardInterrupt)):
                self._show(error)
            return outcome
        finally:
            # The program may have replaced what our own code needs.
            vars(builtins).update(intact)
        if script.error is None:
            return Outcome(Status.OK)
        self._show(script.error.with_traceback(None))
        return uncompiled(script.error, self._source)

    def _show(self, error: BaseException) -> None:
        with contextlib.suppress(Exception):  # the program may have replaced its streams
            show(error, self._source)

    def _own_fault(self, fault: Exception) -> Outcome:
        frames = [frame for frame, _ in traceback.walk_tb(fault.__traceback__)]
        code, line = frames[-1].f_code, frames[-1].f_lineno
        message = (
            f"Chainstep itself failed at the end of the program: {type(fault).__name__}: {fault} "
            f"({os.path.basename(code.co_filename)}, line {line}). "
            "What was recorded before is shown. Please report it."
        )
        return Outcome(Status.CRASHED, message)


def _raise_interrupt(*_: object) -> None:
    """A trace function for the frame that is to be interrupted next time it is reached."""
    sys.settrace(None)
    raise KeyboardInterrupt


class _PromptWriter(Writer):
    """Writes the first steps one by one, later ones in portions that grow with their number.

    A program may crash in the middle of a pass: then at most an eighth of the steps is missing,
    and none of the few that a small graph has.
    """

    def __init__(self, stream: IO[str]) -> None:
        super().__init__(stream)
        self._steps = 0
        self._due = 1

    def step(self, step: Step) -> None:
        """The next step of the open trace."""
        super().step(step)
        self._steps += 1
        if self._steps >= self._due:
            self._due = self._steps + 1 + self._steps // 8
            self.flush()


class _NoInput(io.RawIOBase):
    """A standard input that is at its end, and tells when it is asked."""

    def __init__(self, asked: Callable[[], None]) -> None:
        super().__init__()
        self._asked = asked

    def readable(self) -> bool:
        """It can be read: there is nothing in it."""
        return True

    def fileno(self) -> int:
        """That of standard input, which is empty too."""
        return 0

    def readinto(self, buffer: Any, /) -> int:  # noqa: ARG002  nothing goes into it
        """The end of the file."""
        self._asked()
        return 0


def _options(told: dict[str, Any]) -> Options:
    """Options from their plain form; see `runner.plain`."""
    fields = dict(told)
    fields["order"] = Order(fields["order"])
    fields["limits"] = Limits(**fields["limits"])
    fields["data"] = tuple((serial, float(number)) for serial, number in fields["data"])
    return Options(**fields)
