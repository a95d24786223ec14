"""Saved recordings as bad disks and careless hands leave them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random

NUMBER = re.compile(rb"-?\d+(\.\d+)?")
OTHERS = (
    *(b"-1", b"0", b"1", b"2", b"999999999", b"9" * 400, b"1e308", b"null", b"true", b'"nan"'),
    *(b"[]", b"{}", b"[" * 50 + b"]" * 50, b'"' + b"x" * 5000 + b'"'),
)
"""What may stand where a number stood."""


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The same file cut off, with bits flipped, lines lost or swapped, or numbers replaced."""
    return rng.choice((_cut, _flipped, _without_a_line, _swapped, _with_others))(data, rng)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _flipped(data: bytes, rng: random.Random) -> bytes:
    bits = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        bits[rng.randrange(len(bits))] ^= 1 << rng.randrange(8)
    return bytes(bits)


def _without_a_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _swapped(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"".join(lines)


def _with_others(data: bytes, rng: random.Random) -> bytes:
    found = list(NUMBER.finditer(data))
    chosen = rng.sample(found, min(len(found), rng.randrange(1, 4)))
    for match in sorted(chosen, key=lambda match: -match.start()):
        data = data[: match.start()] + rng.choice(OTHERS) + data[match.end() :]
    return data
