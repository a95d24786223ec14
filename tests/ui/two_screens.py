"""A lecture with two screens, in a process of its own: prints where each window stands.

Qt's screenless platform takes screens from a file, and only when it starts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import RECORDINGS

from chainstep.settings import Settings
from chainstep.ui.main_window import MainWindow
from chainstep.ui.screens import Screens
from chainstep.ui.session import Session, prepare


def main() -> None:
    """Begin a lecture, swap the screens, unplug and plug in, leave."""
    application = QApplication([])
    settings = Settings(QSettings(sys.argv[1], QSettings.Format.IniFormat))
    session = Session(lambda *_: None)
    session._adopt(prepare(RECORDINGS["forced"]))
    window = MainWindow(settings)
    window.fill(session, ())
    window.setGeometry(40, 30, 900, 600)
    window.show()
    lecturing, actions = window.parts.lecturing, window.parts.actions
    found = {}

    def keep(name: str) -> None:
        application.processEvents()
        notes, view = lecturing.notes, lecturing.view
        found[name] = {
            "window": window.screen().name(),
            "place": [window.x(), window.y(), window.width(), window.height()],
            "full": window.isFullScreen(),
            "notes": notes and notes.screen().name(),
            "inside": notes and notes.screen().geometry().intersects(notes.geometry()),
            "plate": view.plate.text() if view is not None and view.plate.isVisible() else "",
            "swaps": actions["lecture_swap"].isEnabled(),
        }

    def plug(names: tuple[str, ...]) -> None:
        plugged = [each for each in QApplication.screens() if each.name() in names]
        Screens.all = property(lambda _: plugged)
        lecturing._screens.changed.emit()

    keep("desk")
    actions["lecture"].trigger()
    keep("lecture")
    actions["lecture_swap"].trigger()
    keep("swapped")
    actions["lecture"].trigger()
    keep("left")
    actions["lecture"].trigger()
    keep("again")
    actions["lecture_swap"].trigger()
    began = lecturing.notes._began
    plug(("desk",))
    keep("projector unplugged")
    plug(("desk", "projector"))
    keep("plugged in")
    plug(("projector",))
    keep("desk unplugged")
    lecturing.notes.close()
    keep("notes closed")
    plug(("desk", "projector"))
    keep("notes again")
    found["notes again"]["began"] = lecturing.notes._began == began
    actions["lecture"].trigger()
    keep("over")
    sys.stdout.write(json.dumps(found))
    window._may_close = True
    window.close()


if __name__ == "__main__":
    main()
