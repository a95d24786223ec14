import math


class Value:
    def __init__(self, data, operands=()):
        self.data = data
        self.grad = 0.0
        self.operands = operands

    def __add__(self, other):
        return Add(self, other)

    def __mul__(self, other):
        return Mul(self, other)

    def tanh(self):
        return Tanh(self)

    def relu(self):
        return ReLU(self)

    def exp(self):
        return Exp(self)

    def log(self):
        return Log(self)

    def __neg__(self):
        return self * Value(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def _backward(self):
        pass

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v in seen:
                return
            seen.add(v)
            for o in v.operands:
                visit(o)
            order.append(v)

        visit(self)
        self.grad = 1.0
        while order:
            order.pop()._backward()


class Add(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data, (a, b))

    def _backward(self):
        for o in self.operands:
            o.grad += self.grad


class Mul(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data, (a, b))

    def _backward(self):
        a, b = self.operands
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Tanh(Value):
    def __init__(self, a):
        super().__init__(math.tanh(a.data), (a,))

    def _backward(self):
        self.operands[0].grad += (1 - self.data**2) * self.grad


class ReLU(Value):
    def __init__(self, a):
        super().__init__(max(0.0, a.data), (a,))

    def _backward(self):
        self.operands[0].grad += (self.data > 0) * self.grad


class Exp(Value):
    def __init__(self, a):
        super().__init__(math.exp(a.data), (a,))

    def _backward(self):
        self.operands[0].grad += self.data * self.grad


class Log(Value):
    def __init__(self, a):
        super().__init__(math.log(a.data), (a,))

    def _backward(self):
        a = self.operands[0]
        a.grad += self.grad / a.data
