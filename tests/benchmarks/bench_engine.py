"""Our engine beside micrograd 0.1.0: time and memory of one training pass, as ratios.

Run it with `python tests/benchmarks/bench_engine.py`; the exit status is 1 where a bar is missed.
Both engines take turns in one process, and the best round of each counts, so that whatever else
the machine does falls on both or on neither.
"""

from __future__ import annotations

import gc
import random
import sys
import time
import tracemalloc
from typing import TYPE_CHECKING

import micrograd.nn

import chainstep.nn

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

SAMPLES = 100


def build_and_run(nn: ModuleType) -> object:
    """One pass over all samples; gives the loss, which holds the whole graph."""
    generator = random.Random(0)
    model = nn.MLP(2, [16, 16, 1])
    loss = nn.Value(0)
    for _ in range(SAMPLES):
        x = [generator.uniform(-1, 1), generator.uniform(-1, 1)]
        loss = loss + (model(x) + -1.0) ** 2
    loss.backward()
    return loss


def seconds(nn: ModuleType, *, collecting: bool) -> float:
    """Processor time of one pass: what else the machine does is not counted."""
    gc.collect()
    if not collecting:
        gc.disable()
    start = time.process_time()
    build_and_run(nn)
    taken = time.process_time() - start
    gc.enable()
    return taken


def mebibytes(nn: ModuleType) -> float:
    """Memory that the graph of one pass holds after its backward run."""
    gc.collect()
    tracemalloc.start()
    loss = build_and_run(nn)
    gc.collect()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del loss
    return held / 2**20


def without_collector(nn: ModuleType) -> float:
    """Seconds with the cyclic garbage collector off."""
    return seconds(nn, collecting=False)


def with_collector(nn: ModuleType) -> float:
    """Seconds with the cyclic garbage collector on."""
    return seconds(nn, collecting=True)


BARS: tuple[tuple[str, str, Callable[[ModuleType], float], int, float], ...] = (
    ("time, collector off", "s", without_collector, 15, 0.8),
    ("time, collector on", "s", with_collector, 5, 1.05),
    ("memory", "MiB", mebibytes, 1, 0.8),
)
"""What is measured, in which unit, how, in how many rounds, and the ratio allowed."""


def main() -> int:
    """Print one line for each bar; 1 where one is missed."""
    missed = False
    for name, unit, measure, rounds, bar in BARS:
        pairs = [(measure(chainstep.nn), measure(micrograd.nn)) for _ in range(rounds)]
        ours, theirs = (min(column) for column in zip(*pairs, strict=True))
        verdict = "met" if ours <= bar * theirs else "MISSED"
        missed = missed or verdict != "met"
        numbers = f"{ours:.3f} {unit} to micrograd's {theirs:.3f} {unit}"
        print(f"{name:20} {ours / theirs:.2f}, bar {bar:.2f}: {verdict} ({numbers})")  # noqa: T201
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
