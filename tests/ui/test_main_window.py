import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QAccessible, QDragEnterEvent, QDropEvent, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPlainTextEdit,
    QSlider,
    QSpinBox,
    QTableView,
    QToolTip,
    QWidget,
)

from chainstep import app
from chainstep.program import Program, examples, load
from chainstep.settings import SCALES, Settings, Theme
from chainstep.trace import Outcome, Status
from chainstep.ui.command import MENUS
from chainstep.ui.debugging import PAGES
from chainstep.ui.form import Form, encoded, form_of
from chainstep.ui.main_window import MainWindow
from chainstep.ui.palette import DARK, LIGHT
from chainstep.ui.session import Session, View
from chainstep.ui.status import Words


def box(window):
    """The question that is being asked."""
    return next(b for b in window.findChildren(QMessageBox) if b.isVisible())


def answer(window, button):
    box(window).button(button).click()


Button = QMessageBox.StandardButton


def filled(session, settings):
    window = MainWindow(settings)
    window.fill(session, ())
    return window


# -- opening ------------------------------------------------------------------------------


def test_an_example_runs_as_soon_as_it_is_opened(window, runner):
    window.parts.actions["example_diamond"].trigger()
    assert runner.last.program.name == "diamond.py"
    assert window.session.example.name == "diamond"
    assert window.parts.actions["example_diamond"].isChecked()
    assert window.windowTitle() == "diamond.py[*] — Chainstep"


def test_a_file_that_is_opened_does_not_run_before_f5(window, runner, tmp_path):
    path = tmp_path / "student.py"
    path.write_text("x = 1\n")
    window.parts.files.open_path(path)
    assert window.parts.editor.text() == "x = 1\n"
    assert runner.runs == []
    window.parts.actions["run"].trigger()
    assert runner.last.program.path == path


def drop(window, *urls):
    data = QMimeData()
    data.setUrls(list(urls))
    common = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0))
    enter = QDragEnterEvent(QPoint(5, 5), *common)
    window.dragEnterEvent(enter)
    window.dropEvent(QDropEvent(QPointF(5, 5), *common))
    return enter.isAccepted()


def test_a_file_that_is_dropped_is_opened_and_does_not_run(window, runner, tmp_path):
    path = tmp_path / "dropped.py"
    path.write_text("y = 2\n")
    assert drop(window, QUrl.fromLocalFile(str(path)))
    assert window.parts.editor.text() == "y = 2\n"
    assert runner.runs == []


def test_what_is_dropped_and_is_no_file_here_is_refused_in_words(window):
    drop(window, QUrl("https://example.org/a.py"))
    assert window.parts.bar.isVisible()
    assert "not on this computer" in window.parts.bar.words.text()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("gone.py", None, "There is no file"),
        ("binary.py", b"\x00\x01", "null bytes"),
        ("latin.py", b"# caf\xe9\n", "not in utf-8"),
    ],
)
def test_a_file_that_cannot_be_read_leaves_the_program_and_says_why(
    window, tmp_path, name, data, said
):
    window.session.set_text("mine")
    window.parts.files._saved_text = "mine"
    if data is not None:
        (tmp_path / name).write_bytes(data)
    window.parts.files.open_path(tmp_path / name)
    assert said in window.parts.bar.words.text()
    assert window.parts.editor.text() == "mine"


def test_opening_asks_for_a_file_without_blocking(window, tmp_path, qtbot):
    path = tmp_path / "chosen.py"
    path.write_text("z = 3\n")
    window.parts.actions["open"].trigger()
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    assert window.parts.editor.text() == "z = 3\n"


def test_recent_files_are_offered(window, tmp_path):
    window.parts.recent.aboutToShow.emit()
    assert [a.text() for a in window.parts.recent.actions()] == ["No file yet"]
    path = tmp_path / "again.py"
    path.write_text("again")
    window.parts.files.open_path(path)
    window.parts.files.new()
    window.parts.recent.aboutToShow.emit()
    (action,) = window.parts.recent.actions()
    action.trigger()
    assert window.parts.editor.text() == "again"


def test_the_window_opens_on_the_neuron_and_runs_it(qtbot, settings, monkeypatch, session, runner):
    monkeypatch.setattr("chainstep.ui.session.Session", lambda *_, **_checker: session)
    window = app.make_window(settings)
    qtbot.addWidget(window)
    app.open_first(window, None)
    assert session.program.name == "neuron.py"
    assert "Step" in window.parts.stage.strip.accessibleName()
    qtbot.waitUntil(lambda: len(runner.runs) == 1)
    session.close()


def test_a_program_from_the_command_line_runs_at_once(
    qtbot, settings, monkeypatch, session, runner, diamond
):
    monkeypatch.setattr("chainstep.ui.session.Session", lambda *_, **_checker: session)
    window = app.make_window(settings)
    qtbot.addWidget(window)
    app.open_first(window, diamond)
    qtbot.waitUntil(lambda: len(runner.runs) == 1)
    assert runner.last.program == diamond
    session.close()


def test_an_example_from_the_command_line_opens_in_its_own_view_and_at_its_own_step(
    qtbot, settings, monkeypatch, session, runner, recordings
):
    monkeypatch.setattr("chainstep.ui.session.Session", lambda *_, **_checker: session)
    runner.at_once = recordings["forced"]
    window = app.make_window(settings)
    qtbot.addWidget(window)
    app.open_first(window, load("example:diamond"))
    qtbot.waitUntil(lambda: session.recording is not None)
    assert session.example.name == "diamond"
    assert (session.view, session.backward_position) == (View.BOTH, 8)
    session.close()


# -- saving -------------------------------------------------------------------------------


def test_an_edit_sets_the_star_and_saving_takes_it_away(window, tmp_path, qtbot):
    path = tmp_path / "p.py"
    path.write_text("x\n")
    window.parts.files.open_path(path)
    assert not window.isWindowModified()
    window.parts.editor.insertPlainText("y")
    assert window.isWindowModified()
    window.parts.actions["save"].trigger()
    assert path.read_text() == "yx\n"
    assert not window.isWindowModified()


def test_what_was_never_saved_asks_for_a_name(window, tmp_path):
    window.parts.editor.insertPlainText("x = 1\n")
    window.parts.actions["save"].trigger()
    dialog = window.findChild(QFileDialog)
    dialog.fileSelected.emit(str(tmp_path / "new.py"))
    dialog.reject()
    assert (tmp_path / "new.py").read_text() == "x = 1\n"
    assert window.session.program.path == tmp_path / "new.py"
    assert window.windowTitle() == "new.py[*] — Chainstep"


@pytest.mark.parametrize(
    "data",
    [
        b"x = 1\n",
        b"x = 1\r\ny = 2\r\n",
        b"x = 1\ry = 2\r",
        b"\xef\xbb\xbfx = 1\n",
        "# coding: latin-1\ns = 'é'\n".encode("latin-1"),
        "s = '漢'\n".encode(),
        b"",
        b"no end of line",
    ],
)
def test_saving_keeps_the_encoding_the_mark_and_the_line_ends(window, tmp_path, data):
    path = tmp_path / "p.py"
    path.write_bytes(data)
    window.parts.files.open_path(path)
    window.parts.actions["save"].trigger()
    assert path.read_bytes() == data


def test_a_sign_that_the_encoding_lacks_is_not_saved_and_nothing_is_lost(window, tmp_path):
    path = tmp_path / "p.py"
    data = "# coding: latin-1\ns = 'é'\n".encode("latin-1")
    path.write_bytes(data)
    window.parts.files.open_path(path)
    window.parts.editor.selectAll()
    window.parts.editor.insertPlainText("# coding: latin-1\ns = '→'\n")
    window.parts.actions["save"].trigger()
    assert "line 2 has '→'" in window.parts.bar.words.text()
    assert path.read_bytes() == data
    assert "→" in window.parts.editor.text()
    assert window.parts.files.modified


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_says_so(window, tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    window.parts.files._write(tmp_path / "p.py", None)
    assert "cannot be written" in window.parts.bar.words.text()
    tmp_path.chmod(stat.S_IRWXU)


def test_a_place_that_is_none_says_so_and_keeps_the_text(window, tmp_path):
    window.parts.editor.insertPlainText("x")
    window.parts.files._write(tmp_path / "no" / "such" / "p.py", None)
    assert "cannot be written" in window.parts.bar.words.text()
    assert window.parts.files.modified


def test_a_file_changed_by_another_program_is_not_overwritten_unasked(window, tmp_path, qtbot):
    path = tmp_path / "p.py"
    path.write_text("mine")
    window.parts.files.open_path(path)
    path.write_text("theirs")
    window.parts.editor.insertPlainText("more of ")
    window.parts.actions["save"].trigger()
    answer(window, Button.Cancel)
    assert path.read_text() == "theirs"
    window.parts.actions["save"].trigger()
    answer(window, Button.Save)
    assert path.read_text() == "more of mine"


def test_form_and_encoding_are_taken_from_what_is_there():
    assert form_of(b"", "a.py") == Form()
    assert form_of(b"\xef\xbb\xbfa\r\nb\r\n", "a.py") == Form(marked=True, newline="\r\n")
    assert form_of(b"a\rb", "a.py") == Form(newline="\r")
    assert encoded("a\nb", Form(marked=True, newline="\r\n")) == b"\xef\xbb\xbfa\r\nb"
    assert encoded("# coding: cp1252\n€", Form()) == b"# coding: cp1252\n\x80"


# -- leaving ------------------------------------------------------------------------------


def test_leaving_what_is_not_saved_asks_and_cancel_stays(window):
    window.parts.editor.insertPlainText("precious")
    window.parts.actions["new"].trigger()
    answer(window, Button.Cancel)
    assert window.parts.editor.text() == "precious"
    window.parts.actions["new"].trigger()
    answer(window, Button.Discard)
    assert window.parts.editor.text() == ""


def test_leaving_may_save_first(window, tmp_path):
    path = tmp_path / "p.py"
    path.write_text("x")
    window.parts.files.open_path(path)
    window.parts.editor.insertPlainText("y")
    window.parts.actions["example_neuron"].trigger()
    answer(window, Button.Save)
    assert path.read_text() == "yx"
    assert window.session.program.name == "neuron.py"


def test_closing_asks_where_text_is_not_saved(window):
    window.parts.editor.insertPlainText("precious")
    assert not window.close()
    assert window.isVisible()
    answer(window, Button.Cancel)
    assert window.isVisible()
    window.close()
    answer(window, Button.Discard)
    assert not window.isVisible()


def test_closing_stops_the_run(window, runner, diamond):
    window.parts.files.show(diamond, run=True)
    window.close()
    assert runner.last.stopped
    assert runner.last.waited


# -- look ---------------------------------------------------------------------------------


def test_themes_change_every_part_and_are_remembered(window, show, settings):
    show("forced")
    window.session.set_view(View.BOTH)
    window.parts.actions["theme_dark"].trigger()
    assert settings.theme is Theme.DARK
    assert window.look.palette is DARK
    assert DARK.window in window.styleSheet()
    image = window.grab().toImage()
    assert (
        image.pixelColor(3, window.parts.toolbar.mapTo(window, QPoint(3, 3)).y()).name()
        == DARK.window
    )
    window.parts.actions["theme_light"].trigger()
    assert window.look.palette is LIGHT


def test_type_grows_and_shrinks_within_its_limits(window, settings):
    for _ in range(10):
        window.parts.actions["larger"].trigger()
    assert (settings.scale, window.look.percent) == (SCALES[-1], SCALES[-1])
    for _ in range(20):
        window.parts.actions["smaller"].trigger()
    assert settings.scale == SCALES[0]
    window.parts.actions["normal"].trigger()
    assert settings.scale == 100


@pytest.mark.parametrize("percent", [100, 300])
def test_a_long_message_leaves_the_window_its_room_and_can_be_scrolled(
    window, show, qtbot, percent
):
    show("forced")
    window.settings.scale = percent
    window._apply_look()
    message = window.parts.bar
    message.say("One sentence.")
    QApplication.processEvents()
    assert message.words.verticalScrollBar().maximum() == 0
    assert message.words.focusPolicy() is Qt.FocusPolicy.NoFocus
    message.say("\n".join(f"mine.md, line {number}: it is wrong." for number in range(1, 21)))
    for height in (720, 560):
        window.resize(1280, height)
        qtbot.waitUntil(lambda height=height: message.height() < 0.35 * height)
        assert message.words.focusPolicy() is Qt.FocusPolicy.StrongFocus
    down = message.words.verticalScrollBar()
    for _ in range(100):
        QTest.keyClick(message.words, Qt.Key.Key_Down)
    assert down.value() == down.maximum() > 0


@pytest.mark.parametrize("percent", [100, 300])
def test_a_message_of_one_long_word_breaks_anywhere_and_can_be_copied(window, show, percent):
    show("forced")
    window.settings.scale = percent
    window._apply_look()
    window.resize(1280, 720)
    words = window.parts.bar.words
    window.parts.bar.say("x" * 600)
    QApplication.processEvents()
    layout = words.document().firstBlock().layout()
    width = words.viewport().width()
    assert layout.lineCount() > 1
    assert all(layout.lineAt(n).naturalTextWidth() <= width for n in range(layout.lineCount()))
    assert words.verticalScrollBar().maximum() == 0 or percent == 300
    words.selectAll()
    words.copy()
    assert QApplication.clipboard().text() == "x" * 600


@pytest.mark.parametrize(("width", "height"), [(820, 560), (1280, 720)])
def test_messages_leave_buttons_whole_and_a_graph_in_sight_at_the_largest_type(
    window, show, width, height
):
    show("forced")
    window.settings.scale = 300
    window._apply_look()
    window.resize(width, height)
    parts = window.parts
    answers = ("Load the other one", "Keep this one", "Save as another file")
    parts.offers.offer("k", "diamond.py was changed. " * 4, [(each, int) for each in answers])
    parts.actions["find"].trigger()
    QApplication.processEvents()
    for button in parts.offers.buttons:
        assert button.width() >= button.sizeHint().width()
        assert button.height() >= button.sizeHint().height()
        assert parts.offers.rect().contains(button.geometry())
    line = parts.offers.words.fontMetrics().lineSpacing()
    assert parts.offers.words.height() >= 2 * line
    assert parts.offers.words.width() >= 0.39 * parts.offers.width()
    assert parts.stage.height() >= (0.15 if height == 560 else 0.34) * height
    found = parts.finder.geometry()
    assert found.left() >= 0
    assert found.right() < parts.stage.width()
    assert found.top() == 0 or found.bottom() < parts.stage.height()


def sizes(window, page):
    """The columns of the table in front, the panels, and the bars, in pixels."""
    parts = window.parts
    parts.side.tabs.show_page(page)
    QApplication.processEvents()
    tables = [each for each in parts.side.findChildren(QTableView) if each.isVisible()]
    columns = [
        [table.columnWidth(n) for n in range(table.horizontalHeader().count())] for table in tables
    ]
    panels = {name: each.sizes() for name, each in parts.splitters.items()}
    bars = [each.height() for each in (parts.toolbar, parts.timeline, parts.status)]
    return columns, panels, bars


@pytest.mark.parametrize("percent", [125, 300])
def test_panels_and_columns_come_back_with_the_size_of_type(window, show, percent):
    show("forced")
    window.resize(1280, 720)
    window.session.select(window.session.graph.nodes[0].id)
    QApplication.processEvents()
    parts = window.parts
    parts.splitters["middle"].setSizes([230, 690, 360, 0])
    parts.splitters["side"].setSizes([180, 140, 220])
    before = {page: sizes(window, page) for page in PAGES}
    for scale in (percent, 100):
        window.settings.scale = scale
        window._apply_look()
        QApplication.processEvents()
    assert {page: sizes(window, page) for page in PAGES} == before
    # What is wanted as it is by itself is not what was remembered.
    parts.actions["reset_layout"].trigger()
    assert parts.splitters["middle"].sizes() != before[PAGES[0]][1]["middle"]


@pytest.mark.parametrize(("room", "tip"), [(60, "What if: a = 7.0 instead of 2.0"), (600, "")])
def test_a_line_that_is_cut_says_all_of_itself_in_a_tip(window, room, tip):
    words = Words(window.look, Qt.AlignmentFlag.AlignLeft)
    words.setParent(window)
    words.set_text("What if: a = 7.0 instead of 2.0")
    words.resize(room, 20)
    words.show()
    QToolTip.hideText()
    place = words.mapToGlobal(QPoint(5, 5))
    QApplication.sendEvent(words, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), place))
    assert (QToolTip.text() if QToolTip.isVisible() else "") == tip
    QToolTip.hideText()


def test_type_that_was_larger_is_as_small_again_everywhere(window, show):
    show("forced")
    for name in PAGES:
        window.parts.side.page(name)

    def sizes():
        QApplication.processEvents()
        texts = (QLabel, QLineEdit, QAbstractButton, QAbstractSpinBox, QComboBox)
        found = (each for kind in texts for each in window.findChildren(kind))
        return [
            (type(each).__name__, each.accessibleName(), each.fontInfo().pixelSize())
            for each in found
        ]

    before = sizes()
    for percent in (300, 100):
        window.settings.scale = percent
        window._apply_look()
        QApplication.processEvents()
    assert sizes() == before


@pytest.mark.parametrize("size", [(820, 560), (1024, 700), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("view", [View.ACCUMULATE, View.BOTH])
def test_every_panel_has_its_place_at_every_size(window, show, size, view, qtbot):
    show("forced")
    window.session.set_view(view)
    window.resize(*size)
    window.arrange()
    QApplication.processEvents()
    parts = (
        *(
            window.parts.editor,
            window.parts.output,
            window.parts.stage,
            window.parts.side.step,
            window.parts.side.page("values"),
        ),
        *(window.parts.timeline, window.parts.status, window.parts.toolbar),
    )
    areas = [part.rect().translated(part.mapTo(window, QPoint(0, 0))) for part in parts]
    for part, area in zip(parts, areas, strict=True):
        assert window.rect().contains(area), part
        assert min(area.width(), area.height()) > 20
    for one in range(len(areas)):
        for other in range(one):
            assert not areas[one].intersects(areas[other]), (parts[one], parts[other])
    share = window.parts.stage.width() / window.width()
    assert share > 0.35


def test_sizes_are_remembered(qtbot, session, settings, runner):
    first = filled(session, settings)
    first.show()
    first.resize(1100, 800)
    first.parts.splitters["left"].setSizes([200, 400])
    QApplication.processEvents()
    first.close()
    other = Session(runner)
    second = filled(other, settings)
    qtbot.addWidget(second)
    second.show()
    # The screenless platform has a screen too small for the whole window.
    assert settings.bytes_of("geometry") == first.saveGeometry()
    above, below = second.parts.splitters["left"].sizes()
    assert above < below
    first.deleteLater()


def test_a_damaged_store_still_gives_a_window(qtbot, session, tmp_path):
    store = QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    for key in ("state/geometry", "state/middle", "window/theme", "window/scale"):
        store.setValue(key, b"\x00rubbish")
    window = filled(session, Settings(store))
    qtbot.addWidget(window)
    window.show()
    assert window.width() >= 820


def test_stepping_moves_no_panel(window, show, qtbot):
    show("written")
    QApplication.processEvents()
    parts = (
        window.parts.stage,
        window.parts.side.step,
        window.parts.side.page("values"),
        window.parts.timeline,
        window.parts.status,
    )
    places = [part.geometry() for part in parts]
    for position in range(13):
        window.session.seek_backward(position)
        QApplication.processEvents()
        assert [part.geometry() for part in parts] == places


def test_no_type_is_smaller_than_11_pixels(window, show):
    show("forced")
    window.ensurePolished()
    for widget in window.findChildren(QWidget):
        if isinstance(widget, (QLabel, QPlainTextEdit, QTableView, QAbstractButton, QSpinBox)):
            widget.ensurePolished()
            assert widget.fontInfo().pixelSize() >= 11, widget


# -- access -------------------------------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name(window, show):
    show("forced")
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isVisible()
        and not (QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name))
        and not widget.objectName().startswith("qt_")
    ]
    assert nameless == []


def test_tab_goes_round_the_whole_window_in_reading_order(window, show):
    show("forced")
    order = []
    widget = window.parts.toolbar.buttons["run"]
    while widget not in order:
        order.append(widget)
        widget = widget.nextInFocusChain()
    places = [
        *(window.parts.toolbar.buttons["step_over"], window.parts.editor, window.parts.output.text),
        *(
            window.parts.stage.canvases[0],
            window.parts.side.page("values").table,
            window.parts.timeline.track,
        ),
        window.parts.status.seed,
    ]
    assert [w for w in order if w in places] == places


def test_the_slider_is_a_slider_to_those_who_hear_it(window, show):
    show("forced")
    window.session.seek_backward(4)
    assert isinstance(window.parts.timeline.track, QSlider)
    heard = QAccessible.queryAccessibleInterface(window.parts.timeline.track)
    assert heard.role() == QAccessible.Role.Slider
    # One slider for all three phases: what it says grows by one with each step.
    before = heard.valueInterface().currentValue()
    window.session.step_into()
    assert heard.valueInterface().currentValue() == before + 1


# -- faults -------------------------------------------------------------------------------


def test_a_fault_of_ours_is_shown_in_a_bar_that_can_be_closed(window, capsys, qtbot):
    faults = app.Faults()
    faults.happened.connect(window.show_fault)
    with pytest.raises(ZeroDivisionError) as caught:
        1 / 0  # noqa: B018
    faults._caught(*caught._excinfo)
    assert window.parts.bar.isVisible()
    assert (
        "ZeroDivisionError: division by zero (test_main_window.py, line"
        in window.parts.bar.words.text()
    )
    assert "division by zero" in capsys.readouterr().err
    qtbot.mouseClick(window.parts.bar.away, Qt.MouseButton.LeftButton)
    assert window.parts.bar.isHidden()


def test_an_outcome_of_any_kind_is_said_in_the_strip(window, session, runner, diamond, recordings):
    for status in Status:
        if status is Status.OK:
            continue
        message = f"It was {status.value}."
        recording = replace(recordings["failed"], outcome=Outcome(status, message, 2))
        session.open(diamond, run=False)
        session.run()
        runner.last.deliver(recording)
        QApplication.processEvents()
        assert message in window.parts.stage.strip.accessibleName()
        assert "in line 2" in window.parts.stage.strip.accessibleName()


def test_every_bundled_example_has_a_menu_entry(window):
    texts = {action.text() for action in window.parts.menus["Examples"].actions()}
    assert {example.title.replace("&", "&&") for example in examples()} <= texts


def test_an_example_once_saved_is_a_file_of_ones_own(window, tmp_path):
    window.parts.actions["example_diamond"].trigger()
    window.parts.files._write(Path(tmp_path / "mine.py"), None)
    assert window.session.example is None
    assert window.session.program == Program(
        "mine.py", window.parts.editor.text(), tmp_path / "mine.py"
    )


# -- the first moment ---------------------------------------------------------------------


def test_the_window_is_in_sight_before_it_is_filled(qtbot, settings, session):
    settings.theme = Theme.DARK
    window = MainWindow(settings)
    qtbot.addWidget(window)
    with qtbot.waitSignal(window.painted):
        window.show()
    assert window.centralWidget() is None
    assert window.grab().toImage().pixelColor(50, 50).name() == DARK.window
    window.show_fault("too early to be shown")
    with qtbot.waitActive(window):
        window.activateWindow()
    window.fill(session, ())
    assert window.parts.editor.isVisible()
    assert window.parts.stage.isAncestorOf(QApplication.focusWidget())
    assert len(window.menuBar().actions()) == len(MENUS)


def test_a_bare_window_can_be_closed(qtbot, settings):
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.show()
    qtbot.keyClick(window, Qt.Key.Key_F10)
    assert window.close()
