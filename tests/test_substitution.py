"""Our Value stands in for a program's own class, or it is said why it cannot."""

from __future__ import annotations

import pytest
from test_recorder import record

from chainstep.errors import ProgramError
from chainstep.program import examples
from chainstep.substitution import value_class
from chainstep.trace import Mode

OWN = next(each for each in examples() if each.name == "own_value").text


def test_the_class_with_gradients_and_arithmetic_is_found():
    assert value_class(OWN) == "Value"
    assert value_class("class Layer:\n    grad = 0\n" + OWN.replace("Value", "Scalar")) == "Scalar"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\n", "defines no Value class"),
        ("class A(\n", "cannot be read"),
        (OWN + OWN.replace("Value", "Other"), "defines Value and Other"),
        (OWN.replace("class Value:", "@final\nclass Value:"), "decorator or a base class"),
        (OWN.replace("class Value:", "class Value(Base):"), "decorator or a base class"),
        (OWN.replace("Value(3.0)", "Value(3.0, (), 'x')"), "more than a number"),
        (OWN.replace("Value(3.0)", "Value(3.0, op='x')"), "with op=, which our Value"),
        (OWN.replace("self.data", "self.v").replace("k.data", "k.v"), "uses .v of Value"),
    ],
)
def test_what_our_value_cannot_stand_in_for_is_refused_in_a_sentence(text, said):
    with pytest.raises(ProgramError, match=said.replace(".", "[.]")):
        value_class(text)


def test_the_program_runs_with_our_value_in_its_place():
    # y = x k + x at x = 3, k = 4: dy/dx is k + 1 = 5; the student's = keeps only the last, 4.
    def slope(recording):
        trace = recording.trace(Mode.AS_WRITTEN)
        return next(trace.final[node.id] for node in recording.nodes if node.name == "x")

    assert slope(record(OWN)) == 4
    ours = record(OWN, ours="Value")
    assert slope(ours) == 5
    assert ours.output == "dy/dx = 5.0 and it should be 5.0\n"
