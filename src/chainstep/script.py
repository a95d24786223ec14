"""A program made ready to run: as a whole, or cell by cell where it is a notebook.

In a notebook the cells before one that Python cannot read still run, a cell's last value is
printed, and what needs a package that is not installed is left out and told, so that a lecture's
notebook with a few torch cells still gives its graph.
"""

from __future__ import annotations
import __future__

import ast
import os
import sys
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from chainstep.cells import Cells
from chainstep.drawings import Nothing

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Iterator

    from chainstep.cells import Cell
    from chainstep.source import Source

MOST_NAMED = 6
"""Skipped lines that a note names; the rest is counted."""

FLAGS = reduce(
    int.__or__,
    (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names),
)


class Unit(NamedTuple):
    """Statements that are run in one go.

    Attributes:
        code: What to run.
        cell: The number of their cell; 0 in a program without.
        line: Where they begin.
        binds: The names that they set.
        imports: Whether they are one import.
    """

    code: types.CodeType
    cell: int = 0
    line: int = 1
    binds: frozenset[str] = frozenset()
    imports: bool = False


class Script:
    """What a text is to do.

    Attributes:
        units: What can be run, in order.
        error: Why the next of them, or the whole, cannot be compiled; None where all can.
    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self.cells = Cells(source.path, source.text)
        self.units: list[Unit] = []
        self.error: Exception | None = None
        self._lost: set[str] = set()
        self._flags = 0  # what `from __future__` set, for all that follows
        try:
            if not self.cells.all:
                code = compile(source.text, source.path, "exec", dont_inherit=True)
                self.units.append(Unit(code))
            for cell in self.cells.all:
                if cell.runs:
                    self._add(cell)
        except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError) as error:
            self.error = error

    def _add(self, cell: Cell) -> None:
        """Compile a cell, or nothing of it."""
        body = self._compile("\n" * cell.heading + cell.text, "exec", ast.PyCF_ONLY_AST).body
        shows = bool(body) and isinstance(body[-1], ast.Expr) and cell.text.rstrip()[-1:] != ";"
        units = []
        for group in _grouped(body, shows):
            if shows and group[-1] is body[-1]:
                code = self._compile(ast.Interactive(group), "single")
            else:
                code = self._compile(ast.Module(group, []), "exec")
            self._flags |= code.co_flags & FLAGS
            binds = frozenset(_bound(group))
            units.append(Unit(code, cell.number, group[0].lineno, binds, _is_import(group[0])))
        self.units += units

    def _compile(self, what: str | ast.Module | ast.Interactive, mode: str, flags: int = 0) -> Any:
        return compile(what, self._source.path, mode, self._flags | flags, dont_inherit=True)

    def announce(self, note: Callable[[str], None]) -> None:
        """Say what of a notebook does not run."""
        skipped = self.cells.skipped()
        if skipped:
            named = [f"{self.cells.spot(line)} (`{text}`)" for line, text in skipped[:MOST_NAMED]]
            more = len(skipped) - MOST_NAMED
            rest = f", and {more} more" if more > 0 else ""
            note(f"Skipped, as only Jupyter knows them: {', '.join(named)}{rest}.")
        off = [str(cell.number) for cell in self.cells.all if not cell.runs]
        if off:
            cells = "Cell" if len(off) == 1 else "Cells"
            verb = "is" if len(off) == 1 else "are"
            note(f"{cells} {', '.join(off)} {verb} switched off and did not run.")

    def run(self, namespace: dict[str, Any], note: Callable[[str], None]) -> None:
        """Run everything that can be; what the program raises is passed on."""
        if self.cells.all:
            sys.displayhook = _show
            os.environ.setdefault("MPLBACKEND", "Agg")  # as in Jupyter, no plot waits for its user
            namespace.update(display=_display, get_ipython=lambda: Nothing("IPython"))
        left = 0
        for unit in self.units:
            if unit.cell and unit.cell == left:
                self._lost |= unit.binds
                continue
            try:
                exec(unit.code, namespace)  # noqa: S102  this is what the child process is for
            except NameError as error:
                if not self._goes_on(unit, error, note):
                    raise
                left = 0 if unit.imports else unit.cell
            except ModuleNotFoundError as error:
                if not (unit.cell and unit.imports):
                    raise
                self._lost |= unit.binds
                note(
                    f"In {self.cells.spot(unit.line)}, {error.name} is not installed for this "
                    "Python: the import was left out."
                )

    def _goes_on(self, unit: Unit, error: NameError, note: Callable[[str], None]) -> bool:
        """Whether a cell failed only for want of a package; if so, say it."""
        name = getattr(error, "name", None)
        if not unit.cell or name not in self._lost:
            return False
        trace = error.__traceback__
        line = unit.line
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == self._source.path:
                line = trace.tb_lineno
            trace = trace.tb_next
        self._lost |= unit.binds
        note(
            f"The rest of cell {unit.cell} was left out from {self.cells.spot(line)} on: it needs "
            f"{name}, which comes from a package that is not installed."
        )
        return True


def _grouped(body: list[ast.stmt], shows: bool) -> list[list[ast.stmt]]:
    """Statements that run in one go: each import alone, and the last where its value is shown."""
    groups: list[list[ast.stmt]] = []
    for number, statement in enumerate(body):
        alone = _is_import(statement) or (shows and number == len(body) - 1)
        if alone or not groups or _is_import(groups[-1][0]):
            groups.append([statement])
        else:
            groups[-1].append(statement)
    return groups


def _is_import(statement: ast.stmt) -> bool:
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def _bound(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that statements set; of a function only its own."""
    stack: list[ast.AST] = list(statements)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).partition(".")[0]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, ast.Lambda):
            stack += ast.iter_child_nodes(node)


def _show(value: object) -> None:
    """Print the last value of a cell."""
    if value is not None and not isinstance(value, Nothing):
        print(repr(value))  # noqa: T201  the program's own output


def _display(*values: object, **_options: object) -> None:
    """What a notebook has as `display`."""
    for value in values:
        _show(value)
