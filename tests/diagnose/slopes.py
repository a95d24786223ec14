import math


class Scalar:
    __slots__ = ("data", "grad", "_children", "_local_grads")

    def __init__(self, data, children=(), local_grads=()):
        self.data = data
        self.grad = 0.0
        self._children = children
        self._local_grads = local_grads

    def __add__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data + other.data, (self, other), (1.0, 1.0))

    def __mul__(self, other):
        other = other if isinstance(other, Scalar) else Scalar(other)
        return Scalar(self.data * other.data, (self, other), (other.data, self.data))

    def __pow__(self, n):
        return Scalar(self.data**n, (self,), (n * self.data ** (n - 1),))

    def tanh(self):
        t = math.tanh(self.data)
        return Scalar(t, (self,), (1 - t * t,))

    def relu(self):
        return Scalar(max(0.0, self.data), (self,), (float(self.data > 0),))

    def exp(self):
        e = math.exp(self.data)
        return Scalar(e, (self,), (e,))

    def log(self):
        return Scalar(math.log(self.data), (self,), (1 / self.data,))

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + (-other)

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def backward(self):
        topo = []
        seen = set()

        def build(v):
            if v in seen:
                return
            seen.add(v)
            for c in v._children:
                build(c)
            topo.append(v)

        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            for c, slope in zip(v._children, v._local_grads):
                c.grad += slope * v.grad
