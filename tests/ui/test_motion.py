"""What travels along an edge, and that nobody waits for it."""

from __future__ import annotations

import pytest
from panes import Panes
from PySide6.QtWidgets import QApplication, QProxyStyle, QStyle
from scenes import diamond

from chainstep.ui.motion import DURATION_MS, system_moves, traveller
from chainstep.ui.session import View


@pytest.fixture
def panes(qtbot) -> Panes:
    panes = Panes(qtbot, diamond(), View.ACCUMULATE, (900, 600))
    panes.viewport.animated = True
    return panes


def write(panes) -> int:
    """The first position at which a contribution is written."""
    steps = panes.session.primary.trace.steps
    return next(n for n, step in enumerate(steps, 1) if step.slot is not None)


def test_it_takes_between_150_and_250_milliseconds():
    assert 150 <= DURATION_MS <= 250


@pytest.mark.parametrize("hides", [False, True])
def test_a_contribution_sets_out_with_a_step_forward_and_not_with_one_back(panes, hides):
    at = write(panes)
    panes.session.hide(hides)
    panes.session.seek_backward(at - 1)
    assert panes.viewport.motion.share is None
    panes.session.seek_backward(at)
    assert panes.viewport.motion.share is not None
    panes.session.seek_backward(at - 1)
    assert panes.viewport.motion.share is None


def test_a_new_step_ends_the_motion_at_once_and_a_jump_makes_none(panes):
    at = write(panes)
    panes.session.seek_backward(at - 1)
    panes.session.seek_backward(at)
    panes.session.seek_backward(at + 3)
    assert panes.viewport.motion.share is None


def test_it_goes_from_the_node_that_runs_to_the_one_that_is_written_to(panes):
    panes.session.seek_backward(write(panes))
    canvas = panes.canvas
    drawing, moment = canvas._drawing, canvas._moment
    edge = moment.arrow
    start, _ = traveller(drawing, moment, canvas._kind, 0.0)
    end, text = traveller(drawing, moment, canvas._kind, 1.0)
    assert start.middle[0] == pytest.approx(drawing.card(edge.consumer).left, abs=20)
    assert end.middle[0] == pytest.approx(drawing.card(edge.child).right, abs=1)
    assert f"= {text}" == moment.arithmetic()[-1]


def test_when_it_has_arrived_the_pane_looks_as_if_it_had_never_been_there(panes, qtbot):
    at = write(panes)
    panes.session.seek_backward(at - 1)
    panes.session.seek_backward(at)
    moving = panes.shown()
    qtbot.waitUntil(lambda: panes.viewport.motion.share is None)
    QApplication.processEvents()
    rested = panes.shown()
    assert moving != rested
    panes.viewport.motion.enabled = False
    panes.session.seek_backward(at - 1)
    panes.session.seek_backward(at)
    assert panes.viewport.motion.share is None


def test_a_desktop_that_wants_no_animation_gets_none(qapp):
    class Still(QProxyStyle):
        def styleHint(self, hint, *rest):  # noqa: N802  as Qt calls it
            still = hint == QStyle.StyleHint.SH_Widget_Animation_Duration
            return 0 if still else super().styleHint(hint, *rest)

    before = qapp.style().objectName()
    qapp.setStyle(Still())
    try:
        assert not system_moves()
    finally:
        qapp.setStyle(before or "fusion")


def test_motion_can_be_switched_off_for_good(window, show, settings):
    show("forced")
    settings.moves = False
    window.parts.desk.look_changed.emit()
    assert not window.parts.stage._viewport.motion.enabled
    window.parts.actions["lecture"].trigger()
    assert not window.parts.lecturing.view.viewport_.motion.enabled
