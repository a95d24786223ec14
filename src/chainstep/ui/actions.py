"""The QActions of the window, made from its table of commands and kept up to date."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut

from chainstep.ui.command import keys_text

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from PySide6.QtWidgets import QWidget

    from chainstep.ui.command import Command
    from chainstep.ui.theme import Look

SIGN = 12
"""Side of a sign in a menu, in pixels at 100%."""


def _open(_command: Command) -> str:
    return ""


class Actions(QObject):
    """The QActions of a table, kept up to date.

    Args:
        table: The commands.
        window: Where their keys work.
    """

    keys_changed = Signal()
    """Commands have other keys."""

    def __init__(self, table: Iterable[Command], window: QWidget) -> None:
        super().__init__(window)
        self.commands = {command.id: command for command in table}
        self.defaults = dict(self.commands)
        """The commands with the keys that they have by themselves."""
        self._shortcuts: dict[QWidget, list[QShortcut]] = {}
        self._without: dict[QWidget, Container[str]] = {}
        self.gate: Callable[[Command], str] = _open
        """Says why a command cannot be done whatever it says itself; empty where it can."""
        self._actions: dict[str, QAction] = {}
        self._said: dict[str, tuple[bool, str]] = {}
        self._doing = 0
        self._due = False
        self._look: Look | None = None
        self._signed = False
        groups: dict[str, QActionGroup] = {}
        for command in self.commands.values():
            action = QAction(command.menu_text, self)
            action.setObjectName(command.id)
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            action.setCheckable(command.checked is not None)
            action.triggered.connect(partial(self._do, command))
            if command.group:
                if command.group not in groups:
                    groups[command.group] = QActionGroup(self)
                    groups[command.group].setExclusionPolicy(
                        QActionGroup.ExclusionPolicy.ExclusiveOptional
                    )
                groups[command.group].addAction(action)
            self._actions[command.id] = action
            window.addAction(action)
        self.refresh()

    def __getitem__(self, command_id: str) -> QAction:
        if self._due:
            self._refresh()
        return self._actions[command_id]

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale for the signs in menus."""
        self._look, self._signed = look, False

    def show_signs(self) -> None:
        """Put the signs of the buttons on what does the same in menus: once a menu is to open."""
        if self._signed or self._look is None:
            return
        # What draws them is not needed before.
        from chainstep.ui import icons  # noqa: PLC0415

        self._signed = True
        p, size = self._look.palette, self._look.px(SIGN)
        known = icons.names()
        for id_, command in self.commands.items():
            name = command.icon or id_
            if name in known and command.checked is None:
                self._actions[id_].setIcon(icons.sign(name, size, p.text, p.border))

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def _do(self, command: Command, _checked: bool = False) -> None:
        # It may change much one after the other: what can be done then is said once, at its end.
        self._doing += 1
        try:
            command.handler()
        finally:
            self._doing -= 1
        self.refresh()

    def set_keys(self, chosen: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
        """Let commands have other keys, by id: in the window, and on the graph."""
        for id_, command in self.defaults.items():
            keys, canvas_keys = chosen.get(id_, (command.keys, command.canvas_keys))
            self.commands[id_] = replace(command, keys=keys, canvas_keys=canvas_keys)
            action = self._actions[id_]
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setText(self.commands[id_].menu_text)
        for widget, without in list(self._without.items()):
            self.give_keys(widget, without)
        self._said.clear()  # the tool tips name the keys: they are made anew
        self.refresh()
        self.keys_changed.emit()

    def refresh(self) -> None:
        """Say anew of every command whether it can be done, whether it is on, and why not.

        While a command is being done this waits for its end, or until an action is asked for.
        """
        self._due = True
        if not self._doing:
            self._refresh()

    def _refresh(self) -> None:
        self._due = False
        for id_, command in self.commands.items():
            action = self._actions[id_]
            refusal = self._refusal(command)
            said = not refusal, refusal or command.told
            # Every step asks all of them: Qt is told only of those that say something else.
            if self._said.get(id_) != said:
                self._said[id_] = said
                can, tip = said
                action.setEnabled(can)
                action.setStatusTip(tip)
                action.setToolTip(f"{command.name}{keys_text(command)}\n{tip}")
            if command.checked is not None:
                action.setChecked(command.checked())

    def _refusal(self, command: Command) -> str:
        return self.gate(command) or command.refusal()

    def in_menu(self, menu: str) -> list[Command]:
        """The commands of one menu or submenu, in order."""
        return [command for command in self.commands.values() if command.menu == menu]

    def give_keys(self, widget: QWidget, without: Container[str] = ()) -> None:
        """Let the canvas keys work while `widget` or something in it has the focus.

        Args:
            widget: Where they work.
            without: Keys that mean something else there.
        """
        self.take_keys_from(widget)
        given = self._shortcuts[widget] = []
        self._without[widget] = without
        for command in self.commands.values():
            for key in command.canvas_keys:
                if key in without:
                    continue
                shortcut = QShortcut(QKeySequence(key), widget)
                shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                shortcut.activated.connect(self._actions[command.id].trigger)
                given.append(shortcut)

    def take_keys_from(self, widget: QWidget) -> None:
        """The canvas keys work there no more."""
        self._without.pop(widget, None)
        for shortcut in self._shortcuts.pop(widget, []):
            # At once: until the event loop gets to delete it, it would still take its key.
            shortcut.setEnabled(False)
            shortcut.deleteLater()

    def trigger_key(self, pressed: QKeySequence) -> None:
        """Do what a key does in the window or on the graph, if it can be done."""
        for command in self.commands.values():
            if any(QKeySequence(key) == pressed for key in command.keys + command.canvas_keys):
                self[command.id].trigger()

    def refusal_for(self, pressed: QKeySequence) -> str:
        """Why the command with that key cannot be done now; empty where it can, or none has it."""
        for command in self.commands.values():
            if any(QKeySequence(key) == pressed for key in command.keys + command.canvas_keys):
                return self._refusal(command)
        return ""
