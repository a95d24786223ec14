import math

class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = _children
        self._op = _op

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def gelu(self):
        x = self.data
        s = 1 / (1 + math.exp(-1.702 * x))
        out = Value(x * s, (self,), 'gelu')
        def _backward():
            self.grad += (s + x * s * (1 - s)) * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, visited = [], set()
        def build_topo(v):
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)
        build_topo(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

x = Value(0.8)
w = Value(-1.3)
y = (x * w).gelu()
y.backward()
print('x', x.grad, 'w', w.grad)
