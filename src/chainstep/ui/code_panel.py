"""The code that runs: the `_backward` of the step, its current line, and what its names are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from chainstep.ui.chips import Chips
from chainstep.ui.code_view import CodeView
from chainstep.ui.excerpt import excerpt
from chainstep.ui.section import LEFT, Section
from chainstep.ui.theme import RING

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look


class _Below(QScrollArea):
    """What stands below the code: as high as it needs, and scrolled where there is less room.

    So the panel keeps its place, however much there is to be said about a step.
    """

    def __init__(self) -> None:
        super().__init__()
        inside = QWidget()
        self.lines = QVBoxLayout(inside)
        self.lines.setSpacing(4)
        self.setWidget(inside)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Maximum)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def sizeHint(self) -> QSize:
        """Room for all of it at this width."""
        inside = max(100, self.width() - 2 * RING)
        return QSize(100, self.lines.totalHeightForWidth(inside) + 2 * RING)

    def minimumSizeHint(self) -> QSize:
        """A line."""
        return QSize(50, min(24 + 2 * RING, self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need another height."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.updateGeometry()


class CodePanel(Section):
    """Shows the code that a session's position is about.

    Args:
        session: Whose position it is.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        body = QWidget()
        super().__init__("CODE THAT RUNS", body, look)
        self._session = session
        self.view = CodeView(session, look)
        self.chips = Chips(session, look)
        self.remark = QLabel()
        self.remark.setObjectName("muted")
        self.remark.setWordWrap(True)
        self.remark.setTextFormat(Qt.TextFormat.PlainText)
        self.remark.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._below = _Below()
        self._below.lines.addWidget(self.chips)
        self._below.lines.addWidget(self.remark)
        self._below.lines.addStretch(1)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        column.addWidget(self.view, 1000)
        column.addWidget(self._below)
        column.addStretch(1)
        for signal in (session.recording_changed, session.view_changed, session.position_changed):
            signal.connect(self._take)
        self.set_look(look)
        self._show()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        super().set_look(look)
        self.view.set_look(look)
        self.chips.set_look(look)
        self.remark.setStyleSheet(f"color: {look.palette.muted}; font-size: {look.px(12)}px;")
        self._below.lines.setContentsMargins(look.px(LEFT), 0, look.px(10), 0)

    def _take(self) -> None:
        self.due.take(self._show)

    def _show(self) -> None:
        shown = excerpt(self._session)
        self.heading.set_aside(shown.title)
        self.view.setVisible(bool(shown.rows))
        self.view.show_excerpt(shown)
        self.chips.bind(shown.bound, self._roles())
        self.remark.setText(shown.remark)
        self.remark.setVisible(bool(shown.remark))
        self._below.updateGeometry()

    def _roles(self) -> dict[int, str]:
        """Which nodes run or are written."""
        pane = self._session.primary
        step = pane.stepper.current if pane else None
        if step is None:
            return {}
        roles = {} if step.node is None else {step.node: "now"}
        if step.target is not None and step.target != step.node:
            roles[step.target] = "target"
        return roles
