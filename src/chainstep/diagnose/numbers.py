"""What the numbers themselves say (CS5xx)."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place
from chainstep.figures import short
from chainstep.trace import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case
    from chainstep.evidence import Failure
    from chainstep.finding import Finding
    from chainstep.graph import Node

FLAT = 1e-3
"""A local derivative below this lets almost nothing through."""

NUMERIC = frozenset({"ZeroDivisionError", "OverflowError", "FloatingPointError"})


def units(case: Case) -> Iterator[Finding]:
    """Relus that are off, and units that are flat, on every node of a line."""
    slopes = _slopes(case)
    by_line: dict[tuple[int | None, str], list[Node]] = defaultdict(list)
    for node in case.nodes:
        if node.id in case.reached and len(node.children) == 1:
            name = _unit(case, node)
            if name:
                by_line[node.line, name].append(node)
    for (line, name), nodes in by_line.items():
        place = Place(line)
        if name == "relu":
            if all(_is_off(case, node) and slopes.get(node.id) == 0 for node in nodes):
                node = nodes[-1]
                child = case.nodes[node.children[0]]
                yield case.find(
                    "dead-unit",
                    f"The relu {case.name(node.id)}{case.where(place)} is off: its operand "
                    f"{case.name(child.id)} is {short(child.data)}, so nothing flows through it "
                    "and everything before it gets 0. That is right.",
                    "Nothing is wrong with the gradient. Start with other weights or a larger bias "
                    "if the unit is to learn.",
                    place,
                    node=node.id,
                )
            continue
        flat = [node for node in nodes if _slope(name, node.data) < FLAT]
        if flat and len(flat) == len(nodes):
            node = flat[0]
            slope = short(_slope(name, node.data))
            yield case.find(
                "saturated-unit",
                f"The {name} {case.name(node.id)}{case.where(place)} is saturated: it gives "
                f"{short(node.data)}, its local derivative is {slope}, and almost no gradient gets "
                "through. That is right.",
                "Nothing is wrong with the gradient. Use smaller weights or inputs if the unit is "
                "to learn.",
                place,
                node=node.id,
            )


def _slopes(case: Case) -> dict[int, float]:
    """Local derivatives of the nodes with one operand, from the clean passes."""
    found: dict[int, float] = {}
    for each in case.passes:
        for step in each.clean.steps if each.clean is not None else ():
            if step.kind is Kind.WRITE and step.node is not None and step.local is not None:
                found[step.node] = step.local
            elif step.kind is Kind.CALL and step.node is not None:
                found.setdefault(step.node, 0.0)  # one that is off may write nothing at all
    return found


def _unit(case: Case, node: Node) -> str:
    """`relu`, `tanh`, `sigmoid` or nothing, by the op or the function that made a node."""
    function = case.maker(node.id)
    names = (node.op.lower(), function.name.lower().strip("_") if function is not None else "")
    for name in names:
        if "relu" in name and "leaky" not in name:
            return "relu"
        if name in {"tanh", "sigmoid", "logistic", "σ"}:
            return name
    return ""


def _slope(name: str, out: float) -> float:
    """How steep a unit is where it gives `out`."""
    return abs((1 - out) * (1 + out) if name == "tanh" else out * (1 - out))


def _is_off(case: Case, node: Node) -> bool:
    return node.data == 0 and case.nodes[node.children[0]].data <= 0


def births(case: Case) -> Iterator[Finding]:
    """The first node that is inf or nan although its operands are not."""
    for node in case.nodes:
        if math.isfinite(node.data) or not _counts(case, node) or _is_odd(case, node):
            continue
        operands = [case.nodes[child].data for child in node.children]
        if operands and all(math.isfinite(x) for x in operands):
            listed = ", ".join(
                f"{case.name(i)} = {short(case.nodes[i].data)}" for i in node.children
            )
            place = case.made_at(node.id)
            yield case.find(
                "nan-source",
                f"{case.name(node.id)} becomes {short(node.data)}{case.where(place)}, although its "
                f"operands are finite ({listed}): everything computed from it is wrong or hides "
                "it.",
                "Keep the operands where the operation is defined: a positive number for log, no 0 "
                "for a division, a bounded one for exp.",
                place,
                node=node.id,
            )
            return
        if operands and math.isnan(node.data) and not any(math.isnan(x) for x in operands):
            place = case.made_at(node.id)
            yield case.find(
                "nan-source",
                f"{case.name(node.id)} becomes nan{case.where(place)}: an operand is infinite.",
                "Keep the operands finite.",
                place,
                node=node.id,
            )
            return
        if not operands and math.isnan(node.data):
            place = case.made_at(node.id)
            yield case.find(
                "nan-source",
                f"{case.name(node.id)} is nan from the start{case.where(place)}.",
                "Find out where that number comes from; nan in the data makes everything nan.",
                place,
                node=node.id,
            )
            return
    yield from _in_backward(case)


def _counts(case: Case, node: Node) -> bool:
    """Whether a node belongs to a pass, or was made on the way to one."""
    return node.id in case.reached or bool(case.consumers.get(node.id)) or bool(node.children)


def _is_odd(case: Case, node: Node) -> bool:
    return any(odd.serial == node.serial for odd in case.evidence.odd)


def _in_backward(case: Case) -> Iterator[Finding]:
    """A contribution that is inf or nan although all that it comes from is finite."""
    for each in case.passes:
        trace = each.written if each.is_real else each.clean
        for number, step in enumerate(trace.steps if trace else ()):
            if step.kind is not Kind.WRITE or step.node is None or step.contribution is None:
                continue
            if math.isfinite(step.contribution) or not math.isfinite(step.upstream or 0.0):
                continue
            node = case.nodes[step.node]
            data = (node.data, *(case.nodes[child].data for child in node.children))
            if all(math.isfinite(x) for x in data):
                place = case.made_at(node.id)
                target = case.name(step.target or 0)
                yield case.find(
                    "nan-source",
                    f"The gradient of {target} becomes {short(step.contribution)} in the backward "
                    f"pass: the slope of {case.name(node.id)}{case.where(place)} is not finite at "
                    f"{', '.join(short(x) for x in data[1:])}.",
                    "Keep away from the edge of the operation, such as a root or a logarithm of 0.",
                    place,
                    at=(each.index, number),
                    node=node.id,
                )
                return


def errors(case: Case) -> Iterator[Finding]:
    """Arithmetic that Python refuses, in the forward computation or in a closure."""
    for failure in case.evidence.failures:
        if _is_numeric(failure) and failure.pass_index is None:
            in_class = any(frame.in_class for frame in failure.frames)
            own = [frame for frame in failure.frames if frame.file == 0 and not frame.in_class]
            place = Place(own[-1].line if own else None)
            if in_class or _speaks_of_data(case, place):
                name = failure.frames[-1].function if in_class else "An expression"
                yield case.find(
                    "numeric-error-forward",
                    f"{name} fails while the value is computed{case.where(place)}: "
                    f"{failure.kind}: {failure.message}.",
                    "Keep the operands where the operation is defined, or test for the edge first.",
                    place,
                )
    told = False
    for each in case.written:
        error = each.written.error if each.written is not None else None
        if error is None or told or each.written is None:
            continue
        kind, _, message = error.message.partition(": ")
        if kind not in NUMERIC and "math domain" not in message and "math range" not in message:
            continue
        calls = [step for step in each.written.steps if step.kind is Kind.CALL]
        node_id = calls[-1].node if calls else None
        place = Place(error.line)
        name = "A node"
        if node_id is not None:
            name = case.name(node_id)
            place = case.made_at(node_id)
        told = True
        yield case.find(
            "numeric-error-backward",
            f"The _backward of {name}{case.where(place)} fails: {error.message}. Its derivative "
            "does not exist at that number, although the value does.",
            "Keep the operand away from that point, or give the closure a case for it.",
            place,
            at=(each.index, None),
            node=node_id,
        )


def _is_numeric(failure: Failure) -> bool:
    return failure.kind in NUMERIC or (
        failure.kind == "ValueError"
        and any(part in failure.message for part in ("math domain", "math range", "expected a"))
    )


def _speaks_of_data(case: Case, place: Place) -> bool:
    names = {fact.data for fact in case.evidence.classes}
    lines = case.recording.source.splitlines()
    line = lines[place.line - 1] if place.line and place.line <= len(lines) else ""
    return any(f".{name}" in line for name in names)


RULES = (units, births, errors)
