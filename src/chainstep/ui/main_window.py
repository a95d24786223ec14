"""The window: the only place that knows every widget. It composes, and does nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QPlainTextEdit,
    QSplitter,
    QStatusBar,
    QVBoxLayout,
    QWidget,
)

from chainstep.settings import SCALES, Settings, Theme
from chainstep.ui import icons
from chainstep.ui.actions import MENUS, Actions, commands
from chainstep.ui.bar import FaultBar
from chainstep.ui.buttons import Button
from chainstep.ui.editor import Editor
from chainstep.ui.files import Files
from chainstep.ui.output_panel import OutputPanel
from chainstep.ui.palette import palette
from chainstep.ui.player import Player
from chainstep.ui.stage import Stage
from chainstep.ui.status import StatusLine
from chainstep.ui.step_panel import StepPanel, step_text
from chainstep.ui.theme import Look, qt_palette, style_sheet
from chainstep.ui.timeline import Timeline
from chainstep.ui.toolbar import CanvasTools, PassChooser, Toolbar
from chainstep.ui.values_panel import ValuesPanel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chainstep.program import Example
    from chainstep.ui.session import Session

SMALLEST = (820, 560)
USUAL = (1440, 900)
LOST_FILES = "The file dropped here is not on this computer. Save it first, then drop it again."


class MainWindow(QMainWindow):
    """Everything around one session.

    Args:
        session: What is shown.
        settings: What is remembered.
        examples: What the Examples menu offers.
    """

    def __init__(self, session: Session, settings: Settings, examples: Sequence[Example]) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self._may_close = False
        self.setObjectName("window")
        self.setWindowIcon(icons.application())
        self.setMinimumSize(*SMALLEST)
        self.setAcceptDrops(True)
        self.look = self._wished_look()
        self._dress()
        self.player = Player(session, settings.speed)
        self.files = Files(session, settings, self)
        self._make_widgets(examples)
        self._fill_menus()
        self._compose()
        self._connect()
        self._restore()

    # -- composition --------------------------------------------------------------------

    def _make_widgets(self, examples: Sequence[Example]) -> None:
        session, look = self.session, self.look
        self.editor = Editor(session, look)
        self.output = OutputPanel(session, look)
        self.actions_ = Actions(commands(session, self.player, self, examples), self)
        self.toolbar = Toolbar(session, self.player, self.actions_, look)
        self.bar = FaultBar(look)
        self.tools = CanvasTools(self.actions_, look)
        self.stage = Stage(session, look, self.tools)
        self.stage.set_follows(self.settings.follows)
        self.step_panel = StepPanel(session, look)
        self.values = ValuesPanel(session, look)
        self.passes = PassChooser(session, self.actions_, look)
        self.timeline = Timeline(session, look, self.passes)
        self.status = StatusLine(session, look)

    def _fill_menus(self) -> None:
        menus: dict[str, QMenu] = {}
        for name, title in MENUS.items():
            menus[name] = self.menuBar().addMenu(title)
            menus[name].setToolTipsVisible(True)
        for command in self.actions_.commands.values():
            if command.menu not in menus:
                above, _, name = command.menu.partition("/")
                menus[command.menu] = menus[above].addMenu(f"{name}")
            menu = menus[command.menu]
            if command.line:
                menu.addSeparator()
            menu.addAction(self.actions_[command.id])
        self._recent = QMenu("Open &recent", self)
        self._recent.aboutToShow.connect(self._fill_recent)
        menus["File"].insertMenu(self.actions_["save"], self._recent)
        menus["File"].insertSeparator(self.actions_["save"])
        self._examples_menu = menus["Examples"]

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self.settings.recent:
            action = self._recent.addAction(path.name)
            action.setStatusTip(str(path))
            action.triggered.connect(lambda _=False, path=path: self.files.open_path(path))
        if self._recent.isEmpty():
            self._recent.addAction("No file yet").setEnabled(False)

    def _compose(self) -> None:
        left = _splitter(Qt.Orientation.Vertical, (self._program_panel(), 4), (self.output, 1))
        right = _splitter(Qt.Orientation.Vertical, (self.step_panel, 1), (self.values, 1))
        middle = _splitter(Qt.Orientation.Horizontal, (left, 0), (self.stage, 1), (right, 0))
        left.setMinimumWidth(200)
        right.setMinimumWidth(260)
        self.stage.setMinimumWidth(300)
        self._splitters = {"left": left, "middle": middle, "right": right}
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(self.bar)
        column.addWidget(middle, 1)
        column.addWidget(self.timeline)
        column.addWidget(self.status)
        self.setCentralWidget(centre)
        # Qt sends tips to a status bar; ours is a line of its own that keeps what it shows.
        tips = QStatusBar(self)
        tips.messageChanged.connect(self.status.tip)
        self.setStatusBar(tips)
        tips.hide()
        self.actions_.give_keys(self.stage)
        self.actions_.give_keys(self.timeline)
        self.stage.focus_graph()

    def _program_panel(self) -> QWidget:
        panel = QWidget()
        panel.setObjectName("panel")
        panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        heading = QLabel("PROGRAM")
        heading.setObjectName("heading")
        self._examples = Button(
            self.actions_["run"], self.look, "Examples", menu=self._examples_menu
        )
        self._examples.small = True
        self._examples.setAccessibleName("Examples")
        self._examples.setToolTip("Programs that come with Chainstep")
        top = QHBoxLayout()
        top.setContentsMargins(14, 0, 8, 0)
        top.addWidget(heading, 1)
        top.addWidget(self._examples)
        column = QVBoxLayout(panel)
        column.setContentsMargins(0, 6, 0, 0)
        column.setSpacing(4)
        column.addLayout(top)
        column.addWidget(self.editor)
        return panel

    def _connect(self) -> None:
        session = self.session
        for signal in (
            *(session.program_changed, session.run_changed, session.recording_changed),
            *(session.view_changed, session.position_changed, session.selection_changed),
            *(self.player.changed, self.editor.copyAvailable, self.editor.undoAvailable),
            self.editor.redoAvailable,
        ):
            signal.connect(self._refresh)
        session.program_changed.connect(self._name)
        self.files.changed.connect(self._name)
        self.files.failed.connect(self.bar.say)
        self.editor.left.connect(self.stage.focus_graph)
        self.player.changed.connect(self._keep_speed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._apply_look)
        self._name()

    def _refresh(self) -> None:
        self.actions_.refresh()

    def _name(self) -> None:
        program = self.session.program
        self.setWindowTitle(f"{program.name}[*] — Chainstep")
        self.setWindowModified(self.files.modified)
        self.setWindowFilePath(str(program.path) if program.path else "")

    def _keep_speed(self) -> None:
        self.settings.speed = self.player.per_second

    # -- sizes --------------------------------------------------------------------------

    def _restore(self) -> None:
        geometry = self.settings.bytes_of("geometry")
        if geometry is None or not self.restoreGeometry(geometry):
            screen = self.screen().availableSize()
            self.resize(min(USUAL[0], screen.width()), min(USUAL[1], screen.height()))
        self.arrange()
        for name, splitter in self._splitters.items():
            state = self.settings.bytes_of(name)
            if state is not None:
                splitter.restoreState(state)

    def arrange(self) -> None:
        """Give every panel the share of the window that suits its size."""
        width, height = self.width(), self.height()
        left = max(230, min(400, round(width * 0.205)))
        right = max(312, min(480, round(width * 0.245)))
        self._splitters["middle"].setSizes([left, width - left - right, right])
        room = height - 230
        self._splitters["left"].setSizes([room - 110, 110])
        step = max(240, min(320, round(room * 0.56)))
        self._splitters["right"].setSizes([step, room - step])

    def _keep_sizes(self) -> None:
        self.settings.keep_bytes("geometry", self.saveGeometry())
        for name, splitter in self._splitters.items():
            self.settings.keep_bytes(name, splitter.saveState())

    # -- look ---------------------------------------------------------------------------

    def _wished_look(self) -> Look:
        dark = QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return Look(palette(self.settings.theme, dark), self.settings.scale)

    def _dress(self) -> None:
        """Give Qt's own parts, dialogs too, the look."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setPalette(qt_palette(self.look.palette))
        application.setFont(self.look.font())
        self.setStyleSheet(style_sheet(self.look))

    def _apply_look(self) -> None:
        look = self._wished_look()
        if look == self.look:
            return
        self.look = look
        self._dress()
        for part in (
            *(self.editor, self.toolbar, self.bar, self.output, self.tools, self.stage),
            *(self.step_panel, self.values, self.passes, self.timeline, self.status),
            self._examples,
        ):
            part.set_look(look)

    # -- what the commands call ---------------------------------------------------------

    def new(self) -> None:
        """Begin an empty program."""
        self.files.new()

    def open(self) -> None:
        """Ask for a file and open it."""
        self.files.open()

    def save(self) -> None:
        """Write the program to its file; ask for one where it has none."""
        self.files.save()

    def save_as(self) -> None:
        """Ask for a file and write the program to it."""
        self.files.save_as()

    def open_example(self, example: Example) -> None:
        """Show an example and run it."""
        self.files.open_example(example)

    def _text(self) -> QPlainTextEdit:
        """The text that editing commands are for: the output where it has the focus."""
        return self.output.text if self.output.text.hasFocus() else self.editor

    def edit(self, what: str) -> None:
        """Undo, redo, cut, copy, paste or select_all."""
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

    def copy_step(self) -> None:
        """Put the words of the step on the clipboard."""
        QGuiApplication.clipboard().setText(step_text(self.session))

    def zoom(self, how: str) -> None:
        """The method of the canvas with that name."""
        self.stage.zoom(how)

    @property
    def follows(self) -> bool:
        """Whether the canvas keeps the active node in sight."""
        return self.settings.follows

    def set_follows(self, follows: bool) -> None:
        """Whether the canvas keeps the active node in sight."""
        self.settings.follows = follows
        self.stage.set_follows(follows)

    @property
    def theme(self) -> Theme:
        """The chosen colours."""
        return self.settings.theme

    def set_theme(self, theme: Theme) -> None:
        """Take other colours."""
        self.settings.theme = theme
        self._apply_look()

    def set_scale(self, steps: int) -> None:
        """Larger or smaller type; 0 for 100%."""
        at = SCALES.index(self.settings.scale) + steps
        self.settings.scale = SCALES[max(0, min(at, len(SCALES) - 1))] if steps else 100
        self._apply_look()

    def focus_seed(self) -> None:
        """Go to where the seed is typed."""
        self.status.seed.setFocus()
        self.status.seed.selectAll()

    def show_keys(self) -> None:
        """Show all keys on one page."""
        from chainstep.ui import help as pages  # noqa: PLC0415  seldom wanted

        pages.show_keys(self.actions_, self)

    def show_about(self) -> None:
        """Say what this is."""
        from chainstep.ui import help as pages  # noqa: PLC0415  seldom wanted

        pages.show_about(self)

    def show_fault(self, text: str) -> None:
        """Say that something of ours went wrong."""
        self.bar.say(text)

    # -- Qt -----------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key whose command cannot be done now says why."""
        refusal = self.actions_.refusal_for(QKeySequence(event.keyCombination()))
        if refusal:
            self.status.tip(refusal)
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
            self.files.open_path(Path(urls[0].toLocalFile()))
        elif urls:
            self.bar.say(LOST_FILES)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask where text is not saved; then stop what runs."""
        if self.files.modified and not self._may_close:
            event.ignore()
            self.files.leave(self._close_for_good)
            return
        self._keep_sizes()
        self.player.pause()
        self.session.close()
        event.accept()

    def _close_for_good(self) -> None:
        self._may_close = True
        self.close()


def _splitter(side: Qt.Orientation, *parts: tuple[QWidget, int]) -> QSplitter:
    """Panels beside or above one another, each with its share of what is added."""
    splitter = QSplitter(side)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for number, (widget, stretch) in enumerate(parts):
        splitter.addWidget(widget)
        splitter.setStretchFactor(number, stretch)
    return splitter
