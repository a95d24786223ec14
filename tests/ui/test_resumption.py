"""Where the last window left off."""

import json
import threading
from dataclasses import replace

import pytest
from conftest import HandRunner
from PySide6.QtWidgets import QApplication

from chainstep import app
from chainstep.options import Options
from chainstep.program import Program, examples
from chainstep.story import Phase
from chainstep.trace import Order
from chainstep.ui import resumption
from chainstep.ui.course import Place
from chainstep.ui.main_window import MainWindow
from chainstep.ui.session import Session, View


@pytest.fixture
def runner(recordings):
    """Every run gives the diamond."""
    runner = HandRunner()
    runner.at_once = recordings["forced"]
    return runner


@pytest.fixture
def another(qtbot, settings, recordings):
    """Opens one window after the other on the same settings, as the application does."""
    windows = []

    def opened(program=None):
        runner = HandRunner()
        runner.at_once = recordings["forced"]
        window = MainWindow(settings)
        window.fill(Session(runner), examples())
        window.runner = runner
        windows.append(window)
        window.show()
        app.open_first(window, program)
        return window

    yield opened
    for window in windows:
        window._may_close = True
        window.close()
        window.deleteLater()


@pytest.fixture
def path(tmp_path, diamond):
    file = tmp_path / "student.py"
    file.write_text(diamond.text)
    return file


def on_show(window, qtbot):
    session = window.session
    qtbot.waitUntil(lambda: session.recording is not None and not session.running)


def all_read(qtbot):
    """Wait until no recording is being read, and until what was read has been taken."""
    qtbot.waitUntil(lambda: all(thread.name != "open" for thread in threading.enumerate()))
    QApplication.processEvents()


def worked_on(window, path, qtbot):
    """Run a file, go to step 7 of both modes, select d, close."""
    window.parts.files.open_path(path)
    window.session.run()
    on_show(window, qtbot)
    window.session.set_view(View.BOTH)
    window.session.seek_backward(7)
    window.session.select(3)
    window.close()


def test_the_first_window_ever_shows_the_neuron_and_runs_it(another, qtbot):
    window = another()
    assert window.session.program.name == "neuron.py"
    qtbot.waitUntil(lambda: len(window.runner.runs) == 1)


def test_the_next_window_stands_where_the_last_one_stood_and_nothing_ran(another, path, qtbot):
    worked_on(another(), path, qtbot)
    window = another()
    on_show(window, qtbot)
    session = window.session
    assert (session.program.path, session.view) == (path, View.BOTH)
    assert session.place == Place(Phase.BACKWARD, 7)
    assert session.selected == 3
    assert window.runner.runs == []
    assert not session.stale
    assert not window.isWindowModified()


def test_what_the_command_line_names_comes_before_what_was_open_last(another, path, qtbot, diamond):
    worked_on(another(), path, qtbot)
    window = another(replace(diamond, name="named.py"))
    assert window.session.program.name == "named.py"
    qtbot.waitUntil(lambda: len(window.runner.runs) == 1)


def test_a_file_that_was_changed_meanwhile_is_shown_as_it_is_now_without_the_old_graph(
    another, path, qtbot
):
    worked_on(another(), path, qtbot)
    path.write_text("x = 1\n")
    window = another()
    all_read(qtbot)
    assert window.session.program.text == "x = 1\n"
    assert window.session.recording is None
    assert window.runner.runs == []


def test_a_file_that_has_gone_gives_the_neuron_and_says_so(another, path, qtbot):
    worked_on(another(), path, qtbot)
    path.unlink()
    window = another()
    assert window.session.program.name == "neuron.py"


def test_a_killed_window_has_left_at_least_what_was_open(another, path, qtbot):
    window = another()
    window.parts.files.open_path(path)
    other = another()
    assert other.session.program.path == path
    assert other.runner.runs == []
    assert other.session.recording is None


def test_an_example_is_shown_again_at_its_step(another, qtbot, recordings):
    window = another()
    example = next(e for e in examples() if e.name == "diamond")
    window.runner.at_once = replace(recordings["forced"], source=example.text)
    window.parts.files.open_example(example)
    on_show(window, qtbot)
    window.session.seek_backward(3)
    window.close()
    other = another()
    on_show(other, qtbot)
    assert other.session.example == example
    assert other.session.backward_position == 3
    assert other.runner.runs == []
    assert other.parts.actions["example_diamond"].isChecked()


def test_an_example_of_a_killed_window_runs_again_for_it_is_ours(another, qtbot):
    window = another()
    window.parts.files.open_example(next(e for e in examples() if e.name == "reuse"))
    other = another()
    assert other.session.program.name == "reuse.py"
    assert len(other.runner.runs) == 1


def test_a_saved_recording_is_shown_again(another, path, qtbot, tmp_path):
    window = another()
    window.parts.files.open_path(path)
    window.session.run()
    on_show(window, qtbot)
    with qtbot.waitSignal(window.parts.files.recordings.kept):
        window.parts.files.write_recording(tmp_path / "kept.chainstep")
    window.parts.files.open_path(tmp_path / "kept.chainstep")
    qtbot.waitUntil(lambda: window.parts.files.recording_path is not None)
    on_show(window, qtbot)
    window.session.seek_backward(9)
    window.close()
    other = another()
    on_show(other, qtbot)
    assert other.session.backward_position == 9
    assert other.windowTitle() == "kept.chainstep (diamond.py)[*] — Chainstep"


def test_a_text_that_was_never_a_file_is_shown_again(another, qtbot, diamond, recordings):
    window = another()
    window.parts.files.show(Program("expression.py", diamond.text), run=True)
    on_show(window, qtbot)
    window.close()
    other = another()
    on_show(other, qtbot)
    assert other.session.program == Program("expression.py", diamond.text)


def test_order_seed_root_and_numbers_that_were_tried_out_are_there_again(another, path, qtbot):
    window = another()
    window.parts.files.open_path(path)
    window.session.set_options(Options(order=Order.BREADTH_FIRST, seed=5, root="d"))
    window.session.run()
    on_show(window, qtbot)
    window.parts.what_if.set_number(window.session.graph.node(1), -4.0)
    qtbot.waitUntil(lambda: not window.session.running)
    window.close()
    other = another()
    on_show(other, qtbot)
    options = other.session.options
    assert (options.order, options.seed, options.root) == (Order.BREADTH_FIRST, 5, "d")
    assert options.data == ((1, -4.0),)
    assert other.parts.what_if.words() == "b = -4.0 instead of 3.0"
    assert other.session.tried == {1}
    other.parts.actions["undo_what_if"].trigger()
    assert other.runner.last.options.data == ()


def test_a_large_recording_is_not_kept_but_its_program_is(another, path, qtbot, monkeypatch):
    monkeypatch.setattr(resumption, "MOST_STEPS", 10)
    worked_on(another(), path, qtbot)
    window = another()
    assert window.session.program.path == path
    assert not window.session.running
    assert window.session.view is View.BOTH


DAMAGES = [
    *(b"", b"{", b"[]", b"null", b'"x"', b"[" * 100_000, b"\xff", b"{}"),
    {"order": "sideways"},
    {"view": 3},
    {"path": 7},
    {"example": "none such", "path": None},
    {"seed": "x"},
    {"edits": {}},
    {"leaves": [[1]]},
    {"leaves": None},
]


def test_a_damaged_memory_gives_the_neuron(another, path, qtbot, settings):
    worked_on(another(), path, qtbot)
    state = settings.folder / resumption.STATE
    whole = json.loads(state.read_bytes())
    for damage in DAMAGES:
        if isinstance(damage, dict):
            damage = json.dumps({**whole, **damage}).encode()  # noqa: PLW2901
        state.write_bytes(damage)
        window = another()
        assert window.session.program.name == "neuron.py", damage[:200]


@pytest.mark.parametrize("data", [b"", b"rubbish\n", None])
def test_a_damaged_recording_leaves_the_program(another, path, qtbot, settings, data):
    worked_on(another(), path, qtbot)
    file = settings.folder / resumption.RECORDED
    file.unlink() if data is None else file.write_bytes(data)
    window = another()
    all_read(qtbot)
    assert window.session.program.path == path
    assert window.session.recording is None
