"""Homework 2, part B. One class, no closures: the node remembers its op."""
import math


class Node:
    def __init__(self, data, op='leaf', args=()):
        self.data = float(data)
        self.grad = 0.0
        self.op = op
        self.args = args

    def __add__(self, other):
        return Node(self.data + other.data, 'add', (self, other))

    def __mul__(self, other):
        return Node(self.data * other.data, 'mul', (self, other))

    def tanh(self):
        return Node(math.tanh(self.data), 'tanh', (self,))

    def propagate(self):
        if self.op == 'add':
            l, r = self.args
            l.grad += self.grad
            r.grad += self.grad
        elif self.op == 'mul':
            l, r = self.args
            l.grad += r.data * self.grad
            r.grad += l.data * self.grad
        elif self.op == 'tanh':
            (l,) = self.args
            l.grad = (1 - self.data ** 2) * self.grad

    def backward(self):
        topo = []
        visited = set()

        def build(n):
            if n in visited:
                return
            visited.add(n)
            for m in n.args:
                build(m)
            topo.append(n)

        build(self)
        self.grad = 1.0
        for n in reversed(topo):
            n.propagate()


a = Node(0.4)
b = Node(-0.3)
loss = (a * b + a.tanh()) * a.tanh()
loss.backward()
print('da', a.grad, 'db', b.grad)
