"""Choosing the Python that runs programs: our own, one that is found, or one that is named."""

from __future__ import annotations

import math
import os
import re
import shutil
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from chainstep.errors import EnvironmentFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from chainstep.ui.theme import Look

PYTHON = re.compile(r"python(3(\.(?P<minor>\d+))?)?(\.exe)?")
OLDEST_MINOR = 10
ENVIRONMENTS = (".venv", "venv", "env")
"""Names that the folder of an environment has beside programs."""
OWN = ""
SIZE = (600, 420)


@dataclass(frozen=True)
class Found:
    """An interpreter that can be chosen.

    Attributes:
        path: Where it is; empty for the one that runs Chainstep.
        why: Where it was found.
    """

    path: str
    why: str


def found(environ: Mapping[str, str], folder: Path | None) -> list[Found]:
    """The interpreters that are likely to be meant, the likeliest first, each once.

    Args:
        environ: Names the active environment and where programs are looked for.
        folder: The program's; environments are often kept beside it.
    """
    seen: set[str] = set()
    result = [Found(OWN, f"Chainstep's own: {sys.executable}")]
    for path, why in _likely(environ, folder):
        if path.is_file() and os.access(path, os.X_OK) and str(path) not in seen:
            seen.add(str(path))
            result.append(Found(str(path), why))
    return result


def _likely(environ: Mapping[str, str], folder: Path | None) -> Iterator[tuple[Path, str]]:
    for parent in (folder, folder.parent) if folder is not None else ():
        for name in ENVIRONMENTS:
            yield from _in_environment(parent / name, f"beside the program, in {name}")
    for name in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if environ.get(name):
            yield from _in_environment(Path(environ[name]), "the active environment")
    for place in environ.get("PATH", "").split(os.pathsep):
        try:
            entries = list(Path(place).iterdir()) if place else []
        except OSError:
            continue
        versions = {entry: version for entry in entries if (version := _version(entry.name))}
        for entry in sorted(versions, key=versions.__getitem__, reverse=True):
            yield entry, "on the PATH"


def _version(name: str) -> float:
    """The minor version that a file's name speaks of, beyond all where none; 0 if none of ours.

    >>> [_version(name) for name in ("python3.12", "python3", "python3.9", "pythonw")]
    [12.0, inf, 0.0, 0.0]
    """
    found = PYTHON.fullmatch(name)
    if found is None:
        return 0.0
    minor = float(found["minor"] or math.inf)
    return minor if minor >= OLDEST_MINOR else 0.0


def _in_environment(environment: Path, why: str) -> Iterator[tuple[Path, str]]:
    for name in ("bin/python", "Scripts/python.exe", "python.exe"):
        yield environment / name, why


def check(path: str) -> str:
    """Why that interpreter cannot run programs; empty where it can. Takes up to seconds."""
    # Loads what watches over processes: seldom wanted.
    from chainstep.runner import interpreter  # noqa: PLC0415

    try:
        interpreter(path or None)
    except EnvironmentFault as fault:
        return str(fault)
    return ""


class Interpreter(QDialog):
    """The dialog. What is chosen is tried out first, in a thread of its own.

    Args:
        current: Path of the one that is used now; empty for our own.
        folder: The program's folder.
        look: Colours and scale.
        window: Above which it stands.
        checks: Says why one cannot be used.
    """

    chosen = Signal(str)
    """The path of the one to use from now on; empty for our own."""
    _checked = Signal(str, str)

    def __init__(
        self,
        current: str,
        folder: Path | None,
        look: Look,
        window: QWidget,
        checks: Callable[[str], str] = check,
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Interpreter")
        self._checks = checks
        heading = QLabel(
            "Programs see the packages of the Python that runs them. It needs nothing of "
            "Chainstep's, and has to be 3.10 or newer."
        )
        heading.setWordWrap(True)
        self.list = QListWidget()
        self.list.setAccessibleName("Interpreters that were found")
        self.path = QLineEdit()
        self.path.setAccessibleName("Path of the interpreter")
        self.path.setPlaceholderText("Path of a Python; empty for Chainstep's own")
        browse = QPushButton("&Browse…")
        browse.setAutoDefault(False)
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said.setFixedHeight(3 * QFontMetrics(look.font()).lineSpacing())
        self._look = look
        buttons = QDialogButtonBox()
        self.use = buttons.addButton("&Use", QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        label = QLabel("&Path")
        label.setBuddy(self.path)
        row = QHBoxLayout()
        row.addWidget(label)
        row.addWidget(self.path, 1)
        row.addWidget(browse)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(heading)
        column.addWidget(self.list, 1)
        column.addLayout(row)
        column.addWidget(self.said)
        column.addWidget(buttons)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))
        self._fill(current, folder)
        self.list.currentItemChanged.connect(self._take_row)
        self.list.itemActivated.connect(self._try)
        browse.clicked.connect(self._browse)
        buttons.accepted.connect(self._try)
        buttons.rejected.connect(self.reject)
        self._checked.connect(self._take_verdict)

    def _fill(self, current: str, folder: Path | None) -> None:
        every = found(os.environ, folder)
        if current and current not in {each.path for each in every}:
            every.append(Found(current, "chosen before"))
        for each in every:
            item = QListWidgetItem(each.why if each.path == OWN else f"{each.path}, {each.why}")
            item.setData(Qt.ItemDataRole.UserRole, each.path)
            self.list.addItem(item)
            if each.path == current:
                self.list.setCurrentItem(item)
        self.path.setText(current)

    def _take_row(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.path.setText(item.data(Qt.ItemDataRole.UserRole))

    def _browse(self) -> None:
        now = Path(shutil.which(self.path.text()) or sys.executable)
        dialog = QFileDialog(self, "The Python that runs programs", str(now.parent))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.finished.connect(dialog.deleteLater)
        dialog.fileSelected.connect(self.path.setText)
        dialog.open()

    def _try(self) -> None:
        """See whether it runs; the window does not wait for that."""
        path = self.path.text().strip()
        self.use.setEnabled(False)
        self._say("Trying it out …", self._look.palette.muted)
        threading.Thread(target=self._work, args=(path,), name="interpreter", daemon=True).start()

    def _work(self, path: str) -> None:
        refusal = self._checks(path)
        try:
            self._checked.emit(path, refusal)
        except RuntimeError:
            return  # the dialog was closed meanwhile

    def _take_verdict(self, path: str, refusal: str) -> None:
        self.use.setEnabled(True)
        if refusal:
            self._say(refusal, self._look.palette.failed)
            return
        self.accept()
        self.chosen.emit(path)

    def _say(self, text: str, color: str) -> None:
        self.said.setText(text)
        self.said.setAccessibleName(text)
        self.said.setStyleSheet(f"color: {color};")
