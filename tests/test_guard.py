"""A run that nobody asked for ends before it does anything beyond its process."""

from __future__ import annotations

import os
import sys

import pytest

from chainstep.guard import reaching
from chainstep.options import Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.trace import Status

HERE = sys._getframe()


@pytest.mark.parametrize(
    ("event", "args", "words"),
    [
        ("open", ("/tmp/log.txt", "w", 0), "writes to log.txt"),
        ("open", ("log.txt", "ab", 0), "writes to log.txt"),
        ("open", (b"log.txt", "rb+", 0), "writes to log.txt"),
        ("open", ("log.txt", None, os.O_CREAT | os.O_WRONLY), "writes to log.txt"),
        ("open", ("data.csv", "r", 0), ""),
        ("open", ("data.csv", None, os.O_RDONLY), ""),
        ("open", (1, "w", 0), ""),
        ("open", (os.devnull, "w", 0), ""),
        ("os.remove", ("old/log.txt", -1), "changes log.txt"),
        ("subprocess.Popen", ("ls", ["ls"], None, None), "starts another process"),
        ("os.system", (b"ls",), "starts another process"),
        ("socket.connect", (None, ("localhost", 80)), "uses the network"),
        ("import", ("math", None, None), ""),
    ],
)
def test_what_reaches_beyond_the_process_is_told_from_what_does_not(event, args, words):
    assert reaching(event, args, HERE) == words


def test_what_importing_does_by_itself_is_left_out():
    code = compile("import sys; seen = sys._getframe()", "<frozen importlib._bootstrap>", "exec")
    names = {}
    exec(code, names)
    assert reaching("open", ("x.pyc", None, os.O_WRONLY), names["seen"]) == ""
    assert reaching("subprocess.Popen", ("ls",), names["seen"]) == ""


@pytest.mark.parametrize("guarded", [True, False])
def test_a_guarded_run_ends_before_it_writes_and_says_where(tmp_path, guarded):
    log = tmp_path / "log.txt"
    text = (
        "from chainstep import Value\n"
        "a = Value(2.0)\n"
        "(a * 3.0).backward()\n"
        f"with open({str(log)!r}, 'a') as file:\n"
        "    file.write('1')\n"
    )
    recording = run(Program("program.py", text), Options(guarded=guarded))
    assert log.exists() is not guarded
    # What came before is there.
    assert recording.passes == 1
    if guarded:
        assert recording.outcome.status is Status.STOPPED
        assert recording.outcome.message == "It writes to log.txt in line 4."
        assert recording.outcome.line == 4
    else:
        assert recording.outcome.status is Status.OK


def test_a_guarded_run_that_only_reads_imports_and_prints_comes_to_its_end(tmp_path):
    data = tmp_path / "data.txt"
    data.write_text("3.0")
    (tmp_path / "helper.py").write_text("THREE = 3.0\n")
    text = (
        "import helper, numpy, subprocess, tempfile\n"
        "from chainstep import Value\n"
        f"print(open({str(data)!r}).read(), helper.THREE)\n"
        "(Value(2.0) * 3.0).backward()\n"
    )
    recording = run(Program("program.py", text, tmp_path / "program.py"), Options(guarded=True))
    assert recording.outcome.status is Status.OK
    assert recording.output == "3.0 3.0\n"
