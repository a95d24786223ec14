"""Hears of every number that a Value gets after it was made, and turns updates round on request.

Two changes can be made to a training loop without touching its text; see `Options`:

* *without zeroing*: a store of 0, or of None, into a gradient while no `_backward` runs is left
  out, that into the root of the running pass excepted; *with zeroing*: the gradients that a pass
  reaches are set to 0 before the first pass after each update;
* *mirrored*: a leaf that a pass has reached before, and whose number is moved by d while no
  `_backward` runs, is moved by -d.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chainstep.anatomy import gradient, number
from chainstep.evidence import Change

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator, Mapping

    from chainstep.anatomy import Observed
    from chainstep.options import Options
    from chainstep.tap import Tap

MOST_CHANGES = 100_000
"""Changes that are kept: a long training shows what it does early."""


class Rewriting:
    """Makes and notes the changes of numbers.

    Args:
        tap: Knows the Values.
        position: Tells pass and step that come next, and whether a `_backward` is running.
        options: What is to be made otherwise than the program does.

    Attributes:
        muted: Whether nothing that happens now is the program's own doing.
        changes: What was changed, with the file of the code that did it.
        updated: The pass that comes after the last update of a leaf; 0 before the first.
    """

    def __init__(
        self, tap: Tap, position: Callable[..., tuple[int, int, bool]], options: Options
    ) -> None:
        self.muted = False
        self.changes: list[tuple[str, Change]] = []
        self.updated = 0
        self._tap = tap
        self._position = position
        self._options = options
        self._left_out = self._zeroed = 0

    def store(self, obj: object, data: Observed, value: Any, frame: types.FrameType) -> None:
        """The code in a frame stores a number into a Value that exists."""
        held = data.load(obj)
        if self.muted:
            data.store(obj, value)
            return
        pass_index, step, in_call = self._position(frame, updates=True)
        before, after = number(held), number(value)
        created = self._tap.creation(obj)
        if not in_call and created.node is not None and not self._tap.children(obj):
            self.updated = pass_index
            if self._options.mirrored and before is not None and after is not None:
                value = after = before - (after - before)
        data.store(obj, value)
        if len(self.changes) >= MOST_CHANGES:
            return
        code = frame.f_code
        change = Change(
            pass_index,
            step,
            created.serial,
            float("nan") if before is None else before,
            float("nan") if after is None else after,
            frame.f_lineno,
            0,
            self._tap.serial,
            self._tap.in_class(code),
            code.co_name,
        )
        self.changes.append((code.co_filename, change))

    # -- zeroing ---------------------------------------------------------------------------

    def leaves_out_zeroing(self) -> bool:
        """Whether a store of 0 from outside is not to be made; counts it then."""
        leaves_out = self._options.zeroing is False
        self._left_out += leaves_out
        return leaves_out

    def zero(
        self, pass_index: int, reached: Mapping[int, object], root: object
    ) -> Iterator[tuple[object, float]]:
        """Set what a pass reaches to 0, where that is asked for and leaves were updated before it.

        Yields:
            Each Value whose gradient was set, and what it was before.
        """
        if not self._options.zeroing or not pass_index or self.updated != pass_index:
            return
        for obj in reached.values():
            grad = self._tap.grad(obj)
            before = gradient(grad.load(obj))
            if before != 0 and obj is not root:
                grad.store(obj, 0.0)
                self._zeroed += 1
                yield obj, before

    def notes(self) -> Iterator[str]:
        """What was done about zeroing, in sentences."""
        if self._left_out:
            many = f"{self._left_out:,} store{'s' if self._left_out > 1 else ''}"
            yield f"Run without zeroing: {many} of 0 into gradients left out."
        if self._zeroed:
            many = f"{self._zeroed:,} gradient{'s' if self._zeroed > 1 else ''}"
            yield f"Run with zeroing: {many} set to 0 after updates."
