"""Every command in one list that is searched by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from chainstep.ui.chooser import Choice, Chooser
from chainstep.ui.command import pretty

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from chainstep.ui.actions import Actions
    from chainstep.ui.theme import Look


def choices(actions: Actions) -> list[Choice]:
    """The commands in the order of the menus, those last that cannot be done now."""
    every = [
        Choice(
            command.id,
            command.name,
            command.menu.replace("/", ", "),
            ", ".join(pretty(key) for key in command.keys + command.canvas_keys),
            command.told,
            command.refusal(),
        )
        for command in actions.commands.values()
    ]
    return sorted(every, key=lambda choice: bool(choice.refusal))


def show(actions: Actions, look: Look, window: QWidget) -> Chooser:
    """Open the list; what is chosen is done where the focus was before."""
    before = QApplication.focusWidget()
    chooser = Chooser("Commands", choices(actions), look, window)

    def do(command_id: str) -> None:
        # What is to be cut or undone is decided by where the focus is.
        if before is not None:
            before.setFocus()
        actions[command_id].trigger()

    chooser.chosen.connect(do)
    chooser.open()
    return chooser
