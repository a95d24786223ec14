"""Where a question is answered in a lecture: what there is to choose from, a field, the score.

The keys stay with the lecture: the field takes them only while somebody types an answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from chainstep.ui.question_bar import Field
from chainstep.ui.quiz import MOST_CHOICES, Sheet, Wants

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

TYPE = 14
"""Size of all type at 100%."""
SIDE, PADDING = 20, 4
"""Pixels beside everything, and above and below each part, at 100%."""
FIELD = 120
"""Width of the field at 100%."""
NUMBERS = frozenset({Wants.NUMBER, Wants.CONTRIBUTION})
HOW = {
    Wants.NODE: "Click a node, or Q and its name",
    Wants.NUMBER: "Type the number",
    Wants.CONTRIBUTION: "Type what it adds",
    Wants.CHOICE: "Y or N",
}
"""How one answers; stepping on reveals."""


class AnswerStrip(QWidget):
    """Stands below the sentence as long as questions are asked at all, at one height.

    Args:
        session: Whose questions they are.
        look: Colours and scale.
    """

    left = Signal()
    """The keys are to go elsewhere: something was answered, or nothing will be."""
    came = Signal()
    """It has come, or gone."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._sheet: Sheet | None = None
        self.setObjectName("answers")
        self.setAccessibleName("Answers")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.choices = [self._choice(number) for number in range(MOST_CHOICES)]
        self.field = Field()
        self.field.setAccessibleName("Answer")
        self.field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.field.returnPressed.connect(self.enter)
        self.how, self.tally = QLabel(), QLabel()
        row = QHBoxLayout(self)
        for widget in (*self.choices, self.field, self.how):
            row.addWidget(widget)
        row.addStretch(1)
        row.addWidget(self.tally)
        for signal in (session.prediction.changed, session.engine.changed):
            signal.connect(self._take)
        self.set_look(look)
        self._take()

    def _choice(self, number: int) -> QPushButton:
        button = QPushButton(self)
        # A click answers, and the keys stay where they are.
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self._choose(number))
        button.hide()
        return button

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        p, px = look.palette, look.px
        row = self.layout()
        assert row is not None
        row.setContentsMargins(px(SIDE), px(PADDING), px(SIDE), px(PADDING))
        row.setSpacing(px(8))
        size = f"font-size: {px(TYPE)}px; padding: {px(PADDING - 1)}px {px(9)}px;"
        self.setStyleSheet(
            f"#answers {{ background: {p.window}; }}"
            f"#answers QLabel {{ color: {p.muted}; font-size: {px(TYPE)}px; }}"
            f"#answers QPushButton {{ color: {p.text}; background: {p.card};"
            f" border: {px(1)}px solid {p.target}; border-radius: {px(5)}px; {size} }}"
            f"#answers QPushButton:hover {{ background: {p.target_tint}; }}"
            f"#answers QLineEdit {{ color: {p.text}; background: {p.card};"
            f" border: {px(1)}px solid {p.border}; border-radius: {px(5)}px; {size} }}"
            f"#answers QLineEdit:focus {{ border: {max(2, px(1))}px solid {p.focus}; }}"
        )
        font = look.font(TYPE)
        for widget in (*self.choices, self.how, self.tally):
            widget.setFont(font)
        self.field.setFont(look.mono(TYPE))
        self.field.setFixedWidth(px(FIELD))
        self.setFixedHeight(QFontMetrics(font).height() + 2 * px(2 * PADDING + 1))
        self._fit()

    # -- what is asked ------------------------------------------------------------------

    def _take(self) -> None:
        before, self._sheet = self._sheet, self._session.sheet()
        sheet = self._sheet
        self.setVisible(sheet is not None)
        if (sheet is None) is not (before is None):
            self.came.emit()
        if sheet is None or before is None or before.title != sheet.title:
            self.field.clear()
        else:
            self.field.selectAll()
        if sheet is None or sheet.wants is Wants.NOTHING:
            self._leave()
        if sheet is None:
            return
        self.tally.setText(sheet.tally.partition("\n")[0])
        self.field.setAccessibleDescription(sheet.title)
        self.how.setText(HOW.get(sheet.wants, ""))
        self._fit()

    def _fit(self) -> None:
        """Show what there is room for: where names are too long one types or clicks."""
        sheet, px = self._sheet, self._look.px
        if sheet is None:
            return
        metrics = QFontMetrics(self._look.font(TYPE))
        asks = sheet.wants not in (Wants.NOTHING, Wants.CHOICE)
        texts = [f"{number}  {name}" for number, name in enumerate(sheet.choices, 1)]
        room = self.width() - 2 * px(SIDE) - metrics.horizontalAdvance(self.tally.text())
        room -= px(FIELD + 16) if asks else px(8)
        wide = sum(metrics.horizontalAdvance(text) + px(28) for text in texts)
        texts = texts if wide <= room else []
        for button, text in zip(self.choices, [*texts, *[""] * MOST_CHOICES], strict=False):
            button.setText(text)
            button.setVisible(bool(text))
        self.field.setVisible(asks)
        left = room - (wide if texts else 0)
        self.how.setVisible(metrics.horizontalAdvance(self.how.text()) + px(8) <= left)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for now."""
        super().resizeEvent(event)
        self._fit()

    # -- answers ------------------------------------------------------------------------

    @property
    def types(self) -> bool:
        """Whether an answer is being typed."""
        return self.field.isVisible() and (self.field.hasFocus() or bool(self.field.text()))

    def takes(self, text: str) -> bool:
        """Whether a key that writes this, on the graph, is an answer or begins one."""
        sheet = self._sheet
        if sheet is None or not text or not text.isprintable():
            return False
        if sheet.wants is Wants.CHOICE:
            return text.casefold() in ("y", "n") or self._is_choice(text)
        if self.types:
            return True
        is_digit = text.isdecimal() and text.isascii()
        if sheet.wants is Wants.NODE:
            return self._is_choice(text)
        return sheet.wants in NUMBERS and (is_digit or text in "-−")

    def _is_choice(self, text: str) -> bool:
        return text in {str(n) for n, b in enumerate(self.choices, 1) if not b.isHidden()}

    def write(self, text: str) -> None:
        """Take a key that is an answer, or of one."""
        assert self._sheet is not None
        if self._sheet.wants is Wants.CHOICE:
            self._session.answer({"1": "yes", "2": "no"}.get(text, text))
            return
        self.field.insert(text)
        self.begin()

    def begin(self) -> None:
        """Give the keys to the field, where something is to be typed."""
        if self.field.isVisible():
            self.field.setFocus()

    def rub(self) -> None:
        """Take the last sign back."""
        self.field.backspace()

    def enter(self) -> None:
        """Answer with what was typed: its number where one can choose."""
        text = self.field.text().strip()
        sheet = self._sheet
        if not text or sheet is None or sheet.wants is Wants.NOTHING:
            self._leave()
        elif sheet.wants is Wants.NODE and self._is_choice(text):
            self._choose(int(text) - 1)
        else:
            self._session.answer(text)

    def _choose(self, number: int) -> None:
        if self._sheet is not None and number < len(self._sheet.choices):
            self._session.answer(self._sheet.choices[number])

    def drop(self) -> None:
        """Answer nothing."""
        self.field.clear()
        self._leave()

    def _leave(self) -> None:
        if self.field.hasFocus():
            self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape in the field answers nothing; all else is the lecture's."""
        if event.key() == Qt.Key.Key_Escape and self.types:
            self.drop()
        else:
            event.ignore()
