"""You are the engine: the pass that somebody runs stands where the recorded one did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from chainstep.figures import quoted
from chainstep.trace import Mode
from chainstep.ui.quiz import Sheet, Tone, Wants, offered

if TYPE_CHECKING:
    from collections.abc import Callable

    from chainstep.challenge import Challenge, Reply
    from chainstep.trace import Trace
    from chainstep.ui.stepping import Stepping

MOST_SLIPS = 3
"""Slips that are told at the end; the tally's tool tip has them all."""
MOST_UNFOLDED = 2_000
"""Nodes of a graph that is laid out anew at once, so that each of them has its card."""
TONES = {True: Tone.RIGHT, False: Tone.WRONG, None: Tone.TOLD}


class EngineMode(QObject):
    """Lets somebody else run a pass of a session, with `+=`, and holds it against what was run.

    Args:
        session: Whose pass it is.
        whole: Gives the whole trace of a mode, also where it is hidden.
        perform: Puts a trace on show in place of the recorded ones; None puts those back.
    """

    changed = Signal()
    """It began or ended, or something was chosen or entered."""

    def __init__(
        self,
        session: Stepping,
        whole: Callable[[Mode], Trace | None],
        perform: Callable[[Trace | None], None],
    ) -> None:
        super().__init__(session)
        self._session = session
        self._whole = whole
        self._perform = perform
        self._challenge: Challenge | None = None
        self._reply: Reply | None = None
        self._judged: tuple[Trace | None, str] | None = None

    @property
    def on(self) -> bool:
        """Whether somebody else is the engine now."""
        return self._challenge is not None

    @property
    def finished(self) -> bool:
        """Whether every node has run."""
        return self._challenge is not None and self._challenge.finished

    @property
    def can_undo(self) -> bool:
        """Whether there is a choice to take back."""
        return self._challenge is not None and self._challenge.can_undo

    def refusal(self) -> str:
        """Why it cannot begin here; empty where it can."""
        session, recording = self._session, self._session.whole_recording
        if self.on or recording is None:
            return ""
        if session.comparison is not None:
            return "Two runs are being compared: end that first."
        visible = session.visible
        if visible is not None and visible.stands and len(visible.whole) > MOST_UNFOLDED:
            keys = f"{session.keys['hide_constants']} and {session.keys['fold_helpers']}"
            return f"Some nodes have no card: show constants and helpers first ({keys})."
        trace = self._whole(Mode.ACCUMULATE)
        # Walks through all of the pass, and is asked for after every step: found out once.
        if self._judged is None or self._judged[0] is not trace:
            from chainstep.challenge import refusal  # noqa: PLC0415  not at start

            self._judged = trace, refusal(recording, trace)
        return self._judged[1]

    # -- begin and end ------------------------------------------------------------------

    def toggle(self) -> None:
        """Begin, or leave."""
        if self.on:
            self.leave()
        else:
            self.begin()

    def begin(self) -> None:
        """Begin before the first node runs; nothing where that cannot be."""
        from chainstep.challenge import Challenge  # noqa: PLC0415  not at start

        recording, trace = self._session.whole_recording, self._whole(Mode.ACCUMULATE)
        if recording is None or trace is None or self.refusal():
            return
        self._challenge, self._reply = Challenge(recording, trace), None
        self._show()

    def leave(self) -> None:
        """End it, and go back to where the session stood."""
        if self.on:
            self._challenge = self._reply = None
            self._perform(None)
            self.changed.emit()

    def _show(self) -> None:
        assert self._challenge is not None
        self._perform(self._challenge.trace)
        self.changed.emit()

    # -- what somebody does -------------------------------------------------------------

    def answer(self, text: str) -> None:
        """Take what was typed: a node where one is to be chosen, else a contribution."""
        challenge = self._challenge
        if challenge is None:
            return
        if challenge.running is not None:
            self._take(challenge.enter(text))
            return
        node = challenge.find(text.strip())
        if node is None:
            from chainstep.challenge import Reply  # noqa: PLC0415  not at start

            self._take(Reply(None, f"No node of this pass is called {quoted(text.strip())}."))
        else:
            self._take(challenge.choose(node))

    def choose(self, node_id: int) -> bool:
        """Take a node that was clicked; whether one is to be chosen."""
        challenge = self._challenge
        if challenge is None or challenge.running is not None or challenge.finished:
            return False
        self._take(challenge.choose(node_id))
        return True

    def show_next(self) -> None:
        """Do the next thing right for them."""
        if self._challenge is not None:
            self._take(self._challenge.show())

    def undo(self) -> None:
        """Take back the last choice."""
        if self._challenge is not None:
            self._take(self._challenge.undo())

    def _take(self, reply: Reply) -> None:
        self._reply = reply
        self._show()

    # -- for the bar --------------------------------------------------------------------

    def sheet(self) -> Sheet | None:
        """What the bar says; None while the program's own engine runs."""
        challenge, reply = self._challenge, self._reply
        if challenge is None:
            return None
        slips = tuple(f"after step {slip.step}: {slip.words}" for slip in challenge.slips)
        tally = challenge.score
        said = () if reply is None else (f"{TONES[reply.right].value} {reply.words}", *reply.shown)
        if challenge.finished:
            return self._over(challenge, slips)
        tone = Tone.ASKED if reply is None or reply.right is None else TONES[reply.right]
        wants = Wants.NODE if challenge.running is None else Wants.CONTRIBUTION
        choices = offered(challenge.candidates)
        question = challenge.question
        return Sheet(tone, question, said, wants, choices, tally, slips, on="Show it")

    def _over(self, challenge: Challenge, slips: tuple[str, ...]) -> Sheet:
        """The score, and where it went wrong."""
        lines = ["Nothing went wrong."]
        if slips:
            more = f" and {len(slips) - MOST_SLIPS} more" if len(slips) > MOST_SLIPS else ""
            lines = ["It went wrong here:", *slips[:MOST_SLIPS]]
            lines[-1] += more
        title = f"{challenge.question} {challenge.score[:1].upper()}{challenge.score[1:]}."
        tone = Tone.TOLD if slips else Tone.RIGHT
        return Sheet(tone, title, tuple(lines), tally=challenge.score, scores=slips, on="")
