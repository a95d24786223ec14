"""Programs that misbehave in every way: what is said of them, and what is left of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import psutil
import pytest
from endless import ENDLESS_S, staying

from chainstep import family
from chainstep.errors import EnvironmentFault, ProgramError
from chainstep.family import MARK
from chainstep.options import Limits, Options
from chainstep.process import Process, _size
from chainstep.program import Program
from chainstep.runner import Run, run
from chainstep.trace import RECORDED, Mode, Status

GRAPH = """\
from chainstep import Value
a = Value(2.0)
b = a * 3.0
b.backward()
"""
"""Four lines that leave a recorded pass: whatever comes after begins in line 5."""

NET_S = 30.0
"""What ends by itself takes as long as the machine takes; this is only a net."""

LIMITS = {"time_s": NET_S, "memory_mib": 300, "output_kib": 64}


def marked(folder):
    """Ids of the living processes that belong to a run with its files in `folder`."""
    return [
        process.pid
        for process in psutil.process_iter(["environ"])
        if (process.info["environ"] or {}).get(MARK, "").startswith(str(folder))
    ]


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files; nothing may be left in it, nor of what ran there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []
    assert marked(folder) == []


def recorded(mark, count=1):
    """Tells of a process whether so many of a mark are in its recording."""

    def is_there(process):
        file = process._recording.fileno()
        return os.pread(file, os.fstat(file).st_size, 0).count(mark) >= count

    return is_there


GRAPH_RECORDED = recorded(b'{"end"', len(RECORDED))


def is_on(process):
    """Tells of a process whether it has said so."""
    return b"on" in process._output


@pytest.fixture
def ran(tmp_path, temporary, monkeypatch):
    """Runs a text as the file program.py and gives its recording.

    For one that never ends `endless` tells of a process whether it is about to come to where it
    will stay: only from there on its time counts, so that a busy machine does not end it earlier.
    """

    def runs(text, *, python=None, endless=None, **limits):
        path = tmp_path / "program.py"
        text = textwrap.dedent(text)
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        if endless is not None:
            limits["time_s"] = ENDLESS_S
            monkeypatch.setattr(Process, "began", staying(endless))
        options = Options(python=python, limits=Limits(**(LIMITS | limits)))
        return run(Program(path.name, text, path), options)

    return runs


def gradient(recording, name, mode=Mode.AS_WRITTEN):
    (node,) = [node for node in recording.nodes if node.name == name]
    return recording.trace(mode).final[node.id]


ENDS = {
    # name: (what follows the graph, status, line, words of the message)
    "ends": ("", Status.OK, None, []),
    "endless loop": ("while True:\n    pass", Status.TIMEOUT, 5, ["0.2 s", "`while True:`"]),
    "endless loop over lines": (
        "n = 0\nwhile n >= 0:\n    n += 1\n    n -= 1",
        Status.TIMEOUT,
        6,
        ["loop of line 6 (`while n >= 0:`)"],
    ),
    "endless loop around a call": (
        "def wait(n):\n    return n + 1\nfor x in iter(int, 1):\n    wait(x)",
        Status.TIMEOUT,
        7,
        ["`for x in iter(int, 1):`"],
    ),
    "endless work in C": ("sum(range(10**12))", Status.TIMEOUT, 5, ["`sum(range(10**12))`"]),
    "endless arithmetic in C": ("10**10**8", Status.TIMEOUT, 5, ["`10**10**8`"]),
    "endless matching": (
        "import re\nre.match('(a+)+$', 'a' * 60 + 'b')",
        Status.TIMEOUT,
        6,
        ["re.match"],
    ),
    "sleeps": ("import time\ntime.sleep(1000)", Status.TIMEOUT, 6, ["time.sleep(1000)"]),
    "takes no notice of interrupts": (
        "while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass",
        Status.TIMEOUT,
        7,
        [],
    ),
    "ignores signals": (
        (
            "import signal\nfor s in (signal.SIGINT, signal.SIGTERM):\n"
            "    signal.signal(s, signal.SIG_IGN)\nwhile True: pass"
        ),
        Status.TIMEOUT,
        8,
        [],
    ),
    "leaves a thread behind": (
        "import threading\nthreading.Thread(target=threading.Event().wait).start()",
        Status.TIMEOUT,
        None,
        ["The last line of the program was reached", "a thread"],
    ),
    "leaves a working thread behind": (
        (
            "import threading\ndef work():\n    while True:\n        pass\n"
            "threading.Thread(target=work).start()"
        ),
        Status.TIMEOUT,
        7,
        ["The last line", "loop of line 7"],
    ),
    "hangs in an exit handler": (
        "import atexit\n@atexit.register\ndef last():\n    while True: pass",
        Status.TIMEOUT,
        8,
        ["an exit handler"],
    ),
    "leaves a daemon thread": (
        "import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()",
        Status.OK,
        None,
        [],
    ),
    "memory in one call": ("x = [0.0] * 10**9", Status.MEMORY, 5, ["300 MiB", "[0.0] * 10**9"]),
    "memory that grows": (
        "x = []\nwhile True:\n    x.append(bytearray(10**6))",
        Status.MEMORY,
        7,
        ["loop of line 6"],
    ),
    "memory in a process of its own": (
        (
            "import subprocess, sys\n"
            "subprocess.run([sys.executable, '-c', 'import time; x = [0] * 10**8; time.sleep(60)'])"
        ),
        Status.MEMORY,
        6,
        ["300 MiB"],
    ),
    "more memory than there is": ("bytearray(10**15)", Status.MEMORY, 5, ["MemoryError"]),
    "prints without end": (
        "while True:\n    print('x' * 100)",
        Status.OUTPUT,
        6,
        ["64 KiB", "line 6"],
    ),
    "prints too much and ends": ("print('x' * 10**5)", Status.OUTPUT, None, ["64 KiB"]),
    "floods from C": ("import os\nwhile True: os.write(2, b'x' * 10**4)", Status.OUTPUT, 6, []),
    "os._exit": ("import os\nos._exit(3)", Status.CRASHED, 6, ["os._exit(3)", "`os._exit(3)`"]),
    "os._exit(0)": ("import os\nos._exit(0)", Status.CRASHED, 6, ["os._exit(0)"]),
    "replaces itself": (
        "import os, sys\nos.execv(sys.executable, ['python', '-c', '0'])",
        Status.CRASHED,
        6,
        ["execv"],
    ),
    "exits from C": (
        "import ctypes\nctypes.CDLL(None)._exit(7)",
        Status.CRASHED,
        None,
        ["exit status 7"],
    ),
    "sys.exit()": ("import sys\nsys.exit()", Status.OK, None, []),
    "exit(0)": ("exit(0)", Status.OK, None, []),
    "sys.exit(3)": ("import sys\nsys.exit(3)", Status.EXCEPTION, 6, ["SystemExit: 3"]),
    "sys.exit(text)": (
        "import sys\ndef give_up():\n    sys.exit('no data')\ngive_up()",
        Status.EXCEPTION,
        7,
        ["no data"],
    ),
    "sys.exit(True)": ("import sys\nsys.exit(True)", Status.EXCEPTION, 6, ["True"]),
    "segmentation fault": (
        "import ctypes\ndef f():\n    ctypes.string_at(0)\nf()",
        Status.CRASHED,
        7,
        ["segmentation fault", "SIGSEGV"],
    ),
    "abort": ("import os\nos.abort()", Status.CRASHED, 6, ["SIGABRT", "`os.abort()`"]),
    "kills itself": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        Status.CRASHED,
        6,
        ["os.kill"],
    ),
    "stops its own process": (
        "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)",
        Status.TIMEOUT,
        6,
        ["os.kill"],
    ),
    "raises a signal": (
        "import signal\nsignal.raise_signal(signal.SIGTERM)",
        Status.CRASHED,
        6,
        ["raise_signal"],
    ),
    "is killed from outside": (
        (
            "import os, subprocess\nsubprocess.run(['kill', '-KILL', str(os.getpid())])\n"
            "while True: pass"
        ),
        Status.CRASHED,
        None,
        ["SIGKILL", "from outside"],
    ),
    "signals itself without harm": (
        (
            "import os, signal\nsignal.signal(signal.SIGUSR2, lambda *_: None)\n"
            "os.kill(os.getpid(), signal.SIGUSR2)\nos.kill(os.getpid(), 0)"
        ),
        Status.OK,
        None,
        [],
    ),
    "crashes at the very end": (
        "import atexit, ctypes\natexit.register(ctypes.string_at, 0)",
        Status.CRASHED,
        None,
        ["shutting down", "SIGSEGV"],
    ),
    "interrupts itself": ("raise KeyboardInterrupt", Status.STOPPED, 5, ["interrupted"]),
    "reads input": ("n = int(input('n? '))", Status.EXCEPTION, 5, ["EOFError", "input"]),
    "reads no input but the stream": (
        "import sys\nassert sys.stdin.read() == ''",
        Status.OK,
        None,
        [],
    ),
    "calls the debugger": ("breakpoint()\nc = 1", Status.EXCEPTION, 6, ["BdbQuit", "debugger"]),
    "closes its output": (
        "import os, sys\nsys.stdout.close()\nos.close(2)\nc = b * 2",
        Status.OK,
        None,
        [],
    ),
    "closes every file": ("import os\nos.closerange(0, 1000)\nc = b * 2", Status.OK, None, []),
    "closes its output and loops": (
        "import os\nos.closerange(1, 3)\nwhile True: pass",
        Status.TIMEOUT,
        7,
        [],
    ),
    "goes elsewhere": ("import os\nos.chdir('/')", Status.OK, None, []),
    "breaks the built-ins": (
        "import builtins\nbuiltins.len = builtins.print = builtins.isinstance = None",
        Status.OK,
        None,
        [],
    ),
    "breaks the exits": (
        "import sys, os\nsys.exit = os._exit = None\nsys.excepthook = None\n1 / 0",
        Status.EXCEPTION,
        8,
        ["ZeroDivisionError"],
    ),
    "has no streams": (
        "import sys\nsys.stdout = sys.stderr = None\n1 / 0",
        Status.EXCEPTION,
        7,
        ["ZeroDivisionError"],
    ),
    "recurses without end": (
        "def f(n):\n    return f(n + 1)\nf(0)",
        Status.EXCEPTION,
        6,
        ["RecursionError", "calls itself"],
    ),
    "recurses with hardly any room": (
        "import sys\nsys.setrecursionlimit(60)\ndef f(n):\n    return f(n + 1)\nf(0)",
        Status.EXCEPTION,
        None,
        ["RecursionError"],
    ),
    "has an error without text": (
        "class E(Exception):\n    def __str__(self): raise ValueError\nraise E",
        Status.EXCEPTION,
        7,
        ["E:", "cannot be had"],
    ),
    "forks and ends twice": ("import os\nos.fork()", Status.OK, None, []),
    "forks a child that exits": (
        "import os\nif not os.fork():\n    c = b * 2\n    c.backward()\n    os._exit(5)\nos.wait()",
        Status.OK,
        None,
        [],
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_every_end_has_its_outcome_and_leaves_the_recording(ran, name):
    rest, status, line, words = ENDS[name]
    recording = ran(
        GRAPH + rest + "\n", endless=GRAPH_RECORDED if status is Status.TIMEOUT else None
    )
    assert recording.outcome.status is status, recording.outcome.message + recording.output
    if line is not None:
        assert recording.outcome.line == line, recording.outcome.message
    for word in words:
        assert word in recording.outcome.message
    assert [gradient(recording, "a", mode) for mode in RECORDED] == [3.0, 3.0, 3.0]


def test_time_may_be_unlimited(ran):
    assert ran(GRAPH, time_s=float("inf")).outcome.status is Status.OK


def test_a_recording_that_is_damaged_is_shown_up_to_there_and_says_so(ran):
    recording = ran(
        GRAPH + "import gc\ngc.unfreeze()\nfrom chainstep.spool import Spool\n"
        "(spool,) = (o for o in gc.get_objects() if isinstance(o, Spool))\n"
        "spool.write('{\"nodes\": 1}\\n')\nc = b * 2\nc.backward()\n"
    )
    assert gradient(recording, "a") == 3.0
    assert recording.passes == 1
    assert "What came before it is shown" in recording.notes[-1]


def test_an_answer_is_whole_although_a_busy_machine_keeps_the_program_from_giving_it(
    ran, monkeypatch
):
    """The answer to where it is comes in two pieces, with much time of others between them."""
    started = family._stat

    def waiting(task):
        fields = started(task)
        fields[family.STATE] = b"R"
        fields[family.IN_PROGRAM] = fields[family.IN_SYSTEM] = b"0"
        return fields

    class Answering(Process):
        beats = 0

        def _signal(self, number):
            assert number == signal.SIGUSR1, "it is only asked otherwise if it had time to answer"

        def ended_within(self, _seconds):
            self.beats += 1
            for beat, words in ((200, b"Current thread"), (400, b" 0x01"), (401, b":")):
                if self.beats == beat:
                    os.pwrite(self._faults.fileno(), words, _size(self._faults))
            return self.beats > 600

    monkeypatch.setattr(family, "_stat", waiting)
    program = Program("p.py", "import time\ntime.sleep(1000)\n")
    with contextlib.closing(Answering(program, Options(), sys.executable)) as process:
        while not process.began:  # until then it may begin its file anew
            assert not Process.ended_within(process, 0.01)
        assert process.ask_where() == "Current thread 0x01:"


def test_a_loop_that_makes_values_is_named_by_its_line_and_ends_by_itself(ran):
    recording = ran(
        """\
        from chainstep import Value
        loss = Value(1.0)
        print("on")
        while loss.data > 0.0:
            loss = loss * 1.0
            if loss.data < 0:
                print("never")
        """,
        endless=is_on,
        nodes=10**9,
    )
    assert (recording.outcome.status, recording.outcome.line) == (Status.TIMEOUT, 4)


def test_a_graph_without_a_pass_is_recorded_although_the_program_is_stopped(ran, monkeypatch):
    monkeypatch.setattr("chainstep.runner.GRACE_S", NET_S)
    recording = ran(
        "from chainstep import Value\na = Value(2.0)\nb = a * a\nprint('on')\nwhile True: pass\n",
        endless=is_on,
    )
    assert recording.outcome.status is Status.TIMEOUT
    assert gradient(recording, "a", Mode.ACCUMULATE) == 4.0
    assert gradient(recording, "a", Mode.OVERWRITE) == 2.0
    assert "KeyboardInterrupt" not in recording.output


def test_a_graph_without_a_pass_is_recorded_although_the_program_fails(ran):
    recording = ran("from chainstep import Value\na = Value(2.0)\nb = a * a\nb = b / c\n")
    assert recording.outcome.line == 4
    assert gradient(recording, "a", Mode.ACCUMULATE) == 4.0


OWN_VALUE = """\
class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._prev = _children
        self._op = _op
        self._backward = lambda: None
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            {hostile}
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
a = Value(2.0)
b = Value(3.0)
c = a * b
c.grad = 1.0
c._backward()
"""

INSIDE_BACKWARD = {
    "fails": ("1 / 0", Status.EXCEPTION, ["ZeroDivisionError", "inside the _backward of a * node"]),
    "never ends": ("while True: pass", Status.TIMEOUT, []),
    "never ends in C": ("sum(range(10**12))", Status.TIMEOUT, []),
    "crashes": ("import ctypes; ctypes.string_at(0)", Status.CRASHED, ["SIGSEGV"]),
    "exits": ("import os; os._exit(1)", Status.CRASHED, ["os._exit(1)"]),
}


@pytest.mark.parametrize("name", INSIDE_BACKWARD)
def test_what_goes_wrong_inside_a_backward_is_told_with_its_line(ran, name):
    hostile, status, words = INSIDE_BACKWARD[name]
    endless = recorded(b'"write"') if status is Status.TIMEOUT else None
    recording = ran(OWN_VALUE.format(hostile=hostile), endless=endless)
    assert (recording.outcome.status, recording.outcome.line) == (status, 12)
    for word in words:
        assert word in recording.outcome.message
    (trace, *_) = recording.traces
    writes = [step.after for step in trace.steps if step.line == 11]
    assert writes == [3.0]


LEFT_BEHIND = {
    "in its group": "subprocess.Popen(SLEEP)",
    "in a session of its own": "subprocess.Popen(SLEEP, start_new_session=True)",
    "with closed streams": (
        "subprocess.Popen(SLEEP, start_new_session=True, stdin=subprocess.DEVNULL,"
        " stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)"
    ),
    "orphaned at once": (
        "subprocess.run(['sh', '-c', 'setsid sleep 1000 & exit 0'], stdout=subprocess.DEVNULL)"
    ),
    "by a fork": "os.fork() or (os.setsid(), os.fork() or signal.pause())",
    "by multiprocessing": (
        "multiprocessing.get_context('fork').Process(target=signal.pause, daemon=False).start()"
    ),
}
BEGINNING = "import multiprocessing, os, signal, subprocess\nSLEEP = ['sleep', '1000']\n"


@pytest.mark.parametrize("end", ["", "os._exit(0)"])
@pytest.mark.parametrize("name", LEFT_BEHIND)
def test_nothing_that_a_program_started_outlives_it(ran, name, end):
    recording = ran(GRAPH + BEGINNING + LEFT_BEHIND[name] + "\n" + end, endless=GRAPH_RECORDED)
    assert recording.outcome.status in (Status.OK, Status.CRASHED, Status.TIMEOUT)
    # The fixture looks for processes and folders that are left.


def has_ended(pid):
    """Whether a process is no more, or will be as soon as somebody asks for its status."""
    try:
        process = psutil.Process(pid)
        _, alive = psutil.wait_procs([process], timeout=NET_S)  # a kill takes a moment
        return not alive or process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def test_a_process_that_hides_in_a_clean_environment_is_found_while_the_program_runs(
    ran, tmp_path, monkeypatch
):
    # Not from time to time, which may come too seldom: at the latest before the program may end.
    monkeypatch.setattr("chainstep.family.LOOKS_EVERY", 10**9)
    ran(
        f"""\
        import subprocess
        quiet = subprocess.DEVNULL
        hidden = subprocess.Popen(["/bin/sleep", "1000"], env={{}}, start_new_session=True,
                                  stdin=quiet, stdout=quiet, stderr=quiet)
        open({str(tmp_path / "hidden")!r}, "w").write(str(hidden.pid))
        hidden.wait()
        """,
        endless=lambda _: (tmp_path / "hidden").exists(),
    )
    hidden = int((tmp_path / "hidden").read_text())
    assert has_ended(hidden)


def test_a_program_that_removes_its_own_folder_ends_like_any_other(ran, temporary):
    text = "import os, shutil\nshutil.rmtree(os.path.dirname(__file__))\n" + GRAPH
    recording = run(Program("untitled.py", text), Options())
    assert recording.outcome.status is Status.OK
    assert gradient(recording, "a") == 3.0


def test_a_program_that_removes_every_temporary_file_keeps_what_was_recorded(ran, temporary):
    recording = ran(
        f"{GRAPH}import shutil\nshutil.rmtree({str(temporary)!r})\n"
        f"import os\nos.mkdir({str(temporary)!r})\nc = b * 2"
    )
    assert gradient(recording, "a") == 3.0


def test_a_recording_survives_a_program_that_closes_its_files_and_goes_on(ran):
    recording = ran(
        GRAPH + "import os\nos.closerange(3, 1000)\n"
        "for _ in range(30):\n    c = sum((a * 2 for _ in range(40)), b)\n    c.backward()\n",
    )
    assert recording.outcome.status is Status.OK
    assert recording.passes == 31


def test_output_is_kept_up_to_the_limit_and_not_a_byte_beyond(ran):
    recording = ran("print('é' * 100_000)", output_kib=1)
    assert recording.outcome.status is Status.OUTPUT
    assert recording.output == "é" * 512


def test_output_of_exactly_the_limit_is_no_flood(ran):
    recording = ran("import sys\nsys.stdout.write('x' * 1024)", output_kib=1)
    assert recording.outcome.status is not Status.OUTPUT
    assert recording.output == "x" * 1024


def test_output_is_kept_whatever_bytes_it_is_made_of(ran):
    recording = ran(
        "import os\nos.write(1, b'a\\xffb\\n')\nprint('\\ud800', end='')\nos._exit(0)\n"
    )
    assert recording.output == "a\ufffdb\n\\ud800"


def test_output_and_errors_come_in_the_order_of_their_writing(ran):
    recording = ran(
        "import sys\nfor i in range(3):\n    print(i)\n    print(i, file=sys.stderr, end='')\n"
    )
    assert recording.output == "0\n01\n12\n2"


def test_redirected_output_is_the_programs_own_affair(ran):
    recording = ran("import io, sys\nsys.stdout = io.StringIO()\nprint('x')\n" + GRAPH)
    assert (recording.outcome.status, recording.output) == (Status.OK, "")


def test_stopping_ends_a_run_at_once_and_keeps_what_was_recorded(tmp_path, temporary):
    """The recording is delivered once, with the line."""
    path = tmp_path / "program.py"
    text = GRAPH + f"while True:\n    open({str(tmp_path / 'began')!r}, 'w').close()\n"
    path.write_text(text)
    delivered = []
    running = Run(Program(path.name, text, path), Options())
    running.start(delivered.append)
    while not (tmp_path / "began").exists():
        assert not running.wait(0.01)
    running.stop()
    assert running.wait(NET_S)
    (recording,) = delivered
    assert (recording.outcome.status, recording.outcome.line) == (Status.STOPPED, 5)
    assert gradient(recording, "a") == 3.0


def test_a_run_that_is_stopped_before_it_begins_is_delivered_too(temporary):
    delivered = []
    running = Run(Program("x.py", "while True: pass"), Options())
    running.stop()
    running.start(delivered.append)
    assert running.wait(NET_S)
    assert delivered[0].outcome.status is Status.STOPPED
    assert delivered[0].program == "x.py"


def test_runs_do_not_disturb_each_other(tmp_path, temporary):
    delivered = {}
    done = threading.Barrier(4)

    def finish(number):
        def finished(recording):
            delivered[number] = recording
            done.wait(NET_S)

        return finished

    for number in range(3):
        text = f"from chainstep import Value\na = Value({number}.0)\nb = a * a\nprint({number})\n"
        Run(Program("p.py", text), Options(seed=number)).start(finish(number))
    done.wait(NET_S)
    for number, recording in delivered.items():
        assert (recording.output, recording.seed) == (f"{number}\n", number)
        assert gradient(recording, "a", Mode.ACCUMULATE) == 2.0 * number


def test_a_parent_that_is_killed_takes_the_program_with_it(tmp_path):
    text = f"open({str(tmp_path / 'began')!r}, 'w').close()\nimport time\ntime.sleep(1000)\n"
    script = (
        "import tempfile; from chainstep.runner import run; from chainstep.program import Program;"
        f"from chainstep.options import Options; tempfile.tempdir = {str(tmp_path)!r};"
        f"run(Program('p.py', {text!r}), Options())"
    )
    os.mkfifo(tmp_path / "began")
    with subprocess.Popen([sys.executable, "-c", script]) as parent:
        (tmp_path / "began").read_bytes()  # returns once the program has opened it
        assert marked(tmp_path)
        parent.send_signal(signal.SIGKILL)
    deadline = time.monotonic() + NET_S
    while marked(tmp_path):
        assert time.monotonic() < deadline


def test_a_program_whose_parent_died_while_it_was_started_does_not_run(ran, monkeypatch):
    pipe, made = os.pipe, []

    def pipe_of_the_dead():
        """The second one is what the child holds to learn that its parent is gone."""
        reading, writing = pipe()
        made.append(writing)
        if len(made) == 2:
            os.close(writing)
            writing = os.open(os.devnull, os.O_RDONLY)
        return reading, writing

    monkeypatch.setattr(os, "pipe", pipe_of_the_dead)
    recording = ran("while True: pass", time_s=0.5)
    assert recording.outcome.status is Status.CRASHED
    assert "before the program began" in recording.outcome.message


def test_the_threads_and_files_of_a_run_are_gone_afterwards(ran):
    ran(GRAPH)
    files, threads = open_files(), set(threading.enumerate())
    ran(GRAPH + "while True: pass", endless=GRAPH_RECORDED)
    # What earlier tests left may go away meanwhile.
    assert open_files() <= files
    assert set(threading.enumerate()) <= threads


def open_files():
    """The open files of this process: number and name."""
    folder = Path("/proc/self/fd")
    with os.scandir(folder) as entries:
        names = [entry.name for entry in entries]
    found = set()
    for name in names:
        with contextlib.suppress(FileNotFoundError):  # that of the folder itself
            found.add((name, (folder / name).readlink()))
    return found


def not_a_python(tmp_path, text):
    path = tmp_path / "python"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


def test_an_interpreter_that_is_not_there_is_named(ran):
    with pytest.raises(EnvironmentFault, match=r"/no/such/python.*3\.10 or newer"):
        ran(GRAPH, python="/no/such/python")


@pytest.mark.parametrize("text", ["#!/bin/sh\necho hello\n", "no program at all"])
def test_an_interpreter_that_is_none_is_refused(ran, tmp_path, text):
    with pytest.raises(EnvironmentFault, match=r"not a Python|does not run as a Python"):
        ran(GRAPH, python=not_a_python(tmp_path, text))


def test_an_interpreter_that_is_too_old_is_refused(ran, tmp_path):
    with pytest.raises(EnvironmentFault, match=r"Python 3\.9, which is too old"):
        ran(GRAPH, python=not_a_python(tmp_path, "#!/bin/sh\necho Python 3.9\n"))


def test_in_a_thread_a_missing_interpreter_is_an_outcome(temporary):
    delivered = []
    running = Run(Program("p.py", GRAPH), Options(python="/no/such/python"))
    running.start(delivered.append)
    assert running.wait(NET_S)
    assert delivered[0].outcome.status is Status.CRASHED
    assert "/no/such/python" in delivered[0].outcome.message


def test_an_interpreter_that_ends_before_the_program_begins_is_quoted(ran, tmp_path, monkeypatch):
    (tmp_path / "sitecustomize.py").write_text("raise SystemExit('the licence has expired')\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    recording = ran(GRAPH)
    assert recording.outcome.status is Status.CRASHED
    assert "before the program began" in recording.outcome.message
    assert "the licence has expired" in recording.outcome.message


def test_a_folder_that_has_gone_is_named(tmp_path, temporary):
    with pytest.raises(ProgramError, match="not there any more"):
        run(Program("p.py", GRAPH, tmp_path / "gone" / "p.py"), Options())


def test_no_room_for_the_files_of_a_run_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(EnvironmentFault, match="TMPDIR"):
        run(Program("p.py", GRAPH), Options())
