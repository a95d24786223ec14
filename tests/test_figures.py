from __future__ import annotations

import math
import re
from contextvars import copy_context
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from recordings import repeatable

from chainstep.figures import DIGITS, full, precision, short, visible

FINITE = st.floats(allow_nan=False, allow_infinity=False)
EDGES = [
    *(0.1, 0.99999999, 0.99995, 0.999949, 1 - 2**-53, 1.0, 1 + 2**-52, 9.9995, 9.99949),
    *(9.99996e-5, 9.9994e-5, 1e-4, 1.00004e-4, 0.00099999999, 0.001, 1e-5),
    *(999.95, 9999.5, 99999.5, 999949.9, 999950.0, 999999.4, 999999.5, 999999.9, 1e6, 1000001.0),
    *(1e300, 9.9999e299, 1.7976931348623157e308, 5e-324, 2.2250738585072014e-308, 1e22, 1e23),
]
DIGIT_COUNTS = st.integers(1, 9)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2.0, "2.0"),
        (-0.5, "-0.5"),
        (0.1 + 0.2, "0.3"),
        (2 / 3, "0.6667"),
        (12.3456, "12.35"),
        (1234.56, "1235.0"),
        (123456.789, "123457.0"),
        (0.99999999, "1.0"),
        (0.99999, "1.0"),
        (-0.99999, "-1.0"),
        (9.9999, "10.0"),
        (9.99996e-5, "0.0001"),
        (1e-4, "0.0001"),
        (9.9994e-5, "9.999e-5"),
        (3e-7, "3e-7"),
        (-3.00049e-7, "-3e-7"),
        (999999.4, "999999.0"),
        (999999.9, "1e6"),
        (-999999.5, "-1e6"),
        (1e6, "1e6"),
        (1234567.0, "1.235e6"),
        (9999999.0, "1e7"),
        (1e300, "1e300"),
        (-9.99996e299, "-1e300"),
        (5e-324, "4.941e-324"),
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (float("nan"), "nan"),
    ],
)
def test_a_number_is_written_as_one_would_write_it_on_a_card(value, text):
    assert short(value) == text


@pytest.mark.parametrize(
    ("digits", "text"),
    [(1, "667.0"), (2, "667.0"), (3, "667.0"), (4, "666.7"), (5, "666.67"), (7, "666.6667")],
)
def test_fewer_digits_never_put_zeros_before_the_point(digits, text):
    assert short(2000 / 3, digits) == text


@repeatable(300)
@given(FINITE | st.sampled_from(EDGES) | st.sampled_from(EDGES).map(lambda x: -x), DIGIT_COUNTS)
@example(1.7976931348623157e308, 4)
def test_what_is_shown_reads_back_to_half_a_unit_of_the_last_digit(value, digits):
    assume(value)
    shown, exact = Fraction(Decimal(short(value, digits))), Fraction(value)
    assert abs(shown - exact) <= abs(exact) * Fraction(1, 2 * 10 ** (digits - 1))
    assert shown != 0
    assert (shown > 0) is (value > 0)


@repeatable(300)
@given(FINITE, DIGIT_COUNTS)
def test_what_is_shown_is_short_and_looks_like_a_float(value, digits):
    text = short(value, digits)
    assert len(text) <= max(digits, 2) + 7
    assert re.fullmatch(r"-?(\d{1,6}\.\d+|\d(\.\d*[1-9])?e-?\d+)", text)
    assert not re.fullmatch(r"-?0\d.*", text)
    assert not re.fullmatch(r".*\.\d+0", text)


@repeatable(200)
@given(FINITE)
def test_a_negative_number_is_the_positive_one_with_a_sign(value):
    assert short(-abs(value)) == "-" + short(abs(value))


@repeatable(300)
@given(st.floats(1e-7, 1e9), st.floats(1e-7, 1e9))
def test_numbers_that_are_written_alike_are_the_same_to_that_many_digits(one, other):
    # And a number that rounds to 10000.0 looks like 10000.0, whichever side it came from.
    if short(one) == short(other):
        assert math.isclose(one, other, rel_tol=10 ** -(DIGITS - 1))
    rounded = float(short(one))
    assert short(rounded) == short(one)


@repeatable(200)
@given(st.floats())
def test_every_digit_reads_back_as_the_same_float(value):
    assert math.isnan(value) or repr(float(full(value))) == repr(value)


def test_every_digit_of_a_whole_number_still_looks_like_a_float():
    assert full(3) == "3.0"


def test_the_reader_may_choose_how_many_digits_are_written():
    def written():
        precision.set(7)
        return short(math.pi), short(math.pi, 2)

    assert copy_context().run(written) == ("3.141593", "3.1")
    assert short(math.pi) == "3.142"


def test_signs_that_command_a_terminal_are_spelled_out():
    assert visible("a\x1b[31m\n\u202eb\x9b∂é") == "a\\x1b[31m\\n\\u202eb\\x9b∂é"
