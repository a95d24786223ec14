"""The cells of a notebook that was opened as one text: headings, lines, and which of them run.

The text says everything itself, so that it can be edited, kept and saved like any program:

* `# %% cell 3` begins the third code cell, `# %% cell 3 (off)` one that does not run: its lines
  are comments;
* `# skipped: ` stands before what is no Python but a magic or a shell line.

Standard library only: the child process reads the same text.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass

SUFFIX = ".ipynb"
SKIPPED = "# skipped: "
"""What stands before a magic or a shell line: it is told, and does not run."""

TOLD = re.compile(rf"\s*(?:pass  |.* = (?:\[\]|None)  )?{SKIPPED}(.*)")
HEADING = re.compile(r"# %% cell (\d+)( \(off\))?(?: · (.*))?$")


@dataclass(frozen=True)
class Cell:
    """One code cell.

    Attributes:
        number: Its place among the code cells of the notebook, from 1.
        title: The heading above it in the notebook; empty where there is none.
        runs: Whether it is switched on.
        heading: The line of the text that its heading is, from 1.
        text: What stands below the heading, up to the next one.
    """

    number: int
    title: str
    runs: bool
    heading: int
    text: str


def heading(number: int, title: str = "", *, runs: bool = True) -> str:
    """The line that begins a cell.

    >>> heading(3, "A neuron", runs=False)
    '# %% cell 3 (off) · A neuron'
    """
    return f"# %% cell {number}{'' if runs else ' (off)'}{f' · {title}' if title else ''}"


def is_notebook(name: str) -> bool:
    """Whether a name is that of a notebook."""
    return name.lower().endswith(SUFFIX)


class Cells:
    """The cells of a program; a program that is no notebook has none.

    Args:
        name: The program's name or path.
        text: What it says.
    """

    def __init__(self, name: str, text: str) -> None:
        self.all: tuple[Cell, ...] = _found(text) if is_notebook(name) else ()
        self._headings = [cell.heading for cell in self.all]

    def place(self, line: int) -> tuple[int, int] | None:
        """Number of the cell and line in it, both from 1; None outside of every cell."""
        at = bisect.bisect_right(self._headings, line) - 1
        if at < 0 or line == self._headings[at]:
            return None
        return self.all[at].number, line - self._headings[at]

    def spot(self, line: int) -> str:
        r"""A line as sentences name it.

        >>> Cells("a.ipynb", "# %% cell 1\nx = 1\n").spot(2), Cells("a.py", "x = 1\n").spot(1)
        ('cell 1, line 1', 'line 1')
        """
        found = self.place(line)
        return f"line {line}" if found is None else f"cell {found[0]}, line {found[1]}"

    def skipped(self) -> list[tuple[int, str]]:
        """The magics and shell lines that do not run, each with its line in the whole text."""
        return [
            (cell.heading + number, match[1].strip())
            for cell in self.all
            if cell.runs
            for number, line in enumerate(cell.text.split("\n"), 1)
            if (match := TOLD.match(line)) is not None
        ]


def _found(text: str) -> tuple[Cell, ...]:
    lines = text.split("\n")
    heads = [(number, match) for number, line in enumerate(lines, 1)
             if (match := HEADING.match(line))]  # fmt: skip
    ends = [number - 1 for number, _ in heads[1:]] + [len(lines)]
    return tuple(
        Cell(int(match[1]), match[3] or "", match[2] is None, number, "\n".join(lines[number:end]))
        for (number, match), end in zip(heads, ends, strict=True)
    )


def switched(text: str, number: int, runs: bool) -> str:
    r"""The text with one cell switched on or off; its lines stay where they are.

    >>> switched("# %% cell 1\nif x:\n    y = 1", 1, runs=False)
    '# %% cell 1 (off)\n# if x:\n#     y = 1'
    """
    lines = text.split("\n")
    for cell in _found(text):
        if cell.number != number or cell.runs is runs:
            continue
        lines[cell.heading - 1] = heading(number, cell.title, runs=runs)
        count = len(cell.text.split("\n"))
        for at in range(cell.heading, min(cell.heading + count, len(lines))):
            lines[at] = _shown(lines[at]) if runs else f"# {lines[at]}" if lines[at] else ""
    return "\n".join(lines)


def _shown(line: str) -> str:
    return line.removeprefix("# ")
