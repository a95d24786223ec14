"""Kills the application 50 times while text is being edited: how much of it is lost?

python tests/benchmarks/bench_recovery.py [TIMES]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from typist import kill_often

MOST_LOST_S = 2.0


def main() -> int:
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    with tempfile.TemporaryDirectory() as folder:
        killed = kill_often(Path(folder), times)
    lost = sorted(each.lost_s for each in killed)
    middle, worst = lost[len(lost) // 2], lost[-1]
    print(  # noqa: T201  what a benchmark is for
        f"{times} kills: {middle:.2f} s of typing lost at the median, {worst:.2f} s at most"
    )
    return 0 if lost[-1] <= MOST_LOST_S else 1


if __name__ == "__main__":
    sys.exit(main())
