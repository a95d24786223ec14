# every node hands its gradient on straight away
class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0

    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other):
        return Mul(self, other)

    def backward(self, g=1.0):
        self.grad += g


class Add(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data)
        self.children = (a, b)

    def backward(self, g=1.0):
        self.grad += g
        a, b = self.children
        a.backward(self.grad)
        b.backward(self.grad)


class Mul(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data)
        self.children = (a, b)

    def backward(self, g=1.0):
        self.grad += g
        a, b = self.children
        a.backward(b.data * self.grad)
        b.backward(a.data * self.grad)


x = Value(2.0)
s = x * x
y = s * s + s
y.backward()
print(x.grad)
