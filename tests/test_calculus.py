"""The table of operations, held against central differences and against PyTorch."""

from __future__ import annotations

import math
import re

import pytest

from chainstep.calculus import OPERATIONS, find

SYMBOLS = (
    *("+", "-", "neg", "*", "/", "**", "ReLU", "tanh"),
    *("exp", "log", "sigmoid", "abs", "sqrt", "sin", "cos"),
)
POWERS = ("**2", "**3", "**-1", "**0.5", "**1", "**0", "**-2.5")
POINTS = (0.3, 0.9, 1.0, 1.7, 4.0)
ANYWHERE = (*POINTS, -0.3, -1.0, -2.5)
DEFINED_ABOVE_ZERO = ("**", "log", "sqrt", "**0.5", "**-2.5")
SPECIAL = (0.0, -0.0, 1.0, -1.0, 2.5, -8.0, 800.0, -800.0, math.inf, -math.inf, math.nan)


def operands(op, points, rest):
    arity = find(op).arity
    first = points if op in DEFINED_ABOVE_ZERO else (*points, *rest)
    return (
        [(a,) for a in first] if arity == 1 else [(a, b) for a in first for b in (*points, *rest)]
    )


def test_the_table_has_every_operation_once():
    assert tuple(OPERATIONS) == SYMBOLS


@pytest.mark.parametrize("op", [*SYMBOLS, *POWERS])
def test_local_derivatives_equal_central_differences(op):
    operation, h = find(op), 1e-6
    for data in operands(op, POINTS, (-0.3, -1.0, -2.5)):
        local = operation.local(data, operation.forward(*data))
        for slot, x in enumerate(data):
            above = operation.forward(*data[:slot], x + h, *data[slot + 1 :])
            below = operation.forward(*data[:slot], x - h, *data[slot + 1 :])
            assert local[slot] == pytest.approx((above - below) / (2 * h), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("op", [*SYMBOLS, *POWERS])
def test_values_and_local_derivatives_follow_ieee_as_pytorch_does(op):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")
    functions = {
        "+": torch.add,
        "-": torch.sub,
        "neg": torch.neg,
        "*": torch.mul,
        "/": torch.div,
        "**": torch.pow,
    }
    operation = find(op)
    if op in POWERS:
        function = lambda x: x ** float(op[2:])  # noqa: E731
    else:
        function = functions.get(op) or getattr(torch, op.lower())
    cases = (
        [(a,) for a in SPECIAL]
        if operation.arity == 1
        else [(a, b) for a in SPECIAL for b in SPECIAL]
    )
    for data in cases:
        if op == "**0.5" and repr(data[0]) in ("-0.0", "-inf"):
            continue  # PyTorch reckons it as sqrt; for -0.0 and -inf IEEE 754 asks pow for more
        tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in data]
        out = function(*tensors)
        out.backward()
        theirs = [out.item(), *(t.grad.item() for t in tensors)]
        result = operation.forward(*data)
        ours = [result, *operation.local(data, result)]
        assert ours == pytest.approx(theirs, rel=1e-12, abs=0.0, nan_ok=True), data


@pytest.mark.parametrize(
    ("spelling", "symbol"),
    [
        ("relu", "ReLU"),
        ("ReLU", "ReLU"),
        ("RELU", "ReLU"),
        (" + ", "+"),
        ("add", "+"),
        ("mul", "*"),
        ("truediv", "/"),
        ("Tanh", "tanh"),
        ("ln", "log"),
        ("pow", "**"),
        ("^", "**"),
        ("**2", "**2"),
        ("** 2", "**2"),
        ("**(-1)", "**-1"),
        ("^0.5", "**0.5"),
        ("pow3", "**3"),
    ],
)
def test_operations_are_found_as_programs_spell_them(spelling, symbol):
    assert find(spelling).symbol == symbol


@pytest.mark.parametrize("op", ["", "softmax", "**x", "**True", "tan", "leaf"])
def test_what_the_table_does_not_have_is_none(op):
    assert find(op) is None


def test_a_power_with_its_exponent_in_the_op_has_one_operand():
    cube = find("**3")
    assert cube.arity == 1
    assert cube.forward(2.0) == 8.0
    assert cube.local((2.0,), 8.0) == (12.0,)


@pytest.mark.parametrize(
    ("op", "formula"),
    [
        ("**3", "∂out/∂a = 3 · a**2"),
        ("**2", "∂out/∂a = 2 · a"),
        ("**1", "∂out/∂a = 1"),
        ("**0", "∂out/∂a = 0"),
        ("**-1", "∂out/∂a = -1 · a**-2"),
        ("**0.5", "∂out/∂a = 0.5 · a**-0.5"),
    ],
)
def test_the_formula_of_a_power_names_its_exponent(op, formula):
    assert find(op).formula == (formula,)


@pytest.mark.parametrize("op", [*SYMBOLS, *POWERS])
def test_the_formulas_say_what_the_local_derivatives_are(op):
    """Each formula, read as Python, gives the number that `local` gives."""
    operation = find(op)
    names = {"log": math.log, "cos": math.cos, "sin": math.sin}
    names["sign"] = lambda x: math.copysign(1.0, x)
    assert len(operation.formula) == operation.arity
    for data in operands(op, POINTS, ()):
        out = operation.forward(*data)
        for slot, formula in enumerate(operation.formula):
            left, right = formula.split(" = ")
            assert left == f"∂out/∂{'ab'[slot]}"
            values = names | dict(zip("ab", data, strict=False)) | {"out": out}
            reckoned = eval(right.replace("·", "*"), {}, values)
            assert operation.local(data, out)[slot] == pytest.approx(reckoned, rel=1e-12)


@pytest.mark.parametrize("op", [*SYMBOLS, *POWERS])
def test_rules_are_sentences_and_gates_are_short(op):
    operation = find(op)
    assert re.fullmatch(r"[A-Z].*\.", operation.rule)
    assert "upstream gradient" in operation.rule or "it" in operation.rule
    assert "gradient" in operation.gate or op == "*"
    assert len(operation.gate) < 75
