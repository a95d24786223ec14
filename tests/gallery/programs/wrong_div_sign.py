class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self._backward = lambda: None

    def __truediv__(self, other):
        out = Value(self.data / other.data, (self, other))
        def _backward():
            self.grad += out.grad / other.data
            other.grad += self.data / other.data ** 2 * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def b(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents: b(p)
                topo.append(v)
        b(self)
        self.grad = 1.0
        for v in topo[::-1]: v._backward()

a = Value(1.0)
b = Value(4.0)
q = a / b
q.backward()
print(a.grad, b.grad)
