"""What a pane shows before the backward phase: Values being made, then the topological sort.

No gradient is on show there: every node stores its `_backward`, and none has run.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chainstep.graph import Edge
from chainstep.sorting import Act
from chainstep.ui.moment import FEW, Card, Moment, Tone

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chainstep.graph import Node
    from chainstep.sorting import Sort
    from chainstep.story import Story

BACKWARD = "_backward"
"""What stands in the place of `grad`."""
STORED = "stored"
"""What stands in the place of a gradient; of a leaf, whose `_backward` does nothing, this:"""
NOTHING = "nothing"
DEEPEST = 64
"""Calls of `build_topo` around the running one that are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Early(Moment):
    """A moment before the backward phase.

    Attributes:
        story: The pass.
        over: How many moments of the phase are over.
    """

    story: Story
    over: int

    @property
    def number(self) -> int:
        """How many moments of the phase are over."""
        return self.over

    @property
    def failed(self) -> int | None:
        """Nothing has run, so nothing has failed."""
        return None

    def card(self, node: Node) -> Card:
        """What a node's card says."""
        tone = self.tone(node.id)
        new = self.story.place_of(node.id) is not None
        data = node.data if new else self.stepper.trace.data.get(node.id, node.data)
        return Card(
            node=node,
            tone=tone,
            word=self._word(node.id, tone),
            data=data,
            gradient=None,
            absent=STORED if node.children else NOTHING,
            lost=None,
            lost_now=False,
            differs=False,
            tried=node.id in self.tried,
            label=BACKWARD,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Making(Early):
    """Values are being made.

    Attributes:
        edge_places: Position at which each edge of the drawing comes to be.
    """

    edge_places: NDArray[np.int64] = field(repr=False, compare=False)

    @property
    def now(self) -> int | None:
        """Id of the node that has just been made."""
        return self.story.made[self.over - 1] if self.over else None

    @property
    def flows(self) -> Sequence[Edge]:
        """From the operands to the node that has just been made."""
        now = self.now
        if now is None:
            return ()
        children = self.story.recording.nodes[now].children
        return [Edge(child, now, slot) for slot, child in enumerate(children)]

    def is_made(self, node_id: int) -> bool:
        """Whether a node exists yet."""
        return self.story.is_made(node_id, self.over)

    def hidden(self) -> NDArray[np.bool_] | None:
        """The edges to nodes that do not exist yet."""
        hidden: NDArray[np.bool_] = self.edge_places > self.over
        return hidden

    def changed(self, number: int) -> Iterable[int] | None:
        """The nodes that are made between the two."""
        low, high = sorted((number, self.over))
        return None if high - low > FEW else self.story.made[low:high]

    def active(self) -> tuple[int, ...]:
        """The node that has just been made."""
        return () if self.now is None else (self.now,)

    def tone(self, node_id: int) -> Tone:
        """How a node's card looks."""
        if node_id == self.now:
            return Tone.NOW
        return Tone.MADE if self.is_made(node_id) else Tone.GHOST

    def _word(self, _node_id: int, tone: Tone) -> str:
        return "now" if tone is Tone.NOW else ""

    def remark(self, node: Node) -> Sequence[str]:
        """That nothing runs yet."""
        return _stored(node)


class Visits:
    """Which moments of a sort are about each node, and through which slots they come.

    Made once per story, O(moments).
    """

    def __init__(self, sort: Sort, nodes: Sequence[Node]) -> None:
        self._sort = sort
        self._moments: dict[int, array[int]] = {}
        self._slots = array("i")
        used: dict[tuple[int, int], int] = {}
        for moment in range(len(sort)):
            act, node, asker = sort.act(moment), sort.node(moment), sort.asker(moment)
            if act is Act.APPEND or asker is None:
                self._slots.append(-1)
            else:
                # A node that is an operand twice is met twice: once through each slot.
                before = used.get((asker, node), -1)
                slot = _slot(nodes[asker].children, node, before + 1)
                used[asker, node] = slot
                self._slots.append(slot)
            if act is not Act.ALREADY_VISITED:
                self._moments.setdefault(node, array("i")).append(moment)

    def last(self, node_id: int, moments: int) -> int | None:
        """The last moment but meetings again, of so many, that was about a node."""
        found = self._moments.get(node_id, ())
        at = bisect_left(found, moments)
        return found[at - 1] if at else None

    def edge(self, moment: int) -> Edge | None:
        """The edge through which the node of a moment is met; None where it is through none."""
        asker = self._sort.asker(moment)
        if asker is None or self._slots[moment] < 0:
            return None
        return Edge(self._sort.node(moment), asker, self._slots[moment])

    def way(self, node_id: int, moments: int) -> Edge | None:
        """The edge through which a node was first met."""
        found = self._moments.get(node_id)
        return self.edge(found[0]) if found and found[0] < moments else None


def _slot(children: Sequence[int], node: int, start: int) -> int:
    """The first slot from `start` on that holds a node; -1 where none does."""
    return next((n for n in range(start, len(children)) if children[n] == node), -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sorting(Early):
    """The topological sort is on.

    Attributes:
        visits: The moments of each node.
    """

    visits: Visits = field(repr=False, compare=False)

    @property
    def _sort(self) -> Sort:
        assert self.story.sort is not None
        return self.story.sort

    @property
    def act(self) -> Act | None:
        """What the sort has just done; None before it begins."""
        return self._sort.act(self.over - 1) if self.over else None

    @property
    def now(self) -> int | None:
        """Id of the node that it did that with."""
        return self._sort.node(self.over - 1) if self.over else None

    @property
    def arrow(self) -> Edge | None:
        """The edge on which the node is met."""
        return self.visits.edge(self.over - 1) if self.over else None

    @property
    def path(self) -> Sequence[Edge]:
        """The edges by which the recursion came to the call that is running."""
        nodes = self._sort.stack(self.over)[-DEEPEST:]
        ways = (self.visits.way(node, self.over) for node in nodes)
        return [edge for edge in ways if edge is not None and edge != self.arrow]

    def changed(self, number: int) -> Iterable[int] | None:
        """The nodes that the moments between the two are about."""
        low, high = sorted((number, self.over))
        if high - low > FEW:
            return None
        return [self._sort.node(moment) for moment in range(low, high)]

    def active(self) -> tuple[int, ...]:
        """The node of the moment, and the consumer by way of which it is met."""
        found = (self.now, self._sort.asker(self.over - 1) if self.over else None)
        return tuple(node_id for node_id in found if node_id is not None)

    def tone(self, node_id: int) -> Tone:
        """How a node's card looks."""
        if node_id == self.now:
            return Tone.NOW
        last = self.visits.last(node_id, self.over)
        if last is None:
            return Tone.MADE
        return Tone.LISTED if self._sort.act(last) is Act.APPEND else Tone.OPEN

    def _word(self, node_id: int, tone: Tone) -> str:
        if tone is Tone.MADE:
            return ""
        if tone is Tone.NOW and self.act is not Act.APPEND:
            assert self.act is not None
            waits = f"waits · {self._sort.waiting(self.over - 1)}"
            return {
                Act.VISIT: "visit",
                Act.ALREADY_VISITED: "been here",
                Act.READY: "ready",
                Act.WAITS: waits,
            }[self.act]
        if tone in (Tone.NOW, Tone.LISTED):
            return f"no. {self.story.place_on_list(node_id) + 1}"
        last = self.visits.last(node_id, self.over)
        assert last is not None
        if self._sort.recursive:
            return "visiting"
        waiting = self._sort.waiting(last)
        return f"waits · {waiting}" if waiting else "ready"

    def remark(self, node: Node) -> Sequence[str]:
        """How far the sort is with a node, and that nothing runs yet."""
        last = self.visits.last(node.id, self.over)
        if last is None:
            said = "not met by the sort yet"
        elif self._sort.act(last) is Act.APPEND:
            said = f"number {self.story.place_on_list(node.id) + 1} on the sorted list"
        elif self._sort.recursive:
            said = "its visit waits for its children"
        elif self._sort.waiting(last):
            said = f"waits for {self._sort.waiting(last)} more of its uses"
        else:
            said = "ready to be appended"
        return [said, *_stored(node)]


def _stored(node: Node) -> Sequence[str]:
    if not node.children:
        return ["its _backward does nothing"]
    return ["its _backward is stored and has not run"]
