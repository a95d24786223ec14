"""The diamond, run by an engine whose source is known: which lines each step comes from."""

from dataclasses import replace

from conftest import RECORDINGS

from chainstep.trace import Code, Kind

A, B, C, D, E = range(5)

ENGINE = """\
class Value:
    def __init__(self, data):
        self._backward = lambda: None

    def __add__(self, other):
        def _backward():
            self.grad += out.grad
            other.grad += out.grad

    def __mul__(self, other):
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
"""
LINES = {(C, 0): 7, (C, 1): 8, (D, 0): 12, (D, 1): 13, (E, 0): 12, (E, 1): 13}
CODES = {
    A: Code(1, 3, 3),
    B: Code(1, 3, 3),
    C: Code(1, 6, 8, (("other", B), ("out", C), ("self", A))),
    D: Code(1, 11, 13, (("other", B), ("out", D), ("self", A))),
    E: Code(1, 11, 13, (("other", D), ("out", E), ("self", C))),
}


def placed(step):
    line = LINES.get((step.node, step.slot))
    return replace(step, line=line, file=1) if step.kind is Kind.WRITE else step


def coded(name="written", **changes):
    """The diamond, run by an engine whose source is known."""
    recording = RECORDINGS[name]
    traces = tuple(
        replace(trace, steps=tuple(placed(step) for step in trace.steps))
        for trace in recording.traces
    )
    recording = replace(
        recording,
        traces=traces,
        files=("diamond.py", "/somewhere/engine.py"),
        sources=("", ENGINE),
        codes=CODES,
    )
    return replace(recording, **changes)
