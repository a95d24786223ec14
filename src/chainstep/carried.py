"""Which gradients of a pass were left there by an earlier one, and by which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.explain import same
from chainstep.ledger import ledger
from chainstep.trace import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chainstep.trace import Recording, Trace


def holds(trace: Trace, node_id: int, position: int) -> bool:
    """Whether a gradient still holds, at a position, what was there before the pass."""
    lost_at = ledger(trace).opening_lost_at(node_id)
    return lost_at is None or lost_at > position


def origins(recording: Recording, pass_index: int) -> Mapping[int, int]:
    """The pass that last wrote each gradient that a pass, as written, finds not to be 0.

    Nodes whose gradient was set elsewhere since then are left out. Made once for all passes and
    kept with the recording, O(steps).

    Returns:
        Index of a pass, from 0, by node id.
    """
    kept: dict[int, dict[int, int]] | None = vars(recording).get("_origins")
    if kept is None:
        kept = vars(recording)["_origins"] = {}
        last: dict[int, tuple[int, float]] = {}
        for trace in recording.traces:
            if trace.mode is not Mode.AS_WRITTEN:
                continue
            kept[trace.pass_index] = {
                node: last[node][0]
                for node, gradient in trace.initial.items()
                if gradient != 0 and node in last and same(last[node][1], gradient)
            }
            written = {step.target for step in trace.steps if step.target is not None}
            last.update((node, (trace.pass_index, trace.final[node])) for node in written)
    return kept.get(pass_index, {})
