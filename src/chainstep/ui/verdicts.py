"""The verdict on every gradient of the pass on show: what it is, and what it should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QVBoxLayout, QWidget

from chainstep.figures import full, short
from chainstep.pytorch import is_installed
from chainstep.report import counted, is_shown
from chainstep.trace import Mode
from chainstep.ui.findings_panel import state
from chainstep.ui.rows import Rows, number_key
from chainstep.ui.tables import NOT_YET, TYPE, Column, Table
from chainstep.ui.values import NAME
from chainstep.verify import Gradient, Verdict, by_disagreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.graph import Node
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

WRITTEN = Column("as written", "What the program's own backward() left at the end of the pass", "0")
ADDED = Column("+=", "What the program's _backward functions give where every path counts", "0")
CENTRAL = Column(
    "central",
    "Central difference: by how much the root changes where this node is moved a little up and "
    "down, with nothing known of any _backward",
    "0",
)
TORCH = Column("PyTorch", "What PyTorch gives for the same graph, in double precision", "0")
VERDICT = Column(
    "verdict", "Whether the gradient is what the forward computation says", "0", in_words=True
)
SIGNS = {Verdict.DIFFERS: "≠ ", Verdict.AGREES: "✓ "}
LEAST_NAME = 7
"""Letters of a name that its column has room for, at the least."""


def word(gradient: Gradient, nodes: Sequence[Node]) -> str:
    """A verdict in a word or three."""
    if gradient.verdict is Verdict.KINK:
        at = gradient.kink
        return "kink" if at is None or at == gradient.node else f"kink at {nodes[at].name}"
    if gradient.verdict is Verdict.UNKNOWN and not gradient.differentiable:
        return "not differentiable here"
    said: str = gradient.verdict.value
    return said


def reason(gradient: Gradient) -> str:
    """What a verdict means, in a sentence or two."""
    unknown = "Nothing is known to hold the gradient against."
    if not gradient.differentiable:
        unknown = "The root has no finite slope here."
    elif gradient.expected is not None:
        unknown = "The central difference is too far off here, at every step, to judge it by."
    told = {
        Verdict.AGREES: "The gradient is what the forward computation says.",
        Verdict.DIFFERS: "The gradient is not what the forward computation says.",
        Verdict.KINK: "The slopes to both sides differ here, and the gradient is one that may be "
        "chosen between them.",
        Verdict.UNKNOWN: unknown,
    }[gradient.verdict]
    carried = f" {short(gradient.carried)} of it was there before the pass and does not count."
    return told + (carried if gradient.carried else "")


class Verdicts(Rows[Gradient]):
    """The verdicts on the pass on show, the worst first unless sorted otherwise.

    Args:
        session: Whose pass it is.
        look: Colours and scale.
    """

    sorts = True

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look)
        self._session = session
        self._worst: list[Gradient] = []
        self._nodes: Sequence[Node] = ()
        self._sorted = (-1, Qt.SortOrder.AscendingOrder)

    def take(self) -> None:
        """Another pass, or other verdicts."""
        report, index = self._session.checks.report, self._session.pass_index
        self.beginResetModel()
        self._nodes = () if report is None else report.recording.nodes
        judged = [each for each in (report.gradients if report else ()) if each.pass_index == index]
        self._worst = by_disagreement(
            each for each in judged if report is not None and is_shown(report.recording, each)
        )
        written = report is not None and report.recording.trace(Mode.AS_WRITTEN, index) is not None
        asked = (TORCH,) if is_installed() else ()
        self.columns = (NAME, VERDICT, *((WRITTEN,) if written else ()), CENTRAL, *asked, ADDED)
        self.rows = self._arranged()
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; one below 0, and that of verdicts, give the worst first."""
        self._sorted = column, order
        self._rearrange(self._arranged())

    def _arranged(self) -> list[Gradient]:
        at, order = self._sorted
        column = self.columns[at] if 0 <= at < len(self.columns) else VERDICT
        downward = order is Qt.SortOrder.DescendingOrder
        rows = list(self._worst)
        if column is VERDICT:
            if downward and at >= 0:
                rows.reverse()
        elif column is NAME:
            rows.sort(key=lambda each: self._nodes[each.node].name.lower(), reverse=downward)
        else:
            rows.sort(key=lambda each: number_key(self.number(each, column), downward=downward))
        return rows

    def number(self, gradient: Gradient, column: Column) -> float | None:
        """What a cell of numbers holds; None where it holds none."""
        return {
            WRITTEN: gradient.as_written,
            ADDED: gradient.accumulate,
            CENTRAL: gradient.expected,
            TORCH: gradient.torch,
        }[column]

    def text(self, gradient: Gradient, column: Column) -> str:
        """What a cell says."""
        if column is NAME:
            return self._nodes[gradient.node].name
        if column is VERDICT:
            return f"{SIGNS.get(gradient.verdict, '')}{word(gradient, self._nodes)}"
        number = self.number(gradient, column)
        return NOT_YET if number is None else short(number)

    def tip(self, gradient: Gradient, column: Column) -> str:
        """The reason of the verdict, or every digit."""
        if column in (NAME, VERDICT):
            return f"{reason(gradient)} Enter goes to the last write to it."
        number = self.number(gradient, column)
        if number is None:
            return f"{column.help}. None is known."
        exact = f" ± {gradient.error:.1g}" if column is CENTRAL and gradient.error else ""
        return f"{full(number)}{exact}"

    def heard(self, gradient: Gradient, column: Column) -> str:
        """The verdict in words, without its sign."""
        is_verdict = column is VERDICT
        said = word(gradient, self._nodes) if is_verdict else self.text(gradient, column)
        return f"{column.title} of {self._nodes[gradient.node].name}: {said}"

    def font(self, gradient: Gradient, column: Column) -> QFont:
        """Names and what is wrong in bold; the verdict is no code."""
        is_bold = column is NAME or gradient.verdict is Verdict.DIFFERS
        if column is VERDICT:
            return self._look.font(TYPE, bold=is_bold)
        return self._bold if is_bold else self._plain

    def ink(self, gradient: Gradient, column: Column) -> str | None:
        """What is wrong in red, what is not known faint."""
        palette = self._look.palette
        if gradient.verdict is Verdict.DIFFERS and column is not NAME:
            return palette.failed
        return palette.muted if self.text(gradient, column) == NOT_YET else None

    def row_of(self, node_id: int | None) -> int | None:
        """The row of a node."""
        return next((row for row, each in enumerate(self.rows) if each.node == node_id), None)


class VerdictTable(QWidget):
    """The verdicts as a table. A row selects its node; Enter goes to the last write to it.

    Args:
        session: Whose verdicts they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.verdicts = Verdicts(session, look)
        self.table = Table("Verdicts")
        self.table.setModel(self.verdicts)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.allow_sorting()
        self.setFocusProxy(self.table)
        column = QVBoxLayout(self)
        column.setContentsMargins(11, 0, 7, 0)
        column.addWidget(self.table)
        self.table.resized.connect(self._fit)
        self.table.activated.connect(self._go)
        self.table.selectionModel().currentRowChanged.connect(self._give_selection)
        session.selection_changed.connect(self._take_selection)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.verdicts.set_look(look)
        self.take()

    def take(self) -> None:
        """Another pass, or other verdicts."""
        verdicts = self.verdicts
        verdicts.take()
        texts = {
            column: [verdicts.text(each, column) for each in verdicts.rows]
            for column in verdicts.columns
        }
        self.table.set_columns(verdicts.columns, self._look, texts)
        self._fit()
        self._take_selection()

    def _fit(self) -> None:
        """Leave out what += gives where the program's own is shown and there is no room."""
        columns, table = self.verdicts.columns, self.table
        if not columns:
            return
        table.setColumnHidden(len(columns) - 1, False)
        sizes = [table.columnWidth(section) for section in range(1, len(columns))]
        name = QFontMetrics(self._look.mono(TYPE, bold=True)).horizontalAdvance("0" * LEAST_NAME)
        fits = sum(sizes) + name <= table.viewport().width()
        table.setColumnHidden(len(columns) - 1, WRITTEN in columns and not fits)

    def summary(self) -> str:
        """What the table holds, in a few words; why it holds nothing."""
        session, rows = self._session, self.verdicts.rows
        if session.checks.report is None:
            return state(session)[0]
        words = counted(rows)
        return f"At the end: {words}" if words else "No gradient"

    def sort_by_disagreement(self) -> None:
        """The worst first."""
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.scrollToTop()

    def _go(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.checks.visit_last_write(self.verdicts.rows[index.row()].node)

    def _give_selection(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self._session.select(self.verdicts.rows[current.row()].node)

    def _take_selection(self) -> None:
        self.table.choose(self.verdicts.row_of(self._session.selected))
