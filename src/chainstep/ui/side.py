"""The right column: this step, the code that runs, and below them panels behind tabs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui.code_panel import CodePanel
from chainstep.ui.debugging import HELP, PAGES
from chainstep.ui.section import Section
from chainstep.ui.step_panel import StepPanel
from chainstep.ui.theme import SMALL, tab_sheet
from chainstep.ui.values_panel import ValuesPanel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from chainstep.settings import Settings
    from chainstep.ui.section import Page
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

SHARES = {"step": (0.38, 186, 400), "code": (0.22, 144, 230)}
"""Share of the height that a panel is given, and its least and most pixels; tabs get the rest."""
LOW = 400
"""Height of a window, at 100%, below which one panel is open at a time."""
LEAST = 60
"""Pixels that the tabs are left, at the least, when another panel opens."""


PADDING = (1, 8)
"""Least and most pixels on either side of a tab's name, at 100%."""
SHORT = {"breakpoints": "breaks", "training": "loop", "watches": "watch"}
"""Names of panels that would not fit on a tab."""


class Tabs(Section):
    """The panels behind tabs. One is made when it is first shown.

    Args:
        session: What they show.
        look: Colours and scale.
    """

    turned = Signal()
    """Another one is on show."""
    help_wanted = Signal(str)
    """The page on that kind of finding is to be shown."""

    def __init__(self, session: Session, look: Look) -> None:
        stack = QStackedWidget()
        super().__init__("", stack, look)
        self.stack = stack
        self._session = session
        self._look = look
        self._pages: dict[str, Page] = {}
        self.bar = QTabBar()
        self.bar.setAccessibleName("Panels")
        self.bar.setExpanding(False)
        self.bar.setDrawBase(False)
        self.bar.setElideMode(Qt.TextElideMode.ElideNone)
        self.bar.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for name in PAGES:
            at = self.bar.addTab(SHORT.get(name, name).capitalize())
            self.bar.setAccessibleTabName(at, name.capitalize())
        self.heading.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.bar, 1)
        row.addWidget(self.heading)
        column = self.layout()
        assert isinstance(column, QVBoxLayout)
        column.insertLayout(0, row)
        for signal in (
            *(session.checks.changed, session.recording_changed, session.view_changed),
            session.horizon_changed,
        ):
            signal.connect(self._count)
        self.bar.currentChanged.connect(self._turn)
        self.bar.tabBarClicked.connect(lambda _: self.set_open(True))
        self._count()
        self.set_look(look)
        self._turn(0)

    @property
    def page(self) -> str:
        """The name of the one on show."""
        return PAGES[self.bar.currentIndex()]

    def show_page(self, name: str) -> None:
        """Put another one on show."""
        self.bar.setCurrentIndex(PAGES.index(name))

    def widget(self, name: str) -> Page:
        """The panel of that name, which is made now if it has not been."""
        if name not in self._pages:
            self._pages[name] = self._make(name)
            self.stack.addWidget(self._pages[name])
        return self._pages[name]

    def _make(self, name: str) -> Page:  # noqa: PLR0911  one for each panel
        # What is seldom looked at is not loaded before.
        if name == "order":
            from chainstep.ui.order_panel import OrderPanel  # noqa: PLC0415

            return OrderPanel(self._session, self._look)
        if name == "history":
            from chainstep.ui.history_panel import HistoryPanel  # noqa: PLC0415

            return HistoryPanel(self._session, self._look)
        if name == "ledger":
            from chainstep.ui.ledger_panel import LedgerPanel  # noqa: PLC0415

            return LedgerPanel(self._session, self._look)
        if name == "breakpoints":
            from chainstep.ui.breakpoints_panel import BreakpointsPanel  # noqa: PLC0415

            return BreakpointsPanel(self._session, self._look)
        if name == "watches":
            from chainstep.ui.watch_panel import WatchPanel  # noqa: PLC0415

            return WatchPanel(self._session, self._look)
        if name == "findings":
            from chainstep.ui.findings_panel import FindingsPanel  # noqa: PLC0415

            findings = FindingsPanel(self._session, self._look)
            findings.help_wanted.connect(self.help_wanted)
            return findings
        if name == "training":
            from chainstep.ui.training_panel import TrainingPanel  # noqa: PLC0415

            return TrainingPanel(self._session, self._look)
        return ValuesPanel(self._session, self._look)

    def _count(self) -> None:
        """Say on the tab how many findings there are; three dots while they are looked for."""
        checks, at = self._session.checks, PAGES.index("findings")
        # There is always a sign, so that the tabs behind hardly move.
        count = "–" if checks.report is None else str(len(checks.findings))
        spoken = "Findings, not looked for" if checks.report is None else f"Findings {count}"
        if checks.checking:
            count, spoken = "…", "Findings, being looked for"
        self.bar.setTabText(at, f"Findings {count}")
        self.bar.setAccessibleTabName(at, spoken)

    def name_keys(self, keys: Mapping[str, str]) -> None:
        """Say in each tab's tip which keys lead to it, by the panel's name."""
        for at, name in enumerate(PAGES):
            self.bar.setTabToolTip(at, f"{HELP[name]}{keys[name]}")

    def _turn(self, _number: int) -> None:
        self.stack.setCurrentWidget(self.widget(self.page))
        self.turned.emit()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        super().set_look(look)
        self.heading.setFixedWidth(look.px(24))
        self.bar.setFont(look.font(SMALL))
        self._space_tabs()
        for page in self._pages.values():
            page.set_look(look)

    def _space_tabs(self) -> None:
        """Set the names as far apart as they find room, so that all of them are in sight."""
        least, most = (self._look.px(each) for each in PADDING)
        self.bar.setStyleSheet(tab_sheet(self._look, least))
        room = self.width() - self.heading.width() - self.bar.sizeHint().width()
        more = max(0, min(most - least, room // (2 * self.bar.count())))
        if more:
            self.bar.setStyleSheet(tab_sheet(self._look, least + more))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Space the names anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._space_tabs()


class SideColumn(QWidget):
    """The panels of the right column, each of which can be closed down to its heading.

    Args:
        session: What they show.
        look: Colours and scale.
        settings: Where it is kept what is open.
    """

    left = Signal()
    """Escape was pressed: the focus is to go elsewhere."""
    changed = Signal()
    """A panel was opened, closed, or put on show."""
    wanted = Signal()
    """A panel is to be seen."""

    def __init__(self, session: Session, look: Look, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._look = look
        self._single = False
        self._open: list[str] = []  # before only one was
        self.step = StepPanel(session, look)
        self.code = CodePanel(session, look)
        self.tabs = Tabs(session, look)
        self.sections: dict[str, Section] = {
            "step": self.step,
            "code": self.code,
            "tabs": self.tabs,
        }
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setHandleWidth(1)
        self.splitter.setChildrenCollapsible(False)
        for number, section in enumerate(self.sections.values()):
            self.splitter.addWidget(section)
            self.splitter.setStretchFactor(number, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.splitter, 1)
        # Where all are closed, this takes the room.
        column.addStretch(0)
        self._restore()
        for name, section in self.sections.items():
            section.opened.connect(lambda opens, name=name: self._opened(name, opens))
        self.tabs.turned.connect(self._keep)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        for section in self.sections.values():
            section.set_look(look)

    # -- what the commands call ---------------------------------------------------------

    def is_open(self, name: str) -> bool:
        """Whether a panel is shown."""
        if name in self.sections:
            return self.sections[name].is_open
        return self.tabs.is_open and self.tabs.page == name

    def toggle(self, name: str) -> None:
        """Open or close a panel."""
        section = self.sections[name]
        # One that is open and not in sight is not to be closed.
        section.set_open(not (section.is_open and section.isVisible()))
        if section.is_open:
            self.wanted.emit()

    def bring(self, name: str) -> None:
        """Show a panel; the keyboard stays where it is."""
        self.wanted.emit()
        self.tabs.set_open(True)
        self.tabs.show_page(name)

    def enter(self, name: str) -> None:
        """Show a panel and give it the keyboard."""
        self.bring(name)
        self.page(name).take_focus()

    def page(self, name: str) -> Page:
        """The panel of that name."""
        return self.tabs.widget(name)

    @property
    def values(self) -> ValuesPanel:
        """The values of every node, or the verdicts on them."""
        panel = self.page("values")
        assert isinstance(panel, ValuesPanel)
        return panel

    @property
    def shows_verdicts(self) -> bool:
        """Whether the verdicts stand in place of the values."""
        return self.values.shows_verdicts

    def toggle_verdicts(self) -> None:
        """Show the verdicts in place of the values, or the values again."""
        shows = not (self.shows_verdicts and self.is_open("values"))
        self.enter("values")
        self.values.show_verdicts(shows)
        self.changed.emit()

    def sort_by_disagreement(self) -> None:
        """Show the verdicts, the worst first."""
        self.enter("values")
        self.values.sort_by_disagreement()
        self.changed.emit()

    # -- sizes --------------------------------------------------------------------------

    def set_height(self, height: float) -> None:
        """Have one panel open at a time in a low window, of that height at 100%; or all again."""
        is_single = height < LOW
        if is_single == self._single:
            return
        self._single = is_single
        if is_single:
            self._open = [name for name, section in self.sections.items() if section.is_open]
            for name in self._open[1:]:
                self.sections[name].set_open(False)
        else:
            for name in self._open:
                self.sections[name].set_open(True)

    def arrange(self, height: int) -> None:
        """Give every panel the share that suits a column of that height."""
        step, code = self._share("step", height), self._share("code", height)
        self.splitter.setSizes([step, code, max(LEAST, height - step - code)])

    def reset(self) -> None:
        """Open every panel, the values in front."""
        for section in self.sections.values():
            section.set_open(True)
        self.tabs.show_page(PAGES[0])

    def _share(self, name: str, height: int) -> int:
        if not self.sections[name].is_open:
            return self.sections[name].maximumHeight()
        share, least, most = SHARES[name]
        px = self._look.px
        return max(px(least), min(px(most), round(height * share)))

    def _opened(self, name: str, opens: bool) -> None:
        """Make room for a panel that has been opened, out of the largest of the others."""
        if opens and self._single:
            for its_name, section in self.sections.items():
                if its_name != name:
                    section.set_open(False)
        elif opens:
            at, sizes = list(self.sections).index(name), self.splitter.sizes()
            wanted = self._share(name, sum(sizes)) if name in SHARES else sum(sizes) // 3
            for other in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
                if other != at and sizes[at] < wanted:
                    given = max(0, min(wanted - sizes[at], sizes[other] - LEAST))
                    sizes[other] -= given
                    sizes[at] += given
            self.splitter.setSizes(sizes)
        self._keep()

    # -- memory -------------------------------------------------------------------------

    def _keep(self) -> None:
        if self._single:
            self.changed.emit()
            return
        closed = [name for name, section in self.sections.items() if not section.is_open]
        data = json.dumps({"closed": closed, "page": self.tabs.page})
        self._settings.keep_bytes("panels", QByteArray(data.encode()))
        self.changed.emit()

    def _restore(self) -> None:
        kept = self._settings.bytes_of("panels")
        try:
            data = json.loads(bytes(kept.data())) if kept is not None else {}
            closed, page = list(data.get("closed", ())), data.get("page")
        except (ValueError, TypeError, AttributeError):
            return
        for name in closed:
            if name in self.sections:
                self.sections[name].set_open(False)
        if page in PAGES:
            self.tabs.show_page(page)

    # -- Qt -----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape leaves for the graph."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
