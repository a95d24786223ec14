"""Chainstep: a step-through debugger for backpropagation on graphs of scalar Values.

`Value` is the scalar to build graphs from, `record` gives the recording of a live graph, and
`debug` opens the window on one. Each is loaded when it is first asked for: neither the window
nor a program pays for what it does not use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from chainstep.api import record
    from chainstep.display import debug
    from chainstep.engine import Value

__all__ = ["Value", "__version__", "debug", "record"]
__version__ = "0.1.0"

_HOMES = {"Value": "chainstep.engine", "debug": "chainstep.display", "record": "chainstep.api"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
