"""Beginning a program with one expression: `(a*b + c).tanh()`, and what its names stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from chainstep.expression import EXAMPLE, Expression, ExpressionError, understand
from chainstep.figures import full, read

if TYPE_CHECKING:
    from chainstep.program import Program
    from chainstep.ui.theme import Look

SIZE = (520, 460)


class ExpressionDialog(QDialog):
    """Shows the program as it is being typed, and makes it when that is asked for.

    Args:
        look: Colours and scale.
        window: Above which it stands.
    """

    made = Signal(object)
    """The program."""

    def __init__(self, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("New from an expression")
        self._look = look
        self._expression: Expression | None = None
        self._values: dict[str, float] = {}
        self.fields: dict[str, QLineEdit] = {}
        self.field = QLineEdit(EXAMPLE)
        self.field.setFont(look.mono())
        self.field.setAccessibleName("Expression")
        self.said = QLabel()
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.said.setFixedHeight(2 * QFontMetrics(look.font()).lineSpacing() + 2)
        self._page = QWidget()
        self._form = QFormLayout(self._page)
        self._form.setContentsMargins(0, 0, 6, 0)
        self._form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        values = QScrollArea()
        values.setWidget(self._page)
        values.setWidgetResizable(True)
        values.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.preview = QPlainTextEdit()
        self.preview.setReadOnly(True)
        self.preview.setFont(look.mono(12))
        self.preview.setStyleSheet(
            f"font-size: {look.px(12)}px; background: {look.palette.quiet}; padding: 6px;"
        )
        self.preview.setTabChangesFocus(True)
        self.preview.setAccessibleName("The program that it makes")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = buttons.addButton("&Make and run", QDialogButtonBox.ButtonRole.AcceptRole)
        column = QVBoxLayout(self)
        column.setSpacing(8)
        label = QLabel("&Expression")
        label.setBuddy(self.field)
        for widget, stretch in (
            *((label, 0), (self.field, 0), (self.said, 0), (values, 2)),
            *((self.preview, 3), (buttons, 0)),
        ):
            column.addWidget(widget, stretch)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))
        self.field.textChanged.connect(self._understand)
        buttons.accepted.connect(self._make)
        buttons.rejected.connect(self.reject)
        self.field.selectAll()
        self._understand()

    def _understand(self) -> None:
        try:
            self._expression = understand(self.field.text())
        except ExpressionError as error:
            self._expression = None
            self._say(str(error), warns=True)
            self._preview()
            return
        self._say("The names are Values. Give each the number that it begins with.", warns=False)
        self._ask_for(self._expression)
        self._preview()

    def _ask_for(self, expression: Expression) -> None:
        """One field per name; what was typed for a name stays."""
        if tuple(self.fields) == expression.names:
            return
        while self._form.rowCount():
            self._form.removeRow(0)
        self.fields = {}
        for name in expression.names:
            number = self._values.get(name, expression.values[name])
            field = self.fields[name] = QLineEdit(full(number))
            field.setFont(self._look.mono())
            field.setAccessibleName(f"Number of {name}")
            field.textChanged.connect(self._preview)
            self._form.addRow(f"{name} =", field)

    def program(self) -> Program | None:
        """The program as it stands; None where it is not understood."""
        if self._expression is None:
            return None
        typed = {name: read(field.text()) for name, field in self.fields.items()}
        values = {name: number for name, number in typed.items() if number is not None}
        self._values.update(values)
        return self._expression.program(values) if len(values) == len(typed) else None

    def _preview(self) -> None:
        program = self.program()
        self.make.setEnabled(program is not None)
        if self._expression is not None and program is None:
            wrong = [name for name, field in self.fields.items() if read(field.text()) is None]
            self._say(f"{', '.join(wrong)}: that is no number.", warns=True)
        self.preview.setPlainText("" if program is None else program.text)

    def _say(self, text: str, *, warns: bool) -> None:
        p = self._look.palette
        self.said.setText(text)
        self.said.setAccessibleName(text)
        self.said.setStyleSheet(f"color: {p.failed if warns else p.muted};")

    def _make(self) -> None:
        program = self.program()
        if program is not None:
            self.accept()
            self.made.emit(program)
