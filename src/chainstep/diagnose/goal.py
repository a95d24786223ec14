"""Whether the root of a pass is something to be made small: a loss, or something to climb."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from chainstep.diagnose.case import same

if TYPE_CHECKING:
    from chainstep.diagnose.case import Case

LOSS = re.compile(
    r"loss|cost|err|mse|mae|nll|residual|penalty|diff|mismatch|badness|entropy|\bxent|energy",
    re.IGNORECASE,
)
GOAL = re.compile(
    r"score|reward|gain|profit|utility|likelihood|logp|log_prob|objective|fitness|return|benefit"
    r"|revenue|height|hill|value_fn|elbo|payoff|quality",
    re.IGNORECASE,
)
STEPS = 2
"""Updates in one direction after which a root that is built like a loss is taken for one."""


def is_loss(case: Case, root: int, steps: int) -> bool:
    """Whether a root is to be made small, by its names, else by how it is built.

    Args:
        case: The recording.
        root: Id of the root.
        steps: After how many passes its parameters were updated.
    """
    node = case.nodes[root]
    names = " ".join((node.name, *node.aliases))
    if GOAL.search(names):
        return False
    return bool(LOSS.search(names)) or (steps >= STEPS and _is_built_like_a_loss(case, root))


def _is_built_like_a_loss(case: Case, root: int) -> bool:
    """Whether a root is a sum, mean or multiple of squares and of what is never negative."""
    stack, squares = [(root, 0)], 0
    while stack:
        node_id, depth = stack.pop()
        node = case.nodes[node_id]
        if depth > 400:
            return False
        kids = node.children
        if _is_square(case, node_id) or node.op.lower() in {"abs", "relu"}:
            squares += 1
        elif node.op in {"+", "add"}:
            stack += [(child, depth + 1) for child in kids]
        elif node.op in {"*", "mul", "/", "div"} and kids:
            constants = [i for i in kids if not case.nodes[i].children]
            if not constants or any(case.nodes[i].data < 0 for i in constants):
                return False
            stack += [(child, depth + 1) for child in kids if case.nodes[child].children]
        elif kids or node.data < 0:
            return False
    return squares > 0


def _is_square(case: Case, node_id: int) -> bool:
    node = case.nodes[node_id]
    if node.op in {"**2", "**2.0", "square", "pow2"}:
        return True
    if node.op in {"**", "pow"} and len(node.children) == 2:
        return case.nodes[node.children[1]].data == 2
    if len(node.children) == 1 and node.op in {"**", "pow", "pow_"}:
        return same(node.data, case.nodes[node.children[0]].data ** 2)
    return node.op in {"*", "mul"} and len(node.children) == 2 and len(set(node.children)) == 1
