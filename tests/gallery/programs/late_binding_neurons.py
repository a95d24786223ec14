class Value:
    def __init__(self, data, children=(), op=''):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self.backs = []

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for c in v.children:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            for back in v.backs:
                back()


def add_all(*values):
    out = Value(sum(v.data for v in values), values, 'sum')
    for v in values:
        def back():
            v.grad += out.grad
        out.backs.append(back)
    return out


a, b, c = Value(1.0), Value(2.0), Value(3.0)
y = add_all(a, b, c)
y.backward()
print(a.grad, b.grad, c.grad)
