"""Buttons with a sign, a word and their key, painted from the palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QSizePolicy, QWidget

from chainstep.ui import icons
from chainstep.ui.theme import PLAIN, SMALL, Look, focus_pen

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

HEIGHT = 32
SMALL_HEIGHT = 24
RADIUS = 6


class Button(QAbstractButton):
    """A button that shows and triggers one action.

    Args:
        action: What it does; it also gives the tool tip and whether it can be pressed.
        look: Colours and scale.
        text: What stands on it; nothing but the sign where empty.
        key: Its key, as it stands on the button.
        icon: Name of its sign.
        menu: Whether it opens a menu: a small arrow says so.
    """

    def __init__(
        self,
        action: QAction,
        look: Look,
        text: str = "",
        *,
        key: str = "",
        icon: str = "",
        menu: QMenu | None = None,
    ) -> None:
        super().__init__()
        self.setText(text)
        self.look = look
        self.key = key
        self.icon_name = icon
        self.accent = False
        self.small = False
        self.shows_key = True
        self.shows_text = True
        self.ends = (True, True)
        self._measured: tuple[object, list[tuple[str, float]]] = (None, [])
        self.menu = menu
        self._action = action
        self.setCheckable(action.isCheckable() and menu is None)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        action.changed.connect(self._take_action)
        self.clicked.connect(self._press)
        self._take_action()

    def _take_action(self) -> None:
        action = self._action
        self.setEnabled(self.menu is not None or action.isEnabled())
        if self.menu is not None and self.accessibleName():
            # What opens a menu is named by who made it, not by the action it was made from.
            return
        self.setToolTip(action.toolTip())
        self.setStatusTip(action.statusTip())
        self.setAccessibleName(action.toolTip().split("\n")[0])
        self.setAccessibleDescription(action.statusTip())
        if self.isCheckable():
            self.setChecked(action.isChecked())

    def _press(self) -> None:
        if self.menu is not None:
            self.menu.popup(self.mapToGlobal(QPoint(0, self.height())))
            return
        self._action.trigger()
        # The click has toggled the button; whether it is on is for the action to say.
        self._take_action()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self.look = look
        self.updateGeometry()
        self.update()

    def set_face(self, text: str, key: str, icon: str) -> None:
        """Take another text, key or sign."""
        if (text, key, icon) != (self.text(), self.key, self.icon_name):
            self.setText(text)
            self.key, self.icon_name = key, icon
            self.updateGeometry()
            self.update()

    def set_shows_key(self, shows: bool) -> None:
        """Show the key on the button, or save the room."""
        if shows != self.shows_key:
            self.shows_key = shows
            self.updateGeometry()
            self.update()

    def set_shows_text(self, shows: bool) -> None:
        """Show the word on the button, or leave it to the sign."""
        if shows != self.shows_text:
            self.shows_text = shows
            self.updateGeometry()
            self.update()

    def _parts(self) -> list[tuple[str, float]]:
        """What stands on it from left to right, and how wide that is, in pixels."""
        shows = (self.shows_key, self.shows_text)
        face = (self.look, self.text(), self.key, self.icon_name, shows)
        if face != self._measured[0]:
            self._measured = (face, self._measure())
        return self._measured[1]

    def _measure(self) -> list[tuple[str, float]]:
        look = self.look
        parts = [(self.icon_name, look.px(10.0))] if self.icon_name else []
        if self.text() and self.shows_text:
            metrics = QFontMetrics(look.font(PLAIN, bold=True))
            parts.append(("text", metrics.horizontalAdvance(self.text())))
        if self.key and self.shows_key:
            parts.append(("key", QFontMetrics(look.font(SMALL)).horizontalAdvance(self.key)))
        if self.menu is not None:
            parts.append(("down", look.px(9.0)))
        return [(name, float(width)) for name, width in parts]

    def sizeHint(self) -> QSize:
        """Room for all parts."""
        parts = self._parts()
        gaps = self.look.px(6) * (len(parts) - 1)
        padding = 2 * self.look.px(7 if self.small else 10)
        height = self.look.px(SMALL_HEIGHT if self.small else HEIGHT)
        return QSize(round(sum(width for _, width in parts)) + gaps + padding, height)

    def minimumSizeHint(self) -> QSize:
        """It never shrinks: a cut word is worse than a second line."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """Ground, outline, and the parts in the middle."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            ground, outline, ink, faint = self._colors()
            painter.setPen(QPen(outline, 1))
            painter.setBrush(ground)
            painter.drawPath(self._outline())
            if self.hasFocus():
                # On a ground of full colour only that of the words is seen.
                full = self.accent or self.isChecked()
                painter.setPen(focus_pen(ink.name() if full else self.look.palette.focus))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(3, 3, -3, -3), 4, 4)
            parts, gap = self._parts(), self.look.px(6)
            x = (self.width() - sum(width for _, width in parts) - gap * (len(parts) - 1)) / 2
            for name, width in parts:
                box = QRectF(x, 0, width + 2, self.height())
                if name in ("text", "key"):
                    small = name == "key"
                    painter.setFont(self.look.font(SMALL) if small else self.look.font(bold=True))
                    painter.setPen(faint if small else ink)
                    painter.drawText(
                        box, Qt.AlignmentFlag.AlignVCenter, self.key if small else self.text()
                    )
                else:
                    sign = QRectF(x, (self.height() - width) / 2, width, width)
                    icons.draw(painter, name, sign, ink)
                x += width + gap

    def _outline(self) -> QPainterPath:
        """A rounded box; inside a row of segments only the two ends are round."""
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        path = QPainterPath()
        path.addRoundedRect(box, RADIUS, RADIUS)
        for is_end, left in ((self.ends[0], box.left()), (self.ends[1], box.right() - RADIUS)):
            if not is_end:
                corner = QPainterPath()
                corner.addRect(QRectF(left, box.top(), RADIUS, box.height()))
                path = path.united(corner)
        return path.simplified()

    def _colors(self) -> tuple[QColor, QColor, QColor, QColor]:
        """Ground, outline, ink, faint ink."""
        p = self.look.palette
        if not self.isEnabled():
            pale = QColor(p.muted)
            pale.setAlphaF(0.6)
            return QColor(p.window), QColor(p.rule), pale, pale
        if self.accent or self.isChecked():
            ground, ink = (p.now, p.on_now) if self.accent else (p.strong, p.on_strong)
            color = QColor(ground)
            if self.underMouse():
                color = color.darker(108) if not p.dark else color.lighter(108)
            return color, color, QColor(ink), QColor(ink)
        ground = p.quiet if self.underMouse() or self.isDown() else p.card
        outline = p.border if self.underMouse() else p.partial
        return QColor(ground), QColor(outline), QColor(p.text), QColor(p.muted)


class Segments(QWidget):
    """Buttons in one row without gaps, of which one is on."""

    def __init__(self, buttons: list[Button], name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.buttons = buttons
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for button in buttons:
            row.addWidget(button)
        self._round()

    def sizeHint(self) -> QSize:
        """Room for all that are shown, at once: a layout learns of another size a turn later."""
        sizes = [button.sizeHint() for button in self.buttons if not button.isHidden()]
        return QSize(
            sum(size.width() for size in sizes), max((size.height() for size in sizes), default=0)
        )

    def minimumSizeHint(self) -> QSize:
        """It never shrinks, as its buttons do not."""
        return self.sizeHint()

    def show_only(self, wanted: list[bool]) -> None:
        """Show these of the buttons, in their order."""
        for button, shown in zip(self.buttons, wanted, strict=True):
            button.setVisible(shown)
        self._round()

    def _round(self) -> None:
        shown = [button for button in self.buttons if not button.isHidden()]
        for button in shown:
            button.ends = (button is shown[0], button is shown[-1])
