"""Which screen is projected and which the lecturer has, also when one is unplugged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtCore import QSize
    from PySide6.QtGui import QScreen
    from PySide6.QtWidgets import QWidget

    from chainstep.settings import Settings

SETTLED_MS = 150
"""What the system itself needs to move windows away from a screen that is gone."""


FILLING = Qt.WindowState.WindowMaximized | Qt.WindowState.WindowFullScreen
"""States in which a window takes a whole screen."""


class Screens(QObject):
    """The screens of a lecture.

    What is projected goes to the screen that was chosen for it by swapping; before that, to the
    one on which the window did not stand. The lecturer has the other one.

    Args:
        window: What is projected.
        settings: Where it is kept which screen was chosen.
    """

    changed = Signal()
    """One was plugged in or unplugged, and the system has had time to move the windows."""

    def __init__(self, window: QWidget, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._home = ""
        self._settling = QTimer(self)
        self._settling.setSingleShot(True)
        self._settling.setInterval(SETTLED_MS)
        self._settling.timeout.connect(self.changed)
        application = QGuiApplication.instance()
        assert isinstance(application, QGuiApplication)
        for signal in (application.screenAdded, application.screenRemoved):
            signal.connect(self._settle)

    def _settle(self, _screen: QScreen) -> None:
        self._settling.start()

    @property
    def all(self) -> list[QScreen]:
        """Every screen that is plugged in."""
        return QGuiApplication.screens()

    def begin(self) -> None:
        """Remember where the window stands."""
        self._home = self._window.screen().name()

    @property
    def projected(self) -> QScreen:
        """The one for the graph."""
        every, chosen = self.all, self._settings.lecture_screen
        away = (each for each in every if each.name() != self._home)
        named = next((each for each in every if each.name() == chosen), None)
        return named or next(away, None) or every[0]

    @property
    def lecturers(self) -> QScreen | None:
        """The one for the lecturer; None where there is only one screen."""
        others = [each for each in self.all if each is not self.projected]
        home = next((each for each in others if each.name() == self._home), None)
        return home or next(iter(others), None)

    def swap(self) -> None:
        """Let the two change places, from now on."""
        other = self.lecturers
        if other is not None:
            self._settings.lecture_screen = other.name()

    # -- putting windows there ----------------------------------------------------------

    def fill(self) -> None:
        """Let what is projected take the whole of its screen."""
        window, screen = self._window, self.projected
        if window.screen() is not screen:
            _move(window, screen, screen.geometry())
        window.showFullScreen()

    def restore(self, geometry: QRect, state: Qt.WindowState) -> None:
        """Let the window stand as before, where there is a screen for that."""
        window = self._window
        there = any(each.geometry().intersects(geometry) for each in self.all)
        if there and (window.normalGeometry() != geometry or window.screen().name() != self._home):
            home = (each for each in self.all if each.name() == self._home)
            _move(window, next(home, window.screen()), geometry)
        window.setWindowState(state)
        window.show()

    def place(self, notes: QWidget, size: QSize) -> None:
        """Let the lecturer's window take its screen; where there is one only, a part of that.

        Args:
            notes: The window.
            size: How large it is by itself.
        """
        screen = self.lecturers
        room = (screen or self.projected).availableGeometry()
        size = size.boundedTo(room.size())
        _move(notes, screen or self.projected, QRect(room.topLeft(), size))
        if screen is None:
            notes.showNormal()
        elif _is_wayland():
            # Only a window that fills its screen may say which one that is.
            notes.showFullScreen()
        else:
            notes.showMaximized()


def _is_wayland() -> bool:
    return QGuiApplication.platformName().startswith("wayland")


def _move(window: QWidget, screen: QScreen, geometry: QRect) -> None:
    """Let a window be somewhere else as soon as it is shown."""
    if window.windowState() & FILLING:
        if _is_wayland():
            # There a window that is told to fill a screen must not take another size meanwhile:
            # that ends the program. A window that is shown anew was told nothing yet.
            window.hide()
        # One that fills a screen stays on it.
        window.showNormal()
    window.setScreen(screen)
    window.setGeometry(geometry)
