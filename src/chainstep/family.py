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
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "CHAINSTEP_RUN"
"""Environment variable whose value, one for each run, marks the processes of that run."""

LOOKS_EVERY = 10
"""Memory readings from one look at the tree to the next: a look reads all of /proc."""

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
        while marked := [pid for pid in self._marked() if pid != self._pid]:
            for pid in marked:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if time.monotonic() > deadline:
                return

    def _marked(self) -> Iterator[int]:
        """Processes that carry the mark. Reads all of /proc: some ms; nothing without one."""
        for environment in Path("/proc").glob("[0-9]*/environ"):
            try:
                entries = environment.read_bytes().split(b"\0")
            except OSError:  # gone already, or another user's
                continue
            if self._entry in entries:
                yield int(environment.parent.name)


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
