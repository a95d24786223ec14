from dataclasses import dataclass, field


@dataclass(unsafe_hash=True)
class Value:
    data: float
    grad: float = field(default=0.0, compare=False)
    parents: tuple = field(default=(), compare=False)
    back: object = field(default=None, compare=False, repr=False)

    def __add__(self, other):
        out = Value(self.data + other.data, parents=(self, other))
        def back():
            self.grad += out.grad
            other.grad += out.grad
        out.back = back
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, parents=(self, other))
        def back():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.back = back
        return out

    def backward(self):
        order, seen = [], set()
        def visit(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    visit(p)
                order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.back:
                v.back()


a, b = Value(2.0), Value(3.0)
c, d = Value(1.0), Value(6.0)
y = a * b + c * d
y.backward()
print(a.grad, b.grad, c.grad, d.grad)
