"""What of Markdown the texts of a lesson may hold: all but `code` and `**bold**` is told."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_INLINE_CODE = re.compile(r"`[^`]*`")
_BOLD = re.compile(r"\*\*.+?\*\*", re.DOTALL)
_ITALIC = re.compile(r"(?<![\w*])\*[^\s*](?:[^*]*[^\s*])?\*(?![\w*])")
_FORMULA = re.compile(r"\$(?=\S)[^$\n]*(?<=\S)\$(?!\d)")
_ANYWHERE = (
    (re.compile(r"!\[[^\]]*\]\([^)]*\)"), "a picture is not shown: put it into words."),
    (re.compile(r"\[[^\]]+\]\([^)]+\)"), "a link leads nowhere here: write its words alone."),
    (re.compile(r"</?[a-zA-Z][^<>]*>"), "HTML is not read: write the words alone, or as `code`."),
)
_AT_START = (
    (re.compile(r"#{1,6}\s+\S.*"), "a text has no headings."),
    (re.compile(r"[-*+]\s+\S.*"), "a list is not set: write sentences."),
    (re.compile(r"\|.*\|"), "a table is not set: write sentences."),
    (re.compile(r">\s.*"), "a quotation is not set: write it in the sentence."),
)
_NUMBERED = re.compile(r"\d{1,9}[.)]\s+\S.*")
"""A list too, but only where a paragraph begins: a line may begin with a number by chance."""


def unset(line: str, before: str = "") -> str:
    """What is wrong with a line of a text, and what to write; empty where it can be set.

    Args:
        line: The line, which is no heading of a section and no code.
        before: The one above it.

    >>> unset("- first")
    '- first: a list is not set: write sentences.'
    >>> unset("`$x$` is 2, and 3 < 4"), unset("3. Then b", "The first is")
    ('', '')
    """
    bare = _INLINE_CODE.sub("", line).strip()
    formula = _FORMULA.search(bare)
    if formula is not None:
        return f"{formula[0]} stays as it is: formulas are not set, write x², ∂y/∂x or `x**2`."
    slanted = _ITALIC.search(_BOLD.sub("", bare))
    if slanted is not None:
        return f"{slanted[0]} stays as it is: write **bold**, or `code`."
    for pattern, words in _ANYWHERE:
        found = pattern.search(bare)
        if found is not None:
            return f"{found[0]}: {words}"
    for pattern, words in _AT_START:
        if pattern.fullmatch(bare):
            return f"{_begun(line)}: {words}"
    if not before.strip() and _NUMBERED.fullmatch(bare):
        return f"{_begun(line)}: a list is not set: write sentences."
    return ""


def unpaired(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """(number of a line from 0, what is wrong) for each sign in a text that has no partner.

    A pair may stand in two lines, but not in two paragraphs.

    >>> list(unpaired(["The `a", "of `b`", "", "is **2.0."]))[0]
    (1, '` has no partner in its paragraph: `code` needs two.')
    """
    begun = 0
    for end in range(len(lines) + 1):
        if end < len(lines) and lines[end].strip():
            continue
        text = "\n".join(lines[begun:end])
        words = _INLINE_CODE.sub("", text)
        for sign, what in (("`", "`code`"), ("**", "**bold**")):
            if words.count(sign) % 2:
                last = text[: text.rindex(sign)].count("\n")
                yield begun + last, f"{sign} has no partner in its paragraph: {what} needs two."
                break
        begun = end + 1


def _begun(line: str) -> str:
    """A line by its first words."""
    words = line.split()
    return " ".join(words[:4]) + (" …" if len(words) > 4 else "")
