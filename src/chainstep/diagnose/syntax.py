"""The program's text as a tree: which statement a line belongs to, and what it is made of."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOPS = (ast.For, ast.While, ast.AsyncFor)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SETTING = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr, ast.For)


@dataclass(frozen=True, slots=True)
class Flow:
    """A statement or a call as a way that numbers take.

    Attributes:
        first: Its first line.
        last: The last line of what it takes numbers from.
        loaded: The variables that it reads.
        stored: The variables that it sets.
    """

    first: int
    last: int
    loaded: frozenset[str]
    stored: frozenset[str]

    @classmethod
    def of(cls, node: ast.stmt | ast.Call) -> Flow:
        """That of a statement, without those inside it; or of a call."""
        taken = node.iter if isinstance(node, ast.For) else node
        last = taken.end_lineno or node.lineno
        return cls(node.lineno, last, frozenset(loaded(taken)), frozenset(stored(node)))


class Syntax:
    """The tree of a program; empty where it cannot be parsed."""

    def __init__(self, source: str) -> None:
        try:
            self.tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.tree = ast.Module([], [])
        self._flows: dict[ast.AST, tuple[list[Flow], list[Flow]]] = {}

    @cached_property
    def _paths(self) -> list[tuple[ast.stmt, tuple[ast.stmt, ...]]]:
        """Every statement with those that it stands in, outermost first."""
        found: list[tuple[ast.stmt, tuple[ast.stmt, ...]]] = []
        stack: list[tuple[ast.AST, tuple[ast.stmt, ...]]] = [(self.tree, ())]
        while stack:
            node, above = stack.pop()
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    found.append((child, above))
                    stack.append((child, (*above, child)))
                elif not isinstance(child, ast.expr):
                    stack.append((child, above))
        return found

    def statement(self, line: int | None) -> ast.stmt | None:
        """The innermost statement that a line belongs to."""
        path = self.path(line)
        return path[-1] if path else None

    def path(self, line: int | None) -> tuple[ast.stmt, ...]:
        """The statements that a line belongs to, outermost first."""
        if line is None:
            return ()
        fits = [
            (*above, statement)
            for statement, above in self._paths
            if statement.lineno <= line <= (statement.end_lineno or statement.lineno)
        ]
        return max(fits, key=len, default=())

    def loop(self, line: int | None, kinds: tuple[type, ...] = LOOPS) -> ast.stmt | None:
        """The innermost loop that a line belongs to, in the same function."""
        for statement in reversed(self.path(line)):
            if isinstance(statement, kinds):
                return statement
            if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                return None
        return None

    def outer_loop(self, line: int | None) -> ast.stmt | None:
        """The outermost loop that a line belongs to, in the same function."""
        found = None
        for statement in reversed(self.path(line)):
            if isinstance(statement, LOOPS):
                found = statement
            elif isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                break
        return found

    def scope(self, line: int | None) -> ast.Module | ast.stmt:
        """The function, or the module, that a line belongs to."""
        for statement in reversed(self.path(line)):
            if isinstance(statement, FUNCTIONS):
                return statement
        return self.tree

    def flows(self, scope: ast.AST) -> tuple[list[Flow], list[Flow]]:
        """The calls inside a part of the tree, and the statements that set variables."""
        if scope not in self._flows:
            parts = list(ast.walk(scope))
            self._flows[scope] = (
                [Flow.of(part) for part in parts if isinstance(part, ast.Call)],
                [Flow.of(part) for part in parts if isinstance(part, SETTING)],
            )
        return self._flows[scope]

    def within(self, first: int, last: int) -> Iterator[ast.AST]:
        """Every part of the tree that begins between two lines."""
        for node in ast.walk(self.tree):
            if first <= getattr(node, "lineno", 0) <= last:
                yield node

    def statements(self) -> Iterator[ast.stmt]:
        """Every statement."""
        for statement, _ in self._paths:
            yield statement


def attributes(node: ast.AST, names: set[str] | frozenset[str]) -> list[ast.Attribute]:
    """The uses of attributes of these names inside a part of the tree."""
    return [
        part for part in ast.walk(node) if isinstance(part, ast.Attribute) and part.attr in names
    ]


def loaded(node: ast.AST) -> set[str]:
    """The variables that a part of the tree reads."""
    return {
        part.id
        for part in ast.walk(node)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
    }


def stored(node: ast.AST) -> set[str]:
    """The variables that a statement itself sets, not those inside the statements in it."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor)):
        targets = [node.target]
    found = {
        part.id
        for target in targets
        for part in ast.walk(target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }
    for part in ast.walk(node) if isinstance(node, (ast.Expr, ast.Assign)) else ():
        # `values.append(x.data)` puts what it is given into a variable too.
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            owner = part.func.value
            if part.func.attr in {"append", "extend", "insert", "add"} and isinstance(
                owner, ast.Name
            ):
                found.add(owner.id)
    return found


def base(node: ast.expr) -> str:
    """A variable, item or attribute as text: what `.grad` is taken of."""
    return ast.unparse(node)
