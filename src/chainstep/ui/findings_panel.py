"""What is wrong with the program: a list, and below it the whole of the finding that is chosen."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
    QUrl,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QPainter,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTextBrowser,
)

from chainstep.finding import KINDS, Severity
from chainstep.report import compared, place
from chainstep.ui.section import Page
from chainstep.ui.tables import ROOT, TYPE, Index, fields
from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.finding import Finding
    from chainstep.report import Report
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

SPACE = 5
"""Pixels above and below the two lines of a row, at 100%."""


def whereabouts(session: Session, found: Finding) -> str:
    """Where a finding shows: its line, pass and step; empty where nothing of it is known."""
    report = session.checks.report
    parts = [] if report is None else [place(report.recording, found).rstrip(": ")]
    many = report is not None and report.recording.passes > 1
    if found.pass_index is not None and (many or found.step is not None):
        parts.append(f"pass {found.pass_index + 1}")
    if found.step is not None:
        parts.append(f"step {found.step + 1}")
    return " · ".join(part for part in parts if part)


def counted(findings: Sequence[Finding]) -> str:
    """`2 faults, 1 note`; empty where there are none."""
    words = []
    for severity in Severity:
        count = sum(each.severity is severity for each in findings)
        if count:
            words.append(f"{count} {severity.value}{'' if count == 1 else 's'}")
    return ", ".join(words)


def state(session: Session) -> tuple[str, str]:
    """How far the check is, in a few words and in sentences."""
    checks = session.checks
    if checks.hidden:
        return "Hidden", "What was found would tell what is still to come, so it is hidden."
    if checks.checking:
        return "Checking …", "The program is being checked. You can step meanwhile."
    report = checks.report
    if report is None:
        return _unchecked(session)
    title, words = _judged(report)
    if report.held:
        again = f"{session.keys['check']} runs it again all the same, and may find more."
        return title, f"{words} It was not run again for that. {report.held} {again}"
    if session.has_run:
        return title, words
    run = session.keys["run"]
    return title, f"{words} It was opened, not run: {run} runs it, and may find more."


def _judged(report: Report) -> tuple[str, str]:
    if report.findings:
        return counted(report.findings), compared(report)
    if report.differing:
        words = "Gradients differ from what the forward says, and no rule says why."
        return "No rule applies", f"{words} {compared(report)}"
    found = "Nothing found" if report.is_clean else "Nothing found in what ran"
    return "Nothing found", f"{found}: {compared(report)}"


def _unchecked(session: Session) -> tuple[str, str]:
    checks, key = session.checks, session.keys["check"]
    recording = session.whole_recording
    if recording is None:
        return "Not checked", session.checks.why_not()
    if checks.automatic and not checks.is_small():
        size = f"{len(recording.nodes):,} nodes"
        return "Not checked", f"With {size} it is not checked by itself. {key} checks it."
    return "Not checked", f"Checks are switched off in the preferences. {key} checks it."


class Findings(QAbstractTableModel):
    """The findings of a session.

    Args:
        session: Whose they are.
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.items: Sequence[Finding] = ()

    def take(self) -> None:
        """Other findings."""
        self.beginResetModel()
        self.items = self._session.checks.findings
        self.endResetModel()

    def lines(self, row: int) -> tuple[str, str]:
        """The two lines of a row."""
        found = self.items[row]
        title = f"{found.severity.value}  {found.code}  {KINDS[found.kind].title}"
        return title, whereabouts(self._session, found)

    # -- Qt -----------------------------------------------------------------------------

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row per finding."""
        return 0 if parent.isValid() else len(self.items)

    def columnCount(self, parent: Index = ROOT) -> int:
        """All of it in one."""
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """What a row says, and all of it as a tip."""
        lines = self.lines(index.row())
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(line for line in lines if line)
            case Qt.ItemDataRole.ToolTipRole:
                return f"{self.items[index.row()].message}\nEnter goes to where it shows."
        return None


class _Rows(QStyledItemDelegate):
    """Paints a row: a filled triangle for a fault, a ring for a note; two lines beside it."""

    def __init__(self, findings: Findings, look: Look) -> None:
        super().__init__()
        self._findings = findings
        self.look = look

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002
        """Two lines."""
        return QSize(100, 2 * self._spacing() + 2 * self.look.px(SPACE))

    def _spacing(self) -> int:
        return QFontMetrics(self.look.font(TYPE)).lineSpacing()

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The sign, what it is, and where."""
        look, p = self.look, self.look.palette
        box = QRectF(option.rect)
        chosen = option.state & QStyle.StateFlag.State_Selected
        fault = self._findings.items[index.row()].severity is Severity.FAULT
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.fillRect(box, QColor(p.target_tint))
            painter.fillRect(QRectF(box.left(), box.top(), look.px(3), box.height()), p.target)
        left, spacing = box.left() + look.px(28), self._spacing()
        top = box.top() + look.px(SPACE)
        middle = QPointF(box.left() + look.px(16), top + spacing / 2)
        _paint_sign(painter, middle, look.px(5), p.failed if fault else p.muted, fault=fault)
        title, where = self._findings.lines(index.row())
        room = box.right() - left - look.px(6)
        for line, font, color in (
            (title, look.font(TYPE, bold=fault), p.text),
            (where, look.font(SMALL), p.muted),
        ):
            painter.setFont(font)
            painter.setPen(QColor(color))
            cut = QFontMetrics(font).elidedText(line, Qt.TextElideMode.ElideRight, round(room))
            painter.drawText(QRectF(left, top, room + 2, spacing), cut)
            top += spacing
        painter.restore()


def _paint_sign(
    painter: QPainter, middle: QPointF, size: float, color: str, *, fault: bool
) -> None:
    if fault:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(color))
        corners = ((0.0, -size), (size, size * 0.8), (-size, size * 0.8))
        painter.drawPolygon(QPolygonF([middle + QPointF(x, y) for x, y in corners]))
    else:
        painter.setPen(QPen(QColor(color), size * 0.36))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(middle, size * 0.75, size * 0.75)


class _List(QListView):
    """A list whose rows are entered by a click or Enter, which is not handed on."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the row."""
        super().keyPressEvent(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()


class FindingsPanel(Page):
    """The list, how far the check is, and the whole text of one finding.

    Args:
        session: Whose findings they are.
        look: Colours and scale.
    """

    help_wanted = Signal(str)
    """The page of that kind of finding is to be shown."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.findings = Findings(session)
        self.list = _List()
        self.list.setModel(self.findings)
        self._rows = _Rows(self.findings, look)
        self.list.setItemDelegate(self._rows)
        self.list.setAccessibleName("Findings")
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.state.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.check = QPushButton("Check")
        self.check.setAccessibleName("Check the program now")
        self.copy = QPushButton("Copy")
        self.copy.setAccessibleName("Copy all findings as text")
        self.copy.setToolTip("Copy all findings and verdicts as text")
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("The whole finding")
        self._compose()
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
        self.list.selectionModel().currentChanged.connect(self._tell)
        self.text.anchorClicked.connect(self._follow)
        self.check.clicked.connect(session.checks.check)
        self.copy.clicked.connect(self.copy_all)
        session.checks.changed.connect(self._take)
        session.recording_changed.connect(self._take)
        session.view_changed.connect(self._take)
        session.horizon_changed.connect(self._take)
        session.run_changed.connect(self._say)
        self.set_look(look)

    def _compose(self) -> None:
        self._top = QHBoxLayout()
        self._top.setSpacing(6)
        self._top.addWidget(self.state, 1)
        self._top.addWidget(self.check)
        self._top.addWidget(self.copy)
        self.lay_out((self._top, 0), (self.list, 2), (self.text, 3))

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = self._rows.look = look
        p, px = look.palette, look.px
        self._top.setContentsMargins(px(14), 0, px(10), 0)
        self.setStyleSheet(
            f"{fields(look)} QListView, QTextBrowser {{ background: {p.window}; color: {p.text};"
            f" border: none; border-top: 1px solid {p.rule}; font-size: {px(TYPE)}px; }}"
            f"QTextBrowser {{ padding: {px(2)}px {px(8)}px; }}"
        )
        self.state.setStyleSheet(f"color: {p.text}; font-size: {px(TYPE)}px; font-weight: 600;")
        self.text.setFont(look.font(TYPE))
        self.list.doItemsLayout()
        self._take()

    def take_focus(self) -> None:
        """Give the keyboard to the list, or to the text where there is no list."""
        (self.list if self.findings.items else self.text).setFocus()

    def _take(self) -> None:
        """Other findings, or another one that was gone to."""
        checks = self._session.checks
        if self.findings.items is not checks.findings:
            self.findings.take()
        items = self.findings.items
        self.list.setVisible(bool(items))
        chosen = checks.chosen
        row = items.index(chosen) if chosen in items else self.list.currentIndex().row()
        if items:
            self.list.setCurrentIndex(self.findings.index(max(0, row), 0))
            rows = min(len(items), 3)
            self.list.setMaximumHeight(rows * self.list.sizeHintForRow(0) + 2)
        self._say()
        self._tell()

    def _say(self) -> None:
        """How far the check is."""
        checks = self._session.checks
        short, whole = state(self._session)
        self.state.setText(short)
        self.state.setToolTip(whole)
        refusal = checks.why_not()
        self.check.setEnabled(not refusal)
        self.check.setToolTip(refusal or "Check the program now, whatever its size")
        self.copy.setEnabled(checks.report is not None)
        if not self.findings.items:
            self._tell()

    def _tell(self) -> None:
        """The whole of the current finding; without one, what was checked."""
        row = self.list.currentIndex().row()
        if not 0 <= row < len(self.findings.items):
            self.text.setHtml(f"<p>{escape(state(self._session)[1])}</p>")
            return
        found = self.findings.items[row]
        mend = f"<p><b>To mend it:</b> {escape(found.remedy)}</p>" if found.remedy else ""
        link = f"{found.code} {found.kind}: what it means"
        color = self._look.palette.target
        self.text.setHtml(
            f"<p>{escape(found.message)}</p>{mend}"
            f'<p><a href="{found.kind}" style="color: {color}">{escape(link)}</a></p>'
        )

    def _go(self, index: QModelIndex) -> None:
        if index.isValid():
            self._session.checks.choose(index.row())

    def _follow(self, link: QUrl) -> None:
        self.help_wanted.emit(link.toString())

    def copy_all(self) -> None:
        """Put all of it on the clipboard, as it is on the command line."""
        QGuiApplication.clipboard().setText(self._session.checks.text())
