import math
from dataclasses import dataclass, field


@dataclass(eq=False)
class Var:
    data: float
    children: tuple = ()
    grad: float = 0.0
    backward_fn: object = None
    name: str = ""

    def __add__(self, other):
        out = Var(self.data + other.data, (self, other))

        def bwd():
            self.grad += out.grad
            other.grad += out.grad

        out.backward_fn = bwd
        return out

    def __mul__(self, other):
        out = Var(self.data * other.data, (self, other))

        def bwd():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out.backward_fn = bwd
        return out

    def tanh(self):
        out = Var(math.tanh(self.data), (self,))

        def bwd():
            self.grad += (1 - out.data * out.data) * out.grad

        out.backward_fn = bwd
        return out

    def relu(self):
        out = Var(self.data if self.data > 0 else 0.0, (self,))

        def bwd():
            self.grad += out.grad if out.data > 0 else 0.0

        out.backward_fn = bwd
        return out

    def exp(self):
        out = Var(math.exp(self.data), (self,))

        def bwd():
            self.grad += out.data * out.grad

        out.backward_fn = bwd
        return out

    def log(self):
        out = Var(math.log(self.data), (self,))

        def bwd():
            self.grad += out.grad / self.data

        out.backward_fn = bwd
        return out

    def __neg__(self):
        return self * Var(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def backward(self):
        order = []
        seen = []

        def visit(v):
            if not any(v is s for s in seen):
                seen.append(v)
                for c in v.children:
                    visit(c)
                order.append(v)

        visit(self)
        self.grad = 1.0
        for v in order[::-1]:
            if v.backward_fn is not None:
                v.backward_fn()
