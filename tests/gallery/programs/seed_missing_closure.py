class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        seen = set()
        def build(v):
            if v in seen:
                return
            seen.add(v)
            for p in v.parents:
                build(p)
            topo.append(v)
        build(self)
        for v in reversed(topo):
            v._backward()

a = Value(1.0)
b = Value(2.0)
y = a * b
y.backward()
print(a.grad, b.grad)
