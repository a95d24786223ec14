"""What is projected in a lecture: the graph, one large sentence, and nothing that is not asked for.

Its keys are those of a clicker and of programs for slides. Other keys of the graph work too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QObject, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from chainstep.ui.answer_strip import AnswerStrip
from chainstep.ui.caption import Caption, height_for
from chainstep.ui.code_panel import CodePanel
from chainstep.ui.course import Place
from chainstep.ui.lecture_canvas import LectureCanvas
from chainstep.ui.section import UNBOUNDED
from chainstep.ui.sign import Sign
from chainstep.ui.spoken import announce
from chainstep.ui.spotlight import Curtain, Spotlight
from chainstep.ui.telling import kind_of
from chainstep.ui.theme import qt_palette, style_sheet
from chainstep.ui.values_panel import ValuesPanel
from chainstep.ui.viewport import Viewport

if TYPE_CHECKING:
    from chainstep.ui.lecture_script import LectureScript
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

    Panel = ValuesPanel | CodePanel

Key = Qt.Key
ONWARD = (Key.Key_PageDown, Key.Key_Space, Key.Key_Return, Key.Key_Enter)
BACK = (Key.Key_PageUp, Key.Key_Backspace)
"""Keys of a clicker: through a lesson, and step by step."""
TYPING = {
    Key.Key_Return: "enter",
    Key.Key_Enter: "enter",
    Key.Key_Escape: "drop",
    Key.Key_Backspace: "rub",
}
"""Keys of an answer that is being typed, and what of the strip each calls."""
WRITING = Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
"""Modifiers of keys that write something."""
OWN_KEYS = frozenset(
    {"PgDown", "PgUp", "Space", "Return", "Enter", "Backspace", "Up", "Down", *"0123456789"}
)
"""Keys that mean something else here than on the graph of the desk."""
SAID_MS = 4000
"""How long something said stays."""
PLATE = 14
"""Size of its type at 100%."""
SIDE = 0.36
"""Share of the width that a panel takes that was asked for."""
MOST_DIGITS = 6
NO_STEPS = "There are no steps to go to."
MEANT = 1080
"""Height of a screen, in pixels, up to which a size is meant in pixels of its own."""
LINE = 2
"""Pixels, at 100%, of the line between two panes."""
OVERLAID = (QEvent.Type.ToolTip, QEvent.Type.ContextMenu)
"""Events that would put something over what is projected."""


class LectureView(QWidget):
    """What is projected.

    Args:
        session: What is shown.
        look: Colours and scale.
        script: The lesson that is given; None where there can be none.
    """

    left = Signal()
    """The lecture is over."""

    def __init__(self, session: Session, look: Look, script: LectureScript | None = None) -> None:
        super().__init__()
        self._session = session
        self._script = script
        self._look = self._wished = look
        self.follows = True
        self.typed = ""
        """The digits of the step to go to."""
        self.setObjectName("lecture")
        self.setAccessibleName("Lecture")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.viewport_ = Viewport(self, heading=0, margin=12)
        self.canvases: list[LectureCanvas] = []
        self.signs: list[Sign] = []
        self._line = QWidget(self)
        self._line.hide()
        self._line.setObjectName("between")
        self._line.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.panels: dict[str, Panel] = {}
        self._panes = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._rows: list[QBoxLayout] = []
        self._side, self._middle = QVBoxLayout(), QHBoxLayout()
        self.caption = Caption(session, look, script)
        self.caption.took.connect(self._tell)
        self.answers = AnswerStrip(session, look)
        self.answers.left.connect(self.setFocus)
        self.answers.field.installEventFilter(self)
        self._lay_out()
        self.plate = QLabel(self)
        self.plate.hide()
        self._saying = QTimer(self)
        self._saying.setSingleShot(True)
        self._saying.timeout.connect(self.plate.hide)
        self.spotlight = Spotlight(self, look)
        self.curtain = Curtain(self)
        for signal in (session.recording_changed, session.view_changed):
            signal.connect(self._take)
        self.answers.came.connect(self._arrange)
        session.position_changed.connect(self._stepped)
        self.set_look(look)
        self._take()
        # Whoever comes here with the keyboard is told so.
        self.setAccessibleDescription(self.caption.aloud)

    def _tell(self) -> None:
        """Let those who hear the window have the sentence; the keyboard is here, mostly."""
        self.setAccessibleDescription(self.caption.aloud)
        announce(self, self.caption.aloud)

    def _lay_out(self) -> None:
        for layout in (self._panes, self._side, self._middle):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        self._middle.addLayout(self._panes, 1)
        self._middle.addLayout(self._side)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        # A widget, not the bare layout: it keeps its room also while there is no graph.
        above = QWidget()
        above.setLayout(self._middle)
        column.addWidget(above, 1)
        column.addWidget(self.caption)
        column.addWidget(self.answers)

    # -- looks --------------------------------------------------------------------------

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._wished = look
        look = self._look = self._grown(look)
        p = look.palette
        self.setPalette(qt_palette(p))
        self.setFont(look.font())
        self.setStyleSheet(
            style_sheet(look) + f"#lecture {{ background: {p.canvas}; }}"
            f"#between {{ background: {p.edge}; }}"
        )
        self.plate.setStyleSheet(
            f"background: {p.strong}; color: {p.on_strong}; font-size: {look.px(PLATE)}px;"
            f" border-radius: {look.px(6)}px; padding: {look.px(5)}px {look.px(10)}px;"
        )
        self.caption.set_look(look)
        self.answers.set_look(look)
        self.spotlight.set_look(look)
        for panel in self.panels.values():
            panel.set_look(look)
        self._take_signs()
        self.viewport_.set_unit(look.percent / 100)
        for canvas in self.canvases:
            canvas.set_palette(look.palette)
        self._arrange()

    def _grown(self, look: Look) -> Look:
        """The same picture on a screen with more pixels: they are no larger in the last row."""
        return replace(look, percent=round(look.percent * max(1.0, self.height() / MEANT)))

    def _take(self) -> None:
        """Make the panes that are wanted and not there yet."""
        panes = self._session.panes
        while len(self.canvases) < len(panes):
            self._add_pane()
        rows = zip(self.canvases, self.signs, self._rows, strict=True)
        for number, (canvas, sign, row) in enumerate(rows):
            shown = number < max(len(panes), 1)
            canvas.setVisible(shown)
            sign.setVisible(shown)
            # A row of nothing but hidden widgets would keep its share.
            self._panes.setStretchFactor(row, int(shown))
        self._line.setVisible(len(panes) > 1)
        self._take_signs()
        self._arrange()

    def _take_signs(self) -> None:
        for sign, pane in zip(self.signs, self._session.panes, strict=False):
            sign.show_heading(self._session.heading(pane.mode), self._look)

    def _add_pane(self) -> None:
        session, number = self._session, len(self.canvases)
        canvas = LectureCanvas(session, self.viewport_, number, self._look.palette)
        canvas.set_follow(self.follows)
        canvas.moved.connect(self._light)
        self.spotlight.watch(canvas.viewport())
        sign = Sign(self._look)
        if number == 1:
            self._panes.addWidget(self._line)
        row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        row.setSpacing(0)
        self._rows.append(row)
        row.addWidget(sign)
        row.addWidget(canvas, 1)
        self._panes.addLayout(row, 1)
        self.canvases.append(canvas)
        self.signs.append(sign)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What lies over everything grows along."""
        super().resizeEvent(event)
        if self._grown(self._wished) != self._look:
            self.set_look(self._wished)
        self._arrange()

    def _arrange(self) -> None:
        self.curtain.setGeometry(self.rect())
        asked = 0 if self.answers.isHidden() else self.answers.height()
        self.caption.setFixedHeight(height_for(self._look, self.height(), asked))
        below = self.caption.height() + asked
        # The sentence stays in the light.
        self.spotlight.setGeometry(0, 0, self.width(), max(self.height() - below, 0))
        for panel in self.panels.values():
            panel.setFixedWidth(round(self.width() * SIDE))
        self._turn_panes()
        self._place_plate()

    def _turn_panes(self) -> None:
        """Put two panes one above the other where both show all of the graph, else side by side.

        Where the graph is too large for either, a pane that is as high as it is wide has both ends
        of an edge in sight.
        """
        wide, high = self.width(), self.spotlight.height()
        if any(not panel.isHidden() for panel in self.panels.values()):
            wide -= round(wide * SIDE)
        if self.canvases:
            wide -= self.signs[0].sizeHint().width()
        line = self._look.px(LINE)
        stacked = all(c.shows_whole_in(wide, (high - line) // 2) for c in self.canvases[:1])
        down, right = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        is_turned = len(self._session.panes) > 1 and not stacked
        self._panes.setDirection(right if is_turned else down)
        for row, sign in zip(self._rows, self.signs, strict=True):
            row.setDirection(down if is_turned else right)
            sign.set_above(is_turned)
        self._line.setMinimumSize(line, line)
        self._line.setMaximumSize(*((line, UNBOUNDED) if is_turned else (UNBOUNDED, line)))

    # -- what is asked for --------------------------------------------------------------

    def set_follows(self, follows: bool) -> None:
        """Whether the panes move along with the step."""
        self.follows = follows
        for canvas in self.canvases:
            canvas.set_follow(follows)

    @property
    def is_close(self) -> bool:
        """Whether the edge of the step is zoomed to."""
        return bool(self.canvases) and self.canvases[0].is_close

    def set_close(self, is_close: bool) -> None:
        """Zoom to the edge of the step, or show as much as can be read."""
        for canvas in self.canvases:
            canvas.set_close(is_close)

    def toggle_spotlight(self) -> None:
        """Light what runs, and then where the pointer goes; or switch the light off."""
        self.spotlight.setVisible(self.spotlight.isHidden())
        self.spotlight.raise_()
        self.spotlight.is_led = False
        self._light()

    def toggle_curtain(self) -> None:
        """Make the screen black, or bring it back."""
        self.curtain.setVisible(self.curtain.isHidden())
        self.curtain.raise_()

    def shows(self, name: str) -> bool:
        """Whether a panel was asked for: values or code."""
        return name in self.panels and not self.panels[name].isHidden()

    def toggle_panel(self, name: str) -> None:
        """Show the values or the code beside the graph, or take them away."""
        if name in self.panels:
            self.panels[name].setVisible(self.panels[name].isHidden())
            self._arrange()
            return
        panel: Panel
        if name == "values":
            panel = ValuesPanel(self._session, self._look, scrolls=False)
        else:
            panel = CodePanel(self._session, self._look)
        panel.setParent(self)
        self.panels[name] = panel
        self._side.addWidget(panel, 1)
        panel.set_look(self._look)
        # The keys stay with the steps, whatever was clicked.
        for widget in (panel, *panel.findChildren(QWidget)):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            widget.installEventFilter(self)
        panel.show()
        self._arrange()

    def say(self, text: str) -> None:
        """Say something in a line that goes away by itself."""
        self._show_plate(text)
        self._saying.start(SAID_MS)

    # -- what happens -------------------------------------------------------------------

    def _stepped(self) -> None:
        self.curtain.hide()
        self.spotlight.is_led = False
        self._light()

    def _light(self) -> None:
        """Let the light fall on the node of the step, until the pointer leads it elsewhere."""
        if self.spotlight.isHidden() or self.spotlight.is_led or not self.canvases:
            return
        canvas, now = self.canvases[0], self._session.now
        place = None if now is None else canvas.card_rectangle(now)
        if place is not None:
            middle = canvas.viewport().mapTo(self, place.center())
            self.spotlight.move_to(QPointF(middle))

    def _show_plate(self, text: str) -> None:
        self.plate.setText(text)
        self.plate.setAccessibleName(text)
        self._place_plate()
        self.plate.show()
        self.plate.raise_()

    def _place_plate(self) -> None:
        self.plate.adjustSize()
        margin = self._look.px(10)
        self.plate.move(QPoint(self.width() - self.plate.width() - margin, margin))

    # -- keys ---------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """No hint and no menu appears over what is projected."""
        return event.type() in OVERLAID or super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """A key that answers what is asked is that, whatever else it is on the graph."""
        asks = event.type() is QEvent.Type.ShortcutOverride
        if asks and isinstance(event, QKeyEvent) and self._answers(event.modifiers(), event.text()):
            event.accept()
            return True
        return super().event(event)

    def _answers(self, modifiers: Qt.KeyboardModifier, text: str) -> bool:
        plain = not modifiers & ~WRITING
        return plain and self.curtain.isHidden() and self.answers.takes(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Those of a clicker, numbers, answers, and Escape; every other key is the window's."""
        if not self.takes(event.keyCombination(), event.text()):
            event.ignore()

    def takes(self, keys: QKeyCombination, text: str) -> bool:
        """Do what a key with its modifiers means; gives whether it means anything here."""
        modifiers = keys.keyboardModifiers()
        plain = not modifiers & ~Qt.KeyboardModifier.KeypadModifier
        return (plain or self._answers(modifiers, text)) and self.press(Key(keys.key()), text)

    def press(self, key: Qt.Key, text: str) -> bool:
        """Do what a key means; gives whether it means anything here.

        Args:
            key: Which key.
            text: What it would write.
        """
        if self.curtain.isVisible():
            self.curtain.hide()
        elif self.answers.takes(text):
            self.answers.write(text)
        elif self.answers.types and key in TYPING:
            getattr(self.answers, TYPING[key])()
        elif text.isdecimal() and text.isascii():
            self._type(self.typed + text)
        elif key == Key.Key_Escape:
            self._escape()
        elif self.typed and key == Key.Key_Backspace:
            self._type(self.typed[:-1])
        elif self.typed and key in (Key.Key_Return, Key.Key_Enter):
            self._enter()
        else:
            return self._lead(key)
        return True

    def _lead(self, key: Qt.Key) -> bool:
        """Go on, or back; gives whether that is what a key means."""
        session, script = self._session, self._script
        if key in ONWARD:
            (session.step_into if script is None else script.forward)()
        elif key in BACK:
            (session.back_into if script is None else script.back)()
        elif key == Key.Key_Down:
            session.step_over()
        elif key == Key.Key_Up:
            session.back_over()
        else:
            return False
        return True

    def _type(self, digits: str) -> None:
        self.typed = digits[:MOST_DIGITS]
        self._saying.stop()
        if not self.typed:
            self.plate.hide()
            return
        kind, size = self._kind()
        there = int(self.typed) <= size
        ends = f"{self.typed} of {size}: Enter goes there" if there else f"{size} is the last"
        self._show_plate(f"{kind} {ends}" if size else NO_STEPS)

    def _kind(self) -> tuple[str, int]:
        """(what the places of the phase on show are called, how many there are)."""
        course, phase = self._session.course, self._session.phase
        return kind_of(phase), course.size(phase) if course is not None else 0

    def _enter(self) -> None:
        """Go to the step that was typed."""
        number = int(self.typed)
        self.typed = ""
        kind, size = self._kind()
        if not size:
            self.say(NO_STEPS)
        elif number > size:
            self.say(f"There are only {size} here: {kind.lower()} {size} is the last.")
        else:
            self.plate.hide()
            self._session.go(Place(self._session.phase, number))

    def _escape(self) -> None:
        if self.typed:
            self._type("")
        else:
            self.left.emit()
