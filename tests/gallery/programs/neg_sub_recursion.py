class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self._backward = lambda: None

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __neg__(self):
        return 0 - self

    def __rsub__(self, other):
        return -self + other

    def __sub__(self, other):
        return self + (-other)

a = Value(3.0)
b = Value(1.0)
c = a - b
print(c.data)
