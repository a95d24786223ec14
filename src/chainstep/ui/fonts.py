"""The two typefaces of the window, bundled so that it looks alike on every machine.

Where a bundled file cannot be loaded the nearest system font takes its place.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtGui import QFont, QFontDatabase

if TYPE_CHECKING:
    from PySide6.QtWidgets import QLabel

INTERFACE = ("Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans")
FIGURES = ("JetBrains Mono", "Consolas", "Menlo", "Noto Sans Mono", "DejaVu Sans Mono")


def set_markdown(label: QLabel, text: str) -> None:
    """Let a label of Markdown say a text. Its code gets the size that the words have now.

    Qt reads Markdown once, and code then keeps the size of that moment: to be set again where the
    size of the type has changed.
    """
    label.ensurePolished()
    label.clear()  # the same text set again would not be read again
    label.setText(text)


def interface(size: int, *, bold: bool = False) -> QFont:
    """The font of words, `size` pixels high, with figures of equal width."""
    font = _font(INTERFACE, size)
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def figures(size: int, *, bold: bool = False) -> QFont:
    """The monospaced font of numbers and code, `size` pixels high, without ligatures."""
    font = _font(FIGURES, size)
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setWeight(QFont.Weight.Bold if bold else QFont.Weight.Normal)
    # Ligatures would draw `->` and `!=` as other signs than the student typed.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def _font(families: tuple[str, ...], size: int) -> QFont:
    load()
    font = QFont(list(families))
    font.setPixelSize(size)
    # Hinted glyphs have whole widths, and text would change its proportions while zooming.
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font


@cache
def load() -> tuple[str, ...]:
    """Make the bundled files known to Qt, once. Gives the families found in them."""
    families: list[str] = []
    for entry in files("chainstep.resources").joinpath("fonts").iterdir():
        if entry.name.endswith((".otf", ".ttf")):
            number = QFontDatabase.addApplicationFontFromData(entry.read_bytes())
            if number >= 0:
                families += QFontDatabase.applicationFontFamilies(number)
    return tuple(sorted(set(families)))
