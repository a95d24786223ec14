"""Plays a session: one step after another, at a chosen speed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.ui.session import Session


class Player(QObject):
    """Steps the session forward by one write at a time until its end, a breakpoint, or paused.

    Args:
        session: What is stepped.
        per_second: Steps per second at first.
    """

    changed = Signal()
    """It began or ceased to play, or the speed is another."""

    def __init__(self, session: Session, per_second: float = 1.0) -> None:
        super().__init__(session)
        self._session = session
        self._per_second = per_second
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)
        session.recording_changed.connect(self.pause)
        session.position_changed.connect(self._rest_at_end)

    @property
    def playing(self) -> bool:
        """Whether it steps by itself."""
        return self._timer.isActive()

    @property
    def per_second(self) -> float:
        """Steps per second."""
        return self._per_second

    def set_speed(self, per_second: float) -> None:
        """Take another speed, also while playing."""
        self._per_second = per_second
        self._timer.setInterval(round(1000 / per_second))
        self.changed.emit()

    def play(self) -> None:
        """Begin to step; at the end of everything the last phase is played again."""
        if not self._session.length:
            return
        if self._session.at_end:
            self._session.previous_phase()
        self._timer.start(round(1000 / self._per_second))
        self.changed.emit()

    def pause(self) -> None:
        """Cease to step."""
        if self.playing:
            self._timer.stop()
            self.changed.emit()

    def pausing(self, move: Callable[[], object]) -> Callable[[], None]:
        """What makes a move of one's own: it no longer steps by itself then."""

        def handler() -> None:
            self.pause()
            move()

        return handler

    def toggle(self) -> None:
        """Play, or pause."""
        if self.playing:
            self.pause()
        else:
            self.play()

    def _advance(self) -> None:
        self._session.step_into()
        if self._session.breakpoints.here or self._session.prediction.question is not None:
            self.pause()

    def _rest_at_end(self) -> None:
        if self._session.at_end:
            self.pause()
