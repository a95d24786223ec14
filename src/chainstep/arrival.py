"""Which pass of a recording reached each node first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.graph import topological

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chainstep.trace import Recording


def first_passes(recording: Recording) -> Mapping[int, int]:
    """Which pass reached each node first, by node id; made once and kept with the recording.

    Nodes that no pass reached or wrote are left out. O(nodes + edges + steps).
    """
    kept: dict[int, int] | None = vars(recording).get("_first_passes")
    if kept is None:
        kept = vars(recording)["_first_passes"] = {}
        below: set[int] = set()

        def unseen(node_id: int) -> list[int]:
            return [n for n in recording.nodes[node_id].children if n not in below]

        for trace in recording.traces:
            reached = {*trace.initial, *trace.sequence}
            if trace.root not in below:
                new = topological(trace.root, unseen)
                below.update(new)
                reached.update(new)
            kept.update(dict.fromkeys(reached - kept.keys(), trace.pass_index))
    return kept


def nodes_by_first_pass(recording: Recording) -> Mapping[int, Sequence[int]]:
    """The nodes that each pass reached first, by its index; kept as :func:`first_passes` is."""
    kept: dict[int, list[int]] | None = vars(recording).get("_nodes_by_first_pass")
    if kept is None:
        kept = vars(recording)["_nodes_by_first_pass"] = {}
        for node, index in first_passes(recording).items():
            kept.setdefault(index, []).append(node)
    return kept
