# ruff: noqa: PTH123, PTH208  plain calls are what makes reading all of /proc cheap
"""A process and all it started: how much memory they use, and how to end every one of them.

Four nets, since no single one holds all: the process group, the tree seen from time to time,
which also shows those that left the group, and a mark in the environment, which every process
inherits, also one whose parent is gone.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "CHAINSTEP_RUN"
"""Environment variable whose value, one for each run, marks the processes of that run."""

LOOKS_EVERY = 10
"""Memory readings from one look at the tree to the next: a look reads all of /proc."""

CLEAN_SEARCHES = 2
STATE, FLAGS, IN_PROGRAM, IN_SYSTEM, START = 0, 6, 11, 12, 19
"""Places in what `/proc/N/stat` says after the name of the program (proc_pid_stat(5))."""
KERNEL = 0x0020_0000
"""The flag of a thread of the kernel, which has no environment ever."""

KILLING_S = 0.5
"""How much time of ours to go on killing what keeps starting new processes."""

DYING_S = 0.001
"""What is left to those that were found, to be gone or to have started, before the next search."""

LONGEST_S = 10.0
"""How long a process is waited for that never has its turn."""


class Family:
    """The process `pid`, leader of its own session, and its descendants.

    Args:
        pid: Process id; not reaped by anybody before :meth:`kill` has returned.
        mark: Value of the environment variable :data:`MARK` in it.
    """

    def __init__(self, pid: int, mark: str) -> None:
        self._pid = pid
        self._entry = f"{MARK}={mark}".encode()
        self._head = psutil.Process(pid)
        self._since = int(_stat(pid)[START])
        self._known: dict[int, psutil.Process] = {}
        self._readings = 0

    def memory_bytes(self) -> int:
        """Resident memory of all of them now. About 20 µs each; every tenth time some ms more."""
        if self._readings % LOOKS_EVERY == LOOKS_EVERY - 1:
            self.look()
        self._readings += 1
        return sum(_resident(process) for process in (self._head, *self._known.values()))

    def look(self) -> None:
        """Note who is there now: those whose parent ends are not found any more that way."""
        with contextlib.suppress(psutil.Error):
            for process in self._head.children(recursive=True):
                self._known.setdefault(process.pid, process)

    def kill(self) -> None:
        """End all of them, at once and for good."""
        self.look()
        _kill_group(self._pid)
        for process in self._known.values():
            with contextlib.suppress(psutil.Error):
                process.kill()
        # Of our own time: on a busy machine those that were killed have to wait to be gone.
        deadline = time.thread_time() + KILLING_S
        # A process may start another and end while the list is being read: neither is found
        # then. So only the second time in a row that nothing is found counts.
        clean = 0
        while clean < CLEAN_SEARCHES and time.thread_time() < deadline:
            if not clean:
                time.sleep(DYING_S)
            clean += 1
            for pid, is_marked in self._suspects():
                clean = 0
                if is_marked:
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(pid, signal.SIGKILL)

    def _suspects(self) -> Iterator[tuple[int, bool]]:
        """Other processes that carry the mark (True), or may yet (False): those being started.

        Reads all of /proc: 10 µs for each process.
        """
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == self._pid:
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    entries = file.read().split(b"\0")
            except OSError:  # gone already, or another user's
                continue
            if self._entry in entries:
                yield int(name), True
            elif entries == [b""] and self._is_starting(int(name)):
                yield int(name), False

    def _is_starting(self, pid: int) -> bool:
        """Whether a process is younger than the head: while it is started it shows nothing."""
        try:
            stat = _stat(pid)
        except OSError:
            return False
        is_alive = stat[STATE] != b"Z" and not int(stat[FLAGS]) & KERNEL
        return is_alive and int(stat[START]) >= self._since


class Patience:
    """So many seconds for a process to do what it was asked, in its own time.

    That is while it computes, or has nothing to do. While it waits for its turn on a busy machine
    it hears nothing, so that this counts only after `LONGEST_S`.

    Args:
        pid: Process id; not reaped meanwhile.
        seconds: How long.
    """

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._left_s = seconds
        self._at = time.monotonic()
        self._latest = self._at + max(seconds, LONGEST_S)
        self._used_s = 0.0
        self._used_s = self._processor_s()

    @property
    def is_over(self) -> bool:
        """Whether it has had that time; to be asked often."""
        now, used_s = time.monotonic(), self._processor_s()
        self._left_s -= used_s - self._used_s if self._has_work() else now - self._at
        self._at, self._used_s = now, used_s
        return self._left_s <= 0 or now > self._latest

    def _processor_s(self) -> float:
        """Processor time that it has used."""
        with contextlib.suppress(OSError):
            stat = _stat(self._pid)
            return (int(stat[IN_PROGRAM]) + int(stat[IN_SYSTEM])) / os.sysconf("SC_CLK_TCK")
        return self._used_s

    def _has_work(self) -> bool:
        """Whether any of its threads computes, or would if it had its turn, or the disk."""
        with contextlib.suppress(OSError):
            tasks = os.listdir(f"/proc/{self._pid}/task")
            return any(_computes(f"{self._pid}/task/{task}") for task in tasks)
        return False


def _computes(task: str) -> bool:
    try:
        return _stat(task)[STATE] in {b"R", b"D"}
    except OSError:  # gone already
        return False


def _stat(pid: int | str) -> list[bytes]:
    """What the system says of a process, or of a thread, after the name of its program."""
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
