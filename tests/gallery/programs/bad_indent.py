class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
        self.grad += out.grad
        other.grad += out.grad
        out._backward = _backward
        return out

a = Value(1.0)
