"""Saved recordings: a file of JSON lines that opens at the same step, without running any code.

The lines are those of `codec`, and a last one of our own: where the window stood.

========  ===========================================================================
key       value
========  ===========================================================================
view      ``pass``, ``view``, ``phase``, ``number``, ``selected``; the fields of Bookmark
========  ===========================================================================

A file that is cut or damaged opens up to there, and says so; one that is no recording is refused.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING

from chainstep import codec
from chainstep.codec import Reader, Writer
from chainstep.errors import EnvironmentFault, RecordingError
from chainstep.validation import DECODER, index, text, typed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.trace import Recording

SUFFIX = ".chainstep"
LARGEST_MIB = 256
"""A larger file is most likely the wrong one."""
LONGEST_LINE = 32 << 20
"""Bytes of a line: six times the largest program, of which every letter may be escaped."""
HEAVIEST_LINE = 256 << 20
"""Bytes that the parts of one line may take in memory."""
LONGEST_WORD = 40
"""Letters of the name of a view or phase."""
LARGEST_NUMBER = 2**31 - 1
MARK = '{"view":'


@dataclass(frozen=True, slots=True)
class Bookmark:
    """Where a window stood in a recording. Words are the window's own.

    Attributes:
        pass_index: Which pass was on show, from 0.
        view: Which modes were.
        phase: Which phase the position counts in.
        number: How many of its moments were over.
        selected: Id of the selected node; None for none.
    """

    pass_index: int = 0
    view: str = "accumulate"
    phase: str = "backward"
    number: int = 0
    selected: int | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """A recording that was opened.

    Attributes:
        path: The file.
        recording: What it holds, up to its end or to where it is damaged.
        bookmark: Where to stand in it.
        problem: What is wrong with the file, and where; empty where nothing is.
    """

    path: Path
    recording: Recording
    bookmark: Bookmark
    problem: str = ""


def is_recording(spec: str | Path) -> bool:
    """Whether a path has the name of a saved recording.

    >>> is_recording("mine/diamond.chainstep"), is_recording("diamond.py")
    (True, False)
    """
    return str(spec).lower().endswith(SUFFIX)


# -- saving ---------------------------------------------------------------------------------


def save(recording: Recording, path: Path, bookmark: Bookmark | None = None) -> None:
    """Write a recording to a file, whole or not at all: what was there stays until it is done.

    Takes about a second for each 200,000 steps.

    Raises:
        EnvironmentFault: The file cannot be written.
    """
    target = Path(os.path.realpath(path))  # a link stays a link
    part = target.with_name(f".{target.name[:100]}.{os.urandom(4).hex()}.part")
    if target.exists() and not target.is_file():
        raise EnvironmentFault(f"{path} is not a file. Save it under another name.")
    try:
        with part.open("x", encoding="ascii", newline="\n") as stream:
            _write(recording, bookmark or Bookmark(), stream)
            stream.flush()
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, part)
        part.replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        message = f"{path} cannot be written: {reason}. Save it somewhere else."
        raise EnvironmentFault(message) from error
    finally:
        with contextlib.suppress(OSError):  # it has become the file, or never was one
            part.unlink()


def _write(recording: Recording, bookmark: Bookmark, stream: IO[str]) -> None:
    codec.write(recording, Writer(stream))
    place = {
        "pass": bookmark.pass_index,
        "view": bookmark.view,
        "phase": bookmark.phase,
        "number": bookmark.number,
        "selected": bookmark.selected,
    }
    stream.write(json.dumps({"view": place}, separators=(",", ":")) + "\n")


# -- opening --------------------------------------------------------------------------------


def open_recording(path: Path | str, largest_mib: int = LARGEST_MIB) -> Saved:
    """Read a saved recording; nothing in it is run.

    A damaged file opens up to the damage, with what is wrong in `problem`.

    Raises:
        RecordingError: It is not there, too large, no recording, or damaged in its first line.
    """
    path = Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100  links stay as written
    opener = _Opener()
    try:
        with open(path, "rb", opener=_without_waiting) as stream:
            _refuse_odd_files(path, os.fstat(stream.fileno()), largest_mib)
            problem = opener.read(stream, largest_mib << 20)
    except FileNotFoundError:
        raise RecordingError(f"There is no file {path}. Check the name and the folder.") from None
    except IsADirectoryError:
        raise RecordingError(f"{path} is a folder. Name a {SUFFIX} file in it.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecordingError(f"{path} cannot be read: {reason}.") from error
    if not opener.has_begun:
        raise RecordingError(f"{path.name} cannot be opened. {problem}")
    return Saved(path, opener.reader.recording(), opener.bookmark(), problem)


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe that nobody writes to must not hold up the window."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _refuse_odd_files(path: Path, found: os.stat_result, largest_mib: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise RecordingError(f"{path} is a device or a pipe, not a file. Name a {SUFFIX} file.")
    if found.st_size > largest_mib << 20:
        size = f"{found.st_size / (1 << 20):,.0f} MiB"
        raise RecordingError(
            f"{path} has {size}, and recordings of up to {largest_mib} MiB are opened. "
            "Is it the file you meant?"
        )


class _Opener:
    """Reads the lines of a file, as far as they can be trusted.

    A line that is damaged is the last one read: what comes after it may speak of what it held.
    """

    def __init__(self) -> None:
        self.reader = Reader()
        self.has_begun = False
        self._bookmark: Bookmark | None = None

    def read(self, stream: IO[bytes], budget: int) -> str:
        """Take lines until one is damaged; gives what is wrong, or nothing."""
        number = 0
        for number, line in enumerate(_lines(stream, budget), start=1):
            problem = self._take(line, number)
            if problem and self.has_begun and not line.endswith(b"\n"):
                return f"The recording is cut off in line {number}."
            if problem:
                return problem
        if number == 0:
            return "The file is empty."
        if self.reader.recording().outcome == Reader().recording().outcome:
            return f"The recording is cut off after line {number}."
        return ""

    def _take(self, line: bytes, number: int) -> str:
        """Take one line; gives what is wrong with it, or nothing."""
        where = f"Line {number} of the recording"
        if self._bookmark is not None:
            return f"{where} stands behind its end."
        if len(line) > LONGEST_LINE or _weight(line) > HEAVIEST_LINE:
            return f"{where} is longer than any that Chainstep writes."
        try:
            content = line.decode("utf-8")
            if self.has_begun and content.startswith(MARK):
                self._bookmark = _bookmark(content)
            else:
                self.reader.feed(content)
        except UnicodeDecodeError:
            return f"{where} is damaged: it is not text."
        except RecordingError as error:
            known = str(error).startswith(where)
            return str(error) if known else f"{where} is damaged: {error}."
        self.has_begun = True
        return ""

    def bookmark(self) -> Bookmark:
        """Where to stand, if the recording has that place; else at its beginning."""
        found, recording = self._bookmark or Bookmark(), self.reader.recording()
        if found.pass_index >= max(recording.passes, 1):
            return Bookmark()
        is_there = found.selected is None or found.selected < len(recording.nodes)
        return found if is_there else replace(found, selected=None)


def _lines(stream: IO[bytes], budget: int) -> Iterator[bytes]:
    """The lines of a file that may be growing; a very long one comes in part."""
    while budget > 0 and (line := stream.readline(LONGEST_LINE + 1)):
        budget -= len(line)
        yield line


def _weight(line: bytes) -> int:
    """At least what a line takes in memory once it is parsed, in bytes."""
    if len(line) < HEAVIEST_LINE // 128:
        return 0
    parts = sum(line.count(sign) for sign in (b",", b"[", b"{"))
    return 72 * parts + 128 * line.count(b":")


def _bookmark(content: str) -> Bookmark:
    """The bookmark that a line holds. Raises RecordingError where it holds none."""
    try:
        value = typed(dict, DECODER.decode(content)["view"])
        pass_index, number, selected = (value[key] for key in ("pass", "number", "selected"))
        view, phase = text(value["view"]), text(value["phase"])
    except (ValueError, LookupError, RecursionError) as error:
        raise RecordingError(f"{type(error).__name__}: {error}"[:80]) from None
    return Bookmark(
        _counted(pass_index),
        view[:LONGEST_WORD],
        phase[:LONGEST_WORD],
        _counted(number),
        None if selected is None else _counted(selected),
    )


def _counted(value: object) -> int:
    """A number from 0 that a window can count with."""
    return min(index(value), LARGEST_NUMBER)
