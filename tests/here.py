"""A run in this process, for tests of what is made of a recording and not of the child process.

A process of its own takes a tenth of a second to begin, many times what a small program takes.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from endless import run_endless
from test_recorder import record

from chainstep import runner

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording


APART = {
    *("infinite-loop", "memory", "output-flood", "exit-code", "hard-exit", "needs-input"),
    *("syntax-error", "exception-midway", "no-value", "numeric-error-forward", "recursion-limit"),
    *("infinite-recursion", "missing-operator"),
}
"""Kinds of finding of which only a process of its own can tell the end."""


def runs(kind: str) -> Callable[[Program, Options], Recording]:
    """What runs a program with a fault of some kind: in this process where that does no harm."""
    if kind == "infinite-loop":
        return run_endless
    return runner.run if kind in APART else run


def run(program: Program, options: Options) -> Recording:
    """What `chainstep.runner.run` gives, for a program that ends, and at which nothing is odd."""
    given = {each.name: getattr(options, each.name) for each in fields(options)}
    return record(program.text, tolerant=True, **given)
