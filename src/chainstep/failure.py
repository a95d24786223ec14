"""How a program failed, in words: from an exception to an outcome with its line."""

from __future__ import annotations

import builtins
import difflib
import sys
import traceback
from itertools import islice
from typing import TYPE_CHECKING

from chainstep.trace import Outcome, Status

if TYPE_CHECKING:
    import types
    from collections.abc import Iterator, Mapping

    from chainstep.source import Source

LONGEST_TEXT = 500
"""Letters of an exception's own text that a message repeats."""

UNFINISHED = Outcome(Status.CRASHED, "The program ended before its recording did.")
"""What a recording says of its end once nothing better is known."""

AWAITS = ("'await' outside", "'async with' outside", "'async for' outside", "asynchronous compre")
AWAIT_HINT = (
    "Only Jupyter awaits outside of a function: put it into an async function, and run that with "
    "asyncio.run(...)."
)

NEAR = 0.75
"""How much of two names must agree for one to be taken for the other, misspelt."""

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


def describe(error: BaseException, source: Source) -> Outcome:
    """The outcome of a program that ended with this exception."""
    line = _line(error, source)
    if isinstance(error, SystemExit):
        return _exit(error, line, source)
    if isinstance(error, KeyboardInterrupt):
        return Outcome(Status.STOPPED, f"The program was interrupted{source.at(line)}.", line)
    where = f"{_running_backward(error)}{source.at(line)}"
    message = f"{_title(error).rstrip('.')}. The program stopped{where}. {_hint(error)}".rstrip()
    status = Status.MEMORY if isinstance(error, MemoryError) else Status.EXCEPTION
    return Outcome(status, message, line)


def uncompiled(error: Exception, source: Source) -> Outcome:
    """The outcome of a program that the compiler refused."""
    line = source.line_with("\0")
    if line is None and isinstance(error, SyntaxError):
        line = source.existing(error.lineno)
    message = f"{_title(error)}. Python cannot read the program{source.at(line)}."
    if any(sign in message for sign in AWAITS):
        message += f" {AWAIT_HINT}"
    return Outcome(Status.EXCEPTION, message, line)


def show(error: BaseException, source: Source) -> None:
    """Print what Python prints of an exception that ends a program: to standard error."""
    if isinstance(error, SystemExit):
        if error.code is not None and not isinstance(error.code, int):
            sys.stderr.write(f"{error.code}\n")
        return
    trace = source.without_others(error.__traceback__)
    error.__traceback__ = trace
    if sys.excepthook is sys.__excepthook__:
        # Not that hook: it quotes the file, which may be older than the text that ran.
        sys.stderr.write(
            source.told("".join(traceback.format_exception(type(error), error, trace)))
        )
    else:
        sys.excepthook(type(error), error, trace)


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
        f"{source.at(line)}. Anything but 0 says that it failed."
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
    if type(error).__name__ == "BdbQuit":
        return "A debugger waits for input there, and Chainstep gives the program none."
    if isinstance(error, SyntaxError):
        return "It lies in another source that the program loads there."
    hint = next((hint for kind, hint in HINTS.items() if isinstance(error, kind)), "")
    meant = _meant(error)
    return f"{hint} Did you mean {meant}?" if meant else hint


def _meant(error: BaseException) -> str:
    """The known name that is nearest to one that was not found; empty where none is near."""
    spaces: list[Mapping[str, object]] = []
    if isinstance(error, NameError):
        for frame in islice(_frames(error), 1):
            spaces = [frame.f_locals, frame.f_globals, vars(builtins)]
    elif isinstance(error, AttributeError):
        holders = (error.obj, *type(error.obj).__mro__)
        spaces = [getattr(holder, "__dict__", {}) for holder in holders]
    else:
        return ""
    known = [name for space in spaces for name in space if isinstance(name, str)]
    return next(iter(difflib.get_close_matches(str(error.name), known, 1, NEAR)), "")


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
    yield from reversed([frame for frame, _ in traceback.walk_tb(error.__traceback__)])


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
