"""One step in words: a title, up to three plain sentences, and its formula twice.

The formula stands once in symbols and once in the numbers of this step. Everything is text, so
that a window, a terminal and a picture can all show it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.figures import apart, read, short
from chainstep.formula import Formulas, called, product
from chainstep.history import Writes, history
from chainstep.reckoning import due, ran_again, silent_before, withheld, wrong_givers
from chainstep.sentence import MOST_NAMES, joined, ordinal
from chainstep.trace import Kind, Mode, Order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.graph import Node
    from chainstep.trace import Recording, Step, Trace

ORDERS = {
    Order.DEPTH_FIRST: "Every node runs after all its consumers: the topological order, reversed.",
    Order.BREADTH_FIRST: "Every node runs as soon as all its consumers have run.",
    Order.RECURSIVE: "Each node runs and then at once its operands: nothing was sorted.",
    Order.AS_WRITTEN: "The order is the program's own.",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a position shows.

    Attributes:
        title: A few words.
        sentences: One to three sentences.
        symbols: The formula with names; empty where there is none.
        numbers: The same formula with this step's numbers; empty where there is none.
    """

    title: str
    sentences: tuple[str, ...]
    symbols: str = ""
    numbers: str = ""


def explain(
    recording: Recording, trace: Trace, position: int, beside: Trace | None = None
) -> Explanation:
    """Say what the step before a position did.

    The first call for a trace walks it once, O(steps); every later one looks things up.

    Args:
        recording: The recording that holds the trace.
        trace: The pass to speak of.
        position: Number of steps applied; one beyond an end counts as that end.
        beside: The same pass in the other mode, to be compared at the same position.
    """
    position = max(0, min(position, len(trace.steps)))
    teller = _Teller(recording, trace, beside)
    if trace.error is not None and position == len(trace.steps):
        return teller.broken_off()
    if position == 0:
        return teller.start()
    number = position - 1
    step = trace.steps[number]
    tell = {
        Kind.SEED: teller.seed,
        Kind.CALL: teller.call,
        Kind.WRITE: teller.write,
        Kind.OUTSIDE: teller.outside,
    }[step.kind]
    told = tell(number, step)
    if position < trace.length:
        return told
    return Explanation(told.title, (*told.sentences[:2], teller.end()), told.symbols, told.numbers)


class _Teller:
    """Everything that can be said about the steps of one trace."""

    def __init__(self, recording: Recording, trace: Trace, beside: Trace | None) -> None:
        self.nodes = recording.nodes
        self.trace = trace
        self.beside = beside
        self.formulas = Formulas(recording.nodes, trace)

    # -- the two ends -------------------------------------------------------------------

    def start(self) -> Explanation:
        trace = self.trace
        left_over = [n for n, gradient in trace.initial.items() if gradient != 0]
        if left_over:
            listed = joined([f"{self.name(n)} {short(trace.initial[n])}" for n in left_over])
            held = f"Gradients from earlier are still there: {listed}."
        else:
            held = (
                f"All {count} nodes hold their data, and no gradient has come yet."
                if (count := len(trace.initial)) != 1
                else "The one node holds its data, and no gradient has come yet."
            )
        sentences = [held, ORDERS[trace.order]]
        first = trace.steps[0] if trace.steps else None
        if first is None and not trace.hidden:
            sentences.append("This pass made no step at all.")
        elif first is not None and first.kind is Kind.SEED:
            sentences.append(f"The next step seeds the root: {self.name(trace.root)} gets its 1.0.")
        return Explanation(f"Before the backward pass from {self.name(trace.root)}", (*sentences,))

    def broken_off(self) -> Explanation:
        error = self.trace.error
        assert error is not None
        where = f" (line {error.line})" if error.line is not None else ""
        kept = len(self.trace.steps)
        return Explanation(
            "The backward pass broke off here",
            (
                f"{error.message.rstrip('.')}{where}.",
                f"The {kept} steps before it are kept: step back to see them.",
            ),
        )

    def end(self) -> str:
        differing = self._differing()
        if not differing:
            both = "" if self.beside is None else "; += and = agree everywhere"
            return f"That was the last step{both}."
        listed = joined([f"{self.name(n)} {' and '.join(apart(a, b))}" for n, a, b in differing])
        return f"That was the last step. += and = end differently: {listed}."

    def _differing(self) -> list[tuple[int, float, float]]:
        """(node, its gradient with +=, with =) at the end, where those are not the same."""
        if self.beside is None or Mode.AS_WRITTEN in (self.trace.mode, self.beside.mode):
            return []
        one, other = self.trace.final, self.beside.final
        if self.trace.mode is Mode.OVERWRITE:
            one, other = other, one
        pairs = ((n, a, other[n]) for n, a in one.items() if n in other)
        return [(n, a, b) for n, a, b in pairs if not same(a, b)]

    # -- one step -----------------------------------------------------------------------

    def seed(self, _number: int, step: Step) -> Explanation:
        assert step.target is not None
        assert step.after is not None
        root = self.name(step.target)
        sentences = [f"The root {root} gets the gradient {short(step.after)} to begin with."]
        if step.after == 1:
            sentences.append(f"When {root} moves by some amount, {root} moves by just as much.")
        else:
            sentences.append("It should be 1.0: every other gradient is a multiple of this one.")
        if step.before:
            sentences.append(f"It replaces the {short(step.before)} that was still there.")
        symbol = self.formulas.gradient(step.target)
        return Explanation(
            f"Seed: the gradient of {root}",
            (*sentences,),
            f"{symbol} = 1",
            f"{symbol} = {short(step.after)}",
        )

    def call(self, number: int, step: Step) -> Explanation:
        assert step.node is not None
        node = self.nodes[step.node]
        if not node.children:
            return self._leaf_call(number, node)
        name = self.name(node.id)
        upstream = (
            "its gradient" if step.upstream is None else f"its gradient {short(step.upstream)}"
        )
        receivers = (receiver(self.nodes[child]) for child in node.children)
        operands = joined(list(dict.fromkeys(receivers)))
        sentences = [f"Node {name} runs _backward to pass {upstream} on to {operands}."]
        if not self._writes_next(number):
            sentences = [f"Node {name} runs _backward, and it changes no gradient."]
        sentences.append(self._completeness(node.id, number))
        sentences += self._withheld(number)
        operation = calculus.in_words(node.op, len(node.children))
        if operation is not None:
            sentences.append(operation.rule)
        symbols, numbers = self.formulas.local_derivatives(node)
        if self.trace.hidden:
            numbers = ""  # times an upstream gradient of 1 they are what is asked for
        return Explanation(f"{name} runs _backward", (*sentences[:3],), symbols, numbers)

    def _leaf_call(self, number: int, node: Node) -> Explanation:
        name = self.name(node.id)
        kind = "a constant" if node.constant else "a leaf"
        return Explanation(
            f"{name} runs _backward: nothing to do",
            (
                f"Node {name} is {kind}: it has no children, so its _backward does nothing.",
                # Before the rest, which gives way where there is room for two sentences only.
                *self._held_beside(number),
                self._completeness(node.id, number),
            ),
            *self.formulas.whole(node.id, number),
        )

    def _held_beside(self, number: int) -> list[str]:
        """What the other mode holds at a leaf that runs, where that differs."""
        twin = self._twin(number)
        own, other = self.trace.steps[number].upstream, twin.upstream if twin else None
        if own is None or other is None or same(own, other):
            return []
        with_other = "=" if self.trace.mode is Mode.ACCUMULATE else "+="
        there, here = apart(other, own)
        return [f"With {with_other} its gradient is {there} and not {here}."]

    def write(self, number: int, step: Step) -> Explanation:
        assert step.node is not None
        assert step.target is not None
        assert step.contribution is not None
        giver, taker = self.name(step.node), receiver(self.nodes[step.target])
        writes = history(self.trace)[step.target]
        earlier = writes.before(number)
        only = len(writes.numbers) == 1 and not self.trace.hidden
        which = "only" if only else ordinal(earlier + 1)
        sentences = [f"Node {giver} runs _backward and gives {taker} its {which} contribution."]
        if step.slot is None:
            sentences.append(f"{taker} is not among the recorded children of {giver}.")
        sentences += wrong(self.nodes, self.trace, step)
        sentences += self._what_became(number, step, earlier)
        return Explanation(
            f"{giver} gives {gift(self.nodes[step.target], short(step.contribution))}",
            (*sentences[:3],),
            *self.formulas.chain_rule(step),
        )

    def _moved(self, step: Step) -> Explanation:
        """A change of data: the update, mostly."""
        assert step.node is not None
        assert step.before is not None
        assert step.after is not None
        name = self.name(step.node)
        where = f" at line {step.line}" if step.line is not None else ""
        change = f"{short(step.before)} to {short(step.after)}"
        sentences = [f"After the pass the program sets {name}'s data from {change}{where}."]
        gradient = self.trace.final.get(step.node, 0.0)
        moved = step.after - step.before
        if moved and gradient:
            way = "against" if moved * gradient < 0 else "along"
            held = f"{name}'s gradient of {short(gradient)}"
            sentences.append(f"It moves by {short(moved)}, {way} {held}.")
        return Explanation(
            f"{name} is updated",
            (*sentences,),
            f"{name}.data",
            f"{short(step.before)} → {short(step.after)}",
        )

    def outside(self, _number: int, step: Step) -> Explanation:
        if step.moves:
            return self._moved(step)
        assert step.target is not None
        assert step.before is not None
        assert step.after is not None
        name = self.name(step.target)
        where = f" at line {step.line}" if step.line is not None else ""
        change = f"{short(step.before)} to {short(step.after)}"
        sentences = [f"While no _backward runs, {name}'s gradient goes from {change}{where}."]
        if step.after == 0 and step.before:
            sentences.append("It is zeroed: the next contribution starts from nothing.")
        elif step.after == step.before:
            sentences.append("So nothing changes.")
        return Explanation(
            f"{name}'s gradient is set from outside",
            (*sentences,),
            f"{name}.grad",
            f"{short(step.before)} → {short(step.after)}",
        )

    # -- what it should have done --------------------------------------------------------

    def _withheld(self, number: int) -> list[str]:
        """Operands that a call leaves without what is due to them."""
        missed = withheld(self.nodes, self.trace, number)
        if not missed:
            return []
        gifts = [
            gift(self.nodes[each.target], product(each.local, each.upstream, each.contribution))
            for each in missed
        ]
        also = "also " if self._writes_next(number) else ""
        return [f"It should {also}give {joined(gifts)}, and never does."]

    # -- sentences ----------------------------------------------------------------------

    def _what_became(self, number: int, step: Step, earlier: int) -> list[str]:
        """What happened to the gradient that was there: one sentence per mode."""
        assert step.before is not None
        if earlier == 0 and step.before == 0:
            return ["Nothing had come before, so += and = do the same here."]
        twin = self._twin(number)
        if self.trace.mode is Mode.AS_WRITTEN:
            held = self._held(self.trace, number, step)
            if step.accumulates is False:
                kept = short(step.before + (step.contribution or 0.0))
                lost = f"The code stores it with =, so {held} are lost."
                return [f"{lost} += would keep them and leave {kept}."]
            return [f"The code stores it with +=, so it joins {held}."]
        if self.trace.mode is Mode.ACCUMULATE:
            adds = f"With += it joins {self._held(self.trace, number, step)}."
            return [adds, self._loses(number, step, twin)]
        loses = f"With = {self._held(self.trace, number, step)} are lost."
        if twin is None or self.beside is None:
            return [loses, "With += it would join them."]
        return [loses, self._adds_instead(number, step, twin)]

    def _loses(self, number: int, step: Step, twin: Step | None) -> str:
        """What the other mode, =, does at a step told for +=."""
        assert step.before is not None
        if twin is None or self.beside is None:
            return f"With = those {short(step.before)} would be lost."
        if not same(step.contribution, twin.contribution):
            assert twin.contribution is not None
            held = self._held(self.beside, number, twin)
            return f"With = it brings {short(twin.contribution)} instead, and {held} are lost."
        if same(step.before, twin.before):
            return f"With = those {short(step.before)} are lost."
        return f"With = {self._held(self.beside, number, twin)} are lost."

    def _adds_instead(self, number: int, step: Step, twin: Step) -> str:
        """What the other mode, +=, does at a step told for =."""
        assert self.beside is not None
        assert twin.contribution is not None
        held = self._held(self.beside, number, twin)
        if not same(step.contribution, twin.contribution):
            return f"With += it brings {short(twin.contribution)} instead and joins {held}."
        return (
            "With += it joins them."
            if same(step.before, twin.before)
            else (f"With += it joins {held}.")
        )

    def _twin(self, number: int) -> Step | None:
        """The same write in the other mode; None where the passes went different ways."""
        if self.beside is None or number >= len(self.beside.steps):
            return None
        step, twin = self.trace.steps[number], self.beside.steps[number]
        agrees = (step.kind, step.node, step.slot, step.target) == (
            (twin.kind, twin.node, twin.slot, twin.target)
        )
        return twin if agrees else None

    def _held(self, trace: Trace, number: int, step: Step) -> str:
        """`the 15.0 that came through d`: what a write found, and whence it came."""
        assert step.target is not None
        assert step.before is not None
        before = f"the {short(step.before)} that"
        writes = _writes(trace, step.target)
        kept = writes.kept(number)
        first = [trace.steps[writes.numbers[n]] for n in kept[:MOST_NAMES]]
        givers = list(dict.fromkeys(each.node for each in first if each.node is not None))
        if not givers:
            return f"{before} was there before"
        if givers == [step.node] and len(kept) == len(first):
            return f"{before} {self.name(givers[0])} gave just before"
        leftover = " and from before" if first[0].accumulates and first[0].before else ""
        came = joined([self.name(n) for n in givers], len(kept) - len(first))
        return f"{before} came through {came}{leftover}"

    def _completeness(self, node_id: int, number: int) -> str:
        """Whether all contributions that this trace ever brings are there when a node runs."""
        if node_id == self.trace.root:
            return "It is the root: its gradient is the seed."
        writes = _writes(self.trace, node_id)
        done, total = writes.before(number), len(writes.numbers)
        if self.trace.hidden:
            came = "1 contribution has" if done == 1 else f"{done or 'no'} contributions have"
            return f"{came.capitalize()} come so far."
        if done < total:
            return f"Its gradient is not complete: {done} of {total} contributions have come."
        silent = silent_before(self.nodes, self.trace, node_id, number, done)
        if not silent:
            none = "No contribution ever reaches it in this pass."
            return self._held_by_now(node_id, number) if total else none
        names = joined([self.name(each) for each in silent])
        if total == 0:
            return f"No contribution ever reaches it: {names} should give to it and never did."
        return f"Its gradient is not complete: {names} should give to it too, and never did."

    def _held_by_now(self, node_id: int, number: int) -> str:
        """What a gradient holds once all its contributions have come."""
        writes = _writes(self.trace, node_id)
        kept, done = writes.kept(number), len(writes.numbers)
        if not kept:
            return "Its contributions have come, and then its gradient was set from outside."
        if len(kept) < done:
            return f"{done} contributions have come, and its gradient holds only the last."
        came = {1: "its one contribution has", 2: "both contributions have"}.get(
            done, f"all {done} contributions have"
        )
        first = self.trace.steps[writes.numbers[kept[0]]]
        if first.accumulates and first.before:
            again = " and passes that on again" if self.nodes[node_id].children else ""
            held = f"it still holds {short(first.before)} from before{again}"
            return f"{came.capitalize()} come; {held}."
        repeated = ran_again(self.nodes, self.trace, node_id, number)
        if repeated:
            names = joined([self.name(each) for each in repeated])
            return f"{came.capitalize()} come, but {names} ran again: parts count more than once."
        wrongly = wrong_givers(self.nodes, self.trace, writes.numbers)
        if wrongly:
            names = joined([self.name(each) for each in wrongly])
            return f"{came.capitalize()} come, and what {names} gave is wrong."
        return f"Its gradient is complete: {came} come."

    def _writes_next(self, number: int) -> bool:
        following = self.trace.steps[number + 1 : number + 2]
        if not following:
            return self.trace.hidden > 0
        return following[0].kind is Kind.WRITE

    def name(self, node_id: int) -> str:
        """What a node is called in a sentence."""
        return named(self.nodes[node_id])


def wrong(nodes: Sequence[Node], trace: Trace, step: Step) -> list[str]:
    """What a write should have brought, in a sentence; none where it brought that."""
    right = due(nodes, trace, step)
    if right is None or step.contribution is None or step.node is None:
        return []
    brings, exactly = apart(step.contribution, right.contribution)
    should = product(right.local, right.upstream, right.contribution)
    if exactly != short(right.contribution):
        should = f"{should}, or more exactly {exactly}"
    op = nodes[step.node].op
    return [f"That is wrong: it brings {brings}, and {op} should bring {should}."]


def named(node: Node) -> str:
    """What a node is called in a sentence: an expression of several words gets brackets."""
    name = called(node)
    return f"({name})" if " " in name else name


def receiver(node: Node) -> str:
    """The same where numbers stand around it: a constant is called by one too."""
    name = named(node)
    return f"the constant {name}" if _is_called_by_number(node) else name


def gift(node: Node, number: str) -> str:
    """`a 6.0`, or `6.0 to the constant 3`: what somebody gives to a node."""
    to_a_number = _is_called_by_number(node)
    return f"{number} to {receiver(node)}" if to_a_number else f"{named(node)} {number}"


def _is_called_by_number(node: Node) -> bool:
    return node.constant and read(node.name) is not None


def _writes(trace: Trace, node_id: int) -> Writes:
    return history(trace).get(node_id) or Writes()


def same(a: float | None, b: float | None) -> bool:
    """Whether two gradients agree; nan agrees with nan."""
    return a == b or (a is not None and b is not None and isnan(a) and isnan(b))
