"""Runs a program under the tap and writes its recording: nodes, passes, names.

A program that calls `backward()` gets three traces for each call: as written, accumulate and
overwrite. One that does not gets the two forced ones at its end.
"""

from __future__ import annotations

import contextlib
import linecache
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chainstep import naming
from chainstep.anatomy import gradient, is_operation
from chainstep.behaviour import learn_backward
from chainstep.byhand import RECENT, ByHand, Pending
from chainstep.closure import code_of, parts_of
from chainstep.controller import table_derivatives
from chainstep.errors import RecordingError
from chainstep.evidence import ALWAYS
from chainstep.forcing import Forcing
from chainstep.observing import ObservedPass
from chainstep.register import LimitReached, Register
from chainstep.rewriting import Rewriting
from chainstep.root import by_hand as choose_by_hand
from chainstep.root import choose as choose_root
from chainstep.root import why_no_value
from chainstep.tap import Tap
from chainstep.testimony import Testimony
from chainstep.trace import Kind, Mode, Order, Outcome, Status, Step, TraceError
from chainstep.tracing import Traces
from chainstep.witness import Witness

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator

    from chainstep.anatomy import Observed
    from chainstep.codec import Writer
    from chainstep.options import Options
    from chainstep.overlay import Call, Observer

NEAR_FRAMES = 4
"""How far above the code that stores a gradient the backward function is looked for."""


class Recorder:
    """Observes a program between its passes and makes the passes.

    Args:
        writer: Takes the recording.
        options: Order, root and limits.
        path: File name under which the program's source is compiled.
    """

    def __init__(self, writer: Writer, options: Options, path: str) -> None:
        self.writer = writer
        self.options = options
        self.tap = Tap(lambda name: name == path, self, dict(options.data))
        self.register = Register(writer, self.tap, options.limits.nodes)
        self.traces = Traces(writer, self.register, self.tap, path, options.limits.steps)
        self._path = path
        self._pass = 0
        self.reached: dict[int, object] = {}
        self._pending: list[Pending] = []
        self._recent: list[object] = []
        self._has_looked = False
        self._slopes: dict[int, tuple[float, ...] | None] = {}
        self._is_over = False
        self._forcing = Forcing(self)
        self.namespace: dict[str, Any] = {}
        self._broken: tuple[BaseException | None, int] = (None, 0)
        self.rewriting = self.tap.rewriting = Rewriting(self.tap, self._position, options)
        self._testimony: Testimony | None = None
        if options.check:
            self.tap.witness = Witness(self.tap, self._position)
            self.register.keeps_new = True
            self._testimony = Testimony(self, self.tap.witness)

    # -- the program -----------------------------------------------------------------------

    def execute(self, run: Callable[[], object], namespace: dict[str, Any]) -> None:
        """Run a program; what it raises is passed on.

        Args:
            run: Runs it.
            namespace: Its globals.

        Raises:
            LimitReached: The recording would grow beyond its limit of nodes or steps.
        """
        from chainstep.engine import Value  # noqa: PLC0415  only a program's run needs it

        self.namespace = self.tap.tape.namespace = namespace
        self.tap.classes.consider(Value)
        try:
            with self.tap.classes.watching({self.options.ours: Value}):
                run()
        except LimitReached:
            self._is_over = True
            raise

    def finish(
        self, namespace: dict[str, Any], error: BaseException | None = None
    ) -> Outcome | None:
        """Record what is left at the end: names, and the forced passes of a program without any.

        The classes are as they were before when this returns or raises.

        Args:
            namespace: The program's globals.
            error: What ended it, if it was an exception.

        Returns:
            An outcome where no graph was found; None where all is well.
        """
        try:
            outcome = self._finish(namespace)
            self._tell_changes()
            if self._testimony is not None:
                is_late = self._is_over or isinstance(error, KeyboardInterrupt)
                self._testimony.finish(error, tries=not is_late)
            return outcome
        finally:
            self.tap.observer = self
            self.tap.classes.lift()

    def _finish(self, namespace: dict[str, Any]) -> Outcome | None:
        self.close_by_hand()
        wanted = self.options.root
        if self._is_over or (self._pass and wanted is None):
            if self._testimony is None or self._is_over:
                self.register.name([namespace])
            else:
                self.register.keep([namespace])
            self._tell_after()
            return None
        if not self.tap.anatomies or not self.tap.creations:
            return Outcome(Status.NO_GRAPH, why_no_value(self.tap))
        found = list(naming.find_names([namespace], self.tap.is_value))
        start = choose_root(self.tap, found, wanted, self._source())
        if start is None:
            known = ", ".join(sorted({path for path, _ in found})[:12])
            message = "The program made Values but kept none of them, so there is no root."
            if wanted:
                message = f"There is no Value named {wanted!r}. There are: {known or 'none'}."
            return Outcome(Status.NO_GRAPH, message)
        self._record_end(start, [namespace])
        return None

    def _tell_changes(self) -> None:
        """Write what became of numbers, and what was done about zeroing."""
        changes = self.rewriting.changes
        if changes:
            file = self.traces.file
            self.writer.evidence(ALWAYS, [c._replace(file=file(path)) for path, c in changes])
        for sentence in self.rewriting.notes():
            self.writer.note(sentence)

    def record_live(self, root: object, namespaces: list[dict[str, Any]]) -> None:
        """Record the forced passes from a Value that exists already.

        Raises:
            RecordingError: It has no number, gradient and operands.
            LimitReached: The recording would grow beyond its limit.
        """
        try:
            self.tap.meet(root)
            if not self.tap.is_value(root):
                kind = type(root).__name__
                raise RecordingError(f"A {kind} is no Value. {why_no_value(self.tap)}")
            self._record_end(root, namespaces)
        finally:
            self.tap.classes.lift()

    def _record_end(self, root: object, namespaces: list[dict[str, Any]]) -> None:
        self.reached = self._capture(root, namespaces)
        if self._pending and not self._pass:
            self._begin_written(root, None)
            with self._ending_at_the_limit():
                self._tell_pending()
            self.writer.end()
        self._forcing.run(root)
        self._pass += 1
        self.register.name(namespaces)

    def _source(self) -> str:
        return "".join(linecache.getlines(self._path))

    # -- between the passes ----------------------------------------------------------------

    def read(self, obj: object, grad: Observed) -> Any:
        """Between passes, a read is just a read."""
        self._recent.append(obj)
        del self._recent[:-RECENT]
        return grad.load(obj)

    def write(self, obj: object, grad: Observed, value: Any, frame: types.FrameType) -> None:
        """A write outside every pass: it belongs to the next one, or shows that one has begun."""
        giver = self._giver(obj)
        if giver is not None and self._drives(obj, frame):
            self._begin_inferred(giver, frame)
            self.tap.observer.write(obj, grad, value, frame)
            return
        try:
            before = gradient(grad.load(obj))
        except AttributeError:
            before = 0.0
        if giver is None and gradient(value) == 0 and self.rewriting.leaves_out_zeroing():
            return
        grad.store(obj, value)
        written = Pending(obj, (before, gradient(value)), self.traces.place(frame))
        if giver is not None:
            written.giver = giver
            written.upstream = gradient(self.tap.grad(giver).load(giver))
            written.was_read = any(obj is read for read in self._recent)
        self._pending.append(written)
        self.traces.make_room(besides=len(self._pending) - 1)

    def _giver(self, obj: object) -> object:
        """The Value whose gradient was read lately and that has this one as an operand."""
        if not self._recent:
            return None
        for _ in range(2):
            for read in reversed(self._recent):
                if read is not obj and any(c is obj for c in self.tap.children(read)):
                    return read
            if self._has_looked or all(a.backward for a in self.tap.anatomies.values()):
                return None
            self._has_looked = True  # once per pass: a tape may have grown since
            self.tap.look_again()
        return None

    def _drives(self, obj: object, frame: types.FrameType) -> bool:
        """Whether code that writes gradients drives a pass: a function, or a line in a loop."""
        if frame.f_code.co_name != "<module>":
            # An operation that runs the closure of the node it is making drives nothing.
            return not is_operation(_driver(frame).f_code.co_name)
        return any(
            write.giver is not None and write.obj is not obj and write.line == frame.f_lineno
            for write in self._pending
        )

    def _begin_inferred(self, giver: object, frame: types.FrameType) -> None:
        """A pass has begun in which code of the program's own adds up the gradients."""
        driver = self._driver_of(giver, frame)
        at_top = frame.f_code.co_name == "<module>"
        early = [w for w in self._pending if w.giver is not None and w.line == frame.f_lineno]
        root = early[0].giver if early and at_top else self._root_above(giver, driver)
        recent = list(self._recent)
        observed = self._begin_by_hand(root, driver, early if at_top else [])
        observed.resume(recent)
        self.tap.observer = ByHand(self, observed, driver, infers=True)

    def _driver_of(self, giver: object, frame: types.FrameType) -> types.FrameType:
        """The code that drives a pass whose first contribution is stored by the code in a frame."""
        learn_backward(self.tap, [giver])
        function = self.tap.backward_function(giver)
        rules = [] if function is None else [code_of(part) for part in parts_of(function)]
        above: types.FrameType | None = frame
        for _ in range(NEAR_FRAMES):
            if above is None:
                break
            if above.f_code in rules and above.f_back is not None:
                return above.f_back
            above = above.f_back
        return _driver(frame)

    def _begin_by_hand(
        self, root: object, frame: types.FrameType, early: list[Pending]
    ) -> ObservedPass:
        """Open the pass that the code in a frame drives; `early` are its first contributions."""
        self._has_looked = False
        self.reached = self._capture(root, self._namespaces(frame))
        self._see_to_zeroing(root)
        self._forcing.run(root)
        self._begin_written(root, frame)
        observed = ObservedPass(self, root)
        with self._ending_at_the_limit():
            self._tell_pending(root, observed, early)
        return observed

    def call(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The program runs a `_backward` by hand: a pass begins that its driver ends."""
        observed = self._begin_by_hand(self._root_above(obj, call.frame), call.frame, [])
        self.tap.observer = ByHand(self, observed, call.frame, infers=False)
        return self.tap.observer.call(obj, function, call)

    def _root_above(self, first: object, frame: types.FrameType) -> object:
        """The root of the pass by hand that begins at a node."""
        seeded = [write.obj for write in self._pending if write.after != 0]
        return choose_by_hand(self.tap, first, seeded, self._namespaces(frame))

    def close_by_hand(self, raised: BaseException | None = None) -> None:
        """End the pass that the program drives by hand, if there is one."""
        if self.tap.observer is not self:
            self.tap.observer = self
            self.writer.end(None if raised is None else self.traces.error(raised))
            self._broken = (raised, self._pass)
            self._pass += 1

    def broken_pass(self, error: BaseException) -> int | None:
        """The pass that an exception came out of; None where it came from elsewhere."""
        raised, pass_index = self._broken
        return pass_index if raised is error else None

    def _position(self, frame: types.FrameType, *, updates: bool) -> tuple[int, int, bool]:
        """Pass and step that come next, and whether a `_backward` or `backward()` is running."""
        if isinstance(self.tap.observer, ByHand):
            self.tap.observer.settle(frame, updates=updates)
        observer = self.tap.observer
        if observer is self:
            return self._pass, len(self._pending), False
        is_running = not isinstance(observer, ByHand) or observer.is_calling
        return self._pass, self.traces.step_number, is_running

    def drive(self, obj: object, function: Callable[..., Any], call: Call) -> Any:
        """The program calls `backward()`: its own pass, then the two forced ones."""
        self.close_by_hand()
        self.reached = self._capture(obj, self._namespaces(call.frame))
        self._see_to_zeroing(obj)
        self._begin_written(obj, call.frame)
        try:
            with self._ending_at_the_limit():
                self._tell_pending()
                with self.observed_by(ObservedPass(self, obj)):
                    result = call.of(function, obj)
        except LimitReached:
            raise
        except BaseException as raised:
            error = self.traces.error(raised)
            self._broken = (raised, self._pass)
            if error.line is None:
                error = replace(error, line=self.tap.line_of(call.frame))
            self._end_drive(obj, error)
            raise
        self._end_drive(obj, None)
        return result

    def _see_to_zeroing(self, root: object) -> None:
        """Zero what a pass reaches, where the run is to zero after updates."""
        for obj, before in self.rewriting.zero(self._pass, self.reached, root):
            self._pending.append(Pending(obj, (before, 0.0), (None, 0)))

    @contextlib.contextmanager
    def _ending_at_the_limit(self) -> Iterator[None]:
        """Close the open trace where the limit is reached inside a `with` block."""
        try:
            yield
        except LimitReached as limit:
            self._is_over = True
            self.writer.end(self.traces.error(limit))
            raise

    def _end_drive(self, root: object, error: TraceError | None) -> None:
        self.writer.end(error)
        self._forcing.run(root)
        self._pass += 1

    @contextlib.contextmanager
    def observed_by(self, observer: Observer) -> Iterator[None]:
        """Let somebody else hear of the gradients for the length of a `with` block."""
        outer, self.tap.observer = self.tap.observer, observer
        try:
            yield
        finally:
            self.tap.observer = outer

    def _namespaces(self, frame: types.FrameType | None) -> list[dict[str, Any]]:
        """The program's globals, then the locals of its functions that are running."""
        found = [self.namespace]
        while frame is not None:
            code = frame.f_code
            own = code.co_filename == self._path and not self.tap.in_class(code)
            if own and frame.f_locals is not frame.f_globals:
                found.append(dict(frame.f_locals))
            frame = frame.f_back
        return found

    # -- passes ----------------------------------------------------------------------------

    def _capture(self, root: object, namespaces: list[dict[str, Any]]) -> dict[int, object]:
        reached = self.register.capture(root, namespaces)
        if self._testimony is not None:
            self._testimony.nodes()
        return reached

    def _begin_written(self, root: object, frame: types.FrameType | None) -> None:
        """Open the trace of a pass that the program makes itself."""
        self._recent.clear()
        line = self._begun_in(frame)
        self.begin(Mode.AS_WRITTEN, Order.AS_WRITTEN, root, self._true_gradients(), line)

    def _begun_in(self, frame: types.FrameType | None) -> int | None:
        """The line that began a pass: the call of the function that drives it, if it is one."""
        line = self.tap.line_of(frame)
        if frame is not None and frame.f_code.co_name != "<module>":
            return self.tap.line_of(frame.f_back) or line
        return line

    def begin(
        self,
        mode: Mode,
        order: Order,
        root: object,
        initial: dict[int, float],
        line: int | None = None,
    ) -> None:
        """Open a trace in the recording."""
        self.traces.begin((self._pass, mode, order), root, initial, self.reached, line)

    def _true_gradients(self) -> dict[int, float]:
        """Gradients by node id as they were before the writes that still wait to be told."""
        gradients = {
            node_id: gradient(self.tap.grad(obj).load(obj)) for node_id, obj in self.reached.items()
        }
        for write in reversed(self._pending):
            gradients[self.register.node(write.obj).id] = write.before
        return gradients

    def _tell_pending(
        self,
        seeded: object = None,
        observed: ObservedPass | None = None,
        early: list[Pending] | None = None,
    ) -> None:
        """Emit the writes made since the last pass.

        Args:
            seeded: The root of a pass by hand: the last write to it is its seed.
            observed: That pass.
            early: Those of the writes that are contributions of it.
        """
        pending, self._pending = self._pending, []
        seeds = [write for write in pending if write.obj is seeded]
        for write in pending:
            if observed is not None and early and any(write is each for each in early):
                observed.replay(write)
            else:
                self.traces.emit(self._told(write, seeds=bool(seeds) and write is seeds[-1]))

    def _told(self, write: Pending, *, seeds: bool = False) -> Step:
        node_id = self.register.node(write.obj).id
        return Step(
            Kind.SEED if seeds else Kind.OUTSIDE,
            node=node_id if seeds else None,
            target=node_id,
            contribution=write.after if seeds else None,
            before=write.before,
            after=write.after,
            accumulates=False,
            line=write.line,
            file=write.file,
        )

    def _tell_after(self) -> None:
        """Write what changed gradients after the last pass."""
        pending, self._pending = self._pending, []
        with contextlib.suppress(LimitReached):
            self.writer.after([self._told(write) for write in pending])

    # -- what a pass needs -----------------------------------------------------------------

    def local_derivatives(self, node_id: int) -> tuple[float, ...] | None:
        """What the operation table says of a node at its recorded values; None if unknown."""
        if node_id not in self._slopes:
            node = self.register.nodes[node_id]
            data = tuple(self.register.nodes[child].data for child in node.children)
            self._slopes[node_id] = table_derivatives(node.op, data, node.data)
        return self._slopes[node_id]


def _driver(frame: types.FrameType) -> types.FrameType:
    """The code that drives a pass, from that which writes a gradient: it may be a closure."""
    while frame.f_code.co_freevars and frame.f_back is not None:
        frame = frame.f_back
    return frame
