import math

class Value:
    def __init__(self, data, parents=(), op=''):
        self.data = data
        self.grad = 0.0
        self.parents = parents
        self.op = op
        self.backprop = None

    def __mul__(self, other):
        out = Value(self.data * other.data, (self, other), 'mul')
        def mul_back():
            self.grad += out.grad * other.data
            other.grad += out.grad * self.data
        out.backprop = mul_back
        return out

    def tanh(self):
        out = Value(math.tanh(self.data), (self,), 'tanh')
        def tanh_back():
            self.grad += out.grad * (1.0 - out.data * out.data)
        out.backprop = tanh_back()
        return out

    def backward(self):
        stack, order, seen = [self], [], set()
        def visit(v):
            if v in seen:
                return
            seen.add(v)
            for p in v.parents:
                visit(p)
            order.append(v)
        visit(self)
        self.grad = 1.0
        for v in reversed(order):
            if v.backprop is not None:
                v.backprop()

w = Value(0.6)
x = Value(1.5)
y = (w * x).tanh()
y.backward()
print(w.grad, x.grad)
