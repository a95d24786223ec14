"""What may be known of a recording at one place of it, where what is to come stays hidden.

Who predicts before the reveal must not find the answer anywhere. So nothing that shows a recording
is told to be silent: it is given a recording in which there is nothing to tell.
"""

from __future__ import annotations

from dataclasses import replace
from math import nan
from operator import is_
from typing import TYPE_CHECKING

from chainstep.arrival import first_passes
from chainstep.evidence import Evidence
from chainstep.trace import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.graph import Node
    from chainstep.trace import Mode, Recording, Trace


def horizon(
    recording: Recording,
    pass_index: int,
    steps: Mapping[Mode, int],
    unmade: frozenset[int] = frozenset(),
) -> Recording:
    """The recording without anything that comes after a place; itself where nothing does.

    Earlier passes are whole. This one has the steps so far, later ones have none, and all of them
    say how many steps are hidden. Data of nodes that do not exist yet is nan. What the program
    printed, how it ended and what else was seen of it may tell anything: it is left out.

    Args:
        recording: What was recorded.
        pass_index: The pass on show.
        steps: How many steps of it are over, by mode.
        unmade: Ids of the nodes of this pass that are not made yet.
    """
    traces = tuple(_until(trace, pass_index, steps) for trace in recording.traces)
    if not unmade and all(map(is_, traces, recording.traces)):
        return recording
    since = first_passes(recording)
    nodes = recording.nodes
    if unmade or pass_index < recording.passes - 1:
        nodes = tuple(
            blank if node.id in unmade or since.get(node.id, 0) > pass_index else node
            for node, blank in zip(nodes, _blanks(recording), strict=True)
        )
    known = replace(
        recording,
        nodes=nodes,
        traces=traces,
        output="",
        outcome=Outcome(Status.OK),
        after=(),
        evidence=Evidence(),
    )
    # The same nodes were reached first by the same passes: not to be found out again.
    vars(known)["_first_passes"] = since
    return known


def _blanks(recording: Recording) -> tuple[Node, ...]:
    """Every node without what it holds, made once and kept with the recording."""
    kept: tuple[Node, ...] | None = vars(recording).get("_blanks")
    if kept is None:
        kept = tuple(replace(node, data=nan) for node in recording.nodes)
        vars(recording)["_blanks"] = kept
    return kept


def _until(trace: Trace, pass_index: int, steps: Mapping[Mode, int]) -> Trace:
    if trace.pass_index < pass_index:
        return trace
    if trace.pass_index == pass_index:
        return trace.until(steps[trace.mode])
    # What it finds of earlier passes is to come as well.
    return replace(trace.until(0), initial=dict.fromkeys(trace.initial, 0.0), data={})
