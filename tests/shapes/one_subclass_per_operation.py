class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children

    def __add__(self, o):
        return Add(self, o)

    def __mul__(self, o):
        return Mul(self, o)

    def _backward(self):
        pass


class Add(Value):
    def __init__(self, x, y):
        super().__init__(x.data + y.data, (x, y))

    def _backward(self):
        for c in self.children:
            c.grad += self.grad


class Mul(Value):
    def __init__(self, x, y):
        super().__init__(x.data * y.data, (x, y))

    def _backward(self):
        x, y = self.children
        x.grad += y.data * self.grad
        y.grad += x.data * self.grad


a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
f = e + e
