"""The last touch on levels: what belongs on one line is put on one line."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chainstep.graph import Edge
    from chainstep.ladder import Ladder, Order

    Floats = NDArray[np.float64]


def straighten(
    ladder: Ladder,
    order: Order,
    least: Sequence[Floats],
    ports: Mapping[Edge, float],
    led: Sequence[Sequence[int]],
    level: Floats,
) -> None:
    """Move places onto common lines, as far as their neighbours allow without moving.

    Args:
        ladder: The places.
        order: Their order in each column.
        least: For each column, how far below its first place each must at least stand.
        ports: How far below the middle of its consumer each edge ends.
        led: For each place the operands that it is level with.
        level: The middle of every place; changed in place.
    """
    rooms = _Rooms(ladder, order, least, level)
    runs = sorted([*_passing(ladder, ports), *_level(led)], key=lambda run: -len(run.places))
    for _ in range(2):
        for run in runs:
            _straighten(run, rooms, level)


class _Run(NamedTuple):
    """Places that belong on one line.

    Attributes:
        places: From left to right.
        aims: Places that the line should best be level with, each with a distance below it.
    """

    places: list[int]
    aims: tuple[tuple[int, float], ...]


def _passing(ladder: Ladder, ports: Mapping[Edge, float]) -> list[_Run]:
    """What each edge holds; best level with one of its ends, for then it bends but once."""
    return [
        _Run(chain[1:-1], ((chain[-1], ports[edge]), (chain[0], 0.0)))
        for edge, chain in ladder.chains.items()
        if len(chain) > 2
    ]


def _level(led: Sequence[Sequence[int]]) -> list[_Run]:
    """Nodes each level with the one before it."""
    after = {leaders[0]: place for place, leaders in enumerate(led) if len(leaders) == 1}
    runs = []
    for first in sorted(after.keys() - after.values()):
        places = [first]
        while places[-1] in after:
            places.append(after[places[-1]])
        runs.append(_Run(places, ()))
    return runs


class _Rooms:
    """What neighbours in a column leave each other."""

    def __init__(
        self, ladder: Ladder, order: Order, least: Sequence[Floats], level: Floats
    ) -> None:
        self._level = level
        self._above: list[int | None] = [None] * len(ladder.column)
        self._below: list[int | None] = [None] * len(ladder.column)
        self._step = [0.0] * len(ladder.column)
        for column, below in zip(order, least, strict=True):
            for (upper, lower), step in zip(pairwise(column), np.diff(below), strict=True):
                self._below[upper] = lower
                self._above[lower] = upper
                self._step[lower] = float(step)

    def of(self, place: int) -> tuple[float, float]:
        """From where to where a place may be moved, its neighbours staying."""
        above, below = self._above[place], self._below[place]
        return (
            -np.inf if above is None else float(self._level[above]) + self._step[place],
            np.inf if below is None else float(self._level[below]) - self._step[below],
        )


def _straighten(run: _Run, rooms: _Rooms, level: Floats) -> None:
    """One line, or where that has no room as long pieces of it as have."""
    piece: list[int] = []
    low, high = -np.inf, np.inf
    for place in run.places:
        roof, floor = rooms.of(place)
        if max(low, roof) > min(high, floor):
            _align(piece, run.aims, low, high, level)
            piece, low, high = [], -np.inf, np.inf
        piece.append(place)
        low, high = max(low, roof), min(high, floor)
    _align(piece, run.aims, low, high, level)


def _align(
    piece: list[int],
    aims: Sequence[tuple[int, float]],
    low: float,
    high: float,
    level: Floats,
) -> None:
    if not piece:
        return
    middle = float(np.mean(level[piece]))
    lines = [float(level[place]) + below for place, below in aims]
    free = [line for line in lines if low <= line <= high]
    nearest = min(free, key=lambda line: abs(line - middle), default=middle)
    level[piece] = min(max(nearest, low), high)
