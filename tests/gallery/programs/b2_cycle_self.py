class Value:
    def __init__(self, data, operands=()):
        self.data = data
        self.grad = 0.0
        self.operands = list(operands)
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        out.operands.append(out)
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
                for c in v.operands:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

a = Value(2.0)
b = Value(3.0)
y = a * b
y.backward()
print(a.grad)
