class Value:
    def __init__(self, data, _children=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = _children
        self._op = _op

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
        order = []
        visited = set()
        def visit(v):
            if v not in visited:
                visited.add(v)
                order.append(v)
                for child in v._prev:
                    visit(child)
        visit(self)
        self.grad = 1.0
        for v in order:
            v._backward()

x = Value(3.0)
y = Value(1.0)
s = x + y
p = s * y
q = s * p
q.backward()
print(x.grad, y.grad)
