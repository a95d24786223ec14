import math

class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def log(self):
        out = Value(math.log(self.data), (self,))
        def _backward():
            self.grad += out.grad / self.data
        out._backward = _backward
        return out

p = Value(0.0)
k = Value(1.0)
q = p * k
nll = q.log()
print(nll.data)
