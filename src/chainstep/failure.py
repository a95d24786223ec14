"""How a program failed, in words: from an exception to an outcome with its line."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING

from chainstep.trace import Outcome, Status

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Sequence

LONGEST_TEXT = 500
"""Letters of an exception's own text that a message repeats."""

LONGEST_SOURCE = 80
"""Letters of the line of source that a message repeats."""

UNFINISHED = Outcome(Status.CRASHED, "The program ended before its recording did.")
"""What a recording says of its end once nothing better is known."""

HINTS: dict[type[BaseException], str] = {
    ZeroDivisionError: "Something is divided by zero there.",
    OverflowError: "A number there has become too large for a float.",
    UnboundLocalError: "That name gets its value only later in the function.",
    NameError: "Nothing has that name there: check its spelling, or set it before.",
    AttributeError: "The object there has nothing of that name: check its spelling and its type.",
    IndexError: "The list there is shorter than that.",
    KeyError: "The dictionary there has no such key.",
    AssertionError: "The condition of the assert there does not hold.",
    RecursionError: (
        "A function calls itself again and again, deeper than Python allows: "
        "give it an end, or use a loop instead."
    ),
    MemoryError: "There is not that much memory: make the data there smaller.",
    EOFError: (
        "The program waits for input there, and Chainstep gives it none: "
        "write the value into the program instead."
    ),
}
"""One sentence more on what went wrong. The first class that fits counts."""


class Source:
    """The program's text, and which frames belong to it.

    Args:
        path: File name under which it is compiled.
        text: What it says.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._lines = text.split("\n")

    def quote(self, line: int) -> str:
        """A line of it, in brackets, for a message; empty where there is nothing in it."""
        text = self._lines[line - 1].strip() if 0 < line <= len(self._lines) else ""
        if not text:
            return ""
        cut = text if len(text) <= LONGEST_SOURCE else text[: LONGEST_SOURCE - 1] + "…"
        return f" (`{cut}`)"

    def existing(self, line: int | None) -> int | None:
        """The line, or the last one where it lies beyond; None for 0 and None."""
        return min(line, len(self._lines)) if line else None

    def line_with(self, text: str) -> int | None:
        """The first line that holds a text; None where none does."""
        found = (number for number, line in enumerate(self._lines, 1) if text in line)
        return next(found, None)

    def line_of(self, frame: types.FrameType | None) -> int | None:
        """The line in which the program is, seen from a frame that it called."""
        while frame is not None:
            if frame.f_code.co_filename == self.path:
                return frame.f_lineno
            frame = frame.f_back
        return None

    def without_ours(self, trace: types.TracebackType | None) -> types.TracebackType | None:
        """A traceback as from the program's first frame on."""
        while trace is not None and trace.tb_frame.f_code.co_filename != self.path:
            trace = trace.tb_next
        return trace


def describe(error: BaseException, source: Source) -> Outcome:
    """The outcome of a program that ended with this exception."""
    line = _line(error, source)
    if isinstance(error, SystemExit):
        return _exit(error, line, source)
    if isinstance(error, KeyboardInterrupt):
        return Outcome(Status.STOPPED, f"The program was interrupted{_at(line, source)}.", line)
    where = f"{_running_backward(error)}{_at(line, source)}"
    message = f"{_title(error)}. The program stopped{where}. {_hint(error)}".rstrip()
    status = Status.MEMORY if isinstance(error, MemoryError) else Status.EXCEPTION
    return Outcome(status, message, line)


def uncompiled(error: Exception, source: Source) -> Outcome:
    """The outcome of a program that the compiler refused."""
    line = source.line_with("\0")
    if line is None and isinstance(error, SyntaxError):
        line = source.existing(error.lineno)
    message = f"{_title(error)}. Python cannot read the program{_at(line, source)}."
    return Outcome(Status.EXCEPTION, message, line)


def show(error: BaseException, source: Source) -> None:
    """Print what Python prints of an exception that ends a program: to standard error."""
    if isinstance(error, SystemExit):
        if error.code is not None and not isinstance(error.code, int):
            sys.stderr.write(f"{error.code}\n")
        return
    trace = source.without_ours(error.__traceback__)
    sys.excepthook(type(error), error.with_traceback(trace), trace)


def _line(error: BaseException, source: Source) -> int | None:
    """The line of the program through which an exception came last."""
    lines = [
        number
        for frame, number in traceback.walk_tb(error.__traceback__)
        if frame.f_code.co_filename == source.path
    ]
    return lines[-1] if lines else None


def _exit(error: SystemExit, line: int | None, source: Source) -> Outcome:
    if error.code is None or (isinstance(error.code, int) and error.code == 0):
        return Outcome(Status.OK)
    code = _cut(repr(error.code))
    message = (
        f"SystemExit: {code}. The program ended itself by sys.exit({code})"
        f"{_at(line, source)}. Anything but 0 says that it failed."
    )
    return Outcome(Status.EXCEPTION, message, line)


def _title(error: BaseException) -> str:
    """`ZeroDivisionError: float division by zero`, as at the end of a traceback."""
    name = type(error).__name__
    text = ""
    try:
        text = (error.msg if isinstance(error, SyntaxError) else str(error)) or ""
    except Exception as fault:  # noqa: BLE001  the program's own __str__ may fail in any way
        text = f"(its text cannot be had: {type(fault).__name__})"
    return f"{name}: {_cut(text)}" if text else name


def _hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        package = error.name.partition(".")[0]
        return (
            f"There is no package {package} for {sys.executable}: install it there, "
            "or run the program with another Python (--python)."
        )
    if isinstance(error, ImportError):
        return f"The Python that ran it is {sys.executable}."
    if isinstance(error, FileNotFoundError):
        return "File names count from the program's own folder."
    if isinstance(error, SyntaxError):
        return "It lies in another source that the program loads there."
    return next((hint for kind, hint in HINTS.items() if isinstance(error, kind)), "")


def _running_backward(error: BaseException) -> str:
    """` inside the _backward of a tanh node`, where that is so."""
    for frame in _frames(error):
        if frame.f_code.co_name.strip("_") in {"backward", "grad_fn"} and _is_closure(frame):
            op = getattr(frame.f_locals.get("out"), "_op", "")
            node = f" of a {op} node" if type(op) is str and op else ""
            return f" inside the {frame.f_code.co_name}{node}"
    return ""


def _is_closure(frame: types.FrameType) -> bool:
    """Whether a frame is one node's closure: a `backward()` method drives the whole pass."""
    return bool(frame.f_code.co_freevars) or frame.f_code.co_name.startswith("_")


def _frames(error: BaseException) -> Iterator[types.FrameType]:
    """The frames that an exception came through, innermost first."""
    frames: Sequence[types.FrameType] = [f for f, _ in traceback.walk_tb(error.__traceback__)]
    yield from reversed(frames)


def _at(line: int | None, source: Source) -> str:
    return "" if line is None else f" in line {line}{source.quote(line)}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
