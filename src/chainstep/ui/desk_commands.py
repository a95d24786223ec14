"""The commands of the table that are about files, preferences, trying out and choosing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from chainstep.ui.command import Command
from chainstep.ui.folding import GRAPH, LESSON, PANELS, PROGRAM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.ui.desk import Desk
    from chainstep.ui.files import Files
    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session


def file_commands(
    files: Files, desk: Desk, refusals: Refusals, close: Callable[[], object]
) -> Iterator[Command]:
    """Opening and saving."""
    yield Command("new", "&New", "File", files.new, "Begin an empty program.", ("Ctrl+N",))
    yield Command(
        "new_expression", "New from an &expression…", "File", desk.new_from_expression,
        "Begin with one line such as (a*b + c).tanh().", ("Ctrl+Shift+N",),
    )  # fmt: skip
    yield Command(
        "open", "&Open…", "File", files.open,
        "Open a program, a notebook or a recording; nothing runs before F5.", ("Ctrl+O",),
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
        "save_recording", "Save re&cording…", "File", files.save_recording,
        "Keep what was recorded, to be opened at this step without running anything.",
        ("Ctrl+Alt+S",), refusal=refusals.no_steps,
    )  # fmt: skip
    yield Command("quit", "&Quit", "File", close, "Close the window.", ("Ctrl+Q",), line=True)


def what_if_commands(desk: Desk) -> Iterator[Command]:
    """Trying out numbers: apart from the undo of the text."""
    what_if = desk.what_if
    yield Command(
        "change_data", "Change &data…", "Edit", desk.change_data,
        "Try out another number for the selected leaf.", ("F2",), ("Return", "Enter"),
        refusal=desk.why_no_data, line=True,
    )  # fmt: skip
    yield Command(
        "undo_what_if", "Undo &what-if", "Edit", what_if.undo,
        "Take back the number that was tried out last.", ("Ctrl+Alt+Z",),
        refusal=desk.why_no_undo,
    )  # fmt: skip
    yield Command(
        "redo_what_if", "Redo what-&if", "Edit", what_if.redo,
        "Try out again the number that was taken back.", ("Ctrl+Alt+Shift+Z",),
        refusal=desk.why_no_redo,
    )  # fmt: skip
    yield Command(
        "reset_what_if", "R&eset what-ifs", "Edit", what_if.reset,
        "Give every leaf the number of the program again.", refusal=desk.why_no_reset,
    )  # fmt: skip


def preference_commands(desk: Desk) -> Iterator[Command]:
    """How everything is to be."""
    yield Command(
        "preferences", "Pre&ferences…", "Edit", desk.show_preferences,
        "Colours, size of type, digits, limits and keys.", ("Ctrl+,",), line=True,
    )  # fmt: skip


def layout_commands(desk: Desk) -> Iterator[Command]:
    """Where the panels are."""
    yield Command(
        "reset_layout", "&Reset layout", "View", desk.reset_layout,
        "Give every panel the size that it has by itself.", line=True,
    )  # fmt: skip
    for number, name in enumerate((PROGRAM, GRAPH, PANELS, LESSON), start=1):
        yield Command(
            f"column_{name.lower()}", f"&{name}", "View/Column", partial(desk.bring_column, name),
            f"Show the {name.lower()} where the window has no room for all columns.",
            (f"Alt+{number}",), refusal=partial(desk.why_no_column, name),
        )  # fmt: skip


def compare_commands(session: Session, desk: Desk) -> Iterator[Command]:
    """Holding the pass on show against another one."""
    yield Command(
        "compare", "Com&pare with…", "View", desk.compare,
        "Show another mode, order, pass or run below this one, in step.", ("Ctrl+5",),
        refusal=session.comparing.why_not,
        checked=lambda: session.comparison is not None, line=True,
    )  # fmt: skip
    yield Command(
        "end_comparison", "&End the comparison", "View", session.end_comparison,
        "Show the pass alone again.",
        refusal=lambda: "" if session.comparison is not None else "Nothing is compared now.",
    )  # fmt: skip


def surroundings_commands(desk: Desk) -> Iterator[Command]:
    """What a run starts from."""
    yield Command(
        "root", "R&oot…", "Run", desk.choose_root, "Choose the Value that the pass starts from.",
        refusal=desk.why_no_root,
    )  # fmt: skip
    yield Command(
        "cells", "Ce&lls…", "Run", desk.choose_cells, "Choose which cells of a notebook run.",
        ("Ctrl+Shift+E",), refusal=desk.why_no_cells,
    )  # fmt: skip
    yield Command(
        "interpreter", "&Interpreter…", "Run", desk.choose_interpreter,
        "Choose the Python that runs programs.",
    )  # fmt: skip


def help_commands(desk: Desk) -> Iterator[Command]:
    """Finding out what there is."""
    yield Command(
        "palette", "&Commands…", "Help", desk.show_palette,
        "Search every command by typing.", ("Ctrl+Shift+P",),
    )  # fmt: skip
    yield Command(
        "keys", "&Keys", "Help", desk.show_keys, "All keys on one page, to be searched.", ("F1",)
    )
    yield Command(
        "rules", "&Rules of the operations", "Help", desk.show_rules,
        "Each operation's slope, where it comes from, and its curve with the tangent.",
        ("Shift+F1",),
    )  # fmt: skip
    yield Command(
        "about", "&About Chainstep", "Help", desk.show_about, "What this is, with all versions."
    )
