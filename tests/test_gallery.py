"""The gallery of faulty programs: well kept, and its controls clean.

How many of its faults are found is counted by `gallery/grade.py`.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from chainstep.finding import KINDS

FOLDER = Path(__file__).parent / "gallery"


def load_grader():
    spec = importlib.util.spec_from_file_location("grade", FOLDER / "grade.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["grade"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


GRADER = load_grader()
INDEX = GRADER.index()
FALSE_SO_FAR = {
    "ok_assigning_style": "a rule that returns slopes is taken for a backward that writes nothing",
    "ok_counting_order": "names of data and gradient that are not recognised",
    "ok_decorated_ops": "names of data and gradient that are not recognised",
    "ok_getattr_slots_generic": "names of data and gradient that are not recognised",
    "ok_global_tape": "operands that only a tape knows are taken for a cut graph",
}
"""Controls of which something false is said, and why: faults of the tap and the rules."""
CONTROLS = [name for name, row in INDEX.items() if row["kind"] == GRADER.CONTROL]


def test_the_index_and_the_programs_are_the_same():
    assert {path.stem for path in (FOLDER / "programs").glob("*.py")} == set(INDEX)


def test_every_kind_has_a_program():
    assert {row["kind"] for row in INDEX.values()} == {*KINDS, GRADER.CONTROL}


@pytest.mark.parametrize("name", INDEX)
def test_accepted_lines_are_lines_of_the_program(name):
    lines = (FOLDER / "programs" / f"{name}.py").read_text("utf-8").splitlines()
    for low, high in INDEX[name]["accept_spans"]:
        assert 1 <= low <= high <= len(lines)


@pytest.mark.parametrize("name", CONTROLS)
def test_nothing_false_is_said_of_a_control(name, request):
    if name in FALSE_SO_FAR:
        request.applymarker(pytest.mark.xfail(reason=FALSE_SO_FAR[name], strict=False))
    grade = GRADER.grade(name, INDEX[name])
    assert grade.false == ()
    assert grade.differing == 0
