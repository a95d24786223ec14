"""Gradients that were filled in by hand (CS4xx)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.figures import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case
    from chainstep.finding import Finding
    from chainstep.trace import Step

HAND = 0.02
"""How far a gradient typed in by hand may be off, relatively: people round."""


def by_hand(case: Case) -> Iterator[Finding]:
    """Gradients that were filled in by hand and do not agree with the chain rule."""
    for each in case.passes:
        written = each.written
        if written is None or each.is_real:
            continue
        given: dict[int, tuple[int, Step]] = {}
        for number, step in enumerate(written.steps):
            if step.target is not None and not _is_class_code(case, step):
                given[step.target] = (number, step)
        ones = [i for i, (_, step) in given.items() if step.after == 1 and case.nodes[i].children]
        root = max(ones, default=None)
        if root is None:
            continue
        right = gradients_from(case, root)
        if right is None:
            continue
        for node_id in sorted(given, reverse=True):
            number, step = given[node_id]
            told = step.after or 0.0
            if node_id not in right or node_id == root or told == 0:
                continue
            by_others = sum(
                slope * (given[user][1].after or 0.0)
                for user in case.consumers.get(node_id, ())
                if user in given
                for slope in _slopes_to(case, user, node_id)
            )
            if _near(told, right[node_id]) or _near(told, by_others):
                continue
            place = Place(step.line, step.file)
            users = [i for i in case.consumers.get(node_id, ()) if i in right]
            paths = f" over {len(users)} paths, through {case.names(users)}" if users[1:] else ""
            yield case.find(
                "manual-gradient-wrong",
                f"The gradient of {case.name(node_id)} is set to {short(told)} by hand"
                f"{case.where(place)}; the chain rule gives {short(right[node_id])}{paths}.",
                "Add up one term per use of the node: local derivative times the gradient of the "
                "node that uses it.",
                place,
                at=(each.index, number),
                node=node_id,
            )


def _is_class_code(case: Case, step: Step) -> bool:
    function = case.function(step.line, step.file)
    return function is not None and bool(function.owner)


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= HAND * max(abs(one), abs(other), 0.05)


def _slopes_to(case: Case, user: int, node_id: int) -> list[float]:
    """Local derivatives of a node through every slot that holds another one."""
    slopes = _slopes_of(case, user)
    if slopes is None:
        return []
    pairs = zip(case.nodes[user].children, slopes, strict=False)
    return [slope for child, slope in pairs if child == node_id]


def _slopes_of(case: Case, node_id: int) -> tuple[float, ...] | None:
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
        slopes = _slopes_of(case, node_id)
        if slopes is None:
            return None
        for child, slope in zip(case.nodes[node_id].children, slopes, strict=True):
            if child >= node_id:
                return None
            gradients[child] = gradients.get(child, 0.0) + slope * gradients[node_id]
    return gradients


RULES = (by_hand,)
