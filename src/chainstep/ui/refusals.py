"""Why a command cannot be done now, in a sentence that says what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chainstep.story import Phase
from chainstep.ui.jumps import call_from, last_write, subject, write_from
from chainstep.ui.session import View

if TYPE_CHECKING:
    from chainstep.ui.session import Session


class Refusals:
    """Why a command cannot be done now, in a sentence; empty where it can."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def no_steps(self) -> str:
        """There is a pass to step through."""
        session = self._session
        if session.panes:
            return ""
        if session.running:
            return "The program is still running."
        if session.recording is None:
            return f"Nothing is recorded yet: press {session.keys['run']} to run the program."
        return "The run recorded no backward pass: the message above says why."

    def _hidden(self, forward: bool = True) -> str:
        """What is to come may be looked for."""
        if forward and self._session.hides and not self._session.at_end:
            return "What is to come is hidden: step on to see it."
        return ""

    def no_hiding(self) -> str:
        """What is to come may be hidden or shown as one likes."""
        if self._session.engine.on:
            return "While you are the engine it is hidden: Esc leaves."
        if self._session.prediction.on:
            return "Prediction hides it: switch that off first (Step, Predict before reveal)."
        return ""

    def no_drawing(self) -> str:
        """The graph may be drawn otherwise."""
        if self._session.engine.on:
            return "While you are the engine the drawing stays as it is: Esc leaves."
        return self.no_steps()

    def no_folding(self) -> str:
        """Nodes may be left out, or folded into the cards of others, or shown again."""
        if self._session.prediction.on and not self._session.engine.on:
            key = self._session.keys["predict_off"]
            return f"While questions are asked each node has its card: {key} asks none."
        return self.no_drawing()

    def no_question(self) -> str:
        """A question waits for its answer."""
        engine = self._session.engine
        if self._session.prediction.question is not None or (engine.on and not engine.finished):
            return ""
        key = self._session.keys["predict_matters"]
        return f"Nothing is asked now: switch prediction on ({key}), then step."

    def no_engine(self) -> str:
        """Somebody else may be the engine, or may leave."""
        return self.no_steps() or self._session.engine.refusal()

    def no_choice(self) -> str:
        """There is a choice to take back."""
        if self._session.engine.can_undo:
            return ""
        return "Nothing is chosen: this takes back what you chose as the engine."

    def at_end(self) -> str:
        """There is a step ahead, or one can be kept until there is."""
        if self._session.running and not self._session.panes:
            return ""
        if self._session.engine.finished:
            return "Every node has run: Esc leaves."
        if self._session.at_end:
            return f"This is the last step: {self._session.keys['restart']} goes to the start."
        return self.no_steps()

    def at_start(self) -> str:
        """There is a step behind."""
        if self._session.engine.on and self._session.at_start:
            return "Nothing is chosen yet."
        if self._session.at_start:
            return f"This is the start: {self._session.keys['step_over']} makes the first step."
        return self.no_steps()

    def no_difference(self, forward: bool) -> str:
        """There is a difference ahead (or behind)."""
        session = self._session
        if not session.panes or self._hidden(forward):
            return self.no_steps() or self._hidden(forward)
        if not session.compares:
            key = session.keys["view_both"]
            return f"Differences are between += and =: show one of them, or both ({key})."
        if session.first_divergence is None and not session.hides:
            what = "The two passes" if session.comparison is not None else "+= and ="
            return f"{what} agree at every step of this pass."
        if session.divergence_from(forward) is None:
            return f"No difference begins {'after' if forward else 'before'} this step."
        return ""

    def no_mark(self, forward: bool) -> str:
        """There is a mark ahead (or behind)."""
        session = self._session
        if not session.panes or self._hidden(forward):
            return self.no_steps() or self._hidden(forward)
        if session.mark_from(forward) is None:
            return f"The timeline has no mark {'after' if forward else 'before'} this step."
        return ""

    def no_skip(self, phase: Phase) -> str:
        """The phase may be skipped, or no longer."""
        skipped = self._session.skipped
        if phase in skipped or len(skipped) < len(Phase) - 1:
            return ""
        return "The other two phases are skipped already, and one has to stay."

    def no_run(self) -> str:
        """A run is on."""
        return "" if self._session.running else "Nothing is running."

    def no_program(self) -> str:
        """There is something to run."""
        if self._session.program.text.strip():
            return ""
        return "The program is empty: type one, open a file or choose an example."

    def no_view(self, view: View) -> str:
        """The recording can be shown so."""
        session = self._session
        if session.recording is None or view in session.views:
            return ""
        if not session.views:
            return self.no_steps()
        if view is View.AS_WRITTEN:
            return "The program calls no backward() itself, so there is only += and =."
        return "This pass was not recorded in that mode."

    def no_pass(self, by: int) -> str:
        """There is a pass ahead (or behind)."""
        session = self._session
        if not session.panes or session.recording is None:
            return self.no_steps()
        if session.running:
            return "The program is still running."
        if session.recording.passes == 1:
            return "The program made only one backward pass."
        if 0 <= session.pass_index + by < session.recording.passes:
            return ""
        return f"This is the {'last' if by > 0 else 'first'} backward pass."

    def no_selection(self) -> str:
        """A node is selected."""
        if self._session.selected is not None:
            return ""
        return self.no_steps() or "No node is selected: click one."

    # -- findings -----------------------------------------------------------------------

    def no_report(self) -> str:
        """The recording has been checked."""
        checks = self._session.checks
        if checks.hidden:
            return "What was found would tell what is still to come, so it is hidden."
        if checks.checking:
            return "The program is still being checked."
        if checks.report is None:
            key = self._session.keys["check"]
            return checks.why_not() or f"It has not been checked: {key} checks it."
        return ""

    def no_finding(self) -> str:
        """Something was found."""
        refusal = self.no_report()
        if refusal or self._session.checks.findings:
            return refusal
        return "Nothing was found that is wrong with this program."

    def no_wrong_write(self) -> str:
        """A write is known to be wrong."""
        refusal = self.no_report()
        if refusal or self._session.checks.first_wrong_write is not None:
            return refusal
        return "No write of this program is known to be wrong."

    # -- debugging ----------------------------------------------------------------------

    def no_breakpoints(self) -> str:
        """There are breakpoints."""
        if self._session.breakpoints.items:
            return ""
        return "There is no breakpoint: F9 sets one at the selected node."

    def no_hit(self, forward: bool) -> str:
        """A breakpoint hits ahead (or behind)."""
        refusal = self.no_steps() or self.no_breakpoints() or self._hidden(forward)
        if refusal or self._session.breakpoints.from_here(forward) is not None:
            return refusal
        if self._session.breakpoints.looking:
            return "It is still being looked for where the breakpoints hit."
        if not len(self._session.breakpoints.positions):
            return "No breakpoint that is on hits anywhere in this pass."
        return f"No breakpoint hits {'after' if forward else 'before'} this step."

    def no_call(self) -> str:
        """The selected node's `_backward` is still to run."""
        refusal = self.no_selection() or self._hidden()
        if refusal or call_from(self._session) is not None:
            return refusal
        return "The _backward of the selected node does not run after this step."

    def no_write(self, forward: bool) -> str:
        """The selected node's gradient changes ahead (or behind)."""
        refusal = self.no_selection() or self._hidden(forward)
        if refusal or write_from(self._session, forward) is not None:
            return refusal
        when = "after" if forward else "before"
        return f"Nothing writes the gradient of the selected node {when} this step."

    def no_last_write(self) -> str:
        """The gradient that the ledger is about has been written, and not by this very step."""
        refusal = self.no_steps()
        if refusal:
            return refusal
        node, last = subject(self._session), last_write(self._session)
        name = node.name if node is not None else "the node"
        if last is None:
            return f"Nothing has written the gradient of {name} yet."
        if last == self._session.backward_position:
            return f"This very step wrote the gradient of {name}."
        return ""
