"""The row of buttons below the menus.

Where it is too long it gives up keys, then words that signs stand for; then what can be spared
moves into a menu at its end. Nothing is cut off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QWidget

from chainstep.figures import short
from chainstep.training import iteration_of
from chainstep.ui.buttons import Button, Segments
from chainstep.ui.command import button_key
from chainstep.ui.session import View

if TYPE_CHECKING:
    from chainstep.trace import Recording
    from chainstep.ui.actions import Actions
    from chainstep.ui.player import Player
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

FACES = {
    "run": "Run",
    "stop": "Stop",
    "restart": "",
    "back_over": "Back",
    "step_over": "Step",
    "step_into": "Into",
    "step_out": "Out",
    "end": "",
    "play": "Play",
}
"""Words on the buttons. Where there is one its shortest key is shown too, also one of the graph."""

SEGMENTS = {
    View.ACCUMULATE: "+=",
    View.OVERWRITE: "=",
    View.BOTH: "both",
    View.AS_WRITTEN: "as written",
}
SIGNED = ("restart", "end", "run", "stop", "back_over", "step_over", "play")
MINOR = ("back_over", "step_out", "play", "stop")
"""Buttons whose keys go first where room is short."""
WORDLESS = ("back_over", "play")
"""Buttons whose sign alone is told from all others."""
FOLDS = ("order", "speed", "end", "restart", "play", "views", "step_out", "back_over")
"""What moves into the menu at the end, in this order. Run and the two steps always stay."""
MORE = "The tools for which this row has no room."
MARGIN, SPACING, WIDE = 12, 6, 14


class Toolbar(QWidget):
    """Run, steps, play, modes and order.

    Args:
        session: What the buttons act on.
        player: What plays it.
        actions: Where the buttons get what they do.
        look: Colours and scale.
    """

    def __init__(self, session: Session, player: Player, actions: Actions, look: Look) -> None:
        super().__init__()
        self._session = session
        self._player = player
        self._actions = actions
        self._look = look
        self.setAccessibleName("Tools")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.buttons: dict[str, Button] = {}
        for id_, text in FACES.items():
            icon = id_ if id_ in SIGNED else ""
            button = Button(actions[id_], look, text, key=self._key(id_), icon=icon)
            self.buttons[id_] = button
        self.buttons["step_over"].accent = True
        self.segments = Segments(
            [Button(actions[f"view_{view.value}"], look, text) for view, text in SEGMENTS.items()],
            "What the panes show",
        )
        self._speed = self._menu_button("Speed", "speed_1")
        self._order = self._menu_button("Order", "order_depth-first")
        self.more = Button(actions["run"], look, "More", menu=QMenu("More", self))
        self.more.setAccessibleName("More tools")
        self.more.setAccessibleDescription(MORE)
        self.more.setStatusTip(MORE)
        self.more.setToolTip(MORE)
        self.more.hide()
        self._folded: tuple[str, ...] = ()
        self._state: tuple[object, ...] = ()
        self._arrange()
        session.run_changed.connect(self._take)
        session.recording_changed.connect(self._take)
        session.view_changed.connect(self._take)
        player.changed.connect(self._take)
        actions.keys_changed.connect(self._take_keys)
        self._take()

    def _key(self, command_id: str) -> str:
        """The key that stands on a button; none where no word does."""
        return button_key(self._actions.commands[command_id]) if FACES[command_id] else ""

    def _take_keys(self) -> None:
        for id_, button in self.buttons.items():
            button.set_face(button.text(), self._key(id_), button.icon_name)
        self._fit()

    def _menu_button(self, menu: str, example: str) -> Button:
        """A button that opens the submenu of that name."""
        popup = QMenu(menu, self)
        above = {"Speed": "Step", "Order": "Run"}[menu]
        for command in self._actions.in_menu(f"{above}/{menu}"):
            popup.addAction(self._actions[command.id])
        return Button(self._actions[example], self._look, menu, menu=popup)

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 8, MARGIN, 9)
        row.setSpacing(SPACING)
        for number, group in enumerate(self._groups()):
            if number:
                row.addSpacing(WIDE)
            for widget in group:
                row.addWidget(widget)
        row.addStretch(1)

    def _groups(self) -> tuple[tuple[QWidget, ...], ...]:
        """What stands close together, from left to right."""
        at = self.buttons
        steps = ("restart", "back_over", "step_over", "step_into", "step_out", "end")
        return (
            (at["run"], at["stop"]),
            tuple(at[id_] for id_ in steps),
            (at["play"], self._speed),
            (self.segments, self._order, self.more),
        )

    def _part(self, name: str) -> QWidget:
        """What one of the names in `FOLDS` stands for."""
        others = {"order": self._order, "speed": self._speed, "views": self.segments}
        return others.get(name) or self.buttons[name]

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        for button in self.findChildren(Button):
            button.set_look(look)
        self._fit()
        self.update()

    def _take(self) -> None:
        session = self._session
        shown = [view in session.views or view is not View.AS_WRITTEN for view in SEGMENTS]
        player = (self._player.playing, self._player.per_second)
        state = (session.running, shown, player, session.order, self._key("play"))
        if state == self._state:
            return  # in most cases only the position is another, or what is hidden
        self._state = state
        self.buttons["run"].setVisible(not session.running)
        self.buttons["stop"].setVisible(session.running)
        self.segments.show_only(shown)
        playing = self._player.playing
        self.buttons["play"].set_face(
            "Pause" if playing else "Play", self._key("play"), "pause" if playing else "play"
        )
        self._fit()

    def _fit(self) -> None:
        """Show as many keys, words and buttons as there is room for."""
        self._speed.setText(f"{self._player.per_second:g}×")
        folded: tuple[str, ...] = ()
        for level in range(5 + len(FOLDS)):
            self._give_way(level)
            folded = FOLDS[: max(0, level - 4)]
            if self._length(folded) <= self.width():
                break
        for id_ in ("run", "stop"):
            self.buttons[id_].setFixedWidth(self._run_width())
        if folded != self._folded:
            self._fold(folded)
        self._speed.setAccessibleName(f"Speed: {self._speed.text()}")
        self._order.setAccessibleName(f"Order: {self._session.order.value}")
        for widget in (self._speed, self._order, self.segments):
            widget.updateGeometry()
            widget.update()

    def _give_way(self, level: int) -> None:
        """Leave out keys and words: none at level 0, all that can be missed from 4 on."""
        for id_, button in self.buttons.items():
            button.set_shows_key(level == 0 or (level < 3 and id_ not in MINOR))
            button.set_shows_text(level < 4 or id_ not in WORDLESS)
        words = self._session.order.value
        self._order.setText(f"Order: {words}" if level < 2 else words)

    def _run_width(self) -> int:
        """Stop takes the place of Run: both are as wide as the wider one."""
        return max(self.buttons[id_].sizeHint().width() for id_ in ("run", "stop"))

    def _length(self, folded: tuple[str, ...]) -> int:
        """How wide the row is with these of `FOLDS` in the menu."""
        parts = [widget for group in self._groups()[1:] for widget in group]
        parts = [each for each in parts if each is not self.more or folded]
        away = [self._part(name) for name in folded]
        widths = [each.sizeHint().width() for each in parts if each not in away]
        gaps = SPACING * len(widths) + WIDE * (len(self._groups()) - 1)
        return 2 * MARGIN + self._run_width() + sum(widths) + gaps

    def _fold(self, folded: tuple[str, ...]) -> None:
        """Move these into the menu at the end, and all others back into the row."""
        self._folded = folded
        menu = self.more.menu
        assert menu is not None
        menu.clear()
        for name in FOLDS:
            part = self._part(name)
            part.setVisible(name not in folded)
            if name not in folded:
                continue
            if isinstance(part, Segments):
                menu.addSeparator()
                menu.addActions([self._actions[f"view_{view.value}"] for view in SEGMENTS])
                menu.addSeparator()
            elif isinstance(part, Button) and part.menu is not None:
                menu.addMenu(part.menu)
            else:
                menu.addAction(self._actions[name])
        self.more.setVisible(bool(folded))

    def sizeHint(self) -> QSize:
        """As high as its buttons; as wide as the window is."""
        layout = self.layout()
        assert layout is not None
        return QSize(400, layout.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit anew."""
        super().resizeEvent(event)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002  all of it is painted
        """The ground, and a line below."""
        with QPainter(self) as painter:
            p = self._look.palette
            painter.fillRect(self.rect(), QColor(p.window))
            painter.fillRect(0, self.height() - 1, self.width(), 1, QColor(p.rule))


class CanvasTools(QWidget):
    """Zoom and fit, beside the header of the graph."""

    def __init__(self, actions: Actions, look: Look) -> None:
        super().__init__()
        self.setAccessibleName("Zoom")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for id_ in ("zoom_out", "zoom_in", "fit"):
            button = Button(actions[id_], look, icon=id_)
            button.small = True
            row.addWidget(button)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        for button in self.findChildren(Button):
            button.set_look(look)


class PassChooser(QWidget):
    """Which backward pass is on show; hidden where there is only one."""

    def __init__(self, session: Session, actions: Actions, look: Look) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self.setAccessibleName("Backward pass")
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(False)
        self.setSizePolicy(policy)
        before = Button(actions["previous_pass"], look, icon="previous_pass")
        after = Button(actions["next_pass"], look, icon="next_pass")
        self._label = Button(actions["next_pass"], look, "pass 1 of 1", menu=QMenu(self))
        self._label.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (before, self._label, after):
            button.small = True
            row.addWidget(button)
        menu = self._label.menu
        assert menu is not None
        menu.aboutToShow.connect(self._fill)
        session.recording_changed.connect(self._take)
        self._take()

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        for button in self.findChildren(Button):
            button.set_look(look)

    def _fill(self) -> None:
        menu = self._label.menu
        assert menu is not None
        menu.clear()
        recording = self._session.recording
        for index in range(recording.passes if recording else 0):
            action = menu.addAction(f"Pass {index + 1}{_of_iteration(recording, index)}")
            action.setCheckable(True)
            action.setChecked(index == self._session.pass_index)
            action.triggered.connect(lambda _=False, index=index: self._session.set_pass(index))

    def _take(self) -> None:
        recording = self._session.recording
        passes = recording.passes if recording else 0
        self.setVisible(passes > 1)
        text = f"pass {self._session.pass_index + 1} of {passes}"
        self._label.set_face(text, "", "")
        self._label.setAccessibleName(f"{text}{_of_iteration(recording, self._session.pass_index)}")


def _of_iteration(recording: Recording | None, pass_index: int) -> str:
    """Which iteration of a training loop a pass belongs to, and the loss there."""
    if recording is None:
        return ""
    found = iteration_of(recording, pass_index)
    if found is None:
        return ""
    return f"  ·  iteration {found.number + 1}, loss {short(found.loss)}"
