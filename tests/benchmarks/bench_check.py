"""`check` beside `trace` on a program of 400 nodes of known operations, with all leaves judged.

Run it with `python tests/benchmarks/bench_check.py`; the exit status is 1 where the bar is missed.
Both commands run as a user runs them, in turns, and the best round of each counts.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 5
BAR = 3.0
PROGRAM = """\
import random
from chainstep import Value

random.seed(4)
weights = [[Value(random.uniform(-1, 1)) for _ in range(4)] for _ in range(4)]
inputs = [[Value(random.uniform(-1, 1)) for _ in range(4)] for _ in range(10)]
loss = Value(0.0)
for x in inputs:
    for row in weights:
        total = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3] * x[3]
        loss = loss + total.tanh() * 0.1
loss.backward()
"""


def seconds(*words: str) -> float:
    """Wall-clock time of one run of `chainstep WORDS`."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "chainstep", *words], check=True, capture_output=True)
    return time.perf_counter() - start


def judged(path: str) -> tuple[int, int, int]:
    """How many nodes, leaves and leaves with a difference a program has."""
    command = [sys.executable, "-m", "chainstep", "check", path, "--format", "json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rows = told["gradients"]
    leaves = [row for row in rows if not row["op"]]
    return len(rows), len(leaves), sum(row["finite_difference"] is not None for row in leaves)


def main() -> int:
    """Print the ratio; 1 where it missed the bar."""
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "program.py"))
        Path(path).write_text(PROGRAM, encoding="utf-8")
        nodes, leaves, differences = judged(path)
        pairs = [(seconds("check", path), seconds("trace", path)) for _ in range(ROUNDS)]
    check_s, trace_s = (min(column) for column in zip(*pairs, strict=True))
    met = check_s <= BAR * trace_s and differences == leaves
    print(  # noqa: T201  printing is its work
        f"check of {nodes} nodes, {differences} of {leaves} leaves with a difference: "
        f"{check_s:.3f} s to trace's {trace_s:.3f} s, ratio {check_s / trace_s:.2f}, "
        f"bar {BAR:.1f} {'met' if met else 'MISSED'}"
    )
    return int(not met)


if __name__ == "__main__":
    sys.exit(main())
