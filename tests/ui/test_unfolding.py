"""Folded and hidden nodes have cards of their own while one may be asked about them."""

import pytest
from scenes import Scene, recording

from chainstep.ui import engine_mode
from chainstep.visible import Choices

CHOSEN = Choices(hides_constants=True, folds=True)


@pytest.fixture
def folded(session, runner, diamond, qtbot):
    """y = a - b, of whose five nodes three have a card: the minus is folded into one."""
    scene = Scene()
    a, b = scene.leaf("a", 5.0), scene.leaf("b", 2.0)
    minus = scene.op("b*-1", "*", b, scene.leaf("-1", -1.0, constant=True))
    scene.op("y", "+", a, minus)
    session.set_choices(CHOSEN)
    runner.at_once = recording(scene.graph)
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    return session


def test_whoever_is_the_engine_sees_each_node_on_a_card_of_its_own(window, folded):
    canvas = window.parts.stage.canvases[0]
    assert len(folded.visible.graph) == 3
    folded.engine.begin()
    assert len(folded.visible.graph) == 5
    assert all(canvas._card_of(node.id) == node.id for node in folded.graph.nodes)
    for answer in ("y", "1", "1"):
        folded.answer(answer)
    assert folded.choose(3)
    assert folded.now == 3
    folded.engine.leave()
    assert len(folded.visible.graph) == 3
    assert folded.choices == CHOSEN


def test_a_large_graph_is_not_laid_out_anew_for_it(folded, monkeypatch):
    monkeypatch.setattr(engine_mode, "MOST_UNFOLDED", 4)
    assert "show constants and helpers first (C and O)" in folded.engine.refusal()
    folded.set_choices(Choices())
    folded.engine.begin()
    assert not folded.engine.on


def test_who_is_asked_what_runs_next_sees_each_node_on_a_card_of_its_own(window, folded, qtbot):
    canvas = window.parts.stage.canvases[0]
    with qtbot.waitSignal(folded.recording_changed):
        folded.prediction.set_policy("every")
    assert all(canvas._card_of(node.id) == node.id for node in folded.graph.nodes)
    assert folded.choices == CHOSEN
    while folded.prediction.question is None or folded.prediction.question.step != 4:
        folded.step_into()
    assert folded.choose(3)
    assert folded.prediction.verdict.right
    place = folded.place
    with qtbot.waitSignal(folded.recording_changed):
        folded.prediction.set_policy("off")
    assert len(folded.visible.graph) == 3
    assert folded.place == place


def test_what_is_recorded_while_questions_are_asked_is_drawn_with_each_node(window, folded, qtbot):
    folded.prediction.set_policy("matters")
    with qtbot.waitSignal(folded.recording_changed):
        folded.run()
    assert len(folded.visible.graph) == 5


def test_while_questions_are_asked_nothing_can_be_folded_and_it_says_why(window, folded, qtbot):
    with qtbot.waitSignal(folded.recording_changed):
        folded.prediction.set_policy("every")
    actions = window.parts.actions
    for name in ("hide_constants", "fold_helpers"):
        assert not actions[name].isEnabled()
        assert "each node has its card: Ctrl+F4" in actions[name].statusTip()
    assert actions["top_down"].isEnabled()
    folded.set_choices(Choices())
    with qtbot.assertNotEmitted(folded.recording_changed):
        folded.prediction.set_policy("off")
    assert actions["fold_helpers"].isEnabled()
