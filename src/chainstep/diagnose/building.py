"""Faults in how the graph is built (CS3xx)."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.diagnose.closures import NOTHING_TO_HAND_OVER, is_cut_off
from chainstep.diagnose.syntax import FUNCTIONS, attributes
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case, Pass
    from chainstep.evidence import ClassFact, Trial
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
            operand = _left_out(case, node_id) or f"operand number {slot + 1}"
            yield _missing(case, place, trial.name, operand, None, node_id)
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


def _left_out(case: Case, node_id: int | None) -> str:
    """The name of a Value that a node's closure knows and that is none of its children."""
    code = case.recording.codes.get(node_id) if node_id is not None else None
    for _, bound in code.names if code is not None else ():
        if bound != node_id and bound not in case.nodes[node_id or 0].children:
            return case.name(bound)
    return ""


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
        if pair is None and fact is not None and fact.equals_all:
            pair = _left_out_of(each)
        if pair is None:
            continue
        lost, kept = pair
        place = _comparison(case, fact)
        if place is None:
            continue
        how = "by their numbers" if fact is None else f"by {_methods(fact)}"
        same = f"both {short(case.nodes[lost].data)},"
        if fact is not None and fact.equals_all:
            same = "which have different numbers,"
        yield case.find(
            "merged-by-value",
            f"Nodes are compared {how}{case.where(place)}, so {case.name(lost)} and "
            f"{case.name(kept)}, {same} count as one: "
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
    return _compared_by_key(case, names)


def _compared_by_key(case: Case, names: set[str]) -> Place | None:
    """A membership test of what a function of the program makes from a node's number."""
    keys = {
        part.name
        for part in case.syntax.statements()
        if isinstance(part, FUNCTIONS) and attributes(part, names)
    }
    for part in ast.walk(case.syntax.tree):
        if isinstance(part, ast.Compare) and isinstance(part.ops[0], (ast.In, ast.NotIn)):
            called = [c.func for c in ast.walk(part) if isinstance(c, ast.Call)]
            if any(getattr(f, "attr", getattr(f, "id", "")) in keys for f in called):
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


def _left_out_of(each: Pass) -> tuple[int, int] | None:
    """A node that never ran, and one that did, in a pass where every two nodes are equal."""
    for node_id in reversed(each.inner) if each.wrong else ():
        if not each.calls(node_id) and each.calls(each.root):
            return node_id, each.root
    return None


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
    calls, statements = case.syntax.flows(scope)
    needed = {name for call in calls if first <= call.first <= last for name in call.loaded}
    lines = set(range(first, last + 1))
    for _ in range(4):  # a number may go through a few variables
        for part in statements:
            if part.first <= line and part.stored & needed:
                needed |= part.loaded
                lines |= set(range(part.first, part.last + 1))
    for helper in case.syntax.statements():  # what a function of the program gives comes from it
        if isinstance(helper, FUNCTIONS) and helper.name in needed and helper is not scope:
            lines |= set(range(helper.lineno, (helper.end_lineno or helper.lineno) + 1))
    lines &= case.lines_of_data
    return [read for read in dict.fromkeys(reads) if read[1] in lines]


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


RULES = (child_missing, merged, detached, cyclic)
