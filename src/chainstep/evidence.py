"""What a run shows beside its steps, so that faults can be found in it: plain data.

Gathered in the child process where `Options.check` asks for it, written into the recording, and
read by `diagnose`. Changes of data are always among it: a training loop is told by them. A Value
is spoken of by its serial (see `Node.serial`), since not every one becomes a node.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from chainstep.errors import RecordingError
from chainstep.validation import index, line_number, number, shown, text, texts, typed, unnumber

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Column = Callable[[object], Any]


ALWAYS = "changes"
"""The section that is there whether or not evidence was asked for."""


class Function(NamedTuple):
    """A function of a Value class, or one outside it that makes Values.

    Attributes:
        file: Index into `Recording.files`.
        first_line: Line of its `def`, from 1.
        last_line: Its last line.
        name: Its own name.
        owner: Name of its class; empty outside classes.
        inner: Functions written inside it that speak of the gradient: name, first, last line.
    """

    file: int
    first_line: int
    last_line: int
    name: str
    owner: str
    inner: tuple[tuple[str, int, int], ...] = ()


class ClassFact(NamedTuple):
    """A Value class.

    Attributes:
        name: Its name.
        file: Index into `Recording.files`.
        line: Where it begins; None where that is not known.
        equal_line: Line of an `__eq__` that goes by something else than identity; that of the
            class where a decorator made it; None without one.
        hash_line: The same for `__hash__`.
        grad_line: Where its constructor stores the first gradient; None where that is not known.
        data: Name of its number.
        grad: Name of its gradient.
        backward: Name of its backward function; empty where it has none.
        operators: Operators that it defines (`__add__`, ...).
        equals_all: Whether two of different numbers are equal too.
    """

    name: str
    file: int
    line: int | None
    equal_line: int | None
    hash_line: int | None
    grad_line: int | None
    data: str
    grad: str
    backward: str
    operators: tuple[str, ...] = ()
    equals_all: bool = False


class Making(NamedTuple):
    """Where a node was made.

    Attributes:
        node: Its id.
        file: Index of the file with the call of the constructor.
        line: Line of that call.
        given: Serials of the Values that the constructor or the operator got.
        reads: Values whose data the same code outside the class had read shortly before, as
            (serial, line, whether it had operands): a number that was computed by hand may come
            from them.
    """

    node: int
    file: int
    line: int
    given: tuple[int, ...] = ()
    reads: tuple[tuple[int, int, bool], ...] = ()


class Backward(NamedTuple):
    """What a node with operands has in the place of its backward function, if it is unusual.

    Attributes:
        node: Its id.
        holds: "default": what its constructor put there; "none": None; "absent": the class has
            no such place; else the name of the type of what is there.
    """

    node: int
    holds: str


class Read(NamedTuple):
    """The program's own code, outside the class, reads a gradient.

    Attributes:
        pass_index: Which pass was on or comes next.
        step: Position in the as-written trace of that pass (or among `Recording.after`).
        serial: The Value.
        line: Where, in the program itself.
    """

    pass_index: int
    step: int
    serial: int
    line: int


class Change(NamedTuple):
    """A number of a Value is changed after it was made.

    Attributes:
        pass_index: Which pass was on or comes next.
        step: Position in the as-written trace of that pass (or among `Recording.after`).
        serial: The Value.
        before: Its number before; nan where that was none.
        after: Its number from then on.
        line: Line of the code that did it.
        file: Index of the file that the line counts in.
        clock: Serial of the next Value to be made: consumers with a smaller one saw the old number.
        in_class: Whether code of a Value class did it.
        function: Name of the function that did it.
    """

    pass_index: int
    step: int
    serial: int
    before: float
    after: float
    line: int
    file: int
    clock: int
    in_class: bool
    function: str


class Odd(NamedTuple):
    """A Value was made whose data are no real number, or got a gradient that is none.

    Attributes:
        serial: The Value.
        field: "data" or "grad".
        kind: Name of the type of its data.
        is_value: Whether they are a Value.
        line: Line of the program that led to it; None where none did.
        file: Index of the file with the call of the constructor.
        call_line: Line of that call.
    """

    serial: int
    field: str
    kind: str
    is_value: bool
    line: int | None
    file: int
    call_line: int


class Frame(NamedTuple):
    """One call that an exception came through."""

    file: int
    line: int
    function: str
    in_class: bool


class Failure(NamedTuple):
    """The exception that ended the program.

    Attributes:
        kind: Name of its class.
        bases: Names of the classes that it inherits from.
        message: Its text.
        depth: How many calls it came through.
        frames: The outermost and the innermost of them, outermost first.
        pass_index: The pass it broke off; None where none was on.
    """

    kind: str
    bases: tuple[str, ...]
    message: str
    depth: int
    frames: tuple[Frame, ...]
    pass_index: int | None


class Point(NamedTuple):
    """One trial of an operation.

    Attributes:
        data: The operands' numbers, by slot.
        out: The result's number.
        central: Central difference of the result, by slot; None at a kink or where it fails.
        slopes: What its backward handed over with upstream gradient 1, by slot; None: nothing.
        doubled: The same with upstream gradient 2.
        linked: Whether the operand is among what the result was made from, as recorded.
        changed: Whether the operation changed the operand's own number.
        error: How far off the differences may be, absolutely.
    """

    data: tuple[float, ...]
    out: float
    central: tuple[float | None, ...]
    slopes: tuple[float | None, ...]
    doubled: tuple[float | None, ...]
    linked: tuple[bool, ...]
    changed: tuple[bool, ...]
    error: float


class Trial(NamedTuple):
    """An operation of the program, called again on fresh Values.

    Attributes:
        file: File of its function.
        line: First line of its function.
        name: Name of its function.
        in_class: Whether that belongs to a Value class.
        op: What the result says made it; empty where it says nothing.
        numbers: Its arguments, by position: a bare number; None for an operand; nan for others.
        uses: First lines of the functions of the same file that made nodes on the way.
        backward: File and first line of the code that hands its gradient over; () if none does.
        returns: "value"; "operand" where it gives one of its operands back; else a type's name.
        points: What came out, first at numbers that the program itself used.
        own: How many of the points are the program's own.
        error: Why it could not be tried; empty where it could.
    """

    file: int
    line: int
    name: str
    in_class: bool
    op: str
    numbers: tuple[float | None, ...]
    uses: tuple[int, ...]
    backward: tuple[int, ...]
    returns: str
    points: tuple[Point, ...]
    own: int = 0
    error: str = ""


@dataclass(frozen=True)
class Evidence:
    """Everything that was gathered in one run.

    Attributes:
        checked: Whether more was gathered than changes of data.
    """

    checked: bool = False
    functions: tuple[Function, ...] = ()
    classes: tuple[ClassFact, ...] = ()
    makings: tuple[Making, ...] = ()
    backwards: tuple[Backward, ...] = ()
    reads: tuple[Read, ...] = ()
    changes: tuple[Change, ...] = ()
    odd: tuple[Odd, ...] = ()
    trials: tuple[Trial, ...] = ()
    failures: tuple[Failure, ...] = ()


def row(item: tuple[object, ...]) -> list[object]:
    """One item as JSON can carry it: its fields in their order."""
    return [_plain(part) for part in item]


def _plain(value: object) -> object:
    if isinstance(value, float):
        return number(value)
    return row(value) if isinstance(value, tuple) else value


def items(section: str, rows: object) -> tuple[Any, ...]:
    """The items of one section, read back.

    Raises:
        RecordingError: There is no such section, or a row does not fit it.
    """
    found = SECTIONS.get(section)
    if found is None:
        raise RecordingError(f"there is no evidence called {shown(section)}")
    return tuple(_item(*found, each) for each in typed(list, rows))


def _item(kind: type, columns: tuple[Column, ...], fields: object) -> Any:
    given = typed(list, fields)
    if len(given) != len(columns):
        raise RecordingError(f"{kind.__name__} has {len(columns)} fields, not {len(given)}")
    item = kind(*(column(value) for column, value in zip(columns, given, strict=True)))
    if not _is_whole(item):
        raise RecordingError(f"{kind.__name__} has parts that do not fit one another")
    return item


def _is_whole(item: object) -> bool:
    """Whether the fields of an item fit one another."""
    if isinstance(item, Function):
        return item.first_line <= item.last_line
    if isinstance(item, Point):
        slots = len(item.data)
        handed = {len(item.slopes), len(item.doubled)} <= {0, slots}
        rest = (item.central, item.linked, item.changed)
        return slots > 0 and handed and all(len(part) == slots for part in rest)
    if isinstance(item, Trial):
        slots = item.numbers.count(None)
        fits = all(len(point.data) == slots for point in item.points)
        return fits and len(item.backward) in {0, 2} and item.own <= len(item.points)
    return True


def _optional(column: Column) -> Column:
    return lambda value: None if value is None else column(value)


def _many(column: Column) -> Column:
    return lambda value: tuple(column(part) for part in typed(list, value))


def _together(*columns: Column) -> Column:
    def read(value: object) -> Any:
        parts = typed(list, value)
        if len(parts) != len(columns):
            raise RecordingError(f"expected {len(columns)} parts, found {len(parts)}")
        return tuple(column(part) for column, part in zip(columns, parts, strict=True))

    return read


def _line(value: object) -> int:
    found = line_number(value)
    if found is None:
        raise RecordingError("expected a line number, found nothing")
    return found


def _flag(value: object) -> bool:
    return typed(bool, value)


def _error(value: object) -> float:
    found = unnumber(value)
    if math.isnan(found) or found < 0:
        raise RecordingError(f"expected a size, found {shown(value)}")
    return found


_numbers = _many(_optional(unnumber))
_frame: Column = lambda value: _item(Frame, (index, _line, text, _flag), value)  # noqa: E731
_point: Column = lambda value: _item(Point, _POINT, value)  # noqa: E731
_POINT: tuple[Column, ...] = (
    *(_many(unnumber), unnumber, _numbers, _numbers, _numbers),
    *(_many(_flag), _many(_flag), _error),
)
SECTIONS: Mapping[str, tuple[type, tuple[Column, ...]]] = {
    "functions": (
        Function,
        (index, _line, _line, text, text, _many(_together(text, _line, _line))),
    ),
    "classes": (
        ClassFact,
        (
            *(text, index, line_number, line_number, line_number, line_number),
            *(text, text, text, texts, _flag),
        ),
    ),
    "makings": (
        Making,
        (index, index, _line, _many(index), _many(_together(index, _line, _flag))),
    ),
    "backwards": (Backward, (index, text)),
    "reads": (Read, (index, index, index, _line)),
    "changes": (
        Change,
        (index, index, index, unnumber, unnumber, _line, index, index, _flag, text),
    ),
    "odd": (Odd, (index, text, text, _flag, line_number, index, _line)),
    "trials": (
        Trial,
        (
            *(index, _line, text, _flag, text, _numbers, _many(_line), _many(index), text),
            *(_many(_point), index, text),
        ),
    ),
    "failures": (
        Failure,
        (text, texts, text, index, _many(_frame), _optional(index)),
    ),
}
"""By name of the section: what its items are, and what each field of a row has to be."""
