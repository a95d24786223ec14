"""What Chainstep is, and the versions of all it stands on, for a report."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from PySide6.QtCore import QSysInfo, Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from chainstep import __version__
from chainstep.ui import icons

if TYPE_CHECKING:
    from chainstep.ui.theme import Look

WORDS = (
    "A step-through debugger for backpropagation on graphs of scalar Values. It runs the "
    "program's own _backward functions, records what they do, and shows it one write at a time."
)
LICENCE = "Chainstep is under the MIT licence; its typefaces are under the SIL Open Font License."
PACKAGES = ("PySide6-Essentials", "networkx", "numpy", "Pygments", "psutil")


def versions() -> str:
    """The versions of everything that could make a difference, one per line."""
    lines = [
        f"Chainstep {__version__}",
        f"Python {platform.python_version()} ({sys.executable})",
        f"Qt {qVersion()} ({QGuiApplication.platformName()})",
        *(f"{package} {_version(package)}" for package in PACKAGES),
        f"{QSysInfo.prettyProductName()} ({platform.machine()})",
    ]
    return "\n".join(lines)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"


class About(QDialog):
    """The dialog.

    Args:
        look: Colours and scale.
        window: Above which it stands.
    """

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("About Chainstep")
        picture = QLabel()
        picture.setPixmap(icons.application().pixmap(look.px(64)))
        picture.setAlignment(Qt.AlignmentFlag.AlignTop)
        picture.setAccessibleName("Chainstep's sign")
        title = QLabel(f"Chainstep {__version__}")
        title.setObjectName("step_title")
        words, licence = QLabel(WORDS), QLabel(LICENCE)
        licence.setObjectName("muted")
        self.versions = QLabel(versions())
        self.versions.setFont(look.mono(12))
        self.versions.setAccessibleName("Versions")
        selectable = Qt.TextInteractionFlag.TextSelectableByMouse
        self.versions.setTextInteractionFlags(
            selectable | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        text = QVBoxLayout()
        text.setSpacing(12)
        for label in (title, words, self.versions, licence):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
            text.addWidget(label)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = QPushButton("&Copy versions")
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        self.copy.clicked.connect(self._copy)
        buttons.rejected.connect(self.reject)
        row = QHBoxLayout()
        row.setSpacing(18)
        row.addWidget(picture)
        row.addLayout(text, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 20, 20, 14)
        column.setSpacing(14)
        column.addLayout(row)
        column.addWidget(buttons)
        self.setMinimumWidth(look.px(520))

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.versions.text())
        self.copy.setText("Copied")
