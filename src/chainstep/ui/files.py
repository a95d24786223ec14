"""Opening and saving programs, so that no text is ever lost."""

from __future__ import annotations

import codecs
import io
import tokenize
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QIODevice, QObject, QSaveFile, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from chainstep.errors import ProgramError
from chainstep.program import Program, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.program import Example
    from chainstep.settings import Settings
    from chainstep.ui.session import Session

PATTERNS = "Python programs (*.py);;All files (*)"
NEW_NAME = "untitled.py"


@dataclass(frozen=True)
class Form:
    """How a file holds its text.

    Attributes:
        marked: Whether it begins with UTF-8's byte order mark.
        newline: What ends its lines.
    """

    marked: bool = False
    newline: str = "\n"


def form_of(data: bytes) -> Form:
    """The form of a file; of mixed line ends the one that comes first."""
    marked = data.startswith(codecs.BOM_UTF8)
    end = min((at for at in (data.find(b"\r"), data.find(b"\n")) if at >= 0), default=-1)
    if end < 0 or data[end : end + 1] == b"\n":
        return Form(marked)
    return Form(marked, "\r\n" if data[end : end + 2] == b"\r\n" else "\r")


def encoded(text: str, form: Form) -> bytes:
    """A program as bytes, in the encoding that its own coding line names, else UTF-8.

    Raises:
        ProgramError: The encoding lacks a sign of the text, or there is no such encoding.
    """
    first_lines = io.BytesIO("\n".join(text.split("\n")[:2]).encode("utf-8", "replace") + b"\n")
    try:
        encoding = tokenize.detect_encoding(first_lines.readline)[0]
        data = text.replace("\n", form.newline).encode(encoding)
    except (SyntaxError, LookupError) as error:
        raise ProgramError(f"Not saved: {error}. Mend the coding line at the top.") from error
    except UnicodeEncodeError as error:
        line = error.object[: error.start].count(form.newline) + 1
        raise ProgramError(
            f"Not saved: line {line} has {error.object[error.start]!r}, which {error.encoding} "
            "lacks. Change the coding line at the top to utf-8, or remove it."
        ) from error
    return codecs.BOM_UTF8 + data if form.marked and encoding.startswith("utf-8") else data


class Files(QObject):
    """What is open, whether it is saved, and the questions about that. No dialog ever blocks.

    Args:
        session: Where programs are shown.
        settings: Where the recent files are kept.
        window: Above which dialogs stand.
    """

    failed = Signal(str)
    """A file could not be read or written; the sentence says why."""
    changed = Signal()
    """Another file, or it was saved."""

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self._form = Form()
        self._saved_text = session.program.text
        self._bytes: bytes | None = None

    @property
    def modified(self) -> bool:
        """The text is not that of the file."""
        return self._session.program.text != self._saved_text

    # -- opening ------------------------------------------------------------------------

    def show(self, program: Program, run: bool, example: Example | None = None) -> None:
        """Show a program, whatever is open now."""
        data = None
        if program.path is not None:
            try:
                data = program.path.read_bytes()
            except OSError:
                data = None
            self._settings.add_recent(program.path)
        self._bytes = data
        self._form = form_of(data) if data is not None else Form()
        self._saved_text = program.text
        self._session.open(program, run, example)
        self.changed.emit()

    def new(self) -> None:
        """An empty program, once the open one may go."""
        self.leave(lambda: self.show(Program(NEW_NAME, ""), run=False))

    def open_example(self, example: Example) -> None:
        """An example, which runs at once, once the open program may go."""
        self.leave(lambda: self.show(example.program, run=True, example=example))

    def open_path(self, path: Path) -> None:
        """A file, once the open program may go. It does not run: it may be anybody's."""

        def go() -> None:
            try:
                program = load(str(path))
            except ProgramError as error:
                self.failed.emit(str(error))
                return
            self.show(program, run=False)

        self.leave(go)

    def open(self) -> None:
        """Ask for a file, then open it."""
        dialog = self._dialog("Open a program")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.open_path(Path(name)))
        dialog.open()

    # -- saving -------------------------------------------------------------------------

    def save(self, then: Callable[[], object] | None = None) -> None:
        """Write the program to its file; ask for one where it has none.

        Args:
            then: Called once it is written.
        """
        path = self._session.program.path
        if path is None:
            self.save_as(then)
        elif self._changed_elsewhere(path):
            self._ask_to_overwrite(path, then)
        else:
            self._write(path, then)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        """Ask for a file, then write the program to it."""
        program = self._session.program
        dialog = self._dialog("Save the program")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("py")
        dialog.selectFile(str(program.path or program.name))
        dialog.fileSelected.connect(lambda name: self._write(Path(name), then))
        dialog.open()

    def _dialog(self, title: str) -> QFileDialog:
        path = self._session.program.path
        recent = self._settings.recent
        folder = path.parent if path else recent[0].parent if recent else Path.home()
        dialog = QFileDialog(self._window, title, str(folder), PATTERNS)
        dialog.finished.connect(dialog.deleteLater)
        return dialog

    def _changed_elsewhere(self, path: Path) -> bool:
        if self._bytes is None:
            return False
        try:
            return path.read_bytes() != self._bytes
        except OSError:
            return False

    def _ask_to_overwrite(self, path: Path, then: Callable[[], object] | None) -> None:
        box = self._box(
            f"{path.name} has been changed by another program since it was opened.",
            "Saving replaces those changes by the text in this window.",
        )
        button = QMessageBox.StandardButton
        box.setStandardButtons(button.Save | button.Cancel)

        def answer(result: int) -> None:
            if result == button.Save.value:
                self._write(path, then)

        box.finished.connect(answer)
        box.open()

    def _write(self, path: Path, then: Callable[[], object] | None) -> None:
        program = self._session.program
        try:
            data = encoded(program.text, self._form)
        except ProgramError as error:
            self.failed.emit(str(error))
            return
        file = QSaveFile(str(path))
        # In a folder where no file may be made, the file itself may still be written.
        file.setDirectWriteFallback(True)
        written = file.open(QIODevice.OpenModeFlag.WriteOnly) and file.write(data) == len(data)
        if not (written and file.commit()):
            self.failed.emit(
                f"Not saved: {path} cannot be written ({file.errorString()}). "
                "Save it elsewhere with Ctrl+Shift+S; the text is still here."
            )
            return
        self._bytes = data
        self._saved_text = program.text
        self._settings.add_recent(path)
        self._session.rename(replace(program, name=path.name, path=path.absolute()))
        self.changed.emit()
        if then is not None:
            then()

    # -- leaving ------------------------------------------------------------------------

    def leave(self, then: Callable[[], object]) -> None:
        """Do something that loses the text, after asking where it is not saved."""
        if not self.modified:
            then()
            return
        name = self._session.program.name
        box = self._box(f"{name} has changes that are not saved.", "Save them first?")
        button = QMessageBox.StandardButton
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)

        def answer(result: int) -> None:
            if result == button.Save.value:
                self.save(then)
            elif result == button.Discard.value:
                then()

        box.finished.connect(answer)
        box.open()

    def _box(self, title: str, text: str) -> QMessageBox:
        box = QMessageBox(self._window)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Chainstep")
        box.setText(title)
        box.setInformativeText(text)
        box.finished.connect(box.deleteLater)
        return box
