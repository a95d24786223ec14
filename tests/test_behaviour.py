"""Engines of unusual build: their parts are recognised, and none of our passes leaks into them.

The gradients expected are worked out by hand: the diamond a = -2, b = 3, f = ab(a + b) has
a = b(2a + b) = -3 and b = a(a + 2b) = -8; with `=`, in depth-first order, the sum's come last.
"""

from __future__ import annotations

import contextlib
import io
import math

import pytest
from test_recorder import record

from chainstep.diagnose import diagnose
from chainstep.options import Options
from chainstep.program import Program
from chainstep.runner import run
from chainstep.trace import Mode, Status

CLOSURES = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self._prev = data, 0.0, children
        self._backward = lambda: None
    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            ADDS
        out._backward = _backward
        return out
    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out
    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    build(child)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()
"""
DIAMOND = """
a, b = Value(-2.0), Value(3.0)
f = (a * b) * (a + b)
f.backward()
print(a.grad, b.grad)
"""
PLAIN = "self.grad += out.grad; other.grad += out.grad"


def printed(source):
    """What a program prints without us."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(source, {"__name__": "__main__"})
    return out.getvalue()


def gradients(recording, mode, names="ab", pass_index=0):
    """Gradients of named Values at the end of a pass."""
    final = recording.trace(mode, pass_index).final
    found = {alias: node.id for node in recording.nodes for alias in (node.name, *node.aliases)}
    return [final.get(found[name], 0.0) for name in names]


# -- stores past the attributes ------------------------------------------------------------


@pytest.mark.parametrize(
    "adds",
    [
        'self.__dict__["grad"] += out.grad; other.__dict__["grad"] += out.grad',
        'vars(self)["grad"] += vars(out)["grad"]; vars(other).update(grad=other.grad + out.grad)',
        'self.__dict__ |= {"grad": vars(self).get("grad") + out.grad}; other.grad += out.grad',
        'object.__setattr__(self, "grad", self.grad + out.grad); other.grad += out.grad',
    ],
)
def test_a_gradient_stored_past_the_attribute_is_heard(adds):
    source = CLOSURES.replace("ADDS", adds) + DIAMOND
    recording = record(source)
    assert recording.output == printed(source) == "-3.0 -8.0\n"
    assert gradients(recording, Mode.AS_WRITTEN) == [-3.0, -8.0]
    assert gradients(recording, Mode.ACCUMULATE) == [-3.0, -8.0]
    assert gradients(recording, Mode.OVERWRITE) == [3.0, -2.0]


def test_a_slot_that_is_stored_through_its_descriptor_is_heard():
    source = (
        CLOSURES.replace(
            "ADDS",
            "Value.grad.__set__(self, self.grad + out.grad); other.grad += Value.grad.__get__(out)",
        ).replace(
            "class Value:", "class Value:\n    __slots__ = 'data grad _prev _backward'.split()"
        )
        + DIAMOND
    )
    recording = record(source)
    assert recording.output == printed(source) == "-3.0 -8.0\n"
    assert gradients(recording, Mode.ACCUMULATE) == [-3.0, -8.0]
    assert gradients(recording, Mode.OVERWRITE) == [3.0, -2.0]


def test_the_attributes_of_an_opened_object_can_be_copied():
    source = CLOSURES.replace("ADDS", PLAIN) + DIAMOND
    source += """
import copy
twin, deep = copy.copy(a), copy.deepcopy(vars(a))
twin.grad = 7.0
print(a.grad, twin.grad, deep["grad"], sorted(a.__dict__), a.__dict__.get("none", 5))
"""
    assert record(source).output == printed(source)


# -- what passes of ours leave behind --------------------------------------------------------


def test_what_a_closure_counts_and_logs_is_not_changed_by_our_passes():
    adds = PLAIN + (
        "; COUNT[0] += 1; LOG.append(out.data); Value.calls += 1; out.runs = out.runs + 1"
        "; tally(); seen.add(id(out)); globals().__setitem__('total', total + 1)"
    )
    source = (
        CLOSURES.replace("ADDS", adds).replace(
            "self._backward =", "self.runs = 0; self._backward ="
        )
        + """
COUNT, LOG, seen, total, Value.calls = [0], [], set(), 0, 0
def counter():
    number = 0
    def tally():
        nonlocal number
        number += 1
        return number
    return tally
tally = counter()
a, b = Value(-2.0), Value(3.0)
e = a + b
f = (a * b) * e
f.backward()
f.backward()
print(a.grad, COUNT, LOG, Value.calls, e.runs, len(seen), total)
"""
    )
    assert record(source).output == printed(source)


def test_numbers_that_a_backward_changes_are_put_back_after_our_passes():
    source = CLOSURES.replace("ADDS", PLAIN + "; out.data = 0.0; del out._prev") + DIAMOND
    source += "print(f._prev[1].data, hasattr(f._prev[1], '_prev'))\n"
    assert record(source).output == printed(source) == "-3.0 -8.0\n0.0 False\n"


# -- functions that are called in unusual ways ------------------------------------------------


@pytest.mark.parametrize("calls", ["v._back(v)", "v._back(v, v.grad)", "v._back(v.grad, v)"])
def test_a_backward_that_is_handed_its_node_is_run_with_it(calls):
    given = {"v._back(v)": "node", "v._back(v, v.grad)": "node, g"}.get(calls, "g, node")
    slope = "g" if "g" in given.split(", ") else "node.grad"
    source = f"""
class Value:
    def __init__(self, data, children=(), back=None):
        self.data, self.grad, self.children, self._back = data, 0.0, children, back
    def __mul__(self, other):
        def back({given}):
            one, two = node.children
            one.grad += two.data * {slope}
            two.grad += one.data * {slope}
        return Value(self.data * other.data, (self, other), back)
    def __add__(self, other):
        def back({given}):
            for child in node.children:
                child.grad += {slope}
        return Value(self.data + other.data, (self, other), back)
    def backward(self):
        self.grad = 1.0
        todo = [self]
        while todo:
            v = max(todo, key=lambda each: each.depth)
            todo = [each for each in todo if each is not v]
            if v._back:
                {calls}
                todo += v.children
    @property
    def depth(self):
        return 1 + max((child.depth for child in self.children), default=0)
{DIAMOND}"""
    recording = record(source)
    assert recording.output == printed(source) == "-3.0 -8.0\n"
    assert gradients(recording, Mode.ACCUMULATE) == [-3.0, -8.0]
    assert gradients(recording, Mode.OVERWRITE) == [3.0, -2.0]


@pytest.mark.parametrize(
    ("rule", "store"),
    [
        ("lambda: (other.n, self.n)", "slope * v.slope"),
        ("lambda: (other.n * out.slope, self.n * out.slope)", "slope"),
        ("lambda g: (other.n * g, self.n * g)", "slope"),
        ("lambda: [(self, other.n), (other, self.n)]", "slope[1] * v.slope"),
    ],
)
def test_a_rule_that_gives_numbers_back_is_no_rule_without_effect(rule, store):
    given = "v.slope" if "g:" in rule else ""
    source = f"""
class Amount:
    def __init__(self, n, made_of=()):
        self.n, self.slope, self.made_of, self.rule = n, 0.0, made_of, None
    def __mul__(self, other):
        out = Amount(self.n * other.n, (self, other))
        out.rule = {rule}
        return out
def spread(goal):
    goal.slope = 1.0
    order = [goal, goal.made_of[0]]
    for v in order:
        for part, slope in zip(v.made_of, v.rule({given})):
            part.slope += {store}
a, b = Amount(3.0), Amount(4.0)
goal = (a * b) * a
spread(goal)
print(a.slope, b.slope)
"""
    recording = record(source)
    assert recording.output == printed(source) == "24.0 9.0\n"
    for mode in (Mode.AS_WRITTEN, Mode.ACCUMULATE):
        assert gradients(recording, mode) == [24.0, 9.0]
    assert gradients(recording, Mode.OVERWRITE) == [12.0, 9.0]


# -- names that say nothing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "slope"), [("x", "g"), ("v", "d"), ("_v", "_g"), ("amount", "due"), ("val", "d")]
)
def test_number_and_gradient_are_recognised_by_what_is_done_with_them(number, slope):
    source = (
        (CLOSURES.replace("ADDS", PLAIN) + DIAMOND)
        .replace(".data", f".{number}")
        .replace(".grad", f".{slope}")
    )
    recording = record("calls = 0\n" + source)
    for mode in (Mode.AS_WRITTEN, Mode.ACCUMULATE):
        assert gradients(recording, mode) == [-3.0, -8.0]


def test_a_class_that_only_counts_is_no_value():
    recording = record("""
class Stack:
    def __init__(self, size):
        self.size, self.count, self.items = size, 0, []
    def push(self, item):
        self.items.append(item)
        self.count += 1
stack = Stack(3)
stack.push(1.0)
""")
    assert recording.outcome.status is Status.NO_GRAPH


def test_a_method_without_a_telling_name_hands_the_gradient_on():
    source = """
class Knot:
    def __init__(self, val, how="", *inp):
        self.val, self.how, self.inp, self.grad = val, how, inp, 0.0
    def __add__(self, other):
        return Knot(self.val + other.val, "plus", self, other)
    def __mul__(self, other):
        return Knot(self.val * other.val, "times", self, other)
    def pull(self):
        for one, two in (self.inp, self.inp[::-1]) if self.inp else ():
            one.grad += self.grad * (two.val if self.how == "times" else 1.0)
def back_from(root):
    order, level = [], [root]
    while level:
        order = [*[k for k in level if k not in order], *order]
        level = [i for k in level for i in k.inp]
    root.grad = 1.0
    for k in sorted(order, key=made.index, reverse=True):
        k.pull()
a, b = Knot(-2.0), Knot(3.0)
d = a * b
e = a + b
f = d * e
made = [a, b, d, e, f]
back_from(f)
print(a.grad, b.grad)
"""
    recording = record(source)
    assert recording.output == printed(source) == "-3.0 -8.0\n"
    for mode in (Mode.AS_WRITTEN, Mode.ACCUMULATE):
        assert gradients(recording, mode) == [-3.0, -8.0]


def test_several_closures_of_one_node_are_all_run():
    source = """
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self.children, self.backs = data, 0.0, children, []
def product(*factors):
    out = Value(math.prod(f.data for f in factors), factors)
    for f in factors:
        def back(f=f):
            f.grad += out.data / f.data * out.grad
        out.backs.append(back)
    return out
import math
a, b, c = Value(2.0), Value(4.0), Value(5.0)
y = product(a, b, c)
y.grad = 1.0
for back in y.backs:
    back()
print(a.grad, b.grad, c.grad)
"""
    recording = record(source)
    assert recording.output == printed(source) == "20.0 10.0 8.0\n"
    assert gradients(recording, Mode.ACCUMULATE, "abc") == [20.0, 10.0, 8.0]


# -- passes by hand ---------------------------------------------------------------------------


def test_the_root_of_a_pass_by_hand_that_begins_at_a_leaf_is_what_was_seeded():
    source = (
        CLOSURES.replace("ADDS", PLAIN)
        + """
a, b = Value(-2.0), Value(3.0)
d = a * b
e = a + b
f = d * e
f.grad = 1.0
for v in (a, b, d, e, f):
    v._backward()
"""
    )
    recording = record(source)
    assert {recording.nodes[trace.root].name for trace in recording.traces} == {"f"}
    assert gradients(recording, Mode.AS_WRITTEN) == [0.0, 0.0]
    assert gradients(recording, Mode.ACCUMULATE) == [-3.0, -8.0]


def test_the_root_of_a_pass_by_hand_without_a_seed_is_the_newest_that_was_made_from_its_leaf():
    source = (
        CLOSURES.replace("ADDS", PLAIN)
        + """
a, b = Value(-2.0), Value(3.0)
f = a * b
other = b * b
a._backward()
f._backward()
"""
    )
    recording = record(source)
    assert {recording.nodes[trace.root].name for trace in recording.traces} == {"f"}


# -- numbers ----------------------------------------------------------------------------------


def test_a_negative_zero_that_is_overwritten_keeps_its_sign():
    source = (
        CLOSURES.replace("ADDS", PLAIN)
        + """
a, b = Value(0.0), Value(-0.0)
y = a * b
y.backward()
"""
    )
    recording = record(source)
    assert math.copysign(1.0, gradients(recording, Mode.OVERWRITE, "a")[0]) == -1.0
    assert math.copysign(1.0, gradients(recording, Mode.ACCUMULATE, "a")[0]) == 1.0


# -- classes that resist ------------------------------------------------------------------------


def test_a_class_whose_metaclass_is_frozen_is_observed_and_left_as_it_was():
    frozen = """
class Frozen(type):
    def __setattr__(cls, name, value):
        raise TypeError("this class is frozen")
    __delattr__ = __setattr__
"""
    source = frozen + CLOSURES.replace("ADDS", PLAIN).replace(
        "class Value:", "class Value(metaclass=Frozen):"
    )
    recording = record(source + DIAMOND)
    assert gradients(recording, Mode.ACCUMULATE) == [-3.0, -8.0]


def test_a_program_that_breaks_a_builtin_ends_with_its_own_error():
    source = (
        CLOSURES.replace("ADDS", PLAIN) + DIAMOND + "import builtins\nbuiltins.isinstance = None\n"
    )
    recording = run(Program("p.py", source + "1 / 0\n"), Options())
    assert recording.outcome.status is Status.EXCEPTION
    assert recording.outcome.message.startswith("ZeroDivisionError")
    assert "chainstep" not in recording.output
    assert gradients(recording, Mode.ACCUMULATE) == [-3.0, -8.0]
    intact = run(Program("p.py", source), Options())
    assert (intact.outcome.status, intact.output) == (Status.OK, "-3.0 -8.0\n")


# -- trials ---------------------------------------------------------------------------------------


def test_an_operation_that_is_told_by_a_text_what_to_do_is_tried_all_the_same():
    source = (
        CLOSURES.replace("ADDS", PLAIN)
        + """
def apply(sign, one, two):
    return one + two if sign == "+" else one * two
a, b = Value(-2.0), Value(3.0)
f = apply("*", apply("*", a, b), apply("+", a, b))
f.backward()
"""
    )
    recording = record(source, check=True)
    trials = [trial for trial in recording.evidence.trials if trial.name == "__mul__"]
    assert len(trials[0].points) > 1


def test_a_trial_of_an_operation_makes_no_pass():
    source = CLOSURES.replace("ADDS", PLAIN).replace(
        "._backward = _backward", "._backward = _backward()", 1
    )
    recording = record(
        source.replace("v._backward()", "v._backward and v._backward()") + DIAMOND, check=True
    )
    assert recording.passes == 1


def test_two_lines_with_the_same_fault_are_both_named():
    adds = "self.grad = out.grad\n            other.grad = out.grad"
    source = CLOSURES.replace("ADDS", adds) + DIAMOND
    found = diagnose(record(source, check=True))
    assert [(each.kind, each.line) for each in found] == [
        ("overwrite-grad", 9),
        ("overwrite-grad", 10),
    ]


def test_both_wrong_slopes_of_an_operation_are_named():
    adds = "self.grad += 2 * out.grad\n            other.grad += 3 * out.grad"
    source = CLOSURES.replace("ADDS", adds) + DIAMOND
    found = diagnose(record(source, check=True))
    assert [(each.kind, each.line) for each in found] == [
        ("wrong-local-derivative", 9),
        ("wrong-local-derivative", 10),
    ]


def test_a_comparison_that_is_always_true_is_named_and_not_the_constructor():
    compared = """
    def __eq__(self, other):
        return Value(float(self.data == other.data))
    __hash__ = object.__hash__
    def __mul__"""
    source = CLOSURES.replace("ADDS", PLAIN).replace("\n    def __mul__", compared)
    source = source.replace("[], set()", "[], []").replace("seen.add", "seen.append") + DIAMOND
    found = diagnose(record(source, check=True))
    line = source.splitlines().index("    def __eq__(self, other):") + 1
    assert [(each.kind, each.line) for each in found] == [("merged-by-value", line)]


def test_numbers_of_32_bits_are_differentiated_in_full_precision():
    numpy = pytest.importorskip("numpy")
    source = CLOSURES.replace("ADDS", PLAIN).replace(
        "self.data, self.grad", "self.data, self.grad", 1
    )
    source += "import numpy\n" + DIAMOND.replace("Value(-2.0), Value(3.0)", "A, B")
    source = source.replace("A, B", "(Value(numpy.float32(x)) for x in (-0.3, 0.7))")
    moved = record(source, data=((0, float(numpy.float32(-0.3)) + 1e-6),))
    still = record(source, data=((0, float(numpy.float32(-0.3))),))
    slope = (moved.nodes[-1].data - still.nodes[-1].data) / 1e-6
    assert slope == pytest.approx(0.7 * (2 * -0.3 + 0.7), rel=1e-4)
