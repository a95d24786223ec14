"""Where programs come from, and what is said where one cannot be had."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest

from chainstep import program
from chainstep.errors import ProgramError
from chainstep.program import Program, examples, load


def test_a_file_is_its_text_its_name_and_its_absolute_path(tmp_path, monkeypatch):
    (tmp_path / "diamond.py").write_text("a = 1\n")
    monkeypatch.chdir(tmp_path)
    assert load("diamond.py") == Program("diamond.py", "a = 1\n", tmp_path / "diamond.py")


def test_the_folder_is_that_of_the_file_which_a_link_leads_to(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "real.py").write_text("")
    (tmp_path / "link.py").symlink_to(tmp_path / "there" / "real.py")
    linked = load(str(tmp_path / "link.py"))
    assert linked.name == "link.py"
    assert linked.folder == tmp_path / "there"


def test_a_program_without_a_file_has_no_folder():
    assert Program("untitled.py", "").folder is None


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\r\ny = 2\rz = 3\n", "x = 1\ny = 2\nz = 3\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        ("s = 'é'\n".encode(), "s = 'é'\n"),
        (b"# -*- coding: latin-1 -*-\ns = '\xe9'\n", "# -*- coding: latin-1 -*-\ns = 'é'\n"),
        (b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'\x80'", None),
        (b"", ""),
    ],
)
def test_a_source_file_is_read_by_the_rules_of_python(tmp_path, data, text):
    path = tmp_path / "p.py"
    path.write_bytes(data)
    if text is None:
        text = "#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\n'€'"
    assert load(str(path)).text == text


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"x = 1\ns = '\xe9'\n", ["not in utf-8", "line 2", "0xe9", "Save it as UTF-8"]),
        (b"\xe9\n", ["not in utf-8", "line 1"]),
        (b"# coding: ascii\ns = '\xc3\xa9'\n", ["not in ascii", "line 2"]),
        (b"# coding: klingon\n", ["klingon", "coding line"]),
        (b"# coding: rot13\n", ["rot13", "coding line"]),
        (b"\xef\xbb\xbf# coding: latin-1\n", ["coding line"]),
        ("x = 1\n".encode("utf-16"), ["UTF-16", "UTF-8"]),
        (b"\x7fELF\x02\x00\x00", ["not a text", "null bytes"]),
        (b"#" * 5_000_001, ["larger than 5 MB"]),
    ],
)
def test_what_is_no_source_file_is_refused_with_the_reason(tmp_path, data, words):
    path = tmp_path / "p.py"
    path.write_bytes(data)
    with pytest.raises(ProgramError) as refused:
        load(str(path))
    for word in [str(path), *words]:
        assert word in str(refused.value)


def test_a_file_of_just_the_largest_size_is_read(tmp_path):
    path = tmp_path / "p.py"
    path.write_bytes(b"#" * 5_000_000)
    assert len(load(str(path)).text) == 5_000_000


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gone.py", ["no file gone.py", "Check the name"]),
        (".", ["is a folder", "Name the file in it"]),
        ("", ["no path"]),
        ("a\0b.py", ["no path"]),
        ("some.chainstep", ["saved recording", "name the .py file"]),
        ("notes.ipynb", ["no file notes.ipynb"]),
        ("pipe", ["pipe"]),
        ("x" * 300, ["cannot be read"]),
        ("gone.py/p.py", ["no file"]),
    ],
)
def test_what_cannot_be_opened_is_refused_with_what_to_do(tmp_path, monkeypatch, spec, words):
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    with pytest.raises(ProgramError) as refused:
        load(spec)
    for word in words:
        assert word in str(refused.value)


def test_a_file_that_may_not_be_read_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "p.py"
    path.write_text("")

    def forbidden(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(program.Path, "open", forbidden)
    with pytest.raises(ProgramError, match="may not be read"):
        load(str(path))


class _Stdin(io.TextIOWrapper):
    pass


def test_standard_input_is_a_program_too(monkeypatch):
    monkeypatch.setattr(sys, "stdin", _Stdin(io.BytesIO(b"x = 1\n")))
    assert load("-") == Program("<stdin>", "x = 1\n", None)


def test_standard_input_that_is_no_text_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", _Stdin(io.BytesIO(b"\xff")))
    with pytest.raises(ProgramError, match="Standard input is not in utf-8"):
        load("-")


def test_standard_input_that_is_closed_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ProgramError, match="closed"):
        load("-")


def test_every_example_can_be_loaded_by_its_name():
    found = examples()
    assert found
    for example in found:
        assert load(f"example:{example.name}") == Program(f"{example.name}.py", example.text)
        assert example.title
        assert example.look_for
        assert isinstance(example.position, int)
    assert len({example.name for example in found}) == len(found)


def test_an_example_that_does_not_exist_is_refused_with_the_nearest_name():
    with pytest.raises(ProgramError, match=r"no example 'diamnd'.*example:diamond.*neuron"):
        load("example:diamnd")


def test_programs_can_be_loaded_where_no_window_can_open():
    code = (
        "import sys, chainstep.program, chainstep.runner;"
        "sys.exit(any(name.startswith(('PySide6', 'networkx')) for name in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("codec", ["punycode", "undefined"])
def test_a_coding_line_that_names_no_codec_for_text_is_refused(tmp_path, codec):
    path = tmp_path / "odd.py"
    path.write_bytes(f"# coding: {codec}\na = 1\n".encode())
    with pytest.raises(ProgramError, match=r"odd\.py"):
        load(str(path))
