"""You are the engine: the window shows the pass that somebody runs, and nothing of the other."""

import pytest
from hidden import RECORDING, future, opened
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from chainstep.story import Phase
from chainstep.trace import Mode
from chainstep.ui.course import Place
from chainstep.ui.player import Player
from chainstep.ui.quiz import Tone, Wants
from chainstep.ui.session import View

A, B, C, D, E = range(5)
RIGHT = ("e", "6", "5", "d", "15", "10", "c", "6", "6")


@pytest.fixture
def engine(window, session, show):
    """On the diamond, begun in the middle of the recorded pass in both modes."""
    show("forced")
    session.set_view(View.BOTH)
    session.seek_backward(4)
    session.engine.begin()
    return session.engine


def test_it_begins_with_the_seed_alone_and_hides_the_recorded_pass(engine, session):
    assert [pane.mode for pane in session.panes] == [Mode.ACCUMULATE]
    assert [step.kind.value for step in session.panes[0].trace.steps] == ["seed"]
    assert session.hides
    assert session.stepper(Mode.OVERWRITE) is None
    assert session.sheet().wants is Wants.NODE


def test_what_was_run_is_on_show_in_every_panel(engine, session, window):
    for answer in RIGHT[:5]:
        session.answer(answer)
    assert list(session.panes[0].stepper.gradients) == [15.0, 0.0, 6.0, 5.0, 1.0]
    order = window.parts.side.page("order").table.model()
    assert [order.index(row, 1).data() for row in range(order.rowCount())] == ["e", "d"]
    chips = window.parts.timeline.chips.accessibleDescription()
    assert "e d" in chips
    assert session.place == Place(Phase.BACKWARD, 6)


def test_at_the_end_there_is_a_score_and_where_it_went_wrong(engine, session, window):
    for answer in ("d", *RIGHT):
        session.answer(answer)
    sheet = session.sheet()
    assert engine.finished
    assert "8 of 9 right at once" in sheet.title
    assert "d is too early" in sheet.lines[1]
    assert sheet.wants is Wants.NOTHING
    assert session.at_end
    assert list(session.panes[0].stepper.gradients) == [21.0, 16.0, 6.0, 5.0, 1.0]


def test_a_wrong_choice_is_answered_with_the_numbers_it_leads_to(engine, session, window):
    session.answer("d")
    assert session.sheet().tone is Tone.WRONG
    assert "these end wrong: a 6.0, b 6.0" in window.parts.questions.lines.text()
    assert len(session.panes[0].trace.steps) == 1


def test_a_click_chooses_a_node(engine, session, window):
    canvas = window.parts.stage.canvases[0]
    canvas.resize(900, 500)
    middle = canvas.card_rectangle(E).center()
    QTest.mouseClick(canvas.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert session.now == E
    assert session.sheet().wants is Wants.CONTRIBUTION


def test_typing_in_the_bar_enters_contributions(engine, session, window):
    field = window.parts.questions.field
    for text in ("e", "6", "d 5"):
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert session.panes[0].stepper.gradients[D] == 5.0


def test_a_wrong_choice_is_typed_over(engine, session, window):
    field = window.parts.questions.field
    for text in ("d", "e"):
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert session.now == E
    assert field.text() == ""
    assert window.parts.status.keys.text != "No node of this pass is selected: click a leaf."


def test_leaving_puts_everything_back(engine, session, window):
    session.answer("e")
    assert session.escape()
    assert not engine.on
    assert session.view is View.BOTH
    assert session.place == Place(Phase.BACKWARD, 4)
    assert not session.hides
    assert session.sheet() is None
    assert not session.escape()


@pytest.mark.parametrize("where", ["graph", "field"])
def test_escape_leaves_wherever_the_keyboard_is(engine, session, window, where):
    stage, bar = window.parts.stage, window.parts.questions
    QTest.keyClick(bar.field if where == "field" else stage.canvases[0], Qt.Key.Key_Escape)
    assert not engine.on


def test_stepping_shows_the_next_thing_and_back_takes_a_choice_back(engine, session):
    session.step_over()
    session.step_over()
    assert len(session.panes[0].trace.steps) == 3
    session.back_over()
    assert len(session.panes[0].trace.steps) == 1
    assert session.at_start


def test_playing_does_all_of_it_and_comes_to_rest(engine, session):
    player = Player(session)
    player.play()
    for _ in range(9):
        player._advance()
    assert engine.finished
    assert not player.playing


@pytest.mark.parametrize("act", ["view", "pass", "hide", "open", "run"])
def test_whatever_else_one_does_leaves_first(window, session, show, diamond, runner, qtbot, act):
    recording = show("passes")
    session.engine.begin()
    assert session.engine.on
    if act == "view":
        session.set_view(View.OVERWRITE)
    elif act == "pass":
        session.set_pass(1)
    elif act == "hide":
        session.hide(True)
    elif act == "open":
        session.open(diamond, run=False)
    else:
        with qtbot.waitSignal(session.recording_changed):
            session.run(keeps_position=True)
    assert not session.engine.on
    assert act in ("open", "hide") or session.recording is recording
    assert session._stood is None


def test_places_of_the_recorded_pass_cannot_be_gone_to(engine, session):
    session.seek_backward(9)
    assert session.place.number == 1


def test_a_recording_saved_meanwhile_opens_where_one_stood(engine, session):
    session.answer("e")
    assert session.bookmark.number == 4
    assert session.whole_recording.traces[0].length == 12


def test_the_commands_begin_undo_and_refuse(window, session, show):
    actions = window.parts.actions
    assert "Nothing is recorded" in actions.commands["engine"].refusal()
    show("forced")
    actions["engine"].trigger()
    assert actions["engine"].isChecked()
    assert "Nothing is chosen" in actions.commands["undo_choice"].refusal()
    assert "Esc leaves" in actions.commands["hide_ahead"].refusal()
    actions["reveal"].trigger()
    actions["undo_choice"].trigger()
    assert not session.engine.can_undo
    actions["engine"].trigger()
    assert not session.engine.on


def test_no_text_tells_a_number_of_the_recorded_pass(window, session, runner, diamond, qtbot):
    opened(window, session, runner, diamond, qtbot)
    session.engine.begin()
    # In its own order up to there, so that what is known is what that pass knew.
    shown = 1
    for _ in range(5):
        session.step_into()
        shown += 1
        found = list(future(window, Place(Phase.BACKWARD, shown)))
        assert not found, (shown, found[:8])
    assert session.panes[0].trace.steps == RECORDING.traces[0].steps[:shown]


def test_whether_a_pass_can_be_run_by_somebody_is_found_out_once(window, show, monkeypatch):
    from chainstep import challenge

    judged = []
    original = challenge.refusal
    monkeypatch.setattr(challenge, "refusal", lambda *each: judged.append(each) or original(*each))
    show("forced")
    for _ in range(4):
        window.parts.actions["step_into"].trigger()
    assert len(judged) == 1
    assert window.parts.actions["engine"].isEnabled()
