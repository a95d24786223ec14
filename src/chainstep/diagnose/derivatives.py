"""Faults in the numbers that a node hands to its operands (CS1xx)."""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from chainstep.diagnose.case import Place, same
from chainstep.diagnose.truth import gradients_from, slopes_to
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case
    from chainstep.evidence import Trial
    from chainstep.finding import Finding

TOLERANCE = 1e-5
"""How far, relatively, a local derivative may be from the difference: some add 1e-8 on purpose."""

UNCERTAIN = 1e-3
"""A difference that may be off by more than this part of itself proves nothing."""


def ignores_upstream(case: Case) -> Iterator[Finding]:
    """Operations that hand over the same, whatever gradient comes to them."""
    for trial in case.evidence.trials:
        slots = [
            slot
            for point in trial.points
            if point.doubled and point.slopes
            for slot, (one, two) in enumerate(zip(point.slopes, point.doubled, strict=True))
            if one and two is not None and abs(one - two) <= TOLERANCE * abs(one)
        ]
        if not slots or _is_composite(case, trial):
            continue
        for slot in dict.fromkeys(slots):  # each may stand in a line of its own
            place, node_id, at = _written_at(case, trial, slot)
            yield case.find(
                "upstream-ignored",
                f"The _backward of {_spoken(trial)}{_shown(case, node_id)} hands over its local "
                f"derivative alone{case.where(place)}: it is the same for an upstream gradient of "
                "1 and of 2. The chain rule multiplies by out.grad.",
                "Multiply by out.grad in every line that writes a gradient.",
                place,
                at=at,
                node=node_id,
            )


def driver_ignores_upstream(case: Case) -> Iterator[Finding]:
    """An engine whose `backward()` adds the slopes without the gradient of the consumer."""
    for each in case.written:
        if each.written is None or not each.wrong:
            continue
        right = each.clean.final if each.clean is not None else gradients_from(case, each.root)
        for number, step in enumerate(each.written.steps):
            if step.target is None or number < each.start or step.kind is Kind.SEED:
                continue
            if step.kind is Kind.WRITE and step.slot is None:
                continue
            if case.in_inner(step.line, step.file):
                continue
            if step.kind is Kind.WRITE and same(step.upstream or 0.0, 1.0):
                continue  # with the gradient it had then, this was right
            brought = (step.after or 0.0) - (step.before or 0.0)
            givers = [
                giver
                for giver in case.consumers.get(step.target, ())
                if step.node in {None, giver}
                and any(same(brought, slope) for slope in slopes_to(case, giver, step.target))
                and not same((right or {}).get(giver, 0.0), 1.0)
            ]
            if givers and brought != 0:
                place = Place(step.line, step.file)
                yield case.find(
                    "upstream-ignored",
                    f"{case.name(step.target)} gets the local derivative {short(brought)} alone"
                    f"{case.where(place)}, although the gradient of {case.name(givers[0])} is "
                    f"{short((right or {}).get(givers[0], 0.0))}.",
                    "Multiply each local derivative by the gradient of the node it belongs to.",
                    place,
                    at=(each.index, number),
                    node=step.target,
                )
                return


def derivatives(case: Case) -> Iterator[Finding]:
    """Operations whose local derivative is not the slope of their own forward."""
    wrong = [(trial, pair) for trial in case.evidence.trials for pair in _mismatches(trial)]
    lines = {(trial.file, trial.line) for trial, _ in wrong}
    for trial, (slot, given, right, data, *_) in wrong:
        if _is_composite(case, trial):
            if not lines - {(trial.file, trial.line)}:
                yield from _cut(case, trial, given, right)
            continue
        place, node_id, at = _written_at(case, trial, slot)
        shown = next((i for i in case.made_by(trial) if _has_data(case, i, data)), None)
        operand = "its operand" if len(data) == 1 else f"its operand number {slot + 1}"
        where = f"at {', '.join(short(x) for x in data)}"
        if shown is not None:
            children = case.nodes[shown].children
            operand = case.name(children[slot])
            pairs = zip(children, data, strict=True)
            values = dict.fromkeys(f"{case.name(i)} = {short(x)}" for i, x in pairs)
            where = f"in {case.name(shown)}, at {', '.join(values)},"
        kind = "wrong-local-derivative"
        message = (
            f"The derivative of {_spoken(trial)} for {operand} is wrong{case.where(place)}: "
            f"{where} the _backward uses {short(given)}, but the result changes with a slope of "
            f"{short(right)}."
        )
        remedy = "Differentiate what the forward line computes, and use that times out.grad."
        if _gets_nothing(trial, slot):
            if all(_gets_nothing(trial, pair.slot) for pair in _mismatches(trial)):
                kind = "op-without-backward"
            message = (
                f"The _backward of {_spoken(trial)}{case.where(place)} gives nothing to {operand}: "
                f"{where} the result changes with a slope of {short(right)} in it."
            )
            remedy = (
                "Add the missing line: local derivative times out.grad, to the gradient of that "
                "operand."
            )
        yield case.find(
            kind,
            message,
            remedy,
            place,
            at=at,
            node=node_id if shown is None else shown,
        )


def _gets_nothing(trial: Trial, slot: int) -> bool:
    """Whether an operation never hands anything to an operand, wherever it was tried."""
    return all(point.slopes[slot] is None for point in trial.points if point.slopes)


def _has_data(case: Case, node_id: int, data: tuple[float, ...]) -> bool:
    """Whether a node was made from operands with these numbers."""
    children = case.nodes[node_id].children
    return len(children) == len(data) and all(
        same(case.nodes[child].data, x) for child, x in zip(children, data, strict=True)
    )


def _cut(case: Case, trial: Trial, given: float, right: float) -> Iterator[Finding]:
    """An operation whose parts are right, and that takes a bare number into one of them."""
    names = {fact.data for fact in case.evidence.classes}
    function = case.function(trial.line, trial.file)
    last = function.last_line if function is not None else trial.line
    taken = [
        part.lineno
        for part in case.syntax.within(trial.line, last)
        if trial.file == 0 and isinstance(part, ast.Attribute) and part.attr in names
    ]
    place = Place(taken[0] if taken else trial.line, trial.file)
    kind, why = "wrong-local-derivative", "although each of its parts is right"
    if taken:
        kind, why = "detached-graph", "since it computes with the bare number of an operand there"
    yield case.find(
        kind,
        f"{trial.name} hands over {short(given)}{case.where(place)}, where its result changes with "
        f"a slope of {short(right)}, {why}.",
        "Compute with the Values themselves, not with their .data.",
        place,
    )


def _mismatches(trial: Trial) -> Iterator[_Pair]:
    """What is handed over and the right slope, for each slot where they differ for sure."""
    compared: dict[int, int] = defaultdict(int)
    differ: dict[int, list[_Pair]] = defaultdict(list)
    for pair in _pairs(trial):
        compared[pair.slot] += 1
        if pair.differs:
            differ[pair.slot].append(pair)
    for slot, pairs in differ.items():
        own = [pair for pair in pairs if pair.is_own]
        # Some operations hold their operand off a border that this program never comes near.
        if own or 2 * len(pairs) > compared[slot]:
            yield (own or [max(pairs, key=lambda each: abs(each.given - each.right))])[0]


class _Pair(NamedTuple):
    """What an operation hands over through a slot at a point, and the slope of its forward."""

    slot: int
    given: float
    right: float
    data: tuple[float, ...]
    differs: bool
    is_own: bool


def _pairs(trial: Trial) -> Iterator[_Pair]:
    """Whatever of a trial can be compared."""
    if not any(slope for point in trial.points for slope in point.central):
        return  # rounding and steps: what they hand over is a matter of choice
    for number, point in enumerate(trial.points):
        told = [slope for slope in point.slopes if slope is not None]
        if not told or (not point.doubled and not any(told)):
            continue  # the engine's own pass, which brought nothing: that is another fault
        for slot, (handed, right) in enumerate(zip(point.slopes, point.central, strict=True)):
            given = handed or 0.0
            scale = max(abs(right or 0.0), abs(given), 1e-2)
            if right is None or not point.linked[slot] or point.error > UNCERTAIN * scale:
                continue
            off = abs(given - right)
            differs = math.isnan(given) or off > TOLERANCE * scale + 10 * point.error
            yield _Pair(slot, given, right, point.data, differs, number < trial.own)


def _is_composite(case: Case, trial: Trial) -> bool:
    """Whether a function leaves some of the work to another one that was tried too."""
    for line in trial.uses:
        function = case.function(line, trial.file)
        if function is None or function.first_line == trial.line:
            continue
        if (function.file, function.first_line) in case.trials:
            return True
    return False


def _written_at(
    case: Case, trial: Trial, slot: int
) -> tuple[Place, int | None, tuple[int | None, int | None]]:
    """Where an operation writes the gradient of an operand, and a node and step that show it."""
    for node_id in case.made_by(trial):
        for each in case.passes:
            for trace in (each.written if each.is_real else None, each.clean):
                for number, step in enumerate(trace.steps if trace else ()):
                    if step.kind is Kind.WRITE and step.node == node_id and step.slot == slot:
                        place = Place(step.line, step.file)
                        at = (each.index, number if trace is each.written else None)
                        known = each.clean is not None or node_id in case.recording.codes
                        if step.line is None or (known and _is_driver(case, node_id, place)):
                            place = _formula_at(case, node_id)
                        return place, node_id, at
    for node_id in case.made_by(trial):
        return _formula_at(case, node_id), node_id, (None, None)
    if trial.backward:
        return Place(trial.backward[1], trial.backward[0]), None, (None, None)
    return Place(trial.line, trial.file), None, (None, None)


def _is_driver(case: Case, node_id: int, place: Place) -> bool:
    """Whether a line belongs to what runs the whole pass, not to the operation of one node."""
    code = case.recording.codes.get(node_id)
    within = code is not None and code.first_line <= (place.line or 0) <= code.last_line
    if case.in_inner(place.line, place.file) or (
        code is not None and within and code.file == place.file
    ):
        return False
    function = case.function(place.line, place.file)
    backwards = {fact.backward for fact in case.evidence.classes}
    return function is None or function.name not in backwards


def _formula_at(case: Case, node_id: int) -> Place:
    """Where the derivative of a node stands: its backward, else the call that made it."""
    code = case.recording.codes.get(node_id)
    if code is not None:
        return Place(code.first_line, code.file)
    making = case.making[node_id]
    return Place(making.line, making.file)


def _shown(case: Case, node_id: int | None) -> str:
    return "" if node_id is None else f", which made {case.name(node_id)},"


def _spoken(trial: Trial) -> str:
    return f"{trial.name} ({trial.op})" if trial.op and trial.op != trial.name else trial.name


RULES = (ignores_upstream, driver_ignores_upstream, derivatives)
