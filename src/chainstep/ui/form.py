"""How a file holds its text: what is to stay as it is when the text is written back."""

from __future__ import annotations

import codecs
import difflib
import io
import re
import tokenize
from dataclasses import dataclass

from chainstep.cells import is_notebook
from chainstep.errors import ProgramError
from chainstep.program import decode

MOST_COMPARED = 2_000
"""Changed lines, from the first to the last, among which unchanged ones are looked for."""


MOST_LINES = 5_000
LONGEST_LINE = 10_000
"""A text with more lines, or a longer one, would hold up the window at every stroke."""


def too_long(text: str) -> str:
    """What is too much in a text to be shown, in words; empty where it is not."""
    lines = text.count("\n") + 1
    if lines > MOST_LINES:
        return f"{lines:,} lines, and up to {MOST_LINES:,} are shown"
    longest = max(map(len, text.split("\n")))
    if longest > LONGEST_LINE:
        return f"a line of {longest:,} characters, and lines of up to {LONGEST_LINE:,} are shown"
    return ""


@dataclass(frozen=True)
class Form:
    """How a file holds its text.

    Attributes:
        marked: Whether it begins with UTF-8's byte order mark.
        newline: What ends its lines; of mixed ones the one that comes first.
        ends: What ends each line, where they are mixed; else nothing.
        lines: The lines of the text with these ends.
        exact: Whether writing the text gives the very bytes of the file.
    """

    marked: bool = False
    newline: str = "\n"
    ends: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    exact: bool = True


def form_of(data: bytes | None, name: str) -> Form:
    """The form of a file; a notebook is not written back and has none."""
    if data is None or is_notebook(name):
        return Form()
    marked = data.startswith(codecs.BOM_UTF8)
    try:
        text = decode(data, name)
    except ProgramError:
        return Form(marked, exact=False)
    found = re.findall(rb"\r\n|\r|\n", data)
    newline = found[0].decode() if found else "\n"
    form = Form(marked, newline)
    if len(set(found)) > 1:
        form = Form(marked, newline, tuple(end.decode() for end in found), tuple(text.split("\n")))
    try:
        exact = encoded(text, form) == data
    except ProgramError:
        exact = False
    return form if exact else Form(marked, form.newline, form.ends, form.lines, exact=False)


def encoded(text: str, form: Form) -> bytes:
    """A program as bytes, in the encoding that its own coding line names, else UTF-8.

    Lines that are as they were keep what ends them.

    Raises:
        ProgramError: The encoding lacks a sign of the text, gives another text when it is read
            again, or there is no such encoding.
    """
    first_lines = io.BytesIO("\n".join(text.split("\n")[:2]).encode("utf-8", "replace") + b"\n")
    try:
        encoding = tokenize.detect_encoding(first_lines.readline)[0]
        data = _ended(text, form).encode(encoding)
    except (SyntaxError, LookupError) as error:
        raise ProgramError(f"Not saved: {error}. Mend the coding line at the top.") from error
    except UnicodeEncodeError as error:
        line = len(re.findall(r"\r\n|\r|\n", error.object[: error.start])) + 1
        raise ProgramError(
            f"Not saved: line {line} has {error.object[error.start]!r}, which {error.encoding} "
            "lacks. Change the coding line at the top to utf-8, or remove it."
        ) from error
    data = codecs.BOM_UTF8 + data if form.marked and encoding.startswith("utf-8") else data
    if not encoding.startswith("utf-8") and not _reads_as(data, text):
        raise ProgramError(
            f"Not saved: what is written in {encoding} would be read as another text. "
            "Change the coding line at the top to utf-8, or remove it."
        )
    return data


def _reads_as(data: bytes, text: str) -> bool:
    try:
        return decode(data, "") == text
    except ProgramError:
        return False


def _ended(text: str, form: Form) -> str:
    """The text with the ends that its lines are to have."""
    if not form.ends:
        return text.replace("\n", form.newline)
    lines = text.split("\n")
    ends = [form.newline] * len(lines)
    for old, new, size in _unchanged(form.lines, lines):
        for at in range(min(size, len(form.ends) - old)):
            ends[new + at] = form.ends[old + at]
    ends[-1] = ""
    return "".join(f"{line}{end}" for line, end in zip(lines, ends, strict=True))


def _unchanged(old: tuple[str, ...], new: list[str]) -> list[tuple[int, int, int]]:
    """Runs of lines that are as they were: where, where now, and how many."""
    most = min(len(old), len(new))
    head = next((n for n in range(most) if old[n] != new[n]), most)
    most -= head
    tail = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    found = [(0, 0, head), (len(old) - tail, len(new) - tail, tail)]
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(map(len, middle)) <= MOST_COMPARED:
        blocks = difflib.SequenceMatcher(None, *middle, autojunk=False).get_matching_blocks()
        found += [(head + a, head + b, size) for a, b, size in blocks]
    return found
