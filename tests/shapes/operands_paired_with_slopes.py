class Value:
    def __init__(self, data, local_gradients=()):
        self.value = data
        self.grad = 0.0
        self.local_gradients = local_gradients

    def __add__(self, o):
        return Value(self.value + o.value, ((self, 1.0), (o, 1.0)))

    def __mul__(self, o):
        return Value(self.value * o.value, ((self, o.value), (o, self.value)))


a = Value(2.0)
b = Value(3.0)
c = a + b
d = a * b
e = c * d
f = e + e
