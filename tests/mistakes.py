"""Small programs with one fault each: an engine, an edit that breaks it, and a use of it.

`CORRECT` are whole uses in which nothing is wrong. In the uses `V` stands for the engine's class.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from blunders import BLUNDERS, FAULTLESS

ENGINES = {
    path.stem: path.read_text() for path in sorted((Path(__file__).parent / "diagnose").glob("*.py"))
}
CLASSES = {
    "method": "Node",
    "slopes": "Scalar",
    "record": "Var",
    "tape": "Num",
    "tape_of_nodes": "Var",
    "driver": "V",
}
ENGINES["ours"] = "from chainstep import Value\n"
ENGINES["micrograd"] = "from micrograd.engine import Value\n"
ENGINES["none"] = ""
DATA = {"method": "value", "tape": "v"}


class Mistake(NamedTuple):
    """A program with one fault.

    Attributes:
        kind: What has to be found.
        engine: Name of an engine.
        edits: Texts of the engine and what replaces each of them, once.
        use: What follows the engine.
        at: Parts of the lines on which the finding may be.
    """

    kind: str
    engine: str
    edits: tuple[tuple[str, str], ...]
    use: str
    at: tuple[str, ...]

    @property
    def program(self) -> str:
        return written(self.engine, self.use, self.edits)


def written(engine, use, edits=()):
    """A program from an engine, with edits, and a use of it."""
    text = ENGINES[engine]
    for old, new in edits:
        assert old in text, (engine, old)
        text = text.replace(old, new, 1)
    for name, own in (("V(", f"{CLASSES.get(engine, 'Value')}("), (".data", f".{DATA.get(engine, 'data')}")):
        use = use.replace(name, own)
    return f"{text}\n\n{use.strip()}\n"


TWICE = """
x = V(2.0)
k = V(-3.0)
twice = x + x
y = twice * k + x
y.backward()
print(x.grad, k.grad)
"""
DIAMOND = """
a = V(2.0)
b = V(3.0)
c = a + b
d = a * b
e = c * d
e.backward()
print(a.grad, b.grad)
"""
SHARED = """
a = V(2.0)
b = V(3.0)
s = a * b
t = s * s
u = t + s
u.backward()
print(a.grad, b.grad)
"""
TANH = """
x = V(0.5)
w = V(-1.5)
n = x * w
o = n.tanh()
p = o * w
p.backward()
print(x.grad, w.grad)
"""
UNARY = """
x = V(0.7)
w = V(1.3)
y = (x * w).exp() * w
y.backward()
print(x.grad, w.grad)
"""
SUM_ONLY = """
a = V(2.0)
b = V(3.0)
c = a + b
d = c * a
d.backward()
print(a.grad, b.grad)
"""
FUNCTIONS = """
a = Value(2.0)
b = Value(3.0)
c = add(a, b)
d = mul(c, a)
backward(d)
print(a.grad, b.grad)
"""
TRAIN = """
xs = [1.0, 2.0, -1.0]
ys = [3.0, 5.0, -1.0]
w = V(0.0)
b = V(0.0)
for step in range(4):
    loss = V(0.0)
    for x, y in zip(xs, ys):
        err = w * V(x) + b + V(-y)
        loss = loss + err * err
    w.grad = 0.0
    b.grad = 0.0
    loss.backward()
    w.data -= 0.02 * w.grad
    b.data -= 0.02 * b.grad
print(w.data, b.data)
"""


def cut(text, old, new=""):
    """A text with one part replaced."""
    assert old in text, old
    return text.replace(old, new, 1)


MISTAKES = [
    # -- overwrite-grad
    Mistake(
        "overwrite-grad", "closure",
        (("self.grad += out.grad\n            other.grad += out.grad", "self.grad = out.grad\n            other.grad = out.grad"),),
        TWICE, ("self.grad = out.grad", "other.grad = out.grad"),
    ),
    Mistake(
        "overwrite-grad", "method",
        (("                p.grad += self.grad", "                p.grad = self.grad"),),
        TWICE, ("p.grad = self.grad",),
    ),
    Mistake(
        "overwrite-grad", "slopes", (("c.grad += slope * v.grad", "c.grad = slope * v.grad"),),
        TWICE, ("c.grad = slope * v.grad",),
    ),
    Mistake(
        "overwrite-grad", "tape",
        (("self.grad += out.grad\n            other.grad += out.grad", "self.grad = out.grad\n            other.grad = out.grad"),),
        TWICE, ("self.grad = out.grad", "other.grad = out.grad"),
    ),
    Mistake(
        "overwrite-grad", "counting", (("parent.grad += vjp(node.grad)", "parent.grad = vjp(node.grad)"),),
        TWICE, ("parent.grad = vjp(node.grad)",),
    ),
    Mistake(
        "overwrite-grad", "context", (("i.grad += g", "i.grad = g"),), DIAMOND, ("i.grad = g",),
    ),
    Mistake(
        "overwrite-grad", "record",
        (("self.grad += other.data * out.grad", "self.grad = other.data * out.grad"),),
        DIAMOND, ("self.grad = other.data * out.grad",),
    ),
    # -- backward-not-attached
    Mistake(
        "backward-not-attached", "closure", (("        out._backward = _backward\n        return out\n\n    def __mul__", "        return out\n\n    def __mul__"),),
        SUM_ONLY, ("def _backward", "def __add__", "out = Value(self.data + other.data", "return out"),
    ),
    Mistake(
        "backward-not-attached", "record", (("        out.backward_fn = bwd\n        return out\n\n    def tanh", "        return out\n\n    def tanh"),),
        SUM_ONLY, ("def bwd", "def __mul__"),
    ),
    Mistake(
        "backward-not-attached", "tape_of_nodes", (("        out._backward = _backward\n        return out\n\n    def relu", "        self._backward = _backward\n        return out\n\n    def relu"),),
        TANH, ("self._backward = _backward", "def _backward", "def tanh"),
    ),
    Mistake(
        "backward-not-attached", "functions", (("    out.grad_fn = grad_fn\n    return out\n\n\ndef mul", "    out.grad_func = grad_fn\n    return out\n\n\ndef mul"),),
        FUNCTIONS, ("out.grad_func = grad_fn", "def grad_fn", "def add"),
    ),
    Mistake(
        "backward-not-attached", "tape", (("        TAPE.append(pull)\n        return out\n\n    def __mul__", "        return out\n\n    def __mul__"),),
        SUM_ONLY, ("def pull", "def __add__", "out = Num(self.v + other.v)"),
    ),
    # -- backward-called-early
    Mistake(
        "backward-called-early", "closure", (("out._backward = _backward\n        return out\n\n    def __mul__", "out._backward = _backward()\n        return out\n\n    def __mul__"),
         ("            v._backward()", "            if v._backward:\n                v._backward()")),
        SUM_ONLY, ("out._backward = _backward()",),
    ),
    Mistake(
        "backward-called-early", "record", (("out.backward_fn = bwd\n        return out\n\n    def __mul__", "out.backward_fn = bwd()\n        return out\n\n    def __mul__"),),
        SUM_ONLY, ("out.backward_fn = bwd()",),
    ),
    Mistake(
        "backward-called-early", "closure", (("out._backward = _backward\n        return out\n\n    def __pow__", "out._backward = _backward()\n        return out\n\n    def __pow__"),),
        SUM_ONLY, ("out._backward = _backward()",),
    ),
    Mistake(
        "backward-called-early", "functions", (("out.grad_fn = grad_fn\n    return out\n\n\ndef mul", "out.grad_fn = grad_fn()\n    return out\n\n\ndef mul"),),
        FUNCTIONS, ("out.grad_fn = grad_fn()",),
    ),
    # -- backward-in-grad
    Mistake(
        "backward-in-grad", "closure", (("out._backward = _backward\n        return out\n\n    def __mul__", "out.grad = _backward\n        return out\n\n    def __mul__"),),
        SUM_ONLY, ("out.grad = _backward",),
    ),
    Mistake(
        "backward-in-grad", "record", (("out.backward_fn = bwd\n        return out\n\n    def tanh", "out.grad = bwd\n        return out\n\n    def tanh"),),
        SUM_ONLY, ("out.grad = bwd",),
    ),
    # -- op-without-backward
    Mistake(
        "op-without-backward", "closure", (("        def _backward():\n            self.grad += out.data * out.grad\n\n        out._backward = _backward\n", ""),),
        UNARY, ("out = Value(math.exp(self.data)", "def exp"),
    ),
    Mistake(
        "op-without-backward", "method", (('        elif self.op == "exp":\n            (a,) = self.inputs\n            a.grad += self.value * self.grad\n', ""),),
        UNARY, ("def exp", "math.exp(self.value)", "def _backward"),
    ),
    Mistake(
        "op-without-backward", "slopes", (("return Scalar(e, (self,), (e,))", "return Scalar(e, (self,))"),),
        UNARY, ("return Scalar(e, (self,))", "def exp"),
    ),
    Mistake(
        "op-without-backward", "subclasses", (("\n    def _backward(self):\n        self.operands[0].grad += self.data * self.grad\n", ""),),
        UNARY, ("class Exp", "super().__init__(math.exp", "return Exp(self)", "def exp"),
    ),
    Mistake(
        "op-without-backward", "closure", (("            other.grad += out.grad\n", ""),),
        SUM_ONLY, ("def _backward",),
    ),
    # -- wrong-local-derivative
    Mistake(
        "wrong-local-derivative", "closure", (("(1 - t**2) * out.grad", "(1 - t) * out.grad"),),
        TANH, ("(1 - t) * out.grad",),
    ),
    Mistake(
        "wrong-local-derivative", "method", (("a.grad += (1 - self.value**2) * self.grad", "a.grad += (1 - a.value**2) * self.grad"),),
        TANH, ("a.grad += (1 - a.value**2)",),
    ),
    Mistake(
        "wrong-local-derivative", "slopes", (("(other.data, self.data))", "(self.data, other.data))"),),
        DIAMOND, ("(self.data, other.data))",),
    ),
    Mistake(
        "wrong-local-derivative", "record", (("other.grad += self.data * out.grad", "other.grad += other.data * out.grad"),),
        DIAMOND, ("other.grad += other.data * out.grad",),
    ),
    Mistake(
        "wrong-local-derivative", "tape", (("self.grad += (1 - out.v**2) * out.grad", "self.grad += (1 - out.v) ** 2 * out.grad"),),
        TANH, ("(1 - out.v) ** 2",),
    ),
    Mistake(
        "wrong-local-derivative", "counting", (("lambda g: g * (1 - t * t)", "lambda g: g * (1 + t * t)"),),
        TANH, ("(1 + t * t)",),
    ),
    Mistake(
        "wrong-local-derivative", "context", (("return ((1 - self.t**2) * g,)", "return ((1 - self.t) * g,)"),),
        TANH, ("(1 - self.t) * g", "def backward(self, g)", "Tanh.apply", "class Tanh"),
    ),
    Mistake(
        "wrong-local-derivative", "closure", (("self.grad += out.grad / self.data", "self.grad += self.data * out.grad"),),
        "x = V(2.0)\ny = x.log() * x\ny.backward()\nprint(x.grad)", ("self.grad += self.data * out.grad",),
    ),
    Mistake(
        "wrong-local-derivative", "closure", (("n * self.data ** (n - 1) * out.grad", "self.data ** (n - 1) * out.grad"),),
        "x = V(2.0)\ny = x**3 + x\ny.backward()\nprint(x.grad)", ("self.data ** (n - 1)",),
    ),
    # -- upstream-ignored
    Mistake(
        "upstream-ignored", "closure", (("self.grad += (1 - t**2) * out.grad", "self.grad += 1 - t**2"),),
        TANH, ("self.grad += 1 - t**2",),
    ),
    Mistake(
        "upstream-ignored", "slopes", (("c.grad += slope * v.grad", "c.grad += slope"),),
        DIAMOND, ("c.grad += slope",),
    ),
    Mistake(
        "upstream-ignored", "method", (("a.grad += b.value * self.grad\n            b.grad += a.value * self.grad", "a.grad += b.value\n            b.grad += a.value"),),
        DIAMOND, ("a.grad += b.value", "b.grad += a.value"),
    ),
    Mistake(
        "upstream-ignored", "counting", (("(lambda g: g * other.data, lambda g: g * self.data)", "(lambda g: other.data, lambda g: self.data)"),),
        DIAMOND, ("lambda g: other.data", "self.data * other.data,", "return Value("),
    ),
    Mistake(
        "upstream-ignored", "counting", (("parent.grad += vjp(node.grad)", "parent.grad += vjp(1.0)"),),
        DIAMOND, ("parent.grad += vjp(1.0)",),
    ),
    Mistake(
        "upstream-ignored", "tape", (("self.grad += out.v * out.grad", "self.grad += out.v"),),
        UNARY, ("self.grad += out.v",),
    ),
    # -- closure-late-binding
    Mistake(
        "closure-late-binding", "closure", (),
        """
def squares(values):
    results = []
    for v in values:
        out = V(v.data * v.data, (v,), "sq")

        def _backward():
            v.grad += 2 * v.data * out.grad

        out._backward = _backward
        results.append(out)
    return results

p = V(1.0)
q = V(2.0)
r = V(3.0)
a, b, c = squares([p, q, r])
total = a + b + c
total.backward()
print(p.grad, q.grad, r.grad)
""", ("def _backward", "v.grad += 2", "for v in values"),
    ),
    Mistake(
        "closure-late-binding", "record", (),
        """
vs = [V(1.0), V(2.0), V(3.0)]
outs = []
for v in vs:
    out = V(v.data * 3.0, (v,))
    out.backward_fn = lambda: setattr(v, "grad", v.grad + 3.0 * out.grad)
    outs.append(out)
s = outs[0] + outs[1] + outs[2]
s.backward()
print([v.grad for v in vs])
""", ("out.backward_fn = lambda", "for v in vs"),
    ),
    Mistake(
        "closure-late-binding", "closure", (),
        """
def total(values):
    out = V(sum(v.data for v in values), values, "sum")
    pulls = []
    for v in values:
        def pull():
            v.grad += out.grad
        pulls.append(pull)

    def _backward():
        for pull in pulls:
            pull()

    out._backward = _backward
    return out

vs = (V(1.0), V(2.0), V(3.0))
y = total(vs) * V(2.0)
y.backward()
print([v.grad for v in vs])
""", ("def pull", "v.grad += out.grad", "for v in values:", "def _backward"),
    ),
    # -- topo-appends-self
    Mistake(
        "topo-appends-self", "closure", (("topo.append(v)", "topo.append(self)"),),
        DIAMOND, ("topo.append(self)",),
    ),
    Mistake(
        "topo-appends-self", "slopes", (("topo.append(v)", "topo.append(self)"),),
        DIAMOND, ("topo.append(self)",),
    ),
    Mistake(
        "topo-appends-self", "method", (("order.append(node)", "order.append(self)"),),
        DIAMOND, ("order.append(self)",),
    ),
    Mistake(
        "topo-appends-self", "functions", (("order.append(node)", "order.append(root)"),),
        FUNCTIONS, ("order.append(root)", "def backward", "backward(d)"),
    ),
    # -- order-recursive
    Mistake(
        "order-recursive", "closure",
        (("        topo = []\n", "        self.grad = 1.0\n        self.push()\n\n    def push(self):\n        self._backward()\n        for child in self._prev:\n            child.push()\n\n    def unused(self):\n        topo = []\n"),),
        SHARED, ("self._backward()", "child.push()", "def push"),
    ),
    Mistake(
        "order-recursive", "slopes",
        (("        topo = []\n", "        self.grad = 1.0\n        self.walk()\n\n    def walk(self):\n        for c, slope in zip(self._children, self._local_grads):\n            c.grad += slope * self.grad\n            c.walk()\n\n    def unused(self):\n        topo = []\n"),),
        SHARED, ("c.grad += slope * self.grad", "c.walk()", "for c, slope in zip"),
    ),
    Mistake(
        "order-recursive", "closure",
        (("set(_children)", "tuple(_children)"), ("                for child in v._prev:\n                    build(child)\n                topo.append(v)", "                topo.insert(0, v)\n                for child in v._prev:\n                    build(child)"),),
        SHARED.replace("t = s * s\nu = t + s", "t = s * V(2.0)\nr = t * V(3.0)\nu = s + r"), ("v._backward()", "topo.insert(0, v)", "for v in reversed(topo)", "def build", "build("),
    ),
    Mistake(
        "order-recursive", "method",
        (("        order = []\n", "        self.grad = 1.0\n        queue = [self]\n        while queue:\n            node = queue.pop(0)\n            node._backward()\n            queue.extend(node.inputs)\n\n    def unused(self):\n        order = []\n"),),
        SHARED, ("node._backward()", "queue.extend", "queue.pop", "while queue"),
    ),
    Mistake(
        "order-recursive", "counting",
        (("                waiting[parent] += 1\n", ""), ("waiting[parent] = 0", "waiting[parent] = 1")),
        SHARED, ("parent.grad += vjp(node.grad)", "waiting[parent]", "ready.append", "def backward"),
    ),
    # -- order-not-reversed
    Mistake(
        "order-not-reversed", "closure", (("for v in reversed(topo):", "for v in topo:"),),
        DIAMOND, ("for v in topo:", "            v._backward()"),
    ),
    Mistake(
        "order-not-reversed", "slopes", (("for v in reversed(topo):", "for v in topo:"),),
        DIAMOND, ("for v in topo:", "c.grad += slope * v.grad"),
    ),
    Mistake(
        "order-not-reversed", "tape", (("for pull in reversed(TAPE):", "for pull in TAPE:"),),
        DIAMOND, ("for pull in TAPE:", "pull()", "self.grad += o", "other.grad += "),
    ),
    Mistake(
        "order-not-reversed", "tape_of_nodes", (("for node in reversed(Var.tape):", "for node in Var.tape:"),),
        DIAMOND, ("for node in Var.tape", "node._backward()"),
    ),
    # -- seed-missing
    Mistake("seed-missing", "closure", (("        self.grad = 1.0\n", ""),), DIAMOND, ("def backward", "for v in reversed", "e.backward()")),
    Mistake("seed-missing", "slopes", (("        self.grad = 1.0\n", ""),), DIAMOND, ("def backward", "for v in reversed", "e.backward()")),
    Mistake("seed-missing", "tape", (("        self.grad = 1.0\n", ""),), DIAMOND, ("def backward", "for pull", "e.backward()")),
    Mistake("seed-missing", "functions", (("    root.grad = 1.0\n", ""),), FUNCTIONS, ("def backward", "node.grad_fn()", "backward(d)", "for node in reversed")),
    Mistake("seed-missing", "counting", (("        self.grad = 1.0\n", ""),), DIAMOND, ("def backward", "ready", "e.backward()")),
    Mistake(
        "seed-missing", "closure", (("        self.grad = 1.0\n        for v in reversed(topo):\n            v._backward()", "        for v in reversed(topo):\n            v._backward()\n        self.grad = 1.0"),),
        DIAMOND, ("def backward", "for v in reversed", "self.grad = 1.0"),
    ),
    # -- seed-everywhere
    Mistake("seed-everywhere", "closure", (("self.grad = 0.0", "self.grad = 1.0"),), DIAMOND, ("self.grad = 1.0",)),
    Mistake("seed-everywhere", "record", (("grad: float = 0.0", "grad: float = 1.0"),), DIAMOND, ("grad: float = 1.0",)),
    Mistake("seed-everywhere", "slopes", (("self.grad = 0.0", "self.grad = 1.0"),), DIAMOND, ("self.grad = 1.0",)),
    Mistake("seed-everywhere", "method", (("        self.grad = 1.0\n", "        for node in order:\n            node.grad = 1.0\n"),), DIAMOND, ("node.grad = 1.0", "for node in order")),
    # -- merged-by-value
    Mistake(
        "merged-by-value", "closure", (("    def __add__", "    def __eq__(self, other):\n        return self.data == other.data\n\n    def __hash__(self):\n        return hash(self.data)\n\n    def __add__"),),
        "a = V(2.0)\nb = V(3.0)\nc = V(1.0)\nd = V(6.0)\nleft = a * b\nright = c * d\ny = left * V(5.0) + right\ny.backward()\nprint(a.grad, c.grad)",
        ("def __eq__", "def __hash__"),
    ),
    Mistake(
        "merged-by-value", "record", (("@dataclass(eq=False)", "@dataclass"), ("backward_fn: object = None", "backward_fn: object = field(default=None, compare=False)"), ("if not any(v is s for s in seen):", "if v not in seen:")),
        "a = V(2.0)\nb = V(3.0)\nleft = a * b\nright = a * b\ny = left + right\ny.backward()\nprint(a.grad, b.grad)",
        ("@dataclass", "class Var", "if v not in seen"),
    ),
    Mistake(
        "merged-by-value", "slopes", (("seen.add(v)", "seen.add(v.data)"), ("if v in seen:", "if v.data in seen:")),
        "a = V(2.0)\nb = V(3.0)\nc = V(1.0)\nd = V(6.0)\nleft = a * b\nright = c * d\ny = left + right\ny.backward()\nprint(a.grad, c.grad)",
        ("seen.add(v.data)", "if v.data in seen"),
    ),
    # -- child-missing
    Mistake("child-missing", "closure", (('Value(self.data * other.data, (self, other), "*")', 'Value(self.data * other.data, (self,), "*")'),),
        "a = V(2.0)\nb = V(3.0)\nm = a + b\ny = a * m\ny.backward()\nprint(a.grad, b.grad)", ("Value(self.data * other.data, (self,)",)),
    Mistake("child-missing", "record", (("Var(self.data * other.data, (self, other))", "Var(self.data * other.data, (self,))"),),
        "a = V(2.0)\nb = V(3.0)\nm = a + b\ny = a * m\ny.backward()\nprint(a.grad, b.grad)", ("Var(self.data * other.data, (self,)",)),
    Mistake("child-missing", "tape_of_nodes", (("Var(self.data + other.data, self, other)", "Var(self.data + other.data, self)"),),
        "a = V(2.0)\nb = V(3.0)\nm = a * b\ny = a + m\ny.backward()\nprint(a.grad, b.grad)", ("Var(self.data + other.data, self)",)),
    Mistake("child-missing", "slopes", (("(self, other), (other.data, self.data))", "(self,), (other.data,))"),),
        "a = V(2.0)\nb = V(3.0)\nm = a + b\ny = a * m\ny.backward()\nprint(a.grad, b.grad)", ("(self,), (other.data,))",)),
    Mistake("child-missing", "functions", (("    out.parents = [x, y]\n\n    def grad_fn():\n        x.grad += y.data", "    out.parents = [x]\n\n    def grad_fn():\n        x.grad += y.data"),),
        "a = Value(2.0)\nb = Value(3.0)\nm = add(a, b)\ny = mul(a, m)\nbackward(y)\nprint(a.grad, b.grad)", ("out.parents = [x]", "out = Value(x.data * y.data)", "def mul")),
    # -- detached-graph
    Mistake("detached-graph", "ours", (), "import math\nx = V(0.5)\nw = V(2.0)\nn = x * w\no = V(math.tanh(n.data))\nl = o * o\nl.backward()\nprint(x.grad)", ("o = Value(",)),
    Mistake("detached-graph", "closure", (), "x = V(0.5)\nw = V(2.0)\nn = x * w\nt = 2.0 * n.data\no = V(t)\nl = o * o\nl.backward()\nprint(x.grad)", ("o = Value(t)", "t = 2.0 * n.data")),
    Mistake("detached-graph", "closure", (("        out = Value(max(0.0, self.data), (self,), \"relu\")\n\n        def _backward():\n            self.grad += (out.data > 0) * out.grad\n\n        out._backward = _backward\n        return out", "        return Value(max(0.0, self.data))"),),
        "x = V(0.5)\nw = V(2.0)\ny = (x * w).relu() * w\ny.backward()\nprint(x.grad)", ("return Value(max(0.0, self.data))", "def relu")),
    Mistake("detached-graph", "micrograd", (), """
xs = [Value(1.0), Value(2.0)]
w = Value(0.5)
def predict(x):
    return w * x
def mse(preds, ys):
    total = 0.0
    for p, y in zip(preds, ys):
        total += (p.data - y) ** 2
    return Value(total / len(ys))
loss = mse([predict(x) for x in xs], [1.0, 2.0])
loss.backward()
print(w.grad)
""", ("return Value(total", "total += (p.data", "loss = mse")),
    # -- nested-value
    Mistake("nested-value", "method", (), "a = V(2.0)\nb = V(a)\nprint(b.grad)", ("b = Node(a)",)),
    Mistake("nested-value", "ours", (), "a = V(2.0)\nb = V(a)\nprint(b.grad)", ("b = Value(a)",)),
    Mistake("nested-value", "closure", (("out = Value(self.data + other.data,", "out = Value(self + other.data if False else Value(self.data + other.data),"),),
        "a = V(2.0)\nb = V(3.0)\nc = a + b\nprint(c.data)", ("out = Value(self + other.data", "c = a + b")),
    # -- in-place-mutation
    Mistake("in-place-mutation", "closure", (("    def __radd__", "    def __iadd__(self, other):\n        self.data += other.data\n        return self\n\n    def __radd__"),),
        "a = V(2.0)\nb = V(3.0)\nc = a * b\nc += a\nc.backward()\nprint(a.grad, b.grad)", ("self.data += other.data", "def __iadd__", "c += a")),
    Mistake("in-place-mutation", "method", (("        return Node(self.value if self.value > 0 else 0.0, (self,), \"relu\")", "        self.value = max(0.0, self.value)\n        return self"),),
        "a = V(-2.0)\nb = V(3.0)\nc = a * b\nd = c.relu() * b\nd.backward()\nprint(a.grad, b.grad)", ("self.value = max(0.0", "def relu")),
    # -- cyclic-graph
    Mistake("cyclic-graph", "closure", (), "a = V(2.0)\nb = V(3.0)\nc = a * b\na._prev = {c}\nc.backward()\nprint(a.grad)", ("a._prev = {c}",)),
    Mistake("cyclic-graph", "method", (), "a = V(2.0)\nb = V(3.0)\nc = a * b\na.inputs.append(c)\nc.backward()\nprint(a.grad)", ("a.inputs.append(c)",)),
    # -- wrong-forward
    Mistake("wrong-forward", "closure", (("return Value(other) - self", "return self - other"),), "a = V(2.0)\nb = 10.0 - a\nb.backward()\nprint(b.data)", ("def __rsub__", "return self - other")),
    Mistake("wrong-forward", "closure", (("return self + (-other)", "return other + (-self)"),), "a = V(2.0)\nc = V(5.0)\nb = a - c\nb.backward()\nprint(b.data)", ("def __sub__", "return other + (-self)")),
    Mistake("wrong-forward", "method", (("return self + (-other)", "return (-self) + other"),), "a = V(2.0)\nc = V(5.0)\nb = a - c\nb.backward()\nprint(b.value)", ("def __sub__", "return (-self) + other")),
    Mistake("wrong-forward", "closure", (("    def __rsub__(self, other):\n        return Value(other) - self", "    def __rtruediv__(self, other):\n        return self / other"),), "a = V(4.0)\nb = 1.0 / a\nb.backward()\nprint(b.data)", ("def __rtruediv__", "return self / other")),
    Mistake("wrong-forward", "closure", (("    def __rsub__(self, other):\n        return Value(other) - self", "    __rsub__ = __sub__"),), "a = V(4.0)\nb = 1.0 - a\nb.backward()\nprint(b.data)", ("__rsub__ = __sub__", "def __sub__", "b = 1.0 - a")),
    # -- missing-operator
    Mistake("missing-operator", "method", (), "a = V(2.0)\nb = 3.0 * a\nprint(b.value)", ("b = 3.0 * a",)),
    Mistake("missing-operator", "method", (), "a = V(2.0)\nb = a / a\nprint(b.value)", ("b = a / a",)),
    Mistake("missing-operator", "record", (), "a = V(2.0)\nb = a.sigmoid()\nprint(b.data)", ("b = a.sigmoid()",)),
    Mistake("missing-operator", "slopes", (("    def __radd__(self, other):\n        return self + other\n", ""),), "xs = [V(1.0), V(2.0)]\ns = sum(xs)\nprint(s.data)", ("s = sum(xs)",)),
    # -- infinite-recursion
    Mistake("infinite-recursion", "closure", (("    def __radd__(self, other):\n        return self + other", "    def __radd__(self, other):\n        return other + self"),), "a = V(2.0)\nb = 3.0 + a\nprint(b.data)", ("return other + self", "def __radd__")),
    Mistake("infinite-recursion", "slopes", (("return self * -1.0", "return -self"),), "a = V(2.0)\nb = -a\nprint(b.data)", ("return -self", "def __neg__")),
    Mistake("infinite-recursion", "record", (("return self * Var(-1.0)", "return Var(0.0) - self"),), "a = V(2.0)\nb = -a\nprint(b.data)", ("return Var(0.0) - self", "return self + (-other)", "def __neg__", "def __sub__")),
    # -- bad-data-type
    Mistake("bad-data-type", "closure", (), 'a = V("2.0")\nb = a + a\nprint(b.data)', ('a = Value("2.0")',)),
    Mistake("bad-data-type", "method", (), "a = V(2 + 1j)\nb = a * a\nb.backward()\nprint(a.grad)", ("a = Node(2 + 1j)",)),
    Mistake("bad-data-type", "ours", (), "a = V([1.0, 2.0])\nb = a * a\nprint(b.data)", ("a = Value([1.0",)),
    Mistake("bad-data-type", "slopes", (), "a = V(None)\nb = a * V(2.0)\nprint(b.data)", ("a = Scalar(None)",)),
    Mistake("bad-data-type", "closure", (), "a = V(-2.0)\nb = a**0.5\nc = b + a\nc.backward()\nprint(a.grad)", ("b = a**0.5", "out = Value(self.data**n")),
    # -- recursion-limit
    Mistake("recursion-limit", "closure", (), "x = V(1.0)\ny = x\nfor _ in range(2000):\n    y = y + x\ny.backward()\nprint(x.grad)", ("build(child)", "y.backward()", "def build", "y = y + x")),
    Mistake("recursion-limit", "micrograd", (), "x = V(1.0)\ny = x\nfor _ in range(1500):\n    y = y + x\ny.backward()\nprint(x.grad)", ("y.backward()", "y = y + x", "for _ in range")),
    Mistake("recursion-limit", "method", (), "x = V(1.0)\ny = x\nfor _ in range(2000):\n    y = y + x\ntry:\n    y.backward()\nexcept RecursionError:\n    print('too deep')", ("visit(p)", "y.backward()", "def visit", "y = y + x")),
    # -- backward-never-called
    Mistake("backward-never-called", "closure", (), DIAMOND.replace("e.backward()\n", ""), ("print(a.grad, b.grad)",)),
    Mistake("backward-never-called", "micrograd", (), "w = V(1.0)\nfor k in range(3):\n    loss = (w * 2.0 - 1.0) ** 2\n    loss.backward\n    w.data -= 0.1 * w.grad\nprint(w.data)", ("w.data -= 0.1", "loss.backward")),
    Mistake("backward-never-called", "slopes", (), "a = V(2.0)\nb = a * a\nprint('da', a.grad)", ("print('da', a.grad)",)),
    # -- backward-twice
    Mistake("backward-twice", "closure", (), DIAMOND + "e.backward()  # again\nprint(a.grad)", ("e.backward()  # again",)),
    Mistake("backward-twice", "slopes", (), DIAMOND + "e.backward()  # again\nprint(a.grad)", ("e.backward()  # again",)),
    Mistake("backward-twice", "tape", (), DIAMOND + "e.backward()  # again\nprint(a.grad)", ("e.backward()  # again",)),
    Mistake("backward-twice", "ours", (), "a = V(2.0)\nb = V(5.0)\nc = a * b\nfor _ in range(2):\n    c.backward()\nprint(a.grad)", ("c.backward()",)),
    # -- stale-interior-grad
    Mistake("stale-interior-grad", "closure", (), "a = V(3.0)\nm = a * a\nf = m + m\ng = m * m\nf.backward()\ng.backward()  # second\nprint(a.grad)", ("g.backward()  # second", "f.backward()")),
    Mistake("stale-interior-grad", "method", (), "a = V(3.0)\nm = a * a\nf = m + m\nm.backward()\nf.backward()  # second\nprint(a.grad)", ("f.backward()  # second", "m.backward()")),
    Mistake("stale-interior-grad", "slopes", (), "a = V(3.0)\nm = a * a\nf = m + m\ng = m * m\nf.backward()\na.grad = 0.0\ng.backward()  # second\nprint(a.grad)", ("g.backward()  # second", "a.grad = 0.0", "f.backward()")),
    # -- missing-zero-grad
    Mistake("missing-zero-grad", "closure", (), TRAIN.replace("    w.grad = 0.0\n    b.grad = 0.0\n", ""), ("loss.backward()", "w.data -=", "for step")),
    Mistake("missing-zero-grad", "slopes", (), TRAIN.replace("    w.grad = 0.0\n    b.grad = 0.0\n", ""), ("loss.backward()", "w.data -=", "for step")),
    Mistake("missing-zero-grad", "method", (), TRAIN.replace("    b.grad = 0.0\n", ""), ("loss.backward()", "w.data -=", "for step", "w.grad = 0.0")),
    Mistake("missing-zero-grad", "ours", (), "from chainstep.nn import MLP\nn = MLP(2, [2, 1])\nfor k in range(3):\n    out = n([1.0, -2.0])\n    loss = (out - 1.0) ** 2\n    loss.backward()\n    for p in n.parameters():\n        p.data -= 0.01 * p.grad\nprint(loss.data)", ("loss.backward()", "p.data -=")),
    # -- zero-misplaced
    Mistake("zero-misplaced", "closure", (), cut(cut(TRAIN, "    w.grad = 0.0\n    b.grad = 0.0\n"), "    loss.backward()\n", "    loss.backward()\n    w.grad = 0.0\n    b.grad = 0.0\n"), ("w.grad = 0.0", "b.grad = 0.0")),
    Mistake("zero-misplaced", "micrograd", (), """
samples = [(0.5, 1.0), (1.5, 2.0), (-1.0, 0.5)]
w = V(0.3)
b = V(0.0)
for step in range(3):
    for x, y in samples:
        w.grad = b.grad = 0.0
        err = w * x + b - y
        part = err * err * (1 / 3)
        part.backward()
    w.data -= 0.1 * w.grad
    b.data -= 0.1 * b.grad
print(w.data, b.data)
""", ("w.grad = b.grad = 0.0",)),
    Mistake("zero-misplaced", "method", (("            node._backward()", "            node._backward()\n            node.grad = 0.0"),), TRAIN, ("node.grad = 0.0",)),
    Mistake("zero-misplaced", "slopes", (("        self.grad = 1.0\n", "        self.grad = 1.0\n        for v in topo:\n            v.grad = 0.0\n"),), DIAMOND, ("v.grad = 0.0",)),
    # -- wrong-update-sign
    Mistake("wrong-update-sign", "closure", (), TRAIN.replace("-= 0.02", "+= 0.02"), ("w.data += 0.02", "b.data += 0.02")),
    Mistake("wrong-update-sign", "ours", (), "from chainstep.nn import MLP\nn = MLP(2, [2, 1])\nfor k in range(3):\n    loss = (n([1.0, -2.0]) - 1.0) ** 2\n    for p in n.parameters():\n        p.grad = 0.0\n    loss.backward()\n    for p in n.parameters():\n        p.data += 0.01 * p.grad\nprint(loss.data)", ("p.data += 0.01",)),
    Mistake("wrong-update-sign", "slopes", (), "w = V(3.0)\nfor k in range(4):\n    w.grad = 0.0\n    total = (w + -1.0) * (w + -1.0)\n    total = (w + -1.0) ** 2\n    total.backward()\n    w.data = w.data + 0.1 * w.grad\nprint(w.data)", ("w.data = w.data + 0.1",)),
    # -- update-has-no-effect
    Mistake("update-has-no-effect", "ours", (), "w = V(1.0)\nb = V(0.5)\nfor k in range(3):\n    w.grad = b.grad = 0.0\n    loss = (w * 2.0 + b - 3.0) ** 2\n    loss.backward()\n    for p in [w, b]:\n        p = p - 0.1 * p.grad\nprint(w.data, b.data)", ("p = p - 0.1",)),
    Mistake("update-has-no-effect", "closure", (), "w = V(1.0)\nb = V(0.5)\nfor k in range(3):\n    w.grad = b.grad = 0.0\n    loss = (w * 2.0 + b + -3.0) ** 2\n    loss.backward()\n    for p in [w, b]:\n        d = p.data\n        d -= 0.1 * p.grad\nprint(w.data, b.data)", ("d -= 0.1",)),
    Mistake("update-has-no-effect", "slopes", (), "ws = [V(1.0), V(0.5)]\nfor k in range(3):\n    for p in ws:\n        p.grad = 0.0\n    loss = (ws[0] * 2.0 + ws[1] + -3.0) ** 2\n    loss.backward()\n    for p in ws:\n        p.data - 0.1 * p.grad\nprint(ws[0].data)", ("p.data - 0.1",)),
    Mistake("update-has-no-effect", "micrograd", (), "ws = [V(1.0), V(0.5)]\nfor k in range(3):\n    for p in ws:\n        p.grad = 0.0\n    loss = (ws[0] * 2.0 + ws[1] - 3.0) ** 2\n    loss.backward()\n    for p in ws:\n        p = V(p.data - 0.1 * p.grad)\nprint(ws[0].data)", ("p = Value(p.data - 0.1",)),
    # -- data-changed
    Mistake("data-changed", "closure", (), "w = V(2.0)\nx = V(3.0)\ny = w * x\nw.data = 100.0\ny.backward()\nprint(x.grad)", ("w.data = 100.0",)),
    Mistake("data-changed", "record", (), "w = V(2.0)\nx = V(3.0)\nh = w * x\ny = h.tanh()\nloss = y * y\ny.data = 0.9\nloss.backward()\nprint(x.grad)", ("y.data = 0.9",)),
    Mistake("data-changed", "method", (), "w = V(2.0)\nx = V(3.0)\nloss = (w * x) * (w * x)\nfor k in range(3):\n    w.grad = x.grad = 0.0\n    loss = loss\n    for n in (loss, *loss.inputs):\n        n.grad = 0.0\n    loss.backward()\n    w.data -= 0.01 * w.grad\nprint(w.data)", ("w.value -= 0.01", "loss.backward()")),
    # -- manual-gradient-wrong
    Mistake("manual-gradient-wrong", "none", (), """
class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self.grad = 0.0
        self._prev = set(_children)
        self._op = _op
        self.label = label
    def __add__(self, other):
        return Value(self.data + other.data, (self, other), '+')
    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), '*')

a = Value(2.0, label='a')
b = Value(3.0, label='b')
c = a * b; c.label = 'c'
d = c + a; d.label = 'd'
d.grad = 1.0
c.grad = 1.0
b.grad = a.data * c.grad
a.grad = b.data * c.grad
print(a.grad, b.grad)
""", ("a.grad = b.data * c.grad",)),
    Mistake("manual-gradient-wrong", "closure", (), "a = V(2.0)\nb = V(3.0)\nc = a + b\nd = c * c\nd.grad = 1.0\nc.grad = c.data\na.grad = c.grad\nb.grad = c.grad\nprint(a.grad)", ("c.grad = c.data",)),
    # -- dead and saturated units
    Mistake("dead-unit", "closure", (), "x = V(1.0)\nw = V(-2.0)\nh = (w * x).relu()\ny = h * V(3.0)\ny.backward()\nprint(w.grad)", ("h = (w * x).relu()",)),
    Mistake("dead-unit", "method", (), "x = V(1.0)\nw = V(-2.0)\nh = (w * x).relu()\ny = h * V(3.0)\ny.backward()\nprint(w.grad)", ("h = (w * x).relu()",)),
    Mistake("saturated-unit", "slopes", (), "x = V(20.0)\nw = V(2.0)\nh = (w * x).tanh()\ny = h * V(3.0)\ny.backward()\nprint(w.grad)", ("h = (w * x).tanh()",)),
    Mistake("saturated-unit", "tape", (), "x = V(20.0)\nw = V(2.0)\nh = (w * x).tanh()\ny = h * V(3.0)\ny.backward()\nprint(w.grad)", ("h = (w * x).tanh()",)),
    # -- nan-source
    Mistake("nan-source", "ours", (), "x = V(0.0)\ny = x.log()\nz = y * 0.0\nq = z + 1.0\nq.backward()\nprint(x.grad)", ("y = x.log()",)),
    Mistake("nan-source", "closure", (), "x = V(1e200)\ny = x * x\nz = (y - y).relu()\nz.backward()\nprint(x.grad)", ("y = x * x",)),
    Mistake("nan-source", "method", (), "x = V(float('nan'))\ny = x * V(2.0)\nz = y.relu()\nz.backward()\nprint(x.grad)", ("x = Node(float('nan'))", "y = x")),
    # -- numeric errors
    Mistake("numeric-error-forward", "closure", (), "x = V(-1.0)\ny = x.log()\ny.backward()", ("y = x.log()", "math.log(self.data)")),
    Mistake("numeric-error-forward", "method", (), "x = V(1000.0)\ny = x.exp()\ny.backward()", ("y = x.exp()", "math.exp(self.value)")),
    Mistake("numeric-error-forward", "closure", (), "x = V(0.0)\ny = V(1.0) / x\ny.backward()", ("y = Value(1.0) / x",)),
    Mistake("numeric-error-backward", "closure", (), "x = V(0.0)\ny = x**0.5\nz = y * V(2.0)\nz.backward()\nprint(x.grad)", ("y = x**0.5", "z.backward()", "n * self.data ** (n - 1)")),
    Mistake("numeric-error-backward", "record", (("    def log(self):\n        out = Var(math.log(self.data), (self,))", "    def sqrt(self):\n        out = Var(math.sqrt(self.data), (self,))"), ("self.grad += out.grad / self.data", "self.grad += out.grad / (2 * out.data)")), "x = V(0.0)\ny = x.sqrt()\nz = y * V(2.0)\nz.backward()\nprint(x.grad)", ("y = x.sqrt()", "z.backward()", "out.grad / (2")),
    # -- the run
    Mistake("no-value", "none", (), "def f(x):\n    return 3 * x**2\nprint(f(2.0))", ("",)),
    Mistake("infinite-loop", "ours", (), "w = V(1.0)\ny = w * 2\ny.backward()\nwhile y.data > 0:\n    y = w * 2\n", ("while y.data",)),
    Mistake("infinite-loop", "closure", (), "w = V(1.0)\nn = 0\ndef spin():\n    global n\n    while True:\n        n += 1\nspin()\n", ("while True", "n += 1")),
    Mistake("memory", "ours", (), "big = []\nwhile True:\n    big.append(b'x' * 20_000_000)\n", ("big.append", "while True")),
    Mistake("output-flood", "ours", (), "while True:\n    print('x' * 1000)\n", ("print('x' * 1000)", "while True")),
    Mistake("exit-code", "ours", (), "import sys\na = V(1.0)\nb = a * 2\nb.backward()\nsys.exit(3)", ("sys.exit(3)",)),
    Mistake("hard-exit", "ours", (), "import os\na = V(1.0)\nb = a * 2\nb.backward()\nos._exit(0)", ("os._exit(0)",)),
    Mistake("needs-input", "ours", (), "n = float(input('n? '))\na = V(n)\nb = a * 2\nb.backward()", ("n = float(input",)),
    Mistake("syntax-error", "ours", (), "a = V(1.0)\nb = a * * 2", ("b = a * * 2",)),
    Mistake("exception-midway", "ours", (), "a = V(1.0)\nb = a * 2\nb.backward()\nprint(undefined)", ("print(undefined)",)),
    Mistake("exception-midway", "closure", (), "a = V(1.0)\nb = a * 2\nb.backward()\nc = [1, 2][5]", ("c = [1, 2][5]",)),
]

GRADIENT_CHECK = """
def f(x, w):
    return (x * w).tanh() * x

x = V(0.5)
w = V(-1.5)
y = f(x, w)
y.backward()
h = 1e-5
numeric = (f(V(x.data + h), V(w.data)).data - f(V(x.data - h), V(w.data)).data) / (2 * h)
print(x.grad, numeric)
"""
NUDGE = """
a = V(2.0)
b = V(-3.0)
c = a * b + a
before = c.data
a.data += 0.001
changed = (a * b + a).data
a.data -= 0.001
c.backward()
print((changed - before) / 0.001, a.grad)
"""
REMADE = """
w = V(0.0)
for step in range(4):
    err = w * V(2.0) + V(-3.0)
    loss = err * err
    loss.backward()
    w = V(w.data + -0.05 * w.grad)
print(w.data)
"""
ZEROED_AT_THE_END = """
w = V(0.0)
for step in range(4):
    err = w * V(2.0) + V(-3.0)
    loss = err * err
    loss.backward()
    w.data -= 0.05 * w.grad
    w.grad = 0.0
print(w.data)
"""
TWO_ROOTS = """
a = V(2.0)
b = V(3.0)
c = a * b
c.backward()
print(a.grad, b.grad)
a.grad = 0.0
b.grad = 0.0
d = a + b
d.backward()
print(a.grad, b.grad)
"""
MICRO = """
samples = [(0.5, 1.0), (1.5, 2.0), (-1.0, 0.5)]
w = V(0.3)
for step in range(3):
    w.grad = 0.0
    for x, y in samples:
        err = w * V(x) + V(-y)
        part = err * err
        part.backward()
    w.data -= 0.1 * w.grad
print(w.data)
"""
MOMENTUM = """
w = V(4.0)
speed = 0.0
for step in range(6):
    loss = (w + V(-1.0)) * (w + V(-1.0))
    w.grad = 0.0
    loss.backward()
    speed = 0.9 * speed - 0.05 * w.grad
    w.data += speed
print(w.data)
"""
ASCENT = """
w = V(0.3)
for step in range(3):
    score = w * V(2.0) + V(1.0)
    w.grad = 0.0
    score.backward()
    w.data += 0.1 * w.grad
print(w.data)
"""
CLIPPED = """
w = V(4.0)
for step in range(3):
    loss = (w + V(-1.0)) * (w + V(-1.0))
    w.grad = 0.0
    loss.backward()
    if abs(w.grad) > 1.0:
        w.grad = w.grad / abs(w.grad)
    w.data -= 0.1 * w.grad
print(w.data)
"""
WARMED_UP = """
w = V(4.0)
b = V(1.0)
loss = (w + b) * (w + b)
loss.backward()
print(w.grad)
for step in range(3):
    w.grad = b.grad = 0.0
    loss = (w + b) * (w + b)
    loss.backward()
    w.data -= 0.1 * w.grad
    b.data -= 0.1 * b.grad
print(w.data)
"""
TARGETS = """
true_w = V(3.0)
xs = [1.0, 2.0]
ys = [V(true_w.data * x) for x in xs]
w = V(0.5)
loss = V(0.0)
for x, y in zip(xs, ys):
    err = w * V(x) + V(-1.0) * y
    loss = loss + err * err
loss.backward()
print(w.grad)
"""
EVERYDAY = (
    TWICE, DIAMOND, SHARED, TANH, UNARY, SUM_ONLY, TRAIN, GRADIENT_CHECK, NUDGE, REMADE,
    ZEROED_AT_THE_END, TWO_ROOTS, MICRO, MOMENTUM, ASCENT, CLIPPED, WARMED_UP, TARGETS,
)
MISTAKES += [Mistake(*blunder, ("#!",)) for blunder in BLUNDERS]
COMPLETE = (
    "closure", "method", "slopes", "record", "counting", "paths", "subclasses", "context", "ours",
    "lecture",
)
COPIED = """
import copy
a = Value(2.0)
b = Value(3.0)
c = a * b
d = copy.deepcopy(c)
y = d + c
y.backward()
"""
"""The copy shares the function of c, so a gets 3 twice; and a larger a makes both larger."""

CORRECT = [
    *(
        (engine, use)
        for engine in COMPLETE
        for use in EVERYDAY
        if engine != "context" or not ("exp" in use or "import" in use)
    ),
    *((engine, use) for engine in ("tape", "tape_of_nodes") for use in EVERYDAY[:6]),
    *((engine, COPIED) for engine in ("ours", "micrograd", "closure")),
    *(("micrograd", use) for use in EVERYDAY if "tanh" not in use and "exp" not in use),
    ("functions", FUNCTIONS),
    *((engine, use) for engine, edits, use in FAULTLESS if not edits),
    ("ours", """
from chainstep.nn import MLP
import random
random.seed(3)
n = MLP(2, [3, 1])
xs = [[1.0, 2.0], [-1.0, 0.5]]
for k in range(3):
    loss = sum((n(x) - y) ** 2 for x, y in zip(xs, [1.0, -1.0]))
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    for p in n.parameters():
        p.data -= 0.05 * p.grad
"""),
]
ALTERED = [(engine, edits, use) for engine, edits, use in FAULTLESS if edits]
