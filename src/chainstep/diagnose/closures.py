"""Faults in what a node hands to its operands: overwritten, lost, or bound too late (CS1xx)."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case, Pass
    from chainstep.evidence import Function, Trial
    from chainstep.finding import Finding
    from chainstep.trace import Step

NOTHING_TO_HAND_OVER = ("detach", "stop", "no_grad", "clone", "copy", "item", "frozen", "const")
"""Parts of names of functions that make a Value without a gradient on purpose."""


# -- overwriting -----------------------------------------------------------------------


def overwrites(case: Case) -> Iterator[Finding]:
    """A write that stored without having read its target, while a `_backward` ran."""
    told: dict[tuple[int, int], list[tuple[Pass, int, Step]]] = defaultdict(list)
    for each in case.passes:
        trace = each.written if each.is_real else each.clean
        for number, step in enumerate(trace.steps if trace else ()):
            if step.kind is Kind.WRITE and step.assigns and step.target != step.node:
                told[step.file, step.line or 0].append((each, number, step))
    # Where something is really lost comes first: there one sees what the fault does.
    groups = sorted(((_lost(writes), writes) for writes in told.values()), key=_loses_nothing)
    for lost, writes in groups:
        in_closure = any(case.in_inner(step.line, step.file) for _, _, step in writes)
        if lost is None and not (in_closure or _in_backward(case, writes[0][2])):
            continue  # a driver that stores finished sums
        each, number, step = lost or writes[0]
        assert step.node is not None
        assert step.target is not None
        taker, giver = case.name(step.target), case.name(step.node)
        place = Place(step.line, step.file)
        message = (
            f"The _backward of {giver} stores the gradient of {taker} with ={case.where(place)}"
        )
        if lost is not None:
            message += (
                f": the {short(step.before or 0.0)} that {taker} had already is lost, and it keeps "
                f"{short(step.after or 0.0)}"
            )
        else:
            message += f": where {taker} is used twice, only its last use would count"
        yield case.find(
            "overwrite-grad",
            f"{message}.",
            "Add to the gradient, with +=, so that every use of a node counts.",
            place,
            at=(each.index, number),
            node=step.target,
        )


def _loses_nothing(group: tuple[tuple[Pass, int, Step] | None, object]) -> bool:
    return group[0] is None


def _lost(writes: list[tuple[Pass, int, Step]]) -> tuple[Pass, int, Step] | None:
    """The first of some writes that replaced what another one of the same pass had brought."""
    for each, number, step in writes:
        kept = each.base.get(step.target or 0, 0.0) if each.is_real else 0.0
        earlier = (each.written if each.is_real else each.clean) or None
        brought = earlier is not None and any(
            before.kind is Kind.WRITE and before.target == step.target
            for before in earlier.steps[:number]
        )
        if brought and step.before not in {0.0, kept}:
            return each, number, step
    return None


def _in_backward(case: Case, step: Step) -> bool:
    """Whether a write stands in a backward function that is a method."""
    backwards = {fact.backward for fact in case.evidence.classes}
    function = case.function(step.line, step.file)
    return function is not None and function.name in backwards


# -- nothing is handed over ------------------------------------------------------------


def hands_nothing_over(case: Case) -> Iterator[Finding]:
    """Operations whose nodes pass nothing back, by the reason."""
    if not case.evidence.checked:
        return
    states = {fact.node: fact.holds for fact in case.evidence.backwards}
    for node_id, each in _silent(case).items():
        function = case.maker(node_id)
        making = case.making.get(node_id)
        if function is None or making is None or _hands_over_elsewhere(case, function):
            continue
        holds = states.get(node_id, "function")
        early = _early(case, function)
        if early is not None and not _in_grad(case, node_id):
            yield _called_early(case, node_id, function, each, early)
        elif _in_grad(case, node_id):
            place = Place(_in_grad(case, node_id), making.file)
            yield case.find(
                "backward-in-grad",
                f"{case.name(node_id)} has its _backward in .grad{case.where(place)}: the gradient "
                "is a function now, and no _backward is there to be run.",
                "Store the function as out._backward.",
                place,
                at=(each.index, None),
                node=node_id,
            )
        elif function.inner and holds in {"default", "none", "absent"}:
            after = (part for part in function.inner if part[1] > making.line)
            name, first, last = next(after, function.inner[0])
            elsewhere = _attachment(case, function) if len(function.inner) == 1 else None
            place = Place(elsewhere or first, function.file)
            what = {"default": "that of a leaf", "none": "None"}.get(holds, "nothing")
            yield case.find(
                "backward-not-attached",
                f"{function.name} writes a {name} (lines {first} to {last}) but does not store it "
                f"on its result: {case.name(node_id)} keeps {what} and passes nothing on to "
                f"{case.names(case.nodes[node_id].children)}.",
                f"Store it before the return: out._backward = {name}.",
                place,
                at=(each.index, None),
                node=node_id,
            )
        elif holds in {"default", "none", "absent", "function"} and not function.inner:
            place = Place(making.line, making.file)
            yield case.find(
                "op-without-backward",
                f"{function.name or 'The operation'} makes {case.name(node_id)}"
                f"{case.where(place)} without a _backward: its gradient never goes on to "
                f"{case.names(case.nodes[node_id].children)}.",
                "Give the operation a _backward that adds local derivative times out.grad to each "
                "operand's gradient.",
                place,
                at=(each.index, None),
                node=node_id,
            )


def left_off_the_tape(case: Case) -> Iterator[Finding]:
    """Operations of an engine with a tape whose closure is not on it."""
    if any(fact.backward for fact in case.evidence.classes):
        return
    has_tape = any(any(point.linked) for trial in case.evidence.trials for point in trial.points)
    for trial in case.evidence.trials if has_tape else ():
        function = case.function(trial.line, trial.file)
        if function is None or not function.inner or not is_cut_off(trial):
            continue
        name, first, last = function.inner[0]
        place = Place(first, trial.file)
        yield case.find(
            "backward-not-attached",
            f"{function.name} writes a {name} (lines {first} to {last}) but keeps it nowhere: it "
            "is never run, and nothing is passed on to its operands.",
            "Keep it where the other operations keep theirs before the return.",
            place,
            node=next(case.made_by(trial), None),
        )


def unknown_to_the_driver(case: Case) -> Iterator[Finding]:
    """Operations that the engine's own `backward()`, where all its rules stand, passes over."""
    driven = [
        trial
        for trial in case.evidence.trials
        if trial.points and not any(point.doubled for point in trial.points)
    ]
    if not any(_brings_something(trial) for trial in driven):
        return
    for trial in driven:
        linked = any(all(point.linked) for point in trial.points)
        depends = any(slope for point in trial.points for slope in point.central)
        if _brings_something(trial) or not linked or not depends:
            continue
        node_id = next(case.made_by(trial), None)
        making = None if node_id is None else case.making.get(node_id)
        place = Place(trial.line, trial.file)
        if making is not None:
            place = Place(making.line, making.file)
        yield case.find(
            "op-without-backward",
            f"{trial.name}{case.where(place)} has no rule in backward(): the gradient of its "
            "result never goes on to its operands.",
            "Give backward() a rule for it: local derivative times the gradient of the result.",
            place,
            node=node_id,
        )


def _brings_something(trial: Trial) -> bool:
    return any(slope for point in trial.points for slope in point.slopes)


def is_cut_off(trial: Trial) -> bool:
    """Whether a result depends on its operands, and neither records nor reaches any of them."""
    points = [point for point in trial.points if not any(point.changed)]
    return (
        trial.returns == "value"
        and any(slope for point in points for slope in point.central)
        and not any(linked for point in points for linked in point.linked)
        and not any(slope is not None for point in points for slope in point.slopes)
    )


def _silent(case: Case) -> dict[int, Pass]:
    """Nodes with operands that wrote nothing when they were run, and the pass that shows it."""
    silent: dict[int, Pass] = {}
    heard: set[int] = set()
    for each in case.passes:
        if each.clean is None:
            continue
        ended = each.clean.steps
        last = ended[-1].node if each.clean.error is not None and ended else None
        for step in ended:
            if step.kind is Kind.WRITE and step.node is not None:
                heard.add(step.node)
            elif step.kind is Kind.CALL and step.node not in {None, last}:
                silent.setdefault(step.node or 0, each)
    return {
        node_id: each
        for node_id, each in silent.items()
        if case.nodes[node_id].children and node_id not in heard
    }


def _hands_over_elsewhere(case: Case, function: Function) -> bool:
    """Whether the same operation hands something over at another point, or is flat everywhere."""
    trials = case.trials_of(function)
    if function.inner and any(_is_silent(trial) for trial in trials):
        return False  # with operands of one kind it hands over, with those of another it does not
    points = [point for trial in trials for point in trial.points]
    if any(slope is not None for point in points for slope in point.slopes):
        return True
    flat = bool(points) and not any(slope for point in points for slope in point.central)
    return flat or any(part in function.name.lower() for part in NOTHING_TO_HAND_OVER)


def _is_silent(trial: Trial) -> bool:
    """Whether an operation depends on its operands everywhere, and never hands anything over."""
    return (
        trial.returns == "value"
        and len(trial.points) > 1
        and all(any(point.central) and all(point.linked) for point in trial.points)
        and not any(slope is not None for point in trial.points for slope in point.slopes)
    )


def _early(case: Case, function: Function) -> tuple[int, int] | None:
    """File and line of a write that a closure made while its node was still being made."""
    inner = [(first, last) for _, first, last in function.inner]
    for _, step in case.outside:
        line = step.line or 0
        if step.file == function.file and any(first <= line <= last for first, last in inner):
            return step.file, line
    return None


def _called_early(
    case: Case, node_id: int, function: Function, each: Pass, early: tuple[int, int]
) -> Finding:
    names = {name for name, _, _ in function.inner}
    line = early[1]
    if function.file == 0:
        for part in case.syntax.within(function.first_line, function.last_line):
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
                line = part.lineno if part.func.id in names else line
    place = Place(line, function.file)
    name = function.inner[0][0]
    return case.find(
        "backward-called-early",
        f"{function.name} calls {name}(){case.where(place)} while the node is being made, when "
        f"its gradient is still 0, and stores the None that comes back: {case.name(node_id)} has "
        "nothing to run later.",
        f"Store the function itself, without the brackets: out._backward = {name}.",
        place,
        at=(each.index, None),
        node=node_id,
    )


def _in_grad(case: Case, node_id: int) -> int | None:
    """The line that stored a function as a node's gradient."""
    serial = case.nodes[node_id].serial
    for odd in case.evidence.odd:
        if odd.serial == serial and odd.field == "grad" and "function" in odd.kind:
            return odd.call_line
    return None


def _attachment(case: Case, function: Function) -> int | None:
    """The line that stores a closure in another place than on the result."""
    if function.file:
        return None
    names = {name for name, _, _ in function.inner}
    for part in case.syntax.within(function.first_line, function.last_line):
        if isinstance(part, ast.Assign) and getattr(part.value, "id", None) in names:
            return part.lineno
    return None


# -- loops -----------------------------------------------------------------------------


def late_binding(case: Case) -> Iterator[Finding]:
    """Closures written in a loop whose variables all are what they were at its end."""
    sites: dict[tuple[int, int], list[int]] = defaultdict(list)
    for node_id, code in case.recording.codes.items():
        if case.nodes[node_id].children:
            sites[code.file, code.first_line].append(node_id)
    for (file, line), node_ids in sites.items():
        late = [node_id for node_id in node_ids if _is_late(case, node_id, node_ids)]
        one = _single(case, node_ids) if not late else None
        if not late and one is None:
            continue
        shown = late[0] if late else one
        assert shown is not None
        place = _shared_at(case, shown) or Place(line, file)
        code = case.recording.codes[shown]
        bound = {name: of for name, of in code.names if of != shown}
        listed = " and ".join(f"{name} is {case.name(of)}" for name, of in bound.items())
        yield case.find(
            "closure-late-binding",
            f"The _backward of {case.name(shown)}{case.where(place)} sees the variables of the "
            f"loop as they were at its end ({listed or 'the last turn'}), so the gradient goes to "
            f"the wrong node and {case.names(case.nodes[shown].children)} gets none.",
            "Bind them when the closure is made: write it in a function of its own that takes "
            "them as arguments, or give them as defaults (def _backward(x=x, out=out)).",
            place,
            node=shown,
        )


def _shared_at(case: Case, node_id: int) -> Place | None:
    """Where closures store that are not the node's own, but are run by it."""
    code = case.recording.codes[node_id]
    for each in case.passes:
        for step in each.clean_writes.get(node_id, ()):
            own = step.file == code.file and code.first_line <= (step.line or 0) <= code.last_line
            if step.line is not None and not own and case.in_inner(step.line, step.file):
                return Place(step.line, step.file)
    return None


def _is_late(case: Case, node_id: int, site: list[int]) -> bool:
    """Whether a node's closure is bound to what belongs to another one of the same place."""
    children = set(case.nodes[node_id].children)
    bound = {of for _, of in case.recording.codes[node_id].names if of != node_id}
    if not bound or bound & children or _is_copy(case, node_id, bound):
        return False
    return any(other != node_id and bound & {other, *case.nodes[other].children} for other in site)


def _is_copy(case: Case, node_id: int, bound: set[int]) -> bool:
    """Whether a node was copied from one that its function knows: copies share the function."""
    node = case.nodes[node_id]
    return node.line is None and any(
        other.line is not None and (other.op, len(other.children)) == (node.op, len(node.children))
        for other in (case.nodes[of] for of in bound)
    )


def _single(case: Case, site: list[int]) -> int | None:
    """A node whose closures, one per operand, all write to the same operand."""
    here = set(site)
    for each in case.passes:
        for node_id, writes in each.clean_writes.items():
            children = list(dict.fromkeys(case.nodes[node_id].children))
            if node_id not in here or len(children) < 2 or len(writes) < len(children):
                continue
            if {step.target for step in writes} == {children[-1]}:
                return node_id
    return None


RULES = (
    overwrites,
    hands_nothing_over,
    left_off_the_tape,
    unknown_to_the_driver,
    late_binding,
)
