"""More programs with one fault each, and more in which nothing is wrong.

The lines on which a finding may be carry the mark `#!`.
"""

from __future__ import annotations

BLUNDERS = [
    (
        'overwrite-grad', 'lecture',
        (('self.grad += other.data * out.grad\n            other.grad += self.data * out.grad', 'self.grad = other.data * out.grad #!\n            other.grad = self.data * out.grad #!'), ),
        """
a = Value(3.0)
b = a * a
b.backward()
print(a.grad)
""",
    ),
    (
        'overwrite-grad', 'lecture',
        (('self.grad += (1 - t**2) * out.grad', 'self.grad = (1 - t**2) * out.grad #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
y = o + n
y.backward()
print(x1.grad)
""",
    ),
    (
        'backward-not-attached', 'lecture',
        (('            self.grad += out.data * out.grad\n        out._backward = _backward', '            self.grad += out.data * out.grad #!\n        out.backward_ = _backward #!'), ),
        """
a = Value(3.0)
b = a.exp() * a
b.backward()
print(a.grad)
""",
    ),
    (
        'backward-called-early', 'lecture',
        (('self.grad += (out.data > 0) * out.grad\n        out._backward = _backward', 'self.grad += (out.data > 0) * out.grad\n        out._backward = _backward() #!'), ('            node._backward()', '            if node._backward: node._backward()'), ),
        """
a = Value(3.0)
b = a.relu() * a
b.backward()
print(a.grad)
""",
    ),
    (
        'backward-in-grad', 'lecture',
        (('self.grad += (1 - t**2) * out.grad\n        out._backward = _backward', 'self.grad += (1 - t**2) * out.grad\n        out.grad = _backward #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
""",
    ),
    (
        'op-without-backward', 'lecture',
        (('        return self + (-other)', "        other = other if isinstance(other, Value) else Value(other)\n        return Value(self.data - other.data, (self, other), '-') #!"), ),
        """
a = Value(3.0)
b = Value(1.0)
c = (a - b) * a
c.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'op-without-backward', 'lecture',
        (('    def exp(self):', "    def __abs__(self): #!\n        out = Value(abs(self.data), (self,), 'abs') #!\n        return out #!\n    def exp(self):"), ),
        """
a = Value(-3.0)
b = abs(a) * a
b.backward()
print(a.grad)
""",
    ),
    (
        'wrong-local-derivative', 'lecture',
        (('        return self * other**-1', "        out = Value(self.data / other.data, (self, other), '/')\n        def _backward():\n            self.grad += out.grad / other.data\n            other.grad += self.data / other.data**2 * out.grad #!\n        out._backward = _backward\n        return out"), ),
        """
a = Value(3.0)
b = Value(2.0)
c = a / b
c.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'wrong-local-derivative', 'lecture',
        (('self.grad += (out.data > 0) * out.grad', 'self.grad += (self.data < 0) * out.grad #!'), ),
        """
a = Value(-3.0)
b = Value(2.0)
c = (a * b).relu() + a
c.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'wrong-local-derivative', 'lecture',
        (('        return self + (-other)', "        out = Value(self.data - other.data, (self, other), '-')\n        def _backward():\n            self.grad += out.grad\n            other.grad += out.grad #!\n        out._backward = _backward\n        return out"), ),
        """
a = Value(3.0)
b = Value(1.0)
c = (a - b) * a
c.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'wrong-local-derivative', 'lecture',
        (('self.grad += out.data * out.grad', 'self.grad += self.data * out.grad #!'), ),
        """
a = Value(0.5)
b = a.exp()
b.backward()
print(a.grad)
""",
    ),
    (
        'upstream-ignored', 'lecture',
        (('other * (self.data ** (other - 1)) * out.grad', 'other * (self.data ** (other - 1)) #!'), ),
        """
a = Value(3.0)
b = a**2
c = b * 5.0
c.backward()
print(a.grad)
""",
    ),
    (
        'upstream-ignored', 'lecture',
        (('self.grad += 1.0 * out.grad\n            other.grad += 1.0 * out.grad', 'self.grad += 1.0 #!\n            other.grad += 1.0 #!'), ),
        """
a = Value(3.0)
b = a + 2.0
c = b * 5.0
c.backward()
print(a.grad)
""",
    ),
    (
        'topo-appends-self', 'lecture',
        (('topo.append(v)', 'topo.append(self) #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
""",
    ),
    (
        'order-recursive', 'lecture',
        (('_prev = set(_children)', '_prev = tuple(_children)'), ('        topo = []\n', '        self.grad = 1.0\n        visited = set()\n        def go(v): #!\n            if v in visited: return\n            visited.add(v)\n            v._backward() #!\n            for c in reversed(v._prev): #!\n                go(c) #!\n        go(self) #!\n    def old(self):\n        topo = []\n'), ),
        """
a = Value(2.0)
b = Value(3.0)
s = a * b
t = s * 2.0
r = t * s
u = r * s
u.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'order-not-reversed', 'lecture',
        (('for node in reversed(topo):\n            node._backward()', 'for node in topo: #!\n            node._backward() #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
""",
    ),
    (
        'order-not-reversed', 'lecture',
        (('topo.append(v)', 'topo.insert(0, v) #!'), ('for node in reversed(topo):\n            node._backward()', 'for node in reversed(topo): #!\n            node._backward() #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
""",
    ),
    (
        'seed-missing', 'lecture',
        (('        self.grad = 1.0\n', ''), ('    def backward(self):', '    def backward(self): #!'), ('for node in reversed(topo):\n            node._backward()', 'for node in reversed(topo): #!\n            node._backward() #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward() #!
print(x1.grad)
""",
    ),
    (
        'seed-missing', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o._backward() #!
n._backward() #!
x1w1x2w2._backward()
x1w1._backward()
print(x1.grad)
""",
    ),
    (
        'seed-everywhere', 'lecture',
        (('self.grad = 0.0', 'self.grad = 1.0 #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
""",
    ),
    (
        'seed-everywhere', 'lecture',
        (('        topo = []\n', '        self.grad = 1.0 #!\n        self._backward()\n        for c in self._prev:\n            c.backward()\n    def old(self):\n        topo = []\n'), ),
        """
a = Value(2.0)
b = a * 3.0
c = b * 4.0
c.backward()
print(a.grad)
""",
    ),
    (
        'merged-by-value', 'lecture',
        (('    def __repr__', '    def __eq__(self, o): #!\n        return isinstance(o, Value) and self.data == o.data #!\n    def __hash__(self): #!\n        return hash(self.data) #!\n    def __repr__'), ),
        """
a = Value(2.0)
b = Value(2.0)
c = a * b
d = c + a
d.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'merged-by-value', 'lecture',
        (('if v not in visited:\n                visited.add(v)', 'if v.data not in visited: #!\n                visited.add(v.data) #!'), ),
        """
a = Value(2.0)
b = Value(3.0)
c = a * b
d = Value(1.0) * Value(6.0)
e = c + d * a
e.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'child-missing', 'lecture',
        (("Value(self.data + other.data, (self, other), '+')", "Value(self.data + other.data, (self,), '+') #!"), ),
        """
a = Value(2.0)
b = Value(3.0)
h = a * b
k = b + h
k.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'child-missing', 'lecture',
        (("out = Value(t, (self, ), 'tanh')", "out = Value(t, (), 'tanh') #!"), ),
        """
a = Value(2.0)
b = Value(3.0)
h = a * b
k = h.tanh()
l = k * b
l.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'detached-graph', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = Value(math.tanh(n.data), label='o') #!
loss = (o - 1.0)**2
loss.backward()
print(w1.grad)
""",
    ),
    (
        'detached-graph', 'lecture',
        (),
        """
ws = [Value(0.5), Value(-1.0)]
xs = [1.0, 2.0]
outs = [w * x for w, x in zip(ws, xs)]
total = sum(o.data for o in outs) #!
y = Value(total) #!
loss = (y - 1.0)**2
loss.backward()
print([w.grad for w in ws])
""",
    ),
    (
        'detached-graph', 'lecture',
        (),
        """
w = Value(0.5)
def act(v):
    return Value(max(0.0, v.data)) #!
h = act(w * 3.0) #!
loss = (h - 1.0)**2
loss.backward()
print(w.grad)
""",
    ),
    (
        'nested-value', 'lecture',
        (),
        """
a = Value(2.0)
b = Value(Value(3.0)) #!
c = a * b
print(c)
""",
    ),
    (
        'nested-value', 'lecture',
        (('    def exp(self):', '    def scale(self, k):\n        return Value(self * k) #!\n    def exp(self):'), ),
        """
a = Value(2.0)
b = Value(3.0)
c = a.scale(b) #!
print(c)
""",
    ),
    (
        'in-place-mutation', 'lecture',
        (("        out = Value(self.data + other.data, (self, other), '+')\n        def _backward():\n            self.grad += 1.0 * out.grad\n            other.grad += 1.0 * out.grad\n        out._backward = _backward\n        return out", '        self.data = self.data + other.data #!\n        return self #!'), ),
        """
a = Value(2.0)
b = Value(3.0)
c = a * b
d = c + a
d.backward()
print(a.grad)
""",
    ),
    (
        'in-place-mutation', 'lecture',
        (('    def exp(self):', '    def __imul__(self, other): #!\n        other = other if isinstance(other, Value) else Value(other)\n        self.data *= other.data #!\n        return self #!\n    def exp(self):'), ),
        """
a = Value(2.0)
b = Value(3.0)
c = a + b
c *= b #!
c.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'cyclic-graph', 'lecture',
        (),
        """
a = Value(2.0)
b = a + 1.0
b._prev.add(b) #!
b.backward()
print(a.grad)
""",
    ),
    (
        'cyclic-graph', 'lecture',
        (('    def exp(self):', '    def __iadd__(self, other): #!\n        self._prev = {self, other} #!\n        self.data = self.data + other.data #!\n        return self\n    def exp(self):'), ),
        """
a = Value(2.0)
b = Value(3.0)
a += b #!
a.backward()
print(b.grad)
""",
    ),
    (
        'wrong-forward', 'lecture',
        (('    def exp(self):', '    def __rtruediv__(self, other): #!\n        return self / other #!\n    def exp(self):'), ('        return self * other**-1', '        other = other if isinstance(other, Value) else Value(other)\n        return self * other**-1'), ),
        """
a = Value(4.0)
b = 2.0 / a #!
b.backward()
print(b.data, a.grad)
""",
    ),
    (
        'wrong-forward', 'lecture',
        (('return self + (-other)', 'return self + other #!'), ('def __sub__(self, other):', 'def __sub__(self, other): #!'), ),
        """
a = Value(4.0)
b = Value(1.0)
c = a - b #!
c.backward()
print(c.data)
""",
    ),
    (
        'missing-operator', 'lecture',
        (),
        """
a = Value(4.0)
b = 1.0 - a #!
b.backward()
""",
    ),
    (
        'missing-operator', 'lecture',
        (),
        """
xs = [Value(4.0), Value(1.0)]
m = max(xs) #!
m.backward()
""",
    ),
    (
        'missing-operator', 'lecture',
        (),
        """
p = Value(0.4)
l = -p.log() #!
l.backward()
""",
    ),
    (
        'missing-operator', 'lecture',
        (),
        """
p = Value(0.4)
l = abs(p) #!
l.backward()
""",
    ),
    (
        'missing-operator', 'lecture',
        (),
        """
p = Value(2.0)
q = 2 ** p #!
q.backward()
""",
    ),
    (
        'infinite-recursion', 'lecture',
        (('        return self * other\n    def __truediv__', '        return other * self #!\n    def __truediv__'), ('def __rmul__(self, other):', 'def __rmul__(self, other): #!'), ),
        """
a = Value(4.0)
b = 2.0 * a #!
b.backward()
""",
    ),
    (
        'infinite-recursion', 'lecture',
        (('return self + (-other)', 'return -(other - self) #!'), ('    def exp(self):', '    def __rsub__(self, other): #!\n        return -(self - other) #!\n    def exp(self):'), ),
        """
a = Value(4.0)
b = a - 2.0 #!
b.backward()
""",
    ),
    (
        'closure-late-binding', 'lecture',
        (),
        """
vals = [Value(1.0), Value(2.0), Value(3.0)]
outs = []
for v in vals: #!
    o = Value(2.0 * v.data, (v,), 'x2')
    def _backward(): #!
        v.grad += 2.0 * o.grad #!
    o._backward = _backward #!
    outs.append(o)
s = outs[0] * outs[1] + outs[2]
s.backward()
print([v.grad for v in vals])
""",
    ),
    (
        'closure-late-binding', 'lecture',
        (('    def exp(self):', "    def total(self, others):\n        items = [self] + list(others)\n        out = Value(sum(i.data for i in items), tuple(items), 'total')\n        steps = []\n        for i in items: #!\n            def step(): #!\n                i.grad += out.grad #!\n            steps.append(step)\n        def _backward(): #!\n            for s in steps:\n                s() #!\n        out._backward = _backward\n        return out\n    def exp(self):"), ),
        """
a = Value(1.0); b = Value(2.0); c = Value(4.0)
s = a.total([b, c]) * 3.0
s.backward()
print(a.grad, b.grad, c.grad)
""",
    ),
    (
        'manual-gradient-wrong', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(1.5, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'

z = o * x1; z.label = 'z'
z.grad = 1.0
o.grad = x1.data * z.grad
n.grad = (1 - o.data**2) * o.grad
x1w1x2w2.grad = n.grad
b.grad = n.grad
x1w1.grad = x1w1x2w2.grad
x2w2.grad = x1w1x2w2.grad
w1.grad = x1.data * x1w1.grad
x1.grad = w1.data * x1w1.grad #!
print(x1.grad)
""",
    ),
    (
        'backward-never-called', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward
print(x1.grad, w1.grad) #!
""",
    ),
    (
        'backward-never-called', 'lecture',
        (),
        """
w = Value(1.0)
for k in range(3):
    loss = (w * 2.0 - 1.0)**2
    w.data -= 0.1 * w.grad #!
print(w.data)
""",
    ),
    (
        'backward-twice', 'lecture',
        (),
        """
a = Value(2.0)
b = Value(3.0)
L = (a * b + a) * b
L.backward()
print(a.grad)
L.backward() #!
print(a.grad)
""",
    ),
    (
        'stale-interior-grad', 'lecture',
        (),
        """
x = Value(2.0)
h = x * 3.0
l1 = h * h
l2 = h + x
l1.backward()
l2.backward() #!
print(x.grad)
""",
    ),
    (
        'stale-interior-grad', 'lecture',
        (),
        """
w = Value(2.0)
h = w * w
l1 = h * 3.0
l1.backward()
w.grad = 0.0
l2 = h * 5.0
l2.backward() #!
print(w.grad)
""",
    ),
    (
        'missing-zero-grad', 'lecture',
        (),
        """
ws = [Value(0.1), Value(-0.2)]
bias = Value(0.0)
params = ws + [bias]
for it in range(4): #!
    loss = Value(0.0)
    for x, y in [((1.0, 0.5), 1.0), ((-1.0, 2.0), -1.0)]:
        pred = (ws[0]*x[0] + ws[1]*x[1] + bias).tanh()
        loss = loss + (pred - y)**2
    loss.backward() #!
    for p in params:
        p.data -= 0.05 * p.grad #!
print(loss.data)
""",
    ),
    (
        'missing-zero-grad', 'lecture',
        (),
        """
w = Value(0.1); b = Value(0.0)
for it in range(4): #!
    loss = (w*2.0 + b - 1.0)**2
    w.grad = 0.0 #!
    loss.backward() #!
    w.data -= 0.05 * w.grad
    b.data -= 0.05 * b.grad #!
""",
    ),
    (
        'missing-zero-grad', 'lecture',
        (),
        """
class Opt:
    def __init__(self, ps): self.ps = ps
    def zero_grad(self):
        for p in self.ps:
            g = p.grad
            g = 0.0
    def step(self):
        for p in self.ps:
            p.data -= 0.1 * p.grad #!
w = Value(0.1)
opt = Opt([w])
for it in range(4): #!
    loss = (w*2.0 - 1.0)**2
    opt.zero_grad() #!
    loss.backward() #!
    opt.step()
""",
    ),
    (
        'zero-misplaced', 'lecture',
        (),
        """
w = Value(0.1); b = Value(0.0)
for it in range(4):
    loss = (w*2.0 + b - 1.0)**2
    loss.backward()
    for p in (w, b):
        p.grad = 0.0 #!
    for p in (w, b):
        p.data -= 0.05 * p.grad
""",
    ),
    (
        'zero-misplaced', 'lecture',
        (),
        """
w = Value(0.1); b = Value(0.0)
batch = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)]
for it in range(2):
    for x, y in batch:
        for p in (w, b):
            p.grad = 0.0 #!
        loss = (w*x + b - y)**2
        loss.backward()
    for p in (w, b):
        p.data -= 0.05 * p.grad
""",
    ),
    (
        'zero-misplaced', 'lecture',
        (('            node._backward()', '            node._backward()\n            node.grad = 0.0 #!'), ),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
""",
    ),
    (
        'zero-misplaced', 'lecture',
        (('        self.grad = 1.0\n', '        for node in topo:\n            node.grad = 0.0 #!\n        self.grad = 1.0\n'), ),
        """
w = Value(0.1); b = Value(0.0)
batch = [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0)]
for it in range(3):
    for x, y in batch:
        loss = (w*x + b - y)**2
        loss.backward()
    for p in (w, b):
        p.data -= 0.05 * p.grad
""",
    ),
    (
        'wrong-update-sign', 'lecture',
        (),
        """
w = Value(0.1); b = Value(0.0)
for it in range(4):
    loss = (w*2.0 + b - 1.0)**2
    w.grad = b.grad = 0.0
    loss.backward()
    for p in (w, b):
        p.data += 0.05 * p.grad #!
""",
    ),
    (
        'wrong-update-sign', 'lecture',
        (),
        """
ps = [Value(0.1), Value(0.4)]
lr = -0.05
for it in range(4):
    cost = (ps[0]*2.0 + ps[1] - 1.0)**2
    for p in ps: p.grad = 0.0
    cost.backward()
    for p in ps:
        p.data -= lr * p.grad #!
""",
    ),
    (
        'update-has-no-effect', 'lecture',
        (),
        """
ps = [Value(0.1), Value(0.4)]
for it in range(4):
    cost = (ps[0]*2.0 + ps[1] - 1.0)**2
    for p in ps: p.grad = 0.0
    cost.backward()
    for p in ps:
        p = Value(p.data - 0.1*p.grad) #!
print(cost.data)
""",
    ),
    (
        'update-has-no-effect', 'lecture',
        (),
        """
ps = [Value(0.1), Value(0.4)]
for it in range(4):
    cost = (ps[0]*2.0 + ps[1] - 1.0)**2
    for p in ps: p.grad = 0.0
    cost.backward()
    for p in ps:
        p -= 0.1*p.grad #!
print(cost.data)
""",
    ),
    (
        'update-has-no-effect', 'lecture',
        (),
        """
w = Value(0.1)
def step(p, lr):
    p = p.data - lr * p.grad #!
    return p
for it in range(3):
    cost = (w*2.0 - 1.0)**2
    w.grad = 0.0
    cost.backward()
    step(w, 0.1) #!
print(cost.data)
""",
    ),
    (
        'update-has-no-effect', 'lecture',
        (),
        """
w = Value(0.1)
for it in range(3):
    cost = (w*2.0 - 1.0)**2
    w.grad = 0.0
    cost.backward()
    w.value = w.data - 0.1 * w.grad #!
print(cost.data)
""",
    ),
    (
        'data-changed', 'lecture',
        (),
        """
w = Value(2.0)
x = Value(-3.0)
h = w * x
y = h * h
h.data = max(h.data, -1.0) #!
y.backward()
print(w.grad)
""",
    ),
    (
        'data-changed', 'lecture',
        (),
        """
w = Value(1.0); b = Value(0.5)
for k in range(2):
    w.grad = b.grad = 0.0
    loss = (w*w + b - 4.0)**2
    w.data -= 0.1 #!
    loss.backward()
    b.data -= 0.01*b.grad
""",
    ),
    (
        'data-changed', 'lecture',
        (),
        """
w = Value(1.0)
loss = (w*3.0 - 6.0)**2
nodes = []
def collect(v):
    if v not in nodes:
        nodes.append(v)
        for c in v._prev: collect(c)
collect(loss)
for k in range(4):
    for n in nodes: n.grad = 0.0
    loss.backward() #!
    w.data -= 0.01 * w.grad #!
""",
    ),
    (
        'dead-unit', 'lecture',
        (),
        """
x = Value(1.0)
w = Value(-1.0)
b = Value(-0.5)
h = (x*w + b).relu() #!
loss = (h - 1.0)**2
loss.backward()
print(w.grad)
""",
    ),
    (
        'saturated-unit', 'lecture',
        (),
        """
x = Value(8.0)
w = Value(2.0)
h = (x*w).tanh() #!
loss = (h - 0.5)**2
loss.backward()
print(w.grad)
""",
    ),
    (
        'nan-source', 'lecture',
        (),
        """
a = Value(1e308)
b = a * 10.0 #!
c = a * 20.0 #!
d = c - b #!
e = d.relu()
e.backward()
print(e.data)
""",
    ),
    (
        'numeric-error-forward', 'lecture',
        (("out = Value(math.exp(x), (self, ), 'exp')", "out = Value(math.exp(x), (self, ), 'exp') #!"), ),
        """
a = Value(800.0)
b = a.exp() #!
b.backward()
""",
    ),
    (
        'numeric-error-forward', 'lecture',
        (("out = Value(self.data**other, (self,), f'**{other}')", "out = Value(self.data**other, (self,), f'**{other}') #!"), ),
        """
a = Value(1.0)
z = Value(0.0)
b = a / z #!
b.backward()
""",
    ),
    (
        'numeric-error-backward', 'lecture',
        (('self.grad += other * (self.data ** (other - 1)) * out.grad', 'self.grad += other * (self.data ** (other - 1)) * out.grad #!'), ),
        """
a = Value(0.0)
b = a ** 0.5 #!
c = b * 2.0
c.backward() #!
""",
    ),
    (
        'bad-data-type', 'lecture',
        (),
        """
a = Value('3') #!
b = Value(2.0)
c = a + b
c.backward()
""",
    ),
    (
        'bad-data-type', 'lecture',
        (),
        """
a = Value([1.0, 2.0]) #!
b = a + Value([3.0])
b.backward()
print(a.grad)
""",
    ),
    (
        'bad-data-type', 'lecture',
        (),
        """
row = '1.5,2.5'.split(',')
xs = [Value(t) for t in row] #!
y = xs[0] + xs[1]
y.backward()
print(y.data)
""",
    ),
    (
        'recursion-limit', 'lecture',
        (('build_topo(child)', 'build_topo(child) #!'), ('def build_topo(v):', 'def build_topo(v): #!'), ),
        """
x = Value(0.001)
s = Value(0.0)
for i in range(3000):
    s = s + x #!
s.backward() #!
print(x.grad)
""",
    ),
    (
        'exception-midway', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad)
print(x3.grad) #!
""",
    ),
    (
        'exception-midway', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print('grad ' + x1.grad) #!
""",
    ),
    (
        'infinite-loop', 'lecture',
        (),
        """
w = Value(1.0)
loss = (w - 3.0)**2
while loss.data > -1.0: #!
    w.grad = 0.0 #!
    loss = (w - 3.0)**2 #!
    loss.backward() #!
    w.data -= 0.1*w.grad #!
""",
    ),
    (
        'exit-code', 'lecture',
        (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
raise SystemExit(2) #!
""",
    ),
    (
        'needs-input', 'lecture',
        (),
        """
name = input() #!
a = Value(float(name or 1))
(a*a).backward()
""",
    ),
    (
        'syntax-error', 'lecture',
        (),
        """
a = Value(1.0)
if a.data > 0 #!
    print(a)
""",
    ),
    (
        'overwrite-grad', 'property',
        (('self._grad += r._grad\n            o._grad += r._grad', 'self._grad = r._grad #!\n            o._grad = r._grad #!'), ),
        """
w = Num(0.5); b = Num(0.1)
for k in range(3):
    w.grad = b.grad = 0.0
    err = w * Num(2.0) + b + Num(-1.0)
    loss = err * err
    loss.backward()
    w.value -= 0.1 * w.grad
    b.value -= 0.1 * b.grad
print(w.value)
""",
    ),
    (
        'missing-zero-grad', 'property',
        (),
        """
w = Num(0.5); b = Num(0.1)
for k in range(3):
    err = w * Num(2.0) + b + Num(-1.0)
    loss = err * err
    loss.backward() #!
    w.value -= 0.1 * w.grad #!
    b.value -= 0.1 * b.grad
print(w.value)
""",
    ),
    (
        'wrong-update-sign', 'property',
        (),
        """
w = Num(0.5); b = Num(0.1)
for k in range(3):
    w.grad = b.grad = 0.0
    err = w * Num(2.0) + b + Num(-1.0)
    loss = err * err
    loss.backward()
    w.value += 0.1 * w.grad #!
    b.value += 0.1 * b.grad
print(w.value)
""",
    ),
    (
        'zero-misplaced', 'requires_grad',
        (),
        """
w = Scalar(0.5, True, name='w'); b = Scalar(0.0, True, name='b')
data = [(1.0, 2.0), (2.0, 3.5)]
for epoch in range(3):
    for x, y in data:
        for p in (w, b): p.grad = 0.0 #!
        e = w * x + b - y
        part = e * e
        part.backward()
    for p in (w, b): p.x -= 0.05 * p.grad
""",
    ),
    (
        'wrong-local-derivative', 'driver',
        (('v.grad * math.cos(v.ch[0].d)', 'v.grad * math.sin(v.ch[0].d) #!'), ('def sin(s): return', 'def sin(s): return'), ),
        """
a = V(0.3); b = V(1.2)
y = (a * b).sin() + a
y.backward()
print(a.grad)
""",
    ),
    (
        'overwrite-grad', 'driver',
        (('a.grad += v.grad * b.d\n                b.grad += v.grad * a.d', 'a.grad = v.grad * b.d #!\n                b.grad = v.grad * a.d #!'), ),
        """
a = V(0.3); b = V(1.2)
y = a * b + a
z = y * a
z.backward()
print(a.grad)
""",
    ),
    (
        'op-without-backward', 'driver',
        (("            elif v.op == 'sin':\n                v.ch[0].grad += v.grad * math.cos(v.ch[0].d)\n", ''), ("def sin(s): return V(math.sin(s.d), (s,), 'sin')", "def sin(s): return V(math.sin(s.d), (s,), 'sin') #!"), ('    def backward(self):', '    def backward(self): #!'), ),
        """
a = V(0.3); b = V(1.2)
y = (a * b).sin() + a #!
y.backward()
print(a.grad)
""",
    ),
    (
        'seed-missing', 'driver',
        (('        self.grad = 1.0\n', ''), ('    def backward(self):', '    def backward(self): #!'), ),
        """
a = V(0.3); b = V(1.2)
y = a * b + a
y.backward() #!
print(a.grad)
""",
    ),
    (
        'order-not-reversed', 'driver',
        (('for v in reversed(topo):', 'for v in topo: #!'), ),
        """
a = V(0.3); b = V(1.2)
y = a * b + a
z = y * y
z.backward()
print(a.grad)
""",
    ),
    (
        'upstream-ignored', 'driver',
        (('a.grad += v.grad * b.d\n                b.grad += v.grad * a.d', 'a.grad += b.d #!\n                b.grad += a.d #!'), ),
        """
a = V(0.3); b = V(1.2)
y = a * b
z = y * y
z.backward()
print(a.grad)
""",
    ),
    (
        'order-recursive', 'users',
        (('                if left[a] == 0: queue.append(a)', '                if left[a] >= 0: queue.append(a) #!'), ('            if n.back: n.back()', '            if n.back: n.back() #!'), ('        while queue:', '        while queue: #!'), ),
        """
a = Node(2.0); b = Node(3.0)
c = a * b
d = c + a
e = d * c
e.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'seed-missing', 'wengert',
        (('    out.grad = 1.0\n', ''), ('def grad(out):', 'def grad(out): #!'), ('            d.grad += w * v.grad', '            d.grad += w * v.grad #!'), ('    for v, deps in reversed(tape):', '    for v, deps in reversed(tape): #!'), ),
        """
x = var(0.5); y = var(4.2)
z = x * y + x.sin()
grad(z) #!
print(x.grad, y.grad)
""",
    ),
    (
        'overwrite-grad', 'wengert',
        (('d.grad += w * v.grad', 'd.grad = w * v.grad #!'), ),
        """
x = var(0.5); y = var(4.2)
z = x * y + x.sin()
grad(z)
print(x.grad, y.grad)
""",
    ),
    (
        'wrong-local-derivative', 'wengert',
        (('[(self, math.cos(self.value))]', '[(self, -math.cos(self.value))]'), ('math.cos(self.value))])', 'math.cos(self.value))]) #!'), ('def sin(self): return', 'def sin(self): return'), ),
        """
x = var(0.5); y = var(4.2)
z = x * y + x.sin()
grad(z)
print(x.grad, y.grad)
""",
    ),
    (
        'wrong-local-derivative', 'small',
        (),
        """
def nll(p, y):
    out = Value(-(y * log(p.data) + (1 - y) * log(1 - p.data)), (p,), "nll")
    def bw(): p.grad += (-(y / p.data) - (1 - y) / (1 - p.data)) * out.grad #!
    out._bw = bw
    return out
w = Value(0.1); b = Value(0.0)
data = [(-1.0, 0), (2.0, 1), (1.0, 1)]
total = sum([nll((w * x + b).sigmoid(), y) for x, y in data])
total.backward()
print(w.grad, b.grad)
""",
    ),
    (
        'saturated-unit', 'small',
        (),
        """
x = Value(30.0); w = Value(1.0)
h = (x * w).sigmoid() #!
y = h * 2.0
y.backward()
print(w.grad)
""",
    ),
    (
        'child-missing', 'small',
        (),
        """
def mean(vs):
    out = Value(sum(v.data for v in vs) / len(vs), (vs[0],), "mean") #!
    def bw():
        for v in vs: v.grad += out.grad / len(vs)
    out._bw = bw
    return out
a = Value(1.0); b = Value(2.0)
u = a * b; v = a + b; t = a * 3.0
m = mean([u, v, t])
m.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'detached-graph', 'small',
        (),
        """
def mean(vs):
    return Value(sum(v.data for v in vs) / len(vs)) #!
a = Value(1.0); b = Value(2.0)
u = a * b; v = a + b
m = mean([u, v]) * 2.0 #!
m.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'stale-interior-grad', 'small',
        (),
        """
x = Value(0.5); w = Value(2.0)
h = (x * w).sigmoid()
head1 = h * 3.0
head2 = h * -1.0
head1.backward()
head2.backward() #!
print(w.grad)
""",
    ),
    (
        'update-has-no-effect', 'small',
        (),
        """
ws = [Value(0.3), Value(-0.2)]
class Model:
    def __init__(self, ws): self.ws = ws
    def __call__(self, x): return self.ws[0] * x + self.ws[1]
model = Model(list(ws))
for it in range(3):
    loss = (model(2.0) + -1.0) * (model(2.0) + -1.0)
    for p in ws: p.grad = 0.0
    loss.backward()
    ws = [Value(p.data - 0.1 * p.grad) for p in ws] #!
print(loss.data)
""",
    ),
    (
        'update-has-no-effect', 'small',
        (),
        """
ws = [Value(0.3), Value(-0.2)]
for it in range(3):
    err = ws[0] * 2.0 + ws[1] + -1.0
    loss = err * err
    for p in ws: p.grad = 0.0
    loss.backward()
    for p in ws:
        new = p.data
        new = new - 0.1 * p.grad #!
print(loss.data)
""",
    ),
    (
        'missing-zero-grad', 'small',
        (),
        """
ws = [Value(0.3), Value(-0.2)]
m = [0.0, 0.0]
for it in range(3): #!
    err = ws[0] * 2.0 + ws[1] + -1.0
    loss = err * err
    loss.backward() #!
    for i, p in enumerate(ws):
        m[i] = 0.9 * m[i] + 0.1 * p.grad
        p.data -= 0.1 * m[i] #!
print(loss.data)
""",
    ),
    (
        'wrong-update-sign', 'small',
        (),
        """
ws = [Value(0.3), Value(-0.2)]
m = [0.0, 0.0]
for it in range(4):
    err = ws[0] * 2.0 + ws[1] + -1.0
    loss = err * err
    for p in ws: p.grad = 0.0
    loss.backward()
    for i, p in enumerate(ws):
        m[i] = 0.5 * m[i] + 0.5 * p.grad
        p.data += 0.01 * m[i] #!
print(loss.data)
""",
    ),
    (
        'zero-misplaced', 'small',
        (),
        """
ws = [Value(0.3), Value(-0.2)]
def zero():
    for p in ws: p.grad = 0.0 #!
for it in range(3):
    err = ws[0] * 2.0 + ws[1] + -1.0
    loss = err * err
    loss.backward()
    zero() #!
    for p in ws: p.data -= 0.1 * p.grad
print(loss.data)
""",
    ),
    (
        'data-changed', 'small',
        (),
        """
a = Value(2.0); b = Value(5.0)
c = a * b
a.data, b.data = b.data, a.data #!
c.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'data-changed', 'small',
        (),
        """
xs = [Value(3.0), Value(4.0)]
sq = [x * x for x in xs]
total = sum(sq)
for x in xs:
    x.data = x.data / 5.0 #!
total.backward()
print([x.grad for x in xs])
""",
    ),
    (
        'nan-source', 'small',
        (('from math import exp, log', "from math import exp\nimport math\ndef log(x): return math.log(x) if x > 0 else float('-inf')"), ),
        """
def vlog(v):
    out = Value(log(v.data), (v,), "log")
    def bw(): v.grad += (1 / v.data if v.data else float("inf")) * out.grad
    out._bw = bw
    return out
p = Value(0.0)
l = vlog(p) #!
y = l * 0.0
z = y + 1.0
z.backward()
print(p.grad)
""",
    ),
    (
        'manual-gradient-wrong', 'small',
        (),
        """
a = Value(2.0); b = Value(-1.5)
p = a * b
q = p + a
r = q * p
r.grad = 1.0
q.grad = p.data * r.grad
p.grad = q.data * r.grad #!
b.grad = a.data * p.grad
a.grad = b.data * p.grad + q.grad
print(a.grad, b.grad)
""",
    ),
    (
        'backward-never-called', 'small',
        (),
        """
w = Value(0.3)
for it in range(3):
    err = w * 2.0 + -1.0
    loss = err * err
    w.grad = 0.0
    w.data -= 0.1 * w.grad #!
print(w.data)
""",
    ),
    (
        'backward-twice', 'small',
        (),
        """
a = Value(1.5); b = Value(2.0)
y = (a * b).sigmoid() * a
for i in range(3):
    y.backward() #!
    print(i, a.grad)
""",
    ),
    (
        'closure-late-binding', 'small',
        (),
        """
ops = []
vals = [Value(1.0), Value(2.0), Value(3.0)]
outs = []
def build():
    for v in vals: #!
        out = Value(v.data ** 3, (v,), "cube")
        def bw(): v.grad += 3 * v.data ** 2 * out.grad #!
        out._bw = bw #!
        outs.append(out)
build()
t = outs[0] * 1.0 + outs[1] * 2.0 + outs[2] * 3.0
t.backward()
print([v.grad for v in vals])
""",
    ),
    (
        'merged-by-value', 'small',
        (('    __radd__ = __add__', '    def __eq__(self, o): return isinstance(o, Value) and self.data == o.data #!\n    def __hash__(self): return 7 #!\n    __radd__ = __add__'), ),
        """
a = Value(1.0); b = Value(1.0)
u = a * 2.0
v = b * 2.0
t = u * 3.0 + v * 5.0
t.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'cyclic-graph', 'small',
        (('prev=(), tag=""', 'prev=None, tag=""'), ('self.prev = prev;', 'self.prev = list(prev or []);'), ),
        """
a = Value(1.0); b = Value(2.0)
c = a * b
d = c + a
c.prev.append(d) #!
d.backward()
print(a.grad)
""",
    ),
    (
        'nested-value', 'small',
        (),
        """
raw = [1.0, Value(2.0)]
vals = [Value(r) for r in raw] #!
print(len(vals))
""",
    ),
    (
        'bad-data-type', 'none',
        (),
        """
import array
from math import exp, log
class Value:
    __slots__ = ("data", "grad", "prev", "_bw", "tag")
    def __init__(self, data, prev=(), tag=""):
        self.data = data; self.grad = 0.0; self.prev = prev; self.tag = tag
        self._bw = None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data + o.data, (self, o), "+")
        def bw(): self.grad += r.grad; o.grad += r.grad
        r._bw = bw
        return r
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data * o.data, (self, o), "*")
        def bw(): self.grad += o.data * r.grad; o.grad += self.data * r.grad
        r._bw = bw
        return r
    __radd__ = __add__
    __rmul__ = __mul__
    def sigmoid(self):
        s = 1 / (1 + exp(-self.data))
        r = Value(s, (self,), "sigmoid")
        def bw(): self.grad += s * (1 - s) * r.grad
        r._bw = bw
        return r
    def backward(self):
        order = []; mark = set()
        def walk(n):
            if n in mark: return
            mark.add(n)
            for p in n.prev: walk(p)
            order.append(n)
        walk(self)
        self.grad = 1.0
        while order:
            n = order.pop()
            if n._bw is not None: n._bw()

a = Value(array.array("d", [1.0, 2.0])) #!
b = Value(2.0)
print(a.grad)
""",
    ),
    (
        'bad-data-type', 'small',
        (),
        """
def load():
    value = 3.0
a = Value(load()) #!
b = Value(2.0)
c = b * a
c.backward()
""",
    ),
    (
        'missing-operator', 'small',
        (),
        """
a = Value(1.0)
b = a / 2.0 #!
b.backward()
""",
    ),
    (
        'missing-operator', 'small',
        (),
        """
a = Value(1.0)
b = -a #!
b.backward()
""",
    ),
    (
        'missing-operator', 'small',
        (('        o = o if isinstance(o, Value) else Value(o)\n        r = Value(self.data + o.data', '        r = Value(self.data + o.data #!'), ('(self.data + o.data #!, (self, o), "+")', '(self.data + o.data, (self, o), "+") #!'), ),
        """
a = Value(1.0)
b = a + 2.0 #!
b.backward()
""",
    ),
    (
        'wrong-forward', 'small',
        (('    __radd__ = __add__', '    def __sub__(self, o): #!\n        o = o if isinstance(o, Value) else Value(o)\n        r = Value(o.data - self.data, (self, o), "-") #!\n        def bw(): self.grad += -r.grad; o.grad += r.grad\n        r._bw = bw\n        return r\n    __radd__ = __add__'), ),
        """
a = Value(1.0); b = Value(4.0)
c = a - b #!
c.backward()
print(c.data)
""",
    ),
    (
        'in-place-mutation', 'small',
        (('    __radd__ = __add__', '    def relu(self): #!\n        if self.data < 0: #!\n            self.data = 0.0 #!\n        return self #!\n    __radd__ = __add__'), ),
        """
a = Value(-1.0); b = Value(4.0)
c = (a * b).relu()
d = c * a
d.backward()
print(a.grad)
""",
    ),
    (
        'infinite-recursion', 'small',
        (('__slots__ = ("data", "grad", "prev", "_bw", "tag")', '__slots__ = ("data", "grad", "prev", "_bw", "tag")\n    def __abs__(self): return abs(self) #!'), ),
        """
a = Value(-1.0)
b = abs(a) #!
""",
    ),
    (
        'recursion-limit', 'small',
        (('for p in n.prev: walk(p)', 'for p in n.prev: walk(p) #!'), ),
        """
h = Value(0.0); w = Value(0.5)
for t in range(700):
    h = (h * w + 0.1).sigmoid() #!
h.backward() #!
print(w.grad)
""",
    ),
    (
        'infinite-loop', 'small',
        (),
        """
w = Value(5.0)
while True: #!
    loss = w * w #!
    w.grad = 0.0 #!
    loss.backward() #!
    w.data -= 0.1 * w.grad #!
    if loss.data < -1: #!
        break
""",
    ),
    (
        'exit-code', 'small',
        (),
        """
import sys
a = Value(2.0); b = a * a; b.backward()
if a.grad != 5.0:
    sys.exit("gradient check failed") #!
""",
    ),
    (
        'needs-input', 'small',
        (),
        """
import sys
n = int(sys.stdin.readline() or 2) #!
a = Value(float(n)); b = a * a; b.backward()
""",
    ),
    (
        'hard-exit', 'small',
        (),
        """
import os, signal
a = Value(2.0); b = a * a; b.backward()
os.kill(os.getpid(), signal.SIGKILL) #!
""",
    ),
    (
        'exception-midway', 'small',
        (),
        """
a = Value(2.0); b = a * a; b.backward()
d = {"a": a}
print(d["b"]) #!
""",
    ),
    (
        'syntax-error', 'small',
        (),
        """
a = Value(2.0)
  b = a * a #!
""",
    ),
    (
        'output-flood', 'small',
        (),
        """
a = Value(2.0)
i = 0
while i < 10000000: #!
    print("step", i, a.data * i) #!
    i += 1 #!
""",
    ),
]

FAULTLESS = [
    (
        'lecture', (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.backward()
print(x1.grad, w1.grad)
""",
    ),
    (
        'lecture', (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'

o.grad = 1.0
n.grad = 0.5
b.grad = 0.5
x1w1x2w2.grad = 0.5
x1w1.grad = 0.5
x2w2.grad = 0.5
x2.grad = w2.data * x2w2.grad
w2.grad = x2.data * x2w2.grad
x1.grad = w1.data * x1w1.grad
w1.grad = x1.data * x1w1.grad
""",
    ),
    (
        'lecture', (),
        """
x1 = Value(2.0, label='x1'); x2 = Value(0.0, label='x2')
w1 = Value(-3.0, label='w1'); w2 = Value(1.0, label='w2')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
x2w2 = x2*w2; x2w2.label = 'x2*w2'
x1w1x2w2 = x1w1 + x2w2; x1w1x2w2.label = 'x1*w1 + x2*w2'
n = x1w1x2w2 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'

o.grad = 1.0
o._backward()
n._backward()
b._backward()
x1w1x2w2._backward()
x2w2._backward()
x1w1._backward()
print(x1.grad)
""",
    ),
    (
        'lecture', (),
        """
a = Value(2.0, label='a')
b = Value(-3.0, label='b')
c = Value(10.0, label='c')
e = a*b; e.label = 'e'
d = e + c; d.label = 'd'
f = Value(-2.0, label='f')
L = d * f; L.label = 'L'
L.backward()
a.data += 0.01 * a.grad
b.data += 0.01 * b.grad
c.data += 0.01 * c.grad
f.data += 0.01 * f.grad
e = a * b
d = e + c
L = d * f
print(L.data)
""",
    ),
    (
        'lecture', (),
        """
import random
random.seed(1)
class Neuron:
    def __init__(self, nin):
        self.w = [Value(random.uniform(-1,1)) for _ in range(nin)]
        self.b = Value(random.uniform(-1,1))
    def __call__(self, x):
        act = sum((wi*xi for wi, xi in zip(self.w, x)), self.b)
        return act.tanh()
    def parameters(self):
        return self.w + [self.b]
class Layer:
    def __init__(self, nin, nout):
        self.neurons = [Neuron(nin) for _ in range(nout)]
    def __call__(self, x):
        outs = [n(x) for n in self.neurons]
        return outs[0] if len(outs) == 1 else outs
    def parameters(self):
        return [p for neuron in self.neurons for p in neuron.parameters()]
class MLP:
    def __init__(self, nin, nouts):
        sz = [nin] + nouts
        self.layers = [Layer(sz[i], sz[i+1]) for i in range(len(nouts))]
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]
n = MLP(3, [4, 4, 1])
xs = [[2.0, 3.0, -1.0],[3.0, -1.0, 0.5],[0.5, 1.0, 1.0],[1.0, 1.0, -1.0]]
ys = [1.0, -1.0, -1.0, 1.0]
for k in range(5):
    ypred = [n(x) for x in xs]
    loss = sum((yout - ygt)**2 for ygt, yout in zip(ys, ypred))
    for p in n.parameters():
        p.grad = 0.0
    loss.backward()
    for p in n.parameters():
        p.data += -0.1 * p.grad
    print(k, loss.data)
""",
    ),
    (
        'lecture', (),
        """
import random
random.seed(2)
class SGD:
    def __init__(self, params, lr=0.1, momentum=0.9):
        self.params, self.lr, self.m = params, lr, momentum
        self.v = [0.0 for _ in params]
    def zero_grad(self):
        for p in self.params:
            p.grad = 0.0
    def step(self):
        for i, p in enumerate(self.params):
            self.v[i] = self.m * self.v[i] - self.lr * p.grad
            p.data += self.v[i]
w = [Value(random.random()) for _ in range(2)]
b = Value(0.0)
opt = SGD(w + [b], lr=0.01)
for epoch in range(5):
    total = Value(0.0)
    for x, y in [((1.0, 2.0), 3.0), ((2.0, -1.0), 0.0)]:
        out = w[0]*x[0] + w[1]*x[1] + b
        total = total + (out - y)**2
    opt.zero_grad()
    total.backward()
    opt.step()
print(total.data)
""",
    ),
    (
        'lecture', (),
        """
ps = [Value(1.0), Value(-2.0)]
m = [0.0]*2; v = [0.0]*2
for t in range(1, 6):
    loss = (ps[0]*2 + ps[1] - 3)**2 + ps[0]**2 * 0.1
    for p in ps: p.grad = 0.0
    loss.backward()
    for i, p in enumerate(ps):
        g = p.grad
        m[i] = 0.9*m[i] + 0.1*g
        v[i] = 0.999*v[i] + 0.001*g*g
        mh = m[i]/(1-0.9**t); vh = v[i]/(1-0.999**t)
        p.data -= 0.05*mh/(vh**0.5+1e-8)
print(ps)
""",
    ),
    (
        'lecture', (),
        """
w = Value(0.5)
hist = []
for i in range(4):
    pred = w * 3.0
    loss = (pred - 6.0)**2
    w.grad = 0.0
    loss.backward()
    hist.append((loss.data, w.grad))
    w.data -= 0.01 * w.grad
test = w * 5.0
print(test.data)
best = Value(w.data)
again = (best * 3.0 - 6.0)**2
print(again.data)
""",
    ),
    (
        'lecture', (),
        """
ws = [Value(1.0), Value(2.0)]
for k in range(3):
    loss = (ws[0]*ws[1] - 1.0)**2
    for p in ws: p.grad = 0.0
    loss.backward()
    norm = sum(p.grad**2 for p in ws)**0.5
    scale = 1.0 if norm < 1 else 1.0/norm
    for p in ws:
        p.data = p.data - 0.1*scale*p.grad
print(norm)
""",
    ),
    (
        'lecture', (),
        """
x = Value(3.0)
y = x*x
y.backward()
print(x.grad)
z = x*2
z.backward()
print(x.grad)
""",
    ),
    (
        'lecture', (),
        """
w = Value(2.0)
for k in range(3):
    loss = (w*3 - 1)**2
    w.grad = 0.0
    loss.backward()
    w.grad += 0.1 * w.data
    w.data -= 0.05 * w.grad
print(w.data)
""",
    ),
    (
        'lecture', (),
        """
w = Value(1.0); b = Value(0.0)
train = [(1.0, 2.0), (2.0, 4.1)]
val = [(3.0, 6.0)]
lr = 0.1
for epoch in range(4):
    w.grad = b.grad = 0.0
    loss = Value(0.0)
    for x, y in train:
        loss = loss + (w*x + b - y)**2
    loss = loss * (1/len(train))
    loss.backward()
    w.data -= lr*w.grad
    b.data -= lr*b.grad
    vl = sum((w.data*x + b.data - y)**2 for x, y in val)
    if vl > 1: lr *= 0.5
    print(epoch, loss.data, vl)
""",
    ),
    (
        'lecture', (),
        """
logits = [Value(1.0), Value(2.0), Value(0.5)]
counts = [l.exp() for l in logits]
denom = sum(counts)
probs = [c / denom for c in counts]
def log(v):
    out = Value(math.log(v.data), (v,), 'log')
    def _backward():
        v.grad += out.grad / v.data
    out._backward = _backward
    return out
loss = -log(probs[1])
loss.backward()
print([l.grad for l in logits])
""",
    ),
    (
        'lecture', (),
        """
w = Value(2.0)
for part in range(2):
    loss = (w*3.0 - 1.0)**2 * 0.5
    loss.backward()
w.data -= 0.01*w.grad
print(w.data)
""",
    ),
    (
        'lecture', (),
        """
x = Value(3.0)
for i in range(5):
    f = x*x - 2.0
    x.grad = 0.0
    f.backward()
    x.data = x.data - f.data / x.grad
print(x.data)
""",
    ),
    (
        'lecture', (),
        """
x = Value(0.5)
for i in range(6):
    f = -(x - 2.0)**2 + 4.0
    x.grad = 0.0
    f.backward()
    x.data += 0.1 * x.grad
print(x.data, f.data)
""",
    ),
    (
        'lecture', (),
        """
g = Value(0.5); d = Value(1.0)
for k in range(3):
    fake = g * 2.0
    score = d * fake
    d.grad = 0.0; g.grad = 0.0
    score.backward()
    d.data += 0.01 * d.grad
    fake = g * 2.0
    g_loss = (d * fake - 1.0)**2
    d.grad = 0.0; g.grad = 0.0
    g_loss.backward()
    g.data -= 0.01 * g.grad
print(g.data, d.data)
""",
    ),
    (
        'lecture', (),
        """
def zero_grad(v):
    seen = set()
    stack = [v]
    while stack:
        n = stack.pop()
        if n not in seen:
            seen.add(n); n.grad = 0.0
            stack.extend(n._prev)
a = Value(2.0); b = Value(3.0)
c = a*b; d = c*c
d.backward(); print(a.grad)
zero_grad(d)
d.backward(); print(a.grad)
""",
    ),
    (
        'property', (),
        """
w = Num(0.5); b = Num(0.1)
for k in range(3):
    w.grad = b.grad = 0.0
    err = w * Num(2.0) + b + Num(-1.0)
    loss = err * err
    loss.backward()
    w.value -= 0.1 * w.grad
    b.value -= 0.1 * b.grad
print(w.value)
""",
    ),
    (
        'requires_grad', (),
        """
w = Scalar(0.5, True, name='w'); b = Scalar(0.0, True, name='b')
data = [(1.0, 2.0), (2.0, 3.5)]
for epoch in range(3):
    loss = Scalar(0.0)
    for x, y in data:
        e = w * x + b - y
        loss = loss + e * e
    for p in (w, b): p.zero_grad()
    loss.backward()
    for p in (w, b): p.x -= 0.05 * p.grad
    print(epoch, loss.x)
""",
    ),
    (
        'driver', (),
        """
a = V(0.3); b = V(1.2)
for k in range(3):
    y = (a * b).sin() + a
    loss = y * y
    loss.backward()
    a.d -= 0.1 * a.grad
    b.d -= 0.1 * b.grad
print(a.grad)
""",
    ),
    (
        'users', (),
        """
a = Node(2.0); b = Node(3.0)
c = a * b
d = c + a
e = d * c
e.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'wengert', (),
        """
x = var(0.5); y = var(4.2)
z = x * y + x.sin()
grad(z)
print(x.grad, y.grad)
""",
    ),
    (
        'small', (),
        """
def nll(p, y):
    out = Value(-(y * log(p.data) + (1 - y) * log(1 - p.data)), (p,), "nll")
    def bw(): p.grad += (-(y / p.data) + (1 - y) / (1 - p.data)) * out.grad
    out._bw = bw
    return out
w = Value(0.1); b = Value(0.0)
data = [(-1.0, 0), (2.0, 1), (1.0, 1)]
for it in range(4):
    losses = [nll((w * x + b).sigmoid(), y) for x, y in data]
    total = sum(losses) * (1 / len(losses))
    for p in (w, b): p.grad = 0.0
    total.backward()
    for p in (w, b): p.data -= 0.5 * p.grad
print(w.data, b.data)
""",
    ),
    (
        'small', (),
        """
x = Value(0.5); w = Value(2.0)
h = (x * w).sigmoid()
total = h * 3.0 + h * -1.0
total.backward()
print(w.grad)
""",
    ),
    (
        'small', (),
        """
xs = [Value(3.0), Value(4.0)]
for x in xs:
    x.data = x.data / 5.0
sq = [x * x for x in xs]
total = sum(sq)
total.backward()
print([x.grad for x in xs])
""",
    ),
    (
        'small', (),
        """
a = Value(2.0); b = Value(-1.0)
p = a * b
q = p + a
r = q * p
r.grad = 1.0
q.grad = p.data * r.grad
p.grad = q.data * r.grad + q.grad
b.grad = a.data * p.grad
a.grad = b.data * p.grad + q.grad
print(a.grad, b.grad)
""",
    ),
    (
        'small', (),
        """
vals = [Value(1.0), Value(2.0), Value(3.0)]
outs = []
for v in vals:
    out = Value(v.data ** 3, (v,), "cube")
    def bw(v=v, out=out): v.grad += 3 * v.data ** 2 * out.grad
    out._bw = bw
    outs.append(out)
t = outs[0] * 1.0 + outs[1] * 2.0 + outs[2] * 3.0
t.backward()
print([v.grad for v in vals])
""",
    ),
    (
        'small',
        (('    __radd__ = __add__', '    def __lt__(self, o): return self.data < o.data\n    def __gt__(self, o): return self.data > o.data\n    __radd__ = __add__'), ),
        """
a = Value(1.0); b = Value(1.0)
m = max(a * 2.0, b * 3.0)
t = m * 5.0
t.backward()
print(a.grad, b.grad)
""",
    ),
    (
        'small', (),
        """
X = [[1.0, 2.0], [3.0, -1.0]]
W = [[Value(0.1), Value(0.2)], [Value(-0.3), Value(0.4)]]
def matvec(W, x): return [sum(w * xi for w, xi in zip(row, x)) for row in W]
outs = [matvec(W, x) for x in X]
loss = sum(o * o for out in outs for o in out)
loss.backward()
print(W[0][0].grad)
""",
    ),
    (
        'small', (),
        """
def f(a, b):
    return (a * b + a).sigmoid() * b
a = Value(0.3); b = Value(-0.7)
y = f(a, b)
y.backward()
h = 1e-6
for p in (a, b):
    old = p.data
    p.data = old + h
    up = f(a, b).data
    p.data = old - h
    down = f(a, b).data
    p.data = old
    print(p.grad, (up - down) / (2 * h))
""",
    ),
    (
        'small', (),
        """
w = Value(1.0)
for k in range(3):
    y = w * 2.0
    y.backward()
    print(w.grad)
    w.grad = 0.0
""",
    ),
    (
        'small', (),
        """
w = Value(1.0)
target = Value(w.data)
for k in range(4):
    q = w * 2.0
    goal = target.data * 2.0 + 0.5
    err = q + -goal
    loss = err * err
    w.grad = 0.0
    loss.backward()
    w.data -= 0.05 * w.grad
    if k % 2:
        target.data = w.data
print(w.data)
""",
    ),
    (
        'small', (),
        """
w = Value(1.0); best = 1e9; best_w = None
for k in range(5):
    err = w * 2.0 + -3.0
    loss = err * err
    if loss.data < best:
        best, best_w = loss.data, w.data
    w.grad = 0.0
    loss.backward()
    w.data = w.data - 0.05 * w.grad
final = Value(best_w) * 2.0
print(final.data)
""",
    ),
    (
        'small', (),
        """
w = Value(1.0)
for k in range(3):
    err = w * 2.0 + -3.0
    loss = err * err
    w.grad = 0.0
    loss.backward()
    g = w.grad
    lr = 1.0
    old = w.data
    while True:
        w.data = old - lr * g
        e2 = w * 2.0 + -3.0
        if (e2 * e2).data < loss.data or lr < 1e-6:
            break
        lr *= 0.5
print(w.data)
""",
    ),
]
