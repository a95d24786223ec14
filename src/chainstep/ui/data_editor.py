"""A small editor over a leaf's card: its number, as text and as a slider."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from chainstep.figures import full, read, short
from chainstep.ui.theme import SMALL

if TYPE_CHECKING:
    from chainstep.graph import Node
    from chainstep.ui.canvas import Canvas
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look
    from chainstep.ui.whatif import WhatIf

TICKS = 200
"""Places of the slider to either side of its middle."""
FUNCTION_KEYS = range(Qt.Key.Key_F1, Qt.Key.Key_F35 + 1)
WIDTH = 250
GAP = 4


class Scale:
    """Which numbers a slider stands for: around a leaf's own, far enough to change its sign.

    >>> scale = Scale(-3.0, -3.0)
    >>> scale.number(0), scale.number(TICKS), scale.number(-TICKS), scale.tick(-2.5)
    (-3.0, 3.0, -9.0, 17)
    """

    def __init__(self, own: float, now: float) -> None:
        self.middle = own if math.isfinite(own) else 0.0
        beyond = abs(now - self.middle) if math.isfinite(now) else 0.0
        self.reach = max(2 * abs(self.middle), 2.0, beyond)
        # Numbers that are as short as the slider is fine.
        self._digits = 2 - math.floor(math.log10(self.reach)) if math.isfinite(self.reach) else 0

    def number(self, tick: int) -> float:
        """The number of a place."""
        if tick == 0:
            return self.middle
        return round(self.middle + tick / TICKS * self.reach, self._digits)

    def tick(self, number: float) -> int:
        """The place that is nearest to a number."""
        if not math.isfinite(number):
            return 0
        place = (number - self.middle) / self.reach * TICKS
        return round(max(-TICKS, min(place, TICKS)))


class DataEditor(QFrame):
    """Changes the data of one leaf; hidden until :meth:`edit`.

    Enter in the field takes the number, a drawn slider takes it at once, Escape takes back what
    was changed since the editor was opened.

    Args:
        session: Where the leaf is on show.
        what_if: What its number is changed with.
        look: Colours and scale.
        window: Where it waits until it is opened over a pane.
    """

    refused = Signal(str)
    """That node cannot be edited; the sentence says why."""
    closed = Signal()

    def __init__(self, session: Session, what_if: WhatIf, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._what_if = what_if
        self._look = look
        self._canvas: Canvas | None = None
        self._node: Node | None = None
        self._scale = Scale(0.0, 0.0)
        self._changes = 0
        self.setObjectName("data_editor")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.name, self.own = QLabel(), QLabel()
        self.field = QLineEdit()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(-TICKS, TICKS)
        self.slider.setPageStep(TICKS // 10)
        for number in (self.field, self.slider):
            number.setAccessibleName("Data of a leaf")  # of which one is said where it opens
        self.reset = QPushButton("Reset")
        self.reset.setAccessibleName("The program's own number")
        self._arrange()
        self.field.returnPressed.connect(self._enter)
        self.field.textEdited.connect(lambda _: self._complain(""))
        self.slider.valueChanged.connect(self._slide)
        self.reset.clicked.connect(self._reset)
        for part in (self.field, self.slider, self.reset):
            part.installEventFilter(self)
        session.recording_changed.connect(self._follow)
        session.program_changed.connect(self._program_changed)
        what_if.changed.connect(self._show_number)
        self.set_look(look)
        self.hide()

    def _arrange(self) -> None:
        first = QHBoxLayout()
        first.addWidget(self.name)
        first.addWidget(self.field, 1)
        second = QHBoxLayout()
        second.addWidget(self.own, 1)
        second.addWidget(self.reset)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 8, 10, 8)
        column.setSpacing(6)
        column.addLayout(first)
        column.addWidget(self.slider)
        column.addLayout(second)
        for label in (self.name, self.own):
            label.setTextFormat(Qt.TextFormat.PlainText)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        p = look.palette
        self.setStyleSheet(
            f"#data_editor {{ background: {p.card}; border: 2px solid {p.target};"
            " border-radius: 8px; }"
            f"#data_editor QLabel {{ color: {p.text}; }}"
        )
        self.field.setFont(look.mono())
        self.name.setFont(look.font(bold=True))
        self.own.setFont(look.font(SMALL))

    # -- opening and closing ------------------------------------------------------------

    def edit(self, canvas: Canvas, node_id: int | None) -> None:
        """Open over a leaf's card; say why not where it cannot be edited."""
        refusal = self._what_if.why_not(node_id)
        graph = self._session.graph
        if refusal or node_id is None or graph is None:
            self.refused.emit(refusal)
            return
        if self._canvas is not canvas:
            self._leave_canvas()
            self._canvas = canvas
            self.setParent(canvas.viewport())
            canvas.moved.connect(self._place)
        self._session.select(node_id)
        canvas.show_node(node_id)
        self._node, self._changes = graph.node(node_id), 0
        own = self._what_if.own(self._node)
        self._scale = Scale(own, self._now())
        self._complain("")
        self._show_number()
        name = self._node.name
        self.name.setText(f"{self._shortened(name)} =")
        self.name.setToolTip(name)
        self.field.setAccessibleName(f"Data of {name}")
        self.slider.setAccessibleName(f"Data of {name}")
        self.setAccessibleName(f"What if {name} had other data")
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus()
        self.field.selectAll()

    def _shortened(self, name: str) -> str:
        metrics = self.name.fontMetrics()
        return metrics.elidedText(name, Qt.TextElideMode.ElideLeft, self._look.px(WIDTH // 2))

    def close_editor(self) -> None:
        """Go away; what was changed stays."""
        if not self.isVisible():
            return
        canvas = self._canvas
        self.hide()
        self._node = None
        if canvas is not None:
            canvas.setFocus()
        self.closed.emit()

    def _leave_canvas(self) -> None:
        if self._canvas is not None:
            self._canvas.moved.disconnect(self._place)

    def _place(self) -> None:
        """Stand below the card's name, inside the pane."""
        canvas, node = self._canvas, self._node
        if canvas is None or node is None:
            return
        card = canvas.card_rectangle(node.id)
        if card is None:
            return
        self.setFixedWidth(self._look.px(WIDTH))
        self.adjustSize()
        pane = canvas.viewport().rect()
        left = max(GAP, min(card.left(), pane.width() - self.width() - GAP))
        # Below the card, so that its gradient stays in sight; above it where there is no room.
        top = card.bottom() + GAP
        if top + self.height() > pane.height():
            top = card.top() - GAP - self.height()
        self.move(QPoint(left, max(GAP, min(top, pane.height() - self.height() - GAP))))

    # -- the number ---------------------------------------------------------------------

    def _now(self) -> float:
        assert self._node is not None
        number = self._what_if.edits.number(self._node.serial)
        return self._what_if.own(self._node) if number is None else number

    def _show_number(self) -> None:
        if self._node is None:
            return
        own, now = self._what_if.own(self._node), self._now()
        if not self.field.hasFocus() or not self.field.isModified():
            self.field.setText(full(now))
        self.slider.blockSignals(True)
        self.slider.setValue(self._scale.tick(now))
        self.slider.blockSignals(False)
        is_own = repr(own) == repr(now)
        self.reset.setEnabled(not is_own)
        self._complain("")

    def _complain(self, text: str) -> None:
        """Say what is wrong, or else what the program's own number is."""
        if self._node is None:
            return
        p = self._look.palette
        own = self._what_if.own(self._node)
        same = repr(own) == repr(self._now())
        self.own.setText(text or ("as in the program" if same else f"instead of {short(own)}"))
        self.own.setStyleSheet(f"color: {p.failed if text else p.muted};")

    def _enter(self) -> None:
        """Take what is typed and close."""
        number = read(self.field.text())
        if number is None:
            self._complain("That is no number.")
            self.field.selectAll()
            return
        assert self._node is not None
        if repr(number) != repr(self._now()):
            self._what_if.set_number(self._node, number)
        self.close_editor()

    def _slide(self, tick: int) -> None:
        if self._node is None:
            return
        self.field.setModified(False)
        self._what_if.set_number(self._node, self._scale.number(tick), joins=self._changes > 0)
        self._changes += 1

    def _reset(self) -> None:
        if self._node is not None:
            self.field.setModified(False)
            self._what_if.set_number(self._node, self._what_if.own(self._node))
            self._changes = 0

    def _take_back(self) -> None:
        """Undo what the slider did since the editor was opened."""
        if self._changes:
            self._what_if.undo()
        self.close_editor()

    # -- what goes on around ------------------------------------------------------------

    def _follow(self) -> None:
        """Another recording: the same leaf may be another node of it."""
        recording, node = self._session.recording, self._node
        if node is None or recording is None:
            self.close_editor()
            return
        graph = self._session.graph
        for other in graph.nodes if graph is not None else ():
            if other.serial == node.serial:
                self._node = other
                self._place()
                return
        if recording.traces:
            self.close_editor()

    def _program_changed(self) -> None:
        if self._session.stale:
            self.close_editor()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Escape takes back; no other key is for the graph below; elsewhere in the window ends."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape:
                self._take_back()
                return True
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            held = event.modifiers() & ~(
                Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier
            )
            if held == Qt.KeyboardModifier.NoModifier and event.key() not in FUNCTION_KEYS:
                event.accept()
                return True
        elif event.type() == QEvent.Type.FocusOut:
            focus = QApplication.focusWidget()
            if focus is not None and focus.window() is self.window() and not self._has(focus):
                self.close_editor()
        return super().eventFilter(watched, event)

    def _has(self, widget: QWidget) -> bool:
        return widget is self or self.isAncestorOf(widget)
