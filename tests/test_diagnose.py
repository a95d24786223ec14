"""Every kind of fault is found on its line, in every style of engine, and nothing else is.

The programs of `faults` and what has to be found in them were made apart from this project.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from here import APART, runs
from hypothesis import given
from mistakes import ALTERED, CORRECT, ENGINES, MISTAKES, SUM_ONLY, written
from recordings import recordings, repeatable
from test_recorder import SHAPES, record

from chainstep.diagnose import diagnose, order
from chainstep.finding import KINDS, Severity
from chainstep.options import Limits, Options
from chainstep.program import Program, examples

FAULTS = Path(__file__).parent / "faults"
EXPECTED = json.loads((FAULTS / "expected.json").read_text())
WRONG_ON_PURPOSE = {"backward_twice": "backward-twice", "own_value": "overwrite-grad"}
LIMITS = Limits(time_s=60.0, memory_mib=300)
"""Of time only a net: what ends by itself takes as long as the machine takes."""


def findings(source, kind=""):
    """What is found in a program; one that ends early runs in a process of its own."""
    if kind not in APART:
        return diagnose(record(source, check=True, tolerant=True))
    return diagnose(runs(kind)(Program("p.py", source, None), Options(check=True, limits=LIMITS)))


def faults(found):
    return [each for each in found if each.severity is Severity.FAULT]


# -- the handed programs -------------------------------------------------------------------


@pytest.mark.parametrize("name", EXPECTED)
def test_a_handed_program_gets_what_is_wrong_with_it_and_nothing_else(name):
    expected = EXPECTED[name]
    source = (FAULTS / f"{name}.py").read_text()
    found = findings(source, "infinite-loop" if name == "never_ends" else "")
    if expected["detect"] == "control":
        assert faults(found) == []
        return
    spans = [range(low, high + 1) for low, high in expected["accept_spans"]]
    named = [each for each in found if each.kind == expected["kind"]]
    assert any(each.line in span for each in named for span in spans), found
    assert {each.kind for each in faults(found)} <= {expected["kind"]}


def assert_whole(found, lines):
    """A finding says what happened, where, and what to do."""
    for each in found:
        assert each.code == KINDS[each.kind].code
        assert each.message.endswith(".")
        assert each.remedy.endswith(".")
        assert each.line is None or each.file != 0 or 1 <= each.line <= len(lines)


# -- our own -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mistake", MISTAKES, ids=[f"{k}-{m.kind}-{m.engine}" for k, m in enumerate(MISTAKES)]
)
def test_a_mistake_is_found_on_its_line_and_nothing_else(mistake):
    source = mistake.program
    found = findings(source, mistake.kind)
    lines = source.splitlines()
    assert_whole(found, lines)
    named = [each for each in found if each.kind == mistake.kind and each.file == 0]
    assert named, found
    if mistake.at != ("",):
        told = [lines[each.line - 1] for each in named if each.line is not None]
        assert any(part in line for line in told for part in mistake.at), (told, found)
    assert {each.kind for each in faults(found)} <= {mistake.kind}, found
    for each in found:  # each says what happened, where and what to do
        assert each.code == KINDS[each.kind].code
        assert each.message.endswith(".") or mistake.kind in APART
        assert each.remedy.endswith(".")
        assert each.file or each.line is None or 1 <= each.line <= len(lines)


def test_an_operand_that_gets_nothing_is_named():
    source = written("closure", SUM_ONLY, (("            other.grad += out.grad\n", ""),))
    (found,) = faults(findings(source))
    assert found.line == source.splitlines().index("        def _backward():") + 1
    assert "gives nothing to b" in found.message


def test_every_kind_has_at_least_two_mistakes_of_its_own():
    single = {"no-value", "memory", "output-flood", "exit-code", "hard-exit", "needs-input"}
    single |= {"syntax-error"}  # they do not depend on the engine
    for kind in KINDS.keys() - {"rule-failed"}:  # that one is ours
        made = {mistake.program for mistake in MISTAKES if mistake.kind == kind}
        assert len(made) >= (1 if kind in single else 2), kind


# -- silence -------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", SHAPES)
def test_nothing_is_found_in_any_shape_of_class(shape):
    assert findings(SHAPES[shape]) == ()


@pytest.mark.parametrize(("engine", "use"), CORRECT, ids=lambda part: part[:16].strip())
def test_nothing_is_found_where_nothing_is_wrong(engine, use):
    assert faults(findings(written(engine, use))) == []


@pytest.mark.parametrize(("engine", "edits", "use"), ALTERED)
def test_nothing_is_found_in_an_altered_engine_that_is_right(engine, edits, use):
    assert faults(findings(written(engine, use, edits))) == []


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_an_example_is_clean_unless_it_is_wrong_on_purpose(example):
    found = faults(findings(example.program.text))
    wanted = WRONG_ON_PURPOSE.get(example.name)
    assert {each.kind for each in found} == ({wanted} if wanted else set())


def test_a_recording_without_evidence_is_no_reason_to_guess():
    for engine, use in CORRECT:
        assert faults(diagnose(record(written(engine, use)))) == []


# -- where it shows ------------------------------------------------------------------------


def test_the_first_of_several_overwriting_lines_is_one_that_loses_something():
    # The pass meets + first, where nothing has come to a before; * then replaces the 1 it brought.
    source = (FAULTS / "overwrite_in_add.py").read_text()
    head = source[: source.index("x = Value(1.5)")].replace("grad +=", "grad =")
    use = "a, b = Value(2.0), Value(3.0)\nd = a * b\ny = d + a\ny.backward()\n"
    found = faults(findings(head + use))
    lost = next(n for n, text in enumerate(head.splitlines(), 1) if "self.grad = other" in text)
    assert {each.kind for each in found} == {"overwrite-grad"}
    assert (len(found), found[0].line) == (4, lost)
    assert "the 1.0 that a had already is lost, and it keeps 3.0" in found[0].message


# -- rules that break ----------------------------------------------------------------------


def test_a_rule_that_breaks_is_our_own_fault_and_ends_no_other(monkeypatch):
    source = (FAULTS / "overwrite_in_add.py").read_text()
    monkeypatch.setattr(order, "RULES", (breaks, *order.RULES))
    found = findings(source)
    assert [each.kind for each in found] == ["overwrite-grad", "overwrite-grad", "rule-failed"]
    assert found[2].severity is Severity.NOTE
    assert "'breaks' failed" in found[2].message
    assert "KeyError" in found[2].message


def breaks(case):
    raise KeyError(case.nodes[0].name)


# -- findings ------------------------------------------------------------------------------


def test_the_codes_are_those_of_the_families_and_no_two_are_the_same():
    codes = [row.code for row in KINDS.values()]
    assert len(set(codes)) == len(codes)
    assert all(code.startswith("CS") and 101 <= int(code[2:]) <= 699 for code in codes)


def test_engines_are_all_used():
    used = {mistake.engine for mistake in MISTAKES} | {engine for engine, _ in CORRECT}
    used |= {engine for engine, _, _ in ALTERED}
    assert used == set(ENGINES)


@repeatable(150)
@given(recordings())
def test_any_recording_that_opens_can_be_diagnosed(recording):
    for each in diagnose(recording):
        assert each.kind in KINDS
        assert each.node is None or 0 <= each.node < len(recording.nodes)
        assert each.pass_index is None or 0 <= each.pass_index < max(recording.passes, 1)
