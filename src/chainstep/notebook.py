"""Notebooks as programs: the code cells of an `.ipynb` file as one text with headings.

The file is JSON, and three fields of it are wanted, in two spellings (nbformat 3 and 4); so it is
read here and not by the `nbformat` package, which brings a JSON schema validator with it and
refuses notebooks that open in Jupyter all the same. Nothing ever writes such a file.
"""

from __future__ import annotations

import json
import re
from typing import Any

from chainstep.cells import HEADING, heading
from chainstep.errors import ProgramError
from chainstep.magics import translated

LARGEST_BYTES = 100_000_000
"""Notebooks hold pictures: the text in them is far smaller."""

LONGEST_TITLE = 60
TITLE = re.compile(r"#{1,6}\s+(.*?)\s*#*$", re.MULTILINE)
AGAIN = "Open it in Jupyter and save it again."


def text_of(data: bytes, where: str) -> str:
    """The program that a notebook is; see `chainstep.cells`.

    Raises:
        ProgramError: It is no notebook, one of another language, or has no code cell.
    """
    if len(data) > LARGEST_BYTES:
        limit = f"{LARGEST_BYTES / 1e6:.0f} MB"
        raise ProgramError(f"{where} is larger than {limit}. Clear its outputs in Jupyter.")
    try:
        told = json.loads(data.decode("utf-8-sig"))
        cells = _cells(told)
        language = _language(told.get("metadata"))
    except (ValueError, RecursionError, TypeError, AttributeError, LookupError):
        raise ProgramError(f"{where} is no notebook that can be read. {AGAIN}") from None
    if language and "python" not in language.lower():
        raise ProgramError(f"{where} is a notebook for {language}; only Python can be run.")
    lines: list[str] = []
    number, title = 0, ""
    for kind, source in cells:
        if kind in {"markdown", "heading"}:
            title = _title(source, kind) or title
        elif kind == "code":
            number += 1
            lines += [heading(number, title), *_own(source), ""]
            title = ""
    if not number:
        raise ProgramError(f"{where} has no code cell, so there is nothing to run.")
    return "\n".join(lines)


def _cells(told: dict[str, Any]) -> list[tuple[str, str]]:
    """Kind and text of every cell. Raises what reading odd JSON raises."""
    sheets = told.get("worksheets")
    found = told["cells"] if sheets is None else [c for sheet in sheets for c in sheet["cells"]]
    read: list[tuple[str, str]] = []
    for cell in found:
        source = cell.get("source", cell.get("input", ""))
        text = source if isinstance(source, str) else "".join(source)
        kind = "other" if cell.get("language", "python") != "python" else str(cell["cell_type"])
        read.append((kind, text))
    return read


def _language(metadata: Any) -> str:
    """What a notebook is written in, as far as it says so."""
    for part, field in (("language_info", "name"), ("kernelspec", "language")):
        said = metadata.get(part, {}).get(field) if isinstance(metadata, dict) else None
        if isinstance(said, str):
            return said
    return ""


def _title(source: str, kind: str) -> str:
    """The last heading of a text cell, short enough for one line."""
    found = [" ".join(source.split())] if kind == "heading" else TITLE.findall(source)
    title = found[-1] if found else ""
    return title if len(title) <= LONGEST_TITLE else f"{title[: LONGEST_TITLE - 1]}…"


def _own(source: str) -> list[str]:
    """The lines of a code cell; none of them looks like the heading of another."""
    plain = source.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
    # Half of a surrogate pair, which JSON can hold, is no text that Python could compile.
    plain = plain.encode("utf-8", "backslashreplace").decode("utf-8")
    return [f"#{line}" if HEADING.match(line) else line for line in translated(plain)]
