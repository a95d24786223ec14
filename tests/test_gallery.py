"""The gallery of faulty programs: well kept, every fault found, and the controls clean.

`gallery/grade.py` counts the same from outside, with all that `check` does.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import here
import pytest

from chainstep.diagnose import diagnose
from chainstep.finding import KINDS
from chainstep.options import Limits, Options
from chainstep.program import Program
from chainstep.verify import Verdict, verify

FOLDER = Path(__file__).parent / "gallery"
NET_S = 60.0
"""What ends by itself takes as long as the machine takes; this is only a net."""


def load_grader():
    spec = importlib.util.spec_from_file_location("grade", FOLDER / "grade.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["grade"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


GRADER = load_grader()
INDEX = GRADER.index()
MISSED = {
    "recursive_backward_method": "found, but told at the line of the base class that stores",
}
"""Faults that are known not to be found at an accepted line."""
CONTROLS = [name for name, row in INDEX.items() if row["kind"] == GRADER.CONTROL]
FAULTY = [name for name in INDEX if name not in CONTROLS]


def graded(name):
    """The grade of a program, by a run in this process where that does no harm."""
    row = INDEX[name]
    source = (FOLDER / "programs" / f"{name}.py").read_text("utf-8")
    options = Options(limits=Limits(time_s=NET_S, memory_mib=400), check=True)
    recording = here.runs(row["kind"])(Program(f"{name}.py", source, None), options)
    differing = [each for each in verify(recording) if each.verdict is Verdict.DIFFERS]
    return GRADER.judge(name, row, diagnose(recording), len(differing))


def test_the_index_and_the_programs_are_the_same():
    assert {path.stem for path in (FOLDER / "programs").glob("*.py")} == set(INDEX)


def test_every_kind_has_a_program():
    assert {row["kind"] for row in INDEX.values()} == {*KINDS, GRADER.CONTROL} - {"rule-failed"}


@pytest.mark.parametrize("name", INDEX)
def test_accepted_lines_are_lines_of_the_program(name):
    lines = (FOLDER / "programs" / f"{name}.py").read_text("utf-8").splitlines()
    for low, high in INDEX[name]["accept_spans"]:
        assert 1 <= low <= high <= len(lines)


@pytest.mark.parametrize("name", CONTROLS)
def test_nothing_false_is_said_of_a_control(name):
    grade = graded(name)
    assert grade.false == ()
    assert grade.differing == 0


@pytest.mark.parametrize("name", FAULTY)
def test_a_fault_is_found_at_its_line(name):
    grade = graded(name)
    assert grade.found is (name not in MISSED), grade.said
    assert grade.false == ()
