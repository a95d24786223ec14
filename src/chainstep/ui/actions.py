"""Every command of the window in one table, and the QActions made from it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut

from chainstep.rendition import Form
from chainstep.settings import SPEEDS, Theme
from chainstep.story import Phase
from chainstep.trace import Order
from chainstep.ui.check_commands import check_commands, manual_commands, verdict_commands
from chainstep.ui.command import Command, keys_text
from chainstep.ui.debugging import (
    breakpoint_commands,
    experiment_commands,
    panel_commands,
    write_commands,
)
from chainstep.ui.desk_commands import (
    compare_commands,
    file_commands,
    help_commands,
    layout_commands,
    preference_commands,
    surroundings_commands,
    what_if_commands,
)
from chainstep.ui.graph_commands import choice_commands, move_commands, node_commands
from chainstep.ui.lecture_commands import lecture_commands
from chainstep.ui.lesson_commands import lesson_commands
from chainstep.ui.quiz_commands import engine_commands, quiz_commands
from chainstep.ui.refusals import Refusals
from chainstep.ui.session import View

SIGN = 12
"""Side of a sign in a menu, in pixels at 100%."""

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Protocol

    from PySide6.QtWidgets import QWidget

    from chainstep.program import Example
    from chainstep.ui.debugging import Panels
    from chainstep.ui.desk import Desk
    from chainstep.ui.files import Files
    from chainstep.ui.finder import Finder
    from chainstep.ui.lecturing import Lecturing
    from chainstep.ui.player import Player
    from chainstep.ui.session import Session
    from chainstep.ui.teaching import Teaching
    from chainstep.ui.theme import Look

    class Receiver(Protocol):
        """What the window does for commands that are about more than the session."""

        def edit(self, what: str) -> None:
            """Undo, redo, cut, copy, paste or select_all."""

        def editable(self, what: str) -> str:
            """Why that cannot be done now; empty where it can."""

        def copy_step(self, form: Form) -> None:
            """Put the words and formulas of the step on the clipboard."""

        def zoom(self, how: str) -> None:
            """The method of the canvas with that name."""

        def set_follows(self, follows: bool) -> None:
            """Whether the canvas keeps the active node in sight."""

        def set_theme(self, theme: Theme) -> None:
            """Take other colours."""

        def set_scale(self, steps: int) -> None:
            """Larger or smaller type; 0 for 100%."""

        def focus_seed(self) -> None:
            """Go to where the seed is typed."""

        def focus_question(self) -> None:
            """Go to where a question is answered."""

        def show_keys(self) -> None:
            """Show all keys on one page."""

        def close(self) -> bool:
            """Close the window."""

        @property
        def follows(self) -> bool:
            """Whether the canvas keeps the active node in sight."""

        @property
        def theme(self) -> Theme:
            """The chosen colours."""


def _is(read: Callable[[], object], value: object) -> Callable[[], bool]:
    """Whether something now is a value."""
    return lambda: read() == value


def commands(
    session: Session,
    player: Player,
    receiver: Receiver,
    files: Files,
    desk: Desk,
    panels: Panels,
    lecturing: Lecturing,
    teaching: Teaching,
    finder: Finder,
    examples: Sequence[Example],
) -> Iterator[Command]:
    """The table, menu by menu."""
    refusals = Refusals(session)
    yield from file_commands(files, desk, refusals, receiver.close)
    yield from _edit(receiver, refusals)
    yield from what_if_commands(desk)
    yield from preference_commands(desk)
    yield from _view(session, receiver, refusals)
    yield from lecture_commands(lecturing)
    yield from compare_commands(session, desk)
    yield from panel_commands(panels)
    yield from verdict_commands(panels)
    yield from layout_commands(desk)
    yield from node_commands(session, finder, refusals)
    yield from move_commands(session, refusals)
    yield from choice_commands(session, refusals)
    yield from _run(session, receiver, refusals)
    yield from surroundings_commands(desk)
    yield from check_commands(session, player, desk, panels, refusals)
    yield from experiment_commands(session)
    yield from breakpoint_commands(session, player, panels, refusals)
    yield from _step(session, player, refusals)
    yield from write_commands(session, player, refusals)
    yield from engine_commands(session, player, refusals)
    yield from quiz_commands(session, player, receiver.focus_question, refusals)
    yield from _play(player, refusals)
    yield from lesson_commands(teaching)
    yield from _examples(session, files, examples)
    yield from manual_commands(desk)
    yield from help_commands(desk, receiver.show_keys)


def _edit(receiver: Receiver, refusals: Refusals) -> Iterator[Command]:
    for what, text, key, help_ in (
        ("undo", "&Undo typing", "Ctrl+Z", "Take back the last change of the text."),
        ("redo", "&Redo typing", "Ctrl+Shift+Z", "Make the change again that was taken back."),
        ("cut", "Cu&t", "Ctrl+X", "Take the selected text away to the clipboard."),
        ("copy", "&Copy", "Ctrl+C", "Copy the selected text to the clipboard."),
        ("paste", "&Paste", "Ctrl+V", "Insert the text of the clipboard."),
        ("select_all", "Select &all", "Ctrl+A", "Select the whole text; on the graph, every node."),
    ):
        yield Command(
            what, text, "Edit", partial(receiver.edit, what), help_, (key,),
            refusal=partial(receiver.editable, what), line=what == "cut",
        )  # fmt: skip
    for id_, form, text, keys in (
        ("copy_step", Form.TEXT, "Copy this &step as text", ("Ctrl+Shift+C",)),
        ("copy_step_latex", Form.LATEX, "Copy this step as &LaTeX", ()),
        ("copy_step_markdown", Form.MARKDOWN, "Copy this step as &Markdown", ()),
    ):
        yield Command(
            id_, text, "Edit", partial(receiver.copy_step, form),
            "Copy the words and formulas of this step, and the chain rule of the selected node.",
            keys, refusal=refusals.no_steps, line=form is Form.TEXT,
        )  # fmt: skip


VIEWS = (
    (View.ACCUMULATE, "&+=  accumulate", "Every path counts: gradients add up."),
    (View.OVERWRITE, "&=  overwrite", "The last path wins: each write replaces the one before."),
    (View.BOTH, "&Both, one above the other", "+= above, = below, in step."),
    (View.AS_WRITTEN, "As &written", "What the program's own backward() really did."),
)


THEMES = {
    Theme.SYSTEM: "As the &system",
    Theme.LIGHT: "&Light",
    Theme.DARK: "&Dark",
    Theme.CONTRAST: "&High contrast",
}


def _view(session: Session, receiver: Receiver, refusals: Refusals) -> Iterator[Command]:
    for number, (view, text, help_) in enumerate(VIEWS, 1):
        yield Command(
            f"view_{view.value}", text, "View", partial(session.set_view, view), help_,
            (f"Ctrl+{number}",), refusal=partial(refusals.no_view, view),
            checked=_is(lambda: session.view, view), group="view",
        )  # fmt: skip
    for how, text, key, help_ in (
        ("fit", "&Fit", "F", "Show the whole graph."),
        ("fit_selection", "Fit &selection", "Shift+F", "Show the selected node large."),
        ("zoom_in", "Zoom &in", "+", "Larger."),
        ("zoom_out", "Zoom &out", "-", "Smaller."),
        ("zoom_actual", "A&ctual size", "0", "One to one."),
    ):
        needs = refusals.no_selection if how == "fit_selection" else refusals.no_steps
        yield Command(
            how, text, "View", partial(receiver.zoom, how), help_,
            canvas_keys=(key, "=") if how == "zoom_in" else (key,),
            icon=how, refusal=needs, line=how == "fit",
        )  # fmt: skip
    yield Command(
        "follow", "Follow the &active node", "View",
        lambda: receiver.set_follows(not receiver.follows),
        "Keep the node that runs in sight.", canvas_keys=("A",),
        checked=lambda: receiver.follows, line=True,
    )  # fmt: skip
    yield Command(
        "hide_ahead", "&Hide what is to come", "View", lambda: session.hide(not session.hides),
        "Let nothing be seen that comes after this step, in any panel.", ("Ctrl+Shift+H",),
        refusal=refusals.no_hiding, checked=lambda: session.hides,
    )  # fmt: skip
    for id_, text, keys, steps in (
        ("larger", "&Larger type", ("Ctrl++", "Ctrl+="), 1),
        ("smaller", "S&maller type", ("Ctrl+-",), -1),
        ("normal", "&Normal type", ("Ctrl+0",), 0),
    ):
        yield Command(
            id_, text, "View", partial(receiver.set_scale, steps), "Size of all text.", keys,
            line=steps == 1,
        )  # fmt: skip
    for theme in Theme:
        yield Command(
            f"theme_{theme.value}", THEMES[theme], "View/Theme",
            partial(receiver.set_theme, theme), "Colours of the window.",
            checked=_is(lambda: receiver.theme, theme), group="theme",
        )  # fmt: skip


ORDERS = (
    (Order.DEPTH_FIRST, "&depth-first", "The reversed topological list of micrograd's backward()."),
    (Order.BREADTH_FIRST, "&breadth-first", "A node runs as soon as all its consumers have run."),
    (Order.RECURSIVE, "&recursive", "No sorting: run a node, then at once each operand. Wrong."),
)


def _run(session: Session, receiver: Receiver, refusals: Refusals) -> Iterator[Command]:
    yield Command(
        "run", "&Run", "Run", session.run, "Run the program and record its backward pass.",
        ("F5",), icon="run", refusal=refusals.no_program,
    )  # fmt: skip
    yield Command(
        "stop", "&Stop", "Run", session.stop, "Stop the run; what it recorded is kept.",
        ("Shift+F5",), icon="stop", refusal=refusals.no_run,
    )  # fmt: skip
    for order, text, help_ in ORDERS:
        yield Command(
            f"order_{order.value}", text, "Run/Order", partial(session.set_order, order), help_,
            checked=_is(lambda: session.order, order), group="order",
        )  # fmt: skip
    yield Command(
        "seed", "S&eed…", "Run", receiver.focus_seed,
        "Choose what random numbers start from.", line=True,
    )  # fmt: skip


def _step(session: Session, player: Player, refusals: Refusals) -> Iterator[Command]:
    def then(move: Callable[[], object]) -> Callable[[], None]:
        def handler() -> None:
            player.pause()
            move()

        return handler

    def go(by: int) -> None:
        session.set_pass(session.pass_index + by)

    ahead, behind = refusals.at_end, refusals.at_start
    for id_, text, move, refusal, help_, keys, canvas_keys, line in (
        ("step_over", "Ste&p", session.step_over, ahead,
         "Make or sort one Value, or run one _backward to its end.", ("F10",), ("PgDown",), False),
        ("step_into", "Step &into", session.step_into, ahead,
         "One Value, one visit of the sort, or one write.", ("F11",), ("Right",), False),
        ("step_out", "Step &out", session.step_out, ahead,
         "To the end of the _backward or visit that runs.", ("Shift+F11",), (), False),
        ("back_over", "&Back", session.back_over, behind,
         "Undo one Value, made or sorted, or one _backward.", ("Ctrl+F10",), ("PgUp",), True),
        ("back_into", "Back in&to", session.back_into, behind,
         "Undo one Value, one visit or one write.", ("Ctrl+F11",), ("Left",), False),
        ("restart", "To the st&art", session.restart, behind,
         "Before the first Value is made.", (), ("Home",), True),
        ("end", "To the &end", session.run_to_end, ahead,
         "After the last step.", (), ("End",), False),
    ):  # fmt: skip
        yield Command(
            id_, text, "Step", then(move), help_, keys, canvas_keys, id_, refusal, line=line
        )
    yield from _marks(session, then, refusals)
    for forward, id_, text, key in (
        (True, "next_difference", "&Next difference", "N"),
        (False, "previous_difference", "P&revious difference", "Shift+N"),
    ):
        yield Command(
            id_, text, "Step", then(partial(session.seek_divergence, forward)),
            f"To where the {'next' if forward else 'previous'} gradient begins to differ.",
            canvas_keys=(key,), refusal=partial(refusals.no_difference, forward), line=forward,
        )  # fmt: skip
    for by, id_, text, key in (
        (1, "next_pass", "Next backward pass", "Ctrl+Shift+PgDown"),
        (-1, "previous_pass", "Previous backward pass", "Ctrl+Shift+PgUp"),
    ):
        yield Command(
            id_, text, "Step", partial(go, by),
            f"The {'next' if by > 0 else 'previous'} backward() of the program.",
            canvas_keys=(key,), icon=id_, refusal=partial(refusals.no_pass, by), line=by > 0,
        )  # fmt: skip


PHASES = {
    Phase.FORWARD: "&Forward: Values being made",
    Phase.SORT: "&Topological sort",
    Phase.BACKWARD: "&Backward: _backward functions running",
}


def _marks(
    session: Session,
    then: Callable[[Callable[[], object]], Callable[[], None]],
    refusals: Refusals,
) -> Iterator[Command]:
    """From phase to phase and from mark to mark of the timeline, and which phases are skipped."""
    for id_, text, move, refusal, help_, keys in (
        ("next_phase", "Next p&hase", session.next_phase, refusals.at_end,
         "To where the next phase begins.", ("Ctrl+PgDown", "]")),
        ("previous_phase", "Previous pha&se", session.previous_phase, refusals.at_start,
         "To where this phase begins, or the one before.", ("Ctrl+PgUp", "[")),
    ):  # fmt: skip
        yield Command(
            id_, text, "Step", then(move), help_, canvas_keys=keys, refusal=refusal,
            line=id_ == "next_phase",
        )  # fmt: skip
    for phase, text in PHASES.items():
        yield Command(
            f"skip_{phase.value}", text, "Step/Skip when stepping",
            partial(_toggle, session, phase), "Jump over this phase when stepping.",
            checked=partial(_skips, session, phase), refusal=partial(refusals.no_skip, phase),
        )  # fmt: skip
    for forward, id_, text, key in (
        (True, "next_mark", "Next &mark", "M"),
        (False, "previous_mark", "Previous mar&k", "Shift+M"),
    ):
        yield Command(
            id_, text, "Step", then(partial(session.seek_mark, forward)),
            "To what the timeline marks: reuse, a difference, a breakpoint, an error, a finding.",
            canvas_keys=(key,), refusal=partial(refusals.no_mark, forward), line=forward,
        )  # fmt: skip


def _toggle(session: Session, phase: Phase) -> None:
    session.skip(phase, phase not in session.skipped)


def _skips(session: Session, phase: Phase) -> bool:
    return phase in session.skipped


def _play(player: Player, refusals: Refusals) -> Iterator[Command]:
    yield Command(
        "play", "P&lay", "Step", player.toggle, "Step by itself, or pause.",
        canvas_keys=("Space",), icon="play", refusal=refusals.no_steps,
        checked=lambda: player.playing, line=True,
    )  # fmt: skip
    for speed in SPEEDS:
        yield Command(
            f"speed_{speed:g}", f"{speed:g}×", "Step/Speed", partial(player.set_speed, speed),
            f"{speed:g} steps per second.", checked=_is(lambda: player.per_second, speed),
            group="speed",
        )  # fmt: skip


def _examples(session: Session, files: Files, examples: Iterable[Example]) -> Iterator[Command]:
    for example in examples:
        yield Command(
            f"example_{example.name}", example.title.replace("&", "&&"), "Examples",
            partial(files.open_example, example), example.look_for,
            checked=_is(lambda: session.example, example), group="example",
            spoils=lambda: session.hides,
        )  # fmt: skip


def _open(_command: Command) -> str:
    return ""


class Actions(QObject):
    """The QActions of a table, kept up to date.

    Args:
        table: The commands.
        window: Where their keys work.
    """

    keys_changed = Signal()
    """Commands have other keys."""

    def __init__(self, table: Iterable[Command], window: QWidget) -> None:
        super().__init__(window)
        self.commands = {command.id: command for command in table}
        self.defaults = dict(self.commands)
        """The commands with the keys that they have by themselves."""
        self._shortcuts: dict[QWidget, list[QShortcut]] = {}
        self._without: dict[QWidget, Container[str]] = {}
        self.gate: Callable[[Command], str] = _open
        """Says why a command cannot be done whatever it says itself; empty where it can."""
        self._actions: dict[str, QAction] = {}
        self._look: Look | None = None
        self._signed = False
        groups: dict[str, QActionGroup] = {}
        for command in self.commands.values():
            action = QAction(command.menu_text, self)
            action.setObjectName(command.id)
            action.setShortcuts([QKeySequence(key) for key in command.keys])
            action.setCheckable(command.checked is not None)
            action.triggered.connect(partial(self._do, command))
            if command.group:
                if command.group not in groups:
                    groups[command.group] = QActionGroup(self)
                    groups[command.group].setExclusionPolicy(
                        QActionGroup.ExclusionPolicy.ExclusiveOptional
                    )
                groups[command.group].addAction(action)
            self._actions[command.id] = action
            window.addAction(action)
        self.refresh()

    def __getitem__(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale for the signs in menus."""
        self._look, self._signed = look, False

    def show_signs(self) -> None:
        """Put the signs of the buttons on what does the same in menus: once a menu is to open."""
        if self._signed or self._look is None:
            return
        # What draws them is not needed before.
        from chainstep.ui import icons  # noqa: PLC0415

        self._signed = True
        p, size = self._look.palette, self._look.px(SIGN)
        known = icons.names()
        for id_, command in self.commands.items():
            name = command.icon or id_
            if name in known and command.checked is None:
                self._actions[id_].setIcon(icons.sign(name, size, p.text, p.border))

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def _do(self, command: Command, _checked: bool = False) -> None:
        command.handler()
        self.refresh()

    def set_keys(self, chosen: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]) -> None:
        """Let commands have other keys, by id: in the window, and on the graph."""
        for id_, command in self.defaults.items():
            keys, canvas_keys = chosen.get(id_, (command.keys, command.canvas_keys))
            self.commands[id_] = replace(command, keys=keys, canvas_keys=canvas_keys)
            action = self._actions[id_]
            action.setShortcuts([QKeySequence(key) for key in keys])
            action.setText(self.commands[id_].menu_text)
            action.setStatusTip("")  # the tool tip names the keys: it is made anew
        for widget, without in list(self._without.items()):
            self.give_keys(widget, without)
        self.refresh()
        self.keys_changed.emit()

    def refresh(self) -> None:
        """Say anew of every command whether it can be done, whether it is on, and why not."""
        for command in self.commands.values():
            action = self._actions[command.id]
            refusal = self._refusal(command)
            action.setEnabled(not refusal)
            tip = refusal or command.told
            if action.statusTip() != tip:
                action.setStatusTip(tip)
                action.setToolTip(f"{command.name}{keys_text(command)}\n{tip}")
            if command.checked is not None:
                action.setChecked(command.checked())

    def _refusal(self, command: Command) -> str:
        return self.gate(command) or command.refusal()

    def in_menu(self, menu: str) -> list[Command]:
        """The commands of one menu or submenu, in order."""
        return [command for command in self.commands.values() if command.menu == menu]

    def give_keys(self, widget: QWidget, without: Container[str] = ()) -> None:
        """Let the canvas keys work while `widget` or something in it has the focus.

        Args:
            widget: Where they work.
            without: Keys that mean something else there.
        """
        self.take_keys_from(widget)
        given = self._shortcuts[widget] = []
        self._without[widget] = without
        for command in self.commands.values():
            for key in command.canvas_keys:
                if key in without:
                    continue
                shortcut = QShortcut(QKeySequence(key), widget)
                shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                shortcut.activated.connect(self._actions[command.id].trigger)
                given.append(shortcut)

    def take_keys_from(self, widget: QWidget) -> None:
        """The canvas keys work there no more."""
        self._without.pop(widget, None)
        for shortcut in self._shortcuts.pop(widget, []):
            # At once: until the event loop gets to delete it, it would still take its key.
            shortcut.setEnabled(False)
            shortcut.deleteLater()

    def trigger_key(self, pressed: QKeySequence) -> None:
        """Do what a key does in the window or on the graph, if it can be done."""
        for command in self.commands.values():
            if any(QKeySequence(key) == pressed for key in command.keys + command.canvas_keys):
                self._actions[command.id].trigger()

    def refusal_for(self, pressed: QKeySequence) -> str:
        """Why the command with that key cannot be done now; empty where it can, or none has it."""
        for command in self.commands.values():
            if any(QKeySequence(key) == pressed for key in command.keys + command.canvas_keys):
                return self._refusal(command)
        return ""
