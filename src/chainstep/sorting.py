"""The topological sort as it happens: who is visited, who is known already, who is appended.

Depth-first it is micrograd's recursive ``build_topo``, call by call::

    def build_topo(v):
        if v not in visited:
            visited.add(v)
            for child in v._prev:
                build_topo(child)
            topo.append(v)

Breadth-first it is Kahn's algorithm, which appends a node once all its consumers are appended.
Nothing is recursive here, and every moment takes the same few bytes.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import deque
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.graph import uses
from chainstep.trace import Order

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.trace import Trace

    Children = Callable[[int], Sequence[int]]
    Taken = Mapping[int, Sequence[int]]
    """The operands of each node in the order in which a sort takes them."""


class Act(Enum):
    """What one moment of a sort is."""

    VISIT = "visit"
    """Depth-first: a node is met for the first time."""
    ALREADY_VISITED = "already-visited"
    """Depth-first: a node is met again."""
    READY = "ready"
    """Breadth-first: the last consumer of a node has been appended."""
    WAITS = "waits"
    """Breadth-first: a consumer has been appended, and others are still to come."""
    APPEND = "append"
    """A node joins the list."""


class Sort:
    """The moments of one sort, numbered from 0.

    Attributes:
        recursive: Whether it is `build_topo`, depth-first; else it is Kahn's.
        listed: The list as it is at the end: depth-first the topological list, children before
            consumers, which backward runs from its end; breadth-first the order of running.
    """

    def __init__(self, *, recursive: bool) -> None:
        self.recursive = recursive
        self.listed: Sequence[int] = array("i")
        self._acts = bytearray()
        self._nodes = array("i")
        self._callers = array("i")  # the moment that visits or appends who asks; -1 at the root
        self._numbers = array("i")  # depth of a call, or how many consumers a node waits for
        self._appends = array("i")
        self._ends = array("i")  # of a visit, the moment that appends it

    @classmethod
    def depth_first(cls, root: int, children: Children) -> Sort:
        """What `build_topo(root)` does, operands in written order. O(nodes + edges)."""
        sort = cls(recursive=True)
        visited = {root}
        stack = [(sort._note(Act.VISIT, root, -1, 0), iter(children(root)))]
        while stack:
            caller, rest = stack[-1]
            for child in rest:
                if child in visited:
                    sort._note(Act.ALREADY_VISITED, child, caller, len(stack))
                    continue
                visited.add(child)
                visit = sort._note(Act.VISIT, child, caller, len(stack))
                stack.append((visit, iter(children(child))))
                break
            else:
                stack.pop()
                above = stack[-1][0] if stack else -1
                end = sort._note(Act.APPEND, sort._nodes[caller], above, len(stack))
                sort._ends[caller] = end
        sort._finish()
        return sort

    @classmethod
    def breadth_first(cls, root: int, children: Children) -> Sort:
        """What Kahn's algorithm does once consumers are counted. O(nodes + edges)."""
        sort = cls(recursive=False)
        waiting = uses(root, children)
        ready = deque([root] if waiting[root] == 0 else [])
        if ready:
            sort._note(Act.READY, root, -1, 0)
        while ready:
            node = ready.popleft()
            asker = sort._note(Act.APPEND, node, -1, 0)
            for child in children(node):
                waiting[child] -= 1
                act = Act.WAITS if waiting[child] else Act.READY
                sort._note(act, child, asker, waiting[child])
                if act is Act.READY:
                    ready.append(child)
        sort._finish()
        return sort

    def _note(self, act: Act, node: int, caller: int, number: int) -> int:
        self._acts.append(ACTS.index(act))
        self._nodes.append(node)
        self._callers.append(caller)
        self._numbers.append(number)
        self._ends.append(-1)
        moment = len(self._acts) - 1
        if act is Act.APPEND:
            self._appends.append(moment)
        return moment

    def _finish(self) -> None:
        self.listed = array("i", (self._nodes[moment] for moment in self._appends))

    def __len__(self) -> int:
        return len(self._acts)

    def act(self, moment: int) -> Act:
        """What a moment is."""
        return ACTS[self._acts[moment]]

    def node(self, moment: int) -> int:
        """Id of the node that a moment is about."""
        return self._nodes[moment]

    def asker(self, moment: int) -> int | None:
        """Id of the consumer by way of which a node is met; None for the root."""
        caller = self._callers[moment]
        return None if caller < 0 else self._nodes[caller]

    def depth(self, moment: int) -> int:
        """How many calls of `build_topo` are around this one; 0 in a breadth-first sort."""
        return self._numbers[moment] if self.recursive else 0

    def waiting(self, moment: int) -> int:
        """How many uses of a node by consumers are still to come, breadth-first; else 0."""
        return 0 if self.recursive else self._numbers[moment]

    def length(self, moments: int) -> int:
        """How long the list is after that many moments. O(log nodes)."""
        return bisect_left(self._appends, moments)

    def append(self, place: int) -> int:
        """The moment at which a place of the list is filled."""
        return self._appends[place]

    def _frame(self, moments: int) -> int:
        """The visit whose call is running after that many moments; -1 where none is."""
        if not self.recursive or not 0 < moments <= len(self):
            return -1
        last = moments - 1
        return last if self.act(last) is Act.VISIT else self._callers[last]

    def stack(self, moments: int) -> tuple[int, ...]:
        """Nodes whose `build_topo` is running after that many moments, the root first. O(depth)."""
        frame = self._frame(moments)
        found = []
        while frame >= 0:
            found.append(self._nodes[frame])
            frame = self._callers[frame]
        return tuple(reversed(found))

    def out(self, moments: int) -> int:
        """Number of moments at the end of the running call; all where none runs. O(1)."""
        frame = self._frame(moments)
        return self._ends[frame] + 1 if frame >= 0 else len(self)

    def stops(self) -> Sequence[int]:
        """Numbers of moments at which the list has one node more and that node is done with.

        Depth-first that is right after it was appended, breadth-first when its operands have been
        told as well.
        """
        if self.recursive:
            return [moment + 1 for moment in self._appends]
        return [*self._appends[1:], len(self)] if len(self) else []


def sort_behind(
    trace: Trace, reached: Sequence[int], children: Children
) -> tuple[Sort | None, Taken | None]:
    """The sort behind the order in which the calls of a pass came, if it is one that we know.

    A program may keep operands in sets, as micrograd does. A set has an order of its own in every
    run, and the list tells what it was.

    Args:
        trace: The pass.
        reached: Ids of the nodes that the root reaches, children before consumers.
        children: Their operands in written order.

    Returns:
        The sort, and the order in which it took operands where that is not the written one.
    """
    order, root = trace.order, trace.root
    if order is Order.RECURSIVE:
        return None, None
    if order is Order.BREADTH_FIRST:
        sort = Sort.breadth_first(root, children)
        return (sort if _ran(trace, sort.listed, children) else None), None
    if _ran(trace, reached[::-1], children):
        return Sort.depth_first(root, children), None
    sequence = trace.sequence
    is_whole = len(sequence) == len(reached) and {*sequence} == {*reached}
    if order is not Order.AS_WRITTEN or not is_whole:
        return None, None
    taken = operands_taken(sequence, children)
    if taken is None:
        return None, None
    sort = Sort.depth_first(root, taken.__getitem__)
    return (sort, taken) if _ran(trace, sort.listed[::-1], children) else (None, None)


def _ran(trace: Trace, order: Sequence[int], children: Children) -> bool:
    """Whether the calls came in that order; leaves that have no `_backward` may be left out.

    Of a pass that broke off, those that came. One that called nothing shows no order.
    """
    ran = list(trace.sequence)
    inner = [node for node in order if children(node)]
    if trace.error is not None:
        order, inner = order[: len(ran)], inner[: len(ran)]
    return bool(ran) and ran in (list(order), inner)


def operands_taken(sequence: Sequence[int], children: Children) -> dict[int, list[int]] | None:
    """In which order `build_topo` has to take the operands of each node to give a sequence.

    Read from the root on, the sequence is a walk down the tree of calls: each node was met from
    one of those above the node before it. The nearest of them that has it as an operand will do,
    since that leaves all the others for what comes. O(nodes + edges).

    Args:
        sequence: The topological list reversed: the root first, each node once.
        children: The operands, in any order.

    Returns:
        Operands by node, each once; those that are visited already when their turn comes last.
        None where no order of operands gives the sequence.
    """
    rest = {node: dict.fromkeys(children(node)) for node in sequence}
    taken: dict[int, list[int]] = {node: [] for node in sequence}
    stack = list(sequence[:1])
    for node in sequence[1:]:
        while stack and node not in rest[stack[-1]]:
            stack.pop()
        if not stack:
            return None
        del rest[stack[-1]][node]
        taken[stack[-1]].append(node)
        stack.append(node)
    return {node: [*reversed(found), *rest[node]] for node, found in taken.items()}


ACTS = tuple(Act)
