"""This step in words and as a formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from chainstep.ui.notices import notice
from chainstep.ui.section import Section
from chainstep.ui.telling import tell
from chainstep.ui.theme import LARGE

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look


def step_text(session: Session) -> str:
    """The step as lines of text: title, sentences, formula in symbols and in numbers."""
    told = tell(session)
    said = notice(session)
    parts = [said.title, said.text]
    if told is not None:
        parts = [told.title, " ".join(told.sentences), told.symbols, told.numbers]
    return "\n".join(part for part in parts if part)


class StepPanel(Section):
    """Shows the explanation of the current step.

    Args:
        session: Whose position it explains.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        area = QScrollArea()
        super().__init__("THIS STEP", area, look)
        self._session = session
        self.setAccessibleName("This step")
        self._title = self._label("step_title")
        self._words = self._label("step_words")
        self._symbols = self._label("step_symbols")
        self._numbers = self._label("step_numbers")
        inside = QWidget()
        lines = QVBoxLayout(inside)
        lines.setContentsMargins(14, 0, 12, 8)
        lines.setSpacing(6)
        for label in (self._title, self._words, self._symbols, self._numbers):
            lines.addWidget(label)
        lines.addStretch(1)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        area.setAccessibleName("Explanation of this step")
        for signal in (
            *(session.recording_changed, session.view_changed, session.position_changed),
            *(session.program_changed, session.run_changed),
        ):
            signal.connect(self._take)
        self.set_look(look)
        self._take()

    def _label(self, name: str) -> QLabel:
        label = QLabel()
        label.setObjectName(name)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        return label

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        super().set_look(look)
        p, size = look.palette, look.px(LARGE)
        self._symbols.setFont(look.font(LARGE))
        self._symbols.setStyleSheet(f"color: {p.text}; font-size: {size}px;")
        self._numbers.setFont(look.mono(LARGE, bold=True))
        self._numbers.setStyleSheet(f"color: {p.now}; font-size: {size}px;")

    def text(self) -> str:
        """The step as lines of text."""
        return step_text(self._session)

    def _take(self) -> None:
        told = tell(self._session)
        said = notice(self._session)
        self._title.setText(told.title if told else said.title or "Nothing is recorded yet")
        self._words.setText("\n".join(told.sentences) if told else said.text)
        formula = (told.symbols, told.numbers) if told else ("", "")
        for label, text in zip((self._symbols, self._numbers), formula, strict=True):
            label.setText(text)
            label.setVisible(bool(text))
        self.setAccessibleDescription(step_text(self._session))
