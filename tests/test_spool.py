"""The file that is whole up to the last character, however its writer dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from chainstep import spool
from chainstep.spool import Spool


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "spool"
    path.touch()
    return path


def text_of(path):
    return path.read_bytes().rstrip(b"\0").decode()


def test_what_is_written_is_in_the_file_at_once(path):
    out = Spool(str(path))
    assert out.write("one\n") == 4
    out.write("größe\n")
    assert text_of(path) == "one\ngröße\n"


def test_text_runs_on_over_any_number_of_chunks(path, monkeypatch):
    monkeypatch.setattr(spool, "CHUNK_BYTES", 1 << 12)
    out = Spool(str(path))
    pieces = [f"{number:06d}" * (number % 300) for number in range(200)]
    for piece in pieces:
        out.write(piece)
    assert text_of(path) == "".join(pieces)


def test_nothing_is_lost_when_the_writer_is_killed_in_the_middle(path):
    code = (
        "import os, signal, sys; from chainstep.spool import Spool;"
        "out = Spool(sys.argv[1]);"
        "[out.write(f'{n}\\n') for n in range(100_000)];"
        "os.closerange(0, 1000); out.write('x' * 10**6); os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", code, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert text_of(path) == "".join(f"{n}\n" for n in range(100_000)) + "x" * 10**6


def test_a_forked_process_writes_nothing_into_it(path):
    code = (
        "import os, sys; from chainstep.spool import Spool;"
        "out = Spool(sys.argv[1]); out.write('before '); child = os.fork();"
        "out.write('after' if child else 'FORKED'); child and os.wait()"
    )
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert text_of(path) == "before after"


@pytest.mark.parametrize("room", [0, 100])
def test_a_full_disk_ends_the_writing_and_not_the_program(path, monkeypatch, room):
    monkeypatch.setattr(spool, "CHUNK_BYTES", 1 << 12)
    out = Spool(str(path))
    out.write("kept" * 1024)
    monkeypatch.setattr(os, "pwrite", lambda *_: room)
    out.write("lost")
    out.write("lost")
    assert text_of(path) == "kept" * 1024


def test_a_file_that_was_removed_ends_the_writing_and_not_the_program(path, monkeypatch):
    monkeypatch.setattr(spool, "CHUNK_BYTES", 1 << 12)
    out = Spool(str(path))
    out.write("kept" * 1024)
    path.unlink()
    assert out.write("lost") == 4
