"""The two clean passes over what a root reaches: once with `+=`, once with `=`."""

from __future__ import annotations

import contextlib
import io
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from chainstep import closure, graph, slopes
from chainstep.controller import ForcedPass
from chainstep.register import LimitReached
from chainstep.safekeeping import Safekeeping
from chainstep.trace import Code, Mode, Order, TraceError

if TYPE_CHECKING:
    from chainstep.recorder import Recorder

ORDERS = {
    Order.DEPTH_FIRST: graph.depth_first,
    Order.BREADTH_FIRST: graph.breadth_first,
    Order.RECURSIVE: graph.recursive,
}
RECURSIVE_SHARE = 20
"""One pass in recursive order, exponential by nature, may take 1/20 of the steps allowed."""


class Forcing:
    """Makes the forced passes of one recorder, on scratch gradients."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._told = False
        self._coded: set[int] = set()

    def run(self, root: object) -> None:
        """The two passes over what the recorder has captured below a root.

        Raises:
            LimitReached: The recording would hold too many steps.
        """
        if not self._can_be_driven():
            return
        state = random.getstate()
        recorder = self._recorder
        kept = Safekeeping(recorder.tap, recorder.reached.values(), recorder.namespace)
        try:
            with contextlib.redirect_stdout(io.StringIO()), recorder.tap.unwitnessed():
                self._write_codes()
                for mode in (Mode.ACCUMULATE, Mode.OVERWRITE):
                    self._pass(root, mode)
                    kept.restore()
        finally:
            kept.restore()
            random.setstate(state)

    def _pass(self, root: object, mode: Mode) -> None:
        recorder = self._recorder
        order = recorder.options.order
        recorder.begin(mode, order, root, dict.fromkeys(recorder.reached, 0.0))
        steps = recorder.options.limits.steps
        share = steps // RECURSIVE_SHARE if order is Order.RECURSIVE else steps
        forced = ForcedPass(recorder, mode)
        error: TraceError | None = None
        nodes = recorder.register.nodes
        ids = ORDERS[order](recorder.register.node(root).id, lambda i: nodes[i].children)
        try:
            with recorder.traces.at_most(share), recorder.observed_by(forced):
                forced.seed(root)
                for node_id in ids:
                    forced.visit(recorder.reached[node_id])
        except LimitReached as reached:
            error = recorder.traces.error(reached)
            if order is not Order.RECURSIVE:
                raise
        except Exception as raised:  # noqa: BLE001  the program's closure, whatever it raises
            error = recorder.traces.error(raised)
            if error.line is None:
                error = replace(error, line=nodes[node_id].line)
        finally:
            recorder.writer.end(error)

    def _can_be_driven(self) -> bool:
        """Whether there is anything to call; says once what is missing."""
        recorder = self._recorder
        inner = [obj for obj in recorder.reached.values() if recorder.tap.children(obj)]
        for obj in inner:
            # A backward attribute that holds None is driven too: that nothing happens is the news.
            has_place = recorder.tap.anatomies[type(obj)].backward is not None
            if has_place or slopes.is_driven(recorder.tap, obj):
                return True
        if inner and not self._told:
            self._told = True
            recorder.writer.note(
                "The nodes hold no backward function and no local derivatives, so only the "
                "program's own pass can be shown, not += and =."
            )
        return not inner

    def _write_codes(self) -> None:
        """Write where the backward functions stand, of nodes that are reached the first time."""
        new = {}
        for node_id, obj in self._recorder.reached.items():
            if node_id not in self._coded:
                code = self._code(obj)
                if code is not None:
                    new[node_id] = code
        self._coded.update(self._recorder.reached)
        self._recorder.writer.codes(new)

    def _code(self, obj: object) -> Code | None:
        recorder = self._recorder
        function = recorder.tap.backward_function(obj) or slopes.function(recorder.tap, obj)
        code = None if function is None else closure.code_of(function)
        if function is None or code is None:
            return None
        names = tuple(
            (name, recorder.register.node(held).id)
            for name, held in (*closure.variables(function), *closure.globals_used(function))
            if recorder.tap.is_value(held)
        )
        file = recorder.traces.file(code.co_filename)
        return Code(file, code.co_firstlineno, closure.last_line(code), names)
