"""What a pane shows at one position of a trace: each card's look, the write that is current.

Plain data, in words and numbers; how that is drawn is :mod:`chainstep.ui.painting`'s business.
What is shown before the backward phase begins stands in :mod:`chainstep.ui.early`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.carried import holds
from chainstep.figures import full, relation, short
from chainstep.formula import bracketed, factors_of
from chainstep.graph import Edge
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from chainstep.graph import Node
    from chainstep.stepper import State, Stepper
    from chainstep.trace import Step, Trace

NOT_YET = "not yet"
"""What stands for a gradient while none has come."""
NONE = "none"
"""What stands for it when the pass is over and none came."""

GRAD = "grad"
"""What stands before a gradient."""
FEW = 256
"""Steps between two positions up to which the cards they changed are found one by one."""


class Tone(Enum):
    """How a card looks. Each has a border, a fill and a pill of its own."""

    GHOST = "ghost"
    MADE = "made"
    OPEN = "open"
    LISTED = "listed"
    UNTOUCHED = "untouched"
    PARTIAL = "partial"
    FINAL = "final"
    WRONG = "wrong"
    NOW = "now"
    TARGET = "target"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Card:
    """What one card says.

    Attributes:
        node: Whose card it is.
        tone: How it looks.
        word: What its pill says; empty where there is none.
        data: The forward value, as the program last left it.
        gradient: Its gradient; None where none has come.
        absent: What stands in its place then.
        label: What stands before either of them.
        lost: A gradient that `=` threw away; None where none was.
        lost_now: Whether the current write did that.
        differs: Whether its gradient differs between the modes.
        tried: Whether its data was tried out, and is not what the program gives it.
    """

    node: Node
    tone: Tone
    word: str
    data: float
    gradient: float | None
    absent: str
    lost: float | None
    lost_now: bool
    differs: bool
    tried: bool = False
    label: str = GRAD


class Losses:
    """Which write to a node threw away what it found there; made once per trace, O(steps)."""

    def __init__(self, trace: Trace) -> None:
        self._numbers: dict[int, list[int]] = {}
        self._values: dict[int, list[float | None]] = {}
        writes = [s for s in trace.steps if s.kind is Kind.WRITE and s.accumulates is False]
        targets = {step.target for step in writes if step.before}
        for number, step in enumerate(trace.steps if targets else ()):
            if step.target is not None and step.target in targets:
                self._numbers.setdefault(step.target, []).append(number)
                lost = step.before if step.kind is Kind.WRITE and not step.accumulates else None
                self._values.setdefault(step.target, []).append(lost or None)

    def at(self, node_id: int, position: int) -> float | None:
        """What the last write before a position lost; None where it lost nothing."""
        numbers = self._numbers.get(node_id)
        last = bisect_right(numbers, position - 1) - 1 if numbers else -1
        return self._values[node_id][last] if last >= 0 else None


@dataclass(frozen=True, slots=True)
class Moment:
    """One pane at one position: a live view of its stepper, and what is marked.

    Attributes:
        stepper: The position and the gradients there.
        losses: What its trace's writes threw away.
        differing: Ids of the nodes whose gradients differ between the modes.
        wrong: Ids of the nodes whose gradients are known to be wrong once they are complete.
        selected: Id of the selected node.
        pointed: Id of the node that is pointed at.
        tried: Ids of the nodes whose data was tried out.
        origins: The pass that left a gradient to this one, from 0, by node id.
    """

    stepper: Stepper
    losses: Losses
    differing: frozenset[int] = frozenset()
    wrong: frozenset[int] = frozenset()
    selected: int | None = None
    pointed: int | None = None
    tried: frozenset[int] = frozenset()
    origins: Mapping[int, int] = field(default_factory=dict)

    # -- what is shown before the backward phase too ------------------------------------

    @property
    def number(self) -> int:
        """How many moments of its phase are over."""
        return self.stepper.position

    @property
    def now(self) -> int | None:
        """Id of the node that the moment is about."""
        return self.running

    @property
    def arrow(self) -> Edge | None:
        """The edge that the moment goes through from consumer to child; slot -1 where unknown."""
        return self.write

    @property
    def flows(self) -> Sequence[Edge]:
        """Edges through which numbers go from children to consumer."""
        return ()

    @property
    def path(self) -> Sequence[Edge]:
        """Edges that led to where the arrow is."""
        return ()

    @property
    def aside(self) -> tuple[int, str] | None:
        """Words about what happens within a card: nothing does where every node has its own."""
        return None

    def is_made(self, node_id: int) -> bool:  # noqa: ARG002  everything is by then
        """Whether a node exists yet."""
        return True

    def hidden(self) -> NDArray[np.bool_] | None:
        """Which edges of the drawing do not exist yet; None where all do."""
        return None

    def changed(self, number: int) -> Iterable[int] | None:
        """Ids of nodes whose cards differ from those at another number; None for all of them."""
        low, high = sorted((number, self.number))
        # At the end of a pass "not yet" becomes "none", on any card.
        if high - low > FEW or self.stepper.length in (low, high):
            return None
        steps = self.stepper.trace.steps[low:high]
        found = (step.node if step.moves else step.target for step in steps)
        return [node_id for node_id in found if node_id is not None]

    def remark(self, node: Node) -> Sequence[str]:
        """What else is to be said of a node, as lines: how much of its gradient has come."""
        card, state = self.card(node), self.stepper.state(node.id)
        if card.gradient is None:
            return [f"grad: {card.absent}"]
        share = state.share
        if state.untouched:
            share = card.word if node.id in self.origins else "left over from before"
        if state.final:
            share = "final, and wrong" if node.id in self.wrong else "final"
        lines = [f"grad = {full(card.gradient)} ({share})"]
        if self._carries(node.id) and not state.untouched:
            held = full(self.stepper.trace.initial[node.id])
            lines.append(f"it holds {held} from pass {self.origins[node.id] + 1} as well")
        if card.lost is not None:
            lines.append(f"{full(card.lost)} was lost when = stored the last contribution")
        if card.differs:
            lines.append("differs between += and =")
        return lines

    # -- the step -----------------------------------------------------------------------

    @property
    def current(self) -> Step | None:
        """The step that was applied last; None at the start."""
        return self.stepper.current

    @property
    def running(self) -> int | None:
        """Id of the node whose `_backward` is running."""
        return self.stepper.running

    @property
    def target(self) -> int | None:
        """Id of the node whose gradient, or data, the current step wrote."""
        step = self.current
        if step is None:
            return None
        return step.node if step.moves else step.target

    @property
    def failed(self) -> int | None:
        """Id of the node at which the pass broke off, once the position is there."""
        stepper = self.stepper
        ended = stepper.trace.error is not None and stepper.position == stepper.length
        return stepper.running if ended else None

    @property
    def write(self) -> Edge | None:
        """The edge that the current write goes through; its slot is -1 where it has none."""
        step = self.current
        if step is None or step.kind is not Kind.WRITE or step.node is None or step.target is None:
            return None
        return Edge(step.target, step.node, -1 if step.slot is None else step.slot)

    def arithmetic(self, digits: int | None = None) -> tuple[str, ...]:
        """(`1.0`, `× 6.0`, `= 6.0`): local × upstream = contribution of the current write.

        It is `≈ 6.0` where the numbers as they are written do not give just that, and the bare
        contribution where the local derivative is unknown or does not explain it.
        """
        step = self.current
        if step is None or step.contribution is None:
            return ()
        result = short(step.contribution, digits)
        found = factors_of(step)
        if found is None:
            return (result,)
        factors = tuple(short(factor, digits) for factor in found)
        sign = relation(result, [factors], digits)
        return (factors[0], f"× {bracketed(factors[1])}", f"{sign} {result}")

    def active(self) -> tuple[int, ...]:
        """Ids of the nodes of the current step, the running one first."""
        found = (self.running, self.target, self.failed)
        return tuple(dict.fromkeys(node_id for node_id in found if node_id is not None))

    def card(self, node: Node) -> Card:
        """What a node's card says."""
        stepper = self.stepper
        state = stepper.state(node.id)
        gradient: float | None = stepper.gradients[node.id]
        left_over = state.untouched and gradient != 0
        if state.untouched and not left_over:
            gradient = None
        tone = self.tone(node.id)
        lost = self.losses.at(node.id, stepper.position)
        current = self.current
        return Card(
            node=node,
            tone=tone,
            word=self._left_over(node.id)
            if left_over and tone is Tone.UNTOUCHED
            else self._word(node.id, tone),
            data=stepper.data(node),
            gradient=gradient,
            absent=NONE if stepper.position == stepper.length else NOT_YET,
            lost=lost,
            lost_now=lost is not None and current is not None and current.target == node.id,
            differs=node.id in self.differing,
            tried=node.id in self.tried,
            label=self._label(node.id, state),
        )

    def _left_over(self, node_id: int) -> str:
        origin = self.origins.get(node_id)
        return "left over" if origin is None else f"from pass {origin + 1}"

    def _carries(self, node_id: int) -> bool:
        """Whether what an earlier pass left is still in a gradient."""
        stepper = self.stepper
        return node_id in self.origins and holds(stepper.trace, node_id, stepper.position)

    def _label(self, node_id: int, state: State) -> str:
        """`grad`, with the pass that the gradient holds a part of."""
        if state.untouched or not self._carries(node_id):
            return GRAD
        return f"{GRAD} + pass {self.origins[node_id] + 1}"

    def tone(self, node_id: int) -> Tone:
        """How a node's card looks."""
        if node_id == self.failed:
            return Tone.FAILED
        if node_id == self.running:
            return Tone.NOW
        if node_id == self.target:
            return Tone.TARGET
        state = self.stepper.state(node_id)
        if state.untouched:
            return Tone.UNTOUCHED
        if state.partial:
            return Tone.PARTIAL
        return Tone.WRONG if node_id in self.wrong else Tone.FINAL

    def _word(self, node_id: int, tone: Tone) -> str:
        """What stands on a card's pill."""
        state = self.stepper.state(node_id)
        seeded = node_id == self.stepper.trace.root and state.total in (1, None)
        count = "seed" if seeded else state.share
        if tone is Tone.NOW:
            # It runs before its gradient is complete: what sorting first is there to prevent.
            return f"now · {count}" if state.partial and state.total is not None else "now"
        return {
            Tone.FAILED: "failed",
            Tone.UNTOUCHED: "",
            Tone.FINAL: "seed" if seeded else "final",
            Tone.WRONG: "wrong",
        }.get(tone, count)
