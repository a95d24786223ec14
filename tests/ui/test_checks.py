"""What is wrong with the program on show: checked behind, read in a panel, gone to by a key."""

from dataclasses import replace

import pytest
from conftest import FORCED, RECORDINGS, A, C, D, HandRunner, recording_of
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from chainstep.finding import Severity, finding
from chainstep.judging import Subject
from chainstep.options import Options
from chainstep.program import examples
from chainstep.report import Report
from chainstep.story import Mark, Phase
from chainstep.trace import Mode
from chainstep.ui.findings_panel import state
from chainstep.ui.main_window import MainWindow
from chainstep.ui.notices import Level, notice
from chainstep.ui.session import Place, Session, View
from chainstep.verify import Gradient, Verdict

# Step 8 of the diamond's trace is the write from c to a, the second that a gets.
FAULT = replace(
    finding("overwrite-grad", "c stores the gradient of a with =.", "Write +=.", 5, pass_index=0),
    step=8,
    node=A,
)
OTHER = finding("wrong-local-derivative", "The slope of * is not right.", "Mend it.", 7, node=C)
NOTE = finding("dead-unit", "The relu h is off.", "", 4, node=C)
WRONG = Gradient(A, 0, 6.0, 0.0, 21.0, 21.0, 1e-9, None, Verdict.DIFFERS)
RIGHT = Gradient(C, 0, 6.0, 0.0, 6.0, 6.0, 1e-9, None, Verdict.AGREES)


class HandCheck:
    """A check that does nothing until it is told to deliver."""

    def __init__(self, subject):
        self.subject = subject
        self.stopped = self.waited = False

    def start(self, finished):
        self.finished = finished

    def stop(self):
        self.stopped = True

    def wait(self, timeout_s=None):
        self.waited = True

    def deliver(self, *findings, gradients=(WRONG, RIGHT)):
        self.finished(Report("diamond.py", self.subject.recording, gradients, findings))


class HandChecker:
    """Makes such checks and keeps them."""

    def __init__(self):
        self.checks = []

    def __call__(self, subject):
        self.checks.append(HandCheck(subject))
        return self.checks[-1]

    @property
    def last(self):
        return self.checks[-1]


@pytest.fixture
def checker():
    return HandChecker()


@pytest.fixture
def session(qapp, runner, checker):
    session = Session(runner, checker=checker)
    session.checks._timer.setInterval(0)
    yield session
    session.close()


@pytest.fixture
def checks(session):
    return session.checks


@pytest.fixture
def begun(show, session, checker, qtbot):
    """Runs the diamond and waits for its check to begin."""

    def begin(name="written"):
        count = len(checker.checks)
        show(name)
        qtbot.waitUntil(lambda: len(checker.checks) > count)
        return checker.last

    return begin


@pytest.fixture
def found(begun, checks, qtbot):
    """Delivers what a check found."""

    def find(*findings, name="written", **more):
        check = begun(name)
        with qtbot.waitSignal(checks.changed):
            check.deliver(*findings, **more)

    return find


# -- checking behind ------------------------------------------------------------------------


def test_a_run_is_checked_by_itself_and_says_what_was_found(begun, checks, qtbot):
    check = begun()
    assert checks.checking
    assert (check.subject.recording, check.subject.runs_again) == (RECORDINGS["written"], True)
    assert checks.report is None
    with qtbot.waitSignal(checks.changed):
        check.deliver(FAULT, NOTE)
    assert not checks.checking
    assert (checks.findings, checks.faults) == ((FAULT, NOTE), [FAULT])
    assert (checks.verdict(A), checks.verdict(C)) == (WRONG, RIGHT)


def test_the_next_run_ends_the_check_of_the_one_before(begun, session, checks, runner):
    check = begun()
    runner.at_once = None
    session.run()
    assert check.stopped
    assert not checks.checking


def test_what_a_check_delivers_after_another_began_is_left_unshown(begun, checks, checker, qtbot):
    first = begun()
    checks.check()
    assert first.stopped
    first.deliver(FAULT)
    with qtbot.waitSignal(checks.changed):
        checker.last.deliver(NOTE)
    assert checks.findings == (NOTE,)


def test_another_pass_of_the_same_run_is_not_checked_again(found, session, checks, checker):
    found(FAULT, name="passes")
    session.set_pass(2)
    assert checks.findings == (FAULT,)
    assert not checks.checking
    assert len(checker.checks) == 1


def test_a_large_run_is_checked_only_when_asked(show, session, checks, checker, monkeypatch):
    monkeypatch.setattr("chainstep.ui.checks.MOST_NODES", 4)
    show("written")
    assert not checks.checking
    assert state(session) == (
        "Not checked",
        "With 5 nodes it is not checked by itself. Ctrl+F5 checks it.",
    )
    checks.check()
    assert checks.checking
    assert len(checker.checks) == 1


def test_checks_can_be_switched_off_and_on_again(show, session, checks, checker, qtbot):
    checks.set_automatic(False)
    show("written")
    assert not checks.checking
    assert "switched off in the preferences" in state(session)[1]
    checks.set_automatic(True)
    qtbot.waitUntil(lambda: len(checker.checks) == 1)


def test_what_was_only_opened_is_checked_without_running_it(
    session, diamond, checker, checks, qtbot
):
    bookmark = session.bookmark
    with qtbot.waitSignal(session.recording_changed):
        session.open_recording(diamond, RECORDINGS["forced"], bookmark)
    qtbot.waitSignal(session.recording_changed).wait()
    qtbot.waitUntil(lambda: bool(checker.checks))
    assert not checker.last.subject.runs_again
    with qtbot.waitSignal(checks.changed):
        checker.last.deliver(gradients=(RIGHT,))
    assert "opened, not run" in state(session)[1]


def test_the_text_that_ran_is_checked_not_the_one_typed_since(begun, session, checks, checker):
    begun()
    ran = session.program.text
    session.set_text("x = 1\n")
    checks.check()
    assert checker.last.subject.program.text == ran


def test_closing_waits_for_the_check(begun, session):
    check = begun()
    session.close()
    assert check.stopped
    assert check.waited


def test_a_fault_of_the_check_itself_is_raised_and_ends_it(begun, checks, qtbot):
    check = begun()
    with qtbot.captureExceptions() as raised:
        check.finished(ValueError("odd"))
        qtbot.waitUntil(lambda: bool(raised))
    assert not checks.checking


def test_without_a_checker_the_command_says_why_it_cannot(qapp):
    session = Session(HandRunner())
    assert "nothing here that checks" in session.checks.why_not()
    session.close()


# -- going there ----------------------------------------------------------------------------


def test_a_finding_is_shown_at_its_step_in_the_view_as_written(found, session, checks):
    found(FAULT)
    assert session.view is View.ACCUMULATE
    checks.choose(0)
    assert session.view is View.AS_WRITTEN
    assert session.place == Place(Phase.BACKWARD, 9)
    step = session.primary.stepper.current
    assert (step.node, step.target, session.selected) == (C, A, A)
    assert checks.chosen == FAULT


def test_a_program_without_a_backward_of_its_own_shows_it_with_accumulate(found, session, checks):
    found(FAULT, name="forced")
    session.set_view(View.BOTH)
    checks.choose(0)
    assert (session.view, session.backward_position) == (View.ACCUMULATE, 9)


def test_a_finding_of_another_pass_turns_to_that_pass(found, session, checks):
    found(replace(FAULT, pass_index=2), name="passes")
    checks.choose(0)
    assert (session.pass_index, session.view) == (2, View.AS_WRITTEN)
    assert (session.backward_position, session.selected) == (9, A)


def test_a_large_pass_is_made_ready_first_and_then_stands_there(
    found, session, checks, qtbot, monkeypatch
):
    found(replace(FAULT, pass_index=1), name="passes")
    monkeypatch.setattr(type(session._passes), "is_quick", lambda *_: False)
    with qtbot.waitSignal(session.recording_changed):
        checks.choose(0)
    assert (session.pass_index, session.backward_position, session.selected) == (1, 9, A)


def test_a_finding_without_a_step_selects_its_node_and_stays(found, session, checks):
    found(NOTE)
    session.seek_backward(4)
    checks.choose(0)
    assert (session.backward_position, session.selected) == (4, C)


def test_the_keys_go_from_finding_to_finding_and_round(found, session, checks):
    found(FAULT, NOTE)
    chosen = []
    for forward in (True, True, True, False):
        checks.step(forward)
        chosen.append(checks.chosen.code)
    assert chosen == [FAULT.code, NOTE.code, FAULT.code, NOTE.code]


def test_the_first_wrong_write_is_shown_on_its_edge(found, session, checks):
    found()
    checks.visit_first_wrong_write()
    step = session.primary.stepper.current
    assert (step.node, step.slot, step.target) == (C, 0, A)
    assert (session.view, session.selected) == (View.AS_WRITTEN, A)


def test_a_complete_gradient_that_is_wrong_is_called_so_on_its_card(found, window, session):
    found(gradients=(replace(WRONG, node=D), RIGHT))
    canvas = window.parts.stage.canvases[0]
    session.set_view(View.AS_WRITTEN)

    def words():
        moment = canvas._moment.moment
        return {node.name: moment.card(node).word for node in session.recording.nodes}

    session.run_to_end()
    assert words()["d"] == "wrong"
    assert words()["c"] == "final"
    assert "final, and wrong" in " ".join(canvas._moment.moment.remark(session.recording.nodes[D]))
    session.set_view(View.ACCUMULATE)
    assert words()["d"] == "final"  # the verdict is on what the program did
    session.set_view(View.AS_WRITTEN)
    session.hide(True)
    assert words()["d"] != "wrong"


def test_what_is_found_leaves_the_graph_where_it_was_moved_to(begun, checks, window, qtbot):
    check = begun()
    window.session.run_to_end()
    canvas = window.parts.stage.canvases[0]
    for _ in range(6):
        canvas.zoom_in()
    canvas._view.move((900.0, 200.0))  # far from a, whose call was the last
    centre = canvas._view.centre
    with qtbot.waitSignal(checks.changed):
        check.deliver(gradients=(replace(WRONG, node=D), RIGHT))
    assert canvas._view.centre == centre


# -- hidden ---------------------------------------------------------------------------------


def test_while_the_future_is_hidden_nothing_that_was_found_can_be_read(found, window, checks):
    found(FAULT)
    panel = window.parts.side.page("findings")
    checks.choose(0)
    window.session.hide(True)
    assert (checks.report, checks.findings, checks.chosen) == (None, (), None)
    assert (checks.verdict(A), checks.first_wrong_write, checks.text()) == (None, None, "")
    assert (checks.positions, checks.lines()) == ((), {})
    assert notice(window.session).level is Level.HINT
    assert panel.findings.rowCount() == 0
    assert "CS101" not in panel.text.toPlainText()
    assert window.parts.side.tabs.bar.tabText(1) == "Findings –"
    window.session.hide(False)
    assert checks.findings == (FAULT,)
    assert panel.findings.rowCount() == 1


# -- what the window says -------------------------------------------------------------------


def test_the_tab_says_how_many_were_found(window, begun, checks, qtbot):
    bar = window.parts.side.tabs.bar
    check = begun()
    assert bar.tabText(1) == "Findings …"
    with qtbot.waitSignal(checks.changed):
        check.deliver(FAULT, NOTE)
    assert (bar.tabText(1), bar.accessibleTabName(1)) == ("Findings 2", "Findings 2")


def test_a_row_says_severity_code_title_and_place(window, found):
    panel = window.parts.side.page("findings")
    found(FAULT, NOTE)
    assert panel.findings.lines(0) == (
        "fault  CS101  A gradient is overwritten, not added to",
        "line 5 · pass 1 · step 9",
    )
    assert panel.findings.lines(1)[0].startswith("note  CS501  ")
    assert panel.findings.lines(1)[1] == "line 4"
    assert panel.state.text() == "1 fault, 1 note"


def test_the_text_below_says_all_and_leads_to_the_page(window, found, qtbot):
    panel = window.parts.side.page("findings")
    found(FAULT)
    assert panel.text.toPlainText() == (
        "c stores the gradient of a with =.\nTo mend it: Write +=.\n"
        "CS101 overwrite-grad: what it means"
    )
    window.parts.actions["finding_page"].trigger()
    manual = window.parts.desk._manual
    assert manual.kind == "overwrite-grad"
    manual.close()


@pytest.mark.parametrize("how", ["click", "enter"])
def test_a_click_or_enter_on_a_row_goes_there(window, found, session, qtbot, how):
    found(FAULT)
    window.parts.side.enter("findings")
    panel = window.parts.side.page("findings")
    if how == "click":
        spot = panel.list.visualRect(panel.findings.index(0, 0)).center()
        qtbot.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    else:
        qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert (session.view, session.backward_position) == (View.AS_WRITTEN, 9)


def test_nothing_found_says_what_was_checked(window, found):
    panel = window.parts.side.page("findings")
    found(gradients=(replace(WRONG, verdict=Verdict.AGREES), RIGHT))
    assert panel.state.text() == "Nothing found"
    assert panel.text.toPlainText() == (
        "Nothing found: 1 leaf and 1 inner node agree with their central differences."
    )


def test_gradients_that_differ_without_a_rule_are_not_called_clean(window, found, session):
    found()
    title, words = state(session)
    assert title == "No rule applies"
    assert words.endswith("1 inner node agrees with its central difference. 1 differs.")


def test_the_line_is_marked_in_the_program(window, found, session, checks):
    found(FAULT, NOTE)
    editor = window.parts.editor
    assert editor._signs == {5: Severity.FAULT, 4: Severity.NOTE}
    checks.choose(0)
    assert editor._bars[5] == "failed"
    editor.insertPlainText("# ")
    assert editor._signs == {}


def test_a_fault_of_the_users_own_is_said_over_the_graph_with_its_key(window, found, session):
    found(FAULT)
    told = notice(session)
    assert (told.level, told.line) == (Level.FOUND, 5)
    assert told.title == "Line 5: A gradient is overwritten, not added to"
    assert told.text == "The view += hides it. F7 goes to where it shows."
    assert session.view is View.ACCUMULATE
    window.parts.actions["next_finding"].trigger()
    assert notice(session).text == "Alt+F7 says what it means."


def test_the_fault_over_the_graph_is_the_one_that_was_gone_to(window, found, session):
    found(FAULT, OTHER, NOTE)
    assert notice(session).title == "Line 5: A gradient is overwritten, not added to (and 1 more)"
    for line in (5, 7):
        window.parts.actions["next_finding"].trigger()
        assert (notice(session).line, session.checks.chosen.line) == (line, line)
        assert notice(session).text == "F7 goes to the next finding."


@pytest.mark.parametrize(
    "gradients",
    [(replace(WRONG, accumulate=6.0), RIGHT), (RIGHT,), (WRONG, replace(WRONG, accumulate=7.0))],
    ids=["+= is as wrong", "nothing is wrong", "+= is wrong too"],
)
def test_a_view_hides_a_fault_only_where_it_alone_is_right(found, session, gradients):
    found(FAULT, gradients=gradients)
    assert session.view is View.ACCUMULATE
    assert notice(session).text == "F7 goes to where it shows."


def test_the_key_brings_what_is_to_be_mended_in_front_and_leaves_the_keyboard(window, found, qtbot):
    found(FAULT)
    side, canvas = window.parts.side, window.parts.stage.canvases[0]
    window.show()
    canvas.setFocus()
    assert side.is_open("values")
    qtbot.keyClick(canvas, Qt.Key.Key_F7)
    assert side.is_open("findings")
    assert window.focusWidget() in window.parts.stage.canvases


def test_the_key_says_that_the_check_is_still_on_until_it_has_ended(window, begun, checks, qtbot):
    check = begun()
    window.show()
    qtbot.keyClick(window.parts.stage.canvases[0], Qt.Key.Key_F7)
    assert window.parts.status.keys.text == "The program is still being checked."
    with qtbot.waitSignal(checks.changed):
        check.deliver(FAULT)
    assert "still being checked" not in window.parts.status.keys.text


def test_an_example_says_itself_what_to_look_for(window, found, session, checks):
    example = next(each for each in examples() if each.name == "diamond")
    found(FAULT)
    session.example = replace(example, text=session.program.text)
    assert notice(session).title == example.title


def test_what_an_example_says_is_not_said_of_another_text(window, session, runner, recordings):
    example = next(each for each in examples() if each.name == "diamond")
    runner.at_once = recordings["forced"]
    session.open(example.program, run=False, example=example)
    session.run()
    assert notice(session).text.startswith(example.look_for)
    session.set_text(example.text.replace("a * b", "a - b"))
    session.run()
    assert not session.stale
    assert example.look_for not in notice(session).text
    session.set_text(example.text)
    session.run()
    assert notice(session).text.startswith(example.look_for)


def test_the_timeline_marks_where_a_finding_shows_and_says_it(window, found, session):
    found(FAULT)
    session.set_view(View.AS_WRITTEN)
    position = session._walk.of_backward(9)
    assert list(session.marks[Mark.FINDING]) == [position]
    assert "1 finding mark" in window.parts.timeline.track.accessibleDescription()
    from chainstep.ui.marks import describe

    assert describe(session, Mark.FINDING, position) == f"CS101: {FAULT.message}"


def test_all_of_it_is_copied_as_the_command_line_has_it(window, found):
    found(FAULT)
    window.parts.actions["copy_findings"].trigger()
    text = QGuiApplication.clipboard().text()
    assert "line 5: CS101 overwrite-grad: A gradient is overwritten, not added to." in text
    assert "To mend it: Write +=." in text


def test_commands_say_why_they_cannot_be_done(window, begun, checks, qtbot):
    actions = window.parts.actions
    check = begun()
    assert actions["next_finding"].statusTip() == "The program is still being checked."
    with qtbot.waitSignal(checks.changed):
        check.deliver(gradients=(RIGHT,))
    assert actions["next_finding"].statusTip() == (
        "Nothing was found that is wrong with this program."
    )
    assert actions["first_wrong_write"].statusTip() == (
        "No write of this program is known to be wrong."
    )


def test_the_preference_is_kept_and_taken(qtbot, session, settings):
    settings.checks = False
    window = MainWindow(settings)
    window.fill(session, ())
    assert not session.checks.automatic
    window.parts.desk.show_preferences()
    from chainstep.ui.preferences import Preferences

    dialog = window.findChild(Preferences)
    dialog.checks.setChecked(True)
    assert settings.checks
    assert session.checks.automatic
    dialog.close()
    window.close()


def test_a_subject_keeps_the_options_of_the_run(begun, session):
    assert begun().subject == Subject(
        session.program, Options(), RECORDINGS["written"], runs_again=True, unasked=True
    )


def test_a_check_that_one_asks_for_may_run_all_of_the_program_again(begun, checks, checker):
    assert begun().subject.unasked
    checks.check()
    assert not checker.checks[-1].subject.unasked


def test_what_was_not_run_again_is_said_with_the_key_that_does(begun, session, qtbot):
    check = begun()
    words = "It writes to log.txt in line 4."
    with qtbot.waitSignal(session.checks.changed):
        check.finished(Report("diamond.py", check.subject.recording, (RIGHT,), (), words))
    _, said = state(session)
    assert f"It was not run again for that. {words} Ctrl+F5 runs it again all the same" in said


def test_recordings_of_two_modes_have_no_trace_to_count_steps_in(found, checks, session):
    shown = recording_of(*FORCED)
    assert shown.trace(Mode.AS_WRITTEN, 0) is None
    found(FAULT, name="forced")
    assert list(checks.positions) == [session._walk.of_backward(9)]
