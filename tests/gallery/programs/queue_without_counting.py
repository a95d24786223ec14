from collections import deque


class Value:
    def __init__(self, data, prev=(), op=''):
        self.data = data
        self.grad = 0.0
        self.prev = prev
        self.op = op
        self.fn = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        def fn():
            self.grad += out.grad
            other.grad += out.grad
        out.fn = fn
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def fn():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out.fn = fn
        return out

    def backward(self):
        self.grad = 1.0
        queue = deque([self])
        visited = {self}
        while queue:
            node = queue.popleft()
            node.fn()
            for p in node.prev:
                if p not in visited:
                    visited.add(p)
                    queue.append(p)


a = Value(1.5)
b = Value(2.0)
ab = a * b
y = ab * (ab + b)
y.backward()
print(a.grad, b.grad)
