"""What is remembered from one window to the next."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

RECENT = 8
"""How many files the menu of recent ones holds."""

SCALES = (80, 90, 100, 110, 125, 150, 175, 200)
"""Sizes of the interface, in percent."""

SPEEDS = (0.5, 1.0, 2.0, 4.0)
"""Steps per second when playing."""


class Theme(Enum):
    """Which colours the window takes."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Settings:
    """Typed access to one QSettings store. What cannot be read is taken for its default.

    Args:
        store: Where to keep things; the user's own store where None.
    """

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings("Chainstep", "Chainstep")

    @property
    def theme(self) -> Theme:
        """The chosen colours."""
        try:
            return Theme(self._store.value("window/theme", Theme.SYSTEM.value))
        except ValueError:
            return Theme.SYSTEM

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.setValue("window/theme", theme.value)

    @property
    def scale(self) -> int:
        """Size of the interface in percent, one of `SCALES`."""
        scale = int(self._number("window/scale", 100))
        return scale if scale in SCALES else 100

    @scale.setter
    def scale(self, percent: int) -> None:
        self._store.setValue("window/scale", percent)

    @property
    def speed(self) -> float:
        """Steps per second when playing, one of `SPEEDS`."""
        speed = self._number("play/speed", 1.0)
        return speed if speed in SPEEDS else 1.0

    @speed.setter
    def speed(self, per_second: float) -> None:
        self._store.setValue("play/speed", per_second)

    @property
    def follows(self) -> bool:
        """Whether the canvas keeps the active node in view."""
        return str(self._store.value("canvas/follows", "true")).lower() == "true"

    @follows.setter
    def follows(self, follows: bool) -> None:
        self._store.setValue("canvas/follows", "true" if follows else "false")

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved last, latest first; only those that are still there."""
        stored = self._store.value("files/recent", [])
        names = [stored] if isinstance(stored, str) else stored
        if not isinstance(names, list):
            return []
        return [path for name in names if (path := Path(str(name))).is_file()][:RECENT]

    def add_recent(self, path: Path) -> None:
        """Put a file at the head of the recent ones."""
        path = path.absolute()
        paths = [path, *(other for other in self.recent if other != path)]
        self._store.setValue("files/recent", [str(other) for other in paths[:RECENT]])

    def bytes_of(self, name: str) -> QByteArray | None:
        """A remembered state of a window or splitter; None where there is none."""
        value = self._store.value(f"state/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def keep_bytes(self, name: str, state: QByteArray) -> None:
        """Remember the state of a window or splitter."""
        self._store.setValue(f"state/{name}", state)

    def _number(self, key: str, default: float) -> float:
        try:
            return float(str(self._store.value(key, default)))
        except ValueError:
            return default
