class Value:
    def __init__(self, data, parents=(), op=''):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.op = op
        self.rule = None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        out.rule = lambda: (1.0, 1.0)
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        out.rule = lambda: (other.data, self.data)
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
            if v.rule is None:
                continue
            for p, slope in zip(v.parents, v.rule()):
                p.grad = p.grad + slope * v.grad

x, y = Value(1.5), Value(2.0)
z = (x + y) * x
z.backward()
print(x.grad, y.grad)
