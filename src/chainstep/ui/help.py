"""The page of keys."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QTextBrowser, QVBoxLayout, QWidget

from chainstep.ui.command import MENUS, pretty

if TYPE_CHECKING:
    from chainstep.ui.actions import Actions

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
SIZE = (760, 620)


def keys_page(actions: Actions) -> str:
    """All keys, menu by menu, as HTML."""
    rows = []
    for menu in MENUS:
        commands = [
            command
            for command in actions.commands.values()
            if command.menu.split("/")[0] == menu and (command.keys or command.canvas_keys)
        ]
        if commands:
            rows.append(f"<tr><td colspan=3><br><b>{menu}</b></td></tr>")
        for command in commands:
            keys = [pretty(key) for key in command.keys]
            keys += [f"{pretty(key)} *" for key in command.canvas_keys]
            cells = (", ".join(keys), command.name, command.told)
            rows.append("".join(f"<td>{escape(cell)}&nbsp;&nbsp;</td>" for cell in cells))
    rows.append("<td colspan=3><br><b>Besides</b></td>")
    rows += [f"<td>{escape(key)}&nbsp;&nbsp;</td><td colspan=2>{what}</td>" for key, what in MORE]
    rows.append("<td colspan=3><br><b>Marks of the timeline</b></td>")
    rows += [f"<td>{sign}&nbsp;&nbsp;</td><td colspan=2>{what}</td>" for sign, what in MARKS]
    table = "".join(row if row.startswith("<tr>") else f"<tr>{row}</tr>" for row in rows)
    return f"<table>{table}</table><p>* where the graph or the timeline has the focus</p>"


def show_keys(actions: Actions, window: QWidget) -> None:
    """Open the page of keys beside the window; it does not get in the way."""
    dialog = QDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Keys")
    page = QTextBrowser()
    page.setAccessibleName("Keys")
    page.setHtml(keys_page(actions))
    column = QVBoxLayout(dialog)
    column.addWidget(page)
    room = window.size() - QSize(40, 80)
    dialog.resize(QSize(*SIZE).boundedTo(room))
    dialog.show()
