"""Reading and writing saved recordings, in threads of their own: they may be large."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.errors import ChainstepError
from chainstep.saved import open_recording, save

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from chainstep.saved import Bookmark, Saved
    from chainstep.trace import Recording


class Recordings(QObject):
    """Reads and writes recordings without holding up the window."""

    kept = Signal(str, str)
    """One was written: its path, and what went wrong, if anything did."""
    read = Signal(object)
    """One was read: calling the object delivers it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._ticket = 0
        self.read.connect(lambda deliver: deliver())

    def forget(self) -> None:
        """Let what is being read come to nothing: another program is open by now."""
        self._ticket += 1

    def open(
        self,
        path: Path,
        then: Callable[[Saved], object],
        otherwise: Callable[[str], object],
    ) -> None:
        """Read a recording.

        Args:
            path: The file.
            then: Called with what it holds.
            otherwise: Called with the reason where it cannot be opened.
        """
        self.forget()
        ticket = self._ticket

        def work() -> None:
            result: Saved | ChainstepError
            try:
                result = open_recording(path)
            except ChainstepError as error:
                result = error
            self._tell(lambda: self.read.emit(lambda: deliver(result)))

        def deliver(result: Saved | ChainstepError) -> None:
            if ticket != self._ticket:
                return
            if isinstance(result, ChainstepError):
                otherwise(str(result))
            else:
                then(result)

        threading.Thread(target=work, name="open", daemon=True).start()

    def write(self, recording: Recording, path: Path, bookmark: Bookmark) -> None:
        """Write a recording."""

        def work() -> None:
            problem = ""
            try:
                save(recording, path, bookmark)
            except ChainstepError as error:
                problem = str(error)
            self._tell(lambda: self.kept.emit(str(path), problem))

        threading.Thread(target=work, name="save").start()

    @staticmethod
    def _tell(signal: Callable[[], object]) -> None:
        """Emit a signal from a thread that may outlive the window."""
        try:
            signal()
        except RuntimeError:
            return
