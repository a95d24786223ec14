"""PyTorch's opinion on a recorded graph: rebuilt from its ops in double precision."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from chainstep.differences import table_operation
from chainstep.errors import EnvironmentFault
from chainstep.graph import topological

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chainstep.graph import Graph, Node


def is_installed() -> bool:
    """Whether there is a PyTorch to ask. Does not load it."""
    return importlib.util.find_spec("torch") is not None


def gradients(graph: Graph, data: Mapping[int, float]) -> dict[int, float]:
    """The gradient of the root in every node that the root reaches, by id.

    A node whose op the table does not know counts as a leaf, and what is below it is left out
    or incomplete: see :attr:`chainstep.differences.Calculation.reliable`. Loads PyTorch, which
    takes a second or more the first time.

    Raises:
        EnvironmentFault: PyTorch does not load.
    """
    torch = _load()
    operations = _operations(torch)
    children = {
        node.id: tuple(child for child in node.children if child in graph) for node in graph.nodes
    }
    tensors: dict[int, Any] = {}
    with torch.enable_grad():
        for node_id in topological(graph.root, children.__getitem__):
            node = graph.node(node_id)
            operands = [tensors.get(child) for child in node.children]
            operation = _operation(node, operations)
            if operation is None or any(operand is None for operand in operands):
                tensors[node_id] = torch.tensor(
                    data[node_id], dtype=torch.float64, requires_grad=True
                )
            else:
                tensors[node_id] = operation(*operands)
                tensors[node_id].retain_grad()
        root = tensors[graph.root]
        root.backward()
    return {
        node_id: 0.0 if tensor.grad is None else float(tensor.grad)
        for node_id, tensor in tensors.items()
    }


def _load() -> Any:
    try:
        return importlib.import_module("torch")
    except (ImportError, OSError) as error:
        raise EnvironmentFault(
            f"PyTorch cannot be loaded ({error}). Install it with pip install torch, "
            "or leave out --torch."
        ) from error


def _operations(torch: Any) -> Mapping[str, Callable[..., Any]]:
    return {
        "+": torch.add,
        "-": torch.sub,
        "neg": torch.neg,
        "*": torch.mul,
        "/": torch.div,
        "**": torch.pow,
        "ReLU": torch.relu,
        "tanh": torch.tanh,
        "exp": torch.exp,
        "log": torch.log,
        "sigmoid": torch.sigmoid,
        "abs": torch.abs,
        "sqrt": torch.sqrt,
        "sin": torch.sin,
        "cos": torch.cos,
    }


def _operation(
    node: Node, operations: Mapping[str, Callable[..., Any]]
) -> Callable[..., Any] | None:
    """What PyTorch does for a node's op; None where the table does not know it."""
    row = table_operation(node)
    if row is None:
        return None
    known = operations.get(row.symbol)
    if known is not None:
        return known
    exponent = float(row.symbol.removeprefix("**"))
    return lambda base: operations["**"](base, exponent)
