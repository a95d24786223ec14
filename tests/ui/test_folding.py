"""A window that is small for its type: one column at a time, and nothing clipped or covered."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QLabel

from chainstep.lesson import lessons
from chainstep.ui.folding import IN_SIGHT
from chainstep.ui.session import View

SIZES = [(1280, 720), (1920, 1080), (820, 560)]
SCALES = [100, 150, 200, 300]


def scaled(window, size, percent):
    """The window in a size and with a size of type."""
    window.resize(*size)
    window.settings.scale = percent
    window._apply_look()
    QApplication.processEvents()


@pytest.mark.parametrize("percent", SCALES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_in_a_column_is_narrower_than_its_words(window, show, size, percent):
    show("forced")
    window.session.set_view(View.BOTH)
    window.session.seek_backward(9)
    scaled(window, size, percent)
    parts = window.parts
    assert window.size().toTuple() == size
    for name in ("column_program", "column_panels", "column_graph"):
        parts.actions[name].trigger()
        QApplication.processEvents()
        check(parts, window)


def check(parts, window):
    """Of what is shown in the window every heading is whole, and every tab is in sight."""
    px = window.look.px
    examples = parts.examples
    if examples.isVisible():
        heading = next(
            label for label in examples.parentWidget().findChildren(QLabel)
            if label.text() == "PROGRAM"
        )  # fmt: skip
        assert QFontMetrics(heading.font()).horizontalAdvance("PROGRAM") <= heading.width()
        assert examples.width() >= examples.sizeHint().width()
        assert parts.output.height() > px(20)
    if parts.side.isVisible():
        bar = parts.side.tabs.bar
        fits = window.width() >= px(338)
        assert not fits or bar.sizeHint().width() <= bar.width()
        shown = [each for each in parts.side.sections.values() if each.isVisible()]
        assert all(each.height() >= each.heading.height() for each in shown)
    if parts.stage.isVisible():
        canvas, lower = parts.stage.canvases
        assert min(canvas.height(), lower.height()) >= px(45)
        assert min(canvas.width(), lower.width()) >= px(110)
        assert canvas.geometry().intersected(lower.geometry()).isEmpty()
        tools = parts.tools
        assert not tools.isVisible() or tools.width() < lower.width() - px(60)


def test_a_small_window_shows_one_column_and_a_large_one_all_of_them(window, show):
    show("forced")
    columns = window.parts.editor, window.parts.stage, window.parts.side
    assert all(column.isVisible() for column in columns)
    assert window.parts.actions["column_program"].statusTip() == IN_SIGHT
    scaled(window, (1280, 720), 200)
    assert [column.isVisible() for column in columns] == [False, True, False]
    window.parts.actions["column_program"].trigger()
    assert [column.isVisible() for column in columns] == [True, False, False]
    scaled(window, (1280, 720), 100)
    assert all(column.isVisible() for column in columns)


def test_a_panel_that_is_asked_for_is_brought_into_sight_and_escape_leads_back(window, show):
    show("forced")
    scaled(window, (1280, 720), 200)
    window.parts.actions["panel_history"].trigger()
    QApplication.processEvents()
    assert window.parts.side.page("history").isVisible()
    window.parts.side.left.emit()
    assert window.parts.stage.isVisible()
    assert not window.parts.side.isVisible()


def test_in_a_low_window_one_panel_is_open_and_afterwards_all_are_again(window, show):
    show("forced")
    sections = window.parts.side.sections
    kept = window.settings.bytes_of("panels")
    scaled(window, (1280, 720), 200)
    assert [each.is_open for each in sections.values()] == [True, False, False]
    window.parts.side.bring("values")
    assert [each.is_open for each in sections.values()] == [False, False, True]
    assert window.settings.bytes_of("panels") == kept
    scaled(window, (1280, 720), 100)
    assert all(each.is_open for each in sections.values())


def test_what_is_taught_makes_the_rows_below_give_way_until_it_goes(
    window, runner, recordings, qtbot
):
    runner.at_once = recordings["forced"]
    parts = window.parts
    scaled(window, (1280, 720), 150)
    assert parts.timeline.chips.isVisible()
    parts.teaching.open(next(each for each in lessons() if each.name == "diamond"))
    qtbot.waitUntil(lambda: parts.teaching.opens is not None)
    scaled(window, (1280, 720), 200)
    # 720 pixels at 200% are 360, and the lesson takes some 70 of them.
    assert parts.lesson_bar.isVisible()
    assert not parts.timeline.chips.isVisible()
    assert not parts.status.isVisible()
    parts.teaching.leave()
    QApplication.processEvents()
    assert parts.status.isVisible()
