"""A contribution on its way along its edge: short, and over as soon as anything else happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QVariantAnimation, Signal
from PySide6.QtGui import QGuiApplication, QPen
from PySide6.QtWidgets import QApplication, QStyle

from chainstep.ui.arrow import is_drawn
from chainstep.ui.drawing import Area, at
from chainstep.ui.focus import course_between, enlarged
from chainstep.ui.painting import rectangle

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from chainstep.ui.drawing import Drawing
    from chainstep.ui.ink import Ink, Type
    from chainstep.ui.sight import Sight

DURATION_MS = 200
AROUND = 4.5
"""From the type of what travels to its upper and lower edge, in scene units."""
PADDING = 8.0


class Motion(QObject):
    """How far a contribution has travelled."""

    advanced = Signal()
    """It is elsewhere, or has arrived."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.enabled = True
        """Whether anything moves at all."""
        self._animation = QVariantAnimation(self)
        self._animation.setDuration(DURATION_MS)
        self._animation.setStartValue(0.0)
        self._animation.setEndValue(1.0)
        self._animation.setEasingCurve(QEasingCurve.Type.InOutQuad)
        self._animation.valueChanged.connect(self.advanced)
        self._animation.finished.connect(self.advanced)

    @property
    def share(self) -> float | None:
        """The share of its way that is behind it; None while nothing travels."""
        if self._animation.state() is not QVariantAnimation.State.Running:
            return None
        return float(self._animation.currentValue())

    def start(self) -> None:
        """Let a contribution set out."""
        if self.enabled:
            self._animation.start()

    def stop(self) -> None:
        """Let it have arrived: whatever the user does next is not kept waiting."""
        if self.share is not None:
            self._animation.stop()
            self.advanced.emit()


def system_moves() -> bool:
    """Whether the desktop lets things move, as far as Qt knows."""
    hints = QGuiApplication.styleHints()
    # From Qt 6.12 on it says so itself; before that styles follow the desktop.
    accessibility = hints.accessibility() if hasattr(hints, "accessibility") else None
    preference = getattr(accessibility, "motionPreference", None)
    if preference is not None:
        return "Reduce" not in str(preference())
    duration = QStyle.StyleHint.SH_Widget_Animation_Duration
    return QApplication.style().styleHint(duration) > 0


def traveller(
    drawing: Drawing, moment: Sight, kind: Type, share: float, view: Area | None = None
) -> tuple[Area, str] | None:
    """(place, number) of what travels from the node that runs to the one that is written to."""
    parts = moment.arithmetic()
    if not is_drawn(drawing, moment) or not parts:
        return None
    course = course_between(drawing, moment, enlarged(drawing, moment, kind, view))
    x, y = at(course, 1 - share)
    text, face = parts[-1].lstrip("=≈ "), kind.arithmetic[0]
    half = face.width(text) / 2 + PADDING
    return Area(x, y, x, y).spread(half, face.font.pixelSize() / 2 + AROUND), text


def paint_traveller(
    painter: QPainter,
    drawing: Drawing,
    moment: Sight,
    ink: Ink,
    kind: Type,
    share: float,
    view: Area | None = None,
) -> None:
    """Draw it: the number in a pill of its own."""
    found = traveller(drawing, moment, kind, share, view)
    if found is None:
        return
    area, text = found
    face = kind.arithmetic[0]
    painter.setPen(QPen(ink.now.color(), 2.5))
    painter.setBrush(ink.card)
    painter.drawRoundedRect(rectangle(area), area.height / 2, area.height / 2)
    painter.setPen(ink.text)
    painter.setFont(face.font)
    base = area.middle[1] + face.metrics.capHeight() / 2
    painter.drawText(QPointF(area.left + PADDING, base), text)
