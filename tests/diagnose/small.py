from math import exp, log
class Value:
    __slots__ = ("data", "grad", "prev", "_bw", "tag")
    def __init__(self, data, prev=(), tag=""):
        self.data = data; self.grad = 0.0; self.prev = prev; self.tag = tag
        self._bw = None
    def __add__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data + o.data, (self, o), "+")
        def bw(): self.grad += r.grad; o.grad += r.grad
        r._bw = bw
        return r
    def __mul__(self, o):
        o = o if isinstance(o, Value) else Value(o)
        r = Value(self.data * o.data, (self, o), "*")
        def bw(): self.grad += o.data * r.grad; o.grad += self.data * r.grad
        r._bw = bw
        return r
    __radd__ = __add__
    __rmul__ = __mul__
    def sigmoid(self):
        s = 1 / (1 + exp(-self.data))
        r = Value(s, (self,), "sigmoid")
        def bw(): self.grad += s * (1 - s) * r.grad
        r._bw = bw
        return r
    def backward(self):
        order = []; mark = set()
        def walk(n):
            if n in mark: return
            mark.add(n)
            for p in n.prev: walk(p)
            order.append(n)
        walk(self)
        self.grad = 1.0
        while order:
            n = order.pop()
            if n._bw is not None: n._bw()
