"""Cards that were moved by hand: how far, kept by the names of their nodes."""

from __future__ import annotations

import json
from math import isfinite
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.errors import ChainstepError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chainstep.breakpoints import NodeName
    from chainstep.layout import Layout
    from chainstep.ui.on_show import OnShow

    Offsets = dict[tuple[bool, NodeName], tuple[float, float]]

MOST_UNDONE = 200
"""Moves that can be taken back."""


class Moves(QObject):
    """How far cards stand from where they stand by themselves, for each direction of the graph.

    Args:
        session: Whose graph it is.
    """

    changed = Signal()
    """Cards stand elsewhere."""

    def __init__(self, session: OnShow) -> None:
        super().__init__(session)
        self._session = session
        self._offsets: Offsets = {}
        self._before: list[Offsets] = []
        self._applied: tuple[Layout, object, object, Layout] | None = None

    @property
    def undoes(self) -> bool:
        """Whether there is a move to be taken back."""
        return bool(self._before)

    @property
    def any_here(self) -> bool:
        """Whether a card of the graph on show was moved."""
        layout = self._session.layout
        return layout is not None and bool(self.offsets(layout.downward))

    def offsets(self, downward: bool) -> Mapping[int, tuple[float, float]]:
        """How far each moved card is moved, by node id, where edges run in that direction."""
        story = self._session.story
        if story is None or not self._offsets:
            return {}
        found = (
            (name.find(story), offset)
            for (way, name), offset in self._offsets.items()
            if way is downward
        )
        return {node_id: offset for node_id, offset in found if node_id is not None}

    def layout(self, base: Layout) -> Layout:
        """A layout with the cards moved; itself where none is."""
        key = self._session.graph
        kept = self._applied
        if kept is not None and kept[0] is base and kept[1] is key and kept[2] is self._offsets:
            return kept[3]
        offsets = self.offsets(base.downward)
        result = base
        if offsets:
            from chainstep.rerouting import moved  # noqa: PLC0415  brings numpy: not at start

            result = moved(base, offsets)
        self._applied = base, key, self._offsets, result
        return result

    def move(self, nodes: Iterable[int], x: float, y: float) -> None:
        """Move the cards of some nodes, in scene units."""
        from chainstep.breakpoints import NodeName  # noqa: PLC0415  not at start

        recording, layout = self._session.recording, self._session.layout
        if recording is None or layout is None:
            return
        downward = layout.downward
        here = self.offsets(downward)
        offsets = dict(self._offsets)
        for node_id in nodes:
            before = here.get(node_id, (0.0, 0.0))
            name = NodeName.of(recording.nodes[node_id])
            offsets[downward, name] = before[0] + x, before[1] + y
        self._take(offsets)

    def undo(self) -> None:
        """Take back the last move, or the last reset."""
        if self._before:
            self._offsets = self._before.pop()
            self.changed.emit()

    def reset(self) -> None:
        """Let every card stand where it stands by itself, in this direction of the graph."""
        layout = self._session.layout
        downward = layout is not None and layout.downward
        self._take({key: value for key, value in self._offsets.items() if key[0] is not downward})

    def _take(self, offsets: Offsets) -> None:
        if offsets != self._offsets:
            self._before = [*self._before[-MOST_UNDONE:], self._offsets]
            self._offsets = offsets
            self.changed.emit()

    def forget(self) -> None:
        """Begin anew for another program; nothing is said of it."""
        self._offsets, self._before = {}, []

    def drop_lost(self) -> None:
        """Forget the nodes that a program which ran to its end makes no more, in any pass."""
        recording = self._session.recording
        if recording is None or not (self._offsets or self._before):
            return
        names = {name for node in recording.nodes for name in (node.name, *node.aliases)}
        states: list[Offsets] = []
        for offsets in (*self._before, self._offsets):
            kept = {key: at for key, at in offsets.items() if key[1].name in names}
            if not states or kept != states[-1]:
                states.append(kept)  # a move of lost nodes alone is nothing to take back
        if states != [*self._before, self._offsets]:
            *self._before, self._offsets = states
            self.changed.emit()

    # -- as text ------------------------------------------------------------------------

    def to_text(self) -> str:
        """All of it as JSON; empty where nothing was moved."""
        if not self._offsets:
            return ""
        moves = [
            {"node": name.to_data(), "downward": downward, "by": list(offset)}
            for (downward, name), offset in self._offsets.items()
        ]
        return json.dumps(moves, ensure_ascii=False)

    def take_text(self, text: str) -> None:
        """Take what :meth:`to_text` gave; an entry that makes no sense is left out."""
        try:
            data = json.loads(text) if text else []
        except (ValueError, RecursionError):
            data = []
        entries = data if isinstance(data, list) else []
        self._offsets = dict(filter(None, map(_entry, entries)))
        self._before = []
        self.changed.emit()


def _entry(data: object) -> tuple[tuple[bool, NodeName], tuple[float, float]] | None:
    """One kept move; None where it makes no sense."""
    from chainstep.breakpoints import NodeName  # noqa: PLC0415  not at start

    if not isinstance(data, dict):
        return None
    by = data.get("by")
    if not isinstance(by, list) or len(by) != 2:
        return None
    try:
        name = NodeName.from_data(data.get("node"))
        x, y = float(by[0]), float(by[1])
    except (ChainstepError, ValueError, TypeError):
        return None
    return ((data.get("downward") is True, name), (x, y)) if isfinite(x) and isfinite(y) else None
