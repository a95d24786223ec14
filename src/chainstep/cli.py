"""The command line. Its words, its JSON and its exit statuses are fixed: people script them."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from chainstep import __version__
from chainstep.arguments import PROGRAM_HELP, add_limits, limits
from chainstep.display import open_window
from chainstep.document import document
from chainstep.errors import ChainstepError, EnvironmentFault
from chainstep.options import Options
from chainstep.program import Program, examples, is_lesson, load
from chainstep.runner import run
from chainstep.saved import Saved, is_recording, open_recording
from chainstep.table import describe, table
from chainstep.trace import Mode, Order, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.lesson import Lesson
    from chainstep.trace import Recording

DONE = 0
FAILED = 1
MISUSED = 2

FIRST_PROGRAM = "example:neuron"
FORCED = {
    "accumulate": (Mode.ACCUMULATE,),
    "overwrite": (Mode.OVERWRITE,),
    "both": (Mode.ACCUMULATE, Mode.OVERWRITE),
}
NOT_YET = {
    "export": "This version has no export yet. chainstep trace writes a table or JSON.",
}
SHOWN_HELP = f"{PROGRAM_HELP}; or a saved recording"
COMMANDS = """\
commands:
  chainstep trace PROGRAM    every step of the backward pass, as a table or as JSON
  chainstep check PROGRAM    judge every gradient, and find what is wrong
  chainstep check LESSON.md  whether a lesson is written as it should be
  chainstep examples         names and titles of the bundled examples

Where no window can open, chainstep says why and shows the trace table instead.
exit status: 0 done, 1 the program failed or has a fault, 2 wrong usage or environment
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    commands: dict[str, Callable[[Sequence[str]], int]] = {
        "trace": _trace,
        "check": _check,
        "examples": _examples,
    }
    try:
        if words and words[0] in NOT_YET:
            return _complain(NOT_YET[words[0]])
        if words and words[0] in commands:
            return commands[words[0]](words[1:])
        return _window(words)
    except ChainstepError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # The reader has seen enough (`| head`). Python must not try to flush again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except KeyboardInterrupt:
        return _complain("Interrupted.")


def _complain(message: str) -> int:
    print(f"chainstep: {message}", file=sys.stderr)
    return MISUSED


# -- the window -----------------------------------------------------------------------------


def _window(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        "chainstep",
        description="A step-through debugger for backpropagation on graphs of scalar Values.",
        epilog=COMMANDS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("program", metavar="PROGRAM", nargs="?", help=f"open it: {SHOWN_HELP}")
    parser.add_argument("--version", action="version", version=f"chainstep {__version__}")
    parser.add_argument(
        "--self-test", action="store_true", help="check this installation, one line per check"
    )
    chosen = parser.parse_args(words)
    if chosen.self_test:
        from chainstep.selftest import self_test  # noqa: PLC0415  brings networkx

        return DONE if self_test(sys.stdout) else FAILED
    program: Program | Saved | Lesson | None = None
    if chosen.program is not None and is_lesson(chosen.program):
        from chainstep.lesson import read_lesson  # noqa: PLC0415  seldom wanted

        program = read_lesson(chosen.program)
    elif chosen.program is not None:
        opens = open_recording if is_recording(chosen.program) else load
        program = opens(chosen.program)
    try:
        return open_window(program)
    except EnvironmentFault as fault:
        print(f"{fault}\nThe same as text:\n", file=sys.stderr)
        if isinstance(program, Saved):
            return _reopen(chosen.program, argparse.Namespace())
        shown = program or load(FIRST_PROGRAM)
        text = shown if isinstance(shown, Program) else shown.program
        return _show(text, Options(), argparse.Namespace())


# -- trace ----------------------------------------------------------------------------------


def _trace(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        "chainstep trace",
        description="Run a program, or open a recording of one, and write every step of its "
        "backward passes.",
        allow_abbrev=False,
    )
    parser.add_argument("program", metavar="PROGRAM", help=SHOWN_HELP)
    parser.add_argument(
        "--mode",
        choices=FORCED,
        default="both",
        help="which forced passes to write; what the program did itself is always written",
    )
    orders = [order.value for order in Order if order is not Order.AS_WRITTEN]
    parser.add_argument(
        "--order",
        choices=orders,
        help=f"in which order _backward functions run (default {orders[0]})",
    )
    parser.add_argument(
        "--root", metavar="NAME", help="where to start in a program that calls no backward()"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument("-o", dest="file", metavar="FILE", help="write to FILE")
    add_limits(parser)
    chosen = parser.parse_args(words)
    if chosen.root is not None and not chosen.root.strip():
        return _complain("--root is empty. Give the name of a Value, or leave it out.")
    if chosen.file is not None and _is_same(chosen.program, chosen.file):
        return _complain(f"-o {chosen.file} would overwrite the program. Name another file.")
    if is_recording(chosen.program):
        return _reopen(chosen.program, chosen)
    options = Options(
        seed=chosen.seed,
        order=Order(chosen.order or orders[0]),
        root=chosen.root,
        python=chosen.python,
        limits=limits(chosen),
    )
    return _show(load(chosen.program), options, chosen)


def _is_same(program: str, file: str) -> bool:
    return Path(program).exists() and Path(file).exists() and Path(program).samefile(file)


def _show(program: Program, options: Options, chosen: argparse.Namespace) -> int:
    """Run a program and write what it left, as `chosen` says or as a table of everything."""
    return _tell(run(program, options), program.name, chosen)


def _reopen(file: str, chosen: argparse.Namespace) -> int:
    """Write what a saved recording holds, without running anything."""
    for name in ("order", "root", "python"):
        if getattr(chosen, name, None) is not None:
            return _complain(
                f"{file} is a saved recording, which is not run again: --{name} changes nothing "
                "in it. Leave it out, or name the program."
            )
    saved = open_recording(file)
    if saved.problem:
        print(f"chainstep: {file}: {saved.problem}", file=sys.stderr)
    return _tell(saved.recording, file, chosen)


def _tell(recording: Recording, name: str, chosen: argparse.Namespace) -> int:
    modes = {*FORCED[getattr(chosen, "mode", "both")], Mode.AS_WRITTEN}
    writes = document if getattr(chosen, "format", "table") == "json" else table
    text = writes(recording, modes)
    _write(text if text.endswith("\n") else f"{text}\n", getattr(chosen, "file", None))
    if recording.outcome.status is Status.OK:
        return DONE
    print(f"chainstep: {name}: {describe(recording)}", file=sys.stderr)
    return FAILED


def _write(text: str, file: str | None) -> None:
    if file is not None:
        try:
            Path(file).write_text(text, encoding="utf-8")
        except OSError as error:
            message = f"{file} cannot be written ({error.strerror}). Choose another place with -o."
            raise EnvironmentFault(message) from error
        return
    _tolerate(sys.stdout)
    sys.stdout.write(text)
    sys.stdout.flush()


def _tolerate(stream: IO[str]) -> None:
    """Signs that a terminal's encoding lacks are written as escapes, never as an error."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


# -- check ----------------------------------------------------------------------------------


def _check(words: Sequence[str]) -> int:
    if any(is_lesson(word) for word in words):
        others = [word for word in words if not is_lesson(word)]
        if not others:
            return _vet(words)
        return _complain(f"Lessons are checked by themselves: leave out {' '.join(others)}.")
    from chainstep.check import command  # noqa: PLC0415  brings numpy

    return command(words)


def _vet(paths: Sequence[str]) -> int:
    """Check lessons: a line for each mistake, or one that says that there is none."""
    from chainstep.vetting import vet  # noqa: PLC0415  seldom wanted

    status = DONE
    for path in paths:
        try:
            faults = vet(path)
        except ChainstepError as error:
            # One that cannot be read does not keep the others from being checked.
            status = _complain(str(error))
            continue
        _write("\n".join(faults or [f"{path}: opens where it says"]) + "\n", None)
        status = max(status, FAILED) if faults else status
    return status


# -- examples -------------------------------------------------------------------------------


def _examples(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        "chainstep examples",
        description="List the bundled examples; open one with chainstep example:NAME.",
        allow_abbrev=False,
    )
    parser.parse_args(words)
    every = examples()
    width = max(len(example.name) for example in every)
    _write("".join(f"{example.name:{width}}  {example.title}\n" for example in every), None)
    return DONE
