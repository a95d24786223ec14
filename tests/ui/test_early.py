"""What the graph shows while Values are made and while they are sorted."""

import itertools
import random
from dataclasses import replace

import pytest
from panes import Panes, alike
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from scenes import Scene, diamond, network, recording, reuse

from chainstep.graph import Edge
from chainstep.settings import Theme
from chainstep.story import Phase
from chainstep.trace import Kind, Mode, Order, Recording
from chainstep.ui.hints import hint
from chainstep.ui.ledger_panel import FROM, Account
from chainstep.ui.moment import Tone
from chainstep.ui.palette import palette
from chainstep.ui.session import Place, View, prepare
from chainstep.ui.theme import Look
from chainstep.ui.values import Values

A, B, C, D, E = range(5)
FORWARD, SORT, BACKWARD = Phase


@pytest.fixture
def panes(qtbot):
    def make(graph, view=View.ACCUMULATE, size=(900, 560)) -> Panes:
        return Panes(qtbot, graph, view, size)

    return make


@pytest.fixture
def simple(panes) -> Panes:
    return panes(diamond())


def go(shown: Panes, phase: Phase, number: int):
    shown.session.go(Place(phase, number))
    QApplication.processEvents()
    return shown.canvas._moment


def cards(shown: Panes, phase: Phase, number: int):
    moment = go(shown, phase, number)
    return [moment.card(node) for node in shown.session.graph.nodes]


# -- forward -------------------------------------------------------------------------------


def test_only_what_is_made_so_far_is_solid_and_the_last_one_is_now(simple):
    tones = [card.tone for card in cards(simple, FORWARD, 3)]
    assert tones == [Tone.MADE, Tone.MADE, Tone.NOW, Tone.GHOST, Tone.GHOST]
    assert {card.tone for card in cards(simple, FORWARD, 0)} == {Tone.GHOST}


def test_a_card_says_that_its_backward_is_stored_and_a_leaf_that_it_does_nothing(simple):
    shown = cards(simple, FORWARD, 5)
    assert [(card.label, card.absent) for card in shown] == [
        ("_backward", "nothing"),
        ("_backward", "nothing"),
        ("_backward", "stored"),
        ("_backward", "stored"),
        ("_backward", "stored"),
    ]
    assert {card.gradient for card in shown} == {None}


def test_the_operands_flow_into_the_node_that_is_made(simple):
    moment = go(simple, FORWARD, 3)
    assert moment.flows == [Edge(A, C, 0), Edge(B, C, 1)]
    assert moment.arrow is None
    assert go(simple, FORWARD, 1).flows == []


def test_edges_come_to_be_with_their_consumer(simple):
    drawing = simple.canvas._drawing
    hidden = go(simple, FORWARD, 3).hidden()
    shown = {edge for edge, hides in zip(drawing.edges, hidden, strict=True) if not hides}
    assert shown == {Edge(A, C, 0), Edge(B, C, 1)}
    assert go(simple, SORT, 0).hidden() is None


def ink_in(picture: QImage, shown: Panes, node: int) -> set[str]:
    """The colours within a card, well away from its outline."""
    area = shown.canvas.rectangle(shown.canvas._drawing.card(node)).adjusted(12, 12, -12, -12)
    inside = picture.copy(area)
    return {
        inside.pixelColor(x, y).name()
        for x in range(0, inside.width(), 2)
        for y in range(0, inside.height(), 2)
    }


def test_a_node_that_is_not_made_is_an_outline_and_nothing_else(simple):
    go(simple, FORWARD, 3)
    picture = simple.shown()
    assert len(ink_in(picture, simple, D)) == 1
    assert len(ink_in(picture, simple, C)) > 5
    go(simple, FORWARD, 4)
    assert len(ink_in(simple.shown(), simple, D)) > 5


def test_the_hint_of_a_node_that_is_not_made_keeps_its_number_to_itself(simple):
    graph = simple.session.graph
    assert hint(graph, go(simple, FORWARD, 3), E).splitlines() == [
        *("e", "* of c and d, line 7", "not made yet")
    ]
    assert hint(graph, go(simple, FORWARD, 3), C).splitlines() == [
        *("c", "+ of a and b, line 5", "data = 5.0", "its _backward is stored and has not run")
    ]
    assert hint(graph, go(simple, FORWARD, 3), A).endswith("its _backward does nothing")


# -- sort ----------------------------------------------------------------------------------


def words(shown: Panes, number: int) -> list[str]:
    return [card.word for card in cards(shown, SORT, number)]


def test_every_card_says_in_a_word_how_far_the_sort_is_with_it(simple):
    # e c a; a appended; b; b appended; c appended; d; a again; b again; d, e appended
    assert [words(simple, number) for number in range(13)] == [
        ["", "", "", "", ""],
        ["", "", "", "", "visit"],
        ["", "", "visit", "", "visiting"],
        ["visit", "", "visiting", "", "visiting"],
        ["no. 1", "", "visiting", "", "visiting"],
        ["no. 1", "visit", "visiting", "", "visiting"],
        ["no. 1", "no. 2", "visiting", "", "visiting"],
        ["no. 1", "no. 2", "no. 3", "", "visiting"],
        ["no. 1", "no. 2", "no. 3", "visit", "visiting"],
        ["been here", "no. 2", "no. 3", "visiting", "visiting"],
        ["no. 1", "been here", "no. 3", "visiting", "visiting"],
        ["no. 1", "no. 2", "no. 3", "no. 4", "visiting"],
        ["no. 1", "no. 2", "no. 3", "no. 4", "no. 5"],
    ]


def test_the_edge_that_the_recursion_walks_is_lit_and_the_way_there(simple):
    moment = go(simple, SORT, 9)  # a, met from d, which is met from e
    assert moment.arrow == Edge(A, D, 0)
    assert moment.path == [Edge(D, E, 1)]
    assert go(simple, SORT, 1).arrow is None
    assert go(simple, SORT, 4).arrow is None  # a is appended: nothing is walked
    assert go(simple, SORT, 2).arrow == Edge(C, E, 0)


def test_an_operand_that_is_used_twice_is_met_through_each_of_its_slots(panes):
    shown = panes(reuse())
    arrows = [go(shown, SORT, number).arrow for number in range(6)]
    assert arrows == [None, None, Edge(0, 1, 0), None, Edge(0, 1, 1), None]


def test_breadth_first_a_node_is_ready_or_says_how_many_uses_it_waits_for(panes):
    shown = panes(diamond())
    passed = recording(diamond(), [E, C, D, A, B])
    traces = tuple(replace(trace, order=Order.BREADTH_FIRST) for trace in passed.traces)
    shown.session._adopt(prepare(replace(passed, traces=traces)))
    # e ready, appended; c, d ready; c appended; a, b wait; d appended; a, b ready, appended
    assert words(shown, 4) == ["", "", "ready", "ready", "no. 1"]
    assert words(shown, 6) == ["waits · 1", "", "no. 2", "ready", "no. 1"]
    assert words(shown, 10) == ["ready", "ready", "no. 2", "no. 3", "no. 1"]
    graph = shown.session.graph
    said = hint(graph, go(shown, SORT, 6), A).splitlines()
    assert said[-2:] == ["waits for 1 more of its uses", "its _backward does nothing"]


def test_the_hint_says_how_far_the_sort_is(simple):
    graph = simple.session.graph
    said = [hint(graph, go(simple, SORT, 5), node).splitlines()[3] for node in (A, C, D)]
    assert said == [
        "number 1 on the sorted list",
        "its visit waits for its children",
        "not met by the sort yet",
    ]


# -- both ----------------------------------------------------------------------------------


@pytest.mark.parametrize("view", [View.ACCUMULATE, View.BOTH])
def test_whatever_way_a_place_is_reached_the_picture_is_the_same(panes, view):
    shown = panes(network(samples=1), view, (700, 400))
    course = shown.session.course
    chance = random.Random(7)
    number = 0
    for _ in range(40):
        number += chance.choice((-1, 1, 1, 1, -7, 9, 25))
        number = max(0, min(number, course.length))
        shown.session.go(course.numbered(number))
        QApplication.processEvents()
        shown.session.select(chance.choice((None, 3, 20)))
        for canvas in shown.canvases:
            before = shown.shown(canvas)
            assert alike(before, shown.afresh(canvas)), course.numbered(number)


def test_every_place_can_be_seen_and_stepping_back_restores_it(simple):
    course = simple.session.course
    pictures = []
    for number in range(course.length + 1):
        simple.session.go(course.numbered(number))
        pictures.append(simple.shown())
    assert all(one != other for one, other in itertools.pairwise(pictures))
    for number in range(course.length, -1, -1):
        simple.session.go(course.numbered(number))
        assert alike(simple.shown(), pictures[number])


def test_every_phase_is_told_to_those_who_hear_the_window(simple):
    go(simple, FORWARD, 3)
    assert "Its _backward is stored, not run" in simple.canvas.accessibleDescription()
    go(simple, SORT, 9)
    assert "a is already visited: nothing to do" in simple.canvas.accessibleDescription()
    go(simple, SORT, 0)
    assert simple.canvas.accessibleDescription().startswith("Before the sort.")


def test_every_phase_can_be_seen_from_any_distance(panes):
    shown = panes(network(), size=(700, 400))
    for scale in (1.0, 0.5, 0.2, 0.05):
        shown.viewport.show(scale, shown.viewport.centre)
        for place in (Place(FORWARD, 30), Place(SORT, 60), Place(BACKWARD, 0)):
            shown.session.go(place)
            assert alike(shown.shown(), shown.afresh())


def test_a_deep_recursion_is_drawn_without_delay(panes):
    scene = Scene()
    node = scene.leaf("x", 0.5)
    for _ in range(600):
        node = scene.op("", "tanh", node)
    shown = panes(scene.graph, size=(700, 400))
    moment = go(shown, SORT, 601)
    assert shown.session.story.stack(shown.session.position)[-1] == 0
    assert len(moment.path) <= 64
    shown.shown()


# -- what an earlier pass left -------------------------------------------------------------


def carried():
    """The diamond run backward twice without zeroing, as written."""
    graph = diamond()
    first = recording(graph).traces[0]
    left = dict(first.final)
    steps, held = [], dict(left)
    for step in first.steps:
        if step.kind is Kind.CALL:
            steps.append(step)
            continue
        after = step.after if step.kind is Kind.SEED else held[step.target] + step.contribution
        steps.append(replace(step, before=held[step.target], after=after))
        held[step.target] = after
    written = replace(first, mode=Mode.AS_WRITTEN, order=Order.AS_WRITTEN)
    again = replace(written, pass_index=1, initial=left, steps=tuple(steps))
    return Recording("twice.py", nodes=graph.nodes, traces=(written, again))


@pytest.fixture
def twice(panes) -> Panes:
    shown = panes(diamond())
    shown.session.set_view(View.AS_WRITTEN)
    shown.session._adopt(prepare(carried()))
    shown.session.set_pass(1)
    return shown


def test_a_gradient_that_an_earlier_pass_left_says_from_which_pass_it_is(twice):
    shown = cards(twice, BACKWARD, 0)
    assert [card.word for card in shown] == ["from pass 1"] * 5
    assert [card.gradient for card in shown] == [21.0, 16.0, 6.0, 5.0, 1.0]
    assert {card.label for card in shown} == {"grad"}
    said = hint(twice.session.graph, twice.canvas._moment, A).splitlines()
    assert said[-1] == "grad = 21.0 (from pass 1)"


def test_a_gradient_that_still_holds_a_part_of_an_earlier_pass_says_so(twice):
    shown = cards(twice, BACKWARD, 4)  # e has given c and d their contributions
    assert [card.label for card in shown] == [
        *("grad", "grad", "grad + pass 1", "grad + pass 1", "grad")
    ]
    assert (shown[C].word, shown[C].gradient) == ("final", 12.0)
    said = hint(twice.session.graph, twice.canvas._moment, C).splitlines()
    assert said[-2:] == ["grad = 12.0 (final)", "it holds 6.0 from pass 1 as well"]


def test_the_table_of_values_marks_and_says_what_is_carried_over(twice):
    look = Look(palette(Theme.LIGHT), 100)
    values = Values(twice.session, look)
    written = next(column for column in values.columns if column.mode is Mode.AS_WRITTEN)
    twice.session.go(Place(BACKWARD, 4))
    node = twice.session.graph.node(C)
    assert values.text(node, written) == "1← 12.0"
    index = values.index(values.row_of(C), values.columns.index(written))
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "as written of c: 12.0, 6.0 of it carried over from pass 1"
    twice.session.set_pass(0)
    assert values.text(node, written) == "6.0"


def test_the_ledger_begins_with_what_is_carried_over(twice):
    account = Account(twice.session, Look(palette(Theme.LIGHT), 100))
    twice.session.select(C)
    account.take()
    first = account.rows[0]
    assert account.text(first, FROM) == "carried over from pass 1"
    assert account.text(first, account.columns[-1]) == "6.0"
    assert len(account.rows) == 2
    twice.session.set_pass(0)
    account.take()
    assert len(account.rows) == 1


def test_the_first_pass_carries_nothing(twice):
    twice.session.set_pass(0)
    assert {card.label for card in cards(twice, BACKWARD, 12)} == {"grad"}


def test_the_same_drawing_stays_where_it_is_from_pass_to_pass(twice):
    twice.viewport.show(1.4, (300.0, 100.0))
    twice.session.set_pass(0)
    assert (twice.viewport.scale, twice.viewport.centre) == (1.4, (300.0, 100.0))


def test_a_click_still_finds_a_ghost(simple):
    go(simple, FORWARD, 0)
    spot = QPointF(simple.middle(E))
    assert simple.canvas._drawing.node_at(*simple.canvas.scene_point(spot)) == E
