"""Opening and saving programs, so that no text is ever lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QIODevice, QObject, QSaveFile, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from chainstep import cells
from chainstep.errors import ProgramError
from chainstep.program import Program, load, text_of
from chainstep.saved import SUFFIX, is_recording
from chainstep.ui.form import Form, encoded, form_of, too_long
from chainstep.ui.recordings import Recordings
from chainstep.ui.watcher import Watcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.options import Options
    from chainstep.program import Example
    from chainstep.saved import Saved
    from chainstep.settings import Settings
    from chainstep.ui.recovery import Unsaved
    from chainstep.ui.session import Session

PROGRAMS = "Python programs (*.py)"
RECORDINGS = f"Recordings (*{SUFFIX})"
NOTEBOOKS = f"Notebooks (*{cells.SUFFIX})"
EVERYTHING = (
    f"Programs, notebooks and recordings (*.py *{cells.SUFFIX} *{SUFFIX});;"
    f"{PROGRAMS};;{NOTEBOOKS};;{RECORDINGS};;All files (*)"
)
NEW_NAME = "untitled.py"
DISK = "disk"
"""The key of questions about what others do to the file."""


def _bytes_of(path: Path) -> bytes | None:
    """What a file holds; None where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError:
        return None


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
    said = Signal(str)
    """Something went well that nobody asked for."""
    asked = Signal(str, str, object)
    """A question that can wait: what it is about, its words, and the answers; see `OfferBar`."""
    settled = Signal(str)
    """The question about that has no point any more."""

    def __init__(self, session: Session, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._window = window
        self._form = Form()
        self._saved_text: str | None = session.program.text
        self._bytes: bytes | None = None
        self.recordings = Recordings(self)
        self.recording_path: Path | None = None
        """The saved recording that is on show; None where it is a program."""
        self._watcher = Watcher(self)
        self._watcher.noticed.connect(self._compare)
        session.recording_changed.connect(self._leave_recording)
        self.recordings.kept.connect(self._recording_kept)

    @property
    def modified(self) -> bool:
        """The text is not that of the file."""
        return self._session.program.text != self._saved_text

    @property
    def saved_text(self) -> str:
        """The text that closing without saving goes back to; empty where it has gone."""
        return self._saved_text or ""

    @property
    def title(self) -> str:
        """What is open, for the window's title."""
        name = self._session.program.name
        return name if self.recording_path is None else f"{self.recording_path.name} ({name})"

    # -- opening ------------------------------------------------------------------------

    def show(self, program: Program, run: bool, example: Example | None = None) -> None:
        """Show a program, whatever is open now; one that is too long is refused."""
        if self._refuses(program.name, program.text):
            return
        self._begin(program)
        self._session.open(program, run, example)
        self.changed.emit()

    def show_recording(
        self,
        program: Program,
        saved: Saved,
        options: Options | None = None,
        example: Example | None = None,
    ) -> None:
        """Show a program with what was recorded of it before, at the same step; nothing runs."""
        if self._refuses(program.name, program.text):
            return
        self._begin(program)
        self._session.open_recording(program, saved.recording, saved.bookmark, options, example)
        self.changed.emit()

    def _refuses(self, name: str, text: str) -> bool:
        """Whether a text is too long for the window; if so, say it."""
        refusal = too_long(text)
        if refusal:
            self.failed.emit(
                f"{name} is not shown: it has {refusal} in the window. Step through it on the "
                "command line: chainstep trace."
            )
        return bool(refusal)

    def _begin(self, program: Program, saved_text: str | None = None) -> None:
        """Another program is open from now on."""
        self.recordings.forget()
        self.recording_path = None
        data = None
        if program.path is not None:
            data = _bytes_of(program.path)
            self._settings.add_recent(program.path)
        self._bytes = data
        self._form = form_of(data, program.name)
        self._saved_text = program.text if saved_text is None else saved_text
        self._watcher.watch(program.path)
        self.settled.emit(DISK)

    def restore(self, unsaved: Unsaved, then: Callable[[], object]) -> None:
        """Show a text that was never saved, once the open one may go. It does not run.

        Args:
            unsaved: The text.
            then: Called once it is shown.
        """

        def go() -> None:
            data = None if unsaved.path is None else _bytes_of(unsaved.path)
            program = Program(unsaved.name, unsaved.text, unsaved.path)
            try:
                text = "" if data is None else text_of(data, unsaved.name)
            except ProgramError:
                text = ""
            self._begin(program, text)
            self._session.open(program, run=False)
            self.changed.emit()
            then()

        self.leave(go)

    def new(self) -> None:
        """An empty program, once the open one may go."""
        self.leave(lambda: self.show(Program(NEW_NAME, ""), run=False))

    def open_example(self, example: Example) -> None:
        """An example, which runs at once, once the open program may go."""
        self.leave(lambda: self.show(example.program, run=True, example=example))

    def open_path(self, path: Path) -> None:
        """A file, once the open program may go. It does not run: it may be anybody's."""

        def go() -> None:
            if is_recording(path):
                self._open_recording(path)
                return
            try:
                program = load(str(path))
            except ProgramError as error:
                self.failed.emit(str(error))
                return
            self.show(program, run=False)

        self.leave(go)

    def open(self) -> None:
        """Ask for a file, then open it."""
        dialog = self._dialog("Open a program or a recording", EVERYTHING)
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
        if path is None or cells.is_notebook(path.name):
            self.save_as(then)
        elif self._changed_elsewhere(path):
            self._ask_to_overwrite(
                path,
                then,
                f"{path.name} has been changed by another program since it was opened.",
                "Saving replaces those changes by the text in this window.",
            )
        elif not self._form.exact:
            self._ask_to_overwrite(
                path,
                then,
                f"{path.name} cannot be written back byte for byte.",
                "Its encoding has several ways to write one text. Saving keeps the text as it "
                "stands here, and rewrites lines that you did not change. Saved under another "
                "name, the file stays as it is.",
            )
        else:
            self._write(path, then)

    def save_as(self, then: Callable[[], object] | None = None) -> None:
        """Ask for a file, then write the program to it."""
        program = self._session.program
        dialog = self._dialog("Save the program", f"{PROGRAMS};;All files (*)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("py")
        path = program.path or Path(program.name)
        # A notebook is never written: its text becomes a program beside it.
        dialog.selectFile(str(path.with_suffix(".py") if cells.is_notebook(path.name) else path))
        dialog.fileSelected.connect(lambda name: self._write(Path(name), then))
        dialog.open()

    def _dialog(self, title: str, patterns: str) -> QFileDialog:
        path = self._session.program.path
        recent = self._settings.recent
        folder = path.parent if path else recent[0].parent if recent else Path.home()
        dialog = QFileDialog(self._window, title, str(folder), patterns)
        dialog.finished.connect(dialog.deleteLater)
        return dialog

    def _changed_elsewhere(self, path: Path) -> bool:
        found = _bytes_of(path)
        return self._bytes is not None and found is not None and found != self._bytes

    def _ask_to_overwrite(
        self, path: Path, then: Callable[[], object] | None, title: str, text: str
    ) -> None:
        box = self._box(title, text)
        button = QMessageBox.StandardButton
        box.setStandardButtons(button.Save | button.Cancel)
        box.addButton("Save &as…", QMessageBox.ButtonRole.ActionRole).clicked.connect(
            lambda: self.save_as(then)
        )

        def answer(result: int) -> None:
            if result == button.Save.value:
                self._write(path, then)

        box.finished.connect(answer)
        box.open()

    def _write(self, path: Path, then: Callable[[], object] | None) -> None:
        program = self._session.program
        if cells.is_notebook(path.name):
            self.failed.emit(
                f"Not saved: {path.name} is a notebook, and Chainstep writes none. Save the text "
                f"as a .py file with {self._session.keys['save_as']}."
            )
            return
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
                f"Save it elsewhere with {self._session.keys['save_as']}; the text is still here."
            )
            return
        self._bytes, self._form = data, form_of(data, path.name)
        self._saved_text = program.text
        self.recording_path = None
        self._settings.add_recent(path)
        self._session.rename(replace(program, name=path.name, path=path.absolute()))
        self._watcher.watch(path.absolute())
        self.settled.emit(DISK)
        self.changed.emit()
        if then is not None:
            then()

    # -- what others do to the file -----------------------------------------------------

    def _compare(self) -> None:
        """Something happened to the file or beside it: see whether it says something else."""
        path = self._session.program.path
        if path is None:
            return
        found = _bytes_of(path)
        if found == self._bytes:
            self.settled.emit(DISK)
        elif found is None:
            self._gone(path)
        elif self._says_the_same(path, found):
            self._reload(path)
        elif self.modified:
            self.asked.emit(
                DISK,
                f"{path.name} was changed by another program, and here it has changes too.",
                (("Reload", lambda: self._reload(path)), ("Keep mine", lambda: self._keep(path))),
            )
        else:
            self._reload(path)
            self.said.emit(f"Reloaded: {path.name} was changed by another program.")

    def _says_the_same(self, path: Path, data: bytes) -> bool:
        try:
            return text_of(data, path.name) == self._session.program.text
        except ProgramError:
            return False

    def _reload(self, path: Path) -> None:
        """Take the text of the file; the graph on show stays until the program is run again."""
        data = _bytes_of(path)
        try:
            text = text_of(data or b"", path.name)
        except ProgramError as error:
            self._bytes = data
            self.failed.emit(f"{error} The text here is the one before.")
            return
        if self._refuses(path.name, text):
            self._bytes = data
            return
        self._bytes, self._form, self._saved_text = data, form_of(data, path.name), text
        self._session.set_text(text)
        self.settled.emit(DISK)
        self.changed.emit()

    def _keep(self, path: Path) -> None:
        """The text here is the one that counts; saving will not ask again."""
        self._bytes, self._saved_text = _bytes_of(path), None
        self.changed.emit()

    def _gone(self, path: Path) -> None:
        self._bytes = self._saved_text = None
        self.asked.emit(
            DISK,
            f"{path.name} was removed or renamed by another program. Its text is still here.",
            (("Save it again", self.save), ("Leave it", lambda: None)),
        )
        self.changed.emit()

    # -- recordings ---------------------------------------------------------------------

    def _open_recording(self, path: Path) -> None:
        """Show a saved recording when it has been read."""
        self.said.emit(f"Opening {path.name} …")
        self.read_recording(path, self.show_saved, self.failed.emit)

    def show_saved(self, saved: Saved) -> None:
        """Show a saved recording, whatever is open now; nothing runs."""
        recording, name = saved.recording, saved.path.name
        if self._refuses(name, recording.source):
            return
        self.show_recording(Program(recording.program, recording.source), saved)
        self.recording_path = saved.path
        self._settings.add_recent(saved.path)
        if saved.problem:
            self.failed.emit(f"{name} was opened as far as it goes. {saved.problem}")
        self.changed.emit()

    def _leave_recording(self) -> None:
        """A run has put its own recording in the place of the saved one."""
        if self.recording_path is not None and self._session.has_run:
            self.recording_path = None
            self.changed.emit()

    def read_recording(
        self,
        path: Path,
        then: Callable[[Saved], object],
        otherwise: Callable[[str], object],
    ) -> None:
        """Read a recording; see `Recordings.open`."""

        def saying(deliver: Callable[[Any], object]) -> Callable[[Any], None]:
            def told(result: object) -> None:
                self.said.emit("")
                deliver(result)

            return told

        self.recordings.open(path, saying(then), saying(otherwise))

    def save_recording(self) -> None:
        """Ask for a file, then write the recording on show to it."""
        program = self._session.program
        dialog = self._dialog("Save the recording", f"{RECORDINGS};;All files (*)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
        here = program.path or Path(program.name)
        dialog.selectFile(str(self.recording_path or here.with_suffix(SUFFIX)))
        dialog.fileSelected.connect(lambda name: self.write_recording(Path(name)))
        dialog.open()

    def write_recording(self, path: Path) -> None:
        """Write the recording on show to a file, in a thread of its own."""
        recording = self._session.whole_recording
        if recording is not None:
            self.recordings.write(recording, path, self._session.bookmark)

    def _recording_kept(self, path: str, problem: str) -> None:
        if problem:
            self.failed.emit(problem)
            return
        self._settings.add_recent(Path(path))
        self.said.emit(f"Saved the recording: {path}")

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
