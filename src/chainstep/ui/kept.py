"""Breakpoints and watches, kept with the program they were set in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

if TYPE_CHECKING:
    from chainstep.settings import Settings
    from chainstep.ui.session import Session


def key_of(session: Session) -> str:
    """By what a program is known again: its path, or the name of the example; empty for neither."""
    if session.program.path is not None:
        return f"file:{session.program.path.absolute()}"
    return f"example:{session.example.name}" if session.example is not None else ""


class Keeper(QObject):
    """Gives a session the breakpoints and watches of its program, and keeps what becomes of them.

    Args:
        session: Whose breakpoints they are.
        settings: Where they are kept.
    """

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__(session)
        self._session = session
        self._settings = settings
        self._key = ""
        session.program_changed.connect(self._take)
        session.breakpoints.changed.connect(self._keep)
        self._take()

    def _take(self) -> None:
        """Another program: its own come back. One saved under another name keeps those it has."""
        key = key_of(self._session)
        if key == self._key:
            return
        self._key = key
        breakpoints = self._session.breakpoints
        if breakpoints.items or breakpoints.watches:
            self._keep()
        elif key:
            breakpoints.take_text(self._settings.kept_with(key))

    def _keep(self) -> None:
        if self._key:
            self._settings.keep_with(self._key, self._session.breakpoints.to_text())
