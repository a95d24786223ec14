import math


class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents

    def __add__(self, other):
        return Value(self.data + other.data, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        return Value(self.data * other.data, ((self, other.data), (other, self.data)))

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, ((self, 1 - t * t),))

    def relu(self):
        return Value(max(0.0, self.data), ((self, 1.0 if self.data > 0 else 0.0),))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, ((self, e),))

    def log(self):
        return Value(math.log(self.data), ((self, 1 / self.data),))

    def __neg__(self):
        return self * Value(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def backward(self, upstream=1.0):
        self.grad += upstream
        for parent, slope in self.parents:
            parent.backward(slope * upstream)
