class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.children = children
        self.grad = 0.0

    def __mul__(self, other):
        if not isinstance(other, Value):
            return self * float(other)
        out = Value(self.data * other.data, (self, other))
        return out

a = Value(3.0)
b = Value(2.0)
c = a * b
d = c * 2
