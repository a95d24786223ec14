"""The handed cases: programs with the numbers that PyTorch gives in double precision.

The gradients of `=` were worked out apart from this project, in the same depth-first order.
"""

from __future__ import annotations

import json
from functools import cache
from math import isclose
from pathlib import Path

import pytest
from commands import chainstep, newest, told
from recordings import THOROUGH

from chainstep.document import document
from chainstep.options import Options
from chainstep.program import load
from chainstep.runner import run
from chainstep.trace import RECORDED

CASES = Path(__file__).parent / "cases"
NAMES = sorted(path.stem for path in CASES.glob("*.py"))


@cache
def traced(name):
    """(what the command line says about a case, what it should say); asked once."""
    done = told("trace", CASES / f"{name}.py", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout), json.loads((CASES / f"{name}.json").read_text())


@pytest.fixture(params=NAMES)
def case(request):
    return traced(request.param)


def test_all_cases_are_there():
    assert len(NAMES) == 7


def test_every_named_value_has_its_data_and_both_gradients(case):
    said, expected = case
    finals = {trace["mode"]: trace["final"] for trace in said["traces"]}
    for name, numbers in expected["values"].items():
        node = newest(said, name)
        found = {
            "data": said["nodes"][node]["data"],
            "accumulate": finals["accumulate"][str(node)],
            "overwrite": finals["overwrite"][str(node)],
        }
        for kind, number in numbers.items():
            assert isclose(found[kind], number, rel_tol=1e-12), (name, kind)


def test_the_graph_has_the_right_size_and_root(case):
    said, expected = case
    assert len(said["nodes"]) == expected["nodes"]
    for trace in said["traces"]:
        assert trace["root"] == newest(said, expected["root"])
        assert sorted(trace["sequence"]) == [node["id"] for node in said["nodes"]]


def test_a_program_without_backward_gives_the_two_forced_passes(case):
    said, _ = case
    modes = [(trace["pass"], trace["mode"], trace["order"]) for trace in said["traces"]]
    assert modes == [(0, "accumulate", "depth-first"), (0, "overwrite", "depth-first")]


@pytest.mark.parametrize("name", NAMES)
def test_runs_with_other_hashes_give_the_same_bytes(name, monkeypatch):
    program = load(str(CASES / f"{name}.py"))
    texts = set()
    for seed in range(20 if THOROUGH else 4):
        monkeypatch.setenv("PYTHONHASHSEED", str(seed))
        texts.add(document(run(program, Options()), set(RECORDED)))
    assert len(texts) == 1


def test_the_whole_command_gives_the_same_bytes_where_operands_are_kept_in_a_set(tmp_path):
    file = tmp_path / "diamond.py"
    text = (CASES / "diamond.py").read_text()
    file.write_text(text.replace("from chainstep", "from micrograd.engine"))
    answers = {
        chainstep("trace", file, "--format", "json", PYTHONHASHSEED=str(seed)).stdout
        for seed in range(20 if THOROUGH else 5)
    }
    assert len(answers) == 1
    assert json.loads(answers.pop())["traces"][1]["final"] == {
        "0": 6.0,
        "1": 6.0,
        "2": 6.0,
        "3": 5.0,
        "4": 1.0,
    }
