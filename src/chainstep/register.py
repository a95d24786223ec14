"""Which Values have become nodes of the recording, and what they are called."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chainstep import behaviour, graph, naming, slopes
from chainstep.anatomy import LABEL_NAMES, OP_NAMES, number, text_attribute
from chainstep.graph import Node
from chainstep.trace import Outcome, Status

if TYPE_CHECKING:
    from collections.abc import Container

    from chainstep.codec import Writer
    from chainstep.overlay import Creation
    from chainstep.tap import Tap


class LimitReached(BaseException):
    """The recording has grown to its limit. Not an Exception: no program shall swallow it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.outcome = Outcome(Status.TOO_LARGE, message)


class Register:
    """Gives Values their ids, in order of creation, and writes them as nodes.

    Args:
        writer: Takes the nodes and their names.
        tap: Knows how each Value came to be.
        limit: How many nodes the recording may hold.

    Attributes:
        keeps_new: Whether the Values of new nodes are to be held until somebody takes them.
    """

    def __init__(self, writer: Writer, tap: Tap, limit: int) -> None:
        self.nodes: list[Node] = []
        self._writer = writer
        self._tap = tap
        self._limit = limit
        self._labels: dict[int, str] = {}
        self._new: list[tuple[int, object]] = []
        self.keeps_new = False

    def node(self, obj: object) -> Node:
        """The recorded node of a Value; one that is met for the first time is recorded now."""
        created = self._tap.creation(obj)
        if created.node is None:
            self._register([obj])
        assert created.node is not None
        return self.nodes[created.node]

    def _below(self, root: object, known: Container[int] = ()) -> list[object]:
        """A Value and all it was made from, children before consumers; not past `known` serials."""
        creation = self._tap.creation
        objects = {creation(root).serial: root}

        def children(serial: int) -> list[int]:
            if serial in known:
                return []
            operands = self._tap.children(objects[serial])
            serials = [creation(operand).serial for operand in operands]
            objects.update(zip(serials, operands, strict=True))
            return serials

        return [objects[serial] for serial in graph.topological(creation(root).serial, children)]

    def capture(self, root: object, namespaces: list[dict[str, Any]]) -> dict[int, object]:
        """Record everything the root reaches and the program has a name for.

        Returns:
            What the root reaches, by node id, children before consumers.

        Raises:
            LimitReached: The recording would hold too many nodes; none of them is recorded.
        """
        self._tap.look_again()
        found = list(naming.find_names(namespaces, self._tap.is_value))
        below = self._below(root)
        behaviour.learn_backward(self._tap, below)
        self._register(below + [obj for _, obj in found])
        self.name(namespaces, found)
        return {self.node(obj).id: obj for obj in below}

    def _register(self, objects: list[object]) -> None:
        """Give ids, in order of creation, to Values and what they were made from."""
        new: dict[int, tuple[Creation, object]] = {}
        for start in objects:
            if self._tap.creation(start).node is not None:
                continue
            for obj in self._below(start, new):
                created = self._tap.creation(obj)
                if created.node is None:
                    new.setdefault(created.serial, (created, obj))
            if len(self.nodes) + len(new) > self._limit:
                raise LimitReached(
                    f"The graph has more than {self._limit:,} nodes. What was recorded before "
                    f"stays. Make the graph smaller, or raise the limit with --nodes."
                )
        ordered = [new[serial] for serial in sorted(new)]
        for place, (created, _) in enumerate(ordered, len(self.nodes)):
            created.node = place
        first = len(self.nodes)
        for created, obj in ordered:
            self.nodes.append(self._make_node(created, obj))
        self._writer.nodes(self.nodes[first:])
        if self.keeps_new:
            self._new += [(place, obj) for place, (_, obj) in enumerate(ordered, first)]

    def take_new(self) -> list[tuple[int, object]]:
        """The nodes that have been recorded since this was last asked, with their Values."""
        new, self._new = self._new, []
        return new

    def keep(self, namespaces: list[dict[str, Any]]) -> None:
        """Record what the program has a name for at its end, as far as there is room for it."""
        found = list(naming.find_names(namespaces, self._tap.is_value))
        with contextlib.suppress(LimitReached):
            self._register([obj for _, obj in found])
        self.name(namespaces, found)

    def _make_node(self, created: Creation, obj: object) -> Node:
        children = tuple(self._tap.creation(child).node for child in self._tap.children(obj))
        op = ""
        if children:
            op = text_attribute(obj, OP_NAMES) or slopes.context(self._tap, obj) or created.op
        if created.data != created.data and number(self._tap.raw_data(obj)) is None:
            kind = type(self._tap.raw_data(obj)).__name__
            where = f" made in line {created.line}" if created.line else ""
            self._writer.note(f"The data of a Value{where} is {kind}, not a number: shown as nan.")
        label = text_attribute(obj, LABEL_NAMES)
        constant = created.inner and not children and not label
        ids = tuple(child for child in children if child is not None)
        node = Node(
            created.node or 0, "", op, created.data, ids, created.line, constant, (), created.serial
        )
        self._labels[node.id] = label
        return self._with_name(node, ())

    def _with_name(self, node: Node, aliases: tuple[str, ...]) -> Node:
        """The node with the best name there is: label, variable, value, expression."""
        name = self._labels.get(node.id, "") or (aliases or ("",))[0]
        constant = node.constant and not aliases
        if not name and constant:
            name = naming.constant(node.data)
        if not name:
            # In a cycle, which a faulty class can make, an operand may come later.
            operands = [self.nodes[c].name for c in node.children if c < len(self.nodes)]
            name = naming.expression(node.op, operands)
        return replace(node, name=name, constant=constant, aliases=aliases)

    def name(
        self, namespaces: list[dict[str, Any]], found: list[tuple[str, object]] | None = None
    ) -> None:
        """Write the names that nodes have by now and did not have before."""
        if found is None:
            found = list(naming.find_names(namespaces, self._tap.is_value))
        aliases: dict[int, list[str]] = {}
        for path, obj in found:
            node_id = self._tap.creation(obj).node
            if node_id is not None:
                aliases.setdefault(node_id, []).append(path)
                self._labels[node_id] = text_attribute(obj, LABEL_NAMES)
        changed: list[Node] = []
        renamed: set[int] = set()
        for node in self.nodes:
            if node.id not in aliases and renamed.isdisjoint(node.children):
                continue
            new = self._with_name(node, tuple(aliases.get(node.id, node.aliases)))
            if new.name != node.name:
                renamed.add(node.id)
            if new != node:
                self.nodes[node.id] = new
                changed.append(new)
        if changed:
            self._writer.names((node.id, node.name, node.aliases) for node in changed)
