"""Stands in for packages that only draw, where they are not installed: nothing is drawn.

A lecture's notebook draws its graph with graphviz and its loss with matplotlib, in the middle of
what computes. Without those packages it shall compute all the same.
"""

from __future__ import annotations

import sys
import types
from importlib.machinery import ModuleSpec
from opcode import opmap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

DRAWING = frozenset(
    {"matplotlib", "mpl_toolkits", "matplotlib_inline", "graphviz", "pydot", "pygraphviz"}
    | {"seaborn", "plotly", "bokeh", "altair", "IPython", "ipywidgets"}
)
UNPACK = opmap["UNPACK_SEQUENCE"]


class Nothing:
    """Takes every call, attribute and item, and does nothing.

    Args:
        package: The name of the package that is not there.
    """

    def __init__(self, package: str) -> None:
        vars(self)["package"] = package

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __setattr__(self, name: str, value: object) -> None:
        """What is set is not kept."""

    def __call__(self, *_args: Any, **_kwargs: Any) -> Nothing:
        """What a call gives: this again."""
        return self

    def __getitem__(self, _key: object) -> Nothing:
        return self

    def __setitem__(self, _key: object, _value: object) -> None:
        """What is set is not kept."""

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Nothing]:
        """As many as `fig, ax = ...` asks for; a loop over it makes no turn."""
        frame = sys._getframe(1)  # noqa: SLF001  who asks says how many
        code, at = frame.f_code.co_code, frame.f_lasti
        wanted = code[at + 1] if 0 <= at < len(code) - 1 and code[at] == UNPACK else 0
        return iter([self] * wanted)

    def __enter__(self) -> Nothing:  # noqa: PYI034  Python 3.10 has no Self
        return self

    def __exit__(self, *_raised: object) -> None:
        """An exception inside goes on."""

    def __repr__(self) -> str:
        return f"<nothing: {vars(self)['package']} is not installed>"


class _Module(types.ModuleType):
    """A module in which every name is there."""

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing(self.__name__.partition(".")[0])


class Undrawn:
    """Finds packages that draw, and their submodules. It belongs at the end of `sys.meta_path`.

    Args:
        folder: The program's: other packages that ask find nothing, as they can do without.
        note: Told once for each package, in a sentence.
    """

    def __init__(self, folder: str, note: Callable[[str], None]) -> None:
        self._folder = folder
        self._note = note
        self._told: set[str] = set()

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  its place is here
        target: types.ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """A spec for what draws and is not there at all; None for all else."""
        package, _, inner = fullname.partition(".")
        if package not in DRAWING or (inner and not isinstance(sys.modules[package], _Module)):
            return None
        if not self._is_asked_by_program():
            return None
        return ModuleSpec(fullname, self, is_package=True)  # type: ignore[arg-type]  # as in supply

    def _is_asked_by_program(self) -> bool:
        frame = sys._getframe(2)  # noqa: SLF001  who imports
        while frame.f_back is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        asks = frame.f_globals.get("__file__") or ""
        inside = asks.startswith(self._folder) and "site-packages" not in asks
        return inside or frame.f_globals.get("__name__") == "__main__"

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        """A module in which every name is there."""
        return _Module(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Say once that nothing will be drawn."""
        package = module.__name__.partition(".")[0]
        if package not in self._told:
            self._told.add(package)
            self._note(f"{package} is not installed for this Python: what it should draw is not.")
