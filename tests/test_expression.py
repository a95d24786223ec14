from __future__ import annotations

import inspect
import math

import here
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recordings import repeatable

from chainstep.engine import Value
from chainstep.expression import METHODS, Expression, ExpressionError, understand
from chainstep.options import Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.trace import Mode, Status


def test_an_expression_becomes_a_program_with_a_line_for_each_name():
    assert understand(" (a*b + c).tanh() ").program() == Program(
        "expression.py",
        """\
from chainstep import Value

a = Value(2.0)
b = Value(-3.0)
c = Value(10.0)
out = (a*b + c).tanh()
""",
    )


def test_the_program_runs_and_its_gradients_are_right():
    recording = run(understand("(a*b + c).tanh()").program({"c": 6.5}), Options())
    assert recording.outcome.status is Status.OK
    trace = recording.trace(Mode.ACCUMULATE)
    root = recording.nodes[trace.root]
    assert root.data == math.tanh(0.5)
    final = {node.name: trace.final[node.id] for node in recording.nodes}
    slope = 1 - math.tanh(0.5) ** 2
    assert final["a"] == pytest.approx(-3.0 * slope)
    assert final["b"] == pytest.approx(2.0 * slope)
    assert final["c"] == pytest.approx(slope)


def test_names_come_in_the_order_of_the_text():
    assert understand("z*y + a*z - y").names == ("z", "y", "a")


def test_values_are_those_that_are_given_and_others_do_not_matter():
    text = understand("a + größe").program({"größe": -0.5, "gone": 1.0}).text
    assert "a = Value(2.0)\ngröße = Value(-0.5)\n" in text
    assert "gone" not in text


@pytest.mark.parametrize(("value", "written"), [(math.inf, "inf"), (math.nan, "nan")])
def test_values_that_have_no_literal_are_written_as_calls(value, written):
    assert f'Value(float("{written}"))' in understand("-a").program({"a": value}).text


@pytest.mark.parametrize("text", ["a.log() + b", "(a*b).sqrt()", "a ** 0.5 * b", "a ** b"])
def test_where_a_negative_number_would_give_nan_the_first_values_are_positive(text):
    assert list(understand(text).values.values()) == [2.0, 3.0]


@pytest.mark.parametrize("text", ["a ** 2 + b", "a ** -1 * b", "-a * b"])
def test_else_they_are_those_of_the_lecture(text):
    assert list(understand(text).values.values()) == [2.0, -3.0]


def test_many_names_all_get_a_value():
    names = [f"x{number}" for number in range(40)]
    assert len(understand(" + ".join(names)).values) == 40


def test_the_result_has_a_name_that_is_still_free():
    assert understand("out * y").program().text.endswith("\nresult = out * y\n")


def test_the_functions_are_those_of_the_engine():
    own = {
        name
        for name, function in vars(Value).items()
        if callable(function) and not name.startswith("_") and name != "backward"
    }
    assert set(METHODS) == own
    for name in METHODS:
        assert list(inspect.signature(getattr(Value, name)).parameters) == ["self"]


@pytest.mark.parametrize("method", METHODS)
def test_every_function_can_be_used(method):
    recording = here.run(understand(f"a.{method}() * 2").program(), Options())
    assert recording.outcome.status is Status.OK


@pytest.mark.parametrize("text", ["abs(a)", "1/a", "2**a", "-(-a)", "(a)+(2+3)", "a*1e3", "a+a"])
def test_these_are_expressions(text):
    recording = here.run(understand(text).program(), Options())
    assert recording.outcome.status is Status.OK
    assert recording.trace(Mode.ACCUMULATE) is not None


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "There is nothing here yet"),
        ("a", 1, "Do something with a: (a*b + c).tanh()"),
        ("2 + 3", 1, "There is no name in this"),
        ("a +", 4, "This is no expression"),
        ("  a ++", 7, "This is no expression"),
        ("(a + b", 1, "This is no expression"),
        ("a = 2", 3, "This is no expression"),
        ("a ^ 2", 1, "Write a power as **"),
        ("a ^ ", 5, "Write a power as **"),
        ("tanh(a)", 1, "Write tanh behind its operand: a.tanh()"),
        ("a * tanh", 5, "Write tanh behind its operand"),
        ("a.tan()", 1, "There is no such function. There are: abs(), cos(),"),
        ("a.backward()", 1, "There is no such function"),
        ("sum(a)", 1, "There is no such function"),
        ("abs()", 1, "There is no such function"),
        ("a.tanh", 1, "Only names, numbers, + - * / ** and functions"),
        ("a.tanh(2)", 1, "tanh() takes nothing but its Value"),
        ("abs(a, b)", 1, "abs() takes nothing but its Value"),
        ("a.tanh(x=1)", 1, "tanh() takes nothing"),
        ("(2).tanh() + a", 2, "Only a Value has tanh(), and this is a number"),
        ("a // b", 1, "Of arithmetic only + - * / ** are understood"),
        ("a @ b", 1, "Of arithmetic only"),
        ("+a", 1, "Of signs only -"),
        ("not a", 1, "Of signs only -"),
        ("a * True", 5, "Only real numbers"),
        ("a * 'b'", 5, "Only real numbers"),
        ("a * 1j", 5, "Only real numbers"),
        ("a < b", 1, "Only names, numbers"),
        ("a if b else c", 1, "Only names, numbers"),
        ("[a, b]", 1, "Only names, numbers"),
        ("w[0] * a", 1, "Only names, numbers"),
        ("(x := 1) * a", 2, "Only names, numbers"),
        ("lambda: a", 1, "Only names, numbers"),
        ("Value * a", 1, "Value has a meaning already"),
        ("a * __class__", 5, "__class__ has a meaning already"),
        ("a * match", 5, "match has a meaning already"),
        ("a\n+ b", 2, "one line of plain text"),
        ("a; import os", 2, "This is no expression"),
        ("a + " * 200 + "a", 501, "longer than 500"),
        ("out + y + result + the_result", 1, "Call one of these otherwise"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_column(text, column, message):
    with pytest.raises(ExpressionError) as refusal:
        understand(text)
    assert message in str(refusal.value)
    assert refusal.value.column == column


WORDS = st.sampled_from(
    [
        *("a", "b", "out", "2", "0.5", "(", ")", "+", "-", "*", "/", "**", ".tanh()", ".log()"),
        *("abs(", ",", "lambda", "Value", "'", "#", "\\", "é", "0x1", "1_0", "if", ".", "^"),
    ]
)


@repeatable(400)
@given(st.lists(WORDS, max_size=12).map("".join) | st.text(max_size=20))
def test_any_text_is_refused_or_makes_a_program_that_python_takes(text):
    try:
        expression = understand(text)
    except ExpressionError as error:
        assert 1 <= error.column <= len(text) + 1 or len(text) == 0  # noqa: PT017
        return
    assert isinstance(expression, Expression)
    compile(expression.program().text, "expression.py", "exec")
