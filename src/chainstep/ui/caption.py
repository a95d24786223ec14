"""The sentence under the graph in a lecture: large, whole, and never cut.

What does not fit at its size is set on more lines, then in a smaller type; of the sentences that
say what it means, only as many are shown as find room.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QSize, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from chainstep.ui.notices import notice
from chainstep.ui.quiz import Wants
from chainstep.ui.spoken import pronounced
from chainstep.ui.telling import leading, tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QFont

    from chainstep.ui.lecture_script import LectureScript
    from chainstep.ui.session import Session
    from chainstep.ui.theme import Look

TITLE, MEANING = 19, 14
"""Sizes of the sentence with its formula, and of what it means, at 100%."""
LEFT, TOP = 20, 8
"""Pixels around the text at 100%."""
ROWS = (1, 1, 2)
"""Lines that there is room for: of the sentence, of its formula, of the meaning."""
MOST, MOST_WITH_ANSWERS = 0.45, 0.55
"""Share of the height of the whole that it takes at the most, and that it takes together with what
stands below it: the graph has the rest."""
SHRINKS = (1.0, 0.87, 0.74, 0.6, 0.5, 0.4, 0.3)
"""Shares of its size in which the sentence is tried, until it fits."""
GAP = "  "


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text in one font and colour.

    Attributes:
        text: What it says.
        font: In which.
        color: Name of its colour in the palette.
        x: From the left edge, in pixels.
        base: Its base line, from the top.
        width: How wide it is.
    """

    text: str
    font: QFont
    color: str
    x: float
    base: float
    width: float


@dataclass(frozen=True, slots=True)
class Words:
    """What a caption says: the sentence, its formula, and sentences that explain it.

    Attributes:
        title: The sentence.
        formula: Its formula; empty where it has none.
        meaning: Sentences that explain it, the first one first.
        is_whole: Whether all of those have to be shown, too: they are what it is about.
    """

    title: str
    formula: str = ""
    meaning: Sequence[str] = ()
    is_whole: bool = False


def words_of(session: Session, script: LectureScript | None = None) -> Words:
    """What is to be said about the place of a session, or of the lesson that is given."""
    page = script.words() if script is not None else None
    if page is not None:
        return Words(page[0], "", (page[1],) if page[1] else (), is_whole=True)
    sheet = session.sheet()
    if sheet is not None and (sheet.wants is not Wants.NOTHING or session.engine.on):
        # What becomes of an answer is as much to be read as the question.
        return Words(sheet.title, "", [_whole(line) for line in sheet.lines], is_whole=True)
    verdict = session.prediction.verdict
    if sheet is not None and verdict is not None:
        sign = f"{sheet.tone.value} " if verdict.right is not None else ""
        return Words(f"{sign}{sheet.title.removesuffix('.')}", verdict.numbers, verdict.why)
    told = tell(session)
    if told is None:
        said = notice(session)
        return Words(said.title or "Nothing is recorded yet", "", (said.text,))
    return Words(told.title, told.numbers or told.symbols, told.sentences)


def _whole(line: str) -> str:
    """A line as a sentence that others may follow."""
    return line if line.endswith((".", ":", "?", "!")) else f"{line}."


def height_for(look: Look, height: int, below: int = 0) -> int:
    """Pixels that a caption takes of a height: the same for every step, so that nothing jumps.

    Args:
        look: The scale.
        height: Of the whole.
        below: What of it is taken below the caption.
    """
    lines = [(TITLE, ROWS[0]), (TITLE, ROWS[1]), (MEANING, ROWS[2])]
    wanted = sum(QFontMetricsF(look.font(size)).lineSpacing() * rows for size, rows in lines)
    most = min(MOST * height, MOST_WITH_ANSWERS * height - below)
    return round(min(wanted + 2 * look.px(TOP), most))


def set_in(words: Words, look: Look, width: float, height: float) -> list[Piece]:
    """The pieces of a caption in their places; nothing of the sentence and formula is left out."""
    pieces: list[Piece] = []
    rest: list[Piece] = []
    for share in SHRINKS:
        pieces, bottom = _sentence(words, look, width, share)
        # What has to be whole becomes smaller together with the sentence.
        size = min(MEANING, round(TITLE * share * 10) / 10) if words.is_whole else MEANING
        rest, said = _meaning(words, look, (width, height), bottom, size)
        whole = said == len(words.meaning) or not words.is_whole
        if bottom <= height - look.px(TOP) and whole:
            break
    return [*pieces, *rest]


def _meaning(
    words: Words, look: Look, size: tuple[float, float], top: float, type_size: float
) -> tuple[list[Piece], int]:
    """What it means, below the sentence; and how many sentences of it, the first ones first."""
    font, left = look.font(type_size), float(look.px(LEFT))
    metrics = QFontMetricsF(font)
    width, height = size
    shown: list[str] = []
    said = 0
    # All of it first: mostly there is room.
    for count in range(len(words.meaning), 0, -1):
        lines = broken(" ".join(words.meaning[:count]), metrics, width - 2 * left)
        if top + len(lines) * metrics.lineSpacing() <= height - look.px(TOP) / 4:
            shown, said = lines, count
            break
    color = "text" if words.is_whole else "muted"
    return [
        Piece(
            *(line, font, color, left, top + number * metrics.lineSpacing() + metrics.ascent()),
            metrics.horizontalAdvance(line),
        )
        for number, line in enumerate(shown)
    ], said


def _sentence(words: Words, look: Look, width: float, share: float) -> tuple[list[Piece], float]:
    """The sentence and its formula, on one line where they fit; and where they end below."""
    left, top = float(look.px(LEFT)), float(look.px(TOP))
    room = width - 2 * left
    size = round(TITLE * share * 10) / 10
    bold, mono = look.font(size, bold=True), look.mono(size, bold=True)
    title, figures = QFontMetricsF(bold), QFontMetricsF(mono)
    joined = leading(words.title) if words.formula else words.title
    start = title.horizontalAdvance(joined + GAP)
    wide = figures.horizontalAdvance(words.formula)
    if words.formula and start + wide <= room:
        base = top + max(title.ascent(), figures.ascent())
        return [
            Piece(joined, bold, "text", left, base, title.horizontalAdvance(joined)),
            Piece(words.formula, mono, "now_text", left + start, base, wide),
        ], top + max(title.lineSpacing(), figures.lineSpacing())
    pieces = []
    for text, font, metrics, color in (
        (words.title, bold, title, "text"),
        (words.formula, mono, figures, "now_text"),
    ):
        for line in broken(text, metrics, room):
            wide = metrics.horizontalAdvance(line)
            pieces.append(Piece(line, font, color, left, top + metrics.ascent(), wide))
            top += metrics.lineSpacing()
    return pieces, top


def broken(text: str, metrics: QFontMetricsF, room: float) -> list[str]:
    """Text on as many lines as it needs; a word that is longer than a line is cut into several."""
    lines: list[str] = []
    rest = " ".join(text.split())
    while rest:
        ends = [at for at, sign in enumerate(rest) if sign == " "]
        # A word that is too long for a line is cut at any letter, and one letter there is always.
        fits = _last(rest, [*ends, len(rest)], metrics, room) or _last(
            rest, range(2, len(rest)), metrics, room
        )
        line = rest[: fits or 1]
        lines.append(line)
        rest = rest[len(line) :].lstrip()
    return lines


def _last(text: str, ends: Sequence[int], metrics: QFontMetricsF, room: float) -> int:
    """The last of some ends up to which a text fits; 0 where none does. O(log ends) measures."""
    number = bisect_right(ends, room, key=lambda end: metrics.horizontalAdvance(text[:end]))
    return ends[number - 1] if number else 0


class Caption(QWidget):
    """Shows the words of the current step.

    Args:
        session: Whose step it is.
        look: Colours and scale.
        script: The lesson that is given; None where there can be none.
    """

    took = Signal()
    """It has other words."""

    def __init__(self, session: Session, look: Look, script: LectureScript | None = None) -> None:
        super().__init__()
        self._session = session
        self._look = look
        self._script = script
        self._words = Words("")
        self.pieces: list[Piece] = []
        """What is shown, in its places."""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        for signal in (
            *(session.recording_changed, session.view_changed, session.position_changed),
            *(session.program_changed, session.run_changed, session.prediction.changed),
            *(session.engine.changed, *((script.changed,) if script is not None else ())),
        ):
            signal.connect(self.take)
        self.take()

    @property
    def aloud(self) -> str:
        """What it says, to be read aloud."""
        words = self._words
        title = leading(words.title) if words.formula else words.title
        told = _whole(f"{title} {words.formula}".strip())
        return pronounced(" ".join((told, *words.meaning)))

    def set_look(self, look: Look) -> None:
        """Take other colours or another scale."""
        self._look = look
        self._arrange()

    def take(self) -> None:
        """Show what is to be said now."""
        words = words_of(self._session, self._script)
        if words == self._words:
            return
        self._words = words
        told = f"{words.title} {words.formula}".strip()
        self.setAccessibleName(told)
        self.setAccessibleDescription(" ".join(words.meaning))
        self._arrange()
        self.took.emit()

    def _arrange(self) -> None:
        self.pieces = set_in(self._words, self._look, self.width(), self.height())
        self.update()

    def sizeHint(self) -> QSize:
        """Whatever it is given."""
        return QSize(200, self.height())

    def resizeEvent(self, _event: object) -> None:
        """Break the lines anew."""
        self._arrange()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """The pieces on the ground, below a line."""
        p = self._look.palette
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(p.window))
            painter.fillRect(0, 0, self.width(), max(1, self._look.px(1)), QColor(p.rule))
            for piece in self.pieces:
                painter.setPen(QColor(getattr(p, piece.color)))
                painter.setFont(piece.font)
                painter.drawText(QPointF(piece.x, piece.base), piece.text)
