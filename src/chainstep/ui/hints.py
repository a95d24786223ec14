"""What is said about a node when the mouse rests on it: everything, with every digit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.figures import full

if TYPE_CHECKING:
    from chainstep.graph import Graph, Node
    from chainstep.ui.moment import Moment


def hint(graph: Graph, moment: Moment, node_id: int) -> str:
    """Name, other names, op, line, and the numbers of one node, as lines of text."""
    node = graph.node(node_id)
    lines = [node.name or f"node {node_id}"]
    others = [alias for alias in node.aliases if alias != node.name]
    if others:
        lines.append(f"also {', '.join(others)}")
    lines += [_origin(graph, node), f"data = {full(moment.card(node).data)}"]
    lines += _gradient(moment, node)
    return "\n".join(lines)


def _origin(graph: Graph, node: Node) -> str:
    """`× of c and d, line 7`."""
    where = "" if node.line is None else f", line {node.line}"
    if not node.children:
        return f"{'constant' if node.constant else 'leaf'}{where}"
    names = [graph.node(n).name if n in graph else f"node {n}" for n in node.children]
    listed = " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), names[-1]])
    return f"{node.op or 'made'} of {listed}{where}"


def _gradient(moment: Moment, node: Node) -> list[str]:
    """Its gradient, how much of it has come, and what was lost of it."""
    card = moment.card(node)
    state = moment.stepper.state(node.id)
    if card.gradient is None:
        return [f"grad: {card.absent}"]
    share = "left over from before" if state.untouched else f"{state.done} of {state.total}"
    share = "final" if state.final else share
    lines = [f"grad = {full(card.gradient)} ({share})"]
    if card.lost is not None:
        lines.append(f"{full(card.lost)} was lost when = stored the last contribution")
    if card.differs:
        lines.append("differs between += and =")
    return lines
