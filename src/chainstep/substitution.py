"""Whether our Value can stand in for the class that a program defines itself.

Read from the text alone, before anything runs: which class it is, and whether what the program
does with it outside the class works with ours as well.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from chainstep.engine import Value
from chainstep.errors import ProgramError

if TYPE_CHECKING:
    from collections.abc import Iterator

ARITHMETIC = {"__add__", "__mul__"}
KEYWORDS = {"data", "label", "_children", "_op"}
"""Arguments that our constructor takes by name."""
GRADIENT = "grad"


def value_class(text: str) -> str:
    """The name of the class that our Value can stand in for.

    Raises:
        ProgramError: There is none, or several, or the program uses it as ours cannot be used.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError) as error:
        raise ProgramError(f"The program cannot be read: {error}. Mend it first.") from None
    found = [node for node in tree.body if isinstance(node, ast.ClassDef) and _is_value(node)]
    if not found:
        raise ProgramError("The program defines no Value class of its own that could be replaced.")
    if len(found) > 1:
        names = " and ".join(node.name for node in found)
        raise ProgramError(f"The program defines {names}; only one class can be replaced.")
    refusal = next(_refusals(found[0], tree), "")
    if refusal:
        raise ProgramError(refusal)
    return found[0].name


def _is_value(node: ast.ClassDef) -> bool:
    methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    mentions = any(isinstance(n, ast.Attribute) and n.attr == GRADIENT for n in ast.walk(node))
    return mentions and bool(methods & ARITHMETIC)


def _refusals(cls: ast.ClassDef, tree: ast.Module) -> Iterator[str]:
    """Why our Value cannot stand in for a class, one reason after another."""
    bases = [base for base in cls.bases if not (isinstance(base, ast.Name) and base.id == "object")]
    if cls.decorator_list or bases or cls.keywords:
        yield (
            f"{cls.name} (line {cls.lineno}) has a decorator or a base class, so ours cannot stand "
            "in for it."
        )
    inside = set(map(id, ast.walk(cls)))
    outside = [node for node in ast.walk(tree) if id(node) not in inside]
    for node in outside:
        if isinstance(node, ast.Call) and _names(node.func, cls.name):
            yield from _call_refusals(node, cls)
    strange = _attributes(cls) - {*dir(Value)}
    for node in outside:
        if isinstance(node, ast.Attribute) and node.attr in strange:
            yield f"Line {node.lineno} uses .{node.attr} of {cls.name}, which our Value has not."


def _names(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _call_refusals(call: ast.Call, cls: ast.ClassDef) -> Iterator[str]:
    unknown = [word.arg or "**" for word in call.keywords if word.arg not in KEYWORDS]
    if unknown:
        yield (
            f"Line {call.lineno} makes a {cls.name} with {unknown[0]}=, which our Value does not "
            "take."
        )
    if len(call.args) > 1 or any(isinstance(argument, ast.Starred) for argument in call.args):
        yield (
            f"Line {call.lineno} makes a {cls.name} from more than a number, which our Value may "
            "take otherwise. Name the arguments after the first."
        )


def _attributes(cls: ast.ClassDef) -> set[str]:
    """What instances of a class have: what is set on `self`, and its methods."""
    stored = {
        node.attr
        for node in ast.walk(cls)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
    }
    return stored | {part.name for part in cls.body if isinstance(part, ast.FunctionDef)}
