"""A window that is small for its type: one of its columns at a time, and fewer bars below.

Sizes are in pixels at 100%: a window of 1280 pixels at 200% is as narrow as one of 640.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Signal
from PySide6.QtWidgets import QSizePolicy, QTabBar, QWidget

from chainstep.ui.theme import SMALL, tab_sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.ui.theme import Look

COLUMNS, COLUMNS_IF_LOW = 800, 960
"""Width that the program, the graph and the panels need beside one another, also in a window that
is lower than:"""
HIGH = 520
CHIPS, STATUS, TIMELINE = 400, 330, 230
"""Heights below which the order gives way, then the status line, and then the whole timeline."""
LOW = 400
"""Height below which a lesson is a column of its own, and a question is one beside the others: as
bars they would leave the graph no room."""
BESIDE = 20
"""Height that a question beside the columns counts for: in the lowest windows the graph, narrow by
then, has that of the timeline too."""
BAR_EVENTS = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize)
PROGRAM, GRAPH, PANELS, LESSON = "Program", "Graph", "Panels", "Lesson"
"""Names of the columns; the graph is shown first. The lesson stands above them where it can."""
IN_SIGHT = "All columns are in sight: there is room for them."


class Column(NamedTuple):
    """One of the columns: its name, what it is, and how wide it is at the least, at 100%."""

    name: str
    widget: QWidget
    least: int


class Folding(QTabBar):
    """The names of the columns, to choose the one on show where there is no room for all.

    Args:
        look: Colours and scale.
    """

    fitted = Signal(float)
    """The window has that height below what is asked and taught, in pixels at 100%."""
    changed = Signal()
    """Another column is in front, or all are, or others can be chosen."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._columns: Sequence[Column] = ()
        self._rows: Sequence[tuple[QWidget, int]] = ()
        self._above: Sequence[QWidget] = ()
        self._asked: QWidget | None = None
        self._left = -1.0
        self._seen = (False, "")
        self._look = look
        self._size = QSize()
        self.is_folded = False
        """Whether one column is shown at a time."""
        self.is_low = False
        """Whether what is taught and asked stands in columns of its own, instead of above them."""
        self.setAccessibleName("Columns")
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.currentChanged.connect(self._show)
        self.hide()

    def furnish(
        self,
        columns: Sequence[Column],
        above: Sequence[QWidget],
        asked: QWidget,
        chips: QWidget,
        status: QWidget,
        timeline: QWidget,
    ) -> None:
        """Take what gives way, once that is made.

        Args:
            columns: From left to right.
            above: What comes before them: messages, what is tried out and what is taught.
            asked: What is asked, above them or in a low window beside them.
            chips: The order in which `_backward` runs.
            status: The line at the bottom.
            timeline: All that stands below the columns but for that line.
        """
        self._above, self._asked = above, asked
        for bar in (*above, asked):
            bar.installEventFilter(self)
        for column in columns:
            self.addTab(column.name)
        self._columns = columns
        self._rows = ((chips, CHIPS), (status, STATUS), (timeline, TIMELINE))
        self.offer(LESSON, wanted=False)
        self.bring(GRAPH)
        self.set_look(self._look)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.setFont(look.font(SMALL))
        self.setStyleSheet(tab_sheet(look, look.px(8)))
        if self._size.isValid():
            self.fit(self._size)

    def fit(self, size: QSize) -> None:
        """Show as much as a window of that size has room for."""
        self._size = size
        unit = self._look.percent / 100
        wide, high = size.width() / unit, size.height() / unit
        self.is_folded = wide < (COLUMNS if high >= HIGH else COLUMNS_IF_LOW)
        self.is_low = self.is_folded and high < LOW
        self.setVisible(self.is_folded)
        self._left = -1.0
        self._show()

    def _give_way(self) -> None:
        """Hide below what there is no room for beneath the bars, or beneath a whole lesson."""
        taken = sum(bar.height() for bar in self._above if bar.isVisible())
        asks = self._asked is not None and self._asked.isVisible()
        if self._asked is not None and asks and not self.is_low:
            taken += self._asked.height()
        left = (self._size.height() - taken) / (self._look.percent / 100)
        left -= BESIDE if asks and self.is_low else 0
        left = 0.0 if self.in_front == LESSON else left
        if left == self._left:
            return
        self._left = left
        for row, least in self._rows:
            row.setVisible(left >= least)
        self.fitted.emit(left)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A bar came, went, or takes another height."""
        if event.type() in BAR_EVENTS and self._size.isValid():
            self._give_way()
        return super().eventFilter(watched, event)

    @property
    def in_front(self) -> str:
        """The column that is shown alone; empty where all are."""
        return self.tabText(self.currentIndex()) if self.is_folded else ""

    def bring(self, name: str) -> None:
        """Show a column, where not all are."""
        if name in self._names:
            self.setCurrentIndex(self._names.index(name))

    def offer(self, name: str, *, wanted: bool) -> None:
        """Let a column be chosen, or no longer: then the graph takes its place."""
        if not wanted and self.tabText(self.currentIndex()) == name:
            self.bring(GRAPH)
        at = self._names.index(name)
        if self.isTabVisible(at) is not wanted:
            self.setTabVisible(at, wanted)
            self.changed.emit()

    def why_not(self, name: str) -> str:
        """Why a column cannot be chosen; empty where it can."""
        if not self.is_folded:
            return IN_SIGHT
        offered = self.isTabVisible(self._names.index(name))
        return "" if offered else "No lesson is on, or it stands above the columns."

    @property
    def _names(self) -> list[str]:
        return [column.name for column in self._columns]

    def _show(self) -> None:
        chosen = self.tabText(self.currentIndex())
        for name, widget, least in self._columns:
            widget.setMinimumWidth(1 if self.is_folded else self._look.px(least))
            widget.setVisible(name == chosen if self.is_folded else name != LESSON)
        if self._size.isValid():
            self._give_way()
        now = (self.is_low, self.in_front)
        if now != self._seen:
            self._seen = now
            self.changed.emit()
