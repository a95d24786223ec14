"""Our gradients against PyTorch's in double precision: random graphs, and every edge of IEEE."""

from __future__ import annotations

import math
import operator
import random

import pytest

from chainstep import Value
from chainstep.graph import topological

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install torch")

BATCHES = 20
GRAPHS_IN_A_BATCH = 100
LARGEST_GRAPH = 60
TOLERANCE = 1e-9
ROUNDING = 1e-12

SPECIAL = (
    *(0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -8.0, 20.0, -20.0),
    *(710.0, -710.0, 1000.0, -1000.0, math.inf, -math.inf, math.nan),
)
EXTREME = (1e-320, -1e-320, 1e-200, 1e200, -1e200, 1e308)
UPSTREAM = (1.0, -1.0, 0.0, math.inf, -math.inf, math.nan, 1e300, 1e-300)

UNARY = ("exp", "log", "tanh", "sigmoid", "relu", "abs", "sqrt", "sin", "cos", "neg")
BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "**": operator.pow,
}
EXPONENTS = (-2, -1, 0, 1, 2, 3, 0.5, -0.5, 1.5)
NUMBERS = (-3, -1, 0, 1, 2, 0.5, -0.25, 7.5)


def tensor(x):
    return torch.tensor(x, dtype=torch.float64, requires_grad=True)


def apply(name, x):
    """One operation with one operand, on a Value or on a tensor."""
    return -x if name == "neg" else getattr(x, name)()


def agree(ours, theirs, smallest=0.0):
    """Whether two floats are the same, both nan, or relatively as close as `TOLERANCE`.

    Where contributions cancel, as in the gradient of x / x, only their rounding is left:
    differences below `smallest` do not count.
    """
    if math.isnan(ours) or math.isnan(theirs):
        return math.isnan(ours) and math.isnan(theirs)
    return math.isclose(ours, theirs, rel_tol=TOLERANCE, abs_tol=smallest)


def well_conditioned(name, out, *operands):
    """Whether a rounding error in the operands stays one in the result and in the slopes.

    Two libraries may differ in the last digit of a logarithm, and next to a kink, a pole or a
    cancellation a last digit becomes a first one. Such places have tests of their own.
    """
    a, b = operands[0], operands[-1]
    near = {
        "exp": abs(a) < 4,
        "log": a > 0.05 and abs(a - 1) > 0.001,
        "sqrt": a > 0.05,
        "tanh": abs(a) < 5,
        "sigmoid": abs(a) < 8,
        "relu": abs(a) > 0.001,
        "abs": abs(a) > 0.001,
        "/": abs(b) > 0.05,
        "**": a > 0.05 or (float(b).is_integer() and abs(a) > 0.05),
        "+": abs(a + b) > 0.001 * abs(a),
        "-": abs(a - b) > 0.001 * abs(a),
    }
    return near.get(name, True) and abs(out) < 100


class Twins:
    """One random expression, grown as Values and as tensors at once.

    Every twentieth is `wild`: it may run into nan and inf.
    """

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.wild = seed % 20 == 0
        self.pairs = []  # (Value, tensor) of everything an operation gave, and of the leaves
        self.unused = []  # those of them that nothing uses yet
        self.known = set()
        for _ in range(self.random.randint(1, 4)):
            self.keep((), Value(self.random.uniform(-3, 3)))
        if self.wild:
            self.keep((), Value(self.random.choice((0.0, -0.0, 800.0, -800.0, math.inf, math.nan))))
        size = self.random.randint(4, LARGEST_GRAPH)
        for _ in range(200):
            if len(self.known) + len(self.unused) >= size - 3:
                break  # nothing more will fit
            self.grow(size - 3)
        while len(self.unused) > 1:
            a, b = self.unused[-2:]
            self.keep((a, b), a[0] + b[0], a[1] + b[1])
        self.root, self.tensor_root = self.unused[0]
        self.size = len(self.known)

    def keep(self, operands, value, twin=None):
        twin = tensor(value.data) if twin is None else twin
        twin.retain_grad()
        self.unused = [pair for pair in self.unused if pair not in operands]
        self.pairs.append((value, twin))
        self.unused.append(self.pairs[-1])
        self.known.update(topological(value, lambda v: [c for c in v._prev if c not in self.known]))

    def pick(self):
        return self.random.choice(self.unused if self.random.random() < 0.5 else self.pairs)

    def grow(self, size):
        """Apply a random operation, unless the graph grows over `size` or the result is unfit."""
        name = self.random.choice((*UNARY, *BINARY, *BINARY))
        operands = [self.pick()]
        numbers = [EXPONENTS if name == "**" else NUMBERS] * (name in BINARY)
        if numbers and self.random.random() < 0.7:
            operands.append(self.pick())
            arguments = list(zip(*operands, strict=True))
        elif numbers:
            number = self.random.choice(numbers[0])
            arguments = [(operands[0][0], number), (operands[0][1], number)]
            if self.random.random() < 0.3:
                arguments = [argument[::-1] for argument in arguments]
        else:
            arguments = [(operands[0][0],), (operands[0][1],)]
        function = BINARY.get(name, lambda x: apply(name, x))
        out = function(*arguments[0])
        data = [getattr(x, "data", x) for x in arguments[0]]
        fresh = topological(out, lambda v: [c for c in v._prev if c not in self.known])
        fits = len(self.known) + len(fresh) + len(self.unused) <= size
        if fits and (self.wild or well_conditioned(name, out.data, *data)):
            self.keep(operands, out, function(*arguments[1]))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_random_graphs_have_the_gradients_of_pytorch(batch):
    differing = []
    for seed in range(batch * GRAPHS_IN_A_BATCH, (batch + 1) * GRAPHS_IN_A_BATCH):
        twins = Twins(seed)
        twins.root.backward()
        twins.tensor_root.backward()
        assert len(topological(twins.root, lambda v: v._prev)) == twins.size <= LARGEST_GRAPH
        for value, twin in twins.pairs:
            grad = 0.0 if twin.grad is None else twin.grad.item()
            pairs = (value.data, twin.item()), (value.grad, grad)
            if not all(agree(ours, theirs, ROUNDING) for ours, theirs in pairs):
                differing.append((seed, value, twin.item(), grad))
    assert not differing


def test_random_graphs_together_use_every_operation_and_reach_nan_and_inf():
    ops, gradients = set(), []
    for seed in range(GRAPHS_IN_A_BATCH):
        root = Twins(seed).root
        root.backward()
        for node in topological(root, lambda v: v._prev):
            ops.add(node._op.rstrip("-0123456789."))
            gradients.append(node.grad)
    assert ops == {"", "+", "*", "**", "ReLU", *UNARY} - {"relu", "neg"}
    assert any(map(math.isnan, gradients))
    assert any(map(math.isinf, gradients))


def backward_from(value, upstream):
    """What `backward()` does, with another gradient than 1 to start from."""
    value.grad = upstream
    for node in reversed(topological(value, lambda v: v._prev)):
        node._backward()


def differences(function, *arguments, twin_function=None):
    """Where the function of Values and that of tensors part, for every upstream gradient."""
    found = []
    for upstream in UPSTREAM:
        values = [Value(x) for x in arguments]
        tensors = [tensor(x) for x in arguments]
        out, twin = function(*values), (twin_function or function)(*tensors)
        backward_from(out, upstream)
        twin.backward(torch.tensor(upstream, dtype=torch.float64))
        ours = [out.data, *(v.grad for v in values)]
        theirs = [twin.item(), *(t.grad.item() for t in tensors)]
        if not all(map(agree, ours, theirs)):
            found.append((arguments, upstream, ours, theirs))
    return found


@pytest.mark.parametrize("name", UNARY)
def test_an_operation_follows_ieee_as_pytorch_does(name):
    for x in (*SPECIAL, *EXTREME):
        assert not differences(lambda v: apply(name, v), x)


@pytest.mark.parametrize("name", [name for name in BINARY if name != "/"])
def test_an_operation_of_two_operands_follows_ieee_as_pytorch_does(name):
    for a in (*SPECIAL, *EXTREME):
        for b in (*SPECIAL, *EXTREME):
            assert not differences(BINARY[name], a, b)


def test_division_follows_ieee_as_pytorch_does():
    for a in SPECIAL:
        for b in SPECIAL:
            assert not differences(operator.truediv, a, b)


def test_division_near_the_ends_of_the_float_range_is_that_of_its_parts():
    for a in (*SPECIAL, *EXTREME):
        for b in EXTREME:
            assert not differences(operator.truediv, a, b, twin_function=lambda x, y: x * y**-1)


@pytest.mark.parametrize("exponent", [*EXPONENTS, 1000, -1000, math.inf, -math.inf, math.nan])
def test_a_number_as_exponent_follows_ieee_as_pytorch_does(exponent):
    # PyTorch reckons these powers by way of sqrt, with the sign of -0.0 and nan at -inf, where
    # IEEE 754 asks of pow what it gives for 0.0 and inf
    roots = exponent in (0.5, -0.5, 1.5)
    for x in (*SPECIAL, *EXTREME):
        if not (roots and (x == -math.inf or (x == 0 and math.copysign(1, x) < 0))):
            assert not differences(lambda v: v**exponent, x)


@pytest.mark.parametrize("base", [0, 1, 2, 0.5, -1, -8.0, math.inf, math.nan])
def test_a_number_as_base_follows_ieee_as_pytorch_does(base):
    for x in (*SPECIAL, *EXTREME):
        assert not differences(lambda v: base**v, x)
