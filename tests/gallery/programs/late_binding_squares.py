class Value:
    def __init__(self, data, prev=()):
        self.data = data
        self.grad = 0.0
        self.prev = prev
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for p in v.prev:
                    build(p)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()


def squares(xs):
    outs = []
    for x in xs:
        o = Value(x.data ** 2, (x,))
        def _backward():
            x.grad += 2 * x.data * o.grad
        o._backward = _backward
        outs.append(o)
    return outs


x0, x1, x2 = Value(1.0), Value(2.0), Value(3.0)
s0, s1, s2 = squares([x0, x1, x2])
y = s0 + s1 + s2
y.backward()
print(x0.grad, x1.grad, x2.grad)
