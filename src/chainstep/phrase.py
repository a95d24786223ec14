"""One line that a user types in Python's grammar: parsed, never run, refused with its column."""

from __future__ import annotations

import ast
import re
import warnings
from typing import TYPE_CHECKING

from chainstep.errors import ChainstepError

if TYPE_CHECKING:
    from collections.abc import Callable


class PhraseError(ChainstepError):
    """A line is not understood.

    Attributes:
        column: Where in the text, from 1.
    """

    def __init__(self, message: str, column: int) -> None:
        super().__init__(f"{message}. (column {column})")
        self.column = column


class Phrase:
    """One line of text, as long as nothing of it has been understood.

    Args:
        text: As the user wrote it.
        longest: How many characters it may have.
        error: What to raise.

    Raises:
        PhraseError: It is empty, too long, or more than a line of plain text.
    """

    def __init__(self, text: str, longest: int, error: type[PhraseError]) -> None:
        self.text = text
        self._error = error
        self._indent = len(text) - len(text.lstrip())
        self._source = ""
        if not text.strip():
            raise error("There is nothing here yet", 1)
        if len(text) > longest:
            raise error(f"This is longer than {longest} characters", longest + 1)
        if (control := re.search(r"[\x00-\x08\x0a-\x1f]", text)) is not None:
            raise error("This has to be one line of plain text", control.start() + 1)

    def parsed(self, source: str, hint: Callable[[], str]) -> ast.expr:
        """The expression that it is.

        Args:
            source: The text, or another one of the same length, column by column.
            hint: What to say where that is no expression.

        Raises:
            PhraseError: It is no expression.
        """
        self._source = source.lstrip()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a backslash in a text is the user's business
                return ast.parse(self._source, mode="eval").body
        except SyntaxError as error:
            # Where the text ends too early there is no offset.
            column = self._column(error.offset - 1 if error.offset else len(self._source))
        except (ValueError, MemoryError, RecursionError):
            column = 1
        raise self._error(hint(), column)

    def refusal(self, message: str, part: ast.expr) -> PhraseError:
        """The error that says what is wrong with a part."""
        # The parser counts bytes, people count letters.
        offset = len(self._source.encode()[: part.col_offset].decode(errors="replace"))
        return self._error(message, self._column(offset))

    def _column(self, offset: int) -> int:
        """The column of a place in the source, from 1."""
        return min(max(offset, 0) + self._indent, len(self.text)) + 1
