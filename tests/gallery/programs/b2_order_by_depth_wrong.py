class Value:
    def __init__(self, data, _prev=(), _op=''):
        self.data = data
        self.grad = 0.0
        self._prev = _prev
        self._op = _op
        self._backward = lambda: None

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
        levels = {self: 0}
        frontier = [self]
        while frontier:
            nxt = []
            for v in frontier:
                for p in v._prev:
                    if p not in levels:
                        levels[p] = levels[v] + 1
                        nxt.append(p)
            frontier = nxt
        self.grad = 1.0
        for v in sorted(levels, key=levels.get):
            v._backward()

a = Value(2.0)
b = Value(1.0)
m = a * b
y = m * (m + b)
y.backward()
print(a.grad, b.grad)
