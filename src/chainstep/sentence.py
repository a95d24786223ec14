"""Words that sentences are put together from: lists, and which of many."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ORDINALS = (
    *("first", "second", "third", "fourth", "fifth"),
    *("sixth", "seventh", "eighth", "ninth", "tenth"),
)
MOST_NAMES = 3
"""Names that one sentence lists before it counts the rest."""


def joined(words: Sequence[str], others: int = 0, most: int = MOST_NAMES) -> str:
    """`a`, `a and b`, `a, b and c`, `a, b, c and 7 more`.

    Args:
        words: What is listed.
        others: How many more there are besides.
        most: How many are listed before the rest is counted.

    >>> joined("abcde"), joined("abcde", most=5), joined("a", others=2)
    ('a, b, c and 2 more', 'a, b, c, d and e', 'a and 2 more')
    """
    others += max(len(words) - most, 0)
    words = [*words[:most], *([f"{others} more"] if others else [])]
    return " and ".join([*([", ".join(words[:-1])] if words[:-1] else []), *words[-1:]])


def ordinal(count: int) -> str:
    """`first` to `tenth`, then `11th`.

    >>> [ordinal(n) for n in (1, 2, 10, 11, 22)]
    ['first', 'second', 'tenth', '11th', '22nd']
    """
    if count <= len(ORDINALS):
        return ORDINALS[count - 1]
    teens = 10 < count % 100 < 20
    return f"{count}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(count % 10, 'th')}"
