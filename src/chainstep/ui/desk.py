"""What commands ask of the desktop: dialogs, and choices that outlast the window."""

from __future__ import annotations

import platform
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from chainstep.cells import Cells, switched
from chainstep.figures import precision, short
from chainstep.trace import Mode
from chainstep.ui.command import spoken_key

if TYPE_CHECKING:
    from chainstep.graph import Node
    from chainstep.program import Program
    from chainstep.settings import Settings
    from chainstep.ui.actions import Actions
    from chainstep.ui.files import Files
    from chainstep.ui.folding import Folding
    from chainstep.ui.keys_page import KeysPage
    from chainstep.ui.main_window import MainWindow
    from chainstep.ui.manual import Manual
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look
    from chainstep.ui.whatif import WhatIf


class Desk(QObject):
    """Opens dialogs. None of them stops the window's work; each is loaded when it is wanted.

    Args:
        window: Above which they stand.
        session: What they are about.
        settings: Where choices are kept.
        files: What opens programs.
        what_if: What tries out numbers.
    """

    look_changed = Signal()
    """Theme, size of type or digits were chosen."""
    layout_forgotten = Signal()
    """Every panel is to get the size that it has by itself."""
    data_wanted = Signal()
    """The number of the selected leaf is to be edited."""

    def __init__(
        self,
        window: MainWindow,
        session: Session,
        settings: Settings,
        files: Files,
        what_if: WhatIf,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._files = files
        self.what_if = what_if
        self.actions: Actions | None = None
        """Every command, once they are made."""
        self.folding: Folding | None = None
        """What chooses a column where there is no room for all, once it is made."""
        self._manual: Manual | None = None
        self._keys: KeysPage | None = None
        precision.set(settings.digits)
        session.checks.set_automatic(settings.checks)

    # -- commands -----------------------------------------------------------------------

    def show_palette(self) -> None:
        """List every command, to be searched by typing."""
        from chainstep.ui import command_palette  # noqa: PLC0415  seldom wanted

        assert self.actions is not None
        command_palette.show(self.actions, self._window.look, self._window)

    def show_preferences(self) -> None:
        """Look, limits and keys."""
        from chainstep.ui.preferences import Preferences  # noqa: PLC0415  seldom wanted

        assert self.actions is not None
        window = self._window
        dialog = Preferences(self._settings, self.actions.defaults, window.look, window)
        dialog.look_changed.connect(self.look_changed)
        dialog.limits_changed.connect(self._take_limits)
        dialog.keys_changed.connect(self.take_keys)
        dialog.checks_changed.connect(self._take_checks)
        dialog.interpreter_wanted.connect(self.choose_interpreter)
        dialog.open()

    def _take_limits(self) -> None:
        session = self._session
        options = replace(session.options, limits=self._settings.limits)
        session.set_options(options, runs_again=False)

    def _take_checks(self) -> None:
        self._session.checks.set_automatic(self._settings.checks)

    def take_keys(self) -> None:
        """Let commands have the keys that were chosen for them."""
        assert self.actions is not None
        self.actions.set_keys(self._settings.keys)
        keys, commands = self._session.keys, self.actions.commands
        keys.update({command_id: spoken_key(commands[command_id]) for command_id in keys})
        # What is written anywhere may name another key by now.
        self._session.view_changed.emit()

    def show_about(self) -> None:
        """Say what this is, with all versions."""
        from chainstep.ui.about import About  # noqa: PLC0415  seldom wanted

        About(self._window.look, self._window).open()

    def show_keys(self) -> None:
        """Show all keys on one page."""
        from chainstep.ui.keys_page import KeysPage  # noqa: PLC0415  seldom wanted

        assert self.actions is not None
        if self._keys is None:
            self._keys = KeysPage(self.actions, self._window.look, self._window)
        self._keys.appear()

    def show_rules(self) -> None:
        """Show the rule of every operation, that of the node on show in front."""
        from chainstep.ui.rules import Rules  # noqa: PLC0415  seldom wanted

        Rules(self._session, self._window.look, self._window).show()

    # -- findings -----------------------------------------------------------------------

    def show_manual(self, kind: str = "") -> None:
        """Show the pages on findings, that of one kind in front."""
        from chainstep.ui.manual import Manual  # noqa: PLC0415  seldom wanted

        if self._manual is None:
            self._manual = Manual(self._window.look, self._window)
        self._manual.show_kind(kind)

    def show_finding(self) -> None:
        """Show the page on the finding that was gone to last, else on the first."""
        checks = self._session.checks
        found = checks.chosen or next(iter(checks.findings), None)
        if found is not None:
            self.show_manual(found.kind)

    def copy_findings(self) -> None:
        """Put all findings and verdicts on the clipboard as text."""
        QGuiApplication.clipboard().setText(self._session.checks.text())

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        for page in (self._manual, self._keys):
            if page is not None:
                page.set_look(look)

    # -- layout -------------------------------------------------------------------------

    def reset_layout(self) -> None:
        """Give every panel the size that it has by itself."""
        self._settings.forget_state()
        self.layout_forgotten.emit()

    def bring_column(self, name: str) -> None:
        """Show one of the columns."""
        assert self.folding is not None
        self.folding.bring(name)

    def why_no_column(self, name: str) -> str:
        """Why a column cannot be chosen; empty where it can."""
        return "" if self.folding is None else self.folding.why_not(name)

    # -- programs -----------------------------------------------------------------------

    def new_from_expression(self) -> None:
        """Begin a program with one line such as `(a*b + c).tanh()`."""
        from chainstep.ui.expression_dialog import ExpressionDialog  # noqa: PLC0415

        dialog = ExpressionDialog(self._window.look, self._window)
        dialog.made.connect(self._begin)
        dialog.open()

    def _begin(self, program: Program) -> None:
        # What was typed here is nobody else's: it may run at once.
        self._files.leave(lambda: self._files.show(program, run=True))

    # -- running ------------------------------------------------------------------------

    def choose_interpreter(self) -> None:
        """Choose the Python that runs programs."""
        from chainstep.ui.interpreter import Interpreter  # noqa: PLC0415  seldom wanted

        folder = self._session.program.folder
        current = self._session.options.python or ""
        dialog = Interpreter(current, folder, self._window.look, self._window)
        dialog.chosen.connect(self._take_interpreter)
        dialog.open()

    def _take_interpreter(self, path: str) -> None:
        python = path or None
        self._settings.python = python
        session = self._session
        if session.options.python != python:
            session.set_options(replace(session.options, python=python))
        version = f"Python {platform.python_version()}, Chainstep's own"
        self._files.said.emit(f"Programs are run by {path or version}.")

    def why_no_root(self) -> str:
        """Why no other root can be chosen now; empty where one can."""
        session = self._session
        recording = session.recording
        if recording is None:
            return "Nothing is recorded yet: run the program first."
        if any(trace.mode is Mode.AS_WRITTEN for trace in recording.traces):
            return "The program calls backward() itself, and so says where it starts."
        if session.options.root is None and not any(_is_root(node) for node in recording.nodes):
            return "The program made no named Value that is computed from others."
        return ""

    def choose_root(self) -> None:
        """Choose the Value that the pass starts from."""
        from chainstep.ui.chooser import Choice, Chooser  # noqa: PLC0415  seldom wanted

        recording = self._session.recording
        if recording is None:
            return
        choices = [Choice("", "As the program says", help="The last Value that it assigns.")]
        choices += [
            Choice(
                node.aliases[0],
                node.aliases[0],
                aside=f"{node.op}   {short(node.data)}",
                help=f"The pass starts from {node.name}, made in line {node.line}."
                if node.line is not None
                else f"The pass starts from {node.name}.",
            )
            for node in reversed(recording.nodes)
            if _is_root(node)
        ]
        current = self._session.options.root or ""
        chooser = Chooser("Root", choices, self._window.look, self._window, current)
        chooser.chosen.connect(lambda name: self._session.set_root(name or None))
        chooser.open()

    def why_no_cells(self) -> str:
        """Why there are no cells to choose from; empty where there are."""
        if self._cells().all:
            return ""
        return "Only a notebook has cells: open an .ipynb file."

    def choose_cells(self) -> None:
        """Choose which cells of a notebook run."""
        from chainstep.ui.cell_chooser import CellChooser  # noqa: PLC0415  seldom wanted

        dialog = CellChooser(self._cells().all, self._window.look, self._window)
        dialog.chosen.connect(self._switch_cells)
        dialog.open()

    def _cells(self) -> Cells:
        return Cells(self._session.program.name, self._session.program.text)

    def _switch_cells(self, running: frozenset[int]) -> None:
        text = self._session.program.text
        for cell in self._cells().all:
            text = switched(text, cell.number, cell.number in running)
        self._session.set_text(text)

    # -- comparing ----------------------------------------------------------------------

    def compare(self) -> None:
        """Choose what the pass on show is to be compared with."""
        from chainstep.ui.chooser import Choice, Chooser  # noqa: PLC0415  seldom wanted

        comparing, key = self._session.comparing, self._session.keys["next_difference"]
        help_ = f"Shown below this pass, in step. {key} goes to where their gradients first differ."
        choices = [
            Choice(offer.key, offer.heading[0], aside=offer.heading[1], help=help_)
            for offer in comparing.offers()
        ]
        chooser = Chooser("Compare with", choices, self._window.look, self._window)
        chooser.chosen.connect(comparing.choose)
        chooser.open()

    # -- what if ------------------------------------------------------------------------

    def change_data(self) -> None:
        """Edit the number of the selected leaf."""
        self.data_wanted.emit()

    def why_no_data(self) -> str:
        """Why the data of what is selected cannot be edited; empty where it can."""
        return self.what_if.why_not(self._session.selected)

    def why_no_undo(self) -> str:
        """Why no number can be taken back."""
        return "" if self.what_if.edits.undoes else "No number was tried out."

    def why_no_redo(self) -> str:
        """Why no number can be tried out again."""
        return "" if self.what_if.edits.redoes else "No number was taken back."

    def why_no_reset(self) -> str:
        """Why there is nothing to be reset."""
        return "" if self.what_if.edits.data else "Every leaf has the number of the program."


def _is_root(node: Node) -> bool:
    return bool(node.children and node.aliases)
