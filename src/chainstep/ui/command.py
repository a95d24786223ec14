"""A command: what it is called, its keys, what it does, and why it cannot be done just now.

Keys in `keys` work in the whole window. Keys in `canvas_keys` work where the graph or the
timeline has the focus, so that PageDown still scrolls the editor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

MENUS = {
    "File": "&File",
    "Edit": "&Edit",
    "View": "&View",
    "Graph": "&Graph",
    "Run": "&Run",
    "Step": "&Step",
    "Lessons": "&Lessons",
    "Examples": "E&xamples",
    "Help": "&Help",
}
"""The menus and their titles, each with a letter of its own."""
USUAL_KEYS = {
    "run": "F5",
    "stop": "Shift+F5",
    "step_over": "F10",
    "step_into": "F11",
    "back_over": "PgUp",
    "restart": "Home",
    "previous_phase": "[",
    "next_difference": "N",
    "view_both": "Ctrl+3",
    "check": "Ctrl+F5",
    "next_finding": "F7",
    "finding_page": "Alt+F7",
    "predict_matters": "F4",
    "predict_off": "Ctrl+F4",
    "save": "Ctrl+S",
    "save_as": "Ctrl+Shift+S",
    "lessons": "Ctrl+L",
    "lecture": "F12",
    "lecture_notes": "P",
    "hide_constants": "C",
    "fold_helpers": "O",
}
"""Keys that sentences speak of, as long as nobody chose others."""
ALWAYS = ""


def _always() -> str:
    return ALWAYS


def _never() -> bool:
    return False


@dataclass(frozen=True)
class Command:
    """One thing that the window can do.

    Attributes:
        id: What code and tests call it.
        text: As in the menu, with the mnemonic.
        menu: One of `MENUS`, or `Menu/Submenu`.
        handler: Does it. One that can be checked is called for either change.
        help: One sentence for the tool tip and the status line.
        keys: Keys in the whole window.
        canvas_keys: Keys where the graph or the timeline has the focus.
        icon: Name of its sign; none where empty.
        refusal: Says why it cannot be done now; empty where it can.
        checked: Whether it is on; None for one that is not switched.
        group: Of the commands with the same group exactly one is on.
        line: Whether a line stands above it in the menu.
        spoils: Whether the help tells now what one is to find out.
    """

    id: str
    text: str
    menu: str
    handler: Callable[[], object]
    help: str
    keys: tuple[str, ...] = ()
    canvas_keys: tuple[str, ...] = ()
    icon: str = ""
    refusal: Callable[[], str] = _always
    checked: Callable[[], bool] | None = None
    group: str = ""
    line: bool = False
    spoils: Callable[[], bool] = _never

    @property
    def name(self) -> str:
        """The text without its mnemonic."""
        return self.text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")

    @property
    def told(self) -> str:
        """The help, as far as it may be told now."""
        return self.name if self.spoils() else self.help

    @property
    def menu_text(self) -> str:
        """The text with the key that the menu shows: a canvas key where there is no other."""
        if self.keys or not self.canvas_keys:
            return self.text
        return f"{self.text}\t{pretty(self.canvas_keys[0])}"


def is_now(read: Callable[[], object], value: object) -> Callable[[], bool]:
    """Whether what is read is a value: for a command that is one choice of several."""
    return lambda: read() == value


def keys_text(command: Command) -> str:
    """Its keys in brackets, as people read them; empty where it has none."""
    keys = [pretty(key) for key in command.keys + command.canvas_keys]
    return f"  ({', '.join(keys)})" if keys else ""


def pretty(key: str) -> str:
    """A key as it stands in lists: Left is ←."""
    signs = {"Left": "←", "Right": "→", "PgDown": "PgDn", "Space": "Space"}
    return signs.get(key, key)


def spoken_key(command: Command) -> str:
    """The shortest of its keys, as sentences speak of it; where it has none, what it is called."""
    keys = command.keys + command.canvas_keys
    return min(keys, key=len) if keys else f"“{command.name}”"


def button_key(command: Command) -> str:
    """The same as it stands on a button: ⇧F5; nothing where it has none."""
    keys = command.keys + command.canvas_keys
    return pretty(min(keys, key=len)).replace("Shift+", "⇧") if keys else ""
