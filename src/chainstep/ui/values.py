"""Every node of the pass as a row: data, the gradients of each mode, and how they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from chainstep.carried import holds
from chainstep.figures import full, short
from chainstep.graph import Node
from chainstep.story import Phase
from chainstep.trace import Mode
from chainstep.ui.rows import Rows, number_key
from chainstep.ui.tables import NOT_YET, WIDEST, Column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont

    from chainstep.trace import Trace
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

OTHER_ORDER = (
    "The orders of the passes differ: at this step the other one has come elsewhere. "
    "At the end it stands here."
)
FEW = 16
"""Steps between two positions up to which only the rows are refreshed that they touch."""
MOST_MEASURED = 300
"""Names that the width of their column is taken from."""
MOST_STEPS = 3_000
"""Steps that are looked through for wide numbers."""


NAME = Column("name", "Name in the program")
OP = Column("op", "What made the node; nothing for a leaf")
DATA = Column("data", "Forward value", WIDEST)
DIFFERENCE = Column(
    "+= less =", "By how much the gradient with += is more than that with =", WIDEST
)
PARTED = Column("upper less lower", "By how much the upper gradient is more than the lower", WIDEST)
DIFFERENCES = (DIFFERENCE, PARTED)
GRADIENTS = (
    Column("grad +=", "Gradient where every path counts", WIDEST, Mode.ACCUMULATE),
    Column("grad =", "Gradient where the last path wins", WIDEST, Mode.OVERWRITE),
    Column("as written", "Gradient by the program's own backward()", WIDEST, Mode.AS_WRITTEN),
    Column("other", "Gradient in what it is compared with", WIDEST, Mode.COMPARED),
)


class Values(Rows[Node]):
    """The table of a session at its position. Rows are sorted when asked, never by a step."""

    sorts = True

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__(look)
        self._session = session
        self._row_of: dict[int, int] = {}
        self._before: tuple[dict[Mode, int], frozenset[int]] = ({}, frozenset())
        self._apart: frozenset[Mode] = frozenset()
        self._place = session.place
        session.recording_changed.connect(self._reset)
        session.position_changed.connect(self._follow)
        session.view_changed.connect(self.refresh)
        session.horizon_changed.connect(self.refresh)
        self._reset()

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
        self._number_rows(self.rows)
        self._apart = self._session.other_moments
        self._before, self._place = self._at(), session.place
        self.endResetModel()

    def _number_rows(self, rows: Sequence[Node]) -> None:
        self._row_of = {node.id: row for row, node in enumerate(rows)}

    def _at(self) -> tuple[dict[Mode, int], frozenset[int]]:
        """The positions of all traces, and what differs there."""
        steppers = {mode: self._session.stepper(mode) for mode in Mode}
        positions = {m: stepper.position for m, stepper in steppers.items() if stepper is not None}
        return positions, self.differing

    @property
    def differing(self) -> frozenset[int]:
        """Ids of the nodes in which what is compared differs at this moment."""
        is_told = self._apart.isdisjoint(self._session.compared)
        return self._session.differing if is_told else frozenset()

    def refresh(self) -> None:
        """All cells anew."""
        self._apart = self._session.other_moments
        self._before = self._at()
        self._place = self._session.place
        super().refresh()

    def _follow(self) -> None:
        """The cells anew of the rows that a step, or a few, have to do with."""
        positions, differing = self._before
        now, differs = self._at()
        early = self._early()
        if early is None or self._apart != self._session.other_moments:
            self.refresh()
            return
        touched = {*early, *(differing ^ differs)}
        for mode, position in now.items():
            low, high = sorted((positions.get(mode, 0), position))
            stepper = self._session.stepper(mode)
            if stepper is None or high - low > FEW:
                self.refresh()
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
        """What the cells of a column say at any step of the pass."""
        some = self.rows[:MOST_MEASURED]
        if column is NAME:
            return [f"{node.name} ≠ ▸" for node in some]
        if column is OP:
            return [node.op for node in some]
        stepper = self._session.stepper(column.mode) if column.mode is not None else None
        if stepper is not None:
            final = stepper.trace.final
            mark = "1← " if column.mode and self._session.origins(column.mode) else ""
            numbers = [final.get(node.id, 0.0) for node in some]
            numbers += _stored(stepper.trace, moves=False)
            return [f"{mark}{short(number)}" for number in numbers]
        if column in DIFFERENCES:
            return [column.sample]
        pane = self._session.primary
        numbers = [node.data for node in some]
        if pane is not None:
            numbers += [*pane.trace.data.values(), *_stored(pane.trace, moves=True)]
        return [short(number) for number in numbers]

    def tip(self, node: Node, column: Column) -> str:
        """Every digit, or why there is none."""
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

    def heard(self, node: Node, column: Column) -> str:
        """Of which node it is, and what of it was carried over."""
        said = self.text(node, column).rpartition("← ")[2]
        return f"{column.title} of {node.name}: {said}{self._carried_words(node, column)}"

    def font(self, node: Node, column: Column) -> QFont:  # noqa: ARG002  the same in every row
        """Names in bold."""
        return self._bold if column is NAME else self._plain

    def ground(self, node: Node) -> str | None:
        """The nodes of the step stand out."""
        palette, pane = self._look.palette, self._session.primary
        step = pane.stepper.current if pane else None
        if step is None:
            return palette.now_tint if node.id == self._session.now else None
        if step.node == node.id:
            return palette.now_tint
        return palette.target_tint if step.target == node.id else None

    def ink(self, node: Node, column: Column) -> str | None:
        """Ops, and what has no number yet, are faint."""
        faint = column is OP or self.text(node, column) == NOT_YET
        return self._look.palette.muted if faint else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column as it is now; a column below 0 gives the order of creation."""
        chosen = self.columns[column] if 0 <= column < len(self.columns) else None
        downward = order is Qt.SortOrder.DescendingOrder
        if chosen is None:
            rows = sorted(self.rows, key=lambda node: node.id)
        elif chosen.is_number:
            keys = {node.id: self.number(node, chosen) for node in self.rows}
            rows = sorted(self.rows, key=lambda node: number_key(keys[node.id], downward=downward))
        else:
            words = {NAME: lambda node: node.name.lower(), OP: lambda node: node.op}[chosen]
            rows = sorted(self.rows, key=words, reverse=downward)
        self._number_rows(rows)
        self._rearrange(rows)


def _stored(trace: Trace, *, moves: bool) -> list[float]:
    """What the first steps of a pass store: into data, or into gradients."""
    steps = trace.steps[:MOST_STEPS]
    return [step.after for step in steps if step.after is not None and step.moves is moves]
