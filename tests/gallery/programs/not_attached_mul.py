class Value:
    def __init__(self, data, prev=()):
        self.data, self.grad, self.prev = data, 0.0, prev
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        return out

    def backward(self):
        nodes = []
        seen = set()
        def visit(v):
            if v in seen: return
            seen.add(v)
            [visit(p) for p in v.prev]
            nodes.append(v)
        visit(self)
        self.grad = 1.0
        while nodes:
            nodes.pop()._backward()

a = Value(2.0)
b = Value(4.0)
c = a * b
d = c + b
d.backward()
print(a.grad, b.grad)
