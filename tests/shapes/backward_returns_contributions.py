class Value:
    def __init__(self, data, inputs=(), grad_fn=None):
        self.data = data
        self.grad = 0.0
        self.inputs = inputs
        self.grad_fn = grad_fn

    def __add__(self, o):
        return Value(self.data + o.data, (self, o), lambda g: (g, g))

    def __mul__(self, o):
        return Value(self.data * o.data, (self, o), lambda g: (g * o.data, g * self.data))


a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
f = e + e
