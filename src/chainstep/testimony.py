"""Writes the evidence of a run into its recording, once the program has ended."""

from __future__ import annotations

import contextlib
import inspect
import traceback
import types
from typing import TYPE_CHECKING

from chainstep import closure
from chainstep.anatomy import codes, vars_of
from chainstep.evidence import Backward, ClassFact, Failure, Frame, Function, Making
from chainstep.trial import Bench

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.overlay import Creation
    from chainstep.recorder import Recorder
    from chainstep.tap import Tap
    from chainstep.witness import Witness

OUTER_FRAMES = 10
INNER_FRAMES = 60
"""Calls of an exception that are kept: of a recursion the innermost show what repeats."""

LONGEST_MESSAGE = 500

_FOLDER = __file__.removesuffix("testimony.py")
_ENGINE = frozenset({"engine.py", "nn.py", "ieee.py"})


class Testimony:
    """The evidence of one recorder.

    Args:
        recorder: Whose run it is.
        witness: What was heard while it ran.
    """

    def __init__(self, recorder: Recorder, witness: Witness) -> None:
        self._recorder = recorder
        self._writer = recorder.writer
        self._tap: Tap = recorder.tap
        self._witness = witness
        self._writer.evidence("makings", ())  # also a run without any Value has been checked

    def nodes(self) -> None:
        """Write where new nodes were made; called before their Values can go."""
        makings, backwards = [], []
        for node_id, obj in self._recorder.register.take_new():
            created = self._tap.creation(obj)
            making = self._making(node_id, created)
            makings += [making] if making else []
            if self._tap.children(obj):
                backwards += list(self._backward(node_id, obj, created))
        self._writer.evidence("makings", makings)
        self._writer.evidence("backwards", backwards)

    def _making(self, node_id: int, created: Creation) -> Making | None:
        if created.site is None:
            return None
        path, line = created.site
        file = self._recorder.traces.file(path)
        return Making(node_id, file, max(line, 1), created.operands, created.reads)

    def _backward(self, node_id: int, obj: object, created: Creation) -> Iterator[Backward]:
        tap = self._tap
        anatomy = tap.anatomies[type(obj)]
        if anatomy.backward_is_method:
            return
        function = tap.backward_function(obj)
        if function is not None:
            if created.initial is not None and closure.code_of(function) is created.initial:
                yield Backward(node_id, "default")
            return
        held = None if anatomy.backward is None else getattr(obj, anatomy.backward, None)
        if anatomy.backward is None:
            yield Backward(node_id, "absent")
        else:
            yield Backward(node_id, "none" if held is None else type(held).__name__)

    def finish(self, error: BaseException | None, *, tries: bool) -> None:
        """Write what is known at the end.

        Args:
            error: What ended the program, if it was an exception.
            tries: Whether there is time to call its operations again.
        """
        self.nodes()
        witness, file = self._witness, self._recorder.traces.file
        writer = self._writer
        writer.evidence("reads", witness.reads)
        writer.evidence("odd", [odd._replace(file=file(path)) for path, odd in witness.odd])
        writer.evidence("failures", [] if error is None else [self._failure(error)])
        writer.evidence("classes", list(self._classes()))
        writer.evidence("functions", list(self._functions()))
        for trial in Bench(self._tap, witness, file).run() if tries else ():
            writer.evidence("trials", [trial])

    # -- classes and functions ---------------------------------------------------------------

    def _classes(self) -> Iterator[ClassFact]:
        for cls, anatomy in self._tap.anatomies.items():
            members = self._witness.class_members.get(cls, [])
            paths = [code.co_filename for _, code in members if _is_students(code.co_filename)]
            line = self._witness.class_lines.get((cls.__module__, cls.__qualname__))
            grad_path, grad_line = self._witness.grad_lines.get(cls, ("", 0))
            operators = [
                name
                for owner in cls.__mro__[:-1]
                for name, member in vars(owner).items()
                if name.startswith("__") and _is_written(member)
            ]
            yield ClassFact(
                cls.__name__,
                self._recorder.traces.file(paths[0]) if paths else 0,
                line,
                _line_of(vars_of(cls, "__eq__"), line),
                _line_of(vars_of(cls, "__hash__"), line),
                grad_line if _is_file(grad_path) else None,
                anatomy.data,
                anatomy.grad,
                anatomy.backward or "",
                tuple(dict.fromkeys(operators)),
                "__eq__" in operators and self._equals_all(cls),
            )

    def _equals_all(self, cls: type) -> bool:
        """Whether two Values of a class with different numbers are equal by its own account."""
        with self._tap.unwitnessed(), contextlib.suppress(Exception):
            one, other = cls(0.25), cls(0.75)
            return bool(one == other)
        return False

    def _functions(self) -> Iterator[Function]:
        gradients = {anatomy.grad for anatomy in self._tap.anatomies.values()}
        seen: set[types.CodeType] = set()
        members = [
            pair
            for cls in self._tap.anatomies
            for pair in (*self._witness.class_members.get(cls, ()), *_methods(cls))
        ]
        makers = [("", code) for code in self._witness.makers if not self._tap.in_class(code)]
        for owner, code in (*members, *makers):
            if code in seen or code.co_name == "<module>" or not _is_students(code.co_filename):
                continue
            seen.add(code)
            inner = tuple(
                (part.co_name, part.co_firstlineno, closure.last_line(part))
                for part in _inside(code)
                if not gradients.isdisjoint(part.co_names)
            )
            yield Function(
                self._recorder.traces.file(code.co_filename),
                code.co_firstlineno,
                closure.last_line(code),
                code.co_name,
                owner,
                inner,
            )

    # -- the exception -----------------------------------------------------------------------

    def _failure(self, error: BaseException) -> Failure:
        pairs = [
            (frame.f_code, line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if _is_students(frame.f_code.co_filename)
        ]
        kept = pairs
        if len(pairs) > OUTER_FRAMES + INNER_FRAMES:
            kept = pairs[:OUTER_FRAMES] + pairs[-INNER_FRAMES:]
        frames = tuple(
            Frame(
                self._recorder.traces.file(code.co_filename),
                max(line or 1, 1),
                code.co_name,
                self._tap.in_class(code),
            )
            for code, line in kept
        )
        bases = tuple(cls.__name__ for cls in type(error).__mro__[1:-1])
        try:
            message = str(error)[:LONGEST_MESSAGE]
        except Exception:  # noqa: BLE001  the program's own __str__ may fail in any way
            message = ""
        broken = self._recorder.broken_pass(error)
        return Failure(type(error).__name__, bases, message, len(pairs), frames, broken)


def _methods(cls: type) -> Iterator[tuple[str, types.CodeType]]:
    """Functions that were attached to a class later."""
    for owner in cls.__mro__[:-1]:
        for member in list(vars(owner).values()):
            if isinstance(member, types.FunctionType):
                yield owner.__name__, member.__code__


def _is_written(member: object) -> bool:
    """Whether a member of a class is a function of the program's, seen through our wrapping."""
    code = getattr(inspect.unwrap(member), "__code__", None) if callable(member) else None
    return code is not None and _is_students(code.co_filename)


def _inside(code: types.CodeType) -> Iterator[types.CodeType]:
    for part in code.co_consts:
        if isinstance(part, types.CodeType):
            yield part
            yield from _inside(part)


def _line_of(member: object, line: int | None) -> int | None:
    """Where a comparison is written; the class's own line where a decorator made it."""
    written = inspect.unwrap(member) if callable(member) else None
    if not isinstance(written, types.FunctionType):
        return None
    code = next(codes(written))
    return code.co_firstlineno if _is_file(code.co_filename) else line


def _is_file(path: str) -> bool:
    """Whether a file name is one; code that a decorator compiled has `<string>`."""
    return bool(path) and path != "<string>" and not path.startswith("<frozen ")


def _is_students(path: str) -> bool:
    """Whether a file is not the machinery that runs the program; our engine belongs to that."""
    ours = path.startswith(_FOLDER) and path.removeprefix(_FOLDER) not in _ENGINE
    return _is_file(path) and not ours
