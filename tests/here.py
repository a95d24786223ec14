"""A run in this process, for tests of what is made of a recording and not of the child process.

A process of its own takes a tenth of a second to begin, many times what a small program takes.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from test_recorder import record

if TYPE_CHECKING:
    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording


APART = {
    *("infinite-loop", "memory", "output-flood", "exit-code", "hard-exit", "needs-input"),
    *("syntax-error", "exception-midway", "no-value", "numeric-error-forward", "recursion-limit"),
    *("infinite-recursion", "missing-operator"),
}
"""Kinds of finding of which only a process of its own can tell the end."""


def run(program: Program, options: Options) -> Recording:
    """What `chainstep.runner.run` gives, for a program that ends, and at which nothing is odd."""
    given = {each.name: getattr(options, each.name) for each in fields(options)}
    return record(program.text, tolerant=True, **given)
