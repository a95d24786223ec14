# ruff: noqa: PTH100, PTH118, PTH120  pathlib takes longer to load than all that is done here
"""Entry point of the child process: `python child.py CONFIG.json`, in any Python from 3.10 on.

That interpreter needs nothing installed, and the program has to see the very packages that
`python` would show it. So this package is loaded by its place in the file system, under its
name, and leaves no entry on the path: `from chainstep import Value` works in the program, and
nothing else of Chainstep's surroundings is in reach.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys


def load_package(folder: str) -> None:
    """Import `chainstep` from its folder, whatever the path says."""
    spec = importlib.util.spec_from_file_location(
        "chainstep", os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    assert spec is not None
    assert spec.loader is not None
    package = importlib.util.module_from_spec(spec)
    sys.modules["chainstep"] = package
    spec.loader.exec_module(package)


def main() -> None:
    """Run the program that the file named on the command line describes."""
    # All that is loaded until the program begins stays: `Execution` turns the search on again.
    gc.disable()
    folder = os.path.dirname(os.path.abspath(__file__))
    # Python puts a script's folder first: there `import trace` would find ours, not Python's.
    if sys.path and os.path.realpath(sys.path[0]) == os.path.realpath(folder):
        del sys.path[0]
    load_package(folder)

    from chainstep.execution import Execution  # noqa: PLC0415  only now there is such a package

    # Our own name for this module, which is about to lose `__main__` to the program.
    sys.modules["chainstep.child"] = sys.modules["__main__"]
    Execution(sys.argv[1]).run()


if __name__ == "__main__":
    main()
