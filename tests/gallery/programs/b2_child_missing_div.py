class Value:
    def __init__(self, data, prev=()):
        self.data = data
        self.prev = list(prev)
        self.grad = 0.0
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, [self, other])
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __truediv__(self, other):
        out = Value(self.data / other.data, [self])
        def _backward():
            self.grad += 1 / other.data * out.grad
            other.grad += -self.data / other.data ** 2 * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], []
        def visit(v):
            if any(v is s for s in seen):
                return
            seen.append(v)
            for p in v.prev:
                visit(p)
            topo.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

a, b, c = Value(1.0), Value(2.0), Value(3.0)
bc = b * c
y = a / bc
y.backward()
print(a.grad, b.grad, c.grad)
