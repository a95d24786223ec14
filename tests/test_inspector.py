"""A check in a process of its own: it delivers, can be stopped, and says when it fails."""

from __future__ import annotations

import pickle
import shutil
import threading
from pathlib import Path

import pytest
from conftest import RECORDINGS

from chainstep import inspector
from chainstep.inspector import Check
from chainstep.judging import Stop, Subject, assessments
from chainstep.options import Options
from chainstep.program import Program, load
from chainstep.runner import run

OPTIONS = Options()
NET_S = 110.0
"""A check gives way to all else that computes, so that it may take long; this is only a net."""
FAULT = Path(__file__).parent / "faults" / "overwrite_in_add.py"


def subject(text="", options=OPTIONS):
    program = Program("program.py", text)
    return Subject(program, options, RECORDINGS["written"], runs_again=True)


def test_it_delivers_what_would_be_found_here():
    program = load(str(FAULT))
    student = Subject(program, Options(), run(program, Options()), runs_again=True)
    delivered, check = [], Check(student)
    check.start(delivered.append)
    check.wait(NET_S)
    assert delivered == list(assessments(student, Stop()))
    assert [each.code for each in delivered[0].findings] == ["CS101", "CS101"]


def test_a_stop_ends_it_with_all_that_it_runs_and_nothing_is_delivered(tmp_path):
    began = tmp_path / "began"
    delivered = []
    check = Check(subject(f"open({str(began)!r}, 'w').close()\nwhile True: pass\n"))
    check.start(delivered.append)
    tick = threading.Event()
    while not began.exists():
        tick.wait(0.02)
    check.stop()
    check.wait(NET_S)
    assert not check._thread.is_alive()
    assert delivered == []


def test_what_is_stopped_before_it_began_never_begins(monkeypatch):
    monkeypatch.setattr(inspector.subprocess, "Popen", None)
    delivered, check = [], Check(subject())
    check.stop()
    check.start(delivered.append)
    check.wait(NET_S)
    assert delivered == []


def test_a_fault_of_ours_over_there_is_delivered_with_its_words():
    delivered, check = [], Check(subject(options=None))
    check.start(delivered.append)
    check.wait(NET_S)
    (fault,) = delivered
    assert isinstance(fault, RuntimeError)
    assert "replace() should be called on dataclass instances" in str(fault)


def test_a_process_that_ends_without_a_word_is_said(monkeypatch):
    monkeypatch.setattr(inspector.pickle, "dump", lambda _subject, _stream: None)
    delivered, check = [], Check(subject())
    check.start(delivered.append)
    check.wait(NET_S)
    assert "without a word, with exit status 1" in str(delivered[0])


def test_a_process_that_ends_while_it_is_told_the_subject_is_said(monkeypatch):
    monkeypatch.setattr(inspector.sys, "executable", shutil.which("true"))
    delivered, check = [], Check(subject("# much to tell\n" * 100_000))
    check.start(delivered.append)
    check.wait(NET_S)
    assert "without a word, with exit status 0" in str(delivered[0])
    assert check._process.returncode == 0


@pytest.mark.parametrize("told", [b"", pickle.dumps("A sentence of some length.")[:-9], b"\x80"])
def test_a_process_that_ends_while_it_tells_what_it_found_is_said(monkeypatch, tmp_path, told):
    (tmp_path / "told").write_bytes(told)
    script = tmp_path / "python"
    script.write_text(f"#!/bin/sh\ncat > {tmp_path}/subject\ncat {tmp_path}/told\nkill -9 $$\n")
    script.chmod(0o755)
    monkeypatch.setattr(inspector.sys, "executable", str(script))
    delivered, check = [], Check(subject())
    check.start(delivered.append)
    check.wait(NET_S)
    assert "without a word, with exit status -9" in str(delivered[0])
