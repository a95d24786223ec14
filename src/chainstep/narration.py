"""Any moment of a story in words: how a Value is made, what the sort does, what a step does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.explain import Explanation, explain, named, same
from chainstep.figures import relation, short
from chainstep.formula import PLAIN_NAME, bracketed, called
from chainstep.sentence import joined
from chainstep.sorting import Act
from chainstep.story import Phase
from chainstep.trace import Order

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chainstep.graph import Node
    from chainstep.story import Moment, Story
    from chainstep.trace import Trace

MOST_LISTED = 6
"""Nodes at the end of the sorted list that are named."""
INFIX = frozenset({"+", "-", "*", "/", "**"})
OWN_ORDER = (
    "The program keeps operands in an order of its own, such as that of a set: it may change."
)
CLOSE = 1e-9
"""Relative difference up to which a Value's data are taken to be what its op computes."""


def narrate(story: Story, position: int, beside: Trace | None = None) -> Explanation:
    """Say what the moment before a position did, in whichever phase it is.

    Args:
        story: The pass to speak of.
        position: Number of moments that are over; one beyond an end counts as that end.
        beside: The same pass in the other mode, for the backward phase; see `explain`.
    """
    moment = story.moment(position)
    if moment is not None and moment.phase is Phase.BACKWARD:
        return explain(story.recording, story.trace, story.backward_position(position), beside)
    start = story.bounds(Phase.BACKWARD)[0]
    narrator = _Narrator(story)
    if moment is None:
        if start == 0:
            return explain(story.recording, story.trace, 0, beside)
        return narrator.beginning()
    told = narrator.made(moment) if moment.act is None else narrator.sorted(moment, position)
    over = narrator.boundary(position)
    if not over:
        return told
    return Explanation(told.title, (*told.sentences[:2], over), told.symbols, told.numbers)


def begin(story: Story, phase: Phase, beside: Trace | None = None) -> Explanation:
    """Say what the beginning of a phase shows, before its first moment.

    Args:
        story: The pass to speak of.
        phase: One in which something happens, or the backward phase.
        beside: The same pass in the other mode; see `explain`.
    """
    if phase is Phase.BACKWARD:
        return explain(story.recording, story.trace, 0, beside)
    narrator = _Narrator(story)
    return narrator.beginning() if phase is Phase.FORWARD else narrator.before_sort()


class _Narrator:
    """Everything that can be said about the moments before the backward phase."""

    def __init__(self, story: Story) -> None:
        self.story = story
        self.nodes = story.recording.nodes

    def name(self, node_id: int) -> str:
        return named(self.nodes[node_id])

    def names(self, node_ids: Sequence[int]) -> str:
        return joined(list(dict.fromkeys(map(self.name, node_ids))))

    # -- the ends of the phases ---------------------------------------------------------

    def beginning(self) -> Explanation:
        """Position 0, where something comes before the backward phase."""
        story = self.story
        if not story.made:
            return self.before_sort()
        count = _counted(len(story.made), "Value")
        sentences = [
            f"The forward phase comes first: {count} will be made, each with its data.",
            "Each one also stores a _backward for later. None runs yet.",
        ]
        if story.existing:
            there = "exists" if story.existing == 1 else "exist"
            sentences.append(
                f"{_counted(story.existing, 'node')} of this pass {there} already: "
                "an earlier pass reached them."
            )
        return Explanation("Before the first Value is made", (*sentences,))

    def before_sort(self) -> Explanation:
        """The beginning of the sort."""
        story = self.story
        assert story.sort is not None
        root = self.name(story.trace.root)
        if not story.made:
            first = "All nodes exist already: an earlier pass reached them."
        else:
            first = "Every node must run after all its consumers: backward needs such an order."
        if story.sort.recursive:
            second = f"The sort begins at the root {root}: build_topo({root}) visits what made it."
        else:
            second = f"The sort begins at the root {root}, which has no consumers."
        return Explanation("Before the sort", (first, second), "topo = []")

    def boundary(self, position: int) -> str:
        """What to add where a phase ends; empty elsewhere."""
        start, end = self.story.bounds(Phase.SORT)
        if position == end > start:
            return self._complete()
        if position == start:
            return f"All Values of this pass are made. {self._what_follows()}"
        return ""

    def _complete(self) -> str:
        story = self.story
        assert story.sort is not None
        recursive = story.sort.recursive
        order = [*reversed(story.sort.listed)] if recursive else [*story.sort.listed]
        way = " from its end" if recursive else " from its start"
        return f"The list is complete. Backward runs it{way}: {self.names(order)}."

    def _what_follows(self) -> str:
        if self.story.sort is not None:
            return "The sort comes next."
        if self.story.trace.order is Order.RECURSIVE:
            return "Nothing is sorted in this order: backward comes next."
        return "The program did not run them in a sorted order that is known: backward comes next."

    # -- forward ------------------------------------------------------------------------

    def made(self, moment: Moment) -> Explanation:
        """A Value is made."""
        assert moment.node is not None
        node = self.nodes[moment.node]
        name = self.name(node.id)
        where = f" in line {node.line}" if node.line is not None else ""
        if not node.children:
            return self._leaf(node, name, where)
        symbols, numbers, sign = self._expression(node)
        is_named = bool(PLAIN_NAME.fullmatch(called(node)))
        what = f"{name} = {symbols}" if is_named and symbols else symbols or name
        data = short(node.data)
        result = f": {numbers} {sign} {data}" if numbers else f". Its data is {data}"
        passes_on = f"it will pass a gradient on to {self.names(node.children)}"
        return Explanation(
            f"{name} is made",
            (
                f"{what} is made{where}{result}.",
                f"Its _backward is stored, not run: {passes_on}.",
            ),
            f"{name} = {symbols}" if symbols else "",
            f"{data} {sign} {numbers}" if numbers else "",
        )

    def _leaf(self, node: Node, name: str, where: str) -> Explanation:
        data = short(node.data)
        if node.constant:
            first = f"The number {data} is wrapped as a constant{where}, to stand in the graph."
        else:
            first = f"{name} is made{where}: a leaf with data {data}."
        return Explanation(
            f"{name} is made",
            (first, "It has no children, so there is nothing for its _backward to do."),
            f"{name} = {data}" if name != data else "",
        )

    def _expression(self, node: Node) -> tuple[str, str, str]:
        """`a + b`, `2.0 + 3.0` and `=`; the second empty where that is not what its data are."""
        symbols = _applied(node.op, [self.name(child) for child in node.children])
        operation = calculus.find(node.op)
        if operation is None or operation.arity != len(node.children):
            return symbols, "", "="
        # What a leaf held when this was made is not kept: one of these two, or neither.
        for data_of in (self._data, self._later_data):
            data = [data_of(child) for child in node.children]
            if _close(operation.forward, data, node.data):
                written = [short(value) for value in data]
                terms = [written] if operation.symbol == "*" else zip(written, strict=True)
                is_worked = operation.symbol in {"+", "*"}
                sign = relation(short(node.data), terms) if is_worked else "="
                return symbols, _applied(node.op, written), sign
        return symbols, "", "="

    def _data(self, node_id: int) -> float:
        return self.nodes[node_id].data

    def _later_data(self, node_id: int) -> float:
        return self.story.trace.data.get(node_id, self._data(node_id))

    # -- sort ---------------------------------------------------------------------------

    def sorted(self, moment: Moment, position: int) -> Explanation:
        """A moment of the sort."""
        assert moment.node is not None
        tell: dict[Act, Callable[[Moment, int], tuple[str, tuple[str, ...]]]] = {
            Act.VISIT: self._visit,
            Act.ALREADY_VISITED: self._already_visited,
            Act.READY: self._ready,
            Act.WAITS: self._waits,
            Act.APPEND: self._append,
        }
        assert moment.act is not None
        title, sentences = tell[moment.act](moment, moment.node)
        return Explanation(title, sentences, self._list(position))

    def _list(self, position: int) -> str:
        """`topo = [a, b, c]`, of a long list its end."""
        on_it = self.story.listed(position)
        shown = [called(self.nodes[node]) for node in on_it[-MOST_LISTED:]]
        left_out = ["…"] if len(on_it) > len(shown) else []
        return f"topo = [{', '.join(left_out + shown)}]"

    def _visit(self, moment: Moment, node: int) -> tuple[str, tuple[str, ...]]:
        name, children = self.name(node), self.story.operands(node)
        if children:
            first = f"build_topo visits {name}: not seen before, so its children come first."
            second = f"Next come {self.names(children)}, each by a call of build_topo."
            if len(set(children)) == 1:
                second = f"Next comes {self.names(children)}, by a call of build_topo."
        else:
            first = f"build_topo visits {name}: not seen before, and it has no children."
            second = "So it can be appended at once."
        if moment.asker is None:
            own = () if self.story.takes_as_written else (OWN_ORDER,)
            return f"build_topo begins at the root {name}", (first, second, *own)
        around = _counted(moment.depth, "call")
        waiting = "waits" if moment.depth == 1 else "wait"
        child = f"it is a child of {self.name(moment.asker)}"
        third = f"{around} of build_topo {waiting} for this one; {child}."
        return f"build_topo visits {name}", (first, second, third)

    def _already_visited(self, moment: Moment, node: int) -> tuple[str, tuple[str, ...]]:
        name = self.name(node)
        assert moment.asker is not None
        sentences = [f"{name} is already visited: nothing to do."]
        if self._place(node) < moment.listed:
            sentences.append(
                f"{self.name(moment.asker)} uses it too, and it is on the list before."
            )
        else:
            sentences.append(f"Its own visit is not over: {name} is made from itself, in a circle.")
        return f"{name} is already visited", (*sentences,)

    def _append(self, moment: Moment, node: int) -> tuple[str, tuple[str, ...]]:
        name, children = self.name(node), self.nodes[node].children
        assert self.story.sort is not None
        count = f"The list has {_counted(moment.listed, 'node')} now."
        if not self.story.sort.recursive:
            first = f"{name} is appended: all its consumers are in the list before it."
            if node == self.story.trace.root:
                first = f"{name} is appended: it is the root, which nothing here consumes."
            told = f" Its children are told: {self.names(children)}." if children else ""
            return f"{name} is appended", (first, f"{count}{told}")
        late = [child for child in children if self._place(child) >= moment.listed - 1]
        if late:
            first = f"{name} is appended before {self.names(late)}, one of its children: a circle."
            if len(set(late)) > 1:
                first = f"{name} is appended before {self.names(late)}, its children: circles."
        elif children:
            first = f"{name} is appended: all its children are in the list before it."
        else:
            first = f"{name} is appended: it has no children that would have to come before."
        return f"{name} is appended", (first, count)

    def _ready(self, moment: Moment, node: int) -> tuple[str, tuple[str, ...]]:
        name = self.name(node)
        if moment.asker is None:
            return f"{name} is ready", (f"{name} is the root: nothing has to come before it.",)
        first = f"{name} is ready: {self.name(moment.asker)} was the last of its consumers to come."
        return f"{name} is ready", (first, "It waits in line to be appended.")

    def _waits(self, moment: Moment, node: int) -> tuple[str, tuple[str, ...]]:
        name = self.name(node)
        assert moment.asker is not None
        more = _counted(moment.waiting, "use")
        still = "is" if moment.waiting == 1 else "are"
        first = f"{self.name(moment.asker)}, which uses {name}, is appended"
        return f"{name} waits", (f"{first}; {more} of {name} {still} still to come.",)

    def _place(self, node: int) -> int:
        """Where a node ends up on the list."""
        return self.story.place_on_list(node)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _applied(op: str, operands: list[str]) -> str:
    """An op and its operands as one writes them: `a + b`, `-a`, `a**2`, `tanh(a)`."""
    operation = calculus.find(op)
    symbol = op if operation is None else operation.symbol
    if symbol in INFIX and len(operands) == 2:
        joint = symbol if symbol == "**" else f" {symbol} "
        return joint.join(map(bracketed, operands))
    if len(operands) == 1 and symbol == "neg":
        return f"-{bracketed(operands[0])}"
    if len(operands) == 1 and symbol.startswith("**"):
        return f"{bracketed(operands[0])}{symbol}"
    return f"{op}({', '.join(operands)})" if op else ""


def _close(forward: Callable[..., float], data: list[float], result: float) -> bool:
    """Whether that is what an op makes of its operands, up to rounding."""
    found = forward(*data)
    return same(found, result) or abs(found - result) <= CLOSE * max(abs(found), abs(result))
