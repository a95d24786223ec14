"""The processes of a run, and those that may yet turn out to be."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

from chainstep.family import MARK, Family

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
