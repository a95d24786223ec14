"""Seeking anywhere in a long trace: the time that moving the timeline's handle takes.

Run it with `python tests/benchmarks/bench_stepper.py`; the exit status is 1 where the bar is
missed.
"""

from __future__ import annotations

import random
import sys
import time

from chainstep.stepper import Stepper
from chainstep.trace import Kind, Mode, Order, Step, Trace

NODES = 15_000
STEPS = 100_000
SEEKS = 200
BAR_MS = 16.0
"""One frame at 60 Hz."""


def long_trace() -> Trace:
    """A trace of STEPS steps, four of them to a call, that writes all over NODES nodes."""
    generator = random.Random(0)
    root = NODES - 1
    gradients = dict.fromkeys(range(NODES), 0.0)
    steps = [Step(Kind.SEED, root, target=root, contribution=1.0, before=0.0, after=1.0)]
    gradients[root] = 1.0
    while len(steps) < STEPS:
        node = generator.randrange(NODES)
        if len(steps) % 4 == 1:
            steps.append(Step(Kind.CALL, node, upstream=gradients[node]))
            continue
        before, given = gradients[node], generator.uniform(-1, 1)
        gradients[node] = before + given
        running = steps[-1].node
        steps.append(
            Step(Kind.WRITE, running, 0, node, 1.0, given, given, before, before + given, True)
        )
    initial = dict.fromkeys(range(NODES), 0.0)
    return Trace(0, Mode.ACCUMULATE, Order.DEPTH_FIRST, root, initial, tuple(steps), {})


def main() -> int:
    """Print the time of the slowest seek; 1 where it missed the bar."""
    trace = long_trace()
    start = time.perf_counter()
    stepper = Stepper(trace, NODES)
    indexed_s = time.perf_counter() - start
    generator = random.Random(1)
    worst_ms = 0.0
    for _ in range(SEEKS):
        position = generator.randint(0, STEPS)
        start = time.perf_counter()
        stepper.seek(position)
        worst_ms = max(worst_ms, (time.perf_counter() - start) * 1000)
    verdict = "missed" if worst_ms > BAR_MS else "met"
    print(  # noqa: T201  printing is its work
        f"seek in {STEPS:,} steps over {NODES:,} nodes: worst of {SEEKS} {worst_ms:.2f} ms, "
        f"bar {BAR_MS:.0f} ms {verdict} (indexing {indexed_s:.2f} s)"
    )
    return int(worst_ms > BAR_MS)


if __name__ == "__main__":
    sys.exit(main())
