"""Where the keys of a debugger lead: to writes of one gradient, to a node, to breakpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.ledger import ledger

if TYPE_CHECKING:
    from chainstep.graph import Node
    from chainstep.ledger import Ledger
    from chainstep.ui.session import Session


def subject(session: Session) -> Node | None:
    """The node that the ledger is about: the selected one, else the one that is written.

    Where no gradient is written it is the node on show, and at the very beginning the root.
    """
    graph, pane, moment = session.graph, session.primary, session.moment
    if graph is None or pane is None:
        return None
    step = pane.stepper.current
    wanted = (
        session.selected,
        None if step is None else step.target,
        None if moment is None else moment.node,
        graph.root,
    )
    return next(graph.node(node) for node in wanted if node is not None and node in graph)


def accounts(session: Session) -> Ledger | None:
    """The accounts of the trace whose position the session's is."""
    return ledger(session.story.trace) if session.story is not None else None


def last_write(session: Session) -> int | None:
    """Where the gradient of the node was written that it has now, in the trace."""
    node, book = subject(session), accounts(session)
    if node is None or book is None:
        return None
    return book.last_write(node.id, session.backward_position)


def write_from(session: Session, forward: bool) -> int | None:
    """The next (or previous) write to the selected node's gradient, in the trace."""
    book = accounts(session)
    if session.selected is None or book is None:
        return None
    find = book.next_write if forward else book.previous_write
    return find(session.selected, session.backward_position)


def call_from(session: Session) -> int | None:
    """The next call of the selected node's `_backward`, in the story; None where none comes."""
    if session.selected is None or session.story is None:
        return None
    return session.story.next_call(session.selected, session.position)
