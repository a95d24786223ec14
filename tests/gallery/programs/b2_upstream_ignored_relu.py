class Value:
    def __init__(self, data, inputs=()):
        self.data = data
        self.inputs = inputs
        self.grad = 0.0
        self._back = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other))
        def _back():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._back = _back
        return out

    def relu(self):
        out = Value(max(0.0, self.data), (self,))
        def _back():
            if out.data > 0:
                self.grad += 1.0
        out._back = _back
        return out

    def backward(self):
        order = []
        def visit(v):
            for i in v.inputs:
                if i not in order:
                    visit(i)
            if v not in order:
                order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            v._back()

x, w, v = Value(1.0), Value(2.0), Value(3.0)
h = (x * w).relu()
y = h * v
y.backward()
print(x.grad, w.grad, v.grad)
