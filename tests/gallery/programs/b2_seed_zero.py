class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0
        self.b = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def b():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.b = b
        return out

    def backward(self, grad=None):
        if grad is not None:
            self.grad = grad
        topo, seen = [], set()
        def go(v):
            if v in seen:
                return
            seen.add(v)
            for p in v.parents:
                go(p)
            topo.append(v)
        go(self)
        for v in reversed(topo):
            v.b()

a = Value(2.0)
y = a * a
y.backward()
print(a.grad)
