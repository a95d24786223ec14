"""Every node of the pass as a row: data, the gradients of each mode, and how they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from chainstep.carried import holds
from chainstep.figures import full, short
from chainstep.story import Phase
from chainstep.trace import Mode
from chainstep.ui.section import Page
from chainstep.ui.tables import inset
from chainstep.ui.theme import SMALL, Look

if TYPE_CHECKING:
    from chainstep.graph import Node
    from chainstep.trace import Trace
    from chainstep.ui.session import Session
    from chainstep.ui.verdicts import VerdictTable

    Index = QModelIndex | QPersistentModelIndex

NOT_YET = "–"
OTHER_ORDER = (
    "The orders of the passes differ: at this step the other one has come elsewhere. "
    "At the end it stands here."
)
ROOT = QModelIndex()
FEW = 16
"""Steps between two positions up to which only the rows are refreshed that they touch."""
MOST_MEASURED = 300
"""Names that the width of their column is taken from."""


@dataclass(frozen=True)
class Column:
    """A column: what stands above it, and the mode whose gradients it shows."""

    title: str
    help: str
    mode: Mode | None = None

    @property
    def is_number(self) -> bool:
        """Whether its cells are numbers, to be set flush right."""
        return self.title not in ("name", "op")

    @property
    def side(self) -> Qt.AlignmentFlag:
        """To which side its cells are set."""
        side = Qt.AlignmentFlag.AlignRight if self.is_number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


NAME = Column("name", "Name in the program")
OP = Column("op", "What made the node; nothing for a leaf")
DATA = Column("data", "Forward value")
DIFFERENCE = Column("+= less =", "By how much the gradient with += is more than that with =")
PARTED = Column("upper less lower", "By how much the upper gradient is more than the lower")
DIFFERENCES = (DIFFERENCE, PARTED)
GRADIENTS = (
    Column("grad +=", "Gradient where every path counts", Mode.ACCUMULATE),
    Column("grad =", "Gradient where the last path wins", Mode.OVERWRITE),
    Column("as written", "Gradient by the program's own backward()", Mode.AS_WRITTEN),
    Column("other", "Gradient in what it is compared with", Mode.COMPARED),
)


class Values(QAbstractTableModel):
    """The table of a session at its position. Rows are sorted when asked, never by a step."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self.look = look
        self.columns: tuple[Column, ...] = ()
        self.rows: list[Node] = []
        self._row_of: dict[int, int] = {}
        self._bold = QFont()
        self._before: tuple[dict[Mode, int], frozenset[int]] = ({}, frozenset())
        self._apart: frozenset[Mode] = frozenset()
        self._place = session.place
        session.recording_changed.connect(self._reset)
        session.position_changed.connect(self._follow)
        session.view_changed.connect(self._refresh)
        self.set_look(look)
        self._reset()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self.look = look
        self._plain, self._bold = look.mono(12), look.mono(12, bold=True)
        self._refresh()

    def _reset(self) -> None:
        self.beginResetModel()
        session = self._session
        graph = session.graph
        self.rows = list(graph.nodes) if graph else []
        has = [c for c in GRADIENTS if c.mode is not None and session.stepper(c.mode) is not None]
        pair = session.compared
        if session.comparison is not None:
            has = [column for mode in pair for column in has if column.mode is mode]
        both = [DIFFERENCE] if {*pair} <= {column.mode for column in has} else []
        forced = [column for column in has if column.mode is not Mode.AS_WRITTEN]
        written = [column for column in has if column.mode is Mode.AS_WRITTEN]
        # What the program did itself comes first: it is what one looks for a fault in.
        self.columns = (NAME, OP, DATA, *written, *forced, *both)
        if session.comparison is not None:
            self.columns = (NAME, OP, DATA, *has, PARTED)
        self._number_rows()
        self._apart = self._other_moments()
        self._before, self._place = self._at(), session.place
        self.endResetModel()

    def _number_rows(self) -> None:
        self._row_of = {node.id: row for row, node in enumerate(self.rows)}

    def _at(self) -> tuple[dict[Mode, int], frozenset[int]]:
        """The positions of all traces, and what differs there."""
        steppers = {mode: self._session.stepper(mode) for mode in Mode}
        positions = {m: stepper.position for m, stepper in steppers.items() if stepper is not None}
        return positions, self.differing

    def _other_moments(self) -> frozenset[Mode]:
        """The modes whose gradients are those of another moment, and not to be held beside.

        At the same step, a pass that runs in another order has come elsewhere. Before the first
        step and after the last one all are comparable, and what has a pane is on show as it is.
        """
        session = self._session
        pane = session.primary
        if pane is None or pane.stepper.position in {0, pane.trace.length}:
            return frozenset()
        shown = {each.mode for each in session.panes}
        others = {mode: session.stepper(mode) for mode in Mode if mode not in shown}
        return frozenset(
            mode
            for mode, stepper in others.items()
            if stepper is not None and not _in_step(pane.trace, stepper.trace)
        )

    @property
    def differing(self) -> frozenset[int]:
        """Ids of the nodes in which what is compared differs at this moment."""
        is_told = self._apart.isdisjoint(self._session.compared)
        return self._session.differing if is_told else frozenset()

    def _refresh(self) -> None:
        """All cells anew."""
        self._apart = self._other_moments()
        self._before = self._at()
        self._place = self._session.place
        if self.rows:
            last = self.index(len(self.rows) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def _follow(self) -> None:
        """The cells anew of the rows that a step, or a few, have to do with."""
        positions, differing = self._before
        now, differs = self._at()
        early = self._early()
        if early is None or self._apart != self._other_moments():
            self._refresh()
            return
        touched = {*early, *(differing ^ differs)}
        for mode, position in now.items():
            low, high = sorted((positions.get(mode, 0), position))
            stepper = self._session.stepper(mode)
            if stepper is None or high - low > FEW:
                self._refresh()
                return
            for step in stepper.trace.steps[max(0, low - 1) : high]:
                touched.update(n for n in (step.node, step.target) if n is not None)
        self._before = now, differs
        for node_id in touched:
            row = self._row_of.get(node_id)
            if row is not None:
                self.dataChanged.emit(self.index(row, 0), self.index(row, len(self.columns) - 1))

    def _early(self) -> set[int] | None:
        """The nodes made or sorted since the place before; None where a phase lies between."""
        before, place, story = self._place, self._session.place, self._session.story
        self._place = place
        if before.phase is not place.phase or story is None:
            return None
        if place.phase is Phase.BACKWARD:
            return set()
        start = story.bounds(place.phase)[0]
        low, high = sorted((before.number, place.number))
        if high - low > FEW:
            return None
        moments = [story.moment(start + number) for number in range(max(1, low), high + 1)]
        return {moment.node for moment in moments if moment is not None and moment.node is not None}

    def row_of(self, node_id: int | None) -> int | None:
        """The row of a node."""
        return self._row_of.get(node_id) if node_id is not None else None

    def gradient(self, node: Node, mode: Mode) -> float | None:
        """A gradient at the position; None where nothing has come yet."""
        stepper = self._session.stepper(mode)
        if stepper is None or mode in self._apart:
            return None
        gradient = stepper.gradients[node.id]
        untouched = gradient == 0 and stepper.state(node.id).untouched
        return None if untouched else gradient

    def difference(self, node: Node) -> float | None:
        """What the first of what is compared has more than the second; None where they agree."""
        if node.id not in self.differing:
            return None
        first, second = self._session.compared
        return (self.gradient(node, first) or 0.0) - (self.gradient(node, second) or 0.0)

    def number(self, node: Node, column: Column) -> float | None:
        """What a cell of numbers holds; None where it holds none."""
        if column.mode is not None:
            return self.gradient(node, column.mode)
        if column in DIFFERENCES:
            return self.difference(node)
        # What is to come stays hidden: one may want to work it out first.
        if not self._session.is_made(node.id):
            return None
        pane = self._session.primary
        return node.data if pane is None else pane.stepper.data(node)

    def carried(self, node: Node, column: Column) -> int | None:
        """The earlier pass, from 0, that a gradient still holds a part of; None without one."""
        if column.mode is None:
            return None
        stepper = self._session.stepper(column.mode)
        origin = self._session.origins(column.mode).get(node.id)
        if stepper is None or origin is None:
            return None
        return origin if holds(stepper.trace, node.id, stepper.position) else None

    def text(self, node: Node, column: Column) -> str:
        """What a cell says."""
        if column is OP:
            return node.op
        if column is NAME:
            sign = " ≠" if node.id in self.differing else ""
            return f"{node.name}{sign}{' ▸' if node.id == self._session.now else ''}"
        number = self.number(node, column)
        if number is None:
            return "" if column in DIFFERENCES else NOT_YET
        origin = self.carried(node, column)
        return short(number) if origin is None else f"{origin + 1}← {short(number)}"

    def widest_texts(self, column: Column) -> list[str]:
        """What the cells of a column say at the end of the pass, when they are widest."""
        some = self.rows[:MOST_MEASURED]
        if column is NAME:
            return [f"{node.name} ≠ ▸" for node in some]
        if column is OP:
            return [node.op for node in some]
        stepper = self._session.stepper(column.mode) if column.mode is not None else None
        if stepper is not None:
            final = stepper.trace.final
            mark = "1← " if column.mode and self._session.origins(column.mode) else ""
            return [f"{mark}{short(final.get(node.id, 0.0))}" for node in some]
        if column in DIFFERENCES:
            return ["-0.0001"]
        return [short(node.data) for node in some]

    def _help(self, node: Node, column: Column) -> str:
        if column is NAME:
            return ", ".join(dict.fromkeys((node.name, *node.aliases)))
        if not column.is_number:
            return column.help
        number = self.number(node, column)
        if number is None:
            if not self._session.is_made(node.id):
                return "It is not made yet."
            if column.mode in self._apart or (column in DIFFERENCES and self._apart):
                return OTHER_ORDER
            return "The two agree." if column in DIFFERENCES else "Nothing has come yet."
        return f"{full(number)}{self._carried_words(node, column)}"

    def _carried_words(self, node: Node, column: Column) -> str:
        """`, 1.0 of it carried over from pass 1`; empty where nothing is."""
        origin = self.carried(node, column)
        stepper = self._session.stepper(column.mode) if column.mode is not None else None
        if origin is None or stepper is None:
            return ""
        return (
            f", {short(stepper.trace.initial[node.id])} of it carried over from pass {origin + 1}"
        )

    def _ground(self, node: Node) -> QColor | None:
        pane = self._session.primary
        step = pane.stepper.current if pane else None
        if step is None:
            here = node.id == self._session.now
            return QColor(self.look.palette.now_tint) if here else None
        if step.node == node.id:
            return QColor(self.look.palette.now_tint)
        return QColor(self.look.palette.target_tint) if step.target == node.id else None

    # -- Qt -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row per node."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Name, op, data, and what was recorded."""
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Text, colours, alignment."""
        node, column = self.rows[index.row()], self.columns[index.column()]
        result: object = None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                result = self.text(node, column)
            case Qt.ItemDataRole.ToolTipRole:
                result = self._help(node, column)
            case Qt.ItemDataRole.AccessibleTextRole:
                said = self.text(node, column).rpartition("← ")[2]
                words = self._carried_words(node, column)
                result = f"{column.title} of {node.name}: {said}{words}"
            case Qt.ItemDataRole.TextAlignmentRole:
                result = column.side
            case Qt.ItemDataRole.FontRole:
                result = self._bold if column is NAME else self._plain
            case Qt.ItemDataRole.BackgroundRole:
                result = self._ground(node)
            case Qt.ItemDataRole.ForegroundRole:
                faint = self.text(node, column) == NOT_YET or column is OP
                result = QColor(self.look.palette.muted) if faint else None
        return result

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The titles."""
        if side is not Qt.Orientation.Horizontal or section >= len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return column.title
            case Qt.ItemDataRole.ToolTipRole:
                return f"{column.help}. A click sorts."
            case Qt.ItemDataRole.TextAlignmentRole:
                return column.side
        return None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column as it is now; a column below 0 gives the order of creation."""
        self.layoutAboutToBeChanged.emit()
        kept = [(index, self.rows[index.row()].id) for index in self.persistentIndexList()]
        chosen = self.columns[column] if 0 <= column < len(self.columns) else None
        downward = order is Qt.SortOrder.DescendingOrder
        if chosen is None:
            self.rows.sort(key=lambda node: node.id)
        elif chosen.is_number:
            self._sort_by_number(chosen, downward)
        else:
            words = {NAME: lambda node: node.name.lower(), OP: lambda node: node.op}[chosen]
            self.rows.sort(key=words, reverse=downward)
        self._number_rows()
        for index, node_id in kept:
            self.changePersistentIndex(index, self.index(self._row_of[node_id], index.column()))
        self.layoutChanged.emit()

    def _sort_by_number(self, column: Column, downward: bool) -> None:
        """By number; nan and what holds no number last."""
        keys = {node.id: self.number(node, column) for node in self.rows}

        def key(node: Node) -> tuple[bool, float]:
            number = keys[node.id]
            if number is None or number != number:  # noqa: PLR0124  nan is not itself
                return True, 0.0
            return False, -number if downward else number

        self.rows.sort(key=key)


def _in_step(one: Trace, other: Trace) -> bool:
    """Whether two passes call the same nodes in the same order, as far as both of them come."""
    pairs = zip(one.sequence, other.sequence, strict=False)
    return bool(one.sequence) is bool(other.sequence) and all(a == b for a, b in pairs)


class _Table(QTableView):
    """A table that says when its room changes."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say so."""
        super().resizeEvent(event)
        self.resized.emit()


class ValuesPanel(Page):
    """The table, and above it the way to the next difference; or the verdicts in its place.

    Args:
        session: Whose values they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.values = Values(session, look)
        self.table = _Table()
        self.setFocusProxy(self.table)
        self._prepare_table()
        self._hint = QPushButton()
        self._hint.setFlat(True)
        self._hint.setCursor(Qt.CursorShape.PointingHandCursor)
        self._hint.setAccessibleName("Go to the next difference")
        self._hint.clicked.connect(self._go_on)
        self._count = QLabel()
        self._count.setObjectName("muted")
        self.verdicts: VerdictTable | None = None
        """What stands in place of the table, once it was asked for."""
        self.switch = QPushButton()
        self.switch.setFlat(True)
        self.switch.setCursor(Qt.CursorShape.PointingHandCursor)
        self.switch.clicked.connect(lambda: self.show_verdicts(not self.shows_verdicts))
        top = QHBoxLayout()
        top.setContentsMargins(14, 0, 8, 0)
        top.addWidget(self._count)
        top.addStretch(1)
        top.addWidget(self._hint)
        top.addWidget(self.switch)
        values = QWidget()
        values.setLayout(inset(self.table))
        self._stack = QStackedWidget()
        self._stack.addWidget(values)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self._stack)
        self.table.resized.connect(self._set_widths)
        session.recording_changed.connect(self._take_recording)
        session.view_changed.connect(self._take_position)
        session.position_changed.connect(self._take_position)
        session.selection_changed.connect(self._take_selection)
        session.checks.changed.connect(self._take_verdicts)
        session.view_changed.connect(self._take_verdicts)
        self.set_look(look)

    @property
    def shows_verdicts(self) -> bool:
        """Whether the verdicts stand in place of the table."""
        return self._stack.currentIndex() > 0

    def show_verdicts(self, shows: bool) -> None:
        """Put the verdicts in place of the table, or the table again."""
        if shows and self.verdicts is None:
            from chainstep.ui.verdicts import VerdictTable  # noqa: PLC0415  seldom wanted

            self.verdicts = VerdictTable(self._session, self._look)
            self._stack.addWidget(self.verdicts)
        focused = QApplication.focusWidget()
        self._stack.setCurrentIndex(int(shows))
        self.setFocusProxy(self.verdicts if shows and self.verdicts is not None else self.table)
        if focused is not None and self.isAncestorOf(focused):
            self.setFocus()
        self._session.checks.ask_torch(shows)
        self._take_verdicts()

    def sort_by_disagreement(self) -> None:
        """Show the verdicts, the worst first."""
        self.show_verdicts(shows=True)
        if self.verdicts is not None:
            self.verdicts.sort_by_disagreement()

    def _take_verdicts(self) -> None:
        """Other verdicts, or other words above the table."""
        shows = self.shows_verdicts
        self.switch.setText("← Values" if shows else "Verdicts →")
        self.switch.setAccessibleName("Show the values" if shows else "Show the verdicts")
        self.switch.setToolTip(
            "Back to the values at this step"
            if shows
            else "Every gradient at the end of the pass, beside what it should be"
        )
        self._hint.setVisible(not shows)
        if shows and self.verdicts is not None:
            self.verdicts.take()
            self._count.setText(self.verdicts.summary())
        else:
            many = len(self.values.rows)
            self._count.setText(f"{many} node{'' if many == 1 else 's'}" if many else "")

    def _go_on(self) -> None:
        self._session.seek_divergence()

    def _prepare_table(self) -> None:
        table = self.table
        table.setModel(self.values)
        table.setAccessibleName("Values")
        table.setShowGrid(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header = table.horizontalHeader()
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSortIndicatorClearable(True)
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setHighlightSections(False)
        header.setMinimumSectionSize(16)
        table.setSortingEnabled(True)
        table.selectionModel().currentRowChanged.connect(self._give_selection)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.values.set_look(look)
        self.table.verticalHeader().setDefaultSectionSize(look.px(26))
        p = look.palette
        self._count.setStyleSheet(f"color: {p.muted}; font-size: {look.px(12)}px;")
        for button in (self._hint, self.switch):
            button.setStyleSheet(
                f"QPushButton {{ color: {p.now}; border: none; background: transparent;"
                f"font-size: {look.px(12)}px; font-weight: 600; padding: 0 {look.px(6)}px; }}"
                f"QPushButton:disabled {{ color: {p.muted}; font-weight: 400; }}"
                "QPushButton:focus { text-decoration: underline; }"
            )
        if self.verdicts is not None:
            self.verdicts.set_look(look)
        self._take_recording()

    def _take_recording(self) -> None:
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._set_widths()
        self._take_verdicts()
        self._take_position()
        self._take_selection()

    def _set_widths(self) -> None:
        """Each column as wide as it needs; what is left goes to the numbers, or from the names."""
        look, values = self._look, self.values
        if not values.columns:
            return
        header = QFontMetrics(look.font(SMALL))
        plain, bold = QFontMetrics(look.mono(12)), QFontMetrics(look.mono(12, bold=True))
        padding = look.px(12)
        needs: dict[Column, int] = {}
        for column in values.columns:
            texts = values.widest_texts(column)
            metrics = bold if column is NAME else plain
            # All signs of this font are of one width, as far as it has them: measure the longest.
            widths = [metrics.horizontalAdvance(max(texts, key=len, default=""))]
            widths.append(header.horizontalAdvance(column.title))
            needs[column] = max(widths) + padding
        spare = self.table.viewport().width() - sum(needs.values())
        for column in (OP, *DIFFERENCES):
            # On the cards there is the op, too, and a sign says in the name which two differ.
            # A comparison is for its differences: they stay.
            hides = spare < 0 and column in needs and column is not PARTED
            if column in values.columns:
                self.table.setColumnHidden(values.columns.index(column), hides)
            spare += needs.pop(column) if hides else 0
        if spare < 0:
            least = min(needs[NAME], bold.horizontalAdvance("0" * 9) + padding)
            needs[NAME] = max(least, needs[NAME] + spare)
        else:
            numbers = [column for column in needs if column.is_number]
            for column in numbers:
                needs[column] += spare // len(numbers)
        for section, column in enumerate(values.columns):
            if column in needs:
                self.table.setColumnWidth(section, needs[column])

    def _take_position(self) -> None:
        session = self._session
        ahead = session.divergence_from() is not None
        differing = sorted(self.values.differing)
        recording = session.recording
        text = ""
        if differing and recording is not None:
            names = [recording.nodes[node_id].name for node_id in differing[:2]]
            more = f" and {len(differing) - 2} more" if len(differing) > 2 else ""
            text = f"{', '.join(names)}{more} {'differs' if len(differing) == 1 else 'differ'}"
        elif ahead:
            text = "the first difference"
        self._hint.setText(f"{text} → N" if ahead else text)
        self._hint.setEnabled(ahead)
        pane = session.primary
        step = pane.stepper.current if pane else None
        row = self.values.row_of(session.now if step is None else step.target)
        if row is not None and not self.table.hasFocus():
            self.table.scrollTo(self.values.index(row, 0))

    def _give_selection(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self._session.select(self.values.rows[current.row()].id)

    def _take_selection(self) -> None:
        selection = self.table.selectionModel()
        row = self.values.row_of(self._session.selected)
        if row is None:
            selection.clear()
        elif selection.currentIndex().row() != row:
            index = self.values.index(row, 0)
            flag = QItemSelectionModel.SelectionFlag
            selection.setCurrentIndex(index, flag.ClearAndSelect | flag.Rows)
