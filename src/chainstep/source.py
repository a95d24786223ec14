"""The text of a program as messages speak of it: its lines, and which frames belong to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chainstep.cells import Cells

if TYPE_CHECKING:
    import types

LONGEST_QUOTE = 80
"""Letters of a line that a message repeats."""


class Source:
    """A program's text under the name it is compiled with.

    Attributes:
        path: The name that its frames and tracebacks carry.
        text: What it says.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._lines = text.split("\n")
        self._cells = Cells(path, text)

    def quote(self, line: int) -> str:
        r"""A line in brackets, for a message; empty where there is nothing in it.

        >>> Source("p.py", "x = 0\ny = 1 / x").quote(2)
        ' (`y = 1 / x`)'
        """
        text = self._lines[line - 1].strip() if 0 < line <= len(self._lines) else ""
        if not text:
            return ""
        cut = text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 1] + "…"
        return f" (`{cut}`)"

    def at(self, line: int | None) -> str:
        r"""Where something happened, for a message; empty where that is not known.

        >>> Source("p.py", "x = 0\ny = 1 / x").at(2)
        ' in line 2 (`y = 1 / x`)'
        """
        return "" if line is None else f" in {self.spot(line)}{self.quote(line)}"

    def spot(self, line: int) -> str:
        """A line as sentences name it: by its cell in a notebook."""
        return self._cells.spot(line)

    def told(self, trace: str) -> str:
        """A traceback as text, with lines of a notebook named by their cell."""
        if not self._cells.all:
            return trace
        place = re.compile(rf'File "{re.escape(self.path)}", line (\d+)')
        return place.sub(lambda found: self.spot(int(found[1])).capitalize(), trace)

    def existing(self, line: int | None) -> int | None:
        """The line, or the last one where it lies beyond; None for 0 and None."""
        return min(line, len(self._lines)) if line else None

    def line_with(self, text: str) -> int | None:
        """The first line that holds a text; None where none does."""
        found = (number for number, line in enumerate(self._lines, 1) if text in line)
        return next(found, None)

    def line_of(self, frame: types.FrameType | None) -> int | None:
        """The line in which the program is, seen from a frame that it called."""
        while frame is not None:
            if frame.f_code.co_filename == self.path:
                return frame.f_lineno
            frame = frame.f_back
        return None

    def without_others(self, trace: types.TracebackType | None) -> types.TracebackType | None:
        """A traceback as from the program's first frame on."""
        while trace is not None and trace.tb_frame.f_code.co_filename != self.path:
            trace = trace.tb_next
        return trace
