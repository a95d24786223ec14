"""Every command of the window in one table, and the QActions made from it.

A command knows its menu, its keys, what it does, and why it cannot be done just now. Keys in
`keys` work in the whole window. Keys in `canvas_keys` work where the graph or the timeline has
the focus, so that PageDown still scrolls the editor.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QShortcut

from chainstep.settings import SPEEDS, Theme
from chainstep.trace import Order
from chainstep.ui.session import View

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Protocol

    from PySide6.QtWidgets import QWidget

    from chainstep.program import Example
    from chainstep.ui.files import Files
    from chainstep.ui.player import Player
    from chainstep.ui.session import Session

    class Receiver(Protocol):
        """What the window does for commands that are about more than the session."""

        def edit(self, what: str) -> None:
            """Undo, redo, cut, copy, paste or select_all."""

        def editable(self, what: str) -> str:
            """Why that cannot be done now; empty where it can."""

        def copy_step(self) -> None:
            """Put the words of the step on the clipboard."""

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

        def show_keys(self) -> None:
            """Show all keys on one page."""

        def show_about(self) -> None:
            """Say what this is."""

        def close(self) -> bool:
            """Close the window."""

        @property
        def follows(self) -> bool:
            """Whether the canvas keeps the active node in sight."""

        @property
        def theme(self) -> Theme:
            """The chosen colours."""


MENUS = {
    "File": "&File",
    "Edit": "&Edit",
    "View": "&View",
    "Run": "&Run",
    "Step": "&Step",
    "Examples": "E&xamples",
    "Help": "&Help",
}
"""The menus and their titles, each with a letter of its own."""
ALWAYS = ""


def _always() -> str:
    return ALWAYS


@dataclass(frozen=True)
class Command:
    """One thing that the window can do.

    Attributes:
        id: What code and tests call it.
        text: As in the menu, with the mnemonic.
        menu: One of `MENUS`, or `Menu/Submenu`.
        handler: Does it. One that can be checked is called for either change.
        help: One sentence for the tool tip and the status line.
        keys: Keys in the whole window.
        canvas_keys: Keys where the graph or the timeline has the focus.
        icon: Name of its sign; none where empty.
        refusal: Says why it cannot be done now; empty where it can.
        checked: Whether it is on; None for one that is not switched.
        group: Of the commands with the same group exactly one is on.
        line: Whether a line stands above it in the menu.
    """

    id: str
    text: str
    menu: str
    handler: Callable[[], object]
    help: str
    keys: tuple[str, ...] = ()
    canvas_keys: tuple[str, ...] = ()
    icon: str = ""
    refusal: Callable[[], str] = _always
    checked: Callable[[], bool] | None = None
    group: str = ""
    line: bool = False

    @property
    def name(self) -> str:
        """The text without its mnemonic."""
        return self.text.replace("&&", "\0").replace("&", "").replace("\0", "&").rstrip("…")

    @property
    def menu_text(self) -> str:
        """The text with the key that the menu shows: a canvas key where there is no other."""
        if self.keys or not self.canvas_keys:
            return self.text
        return f"{self.text}\t{pretty(self.canvas_keys[0])}"


def _is(read: Callable[[], object], value: object) -> Callable[[], bool]:
    """Whether something now is a value."""
    return lambda: read() == value


class Refusals:
    """Why a command cannot be done now, in a sentence; empty where it can."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def no_steps(self) -> str:
        """There is a pass to step through."""
        session = self._session
        if session.panes:
            return ""
        if session.running:
            return "The program is still running."
        if session.recording is None:
            return "Nothing is recorded yet: press F5 to run the program."
        return "The run recorded no backward pass: the message above says why."

    def at_end(self) -> str:
        """There is a step ahead."""
        if self._session.at_end:
            return "This is the last step: Home goes back to the start."
        return self.no_steps()

    def at_start(self) -> str:
        """There is a step behind."""
        if self._session.at_start:
            return "This is the start: F10 runs the first step."
        return self.no_steps()

    def no_difference(self, forward: bool) -> str:
        """There is a difference ahead (or behind)."""
        session = self._session
        if not session.panes:
            return self.no_steps()
        if session.view is View.AS_WRITTEN:
            return "Differences are between += and =: show one of them, or both (Ctrl+3)."
        if session.first_divergence is None:
            return "+= and = agree at every step of this pass."
        if session.divergence_from(forward) is None:
            return f"No difference begins {'after' if forward else 'before'} this step."
        return ""

    def no_run(self) -> str:
        """A run is on."""
        return "" if self._session.running else "Nothing is running."

    def no_program(self) -> str:
        """There is something to run."""
        if self._session.program.text.strip():
            return ""
        return "The program is empty: type one, open a file or choose an example."

    def no_view(self, view: View) -> str:
        """The recording can be shown so."""
        session = self._session
        if session.recording is None or view in session.views:
            return ""
        if not session.views:
            return self.no_steps()
        if view is View.AS_WRITTEN:
            return "The program calls no backward() itself, so there is only += and =."
        return "This pass was not recorded in that mode."

    def no_pass(self, by: int) -> str:
        """There is a pass ahead (or behind)."""
        session = self._session
        if not session.panes or session.recording is None:
            return self.no_steps()
        if session.running:
            return "The program is still running."
        if session.recording.passes == 1:
            return "The program made only one backward pass."
        if 0 <= session.pass_index + by < session.recording.passes:
            return ""
        return f"This is the {'last' if by > 0 else 'first'} backward pass."

    def no_selection(self) -> str:
        """A node is selected."""
        if self._session.selected is not None:
            return ""
        return self.no_steps() or "No node is selected: click one."


def commands(
    session: Session,
    player: Player,
    receiver: Receiver,
    files: Files,
    examples: Sequence[Example],
) -> Iterator[Command]:
    """The table, menu by menu."""
    refusals = Refusals(session)
    yield from _file(files, receiver)
    yield from _edit(receiver, refusals)
    yield from _view(session, receiver, refusals)
    yield from _run(session, receiver, refusals)
    yield from _step(session, player, refusals)
    yield from _play(player, refusals)
    yield from _examples(session, files, examples)
    yield from _help(receiver)


def _file(files: Files, receiver: Receiver) -> Iterator[Command]:
    yield Command("new", "&New", "File", files.new, "Begin an empty program.", ("Ctrl+N",))
    yield Command(
        "open", "&Open…", "File", files.open, "Open a program; nothing runs before F5.",
        ("Ctrl+O",),
    )  # fmt: skip
    yield Command(
        "save", "&Save", "File", files.save, "Write the program to its file.", ("Ctrl+S",),
        line=True,
    )  # fmt: skip
    yield Command(
        "save_as", "Save &as…", "File", files.save_as, "Write the program to another file.",
        ("Ctrl+Shift+S",),
    )  # fmt: skip
    yield Command(
        "quit", "&Quit", "File", receiver.close, "Close the window.", ("Ctrl+Q",), line=True
    )


def _edit(receiver: Receiver, refusals: Refusals) -> Iterator[Command]:
    for what, text, key, help_ in (
        ("undo", "&Undo", "Ctrl+Z", "Take back the last change of the text."),
        ("redo", "&Redo", "Ctrl+Shift+Z", "Make the change again that was taken back."),
        ("cut", "Cu&t", "Ctrl+X", "Take the selected text away to the clipboard."),
        ("copy", "&Copy", "Ctrl+C", "Copy the selected text to the clipboard."),
        ("paste", "&Paste", "Ctrl+V", "Insert the text of the clipboard."),
        ("select_all", "Select &all", "Ctrl+A", "Select the whole text."),
    ):
        yield Command(
            what, text, "Edit", partial(receiver.edit, what), help_, (key,),
            refusal=partial(receiver.editable, what), line=what == "cut",
        )  # fmt: skip
    yield Command(
        "copy_step", "Copy this &step as text", "Edit", receiver.copy_step,
        "Copy the words and formulas of this step.", ("Ctrl+Shift+C",),
        refusal=refusals.no_steps, line=True,
    )  # fmt: skip


VIEWS = (
    (View.ACCUMULATE, "&+=  accumulate", "Every path counts: gradients add up."),
    (View.OVERWRITE, "&=  overwrite", "The last path wins: each write replaces the one before."),
    (View.BOTH, "&Both, one above the other", "+= above, = below, in step."),
    (View.AS_WRITTEN, "As &written", "What the program's own backward() really did."),
)


THEMES = {Theme.SYSTEM: "As the &system", Theme.LIGHT: "&Light", Theme.DARK: "&Dark"}


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
         "Run one _backward to its end.", ("F10",), ("PgDown",), False),
        ("step_into", "Step &into", session.step_into, ahead,
         "Make one write.", ("F11",), ("Right",), False),
        ("step_out", "Step &out", session.step_out, ahead,
         "To the end of the _backward that runs.", ("Shift+F11",), (), False),
        ("back_over", "&Back", session.back_over, behind,
         "Undo one _backward.", ("Ctrl+F10",), ("PgUp",), True),
        ("back_into", "Back in&to", session.back_into, behind,
         "Undo one write.", ("Ctrl+F11",), ("Left",), False),
        ("restart", "To the st&art", session.restart, behind,
         "Before the first step.", (), ("Home",), True),
        ("end", "To the &end", session.run_to_end, ahead,
         "After the last step.", (), ("End",), False),
    ):  # fmt: skip
        yield Command(
            id_, text, "Step", then(move), help_, keys, canvas_keys, id_, refusal, line=line
        )
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
        (1, "next_pass", "Next backward pass", "Ctrl+PgDown"),
        (-1, "previous_pass", "Previous backward pass", "Ctrl+PgUp"),
    ):
        yield Command(
            id_, text, "Step", partial(go, by),
            f"The {'next' if by > 0 else 'previous'} backward() of the program.",
            canvas_keys=(key,), icon=id_, refusal=partial(refusals.no_pass, by), line=by > 0,
        )  # fmt: skip


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
        )  # fmt: skip


def _help(receiver: Receiver) -> Iterator[Command]:
    yield Command("keys", "&Keys", "Help", receiver.show_keys, "All keys on one page.", ("F1",))
    yield Command("about", "&About Chainstep", "Help", receiver.show_about, "What this is.")


class Actions(QObject):
    """The QActions of a table, kept up to date.

    Args:
        table: The commands.
        window: Where their keys work.
    """

    def __init__(self, table: Iterable[Command], window: QWidget) -> None:
        super().__init__(window)
        self.commands = {command.id: command for command in table}
        self._actions: dict[str, QAction] = {}
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

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def _do(self, command: Command, _checked: bool = False) -> None:
        command.handler()
        self.refresh()

    def refresh(self) -> None:
        """Say anew of every command whether it can be done, whether it is on, and why not."""
        for command in self.commands.values():
            action = self._actions[command.id]
            refusal = command.refusal()
            action.setEnabled(not refusal)
            tip = refusal or command.help
            if action.statusTip() != tip:
                action.setStatusTip(tip)
                action.setToolTip(f"{command.name}{keys_text(command)}\n{tip}")
            if command.checked is not None:
                action.setChecked(command.checked())

    def in_menu(self, menu: str) -> list[Command]:
        """The commands of one menu or submenu, in order."""
        return [command for command in self.commands.values() if command.menu == menu]

    def give_keys(self, widget: QWidget) -> None:
        """Let the canvas keys work while `widget` or something in it has the focus."""
        for command in self.commands.values():
            for key in command.canvas_keys:
                shortcut = QShortcut(QKeySequence(key), widget)
                shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
                shortcut.activated.connect(self._actions[command.id].trigger)

    def refusal_for(self, pressed: QKeySequence) -> str:
        """Why the command with that key cannot be done now; empty where it can, or none has it."""
        for command in self.commands.values():
            if any(QKeySequence(key) == pressed for key in command.keys + command.canvas_keys):
                return command.refusal()
        return ""


def keys_text(command: Command) -> str:
    """Its keys in brackets, as people read them; empty where it has none."""
    keys = [pretty(key) for key in command.keys + command.canvas_keys]
    return f"  ({', '.join(keys)})" if keys else ""


def pretty(key: str) -> str:
    """A key as it stands on buttons: `Shift+F5` is ⇧F5, Left is ←."""
    signs = {"Left": "←", "Right": "→", "PgDown": "PgDn", "Space": "Space"}
    return signs.get(key, key)
