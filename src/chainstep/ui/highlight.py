"""Colours for the text of a program, from a lexer that is not ours to keep right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QTextDocument

    from chainstep.ui.palette import Palette

    Span = tuple[int, int, str]

KINDS = (
    ("Token.Keyword", "keyword"),
    ("Token.Operator.Word", "keyword"),
    ("Token.Name.Function", "name"),
    ("Token.Name.Class", "name"),
    ("Token.Name.Decorator", "name"),
    ("Token.Literal.Number", "number"),
    ("Token.Literal.String", "string"),
    ("Token.Comment", "comment"),
)
"""Beginnings of the lexer's token names, and the colour of the palette that they take."""

FIRST_MS = 60
"""Until the first colours: the window is painted before the lexer is loaded."""
FEW = 40
"""Lines up to which each is coloured by itself; that costs more a line than all at once."""
LONGEST = 50_000
"""Characters of a text beyond which it stays plain: lexing takes about 10 microseconds for each."""


class Line(NamedTuple):
    """The colours of one line, and whether it begins inside a string.

    Spans are (start, length, colour's name) and count UTF-16 units, as Qt does.
    """

    spans: Sequence[Span]
    inside: bool


def lex(text: str) -> list[Line]:
    """The lines of a text that begins outside of any string."""
    # 40 ms to load, and nobody has read the program by then.
    from pygments.lexers import PythonLexer  # noqa: PLC0415

    spans: list[Span] = []
    lines = [Line(spans, inside=False)]
    column = 0
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        kind = next((color for name, color in KINDS if str(token).startswith(name)), "")
        for number, part in enumerate(value.split("\n")):
            if number:
                spans, column = [], 0
                lines.append(Line(spans, inside=kind == "string"))
            length = len(part.encode("utf-16-le", "surrogatepass")) // 2
            if kind and length:
                spans.append((column, length, kind))
            column += length
    return lines


class Highlighter(QSyntaxHighlighter):
    """Colours a document. A change costs the lines that it touches, not the document."""

    def __init__(self, document: QTextDocument, palette: Palette) -> None:
        super().__init__(document)
        self._palette = palette
        self._lines: list[Line] = []
        self._first: int | None = None
        self._after = 0
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._lex)
        self._delay_ms = FIRST_MS
        document.contentsChange.connect(self._note)

    def set_palette(self, palette: Palette) -> None:
        """Take other colours."""
        self._palette = palette
        if self._lines:
            self._color(range(len(self._lines)))

    def _note(self, at: int, removed: int, added: int) -> None:
        """Remember the first line that changed, and how many at the end did not."""
        if not (removed or added):
            return
        document = self.document()
        count = document.blockCount()
        first = max(document.findBlock(at).blockNumber(), 0)
        last = document.findBlock(at + added)
        after = count - 1 - last.blockNumber() if last.isValid() else 0
        if self._first is None:
            self._first, self._after = first, after
        else:
            self._first, self._after = min(self._first, first), min(self._after, after)
        self._timer.start(self._delay_ms)
        self._delay_ms = 0

    def _lex(self) -> None:
        """Lex what changed, and on to the end where a string now reaches beyond it."""
        document = self.document()
        text = document.toRawText().replace("\u2029", "\n")
        rows = text.split("\n") if len(text) <= LONGEST else []
        old = self._lines
        first, after = min(self._first or 0, len(old), len(rows)), self._after
        self._first = None
        while first and (first >= len(old) or old[first].inside):
            first -= 1
        after = max(0, min(after, len(old) - first, len(rows) - first))
        end = len(rows) - after
        # One line more, to see whether it begins inside a string.
        lines = lex("\n".join([*rows[first:end], ""])) if rows else []
        if after and (lines[-1].inside or old[len(old) - after].inside):
            after, end = 0, len(rows)
            lines = lex("\n".join([*rows[first:], ""]))
        self._lines = [*old[:first], *lines[:-1], *old[len(old) - after :]]
        self._color(range(first, end))

    def _color(self, rows: range) -> None:
        document = self.document()
        document.contentsChange.disconnect(self._note)
        if len(rows) > FEW:
            self.rehighlight()
        else:
            for row in rows:
                self.rehighlightBlock(document.findBlockByNumber(row))
        document.contentsChange.connect(self._note)

    def highlightBlock(self, text: str) -> None:  # noqa: ARG002  the spans are known
        """Colour one line."""
        row = self.currentBlock().blockNumber()
        for start, length, kind in self._lines[row].spans if row < len(self._lines) else ():
            form = QTextCharFormat()
            form.setForeground(QColor(getattr(self._palette, kind)))
            self.setFormat(start, length, form)
