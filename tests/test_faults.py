"""The handed programs with faults: each runs to an outcome, and shows its own numbers.

What the program itself computes and what would be right were both worked out apart from this
project; see `faults/expected.json`.
"""

from __future__ import annotations

import json
from math import isclose
from pathlib import Path

import commands
import pytest
from commands import newest
from endless import ENDLESS_S, ending

FAULTS = Path(__file__).parent / "faults"
EXPECTED = json.loads((FAULTS / "expected.json").read_text())
SETTLED_BY_ACCUMULATION = ("overwrite_in_add", "recursive_no_topo", "ok_microgpt_style")
ENDLESS = "never_ends"
OUTCOMES = {ENDLESS: "timeout", "root_of_zero": "exception"}


@pytest.fixture(scope="module")
def told():
    """What the command line says about a program, asked once for each."""
    answers = {}

    def ask(name):
        if name not in answers:
            words = ("trace", FAULTS / f"{name}.py", "--format", "json")
            if name == ENDLESS:
                with ending():
                    answers[name] = commands.told(*words, "--time", ENDLESS_S)
            else:
                answers[name] = commands.told(*words, "--time", 60)
        return answers[name]

    return ask


def after_the_last(recording, mode):
    """Gradients by node id after the last pass in a mode; 0.0 where nothing ever came."""
    gradients = dict.fromkeys((node["id"] for node in recording["nodes"]), 0.0)
    for trace in recording["traces"]:
        if trace["mode"] == mode:
            gradients.update({int(key): float(number) for key, number in trace["final"].items()})
    return gradients


@pytest.mark.parametrize("name", EXPECTED)
def test_every_program_runs_to_its_outcome(told, name):
    done = told(name)
    outcome = json.loads(done.stdout)["outcome"]
    assert outcome["status"] == OUTCOMES.get(name, "ok"), outcome["message"]
    assert done.returncode == (1 if name in OUTCOMES else 0)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_pass_as_written_ends_at_the_programs_own_gradients(told, name):
    recording = json.loads(told(name).stdout)
    found = after_the_last(recording, "as-written")
    for variable, gradient in EXPECTED[name]["program_gradients"].items():
        assert isclose(found[newest(recording, variable)], gradient, rel_tol=1e-12), variable


@pytest.mark.parametrize("name", SETTLED_BY_ACCUMULATION)
def test_the_forced_pass_ends_at_the_right_gradients(told, name):
    recording = json.loads(told(name).stdout)
    found = after_the_last(recording, "accumulate")
    for variable, gradient in EXPECTED[name]["right_gradients"].items():
        assert isclose(found[newest(recording, variable)], gradient, rel_tol=1e-12), variable


def test_the_endless_loop_is_named_by_its_line_and_keeps_its_pass(told):
    recording = json.loads(told(ENDLESS).stdout)
    low, high = EXPECTED[ENDLESS]["fault_lines"][0], 9
    assert low <= recording["outcome"]["line"] <= high
    assert recording["output"] == "gradient 3.0\n"
    assert [trace["mode"] for trace in recording["traces"]].count("as-written") == 1


def test_the_exception_in_a_closure_keeps_the_steps_before_it(told):
    recording = json.loads(told("root_of_zero").stdout)
    written = next(trace for trace in recording["traces"] if trace["mode"] == "as-written")
    assert written["error"]["step"] == len(written["steps"]) > 0
    assert "ZeroDivisionError" in written["error"]["message"]
