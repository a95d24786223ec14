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

yhat = Value(0.3) * Value(2.0)
y = Value(1.0)
diff = yhat - y
loss = diff * diff
