"""The child process as the parent holds it: its folder, its pipes, what it says, and its end."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from chainstep.codec import Reader
from chainstep.errors import EnvironmentFault, ProgramError, RecordingError
from chainstep.family import MARK, Family, Patience

if TYPE_CHECKING:
    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording

PIPE_BYTES = 1 << 20
"""What a program can print from one look to the next without waiting for us."""

PORTION_BYTES = 1 << 16
LARGEST_LOOK_BYTES = 2 * PIPE_BYTES
"""What is taken from the pipe at one look: what a program prints meanwhile has to wait."""

ANSWER_S = 0.5
"""How much of its own time the answer to "where are you?" may take; then it is asked otherwise."""

HURRIED_ANSWER_S = 0.03
"""The same while what the program does in the meantime costs memory."""

BEAT_S = 0.005
QUIET_S = 0.02
"""An answer that has not grown for so long is whole."""


class Process:
    """A program in a process of its own. Whoever makes one has to close it.

    Args:
        program: What to run.
        options: How.
        python: Path of the interpreter.

    Attributes:
        filename: The name under which the program is compiled, as in its tracebacks.
        over: Whether it has printed more than it may.

    Raises:
        EnvironmentFault: There is no room for its files, or the interpreter does not start.
        ProgramError: The program's folder has gone.
    """

    def __init__(self, program: Program, options: Options, python: str) -> None:
        self.filename = program.name if program.path is None else str(program.path)
        self.over = False
        self._output = bytearray()
        self._output_limit = options.limits.output_kib * 1024
        with contextlib.ExitStack() as stack:
            try:
                self._folder = Path(tempfile.mkdtemp(prefix="chainstep-"))
                stack.callback(self._remove_folder)
                path = self._prepare(program, stack)
            except OSError as error:
                raise EnvironmentFault(
                    f"The program cannot be run, as its files cannot be written: {error}. "
                    f"Make room in {tempfile.gettempdir()}, or set TMPDIR to another folder."
                ) from error
            self._start(stack, program, options, python, path)
            self._stack = stack.pop_all()

    def close(self) -> None:
        """Leave nothing of it behind."""
        self._stack.close()

    # -- beginning -------------------------------------------------------------------------

    def _prepare(self, program: Program, stack: contextlib.ExitStack) -> Path:
        """Make the files of the run; gives the path that the program is to have.

        They stay open: what is written into them remains readable, even if the program should
        remove every temporary file.
        """
        self._recording = stack.enter_context((self._folder / "recording.jsonl").open("w+b"))
        self._faults = stack.enter_context((self._folder / "faults.txt").open("w+b"))
        if program.path is not None:
            if not program.path.parent.is_dir():
                raise ProgramError(
                    f"The folder of {program.name}, {program.path.parent}, is not there any more. "
                    "Save the program in another one."
                )
            return program.path
        home = self._folder / "home"
        home.mkdir()
        name = Path(program.name).name if program.name.endswith(".py") else "program.py"
        path = home / name
        path.write_text(program.text, encoding="utf-8", errors="backslashreplace")
        return path

    def _start(
        self,
        stack: contextlib.ExitStack,
        program: Program,
        options: Options,
        python: str,
        path: Path,
    ) -> None:
        reading, writing = os.pipe()
        stack.callback(os.close, reading)
        # The child holds one end of this, to learn when we are gone; see `execution`.
        lifeline, ours = os.pipe()
        stack.callback(os.close, ours)
        folder = program.folder or path.parent
        config = self._folder / "config.json"
        told: dict[str, Any] = {
            "name": program.name,
            "text": program.text,
            "path": str(path),
            "folder": str(folder),
            "filename": self.filename,
            "recording": self._recording.name,
            "faults": self._faults.name,
            "lifeline": lifeline,
            "options": {**asdict(options), "order": options.order.value},
        }
        try:
            config.write_text(json.dumps(told), encoding="utf-8")
            with contextlib.suppress(OSError):  # the user's pipes may have used up their share
                fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
            self._popen = subprocess.Popen(  # noqa: S603  running a program is the purpose
                [python, "-u", str(Path(__file__).with_name("child.py")), str(config)],
                stdin=subprocess.DEVNULL,
                stdout=writing,
                stderr=writing,
                cwd=folder,
                env={**os.environ, MARK: str(self._folder)},
                start_new_session=True,
                pass_fds=(lifeline,),
            )
        except OSError as error:
            raise EnvironmentFault(
                f"{python} cannot be started: {error.strerror}. "
                "Name a Python 3.10 or newer: with --python, or in the menu Run, Interpreter."
            ) from error
        finally:
            os.close(writing)
            os.close(lifeline)
        os.set_blocking(reading, False)
        self._reading = reading
        self._family = Family(self._popen.pid, str(self._folder))
        stack.callback(self.kill)
        descriptor = os.pidfd_open(self._popen.pid)
        stack.callback(os.close, descriptor)
        self._end = select.poll()
        self._end.register(descriptor, select.POLLIN)

    # -- while it runs ---------------------------------------------------------------------

    @property
    def began(self) -> bool:
        """Whether it has come as far as the program: the recording has its first line."""
        return _size(self._recording) > 0

    def ended_within(self, seconds: float) -> bool:
        """Wait for its end for so long; takes in what it printed meanwhile."""
        ended = bool(self._end.poll(seconds * 1000))
        self._drain()
        return ended

    def memory_bytes(self) -> int:
        """Resident memory of it and all that it started."""
        return self._family.memory_bytes()

    def ask_where(self, *, hurried: bool = False) -> str:
        """What `faulthandler` says of the lines that it is in; empty where no answer came.

        It is asked for a word between two steps of the interpreter. Where none comes, as in one
        long call of a function in C, it is asked at once: that reads frames that Python may be
        making at that moment, and has crashed (CPython issue 116008).

        Args:
            hurried: Whether it may only take a moment.
        """
        before = _size(self._faults)
        for question in (signal.SIGUSR1, signal.SIGUSR2):
            self._signal(question)
            if self._answers(before, HURRIED_ANSWER_S if hurried else ANSWER_S):
                break
        return self.said_last(before)

    def _answers(self, before: int, seconds: float) -> bool:
        """Whether an answer begins within so long; waits until it is whole."""
        patience = Patience(self._popen.pid, seconds)
        size = before
        while not self.ended_within(BEAT_S):
            previous, size = size, _size(self._faults)
            if size > previous:
                patience = Patience(self._popen.pid, QUIET_S)
            elif patience.is_over:
                break
        return _size(self._faults) > before

    def said_last(self, start: int = 0) -> str:
        """What `faulthandler` wrote from a place in its file on."""
        self._faults.seek(start)
        return self._faults.read().decode("utf-8", "replace")

    def interrupt(self, seconds: float, beat_s: float) -> None:
        """Ask it to end by itself, again and again: it does not listen at every moment."""
        self._family.look()  # what it started is no longer under it once it has ended
        patience = Patience(self._popen.pid, seconds)
        while not patience.is_over:
            self._signal(signal.SIGINT)
            if self.ended_within(beat_s):
                return

    def _signal(self, number: signal.Signals) -> None:
        # It is not reaped before the end, so the number is its own even when it is dead.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(self._popen.pid, number)

    def _drain(self) -> None:
        """Take in what is in the pipe; never waits, whoever else holds its other end."""
        for _ in range(LARGEST_LOOK_BYTES // PORTION_BYTES):
            try:
                data = os.read(self._reading, PORTION_BYTES)
            except BlockingIOError:
                return
            if not data:
                return
            room = self._output_limit - len(self._output)
            self._output += data[:room]
            self.over = self.over or len(data) > room

    # -- its end ---------------------------------------------------------------------------

    def kill(self) -> int:
        """End it and all that it started; gives its exit status, negative for a signal."""
        if self._popen.returncode is None:
            self._family.kill()
            self._popen.wait()
            self._drain()
        return self._popen.returncode

    @property
    def output(self) -> str:
        """What it printed, as far as it may print."""
        text = self._output.decode("utf-8", "replace")
        return text.rstrip("\ufffd") if self.over else text  # a letter may be cut in half

    def recording(self) -> Recording:
        """What it recorded, as far as it came. O(its size): some seconds for the largest."""
        reader = Reader()
        notes: list[str] = []
        self._recording.seek(0)
        for line in self._recording:
            if not line.endswith(b"\n"):
                break  # cut in the middle, or the empty rest of the file
            try:
                reader.feed(line.decode("utf-8"))
            except RecordingError as fault:
                notes.append(f"{fault} What came before it is shown.")
                break
        recording = reader.recording()
        return replace(recording, notes=(*recording.notes, *notes))

    def _remove_folder(self) -> None:
        home = self._folder / "home"
        if home.is_dir():
            home.chmod(0o700)
        shutil.rmtree(self._folder, ignore_errors=True)


def _size(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size
