class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

def toposort(root):
    out, seen = [], set()
    def rec(v):
        if v in seen: return
        seen.add(v)
        for p in v.parents: rec(p)
        out.append(v)
    rec(root)
    return out[::-1]

def run(root):
    root.grad = 1.0
    for v in reversed(toposort(root)):
        v._backward()

a, b, c = Value(3.0), Value(0.5), Value(2.0)
y = a * b * c
run(y)
print(a.grad, b.grad, c.grad)
