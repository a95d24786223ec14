"""The code that runs: the `_backward` of the step, its current line, and what its names are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from chainstep.ui.chips import Chips
from chainstep.ui.code_view import CodeView
from chainstep.ui.excerpt import excerpt
from chainstep.ui.section import LEFT, Section

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look


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
        self._below = QVBoxLayout()
        self._below.setSpacing(4)
        self._below.addWidget(self.chips)
        self._below.addWidget(self.remark)
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, 0, 6)
        column.setSpacing(4)
        column.addWidget(self.view, 1000)
        column.addLayout(self._below)
        column.addStretch(1)
        for signal in (session.recording_changed, session.view_changed, session.position_changed):
            signal.connect(self._take)
        self.set_look(look)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        super().set_look(look)
        self.view.set_look(look)
        self.chips.set_look(look)
        self.remark.setStyleSheet(f"color: {look.palette.muted}; font-size: {look.px(12)}px;")
        self._below.setContentsMargins(look.px(LEFT), 0, look.px(10), 0)

    def _take(self) -> None:
        shown = excerpt(self._session)
        self.heading.set_aside(shown.title)
        self.view.setVisible(bool(shown.rows))
        self.view.show_excerpt(shown)
        self.chips.bind(shown.bound, self._roles())
        self.remark.setText(shown.remark)
        self.remark.setVisible(bool(shown.remark))

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
