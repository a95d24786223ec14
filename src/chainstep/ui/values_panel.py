"""The table of values, and the way to the next difference; or the verdicts in its place."""

from __future__ import annotations

from operator import is_
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from chainstep.trace import Mode
from chainstep.ui.section import Page
from chainstep.ui.tables import TYPE, Column, Table, inset, link
from chainstep.ui.theme import SMALL, Look
from chainstep.ui.values import DATA, DIFFERENCES, GRADIENTS, NAME, OP, PARTED, Values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.trace import Trace
    from chainstep.ui.session import Session
    from chainstep.ui.verdicts import VerdictTable

    Index = QModelIndex | QPersistentModelIndex


AROUND = 46
"""Pixels around and between the words above the table."""
LINK = 12
"""Pixels on both sides of the words of a link at 100%."""


class ValuesPanel(Page):
    """The table, and above it the way to the next difference; or the verdicts in its place.

    Args:
        session: Whose values they are.
        look: Colours and scale.
        scrolls: Whether one can scroll sideways: where nobody can, columns give way.
    """

    def __init__(self, session: Session, look: Look, *, scrolls: bool = True) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._scrolls = scrolls
        self.values = Values(session, look)
        self.table = Table("Values")
        self.setFocusProxy(self.table)
        self.table.setModel(self.values)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.allow_sorting()
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.selectionModel().currentRowChanged.connect(self._give_selection)
        self._hint = QPushButton()
        self._hints: tuple[str, ...] = ("",)
        self._hint.setFlat(True)
        self._hint.setCursor(Qt.CursorShape.PointingHandCursor)
        self._hint.setAccessibleName("Go to the next difference")
        self._hint.clicked.connect(self._go_on)
        self._count = QLabel()
        self._count.setObjectName("muted")
        self._measured: tuple[list[Column | Trace], dict[Column, int] | None] = [], None
        self.verdicts: VerdictTable | None = None
        """What stands in place of the table, once it was asked for."""
        self.switch = QPushButton()
        self._switches: tuple[str, ...] = ("",)
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
        self.lay_out((top, 0), (self._stack, 0))
        self.table.resized.connect(self._set_widths)
        session.recording_changed.connect(self._take_recording)
        session.view_changed.connect(self._take_view)
        session.position_changed.connect(self._take_position)
        session.selection_changed.connect(self._take_selection)
        session.checks.changed.connect(self._take_verdicts)
        session.view_changed.connect(self._take_verdicts)
        session.horizon_changed.connect(self._take_verdicts)
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
        self._switches = ("← Values", "←") if shows else ("Verdicts →", "→")
        self.switch.setAccessibleName("Show the values" if shows else "Show the verdicts")
        self.switch.setToolTip(
            "Back to the values at this step"
            if shows
            else "Every gradient at the end of the pass, beside what it should be"
        )
        if shows and self.verdicts is not None:
            self.verdicts.take()
            self._count.setText(self.verdicts.summary())
        else:
            many = len(self.values.rows)
            self._count.setText(f"{many} node{'' if many == 1 else 's'}" if many else "")
        self._fit_hint()

    def _go_on(self) -> None:
        self._session.seek_divergence()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.values.set_look(look)
        self.values.refresh()
        self.table.verticalHeader().setDefaultSectionSize(look.px(26))
        p = look.palette
        self._count.setStyleSheet(f"color: {p.muted}; font-size: {look.px(12)}px;")
        for button in (self._hint, self.switch):
            button.setStyleSheet(link(look, p.now))
        if self.verdicts is not None:
            self.verdicts.set_look(look)
        self._take_recording()

    def _take_recording(self) -> None:
        self._measured = [], None
        header = self.table.horizontalHeader()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._set_widths()
        self._take_verdicts()
        self._take_position()
        self._take_selection()

    def _take_view(self) -> None:
        self._set_widths()
        self._take_position()

    def _set_widths(self) -> None:
        """Each column as wide as it needs; what is left goes to the numbers, or from the names."""
        self._fit_hint()
        look, values = self._look, self.values
        if not values.columns:
            return
        bold, padding = QFontMetrics(look.mono(TYPE, bold=True)), look.px(12)
        steppers = (self._session.stepper(mode) for mode in Mode)
        shown: list[Column | Trace] = [*values.columns]
        shown += (each.trace for each in steppers if each is not None)
        known, needs = self._measured
        # The table gets another size several times while the window does.
        if needs is None or len(known) != len(shown) or not all(map(is_, known, shown)):
            needs = self._measure()
            self._measured = shown, needs
        needs = dict(needs)
        spare = self.table.viewport().width() - sum(needs.values())
        least = min(needs[NAME], bold.horizontalAdvance("0" * 9) + padding)
        for column, spared in self._giving_way(needs[NAME] - least):
            # A comparison is for its differences: they stay.
            hides = spare + spared < 0 and column in needs and column is not PARTED
            spare += needs.pop(column) if hides else 0
        for section, column in enumerate(values.columns):
            self.table.setColumnHidden(section, column not in needs)
        if spare < 0:
            needs[NAME] = max(least, needs[NAME] + spare)
        else:
            numbers = [column for column in needs if column.is_number]
            for column in numbers:
                needs[column] += spare // len(numbers)
        for section, column in enumerate(values.columns):
            if column in needs:
                self.table.setColumnWidth(section, needs[column])

    def _giving_way(self, spared: int) -> Iterator[tuple[Column, int]]:
        """The columns that are hidden where there is no room, the first ones first.

        Args:
            spared: Pixels that the names can do without.

        Yields:
            A column, and how many pixels may be missing all the same.
        """
        # On the cards there is the op, too, and a sign says in the name which two differ.
        for column in (OP, *DIFFERENCES):
            yield column, 0
        if not self._scrolls:
            shown = {pane.mode for pane in self._session.panes}
            for column in GRADIENTS:
                if column.mode not in shown:
                    yield column, 0
            # The cards have the data, too. Names are cut before it goes.
            yield DATA, spared

    def _measure(self) -> dict[Column, int]:
        """What each column needs for all that may come to stand in it, in pixels."""
        look, values = self._look, self.values
        header = QFontMetrics(look.font(SMALL))
        plain, bold = QFontMetrics(look.mono(TYPE)), QFontMetrics(look.mono(TYPE, bold=True))
        needs: dict[Column, int] = {}
        for column in values.columns:
            texts = values.widest_texts(column)
            metrics = bold if column is NAME else plain
            # All signs of this font are of one width, as far as it has them: measure the longest.
            widths = [metrics.horizontalAdvance(max(texts, key=len, default=""))]
            widths.append(header.horizontalAdvance(column.title))
            needs[column] = max(widths) + look.px(12)
        return needs

    def _take_position(self) -> None:
        session = self._session
        ahead = session.divergence_from() is not None
        differing = sorted(self.values.differing)
        recording = session.recording
        texts: tuple[str, ...] = ("",)
        if differing and recording is not None:
            many, differ = len(differing), "differs" if len(differing) == 1 else "differ"
            names = [recording.nodes[node_id].name for node_id in differing[:2]]
            more = f" and {many - 2} more" if many > 2 else ""
            texts = (f"{', '.join(names)}{more} {differ}", f"{many} {differ}", f"{many} ≠")
        elif ahead:
            texts = ("the first difference", "first ≠", "≠")
        self._hints = tuple(f"{text} → N" if ahead else text for text in texts)
        self._hint.setEnabled(ahead)
        self._fit_hint()
        pane = session.primary
        step = pane.stepper.current if pane else None
        target = session.now if step is None or step.target is None else step.target
        row = self.values.row_of(target)
        if row is not None and not self.table.hasFocus():
            self.table.scrollTo(self.values.index(row, 0))

    def _fit_hint(self) -> None:
        """Say what leads on as fully as there is room for."""
        look, metrics = self._look, QFontMetrics(self._look.font(TYPE, bold=True))
        room = self.width() - self._count.sizeHint().width() - AROUND - look.px(2 * LINK)
        for button, texts in ((self.switch, self._switches), (self._hint, self._hints)):
            fitting = (text for text in texts if metrics.horizontalAdvance(text) <= room)
            button.setText(next(fitting, texts[-1] if button is self.switch else ""))
            room -= metrics.horizontalAdvance(button.text())
        # A button without words would take the room of a few.
        self._hint.setVisible(bool(self._hint.text()) and not self.shows_verdicts)

    def _give_selection(self, current: QModelIndex, _before: QModelIndex) -> None:
        if current.isValid():
            self._session.select(self.values.rows[current.row()].id)

    def _take_selection(self) -> None:
        self.table.choose(self.values.row_of(self._session.selected))
