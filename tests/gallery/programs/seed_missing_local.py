class Term:
    __slots__ = "data", "grad", "ops", "slopes"

    def __init__(self, data, ops=(), slopes=()):
        self.data = data
        self.grad = 0.0
        self.ops = ops
        self.slopes = slopes

    def __mul__(self, o):
        return Term(self.data * o.data, (self, o), (o.data, self.data))


def all_terms(root):
    terms, seen = [], set()
    def go(t):
        if id(t) in seen:
            return
        seen.add(id(t))
        for o in t.ops:
            go(o)
        terms.append(t)
    go(root)
    return terms


def backprop(root):
    grad = 1.0
    for t in reversed(all_terms(root)):
        for o, s in zip(t.ops, t.slopes):
            o.grad += s * t.grad


c = Term(3.0)
d = Term(0.5)
e = c * d
backprop(e)
print(c.grad, d.grad)
