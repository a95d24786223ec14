import math


class Scalar:
    def __init__(self, data, op=None, inputs=()):
        self.data = data
        self.op = op
        self.inputs = inputs
        self.grad = 0.0

    def __mul__(self, other):
        return Scalar(self.data * other.data, 'mul', (self, other))

    def tanh(self):
        return Scalar(math.tanh(self.data), 'tanh', (self,))

    def _backward(self):
        if self.op == 'mul':
            a, b = self.inputs
            a.grad += b.data * self.grad
            b.grad += a.data * self.grad
        elif self.op == 'tanh':
            (a,) = self.inputs
            a.grad += 1 - self.data * self.data

    def backward(self):
        order, seen = [], set()

        def post(v):
            if v not in seen:
                seen.add(v)
                for i in v.inputs:
                    post(i)
                order.append(v)

        post(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


a = Scalar(0.5)
k = Scalar(3.0)
y = a.tanh() * k
y.backward()
print(a.grad, k.grad)
