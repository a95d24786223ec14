"""Whatever a program does, the window answers. These tests run real programs."""

import pytest
from endless import ending
from PySide6.QtCore import QTimer

from chainstep import app
from chainstep.options import Limits, Options
from chainstep.program import Program
from chainstep.trace import Status
from chainstep.ui.session import Session

ENDLESS = """\
from chainstep import Value
a = Value(2.0)
b = a * a
while True:
    pass
"""

NET_S = 60.0
"""What ends by itself takes as long as the machine takes; this is only a net."""

FLOOD = "while True: print('x' * 1000)\n"


@pytest.fixture
def live(qtbot, settings):
    """A window that runs programs for real."""
    window = app.make_window(settings, Options(limits=Limits(time_s=NET_S)))
    window.show()
    yield window
    window._may_close = True
    window.close()
    window.deleteLater()


def test_an_endless_loop_is_stopped_by_its_limit_and_keeps_its_graph(live, qtbot):
    live.session.options = Options(limits=Limits(time_s=1.0))
    live.parts.files.show(Program("never.py", ENDLESS), run=False)
    beats = []
    timer = QTimer(live, interval=10, timeout=lambda: beats.append(True))
    timer.start()
    with ending(), qtbot.waitSignal(live.session.recording_changed):
        live.session.run()
    # How long each wait may be is for the benchmarks: a busy machine keeps any timer waiting.
    assert len(beats) > 10
    assert live.session.recording.outcome.status is Status.TIMEOUT
    assert live.session.graph is not None


def test_stop_ends_an_endless_loop_at_once_and_keeps_its_graph(live, qtbot, tmp_path):
    began = tmp_path / "began"
    text = ENDLESS.replace("while", f"open({str(began)!r}, 'w').close()\nwhile")
    live.parts.files.show(Program("never.py", text), run=True)
    assert live.parts.actions["stop"].isEnabled()
    qtbot.waitUntil(began.exists)
    with qtbot.waitSignal(live.session.recording_changed):
        live.parts.actions["stop"].trigger()
    assert live.session.recording.outcome.status is Status.STOPPED
    assert live.session.graph is not None
    assert not live.parts.actions["stop"].isEnabled()


def test_running_again_replaces_a_run_that_never_ends(live, qtbot):
    live.parts.files.show(Program("never.py", ENDLESS), run=True)
    live.session.set_text("from chainstep import Value\na = Value(1.0)\nb = a + a\n")
    with qtbot.waitSignal(live.session.recording_changed):
        live.session.run()
    assert live.session.recording.outcome.status is Status.OK
    assert live.session.backward_length == 5


def test_a_flood_of_output_ends_in_an_outcome(live, qtbot):
    live.parts.files.show(Program("flood.py", FLOOD), run=False)
    with qtbot.waitSignal(live.session.recording_changed):
        live.session.run()
    assert live.session.recording.outcome.status is Status.OUTPUT


def test_closing_while_a_program_runs_ends_it(live, qtbot):
    live.parts.files.show(Program("never.py", ENDLESS), run=True)
    run = live.session._delivery._run
    live.close()
    # The window waits some seconds for that; a busy machine may take longer.
    assert run.wait(NET_S / 2)


def test_a_session_that_is_never_run_closes_at_once(qapp):
    Session(app.start_run).close()
