"""The check command: its JSON, its table, its exit statuses, and many programs at once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chainstep import check, cli, judging, pytorch
from chainstep.finding import finding
from chainstep.options import Options
from chainstep.program import load
from chainstep.runner import run
from chainstep.saved import save

FAULTS = Path(__file__).parent / "faults"
DIAMOND = Path(__file__).parent / "cases" / "diamond.py"
OVERWRITES = FAULTS / "overwrite_in_add.py"


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


@pytest.fixture
def silent(monkeypatch):
    """No rule finds anything."""
    monkeypatch.setattr(judging, "diagnose", lambda _recording: ())


@pytest.fixture
def alarmed(monkeypatch):
    """One rule finds the same in every program."""
    told = finding("seed-missing", "The root keeps its 0.", "Set its grad to 1.", 7, pass_index=0)
    monkeypatch.setattr(judging, "diagnose", lambda _recording: (told,))


# -- one program ----------------------------------------------------------------------------


@pytest.mark.usefixtures("silent")
def test_the_json_has_the_fields_that_scripts_rely_on(said):
    status, out, err = said("check", DIAMOND, "--format", "json")
    assert (status, err) == (0, "")
    assert out.count("\n") == 1
    told = json.loads(out)
    assert (told["format"], told["version"], told["program"]) == (
        "chainstep-check",
        1,
        "diamond.py",
    )
    assert told["outcome"] == {"status": "ok", "message": "", "line": None}
    assert told["findings"] == []
    row = told["gradients"][0]
    assert row["finite_difference"] == pytest.approx(21.0)
    expected = {"id": 0, "name": "a", "pass": 0, "as_written": None, "accumulate": 21.0}
    assert row.items() >= {**expected, "torch": None, "verdict": "agrees"}.items()


@pytest.mark.usefixtures("alarmed")
def test_a_finding_is_told_with_code_line_and_remedy(said):
    status, out, _ = said("check", DIAMOND, "--format", "json")
    assert status == 1
    (told,) = json.loads(out)["findings"]
    expected = {"code": "CS201", "kind": "seed-missing", "line": 7, "pass": 0, "step": None}
    assert told.items() >= {**expected, "node": None, "remedy": "Set its grad to 1."}.items()
    status, out, _ = said("check", DIAMOND)
    assert status == 1
    assert "line 7: CS201 seed-missing: The root's gradient is never set to 1." in out
    assert "To mend it: Set its grad to 1." in out


def test_a_note_is_no_fault(said, monkeypatch):
    told = finding("dead-unit", "The relu h is off.", "", 3)
    monkeypatch.setattr(judging, "diagnose", lambda _recording: (told,))
    status, out, _ = said("check", DIAMOND)
    assert status == 0
    assert "dead-unit (only a note)" in out


@pytest.mark.usefixtures("silent")
def test_a_gradient_that_differs_fails_the_check_even_without_a_finding(said):
    status, out, _ = said("check", OVERWRITES)
    assert status == 1
    assert "no rule says why" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["x", "-4.0", "-7.0", "-7.0", "differs"] in rows
    assert rows.index(["x", "-4.0", "-7.0", "-7.0", "differs"]) < rows.index(
        ["k", "3.0", "3.0", "3.0", "agrees"]
    )


@pytest.mark.usefixtures("silent")
def test_a_clean_program_is_called_clean(said):
    status, out, err = said("check", DIAMOND)
    assert (status, err) == (0, "")
    assert "Nothing is wrong." in out
    assert "== gradients of pass 1 of 1: 5 agree ==" in out


@pytest.mark.usefixtures("silent")
def test_only_the_gradients_in_the_table_are_counted(said, tmp_path):
    file = tmp_path / "constant.py"
    file.write_text("from chainstep import Value\nx = Value(3.0)\ny = x * 2\ny.backward()\n")
    _, out, _ = said("check", file)
    heading, titles, *rows = out[out.index("== gradients") :].splitlines()
    assert heading == "== gradients of pass 1 of 1: 2 agree =="
    assert titles.startswith("node")
    assert [row.split()[0] for row in rows] == ["x", "y"]


@pytest.mark.usefixtures("silent")
def test_a_kink_is_named_in_the_table(said, tmp_path):
    file = tmp_path / "kink.py"
    file.write_text("from chainstep import Value\nx = Value(0.0)\nr = x.relu()\nr.backward()\n")
    status, out, _ = said("check", file)
    assert status == 0
    assert "kink at r" in out


@pytest.mark.usefixtures("silent")
def test_a_program_that_fails_is_told_and_fails_the_check(said, tmp_path):
    file = tmp_path / "fails.py"
    file.write_text("from chainstep import Value\na = Value(2.0)\nb = a * a\nb.backward()\n1 / 0\n")
    status, out, err = said("check", file, "--format", "json")
    assert status == 1
    assert json.loads(out)["outcome"]["line"] == 5
    assert err.startswith("chainstep: fails.py: line 5: ")


@pytest.mark.usefixtures("silent")
def test_pytorch_is_asked_on_request(said):
    pytest.importorskip("torch")
    _, out, _ = said("check", DIAMOND, "--torch", "--format", "json")
    assert json.loads(out)["gradients"][0]["torch"] == 21.0
    _, out, _ = said("check", DIAMOND, "--torch")
    assert "PyTorch" in out


@pytest.mark.usefixtures("silent")
def test_a_pytorch_that_is_not_there_is_said_and_does_no_harm(said, monkeypatch):
    monkeypatch.setattr(pytorch, "is_installed", lambda: False)
    status, out, err = said("check", DIAMOND, "--torch", "--format", "json")
    assert status == 0
    assert json.loads(out)["gradients"][0]["torch"] is None
    assert "not installed" in err


def test_a_missing_program_is_wrong_usage(said):
    status, out, err = said("check", "nowhere.py")
    assert (status, out) == (2, "")
    assert "nowhere.py" in err


def test_a_missing_interpreter_is_the_environments_fault(said):
    status, out, _ = said("check", DIAMOND, "--python", "/nowhere/python")
    assert (status, out) == (2, "")


@pytest.mark.usefixtures("silent")
def test_a_saved_recording_is_judged_without_running_anything(said, tmp_path, monkeypatch):
    program = load(str(OVERWRITES))
    save(run(program, Options()), tmp_path / "bob.chainstep")
    monkeypatch.setattr(check.Stop, "run", lambda *_: pytest.fail("something was run"))
    status, out, err = said("check", tmp_path / "bob.chainstep", "--format", "json")
    assert (status, err) == (1, "")
    told = json.loads(out)
    assert told["program"] == "overwrite_in_add.py"
    assert [row["name"] for row in told["gradients"] if row["verdict"] == "differs"] == ["x"]


# -- many at once ---------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    """A folder of submissions, with things in it that are none."""
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "value.py").write_text(DIAMOND.read_text())
    (tmp_path / "bob.py").write_text(OVERWRITES.read_text())
    for none in (".venv/lib.py", "__pycache__/old.py", "notes.txt"):
        (tmp_path / none).parent.mkdir(exist_ok=True)
        (tmp_path / none).write_text("1 / 0\n")
    return tmp_path


@pytest.mark.usefixtures("silent")
def test_a_folder_gives_one_json_line_for_each_program(said, folder):
    status, out, err = said("check", folder, "--format", "json")
    assert status == 1
    told = [json.loads(line) for line in out.splitlines()]
    assert [each["path"] for each in told] == [
        str(folder / "ann" / "value.py"),
        str(folder / "bob.py"),
    ]
    assert min(err.splitlines()).startswith("[1/2] ")
    assert "bob.py: gradients differ" in err


@pytest.mark.usefixtures("silent")
def test_a_program_that_is_named_twice_is_checked_once(said, folder):
    again = folder / "ann" / ".." / "bob.py"
    _, out, _ = said("check", folder / "bob.py", folder, again, "--format", "json")
    told = [json.loads(line)["path"] for line in out.splitlines()]
    assert told == [str(folder / "bob.py"), str(folder / "ann" / "value.py")]


@pytest.mark.usefixtures("silent")
def test_several_programs_give_a_row_each(said, folder):
    status, out, _ = said("check", folder / "bob.py", DIAMOND, "--jobs", "2")
    assert status == 1
    rows = [line.split() for line in out.splitlines()]
    assert rows[1][1:] == ["ok", "1", "of", "5", "differ"]
    assert rows[2][1:] == ["ok", "5", "clean"]
    assert rows[-1] == ["1", "of", "2", "clean"]


@pytest.mark.usefixtures("alarmed")
def test_a_row_names_code_kind_and_line_of_each_finding(said):
    _, out, err = said("check", DIAMOND, DIAMOND)
    assert "line 7: CS201 seed-missing" in out
    assert "seed-missing" in err


@pytest.mark.usefixtures("silent")
def test_a_program_that_cannot_be_read_does_not_stop_the_others(said, folder):
    status, out, err = said("check", DIAMOND, folder / "gone.py", "--format", "json")
    assert status == 2
    assert [json.loads(line)["program"] for line in out.splitlines()] == ["diamond.py"]
    assert "gone.py" in err


@pytest.mark.usefixtures("silent")
def test_notebooks_in_a_folder_are_checked_too(said, tmp_path):
    cells = [{"cell_type": "code", "source": "%time 1\n" + DIAMOND.read_text(), "metadata": {}}]
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints" / "n-checkpoint.ipynb").write_text("{}")
    status, out, err = said("check", tmp_path)
    assert status == 0
    assert out.endswith("1 of 1 clean\n")
    assert "n.ipynb: clean" in err


def test_a_fault_of_ours_in_one_program_does_not_end_the_others(said, folder, monkeypatch):
    def fails(recording):
        if recording.program == "bob.py":
            raise ZeroDivisionError("ours")
        return ()

    monkeypatch.setattr(judging, "diagnose", fails)
    status, out, err = said("check", folder, "--format", "json")
    assert status == 1
    told = {json.loads(line)["program"]: json.loads(line) for line in out.splitlines()}
    assert told["value.py"]["outcome"]["status"] == "ok"
    assert told["bob.py"]["outcome"]["status"] == "crashed"
    assert "ZeroDivisionError: ours (test_check.py" in told["bob.py"]["outcome"]["message"]
    assert "bob.py: crashed. Chainstep itself failed on it" in err


def test_a_folder_without_programs_is_wrong_usage(said, tmp_path):
    status, out, err = said("check", tmp_path)
    assert (status, out) == (2, "")
    assert "neither a .py file" in err


@pytest.mark.usefixtures("silent")
def test_a_user_who_has_had_enough_ends_all_runs(said, monkeypatch, tmp_path):
    endless = tmp_path / "endless.py"
    endless.write_text("while True:\n    pass\n")

    def interrupt(_futures, _paths):
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "_watch", interrupt)
    status, _, err = said("check", endless, endless, "--time", "50")
    assert status == 2
    assert "Interrupted" in err


# -- said once ------------------------------------------------------------------------------


def test_a_program_that_python_cannot_read_is_told_of_once(said, tmp_path):
    file = tmp_path / "typo.py"
    file.write_text("b = (1 +\n", encoding="utf-8")
    status, out, err = said("check", file)
    assert (status, err) == (1, "")
    assert (out.count("never closed"), out.count("line 1:")) == (1, 1)


def test_an_exception_is_told_of_once_and_what_was_printed_stays(said, tmp_path):
    file = tmp_path / "fails.py"
    file.write_text(
        "from chainstep import Value\na = Value(1)\nprint('here')\nq\n", encoding="utf-8"
    )
    status, out, err = said("check", file)
    assert (status, err) == (1, "")
    assert "It ended early" not in out
    assert "here" in out
