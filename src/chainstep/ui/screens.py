"""Which screen is projected and which the lecturer has, also when one is unplugged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

if TYPE_CHECKING:
    from PySide6.QtCore import QRect, QSize, Qt
    from PySide6.QtGui import QScreen
    from PySide6.QtWidgets import QWidget

    from chainstep.settings import Settings

SETTLED_MS = 150
"""What the system itself needs to move windows away from a screen that is gone."""


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
        if window.isFullScreen() and window.screen() is not screen:
            # One that fills a screen stays on it.
            window.showNormal()
        if window.screen() is not screen:
            window.setScreen(screen)
            window.setGeometry(screen.geometry())
        window.showFullScreen()

    def restore(self, geometry: QRect, state: Qt.WindowState) -> None:
        """Let the window stand as before, where there is a screen for that."""
        window = self._window
        there = any(each.geometry().intersects(geometry) for each in self.all)
        if there and (window.normalGeometry() != geometry or window.screen().name() != self._home):
            window.showNormal()
            window.setGeometry(geometry)
        window.setWindowState(state)

    def place(self, notes: QWidget, size: QSize) -> None:
        """Let the lecturer's window take its screen; where there is one only, a part of that.

        Args:
            notes: The window.
            size: How large it is by itself.
        """
        screen = self.lecturers
        room = (screen or self.projected).availableGeometry()
        notes.showNormal()
        notes.setScreen(screen or self.projected)
        notes.setGeometry(room.x(), room.y(), *size.boundedTo(room.size()).toTuple())
        if screen is not None:
            notes.showMaximized()
