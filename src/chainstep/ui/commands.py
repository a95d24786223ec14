"""Every command of the window in one table, menu by menu."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.rendition import Form
from chainstep.settings import Theme
from chainstep.trace import Order
from chainstep.ui.check_commands import check_commands, manual_commands, verdict_commands
from chainstep.ui.command import Command, is_now
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
from chainstep.ui.step_commands import play_commands, step_commands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Protocol

    from chainstep.program import Example
    from chainstep.ui.debugging import Panels
    from chainstep.ui.desk import Desk
    from chainstep.ui.files import Files
    from chainstep.ui.finder import Finder
    from chainstep.ui.lecturing import Lecturing
    from chainstep.ui.player import Player
    from chainstep.ui.session import Session
    from chainstep.ui.teaching import Teaching

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

        def close(self) -> bool:
            """Close the window."""

        @property
        def follows(self) -> bool:
            """Whether the canvas keeps the active node in sight."""

        @property
        def theme(self) -> Theme:
            """The chosen colours."""


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
    yield from step_commands(session, player, refusals)
    yield from write_commands(session, player, refusals)
    yield from engine_commands(session, player, refusals)
    yield from quiz_commands(session, player, receiver.focus_question, refusals)
    yield from play_commands(player, refusals)
    yield from lesson_commands(teaching)
    yield from _examples(session, files, examples)
    yield from manual_commands(desk)
    yield from help_commands(desk)


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
            checked=is_now(lambda: session.view, view), group="view",
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
            checked=is_now(lambda: receiver.theme, theme), group="theme",
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
            checked=is_now(lambda: session.order, order), group="order",
        )  # fmt: skip
    yield Command(
        "seed", "S&eed…", "Run", receiver.focus_seed,
        "Choose what random numbers start from.", line=True,
    )  # fmt: skip


def _examples(session: Session, files: Files, examples: Iterable[Example]) -> Iterator[Command]:
    for example in examples:
        yield Command(
            f"example_{example.name}", example.title.replace("&", "&&"), "Examples",
            partial(files.open_example, example), example.look_for,
            checked=is_now(lambda: session.example, example), group="example",
            spoils=lambda: session.hides,
        )  # fmt: skip
