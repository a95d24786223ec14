"""This step in words and as a formula, and the chain rule of the selected node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from chainstep.rendition import Form, written
from chainstep.ui.notices import notice
from chainstep.ui.section import Section
from chainstep.ui.spoken import pronounced
from chainstep.ui.telling import tell_all
from chainstep.ui.terms import Terms
from chainstep.ui.theme import LARGE
from chainstep.ui.typeset import Typeset

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look


def step_text(session: Session, form: Form = Form.TEXT) -> str:
    """The step as text: title, sentences, formulas, its gate; the chain rule of the selection."""
    told = tell_all(session)
    if told is not None:
        return written(told, form)
    said = notice(session)
    return "\n".join(part for part in (said.title, said.text) if part)


class StepPanel(Section):
    """Shows the explanation of the current step.

    Args:
        session: Whose position it explains.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        self._area = QScrollArea()
        super().__init__("THIS STEP", self._area, look)
        self._session = session
        self.setAccessibleName("This step")
        self._title = self._label("step_title")
        self._words = self._label("step_words")
        self._symbols = Typeset(look, LARGE)
        self._numbers = Typeset(look, LARGE, figures=True)
        self._remark = self._label("step_remark")
        self.terms = Terms(session, look, self._area)
        inside = QWidget()
        lines = QVBoxLayout(inside)
        lines.setContentsMargins(14, 0, 12, 8)
        lines.setSpacing(6)
        for part in (self._title, self._words, self._symbols, self._numbers, self._remark):
            lines.addWidget(part)
        lines.addWidget(self.terms)
        lines.addStretch(1)
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(inside)
        self._area.setAccessibleName("Explanation of this step")
        self.terms.grown.connect(self._show_terms)
        # A step is what the panel is there for, so each begins at its top.
        session.position_changed.connect(lambda: self._area.verticalScrollBar().setValue(0))
        for signal in (
            *(session.recording_changed, session.view_changed, session.position_changed),
            *(session.program_changed, session.run_changed, session.selection_changed),
        ):
            signal.connect(self._take)
        self.set_look(look)
        self._show()

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
        for part in (self._symbols, self._numbers, self.terms):
            part.set_look(look)

    def text(self, form: Form = Form.TEXT) -> str:
        """The step as text."""
        return step_text(self._session, form)

    def _take(self) -> None:
        self.due.take(self._show)

    def _show(self) -> None:
        told = tell_all(self._session)
        said = notice(self._session)
        step = told.step if told is not None else None
        self._title.setText(step.title if step else said.title or "Nothing is recorded yet")
        self._words.setText("\n".join(step.sentences) if step else said.text)
        formula = (step.symbols, step.numbers) if step else ("", "")
        for part, text in zip((self._symbols, self._numbers), formula, strict=True):
            part.set_text(text)
            part.setVisible(bool(text))
        remark = [told.remark.gate, told.remark.missing] if told is not None else []
        if told is not None and told.rule is not None and told.rule.told in remark:
            remark.remove(told.rule.told)  # it stands below the rule
        self._remark.setText("\n".join(part for part in remark if part))
        self._remark.setVisible(any(remark))
        self.terms.show_rule(
            told.rule if told is not None else None, told.name if told is not None else ""
        )
        self.setAccessibleDescription(pronounced(step_text(self._session)))

    def _show_terms(self) -> None:
        """Scroll to the chain rule of the node that has just been selected."""
        # Where it stands, and how far one can scroll, is known once all of it is laid out.
        QTimer.singleShot(0, self, self._scroll_to_terms)

    def _scroll_to_terms(self) -> None:
        self._area.verticalScrollBar().setValue(self.terms.y())
