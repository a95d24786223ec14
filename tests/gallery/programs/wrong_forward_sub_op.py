import math

class Value:
    def __init__(self, data, children=(), op=''):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __sub__(self, other):
        out = Value(self.data + other.data, (self, other), '-')
        def _backward():
            self.grad += out.grad
            other.grad -= out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()
        def rec(v):
            if v in seen:
                return
            seen.add(v)
            for c in v.children:
                rec(c)
            order.append(v)
        rec(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()

yhat = Value(0.9)
t = Value(1.0)
err = yhat - t
loss = err * err
loss.backward()
print(loss.data, yhat.grad)
