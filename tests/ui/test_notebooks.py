"""Notebooks in the window: shown as one text, never written, with cells to choose from."""

import json
from dataclasses import replace

import pytest
from conftest import RECORDINGS
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog

from chainstep.finding import finding
from chainstep.program import Program
from chainstep.report import Report
from chainstep.ui.cell_chooser import CellChooser
from chainstep.ui.notices import notice

TEXT = "# %% cell 1 · Graph\n# skipped: %matplotlib inline\na = 1\n\n# %% cell 2\nb = 2\n"


@pytest.fixture
def notebook(window, tmp_path):
    path = tmp_path / "n.ipynb"
    kinds = (("markdown", "# Graph"), ("code", "%matplotlib inline\na = 1"), ("code", "b = 2"))
    cells = [{"cell_type": kind, "source": text, "metadata": {}} for kind, text in kinds]
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    window.parts.files.open_path(path)
    return path


def test_a_notebook_is_shown_as_one_text_and_is_not_changed_by_that(window, notebook):
    assert window.parts.editor.text() == TEXT
    assert not window.isWindowModified()
    assert window.windowTitle() == "n.ipynb[*] — Chainstep"


def test_saving_a_notebook_asks_for_a_python_file_and_leaves_it_alone(window, notebook):
    before = notebook.read_bytes()
    window.parts.editor.insertPlainText("# mine\n")
    window.parts.actions["save"].trigger()
    dialog = window.findChild(QFileDialog)
    assert [name.rpartition("/")[2] for name in dialog.selectedFiles()] == ["n.py"]
    dialog.fileSelected.emit(str(notebook.with_suffix(".py")))
    dialog.reject()
    assert notebook.with_suffix(".py").read_text() == f"# mine\n{TEXT}"
    assert notebook.read_bytes() == before
    assert window.windowTitle() == "n.py[*] — Chainstep"


def test_a_notebook_is_not_written_even_where_its_name_is_chosen(window, notebook):
    before = notebook.read_bytes()
    window.parts.files._write(notebook, None)
    assert notebook.read_bytes() == before
    assert "n.ipynb is a notebook, and Chainstep writes none" in window.parts.bar.words.text()


def test_a_notebook_that_jupyter_saves_is_read_again(window, notebook, qtbot):
    notebook.write_text(notebook.read_text().replace("b = 2", "b = 3"))
    qtbot.waitUntil(lambda: window.parts.editor.text() == TEXT.replace("b = 2", "b = 3"))
    assert not window.isWindowModified()


def test_cells_are_switched_off_and_on(window, notebook):
    window.parts.actions["cells"].trigger()
    chooser = window.findChild(CellChooser)
    assert [item.text() for item in chooser._items()] == [
        "  1   Graph: skipped: %matplotlib inline",
        "  2   b = 2",
    ]
    chooser._items()[1].setCheckState(Qt.CheckState.Unchecked)
    ok = chooser.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    ok.click()
    assert window.parts.editor.text() == TEXT.replace("cell 2\nb", "cell 2 (off)\n# b")
    window.parts.actions["cells"].trigger()
    chooser = next(each for each in window.findChildren(CellChooser) if each.isVisible())
    assert chooser._items()[1].checkState() == Qt.CheckState.Unchecked
    chooser._tick(runs=True)
    chooser._accept()
    assert chooser.result() == QDialog.DialogCode.Accepted
    assert window.parts.editor.text() == TEXT


def test_a_fault_is_told_by_its_cell_and_the_line_in_it(session, runner, qtbot):
    text = "# %% cell 1\na = 1\n\n# %% cell 2\nb = 2\nc = 3\n"
    runner.at_once = replace(RECORDINGS["written"], program="n.ipynb", source=text)
    session.open(Program("n.ipynb", text), run=False)
    with qtbot.waitSignal(session.recording_changed):
        session.run()
    fault = finding("overwrite-grad", "c stores the gradient of a with =.", "Write +=.", 6)
    session.checks._report = Report("n.ipynb", session.recording, (), (fault,))
    assert notice(session).title == ("Cell 2, line 2: A gradient is overwritten, not added to")


def test_a_program_without_cells_says_so(window):
    assert window.parts.actions.commands["cells"].refusal().startswith("Only a notebook has cells")
