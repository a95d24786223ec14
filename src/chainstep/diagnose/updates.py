"""Updates that are computed and change nothing (CS4xx)."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from chainstep.diagnose.case import Place, same
from chainstep.diagnose.syntax import FUNCTIONS, attributes, base, loaded, stored
from chainstep.figures import short

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chainstep.diagnose.case import Case
    from chainstep.finding import Finding
    from chainstep.graph import Node


def without_effect(case: Case) -> Iterator[Finding]:
    """Updates that are computed and then bound to a name that nobody uses."""
    if not case.written:
        return
    told: set[int] = set()
    names = {fact.grad for fact in case.evidence.classes}
    names |= {"grad"}
    data = {fact.data for fact in case.evidence.classes}
    for read in case.evidence.reads:
        node = case.by_serial.get(read.serial)
        if node is None or node.children or read.line in told or node.id not in case.reached:
            continue
        if any(not same(c.before, c.after) for c in case.changes.get(node.serial, ())):
            continue
        line = read.line
        what = _lost_update(case, line, names, data)
        if what is None:
            line = _update_of_copies(case, line, names, data) or line
            what = "changes a copy that is never stored back" if line != read.line else None
        if what is None or line in told or not _goes_on(case, read.line, node):
            continue
        told |= {read.line, line}
        place = Place(line)
        yield case.find(
            "update-has-no-effect",
            f"The update{case.where(place)} {what}, and {case.name(node.id)} keeps its data of "
            f"{short(node.data)}.",
            "Change the data of the parameter itself: p.data -= learning_rate * p.grad.",
            place,
            at=(min(read.pass_index, case.recording.passes) - 1, None)
            if read.pass_index
            else (None, None),
            node=node.id,
        )


def _update_of_copies(case: Case, line: int, grads: set[str], data: set[str]) -> int | None:
    """The line that updates numbers copied from Values by gradients copied in another line."""
    copied = case.syntax.statement(line)
    if not isinstance(copied, ast.Assign) or not attributes(copied.value, grads):
        return None
    scope = case.syntax.scope(line)
    assigned = [part for part in ast.walk(scope) if isinstance(part, ast.Assign)]
    numbers = {n for part in assigned if attributes(part.value, data) for n in stored(part)}
    back = [
        part for part in assigned for t in part.targets if attributes(t, data) and stored(copied)
    ]
    for part in ast.walk(scope):
        if isinstance(part, ast.AugAssign) and isinstance(part.target, (ast.Subscript, ast.Name)):
            target = getattr(part.target, "value", part.target)
            is_copy = isinstance(target, ast.Name) and target.id in numbers
            if is_copy and loaded(part.value) & stored(copied) and not back:
                return part.lineno
    return None


def _goes_on(case: Case, line: int, node: Node) -> bool:
    """Whether the same parameter is used again, or would be in the next turn of a loop."""
    runs = [each for each in case.written if node.id in each.reached]
    return len(runs) > 1 or case.syntax.loop(line) is not None or bool(runs)


def _lost_update(case: Case, line: int, grads: set[str], data: set[str]) -> str | None:
    """What a statement does with an updated number instead of storing it; None where it stores."""
    path = case.syntax.path(line)
    statement = path[-1] if path else None
    value = getattr(statement, "value", None)
    if not isinstance(value, ast.expr) or not attributes(value, grads):
        return None
    if isinstance(statement, ast.Expr):
        return "computes a new number and stores it nowhere" if _moves(value) else None
    if isinstance(statement, ast.AugAssign):
        is_update = isinstance(statement.op, (ast.Sub, ast.Add)) and _scales(value)
        targets = [statement.target] if is_update else []
    elif isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        targets = targets if any(_moves(part) for part in ast.walk(value)) else []
    else:
        return None
    owners = {base(each.value) for each in attributes(value, grads)}
    told = (_stored_in_vain(case, path, target, value, (owners, grads, data)) for target in targets)
    return next((what for what in told if what is not None), None)


def _moves(part: ast.AST) -> bool:
    """Whether an expression is a sum or a difference."""
    return isinstance(part, ast.BinOp) and isinstance(part.op, (ast.Sub, ast.Add))


def _scales(value: ast.expr) -> bool:
    return any(isinstance(part, ast.BinOp) for part in ast.walk(value))


def _stored_in_vain(
    case: Case,
    path: tuple[ast.stmt, ...],
    target: ast.expr | None,
    value: ast.expr,
    names: tuple[set[str], set[str], set[str]],
) -> str | None:
    """What becomes of an updated number that is stored in `target`; None where it may count."""
    owners, grads, data = names
    if isinstance(target, ast.Attribute):
        in_vain = target.attr not in grads | data and base(target.value) in owners
        return f"sets .{target.attr}, which is not the number" if in_vain else None
    if not isinstance(target, ast.Name):
        return None
    loop = _loop_names(path)
    if target.id in loop or (target.id in owners and target.id in _parameters(path)):
        return f"binds the name {target.id} to a new object"
    if isinstance(value, (ast.ListComp, ast.GeneratorExp)):
        return f"makes a new list {target.id}, and what is computed next uses the old parameters"
    if _holds_data(case, path[-1].lineno, target.id, data):
        return f"changes the variable {target.id} only"
    return None


def _loop_names(path: tuple[ast.stmt, ...]) -> set[str]:
    """The variables of the loops that a statement stands in."""
    found: set[str] = set()
    for statement in path:
        if isinstance(statement, (ast.For, ast.AsyncFor)):
            found |= {part.id for part in ast.walk(statement.target) if isinstance(part, ast.Name)}
    return found


def _parameters(path: tuple[ast.stmt, ...]) -> set[str]:
    """The parameters of the function that a statement stands in."""
    for statement in reversed(path):
        if isinstance(statement, FUNCTIONS):
            return {argument.arg for argument in statement.args.args}
    return set()


def _holds_data(case: Case, line: int, name: str, data: set[str]) -> bool:
    """Whether a variable is a copy of a Value's number that is not stored back."""
    scope = case.syntax.scope(line)
    copied = stored_back = False
    for part in ast.walk(scope):
        if not isinstance(part, ast.Assign):
            continue
        if any(isinstance(t, ast.Name) and t.id == name for t in part.targets):
            copied = copied or (isinstance(part.value, ast.Attribute) and part.value.attr in data)
        for target in part.targets:
            if isinstance(target, ast.Attribute) and target.attr in data:
                stored_back = stored_back or any(
                    isinstance(n, ast.Name) and n.id == name for n in ast.walk(part.value)
                )
    return copied and not stored_back


RULES = (without_effect,)
