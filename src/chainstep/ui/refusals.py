"""Why a command cannot be done now, in a sentence that says what to do instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
            return "Nothing is recorded yet: press F5 to run the program."
        return "The run recorded no backward pass: the message above says why."

    def at_end(self) -> str:
        """There is a step ahead."""
        if self._session.at_end:
            return "This is the last step: Home goes back to the start."
        return self.no_steps()

    def at_start(self) -> str:
        """There is a step behind."""
        if self._session.at_start:
            return "This is the start: F10 runs the first step."
        return self.no_steps()

    def no_difference(self, forward: bool) -> str:
        """There is a difference ahead (or behind)."""
        session = self._session
        if not session.panes:
            return self.no_steps()
        if session.view is View.AS_WRITTEN:
            return "Differences are between += and =: show one of them, or both (Ctrl+3)."
        if session.first_divergence is None:
            return "+= and = agree at every step of this pass."
        if session.divergence_from(forward) is None:
            return f"No difference begins {'after' if forward else 'before'} this step."
        return ""

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
