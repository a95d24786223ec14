"""Selecting, carrying, nudging and lighting nodes, with the mouse and with keys."""

import json
from dataclasses import replace

import pytest
from panes import Panes, alike
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication
from scenes import diamond, network, recording

from chainstep.graph import Edge
from chainstep.program import Program
from chainstep.settings import Settings
from chainstep.ui.drawing import at
from chainstep.ui.flow import Flow
from chainstep.ui.kept import Keeper
from chainstep.ui.session import View, prepare
from chainstep.visible import Choices

LEFT = Qt.MouseButton.LeftButton
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def simple(qtbot) -> Panes:
    return Panes(qtbot, diamond(), View.BOTH, (900, 400))


def click(qtbot, shown: Panes, node: int, keys=NONE) -> None:
    qtbot.mouseClick(shown.canvas.viewport(), LEFT, keys, shown.middle(node))


def drag(qtbot, shown: Panes, start: QPoint, by: QPoint, keys=NONE, *, drops: bool = True) -> None:
    pane = shown.canvas.viewport()
    qtbot.mousePress(pane, LEFT, keys, start)
    for share in (0.5, 1.0):
        qtbot.mouseMove(pane, start + by * share)
    if drops:
        qtbot.mouseRelease(pane, LEFT, keys, start + by)


def place(shown: Panes, node: int) -> tuple[float, float]:
    card = shown.canvas._drawing.card(node)
    return card.left, card.top


# -- selection ---------------------------------------------------------------------------------


@pytest.mark.parametrize("keys", [CTRL, SHIFT])
def test_a_click_with_a_key_selects_one_node_more_or_leaves_it_out(qtbot, simple, keys) -> None:
    selection = simple.session.selection
    click(qtbot, simple, 3)
    click(qtbot, simple, 0, keys)
    click(qtbot, simple, 4, keys)
    assert selection.nodes == (3, 0, 4)
    assert simple.session.selected == 4
    click(qtbot, simple, 4, keys)
    assert selection.nodes == (3, 0)
    assert simple.session.selected == 0
    click(qtbot, simple, 2)
    assert selection.nodes == (2,)


@pytest.mark.parametrize("keys", [CTRL, SHIFT])
def test_a_band_selects_the_nodes_that_it_meets(qtbot, simple: Panes, keys) -> None:
    start = simple.middle(0) - QPoint(90, 60)
    end = simple.middle(1) + QPoint(30, 30)
    drag(qtbot, simple, start, end - start, keys)
    assert set(simple.session.selection.nodes) == {0, 1}
    assert simple.canvas._band is None
    assert simple.canvas._drawing is simple.canvases[1]._drawing


def test_all_can_be_selected_and_escape_selects_none(qtbot, simple: Panes) -> None:
    simple.session.select(1)
    simple.session.selection.all()
    assert set(simple.session.selection.nodes) == {0, 1, 2, 3, 4}
    assert simple.session.selected == 1
    qtbot.keyClick(simple.canvas, Qt.Key.Key_Escape)
    assert simple.session.selection.nodes == ()
    assert simple.session.selected is None


def test_what_is_selected_elsewhere_stands_alone_unless_it_is_one_of_these(simple: Panes) -> None:
    selection = simple.session.selection
    selection.set([0, 1])
    simple.session.select(0)
    assert selection.nodes == (0, 1)
    simple.session.select(4)
    assert selection.nodes == (4,)
    selection.set([2, 77])
    assert selection.nodes == (2,)


def test_every_selected_card_has_a_ring_in_both_panes(simple: Panes) -> None:
    before = [simple.shown(canvas) for canvas in simple.canvases]
    simple.session.selection.set([0, 3, 4])
    for canvas, empty in zip(simple.canvases, before, strict=True):
        shown = simple.shown(canvas)
        assert alike(shown, simple.afresh(canvas))
        for node in (0, 3, 4):
            area = canvas.rectangle(canvas._drawing.card(node)).adjusted(-9, -9, 9, 9)
            assert shown.copy(area) != empty.copy(area)


def test_a_new_recording_keeps_only_what_it_has(simple: Panes) -> None:
    simple.session.selection.set([0, 4])
    simple.session._adopt(prepare(recording(diamond())))
    assert simple.session.selection.nodes == (0, 4)


# -- carrying ----------------------------------------------------------------------------------


def test_a_node_that_is_dragged_stays_where_it_is_put_and_its_edges_follow(qtbot, simple) -> None:
    x, y = place(simple, 2)
    scale, centre = simple.viewport.scale, simple.viewport.centre
    start = simple.canvas._drawing.route(Edge(2, 4, 0))[0]
    drag(qtbot, simple, simple.middle(2), QPoint(40, -30))
    assert place(simple, 2) == pytest.approx((x + 40 / scale, y - 30 / scale))
    after = simple.canvas._drawing.route(Edge(2, 4, 0))[0]
    assert after == pytest.approx((start[0] + 40 / scale, start[1] - 30 / scale))
    assert (simple.viewport.scale, simple.viewport.centre) == (scale, centre)
    for canvas in simple.canvases:
        assert canvas._drawing is simple.canvas._drawing
        assert alike(simple.shown(canvas), simple.afresh(canvas))


def test_all_selected_nodes_are_carried_together(qtbot, simple: Panes) -> None:
    simple.session.selection.set([0, 1])
    before = [place(simple, node) for node in (0, 1, 2)]
    drag(qtbot, simple, simple.middle(1), QPoint(-20, 20))
    by = 20 / simple.viewport.scale
    assert place(simple, 0) == pytest.approx((before[0][0] - by, before[0][1] + by))
    assert place(simple, 1) == pytest.approx((before[1][0] - by, before[1][1] + by))
    assert place(simple, 2) == before[2]


def test_what_is_carried_is_seen_in_both_panes_and_escape_puts_it_back(qtbot, simple) -> None:
    before = [simple.shown(canvas) for canvas in simple.canvases]
    drag(qtbot, simple, simple.middle(2), QPoint(40, -30), drops=False)
    for canvas, picture in zip(simple.canvases, before, strict=True):
        assert not alike(simple.shown(canvas), picture)
    where = place(simple, 2)
    qtbot.keyClick(simple.canvas, Qt.Key.Key_Escape)
    qtbot.mouseRelease(simple.canvas.viewport(), LEFT, NONE, simple.middle(2))
    assert place(simple, 2) == where
    assert not simple.session.moves.undoes


def test_moves_are_taken_back_one_by_one_and_reset_all_at_once(simple: Panes) -> None:
    moves, first = simple.session.moves, place(simple, 3)
    moves.move([3], 10.0, 0.0)
    moves.move([3, 4], 5.0, 5.0)
    assert place(simple, 3) == (first[0] + 15.0, first[1] + 5.0)
    moves.undo()
    assert place(simple, 3) == (first[0] + 10.0, first[1])
    moves.reset()
    assert place(simple, 3) == first
    moves.undo()
    assert place(simple, 3) == (first[0] + 10.0, first[1])
    moves.undo()
    assert not moves.undoes
    assert place(simple, 3) == first


def test_each_direction_has_moves_of_its_own(qtbot, simple: Panes) -> None:
    moves = simple.session.moves
    moves.move([3], 10.0, 0.0)
    simple.session.set_choices(Choices(downward=True))
    qtbot.waitUntil(lambda: not simple.session.running)
    assert not moves.any_here
    moves.move([3], 0.0, 50.0)
    simple.session.set_choices(Choices())
    qtbot.waitUntil(lambda: not simple.session.running)
    assert moves.offsets(downward=False) == {3: (10.0, 0.0)}
    assert moves.offsets(downward=True) == {3: (0.0, 50.0)}


def test_a_rerun_keeps_moves_and_forgets_nodes_that_are_no_more(simple: Panes) -> None:
    moves = simple.session.moves
    moves.move([0, 4], 10.0, 0.0)
    simple.session._adopt(prepare(recording(diamond())))
    assert moves.offsets(downward=False) == {0: (10.0, 0.0), 4: (10.0, 0.0)}
    simple.session._adopt(prepare(recording(network())))
    assert moves.to_text() == ""
    assert not moves.undoes


def test_a_move_of_nodes_that_are_no_more_is_not_taken_back_either(simple: Panes) -> None:
    moves = simple.session.moves
    whole = simple.session.recording
    moves.move([0], 10.0, 0.0)
    moves.move([4], 0.0, 7.0)
    fewer = replace(whole.nodes[4], name="other", aliases=())
    simple.session._adopt(prepare(replace(whole, nodes=(*whole.nodes[:4], fewer))))
    assert moves.offsets(downward=False) == {0: (10.0, 0.0)}
    moves.undo()
    assert moves.offsets(downward=False) == {}
    assert not moves.undoes


def test_moves_are_kept_with_their_program(tmp_path, simple: Panes) -> None:
    settings = Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat))
    session = simple.session
    session.program = Program("a.py", "", tmp_path / "a.py")
    Keeper(session, settings)
    session.moves.move([3], 10.0, -4.0)
    session.open(Program("b.py", "", tmp_path / "b.py"), run=False)
    assert session.moves.to_text() == ""
    session.open(Program("a.py", "", tmp_path / "a.py"), run=False)
    session._adopt(prepare(recording(diamond())))
    assert session.moves.offsets(downward=False) == {3: (10.0, -4.0)}


@pytest.mark.parametrize(
    "text",
    [
        "{", "{}", "[1, null, []]", '[{"node": 3, "by": [1, 2]}]',
        '[{"node": {"name": "a", "serial": 1}, "by": [1]}]',
        '[{"node": {"name": "a", "serial": 1}, "by": ["x", NaN]}]',
        '[{"node": {"name": "a", "serial": 1}, "by": [1, Infinity]}]', "[" * 100_000,
    ],
)  # fmt: skip
def test_kept_moves_that_make_no_sense_are_left_out(simple: Panes, text: str) -> None:
    simple.session.moves.take_text(text)
    assert simple.session.moves.to_text() == ""


def test_kept_moves_are_plain_json(simple: Panes) -> None:
    simple.session.moves.move([3], 1.5, 2.5)
    kept = json.loads(simple.session.moves.to_text())
    assert kept == [{"node": {"name": "d", "serial": 0}, "downward": False, "by": [1.5, 2.5]}]


# -- the neighbourhood -------------------------------------------------------------------------


def test_the_neighbourhood_of_a_node_is_what_its_gradient_flows_from_and_to() -> None:
    flow = Flow.of(diamond(), 2)
    assert (flow.sources, flow.goals) == ({4}, {0, 1})
    assert flow.words(diamond()) == "Gradient of c: comes from e; goes to a and b."
    assert Flow.of(diamond(), 4).words(diamond()).startswith("Gradient of e: it is the root")
    assert Flow.of(diamond(), 0).words(diamond()).endswith("ends here, at a leaf.")
    many = Flow.of(network(), network().root)
    assert f"and {len(many.goals) - 3} more" in many.words(network())


def test_what_is_not_of_the_neighbourhood_is_dimmed_and_words_say_what_is(simple: Panes) -> None:
    session = simple.session
    session.seek_backward(session.backward_length)
    session.select(2)
    before = [simple.shown(canvas) for canvas in simple.canvases]
    session.selection.toggle_flow()
    for canvas, plain in zip(simple.canvases, before, strict=True):
        shown = simple.shown(canvas)
        assert alike(shown, simple.afresh(canvas))
        own, other = (
            canvas.rectangle(canvas._drawing.card(n)).adjusted(20, 4, -4, -4) for n in (0, 3)
        )
        assert shown.copy(own) == plain.copy(own)
        assert shown.copy(other) != plain.copy(other)
        assert canvas._facts() == ["Gradient of c: comes from e; goes to a and b."]
        assert "comes from e" in canvas.accessibleDescription()
    session.select(0)
    assert simple.canvas._facts() == ["Gradient of a: comes from c, d and e; ends here, at a leaf."]
    for position in (0, 3, 9, 5):
        simple.seek(position)
        assert alike(simple.shown(), simple.afresh())
    session.selection.toggle_flow()
    assert simple.canvas._facts() == []


# -- menus -------------------------------------------------------------------------------------


def ask(shown: Panes, point: QPoint, reason=QContextMenuEvent.Reason.Mouse) -> list[str]:
    kinds: list[str] = []
    shown.canvas.menu_wanted.connect(lambda _point, kind: kinds.append(kind))
    pane = shown.canvas.viewport()
    QApplication.sendEvent(pane, QContextMenuEvent(reason, point, pane.mapToGlobal(point)))
    return kinds


def test_a_menu_is_wanted_for_what_is_under_the_mouse(simple: Panes) -> None:
    assert ask(simple, simple.middle(3)) == ["node"]
    assert simple.session.selected == 3
    x, y = at(simple.canvas._drawing.route(Edge(2, 4, 0)), 0.5)
    projection = simple.canvas._projection
    on_edge = QPoint(
        round(x * projection.scale + projection.x), round(y * projection.scale + projection.y)
    )
    assert ask(simple, on_edge) == ["edge"]
    assert simple.session.selection.nodes == (4, 2)
    assert ask(simple, QPoint(3, 390)) == ["graph"]
    assert simple.session.selection.nodes == (4, 2)


def test_a_menu_for_one_of_several_selected_nodes_leaves_them_selected(simple: Panes) -> None:
    simple.session.selection.set([0, 1])
    assert ask(simple, simple.middle(0)) == ["node"]
    assert simple.session.selection.nodes == (0, 1)


def test_the_menu_key_means_what_is_selected(simple: Panes) -> None:
    keyboard = QContextMenuEvent.Reason.Keyboard
    assert ask(simple, QPoint(5, 5), keyboard) == ["graph"]
    simple.session.select(2)
    assert ask(simple, QPoint(5, 5), keyboard)[-1] == "node"


def test_shift_and_f10_ask_for_the_same_menu(qtbot, simple: Panes) -> None:
    simple.session.select(2)
    with qtbot.waitSignal(simple.canvas.menu_wanted) as asked:
        qtbot.keyClick(simple.canvas, Qt.Key.Key_F10, SHIFT)
    assert asked.args[1] == "node"
