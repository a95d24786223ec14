from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from commands import chainstep

from chainstep import __version__, cli, display
from chainstep.errors import EnvironmentFault
from chainstep.options import Options
from chainstep.program import examples, load
from chainstep.runner import run
from chainstep.saved import save

DIAMOND = Path(__file__).parent / "cases" / "diamond.py"
RAISES = "from chainstep import Value\na = Value(2.0)\nb = a * 3\nb.backward()\n1 / 0\n"
INFINITE = "from chainstep import Value\na = Value(1e200)\nb = a * a\nc = b - b\n"


@pytest.fixture
def said(capsys):
    """Run the command line in this process: (exit status, standard output, standard error)."""

    def run(*words):
        try:
            status = cli.main([str(word) for word in words])
        except SystemExit as end:
            status = end.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


def written(tmp_path, text, name="program.py"):
    file = tmp_path / name
    file.write_text(text)
    return file


# -- the JSON -------------------------------------------------------------------------------


def test_the_json_has_the_fields_that_scripts_rely_on(said):
    status, out, err = said("trace", DIAMOND, "--format", "json")
    assert (status, err) == (0, "")
    told = json.loads(out)
    assert {key: told[key] for key in ("format", "version", "program", "seed", "output")} == {
        "format": "chainstep-trace",
        "version": 1,
        "program": "diamond.py",
        "seed": 0,
        "output": "",
    }
    assert told["outcome"] == {"status": "ok", "message": "", "line": None}
    node = {"id": 2, "name": "c", "op": "+", "data": 5.0, "children": [0, 1], "line": 5}
    assert told["nodes"][2].items() >= {**node, "constant": False}.items()
    trace = told["traces"][0]
    assert (
        trace.items()
        >= {
            "pass": 0,
            "mode": "accumulate",
            "order": "depth-first",
            "root": 4,
            "sequence": [4, 3, 2, 1, 0],
            "initial": {"0": 0.0, "1": 0.0, "2": 0.0, "3": 0.0, "4": 0.0},
            "final": {"0": 21.0, "1": 16.0, "2": 6.0, "3": 5.0, "4": 1.0},
            "error": None,
        }.items()
    )
    second = {"kind": "write", "node": 2, "slot": 0, "target": 0, "upstream": 6.0, "local": 1.0}
    change = {"contribution": 6.0, "before": 15.0, "after": 21.0, "accumulates": True}
    assert trace["steps"][8].items() >= {**second, **change}.items()
    assert set(trace["steps"][8]) >= {"line"}


def test_the_json_is_one_object_in_one_line_of_ascii(said):
    _, out, _ = said("trace", DIAMOND, "--format", "json")
    assert out.isascii()
    assert out.count("\n") == 1
    assert out.endswith("}\n")


def test_numbers_that_are_not_finite_are_strings(said, tmp_path):
    _, out, _ = said("trace", written(tmp_path, INFINITE), "--format", "json")
    told = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert [node["data"] for node in told["nodes"]][1:] == ["inf", -1.0, "-inf", "nan"]


def test_a_failing_program_is_told_in_the_json_and_in_the_exit_status(said, tmp_path):
    status, out, err = said("trace", written(tmp_path, RAISES), "--format", "json")
    told = json.loads(out)
    assert status == 1
    assert (told["outcome"]["status"], told["outcome"]["line"]) == ("exception", 5)
    assert "ZeroDivisionError" in told["outcome"]["message"]
    assert [trace["mode"] for trace in told["traces"]] == ["as-written", "accumulate", "overwrite"]
    assert err.startswith("chainstep: program.py: line 5: ")
    assert err.count("\n") == 1


def test_what_the_program_prints_is_in_the_json_only(said, tmp_path):
    file = written(tmp_path, "print('hello')\n" + DIAMOND.read_text())
    _, out, err = said("trace", file, "--format", "json")
    assert (json.loads(out)["output"], err) == ("hello\n", "")


# -- the table ------------------------------------------------------------------------------


def test_the_table_shows_both_modes_side_by_side_and_where_they_part(said):
    status, out, err = said("trace", DIAMOND)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "diamond.py: 5 nodes, 1 backward pass, seed 0"
    row = next(line for line in lines if line.split()[:4] == ["9", "c", "write", "a"])
    assert "1.0 × 6.0 = 6.0 15.0 → 21.0 1.0 × 6.0 = 6.0 15.0 → 6.0 ≠" in " ".join(row.split())
    assert [line.split() for line in lines if line.startswith("a ")] == [
        ["a", "2.0", "21.0", "6.0", "≠"]
    ]


def test_the_table_of_a_program_with_backward_shows_what_it_did_first(said, tmp_path):
    file = written(tmp_path, DIAMOND.read_text() + "e.backward()\n")
    _, out, _ = said("trace", file)
    assert out.index("as written, as-written order") < out.index("+= and =, depth-first order")


@pytest.mark.parametrize(
    ("mode", "modes"),
    [
        ("accumulate", ["as-written", "accumulate"]),
        ("overwrite", ["as-written", "overwrite"]),
        ("both", ["as-written", "accumulate", "overwrite"]),
    ],
)
def test_a_mode_chooses_the_forced_passes_and_never_hides_the_programs_own(
    said, tmp_path, mode, modes
):
    file = written(tmp_path, DIAMOND.read_text() + "e.backward()\n")
    _, out, _ = said("trace", file, "--mode", mode, "--format", "json")
    assert [trace["mode"] for trace in json.loads(out)["traces"]] == modes
    assert said("trace", file, "--mode", mode)[0] == 0


def test_the_order_is_followed(said):
    _, out, _ = said("trace", DIAMOND, "--order", "breadth-first", "--format", "json")
    assert json.loads(out)["traces"][0]["sequence"] == [4, 2, 3, 0, 1]


def test_a_root_can_be_named(said):
    _, out, _ = said("trace", DIAMOND, "--root", "c", "--format", "json")
    assert json.loads(out)["traces"][0]["root"] == 2


def test_a_root_that_is_not_there_is_answered_with_the_names_there_are(said):
    status, _, err = said("trace", DIAMOND, "--root", "loss")
    assert status == 1
    assert "'loss'" in err
    assert "a, b, c, d, e" in err


# -- where programs come from and results go ------------------------------------------------


def test_an_example_can_be_traced_by_name(said):
    status, out, _ = said("trace", "example:reuse", "--format", "json")
    assert (status, json.loads(out)["program"]) == (0, "reuse.py")


def test_a_program_can_come_from_standard_input():
    done = chainstep("trace", "-", "--format", "json", stdin=DIAMOND.read_text())
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)["nodes"]) == 5


def test_the_result_can_go_to_a_file(said, tmp_path):
    target = tmp_path / "out.json"
    assert said("trace", DIAMOND, "--format", "json", "-o", target) == (0, "", "")
    assert json.loads(target.read_text())["format"] == "chainstep-trace"


def test_a_file_that_cannot_be_written_is_the_environments_fault(said, tmp_path):
    status, out, err = said("trace", DIAMOND, "-o", tmp_path / "missing" / "out.json")
    assert (status, out) == (2, "")
    assert "cannot be written (No such file or directory)" in err


def test_a_program_that_is_not_there_is_wrong_usage(said):
    status, out, err = said("trace", "nowhere.py")
    assert (status, out) == (2, "")
    assert "nowhere.py" in err
    assert err.startswith("chainstep: ")


def test_a_reader_that_has_seen_enough_is_no_failure():
    command = f'"{sys.executable}" -m chainstep trace example:mlp | head -1'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("mlp.py: ")


def test_a_terminal_without_our_signs_gets_escapes_and_no_error():
    done = chainstep("trace", DIAMOND, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert r"1.0 \xd7 6.0" in done.stdout


# -- limits ---------------------------------------------------------------------------------


def test_the_limits_reach_the_run(said, tmp_path):
    loop = written(tmp_path, DIAMOND.read_text() + "while True: pass\n")
    status, out, _ = said("trace", loop, "--time", "0.5", "--format", "json")
    assert (status, json.loads(out)["outcome"]["status"]) == (1, "timeout")


@pytest.mark.parametrize(
    ("flag", "limit", "text", "expected"),
    [
        ("--nodes", "4", "", "too-large"),
        ("--steps", "6", "", "too-large"),
        ("--output", "1", "print('x' * 10_000)\n", "output"),
        ("--memory", "150", "x = bytearray(600_000_000)\nwhile True: pass\n", "memory"),
    ],
)
def test_each_limit_ends_the_run_with_its_own_status(said, tmp_path, flag, limit, text, expected):
    file = written(tmp_path, DIAMOND.read_text() + text)
    status, out, err = said("trace", file, flag, limit, "--format", "json")
    assert (status, json.loads(out)["outcome"]["status"]) == (1, expected)
    assert flag in err


def test_the_seed_is_used_and_told(said, tmp_path):
    file = written(
        tmp_path, "import random\nfrom chainstep import Value\na = Value(random.random()) * 2\n"
    )
    datas = {}
    for seed in ("1", "1", "2"):
        told = json.loads(said("trace", file, "--seed", seed, "--format", "json")[1])
        assert told["seed"] == int(seed)
        datas.setdefault(seed, set()).add(told["nodes"][0]["data"])
    assert [len(found) for found in datas.values()] == [1, 1]
    assert datas["1"] != datas["2"]


def test_another_interpreter_can_be_named(said):
    status, out, _ = said("trace", DIAMOND, "--python", sys.executable, "--format", "json")
    assert (status, len(json.loads(out)["nodes"])) == (0, 5)


def test_an_interpreter_that_is_not_there_is_the_environments_fault(said):
    status, out, err = said("trace", DIAMOND, "--python", "/nowhere/python")
    assert (status, out) == (2, "")
    assert "/nowhere/python" in err


# -- usage ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ["trace"],
        ["trace", DIAMOND, "--mode", "sum"],
        ["trace", DIAMOND, "--order", "as-written"],
        ["trace", DIAMOND, "--form", "json"],
        ["trace", DIAMOND, "--time", "0"],
        ["trace", DIAMOND, "--time", "soon"],
        ["trace", DIAMOND, "--nodes", "-5"],
        ["trace", DIAMOND, "--nodes", "1.5"],
        ["trace", DIAMOND, "--seed", "x"],
        ["examples", "more"],
        ["one.py", "two.py"],
    ],
)
def test_wrong_usage_is_said_on_standard_error_with_status_2(said, words):
    status, out, err = said(*words)
    assert (status, out) == (2, "")
    assert "usage: chainstep" in err


@pytest.mark.parametrize("command", ["export"])
def test_what_is_not_built_yet_says_so_and_is_not_offered(said, command):
    status, out, err = said(command, DIAMOND)
    assert (status, out) == (2, "")
    assert f"has no {command} yet" in err
    assert command not in said("--help")[1].split("\n\n", 1)[1].replace("self-test", "").split(
        "check this installation"
    )


def test_the_version_is_told(said):
    assert said("--version") == (0, f"chainstep {__version__}\n", "")


def test_the_help_names_the_commands_and_the_exit_statuses(said):
    status, out, err = said("--help")
    assert (status, err) == (0, "")
    for word in ("chainstep trace PROGRAM", "chainstep examples", "--self-test", "exit status: 0"):
        assert word in out


def test_the_help_of_trace_names_every_option_and_limit(said):
    _, out, _ = said("trace", "--help")
    options = "--mode --order --root --format -o --time --memory --nodes --steps --output"
    for word in [*options.split(), "--seed", "--python"]:
        assert word in out


def test_check_tells_of_each_lesson_whether_it_opens_where_it_says(said, tmp_path):
    folder = Path(__file__).parents[1] / "resources" / "lessons"
    right, wrong = folder / "square.md", tmp_path / "wrong.md"
    wrong.write_text(right.read_text("utf-8").replace("view: both", "view: twice"), "utf-8")
    assert said("check", str(right)) == (0, f"{right}: opens where it says\n", "")
    status, out, err = said("check", str(right), str(wrong))
    assert (status, err) == (1, "")
    assert out.splitlines()[1] == (
        "wrong.md, line 3: view is 'twice'; expected accumulate, overwrite, both or as-written."
    )


def test_a_lesson_that_cannot_be_read_keeps_no_other_from_being_checked(said, tmp_path):
    folder = Path(__file__).parents[1] / "resources" / "lessons"
    right, none = folder / "square.md", tmp_path / "none.md"
    status, out, err = said("check", str(none), str(right))
    assert (status, out) == (2, f"{right}: opens where it says\n")
    assert err.startswith(f"chainstep: There is no file {none}.")


@pytest.mark.parametrize("other", ["example:diamond", "--torch"])
def test_a_lesson_is_not_taken_for_a_program_among_others(said, other):
    status, out, err = said("check", "mine.md", other)
    assert (status, out) == (2, "")
    assert err == f"chainstep: Lessons are checked by themselves: leave out {other}.\n"


def test_examples_lists_every_name_and_title_in_order(said):
    status, out, err = said("examples")
    assert (status, err) == (0, "")
    assert [line.split("  ", 1)[0] for line in out.splitlines()] == [e.name for e in examples()]
    assert all(example.title in out for example in examples())


def test_the_command_line_loads_no_qt_for_text():
    code = (
        "import sys; from chainstep import cli; cli.main(['trace', 'example:reuse']);"
        "sys.exit(any(name.startswith(('PySide6', 'networkx')) for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


# -- no window ------------------------------------------------------------------------------

NO_SCREEN = {"DISPLAY": None, "WAYLAND_DISPLAY": None, "QT_QPA_PLATFORM": None}


@pytest.mark.parametrize(
    ("surroundings", "reason"),
    [
        (NO_SCREEN, "there is no display"),
        ({**NO_SCREEN, "QT_QPA_PLATFORM": "xcb"}, "there is no display"),
        ({**NO_SCREEN, "DISPLAY": ":987"}, "the display (DISPLAY=:987) does not answer"),
    ],
)
def test_without_a_display_the_reason_is_said_and_the_text_is_given(surroundings, reason):
    done = chainstep(DIAMOND, **surroundings)
    assert done.returncode == 0, done.stderr
    assert reason in done.stderr
    assert "xvfb-run -a chainstep" in done.stderr
    assert len(done.stderr.splitlines()) <= 3
    assert done.stdout == chainstep("trace", DIAMOND).stdout


def test_without_a_display_and_a_program_the_neuron_is_told():
    done = chainstep(**NO_SCREEN)
    assert done.returncode == 0
    assert done.stdout.startswith("neuron.py: 10 nodes")


def test_without_a_display_a_failing_program_still_fails(tmp_path):
    done = chainstep(written(tmp_path, RAISES), **NO_SCREEN)
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_a_missing_library_is_named_with_the_line_that_mends_it(tmp_path):
    package = tmp_path / "PySide6"
    package.mkdir()
    (package / "__init__.py").touch()
    reason = "libEGL.so.1: cannot open shared object file: No such file or directory"
    (package / "QtCore.py").write_text(f"raise ImportError({reason!r})\n")
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = chainstep(DIAMOND, **NO_SCREEN, PYTHONPATH=path)
    assert done.returncode == 0
    assert f"a system library is missing ({reason})" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == chainstep("trace", DIAMOND).stdout


def test_a_missing_qt_is_named_with_the_line_that_installs_it():
    words = display.missing_library(ModuleNotFoundError("no", name="PySide6"))
    assert "PySide6 is not installed" in words
    assert "pip install 'PySide6-Essentials" in words


def test_debian_gets_a_line_to_copy_and_others_get_words(monkeypatch):
    for release, remedy in (
        ({"ID": "debian"}, "sudo apt-get install libglib2.0-0"),
        ({"ID": "linuxmint", "ID_LIKE": "ubuntu debian"}, "sudo apt-get install libglib2.0-0"),
        ({"ID": "fedora"}, "with your package manager"),
    ):
        monkeypatch.setattr("platform.freedesktop_os_release", lambda found=release: found)
        assert display.remedy().startswith(remedy)


def test_a_display_that_answers_without_a_window_means_a_missing_library():
    words = display.no_display({"DISPLAY": ":0"}, ["Could not load the Qt platform plugin xcb"])
    assert "a system library is missing" in words


@pytest.mark.parametrize(
    ("environ", "system", "chosen"),
    [
        ({}, "linux", "xcb;offscreen"),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", "wayland;xcb;offscreen"),
        ({"QT_QPA_PLATFORM": "xcb"}, "linux", "xcb;offscreen"),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", None),
        ({}, "darwin", None),
        ({}, "win32", None),
    ],
)
def test_a_platform_is_chosen_that_cannot_end_the_process(environ, system, chosen):
    assert display.platform_for(environ, system) == chosen


def test_a_window_that_opens_gets_the_program(monkeypatch, said):
    opened = []
    monkeypatch.setattr(cli, "open_window", lambda program: opened.append(program) or 0)
    assert said("example:reuse") == (0, "", "")
    assert said() == (0, "", "")
    assert [program and program.name for program in opened] == ["reuse.py", None]


def test_an_unknown_program_is_refused_before_any_window(monkeypatch, said):
    monkeypatch.setattr(cli, "open_window", lambda _: pytest.fail("a window was opened"))
    status, _, err = said("example:nueron")
    assert status == 2
    assert "example:neuron" in err


def test_the_fault_of_the_environment_is_told_once(monkeypatch, said):
    def refuse(_program):
        raise EnvironmentFault("Chainstep cannot open its window: just so.")

    monkeypatch.setattr(cli, "open_window", refuse)
    status, out, err = said(DIAMOND)
    assert status == 0
    assert err == "Chainstep cannot open its window: just so.\nThe same as text:\n\n"
    assert out.startswith("diamond.py: 5 nodes")


# -- the self-test --------------------------------------------------------------------------


def test_the_self_test_writes_a_line_per_check_and_passes():
    # Not even a machine whose locale Qt complains of is a fault.
    done = chainstep("--self-test", LC_ALL="C")
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert lines[-1] == "all passed"
    assert all(line.startswith("ok ") for line in lines[:-1])
    assert len(lines) > 2 * len(examples())


# -- saved recordings -----------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path):
    """The diamond, saved; its program would fail if it were run."""
    recording = run(load(str(DIAMOND)), Options())
    file = tmp_path / "kept.chainstep"
    save(replace(recording, source="raise SystemExit('it was run')\n"), file)
    return file


@pytest.mark.parametrize("form", ["table", "json"])
def test_a_saved_recording_is_told_as_its_program_is_without_running_it(said, kept, form):
    assert said("trace", kept, "--format", form) == said("trace", DIAMOND, "--format", form)


def test_a_cut_recording_is_told_up_to_the_cut(said, kept):
    lines = kept.read_bytes().splitlines(keepends=True)
    at = next(n for n, line in enumerate(lines) if line.startswith(b'{"steps"'))
    kept.write_bytes(b"".join(lines[: at + 1]))
    status, out, err = said("trace", kept, "--format", "json")
    assert status == cli.FAILED
    assert f"{kept}: The recording is cut off after line {at + 1}." in err
    assert len(json.loads(out)["traces"]) == 1


def test_what_is_no_recording_is_refused(said, tmp_path):
    status, out, err = said("trace", written(tmp_path, "import os\n", "x.chainstep"))
    assert (status, out) == (cli.MISUSED, "")
    assert "x.chainstep cannot be opened. Line 1 of the recording" in err


@pytest.mark.parametrize("words", [("--order", "recursive"), ("--root", "c"), ("--python", "py")])
def test_a_saved_recording_cannot_be_run_in_another_way(said, kept, words):
    status, _, err = said("trace", kept, *words)
    assert status == cli.MISUSED
    assert f"{words[0]} changes nothing in it" in err


def test_a_saved_recording_is_checked_without_running_anything(said, kept):
    status, out, _ = said("check", kept)
    assert status == cli.DONE
    assert "agrees" in out


def test_a_saved_recording_is_opened_in_the_window(monkeypatch, said, kept):
    opened = []
    monkeypatch.setattr(cli, "open_window", lambda saved: opened.append(saved) or 0)
    assert said(kept) == (0, "", "")
    assert [saved.path for saved in opened] == [kept]
    assert opened[0].recording.source.startswith("raise SystemExit")


def test_where_no_window_opens_a_saved_recording_is_told_as_text(monkeypatch, said, kept):
    def refuse(_saved):
        raise EnvironmentFault("Chainstep cannot open its window: just so.")

    monkeypatch.setattr(cli, "open_window", refuse)
    status, out, err = said(kept)
    assert (status, err.partition("\n")[0]) == (0, "Chainstep cannot open its window: just so.")
    assert "5 nodes" in out


def test_a_program_is_never_overwritten_by_what_it_gives(said, tmp_path):
    program = tmp_path / "mine.py"
    program.write_text("from chainstep import Value\na = Value(1.0)\nb = a + a\n")
    status, _, err = said("trace", program, "-o", program)
    assert status == cli.MISUSED
    assert "would overwrite the program" in err
    assert program.read_text().startswith("from chainstep")


def test_an_empty_root_is_refused(said):
    status, _, err = said("trace", "example:neuron", "--root", "")
    assert status == cli.MISUSED
    assert "--root is empty" in err
