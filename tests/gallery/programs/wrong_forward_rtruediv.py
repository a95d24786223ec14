class Value:
    def __init__(self, data, parents=(), op=''):
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents
        self.op = op
        self._backward = lambda: None

    def _wrap(x):
        return x if isinstance(x, Value) else Value(x)

    def __truediv__(self, other):
        other = Value._wrap(other)
        out = Value(self.data / other.data, (self, other), '/')
        def _backward():
            self.grad += out.grad / other.data
            other.grad -= out.grad * self.data / other.data ** 2
        out._backward = _backward
        return out

    def __rtruediv__(self, other):
        return self / other

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    build(p)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

z = Value(4.0)
inv = 1.0 / z
inv.backward()
print(inv.data, z.grad)
