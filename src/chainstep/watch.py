"""The watch list: nodes kept by name, with their gradients in every mode at a position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from chainstep.breakpoints import NodeName
    from chainstep.stepper import State, Stepper
    from chainstep.story import Story
    from chainstep.trace import Mode


@dataclass(frozen=True, slots=True)
class Watched:
    """One entry of the watch list, at a position.

    Attributes:
        name: The node as it is kept.
        node: Its id in this pass; None where the pass has no such node.
        data: Its data; None without a node.
        gradients: Its gradient in each mode.
        states: How much of it has arrived in each mode.
    """

    name: NodeName
    node: int | None
    data: float | None
    gradients: Mapping[Mode, float]
    states: Mapping[Mode, State]


def watched(
    names: Iterable[NodeName], story: Story, steppers: Mapping[Mode, Stepper]
) -> tuple[Watched, ...]:
    """What the watch list shows where the steppers stand. O(names).

    Args:
        names: The nodes on it.
        story: The pass in which they are looked up.
        steppers: The gradients of that pass, in every mode that is to be shown.
    """
    return tuple(_watched(name, name.find(story), story, steppers) for name in names)


def _watched(
    name: NodeName, node: int | None, story: Story, steppers: Mapping[Mode, Stepper]
) -> Watched:
    if node is None:
        return Watched(name, None, None, {}, {})
    data = story.trace.data.get(node, story.recording.nodes[node].data)
    gradients = {mode: stepper.gradients[node] for mode, stepper in steppers.items()}
    states = {mode: stepper.state(node) for mode, stepper in steppers.items()}
    return Watched(name, node, data, gradients, states)
