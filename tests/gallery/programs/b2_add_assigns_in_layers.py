import random
random.seed(2)

class Val:
    def __init__(self, d, srcs=(), sym=''):
        self.d = d
        self.grad = 0.0
        self.srcs = srcs
        self.sym = sym
        self.back = lambda: None
    def __add__(self, o):
        o = o if isinstance(o, Val) else Val(o)
        r = Val(self.d + o.d, (self, o), '+')
        def back():
            self.grad = r.grad
            o.grad = r.grad
        r.back = back
        return r
    __radd__ = __add__
    def __mul__(self, o):
        o = o if isinstance(o, Val) else Val(o)
        r = Val(self.d * o.d, (self, o), '*')
        def back():
            self.grad += o.d * r.grad
            o.grad += self.d * r.grad
        r.back = back
        return r
    def backward(self):
        lst, seen = [], set()
        def f(v):
            if id(v) in seen: return
            seen.add(id(v))
            for s in v.srcs: f(s)
            lst.append(v)
        f(self)
        self.grad = 1.0
        for v in lst[::-1]: v.back()

w = [Val(random.uniform(-1, 1)) for _ in range(2)]
b = Val(0.1)
data = [((1.0, 2.0), 1.0), ((-1.0, 1.0), 0.0)]
loss = Val(0.0)
for (x1, x2), y in data:
    p = w[0] * x1 + w[1] * x2 + b
    e = p + (-y)
    loss = loss + e * e
loss.backward()
print([v.grad for v in w], b.grad)
