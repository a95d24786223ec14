class Value:
    def __init__(self, data, src=()):
        self.data = data
        self.grad = 0.0
        self.src = src
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def __imul__(self, k):
        self.data = self.data * k
        return self

    def backward(self):
        topo, seen = [], set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for s in v.src:
                    go(s)
                topo.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

x = Value(2.0)
w = Value(1.5)
y = x * w
y *= 3.0
z = y * x
z.backward()
print(z.data, x.grad, w.grad)
