"""A line at the top for what must not be missed: a file that cannot be read, a fault of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

if TYPE_CHECKING:
    from chainstep.ui.theme import Look


class FaultBar(QWidget):
    """Hidden until something is said; a button, or the next thing said, takes it away."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.setObjectName("fault")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.label = QLabel()
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        close = QPushButton("Close")
        close.setAccessibleName("Close this message")
        close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 12, 6)
        row.addWidget(self.label, 1)
        row.addWidget(close)
        self.set_look(look)
        self.hide()

    def say(self, text: str) -> None:
        """Show a sentence."""
        self.label.setText(text)
        self.label.setAccessibleName(text)
        self.show()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p = look.palette
        self.setStyleSheet(
            f"#fault {{ background: {p.failed_tint}; border-bottom: 1px solid {p.failed}; }}"
            f"#fault QLabel {{ color: {p.failed}; }}"
            f"#fault QPushButton {{ color: {p.failed}; background: transparent;"
            f" border: 1px solid {p.failed}; border-radius: 4px; padding: 3px 10px; }}"
        )
