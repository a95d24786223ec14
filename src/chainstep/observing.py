"""One backward pass as the program drives it: it does as it likes, and is only written down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chainstep.anatomy import gradient
from chainstep.controller import GradientRead, Pass, Running, added
from chainstep.trace import Kind, Step

if TYPE_CHECKING:
    import types
    from collections.abc import Callable

    from chainstep.anatomy import Observed
    from chainstep.byhand import Pending
    from chainstep.overlay import Call
    from chainstep.recorder import Recorder


class ObservedPass(Pass):
    """The program's own pass: everything happens as it would, and is written down."""

    def __init__(self, recorder: Recorder, root: object) -> None:
        super().__init__(recorder)
        self.root = root
        self.infers = True
        self._last_reads: list[object] = []
        self._last_called: Running | None = None

    def has_read(self, obj: object) -> bool:
        """Whether a gradient has been read since it was last written."""
        return id(obj) in self._reads

    def has_called(self, obj: object) -> bool:
        """Whether a node's `_backward` has run in this pass."""
        return id(obj) in self._called

    def resume(self, recent: list[object]) -> None:
        """Know of the gradients that were read before the pass was recognised."""
        self._last_reads = list(recent)
        self._reads.update((id(obj), None) for obj in recent)

    def replay(self, write: Pending) -> None:
        """Write down a contribution that was made before the pass was recognised."""
        if self._last_called is None or self._last_called.obj is not write.giver:
            self._last_called = self.begin_call(write.giver, write.upstream)
        self.running = self._last_called
        brought = write.after - write.before if write.was_read else write.after
        node = self.recorder.register.node(write.obj).id
        self.recorder.traces.touch(node, write.before)
        slot = self.running.slot(node)
        self.recorder.traces.emit(
            Step(
                Kind.WRITE,
                self.running.node,
                slot,
                node,
                self.running.upstream,
                self.local(self.running, slot, brought),
                brought,
                write.before,
                write.after,
                write.was_read,
                write.line,
                write.file,
                not write.was_read,
            )
        )
        self.running = None

    def read(self, obj: object, grad: Observed) -> Any:
        """The truth, wrapped so that what is added to it can be told."""
        value = grad.load(obj)
        if self.running is None:
            self._last_reads.append(obj)
            del self._last_reads[:-8]
        elif obj is self.running.obj:
            return value
        # An int stays an int: the program must print what it would print without us.
        read = GradientRead(value) if type(value) is float else value
        self._reads[id(obj)] = read
        return read

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:
        """Make the store, and say who made it: a running call, the seed, or code outside."""
        before = gradient(_loaded(grad, obj))
        after = gradient(value)
        was_read = id(obj) in self._reads
        zeroes = self.running is None and not was_read and obj is not self.root and after == 0
        if zeroes and self.recorder.rewriting.leaves_out_zeroing():
            return
        read = self._reads.pop(id(obj), None)
        grad.store(obj, float(value) if isinstance(value, GradientRead) else value)
        inferred = self.running is None and self.infers and self._infer(obj)
        if self.running is None:
            self._outside(obj, (before, after), frame, assigns=not was_read)
            return
        contribution = added(read, after)
        if contribution is None:
            contribution = after - before if was_read else after
        values = (contribution, before, after)
        self.emit_write(obj, values, frame, accumulates=was_read, assigns=not was_read)
        if inferred:
            self._last_called, self.running = self.running, None

    def _outside(
        self,
        obj: object,
        values: tuple[float, float],
        frame: types.FrameType,
        *,
        assigns: bool,
    ) -> None:
        before, after = values
        target = self.recorder.register.node(obj).id
        self.recorder.traces.touch(target, before)
        line, file = self.recorder.traces.place(frame)
        seeds = obj is self.root
        self.recorder.traces.emit(
            Step(
                Kind.SEED if seeds else Kind.OUTSIDE,
                node=target if seeds else None,
                target=target,
                contribution=after if seeds else None,
                before=before,
                after=after,
                accumulates=False,
                line=line,
                file=file,
                assigns=assigns,
            )
        )

    def _infer(self, target: object) -> bool:
        """Find who contributes where no `_backward` is called, as in an engine without closures.

        It is the node whose gradient was read last and that has the target as an operand. Makes
        it the running one and tells whether one was found.
        """
        tap = self.recorder.tap
        target_id = self.recorder.register.node(target).id if self._last_reads else 0
        for obj in reversed(self._last_reads):
            if obj is target or not any(child is target for child in tap.children(obj)):
                continue
            last = self._last_called
            if last is not None and last.obj is obj and not last.has_written_all(target_id):
                self.running = last
            else:
                upstream = gradient(_loaded(tap.grad(obj), obj))
                kept = dict(self._reads)
                self.begin_call(obj, upstream)
                self._reads = kept
            return True
        return False

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The program calls one node's `_backward`."""
        outer, outer_reads = self.running, self._reads
        if outer is not None and outer.obj is obj:
            return call.of(function)  # an override that calls its base: still the same call
        self._reads = {}
        upstream = gradient(_loaded(self.recorder.tap.grad(obj), obj))
        running = self.begin_call(obj, upstream, call.frame)
        try:
            return call.of(function)
        finally:
            self._last_called = running
            self._last_reads = [obj]
            self.running, self._reads = outer, outer_reads

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """A nested `backward()`: an engine that recurses through it."""
        return call.of(function, obj)


def _loaded(grad: Observed, obj: object) -> Any:
    try:
        return grad.load(obj)
    except AttributeError:
        return None
