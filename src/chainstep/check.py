"""The `check` command: judges programs, one in detail or many at once for grading."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from chainstep import pytorch, report
from chainstep.arguments import PROGRAM_HELP, add_limits, count, limits
from chainstep.cells import SUFFIX
from chainstep.errors import ChainstepError, ProgramError
from chainstep.judging import Stop, judge
from chainstep.options import Options
from chainstep.program import EXAMPLE_PREFIX, STANDARD_INPUT, load
from chainstep.report import Report
from chainstep.reruns import Rerunner
from chainstep.runner import interpreter
from chainstep.saved import is_recording, open_recording
from chainstep.table import aligned, describe
from chainstep.trace import Outcome, Recording, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from chainstep.program import Program
    from chainstep.verify import SecondOpinion

    Writes = Callable[[Report], str]

DONE = 0
FAILED = 1
MISUSED = 2

MOST_JOBS = 4
"""Programs checked at a time where nobody says how many: each may take its memory."""

LEFT_OUT = frozenset({"__pycache__", "site-packages", "node_modules"})
"""Folders that hold no submissions; so do those whose names begin with a dot."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How programs are checked.

    Attributes:
        options: How they run.
        torch: Whether PyTorch is asked.
        jobs: How many processes may run at a time.
    """

    options: Options
    torch: bool = False
    jobs: int = 1


def check(path: str, settings: Settings, stop: Stop) -> Report:
    """Judge what a user named: a program, which is run, or a saved recording, which is not.

    Raises:
        ChainstepError: It cannot be read, or cannot be run, whatever it says.
    """
    if is_recording(path):
        saved = open_recording(path)
        recording = saved.recording
        if saved.problem:
            recording = replace(recording, notes=(*recording.notes, saved.problem))
        return judge(path, recording, torch=_opinion(settings))
    return check_program(path, load(path), settings, stop)


def check_program(path: str, program: Program, settings: Settings, stop: Stop) -> Report:
    """Run a program and judge it.

    Raises:
        ChainstepError: It cannot be run, whatever it says.
    """
    recording = stop.run(program, replace(settings.options, check=True))
    reruns = Rerunner(program, settings.options, recording, settings.jobs, stop.run)
    return judge(path, recording, reruns, _opinion(settings))


def _opinion(settings: Settings) -> SecondOpinion | None:
    return pytorch.gradients if settings.torch else None


def check_one(path: str, settings: Settings, stop: Stop) -> Report:
    """The same for one of many: a fault of ours in it must not end the others.

    Raises:
        ChainstepError: It cannot be read, or cannot be run, whatever it says.
    """
    try:
        return check(path, settings, stop)
    except ChainstepError:
        raise
    except Exception as fault:  # noqa: BLE001  whatever it is, the others are to be judged
        line = traceback.extract_tb(fault.__traceback__)[-1]
        message = (
            f"Chainstep itself failed on it: {type(fault).__name__}: {fault} "
            f"({Path(line.filename).name}, line {line.lineno}). Please report it."
        )
        failed = Recording(Path(path).name, outcome=Outcome(Status.CRASHED, message))
        return Report(path, failed, (), ())


# -- the command ----------------------------------------------------------------------------


def command(words: Sequence[str]) -> int:
    """Run `chainstep check WORDS`; results go to standard output, progress to standard error.

    Raises:
        ChainstepError: A program cannot be read, or nothing can be run.
    """
    chosen = _parser().parse_args(words)
    options = Options(seed=chosen.seed, python=chosen.python, limits=limits(chosen))
    interpreter(options.python)
    torch = chosen.torch and pytorch.is_installed()
    if chosen.torch and not torch:
        _say(
            "chainstep: PyTorch is not installed, so it is not asked. pip install torch brings it."
        )
    jobs = chosen.jobs or min(os.cpu_count() or 1, MOST_JOBS)
    settings = Settings(options, torch, jobs)
    paths = list(_spread(chosen.programs))
    single = paths == chosen.programs and len(paths) == 1
    writes = report.document if chosen.format == "json" else report.text
    if single:
        return _one(paths[0], settings, writes)
    return _many(paths, replace(settings, jobs=1), jobs, as_json=chosen.format == "json")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "chainstep check",
        description="Judge every gradient of a program and find what is wrong with it. "
        "Several programs, or folders of them, give one row each, for grading.",
        epilog="exit status: 0 nothing is wrong, 1 a fault or a program that failed, "
        "2 wrong usage or environment",
        allow_abbrev=False,
    )
    parser.add_argument(
        "programs",
        metavar="PROGRAM",
        nargs="+",
        help=f"{PROGRAM_HELP}; a saved recording; or a folder of programs",
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")
    parser.add_argument("--torch", action="store_true", help="ask PyTorch too, in double precision")
    parser.add_argument("--jobs", type=count, metavar="N", help="how many programs run at a time")
    add_limits(parser)
    return parser


def _say(sentence: str) -> None:
    sys.stderr.write(f"{sentence}\n")
    sys.stderr.flush()


def _spread(named: Iterable[str]) -> Iterator[str]:
    """The programs named, with the programs in a folder in its place; each file once.

    Raises:
        ProgramError: A folder holds none.
    """
    seen: set[Path] = set()
    for name in named:
        if name == STANDARD_INPUT or name.startswith(EXAMPLE_PREFIX):
            yield name
            continue
        if not Path(name).is_dir():
            if _is_new(Path(name), seen):
                yield name
            continue
        found = sorted(_programs_in(Path(name)))
        if not found:
            raise ProgramError(
                f"The folder {name} holds no program: neither a .py file nor a notebook is in it."
            )
        yield from (str(path) for path in found if _is_new(path, seen))


def _is_new(path: Path, seen: set[Path]) -> bool:
    """Whether a file was not named before, under whatever name; it is from now on."""
    file = path.resolve()
    is_new = file not in seen
    seen.add(file)
    return is_new


def _programs_in(folder: Path) -> Iterator[Path]:
    for path in [*folder.rglob("*.py"), *folder.rglob(f"*{SUFFIX}")]:
        inner = path.relative_to(folder).parts
        if path.is_file() and not any(p in LEFT_OUT or p.startswith(".") for p in inner):
            yield path


def _one(path: str, settings: Settings, writes: Writes) -> int:
    stop = Stop()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(check, path, settings, stop)
        try:
            done = future.result()
        except KeyboardInterrupt:
            stop.all()
            raise
    written = writes(done)
    _write(written if written.endswith("\n") else f"{written}\n")
    # The text of the report says itself how the run ended.
    if writes is report.document and done.recording.outcome.status is not Status.OK:
        _say(f"chainstep: {done.recording.program}: {describe(done.recording)}")
    return DONE if done.is_clean else FAILED


def _write(written: str) -> None:
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")
    sys.stdout.write(written)
    sys.stdout.flush()


# -- many at once ---------------------------------------------------------------------------


def _many(paths: Sequence[str], settings: Settings, jobs: int, *, as_json: bool) -> int:
    """Check programs in parallel; one line each, in the order in which they were named."""
    stop = Stop()
    with ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(check_one, path, settings, stop) for path in paths]
        try:
            _watch(futures, paths)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            stop.all()
            raise
    reports = [future.result() for future in futures if future.exception() is None]
    if as_json:
        _write("".join(f"{report.document(each)}\n" for each in reports))
    else:
        _write(_summary(reports))
    if len(reports) < len(paths):
        return MISUSED
    return DONE if all(each.is_clean for each in reports) else FAILED


def _watch(futures: Sequence[Future[Report]], paths: Sequence[str]) -> None:
    """Tell of each program as soon as it is judged."""
    path_of = dict(zip(futures, paths, strict=True))
    for number, future in enumerate(as_completed(futures), start=1):
        fault = future.exception()
        verdict = str(fault) if fault is not None else _verdict(future.result())
        _say(f"[{number}/{len(paths)}] {path_of[future]}: {verdict}")


def _verdict(done: Report) -> str:
    """A report in a few words."""
    if done.is_clean:
        return "clean"
    if done.faults:
        return ", ".join(dict.fromkeys(each.kind for each in done.faults))
    if done.differing:
        return "gradients differ"
    outcome = done.recording.outcome
    return f"{outcome.status.value}. {outcome.message}".rstrip()


def _summary(reports: Sequence[Report]) -> str:
    """A row for each program."""
    rows = [["program", "run", "gradients", "findings"]]
    for done in reports:
        wrong = len(done.differing)
        judged = sum(report.is_shown(done.recording, each) for each in done.gradients)
        found = [
            f"{report.place(done.recording, each)}{each.code} {each.kind}" for each in done.findings
        ]
        rows.append(
            [
                done.path,
                done.recording.outcome.status.value,
                f"{wrong} of {judged} differ" if wrong else f"{judged}",
                "; ".join(found) or ("clean" if done.is_clean else ""),
            ]
        )
    clean = sum(each.is_clean for each in reports)
    return "\n".join([*aligned(rows, right=set()), "", f"{clean} of {len(reports)} clean"]) + "\n"
