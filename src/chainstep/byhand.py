"""A pass that the program drives itself, outside a `backward()` of its Values.

It calls one `_backward` after another, or a function of its own adds up gradients without any.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from chainstep.anatomy import Observed
    from chainstep.observing import ObservedPass
    from chainstep.overlay import Call
    from chainstep.recorder import Recorder

RECENT = 8
"""Reads of gradients that are remembered: the sum that is written next may come from them."""


class Pending:
    """A write to a gradient that happened while no pass was on.

    Attributes:
        giver: The Value whose gradient was read before, and of which `obj` is an operand.
        upstream: The giver's gradient then.
        was_read: Whether the gradient of `obj` had been read too.
    """

    __slots__ = ("after", "before", "file", "giver", "line", "obj", "upstream", "was_read")

    def __init__(
        self, obj: object, change: tuple[float, float], place: tuple[int | None, int]
    ) -> None:
        self.obj = obj
        self.before, self.after = change
        self.line, self.file = place
        self.giver: object = None
        self.upstream = 0.0
        self.was_read = False


class ByHand:
    """Hears of the pass until its driver returns, or turns to a graph of Values made since.

    Args:
        recorder: Whose pass it is.
        observed: Writes it down.
        frame: The code that drives it.
        infers: Whether it calls no `_backward`, so that who gives what has to be inferred.
    """

    def __init__(
        self, recorder: Recorder, observed: ObservedPass, frame: types.FrameType, *, infers: bool
    ) -> None:
        self._recorder = recorder
        self._observed = observed
        self._infers = infers
        self._at_top = frame.f_code.co_name == "<module>"
        # Held, so that no other frame can be taken for it. Its locals stay as long as the pass.
        self._driver = frame
        self._lines = {frame.f_lineno}
        observed.infers = infers

    @property
    def is_calling(self) -> bool:
        """Whether a `_backward` is running."""
        return self._observed.running is not None

    def _is_new(self, obj: object) -> bool:
        return self._recorder.tap.creation(obj).node is None

    def settle(self, frame: types.FrameType, *, updates: bool = False) -> bool:
        """End the pass if its driver has returned, or data are updated; tells whether it ended.

        Args:
            frame: Where the program is.
            updates: Whether it changes the data of a Value there.
        """
        if self.is_calling:
            return False
        running: types.FrameType | None = frame
        while running is not None and running is not self._driver:
            running = running.f_back
        if running is None or (updates and self._at_top):
            self._recorder.close_by_hand()
            return True
        return False

    def _infers_here(self, obj: object, frame: types.FrameType) -> bool:
        """Whether a write in a frame is one of the pass, and not a zeroing after it."""
        if not self._infers:
            return False
        if self._at_top and frame is self._driver:
            if self._observed.has_read(obj):
                self._lines.add(frame.f_lineno)
            return frame.f_lineno in self._lines
        return True

    def read(self, obj: object, grad: Observed) -> Any:
        """As in any observed pass where it has to be inferred who gives; else just a read."""
        if self._infers or self.is_calling:
            return self._observed.read(obj, grad)
        return grad.load(obj)

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:
        """A write to a Value made since then, or another seed, begins another pass."""
        observed = self._observed
        again = obj is observed.root and observed.has_called(obj) and value
        if self.settle(frame) or self._is_new(obj) or (again and not self.is_calling):
            self._recorder.close_by_hand()
            self._recorder.write(obj, grad, value, frame)
            return
        observed.infers = self._infers_here(obj, frame)
        observed.write(obj, grad, value, frame)

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The next call of the pass, or the first of another."""
        if self.settle(call.frame) or self._is_new(obj):
            self._recorder.close_by_hand()
            return self._recorder.call(obj, function, call)
        try:
            given = self._observed.call(obj, function, call)
        except BaseException as raised:
            self._recorder.close_by_hand(raised)
            raise
        if given is not None:  # slopes or contributions: the driver stores what comes of them
            self._infers = self._observed.infers = True
        return given

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The program turns to its own `backward()`."""
        return self._recorder.drive(obj, function, call)
