"""What a program's imports get besides the packages that are there.

Lecture code imports `micrograd`; where that is not installed, Chainstep's own engine stands in.
And numpy's generator is seeded as it is loaded: Chainstep itself never loads it.
"""

from __future__ import annotations

import importlib
import sys
from importlib.machinery import ModuleSpec, PathFinder
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import types
    from collections.abc import Callable, Sequence

STAND_INS = {
    "micrograd": "chainstep",
    "micrograd.engine": "chainstep.engine",
    "micrograd.nn": "chainstep.nn",
}
STAND_IN_NOTE = (
    "micrograd is not installed for this Python, so Chainstep's own Value and nn stand in for it."
)
LARGEST_NUMPY_SEED = 2**32


class StandIn:
    """Stands in for micrograd. It belongs at the end of `sys.meta_path`, where all else failed.

    Args:
        note: Told once, in a sentence, when it does stand in.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self._note = note
        self._told = False

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  its place is here
        target: types.ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """A spec for the names that we have; None for others, and inside a real package."""
        if fullname not in STAND_INS or not self._is_free(fullname):
            return None
        return ModuleSpec(fullname, self, is_package=fullname == "micrograd")  # type: ignore[arg-type]  # no importlib.abc: 6 ms

    def _is_free(self, fullname: str) -> bool:
        """Whether no package of that name is in the way: a mere folder, without code, is not."""
        parent = sys.modules.get(fullname.rpartition(".")[0])
        return parent is None or getattr(parent, "__file__", None) is None

    def create_module(self, spec: ModuleSpec) -> None:
        """A plain module."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Give it the public names of our module."""
        ours = vars(importlib.import_module(STAND_INS[module.__name__]))
        vars(module).update({name: ours[name] for name in ours if not name.startswith("_")})
        if not self._told:
            self._told = True
            self._note(STAND_IN_NOTE)


class NumpySeeder:
    """Seeds numpy's global generator as soon as the program loads it."""

    def __init__(self, seed: int) -> None:
        self._seed = seed % LARGEST_NUMPY_SEED

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,
        target: types.ModuleType | None = None,
    ) -> ModuleSpec | None:
        """The ordinary spec of `numpy.random`, whose loading ends with the seed."""
        if fullname != "numpy.random":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.loader is None:
            return None
        execute = spec.loader.exec_module

        def execute_and_seed(module: types.ModuleType) -> None:
            execute(module)
            module.seed(self._seed)

        spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]  # of this one
        return spec
