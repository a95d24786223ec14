class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
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

    def topo(self):
        order, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    build(p)
                order.append(v)
        build(self)
        return order

    def backward(self):
        order = self.topo()
        for v in order:
            v.grad = 1.0          # start value for the chain rule
        for v in reversed(order):
            v._backward()

a = Value(2.0)
b = Value(3.0)
ab = a * b
y = ab + a
y.backward()
print(a.grad, b.grad)
