"""Chips: a variable and the node that it is, in as many rows as they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from chainstep.ui.theme import focus_pen

if TYPE_CHECKING:
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

MOST = 12
"""Chips shown at the most."""
LONGEST = 18
"""Letters of a name on a chip."""


def shortened(name: str) -> str:
    """A long name without its beginning where that is a path, whose end tells more."""
    if len(name) <= LONGEST:
        return name
    is_path = "." in name or name.endswith("]")
    return f"…{name[1 - LONGEST :]}" if is_path else f"{name[: LONGEST - 1]}…"


class Chip(QAbstractButton):
    """One variable. The mouse or the focus on it points at its node, a press selects it.

    Args:
        session: Whose node it is.
        look: Colours and scale.
        parent: Owner.
    """

    def __init__(self, session: Session, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self.look = look
        self.variable = ""
        self.node_id = -1
        self.role = ""
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(lambda: session.select(self.node_id))

    def bind(self, variable: str, node_id: int, role: str) -> None:
        """Take another variable.

        Args:
            variable: What the code calls it.
            node_id: The node that it is.
            role: `now` where that one runs, `target` where it is written; else empty.
        """
        recording = self._session.recording
        name = recording.nodes[node_id].name if recording else ""
        name = name or f"node {node_id}"
        self.variable, self.node_id, self.role = variable, node_id, role
        self.setText(shortened(name))
        self.setAccessibleName(f"{variable} is {name}")
        self.setToolTip(f"{variable} is {name}. A click selects it.")
        self.update()

    @property
    def lit(self) -> bool:
        """Whether its node is pointed at."""
        return self._session.pointed == self.node_id

    def _widths(self) -> tuple[float, float]:
        """(width of the variable with its =, width of the pill)."""
        words = QFontMetricsF(self.look.mono(12)).horizontalAdvance(f"{self.variable} = ")
        name = QFontMetricsF(self.look.mono(12, bold=True)).horizontalAdvance(self.text())
        return words, max(name + self.look.px(18), self.look.px(30))

    def sizeHint(self) -> QSize:
        """Room for both."""
        return QSize(round(sum(self._widths())) + 3, self.look.px(24))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """`self =` and the node in a pill."""
        look, p = self.look, self.look.palette
        words, wide = self._widths()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            middle = Qt.AlignmentFlag.AlignVCenter
            painter.setPen(QColor(p.muted))
            painter.setFont(look.mono(12))
            painter.drawText(QRectF(0, 0, words, self.height()), middle, f"{self.variable} =")
            outline, ground = {
                "now": (p.now, p.now_tint),
                "target": (p.target, p.target_tint),
            }.get(self.role, (p.border, p.card))
            box = QRectF(words, 1.5, wide, self.height() - 3)
            if self.lit or self.hasFocus():
                outline, ground = p.target, p.target_tint
            painter.setPen(QPen(QColor(outline), 2.4 if self.lit else 1.3))
            painter.setBrush(QColor(ground))
            painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
            painter.setPen(QColor(p.text))
            painter.setFont(look.mono(12, bold=True))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self.text())
            if self.hasFocus():
                painter.setPen(focus_pen(p.focus))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Point at the node."""
        self._session.point_at(self.node_id)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Point at it no longer."""
        self._session.point_at(self.node_id if self.hasFocus() else None)
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Point at the node."""
        self._session.point_at(self.node_id)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Point at it no longer."""
        if self.lit and not self.underMouse():
            self._session.point_at(None)
        super().focusOutEvent(event)


class Chips(QWidget):
    """Chips side by side, on as many rows as they need.

    Args:
        session: Whose nodes they are.
        look: Colours and scale.
    """

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._chips: list[Chip] = []
        self._shown = 0
        self.setAccessibleName("Variables of the code that runs")
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        session.pointer_changed.connect(self._light)

    @property
    def chips(self) -> list[Chip]:
        """Those on show."""
        return self._chips[: self._shown]

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        for chip in self._chips:
            chip.look = look
        self._arrange()

    def bind(self, bound: tuple[tuple[str, int], ...], roles: dict[int, str]) -> None:
        """Show these variables; `roles` says which nodes run or are written.

        A chip keeps its place, and with it the focus, from one step to the next.
        """
        bound = bound[:MOST]
        while len(self._chips) < len(bound):
            self._chips.append(Chip(self._session, self._look, self))
        self._shown = len(bound)
        for chip, (variable, node_id) in zip(self._chips, bound, strict=False):
            chip.bind(variable, node_id, roles.get(node_id, ""))
            if chip.hasFocus():
                self._session.point_at(node_id)
        for number, chip in enumerate(self._chips):
            chip.setVisible(number < self._shown)
        self.setVisible(bool(bound))
        self._arrange()

    def _light(self) -> None:
        for chip in self.chips:
            chip.update()

    def _places(self, width: int) -> tuple[list[tuple[int, int]], int]:
        """(left and top of each chip, height of all) in a given width."""
        look = self._look
        places, x, y, gap = [], 0, 0, look.px(10)
        height = look.px(24)
        for chip in self.chips:
            wide = chip.sizeHint().width()
            if x and x + wide > width:
                x, y = 0, y + height + look.px(3)
            places.append((x, y))
            x += wide + gap
        return places, y + height

    def _arrange(self) -> None:
        places, _ = self._places(self.width())
        for chip, (x, y) in zip(self.chips, places, strict=True):
            size = chip.sizeHint()
            chip.setGeometry(x, y, min(size.width(), max(1, self.width())), size.height())
        self.updateGeometry()

    def hasHeightForWidth(self) -> bool:
        """The narrower, the more rows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Height of all rows."""
        return self._places(width)[1]

    def sizeHint(self) -> QSize:
        """All rows at this width."""
        return QSize(100, self._places(max(self.width(), 100))[1])

    def minimumSizeHint(self) -> QSize:
        """The same, however narrow."""
        return QSize(50, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the rows anew."""
        super().resizeEvent(event)
        self._arrange()
