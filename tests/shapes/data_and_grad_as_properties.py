class Value:
    def __init__(self, data, children=()):
        self._d = data
        self._g = 0.0
        self._prev = children
        self._backward = lambda: None

    @property
    def data(self):
        return self._d

    @property
    def grad(self):
        return self._g

    @grad.setter
    def grad(self, v):
        self._g = v

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other))

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out


a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
f = e + e
