"""A text file that is whole up to the last character written, however its writer dies.

Text goes into a memory-mapped file: what has been stored there is the operating system's, and
neither a kill, a crash, nor `os._exit` can lose it. Nor does it hang on a file descriptor that a
program could close, or on a thread that would have to get its turn.
"""

from __future__ import annotations

import io
import mmap
import os

CHUNK_BYTES = 1 << 18
"""How much of the file is mapped, and so counts as memory, at any time."""


class Spool(io.TextIOBase):
    """An append-only text stream over the file at `path`, which must exist.

    The file grows by whole chunks, so that null bytes follow the text. Where the disk is full or
    the file has gone, writing ends silently: the program that is recorded cannot help it.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._chunks = 0
        self._map: mmap.mmap | None = None
        self._used = CHUNK_BYTES
        self._lost = False
        # A process forked off by the program shares the map, and must not write into it.
        os.register_at_fork(after_in_child=self.mute)

    def writable(self) -> bool:
        """Always."""
        return True

    def mute(self) -> None:
        """Drop everything that is written from now on."""
        self._lost = True

    def write(self, text: str, /) -> int:
        """Append `text`. O(its length); one system call per chunk."""
        rest = memoryview(text.encode("utf-8", "backslashreplace"))
        while rest and not self._lost:
            if self._used == CHUNK_BYTES:
                self._grow()
                continue
            assert self._map is not None
            start, size = self._used, min(len(rest), CHUNK_BYTES - self._used)
            # First the count: a signal that breaks in here leaves a gap, never garbled text.
            self._used = start + size
            self._map[start : start + size] = rest[:size]
            rest = rest[size:]
        return len(text)

    def _grow(self) -> None:
        """Map the next chunk. Zeros are written first: a hole in a full disk would be fatal."""
        try:
            descriptor = os.open(self._path, os.O_RDWR)
            try:
                offset = self._chunks * CHUNK_BYTES
                whole = os.pwrite(descriptor, bytes(CHUNK_BYTES), offset) == CHUNK_BYTES
                fresh = mmap.mmap(descriptor, CHUNK_BYTES, offset=offset) if whole else None
            finally:
                os.close(descriptor)
        except OSError:
            fresh = None
        if fresh is None:
            self._lost = True
            return
        if self._map is not None:
            self._map.close()
        self._map = fresh
        self._chunks += 1
        self._used = 0
