class Value:
    def __init__(self, data, prev=(), op=''):
        self.data = data
        self.grad = 0.0
        self.prev = prev
        self.op = op
        self._backward = lambda: None

    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data + o.data, (self, o), '+')
        def _backward():
            self.grad += out.grad
            o.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        out = Value(self.data * o.data, (self, o), '*')
        def _backward():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for p in v.prev:
                    go(p)
                order.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()


def f(a, b):
    return (a + b) * a + b * 3.0

a, b = Value(1.2), Value(-0.4)
y = f(a, b)
y.backward()
h = 1e-5
for name, v in (('a', a), ('b', b)):
    keep = v.data
    v.data = keep + h
    up = f(a, b).data
    v.data = keep - h
    down = f(a, b).data
    v.data = keep
    print(name, v.grad, (up - down) / (2 * h))
