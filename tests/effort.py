"""What something costs, whatever else the machine does meanwhile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TIMES = 3


def cost_s(work: Callable[[], object]) -> float:
    """Processor seconds of this thread: the least of a few times, without what came between."""
    return min(_once(work) for _ in range(TIMES))


def _once(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return time.thread_time() - began
