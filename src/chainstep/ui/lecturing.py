"""Going into lecture mode and out of it, with everything left as it was."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog

from chainstep.settings import LECTURE_SCALE, Theme, stepped
from chainstep.ui.lecture_script import LectureScript
from chainstep.ui.notices import failure
from chainstep.ui.palette import palette
from chainstep.ui.screens import Screens
from chainstep.ui.theme import Look

if TYPE_CHECKING:
    from PySide6.QtCore import QKeyCombination
    from PySide6.QtWidgets import QStackedWidget, QWidget

    from chainstep.lesson import Lesson
    from chainstep.program import Program
    from chainstep.settings import Settings
    from chainstep.ui.actions import Actions
    from chainstep.ui.bar import Bar
    from chainstep.ui.command import Command
    from chainstep.ui.lecture import LectureView
    from chainstep.ui.lecturer import LecturerWindow
    from chainstep.ui.main_window import MainWindow
    from chainstep.ui.player import Player
    from chainstep.ui.session import Session, View
    from chainstep.ui.teaching import Teaching

COLOURS = (Theme.LIGHT, Theme.DARK, Theme.CONTRAST)
"""What the key for colours goes through."""
ALLOWED_MENUS = (
    *("Step", "Step/Skip when stepping", "Step/Speed", "Step/Predict before reveal"),
    *("View/Theme", "View/Lecture"),
)
ALLOWED = frozenset(
    {
        *("fit", "fit_selection", "zoom_in", "zoom_out", "zoom_actual", "follow"),
        *("larger", "smaller", "normal", "lecture", "run", "stop", "quit"),
        *("view_accumulate", "view_overwrite", "view_both", "view_as-written"),
        *("order_depth-first", "order_breadth-first", "order_recursive"),
        *("show_answer", "leave_lesson"),
    }
)
"""Commands outside those menus that put nothing over what is projected."""
OTHER_LESSONS = frozenset({"next_lesson", "previous_lesson"})
REFUSAL = "This needs the desk: leave the lecture with Esc first."
WAITS = "A message waits. Esc leaves the lecture and shows it."
SETTLING_S = 2.0
"""Seconds in which a desktop may still answer to a lecture that is over: until then the window may
say that it fills the screen, although it is not to any more."""
STILL = "The desktop is set to show less motion, so nothing moves here either."


@dataclass(frozen=True, slots=True)
class Before:
    """What is to be as before when a lecture is over."""

    state: Qt.WindowState
    geometry: QRect
    view: View
    focus: QWidget | None
    program: Program
    lesson: Lesson | None
    dialogs: tuple[QDialog, ...]


class Lecturing(QObject):
    """Lecture mode of a window.

    Args:
        window: What becomes full screen.
        session: What is shown.
        settings: Colours and size that were chosen for lectures.
        player: What plays.
    """

    def __init__(
        self, window: MainWindow, session: Session, settings: Settings, player: Player
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._player = player
        self._pages: QStackedWidget | None = None
        self._actions: Actions | None = None
        self._teaching: Teaching | None = None
        self._script: LectureScript | None = None
        self.view: LectureView | None = None
        """What is projected; None outside of a lecture."""
        self.notes: LecturerWindow | None = None
        """What the lecturer sees."""
        self._screens = Screens(window, settings)
        self._screens.changed.connect(self._rearrange)
        self._is_behind = False
        """Whether the lecturer's window lies behind what is projected."""
        self._began = 0.0
        self._ended = -SETTLING_S
        self._stood = (Qt.WindowState.WindowNoState, QRect())
        """How the window was to stand after the lecture before."""
        self._before: Before | None = None

    def furnish(
        self, pages: QStackedWidget, actions: Actions, teaching: Teaching, bars: tuple[Bar, ...]
    ) -> None:
        """Take what it works with, once that is made.

        Args:
            pages: The first page is the desk.
            actions: The commands.
            teaching: The lesson that is on, whose notes the lecturer sees.
            bars: Where messages are shown on the desk.
        """
        self._pages, self._actions, self._teaching = pages, actions, teaching
        self._script = LectureScript(self._session, teaching)
        actions.gate = self.refusal
        actions.keys_changed.connect(self._name_keys)
        actions.refresh()
        for bar in bars:
            bar.told.connect(self._message_waits)
        self._session.recording_changed.connect(self._say_failure)

    # -- in and out ---------------------------------------------------------------------

    @property
    def is_on(self) -> bool:
        """Whether a lecture is on."""
        return self.view is not None

    def toggle(self) -> None:
        """Begin a lecture, or end it."""
        if self.is_on:
            self.leave()
        else:
            self.enter()

    def enter(self) -> None:
        """Begin: the whole screen for the graph and one sentence."""
        window, pages, actions = self._window, self._pages, self._actions
        if pages is None or actions is None or self.is_on:
            return
        # Canvases bring numpy, which no window needs to be painted.
        from chainstep.ui.lecture import OWN_KEYS, LectureView  # noqa: PLC0415
        from chainstep.ui.motion import system_moves  # noqa: PLC0415

        self._player.pause()
        session = self._session
        lesson = self._teaching.current if self._teaching is not None else None
        stood = window.windowState(), window.normalGeometry()
        if time.monotonic() - self._ended < SETTLING_S:
            stood = self._stood
        self._before = Before(
            *(*stood, session.view, window.focusWidget(), session.program, lesson),
            # Pages that were left open would stand over what is projected.
            tuple(each for each in window.findChildren(QDialog) if each.isVisible()),
        )
        for dialog in self._before.dialogs:
            dialog.hide()
        self._began = time.monotonic()
        self._screens.begin()
        if self._script is not None:
            self._script.begin()
        view = self.view = LectureView(self._session, self.look, self._script)
        view.set_follows(self._settings.follows)
        view.viewport_.motion.enabled = self._settings.moves and system_moves()
        view.left.connect(self.leave)
        pages.addWidget(view)
        pages.setCurrentWidget(view)
        window.menuBar().hide()
        window.setAcceptDrops(False)
        actions.give_keys(view, OWN_KEYS)
        view.setFocus()
        actions.refresh()
        self._arrange()

    def leave(self) -> None:
        """End: everything is as it was, but for the step."""
        window, pages, actions, view = self._window, self._pages, self._actions, self.view
        if pages is None or actions is None or view is None or self._before is None:
            return
        before = self._before
        self._player.pause()
        if self.notes is not None:
            self.notes.close()
        self.view = self._before = None
        actions.take_keys_from(view)
        pages.setCurrentIndex(0)
        pages.removeWidget(view)
        view.hide()
        view.deleteLater()
        window.menuBar().show()
        window.setAcceptDrops(True)
        self._screens.restore(before.geometry, before.state)
        self._stood, self._ended = (before.state, before.geometry), time.monotonic()
        for dialog in before.dialogs:
            dialog.show()
        # What was opened meanwhile has a view of its own.
        current = self._teaching.current if self._teaching is not None else None
        same = self._session.program == before.program and current is before.lesson
        if same and self._session.view is not before.view:
            self._session.set_view(before.view)
        if before.focus is not None and before.focus.isVisible():
            before.focus.setFocus()
        elif window.parts.questions.isVisible():
            window.parts.questions.take_focus()
        else:
            window.parts.stage.focus_graph()
        actions.refresh()

    def refusal(self, command: Command) -> str:
        """Why a command cannot be done because of the lecture; empty where it can."""
        if not self.is_on:
            return ""
        if command.group == "lesson" or command.id in OTHER_LESSONS:
            return "" if self._teaching is None else self._teaching.why_asks()
        return "" if command.menu in ALLOWED_MENUS or command.id in ALLOWED else REFUSAL

    def why_off(self) -> str:
        """Why nothing of a lecture can be asked for; empty during one."""
        key = self._session.keys["lecture"]
        return "" if self.is_on else f"This belongs to lecture mode: {key} begins it."

    def _message_waits(self) -> None:
        if self.view is not None:
            self.view.say(WAITS)

    def _say_failure(self) -> None:
        """What is projected after a run that failed looks like that of one that did not."""
        failed = failure(self._session)
        if self.view is not None and failed is not None and self._session.panes:
            self.view.say(f"{failed.title}. Esc leaves the lecture and shows why.")

    # -- looks --------------------------------------------------------------------------

    @property
    def look(self) -> Look:
        """Colours and scale of what is projected."""
        colors = palette(self._settings.lecture_theme, self._window.look.palette.dark)
        return Look(colors, self._settings.lecture_scale)

    def take_look(self) -> None:
        """Show what was chosen."""
        if self.view is not None:
            self.view.set_look(self.look)

    def set_theme(self, theme: Theme) -> None:
        """Take other colours for lectures."""
        self._settings.lecture_theme = theme
        self.take_look()

    def next_colours(self) -> None:
        """Light, dark, high contrast, and light again."""
        now = self._settings.lecture_theme
        number = COLOURS.index(now) + 1 if now in COLOURS else 0
        self.set_theme(COLOURS[number % len(COLOURS)])

    def set_scale(self, steps: int) -> None:
        """Larger or smaller; 0 for what lectures have by themselves."""
        settings = self._settings
        settings.lecture_scale = stepped(settings.lecture_scale, steps) if steps else LECTURE_SCALE
        self.take_look()

    @property
    def moves(self) -> bool:
        """Whether contributions travel along their edges, and the graph glides."""
        return self.view is not None and self.view.viewport_.motion.enabled

    def toggle_motion(self) -> None:
        """Let things move, or stand still, from now on."""
        if self.view is not None:
            self._settings.moves = not self._settings.moves
            self.view.viewport_.motion.enabled = self._settings.moves
            self._window.parts.stage.set_moves(self._settings.moves)

    def why_no_motion(self) -> str:
        """Why that cannot be chosen; empty where it can."""
        if not self.is_on:
            return self.why_off()
        from chainstep.ui.motion import system_moves  # noqa: PLC0415  comes with the canvas

        return "" if system_moves() else STILL

    # -- what is asked for --------------------------------------------------------------

    def ask(self, what: str) -> None:
        """Toggle something of the view: `spotlight`, `curtain`, `close`, `values` or `code`."""
        view = self.view
        if view is None:
            return
        if what == "close":
            view.set_close(not view.is_close)
        elif what in ("values", "code"):
            view.toggle_panel(what)
        elif what == "spotlight":
            view.toggle_spotlight()
        else:
            view.toggle_curtain()

    def shows(self, what: str) -> bool:
        """Whether that is on."""
        view = self.view
        if view is None:
            return False
        if what == "close":
            return view.is_close
        if what in ("values", "code"):
            return view.shows(what)
        return not (view.spotlight if what == "spotlight" else view.curtain).isHidden()

    def zoom(self, how: str) -> None:
        """The method of the canvas with that name."""
        if self.view is not None and self.view.canvases:
            getattr(self.view.canvases[0], how)()

    def set_follows(self, follows: bool) -> None:
        """Whether what is projected moves along with the step."""
        if self.view is not None:
            self.view.set_follows(follows)

    def focus_answer(self) -> None:
        """Go to where an answer is typed."""
        if self.view is not None:
            self.view.answers.begin()

    # -- the lecturer's window ----------------------------------------------------------

    def toggle_notes(self) -> None:
        """Open the window with notes and the next step, or close it.

        On one screen it may lie behind what is projected: then it comes in front.
        """
        if self.notes is not None and self._is_behind:
            self._is_behind = False
            self.notes.raise_()
            self.notes.activateWindow()
            return
        if self.notes is not None:
            self.notes.close()
            return
        if self._teaching is None or self._script is None or self._actions is None:
            return
        from chainstep.ui.lecturer import LecturerWindow  # noqa: PLC0415  seldom wanted

        notes = self.notes = LecturerWindow(
            self._session, self._teaching, self._window.look, self._script, self._began
        )
        notes.name_keys(self._actions.commands)
        notes.pressed.connect(self._press)
        notes.closed.connect(self._notes_closed)
        self._is_behind = False
        self._screens.place(notes, notes.usual)
        if self._screens.lecturers is not None:
            self._window.activateWindow()

    def _name_keys(self) -> None:
        if self.notes is not None and self._actions is not None:
            self.notes.name_keys(self._actions.commands)

    def _notes_closed(self) -> None:
        notes, self.notes = self.notes, None
        if notes is not None:
            notes.deleteLater()
        if self._actions is not None:
            self._actions.refresh()

    def _press(self, keys: QKeyCombination, text: str) -> None:
        """A key on the lecturer's window means what it means on the projected one."""
        view, actions = self.view, self._actions
        if view is None or actions is None or view.takes(keys, text):
            return
        actions.trigger_key(QKeySequence(keys))

    # -- screens ------------------------------------------------------------------------

    def _arrange(self) -> None:
        """Give each window its screen."""
        self._screens.fill()
        if self.notes is not None:
            self._screens.place(self.notes, self.notes.usual)
        elif self._screens.lecturers is not None:
            self.toggle_notes()
        self._is_behind = self.notes is not None and self._screens.lecturers is None
        self._window.raise_()
        self._window.activateWindow()

    def _rearrange(self) -> None:
        """A screen was plugged in or unplugged."""
        if self.view is None or self._actions is None:
            return
        self._arrange()
        self._actions.refresh()
        if self._screens.lecturers is None and self.notes is not None:
            key = self._session.keys["lecture_notes"]
            self.view.say(f"The other screen is gone. {key} shows the window for the lecturer.")

    def swap_screens(self) -> None:
        """Change the places of what is projected and the lecturer's window, from now on."""
        self._screens.swap()
        self._arrange()

    def why_no_swap(self) -> str:
        """Why the screens cannot be swapped; empty where they can."""
        if not self.is_on:
            return self.why_off()
        return "" if self._screens.lecturers is not None else "There is only one screen."
