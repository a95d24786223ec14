"""Updates of data are heard in every run, and a run can be made without zeroing or mirrored.

The loop is y = 2w from w = 1 with steps of 0.1: every gradient is 2 where it is zeroed, so w goes
1, 0.8, 0.6, 0.4; where it is not, the gradients are 2, 4, 6 and w goes 1, 0.8, 0.4, -0.2.
"""

from __future__ import annotations

import pytest
from test_recorder import SHAPES, record

from chainstep.trace import Kind, Mode

LOOP = """\
from chainstep import Value

w = Value(1.0)
for _ in range(3):
    y = w * 2.0
    {before}
    y.backward()
    w.data -= 0.1 * w.grad
    {after}
"""
ZEROING = {
    "before the pass": LOOP.format(before="w.grad = 0.0", after=""),
    "after the update": LOOP.format(before="", after="w.grad = 0"),
    "with None": LOOP.format(before="", after="w.grad = None or 0"),
}
PLAIN = LOOP.format(before="", after="")
BY_HAND = """\
from chainstep import Value

def sort(root):
    order, seen = [], set()
    def visit(v):
        if v not in seen:
            seen.add(v)
            for child in v._prev:
                visit(child)
            order.append(v)
    visit(root)
    return order

w = Value(1.0)
for _ in range(3):
    y = w * 2.0
    {before}
    y.grad = 1.0
    for v in reversed(sort(y)):
        v._backward()
    w.data -= 0.1 * w.grad
"""


def numbers(recording):
    """What w held after each update."""
    return [pytest.approx(change.after) for change in recording.evidence.changes]


def gradients(recording):
    """The gradient of w after each pass, as written."""
    w = next(node.id for node in recording.nodes if node.name == "w")
    written = [trace for trace in recording.traces if trace.mode is Mode.AS_WRITTEN]
    return [trace.final[w] for trace in written]


@pytest.mark.parametrize("source", ZEROING.values(), ids=ZEROING)
def test_updates_of_data_are_heard_in_every_run(source):
    recording = record(source)
    assert numbers(recording) == [0.8, 0.6, 0.4]
    assert [change.pass_index for change in recording.evidence.changes] == [1, 2, 3]
    assert {change.line for change in recording.evidence.changes} == {8}
    assert not recording.evidence.checked


@pytest.mark.parametrize("source", [*ZEROING.values(), BY_HAND.format(before="w.grad = 0.0")])
def test_without_zeroing_the_stores_of_zero_are_left_out(source):
    recording = record(source, zeroing=False)
    assert gradients(recording) == [2, 4, 6]
    assert numbers(recording) == [0.8, 0.4, -0.2]
    assert any("without zeroing" in note for note in recording.notes)
    written = [trace for trace in recording.traces if trace.mode is Mode.AS_WRITTEN]
    assert not any(step.kind is Kind.OUTSIDE for trace in written for step in trace.steps)


@pytest.mark.parametrize("source", [PLAIN, BY_HAND.format(before="pass")])
def test_with_zeroing_the_tap_zeroes_after_each_update(source):
    assert gradients(record(source)) == [2, 4, 6]
    recording = record(source, zeroing=True)
    assert gradients(recording) == [2, 2, 2]
    assert numbers(recording) == [0.8, 0.6, 0.4]
    assert any("2 gradients set to 0" in note for note in recording.notes)
    trace = recording.trace(Mode.AS_WRITTEN, 1)
    assert [step.after for step in trace.steps if step.kind is Kind.OUTSIDE] == [0]


def test_with_zeroing_passes_between_two_updates_still_add_up():
    source = """\
from chainstep import Value
w = Value(1.0)
for _ in range(2):
    for x in (2.0, 3.0):
        (w * x).backward()
    w.data -= 0.1 * w.grad
"""
    assert gradients(record(source)) == [2, 5, 7, 10]
    assert gradients(record(source, zeroing=True)) == [2, 5, 2, 5]


def test_zeroing_inside_backward_is_left_out_too_but_never_the_seed():
    source = """\
from chainstep import Value

class Tidy(Value):
    def backward(self):
        for v in (self, *self._prev):
            v.grad = 0.0
        super().backward()

w = Tidy(1.0)
y = Tidy(4.0)
for _ in range(2):
    z = Tidy(w.data, (w, y), "+")
    def step(z=z):
        w.grad += 3 * z.grad
    z._backward = step
    z.backward()
"""
    assert gradients(record(source)) == [3, 3]
    assert gradients(record(source, zeroing=False)) == [3, 6]


def test_a_mirrored_update_goes_as_far_the_other_way():
    recording = record(ZEROING["before the pass"], mirrored=True)
    assert numbers(recording) == [1.2, 1.4, 1.6]
    assert gradients(recording) == [2, 2, 2]


def test_only_leaves_that_a_pass_has_reached_are_mirrored():
    source = """\
from chainstep import Value
w = Value(1.0)
w.data = 5.0
y = w * 2.0
y.backward()
y.data += 1.0
w.data -= 1.0
"""
    assert numbers(record(source, mirrored=True)) == [5, 11, 6]


NUMBER = """
slots = [name for each in type(a).__mro__ for name in getattr(each, "__slots__", ())]
name = next(n for n in (*getattr(a, "__dict__", ()), *slots) if getattr(a, n) == 2.0)
setattr(a, name, 7.0)
"""


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_class_is_heard_when_its_number_changes(shape):
    changes = record(SHAPES[shape] + NUMBER).evidence.changes
    assert (changes[-1].before, changes[-1].after) == (2, 7)
