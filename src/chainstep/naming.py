"""What the program calls its Values: variables, attributes, items of containers, expressions."""

from __future__ import annotations

import types
from collections import deque
from typing import TYPE_CHECKING, Any

from chainstep.figures import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

DEPTH = 6
"""How many containers deep a name may lead: `n.layers[0].neurons[2].w[0]` is 5."""

CONTAINERS = 20_000
"""How many items are looked at; a data set of floats must not hold up the run."""

BOOKKEEPING = frozenset(
    {
        "topo", "order", "visited", "seen", "stack", "queue", "nodes", "build_topo", "tape",
        "done", "topo_order", "sorted_nodes", "graph", "edges", "_", "In", "Out",
    }
)  # fmt: skip
"""Variables that hold Values for the sake of the algorithm: they are nobody's name."""

LONGEST_OPERAND = 14
"""Letters up to which an operand's own expression is written out in that of its consumer."""

OPAQUE = (
    str, bytes, bytearray, int, float, complex, type, types.ModuleType, types.FunctionType,
    types.MethodType, types.BuiltinFunctionType, types.GeneratorType, type(None),
)  # fmt: skip


def find_names(
    namespaces: Iterable[Mapping[str, Any]], is_value: Callable[[object], bool]
) -> Iterator[tuple[str, object]]:
    """Every path by which a Value can be reached, shortest first, as `(path, value)`.

    Looks into lists, tuples, dicts and plain objects; never into a Value itself. Asks nothing
    of the objects that could run their code.
    """
    queue: deque[tuple[str, object, int]] = deque()
    for namespace in namespaces:
        for name, thing in list(namespace.items()):
            if not name.startswith("__") and name not in BOOKKEEPING:
                queue.append((name, thing, 0))
    visited: set[int] = set()
    budget = CONTAINERS
    while queue and budget:
        path, thing, depth = queue.popleft()
        if is_value(thing):
            yield path, thing
        elif depth < DEPTH and not isinstance(thing, OPAQUE) and id(thing) not in visited:
            visited.add(id(thing))
            for part, item in _items(thing):
                if isinstance(item, (float, int, str)):
                    continue
                queue.append((path + part, item, depth + 1))
                budget -= 1
                if not budget:
                    break


def _items(thing: Any) -> Iterator[tuple[str, object]]:
    if isinstance(thing, dict):
        for key, item in list(dict.items(thing)):
            if isinstance(key, (str, int, float, bool)):
                yield f"[{key!r}]", item
    elif isinstance(thing, (list, tuple)):
        for place, item in enumerate(list(thing)):
            yield f"[{place}]", item
    elif type(thing).__name__ == "ndarray" and str(getattr(thing, "dtype", "")) == "object":
        for place, item in enumerate(thing.tolist()):
            yield f"[{place}]", item
    else:
        attributes = getattr(thing, "__dict__", None)
        if type(attributes) is dict:
            for name, item in list(attributes.items()):
                yield f".{name}", item


def expression(op: str, operands: list[str]) -> str:
    """A node's name from those of its operands: `x1*w1`, `tanh(n)`, `(…) + b`.

    Args:
        op: What made the node.
        operands: Names of its operands.
    """
    parts = [_operand(name) for name in operands]
    slots = len(parts)
    if not op:
        return "Value"
    if slots == 1 and op.startswith("**"):
        return f"{_grouped(parts[0])}{op}"
    if slots == 1 and op in {"-", "neg"}:
        return f"-{_grouped(parts[0])}"
    if slots == 2 and op in {"+", "-"}:
        return f"{parts[0]} {op} {_grouped(parts[1]) if op == '-' else parts[1]}"
    if slots == 2 and op in {"*", "/", "**"}:
        return f"{_grouped(parts[0])}{op}{_grouped(parts[1])}"
    return f"{op.lower()}({', '.join(parts[:3])}{', …' if len(parts) > 3 else ''})"


def _operand(name: str) -> str:
    return name if len(name) <= LONGEST_OPERAND else "(…)"


def _grouped(name: str) -> str:
    """An operand in brackets where it is a sum or begins with a sign."""
    needs = (" " in name or name.startswith("-")) and not name.startswith("(…)")
    return f"({name})" if needs else name


def constant(data: float) -> str:
    """The name of a constant: its value, without the `.0` of a whole number."""
    text = short(data)
    return text.removesuffix(".0")
