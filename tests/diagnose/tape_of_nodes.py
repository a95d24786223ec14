import math


class Var:
    tape = []

    def __init__(self, data, left=None, right=None):
        self.data = data
        self.grad = 0.0
        self.left = left
        self.right = right
        self._backward = None
        Var.tape.append(self)

    def __add__(self, other):
        out = Var(self.data + other.data, self, other)

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Var(self.data * other.data, self, other)

        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def tanh(self):
        out = Var(math.tanh(self.data), self)

        def _backward():
            self.grad += (1 - out.data**2) * out.grad

        out._backward = _backward
        return out

    def relu(self):
        out = Var(max(0.0, self.data), self)

        def _backward():
            self.grad += (self.data > 0) * out.grad

        out._backward = _backward
        return out

    def exp(self):
        out = Var(math.exp(self.data), self)

        def _backward():
            self.grad += out.data * out.grad

        out._backward = _backward
        return out

    def log(self):
        out = Var(math.log(self.data), self)

        def _backward():
            self.grad += out.grad / self.data

        out._backward = _backward
        return out

    def __neg__(self):
        return self * Var(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def backward(self):
        self.grad = 1.0
        for node in reversed(Var.tape):
            if node._backward:
                node._backward()
