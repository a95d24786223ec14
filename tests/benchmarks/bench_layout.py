"""Our layout beside Graphviz's `dot`: time and crossings on networks of growing size.

Run it with `python tests/benchmarks/bench_layout.py`; it needs `dot`. Both draw the same graphs in
one run, and processor time is what counts, so that other work on the machine falls on neither.
Where dot needs more than a minute it is stopped, and its column says so. The exit status is 1
where a bar is missed: edges that cross at most 1.2 times as often as dot's, 15,000 nodes in at
most a hundred times what 700 take.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from chainstep import Value, nn
from chainstep.layout import layered

sys.path.insert(0, str(Path(__file__).parents[1]))  # what the tests share
from drawn import crossings, graph_below, graphviz, routes_of

if TYPE_CHECKING:
    from chainstep.graph import Graph

PATIENCE_S = 60.0
COUNTED = 3000
"""Nodes up to which crossings are counted: it takes longer than drawing."""

CROSSED = 1.2
"""Crossings allowed for each of dot's."""

GROWTH = 100
"""Time allowed for 15,000 nodes, in times that of 700."""

NETWORKS = ((3, [4, 4, 1], 1), (3, [4, 4, 1], 8), (2, [8, 8, 1], 6), (2, [8, 8, 1], 14))
"""Inputs, layers and samples: about 125, 702, 1302 and 2987 nodes."""

LARGEST = (2, [16, 16, 1], 22)
"""About 15,000 nodes: too many for dot."""


def network(inputs: int, layers: list[int], samples: int) -> Graph:
    """The summed squared errors of a network."""
    model = nn.MLP(inputs, layers)
    errors = [(model([Value(0.5) for _ in range(inputs)]) - 1.0) ** 2 for _ in range(samples)]
    return graph_below(sum(errors[1:], errors[0]))


def ours(graph: Graph) -> tuple[float, int]:
    """Seconds, and crossings where they are counted, else 0."""
    start = time.process_time()
    layout = layered(graph)
    taken = time.process_time() - start
    return taken, crossings(routes_of(layout)) if len(graph) <= COUNTED else 0


def theirs(graph: Graph) -> tuple[float | None, int | None]:
    """The same of `dot`; nothing where it takes too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        routes, _ = graphviz(graph, PATIENCE_S)
    except subprocess.TimeoutExpired:
        return None, None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return taken, crossings(routes)


def compared(graph: Graph) -> tuple[str, bool]:
    """One line of the table, and whether the bar on crossings is met."""
    seconds, crossed = ours(graph)
    dot_seconds, dot_crossed = theirs(graph)
    if dot_seconds is None or dot_crossed is None:
        return (
            f"{len(graph):>7} {seconds:>8.2f} s  > {PATIENCE_S:.0f} s {'':>8} {crossed:>10}",
            True,
        )
    share = crossed / max(dot_crossed, 1)
    line = f"{len(graph):>7} {seconds:>8.2f} s {dot_seconds:>8.2f} s {seconds / dot_seconds:>7.2f}"
    return f"{line} {crossed:>10} {dot_crossed:>10} {share:>7.2f}", share <= CROSSED


def main() -> int:
    """Print the table; 1 where a bar is missed."""
    if shutil.which("dot") is None:
        sys.stderr.write("Graphviz's dot is not installed: apt install graphviz\n")
        return 2
    layered(network(*NETWORKS[0]))  # networkx is imported before the clock starts
    print("  nodes       ours        dot   ratio  crossings      dot's   ratio")  # noqa: T201
    missed = False
    for size in NETWORKS:
        line, is_met = compared(network(*size))
        missed = missed or not is_met
        print(line)  # noqa: T201
    small, _ = ours(network(*NETWORKS[1]))
    graph = network(*LARGEST)
    large, _ = ours(graph)
    missed = missed or large > GROWTH * small
    print(f"{len(graph):>7} {large:>8.2f} s, {large / small:.0f} x the second line")  # noqa: T201
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
