"""The middle of the window: a notice, and below it the graph in one pane or two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from chainstep.ui.notices import Level, notice
from chainstep.ui.section import UNBOUNDED

if TYPE_CHECKING:
    from chainstep.ui.canvas import Canvas, Viewport
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

TYPE = 12
"""Size of a notice's type at 100%."""
LOWEST, NARROWEST = 130, 120
"""Height of a pane, at 100%, from which on it stands above another, and the least width of one
beside another."""
TOOLED = (220, 110)
"""Width and height of a pane, at 100%, from which on the buttons find room in its corner."""
LOW, LOWER = 400, 330
"""Heights of a window, at 100%, below which a notice has one line, and below which it is there
only for what is wrong."""
MOST_LINES = 4
"""Lines that a notice takes at the most."""


class Strip(QWidget):
    """The notice of a session. Its height only grows while one program is open: nothing jumps."""

    def __init__(self, session: Session, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._notice = notice(session)
        self._name = ""
        self._lines: list[str] = []
        self._rows = 2
        self._most = MOST_LINES
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for signal in (
            *(session.program_changed, session.run_changed, session.recording_changed),
            *(session.view_changed, session.horizon_changed, session.checks.changed),
        ):
            signal.connect(self._take)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._break_lines()

    def sizeHint(self) -> QSize:
        """Room for all lines that there have been."""
        return QSize(200, self._rows * self._spacing() + self._look.px(14))

    def minimumSizeHint(self) -> QSize:
        """As high; as narrow as may be."""
        return QSize(50, self.sizeHint().height())

    def _spacing(self) -> int:
        return QFontMetrics(self._look.font(TYPE)).lineSpacing()

    def _take(self) -> None:
        said, name = notice(self._session), self._session.program.name
        if (said, name) == (self._notice, self._name):
            return
        self._notice = said
        whole = ". ".join(part for part in (self._notice.title, self._notice.text) if part)
        self.setAccessibleName(whole)
        # Without a description of its own it would tell its tip, the same once more.
        self.setAccessibleDescription(" ")
        self.setToolTip(whole)
        if self._name != name:
            self._name = name
            self._rows = 0
        self._break_lines()

    def set_most(self, lines: int) -> None:
        """Take so many lines at the most; what is left out is in the tip."""
        if lines != self._most:
            self._most = lines
            self._rows = 0
            self._break_lines()

    def _break_lines(self) -> None:
        metrics = QFontMetrics(self._look.font(TYPE))
        calm = self._notice.level is Level.HINT
        self.setVisible(self._most > 0 or not calm)
        most = max(1, self._most) - bool(self._notice.title)
        width = round(self._box().width())
        self._lines = broken(self._notice.text, metrics, width, most) if most else []
        rows = len(self._lines) + bool(self._notice.title)
        self._rows = max(self._rows, rows, min(2, self._most), 1)
        self.updateGeometry()
        self.update()

    def _box(self) -> QRectF:
        left, right = self._look.px(16), self._look.px(12)
        return QRectF(left, 0, self.width() - left - right, self.height() - 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines anew."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._rows = 0
            self._break_lines()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """A bar of the level's colour, the title, the text."""
        p, look = self._look.palette, self._look
        with QPainter(self) as painter:
            ground, ink, bar = {
                Level.HINT: (p.window, p.text, p.partial),
                Level.CHANGED: (p.now_tint, p.text, p.now),
                Level.FOUND: (p.window, p.text, p.failed),
                Level.ERROR: (p.failed_tint, p.failed, p.failed),
            }[self._notice.level]
            painter.fillRect(self.rect(), QColor(ground))
            painter.fillRect(0, 0, look.px(4), self.height(), QColor(bar))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(p.rule))
            painter.setPen(QColor(ink))
            box, spacing = self._box(), self._spacing()
            title = self._notice.title
            top = max(look.px(4), (box.height() - (len(self._lines) + bool(title)) * spacing) / 2)
            if title:
                painter.setFont(look.font(TYPE, bold=True))
                cut = QFontMetrics(painter.font()).elidedText(
                    title, Qt.TextElideMode.ElideRight, round(box.width())
                )
                painter.drawText(QRectF(box.left(), top, box.width(), spacing), cut)
                top += spacing
            painter.setFont(look.font(TYPE))
            for line in self._lines:
                painter.drawText(QRectF(box.left(), top, box.width() + 2, spacing), line)
                top += spacing


def broken(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Words on at most that many lines; what does not fit is cut with an ellipsis."""
    lines: list[str] = []
    rest = text.split()
    while rest and len(lines) < most - 1:
        count = 1
        while count < len(rest) and metrics.horizontalAdvance(" ".join(rest[: count + 1])) <= width:
            count += 1
        lines.append(" ".join(rest[:count]))
        rest = rest[count:]
    if rest:
        lines.append(metrics.elidedText(" ".join(rest), Qt.TextElideMode.ElideRight, width))
    return lines


class Stage(QWidget):
    """The strip, and one canvas per pane; the canvases write their headings themselves.

    Args:
        session: What is shown.
        look: Colours and scale.
        tools: A widget that stands in the upper right corner of the first canvas.
        finder: One that stands below it, while it is shown.
    """

    activated = Signal(QWidget, int)
    """In that canvas the node of that id was clicked twice."""
    wanted = Signal()
    """The graph is to be seen."""
    menu_wanted = Signal(QPoint, str)
    """A menu is wanted there for a `node`, an `edge` or the `graph`."""

    def __init__(self, session: Session, look: Look, tools: QWidget, finder: QWidget) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._follows = True
        self._moves = True
        self.setObjectName("stage")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._viewport: Viewport | None = None
        self.canvases: list[Canvas] = []
        self.strip = Strip(session, look)
        self._line = QWidget()
        self._line.setAutoFillBackground(True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.strip)
        self._waiting = QLabel()
        self._waiting.setObjectName("muted")
        self._waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._waiting.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._panes = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._panes.addWidget(self._waiting, 1)
        self._panes.addWidget(self._line)
        self._column.addLayout(self._panes, 1)
        self._tools = tools
        self._finder = finder
        tools.setParent(self)
        finder.setParent(self)
        session.recording_changed.connect(self._take)
        session.run_changed.connect(self._take)
        session.view_changed.connect(self._take)
        self.set_look(look)
        self._take()

    def _add_canvas(self) -> None:
        """One more canvas. The first one is made when there is a graph.

        Until then nothing needs numpy, which takes as long to load as an empty window.
        """
        from chainstep.ui.canvas import Canvas, Viewport  # noqa: PLC0415  see above

        if self._viewport is None:
            self._viewport = Viewport(self)
            self._viewport.set_unit(self._look.percent / 100)
            self.set_moves(self._moves)
        canvas = Canvas(self._session, self._viewport, len(self.canvases), self._look.palette)
        canvas.set_follow(self._follows)
        canvas.menu_wanted.connect(self.menu_wanted)
        canvas.activated.connect(lambda node_id: self.activated.emit(canvas, node_id))
        before = self.canvases[-1] if self.canvases else self._waiting
        if self.canvases:
            self._panes.addWidget(canvas, 1)
        else:
            self._panes.insertWidget(0, canvas, 1)
            # Only what is in sight takes the focus, and the layout would show it later.
            canvas.show()
            if self._waiting.hasFocus():
                canvas.setFocus()
            self._waiting.hide()
        self.setTabOrder(before, canvas)
        if not self.canvases:
            last: QWidget = canvas
            for tool in self._tools.findChildren(QWidget):
                if tool.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    self.setTabOrder(last, tool)
                    last = tool
        self.canvases.append(canvas)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self.strip.set_look(look)
        colors = self._line.palette()
        colors.setColor(colors.ColorRole.Window, QColor(look.palette.rule))
        self._line.setPalette(colors)
        if self._viewport is not None:
            self._viewport.set_unit(look.percent / 100)
        for canvas in self.canvases:
            canvas.set_palette(look.palette)
        self._turn_panes()
        self._place_tools()

    def set_moves(self, moves: bool) -> None:
        """Whether contributions travel along their edges, where the desktop lets things move."""
        self._moves = moves
        if self._viewport is not None:
            from chainstep.ui.motion import system_moves  # noqa: PLC0415  comes with the canvas

            self._viewport.motion.enabled = moves and system_moves()

    def set_follows(self, follows: bool) -> None:
        """Whether the canvases keep the active node in sight."""
        self._follows = follows
        for canvas in self.canvases:
            canvas.set_follow(follows)

    def zoom(self, how: str) -> None:
        """Call the method of the canvas that has that name; the panes share what it changes."""
        if self.canvases:
            getattr(self.canvases[0], how)()

    def centre_on(self, node_id: int) -> None:
        """Bring a node into the middle of the canvases."""
        if self.canvases:
            self.canvases[0].centre_on(node_id)

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is on a graph."""
        return any(canvas.hasFocus() for canvas in self.canvases)

    def focus_graph(self) -> None:
        """Give the keyboard to the graph."""
        self.wanted.emit()
        (self.canvases[0] if self.canvases else self._waiting).setFocus()

    def _take(self) -> None:
        """Make the canvases that are wanted and not there yet."""
        panes = self._session.panes
        both = len(panes) > 1
        while len(self.canvases) < len(panes):
            self._add_canvas()
        key = self._session.keys["run"]
        self._waiting.setText("Running …" if self._session.running else f"{key} runs the program.")
        for canvas in self.canvases[1:]:
            canvas.setVisible(both)
        self._line.setVisible(both)
        self._tools.raise_()
        self._finder.raise_()
        self._place_tools()

    def _place_tools(self) -> None:
        unit = self._look.percent / 100
        turned = self._panes.direction() is QBoxLayout.Direction.LeftToRight
        across, down = (2, 1) if turned else (1, 2)
        both = len(self._session.panes) > 1
        wide = self.width() / (across if both else 1)
        high = (self.height() - self._below_strip()) / (down if both else 1)
        # Where they would lie on the cards they give way: all they do has a key.
        has_room = wide >= TOOLED[0] * unit and high >= TOOLED[1] * unit
        self._tools.setVisible(bool(self._session.panes) and has_room)
        size = self._tools.sizeHint()
        margin = self._look.px(8)
        left = self.width() - size.width() - margin
        top = self._below_strip() + margin
        self._tools.setGeometry(left, top, size.width(), size.height())
        wanted = self._finder.sizeHint()
        # Below the tools, as far as there is room; where these give way, in their place.
        below = top if self._tools.isHidden() else top + size.height() + margin
        below = max(0, min(below, self.height() - wanted.height()))
        wide = min(self._finder.maximumWidth(), self.width() - 2 * margin)
        self._finder.setGeometry(self.width() - wide - margin, below, wide, wanted.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The tools stay in their corner."""
        super().resizeEvent(event)
        self._turn_panes()
        self._place_tools()

    def set_height(self, height: float) -> None:
        """Take less room for the notice in a window of little height, in pixels at 100%."""
        self.strip.set_most(MOST_LINES if height >= LOW else 1 if height >= LOWER else 0)
        self._turn_panes()

    def _below_strip(self) -> int:
        return 0 if self.strip.isHidden() else self.strip.sizeHint().height()

    def _turn_panes(self) -> None:
        """Put two panes beside one another where they would be too low for a card each."""
        unit = self._look.percent / 100
        high = (self.height() - self._below_strip()) / 2
        is_turned = high < LOWEST * unit and self.width() > 2 * NARROWEST * unit
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._panes.setDirection(right if is_turned else down)
        self._line.setMinimumSize(1, 1)
        self._line.setMaximumSize(*((1, UNBOUNDED) if is_turned else (UNBOUNDED, 1)))
