import math


class Value:
    def __init__(self, data, children=(), vjp=None):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.vjp = vjp

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), lambda g: (g, g))

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), lambda g: (g * other.data, g * self.data))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), lambda g: (g * (1 - t * t),))

    def backward(self):
        order, seen = [], set()
        def dfs(v):
            if v not in seen:
                seen.add(v)
                for c in v.children:
                    dfs(c)
                order.append(v)
        dfs(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.vjp is not None:
                for c, g in zip(v.children, v.vjp(v.grad)):
                    c.grad += g


w, x, b = Value(2.0), Value(-1.5), Value(6.8)
o = (w * x + b).tanh()
o.backward()
print(w.grad, x.grad, b.grad)
