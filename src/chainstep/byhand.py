"""A pass that the program drives by hand, calling one `_backward` after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from chainstep.anatomy import Observed
    from chainstep.controller import ObservedPass
    from chainstep.overlay import Call
    from chainstep.recorder import Recorder


class ByHand:
    """Hears of it until the program turns to a graph of Values made since, or ends."""

    def __init__(self, recorder: Recorder, observed: ObservedPass) -> None:
        self._recorder = recorder
        self._observed = observed

    @property
    def is_calling(self) -> bool:
        """Whether a `_backward` is running."""
        return self._observed.running is not None

    def _is_new(self, obj: object) -> bool:
        return self._recorder.tap.creation(obj).node is None

    def read(self, obj: object, grad: Observed) -> Any:
        """Inside a call as in any observed pass; else just a read."""
        return self._observed.read(obj, grad) if self._observed.running else grad.load(obj)

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:
        """A write to a Value made since then begins another pass."""
        if self._is_new(obj):
            self._recorder.close_by_hand()
            self._recorder.write(obj, grad, value, frame)
        else:
            self._observed.write(obj, grad, value, frame)

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The next call of the pass, or the first of another."""
        if self._is_new(obj):
            self._recorder.close_by_hand()
            return self._recorder.call(obj, function, call)
        try:
            return self._observed.call(obj, function, call)
        except BaseException as raised:
            self._recorder.close_by_hand(raised)
            raise

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The program turns to its own `backward()`."""
        return self._recorder.drive(obj, function, call)
