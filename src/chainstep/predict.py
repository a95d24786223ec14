"""Questions about what comes next in a pass, and what is to be said about the answers.

Everything here knows the whole trace. Who answers sees only what :mod:`chainstep.horizon` leaves.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from chainstep.answer import Figure, mistake, read_figure, unreadable
from chainstep.correction import as_done, as_foreseen, gradients_due
from chainstep.explain import explain, named, receiver, same, wrong
from chainstep.figures import quoted, short
from chainstep.formula import is_meant
from chainstep.history import history
from chainstep.readiness import Readiness
from chainstep.sentence import joined, ordinal
from chainstep.trace import Kind, Mode, Order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.trace import Recording, Step, Trace


class Policy(Enum):
    """When one is asked."""

    OFF = "off"
    EVERY = "every"
    MATTERS = "matters"


class Ask(Enum):
    """What one is asked."""

    NODE = "which node runs next"
    GRADIENT = "what the gradient becomes"
    AGREE = "whether += and = agree"
    COUNT = "how many contributions come"


@dataclass(frozen=True, slots=True)
class Question:
    """A question about one step.

    Attributes:
        ask: What is asked.
        step: The number of the step that answers it, from 0: it is asked at that position.
        text: The question, in one or two sentences.
        node: Id of the node that it is about; None where that is the answer.
    """

    ask: Ask
    step: int
    text: str
    node: int | None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a question.

    Attributes:
        question: The question.
        right: Whether the answer was; None where nobody gave one.
        answer: The answer in words; empty where nobody gave one.
        truth: What is right, in a few words.
        why: Sentences: the mistake where one shows, then the reason.
        numbers: The formula with the numbers of the step; empty where it has none.
        instead: What to say in place of the truth, without its full stop, to an answer that is
            right and is not what happened; empty for any other.
    """

    question: Question
    right: bool | None
    answer: str
    truth: str
    why: tuple[str, ...]
    numbers: str = ""
    instead: str = ""


@dataclass(slots=True)
class Score:
    """Answers to one kind of question."""

    right: int = 0
    wrong: int = 0

    def add(self, right: bool) -> None:
        """Count one more."""
        self.right += right
        self.wrong += not right


@dataclass
class Tally:
    """All answers given so far in one pass.

    Attributes:
        scores: How many were right, by kind of question.
        streak: How many were right since the last wrong one.
    """

    scores: dict[Ask, Score] = field(default_factory=lambda: {ask: Score() for ask in Ask})
    streak: int = 0

    def add(self, verdict: Verdict) -> None:
        """Count an answer; a question that nobody answered does not count."""
        if verdict.right is not None:
            self.scores[verdict.question.ask].add(verdict.right)
            self.streak = self.streak + 1 if verdict.right else 0

    @property
    def right(self) -> int:
        """How many were right."""
        return sum(score.right for score in self.scores.values())

    @property
    def total(self) -> int:
        """How many there were."""
        return self.right + sum(score.wrong for score in self.scores.values())

    def lines(self) -> list[str]:
        """One line per kind of question that was answered."""
        return [
            f"{ask.value}: {score.right} right, {score.wrong} wrong"
            for ask, score in self.scores.items()
            if score.right or score.wrong
        ]


class Examiner:
    """Asks about one trace, and judges. Built in O(nodes + edges + steps).

    Args:
        recording: Holds the nodes.
        trace: The pass that is asked about.
        beside: The same pass in the other mode, where both are on show.
    """

    def __init__(self, recording: Recording, trace: Trace, beside: Trace | None = None) -> None:
        self._nodes = recording.nodes
        self._recording = recording
        self.trace = trace
        self.beside = beside
        self._readiness = Readiness(recording, trace)
        self._history = history(trace)
        self._turns: dict[int, int] = {}
        self._called: dict[int | None, int] = {}
        self._gates: set[int] = set()
        seen: set[str] = set()
        for number, step in enumerate(trace.steps):
            if step.kind is Kind.CALL:
                self._turns[number] = len(self._turns)
                self._called.setdefault(step.node, number)
            elif step.kind is Kind.WRITE and step.node is not None:
                op = self._nodes[step.node].op
                if op not in seen:
                    self._gates.add(number)
                seen.add(op)

    # -- questions ----------------------------------------------------------------------

    def next(self, start: int, end: int, policy: Policy) -> Question | None:
        """The first question about the steps from one number up to another."""
        for number in range(start, min(end, len(self.trace.steps))):
            if policy is Policy.EVERY or (policy is Policy.MATTERS and self._matters(number)):
                question = self.question(number)
                if question is not None:
                    return question
        return None

    def question(self, number: int) -> Question | None:
        """What is asked about a step; None for one that nobody can foresee."""
        step = self.trace.steps[number]
        if step.kind is Kind.CALL:
            return Question(Ask.NODE, number, "Which node runs its _backward next?", None)
        if step.target is None or step.kind is Kind.OUTSIDE:
            return None
        taker = receiver(self._nodes[step.target])
        if step.kind is Kind.SEED:
            text = f"The pass begins at the root {taker}. What gradient does it get?"
            return Question(Ask.GRADIENT, number, text, step.target)
        before, total = self._place(number, step)
        giver = self._name(step.node)
        which = ordinal(before + 1)
        if before == 0 and total > 1:
            text = f"{giver} gives {taker} its first contribution. How many will {taker} get?"
            return Question(Ask.COUNT, number, text, step.target)
        given = f"{giver} gives {taker} a contribution, the {which}."
        if self._twin(number) is not None and before == 1:
            text = f"{given} Will += and = agree in {taker} after it?"
            return Question(Ask.AGREE, number, text, step.target)
        mode = {Mode.ACCUMULATE: " with +=", Mode.OVERWRITE: " with ="}.get(self.trace.mode, "")
        text = f"{given} What is the gradient of {taker} after it{mode}?"
        return Question(Ask.GRADIENT, number, text, step.target)

    def candidates(self, question: Question) -> list[str]:
        """Names of nodes to choose from, where a node is asked for; none where that tells it."""
        if question.ask is not Ask.NODE:
            return []
        ran = {node for node, at in self._called.items() if node is not None and at < question.step}
        names = [self._name(node) for node in self._readiness.frontier(ran)]
        return names if len(names) > 1 else []

    def _matters(self, number: int) -> bool:
        """Whether a step shows reuse, a difference, a gate for the first time, a leaf, readiness.

        Of calls only those count before which an operand of the node that ran last has to wait:
        there plain recursion would go another way. Of leaves only the write that completes them.
        """
        step = self.trace.steps[number]
        if step.kind is Kind.CALL:
            return self._waits(number)
        if step.kind is not Kind.WRITE or step.target is None:
            return False
        target = self._nodes[step.target]
        before, total = self._place(number, step)
        is_last_of_leaf = not target.children and before == total - 1
        return total > 1 or (not target.constant and (is_last_of_leaf or number in self._gates))

    def _waits(self, number: int) -> bool:
        turn = self._turns[number]
        if turn == 0:
            return False
        last = self.trace.sequence[turn - 1]
        return any(self._missing(child, number) for child in self._nodes[last].children)

    def _place(self, number: int, step: Step) -> tuple[int, int]:
        """How many contributions the target has got before a write, and gets in all."""
        assert step.target is not None
        writes = self._history[step.target]
        return writes.before(number), len(writes.numbers)

    def _twin(self, number: int) -> Step | None:
        """The same write in the other mode."""
        if self.beside is None or number >= len(self.beside.steps):
            return None
        step, twin = self.trace.steps[number], self.beside.steps[number]
        alike = (step.node, step.slot, step.target) == (twin.node, twin.slot, twin.target)
        return twin if alike else None

    def _name(self, node_id: int | None) -> str:
        return "" if node_id is None else named(self._nodes[node_id])

    # -- answers ------------------------------------------------------------------------

    def judge(self, question: Question, answer: str) -> Verdict | str:
        """What is to be said about a typed answer; a sentence where it cannot be read."""
        answer = answer.strip()
        if question.ask is Ask.NODE:
            found = self._nodes_called(answer)
            if not found:
                written = quoted(answer)
                return f"No node of this pass is called {written}: type a name, or click a node."
            truth = self.trace.steps[question.step].node
            return self.judge_node(question, truth if truth in found else found[-1])
        if question.ask is Ask.AGREE:
            said = {"y": True, "yes": True, "n": False, "no": False}.get(answer.casefold())
            return "Answer yes or no." if said is None else self._judge_agreement(question, said)
        figure = read_figure(answer)
        if figure is None:
            return unreadable(answer)
        if question.ask is Ask.COUNT:
            return self._judge_count(question, figure)
        return self._judge_gradient(question, figure)

    def _nodes_called(self, name: str) -> list[int | None]:
        return [node for node in self.trace.initial if is_meant(self._nodes[node], name)]

    def reveal(self, question: Question) -> Verdict:
        """What is to be said where nobody answered."""
        truth, why, numbers = self._truth(question)
        return Verdict(question, None, "", truth, why, numbers)

    def judge_node(self, question: Question, chosen: int | None) -> Verdict:
        """What is to be said about a node that was clicked."""
        truth, why, _ = self._truth(question)
        node = self.trace.steps[question.step].node
        assert chosen is not None
        name = self._name(chosen)
        if chosen == node:
            return Verdict(question, True, name, truth, why)
        missing = self._missing(chosen, question.step)
        if self._has_run(chosen, question.step):
            said = f"{name} has run already."
        elif missing:
            have = "has" if len(missing) == 1 else "have"
            said = (
                f"{name} is not ready: {joined([self._name(n) for n in missing])} {have} yet to "
                "run, and would then give it more than it has passed on."
            )
        elif not len(self._readiness.early) or self.trace.order is Order.AS_WRITTEN:
            return Verdict(
                question, True, name, truth, why, instead=self._also(name, node, question.step)
            )
        else:
            said = f"{name} is ready, but this pass does not wait until nodes are."
        return Verdict(question, False, name, truth, (said, *why))

    def _also(self, name: str, node: int | None, number: int) -> str:
        """What is to be said to who chose a node that is ready, and that does not run next."""
        real = self._name(node)
        if node is not None and self._missing(node, number):
            return f"{name} is ready, so it is right. This program takes {real}, which is not ready"
        return f"{name} is right too: it is ready. This pass takes {real} first"

    def _judge_agreement(self, question: Question, said: bool) -> Verdict:
        truth, why, numbers = self._truth(question)
        right = said is self._agrees(question.step)
        words = "yes" if said else "no"
        taker = self._name(question.node)
        lost = self.trace.steps[question.step].before
        if not right and said and lost:
            why = (f"{taker} had a contribution already, and = throws that away.", *why)
        elif not right and not said:
            why = ("What = threw away here was nothing, or comes out the same.", *why)
        return Verdict(question, right, words, truth, why, numbers)

    def _judge_count(self, question: Question, figure: Figure) -> Verdict:
        truth, why, _ = self._truth(question)
        assert question.node is not None
        count, uses = len(self._history[question.node].numbers), self._uses(question.node)
        answer = short(figure.value).removesuffix(".0")
        if figure.value == count:
            return Verdict(question, True, answer, truth, why)
        taker = self._name(question.node)
        if figure.value == uses:
            instead = f"{uses} is what {taker} should get, one for each use; here it gets {count}"
            return Verdict(question, True, answer, truth, why, instead=instead)
        return Verdict(
            question, False, answer, truth, (*self._miscounted(question.node, figure), *why)
        )

    def _uses(self, node_id: int) -> int | None:
        """In how many slots a node is used; None where a pass runs nodes again."""
        ran = self.trace.sequence
        if len(set(ran)) < len(ran):
            return None
        return sum(self._nodes[each].children.count(node_id) for each in ran)

    def _miscounted(self, node_id: int, figure: Figure) -> list[str]:
        """The only mistake that explains a wrong number of contributions."""
        steps = [self.trace.steps[number] for number in self._history[node_id].numbers]
        givers = {step.node for step in steps}
        twice = len({(step.node, step.slot) for step in steps}) == len(steps) > len(givers)
        found = []
        if figure.value == len(givers) and twice:
            found.append("A node that uses it in two slots gives it two contributions.")
        if figure.value == 1 < len(givers):
            found.append("The other paths were forgotten: each use brings one.")
        if figure.value == len(self._nodes[node_id].children) > 0:
            found.append("Those are its operands: contributions come from the nodes that use it.")
        return found if len(found) == 1 else []

    def _judge_gradient(self, question: Question, figure: Figure) -> Verdict:
        truth, why, numbers = self._truth(question)
        number, answer = question.step, short(figure.value)
        step = self.trace.steps[number]
        assert step.after is not None
        scale = max(abs(step.before or 0.0), abs(step.contribution or 0.0))
        done = as_done(self._recording, self.trace, step)
        if figure.fits(step.after, scale):
            said = as_foreseen(self._recording, self.trace, step)
            why = (said, *why[1:]) if said else why
            return Verdict(question, True, answer, truth, why, numbers)
        for right in gradients_due(self._recording, self.trace, number):
            if right.fits(figure):
                goes_on = f"The pass goes on with {short(step.after)}."
                why = (goes_on, *(why[1:] if done else why))
                return Verdict(question, True, answer, truth, why, numbers, right.words)
        if step.kind is Kind.WRITE and not done:
            assert step.target is not None
            stale = not self._history[step.target].kept(number)
            giver, taker = self._name(step.node), self._name(step.target)
            said = mistake(step, figure, giver, taker, stale=stale)
            why = (said, *why) if said else why
        return Verdict(question, False, answer, truth, why, numbers)

    # -- what is right ------------------------------------------------------------------

    def _truth(self, question: Question) -> tuple[str, tuple[str, ...], str]:
        """What is right in a few words, why, and the numbers of the step.

        It tells no more than what may be known after the step. Where the code is wrong, the first
        sentence says so.
        """
        number = question.step
        step = self.trace.steps[number]
        if question.ask is Ask.NODE:
            return f"{self._name(step.node)} runs next", (self._why_next(number),), ""
        assert step.target is not None
        taker = receiver(self._nodes[step.target])
        if question.ask is Ask.COUNT:
            numbers = self._history[step.target].numbers
            come = f"They come from {self._givers(numbers)}."
            return f"{taker} gets {len(numbers)} contributions", (come,), ""
        known = self.trace.until(number + 1)
        beside = None if self.beside is None else self.beside.until(number + 1)
        told = explain(self._recording, known, number + 1, beside)
        done = as_done(self._recording, self.trace, step)
        # Said once is enough.
        known_wrong = wrong(self._nodes, self.trace, step)
        sentences = tuple(each for each in told.sentences if each not in known_wrong)
        why = (done, *sentences) if done else sentences
        if question.ask is Ask.AGREE:
            agrees = "+= and = agree" if self._agrees(number) else "+= and = differ"
            return f"{agrees} in {taker}", why, told.numbers
        assert step.after is not None
        return f"the gradient of {taker} is {short(step.after)}", why, told.numbers

    def _givers(self, numbers: Sequence[int]) -> str:
        """`d and c`, `b (twice)`: who brings contributions."""
        givers = Counter(self.trace.steps[each].node for each in numbers)
        often = {1: "", 2: " (twice)"}
        return joined(
            [
                f"{self._name(giver)}{often.get(count, f' ({count} times)')}"
                for giver, count in givers.items()
            ]
        )

    def _why_next(self, number: int) -> str:
        """Why a node runs, with what may be known when it does."""
        readiness, turn = self._readiness, self._turns[number]
        if turn in readiness.early:
            readiness = Readiness(self._recording, self.trace.until(number + 1))
        return readiness.why(turn, number + 1)

    def _agrees(self, number: int) -> bool:
        twin = self._twin(number)
        return twin is None or same(self.trace.steps[number].after, twin.after)

    def _has_run(self, node_id: int, number: int) -> bool:
        """Whether a node ran before a step."""
        return self._called.get(node_id, number) < number

    def _missing(self, node_id: int, number: int) -> list[int]:
        """The consumers of a node that have not run before a step."""
        consumers = self._readiness.consumers(node_id)
        return [each for each in consumers if not self._has_run(each, number)]
