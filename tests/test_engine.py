"""The engine by itself. Expected numbers: the source lectures' walkthroughs, worked by hand."""

from __future__ import annotations

import gc
import math
import operator
import weakref
from decimal import Decimal
from fractions import Fraction

import micrograd.engine
import numpy as np
import pytest

from chainstep import Value
from chainstep.graph import topological


def nodes(root):
    return topological(root, lambda v: v._prev)


def ops(root):
    """Op of every node, children before consumers."""
    return [v._op for v in nodes(root)]


def test_a_leaf_has_the_fields_of_micrograd():
    a = Value(2, label="a")
    assert (a.data, a.grad, a._prev, a._op, a.label) == (2.0, 0.0, (), "", "a")
    assert type(a.data) is float
    assert type(a.grad) is float


def test_repr_shows_data_and_gradient():
    assert repr(Value(2)) == "Value(data=2.0, grad=0.0)"


def test_a_value_used_twice_gets_both_contributions():
    a = Value(3.0)
    b = a + a
    b.backward()
    assert a.grad == 2.0
    assert b._prev == (a, a)


def test_diamond():
    a, b = Value(2.0), Value(3.0)
    c, d = a + b, a * b
    e, f = c + d, c * d
    y = e + f
    y.backward()
    assert (a.grad, b.grad, c.grad, d.grad, y.grad) == (25.0, 19.0, 7.0, 6.0, 1.0)


def test_sums_of_sums_get_four_not_eight():
    a = Value(1.0)
    b = a + a
    c = b + b
    c.backward()
    assert (a.grad, b.grad) == (4.0, 2.0)


def test_gradients_of_a_second_pass_are_added_to_those_of_the_first():
    w = Value(1.0)
    seen = []
    for _ in range(3):
        (w * 2).backward()
        seen.append(w.grad)
    assert seen == [2.0, 4.0, 6.0]


def test_a_second_pass_over_the_same_graph_is_not_simply_twice_the_first():
    a, b, d = Value(3.0), Value(2.0), Value(1.0)
    c = a + b
    e = c * d
    e.backward()
    e.backward()
    assert (a.grad, b.grad, c.grad, d.grad) == (3.0, 3.0, 2.0, 10.0)


def test_backward_reads_data_as_they_are_when_it_runs():
    w, x = Value(2.0), Value(3.0)
    y = w * x
    w.data = 100.0
    y.backward()
    assert x.grad == 100.0


def test_neuron():
    x1, x2, w1, w2 = Value(2.0), Value(0.0), Value(-3.0), Value(1.0)
    n = x1 * w1 + x2 * w2 + Value(6.8813735870195432)
    o = n.tanh()
    o.backward()
    gradients = [v.grad for v in (x1, x2, w1, w2)]
    assert len(nodes(o)) == 10
    assert o.data == pytest.approx(0.7071067811865477, rel=1e-12)
    assert gradients == pytest.approx(
        [-1.4999999999999993, 0.4999999999999998, 0.9999999999999996, 0.0], rel=1e-12
    )


def test_neuron_with_tanh_taken_apart():
    x1, x2, w1, w2 = Value(2.0), Value(0.0), Value(-3.0), Value(1.0)
    n = x1 * w1 + x2 * w2 + Value(6.8813735870195432)
    e = (2 * n).exp()
    o = (e - 1) / (e + 1)
    o.backward()
    assert len(nodes(o)) == 20
    assert [v.grad for v in (x1, x2, w1, w2)] == pytest.approx([-1.5, 0.5, 1.0, 0.0], rel=1e-12)
    assert (n.grad, e.grad) == pytest.approx((0.5, 0.04289321881345247), rel=1e-12)


def test_every_operation_of_the_walkthrough():
    a, b = Value(-4.0), Value(2.0)
    c = a + b
    d = a * b + b**3
    c = c + c + 1
    c = c + 1 + c + (-a)
    d = d + d * 2 + (b + a).relu()
    d = d + 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g = g + 10.0 / f
    h = (g * 0.01).tanh() + (b / 10).exp() + (b * b).log() - (1 - a)
    h.backward()
    assert len(nodes(h)) == 58
    assert [v.data for v in (c, d, e, f, g, h)] == pytest.approx(
        [-1.0, 6.0, -7.0, 49.0, 24.70408163265306, -2.150167904286593], rel=1e-12
    )
    assert [v.grad for v in (a, b, c, d, e, f, g)] == pytest.approx(
        [
            2.306940831043574,
            7.199415140168636,
            -0.0653470415521787,
            0.0653470415521787,
            -0.0653470415521787,
            0.0046676458251556216,
            0.009413706531876226,
        ],
        rel=1e-12,
    )


def test_hidden_nodes_are_those_of_the_walkthroughs():
    a, b = Value(6.0), Value(3.0)
    assert ops(-a) == ["", "", "*"]
    assert ops(a - b) == ["", "", "", "*", "+"]
    assert ops(a / b) == ["", "", "**-1", "*"]
    assert ops(1 - a) == ["", "", "", "*", "+"]
    assert ops(10 / a) == ["", "", "**-1", "*"]
    assert ops(a - 1) == ["", "", "", "*", "+"]


def test_operands_stand_in_written_order():
    a = Value(3.0)
    for out in (2 + a, 2 * a, 2**a):
        number, value = out._prev
        assert number.data == 2.0
        assert value is a
    assert [v.data for v in (a * 2)._prev] == [3.0, 2.0]


def test_reflected_forms_compute_what_is_written():
    a = Value(4.0)
    assert [v.data for v in (1 + a, 1 - a, 2 * a, 2 / a, 2**a)] == [5.0, -3.0, 8.0, 0.5, 16.0]


def test_sum_works_as_on_numbers():
    values = [Value(1.0), Value(2.0), Value(3.0)]
    total = sum(values)
    total.backward()
    assert total.data == 6.0
    assert [v.grad for v in values] == [1.0, 1.0, 1.0]


def test_augmented_assignment_makes_a_new_node():
    a = Value(2.0)
    b = a
    b += 1
    b *= a
    b.backward()
    assert (a.data, b.data, a.grad) == (2.0, 6.0, 5.0)


def test_an_exponent_that_is_a_value_gets_its_gradient():
    a, b = Value(2.0), Value(3.0)
    c = a**b
    c.backward()
    assert c._op == "**"
    assert c._prev == (a, b)
    assert a.grad == 12.0
    assert b.grad == pytest.approx(8 * math.log(2), rel=1e-15)


def test_an_exponent_over_a_negative_base_gets_nan():
    a, b = Value(-2.0), Value(3.0)
    (a**b).backward()
    assert a.grad == 12.0
    assert math.isnan(b.grad)


def test_base_zero_follows_the_conventions_of_pytorch():
    a, b = Value(0.0), Value(0.0)
    c = a**b
    c.backward()
    assert (c.data, a.grad, b.grad) == (1.0, 0.0, 0.0)
    a = Value(0.0)
    root = a**0.5
    root.backward()
    assert (root.data, a.grad) == (0.0, math.inf)


@pytest.mark.parametrize(
    ("exponent", "op"),
    [
        (2, "**2"),
        (-1, "**-1"),
        (2.0, "**2.0"),
        (0.5, "**0.5"),
        (True, "**1"),
        (np.int64(3), "**3"),
        (np.float32(0.5), "**0.5"),
        (Fraction(1, 4), "**0.25"),
        (10**400, "**inf"),
    ],
)
def test_a_number_as_exponent_stands_in_the_op(exponent, op):
    out = Value(2.0) ** exponent
    assert out._op == op
    assert len(out._prev) == 1


@pytest.mark.parametrize("exponent", [2, -1, 3, 2.0, 0.5, -1.5])
def test_powers_are_spelt_and_reckoned_as_micrograd_does(exponent):
    ours, theirs = Value(1.7), micrograd.engine.Value(1.7)
    out, twin = ours**exponent, theirs**exponent
    out.backward()
    twin.backward()
    assert out._op == twin._op
    assert (out.data, ours.grad) == pytest.approx((twin.data, theirs.grad), rel=1e-15)


def test_relu_is_named_as_micrograd_names_it():
    assert Value(1.0).relu()._op == micrograd.engine.Value(1.0).relu()._op


def test_values_compare_by_identity():
    a, b = Value(1.0), Value(1.0)
    assert a != b
    assert len({a, b, a}) == 2
    with pytest.raises(TypeError):
        _ = a < b


def test_a_value_can_be_referred_to_weakly():
    a = Value(1.0)
    reference = weakref.ref(a)
    assert reference() is a
    del a
    gc.collect()
    assert reference() is None


def test_abs_works_as_method_and_as_function():
    a = Value(-2.0)
    assert a.abs().data == abs(a).data == 2.0


def test_kinks_have_slope_zero():
    for name in ("relu", "abs"):
        a = Value(0.0)
        getattr(a, name)().backward()
        assert a.grad == 0.0


@pytest.mark.parametrize(
    ("name", "x", "data", "grad"),
    [
        ("exp", 1000.0, math.inf, math.inf),
        ("exp", -1000.0, 0.0, 0.0),
        ("log", 0.0, -math.inf, math.inf),
        ("log", -1.0, math.nan, -1.0),
        ("sqrt", 0.0, 0.0, math.inf),
        ("sqrt", -1.0, math.nan, math.nan),
        ("sigmoid", -1000.0, 0.0, 0.0),
        ("sigmoid", 1000.0, 1.0, 0.0),
        ("tanh", 1000.0, 1.0, 0.0),
        ("sin", math.inf, math.nan, math.nan),
        ("cos", -math.inf, math.nan, math.nan),
    ],
)
def test_overflow_gives_inf_or_nan_and_never_raises(name, x, data, grad):
    a = Value(x)
    out = getattr(a, name)()
    out.backward()
    assert [out.data, a.grad] == pytest.approx([data, grad], nan_ok=True)


def test_division_by_zero_gives_inf():
    one, zero = Value(1.0), Value(0.0)
    quotient = one / zero
    quotient.backward()
    assert (quotient.data, one.grad, zero.grad) == (math.inf, math.inf, -math.inf)


def test_powers_are_never_complex_and_never_overflow():
    assert math.isnan((Value(-8.0) ** 0.5).data)
    assert (Value(0.0) ** -1).data == math.inf
    assert (Value(-0.0) ** -1).data == -math.inf
    assert (Value(1e200) ** 2).data == math.inf
    assert (Value(-1e200) ** 3).data == -math.inf


@pytest.mark.parametrize(
    "number",
    [2, True, np.float64(2), np.float32(2), np.int8(2), np.bool_(True), Fraction(1, 2), Decimal(2)],
)
def test_numbers_of_every_kind_become_floats(number):
    a = Value(number)
    assert type(a.data) is float
    assert a.data == float(number)
    for out in (Value(3.0) * number, number * Value(3.0)):
        assert type(out) is Value
        assert out.data == 3 * float(number)


def test_an_integer_too_large_for_a_float_is_infinite():
    assert Value(10**400).data == math.inf
    assert (Value(1.0) + -(10**400)).data == -math.inf


REFUSED = [
    ("3", "str", "float(...)"),
    (b"3", "bytes", "float(...)"),
    (None, "NoneType", "return"),
    (1j, "complex", ".real"),
    (np.complex64(1), "numpy.complex64", ".real"),
    ([1.0], "list", "one Value for each"),
    ((1.0,), "tuple", "one Value for each"),
    (np.array(1.0), "numpy.ndarray", "one Value for each"),
    (np.array([1.0]), "numpy.ndarray", "one Value for each"),
    (object(), "object", "hand over a number"),
    (iter([1.0]), "list_iterator", "hand over a number"),
    (micrograd.engine.Value(1.0), "micrograd.engine.Value", "hand over a number"),
]


@pytest.mark.parametrize(
    ("thing", "kind", "remedy"), REFUSED, ids=[kind for _, kind, _ in REFUSED[:7]] + [None] * 5
)
def test_what_is_no_number_is_refused_by_the_name_of_its_type(thing, kind, remedy):
    with pytest.raises(TypeError) as refusal:
        Value(thing)
    assert f"of type {kind}: " in str(refusal.value)
    assert remedy in str(refusal.value)


@pytest.mark.parametrize(
    "operation", [operator.add, operator.sub, operator.mul, operator.truediv, operator.pow]
)
@pytest.mark.parametrize("thing", ["3", None, 1j, [1.0], np.array(1.0), np.array([1.0])], ids=repr)
def test_operators_refuse_on_either_side_what_is_no_number(operation, thing):
    a = Value(2.0)
    with pytest.raises(TypeError, match="A Value holds one real number"):
        operation(a, thing)
    with pytest.raises(TypeError, match="A Value holds one real number"):
        operation(thing, a)


def test_a_value_in_a_value_is_refused():
    with pytest.raises(TypeError, match="it is a Value already"):
        Value(Value(1.0))


def test_a_chain_of_a_hundred_thousand_additions_runs_back_and_is_taken_down():
    a = Value(0.0)
    total = a
    for _ in range(100_000):
        total = total + 1.0
    total.backward()
    assert (total.data, a.grad) == (100_000.0, 1.0)
    reference = weakref.ref(total)
    del total
    gc.collect()
    assert reference() is None


def test_a_long_chain_without_closures_is_taken_down_by_reference_counts_alone():
    total = Value(0.0)
    for _ in range(100_000):
        total = Value(1.0, (total,), "+")
    reference = weakref.ref(total)
    del total
    assert reference() is None
