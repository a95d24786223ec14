"""Notebooks: what becomes of their cells, and what they leave when they run."""

import json
from pathlib import Path

import pytest
from commands import chainstep

from chainstep import magics, notebook
from chainstep.cells import Cells, switched
from chainstep.errors import ProgramError
from chainstep.options import Options
from chainstep.program import Program, load
from chainstep.runner import run
from chainstep.trace import Mode, Status

FOLDER = Path(__file__).parent / "notebooks"


def cell(source, kind="code"):
    return {"cell_type": kind, "metadata": {}, "source": source}


def written(*sources):
    cells = [cell(each) if isinstance(each, str) else each for each in sources]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def text(*sources):
    return notebook.text_of(written(*sources), "n.ipynb")


@pytest.fixture
def ran(tmp_path):
    """Runs cells as a notebook and gives its recording."""

    def runs(*sources):
        path = tmp_path / "n.ipynb"
        path.write_bytes(written(*sources))
        return run(load(str(path)), Options())

    return runs


# -- as text --------------------------------------------------------------------------------


def test_code_cells_become_one_text_with_headings():
    got = text(
        "x = 1\ny = 2\n", cell("# Loss ∂L\nwords", "markdown"), cell("raw", "raw"), "", "é = 'ü'"
    )
    assert got == ("# %% cell 1\nx = 1\ny = 2\n\n# %% cell 2 · Loss ∂L\n\n\n# %% cell 3\né = 'ü'\n")


@pytest.mark.parametrize("data", [b"{}", b'{"cells": [{}]}', b'{"cells": 3}', b"[]", b"x"])
def test_what_is_no_notebook_is_refused(data):
    with pytest.raises(ProgramError, match=r"n\.ipynb is no notebook that can be read"):
        notebook.text_of(data, "n.ipynb")


def test_the_third_format_is_read_too():
    old = load(str(FOLDER / "old.ipynb")).text
    assert old.startswith("# %% cell 1 · Reuse\n# skipped: %pylab inline\nfrom micrograd")
    assert "plot(x)" not in old


@pytest.mark.parametrize(
    ("line", "python"),
    [
        ("%matplotlib inline", "# skipped: %matplotlib inline"),
        ("!pip install x", "# skipped: !pip install x"),
        ("pip install x", "# skipped: pip install x"),
        ("?Value", "# skipped: ?Value"),
        ("Value.data??", "# skipped: Value.data??"),
        ("/f x", "# skipped: /f x"),
        ("    !ls", "    pass  # skipped: !ls"),
        ("a = !ls -l", "a = []  # skipped: !ls -l"),
        ("a, b = %magic 3", "a, b = None  # skipped: %magic 3"),
        ("%time loss.backward()", "loss.backward()"),
        ("a = %time f(2)", "a = f(2)"),
        ("%timeit f(2)", "# skipped: %timeit f(2)"),
        ("pip = 3", "pip = 3"),
        ("a = b % c", "a = b % c"),
        ("ls", "ls"),
    ],
)
def test_what_only_jupyter_knows_becomes_a_comment_and_python_stays(line, python):
    assert magics.translated(line) == [python]


@pytest.mark.parametrize(
    "source",
    [
        "x = (a\n% b)",
        "'''\n%no\n!no\n'''",
        "x = 1 + \\\n%b",
        's = "it\'s # (" \\\n"%d"\ny = [1,\n!2]',
        "# (\nf('''a''', \"\"\"b\n%c\"\"\")",
        "s = 'a\\'b' # '''\nx = 1",
    ],
)
def test_a_percent_sign_inside_a_statement_is_left_alone(source):
    assert magics.translated(source) == source.split("\n")


def test_a_shell_line_that_goes_on_is_skipped_to_its_end():
    assert magics.translated("!pip \\\n  install\nx = 1") == [
        "# skipped: !pip \\",
        "#   install",
        "x = 1",
    ]


def test_cells_of_other_languages_are_comments_and_timed_ones_run():
    assert magics.translated("%%bash\nls -l\n\necho") == [
        "# skipped: %%bash",
        "# ls -l",
        "",
        "# echo",
    ]
    assert magics.translated("\n%%time\nx = 1\n!ls") == [
        "",
        "# skipped: %%time",
        "x = 1",
        "# skipped: !ls",
    ]


def test_a_line_that_looks_like_a_heading_begins_no_cell():
    cells = Cells("n.ipynb", text("# %% cell 7\nx = 1", "y")).all
    assert [each.number for each in cells] == [1, 2]


def test_a_cell_can_be_switched_off_and_on_again_without_moving_a_line():
    before = text("a = '''\n  b'''\n\nc = 1", "d = 2")
    off = switched(before, 1, runs=False)
    assert off.split("\n")[:3] == ["# %% cell 1 (off)", "# a = '''", "#   b'''"]
    assert off.count("\n") == before.count("\n")
    assert [each.runs for each in Cells("n.ipynb", off).all] == [False, True]
    assert switched(off, 1, runs=True) == before


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no notebook"),
        (b"[1]", "no notebook"),
        (b'{"cells": 3}', "no notebook"),
        (b'{"cells": [{"source": [1]}]}', "no notebook"),
        (b"\xff\xfe", "no notebook"),
        (b"[" * 100_000, "no notebook"),
        (b'{"cells": []}', "no code cell"),
        (
            b'{"cells": [], "metadata": {"kernelspec": {"language": "julia"}}}',
            "notebook for julia",
        ),
    ],
)
def test_what_cannot_be_run_is_refused(data, words):
    with pytest.raises(ProgramError, match=words):
        notebook.text_of(data, "n.ipynb")


def test_half_a_surrogate_pair_is_no_reason_to_fail():
    assert "'\\ud800'" in text("s = '\ud800'")


# -- as it runs -----------------------------------------------------------------------------


def test_a_lecture_with_a_class_of_its_own_gives_its_graph_without_what_draws(
    tmp_path, monkeypatch
):
    missing = "raise ModuleNotFoundError('No module named torch', name='torch')"
    (tmp_path / "torch.py").write_text(missing)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    recording = run(load(str(FOLDER / "lecture.ipynb")), Options())
    assert recording.outcome.status is Status.OK, recording.outcome.message
    gradients = {recording.nodes[i].name: g for i, g in recording.traces[0].final.items()}
    # The neuron of the lecture: tanh' is 0.5 there.
    expected = {"x1": -1.5, "w1": 1.0, "x2": 0.5, "w2": 0.0, "b": 0.5, "n": 0.5, "ö": 1.0}
    assert expected == {name: pytest.approx(gradients[name]) for name in expected}
    notes = " ".join(recording.notes)
    assert "cell 1, line 3 (`%matplotlib inline`)" in notes
    assert "cell 6, line 1 (`%%time`)" in notes
    assert "The rest of cell 10 was left out from cell 10, line 3 on: it needs torch" in notes
    assert "The rest of cell 11 was left out from cell 11, line 1 on: it needs t2" in notes
    assert "(-1.4999999999999993, 0.9999999999999996)" in recording.output


def test_an_old_notebook_runs(tmp_path):
    recording = run(load(str(FOLDER / "old.ipynb")), Options())
    assert recording.outcome.status is Status.OK
    assert recording.trace(Mode.AS_WRITTEN).final[0] == 2.0
    assert recording.trace(Mode.OVERWRITE).final[0] == 1.0


def test_a_cell_that_fails_half_way_leaves_the_passes_before_it():
    recording = run(load(str(FOLDER / "training.ipynb")), Options())
    assert recording.passes == 2
    assert recording.outcome.status is Status.EXCEPTION
    assert "in cell 7, line 1 (`1 / 0`)" in recording.outcome.message
    assert "Cell 7, line 1, in <module>" in recording.output
    assert "never" not in recording.output
    assert "moons" not in recording.output
    notes = " ".join(recording.notes)
    assert "In cell 2, line 5, sklearn is not installed" in notes
    assert "The rest of cell 4 was left out" in notes


VALUES = "from chainstep import Value\na = Value(2.0)\nb = a * a\nb.backward()"


def test_cells_before_one_that_python_cannot_read_run(ran):
    recording = ran(VALUES, "x = = 1", "print('never')")
    assert recording.passes == 1
    assert "in cell 2, line 1 (`x = = 1`)" in recording.outcome.message


def test_an_await_outside_of_a_function_is_told_in_plain_words(ran):
    recording = ran(VALUES, "import asyncio\nawait asyncio.sleep(0)")
    assert recording.passes == 1
    assert "Only Jupyter awaits outside of a function" in recording.outcome.message
    assert "cell 2, line 2" in recording.outcome.message


def test_the_last_value_of_a_cell_is_printed_unless_a_semicolon_follows(ran):
    recording = ran(
        VALUES, "1\n2", "3;", "None", "x = 4", "display(5)", "get_ipython().magic('ls')"
    )
    assert recording.output.split() == ["2", "5"]


def test_what_is_missing_is_left_out_up_to_the_names_that_depend_on_it(ran):
    recording = ran(
        "import no_such_package as n, math\nfrom no_such_package.x import y\nprint('on')",
        "z = 1\nprint(n)\nw = 2",
        "print(w)",
        "def f():\n    return n\nf()",
        VALUES,
        "print(undefined)",
    )
    assert recording.output.startswith("on\n")
    assert recording.passes == 1
    assert "cell 6, line 1" in recording.outcome.message
    assert "undefined" in recording.outcome.message
    assert sum("was left out" in note for note in recording.notes) == 5


def test_a_future_import_holds_for_the_cells_after_it(ran):
    recording = ran("from __future__ import annotations", "def f(x: nowhere): pass", VALUES)
    assert recording.outcome.status is Status.OK


def test_a_cell_that_is_off_does_not_run_and_that_is_said(tmp_path):
    source = switched(text("print('no')", VALUES), 1, runs=False)
    recording = run(Program("n.ipynb", source), Options())
    assert recording.output == ""
    assert recording.passes == 1
    assert "Cell 1 is switched off and did not run." in recording.notes


def test_a_package_that_draws_takes_everything_and_is_told_once(ran):
    recording = ran(
        "import matplotlib.pyplot as plt\nfrom mpl_toolkits.mplot3d import Axes3D\n"
        "import matplotlib",
        "fig, (ax, bx) = plt.subplots(1, 2)\nax[0].plot([1], color='r').x = 3\n"
        "with plt.style.context('x'):\n    bx.set(xlim=(0, 1))\nprint(len(ax), [*ax])",
        VALUES,
    )
    assert recording.outcome.status is Status.OK, recording.outcome.message
    assert recording.output == "0 []\n"
    assert sum("matplotlib is not installed" in note for note in recording.notes) == 1


def test_a_library_that_can_do_without_drawing_finds_nothing(ran, tmp_path):
    library = tmp_path / "site-packages"
    library.mkdir()
    (library / "lib.py").write_text(
        "try:\n    import pydot\nexcept ImportError:\n    pydot = None\n"
    )
    recording = ran(f"import sys\nsys.path.append({str(library)!r})\nimport lib\nlib.pydot", VALUES)
    assert recording.output == ""
    assert not recording.notes


# -- on the command line --------------------------------------------------------------------


def test_json_names_the_cell_of_what_went_wrong():
    result = chainstep("trace", FOLDER / "training.ipynb", "--format", "json")
    outcome = json.loads(result.stdout)["outcome"]
    assert (outcome["cell"], outcome["cell_line"]) == (7, 1)
    assert result.returncode == 1


def test_check_names_cell_and_line_of_a_finding():
    result = chainstep("check", FOLDER / "training.ipynb", "--format", "json")
    told = json.loads(result.stdout)
    found = next(each for each in told["findings"] if each["kind"] == "exception-midway")
    assert (found["cell"], found["cell_line"]) == (7, 1)
    result = chainstep("check", FOLDER / "training.ipynb")
    assert "cell 7, line 1: CS602 exception-midway" in result.stdout
