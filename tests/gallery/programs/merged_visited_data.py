class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.children = children
        self.grad = 0.0
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo = []
        visited = set()
        def build(v):
            if v.data not in visited:
                visited.add(v.data)
                for c in v.children:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

p, q, r = Value(1.0), Value(1.0), Value(4.0)
y = p * r + q * r
y.backward()
print(p.grad, q.grad, r.grad)
