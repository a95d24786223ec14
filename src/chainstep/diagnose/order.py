"""Faults in where a pass begins and in which order it runs (CS2xx)."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.diagnose.syntax import FUNCTIONS
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case, Pass
    from chainstep.finding import Finding
    from chainstep.trace import Step, Trace

DEEP = 120
"""From this length of a chain on a recursive function may meet Python's limit."""


def seed_missing(case: Case) -> Iterator[Finding]:
    """The root has no gradient of its own when its `_backward` runs."""
    for each in case.written:
        written = each.written
        assert written is not None
        calls = each.calls(each.root)
        upstream = written.steps[calls[0]].upstream if calls else None
        came = [
            step.after
            for step in written.steps[: calls[0] if calls else None]
            if step.target == each.root and step.after is not None
        ]
        held = came[-1] if came else written.initial.get(each.root, 0.0)
        is_zero = upstream == 0 if calls else held == 0
        if not is_zero or (written.error is not None and not calls):
            continue
        if not calls and not each.inner:
            continue  # there was nothing to run
        place = case.driver_place(each)
        late = [step for step in written.steps if step.kind is Kind.SEED and step.after]
        when = " before it runs" if late else ""
        yield case.find(
            "seed-missing",
            f"The gradient of the root {case.name(each.root)} is 0 when the pass"
            f"{_begun(case, written)} runs: nothing sets it to 1{when}, so every contribution "
            "is 0.",
            "Set self.grad = 1.0 in backward() before the first _backward runs.",
            place,
            at=(each.index, calls[0] if calls else None),
            node=each.root,
        )


def seed_everywhere(case: Case) -> Iterator[Finding]:
    """Nodes other than the root begin with a gradient of 1."""
    seen: set[int] = set()
    for each in case.written:
        written = each.written
        assert written is not None
        fresh = [i for i in each.reached if i != each.root and i not in seen]
        seen |= each.reached
        born = [i for i in fresh if written.initial.get(i) == 1.0 and each.base.get(i) == 1.0]
        if fresh and len(born) * 2 > len(fresh) and len(born) >= min(2, len(fresh)):
            place = _first_gradient(case)
            yield case.find(
                "seed-everywhere",
                f"{case.names(born)} begin the pass with a gradient of 1.0 instead of 0.0, so "
                "each ends at 1 too much, and passes that on.",
                "Let every gradient start at 0.0; only the root gets its 1, in backward().",
                place,
                at=(each.index, None),
                node=born[0],
            )
            return
        seeded = _seeded(each, written)
        if seeded and each.wrong:
            number, step = seeded[0]
            yield case.find(
                "seed-everywhere",
                f"The pass sets the gradient of {case.names(s.target or 0 for _, s in seeded)} to "
                f"1.0{case.where(Place(step.line, step.file))}, as if each of them were the root.",
                "Set only the root's gradient to 1, once, before the pass begins.",
                Place(step.line, step.file),
                at=(each.index, number),
                node=step.target,
            )
            return


def _seeded(each: Pass, written: Trace) -> list[tuple[int, Step]]:
    """The stores of a 1 into other nodes than the root while the pass is on."""
    return [
        (number, step)
        for number, step in enumerate(written.steps)
        if step.kind is Kind.OUTSIDE
        and step.after == 1.0
        and step.assigns
        and step.target in each.reached
        and step.target != each.root
    ]


def _first_gradient(case: Case) -> Place:
    """The line in which a constructor gives a Value its first gradient."""
    for fact in case.evidence.classes:
        if fact.grad_line is not None:
            return Place(fact.grad_line, fact.file)
    names = {fact.grad for fact in case.evidence.classes}
    for part in case.syntax.statements():
        if isinstance(part, ast.AnnAssign) and getattr(part.target, "id", None) in names:
            return Place(part.lineno)
    lines = [fact.line for fact in case.evidence.classes]
    return Place(lines[0] if lines else None)


def wrong_order(case: Case) -> Iterator[Finding]:
    """Nodes that ran before all their consumers had, more than once, or not at all."""
    for each in case.written:
        if each.written is None or each.written.error is not None or not each.wrong:
            continue
        found = (
            _appends_root(case, each)
            or _not_reversed(case, each)
            or _incomplete(case, each)
            or _never_run(case, each)
        )
        if found is not None:
            yield found
            return


def _appends_root(case: Case, each: Pass) -> Finding | None:
    """The root ran again and again, and nothing else with operands did."""
    assert each.written is not None
    calls = each.calls(each.root)
    others = [i for i in each.inner if i != each.root]
    called = [i for i in others if each.calls(i)]
    if len(calls) < 2 or (called and len(called) == len(others)):
        return None
    if called or (not others and len(each.reached) < 2):
        return None
    driver = case.driver_place(each)
    place = _append_line(case, _calling_line(case, each, each.written.steps[calls[1]])) or driver
    missing = f", and {case.names(others)} never" if others else ""
    return case.find(
        "topo-appends-self",
        f"The _backward of the root {case.name(each.root)} runs {len(calls)} times{missing}: the "
        f"sort{case.where(place)} appends the root for each node that it visits.",
        "Append the node that is being visited (topo.append(v)), not self.",
        place,
        at=(each.index, calls[1]),
        node=each.root,
    )


def _append_line(case: Case, calling: Place) -> Place | None:
    """The line of the sort that appends what it was begun with: `self`, or the root by its name."""
    functions = [
        part
        for part in case.syntax.path(calling.line if calling.file == 0 else None)
        if isinstance(part, FUNCTIONS)
    ]
    for function in functions:
        begun_with = {argument.arg for argument in function.args.args}
        for part in ast.walk(function):
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and part.func.attr in {"append", "insert", "appendleft", "add"}
                and any(isinstance(a, ast.Name) and a.id in begun_with for a in part.args)
                and not _marks_only(part)
            ):
                return Place(part.lineno)
    return None


def _marks_only(call: ast.Call) -> bool:
    """Whether a call only notes what has been visited."""
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    return isinstance(owner, ast.Name) and owner.id in {"visited", "seen", "done"}


def _not_reversed(case: Case, each: Pass) -> Finding | None:
    """Every node ran before its consumers."""
    first = {i: each.calls(i)[0] for i in each.inner if each.calls(i)}
    if len(first) < 2 or len(first) < len(each.inner):
        return None
    pairs = [
        (first[child], first[node_id])
        for node_id in first
        for child in case.nodes[node_id].children
        if child in first and child != node_id
    ]
    if not pairs or any(child > consumer for child, consumer in pairs):
        return None
    step = each.written.steps[first[each.root]] if each.written else None
    place = _calling_line(case, each, step)
    loop = case.syntax.outer_loop(place.line) if place.file == 0 else None
    place = Place(loop.lineno) if loop is not None else place
    earliest = min(first, key=lambda i: first[i])
    return case.find(
        "order-not-reversed",
        f"The pass runs from the leaves to the root{case.where(place)}: {case.name(earliest)} runs "
        f"first, while its gradient is still 0, and the root {case.name(each.root)} runs last.",
        "Walk the topological list from its end: for v in reversed(topo).",
        place,
        at=(each.index, first[earliest]),
        node=earliest,
    )


def _incomplete(case: Case, each: Pass) -> Finding | None:
    """A node passed its gradient on and got another contribution afterwards."""
    assert each.written is not None
    for number, step in enumerate(each.written.steps):
        node_id = step.target
        if step.kind is not Kind.WRITE or node_id is None or not case.nodes[node_id].children:
            continue
        calls = [call for call in each.calls(node_id) if call < number]
        if not calls or step.node == node_id or step.contribution == 0:
            continue
        again = [call for call in each.calls(node_id) if call > number]
        call = (again or calls)[0]
        place = _calling_line(case, each, each.written.steps[call])
        had = each.written.steps[calls[0]].upstream or 0.0
        more = " and again later, with what it had passed on before" if again else ""
        return case.find(
            "order-recursive",
            f"{case.name(node_id)} passes its gradient on{case.where(place)} when it is "
            f"{short(had)}, before {case.name(step.node or 0)} has given its share{more}.",
            "Sort first: a node may run only after all nodes that use it. Walk a reversed "
            "topological list instead of recursing.",
            place,
            at=(each.index, call),
            node=node_id,
        )
    return None


def _never_run(case: Case, each: Pass) -> Finding | None:
    """A node got a gradient and never passed it on, or did so more than once."""
    assert each.written is not None
    final = each.written.final
    for node_id in reversed(each.inner):
        calls = each.calls(node_id)
        if len(calls) > 1 and node_id in each.reached:
            place = _calling_line(case, each, each.written.steps[calls[1]])
            return case.find(
                "order-recursive",
                f"{case.name(node_id)} runs {len(calls)} times in one pass{case.where(place)}, and "
                "passes the same gradient on each time.",
                "Visit every node once, in reversed topological order.",
                place,
                at=(each.index, calls[1]),
                node=node_id,
            )
        is_silent = each.clean is None or node_id not in each.clean_writes
        if not calls and final.get(node_id, 0.0) != 0 and not is_silent:
            if _has_twin(case, each, node_id) or not any(each.calls(i) for i in each.inner):
                continue
            place = case.driver_place(each)
            return case.find(
                "order-recursive",
                f"{case.name(node_id)} gets a gradient of {short(final[node_id])} and never passes "
                f"it on: the pass ends without having run its _backward.",
                "Run every node that the root reaches once, after all that use it.",
                place,
                at=(each.index, None),
                node=node_id,
            )
    return None


def _has_twin(case: Case, each: Pass, node_id: int) -> bool:
    """Whether another node with the same number was run: see the rule on nodes that are equal."""
    data = case.nodes[node_id].data
    return any(i != node_id and case.nodes[i].data == data for i in each.reached)


def _calling_line(case: Case, each: Pass, step: Step | None) -> Place:
    """The line that ran a node's `_backward`: as recorded, else that of its first write."""
    if step is not None and step.line is not None:
        return Place(step.line, step.file)
    if step is not None and each.written is not None:
        for write in each.written.steps:
            if write.kind is Kind.WRITE and write.node == step.node and write.line is not None:
                return Place(write.line, write.file)
    return case.driver_place(each)


def _begun(case: Case, written: Trace) -> str:
    spot = case.recording.cells.spot
    return f" of {spot(written.line)}" if written.line is not None else ""


def recursion_limit(case: Case) -> Iterator[Finding]:
    """A recursive function met Python's limit on a deep graph."""
    for failure in case.evidence.failures:
        if failure.kind != "RecursionError" and "RecursionError" not in failure.bases:
            continue
        depth, node_id = _depth(case)
        if depth < DEEP:
            return
        own = [frame for frame in failure.frames if frame.file == 0]
        lines = Counter(frame.line for frame in own if own.count(frame) > 2)
        calling = [frame.line for frame in own if not frame.in_class]
        place = Place(calling[-1] if calling else None)
        if lines:  # what repeats is the call of itself
            place = Place(lines.most_common(1)[0][0])
        name = failure.frames[-1].function if failure.frames else "The sort"
        yield _too_deep(case, name, place, depth, (failure.pass_index, None), node_id)
        return
    for each in case.written:
        assert each.written is not None
        error = each.written.error
        if error is not None and error.message.startswith("RecursionError"):
            depth, node_id = _depth(case)
            if depth >= DEEP:
                place = Place(_own_call(case, error.line) or each.written.line)
                yield _too_deep(case, "The sort", place, depth, (each.index, None), node_id)
                return


def _own_call(case: Case, line: int | None) -> int | None:
    """The line in which the function around a line calls itself."""
    scope = case.syntax.scope(line)
    name = getattr(scope, "name", None)
    for part in ast.walk(scope):
        if isinstance(part, ast.Call):
            called = part.func
            if getattr(called, "id", getattr(called, "attr", None)) == name is not None:
                return part.lineno
    return line


def _too_deep(
    case: Case,
    name: str,
    place: Place,
    depth: int,
    at: tuple[int | None, int | None],
    node_id: int | None,
) -> Finding:
    return case.find(
        "recursion-limit",
        f"{name} calls itself once per node{case.where(place)}, and the graph is {depth} nodes "
        "deep: Python allows about 1000 calls inside one another.",
        "Sort with a stack of your own instead of recursion, or make the chain shorter; "
        "sys.setrecursionlimit helps a little.",
        place,
        at=at,
        node=node_id,
    )


def _depth(case: Case) -> tuple[int, int | None]:
    """The length of the longest chain of nodes, and the node at its end. O(nodes + edges)."""
    depth = [1] * len(case.nodes)
    for node in case.nodes:  # operands come first, but for those of a cycle
        for child in node.children:
            if child < node.id:
                depth[node.id] = max(depth[node.id], depth[child] + 1)
    deepest = max(depth, default=0)
    return deepest, depth.index(deepest) if depth else None


RULES = (seed_missing, seed_everywhere, wrong_order, recursion_limit)
