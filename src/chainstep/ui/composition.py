"""Everything that fills the window: made, put in its place, and connected.

It is apart from the window itself so that the window is on screen while this is being loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from chainstep.ui import context_menu
from chainstep.ui.actions import Actions
from chainstep.ui.bar import FaultBar, OfferBar
from chainstep.ui.buttons import Button
from chainstep.ui.command import keys_text, spoken_key
from chainstep.ui.commands import commands
from chainstep.ui.data_editor import DataEditor
from chainstep.ui.debugging import PAGES
from chainstep.ui.desk import Desk
from chainstep.ui.editor import Editor
from chainstep.ui.files import Files
from chainstep.ui.finder import Finder
from chainstep.ui.folding import GRAPH, LESSON, PANELS, PROGRAM, Column, Folding
from chainstep.ui.gallery import Gallery
from chainstep.ui.kept import Keeper, keep_ways
from chainstep.ui.lecturing import Lecturing
from chainstep.ui.lesson_bar import LessonBar
from chainstep.ui.lesson_page import LessonPage
from chainstep.ui.lesson_room import LessonRoom
from chainstep.ui.menus import make_menus, recent_menu
from chainstep.ui.output_panel import OutputPanel
from chainstep.ui.player import Player
from chainstep.ui.question_bar import QuestionBar
from chainstep.ui.question_room import QuestionRoom
from chainstep.ui.recovery import Recovery
from chainstep.ui.resumption import Resumption
from chainstep.ui.side import SideColumn
from chainstep.ui.stage import Stage
from chainstep.ui.status import StatusLine
from chainstep.ui.teaching import Teaching
from chainstep.ui.timeline import Timeline
from chainstep.ui.toolbar import CanvasTools, PassChooser, Toolbar
from chainstep.ui.what_if_strip import WhatIfStrip
from chainstep.ui.whatif import WhatIf

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from PySide6.QtCore import QPoint

    from chainstep.program import Example
    from chainstep.settings import Settings
    from chainstep.ui.main_window import MainWindow
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

    class Part(Protocol):
        """A widget that can change its looks."""

        def set_look(self, look: Look) -> None:
            """Take other colours or another scale."""


@dataclass
class Composition:
    """The parts of a window. None of them knows another; what connects them stands below."""

    session: Session
    player: Player
    files: Files
    actions: Actions
    toolbar: Toolbar
    bar: FaultBar
    offers: OfferBar
    desk: Desk
    lecturing: Lecturing
    teaching: Teaching
    lesson_bar: LessonBar
    lesson_page: LessonPage
    gallery: Gallery
    what_if: WhatIf
    what_if_strip: WhatIfStrip
    questions: QuestionBar
    question_room: QuestionRoom
    data_editor: DataEditor
    recovery: Recovery
    resumption: Resumption
    examples: Button
    editor: Editor
    output: OutputPanel
    tools: CanvasTools
    finder: Finder
    stage: Stage
    side: SideColumn
    passes: PassChooser
    timeline: Timeline
    status: StatusLine
    folding: Folding
    menus: dict[str, QMenu]
    recent: QMenu
    splitters: dict[str, QSplitter]

    def looks(self) -> Iterator[Part]:
        """Every part that has colours of its own."""
        yield from (self.actions, self.desk, self.offers, self.what_if_strip, self.questions)
        yield from (self.data_editor, self.lesson_bar, self.lesson_page, self.gallery)
        yield from (self.toolbar, self.bar, self.examples, self.editor, self.output, self.tools)
        yield from (self.finder, self.stage, self.side, self.passes, self.timeline)
        yield from (self.status, self.folding)

    def arrange(self, width: int, height: int, look: Look) -> None:
        """Give every panel the share that suits a window of that size."""
        px = look.px
        left = max(px(190), min(px(400), round(width * 0.2)))
        right = max(px(338), min(px(480), round(width * 0.285)))
        self.splitters["middle"].setSizes([left, width - left - right, right, 0])
        room = max(px(100), height - px(230))
        output = min(px(110), room // 3)
        self.splitters["left"].setSizes([room - output, output])
        self.side.arrange(height - px(186))


def compose(
    window: MainWindow,
    session: Session,
    settings: Settings,
    examples: Sequence[Example],
    look: Look,
) -> Composition:
    """Make the parts, the menus and the layout, and connect them."""
    player = Player(session, settings.speed)
    files = Files(session, settings, window)
    editor, output = Editor(session, look), OutputPanel(session, look)
    side = SideColumn(session, look, settings)
    what_if = WhatIf(session)
    desk = Desk(window, session, settings, files, what_if)
    # The commands ask whether text can be undone or copied: the texts are there before them.
    window.texts = (output.text, editor)
    lecturing, finder = Lecturing(window, session, settings, player), Finder(session, look)
    teaching = Teaching(session, files, settings)
    folding = desk.folding = Folding(look)
    table = commands(
        session, player, window, files, desk, side, lecturing, teaching, finder, examples
    )
    actions = Actions(table, window)
    finder.add_buttons(actions, look)
    actions.set_look(look)
    _take_keys(actions, side, desk, settings)
    menus = make_menus(window.menuBar(), actions)
    tools = CanvasTools(actions, look)
    passes = PassChooser(session, actions, look)
    parts = Composition(
        session=session,
        player=player,
        files=files,
        actions=actions,
        toolbar=Toolbar(session, player, actions, look),
        bar=FaultBar(look),
        offers=OfferBar(look),
        desk=desk,
        lecturing=lecturing,
        teaching=teaching,
        lesson_bar=LessonBar(teaching, actions, look),
        lesson_page=LessonPage(teaching, actions, look),
        gallery=Gallery(teaching, look),
        what_if=what_if,
        what_if_strip=WhatIfStrip(what_if, actions, look),
        questions=QuestionBar(session, look),
        question_room=QuestionRoom(),
        data_editor=DataEditor(session, what_if, look, window),
        recovery=Recovery(session, files, settings.folder),
        resumption=Resumption(session, files, what_if, settings.folder),
        examples=_examples_button(actions, menus["Examples"], look),
        editor=editor,
        output=output,
        tools=tools,
        finder=finder,
        stage=Stage(session, look, tools, finder),
        side=side,
        passes=passes,
        timeline=Timeline(session, look, passes),
        status=StatusLine(session, look),
        folding=folding,
        menus=menus,
        recent=recent_menu(window, menus["File"], actions, files, settings),
        splitters={},
    )
    _furnish(window, parts)
    _connect(parts, settings)
    return parts


def _furnish(window: MainWindow, parts: Composition) -> None:
    """Put the parts in their places in the window, which is in sight already."""
    pages = QStackedWidget()
    pages.addWidget(_lay_out(parts))
    window.setCentralWidget(pages)
    # Only what is in sight takes the focus.
    pages.show()
    parts.lecturing.furnish(pages, parts.actions, parts.teaching, (parts.bar, parts.offers))


def _take_keys(actions: Actions, side: SideColumn, desk: Desk, settings: Settings) -> None:
    """Give the commands the keys that were chosen, wherever these stand."""
    desk.actions = actions
    actions.keys_changed.connect(lambda: _name_keys(side, actions))
    _name_keys(side, actions)
    if settings.keys:
        desk.take_keys()


def _name_keys(side: SideColumn, actions: Actions) -> None:
    """The tips of the panels' tabs name the keys that lead there."""
    side.tabs.name_keys({name: keys_text(actions.commands[f"panel_{name}"]) for name in PAGES})


def _examples_button(actions: Actions, menu: QMenu, look: Look) -> Button:
    button = Button(actions["run"], look, "Examples", menu=menu)
    button.small = True
    button.setAccessibleName("Examples")
    for say in (button.setToolTip, button.setStatusTip, button.setAccessibleDescription):
        say("Programs that come with Chainstep")
    return button


def _lay_out(parts: Composition) -> QWidget:
    """From left to right: the program, what it made, what is happening now."""
    vertical, horizontal = Qt.Orientation.Vertical, Qt.Orientation.Horizontal
    left = _splitter(vertical, (_program_panel(parts), 4), (parts.output, 1))
    right = parts.side
    page = parts.lesson_page
    middle = _splitter(horizontal, (left, 0), (parts.stage, 1), (right, 0), (page, 0))
    columns = (
        Column(PROGRAM, left, 188),
        Column(GRAPH, parts.stage, 260),
        Column(PANELS, right, 338),
        Column(LESSON, page, 0),
    )
    above = (parts.bar, parts.offers, parts.what_if_strip, parts.lesson_bar)
    below = (parts.timeline.chips, parts.status, parts.timeline)
    parts.folding.furnish(columns, above, parts.questions, *below)
    # Where the type is large and the window small, what is asked and said comes first.
    middle.setMinimumHeight(1)
    parts.splitters.update(left=left, middle=middle, side=right.splitter)
    centre = QWidget()
    column = QVBoxLayout(centre)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(parts.toolbar)
    for bar in (parts.bar, parts.offers, parts.what_if_strip, parts.folding, parts.lesson_bar):
        column.addWidget(bar)
    parts.question_room.furnish(parts.folding, parts.questions, middle)
    column.addLayout(parts.question_room, 3)
    column.addWidget(parts.gallery, 2)
    column.addWidget(parts.timeline)
    column.addWidget(parts.status)
    return centre


def _program_panel(parts: Composition) -> QWidget:
    panel = QWidget()
    panel.setObjectName("panel")
    panel.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    heading = QLabel("PROGRAM")
    heading.setObjectName("heading")
    top = QHBoxLayout()
    top.setContentsMargins(14, 0, 8, 0)
    top.addWidget(heading, 1)
    top.addWidget(parts.examples)
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 6, 0, 0)
    column.setSpacing(4)
    column.addLayout(top)
    column.addWidget(parts.editor)
    return panel


def _splitter(side: Qt.Orientation, *panels: tuple[QWidget, int]) -> QSplitter:
    """Panels beside or above one another, each with its share of what is added."""
    splitter = QSplitter(side)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    for number, (widget, stretch) in enumerate(panels):
        splitter.addWidget(widget)
        splitter.setStretchFactor(number, stretch)
    return splitter


def _connect(parts: Composition, settings: Settings) -> None:
    session, player = parts.session, parts.player
    for signal in (
        *(session.program_changed, session.run_changed, session.recording_changed),
        *(session.view_changed, session.position_changed, session.selection_changed),
        *(player.changed, parts.editor.copyAvailable, parts.editor.undoAvailable),
        *(parts.editor.redoAvailable, session.breakpoints.changed, parts.side.changed),
        *(session.selection.changed, session.moves.changed),
        *(session.checks.changed, session.prediction.changed, session.engine.changed),
        session.experiment.changed,
        *(session.comparing.changed, parts.folding.changed),
    ):
        signal.connect(parts.actions.refresh)
    _connect_desk(parts)
    parts.editor.refused.connect(parts.status.tip)
    parts.editor.left.connect(parts.stage.focus_graph)
    parts.side.left.connect(parts.stage.focus_graph)
    parts.questions.left.connect(parts.stage.focus_graph)
    parts.gallery.closed.connect(parts.stage.focus_graph)
    parts.teaching.gallery_wanted.connect(parts.gallery.toggle)
    parts.gallery.whole.connect(parts.question_room.set_alone)
    session.program_changed.connect(parts.gallery.close_page)
    parts.teaching.changed.connect(parts.actions.refresh)

    def name_key() -> None:
        parts.gallery.name_key(spoken_key(parts.actions.commands["lessons"]))

    name_key()
    parts.actions.keys_changed.connect(name_key)

    room = LessonRoom(
        session, parts.teaching, parts.folding, parts.lesson_bar, parts.lesson_page, parts.questions
    )
    room.left.connect(parts.stage.focus_graph)
    parts.folding.fitted.connect(parts.side.set_height)
    parts.folding.fitted.connect(parts.stage.set_height)
    parts.side.wanted.connect(lambda: parts.folding.bring(PANELS))
    parts.stage.wanted.connect(lambda: parts.folding.bring(GRAPH))

    def step_over() -> None:
        parts.actions["step_over"].trigger()  # as it is by then

    parts.questions.on.connect(step_over)
    parts.stage.set_follows(settings.follows)
    parts.stage.set_moves(settings.moves)
    parts.actions.give_keys(parts.stage)
    parts.actions.give_keys(parts.timeline)
    parts.actions.give_keys(parts.questions)
    parts.actions.give_keys(parts.lesson_page)
    parts.stage.focus_graph()
    Keeper(session, settings)
    keep_ways(session, player, settings)


def _show_menu(parts: Composition, place: QPoint, kind: str) -> None:
    """The actions of the menu bar that are about what is under the mouse."""
    parts.actions.refresh()
    context_menu.show(parts.actions, kind, place, parts.stage)


def _connect_desk(parts: Composition) -> None:
    """What is said and asked about files and numbers finds its bar."""
    files, recovery, offers = parts.files, parts.recovery, parts.offers
    stage, editor, status = parts.stage, parts.data_editor, parts.status
    for failed in (files.failed, recovery.failed):
        failed.connect(parts.bar.say)
    for asked in (files.asked, recovery.asked):
        asked.connect(offers.offer)
    files.settled.connect(offers.withdraw)
    files.said.connect(status.tip)
    parts.what_if.changed.connect(parts.actions.refresh)
    stage.activated.connect(editor.edit)
    stage.menu_wanted.connect(partial(_show_menu, parts))
    parts.finder.found.connect(stage.centre_on)
    parts.finder.left.connect(stage.focus_graph)
    parts.finder.searched.connect(parts.actions.refresh)
    editor.refused.connect(status.tip)
    parts.session.comparing.refused.connect(parts.bar.say)

    def edit_selected() -> None:
        parts.folding.bring(GRAPH)
        if stage.canvases:
            editor.edit(stage.canvases[0], parts.session.selected)

    parts.desk.data_wanted.connect(edit_selected)
    parts.side.tabs.help_wanted.connect(parts.desk.show_manual)
