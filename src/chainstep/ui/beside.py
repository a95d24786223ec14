"""A run beside the one on show: made otherwise, and held against it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording
    from chainstep.ui.delivery import RunHandle


class Beside(QObject):
    """Runs one program at a time, and hands its recording over in the thread of the window.

    Args:
        runner: Makes a run that has not begun yet.
        parent: Owner, which calls :meth:`close` before it goes.
    """

    _delivered = Signal(int, object)

    def __init__(
        self, runner: Callable[[Program, Options], RunHandle], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._run: RunHandle | None = None
        self._ticket = 0
        self._then: Callable[[Recording], object] | None = None
        self._delivered.connect(self._take, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """Whether a run is on."""
        return self._run is not None

    def start(
        self, program: Program, options: Options, then: Callable[[Recording], object]
    ) -> None:
        """Run a program; a run that is on is left. `then` gets the recording, once."""
        self.stop()
        ticket, self._then = self._ticket, then
        self._run = self._runner(program, options)
        self._run.start(lambda recording: self._deliver(ticket, recording))

    def stop(self) -> None:
        """Leave the run that is on; its recording is never handed over."""
        self._ticket += 1
        run, self._run = self._run, None
        if run is not None:
            run.stop()

    def close(self, timeout_s: float) -> None:
        """Stop what runs, and wait so many seconds for its end."""
        run = self._run
        self.stop()
        if run is not None:
            run.wait(timeout_s)

    def _deliver(self, ticket: int, recording: Recording) -> None:
        """Hand over to the window's thread; one that was left may end when there is no window."""
        if ticket == self._ticket:
            self._delivered.emit(ticket, recording)

    @Slot(int, object)
    def _take(self, ticket: int, recording: Recording) -> None:
        if ticket == self._ticket and self._then is not None:
            self._run = None
            self._then(recording)
