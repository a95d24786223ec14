import math


class Node:
    def __init__(self, value, inputs=(), op="leaf"):
        self.value = value
        self.grad = 0.0
        self.inputs = list(inputs)
        self.op = op

    def __add__(self, other):
        return Node(self.value + other.value, (self, other), "add")

    def __mul__(self, other):
        return Node(self.value * other.value, (self, other), "mul")

    def tanh(self):
        return Node(math.tanh(self.value), (self,), "tanh")

    def relu(self):
        return Node(self.value if self.value > 0 else 0.0, (self,), "relu")

    def exp(self):
        return Node(math.exp(self.value), (self,), "exp")

    def log(self):
        return Node(math.log(self.value), (self,), "log")

    def __neg__(self):
        return self * Node(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def _backward(self):
        if self.op == "add":
            for p in self.inputs:
                p.grad += self.grad
        elif self.op == "mul":
            a, b = self.inputs
            a.grad += b.value * self.grad
            b.grad += a.value * self.grad
        elif self.op == "tanh":
            (a,) = self.inputs
            a.grad += (1 - self.value**2) * self.grad
        elif self.op == "relu":
            (a,) = self.inputs
            if self.value > 0:
                a.grad += self.grad
        elif self.op == "exp":
            (a,) = self.inputs
            a.grad += self.value * self.grad
        elif self.op == "log":
            (a,) = self.inputs
            a.grad += self.grad / a.value

    def backward(self):
        order = []
        done = set()

        def visit(node):
            if id(node) in done:
                return
            done.add(id(node))
            for p in node.inputs:
                visit(p)
            order.append(node)

        visit(self)
        self.grad = 1.0
        for node in reversed(order):
            node._backward()
