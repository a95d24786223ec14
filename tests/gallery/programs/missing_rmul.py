class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self._backward = lambda: None

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

a = Value(4.0)
print((a * 2).data)
print((2 * a).data)
