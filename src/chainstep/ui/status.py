"""The line at the bottom: the step, the seed, what is going on, and the next keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QSpinBox, QToolTip, QWidget

from chainstep.story import Phase
from chainstep.ui.telling import where
from chainstep.ui.theme import SMALL, Look

if TYPE_CHECKING:
    from chainstep.ui.session import Session

LARGEST_SEED = 2**31 - 1
NEXT = {
    Phase.FORWARD: {"step_over": "next Value"},
    Phase.SORT: {"step_over": "next on the list", "step_into": "next visit"},
    Phase.BACKWARD: {"step_over": "next _backward", "step_into": "next write"},
}
"""What steps lead to in each phase."""


class Words(QWidget):
    """One line of text that is cut with an ellipsis where it has no room.

    Args:
        look: Colours and scale.
        side: To which side it is set.
        is_quiet: Whether it stands back.
    """

    def __init__(self, look: Look, side: Qt.AlignmentFlag, *, is_quiet: bool = True) -> None:
        super().__init__()
        self._is_quiet = is_quiet
        self._look = look
        self._side = side
        self.text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.updateGeometry()
        self.update()

    def set_text(self, text: str) -> None:
        """Show another text."""
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        """As wide as the text."""
        metrics = QFontMetrics(self._look.font(SMALL))
        return QSize(metrics.horizontalAdvance(self.text) + 4, metrics.height())

    def event(self, event: QEvent) -> bool:
        """What finds no room is in a tip; what is whole needs none."""
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            whole = QFontMetrics(self._look.font(SMALL)).horizontalAdvance(self.text)
            QToolTip.showText(event.globalPos(), self.text if whole > self.width() else "", self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The text, or as much as fits."""
        with QPainter(self) as painter:
            painter.setFont(self._look.font(SMALL))
            p = self._look.palette
            painter.setPen(QColor(p.muted if self._is_quiet else p.text))
            metrics = QFontMetrics(painter.font())
            text = metrics.elidedText(self.text, Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(self.rect(), self._side | Qt.AlignmentFlag.AlignVCenter, text)


class StatusLine(QWidget):
    """Shows where the session is; a tip takes the place of the keys while it lasts.

    Args:
        session: What it speaks of.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._tip = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.step = QLabel()
        self.step.setObjectName("muted")
        self.seed = QSpinBox()
        self.seed.setRange(0, LARGEST_SEED)
        self.seed.setKeyboardTracking(False)
        self.seed.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self.seed.setAccessibleName("Seed of random numbers")
        self.seed.setToolTip("What random numbers start from. Another seed runs the program again.")
        self.seed.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        label = QLabel("seed")
        label.setObjectName("muted")
        label.setBuddy(self.seed)
        self.activity = Words(look, Qt.AlignmentFlag.AlignLeft)
        self.keys = Words(look, Qt.AlignmentFlag.AlignRight)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 3, 16, 3)
        row.setSpacing(8)
        for widget, stretch in (
            *((self.step, 0), (label, 0), (self.seed, 0)),
            *((self.activity, 1), (self.keys, 2)),
        ):
            row.addWidget(widget, stretch)
        self.seed.valueChanged.connect(session.set_seed)
        # What was refused or told belongs to the moment before.
        for signal in (
            *(session.position_changed, session.recording_changed, session.run_changed),
            session.checks.changed,
        ):
            signal.connect(self._forget_tip)
        for signal in (
            *(session.position_changed, session.recording_changed, session.view_changed),
            *(session.breakpoints.changed, session.checks.changed),
            *(session.run_changed, session.program_changed),
        ):
            signal.connect(self._take)
        self.set_look(look)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.activity.set_look(look)
        self.keys.set_look(look)
        for label in self.findChildren(QLabel):
            label.setStyleSheet(f"font-size: {look.px(SMALL)}px; color: {look.palette.muted};")
        metrics = QFontMetrics(look.font(SMALL))
        self.step.setMinimumWidth(metrics.horizontalAdvance("Step 8888 of 8888"))
        # By a sheet: of a font alone, the field within keeps the largest size that there was.
        self.seed.setStyleSheet(f"font-size: {look.px(SMALL)}px;")
        self.seed.setFixedWidth(look.px(56))

    def tip(self, text: str) -> None:
        """Show a tip in place of the keys; an empty one brings the keys back."""
        self._tip = text
        self._take()

    def _forget_tip(self) -> None:
        self._tip = ""

    def _take(self) -> None:
        session = self._session
        self.step.setText(where(session.course, session.place))
        if self.seed.value() != session.seed:
            self.seed.blockSignals(True)
            self.seed.setValue(session.seed)
            self.seed.blockSignals(False)
        self.activity.set_text(self._what())
        self.keys.set_text(self._tip or self._next_keys())

    def _what(self) -> str:
        session = self._session
        if session.laying_out:
            return "laying out the graph …"
        if session.running:
            return f"running {session.program.name} …{', then a step' * session.keeps_step}"
        if session.stale:
            return "the program changed"
        here = session.breakpoints.here
        return f"breakpoint: {here[0]}" if here else ""

    def _next_keys(self) -> str:
        session, key = self._session, self._session.keys
        if session.running and not session.panes:
            return f"{key['stop']} stop".replace("Shift+", "⇧")
        if not session.panes:
            return f"{key['run']} run"
        keys = []
        if not session.at_end:
            keys += self._forward_keys()
        if not session.at_start:
            at_end = f"{key['back_over']} back · {key['restart']} to the start"
            before = f"{key['previous_phase']} the phase before"
            back = f"{key['back_over']} back" if session.place.number else before
            keys.append(back if keys else at_end)
        if session.divergence_from() is not None:
            keys.append(f"{key['next_difference']} next difference")
        return " · ".join(keys)

    def _forward_keys(self) -> list[str]:
        """Where steps lead."""
        course, (phase, number) = self._session.course, self._session.place
        if course is not None and number == course.size(phase):
            return [f"{self._session.keys['step_over']} next phase"]
        return [f"{self._session.keys[id_]} {where}" for id_, where in NEXT[phase].items()]

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The ground, and a line above."""
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._look.palette.window))
            painter.fillRect(0, 0, self.width(), 1, QColor(self._look.palette.rule))
