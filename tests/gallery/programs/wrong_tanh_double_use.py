import math


class Op:
    def __init__(self, *inputs):
        self.inputs = inputs
        self.grad = 0.0
        self.data = self.forward(*(i.data for i in inputs))

    def __mul__(self, other):
        return Mul(self, other)

    def tanh(self):
        return Tanh(self)

    def backward(self):
        topo, seen = [], set()

        def visit(n):
            if n in seen:
                return
            seen.add(n)
            for i in n.inputs:
                visit(i)
            topo.append(n)

        visit(self)
        self.grad = 1.0
        for n in reversed(topo):
            n.push()


class Leaf(Op):
    def __init__(self, data):
        self.value = data
        super().__init__()

    def forward(self):
        return self.value

    def push(self):
        pass


class Mul(Op):
    def forward(self, a, b):
        return a * b

    def push(self):
        a, b = self.inputs
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Tanh(Op):
    def forward(self, a):
        return math.tanh(a)

    def push(self):
        (a,) = self.inputs
        a.grad += (1 - self.data) * self.grad


a = Leaf(0.6)
b = Leaf(0.9)
y = (a * b).tanh() * b
y.backward()
print(a.grad, b.grad)
