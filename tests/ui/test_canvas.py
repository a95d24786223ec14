"""The pane as a user meets it, on a real session that never runs a program."""

import gc
import random
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from panes import Panes, alike, picture
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QHelpEvent, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip
from scenes import Scene, diamond, network, recording

from chainstep.graph import Graph, Node
from chainstep.trace import Mode, Outcome, Recording, Status
from chainstep.ui import ground
from chainstep.ui.annotation import captions
from chainstep.ui.lecture_canvas import LectureCanvas
from chainstep.ui.painting import standing
from chainstep.ui.palette import DARK, LIGHT
from chainstep.ui.session import View, prepare
from chainstep.visible import Choices

SIZE = (900, 600)


@pytest.fixture
def panes(qtbot) -> Callable[..., Panes]:
    def make(graph: Graph | None = None, view: View = View.ACCUMULATE, size=SIZE) -> Panes:
        return Panes(qtbot, graph, view, size)

    return make


@pytest.fixture
def simple(panes) -> Panes:
    return panes(diamond())


@pytest.fixture
def large(panes) -> Panes:
    return panes(network(), size=(700, 400))


# -- stepping ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "hides"),
    [(View.ACCUMULATE, False), (View.OVERWRITE, False), (View.BOTH, False), (View.BOTH, True)],
)
def test_whatever_way_a_position_is_reached_the_picture_is_the_same(
    panes, view: View, hides: bool
) -> None:
    shown = panes(network(samples=1), view, (700, 400))
    shown.session.hide(hides)
    chance = random.Random(11)
    position = 0
    for _ in range(25):
        position += chance.choice((-1, 1, 1, 1, -7, 9, 25))
        position = max(0, min(position, shown.session.backward_length))
        shown.seek(position)
        shown.session.select(chance.choice((None, 3, 20)))
        for canvas in shown.canvases:
            before = shown.shown(canvas)
            assert alike(before, shown.afresh(canvas))


@pytest.mark.parametrize("downward", [False, True])
def test_cards_that_stood_out_leave_nothing_behind(qtbot, downward) -> None:
    shown = Panes(qtbot, network(samples=1), View.ACCUMULATE, (1200, 700), LectureCanvas)
    shown.session.choices = Choices(downward=downward)
    shown.session._adopt(prepare(shown.session.recording, choices=shown.session.choices))
    shown.viewport.set_unit(2.0)
    shown.canvas.set_palette(LIGHT)
    canvas, chance = shown.canvas, random.Random(3)
    stood_out: set[int] = set()
    position = 40
    for _ in range(25):
        position += chance.choice((-1, 1, 1, 1, -7, 9))
        shown.seek(position)
        stood_out |= standing(
            canvas._drawing, canvas._moment, canvas._ink, shown.viewport.scale
        ).keys()
        before = shown.shown()
        assert alike(before, shown.afresh())
    assert len(stood_out) > 5


def test_moving_shifts_the_picture_and_paints_only_what_comes_into_view(large: Panes) -> None:
    large.seek(30)
    chance = random.Random(5)
    x, y = large.viewport.centre
    for _ in range(10):
        x, y = x + chance.uniform(-150, 150), y + chance.uniform(-90, 90)
        large.viewport.move((x, y))
        assert alike(large.shown(), large.afresh())


def test_moving_brings_long_badges_into_view_whole(panes) -> None:
    nodes = [Node(n, f"n{n}", "tanh" if n else "", 0.5, (n - 1,) if n else (), n) for n in range(6)]
    shown = panes(Graph(tuple(nodes), 5), size=(500, 300))
    for number in range(30):
        shown.viewport.show(1.0, (200.0 + 17 * number, 40.0))
        assert alike(shown.shown(), shown.afresh(), stray=10)


@pytest.mark.parametrize("hides", [False, True])
def test_a_step_paints_no_more_cards_than_it_changes(large: Panes, monkeypatch, hides) -> None:
    painted: list[int] = []
    original = ground.paint_ground

    def counting(painter, drawing, *rest) -> None:
        painted.extend(drawing.nodes_in(rest[2]))
        original(painter, drawing, *rest)

    large.canvas.set_follow(False)
    large.seek(40)
    large.session.hide(hides)
    large.shown()
    monkeypatch.setattr(ground, "paint_ground", counting)
    for position in (*range(41, 60), *range(58, 40, -1)):
        painted.clear()
        large.seek(position)
        large.shown()
        # The running node, the target, and those of the step before.
        assert len(set(painted)) <= 4


def test_a_pane_that_nobody_sees_does_nothing_and_catches_up_when_it_is_shown(
    large: Panes, monkeypatch
) -> None:
    asked: list[int] = []
    original = large.canvas._scenes.sight
    monkeypatch.setattr(
        large.canvas._scenes, "sight", lambda *each: asked.append(1) or original(*each)
    )
    large.seek(30)
    assert asked
    large.canvas.hide()
    asked.clear()
    for position in range(31, 60):
        large.seek(position)
        large.session.select(position % 9)
    assert not asked
    large.canvas.show()
    QApplication.processEvents()
    assert alike(large.shown(), large.afresh())
    assert large.session.now is not None
    assert large.holds(large.session.now)
    assert large.canvas._moment.number == 59


def test_stepping_never_lays_out_anew_and_never_moves_what_is_in_view(simple: Panes) -> None:
    drawing, layout = simple.canvas._drawing, simple.session.layout
    scale, centre = simple.viewport.scale, simple.viewport.centre
    for position in range(simple.session.backward_length + 1):
        simple.seek(position)
    assert simple.canvas._drawing is drawing
    assert simple.session.layout is layout
    assert (simple.viewport.scale, simple.viewport.centre) == (scale, centre)


def test_stepping_back_restores_the_picture(simple: Panes) -> None:
    pictures = []
    for position in range(simple.session.backward_length + 1):
        simple.seek(position)
        pictures.append(simple.shown())
    for position in reversed(range(simple.session.backward_length + 1)):
        simple.seek(position)
        assert alike(simple.shown(), pictures[position])


def test_every_step_can_be_seen(simple: Panes) -> None:
    before = simple.shown()
    for position in range(1, simple.session.backward_length + 1):
        simple.seek(position)
        after = simple.shown()
        assert after != before
        before = after


# -- the two panes -----------------------------------------------------------------------------


def test_both_panes_show_the_same_place_at_the_same_scale(panes) -> None:
    shown = panes(diamond(), View.BOTH)
    shown.canvases[1].zoom_in()
    for scale in (shown.viewport.scale, 0.5):
        shown.viewport.show(scale, (100.0, 50.0))
        one, other = (canvas.visible_area() for canvas in shown.canvases)
        assert one == other


def test_both_panes_share_one_drawing(panes) -> None:
    shown = panes(diamond(), View.BOTH)
    assert shown.canvases[0]._drawing is shown.canvases[1]._drawing


def test_the_second_pane_is_empty_while_there_is_one_trace_on_show(panes) -> None:
    shown = panes(diamond(), View.BOTH)
    shown.session.set_view(View.ACCUMULATE)
    assert shown.canvases[1]._moment is None
    shown.shown(shown.canvases[1])


# -- place and scale ---------------------------------------------------------------------------


def test_a_small_graph_is_shown_whole(simple: Panes) -> None:
    assert all(simple.holds(node_id) for node_id in range(5))


def test_a_large_graph_begins_at_its_root_in_a_legible_size(large: Panes) -> None:
    assert large.session.graph is not None
    assert large.holds(large.session.graph.root)
    assert large.viewport.scale >= 0.75


def test_a_narrow_pane_begins_with_a_card_and_one_that_it_gets_from(panes) -> None:
    # 320 x 170 is what a lesson in a window of 1280 x 720 at 200% leaves each of two panes.
    shown = panes(diamond(), size=(320, 170))
    assert shown.holds(4)
    assert shown.holds(2)
    assert shown.viewport.scale >= 0.55


def test_a_neuron_is_shown_whole_and_legibly_in_the_pane_of_a_small_window(panes) -> None:
    # 566 x 460 is what a window of 1280 x 720 leaves the graph.
    scene = Scene()
    x1, w1, x2, w2 = (scene.leaf(name, 0.5) for name in ("x1", "w1", "x2", "w2"))
    total = scene.op("", "+", scene.op("", "*", x1, w1), scene.op("", "*", x2, w2))
    scene.op("o", "tanh", scene.op("n", "+", total, scene.leaf("b", 0.5)))
    shown = panes(scene.graph, size=(566, 460))
    assert all(shown.holds(node.id) for node in scene.graph.nodes)
    assert shown.viewport.scale >= 0.55
    place = shown.viewport.scale, shown.viewport.centre
    for position in range(shown.session.backward_length + 1):
        shown.seek(position)
    assert (shown.viewport.scale, shown.viewport.centre) == place


def test_three_rows_are_shown_whole_in_each_of_two_panes_of_a_small_window(panes) -> None:
    scene = Scene()
    x, w, b, v = (scene.leaf(name, 0.5) for name in ("x", "w", "b", "v"))
    total = scene.op("n", "+", scene.op("p", "*", x, w), b)
    scene.op("l", "*", scene.op("t", "tanh", total), v)
    shown = panes(scene.graph, view=View.BOTH, size=(566, 237))
    assert all(shown.holds(node.id) for node in scene.graph.nodes)
    # The type for that distance is 20 units high.
    assert 20 * shown.viewport.scale >= 11
    for node in scene.graph.nodes:
        assert shown.canvas.rectangle(shown.canvas._drawing.card(node.id)).top() >= 34


def test_the_arithmetic_stands_below_the_heading_of_its_pane(panes) -> None:
    # 566 x 237 is what a window of 1280 x 720 leaves each of two panes.
    shown = panes(diamond(), view=View.BOTH, size=(566, 237))
    headed = 0
    for position in range(shown.session.backward_length + 1):
        shown.seek(position)
        for canvas in shown.canvases:
            assert canvas._drawing is not None
            assert canvas._moment is not None
            kind, clear = canvas._kind, canvas._clear_area()
            for words in captions(canvas._drawing, canvas._moment, kind, clear):
                place = canvas.rectangle(words.area)
                # The plate of a heading ends 34 pixels from the top.
                assert place.top() >= 34
                assert canvas.viewport().rect().contains(place)
                headed += 1
    assert headed >= 12


def test_a_large_graph_begins_with_whole_columns(panes) -> None:
    for width in (566, 700, 1100):
        shown = panes(network(), size=(width, 400))
        drawing = shown.canvas._drawing
        assert drawing is not None
        left = shown.canvas.visible_area().left
        cut = [
            n.id
            for n in drawing.graph.nodes
            if drawing.card(n.id).left < left < drawing.card(n.id).right
        ]
        assert not cut


def test_fit_shows_everything(large: Panes) -> None:
    assert large.session.graph is not None
    large.canvas.fit()
    assert all(large.holds(node.id) for node in large.session.graph.nodes)


def test_what_was_fitted_stays_fitted_when_the_pane_is_resized(large: Panes) -> None:
    assert large.session.graph is not None
    large.canvas.fit()
    large.canvas.resize(1200, 300)
    QApplication.processEvents()
    assert all(large.holds(node.id) for node in large.session.graph.nodes)
    assert not large.canvas.horizontalScrollBar().isVisible()
    assert not large.canvas.verticalScrollBar().isVisible()


def test_what_the_user_chose_is_kept_when_the_pane_is_resized(simple: Panes) -> None:
    simple.canvas.zoom_in()
    scale, centre = simple.viewport.scale, simple.viewport.centre
    simple.canvas.resize(500, 300)
    QApplication.processEvents()
    assert (simple.viewport.scale, simple.viewport.centre) == (scale, centre)


def test_fit_selection_shows_the_node_with_its_operands_and_consumers(large: Panes) -> None:
    graph = large.session.graph
    assert graph is not None
    node = next(n for n in graph.nodes if n.op == "tanh")
    large.session.select(node.id)
    large.canvas.fit_selection()
    assert large.holds(node.id)
    assert all(large.holds(child) for child in node.children)
    assert all(large.holds(edge.consumer) for edge in graph.consumers(node.id))


def test_fit_selection_without_one_shows_everything(large: Panes) -> None:
    assert large.session.graph is not None
    large.canvas.fit_selection()
    assert all(large.holds(node.id) for node in large.session.graph.nodes)


def test_in_and_out_cancel_each_other_and_actual_is_one(simple: Panes) -> None:
    scale = simple.viewport.scale
    simple.canvas.zoom_in()
    assert simple.viewport.scale > scale
    simple.canvas.zoom_out()
    assert simple.viewport.scale == pytest.approx(scale)
    simple.canvas.zoom_out()
    simple.canvas.zoom_actual()
    assert simple.viewport.scale == 1.0


def test_at_twice_the_size_of_type_the_graph_is_twice_as_large_too(simple: Panes) -> None:
    simple.canvas.zoom_actual()
    simple.viewport.set_unit(2.0)
    assert simple.viewport.scale == 2.0
    simple.canvas.zoom_in()
    simple.canvas.zoom_actual()
    assert simple.viewport.scale == 2.0
    simple.viewport.set_unit(1.0)
    assert simple.viewport.scale == 1.0
    simple.shown()


def test_a_fitted_graph_stays_fitted_whatever_the_size_of_type(simple: Panes) -> None:
    simple.canvas.fit()
    for unit in (3.0, 1.0):
        simple.viewport.set_unit(unit)
        assert simple.canvas._drawing is not None
        assert simple.canvas.visible_area().holds(simple.canvas._drawing.bounds)


def test_the_scale_has_limits(simple: Panes) -> None:
    for _ in range(60):
        simple.canvas.zoom_in()
    assert simple.viewport.scale == 4.0
    for _ in range(100):
        simple.canvas.zoom_out()
    assert simple.viewport.scale == 0.02
    simple.shown()


def wheel(panes: Panes, at: QPoint, turn: int, keys=Qt.KeyboardModifier.NoModifier) -> None:
    event = QWheelEvent(
        *(QPointF(at), QPointF(at), QPoint(0, 0), QPoint(0, turn), Qt.MouseButton.NoButton),
        *(keys, Qt.ScrollPhase.NoScrollPhase, False),
    )
    QApplication.sendEvent(panes.canvas.viewport(), event)


@pytest.mark.parametrize(
    "keys", [Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier]
)
@pytest.mark.parametrize("turn", [120, -240])
def test_the_wheel_zooms_where_the_mouse_points(simple: Panes, keys, turn: int) -> None:
    at = QPoint(300, 200)
    scale, point = simple.viewport.scale, simple.canvas.scene_point(QPointF(at))
    wheel(simple, at, turn, keys)
    assert (simple.viewport.scale > scale) == (turn > 0)
    # The origin is a whole pixel: half a pixel, in scene units, may be off.
    after = simple.canvas.scene_point(QPointF(at))
    assert after == pytest.approx(point, abs=1 / simple.viewport.scale)


def test_the_wheel_with_shift_moves_sideways(simple: Panes) -> None:
    scale, (x, y) = simple.viewport.scale, simple.viewport.centre
    wheel(simple, QPoint(300, 200), 120, Qt.KeyboardModifier.ShiftModifier)
    assert simple.viewport.scale == scale
    assert simple.viewport.centre[0] < x
    assert simple.viewport.centre[1] == y


@pytest.mark.parametrize("button", [Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton])
def test_dragging_moves_the_drawing_along_with_the_mouse(qtbot, simple: Panes, button) -> None:
    pane, before = simple.canvas.viewport(), simple.middle(4)
    qtbot.mousePress(pane, button, pos=QPoint(400, 300))
    for x in (420, 450, 480):
        qtbot.mouseMove(pane, QPoint(x, 340))
    qtbot.mouseRelease(pane, button, pos=QPoint(480, 340))
    moved = simple.middle(4) - before
    assert abs(moved.x() - 80) <= 1
    assert abs(moved.y() - 40) <= 1
    assert simple.session.selected is None


def test_the_scroll_bars_move_the_drawing(large: Panes) -> None:
    bar = large.canvas.horizontalScrollBar()
    assert bar.maximum() > bar.minimum()
    before = large.viewport.centre
    bar.setValue(bar.value() - 100)
    assert large.viewport.centre[0] == pytest.approx(before[0] - 100 / large.viewport.scale, abs=1)
    assert large.viewport.centre[1] == before[1]
    bar.setValue(bar.minimum())
    drawing = large.canvas._drawing
    assert drawing is not None
    assert large.canvas.visible_area().left <= drawing.bounds.left


def test_a_glide_arrives_where_it_was_going(qtbot, large: Panes) -> None:
    large.viewport.animated = True
    x, y = large.viewport.centre
    large.viewport.follow((x - 200, y))
    assert large.viewport.goal == (x - 200, y)
    qtbot.waitUntil(lambda: large.viewport.centre == (x - 200, y))


# -- following ---------------------------------------------------------------------------------


def test_the_active_nodes_are_kept_in_view(large: Panes) -> None:
    pane = large.session.primary
    assert pane is not None
    for position in range(1, large.session.backward_length + 1, 3):
        large.seek(position)
        step = pane.stepper.current
        assert step is not None
        assert large.holds(step.node if step.node is not None else step.target)


def test_without_following_the_pane_stays_where_it_is(large: Panes) -> None:
    large.canvas.set_follow(False)
    centre = large.viewport.centre
    for position in (10, 60, large.session.backward_length):
        large.seek(position)
    assert large.viewport.centre == centre
    assert not large.canvas.follows
    large.canvas.set_follow(True)
    assert large.viewport.centre != centre


# -- selection ---------------------------------------------------------------------------------


def test_a_click_selects_a_node_and_one_beside_it_none(qtbot, simple: Panes) -> None:
    qtbot.mouseClick(simple.canvas.viewport(), Qt.MouseButton.LeftButton, pos=simple.middle(3))
    assert simple.session.selected == 3
    qtbot.mouseClick(simple.canvas.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(3, 590))
    assert simple.session.selected is None


@pytest.mark.parametrize(
    ("start", "key", "goals"),
    [
        (None, Qt.Key.Key_Left, {4}),
        (4, Qt.Key.Key_Left, {2, 3}),
        (0, Qt.Key.Key_Right, {2, 3}),
        (0, Qt.Key.Key_Left, {0}),
    ],
)
def test_alt_and_an_arrow_move_the_selection(qtbot, simple: Panes, start, key, goals) -> None:
    simple.session.select(start)
    qtbot.keyClick(simple.canvas, key, Qt.KeyboardModifier.AltModifier)
    assert simple.session.selected in goals


def test_what_is_selected_by_keyboard_comes_into_view(qtbot, large: Panes) -> None:
    for _ in range(12):
        qtbot.keyClick(large.canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
        assert large.session.selected is not None
        assert large.holds(large.session.selected)


def test_what_is_selected_elsewhere_comes_into_view(large: Panes) -> None:
    graph = large.session.graph
    assert graph is not None
    for node_id in (graph.nodes[0].id, graph.root):
        large.session.select(node_id)
        assert large.holds(node_id)


def test_who_comes_by_keyboard_sees_where_the_focus_is(simple: Panes) -> None:
    rim = QPoint(1, 300)
    simple.canvas.setFocus(Qt.FocusReason.MouseFocusReason)
    assert simple.shown().pixelColor(rim).name() == LIGHT.canvas
    simple.canvas.clearFocus()
    simple.canvas.activateWindow()
    simple.canvas.setFocus(Qt.FocusReason.TabFocusReason)
    assert simple.shown().pixelColor(rim).name() == LIGHT.focus


def test_escape_drops_the_selection(qtbot, simple: Panes) -> None:
    simple.session.select(2)
    qtbot.keyClick(simple.canvas, Qt.Key.Key_Escape)
    assert simple.session.selected is None


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_PageDown, Qt.Key.Key_Space])
def test_keys_that_step_are_left_to_the_window(qtbot, simple: Panes, key) -> None:
    qtbot.keyClick(simple.canvas, key)
    assert simple.session.selected is None
    assert simple.session.backward_position == 0


# -- words -------------------------------------------------------------------------------------


def test_resting_on_a_card_tells_everything_about_its_node(simple: Panes) -> None:
    simple.seek(9)
    at = simple.middle(0)
    pane = simple.canvas.viewport()
    event = QHelpEvent(QEvent.Type.ToolTip, at, pane.mapToGlobal(at))
    QApplication.sendEvent(pane, event)
    assert "grad = 21.0 (final)" in QToolTip.text()
    QToolTip.hideText()


def test_a_screen_reader_hears_the_mode_and_the_step(simple: Panes) -> None:
    simple.seek(9)
    assert simple.canvas.accessibleName() == "Graph, += accumulates: every path counts"
    assert "c runs _backward and gives a its second contribution" in (
        simple.canvas.accessibleDescription()
    )


def test_an_empty_pane_says_what_to_do(panes) -> None:
    shown = panes()
    assert "F5" in shown.canvas.accessibleDescription()
    said, empty = shown.shown(), shown.shown()
    empty.fill(QColor(LIGHT.canvas))
    assert said != empty


def test_a_program_without_a_graph_says_why(panes) -> None:
    shown = panes(diamond())
    outcome = Outcome(Status.NO_GRAPH, "No Value was made.")
    shown.session._adopt(prepare(Recording("empty.py", outcome=outcome)))
    assert shown.canvas.accessibleDescription() == "No Value was made."
    shown.shown()


def test_another_recording_takes_the_place_of_the_one_before(panes) -> None:
    shown = panes(diamond())
    shown.seek(9)
    shown.session._adopt(prepare(recording(network())))
    QApplication.processEvents()
    assert shown.shown() == shown.afresh()
    assert shown.session.graph is not None
    assert shown.holds(shown.session.graph.root)


def test_the_same_graph_run_again_stays_where_it_was(panes) -> None:
    shown = panes(network())
    shown.canvas.zoom_out()
    scale, centre = shown.viewport.scale, shown.viewport.centre
    shown.canvas.set_follow(False)
    shown.session._adopt(prepare(recording(network())))
    assert (shown.viewport.scale, shown.viewport.centre) == (scale, centre)


# -- pictures and colours ----------------------------------------------------------------------


def test_another_palette_repaints_everything(simple: Panes) -> None:
    light = simple.shown()
    simple.canvas.set_palette(DARK)
    dark = simple.shown()
    assert dark.pixelColor(2, 300).name() == DARK.canvas
    assert light.pixelColor(2, 300).name() == LIGHT.canvas
    simple.canvas.set_palette(LIGHT)
    assert simple.shown() == light


def test_a_pane_can_be_had_as_a_picture(simple: Panes) -> None:
    simple.seek(9)
    assert picture(simple.canvas) == simple.shown().convertToFormat(QImage.Format.Format_RGB32)


SHARP = """
import sys
sys.path[:0] = [{tests!r}, {tests!r} + "/ui"]
from PySide6.QtWidgets import QApplication
application = QApplication([])
from scenes import network
from panes import Canvas, LIGHT, Session, Viewport, alike, prepare, recording
session, viewport = Session(lambda *_: None), Viewport()
viewport.animated = False
session._adopt(prepare(recording(network(samples=1))))
canvas = Canvas(session, viewport, 0, LIGHT)
canvas.resize(701, 403)
canvas.show()
assert canvas.devicePixelRatioF() == {ratio}, canvas.devicePixelRatioF()
for position in (5, 6, 7, 30, 31, 32):
    session.seek_backward(position)
    application.processEvents()
    piecewise = canvas.viewport().grab().toImage()
    canvas._repaint_all()
    assert alike(piecewise, canvas.viewport().grab().toImage())
    assert piecewise.width() >= int(canvas.viewport().width() * {ratio})
"""


@pytest.mark.parametrize("ratio", [1.25, 1.5, 2.0])
def test_on_a_fine_screen_a_step_paints_the_same_pixels_as_painting_everything(
    request, ratio: float
) -> None:
    code = SHARP.format(tests=str(request.config.rootpath / "tests"), ratio=ratio)
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": str(ratio)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.fixture
def counted() -> Iterator[Callable[[], int]]:
    """How often None is referred to, with nothing of earlier tests going away meanwhile."""
    if sys.version_info >= (3, 12):
        pytest.skip("None is immortal here")
    gc.collect()
    gc.disable()
    yield lambda: sys.getrefcount(None)
    gc.enable()


def test_thousands_of_repaints_lose_no_reference_to_none(simple: Panes, counted) -> None:
    """PySide6 6.12.0 lost one per call, and the process died of it."""
    before = counted()
    for _ in range(4000):
        simple.canvas.viewport().update()
    for position in list(range(simple.session.backward_length)) * 10:
        simple.seek(position)
    assert before - counted() < 2000


def test_the_mode_of_a_pane_stands_above_it(panes) -> None:
    one, other = panes(diamond()), panes(diamond(), View.OVERWRITE)
    assert one.session.primary.mode is Mode.ACCUMULATE
    assert other.session.primary.mode is Mode.OVERWRITE
    heading = (0, 0, 240, 40)
    assert one.shown().copy(*heading) != other.shown().copy(*heading)


def test_a_lower_pane_that_has_no_size_yet_does_not_move_the_upper_one(qtbot):
    panes = Panes(qtbot, diamond(), View.BOTH, (760, 420))
    panes.seek(3)
    centre = panes.viewport.centre
    panes.canvases[1].resize(100, 80)
    panes.canvases[1].set_follow(True)
    assert panes.viewport.centre == centre
