import math

class Value:
    def __init__(self, data, _children=(), _op='', label=''):
        self.data = data
        self._prev = set(_children)
        self._op = _op
        self.label = label
        self.grad = 0.0

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), '+')

    def __mul__(self, other):
        return Value(self.data * other.data, (self, other), '*')

    def tanh(self):
        return Value(math.tanh(self.data), (self,), 'tanh')

x1 = Value(2.0, label='x1')
w1 = Value(-0.3, label='w1')
b = Value(0.9, label='b')
x1w1 = x1 * w1
n = x1w1 + b
o = n.tanh()

o.grad = 1.0
n.grad = 1 - o.data ** 2
b.grad = n.grad
x1w1.grad = n.grad
x1.grad = x1.data * x1w1.grad
w1.grad = w1.data * x1w1.grad
for v in (x1, w1, b):
    print(v.label, v.grad)
