"""Counts what `check` finds in the programs of this gallery: found, missed, false.

Run it with `python tests/gallery/grade.py [NAME ...]`; with `--json` it prints one object instead.
The exit status is 1 where anything is missed, or anything false is said.

The programs were written by somebody who had not read the rules, and the rules are not to be
fitted to them: each stands for a kind of fault. A fault is found if a finding of its kind names
a line in one of the accepted spans. A control must have no fault. What else is said of a faulty
program is listed apart: it can be another true word about the same fault.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chainstep.check import Settings, Stop, check_program
from chainstep.finding import KINDS, Severity
from chainstep.options import Limits, Options
from chainstep.program import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.finding import Finding

FOLDER = Path(__file__).parent
OPTIONS = Options(limits=Limits(time_s=10.0))
JOBS = 2
CONTROL = "none"


@dataclass(frozen=True)
class Grade:
    """What was said of one program.

    Attributes:
        name: The program.
        kind: Of its fault; `none` for a control.
        found: Whether that was found, at an accepted line; true for a control left in peace.
        said: Everything that was said, as `kind:line`; notes in brackets.
        false: The faults among it that a control got.
        others: The faults among it of other kinds, or at other lines, in a faulty program.
        differing: How many gradients the verdict calls wrong.
    """

    name: str
    kind: str
    found: bool
    said: tuple[str, ...]
    false: tuple[str, ...]
    others: tuple[str, ...]
    differing: int


def index() -> dict[str, dict[str, Any]]:
    """Every program's kind, accepted lines and note, by name."""
    told: dict[str, dict[str, Any]] = json.loads((FOLDER / "index.json").read_text("utf-8"))
    return told


def grade(name: str, expected: dict[str, Any]) -> Grade:
    """Check one program, in a process of its own, and hold the answer against what is known."""
    path = FOLDER / "programs" / f"{name}.py"
    try:
        done = check_program(str(path), load(str(path)), Settings(OPTIONS), Stop())
    except Exception as error:  # noqa: BLE001  a check that breaks counts as a word too many
        said = (f"broke off: {error!r}",)
        return Grade(name, expected["kind"], False, said, said, (), 0)
    return judge(name, expected, done.findings, len(done.differing))


def judge(
    name: str, expected: dict[str, Any], findings: Sequence[Finding], differing: int
) -> Grade:
    """Hold what was found in a program against what is known of it."""
    kind, spans = expected["kind"], expected["accept_spans"]
    said, faults, hit = [], [], False
    for each in findings:
        text = f"{each.kind}:{each.line}"
        is_fault = each.severity is Severity.FAULT
        said.append(text if is_fault else f"({text})")
        placed = not spans or any(
            each.line is not None and each.file == 0 and low <= each.line <= high
            for low, high in spans
        )
        if each.kind == kind and placed:
            hit = True
        elif is_fault:
            faults.append(text)
    control = kind == CONTROL
    quiet = control or KINDS[kind].severity is Severity.NOTE
    return Grade(
        name,
        kind,
        not faults if control else hit,
        tuple(said),
        tuple(faults) if quiet else (),
        () if quiet else tuple(faults),
        differing,
    )


def main() -> int:
    """Print a line for each program that is not as it should be, and the counts."""
    parser = argparse.ArgumentParser(description="Count found, missed and false findings.")
    parser.add_argument("names", nargs="*", help="only these programs")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    told = {name: row for name, row in index().items() if name in (chosen.names or index())}
    with ThreadPoolExecutor(JOBS) as pool:
        grades = list(pool.map(grade, told, told.values()))
    faulty = [each for each in grades if each.kind != CONTROL]
    missed = [each for each in faulty if not each.found]
    false = [each for each in grades if each.false]
    counts = {
        "faulty": len(faulty),
        "found": len(faulty) - len(missed),
        "missed": len(missed),
        "controls": len(grades) - len(faulty),
        "false": len(false),
        "with_others": sum(bool(each.others) for each in faulty),
    }
    if chosen.json:
        rows = [asdict(each) for each in grades]
        sys.stdout.write(json.dumps({"counts": counts, "grades": rows}) + "\n")
    else:
        for word, group in (("MISSED", missed), ("FALSE", false)):
            for each in group:
                said = ", ".join(each.said) or "nothing"
                sys.stdout.write(f"{word:7}{each.name} ({each.kind}): {said}\n")
        for each in faulty:
            if each.others and each.found:
                sys.stdout.write(f"also   {each.name} ({each.kind}): {', '.join(each.others)}\n")
        sys.stdout.write(", ".join(f"{value} {key}" for key, value in counts.items()) + "\n")
    return int(bool(missed or false))


if __name__ == "__main__":
    sys.exit(main())
