"""Colours for the text of a program, from a lexer that is not ours to keep right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat

if TYPE_CHECKING:
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


def spans(text: str) -> list[list[Span]]:
    """For every line of a program the coloured spans: start, length, colour's name.

    Starts and lengths count UTF-16 units, as Qt does.
    """
    # 40 ms to load, and nobody has read the program by then.
    from pygments.lexers import PythonLexer  # noqa: PLC0415

    lines: list[list[Span]] = [[]]
    column = 0
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        kind = next((color for name, color in KINDS if str(token).startswith(name)), "")
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
                column = 0
            length = len(part.encode("utf-16-le", "surrogatepass")) // 2
            if kind and length:
                lines[-1].append((column, length, kind))
            column += length
    return lines


class Highlighter(QSyntaxHighlighter):
    """Colours a document; lines that a change does not touch are left alone."""

    def __init__(self, document: QTextDocument, palette: Palette) -> None:
        super().__init__(document)
        self._palette = palette
        self._spans: list[list[Span]] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._delay_ms = FIRST_MS
        self._timer.timeout.connect(self._lex)
        document.contentsChange.connect(self._later)

    def set_palette(self, palette: Palette) -> None:
        """Take other colours."""
        self._palette = palette
        self.rehighlight()

    def _later(self, _at: int, removed: int, added: int) -> None:
        if removed or added:
            self._timer.start(self._delay_ms)
            self._delay_ms = 0

    def _lex(self) -> None:
        document = self.document()
        before = self._spans
        self._spans = spans(document.toRawText().replace("\u2029", "\n"))
        for number, line in enumerate(self._spans):
            if number >= len(before) or before[number] != line:
                self.rehighlightBlock(document.findBlockByNumber(number))

    def highlightBlock(self, text: str) -> None:  # noqa: ARG002  the spans are known
        """Colour one line."""
        number = self.currentBlock().blockNumber()
        for start, length, kind in self._spans[number] if number < len(self._spans) else ():
            form = QTextCharFormat()
            form.setForeground(QColor(getattr(self._palette, kind)))
            if kind == "comment":
                form.setFontItalic(False)
            self.setFormat(start, length, form)
