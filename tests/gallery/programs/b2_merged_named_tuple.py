class Value:
    def __init__(self, data, children=(), op='leaf'):
        self.data = data
        self.children = children
        self.op = op
        self.grad = 0.0
        self._backward = lambda: None

    def key(self):
        return (self.op, self.data)

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other), '+')
        def _backward():
            self.grad += out.grad
            other.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        visited = {}
        order = []
        def build(v):
            if v.key() in visited:
                return
            visited[v.key()] = v
            for c in v.children:
                build(c)
            order.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()

x = Value(2.0)
y = Value(2.0)
w = Value(3.0)
z = x * w + y * w
z.backward()
print(x.grad, y.grad, w.grad)
