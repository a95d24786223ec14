"""Differences by running the program again with one Value moved: for what no table knows."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from chainstep.differences import slope_of
from chainstep.errors import ChainstepError
from chainstep.runner import run
from chainstep.trace import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chainstep.differences import Slope
    from chainstep.options import Options
    from chainstep.program import Program
    from chainstep.trace import Recording

STEPS = (1e-3, 1e-4)
"""Steps as parts of the value, or of 1 where it is smaller."""

NEAR_ZERO = 1e-2
"""Below this the steps are parts of the value, as a logarithm bends there."""

MOST_NODES = 16
"""How many nodes are moved in one recording: each takes four runs."""

MOST_S = 10.0
"""After this no other node is moved."""


class Rerunner:
    """Runs one program again and again.

    Args:
        program: What to run.
        options: How it was run.
        recording: What that left.
        jobs: How many runs at a time.
        runs: Runs a program once.
    """

    def __init__(
        self,
        program: Program,
        options: Options,
        recording: Recording,
        jobs: int = 1,
        runs: Callable[[Program, Options], Recording] = run,
    ) -> None:
        self._program = program
        self._options = options
        self._recording = recording
        self._jobs = jobs
        self._run = runs

    def slopes(self, nodes: Sequence[int]) -> Mapping[tuple[int, int], Slope]:
        """Slopes of the root of each pass in each node, by (pass, node).

        At most MOST_NODES nodes are moved. Only a program that came to its end is run again, and
        a pass counts only if the moved runs have it too.
        """
        if self._recording.outcome.status is not Status.OK:
            return {}
        deadline = time.monotonic() + MOST_S
        found: dict[tuple[int, int], Slope] = {}
        with ThreadPoolExecutor(self._jobs) as pool:
            answers = pool.map(lambda node: self._moved(node, deadline), nodes[:MOST_NODES])
            for node, slopes in zip(nodes, answers, strict=False):
                found.update({(index, node): slope for index, slope in slopes.items()})
        return found

    def _moved(self, node_id: int, deadline: float) -> dict[int, Slope]:
        """The slope of each pass's root in one node."""
        if time.monotonic() > deadline:
            return {}
        x = self._recording.nodes[node_id].data
        size = abs(x) if 0 < abs(x) < NEAR_ZERO else max(abs(x), 1.0)
        steps = [size * step for step in STEPS]
        here = roots(self._recording)
        pairs = [(self.roots({node_id: x - h}), self.roots({node_id: x + h})) for h in steps]
        slopes = {}
        for index, at in here.items():
            if all(index in before and index in after for before, after in pairs):
                values = [(before[index], after[index]) for before, after in pairs]
                slopes[index] = slope_of(x, steps, values, at)
        return slopes

    def roots(self, moves: Mapping[int, float]) -> dict[int, float]:
        """The root of each pass with some nodes at other numbers; empty where the run fails."""
        if self._recording.outcome.status is not Status.OK:
            return {}
        nodes = self._recording.nodes
        # Numbers that are tried out already stay, but for those that are moved.
        data = dict(self._options.data)
        data.update({nodes[node_id].serial: number for node_id, number in moves.items()})
        try:
            moved = self._run(self._program, replace(self._options, data=tuple(data.items())))
        except ChainstepError:
            return {}
        return roots(moved) if moved.outcome.status is Status.OK else {}


def roots(recording: Recording) -> dict[int, float]:
    """The number of the root of each pass."""
    return {trace.pass_index: recording.nodes[trace.root].data for trace in recording.traces}
