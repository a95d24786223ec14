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

    def backward(self, seed=1.0):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for c in v.children:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = seed
        for v in reversed(topo):
            v._backward()

w = Value(0.5)
batch = [(1.0, 2.0), (3.0, 1.0)]
for x, y in batch:
    e = w * x + -y
    sq = e * e
    sq.backward(1.0 / len(batch))
print(w.grad)
