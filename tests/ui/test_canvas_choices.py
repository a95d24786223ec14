"""Hiding, folding and turning the graph, as they are seen in the pane."""

import pytest
from panes import Panes, alike
from PySide6.QtCore import QSettings
from scenes import Scene, diamond

from chainstep.graph import Edge, Graph
from chainstep.settings import Settings
from chainstep.ui.drawing import Direction
from chainstep.ui.moment import Tone
from chainstep.ui.session import View
from chainstep.visible import Choices

BOTH = Choices(hides_constants=True, folds=True)
A, B, MINUS_ONE, MINUS_B, C, TWO, Y = range(7)


def graph() -> Graph:
    """c = a - b, y = 2 * c."""
    scene = Scene()
    a, b = scene.leaf("a", 4.0), scene.leaf("b", 3.0)
    minus = scene.leaf("-1", -1.0, constant=True)
    c = scene.op("c", "+", a, scene.op("b*(-1)", "*", b, minus))
    scene.op("y", "*", scene.leaf("2", 2.0, constant=True), c)
    return scene.graph


@pytest.fixture
def shown(qtbot) -> Panes:
    return Panes(qtbot, graph(), View.BOTH, (700, 300))


def choose(qtbot, shown: Panes, choices: Choices) -> None:
    shown.session.set_choices(choices)
    qtbot.waitUntil(lambda: not shown.session.running)


def at_write(shown: Panes, node: int, target: int) -> None:
    """To the step at which a node gives another its contribution."""
    pane = shown.session.primary
    steps = pane.trace.steps
    found = next(
        n
        for n, s in enumerate(steps)
        if (s.node, s.target) == (node, target) and s.slot is not None
    )
    shown.seek(found + 1)


def test_what_is_chosen_is_laid_out_elsewhere_and_shown_in_both_panes(qtbot, shown: Panes) -> None:
    shown.session.set_choices(BOTH)
    assert shown.session.running
    assert MINUS_ONE in shown.canvas._drawing.graph
    qtbot.waitUntil(lambda: not shown.session.running)
    for canvas in shown.canvases:
        assert {node.id for node in canvas._drawing.graph.nodes} == {A, B, C, Y}
        assert canvas._facts() == ["1 constant hidden · 2 helper nodes folded"]
        assert "1 constant hidden" in canvas.accessibleDescription()
    choose(qtbot, shown, Choices())
    assert len(shown.canvas._drawing.graph) == 7
    assert shown.canvas._facts() == []


def test_the_position_and_every_number_stay(qtbot, shown: Panes) -> None:
    shown.seek(5)
    before = [list(pane.stepper.gradients) for pane in shown.session.panes]
    choose(qtbot, shown, BOTH)
    assert shown.session.backward_position == 5
    assert [list(pane.stepper.gradients) for pane in shown.session.panes] == before


def test_a_write_to_a_folded_node_lights_the_card_that_stands_for_it_and_says_so(
    qtbot, shown: Panes
) -> None:
    choose(qtbot, shown, BOTH)
    at_write(shown, C, MINUS_B)
    seen = shown.canvas._moment
    assert seen.arrow is None
    assert seen.aside == (C, "b*(-1) gets 1.0 × 2.0 = 2.0")
    assert seen.active() == (C,)
    at_write(shown, Y, TWO)
    assert shown.canvas._moment.aside == (Y, "constant 2 gets 1.0 × 1.0 = 1.0")


def test_a_folded_node_that_runs_lights_its_card_without_changing_its_numbers(
    qtbot, shown: Panes
) -> None:
    choose(qtbot, shown, BOTH)
    at_write(shown, MINUS_B, B)
    seen = shown.canvas._moment
    card = seen.card(shown.canvas._drawing.graph.node(C))
    assert (card.tone, card.word, card.data, card.gradient) == (Tone.NOW, "inside", 1.0, 2.0)
    assert seen.arrow == Edge(B, C, 1)
    assert seen.arithmetic() == ("-1.0", "× 2.0", "= -2.0")
    assert seen.aside is None


def test_every_position_of_a_folded_graph_is_painted_alike_whatever_came_before(
    qtbot, shown: Panes
) -> None:
    choose(qtbot, shown, BOTH)
    for position in (*range(shown.session.length + 1), 3, 12, 0):
        shown.session.seek(position)
        assert alike(shown.shown(), shown.afresh())


def test_a_selected_node_without_a_card_is_found_at_the_card_that_stands_for_it(
    qtbot, shown: Panes
) -> None:
    choose(qtbot, shown, BOTH)
    shown.session.select(MINUS_B)
    assert shown.canvas._moment.selected == C
    assert shown.canvas.card_rectangle(MINUS_B) == shown.canvas.card_rectangle(C)


def test_from_the_top_down_the_whole_graph_is_shown_and_walked_along_its_edges(qtbot) -> None:
    shown = Panes(qtbot, diamond(), View.ACCUMULATE, (700, 600))
    choose(qtbot, shown, Choices(downward=True))
    assert all(shown.holds(node_id) for node_id in range(5))
    drawing = shown.canvas._drawing
    assert drawing.card(4).top > drawing.card(2).bottom > drawing.card(0).bottom
    assert drawing.badge(4).bottom > drawing.card(4).top > drawing.badge(4).top
    assert drawing.neighbour(4, Direction.OPERAND) in (2, 3)
    left, right = sorted((2, 3), key=lambda n: drawing.card(n).left)
    assert drawing.neighbour(left, Direction.BELOW) == right
    for position in range(shown.session.backward_length + 1):
        shown.seek(position)
        assert alike(shown.shown(), shown.afresh())


def test_a_recording_that_was_laid_out_before_the_choice_is_laid_out_again(qtbot, shown) -> None:
    from scenes import recording

    from chainstep.ui.session import prepare

    ready = prepare(recording(graph()))
    shown.session.choices = BOTH
    shown.session._adopt(ready)
    qtbot.waitUntil(lambda: not shown.session.running)
    assert len(shown.canvas._drawing.graph) == 4


def test_choices_are_remembered(tmp_path) -> None:
    store = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    Settings(store).choices = Choices(folds=True, downward=True)
    assert Settings(store).choices == Choices(folds=True, downward=True)
    store.setValue("canvas/choices", "nonsense")
    assert Settings(store).choices == Choices()
