import math
from dataclasses import replace

import pytest

from chainstep.answer import misgiven, mistake, read_figure, unreadable
from chainstep.trace import Kind, Step


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6", 6.0),
        (" −2.5 ", -2.5),
        ("+0.25", 0.25),
        (".5", 0.5),
        ("1e-3", 0.001),
        ("0,75", 0.75),
        ("2/3", 2 / 3),
        ("-3 / 4", -0.75),
        ("3 × 5", 15.0),
        ("3*-5", -15.0),
        ("2 × (-3)", -6.0),
        ("0e400", 0.0),
        ("1e-999999", 0.0),
        ("- 0.5", -0.5),
        ("–0.5", -0.5),
        (",5", 0.5),
        ("(-0.5)", -0.5),
        ("2/(3*4)", 1 / 6),
        ("15 + 6", 21.0),
        ("15.0 + 1.0 × 6.0", 21.0),
        ("2 * (1 - 3)", -4.0),
        ("2-2,5", -0.5),
        ("1e-3 - 1e3", 0.001 - 1000.0),
        ("1,234,567", 1234567.0),
        ("1,234.5", 1234.5),
        ("0,125", 0.125),
        ("1,25", 1.25),
        ("inf", math.inf),
        ("+inf", math.inf),
        ("-Infinity", -math.inf),
        ("−∞", -math.inf),
    ],
)
def test_a_number_is_read_as_people_write_it(text, value):
    figure = read_figure(text)
    assert figure is not None
    assert figure.value == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "two",
        "1/0",
        "1 2",
        "3 +",
        "--2",
        "1/",
        "0x10",
        "1e400",
        "9e999999999999",
        pytest.param(f"1e-{'9' * 5000}", id="a power without end"),
        pytest.param("9" * 5000, id="figures without end"),
        "2*1e400",
        "1,000",
        "(2",
        "2)",
        "()",
        "2(3)",
        "0.5 V",
        "50%",
        "1 - (2 - 2)/0",
        pytest.param("(" * 5000 + "1" + ")" * 5000, id="brackets without end"),
        "1e300*1e300",
    ],
)
def test_what_is_no_number_is_told_from_one(text):
    assert read_figure(text) is None


@pytest.mark.parametrize("text", ["0.71", "0.707", "0.7071", "0.70710678", "0.70711"])
def test_a_rounded_number_is_right(text):
    assert read_figure(text).fits(math.sqrt(0.5))


@pytest.mark.parametrize("text", ["0.7", "0.70", "0.72", "0.7072", "1", "-0.71"])
def test_a_number_rounded_too_far_or_wrong_in_its_last_digit_is_not(text):
    assert not read_figure(text).fits(math.sqrt(0.5))


def test_a_fraction_is_right_where_its_decimals_are():
    assert read_figure("1/3").fits(0.333333333333)
    assert read_figure("-2/3").fits(-0.66667)
    assert not read_figure("1/3").fits(0.34)


def test_a_sum_is_right_where_its_rounded_terms_are_close_and_not_where_they_cancel():
    assert read_figure("0.3333 + 0.3333").fits(2 / 3)
    assert not read_figure("0.333 - 0.3328").fits(3e-4)
    assert not read_figure("15 + 6").fits(21.5)


def test_a_comma_that_may_mean_two_things_is_asked_about():
    words = unreadable("1,000")
    assert words == "'1,000' may be 1000 or 1.000: type it without a comma."
    assert unreadable("1,000 V") == "'1,000 V' is no number: type one, as 6, -0.25 or 2/3."


def test_zero_is_not_a_tiny_number_but_may_be_what_rounding_leaves():
    assert not read_figure("0").fits(3e-7)
    assert read_figure("0").fits(0.0)
    assert read_figure("0").fits(0.1 + 0.2 - 0.3, scale=0.3)
    assert not read_figure("0.001").fits(0.0)


def test_numbers_that_are_none_are_answered_with_their_names():
    assert read_figure("nan").fits(math.nan)
    assert not read_figure("nan").fits(1.0)
    assert read_figure("inf").fits(math.inf)
    assert not read_figure("-inf").fits(math.inf)
    assert not read_figure("1e308").fits(math.inf)


WRITE = Step(Kind.WRITE, 2, 0, 0, 5.0, 3.0, 15.0, 6.0, 21.0, True)
"""c gives a 3 × 5 = 15, and a had 6."""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("15", "the other path was forgotten"),
        ("6", "before the write"),
        ("9", "upstream gradient was forgotten"),
        ("3", "upstream gradient was forgotten"),
        ("11", "local derivative was forgotten"),
        ("14", "not plus"),
        ("-21", "sign is wrong"),
        ("-9", "sign of the contribution"),
    ],
)
def test_a_wrong_sum_shows_which_mistake_it_is(text, words):
    assert words in mistake(WRITE, read_figure(text), "c", "a")


def test_with_equals_the_sum_is_the_mistake():
    write = replace(WRITE, accumulates=False, after=15.0)
    assert "+= would give" in mistake(write, read_figure("21"), "c", "a")
    assert "= replaces it" in mistake(write, read_figure("6"), "c", "a")


def test_a_number_that_no_mistake_explains_is_left_without_a_guess():
    assert mistake(WRITE, read_figure("1234"), "c", "a") == ""


def test_a_number_that_two_mistakes_explain_is_left_without_a_guess():
    # a holds 3, and c gives 3 × 2: 5 is 3 + 2, where the local derivative is left out.
    write = replace(WRITE, upstream=2.0, local=3.0, contribution=6.0, before=3.0, after=9.0)
    assert "forgotten" in mistake(write, read_figure("5"), "c", "a")
    # 3 is what a holds, and the local derivative alone.
    assert mistake(write, read_figure("3"), "c", "a") == ""


@pytest.mark.parametrize(("local", "upstream"), [(1.0, 5.0), (5.0, 1.0)])
def test_a_factor_of_one_is_not_called_forgotten(local, upstream):
    write = replace(WRITE, local=local, upstream=upstream, contribution=5.0, after=11.0)
    said = [mistake(write, read_figure(text), "c", "a") for text in ("1", "5", "7")]
    assert "path was forgotten" in said[1]
    name = "local derivative" if local == 1 else "upstream gradient"
    assert not any(f"{name} was forgotten" in words for words in said)


def test_what_is_left_from_before_the_pass_is_no_path():
    words = mistake(WRITE, read_figure("15"), "c", "a", stale=True)
    assert "path" not in words
    assert "still holds from before this pass" in words


def test_a_wrong_contribution_is_explained_where_one_mistake_alone_leads_to_it():
    def why(text, **others):
        return misgiven(WRITE, read_figure(text), "c", "a", 6.0, others)

    assert why("5") == "That is the gradient of c: times the local derivative."
    assert why("21").startswith("That is the gradient of a afterwards")
    assert why("10", b=10.0).startswith("That is what b gets")
    # 5 is upstream, and what b gets.
    assert why("5", b=5.0) == ""
