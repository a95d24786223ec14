"""Where a program was, as read from what `faulthandler` writes; and how that is put in words."""

from __future__ import annotations

import faulthandler
import signal
import tempfile

import pytest

from chainstep import ending
from chainstep.ending import Whereabouts, whereabouts
from chainstep.options import Limits
from chainstep.source import Source
from chainstep.trace import Status

TEXT = """\
def inner(n):
    for i in range(n):
        pass
    return n

while True:
    for k in (1, 2):
        inner(k)
    def late():
        return 1
    late()
"""


SOURCE = Source("p.py", TEXT)


def dump(*lines, thread="Current thread 0x00007f0000000001", file="p.py"):
    """What `faulthandler` writes of one thread; lines from the innermost frame outward."""
    frames = "".join(f'  File "{file}", line {line} in f\n' for line in lines)
    return f"{thread} (most recent call first):\n{frames}\n"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((3, 8), Whereabouts(3, 2)),
        ((4, 8), Whereabouts(4, 7)),
        ((7,), Whereabouts(7, 7)),
        ((6,), Whereabouts(6, 6)),
        ((10, 11), Whereabouts(10, 6)),
        ((4,), Whereabouts(4, None)),
        ((), Whereabouts()),
    ],
)
def test_the_innermost_loop_around_the_innermost_frame_that_has_one_is_found(lines, expected):
    assert whereabouts(dump(*lines), SOURCE) == expected


def test_frames_of_other_files_are_passed_over():
    text = dump(99, file="/lib/random.py") + dump(7, thread="Thread 0x01")
    assert whereabouts(text, SOURCE) == Whereabouts(7, 7)


def test_the_thread_that_took_the_signal_comes_first_and_then_the_main_thread():
    worker, main = dump(2, thread="Thread 0x02"), dump(3, thread="Thread 0x01")
    assert whereabouts(worker + main, SOURCE).line == 3
    assert whereabouts(worker + dump(4) + main, SOURCE).line == 4


def test_a_heading_with_the_name_of_the_thread_is_understood():
    """Python 3.14 writes one."""
    text = dump(7, thread="Current thread 0x01 [python3]")
    assert whereabouts(text, SOURCE).line == 7


def test_a_dump_that_was_cut_or_is_none_is_no_obstacle():
    for text in ("", "Fatal Python error: Segmentation fault\n\n", dump(7)[:-9], "\0" * 9):
        assert whereabouts(text, SOURCE).line in (None, 7)


def test_a_text_that_this_python_cannot_read_still_has_its_line():
    assert whereabouts(dump(1), Source("p.py", "while True: (\n")) == Whereabouts(1, None)


@pytest.mark.parametrize("name", ["p.py", "größe 日本.py", "a\\b.py", "x" * 490 + "é.py"])
def test_file_names_are_recognised_as_faulthandler_writes_them(name):
    space = {}
    with tempfile.TemporaryFile() as file:
        text = "def f():\n    dump(file)\n"
        exec(
            compile(text, name, "exec"), {"dump": faulthandler.dump_traceback, "file": file}, space
        )
        space["f"].__globals__["file"] = file
        space["f"]()
        file.seek(0)
        written = file.read().decode()
    assert whereabouts(written, Source(name, text)) == Whereabouts(2, None)


@pytest.mark.parametrize("status", [Status.TIMEOUT, Status.MEMORY, Status.OUTPUT, Status.STOPPED])
def test_every_limit_is_told_with_its_number_the_line_and_what_to_do(status):
    limits = Limits(time_s=2.5, memory_mib=7, output_kib=8)
    outcome = ending.limit_reached(status, limits, Whereabouts(8, 7), SOURCE)
    assert outcome.status is status
    assert "loop of line 7 (`for k in (1, 2):`), at line 8" in outcome.message
    expected = {Status.TIMEOUT: "2.5 s", Status.MEMORY: "7 MiB", Status.OUTPUT: "8 KiB"}
    assert expected.get(status, "You stopped") in outcome.message
    assert outcome.line == (7 if status in (Status.TIMEOUT, Status.STOPPED) else 8)


def test_a_limit_without_a_known_place_is_told_all_the_same():
    outcome = ending.limit_reached(Status.TIMEOUT, Limits(), Whereabouts(), SOURCE)
    assert outcome.message.startswith("The program was still running after 10 s and was stopped. ")
    assert outcome.line is None


@pytest.mark.parametrize("number", sorted({*range(1, 32), signal.SIGRTMIN + 1}))
def test_every_signal_has_a_name_in_words(number):
    outcome = ending.crashed(number, Whereabouts(3), SOURCE, had_ended=False)
    assert outcome.status is Status.CRASHED
    assert "in line 3 (`pass`)" in outcome.message
    assert "None" not in outcome.message
