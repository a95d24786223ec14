"""A list to choose from by typing: commands, names of Values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui.theme import SMALL, Look

if TYPE_CHECKING:
    from collections.abc import Sequence

    Index = QModelIndex | QPersistentModelIndex

ROOT = QModelIndex()
SIZE = (620, 420)
MOVES = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True)
class Choice:
    """One thing that can be chosen.

    Attributes:
        value: What stands for it.
        text: Its name.
        where: Where it belongs, before the name; part of what is searched.
        aside: At the right end: its keys, its number.
        help: A sentence about it, shown while it is the current one.
        refusal: Why it cannot be chosen now; empty where it can.
    """

    value: str
    text: str
    where: str = ""
    aside: str = ""
    help: str = ""
    refusal: str = ""


def ranked(choices: Sequence[Choice], typed: str) -> list[Choice]:
    """The choices that hold every typed word, those first whose names begin with it.

    >>> from chainstep.ui.chooser import Choice, ranked
    >>> some = [Choice("a", "Fit"), Choice("b", "Zoom", help="See it fit"), Choice("c", "Benefit")]
    >>> [choice.value for choice in ranked(some, "fit")]
    ['a', 'c', 'b']
    """
    words = typed.casefold().split()
    found: list[tuple[int, Choice]] = []
    for choice in choices:
        rank = 0
        for word in words:
            each = _rank(choice, word)
            if each is None:
                break
            rank += each
        else:
            found.append((rank, choice))
    return [choice for _, choice in sorted(found, key=lambda pair: pair[0])]


def _rank(choice: Choice, word: str) -> int | None:
    """How well a word fits, 0 for best; None where it does not."""
    name = choice.text.casefold()
    if name.startswith(word):
        return 0
    if any(part.startswith(word) for part in name.split()):
        return 1
    if word in name:
        return 2
    rest = f"{choice.where} {choice.aside} {choice.help}".casefold()
    return 3 if word in rest else None


class Choices(QAbstractListModel):
    """The choices that match what is typed."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._all = choices
        self.shown = list(choices)

    def search(self, typed: str) -> None:
        """Show what matches."""
        self.beginResetModel()
        self.shown = ranked(self._all, typed)
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """How many match."""
        return 0 if parent.isValid() else len(self.shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The words of a row, as they are read aloud; the choice itself for who paints it."""
        choice = self.shown[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            words = (choice.where, choice.text, choice.aside, choice.refusal)
            return ", ".join(word for word in words if word)
        if role == Qt.ItemDataRole.UserRole:
            return choice
        if role == Qt.ItemDataRole.ToolTipRole:
            return choice.refusal or choice.help
        return None


class _Rows(QStyledItemDelegate):
    """Paints a row: where it belongs and its name, at the right end what is beside it."""

    def __init__(self, look: Look, parent: QObject) -> None:
        super().__init__(parent)
        self._look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """All rows are alike."""
        return QSize(100, self._look.px(28))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The row in the colours of the window."""
        choice = index.data(Qt.ItemDataRole.UserRole)
        look, p = self._look, self._look.palette
        current = bool(option.state & QStyle.StateFlag.State_Selected)
        rect = option.rect
        painter.save()
        if current:
            painter.fillRect(rect, QColor(p.target_tint))
        room = rect.adjusted(look.px(12), 0, -look.px(12), 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        aside = choice.aside
        small = QFontMetrics(look.font(SMALL))
        painter.setFont(look.font(SMALL))
        painter.setPen(QColor(p.muted))
        painter.drawText(room, int(Qt.AlignmentFlag.AlignRight | middle), aside)
        if aside:
            room.setRight(room.right() - small.horizontalAdvance(aside) - look.px(16))
        if choice.where:
            where = f"{choice.where}:"
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | middle), where)
            room.setLeft(room.left() + small.horizontalAdvance(where) + look.px(6))
        painter.setFont(look.font())
        painter.setPen(QColor(p.muted if choice.refusal else p.text))
        metrics = QFontMetrics(look.font())
        text = metrics.elidedText(choice.text, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | middle), text)
        room.setLeft(room.left() + metrics.horizontalAdvance(text) + look.px(12))
        if choice.refusal and room.width() > look.px(40):
            painter.setFont(look.font(SMALL))
            why = small.elidedText(choice.refusal, Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | middle), why)
        painter.restore()


class Chooser(QDialog):
    """Asks for one of many. What cannot be chosen is there all the same, with its reason.

    Args:
        title: What is asked.
        choices: What there is.
        look: Colours and scale.
        window: Above which it stands.
        current: The value that is current at first; the first one where empty.
    """

    chosen = Signal(str)
    """The value of what was chosen; the dialog has closed."""

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        look: Look,
        window: QWidget,
        current: str = "",
    ) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._look = look
        self.field = QLineEdit()
        self.field.setPlaceholderText("Type to search")
        self.field.setAccessibleName(f"Search: {title}")
        self.field.setClearButtonEnabled(True)
        self.model = Choices(choices)
        self.list = QListView()
        self.list.setAccessibleName(title)
        self.list.setModel(self.model)
        self.list.setItemDelegate(_Rows(look, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.said = QLabel()
        self.said.setObjectName("muted")
        self.said.setWordWrap(True)
        self.said.setTextFormat(Qt.TextFormat.PlainText)
        self.said.setAlignment(Qt.AlignmentFlag.AlignTop)
        # Two lines: the list keeps its size whatever is said.
        self.said.setFixedHeight(2 * QFontMetrics(look.font()).lineSpacing() + 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 12, 12, 10)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        column.addWidget(self.said)
        self.resize(look.px(SIZE[0]), look.px(SIZE[1]))
        self.field.textChanged.connect(self._search)
        self.field.installEventFilter(self)
        self.list.activated.connect(self.choose)
        self.list.clicked.connect(self.choose)
        self.list.selectionModel().currentChanged.connect(self._say)
        self._make_current(current)

    def _search(self, typed: str) -> None:
        self.model.search(typed)
        self._make_current()

    def _make_current(self, value: str = "") -> None:
        rows = [row for row, choice in enumerate(self.model.shown) if choice.value == value]
        if self.model.shown:
            self.list.setCurrentIndex(self.model.index(rows[0] if rows else 0))
        self._say()

    @property
    def current(self) -> Choice | None:
        """What Enter would choose."""
        index = self.list.currentIndex()
        return self.model.shown[index.row()] if index.isValid() else None

    def _say(self) -> None:
        choice = self.current
        if choice is None:
            text = "Nothing matches. Type less, or other words."
        else:
            text = choice.refusal or choice.help
        self.said.setText(text)
        self.said.setAccessibleName(text)

    def choose(self) -> None:
        """Take the current one, if it can be taken."""
        choice = self.current
        if choice is not None and not choice.refusal:
            self.accept()
            self.chosen.emit(choice.value)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys in the field that are for the list."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in MOVES:
                self.list.keyPressEvent(event)
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.choose()
                return True
        return super().eventFilter(watched, event)
