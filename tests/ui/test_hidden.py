"""While what is to come is hidden, nothing of it is to be found anywhere in the window."""

from dataclasses import replace

import pytest
from hidden import BACKWARD, RECORDING, future, opened
from PySide6.QtGui import QGuiApplication
from visible import cells, seen

from chainstep.saved import open_recording
from chainstep.story import Phase
from chainstep.trace import RECORDED, Kind, Mode, Outcome, Status
from chainstep.ui.course import Place
from chainstep.ui.session import View

PLACES = (
    *(Place(Phase.FORWARD, 0), Place(Phase.FORWARD, 4), Place(Phase.SORT, 5)),
    *(Place(Phase.BACKWARD, number) for number in (0, 1, 2, 4, 7, 9, BACKWARD - 2)),
)


@pytest.mark.parametrize("view", [View.ACCUMULATE, View.OVERWRITE, View.BOTH])
def test_no_text_of_the_window_tells_a_number_that_is_to_come(
    window, session, runner, diamond, qtbot, view
):
    opened(window, session, runner, diamond, qtbot)
    session.set_view(view)
    session.hide(True)
    places = PLACES if view is View.BOTH else PLACES[3::3]
    for place in places:
        session.go(place)
        assert session.place == place
        found = list(future(window, place))
        assert not found, (place, found[:8])


def test_the_walk_finds_the_same_numbers_once_they_are_there(
    window, session, runner, diamond, qtbot
):
    opened(window, session, runner, diamond, qtbot)
    session.set_view(View.BOTH)
    session.run_to_end()
    found = {where.where for where in future(window, Place(Phase.BACKWARD, 0))}
    kinds = (
        "Canvas: painted",
        "QWidget qt_scrollarea_viewport: accessibleDescription",
        "Table: cell",
    )
    kinds += (
        "painted",
        "tool tip",
        "StepPanel panel: accessibleDescription",
        "QPlainTextEdit: plainText",
    )
    missing = [kind for kind in kinds if not any(kind in where for where in found)]
    assert not missing, sorted(found)


def test_stepping_shows_just_one_more_step_and_back_hides_it_again(
    window, session, runner, diamond, qtbot
):
    opened(window, session, runner, diamond, qtbot)
    session.hide(True)
    session.go(Place(Phase.BACKWARD, 2))
    assert [len(pane.trace.steps) for pane in session.panes] == [2]
    session.step_into()
    assert session.panes[0].trace.steps == RECORDING.traces[0].steps[:3]
    assert session.stepper(Mode.OVERWRITE).trace.steps == RECORDING.traces[1].steps[:3]
    session.back_into()
    assert len(session.panes[0].trace.steps) == 2
    session.hide(False)
    assert session.panes[0].trace is RECORDING.traces[0]
    assert session.recording is RECORDING


def test_a_step_while_hidden_is_another_position_and_no_other_view(
    window, session, runner, diamond, qtbot
):
    opened(window, session, runner, diamond, qtbot)
    told = []
    for name in ("view_changed", "horizon_changed", "position_changed"):
        getattr(session, name).connect(lambda name=name: told.append(name))
    session.step_into()
    assert told == ["position_changed"]
    session.hide(True)
    told.clear()
    session.step_into()
    assert told == ["horizon_changed", "position_changed"]


def test_which_node_runs_next_is_nowhere_on_a_list(window, session, runner, diamond, qtbot):
    opened(window, session, runner, diamond, qtbot)
    session.hide(True)
    sequence = RECORDING.traces[0].sequence
    names = [RECORDING.nodes[node].name for node in sequence]
    for number, step in enumerate(RECORDING.traces[0].steps[:-1], start=1):
        session.go(Place(Phase.BACKWARD, number))
        ran = sum(each.kind is Kind.CALL for each in RECORDING.traces[0].steps[:number])
        order = window.parts.side.page("order")
        listed = [text for text in cells(order.table.model()) if text in names]
        assert list(dict.fromkeys(listed)) == names[:ran], step
        strip = window.parts.timeline.chips.accessibleDescription()
        assert strip.split(":")[1].split(",")[0].split() == names[:ran]


def test_how_many_contributions_come_is_not_told(window, session, runner, diamond, qtbot):
    opened(window, session, runner, diamond, qtbot)
    session.hide(True)
    first = next(n for n, s in enumerate(RECORDING.traces[0].steps, 1) if s.target == 1)
    session.go(Place(Phase.BACKWARD, first))
    texts = " ".join(each.text for each in seen(window, besides=(window.parts.editor,)))
    assert "1 of ?" in texts
    assert "1 of 3" not in texts
    assert "only contribution" not in texts


def test_the_position_and_the_way_there_stay_the_same(window, session, runner, diamond, qtbot):
    opened(window, session, runner, diamond, qtbot)
    session.go(Place(Phase.FORWARD, 0))
    shown = []
    while not session.at_end:
        shown.append(session.place)
        session.step_over()
    session.hide(True)
    session.restart()
    hidden = []
    while not session.at_end:
        hidden.append(session.place)
        session.step_over()
    assert hidden == shown
    assert session.recording is RECORDING  # nothing is left to hide


def test_what_is_looked_for_ahead_is_refused_with_the_reason(
    window, session, runner, diamond, qtbot
):
    opened(window, session, runner, diamond, qtbot)
    session.set_view(View.BOTH)
    session.hide(True)
    session.seek_backward(3)
    actions = window.parts.actions
    for command in ("next_difference", "next_mark", "next_write", "run_to_node"):
        assert actions.commands[command].refusal() == (
            "What is to come is hidden: step on to see it."
        )


def test_a_saved_recording_is_whole(window, session, runner, diamond, qtbot, tmp_path):
    opened(window, session, runner, diamond, qtbot)
    session.hide(True)
    session.seek_backward(3)
    path = tmp_path / "kept.chainstep"
    with qtbot.waitSignal(window.parts.files.recordings.kept):
        window.parts.files.write_recording(path)
    assert open_recording(path).recording.traces == RECORDING.traces


def test_later_passes_the_end_of_the_run_and_its_output_are_hidden(
    window, session, show, recordings
):
    show("passes")
    session.set_pass(1)
    session.hide(True)
    session.run_to_end()
    assert session.recording.passes == 3
    assert [len(t.steps) for t in session.recording.traces if t.pass_index == 2] == [0] * len(
        RECORDED
    )
    assert session.recording.output == ""
    assert "hidden" in window.parts.output.text.placeholderText()
    session.set_pass(2)
    session.run_to_end()
    assert session.recording is recordings["passes"]
    assert window.parts.output.text.toPlainText() == "three passes\n"


def test_a_pass_that_broke_off_does_not_say_so_before(
    window, session, show, runner, diamond, qtbot
):
    show("forced")
    runner.at_once = replace(
        RECORDING, outcome=Outcome(Status.EXCEPTION, "ZeroDivisionError: 4.2758", 7)
    )
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.hide(True)
    session.seek_backward(2)
    assert "ZeroDivisionError" not in window.parts.stage.strip.accessibleName()
    session.run_to_end()
    assert "ZeroDivisionError" in window.parts.stage.strip.accessibleName()


def test_what_an_example_says_to_look_for_is_not_told(window, session, runner, qtbot):
    from chainstep.program import examples

    example = next(each for each in examples() if each.name == "diamond")
    assert "21.0" in example.look_for
    runner.at_once = RECORDING
    session.open(example.program, run=False, example=example)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.hide(True)
    session.seek_backward(2)
    besides = (window.parts.editor,)
    assert not [each for each in seen(window, besides=besides) if "21.0" in each.text]
    session.hide(False)
    assert [each for each in seen(window, besides=besides) if "21.0" in each.text]


def test_the_copied_step_is_that_of_the_position(window, session, runner, diamond, qtbot):
    opened(window, session, runner, diamond, qtbot)
    session.hide(True)
    session.seek_backward(4)
    window.parts.actions["copy_step"].trigger()
    assert QGuiApplication.clipboard().text() == window.parts.side.step.text()


def test_the_command_hides_and_shows(window, session, show):
    show("forced")
    action = window.parts.actions["hide_ahead"]
    action.trigger()
    assert session.hides
    assert action.isChecked()
    action.trigger()
    assert not session.hides
    assert not session.panes[0].trace.hidden
