"""Gradients that were filled in by hand (CS4xx)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.diagnose.truth import gradients_from, slopes_to
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
            if node_id not in right or node_id == root or (told == 0 and _is_zeroing(case, step)):
                continue
            by_others = sum(
                slope * (given[user][1].after or 0.0)
                for user in case.consumers.get(node_id, ())
                if user in given
                for slope in slopes_to(case, user, node_id)
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


def _is_zeroing(case: Case, step: Step) -> bool:
    """Whether a 0 was written as a 0, and not computed."""
    value = getattr(case.syntax.statement(step.line), "value", None)
    return isinstance(value, ast.Constant)


def _is_class_code(case: Case, step: Step) -> bool:
    function = case.function(step.line, step.file)
    return function is not None and bool(function.owner)


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= HAND * max(abs(one), abs(other), 0.05)


RULES = (by_hand,)
