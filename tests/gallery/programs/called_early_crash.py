class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0
        self._backward = lambda: None

    def __mul__(self, other):
        result = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * result.grad
            other.grad += self.data * result.grad

        result._backward = _backward()
        return result

    def backward(self):
        topo = []
        visited = set()

        def build(v):
            if v not in visited:
                visited.add(v)
                for p in v.parents:
                    build(p)
                topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


x = Value(3.0)
y = Value(-2.0)
z = x * y
z.backward()
print(x.grad)
