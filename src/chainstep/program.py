"""Where programs come from: a file, a notebook, standard input, or the bundled examples.

A program is its text and a name. Reading one follows Python's own rules for source files (PEP
263: a coding line or a byte order mark, else UTF-8), so that what opens here runs there.
"""

from __future__ import annotations

import codecs
import difflib
import importlib.resources
import io
import json
import os
import sys
import tokenize
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from chainstep import notebook
from chainstep.cells import is_notebook
from chainstep.errors import ProgramError

if TYPE_CHECKING:
    from importlib.abc import Traversable

OTHER_ENCODING = ", or name its encoding in a line such as # -*- coding: latin-1 -*- at the top"
"""What else mends a program that is not in the encoding it should be in."""
LARGEST_BYTES = 5_000_000
"""A longer text is no program that anyone steps through; most likely it is the wrong file."""

EXAMPLE_PREFIX = "example:"
LESSON_SUFFIX = ".md"
STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "<stdin>"


@dataclass(frozen=True)
class Program:
    """A text to run.

    Attributes:
        name: As shown: `diamond.py`.
        text: The source, with newlines as in Python.
        path: Its file, absolute; None for an example, standard input, or what was never saved.
    """

    name: str
    text: str
    path: Path | None = None

    @property
    def folder(self) -> Path | None:
        """Where it runs: the folder of its file, links followed as Python does; None without."""
        return None if self.path is None else self.path.resolve().parent


@dataclass(frozen=True)
class Example:
    """A program that comes with Chainstep.

    Attributes:
        name: What `example:NAME` says.
        title: What it shows, for a menu.
        look_for: A sentence on what to look for in it.
        view: The view that it opens in.
        position: The position in the trace that it opens at; negative ones count from the end.
        text: The source.
        pass_index: The backward pass that it opens on, from 0; negative ones count from the end.
    """

    name: str
    title: str
    look_for: str
    view: str
    position: int
    text: str
    pass_index: int = 0

    @property
    def program(self) -> Program:
        """The example as a program to run."""
        return Program(f"{self.name}.py", self.text)


@cache
def examples() -> tuple[Example, ...]:
    """The bundled examples, in the order in which they are to be taught."""
    folder = importlib.resources.files("chainstep.resources") / "examples"
    index = json.loads((folder / "index.json").read_text("utf-8"))
    return tuple(_example(folder, entry) for entry in index)


def _example(folder: Traversable, entry: dict[str, object]) -> Example:
    position, pass_index = entry["position"], entry.get("pass", 0)
    assert isinstance(position, int)
    assert isinstance(pass_index, int)
    name, title, look_for, view = (str(entry[key]) for key in ("name", "title", "look_for", "view"))
    text = (folder / f"{name}.py").read_text("utf-8")
    return Example(name, title, look_for, view, position, text, pass_index)


def is_lesson(spec: str) -> bool:
    """Whether a path has the name of a lesson.

    >>> is_lesson("mine/reuse.md"), is_lesson("reuse.py")
    (True, False)
    """
    return spec.lower().endswith(LESSON_SUFFIX)


def load(spec: str) -> Program:
    """The program that a user named: a path, `example:NAME`, or `-` for standard input.

    Raises:
        ProgramError: There is no such program, or it is not a text that Python could run.
    """
    if spec == STANDARD_INPUT:
        return _standard_input()
    if spec.startswith(EXAMPLE_PREFIX):
        return _named_example(spec.removeprefix(EXAMPLE_PREFIX))
    return _file(spec)


def _named_example(name: str) -> Program:
    known = {example.name: example for example in examples()}
    if name in known:
        return known[name].program
    close = difflib.get_close_matches(name, known, n=1)
    hint = f" Did you mean {EXAMPLE_PREFIX}{close[0]}?" if close else ""
    raise ProgramError(f"There is no example {name!r}.{hint} There are: {', '.join(known)}.")


def _standard_input() -> Program:
    stream = sys.stdin
    if stream is None or stream.closed:
        raise ProgramError("Standard input is closed, so there is no program to read from it.")
    data = stream.buffer.read(LARGEST_BYTES + 1)
    return Program(STANDARD_INPUT_NAME, decode(data, "Standard input"))


def _file(spec: str) -> Program:
    if "\0" in spec or not spec:
        raise ProgramError(f"{spec!r} is no path. Name a .py file, a notebook, or example:NAME.")
    path = Path(os.path.abspath(Path(spec).expanduser()))  # noqa: PTH100  links stay as written
    data = _bytes(path, spec)
    return Program(path.name, text_of(data, path.name, spec), path)


def text_of(data: bytes, name: str, where: str = "") -> str:
    """The text of a program from the bytes of its file: source, or a notebook.

    Args:
        data: What the file holds, or a little more than may be.
        name: The file's name; its ending says what it is.
        where: What messages call it; its name where empty.

    Raises:
        ProgramError: It is not what its name says, or too long.
    """
    if is_notebook(name):
        return notebook.text_of(data, where or name)
    return decode(data, where or name, is_source=not is_lesson(name))


def _bytes(path: Path, spec: str) -> bytes:
    """At most one byte more than is allowed; raises ProgramError with what stands in the way."""
    try:
        if path.is_dir():
            raise ProgramError(f"{spec} is a folder. Name the file in it that you mean.")
        if path.suffix.lower() == ".chainstep":
            raise ProgramError(
                f"{spec} is a saved recording, not a program. Open it with chainstep or with "
                "chainstep trace; to run something, name the .py file."
            )
        if path.exists() and not path.is_file():
            raise ProgramError(
                f"{spec} is a device or a pipe, not a file. Use - to read standard input."
            )
        with path.open("rb") as file:
            most = notebook.LARGEST_BYTES if is_notebook(path.name) else LARGEST_BYTES
            return file.read(most + 1)
    except FileNotFoundError:
        raise ProgramError(
            f"There is no file {spec}. Check the name and the folder ({path.parent})."
        ) from None
    except PermissionError:
        raise ProgramError(f"{spec} may not be read. Give yourself read permission.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise ProgramError(f"{spec} cannot be read: {reason}. Copy it elsewhere.") from error


def decode(data: bytes, where: str, *, is_source: bool = True) -> str:
    """Text from bytes, by Python's own rules.

    Args:
        data: All of it.
        where: What messages call it.
        is_source: Whether a line of it may name the encoding, as in a program. Else it is UTF-8.

    Raises:
        ProgramError: It is too long, not text, or not in the encoding it should be in.
    """
    if len(data) > LARGEST_BYTES:
        limit = f"{LARGEST_BYTES / 1e6:.0f} MB"
        raise ProgramError(f"{where} is larger than {limit}. Is it the file you meant?")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ProgramError(f"{where} is in UTF-16, which is not read. Save it as UTF-8.")
    if b"\0" in data:
        raise ProgramError(f"{where} is not a text: it holds null bytes. Is it the file you meant?")
    encoding = "utf-8-sig"
    try:
        if is_source:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        reason = str(error)  # a line of coding that makes no sense, or a first line not in UTF-8
    else:
        reason = ""
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        words = _undecodable(data, where, encoding, error.start)
        raise ProgramError(f"{words}{OTHER_ENCODING}." if is_source else f"{words}.") from None
    except (LookupError, UnicodeError) as error:  # the coding line names a codec for no text
        reason = str(error).partition(";")[0]
    if reason:
        raise ProgramError(
            f"{where}: {reason}. Mend the coding line at its top, or remove it and save as UTF-8."
        )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _undecodable(data: bytes, where: str, encoding: str, start: int) -> str:
    line = data.count(b"\n", 0, start) + 1
    wanted = encoding.removesuffix("-sig")
    return (
        f"{where} is not in {wanted}: line {line} has a byte that cannot be read "
        f"(0x{data[start]:02x}). Save it as UTF-8"
    )
