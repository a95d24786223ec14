"""The page of keys: by menu, in as many columns as there is room for, searched by typing."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLabel,
    QLineEdit,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui.command import MENUS, pretty
from chainstep.ui.theme import PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chainstep.ui.actions import Actions
    from chainstep.ui.command import Command
    from chainstep.ui.theme import Look

MORE = (
    ("Esc in the program", "Go to the graph"),
    ("Alt+arrows on the graph", "Select an operand, a consumer, a neighbour"),
    ("Wheel", "Zoom where the mouse is"),
    ("Drag", "Move the graph, or the node under the mouse and all selected with it"),
    ("Ctrl+click, Shift+click", "Select one node more, or leave it out"),
    ("Ctrl+drag, Shift+drag", "Select the nodes in a band"),
    ("Ctrl+A on the graph", "Select all nodes"),
    ("Esc on the graph", "Select none"),
    ("Menu, Shift+F10 on the graph", "The menu of the selected node, or of the graph"),
)
"""Keys that belong to no command."""
MARKS = (
    ("○", "Reuse: a gradient gets a further contribution"),
    ("≠", "Difference: += and = begin to differ"),
    ("◆", "Breakpoint: it hits here"),
    ("!", "Finding: a check found a fault here"),
    ("×", "Error: the pass broke off"),
)
"""The marks of the timeline."""
SIZE = (1160, 640)
COLUMN = 350
"""Width of a column at 100%."""
STAR = "* where the graph or the timeline has the focus"
NONE = "No key fits: fewer letters find more. Ctrl+Shift+P lists every command, with and without."
KEYS_SHARE = 42, 27
"""Percent of a column's width that the keys take: beside other columns, and alone."""
SCROLLING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Entry(NamedTuple):
    """One line: the keys, what they do in a few words, and in a sentence."""

    keys: str
    name: str
    help: str = ""


class Group(NamedTuple):
    """What stands under one heading."""

    title: str
    entries: Sequence[Entry]


def groups(actions: Actions) -> Iterator[Group]:
    """All keys, menu by menu, and what is no command."""
    for menu in MENUS:
        entries = [
            _entry(command)
            for command in actions.commands.values()
            if command.menu.split("/")[0] == menu and (command.keys or command.canvas_keys)
        ]
        if entries:
            yield Group(menu, entries)
    yield Group("Besides", [Entry(*each) for each in MORE])
    yield Group("Marks of the timeline", [Entry(*each) for each in MARKS])


def _entry(command: Command) -> Entry:
    keys = [pretty(key) for key in command.keys]
    keys += [f"{pretty(key)} *" for key in command.canvas_keys]
    _, _, submenu = command.menu.partition("/")
    name = f"{submenu}: {command.name}" if submenu else command.name
    return Entry(", ".join(keys), name, command.told)


def found(every: Sequence[Group], typed: str) -> list[Group]:
    """What holds every word that was typed: in its keys, name, help, or heading."""
    words = typed.casefold().split()
    kept = []
    for group in every:
        entries = [
            each
            for each in group.entries
            if all(word in " ".join((group.title, *each)).casefold() for word in words)
        ]
        if entries:
            kept.append(Group(group.title, entries))
    return kept


def columns(every: Sequence[Group], count: int) -> list[list[Group]]:
    """The groups, in order, in columns of about the same height."""
    lines = [len(group.entries) + 2 for group in every]
    share = sum(lines) / count
    filled: list[list[Group]] = [[] for _ in range(count)]
    before = 0
    for group, own in zip(every, lines, strict=True):
        at = min(count - 1, int((before + own / 2) / share))
        filled[at].append(group)
        before += own
    return [each for each in filled if each]


class KeysPage(QDialog):
    """The page. It stands beside the window and does not get in its way.

    Args:
        actions: Whose keys they are.
        look: Colours and scale.
        window: Above which it stands.
    """

    def __init__(self, actions: Actions, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._actions = actions
        self._look = look
        self._count = 0
        self.setWindowTitle("Keys")
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search: a key such as F10, or what it does")
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName("Search the keys")
        self.page = QTextBrowser()
        self.page.setAccessibleName("Keys")
        self.note = QLabel(STAR)
        self.note.setObjectName("muted")
        column = QVBoxLayout(self)
        column.addWidget(self.search)
        column.addWidget(self.page, 1)
        column.addWidget(self.note)
        self.search.textChanged.connect(self.fill)
        for widget in (self.search, self.page):
            widget.installEventFilter(self)
        actions.keys_changed.connect(self.fill)
        room = window.size() - QSize(40, 80)
        self.resize(QSize(look.px(SIZE[0]), look.px(SIZE[1])).boundedTo(room))
        self.fill()

    def appear(self) -> None:
        """Show all keys, with the search ready to be typed in."""
        self.search.clear()
        self.show()
        self.raise_()
        self.activateWindow()
        self.search.setFocus()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.fill()

    def fill(self) -> None:
        """Write what fits the search, in as many columns as there is room for."""
        look, typed = self._look, self.search.text()
        every = found(list(groups(self._actions)), typed)
        self._count = self._room()
        self.page.document().setDefaultFont(look.font(PLAIN))
        if not every:
            self.page.setPlainText(NONE)
            return
        # All of them are looked over by a few words; of those that were searched more is said.
        brief = not typed.strip()
        cells = columns(every, self._count if brief else 1)
        share, keys = 100 // len(cells), KEYS_SHARE[len(cells) == 1]
        told = ("".join(_told(group, look, keys, brief=brief) for group in cell) for cell in cells)
        row = "".join(f'<td width="{share}%">{cell}</td>' for cell in told)
        self.page.setHtml(f'<table width="100%" cellspacing="0"><tr>{row}</tr></table>')

    def _spread(self) -> None:
        if self._room() != self._count:
            self.fill()

    def _room(self) -> int:
        """How many columns there is room for."""
        return max(1, self.page.width() // self._look.px(COLUMN))

    # -- Qt -----------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The page can be scrolled while one searches; where it is wider it has more columns."""
        if watched is self.page and event.type() is QEvent.Type.Resize:
            self._spread()
        if watched is self.search and isinstance(event, QKeyEvent):
            pressed = event.type() is QEvent.Type.KeyPress
            if pressed and event.key() in SCROLLING:
                QApplication.sendEvent(self.page, event)
                return True
        return super().eventFilter(watched, event)


def _told(group: Group, look: Look, keys: int, *, brief: bool) -> str:
    """A group as HTML: its heading, and a row for each entry."""
    p, px = look.palette, look.px
    rows = "".join(
        f'<tr><td width="{keys}%" style="padding: {px(2)}px {px(10)}px {px(2)}px 0;">'
        f"<b>{escape(entry.keys)}</b></td>"
        f'<td style="padding: {px(2)}px {px(10)}px {px(2)}px 0;">{escape(entry.name)}'
        + (
            ""
            if brief or not entry.help
            else f'<br><span style="color: {p.muted};">{escape(entry.help)}</span>'
        )
        + "</td></tr>"
        for entry in group.entries
    )
    return (
        f'<p style="margin: {px(8)}px 0 {px(2)}px 0; color: {p.now_text}; font-weight: 600;">'
        f"{escape(group.title)}</p>"
        f'<table width="100%" cellspacing="0">{rows}</table>'
    )
