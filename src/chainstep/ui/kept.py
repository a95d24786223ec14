"""What outlasts a start: what was set in a program, and how one steps and what one sees of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from chainstep.story import Phase

if TYPE_CHECKING:
    from chainstep.settings import Settings
    from chainstep.ui.breaks import Breakpoints
    from chainstep.ui.moves import Moves
    from chainstep.ui.player import Player
    from chainstep.ui.session import Session


def key_of(session: Session) -> str:
    """By what a program is known again: its path, or the name of the example; empty for neither."""
    if session.program.path is not None:
        return f"file:{session.program.path.absolute()}"
    return f"example:{session.example.name}" if session.example is not None else ""


class Keeper(QObject):
    """Gives a session what is kept with its program, and keeps what becomes of it.

    Args:
        session: Whose breakpoints, watches and moved cards they are.
        settings: Where they are kept.
    """

    def __init__(self, session: Session, settings: Settings) -> None:
        super().__init__(session)
        self._session = session
        self._settings = settings
        self._key = ""
        self._kept: tuple[tuple[str, Breakpoints | Moves], ...] = (
            ("", session.breakpoints),
            ("cards of ", session.moves),
        )
        session.program_changed.connect(self._take)
        for _, things in self._kept:
            things.changed.connect(self._keep)
        self._take()

    def _take(self) -> None:
        """Another program: its own come back. One saved under another name keeps those it has."""
        key = key_of(self._session)
        if key == self._key:
            return
        self._key = key
        if any(things.to_text() for _, things in self._kept):
            self._keep()
        elif key:
            texts = [self._settings.kept_with(prefix + key) for prefix, _ in self._kept]
            for (_, things), text in zip(self._kept, texts, strict=True):
                things.take_text(text)

    def _keep(self) -> None:
        for prefix, things in self._kept:
            if self._key and self._settings.kept_with(prefix + self._key) != things.to_text():
                self._settings.keep_with(prefix + self._key, things.to_text())


def keep_ways(session: Session, player: Player, settings: Settings) -> None:
    """Let a session step and show as was chosen last, and keep what is chosen from now on."""
    for phase in Phase:
        session.skip(phase, phase.value in settings.skipped)
    session.set_choices(settings.choices)

    def keep_speed() -> None:
        settings.speed = player.per_second

    def keep_view() -> None:
        if settings.choices != session.choices:
            settings.choices = session.choices
        settings.skipped = frozenset(phase.value for phase in session.skipped)

    player.changed.connect(keep_speed)
    session.view_changed.connect(keep_view)
