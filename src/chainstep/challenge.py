"""You are the engine: somebody else chooses the nodes and works out what each one hands on.

Held against a pass that was really run. Any order is right in which a node runs after all its
consumers; what a wrong one would lead to is worked out from the slopes of that pass and shown, but
for numbers that are still to be found out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from chainstep.answer import misgiven, read_figure, unreadable, wrong_local
from chainstep.correction import accepted, handed
from chainstep.explain import named, receiver, same
from chainstep.figures import short
from chainstep.formula import is_meant
from chainstep.graph import recursive
from chainstep.readiness import Readiness
from chainstep.reckoning import due, withheld
from chainstep.sentence import joined
from chainstep.trace import Kind, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from chainstep.answer import Figure
    from chainstep.trace import Recording, Trace

MOST_CALLS = 20_000
"""Calls after which recursion is given up: there may be as many as there are paths."""
MOST_SHOWN = 3
"""Gradients that a wrong choice is shown by."""
BEHIND_NAME = re.compile(r"(?:\.grad)?(?:\s*(?:\+=|=|:)\s*|\s+)(?P<rest>\S.*)")
"""What stands between the name of a node and what it gets: `a 15`, `a = 15`, `a.grad += 15`."""
APART = re.compile(r"[-+−*/×·÷]\s")
"""How what goes on with a sum or a product begins: `3 - 5` gives nothing to a constant 3."""
LOCAL = "local"


@dataclass(frozen=True, slots=True)
class Reply:
    """What is to be said about a choice or a contribution.

    Attributes:
        right: Whether it was; None for one that was shown, or that could not be read.
        words: What is to be said.
        shown: What a wrong one would lead to, one thing per line.
    """

    right: bool | None
    words: str
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Slip:
    """Where something went wrong: after so many steps, and how."""

    step: int
    words: str


class Challenge:
    """One pass, run by somebody who is asked for every node and every contribution.

    Args:
        recording: Holds the nodes.
        trace: The pass as it was run, with `+=` and in an order that waits for consumers; see
            :func:`refusal`.
    """

    def __init__(self, recording: Recording, trace: Trace) -> None:
        self._recording = recording
        self._nodes = recording.nodes
        self._recorded = trace
        self._readiness = Readiness(recording, trace)
        self._hands: dict[int, list[Step]] = {}
        for step in trace.steps:
            if step.kind is Kind.WRITE and step.node is not None:
                self._hands.setdefault(step.node, []).append(step)
        self._start = tuple(step for step in trace.steps if step.kind is Kind.SEED)
        self.steps: list[Step] = []
        self.slips: list[Slip] = []
        """Where something went wrong, once per choice or contribution."""
        self.asked = 0
        """Choices and contributions that were asked for and made."""
        self._open: list[Step] = []
        self._choices: list[tuple[int, int]] = []
        self._has_slipped = False
        self._gradients: dict[int, float] = {}
        self._ran: dict[int, None] = {}
        """The nodes that have run, in their order."""
        self._take_back(0)

    # -- where it stands ----------------------------------------------------------------

    @property
    def running(self) -> int | None:
        """The node whose contributions are asked for; None while a node is to be chosen."""
        return self._open[0].node if self._open else None

    @property
    def finished(self) -> bool:
        """Whether every node has run that hands anything on."""
        return not self._open and len(self._ran) == len(self._hands)

    @property
    def can_undo(self) -> bool:
        """Whether there is a choice to take back."""
        return bool(self._choices)

    @property
    def trace(self) -> Trace:
        """The pass as it was run by now."""
        hidden = 0 if self.finished else max(1, len(self._recorded.steps) - len(self.steps))
        return replace(self._recorded, steps=tuple(self.steps), hidden=hidden, error=None)

    @property
    def question(self) -> str:
        """What is to be done next."""
        if self.finished:
            return "Every node has run: all gradients are complete."
        if not self._open:
            return "You are the engine: which node runs its _backward next?"
        giver, step = self._name(self._open[0].node), self._open[0]
        taker = receiver(self._nodes[step.target or 0])
        upstream = "" if step.upstream is None else f", whose gradient is {short(step.upstream)}"
        return f"{giver} runs{upstream}. What does it hand to {taker}?"

    @property
    def candidates(self) -> list[str]:
        """Names of nodes to choose from, where a node is asked for; none where that tells it."""
        if self._open or self.finished:
            return []
        names = [self._name(node) for node in self._readiness.frontier(self._ran)]
        return names if len(names) > 1 else []

    @property
    def score(self) -> str:
        """`7 of 9 right at once`; what is asked for counts from its first wrong answer on."""
        asked = self.asked + self._has_slipped
        return f"{self._right} of {asked} right at once" if asked else ""

    @property
    def _right(self) -> int:
        """How many were. A slip about what is asked for just now is of none of those."""
        return self.asked - len(self.slips) + self._has_slipped

    # -- nodes --------------------------------------------------------------------------

    def find(self, name: str) -> int | None:
        """The node somebody means: of several with that name one that can run."""
        found = [node for node in self._recorded.initial if is_meant(self._nodes[node], name)]
        ready = (node for node in found if node not in self._ran and not self._missing(node))
        return next(ready, found[-1] if found else None)

    def choose(self, node: int) -> Reply:
        """Let a node run its `_backward`."""
        name = self._name(node)
        if self.finished:
            return Reply(None, self.question)
        if self._open:
            running = self._name(self.running)
            return Reply(None, f"{running} still runs: first say what it hands on.")
        if not self._hands.get(node):
            return self._nothing(node, name)
        if node in self._ran:
            twice = [*self._ran, node, *self._rest()]
            words = f"{name} has run already: again, it would hand on its gradient twice."
            return self._slip(words, self._shown("Then", twice))
        missing = self._missing(node)
        if missing:
            return self._too_early(node, name, missing)
        other = self._next()
        words = f"{name} is ready: all its consumers have run."
        if node == self._recorded.root:
            words = f"{name} is the root: its gradient is there from the beginning."
        elif other is not None and other != node:
            words = (
                f"{name} is ready, so that is right; the recorded pass took {self._name(other)}."
            )
        self._run(node)
        return Reply(True, words)

    def _nothing(self, node: int, name: str) -> Reply:
        """A node that hands nothing on may run whenever one likes; so it is not counted."""
        kind = "a leaf" if not self._nodes[node].children else "a node that hands nothing on"
        return Reply(None, f"{name} is {kind}: its _backward does nothing, whenever it runs.")

    def _too_early(self, node: int, name: str, missing: list[int]) -> Reply:
        waits = joined([self._name(each) for each in missing])
        have = "has" if len(missing) == 1 else "have"
        words = f"{name} is too early: {waits} {have} not run, and will give it more."
        now = self._shown(f"If {name} runs now", [*self._ran, node, *self._rest(node)])
        calls = recursive(self._recorded.root, lambda each: self._nodes[each].children)
        paths = list(islice(calls, MOST_CALLS + 1))
        again = [] if len(paths) > MOST_CALLS else self._shown("Recursion, running it again", paths)
        return self._slip(words, [*self._handed(node, name), *now, *again])

    def _run(self, node: int) -> None:
        hands = self._hands[node]
        self._choices.append((len(self.steps), self._right))
        self._count()
        self.steps.append(Step(Kind.CALL, node, upstream=hands[0].upstream))
        self._ran[node] = None
        self._open = list(hands)

    # -- contributions ------------------------------------------------------------------

    def enter(self, text: str) -> Reply:
        """Take a contribution: `15`, `a 15`, or the local derivative alone as `local 3`."""
        if not self._open:
            return Reply(None, "First choose the node that runs.")
        name, text = self._split(text)
        step = self._open[0]
        if name:
            found = [each for each in self._open if self._is_called(each.target, name)]
            if not found:
                return self._nothing_for(name)
            step = found[0]
        is_local = text.startswith(LOCAL)
        figure = read_figure(text.removeprefix(LOCAL))
        if figure is None:
            return Reply(None, unreadable(text, "type what is added"))
        words = accepted(self._recording, self._recorded, step, figure, is_local=is_local)
        if not words:
            return self._slip(self._why_not(step, figure, is_local=is_local), [])
        self._write(step)
        return Reply(True, words)

    def _nothing_for(self, name: str) -> Reply:
        """What to say to who names a node that gets nothing now."""
        giver, trace = self.running, self._recorded
        call = next(n for n, s in enumerate(trace.steps) if s.kind is Kind.CALL and s.node == giver)
        for missed in withheld(self._nodes, trace, call):
            if self._is_called(missed.target, name):
                op, number = self._nodes[giver or 0].op, short(missed.contribution)
                words = f"{number} is what {op} should give to {name}; this class gives it nothing."
                return Reply(None, words)
        return self._slip(f"{self._name(giver)} has nothing to hand to {name} now.", [])

    def _split(self, text: str) -> tuple[str, str]:
        """The name of the target, where one was typed, and the rest."""
        text = text.strip()
        written = "".join(text.split())
        is_number = read_figure(text) is not None
        # A constant is called by its number: `3 -5` gives 3 what `3 - 5` does not.
        asked = {step.target for step in self._open if step.target is not None}
        for name in self._names(asked if is_number else self._recorded.initial):
            bare = "".join(name.split())
            if not written.startswith(bare):
                continue
            begun = re.match(r"\s*".join(map(re.escape, bare)), text)
            found = BEHIND_NAME.fullmatch(text, begun.end()) if begun is not None else None
            if found is not None and not APART.match(found["rest"]):
                return name, found["rest"]
        return "", text

    def _names(self, nodes: Iterable[int]) -> list[str]:
        """What nodes may be called, the longest first: `a + b` is not what `a` gets."""
        each = (self._nodes[node] for node in nodes)
        names = {name for node in each for name in (node.name, named(node), *node.aliases) if name}
        return sorted(names, key=len, reverse=True)

    def _is_called(self, node: int | None, name: str) -> bool:
        return node is not None and is_meant(self._nodes[node], name)

    def _why_not(self, step: Step, figure: Figure, *, is_local: bool) -> str:
        giver, taker = self._name(step.node), self._name(step.target)
        said = ""
        # By wrong numbers nobody can tell how somebody got to another wrong one.
        if due(self._nodes, self._recorded, step) is None:
            said = self._mistaken(step, figure, giver, taker, is_local=is_local)
        return said or f"{giver} does not hand that to {taker}."

    def _mistaken(
        self, step: Step, figure: Figure, giver: str, taker: str, *, is_local: bool
    ) -> str:
        """What somebody may have had in mind."""
        if is_local:
            return wrong_local(step, figure)
        # As long as another one is asked for, too, its number is not to be told.
        others = {
            self._name(other.target): other.contribution
            for other in self._hands.get(step.node or 0, ())
            if other.target != step.target and other not in self._open
            if other.contribution is not None
        }
        before = self._gradients.get(step.target or 0, 0.0)
        return misgiven(step, figure, giver, taker, before, others)

    def _write(self, step: Step) -> None:
        assert step.target is not None
        assert step.contribution is not None
        before = self._gradients.get(step.target, 0.0)
        after = before + step.contribution
        # Rounding apart, the last of them leaves what the recorded pass left.
        self._gradients[step.target] = after
        self.steps.append(replace(step, before=before, after=after))
        self._open.remove(step)
        self._count()

    # -- help ---------------------------------------------------------------------------

    def show(self) -> Reply:
        """Do the next thing right; that counts as one that was not."""
        if self.finished:
            return Reply(None, self.question)
        if self._open:
            step = self._open[0]
            self._mark(f"what {self._name(step.node)} hands to {self._name(step.target)} was shown")
            self._write(step)
            return Reply(None, handed(self._recording, step))
        node = self._next()
        assert node is not None
        self._mark(f"{self._name(node)} was shown")
        self._run(node)
        return Reply(None, f"{self._name(node)} runs: {self._why(node)}")

    def undo(self) -> Reply:
        """Take back the last choice with its contributions; what went wrong there stays counted."""
        if not self._choices:
            return Reply(None, "Nothing is chosen yet.")
        length, right = self._choices.pop()
        # What slipped stays, and so does that it was asked.
        self.asked = right + len(self.slips)
        self._take_back(length)
        return Reply(None, "The last choice is taken back.")

    def _take_back(self, length: int) -> None:
        """Go back to so many steps; at the beginning the root has its seed."""
        self.steps = self.steps[:length] or list(self._start)
        self._open, self._has_slipped = [], False
        calls = (step.node for step in self.steps if step.kind is Kind.CALL)
        self._ran = dict.fromkeys(node for node in calls if node is not None)
        self._gradients = dict(self._recorded.initial)
        for step in self.steps:
            if step.target is not None and step.after is not None:
                self._gradients[step.target] = step.after

    def _slip(self, words: str, shown: list[str]) -> Reply:
        self._mark(words)
        return Reply(False, words, tuple(shown))

    def _mark(self, words: str) -> None:
        if not self._has_slipped:
            self.slips.append(Slip(len(self.steps), words))
        self._has_slipped = True

    def _count(self) -> None:
        self.asked += 1
        self._has_slipped = False

    # -- the order ----------------------------------------------------------------------

    def _missing(self, node: int) -> list[int]:
        """The consumers of a node that have not run."""
        ran = self._ran
        return [each for each in self._readiness.consumers(node) if each not in ran]

    def _next(self) -> int | None:
        """The node that the recorded pass takes of those that have not run and are ready."""
        return next(iter(self._rest()), None)

    def _rest(self, but: int | None = None) -> list[int]:
        """The nodes that have not run, in the recorded order."""
        ran = self._ran
        return [
            node
            for node in dict.fromkeys(self._recorded.sequence)
            if node in self._hands and node not in ran and node != but
        ]

    def _why(self, node: int) -> str:
        consumers = self._readiness.consumers(node)
        if node == self._recorded.root:
            return "it is the root."
        return f"{joined([self._name(each) for each in consumers])} ran before it."

    def _name(self, node: int | None) -> str:
        return "" if node is None else named(self._nodes[node])

    # -- what it would lead to ----------------------------------------------------------

    def _handed(self, node: int, name: str) -> list[str]:
        """What a node would hand on with the gradient that it has by now."""
        has = self._gradients.get(node, 0.0)
        told = self._tellable()
        parts = [
            f"{self._name(step.target)} {number}"
            for step in self._hands[node]
            if (number := told(_slope(step) * has))
        ]
        if not parts:
            return []
        return [f"With the {short(has)} that {name} has now it hands on {joined(parts)}."]

    def _shown(self, when: str, order: list[int]) -> list[str]:
        """The gradients that would come out wrong, leaves first; none where none would.

        Not the right ones, nor a wrong one that is the answer to something still to be asked.
        """
        right = self.outcome(dict.fromkeys(self._recorded.sequence))
        wrong = self.outcome(order)
        nodes = sorted(right, key=lambda node: (bool(self._nodes[node].children), node))
        told = self._tellable()
        off = [
            f"{self._name(node)} {told(wrong[node])}".rstrip()
            for node in nodes
            if not same(wrong[node], right[node]) and not self._nodes[node].constant
        ]
        if not off:
            return []
        more = f" and {len(off) - MOST_SHOWN} more" if len(off) > MOST_SHOWN else ""
        return [f"{when}, these end wrong: {', '.join(off[:MOST_SHOWN])}{more}."]

    def _tellable(self) -> Callable[[float], str]:
        """Writes a number; not where it is the answer to something that is still to be asked."""
        over = {(step.node, step.slot) for step in self.steps if step.kind is Kind.WRITE}
        known = {_digits(node.data) for node in self._nodes}
        known.update(digits for step in self.steps for digits in _numbers(step))
        ahead = {
            _digits(each) for each in self.outcome(dict.fromkeys(self._recorded.sequence)).values()
        }
        for step in self._recorded.steps:
            if step.kind is Kind.WRITE and (step.node, step.slot) not in over:
                ahead.update(_numbers(step))
        ahead -= known
        return lambda number: "" if _digits(number) in ahead else short(number)

    def outcome(self, order: Iterable[int]) -> Mapping[int, float]:
        """The gradients, by node id, after nodes have run in some order, each as often as it says.

        Worked out from the slopes of the recorded pass: each node hands on the gradient that it
        has when it runs.
        """
        gradients = dict.fromkeys(self._recorded.initial, 0.0)
        for step in self._start:
            assert step.target is not None
            gradients[step.target] = step.after or 0.0
        for node in order:
            upstream = gradients[node]
            for step in self._hands.get(node, ()):
                if step.target is not None:
                    gradients[step.target] += _slope(step) * upstream
        return gradients


def refusal(recording: Recording, trace: Trace | None) -> str:
    """Why a pass cannot be run by somebody else; empty where it can."""
    writes = [n for n, step in enumerate(trace.steps if trace else ()) if step.kind is Kind.WRITE]
    if trace is None or not writes:
        return "There is no pass with += in which anything is handed on."
    if trace.error is not None:
        return "The pass broke off, so there is nothing to hold yours against."
    # What comes after the last of them, as an update, is no part of the pass.
    if any(step.kind is Kind.OUTSIDE for step in trace.steps[: writes[-1]]):
        return "This pass sets gradients from outside as well."
    if len(Readiness(recording, trace).early) or len(set(trace.sequence)) < len(trace.sequence):
        return "This pass runs nodes too early: choose the depth-first order (Run, Order) first."
    return ""


def _slope(step: Step) -> float:
    if step.local is not None:
        return step.local
    return (step.contribution or 0.0) / step.upstream if step.upstream else 0.0


def _numbers(step: Step) -> set[str]:
    """Every number of a step as it is written, without its sign."""
    found = (step.upstream, step.local, step.contribution, step.before, step.after)
    return {_digits(each) for each in found if each is not None}


def _digits(number: float) -> str:
    return short(abs(number))
