"""The order in which `_backward` runs, as a table."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt

from chainstep.story import Phase
from chainstep.trace import Kind, Mode, Order
from chainstep.ui.order_panel import COLUMNS, NODE, STATE, WHY
from chainstep.ui.session import Place

A, B, C, D, E = range(5)


@pytest.fixture
def panel(window):
    window.parts.side.tabs.show_page("order")
    return window.parts.side.page("order")


def column(panel, which):
    return [panel.order.text(row, which) for row in range(panel.order.rowCount())]


def test_the_rows_are_the_reversed_topological_list(show, panel):
    show("forced")
    assert column(panel, NODE) == ["e", "d", "c", "b", "a"]


def test_what_ran_what_runs_and_what_comes(window, show, panel):
    show("forced")
    assert column(panel, STATE) == ["next", "", "", "", ""]
    window.session.seek_backward(6)
    assert column(panel, STATE) == ["ran ✓", "runs ▸", "next", "", ""]
    assert panel.table.currentIndex().row() == 1
    window.session.run_to_end()
    assert column(panel, STATE) == ["ran ✓", "ran ✓", "ran ✓", "ran ✓", "runs ▸"]


def test_every_row_says_why_it_may_run_or_what_it_waits_for(window, show, panel):
    show("forced")
    window.session.seek_backward(7)
    assert column(panel, WHY) == [
        "The root: its gradient is the seed.",
        "Ready: its only consumer has run: e.",
        "Ready: its only consumer has run: e.",
        "Waits for c: 1 of 2 consumers have run.",
        "Waits for c: 1 of 2 consumers have run.",
    ]
    assert panel.why.text() == "2: d. Ready: its only consumer has run: e."


def test_before_backward_the_root_comes_next(window, show, panel):
    show("forced")
    for place in (Place(Phase.FORWARD, 2), Place(Phase.SORT, 7)):
        window.session.go(place)
        assert column(panel, STATE) == ["next", "", "", "", ""]


def test_a_click_and_enter_go_to_the_call(window, show, panel, qtbot):
    show("forced")
    spot = panel.table.visualRect(panel.order.index(2, 1)).center()
    qtbot.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert window.session.backward_position == 8
    with qtbot.waitActive(window):
        window.activateWindow()
    panel.take_focus()
    qtbot.keyClick(panel.table, Qt.Key.Key_Down)
    assert panel.why.text() == "4: b. Ready: all 2 consumers have run: c and d."
    qtbot.keyClick(panel.table, Qt.Key.Key_Return)
    assert window.session.backward_position == 11


def test_a_node_that_runs_before_its_gradient_is_complete_has_a_word_for_it(
    window, panel, runner, recordings, diamond, qtbot
):
    trace = recordings["forced"].trace(Mode.ACCUMULATE)
    steps = list(trace.steps)
    calls = {step.node: n for n, step in enumerate(steps) if step.kind is Kind.CALL}
    steps.insert(1, steps.pop(calls[C]))
    wrong = replace(trace, order=Order.RECURSIVE, steps=tuple(steps))
    runner.at_once = replace(recordings["forced"], traces=(wrong,))
    window.session.open(diamond, run=False)
    with qtbot.waitSignal(window.session.recording_changed):
        window.session.run()
    assert column(panel, STATE) == ["next early", "", "", "", ""]
    assert "its gradient is not complete" in panel.why.text()
    window.session.seek_backward(4)
    assert column(panel, STATE)[0] == "ran early"


def test_without_a_pass_the_panel_says_when_there_is_one(show, panel):
    show("failed")
    assert panel.order.rowCount() == 0
    assert "once a backward pass is recorded" in panel.why.text()


def test_every_cell_answers_every_role(window, show, panel):
    show("written")
    for position in (0, 6, 12):
        window.session.seek_backward(position)
        for row in range(panel.order.rowCount()):
            for number in range(len(COLUMNS)):
                for role in Qt.ItemDataRole:
                    panel.order.index(row, number).data(role)
        for role in Qt.ItemDataRole:
            panel.order.headerData(1, Qt.Orientation.Horizontal, role)
