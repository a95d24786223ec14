"""Numbers are rounded where they are shown: what is shown as equal comes out with a calculator."""

from __future__ import annotations

import ast
import re

import pytest
from here import run

from chainstep.answer import read_figure
from chainstep.chainrule import chain_rule
from chainstep.explain import explain
from chainstep.figures import apart, precision, relation, short
from chainstep.formula import brought
from chainstep.narration import narrate
from chainstep.options import Options
from chainstep.program import Program, load
from chainstep.story import Story
from chainstep.trace import Kind, Mode

EQUALITY = re.compile(r"([-\d.e()+×* ]+) ([=≈]) ([-\d.e()+×* ]+)")
CANCELS = """
from chainstep import Value

a = Value(1.0)
b = a * 0.33333
c = a * -0.33328
d = b + c
"""


def worked(text):
    """What a side of an equality gives, as a calculator has it."""
    return float(eval(compile(ast.parse(text.replace("×", "*").strip(), mode="eval"), "", "eval")))


def equalities(recording, trace):
    """Every equality of numbers that is shown in a pass, and its sides."""
    other = Mode.OVERWRITE if trace.mode is Mode.ACCUMULATE else Mode.ACCUMULATE
    beside, story, graph = recording.trace(other), Story(recording, trace), recording.graph()
    texts = [narrate(story, position) for position in range(story.length + 1)]
    texts += [explain(recording, trace, n, beside) for n in range(len(trace.steps) + 1)]
    lines = [each.numbers for each in texts]
    lines += [brought(step) for step in trace.steps if step.kind is Kind.WRITE]
    for node in trace.initial:
        rule = chain_rule(graph, recording.nodes, trace, len(trace.steps), node)
        lines += [term.numbers for term in rule.terms]
    for line in lines:
        found = EQUALITY.fullmatch(line)
        if found is not None:
            yield found.groups()


@pytest.mark.parametrize("digits", [2, 4])
@pytest.mark.parametrize("spec", ["example:neuron", "example:diamond", "example:every_operation"])
def test_what_stands_beside_an_equals_sign_comes_out_as_it_is_shown(spec, digits):
    recording = run(load(spec), Options())
    token = precision.set(digits)
    try:
        signs = set()
        for trace in recording.traces:
            for left, sign, right in equalities(recording, trace):
                comes_out = short(worked(left)) == short(worked(right))
                assert comes_out is (sign == "="), (left, sign, right)
                signs.add(sign)
        assert "=" in signs
    finally:
        precision.reset(token)


def test_what_rounding_makes_another_number_of_is_called_about_equal():
    recording = run(Program("p.py", CANCELS), Options())
    trace = recording.trace(Mode.ACCUMULATE)
    told = [explain(recording, trace, n).numbers for n in range(len(trace.steps) + 1)]
    assert "5e-5 ≈ -0.3333 + 0.3333 × 1.0" in told
    assert read_figure("-0.3333 + 0.3333 × 1.0").value == 0


def test_the_sign_is_that_of_the_digits_that_are_shown():
    assert relation("0.49", [["0.3333", "1.47"]]) == "="
    assert relation("1.0", [["0.3333", "3.0"]]) == "≈"
    assert relation("1.0", [["0.33", "3.0"]], digits=1) == "="
    assert relation("nan", [["nan", "1.0"]]) == relation("inf", [["inf"], ["1.0"]]) == "="
    assert relation("nan", [["inf"], ["-inf"]]) == relation("0.0", [["-0.0", "(-2.0)"]]) == "="


def test_two_numbers_that_differ_never_look_the_same_beside_each_other():
    assert apart(2.0, 1.0) == ("2.0", "1.0")
    assert apart(1.0, 1.0 + 2**-52) == ("1.0", "1.0000000000000002")
    assert apart(1.0, 1.0) == ("1.0", "1.0")


def test_what_ends_differently_in_a_late_digit_is_told_with_it():
    text = "from chainstep import Value\n\na = Value(1.0)\nb = a * 1e-6\nc = a * 1.0\nd = c + b\n"
    recording = run(Program("p.py", text), Options())
    adds, replaces = recording.trace(Mode.ACCUMULATE), recording.trace(Mode.OVERWRITE)
    told = explain(recording, adds, len(adds.steps), replaces).sentences[-1]
    assert "a 1.000001 and 1.0" in told
