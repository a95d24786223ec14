"""Walking through the window by Tab: in a sensible order, round and round, and always to be seen.

The ring is held against what WCAG 2.2 asks of one (2.4.13, Focus Appearance): as many pixels as an
outline of two pixels has, each of them 3:1 against what was there before.
"""

import numpy as np
import pytest
from conftest import A
from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QFocusEvent, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar

from chainstep.settings import Theme
from chainstep.ui.canvas import Canvas
from chainstep.ui.editor import Editor
from chainstep.ui.track import Track

MOST = 60
"""Places that a walk has at the most."""


def luminance(widget):
    """The relative luminance of every pixel of a widget and of a rim around it, as WCAG has it."""
    window = widget.window()
    place = QRect(widget.mapTo(window, widget.rect().topLeft()), widget.size())
    image = window.grab(place).toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    linear = pixels[..., 2::-1] / 255
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def ring(widget):
    """How many pixels of it differ 3:1 once it has the focus."""
    pictures = []
    for kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
        QApplication.sendEvent(widget, QFocusEvent(kind, Qt.FocusReason.TabFocusReason))
        if kind is QEvent.Type.FocusOut:
            widget.clearFocus()
        pictures.append(luminance(widget))
    lighter, darker = np.maximum(*pictures), np.minimum(*pictures)
    return int(((lighter + 0.05) / (darker + 0.05) >= 3).sum())


def walk(window):
    """Every widget that Tab leads to from the graph, until it comes back there."""
    window.parts.stage.focus_graph()
    places = []
    while (place := window.focusWidget()) not in places:
        places.append(place)
        assert len(places) < MOST
        if isinstance(place, Editor):
            window.focusNextChild()  # there Tab indents, and Escape leaves
        else:
            QTest.keyClick(place, Qt.Key.Key_Tab)
            assert window.focusWidget() is not place, place
    assert place is places[0]
    return places


@pytest.fixture
def walked(window, show):
    show("forced")
    window.resize(1280, 720)
    window.session.select(A)
    QApplication.processEvents()
    return walk(window)


def test_tab_leads_from_the_graph_through_the_panels_and_back(window, walked):
    parts = window.parts
    names = [place.accessibleName() for place in walked]
    at = names.index("Explanation of this step")
    rows = parts.side.step.terms.rows
    assert walked[at + 1 : at + 1 + len(rows)] == rows
    order = [parts.stage.canvases[0], *rows, parts.side.tabs.bar, parts.status.seed, parts.editor]
    places = [walked.index(each) for each in order]
    assert places == sorted(places)
    for place in reversed(walked[1:]):
        if window.focusWidget() is not walked[0]:
            QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backtab)
        assert place.isVisible()


@pytest.mark.parametrize("theme", [Theme.LIGHT, Theme.DARK, Theme.CONTRAST])
def test_whatever_has_the_keyboard_has_a_ring_that_is_seen(window, walked, theme):
    window.settings.theme = theme
    window._apply_look()
    QApplication.processEvents()
    for place in walked:
        if isinstance(place, Canvas) or not place.isVisible():
            continue  # its ring is around a node
        place.setFocus(Qt.FocusReason.TabFocusReason)
        around = place.width() + place.height()
        if isinstance(place, QTabBar):
            around = sum(place.tabRect(place.currentIndex()).size().toTuple())
        elif isinstance(place, Track):
            around = 2 * window.look.px(16)  # around its handle
        assert ring(place) >= 0.9 * around, place.accessibleName()
