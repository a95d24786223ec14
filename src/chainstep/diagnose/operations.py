"""Faults in what operations compute, and of what (CS3xx)."""

from __future__ import annotations

import ast
import math
from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.diagnose.case import Place
from chainstep.figures import short

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.diagnose.case import Case
    from chainstep.evidence import Change, Frame, Trial
    from chainstep.finding import Finding

# -- data of another kind --------------------------------------------------------------


def odd_data(case: Case) -> Iterator[Finding]:
    """Data that are a Value, a text, a complex number or an array."""
    odd_ones = {odd.serial for odd in case.evidence.odd if odd.field == "data"}
    for odd in case.evidence.odd:
        node = case.by_serial.get(odd.serial)
        operands = [case.nodes[i].serial for i in node.children] if node is not None else []
        if odd.field != "data" or not odd_ones.isdisjoint(operands):
            continue  # it follows from that of an operand
        function = case.function(odd.call_line, odd.file)
        place = Place(odd.line)
        if odd.line is None or (odd.is_value and function is not None and function.owner):
            place = Place(odd.call_line, odd.file)
        yield _odd(case, odd.kind, place, None if node is None else node.id, is_value=odd.is_value)
    for failure in case.evidence.failures:
        refused = _refused(failure.kind, failure.message, failure.frames)
        if refused is not None:
            own = [frame for frame in failure.frames if frame.file == 0 and not frame.in_class]
            place = Place(own[-1].line if own else None)
            yield _odd(case, refused, place, None, is_value=refused in _class_names(case))


def _odd(case: Case, kind: str, place: Place, node_id: int | None, *, is_value: bool) -> Finding:
    if is_value:
        return case.find(
            "nested-value",
            f"A Value is wrapped in a Value{case.where(place)}: its data is not a number, and the "
            "Value inside gets no gradient.",
            "Use the Value as it is; wrap only what is not one already "
            "(other if isinstance(other, Value) else Value(other)).",
            place,
            node=node_id,
        )
    return case.find(
        "bad-data-type",
        f"The data of a Value{case.where(place)} is of type {kind}, not a real number, so no "
        "derivative can be computed from it.",
        "Hand over one real number, such as float(...), for each Value.",
        place,
        node=node_id,
    )


def _class_names(case: Case) -> set[str]:
    return {fact.name for fact in case.evidence.classes}


def _refused(kind: str, message: str, frames: tuple[Frame, ...]) -> str | None:
    """The type that a constructor refused; None where an exception says something else."""
    if kind not in {"TypeError", "ValueError"}:
        return None
    in_constructor = any(
        frame.in_class and frame.function in {"__init__", "__post_init__", "_number"}
        for frame in frames[-3:]
    )
    if "holds one real number" in message and "of type" in message:
        name = message.partition("of type ")[2].partition(":")[0]
        return name.rsplit(".", 1)[-1]
    if not in_constructor:
        return None
    if "not '" in message:
        return message.rpartition("not '")[2].rstrip("'")
    return "str" if "could not convert string" in message else None


# -- mutation --------------------------------------------------------------------------


def mutated(case: Case) -> Iterator[Finding]:
    """Operators that change an operand's number instead of making a new node."""
    seen: set[tuple[int, int]] = set()
    for trial in case.evidence.trials:
        changed = [
            slot for point in trial.points for slot, flag in enumerate(point.changed) if flag
        ]
        if not changed or not _is_operation(trial.name, in_class=trial.in_class):
            continue
        change = next(
            (c for c in case.evidence.changes if c.function == trial.name and c.file == trial.file),
            None,
        )
        if _is_update(case, trial, change):
            continue
        line = change.line if change is not None else _store_line(case, trial)
        place = Place(line or trial.line, trial.file)
        seen.add((trial.file, trial.line))
        node = None if change is None else case.by_serial.get(change.serial)
        name = "its operand" if node is None else case.name(node.id)
        yield case.find(
            "in-place-mutation",
            f"{trial.name} changes the number of {name}{case.where(place)} instead of making a new "
            "node: what was computed from it before no longer fits, and the step itself is in no "
            "graph.",
            "Make a new Value for the result, with the operands as its children.",
            place,
            node=None if node is None else node.id,
        )
    for change in case.evidence.changes:
        function = case.function(change.line, change.file)
        if function is None or not change.in_class or (change.file, function.first_line) in seen:
            continue
        if not _is_operation(function.name, in_class=True) or _is_update(case, None, change):
            continue
        seen.add((change.file, function.first_line))
        node = case.by_serial.get(change.serial)
        name = "its operand" if node is None else case.name(node.id)
        place = Place(change.line, change.file)
        yield case.find(
            "in-place-mutation",
            f"{function.name} changes the number of {name} from {short(change.before)} to "
            f"{short(change.after)}{case.where(place)} instead of making a new node.",
            "Make a new Value for the result, with the operands as its children.",
            place,
            node=None if node is None else node.id,
        )


def _is_operation(name: str, *, in_class: bool) -> bool:
    """Whether a function is one of arithmetic, not one that sets or updates on purpose."""
    bare = name.strip("_")
    if name.startswith("__") and name.endswith("__"):
        return name not in {"__init__", "__setattr__", "__setstate__", "__post_init__", "__call__"}
    return in_class and calculus.find(bare) is not None


def _is_update(case: Case, trial: Trial | None, change: Change | None) -> bool:
    """Whether `w -= 0.1 * w.grad` was meant: a leaf moves by a number, and nothing goes wrong."""
    name = trial.name if trial is not None else (change.function if change is not None else "")
    if not name.startswith("__i") or name == "__invert__":
        return False
    if trial is not None and trial.numbers[1:] == (None,):
        return False  # the other operand is a Value, and its part of the gradient is lost
    if change is None:
        return True
    node = case.by_serial.get(change.serial)
    if node is None or node.children:
        return node is None
    return not any(
        each.index >= change.pass_index
        and any(
            case.nodes[i].serial < change.clock
            for i in case.consumers.get(node.id, ())
            if i in each.reached
        )
        for each in case.passes
    )


def _store_line(case: Case, trial: Trial) -> int | None:
    if trial.file:
        return None
    names = {fact.data for fact in case.evidence.classes}
    function = case.function(trial.line, trial.file)
    last = function.last_line if function is not None else trial.line
    for part in case.syntax.within(trial.line, last):
        if isinstance(part, (ast.Assign, ast.AugAssign)):
            targets = part.targets if isinstance(part, ast.Assign) else [part.target]
            if any(isinstance(t, ast.Attribute) and t.attr in names for t in targets):
                return part.lineno
    return None


# -- forward ---------------------------------------------------------------------------


def wrong_forward(case: Case) -> Iterator[Finding]:
    """Operators that do not compute what Python's do with bare numbers."""
    wrong: dict[tuple[int, int], tuple[Trial, float, float, str]] = {}
    for trial in case.evidence.trials:
        found = _differs(trial)
        if found is not None:
            wrong.setdefault((trial.file, trial.line), (trial, *found))
    for key, (trial, given, right, spoken) in wrong.items():
        used = [case.function(line, trial.file) for line in trial.uses]
        if any(
            f is not None and (f.file, f.first_line) in wrong and (f.file, f.first_line) != key
            for f in used
        ):
            continue
        place = Place(trial.line, trial.file)
        yield case.find(
            "wrong-forward",
            f"{trial.name}{case.where(place)} computes {short(given)} for {spoken}, which is "
            f"{short(right)}.",
            "Compute the value from the operands in their written order: self stands on the left, "
            "but in a reflected operator (__rsub__, __rtruediv__) on the right.",
            place,
            node=next(case.made_by(trial), None),
        )


def _differs(trial: Trial) -> tuple[float, float, str] | None:
    """What came, what is right, and the expression, at the first point where they differ."""
    if trial.returns != "value" or any(any(point.changed) for point in trial.points):
        return None
    for point in trial.points:
        data = iter(point.data)
        arguments = [next(data) if x is None else x for x in trial.numbers]
        expected = _expected(trial.name, arguments)
        if expected is None:
            return None
        right, spoken = expected
        if right is None or not math.isfinite(right):
            continue
        if abs(right - point.out) > 1e-6 * max(abs(right), abs(point.out), 1.0):
            if trial.name.lower() == "relu" and arguments[0] < 0:
                continue  # a leaky one
            return point.out, right, spoken
    return None


_BINARY: dict[str, tuple[str, Callable[[float, float], float]]] = {
    "add": ("+", lambda a, b: a + b),
    "sub": ("-", lambda a, b: a - b),
    "mul": ("*", lambda a, b: a * b),
    "truediv": ("/", lambda a, b: a / b),
    "pow": ("**", lambda a, b: a**b),
}
_UNARY: dict[str, Callable[[float], float]] = {
    "neg": lambda a: -a,
    "abs": abs,
    "square": lambda a: a * a,
    "reciprocal": lambda a: 1 / a,
    "inverse": lambda a: 1 / a,
}


def _expected(name: str, arguments: list[float]) -> tuple[float | None, str] | None:
    """The number that an operation of this name gives, and how it is written; None: unknown."""
    bare = name.strip("_").lower()
    is_special = name.startswith("__")
    reflected = is_special and bare.startswith("r") and bare[1:] in _BINARY
    in_place = is_special and bare.startswith("i") and bare[1:] in _BINARY
    key = bare[1:] if reflected or in_place else {"div": "truediv"}.get(bare, bare)
    if any(math.isnan(x) for x in arguments):
        return None
    try:
        if key in _BINARY and len(arguments) == 2:
            left, right = reversed(arguments) if reflected else arguments
            sign, compute = _BINARY[key]
            value = compute(left, right)
            spoken = f"{short(left)} {sign} {short(right)}"
            return (None if isinstance(value, complex) else value), spoken
        if len(arguments) != 1:
            return None
        function = _UNARY.get(bare)
        operation = calculus.find(bare)
        if function is None and operation is not None and operation.arity == 1:
            function = operation.forward
        return (
            None if function is None else (function(arguments[0]), f"{bare}({short(arguments[0])})")
        )
    except (ArithmeticError, ValueError):
        return None, ""


# -- operators -------------------------------------------------------------------------


def operators(case: Case) -> Iterator[Finding]:
    """Operators that the class lacks, and operators that call themselves for ever."""
    names = _class_names(case)
    for failure in case.evidence.failures:
        own = [frame for frame in failure.frames if frame.file == 0 and not frame.in_class]
        place = Place(own[-1].line if own else None)
        text = failure.message
        if failure.kind == "RecursionError":
            yield from _endless(case, failure.frames, failure.pass_index)
            continue
        lacks = _lacking(text, names, failure.kind, failure.frames)
        if lacks is not None:
            yield case.find(
                "missing-operator",
                f"The program uses {lacks}{case.where(place)}, and the class does not have it: "
                f"{failure.kind}: {text}.",
                "Give the class that operator (for a number on the left: __radd__, __rmul__, "
                "__rsub__, __rtruediv__), or write the expression with what it has.",
                place,
                at=(failure.pass_index, None),
            )


_SPECIAL = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "**": "__pow__",
    "** or pow()": "__pow__", "unary -": "__neg__", "unary +": "__pos__", "abs()": "__abs__",
    "//": "__floordiv__", "%": "__mod__", "@": "__matmul__", "+=": "__add__", "-=": "__sub__",
    "*=": "__mul__", "/=": "__truediv__", "<": "__lt__", ">": "__gt__", "<=": "__le__",
    ">=": "__ge__",
}  # fmt: skip
_PARTS = frozenset(
    {"data", "value", "val", "grad", "_prev", "v", "children", "parents", "_children"}
)


def _lacking(text: str, names: set[str], kind: str, frames: tuple[Frame, ...]) -> str | None:
    """The operator or function that an exception says is missing; None where it says another."""
    quoted = text.split("'")[1::2]
    if kind == "TypeError":
        concerned = any(name in names for name in quoted)
        if text.startswith("unsupported operand type") and concerned:
            sign = text.partition("for ")[2].partition(":")[0].strip()
            operator = _SPECIAL.get(sign, sign)
            if len(quoted) > 1 and quoted[0] not in names and operator.startswith("__"):
                operator = f"__r{operator[2:]}"
            return f"{operator} ({' '.join((quoted[0], sign, *quoted[1:2]))})"
        if text.startswith("bad operand type for") and concerned:
            sign = text.partition("for ")[2].partition(":")[0].strip()
            return _SPECIAL.get(sign, sign)
        if "not supported between instances" in text and concerned:
            return _SPECIAL.get(quoted[0], quoted[0])
    if kind == "AttributeError" and "has no attribute" in text and len(quoted) >= 2:
        owner, attribute = quoted[0], quoted[1]
        if owner in names and (calculus.find(attribute) is not None or attribute in _MORE):
            return f"{attribute}()"
        if owner in {"int", "float"} and frames and frames[-1].in_class and attribute in _PARTS:
            return f"{frames[-1].function} with a bare number"
    return None


_MORE = frozenset({"square", "softmax", "sum", "mean", "max", "min", "item", "leaky_relu", "gelu"})


def _endless(case: Case, frames: tuple[Frame, ...], pass_index: int | None) -> Iterator[Finding]:
    """An operator that calls itself: the innermost calls are a few lines of the class."""
    tail = frames[-40:]
    places = {(frame.file, frame.line) for frame in tail}
    in_class = [frame for frame in tail if frame.in_class]
    is_operator = any(
        frame.function.startswith("__") or calculus.find(frame.function.strip("_")) is not None
        for frame in tail
    )
    if len(places) > 6 or not in_class or not is_operator or pass_index is not None:
        return
    first = next(f for f in frames if f.in_class and (f.file, f.line) in places)
    place = Place(first.line, first.file)
    name = first.function
    yield case.find(
        "infinite-recursion",
        f"{name} calls itself{case.where(place)}, directly or through another operator, and never "
        "comes to a number.",
        "Let it end in a call that is not an operator of the same kind: compute with .data, or "
        "reach for another operator that does.",
        place,
    )


RULES = (odd_data, mutated, wrong_forward, operators)
