import math


class Value:
    def __init__(self, data, parents=(), vjps=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.vjps = vjps

    def __add__(self, other):
        return Value(self.data + other.data, (self, other), (lambda g: g, lambda g: g))

    def __mul__(self, other):
        return Value(
            self.data * other.data,
            (self, other),
            (lambda g: g * other.data, lambda g: g * self.data),
        )

    def tanh(self):
        t = math.tanh(self.data)
        return Value(t, (self,), (lambda g: g * (1 - t * t),))

    def relu(self):
        return Value(max(0.0, self.data), (self,), (lambda g: g if self.data > 0 else 0.0,))

    def exp(self):
        e = math.exp(self.data)
        return Value(e, (self,), (lambda g: g * e,))

    def log(self):
        return Value(math.log(self.data), (self,), (lambda g: g / self.data,))

    def __neg__(self):
        return self * Value(-1.0)

    def __sub__(self, other):
        return self + (-other)

    def backward(self):
        waiting = {}
        stack = [self]
        while stack:
            node = stack.pop()
            for parent in node.parents:
                if parent not in waiting:
                    waiting[parent] = 0
                    stack.append(parent)
                waiting[parent] += 1
        self.grad = 1.0
        ready = [self]
        while ready:
            node = ready.pop()
            for parent, vjp in zip(node.parents, node.vjps):
                parent.grad += vjp(node.grad)
                waiting[parent] -= 1
                if waiting[parent] == 0:
                    ready.append(parent)
