class Value:
    def __init__(self, data, children=(), op=""):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op

    def __add__(self, o):
        return Value(self.data + o.data, (self, o), "+")

    def __mul__(self, o):
        return Value(self.data * o.data, (self, o), "*")

    def _backward(self):
        if self.op == "+":
            for c in self.children:
                c.grad += self.grad
        elif self.op == "*":
            x, y = self.children
            x.grad += y.data * self.grad
            y.grad += x.data * self.grad


a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
f = e + e
