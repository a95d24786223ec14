"""Every moment of a story as a row of a table, found by node and kind without delay.

Plain data, in words; :mod:`chainstep.ui.history_panel` shows it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.sorting import Act
from chainstep.story import Phase
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Sequence

    from chainstep.graph import Node
    from chainstep.story import Story
    from chainstep.trace import Recording, Step


class Sorts(Enum):
    """Which rows are shown."""

    ALL = "All steps"
    MADE = "Values made"
    SORTED = "Sort"
    CALLS = "Calls"
    WRITES = "Writes"
    OTHERS = "Seed and outside"


KINDS = {
    Kind.CALL: Sorts.CALLS,
    Kind.WRITE: Sorts.WRITES,
    Kind.SEED: Sorts.OTHERS,
    Kind.OUTSIDE: Sorts.OTHERS,
}

SIGNS = {Phase.FORWARD: "V", Phase.SORT: "S", Phase.BACKWARD: ""}
"""What stands before the number of a moment, to tell the phases apart."""

ACTS = {
    Act.VISIT: "visit {}",
    Act.ALREADY_VISITED: "{} already visited",
    Act.READY: "{} is ready",
    Act.WAITS: "{} waits",
    Act.APPEND: "append {}",
}


def called(node: Node) -> str:
    """What a node is called in a table."""
    return node.name or f"node {node.id}"


def matching(recording: Recording, text: str) -> frozenset[int] | None:
    """Ids of the nodes meant by what was typed; None where nothing was, which means every node.

    A name that is typed in full means just the nodes of that name; else any part of one counts.
    """
    text = text.strip()
    if not text:
        return None
    exact = {node.id for node in recording.nodes if text in (node.name, *node.aliases)}
    if exact:
        return frozenset(exact)
    part = text.casefold()
    return frozenset(node.id for node in recording.nodes if part in node.name.casefold())


class Chronicle:
    """The rows of one story: the positions right after each moment that is shown.

    Args:
        story: What is told.
        kind: Which moments are shown.
        nodes: Ids of the nodes that they have to be about; None for every node.
    """

    def __init__(
        self, story: Story, kind: Sorts = Sorts.ALL, nodes: frozenset[int] | None = None
    ) -> None:
        self.story = story
        self._names = story.recording.nodes
        if kind is Sorts.ALL and nodes is None:
            self.positions: Sequence[int] = range(1, story.known + 1)
        else:
            known = (place for place in self._found(kind, nodes) if place <= story.known)
            self.positions = array("i", known)

    def _found(self, kind: Sorts, nodes: frozenset[int] | None) -> Iterator[int]:
        story = self.story
        if kind in (Sorts.ALL, Sorts.MADE):
            start = story.bounds(Phase.FORWARD)[0] + 1
            yield from (
                place for place, node in enumerate(story.made, start) if _holds(nodes, node)
            )
        if kind in (Sorts.ALL, Sorts.SORTED) and story.sort is not None:
            sort, start = story.sort, story.bounds(Phase.SORT)[0] + 1
            yield from (
                start + number for number in range(len(sort)) if _holds(nodes, sort.node(number))
            )
        if kind not in (Sorts.MADE, Sorts.SORTED):
            yield from self._steps(kind, nodes)

    def _steps(self, kind: Sorts, nodes: frozenset[int] | None) -> Iterator[int]:
        start = self.story.bounds(Phase.BACKWARD)[0] + 1
        every = kind is Sorts.ALL
        for position, step in enumerate(self.story.trace.steps, start):
            if (every or KINDS[step.kind] is kind) and (
                nodes is None or step.node in nodes or step.target in nodes
            ):
                yield position

    def __len__(self) -> int:
        return len(self.positions)

    def row_of(self, position: int) -> int | None:
        """The row of a position, or of the last shown one before it; None where none is."""
        row = bisect_right(self.positions, position) - 1
        return row if row >= 0 else None

    def number(self, row: int) -> str:
        """What the row's moment is called: `V3` the third Value, `S3` of the sort, `3` a step."""
        position = self.positions[row]
        phase = self.story.phase_at(position)
        return f"{SIGNS[phase]}{position - self.story.bounds(phase)[0]}"

    def step(self, row: int) -> Step | None:
        """The step of a row; None for one before the backward phase."""
        return self.story.step(self.positions[row])

    def what(self, row: int) -> str:
        """What happens, in two or three words: `c = a + b`, `append c`, `c runs`, `c → a`."""
        moment = self.story.moment(self.positions[row])
        assert moment is not None
        if moment.phase is Phase.FORWARD:
            return f"{self._name(moment.node)} made"
        if moment.act is not None:
            return ACTS[moment.act].format(self._name(moment.node))
        step = self.step(row)
        assert step is not None
        if step.moves:
            return f"update {self._name(step.node)}"
        return {
            Kind.SEED: "seed {target}",
            Kind.CALL: "{node} runs",
            Kind.WRITE: "{node} → {target}",
            Kind.OUTSIDE: "outside → {target}",
        }[step.kind].format(node=self._name(step.node), target=self._name(step.target))

    def _name(self, node_id: int | None) -> str:
        return "" if node_id is None else called(self._names[node_id])


def _holds(nodes: Container[int] | None, node: int) -> bool:
    return nodes is None or node in nodes
