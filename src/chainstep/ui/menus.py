"""The menus of the window, filled from its table of commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from chainstep.ui.command import MENUS

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenuBar, QWidget

    from chainstep.settings import Settings
    from chainstep.ui.actions import Actions
    from chainstep.ui.files import Files


def make_menus(bar: QMenuBar, actions: Actions) -> dict[str, QMenu]:
    """The menus and submenus by name, filled from the table."""
    menus: dict[str, QMenu] = {}
    for name, title in MENUS.items():
        menus[name] = bar.addMenu(title)
        menus[name].setToolTipsVisible(True)
    for command in actions.commands.values():
        if command.menu not in menus:
            above, _, name = command.menu.partition("/")
            menus[command.menu] = menus[above].addMenu(name)
        menu = menus[command.menu]
        if command.line:
            menu.addSeparator()
        menu.addAction(actions[command.id])
    for menu in menus.values():
        _give_letters(menu)
        menu.aboutToShow.connect(actions.show_signs)
    return menus


def _give_letters(menu: QMenu) -> None:
    """Let submenus be opened by a letter that nothing else in the menu has."""
    texts = [action.text().replace("&&", "") for action in menu.actions()]
    taken = {text[text.index("&") + 1].casefold() for text in texts if "&" in text}
    for action in menu.actions():
        name = action.text()
        if action.menu() is None or "&" in name:
            continue
        at = next((n for n, sign in enumerate(name) if sign.casefold() not in taken | {" "}), None)
        if at is not None:
            taken.add(name[at].casefold())
            action.setText(f"{name[:at]}&{name[at:]}")


def recent_menu(
    window: QWidget, above: QMenu, actions: Actions, files: Files, settings: Settings
) -> QMenu:
    """The submenu of files opened last; it is filled when it opens."""
    menu = QMenu("Open &recent", window)

    def fill() -> None:
        menu.clear()
        for number, path in enumerate(settings.recent, start=1):
            name = path.name.replace("&", "&&")
            action = menu.addAction(f"&{number}  {name}")
            action.setStatusTip(str(path))
            action.triggered.connect(lambda _=False, path=path: files.open_path(path))
        if menu.isEmpty():
            menu.addAction("No file yet").setEnabled(False)

    menu.aboutToShow.connect(fill)
    above.insertMenu(actions["save"], menu)
    above.insertSeparator(actions["save"])
    return menu
