import math


class Function:
    def __init__(self, *inputs):
        self.inputs = inputs

    @classmethod
    def apply(cls, *inputs):
        ctx = cls(*inputs)
        return Value(ctx.forward(*(v.data for v in inputs)), ctx)


class Add(Function):
    def forward(self, x, y):
        return x + y

    def backward(self, g):
        return g, g


class Mul(Function):
    def forward(self, x, y):
        self.x, self.y = x, y
        return x * y

    def backward(self, g):
        return self.y * g, self.x * g


class Tanh(Function):
    def forward(self, x):
        self.t = math.tanh(x)
        return self.t

    def backward(self, g):
        return ((1 - self.t**2) * g,)


class Value:
    def __init__(self, data, ctx=None):
        self.data = data
        self.grad = 0.0
        self.ctx = ctx

    def __add__(self, other):
        return Add.apply(self, other)

    def __mul__(self, other):
        return Mul.apply(self, other)

    def tanh(self):
        return Tanh.apply(self)

    def backward(self):
        order, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                if v.ctx is not None:
                    for i in v.ctx.inputs:
                        visit(i)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.ctx is not None:
                for i, g in zip(v.ctx.inputs, v.ctx.backward(v.grad)):
                    i.grad += g
