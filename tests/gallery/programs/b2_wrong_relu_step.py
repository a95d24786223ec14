class Value:
    __slots__ = ("data", "grad", "children", "local")

    def __init__(self, data, children=(), local=()):
        self.data, self.grad = data, 0.0
        self.children, self.local = children, local

    def __mul__(self, o):
        return Value(self.data * o.data, (self, o), (o.data, self.data))

    def leaky(self):
        if self.data > 0:
            return Value(self.data, (self,), (1.0,))
        return Value(0.1 * self.data, (self,), (0.01,))

    def backward(self):
        seen, order = set(), []
        def rec(v):
            if v in seen:
                return
            seen.add(v)
            for c in v.children:
                rec(c)
            order.append(v)
        rec(self)
        self.grad = 1.0
        while order:
            v = order.pop()
            for c, l in zip(v.children, v.local):
                c.grad += l * v.grad

a = Value(-1.5)
b = Value(2.0)
y = (a * b).leaky()
y.backward()
print(a.grad, b.grad)
