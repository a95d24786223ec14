"""Formulas as they are set and painted, and the chain rule of the selected node in the panel."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import A, B, C, D
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest

from chainstep.notation import read
from chainstep.ui.palette import DARK, LIGHT
from chainstep.ui.spoken import pronounced
from chainstep.ui.telling import tell_all
from chainstep.ui.terms import MOST_TERMS, TermRow
from chainstep.ui.theme import Look
from chainstep.ui.typeset import Setter, Typeset

RULE = "∂e/∂a += ∂c/∂a · ∂e/∂c"


@pytest.fixture
def setter(qapp):
    return Setter(Look(LIGHT), 15)


def ink(box):
    """The rows and columns of a picture that have something on them, around the base line."""
    picture = QImage(400, 200, QImage.Format.Format_RGB32)
    picture.fill(Qt.GlobalColor.white)
    with QPainter(picture) as painter:
        painter.setPen(Qt.GlobalColor.black)
        box.draw(painter, 100, 100)
    dark = [
        (x, y) for x in range(400) for y in range(200) if picture.pixelColor(x, y).lightness() < 128
    ]
    return {x for x, _ in dark}, {y for _, y in dark}


@pytest.mark.parametrize(
    "line", [RULE, "a**(b - 1)", "1 / (2 · out)", "out · (1 - out)", "21.0 = 15.0 + 1.0 × 6.0"]
)
def test_what_is_painted_lies_in_the_box_that_was_measured(setter, line):
    box = setter.set(read(line))
    columns, rows = ink(box)
    assert min(columns) >= 99
    assert max(columns) <= 101 + box.width
    assert 99 - box.ascent <= min(rows)
    assert max(rows) <= 101 + box.descent


def test_a_fraction_is_higher_than_a_name_and_has_a_line_at_the_height_of_a_sign(setter):
    name, fraction = setter.set(read("a")), setter.set(read("∂e/∂a"))
    assert fraction.ascent + fraction.descent > 1.8 * (name.ascent + name.descent)
    _, minus = ink(setter.set(read("b - b")))
    columns, _ = ink(fraction)
    assert len(columns) > 0.7 * fraction.width
    assert minus


def test_a_formula_that_is_too_wide_breaks_before_a_relation(setter):
    tree = read("∂e/∂a = ∂d/∂a · ∂e/∂d + ∂c/∂a · ∂e/∂c")
    whole = setter.set(tree).width
    assert len(setter.lines(tree, whole + 1)) == 1
    broken = setter.lines(tree, whole * 0.6)
    assert len(broken) == 2
    assert broken[1][0] > 0
    assert all(indent + box.width <= whole * 0.6 for indent, box in broken)


def test_two_formulas_on_one_line_break_between_them(setter):
    tree = read("∂e/∂d = 1,  ∂e/∂c = 1")
    width = setter.set(tree).width
    assert len(setter.lines(tree, width * 0.7)) == 2


LONG = "the_result_of_the_first_neuron"
WIDE = (
    f"∂o/∂{LONG} = ∂({LONG} + {LONG}*{LONG})/∂{LONG} · ∂o/∂({LONG} + {LONG}*{LONG})",
    f"{LONG * 4}",
    f"2**{LONG} + ({LONG} + {LONG}*({LONG} - 1))",
)


@pytest.mark.parametrize("line", WIDE)
@pytest.mark.parametrize("width", [120, 220, 400])
def test_no_line_of_a_formula_is_wider_than_its_place(setter, line, width):
    for indent, box in setter.lines(read(line), width):
        assert indent + box.width <= width


def test_what_of_a_formula_finds_no_room_is_an_ellipsis(setter):
    shown = str(setter.within(read(WIDE[0]), 120))
    assert "…" in shown
    assert setter.within(read("∂c/∂a"), 120) == read("∂c/∂a")


def test_a_widget_is_as_high_as_its_lines_and_grows_with_the_type(qtbot):
    formula = Typeset(Look(LIGHT), 15)
    qtbot.addWidget(formula)
    assert formula.heightForWidth(200) == 0
    formula.set_text(RULE)
    assert formula.text() == RULE
    assert formula.accessibleName() == pronounced(RULE)
    wide, narrow = formula.heightForWidth(400), formula.heightForWidth(60)
    assert narrow > 1.5 * wide
    formula.set_look(Look(DARK, 200))
    assert 1.8 * wide < formula.heightForWidth(800) < 2.2 * wide


# -- in the window --------------------------------------------------------------------------


def terms(window):
    return window.parts.side.step.terms


def test_the_chain_rule_of_the_selected_node_stands_below_the_step(window, show):
    show("forced")
    assert not terms(window).isVisible()
    window.session.seek_backward(7)
    window.session.select(A)
    shown = terms(window)
    assert shown.isVisible()
    assert shown.heading.text() == "Chain rule for a"
    assert shown.sum.text() == "∂e/∂a = ∂d/∂a · ∂e/∂d + ∂c/∂a · ∂e/∂c"
    assert [row.accessibleName() for row in shown.rows] == [
        (
            "Through d, has come, step 6: partial d by partial a times partial e by partial d, "
            "3.0 times 5.0 = 15.0"
        ),
        "Through c, still missing: partial c by partial a times partial e by partial c",
    ]
    window.session.select(None)
    assert not shown.isVisible()


def test_the_chain_rule_of_a_node_that_is_selected_comes_into_sight(window, show, qtbot):
    show("forced")
    window.session.seek_backward(11)
    area, shown = window.parts.side.step._area, terms(window)
    for node in (A, B):
        window.session.select(node)
        bar = area.verticalScrollBar()
        qtbot.waitUntil(lambda bar=bar: 0 < bar.value() == min(shown.y(), bar.maximum()))
        assert shown.heading.visibleRegion().boundingRect().height() == shown.heading.height()


def test_a_step_is_shown_from_its_title_on_whatever_was_read_before(window, show, qtbot):
    show("forced")
    window.session.seek_backward(11)
    bar = window.parts.side.step._area.verticalScrollBar()
    window.session.select(A)
    qtbot.waitUntil(lambda: bar.value() > 0)
    window.session.seek_backward(12)
    QGuiApplication.processEvents()
    assert bar.value() == 0


def test_a_term_leads_to_its_step_and_lights_its_consumer(window, show):
    show("forced")
    window.session.select(A)
    row = terms(window).rows[0]
    row.setFocus()
    QTest.keyClick(row, Qt.Key.Key_Return)
    assert window.session.backward_position == 6
    focused = next(row for row in terms(window).rows if row.hasFocus())
    assert focused.term.edge.consumer == D
    assert window.session.pointed == D
    QTest.keyClick(focused, Qt.Key.Key_Down)
    assert window.session.pointed == C


def test_a_term_of_long_names_has_its_numbers_below_and_nothing_is_cut(window, show):
    show("forced")
    window.session.select(A)
    rule = tell_all(window.session).rule
    term = replace(rule.terms[0], symbols=f"∂({LONG}_b*{LONG})/∂{LONG} · ∂o/∂({LONG}_b*{LONG})")
    short = TermRow(window.session, rule.terms[0], "d", window.look)
    row = TermRow(window.session, term, "d", window.look)
    for width in (200, 320, 460):
        row.resize(width, row.heightForWidth(width))
        assert row.height() > short.heightForWidth(width)
        picture = row.grab().toImage()
        ground = picture.pixel(width - 1, 0)
        edge = [picture.pixel(width - x, y) for x in (1, 2, 3, 4) for y in range(row.height())]
        assert set(edge) == {ground}
    row.deleteLater()
    short.deleteLater()


def test_of_very_many_terms_the_ledger_tells_the_rest(window, show):
    show("forced")
    window.session.select(A)
    rule = tell_all(window.session).rule
    many = replace(rule, terms=rule.terms * MOST_TERMS)
    terms(window).show_rule(many, "a")
    assert len(terms(window).rows) == MOST_TERMS
    assert terms(window).sum.text().endswith("+ …")
    assert "12 more terms stand in the ledger" in terms(window).told.text()


@pytest.mark.parametrize(
    ("command", "begins"), [("copy_step_latex", r"\textbf{c gives"), ("copy_step_markdown", "**c")]
)
def test_a_step_can_be_copied_to_be_typeset_elsewhere(window, show, command, begins):
    show("forced")
    window.session.seek_backward(9)
    window.parts.actions[command].trigger()
    assert QGuiApplication.clipboard().text().startswith(begins)


def test_the_panel_says_the_gate_and_who_is_missing(window, show):
    show("forced")
    window.session.seek_backward(6)
    said = window.parts.side.step._remark.text().splitlines()
    assert said[0].startswith("Multiplication swaps")
    assert said[1] == "Still missing for a: c has not run."
