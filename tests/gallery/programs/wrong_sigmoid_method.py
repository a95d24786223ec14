import math


class Expr:
    def __init__(self, value, kind='const', args=()):
        self.value = value
        self.kind = kind
        self.args = args
        self.grad = 0.0

    def __add__(self, other):
        return Expr(self.value + other.value, '+', (self, other))

    def __mul__(self, other):
        return Expr(self.value * other.value, '*', (self, other))

    def sigmoid(self):
        return Expr(1 / (1 + math.exp(-self.value)), 'sigmoid', (self,))

    def back_add(self):
        for a in self.args:
            a.grad += self.grad

    def back_mul(self):
        a, b = self.args
        a.grad += b.value * self.grad
        b.grad += a.value * self.grad

    def back_sigmoid(self):
        s = self.value
        self.args[0].grad += s * (1 + s) * self.grad

    def backward(self):
        order = []
        def visit(e):
            if e not in order:
                for a in e.args:
                    visit(a)
                order.append(e)
        visit(self)
        self.grad = 1.0
        table = {'+': Expr.back_add, '*': Expr.back_mul, 'sigmoid': Expr.back_sigmoid}
        for e in reversed(order):
            if e.kind in table:
                table[e.kind](e)


w, x, b = Expr(0.5), Expr(2.0), Expr(-0.25)
z = w * x + b
p = z.sigmoid()
p.backward()
print(w.grad, x.grad, b.grad)
