"""What is said about a node when the mouse rests on it: everything, with every digit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.figures import full
from chainstep.sentence import joined

if TYPE_CHECKING:
    from chainstep.graph import Graph, Node
    from chainstep.ui.moment import Moment
    from chainstep.ui.sight import Sight
    from chainstep.visible import Visible


def hint(graph: Graph, moment: Moment | Sight, node_id: int) -> str:
    """Name, other names, op, line, and the numbers of one node, as lines of text."""
    node = graph.node(node_id)
    lines = [node.name or f"node {node_id}"]
    others = [alias for alias in node.aliases if alias != node.name]
    if others:
        lines.append(f"also {', '.join(others)}")
    lines.append(_origin(graph, node))
    if not moment.is_made(node_id):
        return "\n".join([*lines, "not made yet"])
    lines += [f"data = {full(moment.card(node).data)}", *moment.remark(node)]
    return "\n".join(lines)


def inside(visible: Visible, node_id: int) -> str:
    """Which other nodes a card stands for, as a line of text; empty where for none."""
    names = [visible.whole.node(n).name for n, card in visible.stands.items() if card == node_id]
    return f"stands for {', '.join(names)} too" if names else ""


def _origin(graph: Graph, node: Node) -> str:
    """`× of c and d, line 7`."""
    where = "" if node.line is None else f", line {node.line}"
    if not node.children:
        return f"{'constant' if node.constant else 'leaf'}{where}"
    names = [graph.node(n).name if n in graph else f"node {n}" for n in node.children]
    return f"{node.op or 'made'} of {joined(names, most=len(names))}{where}"
