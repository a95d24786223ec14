"""Faults in the numbers that a node hands to its operands (CS1xx)."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place, same
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case
    from chainstep.evidence import Trial
    from chainstep.finding import Finding
    from chainstep.trace import Trace

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
            if point.doubled
            for slot, (one, two) in enumerate(zip(point.slopes, point.doubled, strict=True))
            if one and two is not None and abs(one - two) <= TOLERANCE * abs(one)
        ]
        if not slots or _is_composite(case, trial):
            continue
        place, node_id, at = _written_at(case, trial, slots[0])
        yield case.find(
            "upstream-ignored",
            f"The _backward of {_spoken(trial)} hands over its local derivative alone"
            f"{case.where(place)}: it is the same for an upstream gradient of 1 and of 2. The "
            "chain rule multiplies by out.grad.",
            "Multiply by out.grad in every line that writes a gradient.",
            place,
            at=at,
            node=node_id,
        )


def driver_ignores_upstream(case: Case) -> Iterator[Finding]:
    """An engine whose `backward()` adds the slopes without the gradient of the consumer."""
    for each in case.written:
        if each.clean is None or each.written is None or not each.wrong:
            continue
        slopes = _slopes(each.clean)
        upstream = {s.node: s.upstream for s in each.clean.steps if s.kind is Kind.CALL}
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
                and any(same(brought, slope) for slope in slopes.get((giver, step.target), ()))
                and not same(upstream.get(giver) or 0.0, 1.0)
            ]
            if givers and brought != 0:
                place = Place(step.line, step.file)
                yield case.find(
                    "upstream-ignored",
                    f"{case.name(step.target)} gets the local derivative {short(brought)} alone"
                    f"{case.where(place)}, although the gradient of {case.name(givers[0])} is "
                    f"{short(upstream[givers[0]] or 0.0)}.",
                    "Multiply each local derivative by the gradient of the node it belongs to.",
                    place,
                    at=(each.index, number),
                    node=step.target,
                )
                return


def _slopes(trace: Trace) -> dict[tuple[int, int], list[float]]:
    found: dict[tuple[int, int], list[float]] = defaultdict(list)
    for step in trace.steps:
        if step.kind is Kind.WRITE and step.local is not None:
            found[step.node or 0, step.target or 0].append(step.local)
    return found


def derivatives(case: Case) -> Iterator[Finding]:
    """Operations whose local derivative is not the slope of their own forward."""
    wrong = {}
    for trial in case.evidence.trials:
        found = _mismatch(trial)
        if found is not None:
            wrong[trial] = found
    lines = {(trial.file, trial.line) for trial in wrong}
    for trial, (slot, given, right, data) in wrong.items():
        if _is_composite(case, trial) and lines - {(trial.file, trial.line)}:
            continue
        place, node_id, at = _written_at(case, trial, slot)
        operand = "its operand" if len(data) == 1 else f"its operand number {slot + 1}"
        numbers = ", ".join(short(x) for x in data)
        yield case.find(
            "wrong-local-derivative",
            f"The derivative of {_spoken(trial)} for {operand} is wrong{case.where(place)}: at "
            f"{numbers} the _backward uses {short(given)}, but the result changes with a slope of "
            f"{short(right)}.",
            "Differentiate what the forward line computes, and use that times out.grad.",
            place,
            at=at,
            node=node_id,
        )


def _mismatch(trial: Trial) -> tuple[int, float, float, tuple[float, ...]] | None:
    """Slot, what is handed over, the right slope and the point, where they differ for sure."""
    compared: dict[int, int] = defaultdict(int)
    own: set[int] = set()
    differ: dict[int, list[tuple[float, float, tuple[float, ...]]]] = defaultdict(list)
    if not any(slope for point in trial.points for slope in point.central):
        return None  # rounding and steps: what they hand over is a matter of choice
    for number, point in enumerate(trial.points):
        if not any(slope is not None for slope in point.slopes):
            continue
        for slot, (given, right) in enumerate(zip(point.slopes, point.central, strict=True)):
            if right is None or not point.linked[slot]:
                continue
            handed = given or 0.0
            scale = max(abs(right), abs(handed), 1e-2)
            if point.error > UNCERTAIN * scale:
                continue
            compared[slot] += 1
            off = abs(handed - right)
            if math.isnan(handed) or off > TOLERANCE * scale + 10 * point.error:
                differ[slot].append((handed, right, point.data))
                own |= {slot} if number < trial.own else set()
    for slot, points in differ.items():
        # Some operations hold their operand off a border that this program never comes near.
        if slot in own or 2 * len(points) > compared[slot]:
            return (slot, *max(points, key=lambda each: abs(each[0] - each[1])))
    return None


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
                        if step.line is None or _is_driver(case, place):
                            place = _formula_at(case, node_id)
                        return place, node_id, at
    for node_id in case.made_by(trial):
        return _formula_at(case, node_id), node_id, (None, None)
    if trial.backward:
        return Place(trial.backward[1], trial.backward[0]), None, (None, None)
    return Place(trial.line, trial.file), None, (None, None)


def _is_driver(case: Case, place: Place) -> bool:
    """Whether a line belongs to what runs the whole pass, not to one operation."""
    if case.in_inner(place.line, place.file):
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


def _spoken(trial: Trial) -> str:
    return f"{trial.name} ({trial.op})" if trial.op and trial.op != trial.name else trial.name


RULES = (ignores_upstream, driver_ignores_upstream, derivatives)
