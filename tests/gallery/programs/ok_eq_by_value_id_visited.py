class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self._backward = lambda: None

    def __eq__(self, other):
        return self.data == (other.data if isinstance(other, Value) else other)

    def __lt__(self, other):
        return self.data < other.data

    __hash__ = object.__hash__

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
        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()
        def visit(v):
            if id(v) not in seen:
                seen.add(id(v))
                for p in v.parents:
                    visit(p)
                order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()

a, b, c, d = Value(2.0), Value(3.0), Value(1.0), Value(6.0)
y = a * b + c * d
y.backward()
print(a.grad, b.grad, c.grad, d.grad)
