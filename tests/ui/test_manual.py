"""The pages on findings: searched by typing, chosen by the arrows, set in the window's type."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextFormat

from chainstep.finding import KINDS
from chainstep.settings import Theme
from chainstep.ui.manual import Manual
from chainstep.ui.palette import palette
from chainstep.ui.theme import LARGE, Look


@pytest.fixture
def manual(qtbot):
    manual = Manual(Look(palette(Theme.LIGHT)), None)
    qtbot.addWidget(manual)
    manual.show()
    return manual


def test_every_kind_of_finding_has_its_page_in_the_list(manual):
    assert manual.index.count() == len(KINDS)
    assert manual.index.item(0).text() == "CS101  A gradient is overwritten, not added to"


def test_a_page_is_shown_with_its_example(manual):
    manual.show_kind("child-missing")
    text = manual.page.toPlainText()
    assert text.startswith("CS301 child-missing\nAn operand is not recorded as a child.")
    assert "class Value:" in text
    assert manual.page.accessibleDescription() == "CS301 child-missing"


def test_typing_keeps_the_pages_that_hold_every_word(manual):
    manual.search.setText("tanh slope")
    kinds = {manual.index.item(row).data(Qt.ItemDataRole.UserRole) for row in range(
        manual.index.count()
    )}  # fmt: skip
    assert "wrong-local-derivative" in kinds
    assert len(kinds) < len(KINDS)
    manual.search.setText("no such words anywhere")
    assert manual.kind == ""
    assert manual.page.toPlainText() == "No page holds all of these words."
    manual.search.clear()
    assert manual.index.count() == len(KINDS)


def test_the_arrows_choose_a_page_while_one_types(manual, qtbot):
    qtbot.keyClick(manual.search, Qt.Key.Key_Down)
    assert manual.kind == list(KINDS)[1]
    qtbot.keyClick(manual.search, Qt.Key.Key_Up)
    qtbot.keyClick(manual.search, Qt.Key.Key_Up)
    assert manual.kind == next(iter(KINDS))


def test_code_is_set_in_the_type_of_code_in_light_and_dark(manual):
    for theme in (Theme.LIGHT, Theme.DARK):
        look = Look(palette(theme))
        manual.set_look(look)
        manual.show_kind("overwrite-grad")
        block = manual.page.document().begin()
        while not block.text().startswith("class Value"):
            block = block.next()
        form = block.begin().fragment().charFormat()
        assert form.font().family() == look.mono().family()
        assert block.blockFormat().background().color().name() == look.palette.quiet
        while block.text() != "Example":
            block = block.previous()
        assert block.blockFormat().background().style() is Qt.BrushStyle.NoBrush
        heading = block.begin().fragment().charFormat()
        assert heading.font().pixelSize() == LARGE
        assert not heading.hasProperty(QTextFormat.Property.FontSizeAdjustment)
