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
CHIPS, STATUS = 400, 320
"""Heights below which the order gives way, and then the status line."""
BAR_EVENTS = (QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.Resize)
PROGRAM, GRAPH, PANELS = "Program", "Graph", "Panels"
"""Names of the columns; the graph is shown first."""
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

    def __init__(self, look: Look) -> None:
        super().__init__()
        self._columns: Sequence[Column] = ()
        self._rows: Sequence[tuple[QWidget, int]] = ()
        self._bars: Sequence[QWidget] = ()
        self._left = -1.0
        self._look = look
        self._size = QSize()
        self.is_folded = False
        """Whether one column is shown at a time."""
        self.setAccessibleName("Columns")
        self.setExpanding(False)
        self.setDrawBase(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.currentChanged.connect(self._show)
        self.hide()

    def furnish(
        self,
        columns: Sequence[Column],
        bars: Sequence[QWidget],
        chips: QWidget,
        status: QWidget,
    ) -> None:
        """Take what gives way, once that is made.

        Args:
            columns: From left to right.
            bars: What comes before them: what is asked and what is taught.
            chips: The order in which `_backward` runs.
            status: The line at the bottom.
        """
        self._bars = bars
        for bar in bars:
            bar.installEventFilter(self)
        for column in columns:
            self.addTab(column.name)
        self._columns = columns
        self._rows = ((chips, CHIPS), (status, STATUS))
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
        self.setVisible(self.is_folded)
        self._left = -1.0
        self._give_way()
        self._show()

    def _give_way(self) -> None:
        """Hide below what there is no room for beneath the bars."""
        taken = sum(bar.height() for bar in self._bars if bar.isVisible())
        left = (self._size.height() - taken) / (self._look.percent / 100)
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

    def bring(self, name: str) -> None:
        """Show a column, where not all are."""
        names = [column.name for column in self._columns]
        if name in names:
            self.setCurrentIndex(names.index(name))

    def why_not(self) -> str:
        """Why no column can be chosen; empty where one can."""
        return "" if self.is_folded else IN_SIGHT

    def _show(self) -> None:
        chosen = self.tabText(self.currentIndex())
        for name, widget, least in self._columns:
            widget.setMinimumWidth(1 if self.is_folded else self._look.px(least))
            widget.setVisible(not self.is_folded or name == chosen)
