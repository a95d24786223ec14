"""Names that are shorter than what they stand for."""

import doctest
from itertools import pairwise

import pytest

from chainstep.ui import abridging
from chainstep.ui.abridging import abridged

NAMES = (
    *("x1*w1 + x2*w2 + b", "relu(((w*x)+b))", "relu((w[0]*x + b)) + 1", "((a+b)*c - d)/e"),
    *("n.layers[0].w[1]", "(e + 1)**-1", "a*(-1)", "tanh(n)", "loss", "-(-a)"),
)


def test_the_examples_of_the_docstring_hold():
    assert doctest.testmod(abridging).failed == 0


@pytest.mark.parametrize("name", NAMES)
def test_each_form_is_shorter_and_no_bracket_stands_alone(name):
    forms = list(abridged(name))
    assert forms[0] == name
    for longer, form in pairwise(forms):
        assert len(form) < len(longer)
        depth = 0
        for sign in form:
            depth += (sign == "(") - (sign == ")")
            assert depth >= 0, form
        assert depth == 0, form
