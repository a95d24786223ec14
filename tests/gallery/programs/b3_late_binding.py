class Value:
    def __init__(self, data, _prev=()):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for p in v._prev:
                    build(p)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

def total(values):
    out = Value(sum(v.data for v in values), tuple(values))
    steps = []
    for v in values:
        def step():
            v.grad += out.grad
        steps.append(step)
    out._backward = lambda: [s() for s in steps]
    return out

p, q, r = Value(1.0), Value(2.0), Value(3.0)
s = total([p, q, r])
s.backward()
print(p.grad, q.grad, r.grad)
