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
STATE, FLAGS, START = 0, 6, 19
"""Places in what `/proc/N/stat` says after the name of the program (proc_pid_stat(5))."""
KERNEL = 0x0020_0000
"""The flag of a thread of the kernel, which has no environment ever."""

KILLING_S = 0.5
"""How long to go on killing what keeps starting new processes."""


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
            self._look()
        self._readings += 1
        return sum(_resident(process) for process in (self._head, *self._known.values()))

    def _look(self) -> None:
        with contextlib.suppress(psutil.Error):
            for process in self._head.children(recursive=True):
                self._known.setdefault(process.pid, process)

    def kill(self) -> None:
        """End all of them, at once and for good."""
        self._look()
        _kill_group(self._pid)
        for process in self._known.values():
            with contextlib.suppress(psutil.Error):
                process.kill()
        deadline = time.monotonic() + KILLING_S
        # A process may start another and end while the list is being read: neither is found
        # then. So only the second time in a row that nothing is found counts.
        clean = 0
        while clean < CLEAN_SEARCHES and time.monotonic() < deadline:
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


def _stat(pid: int) -> list[bytes]:
    """What the system says of a process, after the name of its program."""
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
