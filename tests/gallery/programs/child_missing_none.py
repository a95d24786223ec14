import math

class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.children = children
        self.grad = 0.0
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, children=(self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def tanh(self):
        t = math.tanh(self.data)
        out = Value(t)
        def _backward():
            self.grad += (1 - t ** 2) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        order = []
        seen = set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for c in v.children:
                    go(c)
                order.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()

w = Value(0.8)
x = Value(0.5)
n = w * x
o = n.tanh()
o.backward()
print(w.grad, x.grad)
