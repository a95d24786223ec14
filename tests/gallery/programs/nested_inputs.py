class Value:
    def __init__(self, data, children=()):
        self.data = data
        self.grad = 0.0
        self.children = children
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
        out._backward = _backward
        return out

    def backward(self):
        topo, seen = [], set()
        def build(v):
            if v not in seen:
                seen.add(v)
                for c in v.children:
                    build(c)
                topo.append(v)
        build(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

class Neuron:
    def __init__(self, weights):
        self.w = [Value(w) for w in weights]

    def __call__(self, xs):
        xs = [Value(x) for x in xs]
        out = xs[0] * self.w[0]
        for x, w in zip(xs[1:], self.w[1:]):
            out = out + x * w
        return out

n = Neuron([0.5, -0.5])
inputs = [Value(1.0), Value(2.0)]
y = n(inputs)
y.backward()
print([w.grad for w in n.w])
