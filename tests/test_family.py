"""The processes of a run, and those that may yet turn out to be."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from chainstep import family
from chainstep.family import IN_PROGRAM, IN_SYSTEM, LONGEST_S, MARK, STATE, Family, Patience

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def sleeper() -> Iterator[object]:
    """Starts a process that does nothing, with an environment; none outlives the test."""
    command = [shutil.which("sleep"), "60"]
    with contextlib.ExitStack() as stack:

        def start(**environment):
            process = subprocess.Popen(command, env=environment)
            stack.callback(process.wait)
            stack.callback(process.kill)
            # It is told to be there a moment before it shows its environment.
            while environment and not Path(f"/proc/{process.pid}/environ").read_bytes():
                assert process.poll() is None
            return process

        yield start


def test_what_shows_no_environment_yet_is_neither_killed_nor_taken_for_gone(sleeper):
    older = sleeper()
    head = sleeper(**{MARK: "this"})
    family = Family(head.pid, "this")
    ours, another, starting = sleeper(**{MARK: "this"}), sleeper(**{MARK: "that"}), sleeper()
    found = dict(family._suspects())
    assert found[ours.pid]
    assert not found[starting.pid]
    assert another.pid not in found
    family.kill()
    assert ours.wait() < 0
    assert [each.poll() for each in (older, another, starting)] == [None] * 3


@pytest.fixture
def machine(monkeypatch):
    """Says in what state every thread of this process is, and has time go by."""

    class Machine:
        state = b"R"
        ticks = 0
        now = 0.0

        def goes_on(self, seconds, computed=0.0):
            """Time goes by, part of which the process has the processor."""
            self.now += seconds
            self.ticks += round(computed * os.sysconf("SC_CLK_TCK"))

        def stat(self, _task):
            fields = [b"0"] * 20
            fields[STATE] = self.state
            fields[IN_PROGRAM], fields[IN_SYSTEM] = str(self.ticks).encode(), b"7"
            return fields

    machine = Machine()
    monkeypatch.setattr(family, "_stat", machine.stat)
    monkeypatch.setattr(time, "monotonic", lambda: machine.now)
    return machine


def test_a_process_that_waits_for_its_turn_is_given_the_time_that_it_has_the_processor(machine):
    patience = Patience(os.getpid(), 0.5)
    for _ in range(4):
        machine.goes_on(1.0, computed=0.1)
        assert not patience.is_over
    machine.goes_on(0.2, computed=0.2)
    assert patience.is_over


@pytest.mark.parametrize("state", [b"S", b"T", b"Z"])
def test_a_process_that_has_nothing_to_do_is_given_no_more_time_than_that(machine, state):
    machine.state = state
    patience = Patience(os.getpid(), 0.5)
    machine.goes_on(0.4)
    assert not patience.is_over
    machine.goes_on(0.2)
    assert patience.is_over


def test_a_process_that_never_has_its_turn_is_given_up_in_the_end(machine):
    patience = Patience(os.getpid(), 0.5)
    while not patience.is_over:
        machine.goes_on(0.5)
    assert machine.now == LONGEST_S + 0.5


def test_a_process_that_has_gone_ends_the_patience_with_it():
    process = subprocess.Popen([shutil.which("true")])
    process.wait()
    patience = Patience(process.pid, 0.0)
    assert patience.is_over
