"""Chainstep: a step-through debugger for backpropagation on graphs of scalar Values."""

from chainstep.engine import Value

__all__ = ["Value", "__version__"]
__version__ = "0.1.0"
