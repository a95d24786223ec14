from __future__ import annotations

import json
import os
import random
import stat
import time
import tracemalloc
from dataclasses import replace

import pytest
import scenes
from recordings import assert_can_be_shown

from chainstep import saved
from chainstep.errors import EnvironmentFault, RecordingError
from chainstep.options import Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.saved import Bookmark, Saved, open_recording, save
from chainstep.trace import Mode, Outcome, Recording, Status

PROGRAM = """\
from chainstep import Value
w = Value(3.0)
for x in (1.0, -2.0):
    loss = (w * x - 1).tanh() ** 2
    w.grad = 0.0
    loss.backward()
    w.data -= 0.1 * w.grad
print("größe")
"""
BOOKMARK = Bookmark(1, "both", "sort", 4, 2)


@pytest.fixture(scope="module")
def recording():
    return run(Program("loop.py", PROGRAM), Options())


@pytest.fixture(scope="module")
def data(recording, tmp_path_factory):
    """A saved recording as bytes."""
    path = tmp_path_factory.mktemp("saved") / "loop.chainstep"
    save(recording, path, BOOKMARK)
    return path.read_bytes()


@pytest.fixture
def opened(tmp_path):
    """Opens bytes as a file."""

    def opens(content) -> Saved:
        path = tmp_path / "some.chainstep"
        path.write_bytes(content)
        return open_recording(path)

    return opens


# -- whole files ---------------------------------------------------------------------------


def test_a_recording_opens_as_it_was_saved_and_at_the_same_place(recording, tmp_path):
    path = tmp_path / "loop.chainstep"
    save(recording, path, BOOKMARK)
    found = open_recording(path)
    assert repr(found.recording) == repr(recording)
    assert found == Saved(path, found.recording, BOOKMARK, "")


def test_what_is_opened_can_be_saved_again_to_the_same_bytes(data, tmp_path):
    path = tmp_path / "again.chainstep"
    path.write_bytes(data)
    found = open_recording(path)
    save(found.recording, path, found.bookmark)
    assert path.read_bytes() == data


def test_nothing_of_a_saved_program_is_run(opened, tmp_path):
    trap = tmp_path / "ran"
    source = f"open({str(trap)!r}, 'w')\n"
    path = tmp_path / "trap.chainstep"
    save(replace(scenes.recording(scenes.diamond()), source=source), path)
    assert open_recording(path).recording.source == source
    assert not trap.exists()


def test_without_a_bookmark_it_opens_at_its_beginning(tmp_path):
    path = tmp_path / "x.chainstep"
    save(scenes.recording(scenes.diamond()), path)
    assert open_recording(path).bookmark == Bookmark()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    assert open_recording(path).bookmark == Bookmark()
    assert open_recording(path).problem == ""


def test_every_line_is_plain_json(data):
    assert data.isascii()
    assert [next(iter(json.loads(line))) for line in data.splitlines()][-1] == "view"


@pytest.mark.parametrize(
    ("name", "answer"),
    [("a.chainstep", True), ("A.CHAINSTEP", True), ("a.py", False), ("example:neuron", False)],
)
def test_a_saved_recording_is_known_by_its_name(name, answer):
    assert saved.is_recording(name) is answer


# -- saving --------------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(recording, tmp_path, monkeypatch):
    path = tmp_path / "x.chainstep"
    path.write_bytes(b"the old one")

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(EnvironmentFault, match="No space left on device"):
        save(recording, path)
    assert path.read_bytes() == b"the old one"
    assert [each.name for each in tmp_path.iterdir()] == ["x.chainstep"]


def test_the_new_file_has_the_rights_of_the_old_one_and_a_link_stays_a_link(recording, tmp_path):
    path, link = tmp_path / "x.chainstep", tmp_path / "link.chainstep"
    path.write_bytes(b"")
    path.chmod(0o640)
    link.symlink_to(path)
    save(recording, link)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert open_recording(path).problem == ""


def test_a_place_where_nothing_can_be_written_is_named(recording, tmp_path):
    with pytest.raises(EnvironmentFault, match="cannot be written: No such file"):
        save(recording, tmp_path / "gone" / "x.chainstep")
    with pytest.raises(EnvironmentFault, match="is not a file"):
        save(recording, tmp_path)


# -- files that are no recordings ----------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "The file is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "Line 1 of the recording is damaged: it is not text"),
        (b"import math\n", "Line 1 of the recording is damaged"),
        (b'{"format":"chainstep-trace","version":1}\n', "not a recording made by Chainstep"),
        (b'{"view":{}}\n', "not a recording made by Chainstep"),
        (b"[1, 2]\n", "Line 1 of the recording"),
        (b"[" * 1_000_000, "Line 1 of the recording is damaged"),
        (b'{"format":"chainstep","version":2}\n', "version 2 is newer"),
    ],
)
def test_what_is_no_recording_is_refused_with_its_name_and_why(opened, content, why):
    with pytest.raises(RecordingError, match=why) as refusal:
        opened(content)
    assert str(refusal.value).startswith("some.chainstep cannot be opened. ")


def test_what_is_no_file_is_refused(tmp_path):
    with pytest.raises(RecordingError, match="There is no file"):
        open_recording(tmp_path / "x.chainstep")
    with pytest.raises(RecordingError, match="is a folder"):
        open_recording(tmp_path)
    os.mkfifo(tmp_path / "pipe.chainstep")
    with pytest.raises(RecordingError, match="a device or a pipe"):
        open_recording(tmp_path / "pipe.chainstep")


def test_a_file_that_is_too_large_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "x.chainstep"
    with path.open("wb") as stream:
        stream.truncate(300 << 20)
    with pytest.raises(RecordingError, match=r"has 300 MiB, and recordings of up to 256 MiB"):
        open_recording(path)
    assert open_recording.__defaults__ == (256,)


@pytest.mark.parametrize("part", [b"[],", b"{},", b'{"a":0},', b'"ab",', b"0.5,"])
def test_a_line_that_would_swell_in_memory_is_refused(opened, data, part):
    first = data.splitlines(keepends=True)[0]
    hostile = b'{"note":[' + part * (20_000_000 // len(part)) + b"0]}\n"
    tracemalloc.start()
    try:
        problem = opened(first + hostile).problem
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert problem.startswith("Line 2 of the recording")
    assert peak < 500 << 20


def test_a_line_without_an_end_is_not_read_to_its_end(opened, data, monkeypatch):
    monkeypatch.setattr(saved, "LONGEST_LINE", 10_000)
    first = data.splitlines(keepends=True)[0]
    found = opened(first + b'{"note":"' + b"x" * 50_000 + b'"}\n')
    assert found.problem.endswith("in line 2.")
    assert found.recording.notes == ()


# -- files that are cut or damaged ---------------------------------------------------------


def test_a_cut_recording_opens_up_to_the_cut_and_says_where_that_is(opened, data):
    lines = data.splitlines(keepends=True)
    for cut in range(1, len(lines) - 2):
        found = opened(b"".join(lines[:cut]))
        assert found.problem == f"The recording is cut off after line {cut}."
        assert_can_be_shown(found.recording)
        half = opened(b"".join(lines[:cut]) + lines[cut][: len(lines[cut]) // 2])
        assert half.problem == f"The recording is cut off in line {cut + 1}."
        assert repr(half.recording) == repr(found.recording)


def test_a_pass_that_is_cut_keeps_its_steps(opened, data, recording):
    lines = data.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"steps"'))
    (trace,) = opened(b"".join(lines[: at + 1])).recording.traces
    assert trace.steps == recording.traces[0].steps
    assert trace.error is not None


def test_nothing_is_read_behind_the_first_damage(opened, data):
    lines = data.splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"steps"'))
    found = opened(b"".join([*lines[:at], b'{"steps":[[1]]}\n', *lines[at + 1 :]]))
    assert found.problem.startswith(f"Line {at + 1} of the recording is damaged")
    assert [len(trace.steps) for trace in found.recording.traces] == [0]


@pytest.mark.parametrize(
    ("place", "why"),
    [
        (b"3", "expected an object"),
        (b"{}", "KeyError"),
        (b'{"pass":true,"view":"a","phase":"b","number":0,"selected":null}', "number from 0"),
        (b'{"pass":0,"view":1,"phase":"b","number":0,"selected":null}', "expected a text"),
        (b'{"pass":0,"view":"a","phase":"b","number":-1,"selected":null}', "number from 0"),
        (b'{"pass":0,"view":"a","phase":"b","number":' + b"1" * 5000 + b"}", "damaged"),
        (b"[" * 9000, "damaged"),
    ],
)
def test_a_damaged_bookmark_is_named_and_the_recording_opens(opened, data, recording, place, why):
    lines = data.splitlines(keepends=True)
    found = opened(b"".join([*lines[:-1], b'{"view":' + place + b"}\n"]))
    assert found.problem.startswith(f"Line {len(lines)} of the recording is damaged")
    assert why in found.problem
    assert found.bookmark == Bookmark()
    assert repr(found.recording) == repr(recording)


def test_a_bookmark_of_a_place_that_is_not_there_is_as_near_as_can_be(opened, data):
    lines = data.splitlines(keepends=True)

    def at(**place):
        fields = {"pass": 0, "view": "both", "phase": "sort", "number": 1, "selected": None}
        line = json.dumps({"view": {**fields, **place}}, separators=(",", ":")).encode()
        return opened(b"".join([*lines[:-1], line])).bookmark

    assert at(selected=10**6) == Bookmark(0, "both", "sort", 1, None)
    assert at(**{"pass": 7}) == Bookmark()
    assert at(number=10**30).number == 2**31 - 1
    assert len(at(view="x" * 10_000).view) == 40


def test_lines_behind_the_bookmark_are_not_read(opened, data):
    found = opened(data + data.splitlines(keepends=True)[1])
    assert found.problem.endswith("stands behind its end.")
    assert found.bookmark == BOOKMARK


# -- the bar: a thousand damaged recordings ------------------------------------------------

HOSTILE = [
    *(b"null", b"true", b"-1", b"1.5", b'""', b"[]", b"{}", b'"nan"', b"NaN", b"Infinity"),
    *(b"1e999", b"1" + b"0" * 400, b"9" * 5000, b"-" + b"9" * 4000, b"2147483648"),
    *(b"[" * 50_000, b"[" * 5000 + b"]" * 5000, b'{"a":' * 20_000, b'"' + b"x" * 100_000 + b'"'),
    *(b'"\\ud800"', b"\xff\xfe", b"\0", b"\n", b"}" * 100),
]


def damaged(data, number):
    """One of endlessly many damaged versions of some bytes, always the same for a number."""
    chance = random.Random(number)
    content = bytearray(data)
    for _ in range(chance.choice([1, 1, 1, 2, 5])):
        kind, place = chance.randrange(6), chance.randrange(len(content))
        if kind == 0:
            del content[place:]
            content += b"" if content else b"\n"
        elif kind == 1:
            for _ in range(chance.randrange(1, 9)):
                content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        elif kind == 2:
            content[place:place] = chance.choice(HOSTILE)
        elif kind == 3:
            swap_a_part(content, place, chance.choice(HOSTILE))
        elif kind == 4:
            lines = bytes(content).splitlines(keepends=True)
            chance.shuffle(lines)
            keep = chance.randrange(1, len(lines) + 1)
            content = bytearray(b"".join([data.splitlines(keepends=True)[0], *lines[:keep]]))
        else:
            end = min(place + chance.randrange(1, 2000), len(content))
            content[place:place] = content[place:end] * chance.randrange(1, 20)
    return bytes(content)


def swap_a_part(content, place, hostile):
    """Put something else in the place of the JSON part that begins at or after a byte."""
    signs = b",[]{}:\n"
    start = next((n for n in range(place, len(content)) if content[n] in signs), len(content))
    end = next((n for n in range(start + 1, len(content)) if content[n] in signs), len(content))
    content[start + 1 : end] = hostile


def test_a_thousand_damaged_recordings_open_partly_or_are_refused(data, tmp_path):
    """None crashes, takes over 2 s, or over 500 MiB."""
    path = tmp_path / "damaged.chainstep"
    partly = refused = whole = 0
    slowest, largest = 0.0, 0
    tracemalloc.start(1)
    try:
        for number in range(1000):
            path.write_bytes(damaged(data, number))
            tracemalloc.reset_peak()
            began = time.thread_time()
            try:
                found = open_recording(path)
            except RecordingError as refusal:
                assert "ine 1 " in str(refusal) or "empty" in str(refusal)  # noqa: PT017
                refused += 1
                found = None
            slowest = max(slowest, time.thread_time() - began)
            largest = max(largest, tracemalloc.get_traced_memory()[1])
            if found is not None:
                assert not found.problem or "line " in found.problem.lower()
                partly += bool(found.problem)
                whole += not found.problem
                if number % 20 == 0:
                    assert_can_be_shown(found.recording)
    finally:
        tracemalloc.stop()
    assert partly + refused + whole == 1000
    assert partly > 500
    assert refused > 20
    assert slowest < 2.0
    assert largest < 500 << 20


def test_a_failed_run_and_an_empty_one_are_saved_too(tmp_path):
    path = tmp_path / "x.chainstep"
    failed = Recording("p.py", "1/0", outcome=Outcome(Status.EXCEPTION, "ZeroDivisionError", 1))
    save(failed, path)
    assert open_recording(path).recording.outcome == failed.outcome
    assert open_recording(path).problem == ""
    assert open_recording(path).recording.trace(Mode.ACCUMULATE) is None
