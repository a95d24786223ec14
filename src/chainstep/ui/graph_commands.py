"""The commands of the Graph menu: finding and moving nodes, and what is drawn of them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from chainstep.figures import full
from chainstep.story import Phase
from chainstep.ui.command import Command

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.ui.finder import Finder
    from chainstep.ui.refusals import Refusals
    from chainstep.ui.session import Session

MENU = "Graph"
NUDGE = 10.0
"""How far a key moves a card, in scene units."""


def node_commands(session: Session, finder: Finder, refusals: Refusals) -> Iterator[Command]:
    """Finding nodes, selecting them, and what is to be known of the selected one."""
    selection = session.selection
    yield Command(
        "find", "&Find a node…", MENU, finder.open, "Find a node by its name, op or #number.",
        ("Ctrl+F",), refusal=refusals.no_steps,
    )  # fmt: skip
    for by, id_, text, key in (
        (1, "find_next", "Find &next", "F3"),
        (-1, "find_previous", "Find &previous", "Shift+F3"),
    ):
        yield Command(
            id_, text, MENU, partial(finder.go, by), "Select another node that was found.", (key,),
            refusal=finder.why_not,
        )  # fmt: skip
    yield Command(
        "select_all_nodes", "Select &all nodes", MENU, selection.all,
        "Select every node; on the graph Ctrl+A does so too.", refusal=refusals.no_steps, line=True,
    )  # fmt: skip
    yield Command(
        "neighbourhood", "Where the &gradient comes from and goes to", MENU, selection.toggle_flow,
        "Light what the gradient of the selected node flows from and to, or no longer.",
        canvas_keys=("G",), refusal=partial(_no_flow, session, refusals),
        checked=lambda: selection.shows_flow,
    )  # fmt: skip
    for what, text, line in (("name", "Copy na&me", True), ("data", "Copy &data", False),
                             ("gradient", "Copy g&radient", False)):  # fmt: skip
        yield Command(
            f"copy_{what}", text, MENU, partial(_copy, session, what),
            f"Put the {what} of the selected node on the clipboard, with all digits.",
            refusal=partial(_not_copied, session, refusals, what), line=line,
        )  # fmt: skip


def move_commands(session: Session, refusals: Refusals) -> Iterator[Command]:
    """Moving the selected cards by hand."""
    for x, y, way in ((-1, 0, "Left"), (1, 0, "Right"), (0, -1, "Up"), (0, 1, "Down")):
        yield Command(
            f"nudge_{way.lower()}", f"&{way}", f"{MENU}/Move selected cards",
            partial(_nudge, session, x * NUDGE, y * NUDGE),
            "Move the cards of the selected nodes a little.", canvas_keys=(f"Ctrl+{way}",),
            refusal=refusals.no_selection,
        )  # fmt: skip
    yield Command(
        "undo_move", "&Undo move", MENU, session.moves.undo,
        "Put cards back to where they stood before the last move.", canvas_keys=("U",),
        refusal=lambda: "" if session.moves.undoes else "No card was moved.",
    )  # fmt: skip
    yield Command(
        "reset_positions", "R&eset positions", MENU, session.moves.reset,
        "Let every card stand where it stands by itself.", canvas_keys=("Shift+U",),
        refusal=lambda: "" if session.moves.any_here else "Every card stands in its own place.",
    )  # fmt: skip


def _nudge(session: Session, x: float, y: float) -> None:
    visible = session.visible
    if visible is not None:
        nodes = dict.fromkeys(map(visible.card_of, session.selection.nodes))
        session.moves.move(nodes, x, y)


def _no_flow(session: Session, refusals: Refusals) -> str:
    """Why no neighbourhood can be lit; one that is lit can always be put out."""
    return "" if session.selection.shows_flow else refusals.no_selection()


def _copy(session: Session, what: str) -> None:
    QGuiApplication.clipboard().setText(_copied(session, what))


def _copied(session: Session, what: str) -> str:
    """The name, the data or the gradient of the selected node, as it stands on its card."""
    graph, pane, selected = session.graph, session.primary, session.selected
    if graph is None or pane is None or selected is None:
        return ""
    node = graph.node(selected)
    if what == "name":
        return node.name or f"node {node.id}"
    if what == "data":
        return full(pane.stepper.data(node))
    return full(pane.stepper.gradients[node.id])


def _not_copied(session: Session, refusals: Refusals, what: str) -> str:
    """Why that cannot be copied; empty where it can."""
    refusal = refusals.no_selection()
    pane, selected = session.primary, session.selected
    if refusal or pane is None or selected is None:
        return refusal
    if what == "data" and not session.is_made(selected):
        return "The selected node has not been made yet."
    if what == "gradient":
        untouched = pane.stepper.state(selected).untouched and not pane.stepper.gradients[selected]
        if session.phase is not Phase.BACKWARD or untouched:
            return "The selected node has no gradient yet."
    return ""


def choice_commands(session: Session, refusals: Refusals) -> Iterator[Command]:
    """What is drawn: constants, helper nodes, and in which direction."""
    for name, id_, text, key, help_ in (
        ("hides_constants", "hide_constants", "&Hide constants", "C",
         "Leave out leaves without a name of their own, such as the 1 in 2*x + 1."),
        ("folds", "fold_helpers", "F&old a - b and a / b", "O",
         "Show one card for a - b and for a / b, which are three nodes and two."),
    ):  # fmt: skip
        yield Command(
            id_, text, MENU, partial(_toggle, session, name), help_, canvas_keys=(key,),
            refusal=refusals.no_folding, checked=partial(_has, session, name),
            line=id_ == "hide_constants",
        )  # fmt: skip
    for downward, id_, text, help_ in (
        (False, "left_to_right", "&Left to right", "Leaves on the left, the root on the right."),
        (True, "top_down", "&Top down", "Leaves at the top, the root at the bottom."),
    ):
        yield Command(
            id_, text, MENU, partial(_turn, session, downward), help_,
            canvas_keys=("T",) if downward else ("Shift+T",), refusal=refusals.no_drawing,
            checked=partial(_runs, session, downward), group="direction", line=not downward,
        )  # fmt: skip


def _toggle(session: Session, name: str) -> None:
    session.set_choices(replace(session.choices, **{name: not _has(session, name)}))


def _has(session: Session, name: str) -> bool:
    return bool(getattr(session.choices, name))


def _turn(session: Session, downward: bool) -> None:
    session.set_choices(replace(session.choices, downward=downward))


def _runs(session: Session, downward: bool) -> bool:
    return session.choices.downward is downward
