"""Formulas as trees, and as LaTeX. What is right is what one would write by hand."""

from __future__ import annotations

import pytest

from chainstep.calculus import OPERATIONS
from chainstep.notation import Bracketed, Fraction, Mark, Power, Row, escaped, latex, read


def test_the_chain_rule_is_three_fractions():
    assert read("∂e/∂a += ∂c/∂a · ∂e/∂c") == Row(
        (
            Fraction(Mark("∂e"), Mark("∂a")),
            Mark("+=", is_sign=True),
            Fraction(Mark("∂c"), Mark("∂a")),
            Mark("·", is_sign=True),
            Fraction(Mark("∂e"), Mark("∂c")),
        )
    )


def test_a_name_that_was_cut_is_a_name():
    assert read("∂out/∂(a_long_na…)") == Fraction(
        Mark("∂out"), Row((Mark("∂"), Bracketed(Mark("a_long_na…"))))
    )
    assert latex("∂(a_n…)/∂b") == (r"\frac{\partial\left(\mathrm{a\_n\dots}\right)}{\partial b}")


def test_a_fraction_line_and_a_raised_place_need_no_brackets():
    assert read("1 / (2 · b)") == Fraction(
        Mark("1"), Row((Mark("2"), Mark("·", is_sign=True), Mark("b")))
    )
    assert read("a**(b - 1)") == Power(
        Mark("a"), Row((Mark("b"), Mark("-", is_sign=True), Mark("1")))
    )
    assert read("3.0 × (-2.0)") == Row(
        (Mark("3.0"), Mark("×", is_sign=True), Bracketed(Row((Mark("−"), Mark("2.0")))))
    )


@pytest.mark.parametrize(
    ("line", "right"),
    [
        (
            "∂e/∂a += ∂c/∂a · ∂e/∂c",
            (
                r"\frac{\partial e}{\partial a} \mathrel{+}= \frac{\partial c}{\partial a}"
                r" \cdot \frac{\partial e}{\partial c}"
            ),
        ),
        ("21.0 = 15.0 + 1.0 × 6.0", r"21.0 = 15.0 + 1.0 \times 6.0"),
        ("-a / b**2", r"\frac{-a}{b^{2}}"),
        ("3e-7 = inf", r"3 \cdot 10^{-7} = \infty"),
        ("1 if out > 0 else 0", r"1 \text{ if } \mathrm{out} > 0 \text{ else } 0"),
        ("∂L/∂w_1", r"\frac{\partial L}{\partial \mathrm{w\_1}}"),
        ("0.0 → 15.0", r"0.0 \to 15.0"),
        ("log(a)", r"\mathrm{log}\left(a\right)"),
        ("a + …", r"a + \dots"),
    ],
)
def test_a_formula_becomes_latex(line, right):
    assert latex(line) == right


@pytest.mark.parametrize(
    "line", ["my loss", "a ? b", "(a", "a b", "", "∂", "a +", "x" * 3000, "(" * 40 + "a" + ")" * 40]
)
def test_what_has_another_form_stays_one_mark(line):
    assert read(line) == Mark(line)


@pytest.mark.parametrize("symbol", OPERATIONS)
def test_every_rule_of_the_table_can_be_set(symbol):
    for line in OPERATIONS[symbol].formula:
        assert not isinstance(read(line), Mark), line


def test_no_sign_of_latex_is_left_in_words():
    assert escaped("50% of $x_1 & {y}^2 \\ ~") == (
        r"50\% of \$x\_1 \& \{y\}\^{}2 \textbackslash{} \~{}"
    )


@pytest.mark.parametrize(
    ("name", "latex_of_it"),
    [
        ("x'", r"\text{x'}"),
        ("loss!", r"\text{loss!}"),
        ("50%", r"\text{50\%}"),
        ("node 0", r"\text{node 0}"),
        ("x→y", r"\text{x→y}"),
        ("a=b", r"\text{a=b}"),
        ("{x}", r"\text{\{x\}}"),
    ],
)
def test_a_name_of_any_signs_takes_no_fraction_away(name, latex_of_it):
    line = f"∂c/∂({name}) += ∂c/∂({name}) · ∂L/∂c"
    of_it = rf"\frac{{\partial c}}{{\partial\left({latex_of_it}\right)}}"
    assert latex(line) == (
        rf"{of_it} \mathrel{{+}}= {of_it} \cdot \frac{{\partial L}}{{\partial c}}"
    )
    assert [type(part) for part in read(line).parts].count(Fraction) == 3


def test_a_greek_letter_has_its_command_and_a_power_of_ten_no_zeros_in_front():
    assert latex("∂σ/∂β") == r"\frac{\partial \sigma}{\partial \beta}"
    assert latex("1e-09") == r"1 \cdot 10^{-9}"
