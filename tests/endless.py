"""Programs that never end, stopped where they stay, however busy the machine is.

Their time counts from when they were begun, which on a busy machine they have hardly been when it
is over. Here it counts from when they have had time of their own to come to where they stay.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from chainstep.family import Patience
from chainstep.process import Process
from chainstep.runner import run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording

ENDLESS_S = 0.2
"""The time limit of a program that never ends."""
COMING_S = 0.2
"""What it has before that, of its own time, to come to where it stays."""

begun = Process.began.fget
"""Whether a process has come as far as the program; the real one."""


def staying(is_there: Callable[[Process], bool] = begun) -> property:
    """What stands in for `Process.began`: whether a program has come to where it stays.

    Args:
        is_there: Whether hardly anything is left to be done before that.
    """
    found: dict[int, Patience] = {}

    def stays(process: Process) -> bool:
        pid = process._popen.pid
        if pid not in found and is_there(process):
            found[pid] = Patience(pid, COMING_S)
        return pid in found and found[pid].is_over

    return property(stays)


@contextmanager
def ending() -> Iterator[None]:
    """Here programs that never end have the time that they need to come to where they stay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Process, "began", staying())
        yield


def run_endless(program: Program, options: Options) -> Recording:
    """What `chainstep.runner.run` gives, for a program that never ends."""
    limits = replace(options.limits, time_s=ENDLESS_S)
    with ending():
        return run(program, replace(options, limits=limits))
