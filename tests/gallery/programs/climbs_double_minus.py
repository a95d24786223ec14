class Value:
    def __init__(self, data, children=(), op=''):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
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

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for c in v.children:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


class Optimizer:
    def __init__(self, params, lr):
        self.params = params
        self.lr = lr

    def zero(self):
        for p in self.params:
            p.grad = 0.0

    def step(self):
        for p in self.params:
            p.data = p.data - self.lr * p.grad


theta = Value(0.3)
opt = Optimizer([theta], lr=-0.05)
for epoch in range(4):
    opt.zero()
    d = theta * 2.0 + -3.0
    cost = d * d
    cost.backward()
    opt.step()
    print(epoch, cost.data, theta.data)
