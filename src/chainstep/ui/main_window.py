"""The window: there at once, then filled; and what concerns it as a whole."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit, QStatusBar

from chainstep.settings import Settings, Theme, stepped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QByteArray

    from chainstep.program import Example
    from chainstep.rendition import Form
    from chainstep.ui.composition import Composition
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

SMALLEST = (820, 560)
USUAL = (1440, 900)
LOST_FILES = "The file dropped here is not on this computer. Save it first, then drop it again."


class MainWindow(QMainWindow):
    """A bare window, which :meth:`fill` makes the window of a session.

    Bare it can be shown at once: loading all that fills it takes longer than an empty window.

    Args:
        settings: What is remembered.
    """

    painted = Signal()
    """It has been painted for the first time."""

    session: Session
    parts: Composition
    look: Look

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.texts: tuple[QPlainTextEdit, ...] = ()
        """Texts that editing commands are for; the last one where none has the focus."""
        self._filled = False
        self._seen = False
        self._may_close = False
        self._sizes: dict[object, dict[str, QByteArray]] = {}
        """States of the splitters, by size of type and of the window."""
        self.setObjectName("window")
        self.setWindowTitle("Chainstep")
        self.setMinimumSize(*SMALLEST)
        self._take_ground()
        geometry = settings.bytes_of("geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            screen = self.screen().availableSize()
            self.resize(min(USUAL[0], screen.width()), min(USUAL[1], screen.height()))

    def fill(self, session: Session, examples: Sequence[Example]) -> None:
        """Make everything around one session.

        Args:
            session: What is shown.
            examples: What the Examples menu offers.
        """
        # This is what takes the time.
        from chainstep.ui import icons  # noqa: PLC0415
        from chainstep.ui.composition import compose  # noqa: PLC0415

        self.session = session
        self.setWindowIcon(icons.application())
        self.setAcceptDrops(True)
        self.look = self._wished_look()
        self._dress()
        self.parts = compose(self, session, self.settings, examples, self.look)
        self._filled = True
        # Qt sends tips to a status bar; ours is a line of its own that keeps what it shows.
        tips = QStatusBar(self)
        tips.messageChanged.connect(self.parts.status.tip)
        self.setStatusBar(tips)
        tips.hide()
        session.program_changed.connect(self._name)
        self.parts.files.changed.connect(self._name)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._apply_look)
        # What the desktop says of contrast is known from Qt 6.10 on.
        if hasattr(hints, "accessibility"):
            hints.accessibility().contrastPreferenceChanged.connect(self._apply_look)
        self.parts.desk.look_changed.connect(self._look_chosen)
        self.parts.desk.layout_forgotten.connect(self.arrange)
        self._name()
        self.parts.folding.fit(self.size())
        self.arrange()
        for name, splitter in self.parts.splitters.items():
            state = self.settings.bytes_of(name)
            if state is not None:
                splitter.restoreState(state)

    def arrange(self) -> None:
        """Give every panel the share of the window that suits its size."""
        self._sizes.pop((self.look.percent, self.size().toTuple()), None)
        self.parts.arrange(self.width(), self.height(), self.look)

    def _name(self) -> None:
        program = self.session.program
        # A star in a name would stand for the sign of changes.
        title = self.parts.files.title.replace("[*]", "[*][*]")
        self.setWindowTitle(f"{title}[*] — Chainstep")
        self.setWindowModified(self.parts.files.modified)
        self.setWindowFilePath(str(program.path) if program.path else "")

    # -- look ---------------------------------------------------------------------------

    def _take_ground(self) -> None:
        """Where the colours are not the system's, be of the right one from the first moment."""
        if self.settings.theme is Theme.SYSTEM:
            return
        from chainstep.ui.palette import palette  # noqa: PLC0415  seldom wanted this early

        colors = self.palette()
        colors.setColor(colors.ColorRole.Window, QColor(palette(self.settings.theme).window))
        self.setPalette(colors)

    def _wished_look(self) -> Look:
        # Not needed by the bare window; the names of `Qt` alone take 40 ms to come.
        from PySide6.QtCore import Qt  # noqa: PLC0415

        from chainstep.ui.palette import palette  # noqa: PLC0415
        from chainstep.ui.theme import Look  # noqa: PLC0415

        hints = QGuiApplication.styleHints()
        dark = hints.colorScheme() is Qt.ColorScheme.Dark
        contrasts = (
            hasattr(hints, "accessibility")
            and hints.accessibility().contrastPreference() is Qt.ContrastPreference.HighContrast
        )
        return Look(palette(self.settings.theme, dark, contrasts), self.settings.scale)

    def _dress(self) -> None:
        """Give Qt's own parts, dialogs too, the look."""
        from chainstep.ui.theme import qt_palette, style_sheet  # noqa: PLC0415  see above

        application = QApplication.instance()
        assert isinstance(application, QApplication)
        colors, font = qt_palette(self.look.palette), self.look.font()
        if application.palette() != colors:  # either goes through every widget there is
            application.setPalette(colors)
        if application.font() != font:
            application.setFont(font)
        self.setPalette(application.palette())
        self.setStyleSheet(style_sheet(self.look))

    def _apply_look(self) -> None:
        look = self._wished_look()
        if look == self.look:
            return
        scaled = look.percent != self.look.percent
        if scaled:
            self._keep_sizes()
        self.look = look
        self._dress()
        for part in self.parts.looks():
            part.set_look(look)
        if scaled:
            self._bring_sizes()

    def _keep_sizes(self) -> None:
        """Remember how large the panels were with this size of type, where all are in sight."""
        if not self.parts.folding.is_folded:
            states = {name: each.saveState() for name, each in self.parts.splitters.items()}
            self._sizes[self.look.percent, self.size().toTuple()] = states

    def _bring_sizes(self) -> None:
        """Give the panels the sizes that they had with this type, else those that suit it."""
        states = self._sizes.get((self.look.percent, self.size().toTuple()))
        if states is None:
            self.arrange()
            return
        for name, state in states.items():
            self.parts.splitters[name].restoreState(state)

    def _look_chosen(self) -> None:
        """Paint everything anew, also where only the number of digits is another."""
        self.parts.stage.set_moves(self.settings.moves)
        self._apply_look()
        for part in self.parts.looks():
            part.set_look(self.look)

    # -- what the commands call ---------------------------------------------------------

    def _text(self) -> QPlainTextEdit:
        return next((text for text in self.texts if text.hasFocus()), self.texts[-1])

    def edit(self, what: str) -> None:
        """Undo, redo, cut, copy, paste or select_all."""
        if what == "select_all" and self.parts.stage.has_focus:
            self.session.selection.all()
            return
        text = self._text()
        {
            "undo": text.undo,
            "redo": text.redo,
            "cut": text.cut,
            "copy": text.copy,
            "paste": text.paste,
            "select_all": text.selectAll,
        }[what]()

    def editable(self, what: str) -> str:
        """Why that cannot be done now; empty where it can."""
        text = self._text()
        if what in ("cut", "copy"):
            return "" if text.textCursor().hasSelection() else "No text is selected."
        if what == "undo":
            return "" if text.document().isUndoAvailable() else "There is nothing to undo."
        if what == "redo":
            return "" if text.document().isRedoAvailable() else "There is nothing to redo."
        return ""

    def copy_step(self, form: Form) -> None:
        """Put the words and formulas of the step on the clipboard, as text, LaTeX or Markdown."""
        QGuiApplication.clipboard().setText(self.parts.side.step.text(form))

    def zoom(self, how: str) -> None:
        """The method of the canvas with that name."""
        lecturing = self.parts.lecturing
        (lecturing if lecturing.is_on else self.parts.stage).zoom(how)

    @property
    def follows(self) -> bool:
        """Whether the canvas keeps the active node in sight."""
        return self.settings.follows

    def set_follows(self, follows: bool) -> None:
        """Whether the canvas keeps the active node in sight."""
        self.settings.follows = follows
        self.parts.stage.set_follows(follows)
        self.parts.lecturing.set_follows(follows)

    @property
    def theme(self) -> Theme:
        """The chosen colours: a lecture has its own."""
        lecturing = self._filled and self.parts.lecturing.is_on
        return self.settings.lecture_theme if lecturing else self.settings.theme

    def set_theme(self, theme: Theme) -> None:
        """Take other colours."""
        if self.parts.lecturing.is_on:
            self.parts.lecturing.set_theme(theme)
            return
        self.settings.theme = theme
        self._apply_look()

    def set_scale(self, steps: int) -> None:
        """Larger or smaller type; 0 for the usual size."""
        if self.parts.lecturing.is_on:
            self.parts.lecturing.set_scale(steps)
            return
        self.settings.scale = stepped(self.settings.scale, steps) if steps else 100
        self._apply_look()

    def focus_seed(self) -> None:
        """Go to where the seed is typed."""
        self.parts.status.show()
        self.parts.status.seed.setFocus()
        self.parts.status.seed.selectAll()

    def focus_question(self) -> None:
        """Go to where a question is answered."""
        if self.parts.lecturing.is_on:
            self.parts.lecturing.focus_answer()
        else:
            self.parts.questions.take_focus()

    def show_fault(self, text: str, details: str = "") -> None:
        """Say that something of ours went wrong.

        Args:
            text: What to say.
            details: What else to put into a report.
        """
        if self._filled:
            from chainstep.ui.about import versions  # noqa: PLC0415  seldom wanted

            self.parts.bar.say(text, f"{details}\n{versions()}\n" if details else "")

    # -- Qt -----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Say that it is in sight. While it is bare there is nothing but the system's ground."""
        super().paintEvent(event)
        if not self._seen:
            self._seen = True
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let what has no room give way."""
        super().resizeEvent(event)
        if self._filled:
            self.parts.folding.fit(self.size())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key whose command cannot be done now says why."""
        if self._filled:
            refusal = self.parts.actions.refusal_for(QKeySequence(event.keyCombination()))
            if refusal:
                self.parts.status.tip(refusal)
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first file; it does not run."""
        urls = event.mimeData().urls()
        event.acceptProposedAction()
        if urls and urls[0].isLocalFile():
            self.parts.files.open_path(Path(urls[0].toLocalFile()))
        elif urls:
            self.parts.bar.say(LOST_FILES)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask where text is not saved; then stop what runs."""
        if not self._filled:
            event.accept()
            return
        self.parts.lecturing.leave()
        if self.parts.files.modified and not self._may_close:
            event.ignore()
            self.parts.files.leave(self._close_for_good)
            return
        self.settings.keep_bytes("geometry", self.saveGeometry())
        for name, splitter in self.parts.splitters.items():
            self.settings.keep_bytes(name, splitter.saveState())
        self.parts.player.pause()
        self.parts.resumption.close()
        self.parts.recovery.close()
        self.session.close()
        event.accept()

    def _close_for_good(self) -> None:
        self._may_close = True
        self.close()
