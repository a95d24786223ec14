class Value:
    def __init__(self, data, parents=()):
        self.data = data
        self.parents = parents
        self.grad = 0.0
        self.hooks = []

    def backward(self):
        topo, seen = [], set()
        def go(v):
            if v in seen:
                return
            seen.add(v)
            for p in v.parents:
                go(p)
            topo.append(v)
        go(self)
        self.grad = 1.0
        for v in reversed(topo):
            for h in v.hooks:
                h()

def bump(v, g):
    v.grad += g

def weighted_sum(terms, weight):
    out = Value(sum(t.data for t in terms) * weight, tuple(terms))
    for t in terms:
        out.hooks.append(lambda: bump(t, weight * out.grad))
    return out

a, b = Value(1.0), Value(2.0)
y = weighted_sum([a, b], 3.0)
y.backward()
print(a.grad, b.grad)
