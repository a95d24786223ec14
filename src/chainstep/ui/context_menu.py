"""The menus of a node, of an edge and of the graph: actions of the menu bar, gathered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QWidget

if TYPE_CHECKING:
    from PySide6.QtCore import QPoint

    from chainstep.ui.actions import Actions

LINE = ""
KEPT = (LINE, "undo_move", "reset_positions")
CONTENTS = {
    "node": (
        *("run_to_node", "toggle_breakpoint", "watch", LINE),
        *("next_write", "previous_write", "last_write", LINE),
        *("change_data", "copy_name", "copy_data", "copy_gradient", LINE),
        *("neighbourhood", "hide_constants", "fold_helpers", "fit_selection", *KEPT),
    ),
    "edge": (
        *("next_write", "previous_write", "last_write", LINE),
        *("toggle_breakpoint", "watch", "copy_gradient", LINE),
        *("neighbourhood", "fit_selection"),
    ),
    "graph": (
        *("fit", "zoom_in", "zoom_out", "zoom_actual", "follow", LINE),
        *("hide_constants", "fold_helpers", "left_to_right", "top_down", LINE),
        *("find", "select_all_nodes", *KEPT),
    ),
}
"""Ids of commands, by what the menu is for."""
TITLES = {"node": "Selected node", "edge": "Edge", "graph": "Graph"}


def menu(actions: Actions, kind: str, parent: QWidget) -> QMenu:
    """The menu for a kind of thing; its actions are the very ones of the menu bar."""
    made = QMenu(TITLES[kind], parent)
    made.setAccessibleName(TITLES[kind])
    made.setToolTipsVisible(True)
    for command_id in CONTENTS[kind]:
        if command_id == LINE:
            made.addSeparator()
        else:
            made.addAction(actions[command_id])
    return made


def show(actions: Actions, kind: str, place: QPoint, parent: QWidget) -> None:
    """Open the menu at a point of the screen; it is gone once it is closed."""
    made = menu(actions, kind, parent)
    made.aboutToHide.connect(made.deleteLater)
    made.popup(place)
