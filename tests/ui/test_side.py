"""The right column: the code with its variables, and what can be opened, closed and entered."""

from dataclasses import replace

import pytest
from coded import CODES, A, B, C, coded
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractButton, QApplication

from chainstep.settings import Theme
from chainstep.ui.debugging import PAGES
from chainstep.ui.main_window import MainWindow
from chainstep.ui.session import View

SIZES = [(1024, 700), (1280, 720), (1920, 1080)]


@pytest.fixture
def code(window, session, runner, diamond, qtbot):
    """The code panel, with the engine's source at hand."""
    runner.at_once = coded()
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    return window.parts.side.code


def enter(widget):
    spot = QPointF(2, 2)
    QApplication.sendEvent(widget, QEnterEvent(spot, spot, spot))


def leave(widget):
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))


def move(widget, spot):
    place = QPointF(spot)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        place,
        place,
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)


# -- code ---------------------------------------------------------------------------------


def test_the_panel_shows_the_excerpt_and_says_the_line_that_runs(code, session):
    session.seek_backward(9)
    assert code.view.toPlainText().startswith("def _backward():")
    assert code.view.accessibleDescription() == "Line 7: self.grad += out.grad"
    assert code.heading.aside == "c · engine.py"
    session.seek_backward(0)
    assert code.view.isHidden()
    assert "The first will be that of e" in code.remark.text()


def test_the_same_code_is_not_set_anew_from_step_to_step(code, session):
    session.seek_backward(9)
    changed = []
    code.view.textChanged.connect(lambda: changed.append(1))
    session.seek_backward(10)
    assert changed == []


def test_there_is_a_chip_for_each_variable_with_the_node_that_it_is(code, session):
    session.seek_backward(9)
    chips = code.chips.chips
    assert [chip.accessibleName() for chip in chips] == ["self is a", "other is b", "out is c"]
    assert [chip.role for chip in chips] == ["target", "", "now"]


def test_the_mouse_on_a_chip_points_at_its_node_until_it_leaves(code, session):
    session.seek_backward(9)
    chip = code.chips.chips[1]
    enter(chip)
    assert session.pointed == B
    leave(chip)
    assert session.pointed is None


def test_the_focus_on_a_chip_points_at_its_node_and_stays_from_step_to_step(
    code, session, window, qtbot
):
    session.seek_backward(9)
    with qtbot.waitActive(window):
        window.activateWindow()
    chip = code.chips.chips[0]
    chip.setFocus()
    assert session.pointed == A
    session.seek_backward(3)
    assert chip.hasFocus()
    assert session.pointed == C
    window.parts.editor.setFocus()
    assert session.pointed is None


def test_a_press_on_a_chip_selects_its_node(code, session, qtbot):
    session.seek_backward(9)
    qtbot.mouseClick(code.chips.chips[2], Qt.MouseButton.LeftButton)
    assert session.selected == C


def test_a_node_pointed_at_on_the_graph_lights_its_chip_and_its_variable(code, session, window):
    session.seek_backward(9)
    canvas = window.parts.stage.canvases[0]
    before = len(code.view.extraSelections())
    middle = canvas.rectangle(canvas._drawing.card(B)).center()
    move(canvas.viewport(), middle)
    assert session.pointed == B
    assert [chip.lit for chip in code.chips.chips] == [False, True, False]
    assert len(code.view.extraSelections()) == before + 1
    leave(canvas.viewport())
    assert session.pointed is None


def test_a_node_pointed_at_has_a_ring_on_the_graph(code, session, window):
    session.seek_backward(9)
    canvas = window.parts.stage.canvases[0]
    plain = canvas.viewport().grab().toImage()
    session.point_at(B)
    assert canvas.viewport().grab().toImage() != plain
    session.point_at(None)
    assert canvas.viewport().grab().toImage() == plain


def test_the_mouse_on_a_variable_in_the_code_points_at_its_node(code, session, qtbot):
    session.seek_backward(9)
    view = code.view
    metrics = view.fontMetrics()
    row = view.blockBoundingGeometry(view.document().findBlockByNumber(1))
    y = round(row.translated(view.contentOffset()).center().y())
    letter = metrics.horizontalAdvance("0")
    # The mouse is on `self`, then on `out`, then on neither.
    move(view.viewport(), QPoint(round(5.5 * letter), y))
    assert session.pointed == A
    move(view.viewport(), QPoint(round(18.5 * letter), y))
    assert session.pointed == C
    move(view.viewport(), QPoint(round(1.5 * letter), y))
    assert session.pointed is None
    spot = QPoint(round(18.5 * letter), y)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    assert session.selected == C


def test_however_many_variables_there_are_the_panel_keeps_its_place(
    code, session, window, runner, diamond, qtbot
):
    heights = [section.height() for section in window.parts.side.sections.values()]
    names = tuple((f"a_rather_long_name_{n}", n % 5) for n in range(20))
    codes = {node: replace(place, names=names) for node, place in CODES.items()}
    runner.at_once = coded(codes=codes)
    session.open(diamond, run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    session.seek_backward(9)
    QApplication.processEvents()
    assert len(code.chips.chips) == 12
    assert [section.height() for section in window.parts.side.sections.values()] == heights
    assert code.view.height() >= code.view.minimumSizeHint().height()


def test_another_recording_points_at_nothing(code, session, show):
    session.point_at(B)
    show("forced")
    assert session.pointed is None


# -- what is open -------------------------------------------------------------------------


def test_a_heading_closes_its_panel_down_to_itself_and_opens_it_again(window, show, qtbot):
    show("forced")
    side = window.parts.side
    for name in ("step", "code"):
        section = side.sections[name]
        before = section.height()
        qtbot.mouseClick(section.heading, Qt.MouseButton.LeftButton)
        assert not section.is_open
        assert section.height() <= section.heading.height() + 4
        assert section.heading.accessibleName().endswith("closed")
        window.parts.actions[f"panel_{name}"].trigger()
        assert section.is_open
        assert section.height() >= before * 0.7


def test_all_can_be_closed_and_the_headings_stay_at_the_top(window, show):
    show("forced")
    side = window.parts.side
    for section in side.sections.values():
        section.set_open(False)
    QApplication.processEvents()
    tops = [section.mapTo(side, QPoint(0, 0)).y() for section in side.sections.values()]
    assert tops == sorted(tops)
    assert tops[-1] < 120


def test_a_key_shows_a_panel_and_gives_it_the_keyboard_and_escape_leaves_for_the_graph(
    window, show, qtbot
):
    show("forced")
    with qtbot.waitActive(window):
        window.activateWindow()
    side = window.parts.side
    for number, name in enumerate(PAGES, start=1):
        window.parts.editor.setFocus()
        side.tabs.set_open(False)
        qtbot.keyClick(
            window.parts.editor,
            getattr(Qt.Key, f"Key_{number}"),
            Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
        )
        assert side.tabs.page == name
        assert side.is_open(name)
        assert side.page(name).isAncestorOf(QApplication.focusWidget())
        assert window.parts.actions[f"panel_{name}"].isChecked()
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
        assert window.parts.stage.isAncestorOf(QApplication.focusWidget())


def test_what_is_open_is_remembered(window, settings, session, qtbot):
    side = window.parts.side
    side.code.set_open(False)
    side.tabs.show_page("ledger")
    other = MainWindow(settings)
    qtbot.addWidget(other)
    other.fill(session, ())
    assert not other.parts.side.code.is_open
    assert other.parts.side.step.is_open
    assert other.parts.side.tabs.page == "ledger"
    other.parts.side.reset()
    assert other.parts.side.code.is_open
    assert other.parts.side.tabs.page == "values"


@pytest.mark.parametrize("kept", [b"{", b"[]", b'{"closed": 3}', b'{"closed": ["no"], "page": 7}'])
def test_a_memory_that_makes_no_sense_opens_everything(settings, session, qtbot, kept):
    settings.keep_bytes("panels", kept)
    window = MainWindow(settings)
    qtbot.addWidget(window)
    window.fill(session, ())
    assert all(section.is_open for section in window.parts.side.sections.values())
    assert window.parts.side.tabs.page == "values"


# -- room ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", SIZES)
def test_at_every_size_each_panel_has_room_and_nothing_reaches_out_of_the_column(
    window, show, size
):
    show("forced")
    window.session.set_view(View.BOTH)
    window.session.seek_backward(9)
    window.session.select(A)
    window.session.breakpoints.toggle(A)
    window.session.breakpoints.toggle_watch(A)
    window.resize(*size)
    window.arrange()
    side = window.parts.side
    for page in PAGES:
        side.tabs.show_page(page)
        QApplication.processEvents()
        assert (window.width(), window.height()) == size
        assert side.step.body.height() >= 120
        assert side.code.body.height() >= 60
        assert side.tabs.stack.height() >= 120
        shown = side.page(page)
        table = shown.text if page == "findings" else shown.table
        assert table.viewport().height() >= 40
        for widget in side.findChildren(QAbstractButton):
            if widget.isVisible():
                left = widget.mapTo(side, QPoint(0, 0)).x()
                assert left >= 0
                assert left + widget.width() <= side.width(), widget.accessibleName()


def test_large_type_still_fits_the_smallest_window(window, show):
    show("forced")
    window.settings.scale = 200
    window.set_scale(1)
    window.resize(820, 560)
    QApplication.processEvents()
    assert (window.width(), window.height()) == (820, 560)


def test_the_column_takes_other_colours_and_sizes(window, show):
    show("forced")
    for page in PAGES:
        window.parts.side.tabs.show_page(page)
    window.set_theme(Theme.DARK)
    window.set_scale(1)
    look = window.look
    side = window.parts.side
    assert side.code.heading.look is look
    assert side.code.view._look is look
    for page in PAGES:
        assert side.page(page)._look is look
