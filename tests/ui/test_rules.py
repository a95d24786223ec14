"""The rules of the operations: a derivation for each, and a tangent at the node's own value."""

from __future__ import annotations

import pytest
from conftest import A, C, D

from chainstep.calculus import OPERATIONS
from chainstep.derivations import DERIVATIONS
from chainstep.figures import short
from chainstep.ui.palette import LIGHT
from chainstep.ui.rules import Curve, Rules, operands, ticks
from chainstep.ui.theme import Look

USUAL = {1: (1.5,), 2: (1.5, 2.0)}


def test_every_operation_has_its_derivation_in_two_lines():
    assert set(DERIVATIONS) == set(OPERATIONS)
    assert all(len(lines) == 2 and all(lines) for lines in DERIVATIONS.values())


@pytest.mark.parametrize("symbol", OPERATIONS)
def test_the_tangent_is_as_steep_as_the_curve(qtbot, symbol):
    row = OPERATIONS[symbol]
    curve = Curve(Look(LIGHT))
    qtbot.addWidget(curve)
    curve.resize(260, 170)
    a, *rest = USUAL[row.arity]
    curve.show_row(row, (a, *rest))
    h = 1e-6
    rise = row.forward(a + h, *rest) - row.forward(a - h, *rest)
    assert curve.slope == pytest.approx(rise / (2 * h), rel=1e-6)
    assert curve.accessibleName().endswith(f"slope {short(curve.slope)}")
    drawn = curve.grab().toImage()
    seen = {drawn.pixelColor(x, y).name() for x in range(drawn.width()) for y in range(170)}
    assert {LIGHT.text, LIGHT.now} <= seen


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (-2.1, 3.9, [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0]),
        (0.0, 30.0, [0.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0]),
        (-0.011, 0.011, [-0.01, -0.005, 0.0, 0.005, 0.01]),
    ],
)
def test_the_axes_have_round_numbers(low, high, wanted):
    assert ticks(low, high) == pytest.approx(wanted)


def test_the_selected_node_gives_the_value_and_no_other(window, show):
    show("forced")
    session = window.session
    assert operands(session, "*") == ("", (1.5, 2.0))
    session.select(D)
    assert operands(session, "*") == ("d", (2.0, 3.0))
    assert operands(session, "+") == ("", (1.5, 2.0))
    session.select(A)
    assert operands(session, "*") == ("", (1.5, 2.0))


def test_nothing_is_told_of_a_node_while_what_is_to_come_is_hidden(window, show):
    show("forced")
    window.session.select(D)
    window.session.hide(True)
    assert operands(window.session, "*") == ("", (1.5, 2.0))


def test_it_opens_on_the_operation_of_the_selected_node(window, show, qtbot):
    show("forced")
    window.session.select(C)
    rules = Rules(window.session, window.look, window)
    rules.show()
    assert rules.index.currentItem().text() == "+"
    assert "c" in rules.where.text()
    for row in range(rules.index.count()):
        rules.index.setCurrentRow(row)
        symbol = rules.index.currentItem().text()
        assert rules.rule.text() == OPERATIONS[symbol].rule
        assert rules.slopes[0].text() == OPERATIONS[symbol].formula[0]
    rules.close()


def test_the_page_left_open_follows_the_selection_and_hides_what_is_hidden(window, show):
    show("forced")
    session = window.session
    page = Rules(session, Look(LIGHT), window)
    session.select(D)
    page.index.setCurrentRow(list(OPERATIONS).index("*"))
    assert page.where.text() == "As a function of a with b = 3.0, at the operands of d:"
    assert "slope 3.0" in page.curve.accessibleName()
    session.hide(hides=True)
    assert page.where.text() == "As a function of a with b = 2.0, at an example:"
    assert "slope 2.0" in page.curve.accessibleName()
    page.close()
