class Value:
    def __init__(self, data, children=(), op=''):
        self.data = data
        self.grad = 0
        self.children = children
        self.op = op
        self._backward = lambda: None

    # so that tests can write  assert a + b == 7
    def __eq__(self, other):
        if isinstance(other, Value):
            return self.data == other.data
        return self.data == other

    __hash__ = object.__hash__

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
        topo = []
        def build(v):
            if v in topo:
                return
            for c in v.children:
                build(c)
            topo.append(v)
        build(self)
        self.grad = 1
        for v in reversed(topo):
            v._backward()

c = Value(7.0)
a = Value(5.0)
b = Value(2.0)
s = a + b          # 7.0 as well
y = c * s
y.backward()
print(a.grad, b.grad, c.grad)
