"""Text that is not saved is kept beside, so that a crash or a kill takes seconds, not hours.

While there is something to lose, the newest text is written at most once per `EVERY_MS`, by a
thread of its own, to a file that is replaced in one stroke. A lock beside it says whose it is:
what lies there without an owner alive is what a crash left behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import threading
import time
import uuid
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from chainstep.errors import ProgramError
from chainstep.program import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.ui.files import Files
    from chainstep.ui.session import Session

EVERY_MS = 1000
"""From the first change that is not kept to its writing."""
FOLDER = "unsaved"
PATTERN = "*.json"
LOCK = ".lock"
LAST_WRITE_S = 2.0
"""How long closing waits for what is being written."""


@dataclass(frozen=True)
class Unsaved:
    """A text that was not saved.

    Attributes:
        name: The program's name.
        text: What it said.
        path: Its file, where it has one.
        when: Seconds since 1970.
    """

    name: str
    text: str
    path: Path | None
    when: float

    def encoded(self) -> bytes:
        """As a file holds it."""
        fields = {
            "name": self.name,
            "path": None if self.path is None else str(self.path),
            "when": self.when,
            "text": self.text,
        }
        # In ASCII, so that half of a surrogate pair, which can be typed, can be written too.
        return json.dumps(fields).encode("ascii")

    @classmethod
    def decoded(cls, data: bytes) -> Unsaved:
        """What a file holds.

        Raises:
            ValueError: It is no such file.
        """
        try:
            fields = json.loads(data)
            path = fields["path"]
            return cls(
                str(fields["name"]),
                str(fields["text"]),
                None if path is None else Path(path),
                float(fields["when"]),
            )
        except (KeyError, TypeError, RecursionError) as error:
            raise ValueError(str(error)) from error


class Keeper:
    """Writes the newest of what it is given to one file, in a thread of its own.

    Args:
        folder: Where; made when there is something to write.
        complain: Called, in that thread, with the sentence that says why nothing can be written;
            once, until something can.
    """

    def __init__(self, folder: Path, complain: Callable[[str], object]) -> None:
        self.path = folder / f"{os.getpid()}-{uuid.uuid4().hex[:8]}.json"
        self._complain = complain
        self._complained = False
        self._lock = QLockFile(str(self.path.with_suffix(LOCK)))
        self._lock.setStaleLockTime(0)  # however long a window stays open, its file is its own
        self._wanted: Unsaved | None = None
        self._then: list[Callable[[], object]] = []
        self._due = False
        self._ends = False
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None

    def keep(self, unsaved: Unsaved | None, then: Callable[[], object] | None = None) -> None:
        """Write this soon, in place of what was to be written; None takes the file away.

        Args:
            unsaved: What to write.
            then: Called in the writing thread once it is on the disk.
        """
        with self._wake:
            if unsaved is None and self._thread is None:
                return
            self._wanted, self._due = unsaved, True
            if then is not None:
                self._then.append(then)
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="recovery", daemon=True)
                self._thread.start()
            self._wake.notify()

    def close(self, timeout_s: float = LAST_WRITE_S) -> None:
        """Write what is due and end."""
        with self._wake:
            self._ends = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._due or self._ends)
                if not self._due:
                    break
                unsaved, self._due = self._wanted, False
                then, self._then = self._then, []
            try:
                self._write(unsaved)
                self._complained = False
                for each in then:
                    each()
            except OSError as error:
                if not self._complained:
                    self._complained = True
                    self._complain(
                        f"What you type cannot be kept against a crash: {self.path.parent} cannot "
                        f"be written ({error.strerror}). Save often."
                    )
        self._lock.unlock()

    def _write(self, unsaved: Unsaved | None) -> None:
        if unsaved is None:
            self.path.unlink(missing_ok=True)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if not self._lock.isLocked():
            self._lock.tryLock(0)
        new = self.path.with_suffix(".new")
        with new.open("wb") as file:
            file.write(unsaved.encoded())
            file.flush()
            os.fsync(file.fileno())
        new.replace(self.path)


class Orphan:
    """A text that nobody alive owns. It is ours to offer until :meth:`release`."""

    def __init__(self, path: Path, unsaved: Unsaved, lock: QLockFile) -> None:
        self.unsaved = unsaved
        self._path = path
        self._lock = lock

    def remove(self) -> None:
        """It is not wanted any more."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
        self._lock.unlock()

    def release(self) -> None:
        """Leave it for the next window."""
        self._lock.unlock()


def orphans(folder: Path) -> list[Orphan]:
    """What was left behind, newest first. What cannot be read is passed over."""
    return sorted(_orphans(folder), key=lambda orphan: orphan.unsaved.when, reverse=True)


def _orphans(folder: Path) -> Iterator[Orphan]:
    for path in folder.glob(PATTERN):
        lock = QLockFile(str(path.with_suffix(LOCK)))
        lock.setStaleLockTime(0)
        # The second attempt is for an owner whose number another process has by now: what a
        # living one holds cannot be removed.
        if not (lock.tryLock(0) or (lock.removeStaleLockFile() and lock.tryLock(0))):
            continue
        try:
            unsaved = Unsaved.decoded(path.read_bytes())
        except (OSError, ValueError):
            lock.unlock()
            continue
        yield Orphan(path, unsaved, lock)


class Recovery(QObject):
    """Keeps the text of a session while it differs from what is saved, and offers what was kept.

    Args:
        session: Whose text.
        files: Knows whether it is saved.
        folder: Where it is kept.
    """

    failed = Signal(str)
    """Nothing can be kept; the sentence says why."""
    asked = Signal(str, str, object)
    """A question that can wait: what it is about, its words, and the answers; see `OfferBar`."""

    def __init__(self, session: Session, files: Files, folder: Path) -> None:
        super().__init__(files)
        self._session = session
        self._files = files
        self._folder = folder / FOLDER
        self._orphans: list[Orphan] = []
        self.keeper = Keeper(self._folder, self.failed.emit)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(EVERY_MS)
        self._timer.timeout.connect(self.keep)
        session.program_changed.connect(self._note)
        files.changed.connect(self._note)

    # -- keeping ------------------------------------------------------------------------

    def _note(self) -> None:
        if not self._files.modified:
            self._timer.stop()
            self.keeper.keep(None)
        elif not self._timer.isActive():
            self._timer.start()

    def keep(self, then: Callable[[], object] | None = None) -> None:
        """Have the text written now, as it is."""
        self._timer.stop()
        program = self._session.program
        if self._files.modified:
            unsaved = Unsaved(program.name, program.text, program.path, time.time())
            self.keeper.keep(unsaved, then)

    def close(self) -> None:
        """The window closes: what was not saved was to be thrown away."""
        self._timer.stop()
        self.keeper.keep(None)
        self.keeper.close()
        for orphan in self._orphans:
            orphan.release()
        self._orphans = []

    # -- what was left behind -----------------------------------------------------------

    def offer(self) -> None:
        """Offer what a window that ended badly left behind, one text after the other."""
        self._orphans += orphans(self._folder)
        self._offer_next()

    def _offer_next(self) -> None:
        while self._orphans and _is_saved(self._orphans[0].unsaved):
            self._orphans.pop(0).remove()
        if self._orphans:
            answers = (("Restore", self._restore), ("Discard", self._discard))
            self.asked.emit(FOLDER, words(self._orphans[0].unsaved), answers)

    def _restore(self) -> None:
        """Show the text; it stays where it is until it is kept as this window's own."""
        orphan = self._orphans[0]

        def shown() -> None:
            self._orphans.remove(orphan)
            self.keep(then=orphan.remove)
            self._offer_next()

        self._files.restore(orphan.unsaved, shown)

    def _discard(self) -> None:
        self._orphans.pop(0).remove()
        self._offer_next()


def _is_saved(unsaved: Unsaved) -> bool:
    """Whether the file says the same by now."""
    try:
        data = unsaved.path.read_bytes() if unsaved.path is not None else b""
        return text_of(data, unsaved.name) == unsaved.text
    except (OSError, ProgramError):
        return False


def words(unsaved: Unsaved) -> str:
    """What is offered: `student.py was not saved when Chainstep ended …`."""
    when = datetime.fromtimestamp(unsaved.when).astimezone()
    lines = unsaved.text.count("\n") + (not unsaved.text.endswith("\n"))
    return (
        f"{unsaved.name} was not saved when Chainstep ended unexpectedly. Its text of "
        f"{when:%d %B, %H:%M} was kept: {lines} line{'' if lines == 1 else 's'}."
    )
