from fractions import Fraction

class Exact:
    def __init__(self, data, parents=()):
        self.data = Fraction(data)
        self.grad = Fraction(0)
        self.parents = parents
        self._backward = lambda: None

    def __add__(self, other):
        out = Exact(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Exact(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def go(v):
            if v not in seen:
                seen.add(v)
                for p in v.parents:
                    go(p)
                topo.append(v)
        go(self)
        self.grad = Fraction(1)
        for v in reversed(topo):
            v._backward()

a, b = Exact(Fraction(1, 3)), Exact(Fraction(2, 7))
y = a * b + a
y.backward()
print(a.grad, b.grad)
