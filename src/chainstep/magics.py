"""What notebooks hold besides Python: magics, shell lines and questions for help.

They become comments, line for line, so that every other line keeps its number. The rules are
those of IPython's own input transformation: https://ipython.readthedocs.io/en/stable/interactive/
"""

from __future__ import annotations

import ast
import re

from chainstep.cells import SKIPPED

RUNNING = frozenset({"time", "capture", "prun", "python", "python3", "debug"})
"""Cell magics whose cell is Python that runs in the notebook's own names."""

CELL_MAGIC = re.compile(r"%%(\w+)")
LINE = re.compile(r"%[A-Za-z_]|!|\?|[/;,]\S")
HELP = re.compile(r"%{0,2}[A-Za-z_*][\w.*]*(\[[^]]*\])?\?{1,2}$")
COMMAND = re.compile(r"(pip3?|conda|mamba|cd|ls|cat|rm|cp|mv|mkdir)\s+(-\w|[A-Za-z~./])[^=(]*$")
"""Commands that IPython takes without a percent sign."""
ASSIGNED = re.compile(r"(?P<target>[A-Za-z_][\w.,\s\[\]'\"]*?)\s*=\s*(?P<what>(!|%[A-Za-z_]).*)$")
TIMED = re.compile(r"%time\s+(?P<statement>.+)$")
TOKEN = re.compile(r"'''|\"\"\"|'|\"|#|[][(){}]")


def translated(source: str) -> list[str]:
    """The lines of a cell as Python; each magic or shell line is a comment that tells of it."""
    lines = source.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    magic = CELL_MAGIC.match(lines[first]) if first is not None else None
    if first is None or magic is None:
        return _lines(lines)
    head = [*lines[:first], f"{SKIPPED}{lines[first]}"]
    if magic[1] in RUNNING:
        return head + _lines(lines[first + 1 :])
    return head + [f"# {line}" if line else "" for line in lines[first + 1 :]]


def _lines(lines: list[str]) -> list[str]:
    state, done, goes_on = _Statements(), list[str](), False
    for line in lines:
        if goes_on:  # the rest of a shell line
            done.append(f"# {line}")
            goes_on = line.endswith("\\")
            continue
        found = _plain(line) if state.at_start else None
        if found is None:
            state.feed(line)
            done.append(line)
        else:
            done.append(found)
            goes_on = line.endswith("\\")
    return done


def _plain(line: str) -> str | None:
    """A line that is no Python as Python; None where it is left alone."""
    text = line.strip()
    indent = line[: len(line) - len(line.lstrip())]
    timed = TIMED.match(text)
    if timed and _is_python(timed["statement"]):
        return f"{indent}{timed['statement']}"
    if LINE.match(text) or HELP.match(text) or COMMAND.match(text):
        return f"{indent}{'pass  ' if indent else ''}{SKIPPED}{text}"
    assigned = ASSIGNED.match(text)
    if assigned is None:
        return None
    target, what = assigned["target"], assigned["what"]
    timed = TIMED.match(what)
    if timed and _is_python(timed["statement"]):
        return f"{indent}{target} = {timed['statement']}"
    return f"{indent}{target} = {'[]' if what.startswith('!') else 'None'}  {SKIPPED}{what}"


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class _Statements:
    """Whether the next line begins a statement: no bracket, text or backslash is open."""

    def __init__(self) -> None:
        self._depth = 0
        self._quote = ""
        self._continues = False

    @property
    def at_start(self) -> bool:
        return not (self._depth or self._quote or self._continues)

    def feed(self, line: str) -> None:
        """Take a line."""
        at, self._continues = 0, False
        while True:
            if self._quote:
                end = re.compile(rf"\\.|{self._quote}").search(line, at)
                while end is not None and end[0] != self._quote:
                    end = re.compile(rf"\\.|{self._quote}").search(line, end.end())
                if end is None:
                    is_open = len(self._quote) == 3 or line.endswith("\\")
                    self._quote = self._quote if is_open else ""
                    return
                at, self._quote = end.end(), ""
            token = TOKEN.search(line, at)
            if token is None:
                self._continues = line.endswith("\\")
                return
            if token[0] == "#":
                return
            at = token.end()
            if token[0] in "([{":
                self._depth += 1
            elif token[0] in ")]}":
                self._depth = max(0, self._depth - 1)
            else:
                self._quote = token[0]
