"""What a program finds when it runs in the child process, and what is said when it fails."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from endless import run_endless

from chainstep.errors import EnvironmentFault
from chainstep.options import Options
from chainstep.process import Process
from chainstep.program import Program
from chainstep.runner import interpreter, run
from chainstep.table import table
from chainstep.trace import RECORDED, Mode, Status


@pytest.fixture
def ran(tmp_path):
    """Runs a text as the file program.py and gives its recording."""

    def runs(text, **options):
        path = tmp_path / "program.py"
        path.write_text(text, encoding="utf-8")
        return run(Program(path.name, text, path), Options(**options))

    return runs


@pytest.fixture
def told(ran):
    """Runs a text, asserts that it ended well, and gives what it printed, line by line."""

    def tells(text, **options):
        recording = ran("from chainstep import Value\nv = Value(1.0) * 2.0\n" + text, **options)
        assert recording.outcome.status is Status.OK, recording.outcome.message + recording.output
        return recording.output.splitlines()

    return tells


def test_a_program_is_the_main_module_in_its_own_folder(told, tmp_path):
    said = told(
        "import os, sys\n"
        "print(__name__, __file__)\n"
        "print(os.getcwd(), sys.path[0], sys.argv)\n"
        "print(sys.modules['__main__'].v is v, __spec__, __doc__, __package__)\n"
    )
    path = tmp_path / "program.py"
    assert said == [
        f"__main__ {path}",
        f"{tmp_path} {tmp_path} {[str(path)]}",
        "True None None None",
    ]


def test_a_program_sees_the_names_that_python_shows_one(told):
    hidden = {"Value", "v"}
    names = json.loads(told("import json\nprint(json.dumps(dir()))")[0])
    alone = subprocess.run(
        [sys.executable, "-"],
        input="import json\nprint(json.dumps(dir()))",
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    expected = {*json.loads(alone), "__file__"} - {"__cached__"}
    assert set(names) - hidden - {"__cached__"} == expected


def test_a_program_finds_the_modules_beside_it_and_no_other_of_ours(told, tmp_path):
    (tmp_path / "engine.py").write_text("here = 'the engine of the student'")
    (tmp_path / "trace.py").write_text("here = 'the trace of the student'")
    said = told(
        "import engine, trace\n"
        "print(engine.here)\nprint(trace.here)\n"
        "try:\n    import stepper\nexcept ImportError as error:\n    print(error)\n"
    )
    assert said == [
        "the engine of the student",
        "the trace of the student",
        "No module named 'stepper'",
    ]


def test_a_program_has_the_path_and_the_environment_that_python_has(told, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("OWN", "kept")
    ask = "import json, os, sys\nprint(json.dumps([sys.path[1:], dict(os.environ)]))"
    path, environment = json.loads(told(ask)[0])
    alone = subprocess.run(
        [sys.executable, "-c", ask],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    path_alone, environment_alone = json.loads(alone)
    assert path == path_alone
    assert set(environment) - set(environment_alone) == {"CHAINSTEP_RUN"}
    assert environment_alone.items() <= environment.items()


def test_a_text_that_was_never_saved_runs_in_a_fresh_folder_under_its_name(tmp_path):
    text = (
        "import os\nfrom chainstep import Value\nv = Value(1.0) * 2.0\n"
        "print(os.listdir(), os.path.basename(__file__))\nprint(os.getcwd())\n1 / 0\n"
    )
    recording = run(Program("untitled.py", text), Options())
    names, folder, *traceback = recording.output.splitlines()
    assert names == "['untitled.py'] untitled.py"
    assert not Path(folder).exists()
    assert '  File "untitled.py", line 6, in <module>' in traceback
    assert recording.outcome.line == 6


def test_standard_input_runs_too():
    recording = run(Program("<stdin>", "print(__file__[-10:])\n1 / 0"), Options())
    assert recording.output.startswith("program.py\n")
    assert 'File "<stdin>", line 2' in recording.output
    assert recording.outcome.line == 2


def test_the_text_counts_and_not_the_file_that_may_be_older(tmp_path):
    path = tmp_path / "p.py"
    path.write_text("old\n" * 9)
    text = "import inspect\ndef f():\n    return 'new'\nprint(inspect.getsource(f))\n1 / 0\n"
    recording = run(Program("p.py", text, path), Options())
    assert recording.output.startswith("def f():\n    return 'new'\n")
    assert "\n    1 / 0\n" in recording.output
    assert recording.source == text


def test_classes_of_a_program_can_be_pickled_and_looked_into(told):
    assert told(
        "import dataclasses, inspect, pickle, typing\n"
        "@dataclasses.dataclass\nclass Point:\n    x: 'int'\n"
        "print(pickle.loads(pickle.dumps(Point(3))), typing.get_type_hints(Point))\n"
        "print(inspect.getsource(Point).splitlines()[1])\n"
    ) == ["Point(x=3) {'x': <class 'int'>}", "class Point:"]


def test_the_seed_decides_what_random_gives_and_is_written_down(ran):
    text = "import random\nprint(random.random())"
    first, second, other = ran(text, seed=7), ran(text, seed=7), ran(text, seed=8)
    assert first.output == second.output != other.output
    assert (first.seed, other.seed) == (7, 8)
    alone = [sys.executable, "-c", "import random; random.seed(7); print(random.random())"]
    assert first.output == subprocess.run(alone, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("imports", ["import numpy", "from numpy import random"])
def test_numpy_is_seeded_where_a_program_loads_it(ran, imports):
    numpy = pytest.importorskip("numpy")
    numbers = "numpy.random.rand()" if imports == "import numpy" else "random.rand()"
    recording = ran(f"{imports}\nprint(float({numbers}))", seed=2**32 + 5)
    assert recording.output == f"{float(numpy.random.RandomState(5).rand())}\n"


def test_a_program_without_numpy_does_not_pay_for_it(told):
    assert told("import sys\nprint('numpy' in sys.modules, 'ctypes' in sys.modules)") == [
        "False False"
    ]


@pytest.fixture
def without_micrograd(monkeypatch, tmp_path):
    """Hides micrograd from the child: its site directory forgets it at the start."""
    (tmp_path / "usual").mkdir()
    (tmp_path / "usual" / "sitecustomize.py").write_text(
        "import importlib.machinery as machinery\n"
        "find = machinery.PathFinder.find_spec\n"
        "def found(name, path=None, target=None):\n"
        "    spec = find(name, path, target)\n"
        "    own = spec is None or spec.origin is None or 'site-packages' not in spec.origin\n"
        "    return spec if own or not name.startswith('micrograd') else None\n"
        "machinery.PathFinder.find_spec = found\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "usual"))


LECTURE = """\
from micrograd.engine import Value
from micrograd.nn import MLP
import micrograd
n = MLP(2, [3, 1])
y = n([Value(1.0), Value(2.0)])
y.backward()
print(Value.__module__)
"""


def test_our_engine_stands_in_for_micrograd_and_a_note_says_so(ran, without_micrograd):
    recording = ran(LECTURE)
    assert recording.outcome.status is Status.OK, recording.outcome.message
    assert recording.output == "chainstep.engine\n"
    (note,) = recording.notes
    assert "micrograd is not installed" in note
    assert recording.trace(Mode.ACCUMULATE) is not None


def test_micrograd_itself_is_used_where_it_is_installed(ran):
    pytest.importorskip("micrograd")
    recording = ran(LECTURE)
    assert (recording.output, recording.notes) == ("micrograd.engine\n", ())


def test_a_students_own_micrograd_is_never_replaced(ran, without_micrograd, tmp_path):
    (tmp_path / "micrograd").mkdir()
    (tmp_path / "micrograd" / "__init__.py").write_text("")
    (tmp_path / "micrograd" / "engine.py").write_text("class Value: pass\n")
    recording = ran(
        "from micrograd.engine import Value\nprint(Value.__module__)\nimport micrograd.nn"
    )
    assert recording.output.startswith("micrograd.engine\n")
    assert recording.outcome.message.startswith(
        "ModuleNotFoundError: No module named 'micrograd.nn'"
    )


def test_a_folder_that_is_only_called_micrograd_is_not_in_the_way(ran, without_micrograd, tmp_path):
    (tmp_path / "micrograd").mkdir()
    assert ran(LECTURE).output == "chainstep.engine\n"


FAILURES = {
    # name: (text, line, beginning of the message, words of it)
    "division": ("x = 0\n1 / x", 2, "ZeroDivisionError: division by zero.", ["`1 / x`", "divided"]),
    "syntax": ("x = 1\nprint((x\n", 2, "SyntaxError: '(' was never closed.", ["line 2"]),
    "indentation": ("if 1:\nx = 1\n", 2, "IndentationError: expected an indented", ["line 2"]),
    "tabs": ("if 1:\n\tx = 1\n        y = 2\n", 3, "TabError", ["line 3"]),
    "null bytes": ("x = 1\ny = '\0'\n", 2, "", ["null bytes", "line 2"]),
    "lone surrogate": ("x = '\ud800'", None, "UnicodeEncodeError", ["cannot read"]),
    "too deep": ("(" * 1000, 1, "SyntaxError", []),
    "return outside": ("return 1", 1, "SyntaxError: 'return' outside function.", []),
    "syntax of another text": (
        "x = 1\nexec('1 +')",
        2,
        "SyntaxError: invalid syntax.",
        ["another source"],
    ),
    "missing package": (
        "def f():\n    import no_such.package\nf()",
        2,
        "ModuleNotFoundError: No module named 'no_such'.",
        ["no package no_such for", sys.executable, "--python"],
    ),
    "missing name": ("from os import nothing", 1, "ImportError", [sys.executable]),
    "unknown name": ("x = w1 * 2", 1, "NameError: name 'w1' is not defined.", ["spelling"]),
    "misspelt name": (
        "learning_rate = 1\nx = lerning_rate",
        2,
        "NameError: name 'lerning_rate' is not defined.",
        ["Did you mean learning_rate?"],
    ),
    "misspelt attribute": (
        "from chainstep import Value\nValue(1.0).bakward()",
        2,
        "AttributeError: 'Value' object has no attribute 'bakward'.",
        ["Did you mean backward?"],
    ),
    "before its value": (
        "x = 1\ndef f():\n    x += 1\nf()",
        3,
        "UnboundLocalError",
        ["later in the function"],
    ),
    "missing file": ("open('data.csv')", 1, "FileNotFoundError", ["the program's own folder"]),
    "overflow": (
        "import math\nmath.exp(1e6)",
        2,
        "OverflowError: math range error.",
        ["too large"],
    ),
    "no text": ("assert False", 1, "AssertionError. The program", ["assert"]),
    "group": ("raise ExceptionGroup('g', [ValueError()])", 1, "ExceptionGroup: g", []),
    "interrupted wait": ("raise GeneratorExit", 1, "GeneratorExit. The program", []),
    "very long": ("raise ValueError('x' * 10**6)", 1, "ValueError: xxx", ["…"]),
    "in a library": (
        "import json\n\njson.loads('{')",
        3,
        "JSONDecodeError: Expecting property name",
        ["`json.loads('{')`"],
    ),
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_told_with_its_line_and_in_plain_words(tmp_path, name):
    text, line, beginning, words = FAILURES[name]
    recording = run(Program("p.py", text, tmp_path / "p.py"), Options())
    outcome = recording.outcome
    assert (outcome.status, outcome.line) == (Status.EXCEPTION, line), outcome
    assert outcome.message.startswith(beginning)
    for word in words:
        assert word in outcome.message
    assert len(outcome.message) < 1000
    assert "chainstep" not in recording.output.replace(sys.executable, "")


def test_a_traceback_is_that_of_python_without_our_frames(ran, tmp_path):
    text = "def f(x):\n    return 1 / x\n\nf(0)\n"
    recording = ran(text)
    alone = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")], capture_output=True, text=True, check=False
    )
    assert recording.output == alone.stderr


def test_the_exit_hooks_and_the_excepthook_of_a_program_are_called(ran):
    recording = ran(
        "import atexit, sys\natexit.register(print, 'last')\n"
        "sys.excepthook = lambda kind, _, trace: print('hook', kind.__name__, trace.tb_lineno)\n"
        "1 / 0"
    )
    assert recording.output == "hook ZeroDivisionError 4\nlast\n"


def test_text_given_to_exit_is_printed_as_python_does(ran):
    assert ran("import sys\nsys.exit('no data')").output == "no data\n"


def test_reading_from_standard_input_leaves_a_note(ran):
    recording = ran("import sys\nfor line in sys.stdin:\n    print(line)\n")
    assert any("standard input in line 2" in note for note in recording.notes)


def test_a_program_may_use_threads_and_processes(told):
    assert told(
        "import threading\nfrom multiprocessing import get_context\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "print(threading.active_count(), threading.current_thread() is threading.main_thread())\n"
        "with ThreadPoolExecutor() as pool:\n    print(sum(pool.map(abs, range(4))))\n"
        "with get_context('fork').Pool(2) as pool:\n    print(pool.map(abs, [-1, -2]))\n"
    ) == ["1 True", "6", "[1, 2]"]


def test_a_recording_is_the_same_whatever_the_hash_seed(ran, monkeypatch):
    text = (
        "from chainstep import Value\na = Value(2.0)\nb = Value(3.0)\n"
        "e = (a + b) * (a * b)\ne.backward()\nprint(e)\n"
    )
    recordings = []
    for seed in ("0", "1", "77"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        recordings.append(ran(text))
    assert recordings[0] == recordings[1] == recordings[2]


def other_pythons():
    """Every Python on this machine that could be meant: the base of this one, and older, newer."""
    base = Path(sys.base_prefix) / "bin" / "python3"
    named = [shutil.which(f"python3.{minor}") for minor in range(10, 15)]
    kept = sorted((Path.home() / ".pyenv" / "versions").glob("3.1?.*/bin/python3"))
    found = {}
    for path in [base, *filter(None, named), *kept]:
        with contextlib.suppress(OSError, subprocess.CalledProcessError, EnvironmentFault):
            told = subprocess.run([path, "-V"], capture_output=True, text=True, check=True)
            version = told.stdout.strip()
            if version not in found:
                found[version] = interpreter(str(path))
    return found


PYTHONS = other_pythons()


@pytest.mark.parametrize("version", PYTHONS)
def test_another_python_needs_nothing_installed(ran, version):
    text = (
        "import sys\nfrom micrograd.engine import Value\na = Value(3.0)\nb = a + a\n"
        "b.backward()\nprint('Python', sys.version.split()[0])\n1 / 0\n"
    )
    recording = ran(text, python=PYTHONS[version])
    assert recording.output.splitlines()[0] == version
    assert (recording.outcome.status, recording.outcome.line) == (Status.EXCEPTION, 7)
    finals = [set(recording.trace(mode).final.values()) for mode in RECORDED]
    assert finals == [{1.0, 2.0}, {1.0}, {1.0, 2.0}]


@pytest.mark.parametrize("version", PYTHONS)
def test_another_python_is_stopped_and_asked_for_the_line_like_ours(tmp_path, version):
    text = "from chainstep import Value\na = Value(2.0)\nb = a * a\nwhile True:\n    c = b + 1\n"
    options = Options(python=PYTHONS[version])
    recording = run_endless(Program("p.py", text, tmp_path / "p.py"), options)
    assert (recording.outcome.status, recording.outcome.line) == (Status.TIMEOUT, 4)
    assert recording.trace(Mode.ACCUMULATE) is not None
    assert Path(recording.files[0]).name == "p.py"


@pytest.mark.parametrize("version", [*PYTHONS][-1:])
def test_asking_where_a_program_is_does_not_crash_it(tmp_path, version):
    text = "from chainstep import Value\na = Value(2.0)\nwhile True:\n    b = a + 1\n"
    program = Program("p.py", text, tmp_path / "p.py")
    # What is asked at any moment of making a frame crashes Python 3.12 and 3.13 one time in ten.
    with contextlib.closing(Process(program, Options(), PYTHONS[version])) as process:
        while not process.began:
            assert not process.ended_within(0.01)
        assert sum("p.py" in process.ask_where() for _ in range(40)) > 0
        assert not process.ended_within(0)


def test_a_label_that_commands_a_terminal_is_spelled_out_wherever_it_is_shown(ran):
    text = "from chainstep import Value\na = Value(2.0)\na.label = 'a\\x1b[31m\\nb'\nb = a * a"
    recording = ran(f"{text}\nprint('\\x1b[2J')")
    assert recording.nodes[0].name == r"a\x1b[31m\nb"
    told = table(recording, set(RECORDED))
    assert "\x1b" not in told
    assert r"\x1b[2J" in told
