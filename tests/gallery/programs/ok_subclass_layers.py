import random

random.seed(5)


class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = float(data)
        self.grad = 0.0
        self._prev = _children
        self._op = _op
        self.label = label
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,), 'relu')
        def _backward():
            self.grad += out.grad if self.data > 0 else 0.0
        out._backward = _backward
        return out

    def __radd__(self, other): return self + other
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + (-other)

    def backward(self):
        topo, visited = [], set()
        def build(v):
            if v not in visited:
                visited.add(v)
                for c in v._prev:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


class Linear:
    def __init__(self, nin, nout):
        self.w = [[Value(random.uniform(-1, 1)) for _ in range(nin)] for _ in range(nout)]
        self.b = [Value(0.0) for _ in range(nout)]

    def __call__(self, xs):
        return [sum((wi * xi for wi, xi in zip(row, xs)), b) for row, b in zip(self.w, self.b)]

    def parameters(self):
        return [w for row in self.w for w in row] + self.b


class ReLU:
    def __call__(self, xs):
        return [x.relu() for x in xs]

    def parameters(self):
        return []


class Sequential:
    def __init__(self, *layers):
        self.layers = layers

    def __call__(self, xs):
        for layer in self.layers:
            xs = layer(xs)
        return xs

    def parameters(self):
        return [p for layer in self.layers for p in layer.parameters()]

    def zero_grad(self):
        for p in self.parameters():
            p.grad = 0.0


net = Sequential(Linear(2, 3), ReLU(), Linear(3, 1))
for epoch in range(3):
    net.zero_grad()
    loss = Value(0.0)
    for x, t in (([1.0, 2.0], 1.0), ([-1.0, 0.5], 0.0)):
        err = net(x)[0] - Value(t)
        loss = loss + err * err
    loss.backward()
    for p in net.parameters():
        p.data -= 0.05 * p.grad
    print(epoch, loss.data)
