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
MOST_LINES = 4_000
LONGEST_LINE = 2_000
"""More lines, or a longer one, would hold up the window while they are laid out."""


def shown(output: str) -> str:
    """The output, or of a very long one what fits, with a line that says what is left out."""
    lines = [_cut(line) for line in _middle_out(output, MOST_SHOWN, "characters").split("\n")]
    if len(lines) > MOST_LINES:
        half = MOST_LINES // 2
        left_out = f"… {len(lines) - 2 * half:,} lines are left out here …"
        lines = [*lines[:half], left_out, *lines[-half:]]
    return "\n".join(lines)


def _middle_out(text: str, most: int, what: str) -> str:
    """Beginning and end of a text, with a line between them where it is too long."""
    if len(text) <= most:
        return text
    half = most // 2
    return f"{text[:half]}\n… {len(text) - 2 * half:,} {what} are left out here …\n{text[-half:]}"


def _cut(line: str) -> str:
    return _middle_out(line, LONGEST_LINE, "characters of this line")


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
        self._shown = ""
        session.recording_changed.connect(self._take)
        session.run_changed.connect(self._take)
        session.view_changed.connect(self._take)
        session.horizon_changed.connect(self._take)
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
        if recording is None and self._session.running:
            said = "The program runs."
        if recording is not None and recording.hides:
            said = "What it printed is hidden while what is to come is."
        if said != self.text.placeholderText():
            self.text.setPlaceholderText(said)
            # Qt takes the new words and goes on showing the old ones.
            self.text.viewport().update()
        if output != self._shown:
            self._shown = output
            self.text.setPlainText(output)
