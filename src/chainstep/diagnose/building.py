"""Faults in how the graph is built (CS3xx)."""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from typing import TYPE_CHECKING

from chainstep import calculus
from chainstep.diagnose.case import Place
from chainstep.diagnose.closures import NOTHING_TO_HAND_OVER, is_cut_off
from chainstep.diagnose.syntax import FUNCTIONS, attributes, loaded, stored
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chainstep.diagnose.case import Case, Pass
    from chainstep.evidence import Change, ClassFact, Frame, Trial
    from chainstep.finding import Finding
    from chainstep.graph import Node

CHILDREN = frozenset(
    {"_prev", "prev", "_children", "children", "_parents", "parents", "operands", "inputs"}
    | {"args", "sources", "src", "deps", "left", "right", "_inputs", "_operands"}
)
"""Attributes that programs keep operands in."""


# -- missing children ------------------------------------------------------------------


def child_missing(case: Case) -> Iterator[Finding]:
    """Operands that get a gradient, or should, and are not recorded as children."""
    told: set[tuple[int | None, int]] = set()
    for trial in case.evidence.trials:
        slot = _unlinked(case, trial)
        if slot is None:
            continue
        place, node_id = _construction(case, trial)
        if (place.line, place.file) not in told:
            told.add((place.line, place.file))
            yield _missing(case, place, trial.name, f"operand number {slot + 1}", None, node_id)
    for each in case.passes:
        trace = each.written if each.is_real else each.clean
        for number, step in enumerate(trace.steps if trace else ()):
            if step.kind is not Kind.WRITE or step.slot is not None or step.node is None:
                continue
            node, target = case.nodes[step.node], case.nodes[step.target or 0]
            if target.id in node.children or target.serial >= node.serial:
                continue
            making = case.making.get(node.id)
            is_constant = target.constant and not target.children
            if making is None or is_constant or (making.line, making.file) in told:
                continue
            told.add((making.line, making.file))
            function = case.maker(node.id)
            name = function.name if function else "The operation"
            place = Place(making.line, making.file)
            at = (each.index, number)
            yield _missing(case, place, name, case.name(target.id), at, node.id)


def _missing(
    case: Case,
    place: Place,
    name: str,
    operand: str,
    at: tuple[int, int] | None,
    node_id: int | None,
) -> Finding:
    made = "its result" if node_id is None else case.name(node_id)
    return case.find(
        "child-missing",
        f"{name} does not record {operand} as a child of {made}{case.where(place)}: the sort does "
        "not find it along this path, so what it was made from gets no gradient.",
        "Hand all operands to the constructor: Value(..., (self, other)).",
        place,
        at=at or (None, None),
        node=node_id,
    )


def _unlinked(case: Case, trial: Trial) -> int | None:
    """The operand that a result depends on, is bound to, and does not record."""
    if trial.returns != "value" or any(part in trial.name for part in NOTHING_TO_HAND_OVER):
        return None
    function = case.function(trial.line, trial.file)
    has_place = any(fact.backward for fact in case.evidence.classes)
    for point in trial.points:
        if any(point.changed):
            continue
        for slot, linked in enumerate(point.linked):
            slope = point.central[slot]
            handed = point.slopes[slot] if point.slopes else None
            has_others = any(point.linked)
            if linked or not slope:
                continue
            # Where only a tape knows the operands, a closure that is not on it is another fault.
            writes = function is not None and bool(function.inner) and has_place
            if has_others or handed is not None or writes:
                return slot
    return None


def _construction(case: Case, trial: Trial) -> tuple[Place, int | None]:
    """The line in which a function calls the constructor, and a node that it made."""
    for making in case.evidence.makings:
        function = case.function(making.line, making.file)
        if function is not None and (function.file, function.first_line) == (
            trial.file,
            trial.line,
        ):
            node = case.nodes[making.node]
            if node.children or not node.constant or not trial.uses:
                return Place(making.line, making.file), making.node
    return Place(trial.line, trial.file), None


# -- equality --------------------------------------------------------------------------


def merged(case: Case) -> Iterator[Finding]:
    """Nodes that were taken for one another since they compare equal."""
    fact = next(
        (f for f in case.evidence.classes if f.equal_line is not None or f.hash_line is not None),
        None,
    )
    for each in case.written:
        pair = _taken_for_one(case, each)
        if pair is None:
            continue
        lost, kept = pair
        place = _comparison(case, fact)
        if place is None:
            continue
        how = "by their numbers" if fact is None else f"by {_methods(fact)}"
        yield case.find(
            "merged-by-value",
            f"Nodes are compared {how}{case.where(place)}, so {case.name(lost)} and "
            f"{case.name(kept)}, both {short(case.nodes[lost].data)}, count as one: "
            f"{case.name(lost)} is never run and passes nothing on.",
            "Compare nodes by identity: take __eq__ and __hash__ out of the class (in a dataclass: "
            "eq=False), or remember id(v) in the sort.",
            place,
            at=(each.index, None),
            node=lost,
        )
        return


def _methods(fact: ClassFact) -> str:
    return " and ".join(
        name
        for name, line in (("__eq__", fact.equal_line), ("__hash__", fact.hash_line))
        if line is not None
    )


def _comparison(case: Case, fact: ClassFact | None) -> Place | None:
    if fact is not None:
        line = fact.equal_line if fact.equal_line is not None else fact.hash_line
        return Place(line, fact.file)
    names = {f.data for f in case.evidence.classes}
    functions = [f for f in case.drivers if f.file == 0]
    for driver in functions:
        for part in case.syntax.within(driver.first_line, driver.last_line):
            if isinstance(part, ast.Compare) and attributes(part, names):
                return Place(part.lineno)
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and part.func.attr in {"add", "append"}
                and any(attributes(argument, names) for argument in part.args)
            ):
                return Place(part.lineno)
    return None


def _taken_for_one(case: Case, each: Pass) -> tuple[int, int] | None:
    """A node that was left out and the equal one that was taken for it."""
    equal: dict[float, list[int]] = defaultdict(list)
    for node_id in sorted(each.reached) if each.wrong else ():
        equal[case.nodes[node_id].data].append(node_id)
    for node_ids in equal.values():
        left_out = [i for i in node_ids if case.nodes[i].children and not each.calls(i)]
        others = [i for i in node_ids if each.calls(i) or not case.nodes[i].children]
        if left_out and others:
            return left_out[0], others[0]
    return _swallowed(case, each)


def _swallowed(case: Case, each: Pass) -> tuple[int, int] | None:
    """An operand that a set of operands has swallowed, and the equal one that it kept."""
    for node_id in each.inner:
        making = case.making.get(node_id)
        children = {case.nodes[child].serial for child in case.nodes[node_id].children}
        for serial in making.given if making else ():
            lost = case.by_serial.get(serial)
            if lost is None or serial in children:
                continue
            for child in case.nodes[node_id].children:
                if case.nodes[child].data == lost.data:
                    return lost.id, child
    return None


# -- detached --------------------------------------------------------------------------


def detached(case: Case) -> Iterator[Finding]:
    """Values that were made from bare numbers of other Values."""
    for trial in case.evidence.trials:
        if _is_cut(case, trial):
            place, node_id = _construction(case, trial)
            yield case.find(
                "detached-graph",
                f"{trial.name} makes its result from bare numbers{case.where(place)}: it has no "
                "operands, so the graph is cut there and no gradient goes further.",
                "Record the operands, and give the result a _backward.",
                place,
                node=node_id,
            )
    for making in case.evidence.makings:
        node = case.nodes[making.node]
        if node.children or not making.reads or making.node not in case.reached:
            continue
        flowing = _flowing(case, making.line, making.reads)
        nodes = [case.by_serial.get(serial) for serial, _, _ in flowing]
        if not flowing or any(source is not None and source.id in case.reached for source in nodes):
            continue
        known = [source for source in nodes if source is not None]
        lost = any(s is None and has for s, (_, _, has) in zip(nodes, flowing, strict=True))
        if not lost and not any(_is_abandoned(case, source) for source in known):
            continue
        place = Place(making.line)
        listed = case.names(source.id for source in known) or "other Values"
        yield case.find(
            "detached-graph",
            f"{case.name(node.id)} is made{case.where(place)} from the bare number of {listed}: "
            f"the graph is cut there, and {listed} gets no gradient.",
            "Compute with the Values themselves, not with their .data.",
            place,
            node=node.id,
        )


def _is_cut(case: Case, trial: Trial) -> bool:
    """Whether an operation's result depends on its operands and records none of them."""
    name = trial.name.lower()
    if trial.returns != "value" or any(part in name for part in NOTHING_TO_HAND_OVER):
        return False
    function = case.function(trial.line, trial.file)
    if function is None or function.inner or name.startswith(("__init", "_init", "zero", "from")):
        return False
    return is_cut_off(trial)


def _flowing(
    case: Case, line: int, reads: tuple[tuple[int, int, bool], ...]
) -> list[tuple[int, int, bool]]:
    """Those of the reads whose number flows into the Value that is made in a line."""
    scope = case.syntax.scope(line)
    statement = case.syntax.statement(line)
    if statement is None:
        return []
    first, last = statement.lineno, statement.end_lineno or statement.lineno
    if isinstance(statement, (ast.For, ast.While, ast.If, ast.With)):
        first = last = line
    calls = [
        part
        for part in ast.walk(scope)
        if isinstance(part, ast.Call) and first <= part.lineno <= last
    ]
    needed = {name for call in calls for name in loaded(call)}
    lines = set(range(first, last + 1))
    parts = [
        part
        for part in ast.walk(scope)
        if isinstance(part, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.For))
        and part.lineno <= line
    ]
    for _ in range(4):  # a number may go through a few variables
        for part in parts:
            if stored(part) & needed:
                value = part.iter if isinstance(part, ast.For) else part
                needed |= loaded(value)
                lines |= set(range(part.lineno, (value.end_lineno or part.lineno) + 1))
    for helper in case.syntax.statements():  # what a function of the program gives comes from it
        if isinstance(helper, FUNCTIONS) and helper.name in needed and helper is not scope:
            lines |= set(range(helper.lineno, (helper.end_lineno or helper.lineno) + 1))
    names = {fact.data for fact in case.evidence.classes}
    spoken = {part.lineno for part in attributes(case.syntax.tree, names)}
    return [read for read in dict.fromkeys(reads) if read[1] in lines and read[1] in spoken]


def _is_abandoned(case: Case, node: Node) -> bool:
    """Whether a node's gradient was expected: it was computed, or its gradient is read."""
    if node.id in case.reached:
        return False
    below = {node.id}
    stack = [node.id]
    while stack:
        for child in case.nodes[stack.pop()].children:
            if child not in below:
                below.add(child)
                stack.append(child)
    serials = {case.nodes[i].serial for i in below}
    wanted = any(read.serial in serials for read in case.evidence.reads)
    return bool(node.children) or wanted


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


# -- cycles ----------------------------------------------------------------------------


def cyclic(case: Case) -> Iterator[Finding]:
    """A node that is reached from itself."""
    cycle = _cycle(case)
    if cycle is None:
        return
    place = _rewiring(case) or case.made_at(max(cycle))
    around = " → ".join(case.name(i) for i in (*cycle[:5], cycle[0]))
    yield case.find(
        "cyclic-graph",
        f"The graph has a cycle{case.where(place)}: {around}. No node of it can be complete before "
        "it runs, so it has no topological order and no gradient.",
        "Let every operation make a new node, and never add a newer node to the children of an "
        "older one.",
        place,
        node=cycle[0],
    )


def _cycle(case: Case) -> list[int] | None:
    """The ids of a cycle, if there is one. O(nodes + edges)."""
    state = [0] * len(case.nodes)
    for start in range(len(case.nodes)):
        if state[start]:
            continue
        state[start] = 1
        path = [start]
        iterators = [iter(case.nodes[start].children)]
        while path:
            for child in iterators[-1]:
                if state[child] == 1:
                    return path[path.index(child) :]
                if state[child] == 0:
                    state[child] = 1
                    path.append(child)
                    iterators.append(iter(case.nodes[child].children))
                    break
            else:
                state[path.pop()] = 2
                iterators.pop()
    return None


def _rewiring(case: Case) -> Place | None:
    """The line that changes the operands of a node after it was made."""
    constructors = {
        (f.first_line, f.last_line)
        for f in case.evidence.functions
        if f.file == 0 and f.name in {"__init__", "__post_init__"}
    }
    for part in case.syntax.statements():
        if any(first <= part.lineno <= last for first, last in constructors):
            continue
        targets: list[ast.expr] = []
        if isinstance(part, ast.Assign):
            targets = part.targets
        elif isinstance(part, ast.AugAssign):
            targets = [part.target]
        elif (
            isinstance(part, ast.Expr)
            and isinstance(part.value, ast.Call)
            and isinstance(part.value.func, ast.Attribute)
            and part.value.func.attr in {"add", "append", "update", "extend", "insert"}
        ):
            targets = [part.value.func.value]
        if any(isinstance(t, ast.Attribute) and t.attr in CHILDREN for t in targets):
            owner = targets[0].value if isinstance(targets[0], ast.Attribute) else None
            if isinstance(owner, ast.Name) and owner.id in {"out", "result", "res"}:
                continue
            return Place(part.lineno)
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


RULES = (
    child_missing,
    merged,
    detached,
    odd_data,
    mutated,
    cyclic,
    wrong_forward,
    operators,
)
