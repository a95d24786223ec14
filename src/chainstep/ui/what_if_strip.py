"""The line that says which numbers are tried out, and takes them back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from chainstep.ui.buttons import Button
from chainstep.ui.status import Words

if TYPE_CHECKING:
    from chainstep.ui.actions import Actions
    from chainstep.ui.theme import Look
    from chainstep.ui.whatif import WhatIf


class WhatIfStrip(QWidget):
    """`What if: w1 = -2.5 instead of -3.0`, with Undo and Reset; hidden while nothing is tried.

    Args:
        what_if: What it speaks of.
        actions: Where the buttons get what they do.
        look: Colours and scale.
    """

    def __init__(self, what_if: WhatIf, actions: Actions, look: Look) -> None:
        super().__init__()
        self._what_if = what_if
        self.setObjectName("what_if")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.words = Words(look, Qt.AlignmentFlag.AlignLeft, is_quiet=False)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 3, 12, 3)
        row.setSpacing(6)
        row.addWidget(self.words, 1)
        for id_, text in (
            ("undo_what_if", "Undo"),
            ("redo_what_if", "Redo"),
            ("reset_what_if", "Reset"),
        ):
            button = Button(actions[id_], look, text)
            button.small = True
            row.addWidget(button)
        what_if.changed.connect(self._take)
        self.set_look(look)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p = look.palette
        self.setStyleSheet(
            f"#what_if {{ background: {p.target_tint}; border-bottom: 1px solid {p.rule}; }}"
        )
        self.words.set_look(look)
        for button in self.findChildren(Button):
            button.set_look(look)

    def _take(self) -> None:
        words = self._what_if.words()
        self.setVisible(bool(words))
        self.words.set_text(f"What if: {words}" if words else "")
