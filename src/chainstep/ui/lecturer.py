"""The window for who gives a lecture: notes, what comes next, and the time."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTime, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from chainstep.ui.caption import words_of
from chainstep.ui.command import pretty
from chainstep.ui.fonts import set_markdown
from chainstep.ui.lecture import OWN_KEYS
from chainstep.ui.telling import ahead, leading, where
from chainstep.ui.theme import LARGE, PLAIN, qt_palette, style_sheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from PySide6.QtGui import QCloseEvent, QKeyEvent

    from chainstep.ui.command import Command
    from chainstep.ui.lecture_script import LectureScript
    from chainstep.ui.session import Session
    from chainstep.ui.teaching import Teaching
    from chainstep.ui.theme import Look

SIZE = (760, 620)
CLOCK, WORDS = 24, 18
"""Sizes of type at 100%, for who stands a step away."""
TITLE = "For the lecturer — Chainstep"
KEYS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("PgDn", "Space"), "next"),
    (("PgUp",), "back"),
    (("step_into", "back_into"), "a write"),
    (("↓", "↑"), "a whole _backward"),
    (("number, Enter",), "to a step"),
    (("answer",), "answer"),
    (("reveal",), "reveal"),
    (("show_answer",), "the lesson's answer"),
    (("next_lesson",), "next lesson"),
    (("lecture_swap",), "swap screens"),
    (("lecture_curtain",), "black"),
    (("lecture_close",), "edge"),
    (("lecture_spotlight",), "spotlight"),
    (("lecture_values",), "values"),
    (("lecture_code",), "code"),
    (("lecture_colours",), "colours"),
    (("lecture_motion",), "motion"),
    (("Esc",), "ends"),
)
"""What can be pressed: keys that are always the same, or the commands that they belong to."""


def key_line(commands: Mapping[str, Command]) -> str:
    """The keys of a lecture, each with what it does; what has no key is left out."""
    entries = []
    for parts, what in KEYS:
        keys = [_key_of(commands[part]) if part in commands else part for part in parts]
        text = " ".join(key for key in keys if key)
        # They may be broken between two of them, and nowhere else.
        entries += [f"{text} {what}".replace(" ", "\u00a0")] if text else []
    return " · ".join(entries)


def _key_of(command: Command) -> str:
    """The first of its keys that it has in a lecture; empty where it has none."""
    keys = (*(key for key in command.canvas_keys if key not in OWN_KEYS), *command.keys)
    return pretty(keys[0]) if keys else ""


class LecturerWindow(QWidget):
    """Stands on the other screen. Its keys are those of the lecture.

    Args:
        session: What is shown.
        teaching: The lesson that is on, if any.
        look: Colours and scale: those of the desk.
        script: Where the lecture stands.
        began: When it began, as `time.monotonic` says it.
    """

    pressed = Signal(object, str)
    """A key with its modifiers, and what it would write."""
    closed = Signal()
    """It was closed."""

    def __init__(
        self,
        session: Session,
        teaching: Teaching,
        look: Look,
        script: LectureScript,
        began: float,
    ) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setWindowTitle(TITLE)
        self.setObjectName("lecturer")
        self.setAccessibleName(TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._session = session
        self._teaching = teaching
        self._script = script
        self._began = began
        self.step, self.now, self.words = self._label(), self._label(), self._label()
        self.next, self.notes, self.keys = self._label(), self._label(), self._label()
        self.clock, self.elapsed = self._label(), self._label()
        self._headings: list[QLabel] = []
        self._lay_out()
        self._ticking = QTimer(self)
        self._ticking.setInterval(1000)
        self._ticking.timeout.connect(self._tick)
        self._ticking.start()
        for signal in (
            *(session.recording_changed, session.view_changed, session.position_changed),
            *(session.program_changed, session.run_changed, teaching.changed),
            *(session.prediction.changed, session.engine.changed, script.changed),
        ):
            signal.connect(self._take)
        self.set_look(look)
        self._take()
        self._tick()
        self.usual = QSize(look.px(SIZE[0]), look.px(SIZE[1]))
        """How large it is where it has not a whole screen."""

    def _label(self) -> QLabel:
        label = QLabel()
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        return label

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        for label in (self.step, self.clock, self.elapsed):
            label.setWordWrap(False)
        top.addWidget(self.step, 1)
        top.addWidget(self.clock)
        top.addSpacing(18)
        top.addWidget(self.elapsed)
        inside = QWidget()
        lines = QVBoxLayout(inside)
        lines.setSpacing(6)
        for heading, labels in (
            ("NOW", (self.now, self.words)),
            ("NEXT", (self.next,)),
            ("NOTES", (self.notes,)),
        ):
            title = QLabel(heading)
            title.setObjectName("heading")
            self._headings.append(title)
            lines.addSpacing(8)
            lines.addWidget(title)
            for label in labels:
                lines.addWidget(label)
        lines.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName("Now, next and notes")
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 16)
        column.addLayout(top)
        column.addWidget(area, 1)
        column.addWidget(self.keys)

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        p = look.palette
        self.setPalette(qt_palette(p))
        self.setStyleSheet(style_sheet(look) + f"#lecturer {{ background: {p.window}; }}")
        for label, size, color in (
            *((self.step, LARGE, p.text), (self.clock, CLOCK, p.text)),
            *((self.elapsed, CLOCK, p.now_text), (self.now, CLOCK, p.text)),
            *((self.words, WORDS, p.text), (self.next, WORDS, p.text)),
            *((self.notes, WORDS, p.text), (self.keys, PLAIN, p.muted)),
        ):
            bold = "600" if label in (self.now, self.elapsed) else "400"
            label.setStyleSheet(
                f"color: {color}; font-size: {look.px(size)}px; font-weight: {bold};"
            )
        for heading in self._headings:
            heading.setStyleSheet(f"color: {p.muted}; font-size: {look.px(PLAIN - 2)}px;")

    def name_keys(self, commands: Mapping[str, Command]) -> None:
        """Say which keys there are, by the commands that they belong to."""
        self.keys.setText(key_line(commands))

    def _take(self) -> None:
        session = self._session
        said = words_of(session, self._script)
        self.step.setText(f"{session.program.name}: {where(session.course, session.place)}")
        self.now.setText(f"{leading(said.title)}  {said.formula}" if said.formula else said.title)
        self.words.setText(" ".join(said.meaning))
        self.next.setText(self._script.coming() or self._ahead())
        taught = self._teaching.current is not None
        # Lessons are written in Markdown; the words of an example are no markup.
        self.notes.setTextFormat(Qt.TextFormat.MarkdownText if taught else Qt.TextFormat.PlainText)
        set_markdown(self.notes, _notes(session, self._teaching))

    def _ahead(self) -> str:
        """The next step, unless it is asked for: a lesson hides it from the others only."""
        session = self._session
        if not session.panes:
            return ""
        if session.at_end:
            return "That was the last step."
        coming = ahead(session)
        if coming is None or session.prediction.on or session.engine.on:
            return "What is to come is hidden."
        return f"{leading(coming.title)}  {coming.numbers}" if coming.numbers else coming.title

    def _tick(self) -> None:
        self.clock.setText(QTime.currentTime().toString("HH:mm"))
        seconds = int(time.monotonic() - self._began)
        hours, minutes = divmod(seconds // 60, 60)
        spent = f"{minutes:02}:{seconds % 60:02}"
        self.elapsed.setText(f"{hours}:{spent}" if hours else spent)
        self.elapsed.setAccessibleName(f"{seconds // 60} minutes since the lecture began")

    def closeEvent(self, event: QCloseEvent) -> None:
        """Say so."""
        super().closeEvent(event)
        self.closed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Hand every key on to what is projected."""
        self.pressed.emit(event.keyCombination(), event.text())


def _notes(session: Session, teaching: Teaching) -> str:
    """What the author of the lesson says to who gives it, else what an example is to show."""
    lesson = teaching.current
    if lesson is not None:
        notes = lesson.notes or "This lesson has no notes."
        parts = (f"{teaching.place}: {lesson.title}", notes, f"**Question.** {lesson.question}")
        rest = (f"**Answer.** {lesson.answer}", f"**Take away.** {lesson.takeaway}")
        return "\n\n".join((*parts, *rest))
    example = session.unchanged_example
    if example is not None:
        return f"{example.title}. {example.look_for}"
    return "This program has no notes."
