"""Predict before reveal: stepping forward asks first, and shows what happened after the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.story import Phase
from chainstep.trace import Mode
from chainstep.ui.course import Place
from chainstep.ui.quiz import Sheet, Tone, Wants, offered

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.predict import Examiner, Policy, Question, Tally, Verdict
    from chainstep.trace import Recording, Trace
    from chainstep.ui.stepping import Stepping

BESIDE = {Mode.ACCUMULATE: Mode.OVERWRITE, Mode.OVERWRITE: Mode.ACCUMULATE}


class Prediction(QObject):
    """Asks about the next step of a session, and hides what is to come meanwhile.

    A step forward that leads past a question stops before it and asks. The next one reveals: it
    makes the step that was asked about. So a lecturer needs no more than the key that steps, and
    the room has all the time between the two.

    Args:
        session: Whose steps they are.
        whole: Gives the whole trace of a mode, also where it is hidden.
    """

    changed = Signal()
    """Another question or verdict, or none; or it is asked at other times."""

    def __init__(self, session: Stepping, whole: Callable[[Mode], Trace | None]) -> None:
        super().__init__(session)
        self._session = session
        self._whole = whole
        self._policy: Policy | None = None
        self._examiner: Examiner | None = None
        self._tally: Tally | None = None
        self._counts: tuple[Recording | None, int] = (None, 0)
        """What answers are counted about: one pass of one run."""
        self.question: Question | None = None
        """What waits for an answer."""
        self.verdict: Verdict | None = None
        """What became of the question before, as long as its step is on show."""
        self.problem = ""
        """Why what was typed is no answer."""
        session.recording_changed.connect(self._follow)
        session.view_changed.connect(self._follow)
        session.position_changed.connect(self._follow)

    # -- when ---------------------------------------------------------------------------

    @property
    def policy(self) -> str:
        """When it asks: `off`, `every` or `matters`."""
        return "off" if self._policy is None else self._policy.value

    @property
    def on(self) -> bool:
        """Whether it asks at all."""
        return self._policy is not None

    def set_policy(self, name: str) -> None:
        """Ask never, at every step, or only where it matters."""
        from chainstep.predict import Policy  # noqa: PLC0415  not at start

        policy = Policy(name)
        self._policy = None if policy is Policy.OFF else policy
        self._begin_anew()
        self.question = self.verdict = None
        self.problem = ""
        self._session.hide(self.on, by=self)
        self.changed.emit()

    # -- asking -------------------------------------------------------------------------

    def before(self, goal: Place) -> Place:
        """Where a step forward to a place leads: to the question on the way, or past it."""
        examiner = self._current() if self.on else None
        if examiner is None or self._policy is None or goal.phase is not Phase.BACKWARD:
            return goal
        if self.question is not None:
            self.verdict, self.question = examiner.reveal(self.question), None
            return self._after(self.verdict.question)
        here = self._session.place
        start = here.number if here.phase is Phase.BACKWARD else 0
        self.verdict = None
        self.question = examiner.next(start, goal.number, self._policy)
        return goal if self.question is None else Place(Phase.BACKWARD, self.question.step)

    def tell(self) -> None:
        """Say that a step has been made, or asked about, where anything is asked at all."""
        self.problem = ""
        if self.on:
            self.changed.emit()

    def _after(self, question: Question) -> Place:
        return Place(Phase.BACKWARD, question.step + 1)

    def _current(self) -> Examiner | None:
        """Who asks about the trace that the position counts in."""
        from chainstep.predict import Examiner  # noqa: PLC0415  not at start

        session = self._session
        recording, story = session.whole_recording, session.story
        trace = self._whole(story.trace.mode) if story is not None else None
        if recording is None or trace is None:
            return None
        other = BESIDE.get(trace.mode) if len(session.panes) > 1 else None
        beside = None if other is None else self._whole(other)
        kept = self._examiner
        if kept is None or kept.trace is not trace or kept.beside is not beside:
            self._examiner = Examiner(recording, trace, beside)
        return self._examiner

    def _follow(self) -> None:
        """Elsewhere than where it was asked there is no question."""
        if not self.on:
            return
        self._begin_anew()
        before = (self.question, self.verdict)
        place = self._session.place
        number = place.number if place.phase is Phase.BACKWARD else None
        if self.question is not None:
            examiner = self._current() if self.question.step == number else None
            # In another view something else may be asked about the same step.
            self.question = examiner.question(self.question.step) if examiner else None
        if self.verdict is not None and self._after(self.verdict.question) != place:
            self.verdict = None
        if before != (self.question, self.verdict):
            self.problem = ""
            self.changed.emit()
        elif before == (None, None):
            # What is said between two questions depends on the place.
            self.changed.emit()

    def _begin_anew(self) -> None:
        """Count from nothing where another pass is asked about, or another run."""
        from chainstep.predict import Tally  # noqa: PLC0415  not at start

        recording, index = self._session.whole_recording, self._session.pass_index
        is_same = self._counts[0] is recording and self._counts[1] == index
        if self._tally is None or not is_same:
            self._counts, self._tally = (recording, index), Tally()

    # -- answers ------------------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Take what was typed, and reveal; where it cannot be read, say why."""
        examiner = self._current()
        if self.question is None or examiner is None:
            return
        judged = examiner.judge(self.question, text)
        if isinstance(judged, str):
            self.problem = judged
            self.changed.emit()
        else:
            self._settle(judged)

    def choose(self, node_id: int) -> bool:
        """Take a node that was clicked; whether a node was asked for."""
        from chainstep.predict import Ask  # noqa: PLC0415  not at start

        examiner = self._current()
        if self.question is None or examiner is None or self.question.ask is not Ask.NODE:
            return False
        self._settle(examiner.judge_node(self.question, node_id))
        return True

    def _settle(self, verdict: Verdict) -> None:
        assert self._tally is not None
        self._tally.add(verdict)
        self.question, self.verdict, self.problem = None, verdict, ""
        self._session.go(self._after(verdict.question))
        self.changed.emit()

    # -- for the bar --------------------------------------------------------------------

    def sheet(self) -> Sheet | None:
        """What the bar says; None while nothing is asked at all."""
        tally = self._tally
        if not self.on or tally is None:
            return None
        text = _counted(tally)
        scores = tuple(tally.lines())
        if self.question is not None:
            lines = (self.problem,) if self.problem else ()
            wants, title = _wanted(self.question), self.question.text
            choices = self._choices(self.question, wants)
            return Sheet(Tone.ASKED, title, lines, wants, choices, text, scores, on="Reveal")
        if self.verdict is not None:
            told = _told(self.verdict, text, scores)
            return replace(told, on="") if self._session.at_end else told
        if self._session.at_end:
            return Sheet(Tone.TOLD, "The pass is over.", tally=text, scores=scores, on="")
        return Sheet(Tone.TOLD, self._ahead(), tally=text, scores=scores)

    def _ahead(self) -> str:
        """What is to be said between two questions: no more of what comes than that one does."""
        hidden = "What is to come is hidden."
        session, examiner = self._session, self._current()
        here = session.place
        if examiner is None or self._policy is None:
            return hidden
        if here.phase is not Phase.BACKWARD:
            return f"{hidden} Questions come with the backward pass."
        if examiner.next(here.number, session.ahead.number, self._policy) is None:
            return hidden
        return f"{session.keys['step_over']} leads to the next question. {hidden}"

    def _choices(self, question: Question, wants: Wants) -> tuple[str, ...]:
        if wants is Wants.CHOICE:
            return ("yes", "no")
        examiner = self._current()
        return () if examiner is None else offered(examiner.candidates(question))


def _counted(tally: Tally) -> str:
    """`4 of 5 right`, and how many of them came in a row since the last wrong one."""
    if not tally.total:
        return ""
    # Where all were right, so many in a row is what that says already.
    more = f"\n{tally.streak} in a row" if 1 < tally.streak < tally.total else ""
    return f"{tally.right} of {tally.total} right{more}"


def _wanted(question: Question) -> Wants:
    from chainstep.predict import Ask  # noqa: PLC0415  not at start

    if question.ask is Ask.NODE:
        return Wants.NODE
    return Wants.CHOICE if question.ask is Ask.AGREE else Wants.NUMBER


def _said(verdict: Verdict) -> str:
    """What stands before the truth: whether the answer was it."""
    from chainstep.predict import Ask  # noqa: PLC0415  not at start

    if verdict.right is None:
        return ""
    if verdict.right:
        return "Right: "
    if verdict.question.ask is Ask.AGREE:
        # The answer that would have been right.
        return "No: " if verdict.answer == "yes" else "Yes: "
    return f"Not {verdict.answer}: "


def _told(verdict: Verdict, text: str, scores: tuple[str, ...]) -> Sheet:
    tone = {True: Tone.RIGHT, False: Tone.WRONG, None: Tone.TOLD}[verdict.right]
    title = f"{verdict.instead or _said(verdict) + verdict.truth}."
    why = " ".join(verdict.why)
    lines = tuple(line for line in (verdict.numbers, why) if line)
    # A name is written as it is, at the beginning of a sentence too.
    title = f"The {title[4:]}" if title.startswith("the ") else title
    return Sheet(tone, title, lines, tally=text, scores=scores)
