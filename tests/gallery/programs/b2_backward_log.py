import math

class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.children = children
        self.grad = 0.0
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def xlogx(self):
        value = 0.0 if self.data == 0 else self.data * math.log(self.data)
        out = Value(value, (self,))
        def _backward():
            self.grad += (math.log(self.data) + 1.0) * out.grad
        out._backward = _backward
        return out

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
            v._backward()

p = Value(0.0)
q = Value(1.0)
entropy = p.xlogx() + q.xlogx()
entropy.backward()
print(p.grad, q.grad)
