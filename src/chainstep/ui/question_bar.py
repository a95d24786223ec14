"""The bar of questions: what is asked, where it is answered, and what is to be said about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui.fitted import Fitted
from chainstep.ui.quiz import HINTS, Sheet, Tone, Wants
from chainstep.ui.section import UNBOUNDED
from chainstep.ui.spoken import announce
from chainstep.ui.theme import PLAIN

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

TITLE, LINES = 17, 14
"""Sizes of a question's type, and of what else is said, at 100%."""
COLUMN_TITLE, COLUMN_LINES = 14, 12
"""The same in a column."""
COLUMN, COLUMN_SHARE = 230, 0.4
"""Width of the column at 100%, and the share of the window that it takes at the most."""
ANSWER = 150
"""Width of the field for the answer at 100%."""
NARROW = 460
"""Width at 100% below which the answer stands below the question."""
SHARE = 0.42
"""Of the height of the window that it takes at the most; what is longer can be scrolled."""
BESIDE_LESSON = 0.22
"""The same while a lesson takes its share."""
OWN_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
FIGURES = frozenset("0123456789.,-−+/×")
"""Signs of an answer, which mean nothing else where none of them is wanted."""
TYPED = frozenset({Wants.NODE, Wants.NUMBER, Wants.CONTRIBUTION})
"""What is answered by typing."""
SPOKEN = {Tone.RIGHT: "Right. ", Tone.WRONG: "Wrong. ", Tone.ASKED: "Question: ", Tone.TOLD: ""}


class Field(QLineEdit):
    """Where an answer is typed: its keys are its own, also where the graph has them too."""

    def event(self, event: QEvent) -> bool:
        """Keep what ends an answer from being a key of the graph."""
        asks = event.type() is QEvent.Type.ShortcutOverride
        if asks and isinstance(event, QKeyEvent) and Qt.Key(event.key()) in OWN_KEYS:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """An answer is ended, and that is all that Enter does here."""
        super().keyPressEvent(event)
        if Qt.Key(event.key()) in OWN_KEYS[:2]:
            event.accept()


class Answer(QPushButton):
    """A button whose arrows are not its own: up and down the words above are scrolled."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Qt's buttons would hand the focus on to the next one."""
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)


class QuestionBar(Fitted):
    """Shows the sheet of a session. Its height only grows, so that nothing jumps.

    Where there is little width the answer stands below the words, and where there is little height
    the words can be scrolled. In a low window it is a column beside the graph, which keeps its
    height.

    Args:
        session: Whose questions they are.
        look: Colours and scale.
    """

    left = Signal()
    """Escape was pressed: the focus is to go elsewhere."""
    on = Signal()
    """The next step is wanted, or that nobody has to answer."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._sheet: Sheet | None = None
        self._high = 0
        self._strays = False
        self._beside_lesson = False
        self.is_column = False
        """Whether it stands beside the graph and not above it."""
        self.setObjectName("questions")
        self.setAccessibleName("Questions")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.sign, self.title, self.lines = QLabel(), QLabel(), QLabel()
        self.tally = QLabel()
        self.sign.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        for label in (self.title, self.lines):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.lines.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.field = Field()
        self.field.setAccessibleName("Answer")
        self.field.returnPressed.connect(self._return)
        self._names = QStringListModel(self)
        completer = QCompleter(self._names, self)
        completer.setCompletionMode(QCompleter.CompletionMode.InlineCompletion)
        self.field.setCompleter(completer)
        self.yes, self.no, self.next = (Answer(text) for text in ("Yes", "No", "Next"))
        self.yes.clicked.connect(lambda: self._session.answer("yes"))
        self.no.clicked.connect(lambda: self._session.answer("no"))
        self.next.clicked.connect(self.on)
        self._lay_out()
        session.prediction.changed.connect(self._take)
        session.engine.changed.connect(self._take)
        session.recording_changed.connect(self._name_nodes)
        self.set_look(look)
        self._take()

    def _lay_out(self) -> None:
        own = QHBoxLayout()
        for widget in (self.field, self.yes, self.no):
            own.addWidget(widget)
        self._answers = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._answers.setSpacing(6)
        self._answers.addLayout(own)
        self._answers.addWidget(self.next)
        self._answers.addStretch(1)
        self._side = QVBoxLayout()
        self._side.addLayout(self._answers)
        self._side.addWidget(self.tally, 0, Qt.AlignmentFlag.AlignRight)
        self._side.addStretch(1)
        inside = QWidget()
        words = QVBoxLayout(inside)
        words.setContentsMargins(0, 0, 0, 0)
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.lines, 1)
        self.words = QScrollArea()
        self.words.setWidget(inside)
        self.words.setWidgetResizable(True)
        self.words.setFrameShape(QFrame.Shape.NoFrame)
        self.words.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # By the keys one gets here where there is something to be read and nothing to be done.
        self.words.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.words.setAccessibleName("Question")
        above = QHBoxLayout()
        above.setSpacing(10)
        above.addWidget(self.sign)
        above.addWidget(self.words, 1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(12, 8, 12, 8)
        self._row.setSpacing(10)
        self._row.addLayout(above, 1)
        self._row.addLayout(self._side)

    def set_beside_lesson(self, beside: bool) -> None:
        """Give way to a lesson that is on show as well, or no longer."""
        if beside != self._beside_lesson:
            self._beside_lesson = beside
            self._fit()

    def set_column(self, is_column: bool) -> None:
        """Be a column beside the graph, or a bar above it."""
        if is_column != self.is_column:
            self.is_column = is_column
            self.set_look(self._look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        p, px = look.palette, look.px
        large, small = (COLUMN_TITLE, COLUMN_LINES) if self.is_column else (TITLE, LINES)
        for label, size, bold in (
            (self.sign, large, True),
            (self.title, large, True),
            (self.lines, small, False),
            (self.tally, PLAIN, False),
        ):
            label.setFont(look.font(size, bold=bold))
        self.sign.setFixedWidth(px(12 if self.is_column else 26))
        edge, padding = ("right", 3) if self.is_column else ("bottom", 5)
        self.field.setFont(look.mono(14))
        self.field.setMinimumWidth(px(ANSWER // 3))
        self.field.setMaximumWidth(px(ANSWER))
        self.setStyleSheet(
            f"#questions {{ background: {p.card}; border-{edge}: 2px solid {p.target}; }}"
            f"#questions QLabel {{ color: {p.text}; }}"
            "#questions QScrollArea, #questions QScrollArea > QWidget > QWidget"
            " { background: transparent; border: none; }"
            f"#questions QScrollArea:focus {{ border: 2px solid {p.focus}; }}"
            f"#questions QLineEdit {{ background: {p.window}; color: {p.text}; padding: {px(4)}px;"
            f" font-size: {px(14)}px; border: 1px solid {p.border}; border-radius: 4px; }}"
            f"#questions QLineEdit:focus {{ border: 2px solid {p.focus}; }}"
            f"#questions QPushButton {{ color: {p.text}; background: {p.window};"
            f" font-size: {px(PLAIN)}px; border: 1px solid {p.border}; border-radius: 4px;"
            f" padding: {px(padding)}px {px(12)}px; }}"
            f"#questions QPushButton:focus {{ border: 2px solid {p.focus}; }}"
        )
        self._color()
        self._high = 0
        self._fit()

    def _color(self) -> None:
        p = self._look.palette
        colors = {Tone.RIGHT: p.final, Tone.WRONG: p.failed}
        tone = self._sheet.tone if self._sheet is not None else Tone.ASKED
        self.sign.setStyleSheet(f"color: {colors.get(tone, p.target)};")

    def _name_nodes(self) -> None:
        """Offer the names of all nodes while one is typed."""
        graph = self._session.graph
        names = {node.name for node in graph.nodes if node.name} if graph else set()
        wanted = self._sheet is not None and self._sheet.wants is Wants.NODE
        self._names.setStringList(sorted(names) if wanted else [])

    def _take(self) -> None:
        before, sheet = self._sheet, self._session.sheet()
        self._sheet = sheet
        had_focus = self._has_focus()
        if sheet is None and had_focus:
            # Before it goes: Qt would give the keys to whatever comes next.
            self.left.emit()
        self.setVisible(sheet is not None)
        if sheet is None:
            return
        self.sign.setText(sheet.tone.value)
        self.title.setText(sheet.title)
        self.tally.setText(sheet.tally)
        self.tally.setToolTip("\n".join(sheet.scores))
        self.tally.setAccessibleDescription(", ".join(sheet.scores))
        spoken = " ".join((f"{SPOKEN[sheet.tone]}{sheet.title}", *sheet.lines))
        if self.isVisible() and spoken != self.accessibleDescription():
            announce(self, spoken)
        self.setAccessibleDescription(spoken)
        self._ask(sheet, before, had_focus=had_focus)
        self._color()
        self._fit()

    def _ask(self, sheet: Sheet, before: Sheet | None, *, had_focus: bool) -> None:
        """Make ready for the answer that is wanted."""
        is_new = before is None or before.title != sheet.title
        asks = sheet.wants is not Wants.NOTHING
        asked = before is not None and before.wants is not Wants.NOTHING
        wanted = {
            self.field: sheet.wants in TYPED,
            self.yes: sheet.wants is Wants.CHOICE,
            self.no: sheet.wants is Wants.CHOICE,
            self.next: bool(sheet.on),
        }
        self.next.setText(sheet.on)
        for widget, wants in wanted.items():
            if wants:
                widget.show()
        if self.isVisible() and is_new and (asks or had_focus or asked):
            self.take_focus()
        # What had the keys goes last: Qt would give them to whatever comes next.
        for widget, wants in wanted.items():
            if not wants:
                widget.hide()
        self.field.setAccessibleDescription(f"{sheet.title} {HINTS[sheet.wants]}")
        self._name_nodes()
        if is_new:
            self._strays = False
            self.field.clear()
            self.words.verticalScrollBar().setValue(0)
        else:
            # Whoever tries again types over it.
            self.field.selectAll()

    def _has_focus(self) -> bool:
        return any(w.hasFocus() for w in (self.field, self.yes, self.no, self.next, self.words))

    def take_focus(self) -> None:
        """Give the keyboard to the answer, or to what leads on, or to what is to be read."""
        sheet = self._sheet
        if sheet is not None and sheet.wants is Wants.CHOICE:
            self.yes.setFocus()
        elif sheet is not None and sheet.wants in TYPED:
            self.field.setFocus()
        elif sheet is not None and sheet.on:
            self.next.setFocus()
        else:
            self.words.setFocus()

    def _return(self) -> None:
        text = self.field.text().strip()
        if text:
            self._session.answer(text)

    def _fit(self) -> None:
        """Take the room that what is said needs, as far as the graph can spare it."""
        if self._sheet is None or not self.isVisible() or self.width() <= 1:
            return
        if self.is_column:
            self._fit_beside(self._sheet)
        else:
            self._fit_above(self._sheet)

    def _say_lines(self, sheet: Sheet, *, narrow: bool) -> None:
        """Put the answer, and the tally, where there is room for them."""
        way = QBoxLayout.Direction
        self._row.setDirection(way.TopToBottom if narrow else way.LeftToRight)
        self.tally.setHidden(narrow)
        said = ["\n".join(sheet.lines) or HINTS[sheet.wants], sheet.tally if narrow else ""]
        self.lines.setText("\n".join(filter(None, said)))

    def _fit_beside(self, sheet: Sheet) -> None:
        """Be as wide as suits the type, or as the window can spare, at any height."""
        self._say_lines(sheet, narrow=True)
        policy, margins = QSizePolicy.Policy, self._row.contentsMargins()
        wide = min(self._look.px(COLUMN), round(COLUMN_SHARE * self.window().width()))
        self.setSizePolicy(policy.Fixed, policy.Ignored)
        self.setMinimumSize(wide, 1)
        self.setMaximumSize(wide, UNBOUNDED)
        shown = [w for w in (self.yes, self.no, self.next) if not w.isHidden()]
        needed = sum(w.sizeHint().width() + 6 for w in shown)
        needed += 0 if self.field.isHidden() else self.field.minimumWidth()
        way = QBoxLayout.Direction
        fits = needed <= wide - margins.left() - margins.right()
        self._answers.setDirection(way.LeftToRight if fits else way.TopToBottom)

    def _fit_above(self, sheet: Sheet) -> None:
        """Be as high as the longest that there was, at this width, and leave room for the rest."""
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Ignored, policy.Fixed)
        self.setMinimumWidth(0)
        self.setMaximumWidth(UNBOUNDED)
        self._answers.setDirection(QBoxLayout.Direction.LeftToRight)
        narrow = self.width() < self._look.px(NARROW)
        self._say_lines(sheet, narrow=narrow)
        margins = self._row.contentsMargins()
        around, side = margins.top() + margins.bottom(), self._side.sizeHint()
        room = self.width() - margins.left() - margins.right() - self.sign.width() - 10
        room -= 0 if narrow else side.width() + self._row.spacing()
        words = sum(label.heightForWidth(room) for label in (self.title, self.lines)) + 2
        wanted = (
            words + self._row.spacing() + side.height() if narrow else max(words, side.height())
        )
        self._high = max(self._high, wanted + around, self._look.px(84))
        height = self.window().height()
        # Two lines of it are in sight in any window.
        least = around + 2 * self.title.fontMetrics().lineSpacing()
        least += self._row.spacing() + side.height() if narrow else 0
        share = BESIDE_LESSON if self._beside_lesson else SHARE
        most = round(max(share * height, min(least, SHARE * height)))
        self.setFixedHeight(min(self._high, most))

    def _widened(self) -> None:
        self._high = 0
        super()._widened()

    def _scroll(self, way: int) -> None:
        """Show the words above or below, where not all of them are in sight."""
        bar = self.words.verticalScrollBar()
        bar.setValue(bar.value() + way * self.title.fontMetrics().lineSpacing())

    def event(self, event: QEvent) -> bool:
        """Keep what would be an answer from being a key of the graph, where none is typed."""
        asks = event.type() is QEvent.Type.ShortcutOverride
        if asks and isinstance(event, QKeyEvent) and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def _is_own(self, event: QKeyEvent) -> bool:
        wants_choice = self._sheet is not None and self._sheet.wants is Wants.CHOICE
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        answers = wants_choice and event.key() in (Qt.Key.Key_Y, Qt.Key.Key_N)
        return plain and (event.key() in OWN_KEYS or event.text() in FIGURES or answers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves for the graph; y and n answer where those are the answers; ↑ ↓ scroll.

        Figures do nothing where none are wanted, nor does Return after them.
        """
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self._session.escape()
            self.left.emit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._scroll(1 if key == Qt.Key.Key_Down else -1)
        elif not self._is_own(event):
            super().keyPressEvent(event)
        elif key in OWN_KEYS:
            self._end()
        elif self._sheet is not None and self._sheet.wants is Wants.CHOICE:
            said = {Qt.Key.Key_Y: "yes", Qt.Key.Key_N: "no"}
            self._session.answer(said.get(Qt.Key(key), event.text()))
        else:
            self._strays = True

    def _end(self) -> None:
        """Return, where nothing is typed: on with it, or how to answer."""
        sheet, strays = self._sheet, self._strays
        self._strays = False
        if sheet is None:
            return
        if sheet.wants is Wants.CHOICE:
            self._session.answer("?")
        elif sheet.on and sheet.wants is Wants.NOTHING and not strays:
            self.on.emit()
