"""How a run ended, in words, where the program could not say so itself.

It was stopped at a limit, crashed, or vanished. The line comes from what `faulthandler` wrote in
the child: it needs neither the program's help nor the interpreter's lock.
"""

from __future__ import annotations

import ast
import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from chainstep.trace import Outcome, Status

if TYPE_CHECKING:
    from chainstep.options import Limits
    from chainstep.source import Source

SECTION = re.compile(r"^(Current thread|Thread) .*\(most recent call first\):$", re.MULTILINE)
FRAME = re.compile(r'^  File "(.*)", line (\d+) in .*$', re.MULTILINE)
LONGEST_NAME = 500
"""Characters of a file name that `faulthandler` writes."""

SIGNALS = {
    "SIGSEGV": "a segmentation fault: compiled code, or a recursion without end, reached memory "
    "that is not its own",
    "SIGABRT": "an abort: compiled code found itself in a state that it could not go on from",
    "SIGBUS": "a bus error: memory was addressed that is not there",
    "SIGFPE": "an arithmetic fault in compiled code",
    "SIGILL": "an instruction that this processor does not have",
    "SIGKILL": "it was killed from outside, most often by the system because memory ran out",
    "SIGTERM": "it was ended from outside",
}


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a program was.

    Attributes:
        line: The innermost line of it; None where that is not known.
        loop: The line on which the loop around it begins; None where it was in none.
    """

    line: int | None = None
    loop: int | None = None


def whereabouts(dump: str, source: Source) -> Whereabouts:
    """Where a program was when `faulthandler` wrote `dump`.

    The innermost loop counts, from the innermost frame of the program outward.
    """
    lines = _program_lines(dump, source.path)
    if not lines:
        return Whereabouts()
    loops = (_loop_around(source.text, line) for line in lines)
    return Whereabouts(lines[0], next((loop for loop in loops if loop is not None), None))


def _program_lines(dump: str, filename: str) -> list[int]:
    """Lines of the program, innermost first, of the first thread that is in it.

    The thread that took the signal comes first, then the main thread, which is written last.
    """
    heads = list(SECTION.finditer(dump))
    ends = [*(head.start() for head in heads), len(dump)][1:]
    sections = [
        (head[1] != "Current thread", -head.start(), dump[head.end() : end])
        for head, end in zip(heads, ends, strict=True)
    ]
    wanted = filename.encode("ascii", "backslashreplace").decode()
    if len(filename) > LONGEST_NAME:
        wanted = filename[:LONGEST_NAME].encode("ascii", "backslashreplace").decode() + "..."
    for _, _, section in sorted(sections):
        lines = [int(line) for file, line in FRAME.findall(section) if file == wanted]
        if lines:
            return lines
    return []


def _loop_around(text: str, line: int) -> int | None:
    """Line of the innermost loop around a line, inside the same function; None without."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # a newer Python ran it
        return None
    loop = function = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            if isinstance(node, (ast.While, ast.For, ast.AsyncFor)):
                loop = max(loop, node.lineno)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                function = max(function, node.lineno)
    return loop if loop > function else None


def limit_reached(status: Status, limits: Limits, where: Whereabouts, source: Source) -> Outcome:
    """The outcome of a program that was stopped: at a limit, or by its user."""
    place = _place(where, source)
    if status is Status.TIMEOUT:
        message = (
            f"The program was still running after {limits.time_s:g} s and was stopped{place}. "
            "See how it comes to its end, or raise the time limit (--time)."
        )
        return Outcome(status, message, where.loop or where.line)
    if status is Status.MEMORY:
        message = (
            f"The program used more than {limits.memory_mib} MiB of memory and was stopped{place}. "
            "See what it stores, or raise the limit (--memory)."
        )
        return Outcome(status, message, where.line)
    if status is Status.OUTPUT:
        message = (
            f"The program printed more than {limits.output_kib} KiB and was stopped{place}. "
            "The beginning is kept. See what it prints, or raise the limit (--output)."
        )
        return Outcome(status, message, where.line)
    return Outcome(status, f"You stopped the program{place}.", where.loop or where.line)


def lingering(limits: Limits, where: Whereabouts, source: Source) -> Outcome:
    """The outcome of a program whose main part had ended when its time was over."""
    message = (
        "The last line of the program was reached, but something was still running after "
        f"{limits.time_s:g} s and was stopped{_place(where, source)}: a thread that it started, "
        "an exit handler, or a _backward. See how that comes to its end."
    )
    return Outcome(Status.TIMEOUT, message, where.loop or where.line)


def not_begun(seconds: float) -> Outcome:
    """The outcome of an interpreter that did not come as far as the program."""
    message = (
        f"Python did not get as far as the program within {seconds:g} s. "
        "See what it loads when it starts (sitecustomize, PYTHONPATH, a slow disk)."
    )
    return Outcome(Status.TIMEOUT, message)


def crashed(signal_number: int, where: Whereabouts, source: Source, had_ended: bool) -> Outcome:
    """The outcome of a process that a signal ended."""
    try:
        name = signal.Signals(signal_number).name
    except ValueError:
        name = f"signal {signal_number}"
    words = SIGNALS.get(name) or signal.strsignal(signal_number) or "an unknown signal"
    when = " while Python was shutting down after it" if had_ended else ""
    place = source.at(where.line) or when
    message = f"The program crashed{place}: {words} ({name}). What was recorded before is shown."
    return Outcome(Status.CRASHED, message, where.line)


def vanished(exit_status: int, began: bool, output: str) -> Outcome:
    """The outcome of a process that ended without a word."""
    if began:
        message = (
            f"The program's process ended with exit status {exit_status} and without a word, most "
            "likely from inside compiled code. What was recorded before is shown."
        )
        return Outcome(Status.CRASHED, message)
    last = output.strip().rpartition("\n")[2]
    said = f" It said: {last}" if last else ""
    message = f"Python ended with exit status {exit_status} before the program began.{said}"
    return Outcome(Status.CRASHED, message)


def _place(where: Whereabouts, source: Source) -> str:
    if where.loop is None:
        return source.at(where.line)
    inside = "" if where.loop == where.line or where.line is None else source.spot(where.line)
    loop = f" in the loop of {source.spot(where.loop)}{source.quote(where.loop)}"
    return f"{loop}, at {inside}" if inside else loop
