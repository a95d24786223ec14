"""What the program printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

MOST_SHOWN = 100_000
"""Characters that are shown; of a longer text the beginning and the end."""


def shown(output: str) -> str:
    """The output, or of a very long one what fits, with a line that says what is left out."""
    if len(output) <= MOST_SHOWN:
        return output
    half = MOST_SHOWN // 2
    left_out = len(output) - 2 * half
    return f"{output[:half]}\n… {left_out:,} characters are left out here …\n{output[-half:]}"


class OutputPanel(QWidget):
    """Shows the output of the last run, read-only.

    Args:
        session: Whose output it is.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self.setObjectName("panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        heading = QLabel("OUTPUT")
        heading.setObjectName("heading")
        heading.setContentsMargins(14, 0, 0, 0)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setAccessibleName("Output of the program")
        self.text.setTabChangesFocus(True)
        self.text.setViewportMargins(10, 0, 4, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 4)
        column.setSpacing(2)
        column.addWidget(heading)
        column.addWidget(self.text)
        session.recording_changed.connect(self._take)
        session.view_changed.connect(self._take)
        self.set_look(look)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self.text.setFont(look.mono(12))
        self.text.setStyleSheet(f"QPlainTextEdit {{ font-size: {look.px(12)}px; }}")

    def _take(self) -> None:
        recording = self._session.recording
        output = shown(recording.output) if recording else ""
        said = "The program printed nothing." if recording else "The program has not been run."
        if recording is not None and recording.hides:
            said = "What it printed is hidden while what is to come is."
        if said != self.text.placeholderText():
            self.text.setPlaceholderText(said)
            # Qt takes the new words and goes on showing the old ones.
            self.text.viewport().update()
        if self.text.toPlainText() != output:
            self.text.setPlainText(output)
