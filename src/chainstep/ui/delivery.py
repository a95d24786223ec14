"""What a run recorded, made ready in the thread of the run and delivered in that of the window."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal, Slot

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.trace import Recording
    from chainstep.ui.prepared import Prepared


class RunHandle(Protocol):
    """A run that can be started once and stopped; see `chainstep.runner.Run`."""

    def start(self, finished: Callable[[Recording], None]) -> None:
        """Begin; `finished` is called once, on any thread."""

    def stop(self) -> None:
        """Ask for an early end; what was recorded so far is still delivered."""

    def wait(self, timeout_s: float | None = None) -> object:
        """Block until the run has ended, or that many seconds."""


class Delivery(QObject):
    """One run or one layout at a time; what was abandoned is never delivered.

    Args:
        take: Called in the thread of the window with what is ready, and whether it is no more
            than another pass or another layout of what was recorded before.
        parent: Owner.
    """

    changed = Signal()
    """A run or a layout has begun or ended."""

    _prepared = Signal(int, object)

    def __init__(self, take: Callable[[Prepared, bool], None], parent: QObject) -> None:
        super().__init__(parent)
        self._take = take
        self._run: RunHandle | None = None
        self._recorded = False
        self._ticket = 0
        self._lock = threading.Lock()
        self._prepared.connect(self._show, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """A run is on, or something is being laid out."""
        return self._run is not None

    @property
    def laying_out(self) -> bool:
        """Everything is recorded, and is being laid out."""
        return self.running and self._recorded

    @property
    def lays(self) -> bool:
        """Nothing runs but a layout."""
        return isinstance(self._run, _Laying)

    @property
    def only_a_pass(self) -> bool:
        """What is being laid out was recorded before."""
        return isinstance(self._run, _Laying) and self._run.only_a_pass

    def start(self, run: RunHandle, work: Callable[[Recording], Prepared]) -> None:
        """Begin a run; `work` makes what it records ready, in the thread of the run."""
        ticket = self._ticket
        self._recorded = False
        self._run = run
        run.start(lambda recording: self._deliver(ticket, lambda: work(recording)))
        self.changed.emit()

    def lay(self, work: Callable[[], Prepared], only_a_pass: bool = True) -> None:
        """Make something ready to be shown in a thread of its own."""
        ticket = self._ticket
        self._recorded = True
        self._run = _Laying(lambda: self._deliver(ticket, work), only_a_pass)
        self._run.start(lambda _: None)
        self.changed.emit()

    def stop(self) -> None:
        """Stop the run; what it recorded so far is still delivered."""
        if self._run is not None:
            self._run.stop()

    def abandon(self) -> RunHandle | None:
        """Stop a run and never hand over what it delivers; gives that run, where there is one."""
        with self._lock:
            self._ticket += 1
        run, self._run = self._run, None
        if run is not None:
            run.stop()
            self.changed.emit()
        return run

    def _deliver(self, ticket: int, work: Callable[[], Prepared]) -> None:
        """Prepare in the thread that calls, then hand over to the window's."""
        result: Prepared | Exception
        with self._lock:
            if ticket != self._ticket:
                return
            self._recorded = True
        try:
            result = work()
        except Exception as fault:  # noqa: BLE001  raised again where the window can show it
            result = fault
        with self._lock:
            if ticket == self._ticket:
                self._prepared.emit(ticket, result)

    @Slot(int, object)
    def _show(self, ticket: int, result: Prepared | Exception) -> None:
        if ticket != self._ticket:
            return
        only_a_pass = self.only_a_pass
        self._run = None
        self.changed.emit()
        if isinstance(result, Exception):
            raise result
        self._take(result, only_a_pass)


class _Laying:
    """A run of nothing but a layout, in a thread of its own; it cannot be stopped, only left."""

    def __init__(self, work: Callable[[], None], only_a_pass: bool) -> None:
        self.only_a_pass = only_a_pass
        self._thread = threading.Thread(target=work, name="layout", daemon=True)

    def start(self, finished: Callable[[Recording], None]) -> None:  # noqa: ARG002  work delivers
        self._thread.start()

    def stop(self) -> None:
        """Nothing to stop: what it delivers is left unshown."""

    def wait(self, timeout_s: float | None = None) -> None:
        self._thread.join(timeout_s)
