"""Where the last window left off: the program, what was recorded of it, and the step.

Nothing runs to get back there: the recording is kept beside. A file is read anew, so that its
text is what it says by now.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QIODevice, QObject, QSaveFile

from chainstep.edits import Edits
from chainstep.errors import ChainstepError, ProgramError
from chainstep.program import Program, examples, load
from chainstep.saved import SUFFIX, save
from chainstep.trace import Order
from chainstep.ui.session import View
from chainstep.ui.whatif import Leaf

if TYPE_CHECKING:
    from typing import Any

    from chainstep.program import Example
    from chainstep.saved import Saved
    from chainstep.ui.files import Files
    from chainstep.ui.session import Session
    from chainstep.ui.whatif import WhatIf

STATE = "last.json"
RECORDED = f"last{SUFFIX}"
MOST_STEPS = 60_000
"""Steps of a recording that is kept: more would make closing the window wait."""
DAMAGE = (LookupError, ValueError, TypeError, AttributeError, RecursionError, ChainstepError)


class Resumption(QObject):
    """Keeps where a session stands, and goes back there.

    Args:
        session: Whose place.
        files: What is open in it.
        what_if: What is tried out in it.
        folder: Where it is kept.
    """

    def __init__(self, session: Session, files: Files, what_if: WhatIf, folder: Path) -> None:
        super().__init__(files)
        self._session = session
        self._files = files
        self._what_if = what_if
        self._folder = folder
        files.changed.connect(self.note)

    # -- keeping ------------------------------------------------------------------------

    def note(self) -> None:
        """Keep what is open, in case the window does not get to close."""
        self._write(recorded=False)

    def close(self) -> None:
        """Keep everything: the window closes."""
        recording = self._session.whole_recording
        recorded = False
        if recording is not None and recording.traces and self._is_small():
            try:
                save(recording, self._folder / RECORDED, self._session.bookmark)
                recorded = True
            except ChainstepError:
                # There is no one left to tell; the next window opens the program alone.
                recorded = False
        self._write(recorded=recorded)

    def _is_small(self) -> bool:
        recording = self._session.whole_recording
        traces = recording.traces if recording is not None else ()
        return sum(len(trace.steps) for trace in traces) <= MOST_STEPS

    def _write(self, *, recorded: bool) -> None:
        session, opened = self._session, self._files.recording_path
        program, options = session.program, session.options
        has_home = program.path is not None or opened is not None or session.example is not None
        if not (has_home or self._files.saved_text):
            return
        fields = {
            "name": program.name,
            "path": None if program.path is None else str(program.path),
            "opened": None if opened is None else str(opened),
            "example": session.example.name if session.example is not None else None,
            "text": None if program.path is not None else self._files.saved_text,
            "recorded": recorded,
            "view": session.view.value,
            "order": options.order.value,
            "seed": options.seed,
            "root": options.root,
            "edits": self._what_if.edits.to_data(),
            "leaves": [
                [serial, leaf.name, repr(leaf.own)] for serial, leaf in self._what_if.leaves.items()
            ],
        }
        self._folder.mkdir(parents=True, exist_ok=True)
        file = QSaveFile(str(self._folder / STATE))
        if file.open(QIODevice.OpenModeFlag.WriteOnly):
            file.write(json.dumps(fields).encode("ascii"))
            file.commit()

    # -- going back ---------------------------------------------------------------------

    def resume(self) -> bool:
        """Go back to where the last window stood; tells whether there was one.

        What runs is at most an example of ours whose recording was not kept.
        """
        try:
            fields = json.loads((self._folder / STATE).read_bytes())
            self._resume(fields)
        except ProgramError as error:
            self._files.said.emit(str(error))
            return False
        except (OSError, *DAMAGE):
            return False
        return True

    def _resume(self, fields: dict[str, Any]) -> None:
        session = self._session
        program, example = _program(fields)
        options = replace(
            session.options,
            order=Order(fields["order"]),
            seed=int(fields["seed"]),
            root=None if fields["root"] is None else str(fields["root"]),
        )
        edits = Edits.from_data(fields["edits"])
        leaves = {
            int(serial): Leaf(str(name), float(own)) for serial, name, own in fields["leaves"]
        }
        view = View(fields["view"])
        recorded = bool(fields["recorded"])
        opened = None if fields["opened"] is None else Path(str(fields["opened"]))
        if opened is not None and not recorded:
            self._files.open_path(opened)
            return
        self._files.show(program, run=False, example=example)
        session.set_options(options, runs_again=False)
        session.set_view(view)
        if not recorded:
            if example is not None and program.text == example.text:
                session.run()
            return

        def take(saved: Saved) -> None:
            if saved.problem or saved.recording.source != self._session.program.text:
                return
            tried = replace(options, data=edits.data)
            self._files.show_recording(program, saved, tried, example)
            self._files.recording_path = opened
            self._what_if.restore(edits, leaves)
            self._files.changed.emit()

        self._files.read_recording(self._folder / RECORDED, take, self._files.said.emit)


def _program(fields: dict[str, Any]) -> tuple[Program, Example | None]:
    """The program that was open, as it is now; the example that it is, where it is one.

    Raises:
        ProgramError: It is gone.
    """
    if fields["path"] is not None:
        return load(str(fields["path"])), None
    if fields["example"] is not None:
        example = {each.name: each for each in examples()}[fields["example"]]
        return example.program, example
    return Program(str(fields["name"]), str(fields["text"] or "")), None
