"""The training panel: losses as a plot, iterations compared, the run made otherwise beside it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from test_recorder import record

from chainstep.program import Program
from chainstep.trace import Mode
from chainstep.training import iterations

# y = w x through (1, 2) from w = 0: the gradient is 2 (w - 2), the step a tenth of it. By hand w
# goes 0, 0.4, 0.72, 0.976 and the loss 4, 2.56, 1.6384; the other way 0, -0.4, -0.88.
LOOP = """\
from chainstep import Value

w = Value(0.0)
for _ in range(3):
    loss = (w * 1.0 - 2.0) ** 2
    w.grad = 0.0
    loss.backward()
    w.data -= 0.1 * w.grad
"""


@pytest.fixture(scope="module")
def recordings():
    """The loop as it is; without zeroing; along the gradient."""
    return record(LOOP), record(LOOP, zeroing=False), record(LOOP, mirrored=True)


@pytest.fixture
def panel(qtbot, window, session, runner, recordings):
    runner.at_once = recordings[0]
    session.open(Program("loop.py", LOOP), run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    window.parts.actions["panel_training"].trigger()
    return window.parts.side.page("training")


def cells(panel):
    model = panel.comparison
    return [[model.text(row, column) for column in model.columns] for row in model.rows]


def test_the_last_column_says_what_is_taken_from_what(panel):
    panel.one.setValue(1)
    panel.other.setValue(2)
    model = panel.comparison
    assert [column.title for column in model.columns] == ["parameter", "#1", "#2", "#2 − #1"]
    assert cells(panel)[0] == ["loss", "4.0", "2.56", "-1.44"]


def test_the_losses_stand_in_the_plot_and_in_words(panel):
    words = panel.plot.accessibleDescription()
    assert words.startswith("Iteration 1 of 3: 4.0 this run.")
    assert "Loss, this run: 4.0, 2.56, 1.638." in words


def test_enter_and_a_click_on_the_plot_go_to_an_iteration(panel, session):
    panel.plot.setFocus()
    QTest.keyClick(panel.plot, Qt.Key.Key_Right)
    assert panel.plot.accessibleDescription().startswith("Iteration 2 of 3: 2.56 this run.")
    assert session.pass_index == 0
    QTest.keyClick(panel.plot, Qt.Key.Key_Return)
    assert session.pass_index == 1
    QTest.keyClick(panel.plot, Qt.Key.Key_End)
    QTest.keyClick(panel.plot, Qt.Key.Key_Enter)
    assert session.pass_index == 2
    box = panel.plot._box()
    QTest.mouseClick(
        panel.plot, Qt.MouseButton.LeftButton, pos=QPointF(box.left() + 1, 40).toPoint()
    )
    assert session.pass_index == 0


def test_any_two_iterations_are_compared(panel, session):
    session.set_pass(2)
    panel.one.setValue(3)
    panel.other.setValue(1)
    assert cells(panel) == [
        ["loss", "1.638", "4.0", "2.362"],
        ["w data", "0.72", "0.0", "-0.72"],
        ["w grad", "-2.56", "-4.0", "-1.44"],
        ["w update", "0.256", "0.4", "0.144"],
    ]


def test_a_row_selects_its_parameter(panel, session):
    panel.table.activated.emit(panel.comparison.index(2, 0))
    assert session.graph.node(session.selected).name == "w"


def test_the_loop_without_zeroing_stands_beside_the_real_one(
    panel, window, session, runner, recordings, qtbot
):
    shown = session.recording
    assert panel.zeroing.text() == "Without zeroing"
    runner.at_once = recordings[1]
    with qtbot.waitSignal(session.experiment.changed):
        session.experiment.switch_zeroing()
        assert panel.said.text() == "Running without zeroing …"
        qtbot.waitUntil(lambda: not session.experiment.running)
    assert (runner.last.options.zeroing, runner.last.options.mirrored) == (False, False)
    assert runner.last.program.text == LOOP
    assert session.recording is shown
    # By hand: w goes 0, 0.4, 0.4 + 0.1 (4 + 3.2) = 1.12.
    words = panel.plot.accessibleDescription()
    assert "Loss, without zeroing: 4.0, 2.56, 0.7744." in words
    panel.one.setValue(3)
    panel.other.setValue(3)
    assert cells(panel)[1] == ["w data", "0.72", "1.12", "0.4"]
    assert window.parts.actions["switch_zeroing"].isChecked()


def test_updates_are_turned_round_and_back_again(panel, session, runner, recordings, qtbot):
    assert panel.update_way.text() == "Updates along the gradient"
    runner.at_once = recordings[2]
    panel.update_way.click()
    qtbot.waitUntil(lambda: session.experiment.recording is not None)
    assert runner.last.options.mirrored
    losses = [each.loss for each in iterations(session.experiment.recording)]
    assert losses == pytest.approx([4, 5.76, 8.2944])
    panel.update_way.click()
    assert session.experiment.recording is None
    assert "along" not in panel.plot.accessibleDescription()


def test_another_recording_ends_the_experiment(panel, session, runner, recordings, qtbot):
    runner.at_once = recordings[2]
    session.experiment.switch_update()
    qtbot.waitUntil(lambda: session.experiment.recording is not None)
    session.set_pass(1)
    assert session.experiment.is_on
    runner.at_once = record(LOOP)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    assert not session.experiment.is_on
    assert session.experiment.recording is None


def test_without_a_loop_the_switches_say_why_not(window, show):
    actions = window.parts.actions
    assert "run the program first" in actions["switch_zeroing"].statusTip()
    show("forced")
    assert "calls no backward()" in actions["switch_update"].statusTip()
    show("passes")
    assert "no training loop" in actions["switch_update"].statusTip()
    window.parts.side.enter("training")
    panel = window.parts.side.page("training")
    assert not panel.zeroing.isEnabled()
    assert panel.plot.count == 3


def test_the_plot_is_painted_with_both_runs(panel, session, runner, recordings, qtbot):
    plain = panel.plot.grab().toImage()
    runner.at_once = recordings[1]
    session.experiment.switch_zeroing()
    qtbot.waitUntil(lambda: session.experiment.recording is not None)
    assert panel.plot.grab().toImage() != plain


def test_the_update_hides_behind_the_horizon_too(panel, session):
    session.set_view(next(view for view in session.views if view.modes == (Mode.AS_WRITTEN,)))
    session.run_to_end()
    assert session.moment is not None
    assert session.story.parts.end == len(session.story.trace.steps) - 1
