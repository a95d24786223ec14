"""How the window looks: one palette and one scale, as a style sheet and as Qt's own palette."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QFont, QPalette, QPen

from chainstep.ui import fonts

if TYPE_CHECKING:
    from chainstep.ui.palette import Palette

SMALL, PLAIN, LARGE = 11, 13, 15
"""Sizes of type in pixels at 100%."""
RING = 2
"""Width of the ring around whatever has the keyboard, in pixels."""


@dataclass(frozen=True)
class Look:
    """Colours and scale of everything in the window but the graph's own zoom.

    Attributes:
        palette: The colours.
        percent: Size of the type.
    """

    palette: Palette
    percent: int = 100

    def px(self, size: float) -> int:
        """A length at 100% as one at this scale, in pixels."""
        return max(1, round(size * self.percent / 100))

    def font(self, size: float = PLAIN, *, bold: bool = False) -> QFont:
        """The font of words at this scale. It is shared: do not change it."""
        return _words(self.px(size), bold)

    def mono(self, size: float = PLAIN, *, bold: bool = False) -> QFont:
        """The font of numbers and code at this scale. It is shared: do not change it."""
        return _figures(self.px(size), bold)


@cache
def _words(size: int, bold: bool) -> QFont:
    return fonts.interface(size, bold=bold)


@cache
def _figures(size: int, bold: bool) -> QFont:
    return fonts.figures(size, bold=bold)


def qt_palette(palette: Palette) -> QPalette:
    """Qt's palette, for what the style sheet leaves to the style: menus, dialogs, selections."""
    result = QPalette()
    role = QPalette.ColorRole
    for roles, color in (
        ((role.Window, role.AlternateBase), palette.window),
        ((role.Base, role.Button, role.ToolTipBase), palette.card),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), palette.text),
        ((role.PlaceholderText,), palette.muted),
        ((role.Mid, role.Midlight), palette.rule),
        ((role.Highlight, role.Link, role.Accent), palette.target),
        ((role.HighlightedText,), palette.on_target),
    ):
        for each in roles:
            result.setColor(each, QColor(color))
    for each in (role.WindowText, role.Text, role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, each, QColor(palette.muted))
    return result


def focus_pen(color: str) -> QPen:
    """What the ring around whatever has the keyboard is drawn with: the same wherever it is."""
    return QPen(QColor(color), RING)


def style_sheet(look: Look) -> str:
    """The style sheet of the window."""
    p, px = look.palette, look.px
    return f"""
QMainWindow, QMenuBar {{ background: {p.window}; color: {p.text}; }}
QMenuBar {{ padding: {px(2)}px {px(6)}px; border-bottom: 1px solid {p.rule}; }}
QMenuBar::item {{ padding: {px(4)}px {px(8)}px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {p.quiet}; }}
QMenu {{ background: {p.card}; color: {p.text}; border: 1px solid {p.border}; padding: 4px; }}
QMenu::item {{ padding: {px(5)}px {px(22)}px; border-radius: 4px; }}
QMenu {{ icon-size: {px(12)}px; }}
QMenu::icon {{ left: {px(6)}px; }}
QMenu::item:selected {{ background: {p.target_tint}; }}
QMenu::item:disabled {{ color: {p.muted}; }}
QMenu::separator {{ height: 1px; background: {p.rule}; margin: 4px 8px; }}
QToolTip {{ background: {p.card}; color: {p.text}; border: 1px solid {p.border}; padding: 4px; }}
QSplitter::handle {{ background: {p.rule}; }}
QSplitter::handle:hover {{ background: {p.border}; }}
#panel, #bar {{ background: {p.window}; }}
#stage {{ background: {p.canvas}; }}
#heading {{ color: {p.muted}; font-size: {px(SMALL)}px; font-weight: 600; }}
#muted {{ color: {p.muted}; }}
#step_title {{ font-size: {px(LARGE)}px; font-weight: 600; color: {p.text}; }}
#step_remark {{ font-size: {px(PLAIN)}px; color: {p.muted}; }}
#step_words {{ font-size: {px(14)}px; color: {p.text}; }}
QPlainTextEdit {{ background: {p.window}; color: {p.text}; border: {RING}px solid transparent;
  selection-background-color: {p.target}; selection-color: {p.on_target}; }}
QScrollArea > QWidget > QWidget {{ background: {p.window}; }}
QScrollArea {{ background: {p.window}; border: {RING}px solid transparent; }}
QPlainTextEdit:focus, QScrollArea:focus, QTableView:focus {{ border-color: {p.focus}; }}
QTableView {{ background: {p.window}; color: {p.text}; border: {RING}px solid transparent;
  gridline-color: {p.rule};
  selection-background-color: {p.target_tint}; selection-color: {p.text}; }}
QListWidget {{ background: {p.card}; color: {p.text}; border: 1px solid {p.rule}; }}
QListWidget::item {{ padding: {px(5)}px {px(8)}px; }}
QListWidget::item:selected {{ background: {p.target_tint}; color: {p.text}; }}
QHeaderView {{ background: {p.window}; }}
QHeaderView::section {{ background: {p.window}; color: {p.muted}; border: none;
  border-bottom: 1px solid {p.rule}; padding: {px(4)}px 3px; font-size: {px(SMALL)}px; }}
QScrollBar {{ background: transparent; border: none; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QScrollBar:vertical {{ width: {px(10)}px; }}
QScrollBar:horizontal {{ height: {px(10)}px; }}
QScrollBar::handle {{ background: {p.border}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:hover {{ background: {p.muted}; }}
QScrollBar::handle:vertical {{ min-height: 24px; }}
QScrollBar::handle:horizontal {{ min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def tab_sheet(look: Look, padding: int) -> str:
    """The style of a row of tabs: words, and a line below the one that is on.

    Args:
        look: Colours and scale.
        padding: Pixels on either side of a word.
    """
    p, px = look.palette, look.px
    return (
        f"QTabBar {{ background: {p.window}; font-size: {px(SMALL)}px; }}"
        f"QTabBar::tab {{ color: {p.muted}; background: {p.window};"
        f" padding: {px(5) - 2}px {padding}px {px(5)}px; border: none;"
        f" border-top: 2px solid transparent; border-bottom: 2px solid transparent; }}"
        f"QTabBar::tab:first {{ margin-left: {px(6)}px; }}"
        f"QTabBar::tab:hover {{ color: {p.text}; }}"
        f"QTabBar::tab:selected {{ color: {p.text}; border-bottom-color: {p.now}; }}"
        f"QTabBar::tab:selected:focus {{ background: {p.quiet}; border-top-color: {p.focus};"
        f" border-bottom-color: {p.focus}; }}"
    )
