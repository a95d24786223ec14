import math

class Value:
    def __init__(self, data, children=(), op=''):
        self.data = data
        self.grad = 0.0
        self.children = children
        self.op = op
        self._backward = lambda: None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), '*')
        def _backward():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad
        out._backward = _backward
        return out

    def exp(self):
        out = Value(math.exp(self.data), (self,), 'exp')
        def _backward():
            self.grad += out.data * out.grad
        out._backward = _backward
        return out

scale = Value(100.0)
logits = [Value(10.0) * scale, Value(2.0) * scale]
exps = [z.exp() for z in logits]
print([e.data for e in exps])
