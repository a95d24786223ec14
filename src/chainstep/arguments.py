"""Words of the command line that several commands share: the limits and surroundings of a run."""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING

from chainstep.options import Limits, Options

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM_HELP = "a .py file, an .ipynb notebook, example:NAME, or - for standard input"


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Let a command take the limits, the seed and the interpreter."""
    usual = Limits()
    group = parser.add_argument_group("limits and surroundings of the run")

    def add(
        name: str, kind: Callable[[str], float], metavar: str, default: float, what: str
    ) -> None:
        group.add_argument(
            name, type=kind, metavar=metavar, default=default, help=f"{what} (default {default})"
        )

    add("--time", _seconds, "S", usual.time_s, "seconds it may take")
    add("--memory", count, "MIB", usual.memory_mib, "memory it may use, in MiB")
    add("--nodes", count, "N", usual.nodes, "nodes it may make")
    add("--steps", count, "N", usual.steps, "steps that may be recorded")
    add("--output", count, "KIB", usual.output_kib, "how much it may print, in KiB")
    add("--seed", int, "N", Options().seed, "what random is seeded with")
    group.add_argument(
        "--python", metavar="PATH", help="run it with another interpreter, 3.10 or newer"
    )


def limits(chosen: argparse.Namespace) -> Limits:
    """The limits that a command was given."""
    return Limits(chosen.time, chosen.memory, chosen.output, chosen.nodes, chosen.steps)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def count(text: str) -> int:
    """A whole number above 0, as a user writes it.

    Raises:
        ArgumentTypeError: It is none.
    """
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
