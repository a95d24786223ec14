class Value:
    def __init__(self, data, prev=(), op=''):
        self.data = data
        self.grad = 0.0
        self.prev = prev
        self.op = op
        self._backward = lambda: None

    def __add__(self, o):
        out = Value(self.data + o.data, (self, o), '+')
        def _backward():
            self.grad += out.grad
            o.grad += out.grad
        out._backward = _backward
        return out

    def __mul__(self, o):
        out = Value(self.data * o.data, (self, o), '*')
        def _backward():
            self.grad += o.data * out.grad
            o.grad += self.data * out.grad
        out._backward = _backward
        return out

    def backward(self):
        order, seen = [], set()
        def dfs(v):
            if v not in seen:
                seen.add(v)
                for p in v.prev:
                    dfs(p)
                order.append(v)
        dfs(self)
        self.grad = 1.0
        for v in reversed(order):
            v._backward()

a = Value(1.0)
b = Value(2.0)
m = a * b
n = m + a
n.backward()
print("dn/da", a.grad)
L = n * m
L.backward()
print("dL/da", a.grad)
