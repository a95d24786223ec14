class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0.0
        self._backward = lambda: None
        self._prev = ()


def add(x, y):
    out = Value(x.data + y.data)
    out._prev = (x, y)

    def bw():
        x.grad += out.grad
        y.grad += out.grad

    out._backward = bw
    return out


def mul(x, y):
    out = Value(x.data * y.data)
    out._prev = (x, y)

    def bw():
        x.grad += y.data * out.grad
        y.grad += x.data * out.grad

    out._backward = bw
    return out


a = Value(2.0)
b = Value(3.0)
c = add(a, b)
d = mul(a, b)
e = mul(c, d)
f = add(e, e)
