"""Notices that a file was changed, replaced or removed by another program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

if TYPE_CHECKING:
    from pathlib import Path

SETTLE_MS = 150
"""Editors replace a file in several strokes: only when they are done is it looked at."""


class Watcher(QObject):
    """Watches one file, or none."""

    noticed = Signal()
    """Something has happened to the file or beside it; it may be the same as before."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._path: Path | None = None
        self._system = QFileSystemWatcher(self)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._look)
        self._system.fileChanged.connect(self._settle.start)
        # A file that is replaced is another one: only its folder tells.
        self._system.directoryChanged.connect(self._settle.start)

    def watch(self, path: Path | None) -> None:
        """Watch this file from now on, and no other."""
        before = [*self._system.files(), *self._system.directories()]
        if before:
            self._system.removePaths(before)
        self._settle.stop()
        self._path = path
        self._add()

    def _add(self) -> None:
        if self._path is None:
            return
        watched = {*self._system.files(), *self._system.directories()}
        for each in (self._path, self._path.parent):
            if str(each) not in watched and each.exists():
                self._system.addPath(str(each))

    def _look(self) -> None:
        self._add()
        self.noticed.emit()
