"""The page of all keys: by menu in columns, searched by typing, in any size of type."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from chainstep.ui.keys_page import Entry, Group, columns


@pytest.fixture
def opened(window):
    """The page, as F1 opens it on a window of some size and type."""

    def open_page(size=(1280, 720), percent=100):
        window.resize(*size)
        window.settings.scale = percent
        window._apply_look()
        window.parts.actions["keys"].trigger()
        QApplication.processEvents()
        return window.parts.desk._keys

    return open_page


def test_all_keys_are_on_it_with_the_marks_of_the_timeline(window, opened):
    text = " ".join(opened().page.toPlainText().split())
    for command in window.parts.actions.commands.values():
        if command.keys or command.canvas_keys:
            assert " ".join(command.name.split()) in text
    assert "≠" in text
    assert "Ctrl+drag" in text


@pytest.mark.parametrize(
    ("size", "percent", "least"),
    [((1280, 720), 100, 3), ((1920, 1080), 100, 3), ((1280, 720), 200, 1), ((1024, 700), 100, 2)],
)
def test_it_fits_into_the_window_and_nothing_of_it_lies_beside_its_view(
    window, opened, size, percent, least
):
    dialog = opened(size, percent)
    assert dialog.width() <= window.width()
    assert dialog.height() <= window.height()
    assert dialog._count == least
    assert dialog.page.document().defaultFont().pixelSize() == round(13 * percent / 100)
    assert dialog.page.document().size().width() <= dialog.page.viewport().width()
    dialog.close()


def test_typing_finds_a_command_by_what_it_does_or_by_its_key(opened):
    dialog = opened()
    QTest.keyClicks(dialog.search, "first wrong")
    text = dialog.page.toPlainText()
    assert "Ctrl+F7" in text
    assert "F12" not in text
    dialog.search.clear()
    QTest.keyClicks(dialog.search, "f12")
    text = dialog.page.toPlainText()
    assert "Lecture mode" in text
    # Of a few it says in a sentence what they do.
    assert "Esc leaves" in text
    QTest.keyClicks(dialog.search, " xyzzy")
    assert "No key fits" in dialog.page.toPlainText()


def test_the_page_is_scrolled_while_the_search_has_the_keyboard(opened):
    dialog = opened((1280, 720), 200)
    bar = dialog.page.verticalScrollBar()
    assert bar.maximum() > 0
    QTest.keyClick(dialog.search, Qt.Key.Key_PageDown)
    assert bar.value() > 0


def test_it_names_the_keys_that_commands_have_now_and_opens_afresh(window, opened):
    dialog = opened()
    QTest.keyClicks(dialog.search, "lecture mode")
    window.settings.keys = {"lecture": (("Ctrl+8",), ())}
    window.parts.desk.take_keys()
    assert "Ctrl+8" in dialog.page.toPlainText()
    dialog.close()
    assert opened() is dialog
    assert dialog.search.text() == ""


def test_groups_stay_in_order_in_columns_of_about_the_same_height():
    sizes = (4, 10, 2, 6, 8, 3)
    every = [Group(str(n), [Entry("F1", "x")] * size) for n, size in enumerate(sizes)]
    for count in (1, 2, 3):
        filled = columns(every, count)
        assert [group for column in filled for group in column] == every
        heights = [sum(len(group.entries) + 2 for group in column) for column in filled]
        assert len(filled) == count
        assert max(heights) - min(heights) <= 12
