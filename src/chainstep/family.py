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
            for pid in self._marked():
                clean = 0
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)

    def _marked(self) -> Iterator[int]:
        """Other processes that carry the mark. Reads all of /proc: 10 µs for each process."""
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == self._pid:
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    entries = file.read().split(b"\0")
            except OSError:  # gone already, or another user's
                continue
            if self._entry in entries:
                yield int(name)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
