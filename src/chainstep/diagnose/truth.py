"""The right gradients, by the chain rule over the recorded graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chainstep.diagnose.case import Case


def slopes_to(case: Case, user: int, node_id: int) -> list[float]:
    """Local derivatives of a node through every slot that holds another one."""
    slopes = slopes_of(case, user)
    if slopes is None:
        return []
    pairs = zip(case.nodes[user].children, slopes, strict=False)
    return [slope for child, slope in pairs if child == node_id]


def slopes_of(case: Case, node_id: int) -> tuple[float, ...] | None:
    """Local derivatives of a node: by the operation table, else as its own backward gives them."""
    found = case.table(case.nodes[node_id])
    if found is not None:
        return found
    slots: dict[int, float] = {}
    for each in case.passes:
        for step in each.clean.steps if each.clean is not None else ():
            if step.node == node_id and step.slot is not None and step.local is not None:
                slots[step.slot] = step.local
    children = case.nodes[node_id].children
    return tuple(slots[k] for k in range(len(children))) if len(slots) == len(children) else None


def gradients_from(case: Case, root: int) -> dict[int, float] | None:
    """The gradients of all that a root reaches, by the chain rule; None where a slope is unknown.

    Operands have smaller ids than what was made from them, unless there is a cycle.
    """
    gradients = {root: 1.0}
    for node_id in range(root, -1, -1):
        if node_id not in gradients or not case.nodes[node_id].children:
            continue
        slopes = slopes_of(case, node_id)
        if slopes is None:
            return None
        for child, slope in zip(case.nodes[node_id].children, slopes, strict=True):
            if child >= node_id:
                return None
            gradients[child] = gradients.get(child, 0.0) + slope * gradients[node_id]
    return gradients
