"""Central differences of a function that may have kinks, or fail nearby."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STEP = 1e-3
"""Relative to the operand: a difference of fourth order is then good to about 1e-12."""


class Unmeasured(Exception):  # noqa: N818  it says only that a call gave nothing to measure
    """An operation raised, or gave no number."""


class Slope:
    """A central difference; `value` is None at a kink, or where the operation fails nearby."""

    __slots__ = ("error", "value")

    def __init__(self, value: float | None, error: float) -> None:
        self.value = value
        self.error = error


def central(
    function: Callable[[Sequence[float]], float], at: Sequence[float], slot: int, middle: float
) -> Slope:
    """The slope of a function in one of its arguments, of fourth order.

    Args:
        function: Gives a number for its arguments.
        at: The arguments.
        slot: Which of them is moved.
        middle: What the function gives there.
    """
    h = STEP * max(1.0, abs(at[slot]))

    def moved(by: float) -> float:
        return function([x + by if place == slot else x for place, x in enumerate(at)])

    try:
        near = (moved(h), moved(-h))
        far = (moved(2 * h), moved(-2 * h))
        tiny = (moved(h / 16), moved(-h / 16))
    except Unmeasured:
        return Slope(None, 0.0)
    rough = (near[0] - near[1]) / (2 * h)
    fine = (4 * rough - (far[0] - far[1]) / (4 * h)) / 3
    bend = abs(near[0] + near[1] - 2 * middle) / h
    bend_near = 16 * abs(tiny[0] + tiny[1] - 2 * middle) / h
    scale = max(abs(fine), abs(rough), 1e-3)
    if not math.isfinite(fine) or (bend_near > bend / 4 and bend_near > 1e-3 * scale):
        return Slope(None, 0.0)  # the bend of a smooth function would have shrunk with the step
    rounding = 1e-15 * max(abs(middle), abs(far[0]), abs(far[1])) / h
    return Slope(fine, abs(fine - rough) / 10 + rounding)


def alike(one: float, other: float) -> bool:
    """Whether two numbers are the same; nan is the same as nan."""
    return one == other or (math.isnan(one) and math.isnan(other))
