"""Which keys may stand for which command, and what stands in the way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence

from chainstep.ui.command import MENUS, pretty

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.ui.command import Command

FIXED = {
    "Esc": "leaves what has the focus",
    "Tab": "goes from part to part",
    "Shift+Tab": "goes from part to part",
    "Shift+F10": "opens the context menu",
    "Menu": "opens the context menu",
    "Alt+Left": "selects an operand",
    "Alt+Right": "selects a consumer",
    "Alt+Up": "selects the node above",
    "Alt+Down": "selects the node below",
}
"""Keys that belong to no command, and what they do."""


@dataclass(frozen=True)
class Keys:
    """The keys of one command: in the whole window, and where the graph has the focus."""

    window: tuple[str, ...] = ()
    graph: tuple[str, ...] = ()

    def on(self, graph: bool) -> tuple[str, ...]:
        """Those of one kind."""
        return self.graph if graph else self.window

    def with_keys(self, graph: bool, keys: tuple[str, ...]) -> Keys:
        """Others of one kind."""
        return Keys(self.window, keys) if graph else Keys(keys, self.graph)


@dataclass(frozen=True)
class Clash:
    """Why a key cannot be had.

    Attributes:
        reason: The sentence.
        holder: Id of the command that has it and could give it up; empty where none can.
    """

    reason: str
    holder: str = ""


def normal(key: str) -> str:
    """A key as Qt writes it, so that two ways of writing it are the same.

    >>> normal("ctrl+shift+s")
    'Ctrl+Shift+S'
    """
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


class Keymap:
    """The keys of all commands, as they are being chosen.

    Args:
        commands: The commands by id, with the keys they have by default.
        chosen: The keys of those that have others.
    """

    def __init__(self, commands: Mapping[str, Command], chosen: Mapping[str, Keys]) -> None:
        self._commands = commands
        self._chosen = {
            command_id: keys for command_id, keys in chosen.items() if command_id in commands
        }

    @property
    def chosen(self) -> dict[str, Keys]:
        """The keys that are not the default ones."""
        return dict(self._chosen)

    def default(self, command_id: str) -> Keys:
        """The keys that a command has by itself."""
        command = self._commands[command_id]
        return Keys(command.keys, command.canvas_keys)

    def keys(self, command_id: str) -> Keys:
        """The keys that it has now."""
        return self._chosen.get(command_id) or self.default(command_id)

    def set_keys(self, command_id: str, keys: Keys) -> None:
        """Give it these."""
        if keys == self.default(command_id):
            self._chosen.pop(command_id, None)
        else:
            self._chosen[command_id] = keys

    def take_away(self, key: str, command_id: str) -> None:
        """The command has that key no more, neither here nor there."""
        keys = self.keys(command_id)
        for graph in (False, True):
            rest = tuple(each for each in keys.on(graph) if normal(each) != normal(key))
            keys = keys.with_keys(graph, rest)
        self.set_keys(command_id, keys)

    def reset(self) -> None:
        """Every command gets its default keys."""
        self._chosen = {}

    def clash(self, command_id: str, key: str, graph: bool) -> Clash | None:
        """What stands in the way of a key for a command; None where nothing does."""
        wanted = normal(key)
        reason = _unfit(wanted, graph)
        if reason:
            return Clash(reason)
        for other_id, command in self._commands.items():
            keys = self.keys(other_id)
            if wanted in {normal(each) for each in (*keys.window, *keys.graph)}:
                if other_id == command_id:
                    return Clash(f"{command.name} has {pretty(wanted)} already.", other_id)
                return Clash(f"{pretty(wanted)} belongs to {command.name}.", other_id)
        return None


def _unfit(key: str, graph: bool) -> str:
    """Why no command can have that key; empty where one can."""
    menu = _menu_of(key)
    if not key:
        return "That is no key."
    if key in FIXED:
        return f"{key} is fixed: it {FIXED[key]}."
    if menu:
        return f"{key} opens the {menu} menu."
    if not graph and types(key):
        return (
            f"{pretty(key)} alone is needed for typing: add Ctrl or Alt, take a function key, or "
            "let it work on the graph only."
        )
    return ""


def types(key: str) -> bool:
    """Whether a key writes or moves in a text: such a key cannot work in the whole window.

    >>> types("Shift+A"), types("Home"), types("Ctrl+A"), types("F7")
    (True, True, False, False)
    """
    return re.match(r"(Shift\+)?(Ctrl\+|Alt\+|Meta\+|F\d)", normal(key)) is None


def _menu_of(key: str) -> str:
    """The menu that Alt and a letter opens; empty where it opens none."""
    for name, title in MENUS.items():
        if key.casefold() == f"alt+{title[title.index('&') + 1]}".casefold():
            return name
    return ""
