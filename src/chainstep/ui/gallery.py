"""All lessons as a grid, each with the picture of its graph: a page, or the lower half of one.

The pictures are drawn from graphs that come with the lessons, one for each turn of the event loop,
so that nothing has to run and nothing waits for them.
"""

from __future__ import annotations

import importlib.resources
import json
import textwrap
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from chainstep.graph import Graph, Node
from chainstep.layout import layered
from chainstep.stepper import Stepper
from chainstep.trace import Mode, Order, Trace
from chainstep.ui.drawing import Drawing
from chainstep.ui.ink import Ink
from chainstep.ui.moment import Losses, Moment
from chainstep.ui.pictures import image
from chainstep.ui.theme import PLAIN, SMALL

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent

    from chainstep.lesson import Lesson
    from chainstep.ui.teaching import Teaching
    from chainstep.ui.theme import Look

PICTURE = (184, 88)
"""Size of a picture at 100%."""
CARD = (200, 146)
"""Least size of a lesson: its picture, and below it two lines of its title."""
LARGEST = 1.75
"""How many times as large a picture may be where the window has the room."""
LINE = 26
"""Letters in a line of the title."""
DRAWN = 2
"""How many times larger a picture is drawn than it is shown: cards keep their proportions."""


def picture(graph: dict[str, Any], look: Look, scale: float) -> QPixmap:
    """A graph as it looks before anything ran.

    Args:
        graph: What `graphs.json` holds of it.
        look: Colours and scale.
        scale: Device pixels to a pixel.
    """
    nodes = tuple(
        Node(number, name, op, data, tuple(children), constant=constant)
        for number, (name, op, data, children, constant) in enumerate(graph["nodes"])
    )
    whole = Graph(nodes, graph["root"])
    untouched = {node.id: 0.0 for node in nodes}
    trace = Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, whole.root, untouched, (), {})
    drawn = Drawing(whole, layered(whole))
    moment = Moment(Stepper(trace, len(nodes)), Losses(trace))
    fine = scale * look.percent / 100
    large = image(drawn, moment, Ink(look.palette), QSize(*PICTURE) * DRAWN, fine)
    size = QSize(*map(look.px, PICTURE)) * (LARGEST * scale)
    smooth = Qt.TransformationMode.SmoothTransformation
    small = large.scaled(size, Qt.AspectRatioMode.KeepAspectRatio, smooth)
    pixmap = QPixmap.fromImage(small)
    pixmap.setDevicePixelRatio(scale)
    return pixmap


class Gallery(QWidget):
    """The grid of lessons; hidden at first.

    When it is asked for it takes the place of program and graph; shown without being asked for it
    leaves them the upper half.

    Args:
        teaching: What opens them.
        look: Colours and scale.
    """

    closed = Signal()
    """It has been closed by hand: the focus is to go elsewhere."""

    whole = Signal(bool)
    """Whether it is a page of its own, in place of program and graph."""

    def __init__(self, teaching: Teaching, look: Look) -> None:
        super().__init__()
        self._teaching = teaching
        self._look = look
        self._is_whole = False
        self._on: Lesson | None = None
        self._graphs: dict[str, dict[str, Any]] = {}
        self._undrawn: list[Lesson] = list(teaching.lessons)
        self.setObjectName("gallery")
        self.setAccessibleName("Lessons")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.heading = QLabel("LESSONS")
        self.heading.setObjectName("heading")
        self.words = QLabel()
        self.words.setObjectName("muted")
        self.close_button = QPushButton("Close")
        self.close_button.setAccessibleName("Close the lessons")
        self.close_button.clicked.connect(self._close)
        self.list = QListWidget()
        self.list.setAccessibleName("Lessons")
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        for number, lesson in enumerate(teaching.lessons, 1):
            item = QListWidgetItem(str(number), self.list)
            item.setToolTip(f"{lesson.title}: {lesson.minutes} minutes")
        self.list.itemActivated.connect(lambda _: self._open())
        self.list.itemClicked.connect(lambda _: self._open())
        top = QHBoxLayout()
        top.setSpacing(12)
        top.addWidget(self.heading)
        top.addWidget(self.words, 1)
        top.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 4, 12, 4)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self.list)
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._draw_next)
        teaching.changed.connect(self._mark)
        self.set_look(look)
        self._mark()
        self.hide()

    def name_key(self, key: str) -> None:
        """Say which key shows all lessons."""
        self.words.setText(
            f"One idea each, two to five minutes. Enter opens one, {key} shows all, Esc closes."
        )

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale; the pictures are drawn anew."""
        self._look = look
        p, px = look.palette, look.px
        self.setStyleSheet(
            f"#gallery {{ background: {p.window}; border-top: 1px solid {p.rule}; }}"
            f"#gallery #muted {{ font-size: {px(SMALL)}px; }}"
            f"#gallery QListWidget {{ border: none; outline: none; background: {p.window};"
            f" font-size: {px(PLAIN)}px; }}"
            f"#gallery QListWidget::item {{ padding: {px(2)}px; border-radius: 4px;"
            f" border: 1px solid transparent; color: {p.text}; }}"
            f"#gallery QListWidget::item:selected {{ background: {p.target_tint};"
            f" border-color: {p.target}; color: {p.text}; }}"
        )
        self.list.setMinimumHeight(px(CARD[1]))
        self._spread()
        self._blank()
        self._undrawn = list(self._teaching.lessons)
        if self.isVisible():
            self._timer.start()

    def _spread(self) -> None:
        """Make the lessons as large as they can be with all of them in sight, if they can."""
        px, many = self._look.px, self.list.count()
        beside, below = (px(card - side) for card, side in zip(CARD, PICTURE, strict=True))
        room = max(px(CARD[0]), self.list.width() - px(14))  # a scroll bar kept free
        most = room // px(CARD[0])
        for columns in range(1, most + 1):
            wide = min(room // columns - beside, px(PICTURE[0] * LARGEST))
            high = wide * PICTURE[1] // PICTURE[0]
            if -(-many // columns) * (high + below) <= self.list.height():
                break
        self.list.setIconSize(QSize(wide, high))
        self.list.setGridSize(QSize(room // columns, high + below))

    def _blank(self) -> None:
        """Keep the place of each picture until it is drawn."""
        empty = QPixmap(QSize(*map(self._look.px, PICTURE)) * LARGEST)
        empty.fill(self._look.palette.canvas)
        for number in range(self.list.count()):
            self.list.item(number).setIcon(QIcon(empty))

    def toggle(self) -> None:
        """Show all lessons as a page and give them the keyboard, or put the page away."""
        if self._is_whole:
            self._close()
            return
        self._is_whole = True
        self.whole.emit(True)
        self.show()
        self.list.setCurrentRow(max(0, self.list.currentRow()))
        self.list.setFocus()

    def close_page(self) -> None:
        """Something else is to be seen: the page makes room."""
        if self._is_whole:
            self._close()

    def _close(self) -> None:
        self.hide()
        self._is_whole = False
        self.whole.emit(False)
        self.closed.emit()

    def _open(self) -> None:
        lesson = self._teaching.lessons[self.list.currentRow()]
        self._close()
        self._teaching.open(lesson)

    def _mark(self) -> None:
        """Say of each whether its answer has been seen; make room for one that opens."""
        if self._teaching.current is not self._on:
            self._on = self._teaching.current
            if self._on is not None and self.isVisible():
                self._close()
        for number, lesson in enumerate(self._teaching.lessons):
            seen = "✓ " if lesson.name in self._teaching.done else ""
            item = self.list.item(number)
            title = f"{seen}{number + 1}  {lesson.title}"
            item.setText("\n".join(textwrap.wrap(title, LINE)))
            words = f"{lesson.title}, {lesson.minutes} minutes{', seen' if seen else ''}"
            item.setData(Qt.ItemDataRole.AccessibleTextRole, words)

    def _draw_next(self) -> None:
        """Draw one picture; the rest have their turns."""
        if not self._undrawn:
            self._timer.stop()
            return
        if not self._graphs:
            folder = importlib.resources.files("chainstep.resources") / "lessons"
            self._graphs = json.loads((folder / "graphs.json").read_text("utf-8"))
        lesson = self._undrawn.pop(0)
        drawn = picture(self._graphs[lesson.name], self._look, self.devicePixelRatioF())
        icon = QIcon(drawn)
        icon.addPixmap(drawn, QIcon.Mode.Selected)  # else Qt tints it
        self.list.item(self._teaching.lessons.index(lesson)).setIcon(icon)

    # -- Qt -----------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More columns, or fewer."""
        super().resizeEvent(event)
        self._spread()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what is not drawn yet."""
        super().showEvent(event)
        self._timer.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes."""
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        else:
            super().keyPressEvent(event)
